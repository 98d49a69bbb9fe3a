//! What `raddle check` prints for scripts: the whole story, as the schemas say.

use crate::support::{Folder, STORE_BUFFERING, check_report, check_sarif_log};
use raddle_event::FaultKind;
use raddle_story::Deed;
use serde_json::Value;

fn object(folder: &Folder, words: &str, code: i32) -> Value {
    let answer = folder.check(words, code, &[]);
    serde_json::from_str(&answer.out).unwrap_or_else(|why| panic!("{words}: {why}\n{}", answer.out))
}

/// The first event with this text, and its number.
#[track_caller]
fn event<'o>(object: &'o Value, text: &str) -> &'o Value {
    let events = object["fault"]["story"]["events"].as_array().expect("there are events");
    events.iter().find(|event| event["text"] == text).unwrap_or_else(|| panic!("no event `{text}` in {object:#}"))
}

#[test]
fn every_model_tells_the_whole_story() {
    let folder = Folder::new("sb.c", STORE_BUFFERING);
    for model in ["tso", "pso", "power", "aarch64", "ra", "rc11 --no-races"] {
        let report = object(&folder, &format!("check sb.c --model {model} --format json -- -DCHECK=assert"), 42);
        check_report(&report);
        let (load, store) = (event(&report, "load y -> 0"), event(&report, "store y = 1"));
        assert_eq!((&load["action"], &load["variable"], &load["read"]), (&"load".into(), &"y".into(), &"0".into()), "{model}");
        assert_eq!((&load["thread"], &load["place"]["line"]), (&"T1".into(), &7.into()), "{model}");
        assert_eq!(load["sources"], serde_json::json!([{ "initial": true }]), "{model}");
        assert_eq!((&store["thread"], &store["written"]), (&"T2".into(), &"1".into()), "{model}");
        let read = event(&report, "load r2 -> 0");
        let from = read["sources"][0]["event"].as_u64().expect("it reads from an event") as usize;
        let source = &report["fault"]["story"]["events"][from - 1];
        assert_eq!((&source["variable"], &source["thread"]), (&"r2".into(), &"T2".into()), "{model}");
        check_sarif_log(&object(&folder, &format!("check sb.c --model {model} --format sarif -- -DCHECK=assert"), 42));
    }
}

#[test]
fn a_store_that_leaves_its_buffer_names_the_event_that_put_it_there() {
    let folder = Folder::new("sb.c", STORE_BUFFERING);
    let report = object(&folder, "check sb.c --model tso --format json -- -DCHECK=assert", 42);
    let (store, update) = (event(&report, "store y = 1"), event(&report, "update y = 1"));
    assert_eq!((&update["action"], &update["store"]), (&"update".into(), &store["number"]));
}

#[test]
fn the_words_of_the_schema_are_those_of_the_code() {
    let schema: Value = serde_json::from_str(include_str!("../../../docs/report.schema.json")).expect("the schema is JSON");
    let words = |of: &str, property: &str| schema["$defs"][of]["properties"][property]["enum"].clone();
    assert_eq!(words("event", "action"), serde_json::json!(Deed::ACTIONS));
    let kinds: Vec<&str> = FaultKind::ALL.iter().map(|kind| kind.word()).collect();
    assert_eq!(words("fault", "kind"), serde_json::json!(kinds));
}
