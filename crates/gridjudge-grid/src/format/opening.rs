//! Recognises the opening of a case: which line is its banner, where the text after the
//! banner begins, and which line opens the next case.

use crate::format::lines::{same_but_for_spaces, without_spaces};
use crate::format::parse_error::{ParseError, ParseErrorKind};
use crate::format::reader::LineCells;
use crate::format::template::runs_on;
use crate::format::{
    GridReader, TextLine, TextOffset, UNREAD, lines, quoted_bytes, written_lines,
};
use crate::{Banner, BannerPlace, FollowingLine};

/// How many words of a line are searched for the end of a misspelt banner.
const MOST_WORDS: usize = 16;

/// The opening of a case at the start of a window.
#[derive(Default)]
pub struct CaseOpening {
    /// What is wrong with the banner; `None` if it is right.
    pub error: Option<ParseError>,
    /// The end of the banner's line, or the start of the text that follows the banner
    /// on its line.
    pub end: TextOffset,
    /// Whether text follows the banner on its line; `None` if there is no banner.
    goes_on: Option<bool>,
    /// The place at which the banner starts.
    start: TextOffset,
}

impl CaseOpening {
    /// The opening whose banner is on this line. The text that follows the banner on the
    /// line begins at byte `follows` of it.
    fn on_line(
        line: &TextLine<'_>,
        error: Option<ParseErrorKind>,
        follows: Option<usize>,
    ) -> Self {
        Self {
            error: error.map(|kind| kind.at(line.start)),
            end: follows.map_or(line.end, |follows| line.byte(follows)),
            goes_on: Some(follows.is_some()),
            start: line.start,
        }
    }

    /// Whether text follows the banner on its line.
    pub fn shares_its_line(&self) -> bool {
        self.goes_on == Some(true)
    }

    /// The lines after it in its window.
    pub(super) fn rest<'w>(
        &self,
        window: &'w [u8],
    ) -> impl Iterator<Item = TextLine<'w>> + Clone + use<'w> {
        let end = self.end;
        lines(&window[end.bytes..]).map(move |line| line.shifted_by(end))
    }

    /// The same opening, without an error, if the text is preceded by another that ends
    /// there.
    pub(super) fn shifted_by(self, before: TextOffset) -> Self {
        Self {
            error: None,
            end: before + self.end,
            start: before + self.start,
            ..self
        }
    }
}

impl GridReader {
    /// Finds the banner of case `number` at the start of a window.
    pub fn opening(&self, number: u64, window: &[u8]) -> CaseOpening {
        let Some(banner) = &self.layout.banner else {
            return CaseOpening::default();
        };
        let expected = banner.line(number).trim().to_owned();
        let Some(line) =
            lines(window)
                .find(|line| !self.is_void(line.text))
                .filter(|line| {
                    // A line that begins with the banner, even with extra white space
                    // inside, may have as many words as a row has cells.
                    let begins = banner.is_seen_in(line.text)
                        || banner.place != BannerPlace::Own
                            && end_but_for_spaces(&expected, line.text).is_some();
                    self.is_nothing_but(&expected, line.text)
                        || begins && self.row_values(line.text).is_none()
                        || !self.is_row(line.text)
                            && !self.is_words_of_ours(line.text)
                            && !self.is_separator_like(line.text)
                            && !self.is_count(line.text)
                })
        else {
            let missing = ParseErrorKind::MissingBanner { expected };
            return CaseOpening {
                error: Some(missing.at(TextOffset::START)),
                ..CaseOpening::default()
            };
        };
        let parts = if self.is_nothing_but(&expected, line.text) {
            None
        } else {
            self.parts(banner, &expected, line.text)
        };
        let (end, follows) = parts.unzip();
        let error = banner_error(banner, number, line.text, end);
        CaseOpening::on_line(&line, error, follows)
    }

    /// The opening of case `number` before this content, if the window begins with the
    /// characters of its banner and what follows stands where it should, whatever the
    /// white space between them.
    pub fn opening_but_for_spaces(
        &self,
        number: u64,
        window: &[u8],
        follows: FollowingLine,
    ) -> Option<CaseOpening> {
        let Some(banner) = &self.layout.banner else {
            return Some(CaseOpening::default());
        };
        let line = written_lines(window).next()?;
        let end = end_but_for_spaces(&banner.line(number), line.text)?;
        let follows_at = line.text.len() - line.text[end..].trim_ascii_start().len();
        let goes_on = follows_at < line.text.len();
        let error = banner_error(banner, number, line.text, goes_on.then_some(end));
        (goes_on != banner.is_alone_before(follows)).then(|| {
            CaseOpening::on_line(&line, error, goes_on.then_some(follows_at))
        })
    }

    /// Whether a line is this banner, even with extra white space inside. Such a line
    /// may have as many words as a row has cells, or begin with another banner.
    fn is_nothing_but(&self, expected: &str, text: &[u8]) -> bool {
        text.trim_ascii() == expected.as_bytes()
            || same_but_for_spaces(expected.as_bytes(), text)
                && self.row_values(text).is_none()
    }

    /// Whether a line is a banner with any number, or begins with one. A line that
    /// could also be a row counts as a row.
    pub fn is_banner(&self, text: &[u8]) -> bool {
        let banner = self.layout.banner.as_ref();
        banner.is_some_and(|banner| banner.is_seen_in(text))
            && self.row_values(text).is_none()
    }

    /// Whether a line begins with the banner of case `number`, and perhaps goes on after
    /// white space.
    pub fn begins_case(&self, number: u64, line: &[u8]) -> bool {
        self.layout.banner.as_ref().is_some_and(|banner| {
            line.trim_ascii()
                .strip_prefix(banner.line(number).trim().as_bytes())
                .is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
        })
    }

    /// Whether a line opens a case, even with a misspelt banner.
    pub fn opens_a_case(&self, text: &[u8]) -> bool {
        self.is_banner(text)
            || self.layout.banner.as_ref().is_some_and(|banner| {
                (banner.has_the_letters_of(text)
                    || banner.begins_but_for_spaces(text))
                    && !self.is_words_of_ours(text)
            }) && self.row_values(text).is_none()
    }

    /// Whether a line is the first of an answer: its banner, even a misspelt one, or the
    /// words before a grid or in place of it.
    pub fn opens_an_answer(&self, text: &[u8]) -> bool {
        self.opens_a_case(text) || self.is_words_of_ours(text)
    }

    /// The error if a banner stands on a line of its own but should not, or the other
    /// way round. `None` if its place is right, or if more than its white space is
    /// wrong. `follows` is the content after the banner.
    pub fn misplaced(
        &self,
        opening: &CaseOpening,
        number: u64,
        follows: FollowingLine,
    ) -> Option<ParseError> {
        let banner = self.layout.banner.as_ref().filter(|_| {
            opening.error.as_ref().is_none_or(|error| {
                matches!(
                    error.kind,
                    ParseErrorKind::BannerSpacing { .. }
                        | ParseErrorKind::WordSpacing { .. }
                )
            })
        })?;
        let is_alone = banner.is_alone_before(follows);
        (is_alone == opening.goes_on?).then_some(
            ParseErrorKind::BannerPlace {
                banner: banner.line(number).trim().to_owned(),
                is_alone,
            }
            .at(opening.start),
        )
    }

    /// The end of the banner on a line that continues after it, and the start of the
    /// text that follows.
    fn parts(
        &self,
        banner: &Banner,
        expected: &str,
        text: &[u8],
    ) -> Option<(usize, usize)> {
        let split = banner.split(text);
        if split.is_some() && self.row_values(text).is_none() {
            return split;
        }
        let is_known =
            |tail: &[u8]| self.is_words_of_ours(tail) || self.is_count(tail);
        let end = end_but_for_spaces(expected, text)
            .filter(|_| banner.place != BannerPlace::Own);
        // In `Case 12`, the 2 may belong to a wrong number.
        if let Some(end) = end.filter(|&end| {
            !runs_on(text, end)
                || is_known(&text[end..])
                || self.row_values(&text[end..]).is_some()
        }) {
            let follows = text.len() - text[end..].trim_ascii_start().len();
            return (follows < text.len()).then_some((end, follows));
        }
        // The banner is misspelt, but the words that may follow it are known.
        let spaces = (1..text.len())
            .filter(|&place| text[place - 1] == b' ')
            .take(MOST_WORDS);
        let follows = { spaces }
            .find(|&place| text[place] != b' ' && is_known(&text[place..]))?;
        (!banner.is_alone_before(FollowingLine::Words)).then_some((follows, follows))
    }

    /// Whether a line is one of the texts that may stand before a grid or in place of
    /// it.
    pub(super) fn is_words_of_ours(&self, text: &[u8]) -> bool {
        self.reply(text).is_some() || self.is_lead(text)
    }

    /// Whether a line looks like a row rather than a banner.
    pub(super) fn is_row(&self, text: &[u8]) -> bool {
        let units = self.units(text);
        units.cells.len() == self.width && self.known_cells(&units) > 0
            || self.is_torn_row(text)
    }

    /// The number of cells that can be read.
    pub(super) fn known_cells(&self, units: &LineCells<'_>) -> usize {
        units
            .cells
            .iter()
            .filter(|(_, cell)| self.value(cell) != UNREAD)
            .count()
    }
}

/// What is wrong with a banner at the start of a line. It ends at byte `end`, if other
/// text follows it there.
fn banner_error(
    banner: &Banner,
    number: u64,
    line: &[u8],
    end: Option<usize>,
) -> Option<ParseErrorKind> {
    let place = end.unwrap_or(line.len());
    let expected = banner.line(number).trim().to_owned();
    let found = line[..place].trim_ascii();
    if found != expected.as_bytes() {
        let is_spacing = same_but_for_spaces(expected.as_bytes(), found);
        let found = quoted_bytes(found);
        return Some(if is_spacing {
            ParseErrorKind::BannerSpacing { expected, found }
        } else {
            ParseErrorKind::WrongBanner { expected, found }
        });
    }
    let expected =
        banner.line(number).trim_start().to_owned() + &quoted_bytes(&line[place..]);
    runs_on(line, place).then(|| ParseErrorKind::WordSpacing {
        expected,
        found: quoted_bytes(line),
    })
}

/// The end of the expected text at the start of a line, ignoring white space in both;
/// `None` if the line does not begin with it.
fn end_but_for_spaces(expected: &str, line: &[u8]) -> Option<usize> {
    let mut letters = without_spaces(expected.as_bytes()).peekable();
    for (place, byte) in line.iter().enumerate() {
        if letters.peek().is_none() {
            return Some(place);
        }
        if !byte.is_ascii_whitespace() && letters.next() != Some(byte) {
            return None;
        }
    }
    letters.peek().is_none().then_some(line.len())
}
