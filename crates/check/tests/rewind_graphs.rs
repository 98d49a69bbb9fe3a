//! Going back under RA and RC11: random programs grow graphs by random ways and go back to random points. There
//! everything that an explorer can ask of the graph must be as if the events that were taken back had never been added.
//! The same where reads of bytes that were never written are faults.

use crate::support::linked::linked;
use raddle_event::{EventId, Offer, Position, ThreadId, Way};
use raddle_explore::Graph;
use raddle_join::{Grown, Running};
use raddle_machine::{FaultAt, Limits, Moment, Sites};
use raddle_memory::graphs::GraphModel;
use raddle_memory::ra::Ra;
use raddle_memory::rc11;
use raddle_program::{Program, parse, verify};
use raddle_sample::{Random, Shape, program};

/// A model of which there is a graph without events.
trait Model: GraphModel {
    fn under(limits: &Limits) -> Self;
}

impl Model for Ra {
    fn under(limits: &Limits) -> Ra {
        Ra::new(limits.uninitialised)
    }
}

impl Model for rc11::Graph {
    fn under(limits: &Limits) -> rc11::Graph {
        rc11::Graph::new(limits.uninitialised, true)
    }
}

/// How many times a walk goes forward or back.
const TURNS: u32 = 60;

/// Everything that can be seen of a graph at one point.
#[derive(Debug, PartialEq)]
struct State {
    /// Each event with the events that happen before it, and the reads that a write is not ordered with.
    events: Vec<(EventId, Vec<u32>, Vec<Position>)>,
    faults: Vec<FaultAt>,
    moments: Vec<Moment>,
    next: Option<(ThreadId, Vec<Offer>)>,
    waiting: Vec<(ThreadId, Offer)>,
}

fn state<M: GraphModel>(graph: &mut Grown<M>) -> State {
    let n_events = graph.path().len();
    let event = |at: usize| {
        let (at, mut reads) = (Position(at as u32), Vec::new());
        // They are a set: their order is that in which threads have come to the variable, in graphs before this one
        // too.
        graph.unordered_reads(at, &mut reads);
        reads.sort();
        // A clock is as wide as the number of threads that were ever seen.
        let clock = graph.clock(at).iter().rposition(|&n| n > 0).map_or(Vec::new(), |last| graph.clock(at)[..=last].to_vec());
        (graph.id(at), clock, reads)
    };
    let events = (0..n_events).map(event).collect();
    let threads: Vec<ThreadId> = graph.machine.threads().collect();
    let moments = threads.into_iter().map(|thread| graph.machine.moment(thread)).collect();
    let faults = graph.core().faults.clone();
    let (next, mut waiting) = (next(graph), Vec::new());
    graph.waiting(&mut waiting);
    State { events, faults, moments, next, waiting }
}

/// Whose event comes next, and in which ways it can be added.
fn next<M: GraphModel>(graph: &mut Grown<M>) -> Option<(ThreadId, Vec<Offer>)> {
    let mut offers = Vec::new();
    if graph.is_over() {
        return None;
    }
    graph.next(&mut offers).map(|thread| (thread, offers))
}

/// The state that a fresh graph has after the same events.
fn fresh<M: Model>(program: &Program, limits: &Limits, sites: &Sites, path: &[(ThreadId, Way)]) -> State {
    let mut graph = Grown::new(program, M::under(limits), limits.clone(), sites.clone(), true);
    path.iter().for_each(|&(thread, way)| graph.add(thread, way));
    state(&mut graph)
}

/// Goes forward and back; gives how many states were compared, and how many faults there were on the way. What was
/// learned instead, where something that was taken as private is shared.
fn walk<M: Model>(program: &Program, limits: &Limits, sites: &Sites, random: &mut Random) -> Result<(u32, usize), Box<Sites>> {
    let mut graph = Grown::new(program, M::under(limits), limits.clone(), sites.clone(), true);
    let (mut n_compared, mut n_faults) = (0, 0);
    for _ in 0..TURNS {
        if graph.is_contradicted() {
            return Err(Box::new(graph.sites().clone()));
        }
        let open = next(&mut graph).map(|(thread, offers)| {
            (thread, offers.into_iter().filter(|offer| offer.taken.is_none()).map(|offer| offer.way).collect::<Vec<_>>())
        });
        n_faults += graph.core().faults.len();
        match open {
            Some((thread, ways)) if !random.once_in(6) => graph.add(thread, random.pick(&ways)),
            _ => {
                graph.rewind(random.below(graph.path().len() as u32 + 1) as usize);
                let path = graph.path();
                let known = graph.sites().clone();
                assert_eq!(state(&mut graph), fresh::<M>(program, limits, &known, &path), "after {path:?}");
                n_compared += 1;
            }
        }
    }
    Ok((n_compared, n_faults))
}

/// Walks until nothing is learned any more.
fn walks<M: Model>(program: &Program, limits: &Limits, seed: u64) -> (u32, usize) {
    let (mut random, mut sites) = (Random::new(seed), Sites::default());
    loop {
        match walk::<M>(program, limits, &sites, &mut random) {
            Ok(seen) => return seen,
            Err(learned) => sites = *learned,
        }
    }
}

fn check_walks<M: Model>() {
    let walked = |seed| walks::<M>(&linked(program(seed, &Shape::graphs())), &Limits::default(), seed).0;
    let n_compared: u32 = (0..300).map(walked).sum();
    assert!(n_compared > 1_500, "only {n_compared} states were compared");
}

fn check_unwritten<M: Model>() {
    let half_written = linked(parse(include_str!("programs/half_written.txt")).unwrap_or_else(|why| panic!("{why}")));
    verify(&half_written).expect("the program is sound");
    let limits = Limits { uninitialised: true, ..Limits::default() };
    let seen: Vec<(u32, usize)> = (0..100).map(|seed| walks::<M>(&half_written, &limits, seed)).collect();
    assert!(seen.iter().map(|seen| seen.0).sum::<u32>() > 500);
    assert!(seen.iter().any(|seen| seen.1 > 0), "no walk has read what was never written");
}

#[test]
fn going_back_is_the_same_as_never_having_gone_there() {
    check_walks::<Ra>();
    check_walks::<rc11::Graph>();
}

#[test]
fn also_where_bytes_without_a_value_are_told_apart() {
    check_unwritten::<Ra>();
    check_unwritten::<rc11::Graph>();
}
