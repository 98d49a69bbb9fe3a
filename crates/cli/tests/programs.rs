//! The C programs of corpus/programs: verdict, kind of fault and exact count under every model that they have an
//! expectation for.

use crate::support::{Compiled, check_all, expectations};
use serde_json::Value;

#[test]
fn programs_have_their_verdicts_and_counts() {
    check_all(&expectations("corpus/programs"), |(file, all)| {
        let program = Compiled::new(file)?;
        all.iter().try_for_each(|expected| check(&program, expected))
    });
}

/// Whatever explores schedules finds as many executions, also where objects come to their ends, which random programs
/// have none of.
#[test]
fn algorithms_agree_on_counts() {
    let is_small = |it: &Value| it["executions"].as_u64().is_none_or(|n| n > 1 && n <= 200);
    let is_meant = |it: &Value| it["model"] == "tso" && it["verdict"] == "verified" && is_small(it);
    let some: Vec<_> = expectations("corpus/programs").into_iter().filter(|(_, all)| all.iter().any(is_meant)).collect();
    check_all(&some, |(file, _)| {
        let program = Compiled::new(file)?;
        let counts = |algorithm: &str| {
            let output = program.check(&["--model", "tso", "--algorithm", algorithm, "--format", "json"]);
            let found: Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
            (found["executions"].as_u64(), found["blocked"].as_u64())
        };
        let optimal = counts("optimal");
        for (name, found) in ["source", "classic"].map(|name| (name, counts(name))) {
            if found != optimal {
                return Err(format!("{file:?}: {name} {found:?}, optimal {optimal:?}"));
            }
        }
        Ok(())
    });
}

fn check(program: &Compiled, expected: &Value) -> Result<(), String> {
    let output = program.check(&["--model", word(&expected["model"]), "--format", "json"]);
    let wrong = |what: String| Err(format!("{expected}: {what}"));
    let Ok(found) = serde_json::from_slice::<Value>(&output.stdout) else {
        return wrong(format!("no JSON: {}", String::from_utf8_lossy(&output.stderr)));
    };
    let mut fields = vec![("verdict", &expected["verdict"], &found["verdict"]), ("fault", &expected["fault"], &found["fault"]["kind"])];
    let none = Value::from(0);
    if !expected["executions"].is_null() {
        fields.push(("executions", &expected["executions"], &found["executions"]));
        fields.push(("redundant", &none, &found["redundant"]));
    }
    for (name, expected, found) in fields {
        if expected != found {
            return wrong(format!("{name} is {found}, expected {expected}"));
        }
    }
    let code = if found["verdict"] == "verified" { 0 } else { 42 };
    if output.status.code() == Some(code) { Ok(()) } else { wrong(format!("{}, expected {code}", output.status)) }
}

fn word(value: &Value) -> &str {
    value.as_str().expect("it is a string")
}
