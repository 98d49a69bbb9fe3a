//! Which graph of an orbit counts, where there may be several that keep the rules.
//!
//! That can be only where po ∪ rf ∪ co has a cycle, or where a thread is parked: it may come before or after those that
//! go on. Without a cycle the one counts in which it comes after them. Else a graph with other names for its threads
//! keeps the rules if this one does with its groups in another order, and of all orders in which it does, the one
//! counts that comes first by where its events stand.

use super::{Interchangeable, Orbits};
use raddle_event::{Clocks, EventId, Position, ThreadId, Way};

/// The groups of threads, each in an order.
type Order = Vec<Vec<ThreadId>>;

/// How many orders are looked at. Where there are more, graphs of the same orbit count each for itself.
const MOST_ORDERS: u64 = 5040;

impl<G: Interchangeable> Orbits<'_, G> {
    /// Whether the graph counts, to which nothing can be added.
    pub(super) fn comes_first(&self) -> bool {
        let all: Vec<u32> = (0..self.graph.n_threads() as u32).map(|thread| self.graph.n_events(ThreadId(thread))).collect();
        let present = self.groups();
        if self.graph.orders_writes() || self.graph.is_in_one_order(&all) {
            let mut pairs = present.iter().flat_map(|group| group.windows(2));
            return !pairs.any(|two| self.stays_where_other_goes_on(two[0], two[1]));
        }
        let n_orders = present.iter().flat_map(|group| 1..=group.len() as u64).try_fold(1u64, |all, n| all.checked_mul(n));
        if n_orders.is_none_or(|n| n > MOST_ORDERS) {
            return true;
        }
        let standings = self.standings(&present);
        let mut orders = vec![Vec::new()];
        for group in &present {
            let longer = |order: Order| permutations(group).into_iter().map(move |group| [&order[..], &[group]].concat());
            orders = orders.into_iter().flat_map(longer).collect();
        }
        !orders.into_iter().any(|order| self.standings(&order) < standings && self.keeps_the_rules(&order))
    }

    /// Whether a thread stays behind where one that follows it, and has done the same until then, goes on.
    fn stays_where_other_goes_on(&self, elder: ThreadId, thread: ThreadId) -> bool {
        let mut pairs = self.events(elder).zip(self.events(thread));
        let differing = pairs.find(|&(elders, at)| !self.is_same(elders, at));
        differing.is_some_and(|(elders, at)| self.ways[elders.index()] == Way::Parked && self.ways[at.index()] != Way::Parked)
    }

    /// The groups in the order in which their threads follow one another.
    fn groups(&self) -> Order {
        let mut groups: Order = Vec::new();
        for thread in (0..self.graph.n_threads() as u32).map(ThreadId).filter(|&thread| self.graph.n_events(thread) > 0) {
            let group = self.graph.elder(thread).and_then(|elder| groups.iter_mut().find(|group| group.last() == Some(&elder)));
            match group {
                Some(group) => group.push(thread),
                None => groups.push(vec![thread]),
            }
        }
        groups.retain(|group| group.len() > 1);
        groups
    }

    /// The events of a thread.
    fn events(&self, thread: ThreadId) -> impl Iterator<Item = Position> + '_ {
        (0..self.graph.n_events(thread)).map(move |index| self.graph.position(EventId { thread, index }))
    }

    /// Where the events of the threads stand, thread by thread, in an order of these.
    fn standings(&self, order: &Order) -> Vec<Vec<(u32, u32)>> {
        let outcome = |at: Position| match self.ways[at.index()] {
            Way::Outcome(outcome) => outcome,
            Way::Parked => u32::MAX,
            _ => 0,
        };
        let standing = |at| (self.graph.standing(at), outcome(at));
        order.iter().flatten().map(|&thread| self.events(thread).map(standing).collect()).collect()
    }

    /// Whether the graph keeps the rules where the threads follow one another in this order.
    fn keeps_the_rules(&self, order: &Order) -> bool {
        let (mut followed, mut differing) = (Vec::new(), Vec::new());
        for (elder, thread) in order.iter().flat_map(|group| group.windows(2)).map(|two| (two[0], two[1])) {
            for (n, at) in self.events(thread).enumerate() {
                let Some(elders) = self.events(elder).nth(n) else { return false };
                followed.push((elders, at));
                if !self.is_same(elders, at) {
                    differing.push((elders, at));
                    break;
                }
            }
        }
        let Some(clocks) = self.clocks_by(&followed) else { return false };
        differing.into_iter().all(|(elders, at)| !self.stands_before(at, elders) || !self.graph.is_in_one_order(clocks.row(at)))
    }

    /// Whether two events do the same, and what they do leaves nothing behind.
    fn is_same(&self, one: Position, other: Position) -> bool {
        self.ways[one.index()] == self.ways[other.index()] && !matches!(self.ways[one.index()], Way::After(_))
    }

    /// Whether an event has a smaller key than the one of its elder.
    fn stands_before(&self, at: Position, elders: Position) -> bool {
        match (self.ways[elders.index()], self.ways[at.index()]) {
            (Way::Outcome(theirs), Way::Outcome(outcome)) => outcome > theirs,
            (Way::Parked, _) | (_, Way::Parked) => false,
            _ => self.graph.has_key(elders) && self.graph.standing(at) < self.graph.standing(elders),
        }
    }

    /// What comes before each event, where these follow those; none where that has a cycle.
    fn clocks_by(&self, followed: &[(Position, Position)]) -> Option<Clocks> {
        let mut clocks = Clocks::default();
        clocks.widen(self.graph.n_threads());
        for at in (0..self.ways.len() as u32).map(Position) {
            clocks.push(None);
            let own = self.graph.clock(at);
            clocks.newest_mut().iter_mut().zip(own).for_each(|(to, from)| *to = *from);
        }
        loop {
            let mut has_grown = false;
            for at in (0..self.ways.len() as u32).map(Position) {
                let own = self.graph.id(at).thread;
                let others = |thread: ThreadId| clocks.get(at, thread.index()) - (thread == own) as u32;
                let before = |thread: ThreadId| others(thread).checked_sub(1).map(|index| EventId { thread, index });
                let threads = (0..self.graph.n_threads() as u32).map(ThreadId);
                let known: Vec<Position> = threads.filter_map(before).map(|event| self.graph.position(event)).collect();
                let elders = followed.iter().filter(|(_, follower)| *follower == at).map(|(elders, _)| *elders);
                for from in known.into_iter().chain(elders) {
                    let from = clocks.row(from).to_vec();
                    for (to, from) in clocks.row_mut(at).iter_mut().zip(from) {
                        has_grown |= from > *to;
                        *to = from.max(*to);
                    }
                }
            }
            let has_seen = |first: Position, second: Position| {
                let EventId { thread, index } = self.graph.id(first);
                clocks.get(second, thread.index()) > index
            };
            if followed.iter().any(|&(elders, at)| has_seen(at, elders)) {
                return None;
            }
            if !has_grown {
                return Some(clocks);
            }
        }
    }
}

/// All orders of a group.
fn permutations(group: &[ThreadId]) -> Vec<Vec<ThreadId>> {
    let Some((&first, others)) = group.split_first() else { return vec![Vec::new()] };
    let places = |order: Vec<ThreadId>| (0..=order.len()).map(move |at| [&order[..at], &[first], &order[at..]].concat());
    permutations(others).into_iter().flat_map(places).collect()
}
