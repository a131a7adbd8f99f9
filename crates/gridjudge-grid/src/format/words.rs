//! Recognises the lines of words before a grid or in place of it, and checks whether they name the
//! right case.

use crate::Template;
use crate::format::parse_error::{ParseError, ParseErrorKind};
use crate::format::{GridReader, ReplyKind, TextLine, difference_of_words};

impl GridReader {
    /// The number of case `number` (from 1) in the lines that name it.
    pub(super) fn case_number(&self, number: u64) -> u64 {
        self.banner
            .as_ref()
            .map_or(number, |banner| banner.number(number))
    }

    /// The meaning of a line that may stand in place of a grid, whichever case it names, ignoring
    /// spaces at its ends; `None` for any other line.
    pub fn reply(&self, text: &[u8]) -> Option<ReplyKind> {
        let (reply, _) = self.texts.iter().find(|(_, known)| {
            known.resembles(text) && (known.digits.is_none() || self.row_values(text).is_none())
        })?;
        Some(*reply)
    }

    /// Like [`Self::reply`], but ignores all white space.
    pub fn nearly_reply(&self, text: &[u8]) -> Option<ReplyKind> {
        let near = self
            .texts
            .iter()
            .find(|(_, known)| !known.is_bare() && known.resembles_but_for_spaces(text));
        near.filter(|_| self.row_values(text).is_none())
            .map(|(reply, _)| *reply)
    }

    /// The error in a line with this meaning in place of grid `number`: its white space, or the
    /// case that it names.
    pub fn error_of_reply(
        &self,
        reply: ReplyKind,
        number: u64,
        line: &TextLine<'_>,
    ) -> Option<ParseError> {
        let (_, text) = self.texts.iter().find(|(known, _)| *known == reply)?;
        self.error_of_words(text, number, line)
    }

    /// Whether a line is the one that precedes a grid, whichever case it names, ignoring spaces at
    /// its ends.
    pub(super) fn is_lead(&self, text: &[u8]) -> bool {
        self.lead.as_ref().is_some_and(|lead| {
            lead.resembles(text) && (lead.digits.is_none() || self.row_values(text).is_none())
        })
    }

    pub(super) fn is_lead_but_for_spaces(&self, text: &[u8]) -> bool {
        self.lead
            .as_ref()
            .is_some_and(|lead| !lead.is_bare() && lead.resembles_but_for_spaces(text))
    }

    /// The error in a line that equals these words of case `number` except for its white space or
    /// that number.
    pub(super) fn error_of_words(
        &self,
        words: &Template,
        number: u64,
        line: &TextLine<'_>,
    ) -> Option<ParseError> {
        let error = difference_of_words(&words.line(self.case_number(number)), line)?;
        Some(match error.kind {
            ParseErrorKind::WrongWords { expected, found } => ParseError {
                kind: ParseErrorKind::WrongCase { expected, found },
                ..error
            },
            _ => error,
        })
    }
}
