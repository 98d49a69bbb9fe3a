//! Where everything stands in a picture of an execution: threads are columns, time and program order go downward.
//!
//! Every row of the execution has a line of its own, in order. Where events commit out of order, the lines of a thread
//! are dealt out again, so that its program order still goes downward.

use crate::harmless::harmless;
use raddle_event::ThreadId;
use raddle_story::{Row, Told};
use std::collections::BTreeMap;
use unicode_width::UnicodeWidthStr;

/// The height of a line.
pub const LINE: usize = 36;
/// How high the names of the threads are.
pub const HEAD: usize = 52;
/// How much room is between two columns, for edges.
const GAP: usize = 84;
/// How much room is on the left, for numbers.
const LEFT: usize = 44;
/// The width of a character.
const CHARACTER: usize = 7;
/// Longer labels are cut.
const MOST_COLUMNS: usize = 44;
/// Longer executions are not drawn whole: only the end is.
const MOST_ROWS: usize = 300;

/// A thread.
pub struct Column {
    pub thread: ThreadId,
    pub name: String,
    /// The left end.
    pub x: usize,
    pub width: usize,
}

/// An event.
pub struct Node {
    pub row: usize,
    pub column: usize,
    /// The middle of its line.
    pub y: usize,
    pub label: String,
}

/// Where everything stands.
pub struct Layout {
    pub columns: Vec<Column>,
    pub nodes: Vec<Node>,
    pub width: usize,
    pub height: usize,
    /// How many rows are left out before the first.
    pub skipped: usize,
}

impl Layout {
    pub fn new(told: &Told) -> Layout {
        let skipped = told.rows.len().saturating_sub(MOST_ROWS);
        let rows: Vec<usize> = (skipped..told.rows.len()).collect();
        let mut columns: Vec<Column> = Vec::new();
        let mut x = LEFT;
        for (thread, name) in &told.threads {
            let own = rows.iter().filter(|&&n| told.rows[n].thread == *thread).map(|&n| label(&told.rows[n]).width());
            let Some(widest) = own.max() else { continue };
            let name = format!("{thread} {}", harmless(name));
            let name = cut(&name);
            let width = (widest.max(name.width()) * CHARACTER + 20).max(90);
            columns.push(Column { thread: *thread, name, x, width });
            x += width + GAP;
        }
        let slots = slots(told, &rows);
        let node = |(&row, slot): (&usize, usize)| {
            let column = columns.iter().position(|column| column.thread == told.rows[row].thread)?;
            Some(Node { row, column, y: HEAD + slot * LINE + LINE / 2, label: label(&told.rows[row]) })
        };
        let nodes: Vec<Node> = rows.iter().zip(slots).filter_map(node).collect();
        let height = HEAD + rows.len() * LINE + 16;
        Layout { columns, nodes, width: x.saturating_sub(GAP) + 40, height, skipped }
    }

    /// The node of a row.
    pub fn node(&self, row: usize) -> Option<&Node> {
        self.nodes.get(row.checked_sub(self.skipped)?).filter(|node| node.row == row)
    }
}

/// The line of each row.
fn slots(told: &Told, rows: &[usize]) -> Vec<usize> {
    let mut slots: Vec<usize> = (0..rows.len()).collect();
    let first = rows.first().copied().unwrap_or(0);
    let mut of_thread: BTreeMap<ThreadId, Vec<usize>> = BTreeMap::new();
    rows.iter().filter(|&&n| !told.rows[n].update).for_each(|&n| of_thread.entry(told.rows[n].thread).or_default().push(n));
    for own in of_thread.values() {
        let mut ordered = own.clone();
        told.in_program_order(&mut ordered);
        own.iter().zip(ordered).for_each(|(slot, row)| slots[row - first] = slot - first);
    }
    slots
}

/// What a node says.
fn label(row: &Row) -> String {
    let text = if row.update { row.text.replacen("update", "memory:", 1) } else { row.text.clone() };
    cut(&harmless(&text))
}

fn cut(text: &str) -> String {
    if text.width() <= MOST_COLUMNS { text.into() } else { text.chars().take(MOST_COLUMNS - 1).chain(['…']).collect() }
}
