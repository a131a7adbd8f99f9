//! The kinds of values that keys may have, and the remedies for values of another kind.

use toml::de::DeValue;

use crate::mistake::shortened;

/// A kind of value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueKind<'a> {
    /// Its name, as `a whole number`.
    pub(super) what: &'a str,
    /// An example, as written in a file.
    pub(super) example: &'a str,
}

pub(super) const STRING: ValueKind<'_> = ValueKind {
    what: "a string",
    example: "\"...\"",
};
pub(super) const NUMBER: ValueKind<'_> = ValueKind {
    what: "a whole number",
    example: "9",
};
pub(super) const NUMBERS: ValueKind<'_> = ValueKind {
    what: "a whole number or a list of them",
    example: "9",
};
pub(super) const FLOAT: ValueKind<'_> = ValueKind {
    what: "a number",
    example: "1e-6",
};
pub(super) const FLAG: ValueKind<'_> = ValueKind {
    what: "`true` or `false`",
    example: "true",
};
pub(super) const LIST: ValueKind<'_> = ValueKind {
    what: "a list of strings",
    example: "[\"...\", \"...\"]",
};
pub(super) const LISTS: ValueKind<'_> = ValueKind {
    what: "a list of lists of strings",
    example: "[[\"...\", \"...\"]]",
};
pub(super) const WORDS: ValueKind<'_> = ValueKind {
    what: "a string or a list of strings",
    example: "[\"...\", \"...\"]",
};
pub(super) const TABLE: ValueKind<'_> = ValueKind {
    what: "a table",
    example: "{ ... }",
};
pub(super) const TABLES: ValueKind<'_> = ValueKind {
    what: "a list of tables",
    example: "[{ ... }]",
};
pub(super) const TIME: ValueKind<'_> = ValueKind {
    what: "a time in quotes, as \"1s\"",
    example: "\"1s\"",
};
pub(super) const SIZE: ValueKind<'_> = ValueKind {
    what: "a size in quotes, as \"64MiB\"",
    example: "\"64MiB\"",
};
pub(super) const SIZE_OR_NONE: ValueKind<'_> = ValueKind {
    what: "a size in quotes, as \"256MiB\"",
    example: "\"256MiB\"",
};

impl ValueKind<'_> {
    /// The remedy for a value of another kind. `written` is the value's text in the file.
    pub(super) fn remedy(&self, key: &str, value: &DeValue<'_>, written: &str) -> String {
        let key = key_as_written(key);
        let is_plain =
            value.is_integer() || value.is_float() || value.is_bool() || value.is_datetime();
        let number = value.as_str().filter(|text| text.parse::<u64>().is_ok());
        match (self.what, number) {
            (what, _) if what == TABLE.what => {
                format!("write a line `[{key}]`, and its keys below")
            }
            (what, _) if what == TABLES.what => {
                format!("write a line `[[{key}]]`, and its keys below")
            }
            (what, _) if is_plain && (what == STRING.what || what == WORDS.what) => {
                format!("put it in quotes: `{key} = \"{}\"`", shortened(written, 40))
            }
            (_, Some(number)) if self.example == NUMBER.example => {
                format!("leave the quotes out: `{key} = {}`", shortened(number, 40))
            }
            _ if self.what == FLOAT.what
                && value
                    .as_str()
                    .is_some_and(|text| text.parse::<f64>().is_ok()) =>
            {
                format!(
                    "leave the quotes out: `{key} = {}`",
                    shortened(value.as_str().unwrap_or_default(), 40)
                )
            }
            _ => format!("write it as `{key} = {}`", self.example),
        }
    }

    /// The kind of the value that was found, with an article.
    pub(super) fn found(value: &DeValue<'_>) -> String {
        let kind = value.type_str();
        let article = if kind.starts_with(['a', 'i', 'o']) {
            "an"
        } else {
            "a"
        };
        format!("{article} {kind}")
    }
}

/// A key as written in a file: in quotes if it has characters other than letters, digits, `-` and
/// `_`.
pub(super) fn key_as_written(key: &str) -> String {
    let key = shortened(key, 40);
    if !key.is_empty()
        && key
            .trim_end_matches("...")
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter))
    {
        key
    } else {
        format!("{key:?}")
    }
}
