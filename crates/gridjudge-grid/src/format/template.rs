//! Parses, writes and recognises templates of lines with a number in them, `Case #{n}:`
//! gives `Case
//! #1:`, `Case #2:`, ..., and the banners that open cases by them. Start at [`Template`] and
//! [`Banner`].

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::format::lines::{lower_case, without_spaces};

/// A template of a line. `{n}` stands for a number, `{n:02}` for a number with at least
/// two digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Template {
    /// The text before the number; the whole line if there is no number.
    pub before: String,
    /// The least number of digits; `None` if there is no number.
    pub digits: Option<usize>,
    /// The text after the number.
    pub after: String,
}

/// The largest minimum number of digits that a template may require.
pub const MOST_DIGITS: usize = 20;

/// Why a text is not a template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadTemplate {
    /// It is empty, or more than a line.
    #[error("must be one line that is not empty")]
    NotALine,
    /// It contains the number twice.
    #[error("holds `{{{0}}}` more than once")]
    Twice(&'static str),
    /// The width of the number is not a valid one.
    #[error("asks for `{{{0}}}`")]
    Width(String),
    /// It contains another placeholder, or a single brace.
    #[error(transparent)]
    Braces(#[from] BraceError),
}

impl From<&str> for Template {
    /// A template without a number. Braces have no meaning in it.
    fn from(text: &str) -> Self {
        Self {
            before: text.to_owned(),
            digits: None,
            after: String::new(),
        }
    }
}

impl Template {
    /// Parses a text in which `{name}` or `{name:02}`, if present, stands for the
    /// number, and `{{` and `}}` for braces.
    ///
    /// # Errors
    /// Returns [`BadTemplate`] if the text is not one line, or a placeholder is not one
    /// of these or is repeated.
    pub fn parse(text: &str, name: &'static str) -> Result<Self, BadTemplate> {
        if text.trim().is_empty() || text.contains(['\n', '\r']) {
            return Err(BadTemplate::NotALine);
        }
        let mut before = String::new();
        let mut digits = None;
        let mut after = String::new();
        for piece in pieces(text)? {
            match piece {
                TemplatePart::Plain(text) if digits.is_none() => {
                    before.push_str(text)
                }
                TemplatePart::Plain(text) => after.push_str(text),
                TemplatePart::Placeholder(found) => {
                    if digits.replace(digits_of(found, name)?).is_some() {
                        return Err(BadTemplate::Twice(name));
                    }
                }
            }
        }
        Ok(Self {
            before,
            digits,
            after,
        })
    }

    /// The line with this number, without a newline.
    pub fn line(&self, number: u64) -> String {
        match self.digits {
            Some(digits) => format!("{}{number:0digits$}{}", self.before, self.after),
            None => self.before.clone(),
        }
    }

    /// The text from which [`Self::parse`] makes this template, with `{name}` for the
    /// number.
    pub fn spelling(&self, name: &str) -> String {
        let plain = |text: &str| text.replace('{', "{{").replace('}', "}}");
        let number = match self.digits {
            None => String::new(),
            Some(1) => format!("{{{name}}}"),
            Some(digits) => format!("{{{name}:{digits:02}}}"),
        };
        plain(&self.before) + &number + &plain(&self.after)
    }

    /// The bytes of the longest line.
    pub fn longest(&self) -> usize {
        self.before.len() + self.digits.map_or(0, |_| MOST_DIGITS) + self.after.len()
    }

    /// Whether a line fits the template with any number, ignoring spaces at its ends.
    pub fn resembles(&self, line: &[u8]) -> bool {
        match self.digits {
            Some(_) => self.written(line).is_some_and(|digits| {
                !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
            }),
            None => line.trim_ascii() == self.before.trim().as_bytes(),
        }
    }

    /// Whether a line fits the template with any number once all white space is removed
    /// from both. Its first and last characters must be those of the template.
    pub fn resembles_but_for_spaces(&self, line: &[u8]) -> bool {
        let text = line.trim_ascii();
        let same = |one: Option<u8>, other: Option<&u8>| {
            one.is_none() || one.as_ref() == other
        };
        same(self.before.trim().bytes().next(), text.first())
            && same(self.after.trim().bytes().last(), text.last())
            && self.squeezed().resembles(&squeezed(line))
    }

    /// Whether it consists of the number only.
    pub fn is_bare(&self) -> bool {
        self.digits.is_some()
            && self.before.trim().is_empty()
            && self.after.trim().is_empty()
    }

    /// The number in a line that fits the template, with any white space and any number
    /// of digits; `None` if the line does not fit.
    pub fn number(&self, line: &[u8]) -> Option<u64> {
        let number = |template: &Self, line: &[u8]| {
            let digits = template
                .written(line)
                .filter(|_| template.resembles(line))?;
            str::from_utf8(digits).ok()?.parse().ok()
        };
        number(self, line).or_else(|| number(&self.squeezed(), &squeezed(line)))
    }

    /// The template without white space.
    fn squeezed(&self) -> Self {
        let squeezed = |text: &str| text.split_ascii_whitespace().collect();
        Self {
            before: squeezed(&self.before),
            digits: self.digits,
            after: squeezed(&self.after),
        }
    }

    /// The rest of a text after this template's line with this number; `None` if the
    /// text does not begin with that line.
    pub fn strip<'a>(&self, text: &'a [u8], number: u64) -> Option<&'a [u8]> {
        let rest = text.strip_prefix(self.before.as_bytes())?;
        let Some(least) = self.digits else {
            return Some(rest);
        };
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (found, rest) = rest.split_at(digits);
        let value = found.iter().try_fold(0u64, |value, digit| {
            value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
        })?;
        let canonical = digits == least || digits > least && found[0] != b'0';
        let rest = rest.strip_prefix(self.after.as_bytes())?;
        (canonical && value == number).then_some(rest)
    }

    /// The rest of a text after this template's line with any number, without the white
    /// space around it; `None` if the text does not begin with that line.
    fn rest_after<'a>(&self, text: &'a [u8]) -> Option<&'a [u8]> {
        if self.digits.is_none() {
            return text.strip_prefix(self.before.trim().as_bytes());
        }
        let rest = text.strip_prefix(self.before.trim_start().as_bytes())?;
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        rest[digits..]
            .strip_prefix(self.after.trim_end().as_bytes())
            .filter(|_| digits > 0)
    }

    /// The text in the place of the number; `None` if the line does not have the text
    /// around it.
    fn written<'a>(&self, line: &'a [u8]) -> Option<&'a [u8]> {
        let before = self.before.trim_start();
        let after = self.after.trim_end();
        line.trim_ascii()
            .strip_prefix(before.as_bytes())?
            .strip_suffix(after.as_bytes())
    }
}

fn squeezed(line: &[u8]) -> Vec<u8> {
    without_spaces(line).copied().collect()
}

/// The least number of digits that a placeholder requires.
fn digits_of(found: &str, name: &'static str) -> Result<usize, BadTemplate> {
    let width = match found.strip_prefix(name) {
        Some("") => return Ok(1),
        Some(width) if width.starts_with(':') => width,
        _ => return Err(BraceError::Unknown(found.to_owned()).into()),
    };
    let digits = width
        .strip_prefix(":0")
        .and_then(|width| width.parse().ok());
    digits
        .filter(|digits| (1..=MOST_DIGITS).contains(digits))
        .ok_or_else(|| BadTemplate::Width(found.to_owned()))
}

// Decides whether two templates can give the same line, with any numbers in them. A
// line that fits two templates would be ambiguous.

/// A piece of a template's lines.
#[derive(Clone, Copy, PartialEq)]
enum LinePiece {
    /// This byte.
    Byte(u8),
    /// One digit of the number.
    Digit,
    /// Zero or more further digits of the number.
    Digits,
}

impl Template {
    /// Whether some line fits both templates, with any numbers, ignoring spaces at its
    /// ends. Walks through both side by side.
    pub fn overlaps(&self, other: &Self) -> bool {
        let one = line_pieces(self);
        let other = line_pieces(other);
        let mut open = vec![(0, 0)];
        let mut seen = HashSet::new();
        while let Some((here, there)) = open.pop() {
            if !seen.insert((here, there)) {
                continue;
            }
            if there == other.len() && here == one.len() {
                return true;
            }
            let mine = one.get(here);
            let theirs = other.get(there);
            // `Digits` may be empty.
            if mine == Some(&LinePiece::Digits) {
                open.push((here + 1, there));
            }
            if theirs == Some(&LinePiece::Digits) {
                open.push((here, there + 1));
            }
            if let (Some(mine), Some(theirs)) = (mine, theirs)
                && fit(*mine, *theirs)
            {
                let next = |place: usize, piece: &LinePiece| {
                    place + usize::from(*piece != LinePiece::Digits)
                };
                open.push((next(here, mine), next(there, theirs)));
            }
        }
        false
    }
}

fn line_pieces(template: &Template) -> Vec<LinePiece> {
    let bytes = |text: &str| text.bytes().map(LinePiece::Byte).collect::<Vec<_>>();
    match template.digits {
        Some(_) => [
            bytes(template.before.trim_start()),
            vec![LinePiece::Digit, LinePiece::Digits],
            bytes(template.after.trim_end()),
        ]
        .concat(),
        None => bytes(template.before.trim()),
    }
}

fn fit(one: LinePiece, other: LinePiece) -> bool {
    match (one, other) {
        (LinePiece::Byte(one), LinePiece::Byte(other)) => one == other,
        (LinePiece::Byte(byte), _) | (_, LinePiece::Byte(byte)) => {
            byte.is_ascii_digit()
        }
        _ => true,
    }
}

// Splits the lines of a spec into plain text and placeholders: `{n}` is a placeholder,
// `{{` and `}}` are braces. Does not know the meaning of placeholders.

/// Why a text with braces is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BraceError {
    /// A brace without a partner.
    #[error("holds a single `{0}`")]
    Alone(char),
    /// A placeholder that has no meaning in this text.
    #[error("holds `{{{0}}}`, which stands for nothing here")]
    Unknown(String),
}

/// A part of a text.
enum TemplatePart<'t> {
    /// Plain text.
    Plain(&'t str),
    /// The text between two braces.
    Placeholder(&'t str),
}

/// Unescapes a text that must not contain placeholders: doubled braces become single
/// ones.
///
/// # Errors
/// Returns [`BraceError`] for the first placeholder or single brace. Single braces are
/// found first.
pub fn without_placeholders(text: &str) -> Result<String, BraceError> {
    pieces(text)?
        .into_iter()
        .map(|piece| match piece {
            TemplatePart::Plain(text) => Ok(text),
            TemplatePart::Placeholder(name) => {
                Err(BraceError::Unknown(name.to_owned()))
            }
        })
        .collect()
}

/// The parts of a text, in order.
///
/// # Errors
/// Returns [`BraceError::Alone`] for the first brace without a partner.
fn pieces(text: &str) -> Result<Vec<TemplatePart<'_>>, BraceError> {
    let mut pieces = vec![];
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, from_brace) = rest.split_at(at);
        pieces.push(TemplatePart::Plain(before));
        let (brace, inner) = from_brace.split_at(1);
        rest = if inner.starts_with(brace) {
            pieces.push(TemplatePart::Plain(brace));
            &inner[1..]
        } else {
            let end = inner
                .find(['{', '}'])
                .filter(|end| brace == "{" && inner[*end..].starts_with('}'))
                .ok_or(BraceError::Alone(if brace == "{" { '{' } else { '}' }))?;
            pieces.push(TemplatePart::Placeholder(&inner[..end]));
            &inner[end + 1..]
        };
    }
    pieces.push(TemplatePart::Plain(rest));
    Ok(pieces)
}

// Describes, writes and recognises the text that opens a case: `Case #1:`, on a line of
// its own or before the text that follows.

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
    /// On the same line as the words or the number that follow it; on a line of its own
    /// before cells.
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

    /// The template of the banner as written before this content, without a newline.
    /// The trailing space that separates it from words on the same line is left out if
    /// it stands alone.
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

    /// The banner of case `number` (from 1) as written before this content, with a
    /// newline if it stands alone.
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
        self.place != BannerPlace::Own
            && self
                .line(1)
                .bytes()
                .last()
                .is_some_and(|byte| byte.is_ascii_alphanumeric())
    }

    /// Splits a line that begins with a banner of any number and continues after it.
    /// Returns the end of the banner, without trailing spaces, and the start of the
    /// text that follows it.
    pub(super) fn split(&self, line: &[u8]) -> Option<(usize, usize)> {
        let rest = self.template.rest_after(line.trim_ascii_start())?;
        let end = line.len() - rest.len();
        let follows = line.len() - rest.trim_ascii_start().len();
        (follows < line.len() && !runs_on(line, end)).then_some((end, follows))
    }

    /// Whether a line is a banner of any number, or begins with one.
    pub fn is_seen_in(&self, line: &[u8]) -> bool {
        self.template.resembles(line) || self.split(line).is_some()
    }

    /// Whether a line begins with a banner of any number, ignoring white space, where
    /// text follows it on its line.
    pub(super) fn begins_but_for_spaces(&self, line: &[u8]) -> bool {
        let template = self.template.squeezed();
        // A banner of nothing but a number begins as any row does.
        self.place != BannerPlace::Own
            && !template.is_bare()
            && template.rest_after(&squeezed(line)).is_some()
    }

    /// Whether a line has the letters of a banner, whatever else is wrong with it.
    pub(super) fn has_the_letters_of(&self, line: &[u8]) -> bool {
        let letters = |text: &[u8]| lower_case(text, u8::is_ascii_alphabetic);
        let own = [&self.template.before, &self.template.after]
            .map(|text| letters(text.as_bytes()))
            .concat();
        !own.is_empty() && own == letters(line)
    }
}

/// Whether the letters or digits before a place in a line run on after it, as in
/// `Case 1NO`.
pub(super) fn runs_on(line: &[u8], place: usize) -> bool {
    place > 0
        && line[place - 1].is_ascii_alphanumeric()
        && line
            .get(place)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(text: &str) -> Template {
        Template::parse(text, "n").unwrap()
    }

    #[test]
    fn a_line_resembles_its_template_with_any_number_and_nothing_else() {
        let banner = template("Case #{n}:");
        assert_eq!(banner.line(12), "Case #12:");
        for (line, expected) in [
            ("Case #0:", true),
            ("Case #12:", true),
            ("Case #:", false),
            ("case #1:", false),
            ("1234", false),
        ] {
            assert_eq!(banner.resembles(line.as_bytes()), expected, "{line}");
        }
    }

    #[test]
    fn spaces_at_the_ends_of_a_line_are_ignored() {
        for text in [" Case {n} ", "Case {n}", " {n} ", " Case "] {
            let banner = template(text);
            assert!(banner.resembles(banner.line(7).as_bytes()), "{text}");
            assert!(banner.resembles(banner.line(7).trim().as_bytes()), "{text}");
        }
    }

    #[test]
    fn a_template_without_a_number_is_the_line_itself() {
        let banner = template("Solution");
        assert_eq!(banner.line(7), "Solution");
        assert!(banner.resembles(b"Solution") && !banner.resembles(b"Solution 7"));
    }

    #[test]
    fn a_number_may_have_leading_zeros_if_the_template_says_so() {
        let grid = template("Grid {n:02}");
        assert_eq!(
            (grid.line(7), grid.line(123)),
            ("Grid 07".into(), "Grid 123".into())
        );
        assert_eq!(grid.strip(b"Grid 07\n", 7), Some(&b"\n"[..]));
        assert_eq!(grid.strip(b"Grid 7\n", 7), None);
        assert_eq!(grid.strip(b"Grid 007\n", 7), None);
        assert_eq!(
            (grid.number(b"Grid 7 "), grid.number(b"Grid x")),
            (Some(7), None)
        );
    }

    #[test]
    fn doubled_braces_stand_for_single_ones() {
        assert_eq!(template("{{{n}}} {{n}}").line(3), "{3} {n}");
        for text in ["{{{n}}} {{n}}", "{n:02}", "no"] {
            assert_eq!(template(text).spelling("n"), text);
        }
        assert_eq!(
            template("{{n}}"),
            Template {
                before: "{n}".into(),
                digits: None,
                after: String::new()
            }
        );
    }

    #[test]
    fn an_invalid_template_is_refused_with_the_reason() {
        let why = |text| Template::parse(text, "n").unwrap_err().to_string();
        assert_eq!(why(" "), "must be one line that is not empty");
        assert_eq!(why("a\nb"), "must be one line that is not empty");
        assert_eq!(why("{n} of {n}"), "holds `{n}` more than once");
        assert_eq!(why("Case {n:2}"), "asks for `{n:2}`");
        assert_eq!(why("Case {n:099}"), "asks for `{n:099}`");
        assert_eq!(why("Case {n"), "holds a single `{`");
        assert_eq!(
            why("Case {m}:"),
            "holds `{m}`, which stands for nothing here"
        );
        assert_eq!(
            why("Case {number}:"),
            "holds `{number}`, which stands for nothing here"
        );
        assert_eq!(
            why("{count} of {n}"),
            "holds `{count}`, which stands for nothing here"
        );
    }
}

#[cfg(test)]
mod template_overlap_tests {
    use super::*;

    fn template(text: &str) -> Template {
        Template::parse(text, "n").unwrap()
    }

    #[test]
    fn templates_overlap_where_some_numbers_make_them_the_same() {
        for (one, other, same) in [
            ("no", "no", true),
            ("no", "yes", false),
            ("Case {n}: no", "Case {n}: no", true),
            ("Case {n}: no", "Case {n}: many", false),
            ("Case {n}: no", "Case 12: no", true),
            ("Case {n}", "Case {n}0", true),
            ("{n} x 7 z", "5 x {n} z", true),
            ("Case {n}: no", "Case {n}:", false),
            ("Case {n}: no", "Case {n} ", false),
            ("Case {n}", "Case x", false),
        ] {
            assert_eq!(
                template(one).overlaps(&template(other)),
                same,
                "{one} | {other}"
            );
            assert_eq!(
                template(other).overlaps(&template(one)),
                same,
                "{other} | {one}"
            );
        }
    }
}

#[cfg(test)]
mod placeholder_tests {
    use super::*;

    #[test]
    fn doubled_braces_become_single_ones_and_single_ones_are_refused() {
        for (text, plain) in [
            ("no way", Ok("no way")),
            ("{{n}}", Ok("{n}")),
            ("}}{{", Ok("}{")),
            ("{n}", Err("holds `{n}`, which stands for nothing here")),
            ("{}", Err("holds `{}`, which stands for nothing here")),
            ("{{{n}}}", Err("holds `{n}`, which stands for nothing here")),
            (":-{", Err("holds a single `{`")),
            ("{a{b}", Err("holds a single `{`")),
            ("a}", Err("holds a single `}`")),
        ] {
            let found = without_placeholders(text).map_err(|why| why.to_string());
            assert_eq!(found.as_deref().map_err(String::as_str), plain, "{text}");
        }
    }
}

#[cfg(test)]
mod banner_tests {
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
            let (end, follows) =
                banner(text, BannerPlace::Same).split(line.as_bytes())?;
            Some((line[..end].to_owned(), line[follows..].to_owned()))
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
        assert!(
            !banner("Case {n}", BannerPlace::Own).begins_but_for_spaces(b"Case1 x")
        );
    }

    #[test]
    fn a_banner_is_recognised_by_its_letters_alone() {
        let banner = banner("Case #{n}:", BannerPlace::Own);
        for line in ["Case #3", "case 3:", "CASE#:"] {
            assert!(banner.has_the_letters_of(line.as_bytes()), "{line}");
        }
        assert!(
            !banner.has_the_letters_of(b"Grid #3:")
                && !banner.has_the_letters_of(b"123")
        );
    }
}
