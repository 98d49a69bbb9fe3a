//! An execution for scripts: its threads, its events with what each reads and from whom, and how it ended.

use raddle_event::ThreadId;
use raddle_program::Place;
use raddle_story::{Deed, MarkedPlace, Origin, Row, Story, Waiting, Why};
use serde_json::{Value, json};

/// A place in the source.
pub fn place_json(place: &Place) -> Value {
    json!({ "file": place.file, "line": place.line, "column": place.column, "function": place.function })
}

/// The whole execution. Events are named by their numbers, from 1 on.
pub fn story_json(story: &Story) -> Value {
    let thread = |(id, function): &(ThreadId, String)| json!({ "id": format!("{id}"), "function": function });
    let event = |(n, row): (usize, &Row)| event_json(story, n + 1, row);
    let edge = |(at, word): &(usize, &str)| json!({ "event": at + 1, "edge": word });
    let output: Vec<u8> = story.output.iter().flat_map(|piece| piece.bytes.iter().copied()).collect();
    json!({
        "threads": story.threads.iter().map(thread).collect::<Vec<Value>>(),
        "events": story.rows.iter().enumerate().map(event).collect::<Vec<Value>>(),
        "waiting": story.waiting.iter().map(waiting_json).collect::<Vec<Value>>(),
        "why": why_json(&story.why), "remarks": story.remarks, "cycle": story.cycle.iter().map(edge).collect::<Vec<Value>>(),
        "output": String::from_utf8_lossy(&output), "untold": story.untold,
    })
}

/// Why it could happen: sentences, what would forbid it, the other places, and the events that all this is about.
fn why_json(why: &Why) -> Value {
    let mark = |mark: &MarkedPlace| {
        let mut object = json!({ "thread": mark.thread.to_string(), "place": place_json(&mark.place), "text": mark.text });
        if !mark.stack.is_empty() {
            object["stack"] = mark.stack.iter().map(place_json).collect();
        }
        if let Some(row) = mark.row {
            object["event"] = (row + 1).into();
        }
        object
    };
    let (places, events): (Vec<Value>, Vec<usize>) = (why.marks.iter().map(mark).collect(), why.rows.iter().map(|row| row + 1).collect());
    json!({ "notes": why.notes, "help": why.help, "places": places, "events": events })
}

fn event_json(story: &Story, number: usize, row: &Row) -> Value {
    let Deed { action, call, variable, order, read, written, .. } = &row.deed;
    let mut event = json!({
        "number": number, "thread": row.thread.to_string(), "place": row.place.as_ref().map(place_json),
        "action": action, "text": row.text,
    });
    let parts = [("call", call), ("variable", variable), ("read", read), ("written", written), ("note", &row.note)];
    for (name, part) in parts {
        if let Some(part) = part {
            event[name] = part.as_str().into();
        }
    }
    if let Some(order) = order {
        event["order"] = (*order).into();
    }
    let sources: Vec<Value> = story.origins(row).into_iter().map(origin_json).collect();
    if !sources.is_empty() {
        event["sources"] = sources.into();
    }
    if let Some(store) = story.buffered_by(row) {
        event["store"] = (store + 1).into();
    }
    event
}

fn origin_json(origin: Origin) -> Value {
    match origin {
        Origin::Initial => json!({ "initial": true }),
        Origin::Row(at) => json!({ "event": at + 1 }),
        Origin::Hidden(thread) => json!({ "thread": thread.to_string() }),
    }
}

fn waiting_json(waiting: &Waiting) -> Value {
    json!({ "thread": waiting.thread.to_string(), "place": waiting.place.as_ref().map(place_json), "text": waiting.text })
}
