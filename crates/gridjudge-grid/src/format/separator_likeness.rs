//! Decides whether a line is the separator between two grids, or a misspelt one.

use crate::Separator;
use crate::format::GridReader;
use crate::format::lines::same_but_for_spaces;

/// How much a line resembles the separator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeparatorLikeness {
    /// It is the separator, ignoring spaces at its ends.
    Same,
    /// Only its white space differs.
    Spaced,
    /// It is a misspelt separator.
    Wrong,
    /// It is something else.
    Other,
}

impl GridReader {
    /// The line between two cases.
    pub fn separator(&self) -> Option<&Separator> {
        self.separator.as_ref()
    }

    /// How much a line resembles the separator. A misspelt separator has the same letters and
    /// digits as the right one (none if that has none), ignoring case.
    pub fn likeness_of_separator(&self, text: &[u8]) -> SeparatorLikeness {
        let Some(Separator { line, .. }) = &self.separator else {
            return SeparatorLikeness::Other;
        };
        let letters = |text: &[u8]| {
            let letters = text.iter().filter(|byte| byte.is_ascii_alphanumeric());
            letters.map(u8::to_ascii_lowercase).collect::<Vec<_>>()
        };
        match text.trim_ascii() {
            text if text == line.as_bytes() => SeparatorLikeness::Same,
            [] => SeparatorLikeness::Other,
            text if letters(text) != letters(line.as_bytes()) || self.is_anything_else(text) => {
                SeparatorLikeness::Other
            }
            text if same_but_for_spaces(text, line.as_bytes()) => SeparatorLikeness::Spaced,
            _ => SeparatorLikeness::Wrong,
        }
    }

    /// Whether a line is a separator, even a misspelt one.
    pub fn is_separator_like(&self, text: &[u8]) -> bool {
        self.separator.is_some() && self.likeness_of_separator(text) != SeparatorLikeness::Other
    }

    fn is_anything_else(&self, text: &[u8]) -> bool {
        self.is_row(text)
            || self.is_banner(text)
            || self.is_lead(text)
            || self
                .reply(text)
                .or_else(|| self.nearly_reply(text))
                .is_some()
    }
}
