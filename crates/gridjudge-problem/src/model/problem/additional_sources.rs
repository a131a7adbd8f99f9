//! The files of a submission besides the one that names it. Plain data: planning finds them, and
//! the compiler combines them.

use crate::sorted::SortedMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Files that are compiled into one program together with the submission's own file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdditionalSources {
    /// The other files. A file with the same name as the submission's own replaces it.
    pub files: Vec<SourceFile>,
    /// The file in which the program starts, if that is not the submission's own.
    pub start: Option<String>,
    /// Constants that are filled into all files where they contain `{{name}}`.
    pub constants: Constants,
}

/// A file of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its name in the folder where the program is built, as `lib/queue.h`.
    pub name: String,
    /// Where it is on disk.
    pub path: PathBuf,
}

impl SourceFile {
    /// Whether this file and another one cannot be in the same folder under their names: the names
    /// are the same, or one is that of a folder which the other needs.
    pub fn collides_with(&self, other: &Self) -> bool {
        let is_above = |folder: &str, name: &str| {
            name.strip_prefix(folder)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        is_above(&self.name, &other.name) || is_above(&other.name, &self.name)
    }
}

impl AdditionalSources {
    /// Whether there is only the submission's own file, unchanged.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

// Named values that are filled into the files of a package wherever they contain `{{name}}`.

/// Values by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constants(SortedMap<String, String>);

impl Constants {
    /// Whether this may be the name of a constant: it is not empty and contains no brace.
    pub(crate) fn is_name(name: &str) -> bool {
        !name.is_empty() && !name.contains(['{', '}'])
    }

    /// Whether there are no constants.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Returns the text with each `{{name}}` of a known name replaced by its value, or `None` if
    /// the result is longer than `most` bytes: a few short names may expand to more than fits into
    /// memory.
    pub fn filled_in(&self, text: &[u8], most: u64) -> Option<Vec<u8>> {
        let mut filled = Vec::with_capacity(text.len());
        let mut rest = text;
        while !rest.is_empty() {
            let (bytes, after) = self.value_at(rest).unwrap_or_else(|| rest.split_at(1));
            filled.extend_from_slice(bytes);
            if filled.len() as u64 > most {
                return None;
            }
            rest = after;
        }
        Some(filled)
    }

    /// The value of the `{{name}}` at the start of a text, and the text after it.
    fn value_at<'a>(&'a self, text: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
        let inner = text.strip_prefix(b"{{")?;
        // No name contains a brace, so the search stops at the first one and the whole scan stays
        // linear.
        let end = inner.iter().position(|byte| matches!(byte, b'{' | b'}'))?;
        let after = inner[end..].strip_prefix(b"}}")?;
        let value = self.0.get(str::from_utf8(&inner[..end]).ok()?)?;
        Some((value.as_bytes(), after))
    }
}

/// From the values by name or, for one of several forms, by name and form, as `k.tex`. The value
/// itself is also the form `value`.
impl FromIterator<(String, String)> for Constants {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(values: T) -> Self {
        let mut all: SortedMap<_, _> = values.into_iter().collect();
        let plain = all.iter().filter(|(name, _)| !name.contains('.'));
        let named: Vec<_> = plain
            .map(|(name, value)| (format!("{name}.value"), value.clone()))
            .collect();
        all.extend(named);
        Self(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_collide_if_one_has_the_name_of_the_other_or_of_its_folder() {
        let file = |name: &str| SourceFile {
            name: name.to_owned(),
            path: PathBuf::new(),
        };
        for (one, other, collide) in [
            ("a", "a", true),
            ("a", "a/b", true),
            ("a/b/c", "a/b", true),
            ("a", "ab", false),
            ("a/b", "a/c", false),
            ("b", "a/b", false),
        ] {
            assert_eq!(
                file(one).collides_with(&file(other)),
                collide,
                "{one} {other}"
            );
            assert_eq!(
                file(other).collides_with(&file(one)),
                collide,
                "{other} {one}"
            );
        }
    }
}

#[cfg(test)]
mod constants_tests {
    use super::*;

    fn constants(values: &[(&str, &str)]) -> Constants {
        values
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    }

    #[test]
    fn constants_are_filled_in_once_and_other_braces_stay() {
        let constants = constants(&[("n", "{{m}}"), ("m", "7"), ("nn", ""), ("n.word", "one")]);
        for (text, expected) in [
            ("{{n}} {{m}}{{nn}}.", "{{m}} 7."),
            ("{{{m}}}", "{7}"),
            ("{{n.word}}{{m}}", "one7"),
            ("{{n.value}}{{m.value}}{{m.word}}", "{{m}}7{{m.word}}"),
            ("{{ m }} {{x}} {{m} {{m", "{{ m }} {{x}} {{m} {{m"),
        ] {
            assert_eq!(
                constants.filled_in(text.as_bytes(), 100).unwrap(),
                expected.as_bytes()
            );
        }
        assert_eq!(
            constants.filled_in(b"\xff{{m}}\0", 100).unwrap(),
            b"\xff7\0"
        );
        assert_eq!(constants.filled_in(b"{{\xff}}", 100).unwrap(), b"{{\xff}}");
    }

    #[test]
    fn the_length_of_the_filled_in_text_is_bounded() {
        let constants = constants(&[("a", "0123456789")]);
        let text = "{{a}}".repeat(1000);
        assert_eq!(
            constants.filled_in(text.as_bytes(), 10_000).unwrap().len(),
            10_000
        );
        assert_eq!(constants.filled_in(text.as_bytes(), 9_999), None);
        // The scan is linear even in a text of braces only.
        let braces = vec![b'{'; 1 << 20];
        assert_eq!(constants.filled_in(&braces, 1 << 20).unwrap(), braces);
    }
}
