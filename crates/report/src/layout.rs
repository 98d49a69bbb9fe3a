//! How wide lines may be and whether they have colours, and the wrapping of text.

/// What the reader's terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// How many characters fit into a line.
    pub columns: usize,
    /// Whether it shows colours.
    pub colours: bool,
}

/// Breaks text at spaces into lines of at most `width` characters; lines after the first are indented by two.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(8);
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let mut left: Vec<char> = word.chars().collect();
        loop {
            let line = lines.last_mut().expect("there is a line");
            let used = line.chars().count();
            let begins = used == 0 || line.trim().is_empty();
            let gap = if begins { 0 } else { 1 };
            if used + gap + left.len() <= width {
                line.push_str(&" ".repeat(gap));
                line.extend(left);
                break;
            }
            if begins {
                let rest = left.split_off(width - used);
                line.extend(left);
                left = rest;
            }
            lines.push("  ".into());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn text_is_broken_at_spaces_and_long_words_anywhere() {
        assert_eq!(wrap("load x -> 1 (from T0)", 12), ["load x -> 1", "  (from T0)"]);
        assert_eq!(wrap("abcdefghijkl", 10), ["abcdefghij", "  kl"]);
        assert_eq!(wrap("", 10), [""]);
    }
}
