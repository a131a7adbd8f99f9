//! The patterns by which `problem.xml` names the files of tests: a path with the number of the test
//! in it. Looks for no file.

use crate::files::InnerName;
use crate::mistake::{Mistake, quoted};
use crate::package::tree::MAC_FOLDER;
use crate::package::xml::XmlElement;

/// A name with the number of a test in it, as C's `printf` writes it: `tests/%02d.a`.
pub(super) struct TestPattern<'d> {
    before: &'d str,
    /// The least number of digits.
    digits: usize,
    after: &'d str,
}

impl<'d> TestPattern<'d> {
    /// Reads the pattern that a child of an element holds.
    ///
    /// # Errors
    /// If there is none, or it could name a file outside of the package or in a hidden place.
    pub(super) fn of(set: &XmlElement<'d>, name: &'static str) -> Result<Self, Mistake> {
        let text = set.text_of(name);
        text.and_then(TestPattern::parse).ok_or_else(|| {
            let found = text.map_or_else(|| "nothing".to_owned(), quoted);
            let message =
                format!("`<{name}>` must be a name with `%d` or `%02d` in it, found {found}");
            set.mistake(message)
                .with_remedy(format!("write `<{name}>tests/%02d</{name}>`"))
        })
    }

    fn parse(text: &'d str) -> Option<Self> {
        let (before, behind) = text.split_once('%')?;
        let (digits, after) = behind.split_once('d')?;
        // Missing files may be written later: never outside of the package, and never in hidden
        // places.
        let is_inside =
            InnerName::of(text).is_some() && text.split('/').all(|part| part != MAC_FOLDER);
        let is_plain = digits.is_empty() || digits.starts_with('0') && digits.len() == 2;
        let digits = if digits.is_empty() {
            0
        } else {
            digits.parse().ok()?
        };
        (is_inside && is_plain && !after.contains('%')).then_some(Self {
            before,
            digits,
            after,
        })
    }

    /// The number of the test whose file has this name; `None` if it is no test's.
    pub(super) fn number_in(&self, name: &str) -> Option<u64> {
        let number = name
            .strip_prefix(self.before)?
            .strip_suffix(self.after)?
            .parse()
            .ok()?;
        (number > 0 && self.name(number) == name).then_some(number)
    }

    /// The name of the file of a test.
    pub(super) fn name(&self, number: u64) -> String {
        format!(
            "{}{number:0width$}{}",
            self.before,
            self.after,
            width = self.digits
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_a_name_with_one_number_in_it() {
        let name = |text, number| TestPattern::parse(text).map(|pattern| pattern.name(number));
        assert_eq!(name("tests/%02d", 7).as_deref(), Some("tests/07"));
        assert_eq!(name("tests/%02d.a", 123).as_deref(), Some("tests/123.a"));
        assert_eq!(name("t/%d.in", 7).as_deref(), Some("t/7.in"));
        let number = |name| TestPattern::parse("tests/%02d.a").unwrap().number_in(name);
        assert_eq!(number("tests/07.a"), Some(7));
        for other in [
            "tests/7.a",
            "tests/07",
            "tests/00.a",
            "tests/+7.a",
            "tests/x7.a",
            "07.a",
        ] {
            assert_eq!(number(other), None, "{other}");
        }
        for wrong in [
            "tests/01",
            "tests/%s",
            "tests/%2d",
            "%d/%d",
            "tests/%0d%",
            "%0999999999d",
            "%-1d",
            "../%d",
            "/tests/%d",
            "a//%d",
            "./%d",
            ".hidden/%d",
            "a/.%d",
            "a\u{1b}/%d",
        ] {
            assert_eq!(name(wrong, 1), None, "{wrong}");
        }
    }
}
