//! Checks the values of a language's keys: file endings, the name of a source, commands,
//! environments. Knows no language.

use crate::keys::{FilePlace, FoundValue, KeyTable};
use crate::mistake::{nearest, quoted, shortened};

/// The placeholders that are filled in.
const PLACEHOLDERS: [&str; 8] = [
    "source",
    "file",
    "program",
    "folder",
    "memory_mib",
    "name",
    "standard",
    "options",
];

/// The longest name of a file, in bytes. File systems allow 255.
const LONGEST_NAME: usize = 200;

/// Checks the endings of a language's files.
pub(crate) fn extensions(table: &KeyTable, found: FoundValue<Vec<String>>) -> Option<Vec<String>> {
    let FoundValue {
        value: endings,
        place,
    } = found;
    if endings.is_empty() {
        table.note(
            place,
            "`extensions` is empty",
            "name the ending of its sources, as `extensions = [\"pas\"]`",
        );
        return None;
    }
    let is_plain =
        |letter: char| !letter.is_whitespace() && !letter.is_control() && !"/.".contains(letter);
    let wrong = endings
        .iter()
        .find(|ending| ending.is_empty() || !ending.chars().all(is_plain));
    if let Some(ending) = wrong {
        let plain = ending
            .rsplit('.')
            .next()
            .filter(|plain| !plain.is_empty() && plain.chars().all(is_plain));
        let remedy = match plain {
            Some(plain) => format!("write what comes after the last dot: `{plain}`"),
            None => "write what comes after the last dot of a name, as `pas`".to_owned(),
        };
        table.note(
            place,
            format!("{} is not a valid file extension", quoted(ending)),
            remedy,
        );
    }
    wrong.is_none().then_some(endings)
}

/// Checks the name that a source is copied to. It must not lead to another folder.
pub(crate) fn source(table: &KeyTable, found: FoundValue<String>) -> Option<String> {
    let name = &found.value;
    let is_plain =
        !name.contains('/') && !name.chars().any(char::is_control) && name.len() <= LONGEST_NAME;
    let is_good = is_plain
        && !name.trim().is_empty()
        && !name.starts_with('-')
        && ![".", "..", "program"].contains(&name.as_str());
    if !is_good {
        let remedy = "write the name of a file without a folder, as `source = \"Main.java\"`";
        table.note(
            found.place,
            format!(
                "`source = \"{}\"` is not a valid source name",
                shortened(name, 40)
            ),
            remedy,
        );
    }
    is_good.then_some(found.value)
}

/// Checks the words of a command, of which the first is a program. No words at all are accepted:
/// callers refuse them where a command is required.
pub(crate) fn command(table: &KeyTable, key: &str, words: &[String], at: FilePlace) -> bool {
    if words
        .first()
        .is_some_and(|program| program.trim().is_empty())
    {
        let message = format!("a command of `{key}` begins with an empty word");
        table.note(
            at,
            message,
            "begin it with the name of a program, as `[\"cc\", \"{source}\"]`",
        );
        return false;
    }
    are_good(table, key, words, at)
}

/// Checks words of a command.
pub(crate) fn are_good(table: &KeyTable, key: &str, words: &[String], at: FilePlace) -> bool {
    words.iter().all(|word| is_good(table, key, word, at))
}

/// Checks one variable of an environment.
pub(crate) fn environment(
    table: &KeyTable,
    key: &str,
    name: &str,
    value: &FoundValue<String>,
) -> bool {
    if name.is_empty() || name.contains(['=', '\0']) {
        let message = format!("{} is not a valid variable name", quoted(name));
        table.note(
            value.place,
            message,
            "write a name without `=`, as `LANG = \"C\"`",
        );
        return false;
    }
    is_good(table, key, &value.value, value.place)
}

/// Whether a word can be passed to a program and has no unknown placeholder.
fn is_good(table: &KeyTable, key: &str, word: &str, at: FilePlace) -> bool {
    if word.contains('\0') {
        table.note(
            at,
            format!("a word of `{key}` holds a NUL byte"),
            "delete it: no program can be given one",
        );
        return false;
    }
    let Some(unknown) = unknown_placeholder(word) else {
        return true;
    };
    let remedy = match nearest(unknown, PLACEHOLDERS) {
        Some(meant) => format!("did you mean `{{{meant}}}`?"),
        None => format!(
            "filled in are `{{{}}}`; put a command that needs its own braces into a script",
            PLACEHOLDERS.join("}`, `{")
        ),
    };
    table.note(
        at,
        format!("`{{{unknown}}}` in `{key}` stands for nothing"),
        remedy,
    );
    false
}

/// The first lower-case word in braces that is no placeholder. After a `$`, braces belong to the
/// shell.
fn unknown_placeholder(word: &str) -> Option<&str> {
    let mut starts = word
        .match_indices('{')
        .filter(|(at, _)| !word[..*at].ends_with('$'));
    starts.find_map(|(at, _)| {
        let name = &word[at + 1..at + 1 + word[at + 1..].find('}')?];
        let is_name = !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        (is_name && !PLACEHOLDERS.contains(&name)).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lower_case_word_in_braces_must_be_a_known_placeholder() {
        for (word, unknown) in [
            ("{source}", None),
            ("-o{program}:{folder}", None),
            ("{sorce}", Some("sorce")),
            ("{source} {files}", Some("files")),
            ("${home}/{source}", None),
            ("{ print $1 }", None),
            ("{}", None),
            ("{X}", None),
            ("a{b", None),
        ] {
            assert_eq!(unknown_placeholder(word), unknown, "{word}");
        }
    }
}
