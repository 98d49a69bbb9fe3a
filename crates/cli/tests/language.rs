//! What of C and C++ is run (docs/language.md), under every model that has it. The programs are those of
//! corpus/language.

use crate::support;

#[test]
fn programs_mean_what_their_language_says() {
    support::check_folder("corpus/language");
}

/// Old C is refused, with exit code 4, where nobody asks for it.
#[test]
fn old_c_is_asked_for() {
    let output = support::raddle(&["check", "corpus/language/old.c", "--model", "sc"]);
    assert_eq!(output.status.code(), Some(4), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--lenient"), "{}", String::from_utf8_lossy(&output.stderr));
}
