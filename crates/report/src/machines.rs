//! Answers of one or several checks for machines that collect them: JUnit's XML, and the annotations of GitHub. They
//! are made from the objects of `--format json`, so that what they say is what that says.

use crate::picture::escaped;
use serde_json::Value;

/// What JUnit's readers show: a test for each program. A program whose check has no answer is an error, not a success.
pub fn junit(answers: &[Value]) -> String {
    let count = |verdict: &str| answers.iter().filter(|answer| answer["verdict"] == verdict).count();
    let seconds: f64 = answers.iter().filter_map(|answer| answer["seconds"].as_f64()).sum();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"raddle\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{seconds:.3}\">\n",
        answers.len(),
        count("refuted"),
        count("unknown")
    );
    for answer in answers {
        let attribute = |key: &str| escaped(answer[key].as_str().unwrap_or_default());
        let time = answer["seconds"].as_f64().unwrap_or(0.0);
        let name = attribute(if answer["test"].is_string() { "test" } else { "file" });
        text += &format!("<testcase name=\"{name}\" classname=\"raddle.{}\" time=\"{time:.3}\"", attribute("model"));
        match answer["verdict"].as_str() {
            Some("verified") => text += "/>\n",
            Some("refuted") => {
                let kind = escaped(answer["fault"]["kind"].as_str().unwrap_or("fault"));
                text += &format!(
                    ">\n<failure type=\"{kind}\" message=\"{}\">{}</failure>\n</testcase>\n",
                    escaped(&message(answer)),
                    paragraphs(answer)
                );
            }
            _ => {
                let kind = escaped(answer["reason"]["kind"].as_str().unwrap_or("unknown"));
                text += &format!(">\n<error type=\"{kind}\" message=\"{}\"/>\n</testcase>\n", escaped(&message(answer)));
            }
        }
    }
    text + "</testsuite>\n</testsuites>\n"
}

/// What GitHub shows beside the lines of a change: an error for each fault, a warning where there is no answer.
pub fn github(answers: &[Value]) -> String {
    let mut text = String::new();
    for answer in answers {
        let model = answer["model"].as_str().unwrap_or_default();
        let one = [answer["fault"].clone()];
        let faults = answer["faults"].as_array().map_or(if one[0].is_object() { &one[..] } else { &[] }, Vec::as_slice);
        for fault in faults {
            let said = notes(fault).into_iter().fold(word(&fault["message"]), |text, note| format!("{text}\n{note}"));
            text += &annotation("error", (fault, answer), &format!("{} under {model}", word(&fault["kind"])), &said);
        }
        if answer["verdict"] == "unknown" {
            text += &annotation("warning", (&answer["reason"], answer), &format!("no answer under {model}"), &message(answer));
        }
    }
    text
}

/// `::error file=a.c,line=3,title=...::...`
fn annotation(level: &str, (at, answer): (&Value, &Value), title: &str, said: &str) -> String {
    let file = at["file"].as_str().or(answer["file"].as_str()).unwrap_or_default();
    let line = at["line"].as_u64().map_or(String::new(), |line| format!(",line={line}"));
    let column = at["column"].as_u64().filter(|&column| column > 0).map_or(String::new(), |column| format!(",col={column}"));
    format!("::{level} file={}{line}{column},title={}::{}\n", property(file), property(title), data(said))
}

/// What a program's check says in a sentence: its fault, or why it has no answer.
pub fn message(answer: &Value) -> String {
    match (answer["fault"]["message"].as_str(), answer["reason"]["message"].as_str()) {
        (Some(fault), _) => format!("{} ({}:{})", fault, word(&answer["fault"]["file"]), answer["fault"]["line"].as_u64().unwrap_or(0)),
        (None, Some(reason)) => reason.into(),
        (None, None) => String::new(),
    }
}

fn paragraphs(answer: &Value) -> String {
    notes(&answer["fault"]).iter().map(|note| escaped(note) + "\n").collect()
}

fn notes(fault: &Value) -> Vec<String> {
    let why = &fault["story"]["why"];
    [&why["notes"], &why["help"]].into_iter().flat_map(|list| list.as_array().into_iter().flatten().map(word)).collect()
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().into()
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{github, junit};
    use serde_json::json;

    #[test]
    fn what_is_said_stays_text() {
        let fault = json!({ "kind": "assertion", "message": "a<b\n%", "file": "d,e/f:g.c", "line": 3, "column": 5 });
        let answers = [json!({ "file": "<f>", "model": "sc", "verdict": "refuted", "seconds": 0.5, "fault": fault })];
        assert_eq!(github(&answers), "::error file=d%2Ce/f%3Ag.c,line=3,col=5,title=assertion under sc::a<b%0A%25\n");
        let text = junit(&answers);
        assert!(text.contains("testcase name=\"&lt;f&gt;\"") && text.contains("failures=\"1\" errors=\"0\""), "{text}");
    }
}
