//! `raddle check` and `raddle sample`.

use crate::arguments::{CheckOptions, Format, Input};
use crate::cluster::options::ClusterCheck;
use crate::cluster::{coordinator, no_cluster};
use crate::exit;
use crate::failure::Failure;
use crate::fix::{Proposal, propose};
use crate::front_ends::load;
use crate::guard::{self, Cause, LastWords};
use crate::internal::Internal;
use crate::output::{Output, wanted};
use crate::pictures::Pictures;
use crate::progress::{Progress, When};
use crate::property::Property;
use crate::run::print_stop;
use crate::terminal::{complain, look, named, put, say, say_report, sources};
use raddle_check::{
    BadPlan, Board, Bounds, Count, Limit, MemoryModel, Options, Outcome, Plan, Sampling, causes, check as check_program, check_iteratively,
    confirm, guarded, is_divisible,
};
use raddle_cluster::{Coordinator, Taken};
use raddle_event::FaultKind;
use raddle_join::Stop;
use raddle_machine::{Found, Limits};
use raddle_program::Program;
use raddle_report::{
    Asked, Checked, Look, Page, Sources, WitnessFile, branching_json, branching_text, check_json, check_sarif, failure_json, failure_sarif,
    fault_line, fault_text, github, has_many, json_text, junit, reasons, verdict_text,
};
use raddle_story::Story;
use serde_json::Value;
use std::ffi::OsString;
use std::sync::Arc;
use std::time::Instant;

/// What the check knows so far.
static BOARD: Board = Board::new();

/// Checks a program, here or in a cluster.
pub fn check_here_or_there(options: &ClusterCheck, internal: &Internal) -> u8 {
    match options.cluster {
        Some(_) => check_in_cluster(options, internal),
        None => check(&options.check, None, internal),
    }
}

/// Checks a program, or draws executions of it at random, and gives the exit code.
pub fn check(options: &CheckOptions, sampling: Option<Sampling>, internal: &Internal) -> u8 {
    let asked = property(options).and_then(|property| {
        let plan = sampled(options, plan(options)?, sampling)?;
        Ok((property, plan, files(options)?))
    });
    let (property, plan, written) = match asked {
        Ok(asked) => asked,
        Err(why) => return failed(options, &Failure::new("usage", why, exit::USAGE)),
    };
    guard::set_last_words(unread(options));
    let input = match &property {
        Some(property) => Input { sv_comp: true, checks: property.checks(), ..options.input.clone() },
        None => options.input.clone(),
    };
    let program = match load(&input, options.wanted.uninit, internal) {
        Ok(program) => Arc::new(program),
        Err(failure) => return failed(options, &failure),
    };
    let asked = Asked { file: name_of(options), plan, sampling, robustness: options.robustness, statuses: options.statuses };
    let under_way = UnderWay::new(options, &program, asked);
    let what = with_property(Options { sampling, ..what(options, plan) }, property.as_ref());
    let mut progress = progress(options).estimating(&program, plan, &what);
    let outcome = match options.iterative {
        true => check_iteratively(&program, plan, &what, &mut |count| progress.show(count)),
        false => check_program(&program, plan, &what, &mut |count| progress.show(count)),
    };
    progress.clear();
    under_way.conclude(&what.limits, outcome, (written, internal))
}

/// What a cluster checks: a program that was read, or a job that goes on.
struct Subject {
    program: Arc<Program>,
    asked: Asked,
    what: Options<'static>,
    taken: Option<Taken>,
}

/// Has a program checked by a cluster, or goes on with a job of it.
fn check_in_cluster(cluster: &ClusterCheck, internal: &Internal) -> u8 {
    let options = &cluster.check;
    let refused = |why: String| failed(options, &Failure::new("usage", why, exit::USAGE));
    let divisible = |plan: Plan| {
        let plan = plan.as_graphs().filter(|_| options.algorithm.is_none()).unwrap_or(plan);
        is_divisible(plan, &what(options, plan)).map(|()| plan).map_err(|why| why.to_string())
    };
    if options.reuse {
        return refused("a cluster explores graphs, and memory is used again in schedules: leave out --reuse or --cluster".into());
    }
    if options.property.is_some() {
        return refused("a cluster knows nothing of properties: leave out --property or --cluster".into());
    }
    let plan = match plan(options).and_then(|plan| if cluster.resume.is_some() { Ok(plan) } else { divisible(plan) }) {
        Ok(plan) => plan,
        Err(why) => return refused(why),
    };
    let written = match files(options) {
        Ok(written) => written,
        Err(why) => return refused(why),
    };
    guard::set_last_words(unread(options));
    let coordinated = coordinator(cluster).and_then(|mut coordinator| {
        let subject = subject(cluster, plan, &mut coordinator, internal)?;
        Ok((coordinator, subject))
    });
    let (mut coordinator, Subject { program, asked, what, taken }) = match coordinated {
        Ok(coordinated) => coordinated,
        Err(failure) => return failed(options, &failure),
    };
    let (plan, file) = (asked.plan, asked.file.clone());
    let is_repeatable = taken.is_none() && cluster.cluster.as_ref().is_some_and(|url| !url.contains('@'));
    let under_way = UnderWay { is_repeatable, ..UnderWay::new(options, &program, asked) };
    let mut progress = progress(options).estimating(&program, plan, &what);
    let mut show = |count: &Count| progress.show(count);
    let outcome = match taken {
        Some(taken) => coordinator.resume(taken, &what, &mut show),
        None => coordinator.check(&program, (plan, &file), &what, &mut show),
    };
    progress.clear();
    match outcome {
        Ok(outcome) => {
            let code = under_way.conclude(&what.limits, outcome, (written, internal));
            coordinator.end();
            code
        }
        Err(why) => failed(options, &no_cluster(why)),
    }
}

/// The program that is read, or that of the job that is taken up.
fn subject(cluster: &ClusterCheck, plan: Plan, coordinator: &mut Coordinator, internal: &Internal) -> Result<Subject, Failure> {
    let options = &cluster.check;
    let Some(job) = cluster.resume else {
        let program = Arc::new(load(&options.input, options.wanted.uninit, internal)?);
        let asked = Asked { file: name_of(options), plan, sampling: None, robustness: options.robustness, statuses: options.statuses };
        let refuses_spins = options.algorithm.is_none() && Plan::best(plan.name).as_graphs() == Some(plan);
        return Ok(Subject { program, asked, what: Options { refuses_spins, ..what(options, plan) }, taken: None });
    };
    let taken = coordinator.take(job).map_err(no_cluster)?;
    let (robustness, statuses) = (taken.asked.robustness(), taken.asked.statuses());
    let asked = Asked { file: taken.file.clone(), plan: taken.plan, sampling: None, robustness, statuses };
    let Options { timeout, interrupted, out_of_memory, board, .. } = what(options, plan);
    let what = Options { timeout, interrupted, out_of_memory, board, ..taken.asked.options() };
    Ok(Subject { program: taken.program.clone(), asked, what, taken: Some(taken) })
}

/// A check under way.
struct UnderWay<'o> {
    options: &'o CheckOptions,
    program: Arc<Program>,
    asked: Asked,
    started: Instant,
    /// Whether the same command would check the same again.
    is_repeatable: bool,
}

impl<'o> UnderWay<'o> {
    /// It begins. From here on a limit may end it from outside, with what is known by then.
    fn new(options: &'o CheckOptions, program: &Arc<Program>, asked: Asked) -> UnderWay<'o> {
        let started = Instant::now();
        let unfinished = Unfinished { program: program.clone(), asked: asked.clone(), format: options.format, started };
        guard::set_last_words(move |cause| {
            let (count, found) = BOARD.read();
            unfinished.words(found, count, Vec::new(), cause)
        });
        UnderWay { options, program: program.clone(), asked, started, is_repeatable: true }
    }

    /// Says what was concluded, and gives the exit code.
    fn conclude(self, limits: &Limits, mut outcome: Outcome, (written, internal): (Written, &Internal)) -> u8 {
        let UnderWay { options, program, asked, started, is_repeatable } = self;
        let plan = outcome.plan;
        let asked = Asked { plan, ..asked };
        let seconds = started.elapsed().as_secs_f64();
        leave_outcome(&program, &asked, options.format, started, &outcome);
        let stories = confirm(&program, limits, &mut outcome);
        let told = outcome.found.first().zip(stories.first());
        let checked = Checked { program: &program, plan, limits };
        let is_kept = written.witness.zip(told).is_some_and(|(file, told)| write_witness(file, options, checked, told));
        match stories.first() {
            Some(story) => draw(written.pictures, options, &asked, (&outcome, seconds), story),
            None if options.pictures.is_any() => complain("there is no fault, so nothing is drawn"),
            None => {}
        }
        let proposal = stories.first().filter(|_| options.fix.is_asked()).map(|story| {
            let proposal = propose(options, (plan, &what(options, plan)), story, internal);
            write_patch(written.patch, &proposal);
            proposal
        });
        let is_asked = options.verbose || has_many(&outcome.count);
        let causes = if is_asked { causes(&program, limits, &outcome) } else { Vec::new() };
        let (code, reasons) = (exit::of(&outcome), reasons(&program, &outcome));
        guard::answer(code);
        match &outcome.stop {
            Some(stop @ Stop::Failed { .. }) => internal.look_at(Some(stop), &program),
            Some(stop) => drop(print_stop(&program, stop)),
            None => {}
        }
        let json = || {
            let mut object = check_json(&program, &asked, (&outcome, &stories), seconds, code);
            if is_asked {
                object["branching"] = branching_json(&causes);
            }
            proposal.iter().for_each(|proposal| object["fix"] = proposal.json());
            object
        };
        match for_machines(options.format, json, || check_sarif(&asked, &outcome, &stories, &reasons, code)) {
            Some(text) => put(&text),
            None => {
                let is_shown_how = !outcome.found.is_empty() && (is_repeatable || is_kept);
                print_faults(options, &program, &stories);
                let table = branching_text(&outcome.count, &causes).map_or(String::new(), |table| format!("\n{table}"));
                say_verdict(options, &(verdict_text(&asked, &outcome, seconds) + &table), is_shown_how.then_some(is_kept));
                proposal.iter().for_each(|proposal| say(proposal.text().trim_end()));
            }
        }
        code
    }
}

/// Says the verdict, and how to run a fault again where there is one: `is_kept` tells whether there is a witness.
fn say_verdict(options: &CheckOptions, verdict: &str, is_kept: Option<bool>) {
    if options.quiet {
        return say(verdict.lines().next().unwrap_or_default());
    }
    say(verdict);
    is_kept.into_iter().for_each(|is_kept| say_how_to_run_again(options, is_kept));
}

/// The files that are written in the end.
struct Written {
    witness: Option<Output>,
    patch: Option<Output>,
    pictures: Pictures,
}

/// Tries the files that are to be written.
fn files(options: &CheckOptions) -> Result<Written, String> {
    Ok(Written {
        witness: wanted(options.witness.as_deref(), "witness", &options.input.files)?,
        patch: options.fix.open(&options.input.files)?,
        pictures: options.pictures.open(&options.input.files)?,
    })
}

/// An answer for machines; none for people.
fn for_machines(format: Format, json: impl FnOnce() -> Value, sarif: impl FnOnce() -> Value) -> Option<String> {
    Some(match format {
        Format::Human => return None,
        Format::Json => json_text(&json()) + "\n",
        Format::Sarif => json_text(&sarif()) + "\n",
        Format::Junit => junit(&[json()]),
        Format::Github => github(&[json()]),
    })
}

/// What the check looks for, and how long.
fn what(options: &CheckOptions, plan: Plan) -> Options<'static> {
    let wanted = options.wanted.options(&options.input);
    Options {
        limits: Limits { reuse: options.reuse, ..wanted.limits },
        timeout: guard::time_left(),
        keep_going: options.keep_going,
        robustness: options.robustness,
        races: options.wanted.races(plan),
        statuses: options.statuses,
        board: Some(&BOARD),
        keeps_algorithm: options.algorithm.is_some() || options.reuse,
        ..wanted
    }
}

/// Who is told how far the check has come.
fn progress(options: &CheckOptions) -> Progress {
    let when = if options.quiet { When::Never } else { options.progress };
    Progress::new(when, options.format == Format::Human).sharing(&BOARD)
}

/// The property that is asked for.
fn property(options: &CheckOptions) -> Result<Option<Property>, String> {
    options.property.as_deref().map(Property::read).transpose()
}

/// The same, where a property says what counts.
fn with_property<'o>(what: Options<'o>, property: Option<&Property>) -> Options<'o> {
    let Some(property) = property else { return what };
    Options { leaks: property.leaks, races: property.has(FaultKind::DataRace), kinds: Some(property.kinds.clone()), ..what }
}

/// The name of the first file.
fn name_of(options: &CheckOptions) -> String {
    options.input.files.first().map_or_else(|| "a job".into(), |file| file.to_string_lossy().into_owned())
}

/// Says why there is nothing to check, in the format that was asked for too; gives the exit code.
fn failed(options: &CheckOptions, failure: &Failure) -> u8 {
    guard::answer(failure.code);
    if let Some(text) = failure_text(&name_of(options), options.model, options.format, failure) {
        put(&text);
    }
    failure.say()
}

/// The answer for machines where there is nothing to check.
fn failure_text(file: &str, model: MemoryModel, format: Format, Failure { reason, code }: &Failure) -> Option<String> {
    for_machines(format, || failure_json(file, &model.to_string(), reason, *code), || failure_sarif(file, reason, *code))
}

/// What is said where the program has not been read when a limit ends the check.
fn unread(options: &CheckOptions) -> impl FnOnce(Cause) -> LastWords + Send + 'static {
    let (file, files, model, format) = (name_of(options), options.input.files.clone(), options.model, options.format);
    move |cause| {
        let failure = Failure::ended_reading(&files, &cause);
        failure.last_words(failure_text(&file, model, format, &failure).unwrap_or_default())
    }
}

/// A check that a limit may end from outside, with what is known by then.
struct Unfinished {
    program: Arc<Program>,
    asked: Asked,
    format: Format,
    started: Instant,
}

impl Unfinished {
    fn words(self, found: Vec<Found>, count: Count, mut limits: Vec<Limit>, cause: Cause) -> LastWords {
        let Unfinished { program, asked, format, started } = self;
        let err = Failure::ended(&cause);
        let err = if err.code == exit::INTERNAL { err.last_words(String::new()).err } else { String::new() };
        let (limit, stop) = cause.met();
        limits.extend(limit.filter(|limit| !limits.contains(limit)));
        let outcome = Outcome::ended_outside(asked.plan, found, count, limits, stop);
        let untold = |found: &Found| Story::bare(&program, found.at(), "there was no time to run it again".into());
        let stories: Vec<Story> = outcome.found.iter().map(untold).collect();
        let (code, seconds) = (exit::of(&outcome), started.elapsed().as_secs_f64());
        let json = || check_json(&program, &asked, (&outcome, &stories), seconds, code);
        let text = for_machines(format, json, || check_sarif(&asked, &outcome, &stories, &reasons(&program, &outcome), code));
        let out = text.unwrap_or_else(|| {
            let faults = stories.iter().map(|story| fault_text(story, &Sources::new(), look()));
            faults.chain([verdict_text(&asked, &outcome, seconds)]).map(|text| text + "\n").collect()
        });
        LastWords { out, err, code }
    }
}

/// Telling a story takes time too: what was found is said even where that does not end.
fn leave_outcome(program: &Arc<Program>, asked: &Asked, format: Format, started: Instant, outcome: &Outcome) {
    if outcome.found.is_empty() {
        return;
    }
    let unfinished = Unfinished { program: program.clone(), asked: asked.clone(), format, started };
    let (found, count, limits) = (outcome.found.clone(), outcome.count, outcome.limits.clone());
    guard::set_last_words(move |cause| unfinished.words(found, count, limits, cause));
}

fn plan(options: &CheckOptions) -> Result<Plan, String> {
    let bounds = options.bounds();
    if options.iterative && bounds == Bounds::default() {
        return Err("--iterative raises bounds: say with which to begin, by --buffer-bound 0 or --context-bound 0".into());
    }
    if options.reuse && options.robustness {
        return Err("whether executions are robust is not known where memory is used again: leave out --reuse or --robustness".into());
    }
    let best = match (options.symmetry, options.robustness) {
        (true, _) => Plan::symmetric_algorithm,
        (false, true) => Plan::comparing_algorithm,
        (false, false) => Plan::default_algorithm,
    };
    let algorithm = options.algorithm.unwrap_or_else(|| best(options.model, bounds));
    let asked = || {
        let mut plan = Plan::bounded(options.model, algorithm, bounds)?.with_atomics(options.aarch64_atomics.into())?;
        if options.robustness {
            plan = plan.with_robustness()?;
        }
        if options.symmetry {
            plan = plan.with_symmetry()?;
        }
        if options.reuse {
            plan = plan.with_reuse()?;
        }
        if options.wanted.no_races {
            plan = plan.without_races()?;
        }
        Ok(plan)
    };
    asked().map_err(|why: BadPlan| why.to_string())
}

/// The plan where executions are drawn at random.
fn sampled(options: &CheckOptions, plan: Plan, sampling: Option<Sampling>) -> Result<Plan, String> {
    let Some(Sampling { strategy, .. }) = sampling else { return Ok(plan) };
    if options.algorithm.is_some() {
        return Err("samples are drawn by a strategy: choose --strategy, or leave out --algorithm".into());
    }
    if options.iterative {
        return Err("samples are drawn within one bound: leave out --iterative".into());
    }
    plan.with_sampling(strategy).map_err(|why| why.to_string())
}

/// Draws the first fault. What cannot be drawn takes no fault back.
fn draw(pictures: Pictures, options: &CheckOptions, asked: &Asked, (outcome, seconds): (&Outcome, f64), story: &Story) {
    let verdict = verdict_text(asked, outcome, seconds);
    let about = Page { file: &asked.file, model: asked.plan.name.title(), verdict: &verdict };
    if guarded(|| pictures.write(&about, story, &sources(story, &options.input.files))).is_err() {
        complain("the picture: something went wrong in Raddle itself");
    }
}

/// Writes the witness of a fault; tells whether there is one now. A file that cannot be written takes no fault back.
fn write_witness(to: Output, options: &CheckOptions, checked: Checked, told: (&Found, &Story)) -> bool {
    let (Found { witness, .. }, story) = told;
    let file = WitnessFile::new(checked, &story.fault, witness, sources(story, &options.input.files));
    let written = file.ok_or("the program is too large".to_string()).and_then(|file| to.write(&file.text()));
    written.map_err(|why| complain(format!("the witness: {why}"))).is_ok()
}

/// Writes the patch, where there is one. A file that cannot be written takes no fault back.
fn write_patch(to: Option<Output>, proposal: &Proposal) {
    if let Some(Err(why)) = to.zip(proposal.patch()).map(|(to, patch)| to.write(patch)) {
        complain(format!("the patch: {why}"));
    }
}

fn print_faults(options: &CheckOptions, program: &Program, stories: &[Story]) {
    for story in stories {
        let whole = |look: Look| Look { is_whole: options.verbose, ..look };
        let text = || guarded(|| fault_text(story, &sources(story, &options.input.files), whole(look()))).ok();
        let text = if options.quiet { None } else { text() };
        say_report(&text.unwrap_or_else(|| fault_line(program, &story.fault)));
    }
}

/// Says how to run a fault again, where that is not known already.
fn say_how_to_run_again(options: &CheckOptions, is_kept: bool) {
    match &options.witness {
        Some(path) if is_kept => say(format!("To run it again: raddle replay {}", named(path))),
        Some(_) => {}
        None => say(format!("To keep it and run it again: {}, then raddle replay bug.json", with_witness(std::env::args_os()))),
    }
}

/// The command line again, with the option that writes a witness.
fn with_witness(arguments: impl Iterator<Item = OsString>) -> String {
    let quoted = |argument: String| match argument.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=,:+@".contains(c)) {
        true => argument,
        false => format!("'{}'", argument.replace('\'', r"'\''")),
    };
    let mut words: Vec<String> = arguments.skip(1).map(|word| quoted(word.to_string_lossy().into_owned())).collect();
    words.insert(1.min(words.len()), "--witness bug.json".into());
    format!("raddle {}", words.join(" "))
}
