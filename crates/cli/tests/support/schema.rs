//! Answers for scripts against the schemas that describe them: Raddle's own, and that of OASIS for SARIF 2.1.0.

use serde_json::Value;
use std::sync::LazyLock;

static REPORT: LazyLock<jsonschema::Validator> = LazyLock::new(|| validator(include_str!("../../../../docs/report.schema.json")));
/// What others print, by the format that their objects name.
static OTHERS: LazyLock<Vec<(&str, jsonschema::Validator)>> = LazyLock::new(|| {
    let all = [
        ("raddle-estimate", include_str!("../../../../docs/estimate.schema.json")),
        ("raddle-compare", include_str!("../../../../docs/compare.schema.json")),
        ("raddle-litmus", include_str!("../../../../docs/litmus.schema.json")),
        ("raddle-cluster", include_str!("../../../../docs/cluster.schema.json")),
    ];
    all.map(|(format, schema)| (format, validator(&with_definitions(schema)))).into()
});
static SARIF: LazyLock<jsonschema::Validator> =
    LazyLock::new(|| validator(include_str!("../../../../corpus/schemas/sarif-2.1.0.schema.json")));

fn validator(schema: &str) -> jsonschema::Validator {
    // A bracket in the pattern of OASIS for languages, which Raddle does not name, is no regular expression of today.
    let schema = schema.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
    let schema: Value = serde_json::from_str(&schema).expect("a schema is JSON");
    jsonschema::options().should_validate_formats(true).build(&schema).expect("a schema is sound")
}

/// A schema with the definitions of the report's in it, to which it refers.
fn with_definitions(schema: &str) -> String {
    let mut schema: Value = serde_json::from_str(&schema.replace("report.schema.json#", "#")).expect("a schema is JSON");
    let report: Value = serde_json::from_str(include_str!("../../../../docs/report.schema.json")).expect("a schema is JSON");
    for (name, definition) in report["$defs"].as_object().expect("there are definitions") {
        assert!(schema["$defs"][name].is_null(), "{name} is defined twice");
        schema["$defs"][name] = definition.clone();
    }
    schema.to_string()
}

/// Whether all that a command has printed for scripts is as the schemas say: every object, whatever came of it. What is
/// no answer of this kind is left alone.
#[track_caller]
pub fn check_printed(words: &[&str], printed: &[u8]) {
    let asks = |pair: &[&str]| pair[0] == "--format" && pair[1].eq_ignore_ascii_case("json");
    if !words.windows(2).any(asks) {
        return;
    }
    for object in serde_json::Deserializer::from_slice(printed).into_iter::<Value>() {
        let object = object.unwrap_or_else(|why| panic!("{words:?}: {why}"));
        match object["format"].as_str() {
            Some("raddle-check") => check_report(&object),
            format => {
                let known = OTHERS.iter().find(|(name, _)| Some(*name) == format);
                let (_, schema) = known.unwrap_or_else(|| panic!("{words:?}: no schema describes {object:#}"));
                check(schema, &object);
            }
        }
    }
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
