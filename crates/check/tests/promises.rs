//! What a transition system promises the explorers, each promise a test of its own. The proofs in
//! docs/algorithms/optimal.md rest on these and on nothing else; they are numbered as there.
//!
//! Programs are random, schedules are random, and each is run again from the beginning.

use crate::support::linked::linked;
use raddle_event::{Footprint, Position, Step, Who};
use raddle_explore::{Execution, System};
use raddle_join::{Ending, Scheduled, Stop};
use raddle_machine::{Limits, Machine, Sites, Tables};
use raddle_memory::buffered::{BufferedModel, Buffers, Memory};
use raddle_program::Program;
use raddle_sample::{Random, Shape, describe};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// A step by who takes it, and the outcome where it is a choice.
type Named = (Who, u32);
/// An event: the n-th step of somebody.
type Event = (Who, u32);

/// An execution as far as explorers can see it.
#[derive(Debug, PartialEq)]
struct Ran {
    order: BTreeSet<(Event, Event)>,
    machine: raddle_machine::Snapshot,
}

/// A program under a model, with what has been learned of what is shared.
struct Setting<'p> {
    program: &'p Program,
    model: BufferedModel,
    limits: Limits,
    sites: Sites,
    tables: Tables,
}

fn steps(scheduled: &Scheduled) -> Vec<Step> {
    let mut all = Vec::new();
    if !scheduled.is_over() {
        let _all = scheduled.enabled(None, |step, _| {
            all.push(step);
            ControlFlow::Continue(())
        });
    }
    all
}

fn names(scheduled: &Scheduled) -> Vec<Named> {
    steps(scheduled).into_iter().map(|step| (scheduled.who(step), step.choice)).collect()
}

impl<'p> Setting<'p> {
    /// Goes along random schedules until nothing new is learned.
    fn new(program: &'p Program, model: BufferedModel, random: &mut Random) -> Setting<'p> {
        let mut sites = Sites::default();
        loop {
            let mut scheduled = Scheduled::new(program, model, Limits::default(), sites, true);
            let mut at = 0;
            while let all @ [_, ..] = &steps(&scheduled)[..] {
                scheduled.take(random.pick(all), Position(at), &mut Default::default());
                at += 1;
            }
            sites = scheduled.machine.sites().clone();
            if scheduled.stop() != Some(&Stop::Contradicted) {
                let (limits, tables) = (scheduled.machine.limits().clone(), scheduled.machine.tables());
                return Setting { program, model, limits, sites, tables };
            }
        }
    }

    fn start(&self) -> Scheduled<'p> {
        let machine = Machine::with_tables(self.program, self.limits.clone(), self.sites.clone(), self.tables.clone());
        Scheduled::of(machine, Memory::new(self.model, false), true)
    }

    /// Runs a schedule and looks at the end; `None` where it cannot be run, or shows something to be shared that was
    /// taken as private.
    fn run<T>(&self, schedule: &[Named], look: impl FnOnce(&Execution<Scheduled<'p>>) -> T) -> Option<T> {
        let mut scheduled = self.start();
        let mut execution = Execution::new(&mut scheduled);
        for name in schedule {
            let of = |step: &Step| (execution.system.who(*step), step.choice) == *name;
            let step = steps(execution.system).into_iter().find(of)?;
            execution.begin(step);
            execution.take();
        }
        execution.system.stop().is_none().then(|| look(&execution))
    }

    fn ran(&self, schedule: &[Named]) -> Option<Ran> {
        self.run(schedule, |execution| Ran { order: order(execution), machine: raddle_machine::Snapshot::of(&execution.system.machine) })
    }

    /// A schedule of at most `most` steps that goes on from another one, without steps of some.
    fn go_on(&self, from: &[Named], most: u32, without: &[Who], random: &mut Random) -> Vec<Named> {
        let mut schedule = from.to_vec();
        for _ in 0..random.within(0..=most) {
            let next = self.run(&schedule, |execution| names(execution.system)).unwrap_or_default();
            let next: Vec<Named> = next.into_iter().filter(|(who, _)| !without.contains(who)).collect();
            if next.is_empty() {
                break;
            }
            schedule.push(random.pick(&next));
        }
        schedule
    }
}

fn order(execution: &Execution<Scheduled>) -> BTreeSet<(Event, Event)> {
    let name = |at: Position| (execution.system.who(execution.event(at).step), execution.event(at).count);
    let all = || (0..execution.events.len() as u32).map(Position);
    let pairs = all().flat_map(|a| all().map(move |b| (a, b)));
    pairs.filter(|&(a, b)| a <= b && execution.happens_before(a, b)).map(|(a, b)| (name(a), name(b))).collect()
}

/// Holds the promise to random programs of these shapes under each model; `holds` gives whether there was something to
/// look at.
fn promise(shapes: &[Shape], n_seeds: u64, holds: impl Fn(&Setting, &mut Random) -> bool) {
    let mut n_looked_at = 0;
    for seed in 0..n_seeds {
        for shape in shapes {
            let description = describe(seed, shape);
            let program = linked(description.lower());
            for buffers in [Buffers::Sc, Buffers::Tso, Buffers::Pso] {
                let mut random = Random::new(seed);
                let setting = Setting::new(&program, BufferedModel { buffers, bound: None }, &mut random);
                for _ in 0..4 {
                    n_looked_at += holds(&setting, &mut random) as u64;
                }
            }
        }
    }
    assert!(n_looked_at > n_seeds, "only {n_looked_at} cases were looked at");
}

fn all_shapes() -> [Shape; 3] {
    [Shape::schedules(), Shape::plain(), Shape::exchanges()]
}

/// P1. What is not ordered can be swapped: the events, their order and the state stay the same.
#[test]
fn what_is_not_ordered_can_be_swapped() {
    promise(&all_shapes(), 60, |setting, random| {
        let schedule = setting.go_on(&[], 14, &[], random);
        if schedule.len() < 2 {
            return false;
        }
        let at = random.below(schedule.len() as u32 - 1);
        let ordered = setting.run(&schedule, |execution| execution.happens_before(Position(at), Position(at + 1)));
        if ordered != Some(false) {
            return false;
        }
        let mut swapped = schedule.clone();
        swapped.swap(at as usize, at as usize + 1);
        let (one, other) = (setting.ran(&schedule), setting.ran(&swapped));
        assert!(one.is_some(), "{schedule:?} has been run");
        assert_eq!(one, other, "{schedule:?} with {at} and the next one swapped");
        true
    });
}

/// P2. A step is independent of a sequence just when it can be taken before it as well as after it, and that makes no
/// difference.
#[test]
fn independence_of_a_sequence_is_exact() {
    promise(&all_shapes(), 60, |setting, random| {
        let start = setting.go_on(&[], 8, &[], random);
        let enabled = setting.run(&start, |execution| names(execution.system)).unwrap_or_default();
        if enabled.is_empty() {
            return false;
        }
        let step = random.pick(&enabled);
        let after = setting.go_on(&start, 5, &[step.0], random);
        let touches = |execution: &Execution<Scheduled>, name: Named| {
            let of = |step: &Step| (execution.system.who(*step), step.choice) == name;
            steps(execution.system).into_iter().find(of).map(|step| execution.system.footprint(step.actor))
        };
        let mine = setting.run(&start, |execution| touches(execution, step)).flatten().expect("the step is enabled");
        let said = setting.run(&after, |execution| {
            let then: Vec<&Footprint> = execution.events[start.len()..].iter().map(|event| &event.footprint).collect();
            execution.system.is_independent(&mine, then.into_iter())
        });
        let first = [&start[..], &[step], &after[start.len()..]].concat();
        let last = [&after[..], &[step]].concat();
        let (Some(said), first, last) = (said, setting.ran(&first), setting.ran(&last)) else { return false };
        let is_independent = first.is_some() && first == last;
        assert_eq!(said, is_independent, "{step:?} and {:?} after {start:?}", &after[start.len()..]);
        true
    });
}

/// P3. What depends on each other still does when something that the first is independent of comes in between.
///
/// Compare-exchanges among accesses of other sizes do not keep this promise (docs/algorithms/optimal.md has what is
/// done about them).
#[test]
fn dependence_persists() {
    let one_width = Shape { widths: false, ..Shape::schedules() };
    promise(&[one_width, Shape::plain(), Shape { cas: 6, rmws: true, ..Shape::plain() }], 150, |setting, random| {
        let start = setting.go_on(&[], 8, &[], random);
        let enabled = setting.run(&start, |execution| names(execution.system)).unwrap_or_default();
        let mut three: Vec<Named> = Vec::new();
        while three.len() < 3 {
            let rest: Vec<Named> = enabled.iter().filter(|(who, _)| three.iter().all(|(other, _)| other != who)).copied().collect();
            if rest.is_empty() {
                return false;
            }
            three.push(random.pick(&rest));
        }
        let [r, p, e] = three[..] else { unreachable!("there are three") };
        let n = start.len() as u32;
        let before = |then: &[Named], a: u32, b: u32| {
            let schedule = [&start[..], then].concat();
            setting.run(&schedule, |execution| execution.happens_before(Position(n + a), Position(n + b)))
        };
        if before(&[r, e], 0, 1) != Some(true) || before(&[r, p], 0, 1) != Some(false) {
            return false;
        }
        let still = before(&[r, p, e], 0, 2);
        assert!(still.is_none_or(|still| still), "{r:?}, {p:?}, {e:?} after {start:?}");
        true
    });
}

/// P4. A race can be reversed: what came after the first event and does not happen after it, and then the second one.
#[test]
fn races_can_be_reversed() {
    promise(&all_shapes(), 60, |setting, random| {
        let schedule = setting.go_on(&[], 14, &[], random);
        let reversals = setting.run(&schedule, |execution| {
            let newest = Position(schedule.len().max(1) as u32 - 1);
            let races = if schedule.is_empty() { &[] } else { execution.races() };
            let reverse = |&e: &Position| {
                let stays = execution.notdep(e, newest).map(|at| schedule[at.index()]);
                schedule[..e.index()].iter().copied().chain(stays).chain([schedule[newest.index()]]).collect()
            };
            races.iter().map(reverse).collect::<Vec<Vec<Named>>>()
        });
        let reversals = reversals.unwrap_or_default();
        for reversal in &reversals {
            let can_be_run = |execution: &Execution<Scheduled>| execution.events.len() == reversal.len();
            // What turns out to be shared only there says nothing.
            let contradicts = || setting.start().stop().is_some();
            assert!(setting.run(reversal, can_be_run).is_some() || contradicts(), "{reversal:?} instead of {schedule:?}");
        }
        !reversals.is_empty()
    });
}

/// P5. Choices are free: a choice is in no race, and can be made, with each of its outcomes, as soon as all has
/// happened that it happens after.
#[test]
fn choices_are_free() {
    let shapes = [Shape::choices(), Shape::ended_by_choices(), Shape { choices: 6, ..Shape::schedules() }];
    promise(&shapes, 60, |setting, random| {
        let schedule = setting.go_on(&[], 14, &[], random);
        let n_outcomes = |execution: &Execution<Scheduled>, at: usize| execution.events[at].footprint.outcomes;
        let choices = setting.run(&schedule, |execution| (0..schedule.len()).filter(|&at| n_outcomes(execution, at) > 0).collect());
        let choices: Vec<usize> = choices.unwrap_or_default();
        if choices.is_empty() {
            return false;
        }
        for n in 1..=schedule.len() {
            let races = setting.run(&schedule[..n], |execution| execution.races().to_vec()).unwrap_or_default();
            assert!(races.iter().all(|e| !choices.contains(&e.index())), "{schedule:?}: a choice is in a race with {n}");
            assert!(races.is_empty() || !choices.contains(&(n - 1)), "{schedule:?}: the choice {n} is in a race");
        }
        let at = random.pick(&choices);
        let (n, first) = setting
            .run(&schedule, |execution| {
                let happens_before = |before: &usize| execution.happens_before(Position(*before as u32), Position(at as u32));
                (n_outcomes(execution, at), (0..at).rev().find(happens_before).map_or(0, |before| before + 1))
            })
            .expect("it has been run");
        let early = [&schedule[..first], &[schedule[at]], &schedule[first..at], &schedule[at + 1..]].concat();
        assert_eq!(setting.ran(&schedule), setting.ran(&early), "{schedule:?} and {early:?}");
        for outcome in 0..n {
            let other = [&schedule[..first], &[(schedule[at].0, outcome)]].concat();
            assert!(setting.run(&other, |_| ()).is_some(), "{other:?} can be run");
        }
        true
    });
}
