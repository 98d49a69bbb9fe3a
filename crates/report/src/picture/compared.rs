//! A page that compares models: the table, what it means, and for each model under which the program is wrong the
//! execution that goes wrong. It needs no script.

use super::page::{RULES, behind_kind, rendered};
use super::svg::{Around, style, svg};
use crate::compare::{cells, summary, weakness};
use crate::fault::{Sources, headline_plain, primary_place};
use crate::harmless::{harmless, harmless_lines};
use crate::reason::reasons;
use crate::words::short_place;
use minijinja::{Value, context};
use raddle_check::Compared;
use raddle_program::Program;
use raddle_story::Story;

const TEMPLATE: &str = include_str!("compared.html");
const OWN_RULES: &str = include_str!("several.css");

/// The page. `sources` reads the files of an execution.
pub fn compare_page(program: &Program, file: &str, rows: &[Compared], sources: &dyn Fn(&Story) -> Sources) -> String {
    let shown = |text: &String| harmless(text).into_owned();
    let mut models = Vec::new();
    for (n, row) in rows.iter().enumerate() {
        let why_not: Vec<String> = reasons(program, &row.outcome).iter().map(|reason| shown(&reason.message)).collect();
        let fault = row.story.as_ref().map(|story| {
            context! {
                kind => story.fault.fault.kind.word(), message => behind_kind(story),
                thread => story.fault.thread.to_string(), place => primary_place(story).map(short_place),
                notes => story.why.notes.iter().map(shown).collect::<Vec<_>>(), help => story.why.help.iter().map(shown).collect::<Vec<_>>(),
                weak => weakness(row).filter(|_| story.why.help.is_empty()).as_ref().map(shown), snippet => harmless_lines(&headline_plain(story, &sources(story))),
                graph => (!story.rows.is_empty()).then(|| Value::from_safe_string(svg(story, Around::Pages(n)))),
            }
        });
        models.push(context! { cells => cells(row), name => row.plan.name.title(), fault, why_not });
    }
    let context = context! {
        file => harmless(file), summary => harmless(&summary(file, rows)), models, version => env!("CARGO_PKG_VERSION"),
        styles => Value::from_safe_string(format!("{}{RULES}{OWN_RULES}", style())),
    };
    rendered(TEMPLATE, context)
}
