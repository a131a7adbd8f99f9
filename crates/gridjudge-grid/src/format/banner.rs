//! Describes, writes and recognises the text that opens a case: `Case #1:`, on a line of its own or
//! before the text that follows.

use std::iter::Peekable;

use serde::{Deserialize, Serialize};

use crate::Template;

/// The text that opens each case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Banner {
    /// Its text.
    pub template: Template,
    /// The number of the first case.
    pub first: u64,
    /// Where it stands.
    pub place: BannerPlace,
}

/// Where a banner stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BannerPlace {
    /// On a line of its own.
    Own,
    /// On the same line as the words or the number that follow it; on a line of its own before
    /// cells.
    BeforeWords,
    /// On the same line as whatever follows it.
    Same,
}

/// The content that follows a banner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowingLine {
    /// Words or a number.
    Words,
    /// The first line of a grid.
    Cells,
}

/// The parts of a line that begins with a banner and continues after it.
pub(super) struct BannerSplit {
    /// The end of the banner, without trailing spaces.
    pub(super) end: usize,
    /// The start of the text that follows the banner.
    pub(super) follows: usize,
}

impl Banner {
    /// A banner on a line of its own, numbered from 1.
    pub fn own(template: Template) -> Self {
        Self {
            template,
            first: 1,
            place: BannerPlace::Own,
        }
    }

    /// The number that case `number` (from 1) has in its banner.
    pub fn number(&self, number: u64) -> u64 {
        number.saturating_add(self.first).saturating_sub(1)
    }

    /// The text of the banner of case `number` (from 1).
    pub fn line(&self, number: u64) -> String {
        self.template.line(self.number(number))
    }

    /// Whether it stands on a line of its own if this content follows.
    pub fn is_alone_before(&self, follows: FollowingLine) -> bool {
        match self.place {
            BannerPlace::Own => true,
            BannerPlace::BeforeWords => follows == FollowingLine::Cells,
            BannerPlace::Same => false,
        }
    }

    /// The template of the banner as written before this content, without a newline. The trailing
    /// space that separates it from words on the same line is left out if it stands alone.
    pub(super) fn template_before(&self, follows: FollowingLine) -> Template {
        let mut template = self.template.clone();
        if self.place == BannerPlace::BeforeWords && self.is_alone_before(follows) {
            match template.digits {
                Some(_) => template.after.truncate(template.after.trim_end().len()),
                None => template.before.truncate(template.before.trim_end().len()),
            }
        }
        template
    }

    /// The banner of case `number` (from 1) as written before this content, with a newline if it
    /// stands alone.
    pub fn before(&self, follows: FollowingLine, number: u64) -> String {
        let text = self.template_before(follows).line(self.number(number));
        if self.is_alone_before(follows) {
            text + "\n"
        } else {
            text
        }
    }

    /// Whether its last character would run into the text that follows it on its line.
    pub fn runs_into_what_follows(&self) -> bool {
        let end = self.line(1).bytes().last();
        self.place != BannerPlace::Own && end.is_some_and(|byte| byte.is_ascii_alphanumeric())
    }

    /// Splits a line that begins with a banner of any number and continues after it.
    pub(super) fn split(&self, line: &[u8]) -> Option<BannerSplit> {
        let Template {
            before,
            digits,
            after,
        } = &self.template;
        let written = line.trim_ascii_start();
        let rest = match digits {
            None => written.strip_prefix(before.trim().as_bytes())?,
            Some(_) => {
                let rest = written.strip_prefix(before.trim_start().as_bytes())?;
                let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                rest[digits..]
                    .strip_prefix(after.trim_end().as_bytes())
                    .filter(|_| digits > 0)?
            }
        };
        let end = line.len() - rest.len();
        let follows = line.len() - rest.trim_ascii_start().len();
        (follows < line.len() && !runs_on(line, end)).then_some(BannerSplit { end, follows })
    }

    /// Whether a line is a banner of any number, or begins with one.
    pub fn is_seen_in(&self, line: &[u8]) -> bool {
        self.template.resembles(line) || self.split(line).is_some()
    }

    /// Whether a line begins with a banner of any number, ignoring white space, where text follows
    /// it on its line.
    pub(super) fn begins_but_for_spaces(&self, line: &[u8]) -> bool {
        let Template {
            before,
            digits,
            after,
        } = &self.template;
        let mut letters = line
            .iter()
            .filter(|byte| !byte.is_ascii_whitespace())
            .peekable();
        // A banner of nothing but a number begins as any row does.
        let has_a_mark = !before.trim().is_empty() || !after.trim().is_empty();
        if self.place == BannerPlace::Own || !has_a_mark || !pass_over(&mut letters, before) {
            return false;
        }
        if digits.is_none() {
            return true;
        }
        let mut numbers = 0;
        while letters.next_if(|byte| byte.is_ascii_digit()).is_some() {
            numbers += 1;
        }
        numbers > 0 && pass_over(&mut letters, after)
    }

    /// Whether a line has the letters of a banner, whatever else is wrong with it.
    pub(super) fn has_the_letters_of(&self, line: &[u8]) -> bool {
        let letters = |text: &[u8]| {
            let letters = text.iter().filter(|byte| byte.is_ascii_alphabetic());
            letters.map(u8::to_ascii_lowercase).collect::<Vec<_>>()
        };
        let own = letters(self.template.before.as_bytes());
        let own = [own, letters(self.template.after.as_bytes())].concat();
        !own.is_empty() && own == letters(line)
    }
}

/// Whether the letters or digits before a place in a line run on after it, as in `Case 1NO`.
pub(super) fn runs_on(line: &[u8], place: usize) -> bool {
    place > 0
        && line[place - 1].is_ascii_alphanumeric()
        && line
            .get(place)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

/// A banner as it precedes a grid in the canonical form.
#[derive(Clone, Debug)]
pub(super) struct PlainBanner {
    pub(super) template: Template,
    pub(super) first: u64,
    pub(super) is_alone: bool,
}

/// Takes the bytes of a text without its white space from the front of a line; whether they all
/// were there.
fn pass_over<'l>(line: &mut Peekable<impl Iterator<Item = &'l u8>>, text: &str) -> bool {
    let mut expected = text.bytes().filter(|byte| !byte.is_ascii_whitespace());
    expected.all(|byte| line.next_if_eq(&&byte).is_some())
}

impl PlainBanner {
    pub(super) fn new(banner: &Banner, follows: FollowingLine) -> Self {
        let template = banner.template_before(follows);
        let first = banner.first;
        Self {
            template,
            first,
            is_alone: banner.is_alone_before(follows),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn banner(text: &str, place: BannerPlace) -> Banner {
        Banner {
            place,
            ..Banner::own(Template::parse(text, "n").unwrap())
        }
    }

    #[test]
    fn a_banner_stands_alone_or_before_what_follows() {
        for (place, words, cells) in [
            (BannerPlace::Own, "Case 3: \n", "Case 3: \n"),
            (BannerPlace::BeforeWords, "Case 3: ", "Case 3:\n"),
            (BannerPlace::Same, "Case 3: ", "Case 3: "),
        ] {
            let banner = banner("Case {n}: ", place);
            assert_eq!(banner.before(FollowingLine::Words, 3), words, "{place:?}");
            assert_eq!(banner.before(FollowingLine::Cells, 3), cells, "{place:?}");
        }
        let counted = Banner {
            first: 0,
            ..banner("Case {n}", BannerPlace::Own)
        };
        assert_eq!(counted.line(1), "Case 0");
    }

    #[test]
    fn a_line_is_split_where_its_banner_ends_whatever_its_number() {
        let split = |text, line: &str| {
            let split = banner(text, BannerPlace::Same).split(line.as_bytes())?;
            Some((
                line[..split.end].to_owned(),
                line[split.follows..].to_owned(),
            ))
        };
        let parts = |one: &str, other: &str| Some((one.to_owned(), other.to_owned()));
        assert_eq!(
            split("Case {n}: ", "Case 12: NO way"),
            parts("Case 12:", "NO way")
        );
        assert_eq!(split("Case {n}: ", " Case 1:NO"), parts(" Case 1:", "NO"));
        assert_eq!(split("{n} ", "7  42"), parts("7", "42"));
        assert_eq!(split("Answer: ", "Answer: 42"), parts("Answer:", "42"));
        for (text, line) in [
            ("Case {n}: ", "Case 1:"),
            ("Case {n}: ", "Case 1 NO"),
            ("Case {n} ", "Case 1x"),
            ("{n} ", "42"),
        ] {
            assert_eq!(split(text, line), None, "{line}");
        }
    }

    #[test]
    fn a_banner_before_other_text_is_recognised_whatever_its_white_space() {
        let same = banner("Case #{n}: ", BannerPlace::Same);
        for line in ["Case#2: 4 in all", " Case  # 12:NO", "Case #3:"] {
            assert!(same.begins_but_for_spaces(line.as_bytes()), "{line}");
        }
        for line in ["Case #: 4", "Case #2", "4 in all", ""] {
            assert!(!same.begins_but_for_spaces(line.as_bytes()), "{line}");
        }
        assert!(!banner("{n} ", BannerPlace::Same).begins_but_for_spaces(b"1 2 3"));
        assert!(!banner("Case {n}", BannerPlace::Own).begins_but_for_spaces(b"Case1 x"));
    }

    #[test]
    fn a_banner_is_recognised_by_its_letters_alone() {
        let banner = banner("Case #{n}:", BannerPlace::Own);
        for line in ["Case #3", "case 3:", "CASE#:"] {
            assert!(banner.has_the_letters_of(line.as_bytes()), "{line}");
        }
        assert!(!banner.has_the_letters_of(b"Grid #3:") && !banner.has_the_letters_of(b"123"));
    }
}
