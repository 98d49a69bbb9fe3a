//! An execution as a table: one row per event, one column per thread.

use crate::layout::{Look, wrap};
use crate::words::short_place;
use raddle_check::{Row, Story};
use raddle_event::ThreadId;
use std::fmt::Write;

/// An execution of more rows than this is not shown whole.
const MOST_ROWS: usize = 200;
/// How many rows of the end are shown then.
const LAST_ROWS: usize = 150;
/// Threads have no columns of their own where these would be narrower than this.
const NARROWEST: usize = 22;
const WIDEST: usize = 56;

/// The rows of a story.
pub fn table(story: &Story, look: Look) -> String {
    let skipped = if story.rows.len() > MOST_ROWS { story.rows.len() - LAST_ROWS } else { 0 };
    let rows = &story.rows[skipped..];
    let threads: Vec<(ThreadId, &str)> = story
        .threads
        .iter()
        .filter(|(thread, _)| rows.iter().any(|row| row.thread == *thread))
        .map(|(thread, name)| (*thread, name.as_str()))
        .collect();
    let mut text = String::new();
    if skipped > 0 {
        text.push_str(&format!("({skipped} earlier events are left out)\n"));
    }
    let grid = Grid::new(rows, &threads, look, story.rows.len());
    grid.head(&mut text);
    for (n, row) in rows.iter().enumerate() {
        grid.row(&mut text, skipped + n + 1, row);
    }
    text
}

/// Where the columns are.
struct Grid<'g> {
    number: usize,
    place: usize,
    cell: usize,
    threads: &'g [(ThreadId, &'g str)],
    /// Whether each thread has a column; else its name stands before the text.
    by_thread: bool,
}

impl<'g> Grid<'g> {
    fn new(rows: &[Row], threads: &'g [(ThreadId, &'g str)], look: Look, last: usize) -> Grid<'g> {
        let number = last.to_string().len();
        let place = rows.iter().map(|row| place_of(row).chars().count()).max().unwrap_or(0);
        let room = look.columns.saturating_sub(number + place + 4);
        let each = (room / threads.len().max(1)).saturating_sub(2);
        let needed = rows.iter().map(|row| cell_of(row).chars().count()).max().unwrap_or(0);
        let heads = threads.iter().map(|(thread, name)| head_of(*thread, name).chars().count()).max().unwrap_or(0);
        let by_thread = each >= NARROWEST || each >= needed.max(heads);
        let most = if by_thread { each.min(WIDEST) } else { room.saturating_sub(6) };
        Grid { number, place, cell: most.min(needed.max(heads)), threads, by_thread }
    }

    fn head(&self, text: &mut String) {
        let names: Vec<String> = self.threads.iter().map(|(thread, name)| head_of(*thread, name)).collect();
        let (number, place) = (self.number, self.place);
        let mut line = format!("{:number$}  {:place$}", "", "");
        match self.by_thread {
            true => names.iter().for_each(|name| pad(&mut line, name, self.cell)),
            false => line.push_str(&format!("  {}", names.join(", "))),
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }

    fn row(&self, text: &mut String, n: usize, row: &Row) {
        let column = self.threads.iter().position(|(thread, _)| *thread == row.thread).unwrap_or(0);
        let (number, place) = (self.number, self.place);
        for (k, part) in wrap(&cell_of(row), self.cell).iter().enumerate() {
            let mut line = match k {
                0 => format!("{n:number$}  {:place$}", place_of(row)),
                _ => format!("{:number$}  {:place$}", "", ""),
            };
            match self.by_thread {
                true => {
                    (0..column).for_each(|_| pad(&mut line, "", self.cell));
                    line.push_str(&format!("  {part}"));
                }
                false => {
                    let name = if k == 0 { row.thread.to_string() } else { String::new() };
                    write!(line, "  {name:4}  {part}").expect("text can be written to");
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
}

fn pad(line: &mut String, cell: &str, width: usize) {
    write!(line, "  {cell:width$}").expect("text can be written to");
}

fn head_of(thread: ThreadId, name: &str) -> String {
    format!("{thread} {name}")
}

fn place_of(row: &Row) -> String {
    row.place.as_ref().map(short_place).unwrap_or_default()
}

fn cell_of(row: &Row) -> String {
    match &row.note {
        Some(note) => format!("{} ({note})", row.text),
        None => row.text.clone(),
    }
}
