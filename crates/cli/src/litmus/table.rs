//! Tests by models: whether the condition of a test can hold under each, with the number of traces.

use crate::litmus::answer::Answer;
use raddle_check::MemoryModel;
use raddle_litmus::Observation;
use std::fmt;

/// A table that grows by a row for each test.
pub struct Table {
    models: Vec<MemoryModel>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with a column for each model.
    pub fn new(models: Vec<MemoryModel>) -> Table {
        Table { models, rows: Vec::new() }
    }

    /// Adds a test, unless nothing is known of it. A model that says nothing about the test gets a dash.
    pub fn add(&mut self, answers: &[Answer]) {
        let Some(first) = answers.first() else { return };
        let cell = |model: &MemoryModel| match answers.iter().find(|answer| answer.model == *model) {
            Some(answer) => format!("{} {}", word(answer.observation), answer.executions),
            None => "-".to_string(),
        };
        let row = std::iter::once(first.test.clone()).chain(self.models.iter().map(cell));
        self.rows.push(row.collect());
    }
}

fn word(observation: Observation) -> &'static str {
    match observation {
        Observation::Never => "Forbidden",
        Observation::Sometimes | Observation::Always => "Allowed",
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.models.iter().map(MemoryModel::to_string);
        let head: Vec<String> = std::iter::once("test".to_string()).chain(names).collect();
        let rows = || std::iter::once(&head).chain(&self.rows);
        let widths: Vec<usize> = (0..head.len()).map(|n| rows().map(|row| row[n].chars().count()).max().unwrap_or(0)).collect();
        for row in rows() {
            let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}")).collect();
            writeln!(f, "{}", cells.join("  ").trim_end())?;
        }
        Ok(())
    }
}
