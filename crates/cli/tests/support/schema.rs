//! Answers for scripts against the schemas that describe them: Raddle's own, and that of OASIS for SARIF 2.1.0.

use serde_json::Value;
use std::sync::LazyLock;

static REPORT: LazyLock<jsonschema::Validator> = LazyLock::new(|| validator(include_str!("../../../../docs/report.schema.json")));
static SARIF: LazyLock<jsonschema::Validator> =
    LazyLock::new(|| validator(include_str!("../../../../corpus/schemas/sarif-2.1.0.schema.json")));

fn validator(schema: &str) -> jsonschema::Validator {
    // A bracket in the pattern of OASIS for languages, which Raddle does not name, is no regular expression of today.
    let schema = schema.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
    let schema: Value = serde_json::from_str(&schema).expect("a schema is JSON");
    jsonschema::options().should_validate_formats(true).build(&schema).expect("a schema is sound")
}

/// Whether an object is what docs/report.schema.json describes.
#[track_caller]
pub fn check_report(object: &Value) {
    check(&REPORT, object);
}

/// Whether a log is SARIF.
#[track_caller]
pub fn check_sarif_log(log: &Value) {
    check(&SARIF, log);
}

#[track_caller]
fn check(schema: &jsonschema::Validator, object: &Value) {
    let wrong: Vec<String> = schema.iter_errors(object).map(|why| format!("{}: {why}", why.instance_path())).collect();
    assert!(wrong.is_empty(), "{}\n{object:#}", wrong.join("\n"));
}
