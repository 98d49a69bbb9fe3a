//! What must hold between checks of the same programs.
//!
//! - All algorithms of a model find the same faults and the same statuses, each in as many executions: a trace is
//!   explored once. Of source and classic one is run, in turn. Optimal, weak-trace and graphs explore nothing
//!   redundant.
//! - What is possible under SC is possible under all other models, and what is possible under TSO under PSO, RA and
//!   RC11: faults and final states. (TSO lies within RA: order coherence as memory is updated; within RC11, because
//!   compiling to x86 is right. POWER is not compared with PSO, since a sequentially consistent load has a barrier
//!   before it there and none under PSO; nor is AArch64 with TSO, since it orders a release store before such a load.)
//!   Where memory is freed and nothing orders an access before that, the models of graphs see a use after free in an
//!   execution that ends well, or with another fault, in a schedule that happens to free last: then the final states of
//!   the program are not compared, nor its other faults.
//! - A loop that waits and the same with an assumption have the same final states: under two models of each batch, in
//!   turn.
//! - Programs of sequentially consistent atomics and locks have no final states at -O1 that they do not have at -O0.
//! - What a program does natively on x86 it does under TSO, unless it does something under TSO that C or the library
//!   leaves open (a lock that is held is taken again, memory is used that was freed).

use crate::draw::Flavour;
use crate::render::{Program, number_of};
use crate::runs::{Check, End, Form, Outcome, Runs, Tools};
use crate::summary::Summary;
use std::fmt;

/// Something that must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    /// A check ends well.
    EndsWell(Check),
    /// Two algorithms agree.
    Same(Check, Check),
    /// What the first finds the second finds.
    Within(Check, Check),
    /// They have the same final states.
    SameStates(Check, Check),
    /// Final states of the first are ones of the second.
    StatesWithin(Check, Check),
    /// What is seen natively is possible.
    Native(Check),
}

/// A relation that does not hold.
#[derive(Clone, Debug)]
pub struct Difference {
    relation: Claim,
    pub programs: Vec<Program>,
    what: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.relation {
            Claim::EndsWell(check) => write!(f, "{check}: {}", self.what),
            Claim::Same(one, other) | Claim::SameStates(one, other) => write!(f, "{one} | {other}: {}", self.what),
            Claim::Within(one, other) | Claim::StatesWithin(one, other) => write!(f, "{one} <= {other}: {}", self.what),
            Claim::Native(check) => write!(f, "native <= {check}: {}", self.what),
        }
    }
}

impl Difference {
    /// Whether these programs differ in the same way.
    pub fn is_shown_by(&self, tools: &Tools, programs: &[Program]) -> bool {
        matches!(self.relation.look(&mut Runs::new(tools, programs)), Ok(Some(_)))
    }

    /// The same difference of other programs.
    pub fn of(&self, tools: &Tools, programs: Vec<Program>) -> Difference {
        let what = self.relation.look(&mut Runs::new(tools, &programs)).ok().flatten();
        Difference { relation: self.relation, what: what.unwrap_or_else(|| self.what.clone()), programs }
    }
}

const fn best(form: Form, model: &'static str) -> Check {
    let algorithm = match model.as_bytes() {
        b"ra" => "weak-trace",
        b"rc11" => "graphs",
        b"power" | b"aarch64" => "rsmc",
        _ => "optimal",
    };
    Check { form, model, algorithm }
}

/// The models that are compared, and those that make sense of accesses of several sizes.
const ALL: &[&str] = &["sc", "tso", "pso", "ra", "power", "rc11", "aarch64"];
const MIXED: &[&str] = &["sc", "tso", "pso"];

/// The relations that are looked at for a batch.
fn relations(flavour: Flavour, programs: &[Program], runs_natively: bool) -> Vec<Claim> {
    let n_statements: usize = programs.iter().flat_map(|program| &program.threads).map(|thread| thread.body.len()).sum();
    let plain = |model| best(Form::Plain, model);
    let models: &[&'static str] = if flavour == Flavour::Mixed { MIXED } else { ALL };
    let mut all: Vec<Claim> = models.iter().map(|model| Claim::EndsWell(plain(model))).collect();
    for (at, model) in ["sc", "tso", "pso"].into_iter().enumerate() {
        let algorithm = ["source", "classic"][(n_statements + at) % 2];
        all.push(Claim::Same(plain(model), Check { algorithm, ..plain(model) }));
    }
    let above_sc = ALL.iter().filter(|&&model| model != "sc" && model != "pso").map(|&model| ("sc", model));
    let within: Vec<(&str, &'static str)> = above_sc.chain(["pso", "ra", "rc11"].map(|model| ("tso", model))).collect();
    let is_asked = |(one, other): &(&str, &str)| models.contains(one) && models.contains(other);
    all.extend(within.iter().filter(|pair| is_asked(pair)).map(|(one, other)| Claim::Within(plain(one), plain(other))));
    if programs.iter().any(Program::waits) {
        let some = [0, 2].map(|more| models[(n_statements + more) % models.len()]);
        all.extend(some.map(|model| Claim::SameStates(plain(model), best(Form::Assumes, model))));
    }
    if flavour == Flavour::Ordered {
        all.push(Claim::StatesWithin(best(Form::Optimised, "sc"), plain("sc")));
    }
    if runs_natively {
        all.push(Claim::Native(plain("tso")));
    }
    all
}

impl Claim {
    /// What is different, if something is; an error where it cannot be told.
    fn look(self, runs: &mut Runs) -> Result<Option<String>, Skipped> {
        match self {
            Claim::EndsWell(check) => ends_well(check, runs),
            Claim::Same(one, other) => compare(runs, one, other, same),
            Claim::Within(one, other) => compare(runs, one, other, |a, b| found_within(a, b).or_else(|| states_within(a, b))),
            Claim::SameStates(one, other) => compare(runs, one, other, |a, b| states_within(a, b).or_else(|| states_within(b, a))),
            Claim::StatesWithin(one, other) => compare(runs, one, other, states_within),
            Claim::Native(check) => {
                let seen = runs.native().map_err(Skipped::Wrong)?;
                let allowed = whole(runs, check)?;
                let is_missing =
                    |status: &&i64| !allowed.statuses.contains_key(status) && !allowed.misbehaved.contains(&number_of(**status));
                let missing: Vec<&i64> = seen.iter().filter(is_missing).collect();
                Ok((!missing.is_empty()).then(|| format!("seen natively and not explored: {missing:?}")))
            }
        }
    }
}

/// Why two checks are not compared.
enum Skipped {
    /// It is too large; most executions were of the program of this number.
    Cut(Check, Option<i64>),
    Refused(Check, String),
    /// The check itself is what went wrong; another relation says so.
    Broken,
    /// The programs cannot be compiled.
    Wrong(String),
}

fn ends_well(check: Check, runs: &mut Runs) -> Result<Option<String>, Skipped> {
    let outcome = runs.outcome(check).map_err(Skipped::Wrong)?;
    let is_optimal = matches!(check.algorithm, "optimal" | "weak-trace" | "graphs");
    match &outcome.end {
        End::Broken(why) => Ok(Some(why.clone())),
        End::Cut => Err(Skipped::Cut(check, outcome.largest())),
        End::Refused(why) => Err(Skipped::Refused(check, why.clone())),
        End::Whole if is_optimal && outcome.redundant > 0 => Ok(Some(format!("{} redundant", outcome.redundant))),
        End::Whole => Ok(None),
    }
}

fn whole(runs: &mut Runs, check: Check) -> Result<Outcome, Skipped> {
    let outcome = runs.outcome(check).map_err(Skipped::Wrong)?;
    match &outcome.end {
        End::Whole => Ok(outcome.clone()),
        End::Cut => Err(Skipped::Cut(check, outcome.largest())),
        End::Refused(why) => Err(Skipped::Refused(check, why.clone())),
        End::Broken(_) => Err(Skipped::Broken),
    }
}

type Look = fn(&Outcome, &Outcome) -> Option<String>;

fn compare(runs: &mut Runs, one: Check, other: Check, look: Look) -> Result<Option<String>, Skipped> {
    if let Some(why) = ends_well(other, runs)? {
        return Ok(Some(why));
    }
    let (one, other) = (whole(runs, one)?, whole(runs, other)?);
    Ok(look(&one, &other))
}

fn same(one: &Outcome, other: &Outcome) -> Option<String> {
    if (&one.statuses, &one.faults) != (&other.statuses, &other.faults) {
        let first = faults_within(one, other).or_else(|| states_within(one, other));
        let second = || faults_within(other, one).or_else(|| states_within(other, one));
        return first.or_else(second).or_else(|| Some("other numbers of executions for a status".into()));
    }
    let counts = |of: &Outcome| (of.executions, of.blocked);
    (counts(one) != counts(other)).then(|| format!("executions and blocked: {:?} and {:?}", counts(one), counts(other)))
}

fn faults_within(one: &Outcome, other: &Outcome) -> Option<String> {
    missing_faults(one, other, |_| true)
}

/// Where a use after free hides what comes after it in other models, it is fault enough.
fn found_within(one: &Outcome, other: &Outcome) -> Option<String> {
    missing_faults(one, other, |number| !other.freed.contains(&number))
}

fn missing_faults(one: &Outcome, other: &Outcome, counts: impl Fn(i64) -> bool) -> Option<String> {
    let is_missing = |(fault, number): &(&String, &Option<i64>)| !other.faults.contains_key(*fault) && number.is_none_or(&counts);
    let missing: Vec<&String> = one.faults.iter().filter(is_missing).map(|(fault, _)| fault).collect();
    (!missing.is_empty()).then(|| format!("a fault of one of them alone: {missing:?}"))
}

fn states_within(one: &Outcome, other: &Outcome) -> Option<String> {
    let is_missing = |status: &&i64| !other.statuses.contains_key(status) && !other.freed.contains(&number_of(**status));
    let missing: Vec<&i64> = one.statuses.keys().filter(is_missing).collect();
    let of = (one.statuses.len(), other.statuses.len());
    (!missing.is_empty()).then(|| format!("a status of one of them alone: {missing:?} (they have {} and {})", of.0, of.1))
}

/// Compares everything for a batch. One in which something differs or is cut is split, down to single programs.
pub fn examine(tools: &Tools, flavour: Flavour, programs: Vec<Program>, runs_natively: bool, summary: &mut Summary) -> Vec<Difference> {
    let mut runs = Runs::new(tools, &programs);
    let (mut found, mut skipped, mut largest, mut apart) = (Vec::new(), Vec::new(), None, None);
    for relation in relations(flavour, &programs, runs_natively) {
        match relation.look(&mut runs) {
            Ok(None) => {}
            Ok(Some(what)) => found.push((relation, what)),
            Err(Skipped::Broken) => {}
            Err(Skipped::Wrong(why)) => found.push((relation, why)),
            Err(Skipped::Cut(check, number)) => {
                skipped.push(format!("{} too large", check.model));
                largest = number.filter(|_| programs.len() > 1);
                if largest.is_some() {
                    break;
                }
            }
            Err(Skipped::Refused(check, why)) => {
                skipped.push(format!("{} refused: {}", check.model, without_place(&why)));
                apart = apart.or(number_at(&why)).filter(|_| programs.len() > 1);
            }
        }
    }
    if let Some(largest) = largest {
        summary.count(flavour, 0, vec!["everything: too large".into()], false);
        let mut others = programs.clone();
        others.remove(largest as usize);
        return examine(tools, flavour, others, runs_natively, summary);
    }
    if let Some(apart) = apart.filter(|&number| number < programs.len()) {
        let mut others = programs.clone();
        let one = others.remove(apart);
        let mut all = examine(tools, flavour, vec![one], runs_natively, summary);
        all.extend(examine(tools, flavour, others, runs_natively, summary));
        return all;
    }
    let n = programs.len();
    if n > 1 && (!found.is_empty() || !skipped.is_empty()) {
        let (one, other) = programs.split_at(n / 2);
        let mut all = examine(tools, flavour, one.to_vec(), runs_natively, summary);
        all.extend(examine(tools, flavour, other.to_vec(), runs_natively, summary));
        if all.is_empty() && !found.is_empty() {
            all.extend(differences(found, &programs));
        }
        return all;
    }
    skipped.sort();
    skipped.dedup();
    summary.count(flavour, n as u64, skipped, runs_natively);
    differences(found, &programs)
}

fn differences(found: Vec<(Claim, String)>, programs: &[Program]) -> Vec<Difference> {
    found.into_iter().map(|(relation, what)| Difference { relation, programs: programs.to_vec(), what }).collect()
}

/// The number of the program that a reason is about: the function in its place ends with it.
fn number_at(why: &str) -> Option<usize> {
    why.strip_suffix(')')?.rsplit('_').next()?.parse().ok()
}

/// A reason without the place in the program.
fn without_place(why: &str) -> &str {
    why.split(" (").next().unwrap_or(why)
}
