//! A command line in one string, word by word, as a shell reads it: quotes keep spaces, a backslash keeps what follows.

/// The words of a text.
pub fn words(text: &str) -> Vec<String> {
    let (mut all, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut left = text.chars();
    while let Some(c) = left.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(left.next()),
            (None, c) if c.is_whitespace() => all.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    all.extend(word);
    all
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn quotes_keep_spaces() {
        assert_eq!(words("  sum 4  '5 6' \"\" a\\ b"), ["sum", "4", "5 6", "", "a b"]);
        assert!(words("  ").is_empty());
    }
}
