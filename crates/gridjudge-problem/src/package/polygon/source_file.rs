//! Finds the files that elements of `problem.xml` name and the headers of programs, and words the
//! remedy for missing ones.

use crate::sorted::SortedMap;
use std::path::{Path, PathBuf};

use crate::files::InnerName;
use crate::mistake::{Mistake, quoted};
use crate::model::HEADER_ENDINGS;
use crate::package::polygon::XmlElement;
use crate::package::{MAC_FOLDER, PackageTree};

/// The remedy for a package that lacks something: some downloads leave files out.
pub(super) const FULL_PACKAGE: &str = "download the full package, or export it again";

/// Returns the file that the `<source>` of an element names.
///
/// # Errors
/// Returns a mistake if there is no such file; none if it was refused, which is known.
pub(super) fn source_of<'t>(
    element: &XmlElement<'_>,
    tree: &'t PackageTree,
) -> Result<&'t Path, Option<Mistake>> {
    let path = element
        .child("source")
        .and_then(|source| source.attribute("path"));
    let Some(path) = path else {
        let message = format!("`<{}>` names no source", element.name());
        return Err(Some(element.mistake(message).with_remedy(FULL_PACKAGE)));
    };
    tree.file(path).ok_or_else(|| {
        let message = format!(
            "{} of `<{}>` is not in the package",
            quoted(path),
            element.name()
        );
        tree.lacks(path)
            .then(|| element.mistake(message).with_remedy(FULL_PACKAGE))
    })
}

/// Returns the types of all sources below an element, by their paths.
pub(super) fn source_types(
    element: &XmlElement<'_>,
    tree: &PackageTree,
) -> SortedMap<PathBuf, String> {
    let mut types = SortedMap::new();
    let mut elements = vec![*element];
    while let Some(element) = elements.pop() {
        let named = element.attribute("path").and_then(|path| tree.file(path));
        if let Some((path, kind)) = named
            .zip(element.attribute("type"))
            .filter(|_| element.name() == "source")
        {
            types.insert(path.to_owned(), kind.to_owned());
        }
        elements.extend(element.elements());
    }
    types
}

/// Returns the headers directly in `files/`: `testlib.h`, and those of graders.
pub(crate) fn headers(files: &SortedMap<String, PathBuf>) -> Vec<PathBuf> {
    files
        .iter()
        .filter(|(name, _)| is_header(name))
        .map(|(_, path)| path.clone())
        .collect()
}

fn is_header(name: &str) -> bool {
    name.strip_prefix("files/")
        .filter(|name| !name.contains('/'))
        .and_then(|name| name.rsplit_once('.'))
        .is_some_and(|(_, ending)| HEADER_ENDINGS.contains(&ending))
}

// The patterns by which `problem.xml` names the files of tests: a path with the number of the test
// in it. Looks for no file.

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
mod test_pattern_tests {
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
