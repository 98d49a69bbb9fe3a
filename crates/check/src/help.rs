//! Work on parts of an exploration that was divided elsewhere: whoever helps gets a task, explores for a while, and
//! hands in what was found and what is left. Everything that goes in and out is a plain value.
//!
//! A task is either done or not: what was counted, the parts that were given away and what is left are handed in
//! together. So a task that is begun twice, since one who had it is gone, is the same as one that is begun once,
//! provided that only the first of its results is used.

use crate::alarm::{Alarm, Alarms};
use crate::barrier::guarded;
use crate::divide::STEPS;
use crate::in_parts::{Divisibly, InParts, Known, LeftOut};
use crate::plan::Plan;
use crate::search::{ByEnding, Options};
use crate::tally::{Counted, Tally};
use raddle_explore::{Divisible, Left, Portion, Search};
use raddle_join::{Ending, Seen, Shared};
use raddle_machine::{Limits, Tables};
use raddle_program::Program;
use serde::{Deserialize, Serialize};

/// What all who explore parts of one exploration begin with: what is known, and the numbers that were given so far.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Start {
    pub(crate) known: Known,
    pub(crate) tables: Tables,
    pub(crate) seen: Seen,
}

/// A part to go on with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The unit of work.
    pub unit: Vec<u8>,
    /// What came for it.
    pub mail: Vec<Vec<u8>>,
    /// Whether somebody has given it away.
    pub is_given: bool,
}

/// What was done of a task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Done {
    /// What was counted and found.
    pub counted: Counted,
    /// The parts that were given away, as units of work.
    pub given: Vec<Vec<u8>>,
    /// What is left.
    pub rest: Rest,
    /// What was learned of all executions.
    pub learned: Learned,
}

/// What is left of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rest {
    /// Nothing. Somebody may wait for the answer.
    Nothing(Option<Vec<u8>>),
    /// There is work left.
    Work(Vec<u8>),
    /// It waits for answers.
    Answers(Vec<u8>),
    /// It was broken off: by a fault, by something that cannot be run, or because something was taken for granted that
    /// is otherwise.
    Broken,
}

/// What a worker has learned of all executions.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Learned {
    /// What its machine has seen, where that has changed since it was last handed in.
    pub(crate) seen: Option<Seen>,
    pub(crate) is_contradicted: bool,
    pub(crate) left: LeftOut,
}

impl Done {
    /// Nothing was done, since something went wrong.
    pub fn failed(what: String) -> Done {
        Done { counted: Counted::failed(what), given: Vec::new(), rest: Rest::Broken, learned: Learned::default() }
    }
}

/// Where tasks come from and results go to.
pub trait Desk {
    /// The next task of this exploration; nothing when there is none for whoever asks.
    fn next(&mut self) -> Option<Task>;

    /// Whether what is left should be put down now.
    fn is_due(&mut self) -> bool;

    /// How many parts should be given away, when it is.
    fn n_wanted(&self) -> usize;

    /// Hands in what was done; tells whether it has arrived.
    fn hand_in(&mut self, done: Done) -> bool;
}

/// Works on tasks until there is none, or until nothing that comes later of this machine would count. Whoever sets the
/// flag that interrupts does not want what is being done.
pub fn help(program: &Program, plan: Plan, options: &Options, start: &Start, desk: &mut dyn Desk) {
    let watched = Alarms { interrupted: options.interrupted, ..Alarms::default() };
    let alarm = Alarm::new(&watched);
    let limits = Limits { stop: alarm.stop.clone(), races: options.races, ..options.limits.clone() };
    std::thread::scope(|scope| {
        let _watching = alarm.set(scope, watched);
        let options = &Options { limits, ..options.clone() };
        let parts = Helping { program, plan, options, alarm: &alarm, start, desk };
        plan.semantics.explore(options, Divisibly { program, options, parts });
    });
}

struct Helping<'a> {
    program: &'a Program,
    plan: Plan,
    options: &'a Options<'a>,
    alarm: &'a Alarm,
    start: &'a Start,
    desk: &'a mut dyn Desk,
}

impl InParts for Helping<'_> {
    type Out = ();

    fn explore<X, S>(self, start: impl Fn(Known, Tables) -> S + Sync)
    where
        X: Divisible<S>,
        S: Shared + Ending,
    {
        let Helping { program, plan, options, alarm, start: from, desk } = self;
        let mut system = start(from.known.clone(), from.tables.clone());
        let mut arrived = Vec::new();
        while let Some(task) = desk.next() {
            let mut tally = Tally::new(program, plan, options, None, alarm);
            let worked = guarded(|| work::<X, S>(&mut system, &mut tally, task, desk));
            if alarm.is_ringing() {
                return;
            }
            let (given, rest) = match worked.unwrap_or_else(Err) {
                Ok(worked) => worked,
                Err(what) => {
                    desk.hand_in(Done::failed(what));
                    return;
                }
            };
            let seen = system.seen();
            let written = write(&seen);
            let is_new = written != arrived;
            let (is_contradicted, left) = (system.is_contradicted(), LeftOut::by(&system));
            let learned = Learned { seen: is_new.then_some(seen), is_contradicted, left };
            let is_over = is_contradicted || rest == Rest::Broken;
            if desk.hand_in(Done { counted: tally.counted(), given, rest, learned }) {
                arrived = written;
            }
            if is_over {
                return;
            }
        }
    }
}

/// The parts that are given away, and what is left; or why there is nothing to hand in.
type Worked = Result<(Vec<Vec<u8>>, Rest), String>;

/// Explores until nothing is left, or until it is time to put down what is.
fn work<X: Divisible<S>, S: Ending>(system: &mut S, tally: &mut Tally, task: Task, desk: &mut dyn Desk) -> Worked {
    let misfit = |_| "a unit of work does not fit where it is read".to_string();
    let mut sink = ByEnding { sink: tally, observed: &[] };
    let mut search = X::read(system, &mut sink, read(&task.unit)?).map_err(misfit)?;
    for answer in &task.mail {
        search.accept(read(answer)?).map_err(misfit)?;
    }
    let mut given = Vec::new();
    let mut n_steps = 0u32;
    loop {
        match search.left() {
            Left::Nothing => {
                let answer = if task.is_given { search.answer() } else { None };
                return Ok((given, Rest::Nothing(answer.map(|answer| write(&answer)))));
            }
            Left::Answers => return Ok((given, Rest::Answers(write(&search.write_down())))),
            Left::Work => {
                if search.go_on().is_break() {
                    return Ok((given, Rest::Broken));
                }
                n_steps = n_steps.wrapping_add(1);
                if n_steps.is_multiple_of(STEPS) && desk.is_due() {
                    given.extend((0..desk.n_wanted()).map_while(|_| search.give_away()).map(|unit| write(&unit)));
                    return Ok((given, put_down(search)));
                }
            }
        }
    }
}

/// What is left of a search that somebody else may go on with.
fn put_down(mut search: impl Search) -> Rest {
    let unit = write(&search.write_down());
    if search.left() == Left::Answers { Rest::Answers(unit) } else { Rest::Work(unit) }
}

/// A plain value as bytes.
pub(crate) fn write(value: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(value).expect("plain values can be written")
}

fn read<T: Portion>(bytes: &[u8]) -> Result<T, String> {
    postcard::from_bytes(bytes).map_err(|why| format!("a unit of work cannot be read: {why}"))
}
