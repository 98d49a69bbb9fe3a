//! Text of unknown origin (names, messages, what a program prints) without anything that a terminal would obey.

use serde_json::Value;
use std::borrow::Cow;

/// One line of text: whatever moves the cursor, changes colours or turns the direction of writing is shown as an escape
/// like `\u{1b}`.
pub fn harmless(text: &str) -> Cow<'_, str> {
    escaped(text, is_obeyed)
}

/// The same of several lines, with tabs.
pub fn harmless_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_obeyed(c) && !matches!(c, '\n' | '\t'))
}

/// A source text that is quoted. Each character takes as many bytes as before, so that places stay. (What is left of
/// the control characters is shown by symbols where it is quoted.)
pub fn quotable(text: &str) -> Cow<'_, str> {
    match text.contains(is_late_control) {
        true => text.replace(is_late_control, "\u{bf}").into(),
        false => text.into(),
    }
}

/// The text of an object for scripts.
pub fn json_text(object: &Value) -> String {
    let text = object.to_string();
    match text.contains(is_obeyed) {
        true => text.chars().map(|c| if is_obeyed(c) { format!("\\u{:04x}", c as u32) } else { c.into() }).collect(),
        false => text,
    }
}

fn escaped(text: &str, is_obeyed: impl Fn(char) -> bool) -> Cow<'_, str> {
    match text.contains(&is_obeyed) {
        true => text.chars().map(|c| if is_obeyed(c) { c.escape_default().to_string() } else { c.into() }).collect(),
        false => text.into(),
    }
}

/// Control characters, and those that turn the direction of writing.
fn is_obeyed(c: char) -> bool {
    c.is_control() || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The control characters that take two bytes.
fn is_late_control(c: char) -> bool {
    ('\u{80}'..='\u{9f}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_to_obey() {
        assert_eq!(harmless("a\u{1b}[31mb\n\u{9b}c\u{202e}"), "a\\u{1b}[31mb\\n\\u{9b}c\\u{202e}");
        assert_eq!(harmless_lines("a\n\tb\r\u{7f}"), "a\n\tb\\r\\u{7f}");
        assert_eq!(harmless("caf\u{e9} \u{1f600}"), "caf\u{e9} \u{1f600}");
        assert_eq!(json_text(&Value::from("\u{1b}\u{9b}\u{202e}\u{7f}")), r#""\u001b\u009b\u202e\u007f""#);
        assert_eq!(quotable("a\u{9b}b").len(), "a\u{9b}b".len());
    }
}
