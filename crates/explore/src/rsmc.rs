//! Relaxed stateless model checking (Abdulla, Atig, Jonsson, Leonardsson, "Stateless Model Checking for POWER", CAV
//! 2016, figure 7).
//!
//! Events are committed one after the other, in every way that the model allows (the paper's parameters): a load with
//! each committed store that it may read from, a store with each place in coherence. What that misses are loads that
//! read from stores committed later. Such a race, from a load to a store that commit-before does not put after it, is
//! reversed: from the point where the load was first committed one goes along the events that the store needs
//! ([`Template`]), commits the store in every way, and then the load, which reads from it. Each complete graph is
//! explored once.
//!
//! Deviations:
//! 1. The recursion of Explore and Traverse is a stack of [`Node`]s.
//! 2. Races are detected when a store is selected, before it is explored; so continuations wait longer in their sets,
//!    which makes no difference.
//! 3. Read-modify-writes are two events that must stand side by side. A load whose store finds no room because another
//!    read-modify-write has taken it is committed nevertheless: its store still races with the load of the other, and
//!    that is how the other order is found. It goes no further.
//! 4. A load with a guard (a lock) is committed only with values for which the guard holds, and only when nothing else
//!    can be. One that is still waiting at the end is tried like the loads of (3). A store that takes what a lock has
//!    read, and whose value the lock cannot read, goes first without the lock after it.
//! 5. Whether a compare-exchange succeeds may be guessed before its load is committed: then that is a choice, and the
//!    run goes on as if it were so, whatever the load reads. A run in which it is not so is no execution
//!    ([`Commits::holds`]).
//! 6. A load for which a loop is waiting ([`Commits::awaits`]) has a guard that is known only where the load can be
//!    committed: it refuses values that do not end the loop. So a template that ends in such a load may turn out to end
//!    with the store before it. One that may stay behind can be *parked* besides ([`Way::Parked`]).

mod unit;

pub use unit::{CommitAnswer, CommitUnit};

use crate::{Branch, End, Left, Sink, Turn};
use raddle_event::{EventId, LocationId, Role, Way};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use unit::Handed;

/// A load that a store races with, by its place in the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    /// The place of the load in the run.
    pub load: usize,
    /// Whether the load is to read from the store, or only comes after it.
    pub reads: bool,
    /// Whether both belong to read-modify-writes of the same source, which only one of them can have.
    pub takes: bool,
}

/// An execution model in which events are fetched and committed. A run is the sequence of committed events.
pub trait Commits {
    /// An event that can be committed now, always the same in the same state.
    fn select(&mut self) -> Option<EventId>;

    /// All events that can be committed now, by thread; none where [`Commits::select`] gives none.
    fn enabled(&mut self, into: &mut Vec<EventId>);

    /// What an event is.
    fn role(&self, event: EventId) -> Role;

    /// What an enabled event accesses, where it accesses something.
    fn accesses(&self, event: EventId) -> Option<LocationId>;

    /// The ways with which an enabled event can be committed.
    fn ways(&mut self, event: EventId, into: &mut Ways);

    /// Whether nothing is known of a way by which no run can come to its end with it: a load may read from what another
    /// read-modify-write has taken only for the races of its store, and may be parked only where others let it.
    fn leads_on(&self, event: EventId, way: Way) -> bool;

    /// Of the ways of a store, leaves those with which a load, which is committed next, can still read from it as
    /// far as that is plain.
    fn retain_readable(&mut self, store: EventId, load: EventId, ways: &mut Ways);

    /// Whether an event can be committed with a way.
    fn can_commit(&mut self, event: EventId, way: Way) -> bool;

    /// Commits an event.
    fn commit(&mut self, event: EventId, way: Way);

    /// How many events are committed.
    fn len(&self) -> usize;

    /// Whether no event is committed.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes back all but the first `n` events of the run.
    fn rewind(&mut self, n: usize);

    /// The event at a place of the run.
    fn event(&self, at: usize) -> EventId;

    /// Looks at an enabled store: which loads of the run it races with.
    fn races(&mut self, store: EventId, into: &mut Vec<Race>);

    /// Whether commit-before puts an event of the run before the store that was last looked at.
    fn is_needed(&self, at: usize) -> bool;

    /// How many of the events `among` commit-before puts before an event of the run.
    fn n_before(&self, at: usize, among: &dyn Fn(usize) -> bool) -> usize;

    /// The way of an event of the run where only the events `among` are committed.
    fn way(&self, at: usize, among: &dyn Fn(usize) -> bool) -> Way;

    /// Loads that wait although the run is over, and sources that another read-modify-write has taken from them.
    fn waiting(&mut self, into: &mut Vec<(EventId, Way)>);

    /// Whether a loop may be waiting for what a load reads, which is not committed: then it refuses values that do not
    /// end the loop.
    fn awaits(&self, load: EventId) -> bool;

    /// Such a load has refused a store that was to come first, and the store does not come first without it.
    fn refuse(&mut self, load: EventId, store: EventId);

    /// Where nothing is left to commit: whether the program has this run. A load that is parked must find a value in
    /// the end that leads its thread round the loop.
    fn all_stay(&mut self) -> bool;

    /// The store that belongs to a load that is committed, where it is a read-modify-write that stores.
    fn store_of(&mut self, load: EventId) -> Option<EventId>;

    /// Whether what was guessed in the run has come true. A run that has come to its end and does not hold is no
    /// execution.
    fn holds(&self) -> bool;

    /// Whether the execution has gone wrong in a way that ends the search for its continuation.
    fn is_over(&self) -> bool;
}

/// The ways of an event.
pub type Ways = SmallVec<[Way; 4]>;

/// An event of a template, with its way; none where every way is to be tried (the paper's `*`).
type Planned = (EventId, Option<Way>);

/// A run to go along from the point where a load was first committed.
type Template = Arc<[Planned]>;

/// An element of the paper's Q.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Queued {
    template: Template,
    /// Whether the store takes what the load has read in some run, so that it comes first even where the load refuses
    /// to read from it.
    takes: bool,
    /// Whether the load has refused to read from the store, and the store has not come first without it.
    is_refused: bool,
    /// Whether it is gone along elsewhere.
    is_given: bool,
}

/// An event of the run, or one whose ways have all been tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Node {
    event: EventId,
    /// How many events were committed before it. For a load that Explore selected that is the paper's P.
    base: usize,
    /// The ways that are left.
    ways: Ways,
    /// Which of them is plain, so that the others are branches.
    plain: Option<usize>,
    /// The template that is gone along after this event, and how far it has come.
    rest: Option<(Template, usize)>,
    /// Templates for a load (the paper's Q), and how many of them were tried.
    templates: Vec<Queued>,
    n_tried: usize,
    /// How much of it was given away and has not been answered.
    n_given: usize,
}

/// What is done next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Next {
    /// An event is added: that of the template that is gone along, or one that is enabled; or the run ends.
    Down(Option<(Template, usize)>),
    /// What is left at the last node that has something left.
    Turn,
    Nothing,
}

/// An exploration under way, of everything or of a [`CommitUnit`] of it.
pub struct Rsmc<'s, S> {
    system: &'s mut S,
    next: Next,
    nodes: Vec<Node>,
    /// The first node that belongs to this exploration. What is found for an earlier one is handed back.
    first: usize,
    handed: BTreeSet<Handed>,
    /// For each event of the run the node whose templates a race with it goes to, where it is a load that Explore
    /// selected, or the last of a template.
    owners: Vec<Option<usize>>,
    races: Vec<Race>,
    waiting: Vec<(EventId, Way)>,
}

/// Explores one run for each graph.
pub fn rsmc<S: Commits>(system: &mut S, sink: &mut dyn Sink<S>) -> ControlFlow<()> {
    let mut rsmc = Rsmc::new(system);
    while rsmc.left() == Left::Work {
        rsmc.go_on(sink)?;
    }
    ControlFlow::Continue(())
}

impl<'s, S: Commits> Rsmc<'s, S> {
    /// An exploration of everything, which has not begun.
    pub fn new(system: &'s mut S) -> Self {
        Rsmc {
            system,
            next: Next::Down(None),
            nodes: Vec::new(),
            first: 0,
            handed: BTreeSet::new(),
            owners: Vec::new(),
            races: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// What is left to do.
    pub fn left(&self) -> Left {
        match self.next {
            Next::Down(_) | Next::Turn => Left::Work,
            Next::Nothing if self.nodes.len() > self.first => Left::Answers,
            Next::Nothing => Left::Nothing,
        }
    }

    /// Adds the event that comes next, or ends the run, and goes back to the last node that has something left. After
    /// the sink has broken off, the exploration cannot go on.
    pub fn go_on(&mut self, sink: &mut dyn Sink<S>) -> ControlFlow<()> {
        match std::mem::replace(&mut self.next, Next::Nothing) {
            Next::Down(rest) => self.go_down(rest, sink)?,
            Next::Turn => {}
            Next::Nothing => return ControlFlow::Continue(()),
        }
        if let Some(rest) = self.turn(sink) {
            self.next = Next::Down(rest);
            if self.system.len() > self.nodes.last().map_or(0, |node| node.base) {
                sink.event()?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Adds the event that comes next: that of the template, or one that is enabled; or ends the run.
    fn go_down(&mut self, rest: Option<(Template, usize)>, sink: &mut dyn Sink<S>) -> ControlFlow<()> {
        if self.system.is_over() {
            return sink.execution(self.system, End::Maximal);
        }
        if let Some((template, at)) = rest {
            return self.traverse(template, at, sink);
        }
        match self.system.select() {
            Some(event) => self.explore(event),
            None => {
                if self.system.all_stay() && self.system.holds() {
                    sink.execution(self.system, End::Maximal)?;
                }
                self.look_at_waiting();
            }
        }
        ControlFlow::Continue(())
    }

    /// The paper's Explore: all ways to commit an event.
    fn explore(&mut self, event: EventId) {
        if matches!(self.system.role(event), Role::Store { .. }) {
            self.detect_races(event);
        }
        let mut ways = Ways::new();
        self.system.ways(event, &mut ways);
        self.push(event, ways, None);
    }

    /// The paper's Traverse: the next event of a template.
    fn traverse(&mut self, template: Template, at: usize, sink: &mut dyn Sink<S>) -> ControlFlow<()> {
        let (event, planned) = template[at];
        let mut ways = Ways::new();
        self.system.ways(event, &mut ways);
        match (planned, template.get(at + 1)) {
            (Some(planned), _) => ways.retain(|way| *way == planned),
            (None, Some(&(load, _))) => self.system.retain_readable(event, load, &mut ways),
            (None, None) => {}
        }
        let is_last = at + 1 == template.len();
        if ways.is_empty() {
            match is_last && self.system.role(event) == Role::Load && self.system.awaits(event) {
                true if self.is_overtaken(event) => return self.go_down(None, sink),
                true => self.system.refuse(event, template[at - 1].0),
                false => sink.execution(self.system, End::Redundant)?,
            }
        }
        let rest = (!is_last).then_some((template, at + 1));
        self.push(event, ways, rest);
        ControlFlow::Continue(())
    }

    fn push(&mut self, event: EventId, ways: Ways, rest: Option<(Template, usize)>) {
        let base = self.system.len();
        let plain = ways.iter().position(|&way| ways.len() == 1 || self.system.leads_on(event, way)).or(Some(0));
        self.nodes.push(Node { event, base, ways, plain, rest, templates: Vec::new(), n_tried: 0, n_given: 0 });
    }

    /// Goes back to the last node that has something left, and does that. Gives the template to go along from there.
    fn turn(&mut self, sink: &mut dyn Sink<S>) -> Option<Option<(Template, usize)>> {
        loop {
            let at = self.nodes.len().checked_sub(1)?;
            let node = &mut self.nodes[at];
            if at < self.first && node.ways.is_empty() {
                return None;
            }
            self.system.rewind(node.base);
            self.owners.truncate(node.base);
            let point = at as u32;
            // The last one first: the model has looked at it last.
            if let Some(way) = node.ways.pop() {
                let is_last = node.ways.is_empty();
                if !sink.wants(Branch { point, turn: if is_last { Turn::Rest } else { Turn::Another } }) {
                    continue;
                }
                let is_plain = node.plain == Some(node.ways.len());
                let branch = Branch { point, turn: if is_plain { Turn::Rest } else { Turn::Another } };
                let (event, rest) = (node.event, node.rest.clone());
                sink.turns(self.system, branch, self.system.accesses(event));
                self.system.commit(event, way);
                let owner = self.owner(at, rest.is_some());
                self.owners.push(owner);
                return Some(rest);
            }
            if let Some(queued) = node.templates.get(node.n_tried) {
                node.n_tried += 1;
                let branch = Branch { point, turn: Turn::Another };
                if queued.is_given || !sink.wants(branch) {
                    continue;
                }
                sink.turns(self.system, branch, self.system.accesses(node.event));
                return Some(Some((queued.template.clone(), 0)));
            }
            if node.n_given > 0 {
                return None;
            }
            self.nodes.pop();
        }
    }

    /// The node whose templates a race with the event of a node goes to.
    fn owner(&self, at: usize, is_inside: bool) -> Option<usize> {
        let event = self.nodes[at].event;
        if is_inside || self.system.role(event) != Role::Load {
            return None;
        }
        // The last load of a template has the node at which the template began below it on the stack.
        let begun = self.nodes[..at].iter().rposition(|node| node.event == event);
        Some(begun.unwrap_or(at))
    }

    /// The paper's DetectRace: a template for each load that could read from the store if it came first.
    fn detect_races(&mut self, store: EventId) {
        let mut races = std::mem::take(&mut self.races);
        races.clear();
        self.system.races(store, &mut races);
        for race in &races {
            if let Some(owner) = self.owners[race.load] {
                let template = self.template(store, race, self.nodes[owner].base);
                match owner < self.first {
                    true => _ = self.handed.insert(Handed::Template { node: owner, template, takes: race.takes }),
                    false => self.queue(owner, template, race.takes),
                }
            }
        }
        self.races = races;
    }

    /// Adds a template to those of a load, unless it is there; one that was refused is tried again when the store must
    /// come first.
    fn queue(&mut self, owner: usize, template: Vec<Planned>, takes: bool) {
        let node = &mut self.nodes[owner];
        match node.templates.iter_mut().rfind(|known| *known.template == *template) {
            Some(known) if known.is_refused && takes => {
                known.is_refused = false;
                let template = known.template.clone();
                node.templates.push(Queued { template, takes, is_refused: false, is_given: false });
            }
            Some(known) => known.takes |= takes,
            None => node.templates.push(Queued { template: template.into(), takes, is_refused: false, is_given: false }),
        }
    }

    /// A load at the end of a template refuses to read from the store before it. Tells whether the store comes first
    /// nevertheless.
    fn is_overtaken(&mut self, load: EventId) -> bool {
        let at = self.nodes.iter().rposition(|node| node.event == load).expect("the template began at the load");
        let node = &mut self.nodes[at];
        let queued = &mut node.templates[node.n_tried - 1];
        queued.is_refused = !queued.takes;
        if at < self.first && queued.is_refused {
            self.handed.insert(Handed::Refused { node: at, template: queued.template.to_vec() });
        }
        queued.takes
    }

    /// What the store needs of the run after `base`, in an order that depends on nothing else (cut and normalise), the
    /// store, and the load.
    fn template(&self, store: EventId, race: &Race, base: usize) -> Vec<Planned> {
        let mut needed: Vec<usize> = (base..self.system.len()).filter(|&at| self.system.is_needed(at)).collect();
        let among = |at: usize| needed.binary_search(&at).is_ok();
        let mut order: Vec<(usize, EventId, usize)> =
            needed.iter().map(|&at| (self.system.n_before(at, &among), self.system.event(at), at)).collect();
        order.sort_unstable();
        needed.clear();
        let mut template = Vec::with_capacity(order.len() + 2);
        for (_, event, at) in order {
            let way = self.system.way(at, &|other| other < base || needed.contains(&other));
            template.push((event, Some(way)));
            needed.push(at);
        }
        template.push((store, None));
        if race.reads {
            template.push((self.system.event(race.load), Some(Way::From(Some(store)))));
        }
        template
    }

    /// Loads that wait for ever because others have taken what they could read: the stores of these race with the loads
    /// of the others.
    fn look_at_waiting(&mut self) {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.clear();
        self.system.waiting(&mut waiting);
        let base = self.system.len();
        for &(load, way) in &waiting {
            self.system.commit(load, way);
            self.owners.push(None);
            if let Some(store) = self.system.store_of(load) {
                self.detect_races(store);
            }
            self.owners.pop();
            self.system.rewind(base);
        }
        self.waiting = waiting;
    }
}
