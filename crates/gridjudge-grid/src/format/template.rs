//! Parses, writes and recognises templates of lines with a number in them: `Case #{n}:` gives `Case
//! #1:`, `Case #2:`, ...

use serde::{Deserialize, Serialize};

use crate::format::placeholder::{BraceError, TemplatePart, pieces};

/// A template of a line. `{n}` stands for a number, `{n:02}` for a number with at least two digits.
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
    /// Parses a text in which `{name}` or `{name:02}`, if present, stands for the number, and `{{`
    /// and `}}` for braces.
    ///
    /// # Errors
    /// Returns [`BadTemplate`] if the text is not one line, or a placeholder is not one of these or
    /// is repeated.
    pub fn parse(text: &str, name: &'static str) -> Result<Self, BadTemplate> {
        if text.trim().is_empty() || text.contains(['\n', '\r']) {
            return Err(BadTemplate::NotALine);
        }
        let mut before = String::new();
        let mut digits = None;
        let mut after = String::new();
        for piece in pieces(text)? {
            match piece {
                TemplatePart::Plain(text) if digits.is_none() => before.push_str(text),
                TemplatePart::Plain(text) => after.push_str(text),
                TemplatePart::Placeholder(found) => {
                    let least = digits_of(found, name)?;
                    if digits.replace(least).is_some() {
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

    /// The text from which [`Self::parse`] makes this template, with `{name}` for the number.
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
            Some(_) => self
                .written(line)
                .is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)),
            None => line.trim_ascii() == self.before.trim().as_bytes(),
        }
    }

    /// Whether a line fits the template with any number once all white space is removed from both.
    /// Its first and last characters must be those of the template.
    pub fn resembles_but_for_spaces(&self, line: &[u8]) -> bool {
        let text = line.trim_ascii();
        let same = |one: Option<u8>, other: Option<&u8>| one.is_none() || one.as_ref() == other;
        same(self.before.trim().bytes().next(), text.first())
            && same(self.after.trim().bytes().last(), text.last())
            && self.squeezed().resembles(&without_spaces(line))
    }

    /// Whether it consists of the number only.
    pub fn is_bare(&self) -> bool {
        self.digits.is_some() && self.before.trim().is_empty() && self.after.trim().is_empty()
    }

    /// The number in a line that fits the template, with any white space and any number of digits;
    /// `None` if the line does not fit.
    pub fn number(&self, line: &[u8]) -> Option<u64> {
        let number = |template: &Self, line: &[u8]| {
            let digits = template
                .written(line)
                .filter(|_| template.resembles(line))?;
            std::str::from_utf8(digits).ok()?.parse().ok()
        };
        number(self, line).or_else(|| number(&self.squeezed(), &without_spaces(line)))
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

    /// The rest of a text after this template's line with this number; `None` if the text does not
    /// begin with that line.
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

    /// The text in the place of the number; `None` if the line does not have the text around it.
    fn written<'a>(&self, line: &'a [u8]) -> Option<&'a [u8]> {
        let before = self.before.trim_start();
        let after = self.after.trim_end();
        line.trim_ascii()
            .strip_prefix(before.as_bytes())?
            .strip_suffix(after.as_bytes())
    }
}

fn without_spaces(line: &[u8]) -> Vec<u8> {
    line.iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .copied()
        .collect()
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
