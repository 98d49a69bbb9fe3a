//! The end of a graph together with what an observer finds in memory, who comes after all threads.
//!
//! Final memory is not part of a weak trace. The observer reads each location that is asked for, and may read each
//! write that can be last in coherence. Coherence orders of different variables do not depend on one another where
//! coherence is not part of a graph (RA), so every combination is possible. Where it is, there is only one.

use crate::core::{Core, Stop};
use crate::ending::Ending;
use crate::graphs::Grown;
use crate::standing::Standing;
use crate::start_over::Running;
use raddle_event::{Address, Range, ThreadId};
use raddle_machine::{FaultAt, Moment, Witness, World};
use raddle_memory::graphs::GraphModel;
use std::ops::ControlFlow;

/// A graph with what is found in memory in the end.
pub struct Observed<'e, 'p, M> {
    grown: &'e Grown<'p, M>,
    found: Vec<(Range, u64)>,
    stop: Option<Stop>,
}

/// Shows a graph once for each combination of what can be found in these ranges.
pub fn observe<M: GraphModel>(grown: &Grown<M>, ranges: &[Range], show: &mut dyn FnMut(&dyn Ending) -> ControlFlow<()>) -> ControlFlow<()> {
    // A data race does not keep threads from their ends.
    if ranges.is_empty() || grown.core.stop.is_some() || !grown.machine.is_over() {
        return show(grown);
    }
    let values = |range: &Range| grown.memory.final_values(*range, grown.machine.locations());
    let Some(all) = ranges.iter().map(values).collect::<Option<Vec<_>>>() else {
        let thread = ThreadId(0);
        let what = format!("mixed-size access not supported under {}", M::NAME);
        let stop = Some(Stop::Unsupported { what, thread, moment: grown.machine.moment(thread) });
        return show(&Observed { grown, found: Vec::new(), stop });
    };
    let n_combinations = all.iter().map(Vec::len).product();
    for mut number in 0..n_combinations {
        let mut found = Vec::with_capacity(ranges.len());
        for (range, values) in ranges.iter().zip(&all) {
            found.push((*range, values[number % values.len()].word()));
            number /= values.len();
        }
        show(&Observed { grown, found, stop: None })?;
    }
    ControlFlow::Continue(())
}

impl<M: GraphModel> Running for Observed<'_, '_, M> {
    fn core(&self) -> &Core {
        self.grown.core()
    }

    fn world(&self) -> &World<'_> {
        self.grown.world()
    }
}

impl<M: GraphModel> Ending for Observed<'_, '_, M> {
    fn stop(&self) -> Option<&Stop> {
        self.stop.as_ref()
    }

    fn final_value(&self, at: Address, size: u32) -> u64 {
        let is_it = |(range, _): &&(Range, u64)| *range == Range { start: at, size };
        self.found.iter().find(is_it).expect("it is one of what is observed").1
    }

    fn is_well(&self) -> bool {
        self.stop.is_none() && self.grown.is_well()
    }

    fn standings(&self) -> Vec<(ThreadId, Standing)> {
        self.grown.standings()
    }

    fn is_supposed(&self) -> bool {
        self.grown.is_supposed()
    }

    fn moment(&self, thread: ThreadId) -> Moment {
        Ending::moment(self.grown, thread)
    }

    fn intruder(&self) -> Option<ThreadId> {
        self.grown.intruder()
    }

    fn leak(&self) -> Option<FaultAt> {
        self.grown.leak()
    }

    fn has_cycle(&self) -> Option<bool> {
        self.grown.has_cycle()
    }

    fn status(&self) -> Option<i32> {
        self.grown.status()
    }

    fn result(&self, thread: usize, n: usize) -> Option<u64> {
        self.grown.result(thread, n)
    }

    fn witness(&self) -> Witness {
        self.grown.witness()
    }

    fn show(&self, _: &[Range], show: &mut dyn FnMut(&dyn Ending) -> ControlFlow<()>) -> ControlFlow<()> {
        show(self)
    }
}
