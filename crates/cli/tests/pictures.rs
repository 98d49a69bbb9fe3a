//! Pages and pictures of faults: whole in themselves, with every event, and what comes from the program stays text.

use crate::support::{Folder, root};
use std::path::PathBuf;
use std::process::Command;

fn copy(program: &str) -> Folder {
    let text = std::fs::read_to_string(root().join("corpus/reports").join(program)).expect("the program can be read");
    Folder::new(program, &text)
}

fn read(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).expect("the file is written")
}

#[test]
fn a_fault_is_drawn_in_three_ways() {
    let folder = copy("peterson.c");
    folder.check("check peterson.c -m TSO --html bug.html --svg bug.svg --dot bug.dot", 42, &["store buffer"]);
    let (html, svg, dot) = (read(&folder, "bug.html"), read(&folder, "bug.svg"), read(&folder, "bug.dot"));
    for part in ["that store was still in T2&#x27;s store buffer", "peterson.c under TSO", "data-e=\"20\"", "class=\"buffer\"", "<noscript"]
    {
        let is_expected = part != "<noscript";
        assert_eq!(html.contains(part), is_expected, "{part}");
    }
    for outside in ["http://", "https://", "src=", "@import", "url(h"] {
        let allowed = html.replace("http://www.w3.org/2000/svg", "");
        assert!(!allowed.contains(outside), "a page asks nobody for `{outside}`");
    }
    assert!(svg.starts_with("<?xml") && svg.trim_end().ends_with("</svg>"));
    assert_eq!(svg.matches("class=\"event").count(), 20);
    assert!(dot.contains("e4 -> e12 [label=\"waits in the buffer\"") && dot.contains("subgraph cluster_2"));
}

/// Names and messages of a program are text in every picture.
#[test]
fn what_comes_from_the_program_stays_text() {
    let program = r#"
#include <stdio.h>
#include <assert.h>
int main(void) {
  puts("</script><script>alert(1)</script>");
  assert(!"<b>&\"'</script>");
}
"#;
    let folder = Folder::new("hostile.c", program);
    folder.check("check hostile.c -m sc --html bug.html --svg bug.svg --dot bug.dot", 42, &[]);
    let (html, svg) = (read(&folder, "bug.html"), read(&folder, "bug.svg"));
    assert_eq!((html.matches("<script").count(), html.matches("</script").count()), (2, 2));
    assert!(!html.contains("<b>&") && !svg.contains("<b>"));
}

#[test]
fn inputs_are_not_overwritten_and_nothing_is_drawn_of_nothing() {
    let folder = copy("bits.c");
    folder.check("check bits.c --html bits.c", 2, &["would overwrite bits.c"]);
    folder.check("check bits.c -m sc --html bug.html", 0, &["there is no fault, so nothing is drawn"]);
    assert!(!folder.path().join("bug.html").exists());
}

#[test]
fn a_witness_is_drawn_and_stepped_through() {
    let folder = copy("peterson.c");
    folder.check("check peterson.c --model tso --witness bug.json", 42, &[]);
    folder.check(
        "replay bug.json --html bug.html --step",
        42,
        &["store wants[0] = 1 (buffered)", "buffer of T1: wants[0] = 1 (event 3)", "buffer of T2: inside = 2 (event 18)"],
    );
    folder.check("replay bug.json --until 9", 42, &["load wants[1] -> 0", "buffer of T2: wants[1] = 1 (event 5), turn = 0 (event 6)"]);
    folder.check(
        "replay bug.json --watch turn",
        42,
        &["store turn = 1 (buffered)", "update turn = 0", "update turn = 1", "load turn -> 1"],
    );
    folder.check("replay bug.json --watch trn", 2, &["did you mean `turn`?"]);
    folder.check("replay bug.json --until 99", 2, &["the execution has 20 events"]);
}

/// Debian's browser, where it is installed or can be.
fn browser() -> PathBuf {
    let installed = Command::new(root().join("tools/install")).args(["chromium", "chromium"]).status();
    assert!(installed.is_ok_and(|status| status.success()), "tools/install chromium chromium");
    "chromium".into()
}

/// What a page is once its script has run.
fn loaded(folder: &Folder, page: &str) -> String {
    let page = format!("file://{}", folder.path().join(page).display());
    let options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000", "--dump-dom"];
    let output = Command::new(browser()).args(options).arg(page).env("HOME", folder.path()).output().expect("the browser runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The script of a page runs under its own policy: it shows the buttons, and says where the execution stands.
#[test]
fn the_page_runs_in_a_browser() {
    let folder = copy("peterson.c");
    folder.check("check peterson.c --model tso --html bug.html", 42, &[]);
    let page = loaded(&folder, "bug.html");
    assert!(page.contains("before the first event"), "the script has run:\n{}", &page[..page.len().min(2000)]);
    assert!(!page.contains("class=\"step\" hidden"));
}
