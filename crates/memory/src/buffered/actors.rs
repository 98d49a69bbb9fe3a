//! Numbers for those who take steps.

use raddle_event::{Actor, Who};

/// The numbers, given once for all executions.
#[derive(Default)]
pub struct Actors {
    all: Vec<Who>,
    threads: Vec<OfThread>,
}

/// The numbers of a thread and of those who act for it.
#[derive(Default)]
struct OfThread {
    own: Option<Actor>,
    update: Option<Actor>,
    /// By location.
    updates_at: Vec<Option<Actor>>,
}

impl OfThread {
    fn of(&mut self, who: Who) -> &mut Option<Actor> {
        match who {
            Who::Thread(_) => &mut self.own,
            Who::Update(_) => &mut self.update,
            Who::UpdateAt(_, at) => {
                let n = self.updates_at.len().max(at.index() + 1);
                self.updates_at.resize(n, None);
                &mut self.updates_at[at.index()]
            }
        }
    }
}

impl Actors {
    /// The number of an actor.
    pub fn number(&mut self, who: Who) -> Actor {
        let n = self.threads.len().max(who.thread().index() + 1);
        self.threads.resize_with(n, OfThread::default);
        let number = self.threads[who.thread().index()].of(who);
        *number.get_or_insert_with(|| {
            self.all.push(who);
            Actor(self.all.len() as u32 - 1)
        })
    }

    /// The number of an actor that has one.
    #[inline]
    pub fn known(&self, who: Who) -> Actor {
        let of = &self.threads[who.thread().index()];
        let number = match who {
            Who::Thread(_) => of.own,
            Who::Update(_) => of.update,
            Who::UpdateAt(_, at) => of.updates_at[at.index()],
        };
        number.expect("the actor has a number")
    }

    /// Who has this number.
    #[inline]
    pub fn who(&self, actor: Actor) -> Who {
        self.all[actor.index()]
    }
}
