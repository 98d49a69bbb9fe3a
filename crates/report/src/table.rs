//! An execution as a table: one row per event, one column per thread.

use crate::layout::{Look, padded, wrap};
use crate::words::short_place;
use raddle_event::ThreadId;
use raddle_story::{Row, Story};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// An execution of more rows than this is not shown whole.
const MOST_ROWS: usize = 200;
/// How many rows of the end are shown then.
const LAST_ROWS: usize = 150;
/// Threads have no columns of their own where these would be narrower than this.
const NARROWEST: usize = 22;

/// The rows of a story. What only a library is concerned with is not shown, but where it explains the fault.
pub fn table(story: &Story, look: Look) -> String {
    let is_shown = |n: &usize| look.is_whole || !story.rows[*n].aside || story.why.rows.contains(n) || *n + 1 == story.rows.len();
    let shown: Vec<usize> = (0..story.rows.len()).filter(is_shown).collect();
    let skipped = if shown.len() > MOST_ROWS && !look.is_whole { shown.len() - LAST_ROWS } else { 0 };
    let rows: Vec<(usize, &Row)> = shown[skipped..].iter().map(|&n| (n + 1, &story.rows[n])).collect();
    let threads: Vec<(ThreadId, &str)> = story
        .threads
        .iter()
        .filter(|(thread, _)| rows.iter().any(|(_, row)| row.thread == *thread))
        .map(|(thread, name)| (*thread, name.as_str()))
        .collect();
    let mut text = String::new();
    if shown.len() < story.rows.len() {
        let n = story.rows.len() - shown.len();
        let (events, them) = if n == 1 { ("event", "it") } else { ("events", "them") };
        text.push_str(&format!("({n} {events} inside the library left out; -v shows {them})\n"));
    }
    if skipped > 0 {
        text.push_str(&format!("({skipped} earlier events are left out)\n"));
    }
    let grid = Grid::new(&rows, &threads, look, story.rows.len());
    grid.head(&mut text);
    for (n, row) in rows {
        grid.row(&mut text, n, row);
    }
    text
}

/// Where the columns are.
struct Grid<'g> {
    number: usize,
    place: usize,
    /// For each thread the width of its column, or the one width of all text.
    cells: Vec<usize>,
    threads: &'g [(ThreadId, &'g str)],
    /// Whether each thread has a column; else its name stands before the text.
    by_thread: bool,
}

impl<'g> Grid<'g> {
    fn new(rows: &[(usize, &Row)], threads: &'g [(ThreadId, &'g str)], look: Look, last: usize) -> Grid<'g> {
        let number = last.to_string().len();
        let place = rows.iter().map(|(_, row)| place_of(row).width()).max().unwrap_or(0);
        let room = look.columns.saturating_sub(number + place + 4);
        let needed = |thread: ThreadId, name: &str| {
            let cells = rows.iter().filter(|(_, row)| row.thread == thread).map(|(_, row)| cell_of(row).width());
            cells.chain([head_of(thread, name).width()]).max().unwrap_or(0)
        };
        let needed: Vec<usize> = threads.iter().map(|(thread, name)| needed(*thread, name)).collect();
        match fit(&needed, room.saturating_sub(2 * threads.len())) {
            Some(cells) => Grid { number, place, cells, threads, by_thread: true },
            None => Grid { number, place, cells: vec![room.saturating_sub(6)], threads, by_thread: false },
        }
    }

    fn head(&self, text: &mut String) {
        let names: Vec<String> = self.threads.iter().map(|(thread, name)| head_of(*thread, name)).collect();
        let (number, place) = (self.number, self.place);
        let mut line = format!("{:number$}  {:place$}", "", "");
        match self.by_thread {
            true => names.iter().zip(&self.cells).for_each(|(name, &width)| pad(&mut line, name, width)),
            false => line.push_str(&format!("  {}", names.join(", "))),
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }

    fn row(&self, text: &mut String, n: usize, row: &Row) {
        let column = self.threads.iter().position(|(thread, _)| *thread == row.thread).unwrap_or(0);
        let width = self.cells.get(if self.by_thread { column } else { 0 }).copied().unwrap_or(NARROWEST);
        let (number, place) = (self.number, self.place);
        for (k, part) in wrap(&cell_of(row), width).iter().enumerate() {
            let mut line = match k {
                0 => format!("{n:number$}  {}", padded(&place_of(row), place)),
                _ => format!("{:number$}  {:place$}", "", ""),
            };
            match self.by_thread {
                true => {
                    self.cells.iter().take(column).for_each(|&width| pad(&mut line, "", width));
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

/// Makes the widest columns narrower until all fit; `None` where they would become too narrow to read.
fn fit(needed: &[usize], room: usize) -> Option<Vec<usize>> {
    let most = (1..=room).rev().find(|&most| needed.iter().map(|&width| width.min(most)).sum::<usize>() <= room)?;
    let is_readable = needed.iter().all(|&width| width <= most) || most >= NARROWEST;
    is_readable.then(|| needed.iter().map(|&width| width.min(most)).collect())
}

fn pad(line: &mut String, cell: &str, width: usize) {
    line.push_str(&format!("  {}", padded(cell, width)));
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

#[cfg(test)]
mod tests {
    use super::fit;

    #[test]
    fn the_widest_columns_give_way() {
        assert_eq!(fit(&[10, 50, 80], 200), Some(vec![10, 50, 80]));
        assert_eq!(fit(&[10, 50, 80], 100), Some(vec![10, 45, 45]));
        assert_eq!(fit(&[40; 8], 100), None);
        assert_eq!(fit(&[12; 8], 100), Some(vec![12; 8]));
    }
}
