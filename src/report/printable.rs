//! Text that a submission, or whoever named its files, has a say in, made fit for a terminal or a page.

/// Foreign text with everything escaped that could move a terminal's cursor or turn its text around, and
/// with what cannot be seen, or stands for no letter at all.
pub fn printable(text: &str) -> String {
    // Most text is of this kind, and a log of a hundred thousand submissions has much of it.
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return text.to_owned();
    }
    let is_plain = |letter: char| {
        !letter.is_control()
            && !matches!(
                letter,
                '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
                    | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}'
            )
    };
    text.chars().fold(String::new(), |mut shown, letter| {
        match letter {
            '\t' => shown.push_str("    "),
            letter if is_plain(letter) => shown.push(letter),
            letter => shown.extend(letter.escape_default()),
        }
        shown
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_cannot_reach_the_terminal() {
        assert_eq!(printable("a\x1b[2Jb\u{202e}\t\u{e9}\r"), "a\\u{1b}[2Jb\\u{202e}    \u{e9}\\r");
    }
}
