//! An experiment: cases, and what is shown of them.

use crate::case::Case;
use crate::measure::{Row, measure};
use crate::plot::Plot;
use std::path::Path;

/// A table and plots made of rows.
pub struct Summary {
    /// The head first.
    pub table: Vec<Vec<String>>,
    /// Each with the name of its file.
    pub plots: Vec<(String, Plot)>,
}

/// Cases that belong together.
pub struct Experiment {
    /// Its files are named so.
    pub name: &'static str,
    pub title: &'static str,
    pub cases: Vec<Case>,
    pub summary: fn(&[Row]) -> Summary,
}

impl Experiment {
    /// Runs all cases and writes the rows, the summary and the plots. Gives what is wrong.
    pub fn run(&self, raddle: &Path, root: &Path, out: &Path, say: &mut dyn FnMut(String)) -> Result<Vec<String>, String> {
        let (mut rows, mut wrong) = (Vec::new(), Vec::new());
        for (n, case) in self.cases.iter().enumerate() {
            let row = measure(raddle, root, case)?;
            let what = format!("{} {} {}{}", case.name(), case.model, case.algorithm, bound_words(case.buffer_bound));
            say(format!("{} {}/{}: {what}: {}, {} runs, {:.2} s", self.name, n + 1, self.cases.len(), row.answer, row.runs(), row.seconds));
            wrong.extend(row.wrong().map(|why| format!("{what}: {why}")));
            rows.push(row);
        }
        let summary = (self.summary)(&rows);
        write_table(&out.join(format!("{}-runs.csv", self.name)), &table(&rows))?;
        write_table(&out.join(format!("{}.csv", self.name)), &summary.table)?;
        for (name, plot) in &summary.plots {
            plot.write(&out.join(format!("{name}.svg")))?;
        }
        Ok(wrong)
    }
}

/// ` bound 2`, or nothing.
fn bound_words(bound: Option<u32>) -> String {
    bound.map(|bound| format!(" bound {bound}")).unwrap_or_default()
}

/// Every row, with a head.
fn table(rows: &[Row]) -> Vec<Vec<String>> {
    let head =
        ["program", "model", "algorithm", "buffer bound", "answer", "executions", "blocked", "redundant", "seconds"].map(String::from);
    let line = |row: &Row| {
        let Row { case, answer, executions, blocked, redundant, seconds } = row;
        let bound = case.buffer_bound.map(|bound| bound.to_string()).unwrap_or_default();
        let counts = [executions, blocked, redundant].map(u64::to_string);
        let plan = [case.name(), case.model.into(), case.algorithm.into(), bound, answer.to_string()];
        plan.into_iter().chain(counts).chain([format!("{seconds:.4}")]).collect()
    };
    std::iter::once(head.to_vec()).chain(rows.iter().map(line)).collect()
}

fn write_table(path: &Path, table: &[Vec<String>]) -> Result<(), String> {
    let wrong = |why: csv::Error| format!("{}: {why}", path.display());
    let mut writer = csv::Writer::from_path(path).map_err(wrong)?;
    table.iter().try_for_each(|line| writer.write_record(line)).map_err(wrong)?;
    writer.flush().map_err(|why| format!("{}: {why}", path.display()))
}
