//! A closer look at an execution that was explored: it is run again, and watched for data races and for cycles that SC
//! does not have.

use crate::commits::first_race;
use crate::races::Races;
use crate::robust::ConflictGraph;
use raddle_event::{Path, ThreadId};
use raddle_judge::{Axiom, Model, PlainGraph, PlainPower, PlainSchedule, Watch};
use raddle_machine::{FaultAt, Limits, Machine, Moment, Witness};
use raddle_program::Program;

/// An execution cannot be run again: it stopped at something that cannot be run, or Raddle is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unrunnable;

/// Looks for the first data race of an execution.
pub fn race(program: &Program, model: Model, limits: &Limits, witness: &Witness) -> Result<Option<FaultAt>, Unrunnable> {
    match model {
        Model::Power | Model::AArch64(_) => Ok(first_race(&committed(program, model, limits, witness)?)),
        _ => {
            let races = Races::under(model);
            Ok(watched(program, model, limits, witness, races)?.found.into_iter().next().map(|race| race.fault))
        }
    }
}

/// What makes an execution impossible under SC, where something does.
pub fn not_robust(program: &Program, model: Model, limits: &Limits, witness: &Witness) -> Result<Option<FaultAt>, Unrunnable> {
    let first = match model {
        Model::Buffered(buffering) if buffering.is_direct() => None,
        Model::Graph(axiom) if !axiom.has_coherence() => None,
        Model::Graph(axiom) => first_on_cycle(program, axiom, limits, witness)?,
        Model::Buffered(_) => {
            let graph = watched(program, model, limits, witness, ConflictGraph::default())?;
            graph.first_on_cycle().map(|(thread, moment)| (thread, moment.clone()))
        }
        Model::Power | Model::AArch64(_) => {
            let plain = committed(program, model, limits, witness)?;
            plain.first_on_cycle().map(|event| (event.thread, plain.machine.moment_of(event.thread, event.index)))
        }
    };
    Ok(first.map(|(thread, moment)| FaultAt::not_robust(&model.to_string(), thread, moment)))
}

/// Commits the events of an execution again.
fn committed<'p>(program: &'p Program, model: Model, limits: &Limits, witness: &Witness) -> Result<PlainPower<'p>, Unrunnable> {
    let mut plain = PlainPower::new(program, limits.again(), witness.sites.clone(), witness.tables.clone(), model);
    let Path::Commits(run) = &witness.path else { return Err(Unrunnable) };
    let is_run = run.iter().all(|&(event, parameter)| plain.commit(event, parameter));
    if is_run { Ok(plain) } else { Err(Unrunnable) }
}

/// Where the first event of a graph stands that is on a cycle, where one is.
fn first_on_cycle(program: &Program, axiom: Axiom, limits: &Limits, witness: &Witness) -> Result<Option<(ThreadId, Moment)>, Unrunnable> {
    let Witness { path, sites, tables } = witness;
    let Path::Graph(events) = path else { return Err(Unrunnable) };
    let run = |n: usize| {
        let limits = Model::Graph(axiom).limits(&limits.again());
        let mut plain = PlainGraph::new(Machine::with_tables(program, limits, sites.clone(), tables.clone()), axiom);
        plain.run(&events[..n]).then_some(plain).ok_or(Unrunnable)
    };
    let Some((thread, n)) = run(events.len())?.first_on_cycle() else { return Ok(None) };
    // Before it was added its thread stood there.
    Ok(Some((thread, run(n)?.machine.moment(thread))))
}

/// Runs an execution again for somebody who looks on.
fn watched<W: Watch>(program: &Program, model: Model, limits: &Limits, witness: &Witness, watch: W) -> Result<W, Unrunnable> {
    let Witness { path, sites, tables } = witness;
    let machine = Machine::with_tables(program, model.limits(&limits.again()), sites.clone(), tables.clone());
    match (model, path) {
        (Model::Buffered(buffering), Path::Schedule(steps)) => {
            let mut plain = PlainSchedule::new(machine, buffering, limits.uninitialised, watch);
            plain.run(steps).then_some(plain.watch).ok_or(Unrunnable)
        }
        (Model::Graph(axiom), Path::Graph(events)) => {
            let mut plain = PlainGraph::watched(machine, axiom, watch);
            plain.run(events).then_some(plain.watch).ok_or(Unrunnable)
        }
        _ => Err(Unrunnable),
    }
}
