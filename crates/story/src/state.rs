//! What memory and the store buffers hold between two events of an execution, by the names of its variables.
//!
//! Memory is what was stored last, in the order of the rows, and before that the initial value where a read has shown
//! it. Under models without one memory (RA, RC11, POWER, AArch64) that is the newest store of those so far, which not
//! every thread has to see.

use crate::deed::Origin;
use crate::tell::Told;
use raddle_event::ThreadId;
use std::collections::BTreeMap;

/// What memory and buffers hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The values of variables.
    pub memory: BTreeMap<String, String>,
    /// For each thread the stores that wait in its buffer, oldest first: variable, value, row.
    pub buffers: BTreeMap<ThreadId, Vec<(String, String, usize)>>,
    /// The last row of each thread.
    pub threads: BTreeMap<ThreadId, usize>,
}

impl Told {
    /// What memory holds before the first row.
    pub fn initial_state(&self) -> State {
        State { memory: self.initial(), ..State::default() }
    }

    fn initial(&self) -> BTreeMap<String, String> {
        let mut initial = BTreeMap::new();
        for row in &self.rows {
            if let (Some(variable), Some(read)) = (&row.deed.variable, &row.deed.read) {
                if self.origins(row) == [Origin::Initial] {
                    initial.entry(variable.clone()).or_insert(read.clone());
                }
            }
        }
        initial
    }

    /// Does to memory and buffers what a row does.
    pub fn advance(&self, state: &mut State, n: usize) {
        let row = &self.rows[n];
        state.threads.insert(row.thread, n);
        let (Some(variable), Some(value)) = (&row.deed.variable, &row.deed.written) else { return };
        if row.note.as_deref() == Some("buffered") {
            state.buffers.entry(row.thread).or_default().push((variable.clone(), value.clone(), n));
            return;
        }
        if row.update {
            let store = self.buffered_by(row);
            state.buffers.entry(row.thread).or_default().retain(|waiting| Some(waiting.2) != store);
        }
        state.memory.insert(variable.clone(), value.clone());
    }

    /// The rows in the program order of their threads.
    pub fn in_program_order(&self, rows: &mut [usize]) {
        rows.sort_by_key(|&n| (self.rows[n].index, n));
    }
}
