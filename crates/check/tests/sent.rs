//! What was found can be written down and read elsewhere: the execution that comes out runs again, with the same fault.

use crate::support::two_threads;
use raddle_check::{MemoryModel, Options, Plan, Verdict, check, confirm};
use raddle_machine::Found;

/// It goes wrong where it does not see what the other thread writes.
const LEFT: &str = "
  store &g0, 1, 4, relaxed
  load r0, &g1, 4, relaxed
  br.eq r0, 0, b1, b2
b1:
  unreachable
b2:
  return ()";

const RIGHT: &str = "
  store &g1, 1, 4, relaxed
  load r0, &g0, 4, relaxed
  return ()";

#[test]
fn a_fault_that_was_sent_runs_again() {
    let program = two_threads(LEFT, RIGHT);
    for (model, _) in MemoryModel::ALL {
        let (plan, options) = (Plan::best(model), Options::default());
        let mut outcome = check(&program, plan, &options, &mut |_| {});
        assert_eq!(outcome.verdict, Verdict::Refuted, "{model}");
        let sent = postcard::to_stdvec(&outcome.found).expect("faults can be written");
        let mut again = outcome.clone();
        again.found = postcard::from_bytes::<Vec<Found>>(&sent).expect("faults can be read");
        for (one, other) in outcome.found.iter().zip(&again.found) {
            let (one, other) = (&one.witness.tables, &other.witness.tables);
            assert_eq!((&one.map, one.names.len(), one.locations.len()), (&other.map, other.names.len(), other.locations.len()), "{model}");
        }
        let (told, retold) = (confirm(&program, &options.limits, &mut outcome), confirm(&program, &options.limits, &mut again));
        assert!(again.stop.is_none(), "{model}: {:?}", again.stop);
        let faults = |stories: &[raddle_story::Story]| stories.iter().map(|story| story.fault.clone()).collect::<Vec<_>>();
        assert_eq!((faults(&told).len(), faults(&told)), (1, faults(&retold)), "{model}");
    }
}
