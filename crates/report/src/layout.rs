//! How wide lines may be and whether they have colours, and the wrapping of text.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What the reader's terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// How many characters fit into a line.
    pub columns: usize,
    /// Whether it shows colours.
    pub colours: bool,
    /// Whether long executions are shown whole.
    pub is_whole: bool,
}

/// Breaks text at spaces into lines of at most `width` characters; lines after the first are indented by two.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(8);
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let mut left = word;
        loop {
            let line = lines.last_mut().expect("there is a line");
            let used = line.width();
            let begins = used == 0 || line.trim().is_empty();
            let gap = if begins { 0 } else { 1 };
            if used + gap + left.width() <= width {
                line.push_str(&" ".repeat(gap));
                line.push_str(left);
                break;
            }
            if begins {
                let (part, rest) = left.split_at(fitting(left, width - used));
                line.push_str(part);
                left = rest;
            }
            lines.push("  ".into());
        }
    }
    lines
}

/// How many bytes of a text fit into so many columns; one character at least.
fn fitting(text: &str, columns: usize) -> usize {
    let mut used = 0;
    let is_over = |(_, c): &(usize, char)| {
        used += c.width().unwrap_or(0);
        used > columns
    };
    let first = text.chars().next().map_or(0, char::len_utf8);
    text.char_indices().find(is_over).map_or(text.len(), |(at, _)| at).max(first)
}

/// A text with spaces behind it up to a width. Characters of East Asia take two columns, marks none.
pub fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

#[cfg(test)]
mod tests {
    use super::{padded, wrap};

    #[test]
    fn text_is_broken_at_spaces_and_long_words_anywhere() {
        assert_eq!(wrap("load x -> 1 (from T0)", 12), ["load x -> 1", "  (from T0)"]);
        assert_eq!(wrap("abcdefghijkl", 10), ["abcdefghij", "  kl"]);
        assert_eq!(wrap("", 10), [""]);
        assert_eq!(wrap("変数変数変数", 8), ["変数変数", "  変数"]);
        assert_eq!(padded("変", 4), "変  ");
    }
}
