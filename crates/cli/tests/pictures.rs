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

#[track_caller]
fn check_that_it_asks_nobody(html: &str) {
    for outside in ["http://", "https://", "src=", "@import", "url(h"] {
        let allowed = html.replace("http://www.w3.org/2000/svg", "");
        assert!(!allowed.contains(outside), "a page asks nobody for `{outside}`");
    }
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
    check_that_it_asks_nobody(&html);
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

const STORE_BUFFERING: &str = "X86 SB
{ }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0 \\/ 0:EAX=7)
";

#[test]
fn outcomes_of_litmus_tests_are_drawn() {
    let folder = Folder::new("sb.litmus", STORE_BUFFERING);
    folder.check("litmus sb.litmus --model all --html all.html", 0, &["Forbidden 3", "Allowed 4"]);
    folder.check("litmus sb.litmus --model tso --html tso.html", 0, &["Observation SB Sometimes 1 3"]);
    let (all, tso) = (read(&folder, "all.html"), read(&folder, "tso.html"));
    check_that_it_asks_nobody(&all);
    assert!(!all.contains("<script") && !tso.contains("<script"));
    // One graph for each outcome: three under SC, four under TSO and PSO; the same for others that make sense.
    assert_eq!(tso.matches("<figure").count(), 4);
    assert_eq!(tso.matches("<svg").count(), 4);
    for part in ["SB <span class=\"where\">under TSO", "<code>0:EAX=0; 1:EAX=0;</code> <strong>the condition holds", "in the buffer of T0"]
    {
        assert!(tso.contains(part), "{part}:\n{tso}");
    }
    for test in 1..=3 {
        assert!(all.contains(&format!("href=\"#test{test}\"")) && all.contains(&format!("id=\"test{test}\"")));
    }
    // What edges end in is in the same picture: names are not used twice.
    assert!((1..=4).all(|n| tso.matches(&format!("id=\"end{n}-rf\"")).count() == 1));
    folder.check("litmus sb.litmus --html sb.litmus", 2, &["the page would overwrite sb.litmus"]);
}

#[test]
fn a_comparison_is_drawn() {
    let folder = copy("message.c");
    folder.check("compare message.c --html models.html", 42, &["wrong under RC11, AArch64 and POWER"]);
    let page = read(&folder, "models.html");
    check_that_it_asks_nobody(&page);
    for part in ["message.c is correct under SC and TSO", "<a href=\"#RC11\">", "id=\"POWER\"", "the store is relaxed"] {
        assert!(page.contains(part), "{part}");
    }
    assert_eq!(page.matches("<svg").count(), 3);
    folder.check("compare message.c --models sc --html message.c", 2, &["the page would overwrite message.c"]);
}

/// What comes from tests stays text there too.
#[test]
fn what_comes_from_a_litmus_test_stays_text() {
    let folder = Folder::new("bad.litmus", &STORE_BUFFERING.replace("X86 SB", "X86 SB<b>&\n\"</pre><script>alert(1)</script>\""));
    folder.raddle("litmus bad.litmus --html page.html");
    let page = read(&folder, "page.html");
    assert!(!page.contains("<script") && !page.contains("SB<b>"), "{page}");
}

/// Debian's browser, where it is installed or can be.
fn browser() -> PathBuf {
    let installed = Command::new(root().join("tools/install")).args(["chromium", "chromium"]).status();
    assert!(installed.is_ok_and(|status| status.success()), "tools/install chromium chromium");
    "chromium".into()
}

/// Starts the browser without anything but a page.
fn browse(folder: &Folder, page: &str, options: &[&str]) -> Vec<u8> {
    let page = format!("file://{}", folder.path().join(page).display());
    let profile = format!("--user-data-dir={}", folder.path().join("profile").display());
    let alone = ["quic", "background-networking", "component-update", "sync", "gpu"].map(|what| format!("--disable-{what}"));
    let mut command = Command::new(browser());
    command.args(["--headless", "--no-sandbox", "--no-first-run", "--virtual-time-budget=2000"]).args(alone).arg(profile);
    command.args(options).arg(page).env("HOME", folder.path()).output().expect("the browser runs").stdout
}

/// What a page is once its script has run.
fn loaded(folder: &Folder, page: &str) -> String {
    String::from_utf8_lossy(&browse(folder, page, &["--dump-dom"])).into_owned()
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

/// Pages without a script are shown, on a telephone and on a screen.
#[test]
fn pages_of_tests_and_models_are_shown_by_a_browser() {
    let folder = copy("message.c");
    folder.write("sb.litmus", STORE_BUFFERING);
    folder.check("compare message.c --html models.html", 42, &[]);
    folder.check("litmus sb.litmus --model tso --html tests.html", 0, &[]);
    for page in ["models.html", "tests.html"] {
        assert!(loaded(&folder, page).contains("synchronises with"));
        for size in ["400,800", "1400,900"] {
            let picture = folder.path().join("shown.png");
            browse(&folder, page, &[&format!("--screenshot={}", picture.display()), &format!("--window-size={size}")]);
            let shown = std::fs::read(&picture).expect("there is a picture");
            assert!(shown.len() > 10_000, "{page} is empty at {size}");
            std::fs::remove_file(&picture).expect("it can be removed");
        }
    }
}
