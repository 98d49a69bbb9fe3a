//! Names of options in any case: `--Model` and `--MODEL` are `--model`. What is said to an option is left as it is.

use clap::Command;
use std::ffi::OsString;

/// The command line with the names of options as they are known. What comes after `--` goes to the compiler.
pub fn mended(words: impl Iterator<Item = OsString>, command: &Command) -> Vec<OsString> {
    let (mut all, mut is_ours) = (Vec::new(), true);
    for word in words {
        is_ours &= word != "--";
        let is_value = all.last().is_some_and(|before: &OsString| before == "--args" || before == "--nondet");
        all.push(if is_ours && !is_value { spelled(word, command) } else { word });
    }
    all
}

/// Whether a command, or one below it, has an option of that long name.
fn has_option(command: &Command, name: &str) -> bool {
    command.get_arguments().any(|argument| argument.get_long() == Some(name))
        || matches!(name, "help" | "version")
        || command.get_subcommands().any(|below| has_option(below, name))
}

/// Whether a word is an option of `raddle check` or `raddle sample` whose value is the next word.
pub fn takes_value(command: &Command, word: &str) -> bool {
    let arguments = || command.get_subcommands().filter(|of| matches!(of.get_name(), "check" | "sample")).flat_map(Command::get_arguments);
    let is_it = |argument: &&clap::Arg| match word.strip_prefix("--") {
        Some(long) => argument.get_long() == Some(long),
        None => argument.get_short().is_some_and(|short| word == format!("-{short}")),
    };
    let global = command.get_arguments();
    arguments().chain(global).find(is_it).is_some_and(|argument| argument.get_action().takes_values())
}

fn spelled(word: OsString, command: &Command) -> OsString {
    let Some(text) = word.to_str().and_then(|word| word.strip_prefix("--")) else { return word };
    let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
    let lower = name.to_lowercase().replace('_', "-");
    if lower == name || has_option(command, name) || !has_option(command, &lower) {
        return word;
    }
    value.map_or_else(|| format!("--{lower}"), |value| format!("--{lower}={value}")).into()
}

#[cfg(test)]
mod tests {
    use super::mended;
    use crate::arguments::Arguments;
    use clap::CommandFactory;

    #[test]
    fn names_have_any_case_and_values_stay() {
        let said = ["raddle", "check", "A.c", "--Model=TSO", "--KEEP_GOING", "--args", "--Model", "--Modell", "--", "--Model"];
        let mended = mended(said.iter().map(Into::into), &Arguments::command());
        let expected = ["raddle", "check", "A.c", "--model=TSO", "--keep-going", "--args", "--Model", "--Modell", "--", "--Model"];
        assert_eq!(mended, expected);
    }
}
