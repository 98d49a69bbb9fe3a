//! What of C and C++ is run (docs/language.md), under every model that has it. The programs are those of
//! corpus/language.

use crate::support;

#[test]
fn programs_mean_what_their_language_says() {
    support::check_folder("corpus/language");
}
