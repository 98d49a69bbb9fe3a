//! Makes a difference smaller: drops threads and statements while it stays.

use crate::compare::Difference;
use crate::render::{Program, Thread};
use crate::runs::Tools;
use crate::statement::smaller;

/// The smallest difference that is found by dropping one thing after another.
pub fn shrunk(tools: &Tools, difference: Difference) -> Difference {
    let mut programs = difference.programs.clone();
    while let Some(less) = candidates(&programs).into_iter().find(|less| difference.is_shown_by(tools, less)) {
        programs = less;
    }
    difference.of(tools, programs)
}

/// Everything that is one step smaller: a program, a thread or a statement less.
fn candidates(programs: &[Program]) -> Vec<Vec<Program>> {
    let mut all = Vec::new();
    for at in 0..programs.len() {
        let with = |others: &[Program]| [&programs[..at], others, &programs[at + 1..]].concat();
        if programs.len() > 1 {
            all.push(with(&[]));
        }
        all.extend(less(&programs[at]).into_iter().map(|program| with(&[program])));
    }
    all
}

fn less(program: &Program) -> Vec<Program> {
    let threads = &program.threads;
    let mut all = Vec::new();
    for at in 0..threads.len() {
        let with = |others: &[Thread]| Program { threads: [&threads[..at], others, &threads[at + 1..]].concat() };
        all.push(with(&[]));
        let shorter = smaller(&threads[at].body).into_iter();
        all.extend(shorter.map(|body| with(&[Thread { body, start: threads[at].start }])));
    }
    all
}
