//! Mistakes of Raddle itself keep what was found: a search that panics, and a fault that the judge does not see.

use raddle_check::{Algorithm, MemoryModel, Options, Plan, Verdict, check, confirm};
use raddle_event::Path;
use raddle_join::Stop;
use raddle_program::{Program, parse};

/// Ten thousand choices; the first goes wrong.
const CHOOSES: &str = r#"extern x0 "raddle_choose"
extern x1 "reach_error"
entry f0
function f0 "main"
b0:
  call.extern (r0), x0, (100)
  call.extern (r1), x0, (100)
  or r2, r0, r1
  br r2, b2, b1
b1:
  call.extern (), x1, ()
  unreachable
b2:
  return ()
"#;

fn program() -> Program {
    parse(CHOOSES).expect("the text is a program")
}

fn plan() -> Plan {
    Plan::new(MemoryModel::Sc, Algorithm::Optimal, None).expect("they go together")
}

#[test]
fn a_search_that_panics_keeps_the_faults() {
    let (program, options) = (program(), Options { keep_going: true, ..Options::default() });
    let mut fails_later = |count: &raddle_check::Count| assert!(count.executions < 10, "the line of progress is torn");
    let mut outcome = check(&program, plan(), &options, &mut fails_later);
    assert_eq!((outcome.verdict, outcome.found.len()), (Verdict::Refuted, 1));
    assert!(matches!(&outcome.stop, Some(Stop::Failed { what }) if what.starts_with("the line of progress is torn")), "{:?}", outcome.stop);
    let stories = confirm(&program, &options.limits, &mut outcome);
    assert_eq!((outcome.verdict, stories.len()), (Verdict::Refuted, 1));
    assert!(stories[0].untold.is_none() && !stories[0].rows.is_empty());
}

#[test]
fn a_fault_that_the_judge_does_not_see_takes_no_other_with_it() {
    let (program, options) = (program(), Options::default());
    let mut outcome = check(&program, plan(), &options, &mut |_| {});
    assert_eq!(outcome.found.len(), 1);
    let mut wrong = outcome.found[0].clone();
    wrong.witness.path = Path::Schedule(Vec::new());
    outcome.found.insert(0, wrong.clone());
    let stories = confirm(&program, &options.limits, &mut outcome);
    assert_eq!((outcome.verdict, stories.len(), outcome.found.len()), (Verdict::Refuted, 1, 1));
    assert!(matches!(&outcome.stop, Some(Stop::Failed { what }) if what.contains("its execution does not show it")));
    outcome.found = vec![wrong];
    assert!(confirm(&program, &options.limits, &mut outcome).is_empty());
    assert_eq!((outcome.verdict, outcome.found.len()), (Verdict::Unknown, 0));
}
