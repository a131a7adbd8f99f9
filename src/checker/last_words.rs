//! The last line that a program wrote, for use after its exit code in a message.

/// The most letters of a line that are shown.
const LONGEST_LINE: usize = 200;

/// The last line of standard error, else of standard output, after a colon; empty if there is none.
pub(super) fn last_words(printed: &[u8], errors: &[u8]) -> String {
    let last = |text: &[u8]| {
        let text = String::from_utf8_lossy(text).into_owned();
        let line = text
            .lines()
            .rev()
            .map(str::trim)
            .find(|line| !line.is_empty())?;
        Some(line.chars().take(LONGEST_LINE).collect::<String>())
    };
    last(errors)
        .or_else(|| last(printed))
        .map_or_else(String::new, |line| format!(": {line}"))
}
