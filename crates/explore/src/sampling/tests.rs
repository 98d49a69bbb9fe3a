//! What samples reach, on the small system of this crate.

use super::{Guarantee, Sampling, Strategy, sample_schedules};
use crate::toy::{Op, Toy};
use crate::{End, Sink, System};
use raddle_event::{Actor, Position, Step, Taken};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// A system that remembers who took which step.
struct Noted {
    toy: Toy,
    steps: Vec<(u32, u32)>,
}

impl System for Noted {
    fn enabled(&self, first: Option<Actor>, found: impl FnMut(Step, bool) -> ControlFlow<()>) -> ControlFlow<()> {
        self.toy.enabled(first, found)
    }
    fn footprint(&self, actor: Actor) -> raddle_event::Footprint {
        self.toy.footprint(actor)
    }
    fn take(&mut self, step: Step, at: Position, taken: &mut Taken) {
        self.steps.push((step.actor.0, step.choice));
        self.toy.take(step, at, taken);
    }
    fn rewind(&mut self, at: Position) {
        self.steps.truncate(at.index());
        self.toy.rewind(at);
    }
    fn is_independent<'f>(&self, step: &raddle_event::Footprint, then: impl Iterator<Item = &'f raddle_event::Footprint>) -> bool {
        self.toy.is_independent(step, then)
    }
    fn overtaking(&self, step: &raddle_event::Footprint, e: Position) -> raddle_event::Footprint {
        self.toy.overtaking(step, e)
    }
    fn forward_again(&self, load: &mut raddle_event::Footprint, update: &raddle_event::Footprint) {
        self.toy.forward_again(load, update);
    }
    fn waiting(&mut self, found: &mut dyn FnMut(Actor, raddle_event::Footprint, &Taken)) {
        self.toy.waiting(found);
    }
    fn prospect(&self, thread: u32) -> crate::Prospect {
        self.toy.prospect(thread)
    }
    fn is_over(&self) -> bool {
        self.toy.is_over()
    }
}

/// The schedules of the executions that were drawn, in their order.
#[derive(Default)]
struct Seen(Vec<Vec<(u32, u32)>>);

impl Sink<Noted> for Seen {
    fn execution(&mut self, system: &Noted, end: End) -> ControlFlow<()> {
        assert_eq!(end, End::Maximal);
        self.0.push(system.steps.clone());
        ControlFlow::Continue(())
    }
    fn event(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    fn restart(&mut self) {}
}

fn drawn(threads: &[&[Op]], samples: u64, strategy: Strategy) -> (Vec<Vec<(u32, u32)>>, Option<Guarantee>) {
    let (mut system, mut seen) = (Noted { toy: Toy::new(threads), steps: Vec::new() }, Seen::default());
    let guarantee = sample_schedules(&mut system, &Sampling { samples, seed: 7, strategy }, &mut seen);
    (seen.0, guarantee)
}

const STRATEGIES: [Strategy; 3] = [Strategy::Uniform, Strategy::Pct { depth: 3 }, Strategy::Pos];

#[test]
fn every_strategy_comes_to_every_schedule_of_a_small_system() {
    let threads: [&[Op]; 2] = [&[Op::Write(0), Op::Write(0)], &[Op::Write(0), Op::Write(0)]];
    for strategy in STRATEGIES {
        let (all, _) = drawn(&threads, 500, strategy);
        assert_eq!(all.len(), 500);
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 6, "{strategy:?}");
    }
}

#[test]
fn every_outcome_of_a_choice_is_drawn() {
    let (all, _) = drawn(&[&[Op::Choose(3), Op::Write(0)], &[Op::Read(0)]], 200, Strategy::Uniform);
    assert_eq!(all.iter().map(|schedule| schedule[0]).collect::<BTreeSet<_>>(), BTreeSet::from([(0, 0), (0, 1), (0, 2)]));
}

#[test]
fn the_same_seed_gives_the_same_samples() {
    let threads: [&[Op]; 2] = [&[Op::Write(0), Op::Read(1)], &[Op::Write(1), Op::Read(0)]];
    for strategy in STRATEGIES {
        assert_eq!(drawn(&threads, 50, strategy).0, drawn(&threads, 50, strategy).0);
    }
}

/// With depth 1 nobody is put back: each thread runs to its end once it goes.
#[test]
fn pct_of_depth_one_never_preempts() {
    let threads: [&[Op]; 3] = [&[Op::Write(0); 3], &[Op::Write(0); 3], &[Op::Write(0); 3]];
    let (all, guarantee) = drawn(&threads, 300, Strategy::Pct { depth: 1 });
    assert!(all.iter().all(|schedule| schedule.chunk_by(|a, b| a.0 == b.0).count() == 3));
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 6);
    assert_eq!(guarantee, Some(Guarantee { actors: 3, steps: 9, depth: 1, samples: 299 }));
}

/// A schedule that needs two threads in one order and one preemption at one place is found as often as PCT promises at
/// least.
#[test]
fn pct_finds_what_it_promises() {
    let threads: [&[Op]; 2] = [&[Op::Write(0); 10], &[Op::Write(0)]];
    let (all, guarantee) = drawn(&threads, 4000, Strategy::Pct { depth: 2 });
    let n_found = all.iter().filter(|schedule| schedule[5].0 == 1).count();
    let promised = Guarantee { samples: 1, ..guarantee.expect("PCT promises something") }.probability();
    assert!((promised - 1.0 / 22.0).abs() < 1e-12);
    assert!(n_found as f64 > 0.8 * promised * 4000.0, "{n_found}");
}
