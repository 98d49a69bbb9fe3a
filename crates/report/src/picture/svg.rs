//! An execution as a graph in SVG: threads are columns, program order goes downward, edges have herd's colours, and a
//! store that waits in a buffer is a band from the store to where it reaches memory.

use super::layout::{Column, HEAD, LINE, Layout, Node};
use crate::harmless::harmless;
use raddle_story::Told;
use std::fmt::Write;

/// The kinds of edges, each with its word and what it means.
pub const EDGES: [(&str, &str); 5] = [
    ("po", "program order"),
    ("rf", "reads from"),
    ("co", "comes later in memory"),
    ("fr", "reads what is overwritten by"),
    ("hb", "synchronises with"),
];

/// What gives the picture its colours; light, or dark where the reader's other windows are.
const STYLE: &str = include_str!("graph.css");

/// The height of a box.
const BOX: usize = 24;

/// What surrounds a picture.
#[derive(Clone, Copy)]
pub enum Around {
    /// A file: it has the style and a legend.
    File,
    /// A page that shows one picture, with a legend.
    Page,
    /// A page that shows several, of which this is the one with this number, with one legend for all.
    Pages(usize),
}

/// A picture for itself.
pub fn svg_file(told: &Told) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", svg(told, Around::File))
}

/// The picture; in a page the style is that of the page.
pub fn svg(told: &Told, around: Around) -> String {
    let layout = Layout::new(told);
    let (width, height) = match around {
        Around::Pages(_) => (layout.width, layout.height),
        _ => (layout.width.max(520), layout.height + 30),
    };
    // What edges end in has a name of its own in each picture of a page.
    let ends = if let Around::Pages(n) = around { format!("end{n}") } else { "end".into() };
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"graph\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-label=\"The execution as a graph\">\n"
    );
    if matches!(around, Around::File) {
        text += &format!("<style>{STYLE}</style>\n");
    }
    text += "<defs>";
    for (kind, _) in EDGES {
        text += &format!(
            "<marker id=\"{ends}-{kind}\" class=\"{kind}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
             orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\"/></marker>"
        );
    }
    text += "</defs>\n<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n";
    layout.columns.iter().for_each(|column| head(&mut text, column, layout.height));
    buffers(&mut text, told, &layout);
    let mut lines = String::new();
    edges(&mut lines, told, &layout);
    text += &lines.replace("url(#end-", &format!("url(#{ends}-"));
    layout.nodes.iter().for_each(|node| event(&mut text, told, &layout, node));
    if !matches!(around, Around::Pages(_)) {
        legend(&mut text, layout.height + 12);
    }
    text + "</svg>"
}

/// The rules for colours, for pages.
pub fn style() -> &'static str {
    STYLE
}

fn put(text: &mut String, what: std::fmt::Arguments) {
    text.write_fmt(what).expect("text can be written to");
}

fn head(text: &mut String, column: &Column, height: usize) {
    let middle = column.x + column.width / 2;
    put(text, format_args!("<text class=\"thread\" x=\"{middle}\" y=\"{}\">{}</text>\n", HEAD - 24, escaped(&column.name)));
    put(text, format_args!("<line class=\"life\" x1=\"{middle}\" y1=\"{}\" x2=\"{middle}\" y2=\"{}\"/>\n", HEAD - 12, height - 8));
}

/// The time that each store waits in its buffer.
fn buffers(text: &mut String, told: &Told, layout: &Layout) {
    for node in &layout.nodes {
        let row = &told.rows[node.row];
        let Some(store) = told.buffered_by(row).filter(|_| row.update).and_then(|store| layout.node(store)) else { continue };
        let column = &layout.columns[node.column];
        let x = column.x + column.width + 5;
        let height = node.y.saturating_sub(store.y);
        put(
            text,
            format_args!(
                "<g class=\"buffer\" data-e=\"{} {}\"><rect x=\"{x}\" y=\"{}\" width=\"7\" height=\"{height}\" rx=\"3\"/><title>in the buffer \
             of {} from event {} to event {}</title></g>\n",
                store.row + 1,
                node.row + 1,
                store.y,
                row.thread,
                store.row + 1,
                node.row + 1
            ),
        );
    }
}

fn edges(text: &mut String, told: &Told, layout: &Layout) {
    let lists = [("po", &told.edges.po), ("rf", &told.edges.rf), ("co", &told.edges.co), ("fr", &told.edges.fr), ("hb", &told.edges.hb)];
    for (kind, list) in lists {
        for &(from, to) in list {
            let (Some(a), Some(b)) = (layout.node(from), layout.node(to)) else { continue };
            // What stays in a thread is plain from its column.
            if kind != "po" && a.column == b.column {
                continue;
            }
            let is_in_why = kind != "po" && told.why.rows.contains(&from) && told.why.rows.contains(&to);
            let class = if is_in_why { format!("edge {kind} why") } else { format!("edge {kind}") };
            edge(text, layout, (a, b), (kind, &class));
        }
    }
}

fn edge(text: &mut String, layout: &Layout, (a, b): (&Node, &Node), (kind, class): (&str, &str)) {
    let (from, to) = (&layout.columns[a.column], &layout.columns[b.column]);
    let ends = format!("data-e=\"{} {}\"", a.row + 1, b.row + 1);
    if a.column == b.column {
        let x = from.x + from.width / 2;
        let (y1, y2) = if a.y < b.y { (a.y + BOX / 2, b.y - BOX / 2) } else { (a.y - BOX / 2, b.y + BOX / 2) };
        put(text, format_args!("<path class=\"{class}\" {ends} d=\"M{x},{y1} L{x},{y2}\" marker-end=\"url(#end-{kind})\"/>\n"));
        return;
    }
    let (x1, x2) = if a.column < b.column { (from.x + from.width, to.x) } else { (from.x, to.x + to.width) };
    let middle = (x1 + x2) / 2;
    // Edges of different kinds between the same events lie beside each other.
    let aside = EDGES.iter().position(|(known, _)| *known == kind).unwrap_or(0) * 4;
    let (y1, y2) = (a.y + aside - 8, b.y + aside - 8);
    put(
        text,
        format_args!(
            "<path class=\"{class}\" {ends} d=\"M{x1},{y1} C{middle},{y1} {middle},{y2} {x2},{y2}\" marker-end=\"url(#end-{kind})\"/>\n"
        ),
    );
    let beside = x2 as i64 + if a.column < b.column { -24 } else { 24 };
    put(text, format_args!("<text class=\"word {class}\" {ends} x=\"{beside}\" y=\"{}\">{kind}</text>\n", y2 as i64 - 3));
}

fn event(text: &mut String, told: &Told, layout: &Layout, node: &Node) {
    let (row, column) = (&told.rows[node.row], &layout.columns[node.column]);
    let number = node.row + 1;
    let mut class = String::from("event");
    if row.update {
        class += " update";
    }
    if row.deed.action == "fault" || row.text.contains("-> use-after-free") {
        class += " fault";
    }
    if told.why.rows.contains(&node.row) {
        class += " why";
    }
    let place = row.place.as_ref().map_or(String::new(), |place| format!(" ({}:{})", place.file, place.line));
    let note = row.note.as_ref().map_or(String::new(), |note| format!(", {note}"));
    let title = escaped(&format!("{number}: {} {}{note}{place}", row.thread, row.text));
    let (x, y, width) = (column.x, node.y - BOX / 2, column.width);
    put(
        text,
        format_args!(
            "<g class=\"{class}\" data-e=\"{number}\" tabindex=\"-1\"><title>{title}</title><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" \
         height=\"{BOX}\" rx=\"5\"/><text x=\"{}\" y=\"{}\">{}</text></g>\n",
            x + 10,
            node.y + 4,
            escaped(&node.label)
        ),
    );
    put(text, format_args!("<text class=\"number\" x=\"36\" y=\"{}\">{number}</text>\n", node.y + 4));
}

fn legend(text: &mut String, y: usize) {
    let mut x = 12;
    for (kind, meaning) in EDGES {
        put(text, format_args!("<path class=\"edge {kind} why\" d=\"M{x},{y} L{},{y}\" marker-end=\"url(#end-{kind})\"/>", x + 22));
        put(text, format_args!("<text class=\"legend\" x=\"{}\" y=\"{}\">{kind}<title>{meaning}</title></text>\n", x + 28, y + 4));
        x += 62;
    }
    put(text, format_args!("<g class=\"buffer\"><rect x=\"{x}\" y=\"{}\" width=\"7\" height=\"{}\" rx=\"3\"/></g>", y - 8, LINE / 2));
    put(text, format_args!("<text class=\"legend\" x=\"{}\" y=\"{}\">waits in a buffer</text>\n", x + 14, y + 4));
}

/// Text that may come from anywhere, for XML.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in harmless(text).chars() {
        match c {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            c => out.push(c),
        }
    }
    out
}
