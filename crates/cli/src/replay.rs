//! `raddle replay`: the execution of a witness once more.
//!
//! A witness is data of unknown origin. Nothing of it is compiled, run outside of the machine, written or believed: the
//! judge runs the program that it carries and says whether the fault is there. Sources beside it are looked at for one
//! thing only: whether they are still those of the witness.

use crate::arguments::ReplayOptions;
use crate::failure::Failure;
use crate::guard::{self, LastWords};
use crate::internal::Internal;
use crate::terminal::{complain, look, named, say_report};
use crate::{exit, input, step};
use raddle_report::{MOST_BYTES, Page, Reread, WitnessFile, fault_line, fault_text, harmless};
use raddle_story::{Untold, tell};
use std::path::Path;

/// Runs a witness and gives the exit code.
pub fn replay(options: &ReplayOptions, internal: &Internal) -> u8 {
    let name = named(&options.witness);
    guard::set_last_words(move |cause| {
        let Failure { reason, code } = Failure::ended(&cause);
        let err = format!("raddle: {name}: {}: it is not known whether the file shows what it claims\n", reason.message);
        LastWords { out: String::new(), err, code }
    });
    match internal.guarded(std::slice::from_ref(&options.witness), || replayed(options)) {
        Ok(Ok(code)) => code,
        Ok(Err(why)) => {
            guard::answer(exit::USAGE);
            complain(format!("{}: {}", named(&options.witness), harmless(&why)));
            exit::USAGE
        }
        Err(_) => exit::INTERNAL,
    }
}

fn replayed(options: &ReplayOptions) -> Result<u8, String> {
    let path: &Path = &options.witness;
    let file = WitnessFile::parse(&input::read(path, MOST_BYTES)?).map_err(|why| why.to_string())?;
    let Reread { program, plan, limits, claim } = file.reread().map_err(|why| why.to_string())?;
    let untrue = |what: String| {
        let by = if file.raddle == env!("CARGO_PKG_VERSION") { "" } else { " (it was written by another version of Raddle)" };
        format!("the file does not show what it claims: {what}{by}")
    };
    let story = tell(&program, plan.judged_by(), &limits, &claim).map_err(|why| match why {
        Untold::DoesNotFit => untrue("its execution is none of this program under this model".into()),
        Untold::NoFault => untrue("the execution can be run, but the fault does not happen".into()),
    })?;
    if (&story.fault.fault.message, &story.fault.moment) != (&claim.message, &claim.moment) {
        return Err(untrue(format!("what happens is {}", fault_line(&program, &story.fault))));
    }
    guard::answer(exit::FAULT);
    for name in file.sources.keys().filter(|name| differs(Path::new(name), &file.sources[*name])) {
        complain(format!("{} has changed since the witness was written; shown is what it was", harmless(name)));
    }
    let said = format!("replayed under {}", plan.name.title());
    let about = Page { file: &named(path), model: plan.name.title(), verdict: &said };
    options.pictures.open(std::slice::from_ref(&options.witness))?.write(&about, &story, &file.sources);
    if options.step || options.until.is_some() || !options.watch.is_empty() {
        return step::step(options, &story).map(|()| exit::FAULT);
    }
    say_report(&fault_text(&story, &file.sources, look()));
    Ok(exit::FAULT)
}

/// Whether a source file is there and has another text. A longer file is not even opened, nor is anything that is no
/// file. (What is no UTF-8 has become longer in the witness.)
fn differs(path: &Path, text: &str) -> bool {
    let Ok(known) = std::fs::metadata(path) else { return false };
    let is_other = || std::fs::read(path).is_ok_and(|now| String::from_utf8_lossy(&now) != text);
    known.is_file() && (known.len() > text.len() as u64 || is_other())
}
