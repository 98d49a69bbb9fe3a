//! An execution as a graph for Graphviz: a cluster for each thread, edges with herd's colours.

use crate::harmless::harmless;
use raddle_story::Told;

/// The kinds of edges with their colours, as herd has them.
const COLOURS: [(&str, &str); 5] = [("po", "black"), ("rf", "red"), ("co", "blue"), ("fr", "darkorange"), ("hb", "green4")];

/// The text for `dot`.
pub fn dot(told: &Told) -> String {
    let mut text = String::from("digraph execution {\n  node [shape=box, fontname=monospace, fontsize=10];\n  edge [fontsize=9];\n");
    for (thread, name) in &told.threads {
        let rows: Vec<usize> = (0..told.rows.len()).filter(|&n| told.rows[n].thread == *thread).collect();
        if rows.is_empty() {
            continue;
        }
        text += &format!("  subgraph cluster_{} {{\n    label={};\n", thread.0, quoted(&format!("{thread} {name}")));
        for n in rows {
            let row = &told.rows[n];
            let place = row.place.as_ref().map_or(String::new(), |place| format!("\n{}:{}", place.file, place.line));
            let style = if told.why.rows.contains(&n) { ", style=bold" } else { "" };
            text += &format!("    e{} [label={}{style}];\n", n + 1, quoted(&format!("{}: {}{place}", n + 1, row.text)));
        }
        text += "  }\n";
    }
    let lists = [&told.edges.po, &told.edges.rf, &told.edges.co, &told.edges.fr, &told.edges.hb];
    for ((kind, colour), list) in COLOURS.into_iter().zip(lists) {
        for (from, to) in list {
            text += &format!("  e{} -> e{} [label={kind}, color={colour}, fontcolor={colour}];\n", from + 1, to + 1);
        }
    }
    for (n, row) in told.rows.iter().enumerate() {
        if let Some(store) = told.buffered_by(row) {
            text +=
                &format!("  e{} -> e{} [label=\"waits in the buffer\", color=purple, fontcolor=purple, style=dashed];\n", store + 1, n + 1);
        }
    }
    text + "}\n"
}

/// A string of the language of Graphviz.
fn quoted(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| harmless(line).replace('\\', "\\\\").replace('"', "\\\"")).collect();
    format!("\"{}\"", lines.join("\\n"))
}
