//! Names that stand for values in the files of a package, written there as `{{name}}`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::Serialize;

/// Values by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constants(BTreeMap<String, String>);

impl Constants {
    /// Whether a name can be told from the text around it.
    pub(crate) fn is_name(name: &str) -> bool {
        !name.is_empty() && !name.contains(['{', '}'])
    }

    /// Whether no name stands for anything.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// A text with a value in place of each `{{name}}` that has one; nothing if that has more bytes than `most`: a few short names
    /// may stand for more than any memory holds.
    pub(crate) fn filled_in(&self, text: &[u8], most: u64) -> Option<Vec<u8>> {
        let mut filled = Vec::with_capacity(text.len());
        let mut rest = text;
        while !rest.is_empty() {
            let (bytes, behind) = self.value_at(rest).unwrap_or_else(|| rest.split_at(1));
            filled.extend_from_slice(bytes);
            if filled.len() as u64 > most {
                return None;
            }
            rest = behind;
        }
        Some(filled)
    }

    /// The value of the name that a text begins with, and what follows that name.
    fn value_at<'a>(&'a self, text: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
        let inner = text.strip_prefix(b"{{")?;
        // No name holds a brace, so none is looked for far behind another that is none.
        let end = inner.iter().position(|byte| matches!(byte, b'{' | b'}'))?;
        let behind = inner[end..].strip_prefix(b"}}")?;
        let value = self.0.get(str::from_utf8(&inner[..end]).ok()?)?;
        Some((value.as_bytes(), behind))
    }
}

impl FromIterator<(String, String)> for Constants {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(values: T) -> Self {
        Self(values.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constants(values: &[(&str, &str)]) -> Constants {
        values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn constants_are_filled_in_once_and_what_is_none_stays() {
        let constants = constants(&[("n", "{{m}}"), ("m", "7"), ("nn", ""), ("n.word", "one")]);
        for (text, expected) in [
            ("{{n}} {{m}}{{nn}}.", "{{m}} 7."),
            ("{{{m}}}", "{7}"),
            ("{{n.word}}{{m}}", "one7"),
            ("{{ m }} {{x}} {{m} {{m", "{{ m }} {{x}} {{m} {{m"),
        ] {
            assert_eq!(constants.filled_in(text.as_bytes(), 100).unwrap(), expected.as_bytes());
        }
        assert_eq!(constants.filled_in(b"\xff{{m}}\0", 100).unwrap(), b"\xff7\0");
        assert_eq!(constants.filled_in(b"{{\xff}}", 100).unwrap(), b"{{\xff}}");
    }

    #[test]
    fn what_names_stand_for_in_all_is_bounded() {
        let constants = constants(&[("a", "0123456789")]);
        let text = "{{a}}".repeat(1000);
        assert_eq!(constants.filled_in(text.as_bytes(), 10_000).unwrap().len(), 10_000);
        assert_eq!(constants.filled_in(text.as_bytes(), 9_999), None);
        // However many names there are, a text is looked through once.
        let braces = vec![b'{'; 1 << 20];
        assert_eq!(constants.filled_in(&braces, 1 << 20).unwrap(), braces);
    }
}
