//! Text that a submission, or whoever named its files, has a say in, made fit for a terminal or a page.

/// How services that run builds begin a command in what a step prints, at any place of a line: GitHub's older form, and
/// those of Azure and TeamCity.
const COMMANDS: [&str; 3] = ["##[", "##vso[", "##teamcity["];

/// Foreign text with everything escaped that could move a terminal's cursor or turn its text around, with what cannot be
/// seen, or stands for no letter at all, and with what a service that runs builds would take for a command.
pub fn printable(text: &str) -> String {
    // Most text is of this kind, and a log of a hundred thousand submissions has much of it.
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) && !text.contains("##") {
        return text.to_owned();
    }
    let mut shown = String::new();
    for (at, letter) in text.char_indices() {
        match letter {
            '\t' => shown.push_str("    "),
            '#' if COMMANDS.iter().any(|command| text[at..].starts_with(command)) => {
                shown.extend(letter.escape_unicode());
            }
            letter if is_plain(letter) => shown.push(letter),
            letter => shown.extend(letter.escape_default()),
        }
    }
    shown
}

fn is_plain(letter: char) -> bool {
    !letter.is_control()
        && !matches!(
            letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
                | '\u{e0000}'..='\u{e01ef}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_cannot_reach_the_terminal() {
        assert_eq!(printable("a\x1b[2Jb\u{202e}\t\u{e9}\r"), "a\\u{1b}[2Jb\\u{202e}    \u{e9}\\r");
    }

    #[test]
    fn what_cannot_be_seen_is_shown() {
        for letter in ['\u{ad}', '\u{34f}', '\u{200b}', '\u{3164}', '\u{fe0f}', '\u{feff}', '\u{e0101}'] {
            assert_eq!(printable(&letter.to_string()), letter.escape_unicode().to_string());
        }
    }

    #[test]
    fn nobody_gives_commands_to_who_runs_the_build() {
        for (text, shown) in [
            ("a ##[set-output name=x]y", r"a \u{23}#[set-output name=x]y"),
            ("###[error]", r"#\u{23}#[error]"),
            ("##vso[task.x]", r"\u{23}#vso[task.x]"),
            ("##teamcity[x]", r"\u{23}#teamcity[x]"),
            ("## heading [1], #[derive], a ## b", "## heading [1], #[derive], a ## b"),
        ] {
            assert_eq!(printable(text), shown);
        }
    }
}
