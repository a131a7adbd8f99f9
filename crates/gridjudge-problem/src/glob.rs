//! Matches file names against shell-like patterns, as `secret/01?-*`. Works on names
//! only. Start at [`Glob::new`].

use std::mem;
use std::sync::LazyLock;

use regex_lite::{Regex, RegexBuilder};

/// The most nested braces. Patterns may come from hostile packages, hence this bound
/// and the next.
const MOST_OPEN: usize = 20;

/// The largest compiled pattern, in bytes.
const MOST_COMPILED: usize = 1 << 20;

/// Matches any number of characters within the name of one folder or file.
const WITHIN_A_NAME: &str = "[^/]*";

/// A pattern for whole names: `*` and `?` match anything except `/`. `**` as a folder
/// name matches any number of folders, and at the end everything in a folder. `{a,b}`
/// matches either, `[a-c]` one of several characters, `[!a-c]` one other character.
#[derive(Clone, Debug)]
pub(crate) struct Glob {
    names: Regex,
}

/// The meaning of a backslash in a pattern.
#[derive(PartialEq)]
pub(crate) enum Backslash {
    /// The character after it stands for itself.
    Escape,
    /// An ordinary character.
    Letter,
}

/// The reason why a text is not a valid pattern.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GlobError {
    #[error("a `[` without its `]`")]
    OpenClass,
    #[error("a `{{` without its `}}`")]
    OpenBrace,
    #[error("a `}}` without its `{{`")]
    ClosedBrace,
    #[error("nothing after the last `\\`")]
    NothingEscaped,
    #[error("`{0}-{1}` ends before it begins")]
    Backwards(char, char),
    #[error("too long, or more than {MOST_OPEN} braces in one another")]
    Large,
}

impl Glob {
    /// Parses and compiles a pattern.
    ///
    /// # Errors
    /// Returns the first problem in the pattern.
    pub(crate) fn new(text: &str, backslash: Backslash) -> Result<Self, GlobError> {
        let regex = format!("^(?s:{})$", translated(text, backslash)?);
        let names = RegexBuilder::new(&regex).size_limit(MOST_COMPILED).build();
        Ok(Self {
            names: names.map_err(|_| GlobError::Large)?,
        })
    }

    /// Whether the pattern matches the whole name.
    pub(crate) fn matches(&self, name: &str) -> bool {
        self.names.is_match(name)
    }

    /// Whether it matches a name, or that of a folder around it.
    pub(crate) fn matches_around(&self, name: &str) -> bool {
        folders_around(name)
            .chain([name])
            .any(|name| self.matches(name))
    }
}

/// The folders around a file, by its name relative to another, the outermost first.
pub(crate) fn folders_around(name: &str) -> impl DoubleEndedIterator<Item = &str> {
    name.match_indices('/').map(|(end, _)| &name[..end])
}

/// The regular expression for a pattern.
fn translated(text: &str, backslash: Backslash) -> Result<String, GlobError> {
    static PIECES: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(PIECE).expect("the pattern is valid"));
    // Of the whole pattern, or of the current alternative of the innermost open brace.
    let mut part = String::new();
    let mut open: Vec<OpenBrace> = vec![];
    let mut rest = text;
    while let Some(found) = PIECES.find(rest) {
        let piece = found.as_str();
        let is_in_folder = text[..text.len() - rest.len()].ends_with('/');
        rest = &rest[piece.len()..];
        match piece {
            "?" => part.push_str("[^/]"),
            "*" => part.push_str(WITHIN_A_NAME),
            // Two stars cross folders only if they are a whole folder name.
            "**/" if part.is_empty() || is_in_folder => part.push_str("(?:.*/)?"),
            "**/" => part.push_str("[^/]*/"),
            "**" => {
                let is_last = rest.is_empty()
                    || !open.is_empty() && rest.starts_with([',', '}']);
                let is_all = part.is_empty() && open.is_empty();
                if is_last && (is_all || is_in_folder) {
                    part.push_str(".*");
                } else {
                    part.push_str(WITHIN_A_NAME);
                }
            }
            "[" => return Err(GlobError::OpenClass),
            "{" if open.len() == MOST_OPEN => return Err(GlobError::Large),
            "{" => open.push(OpenBrace {
                before: mem::take(&mut part),
                alternatives: vec![],
            }),
            "}" => {
                let brace = open.pop().ok_or(GlobError::ClosedBrace)?;
                part = brace.closed_after(part);
            }
            // A comma outside of braces is an ordinary character.
            "," => match open.last_mut() {
                Some(brace) => brace.alternatives.push(mem::take(&mut part)),
                None => part.push(','),
            },
            "\\" if backslash == Backslash::Escape => {
                let mut letters = rest.chars();
                let letter = letters.next().ok_or(GlobError::NothingEscaped)?;
                rest = letters.as_str();
                part += &escaped(letter);
            }
            class if class.len() > 1 && class.starts_with('[') => {
                part += &translated_class(&class[1..class.len() - 1])?;
            }
            letter => part += &regex_lite::escape(letter),
        }
    }
    if open.is_empty() {
        Ok(part)
    } else {
        Err(GlobError::OpenBrace)
    }
}

/// A piece of a pattern. Right at the start of a class, `]` is a member of it.
const PIECE: &str = r"(?xs)^(?:
    \*\*/?
    | \[ [!^] . [^\]]* \]
    | \[ [^!^] [^\]]* \]
    | .
)";

/// A brace that is not closed yet: the regular expression before it, and its complete
/// alternatives.
struct OpenBrace {
    before: String,
    alternatives: Vec<String>,
}

impl OpenBrace {
    /// The regular expression up to the end of the brace, after its last alternative.
    /// Empty alternatives are dropped.
    fn closed_after(mut self, last: String) -> String {
        self.alternatives.push(last);
        self.alternatives.retain(|part| !part.is_empty());
        if self.alternatives.is_empty() {
            return self.before;
        }
        let before = self.before;
        let alternatives = self.alternatives.join("|");
        format!("{before}(?:{alternatives})")
    }
}

/// The regular expression for the inside of a character class. A `-` at its end is a
/// member of it.
fn translated_class(inside: &str) -> Result<String, GlobError> {
    let others = inside.strip_prefix(['!', '^']);
    let mut members = others.unwrap_or(inside).chars();
    let mut class = String::from(if others.is_some() { "[^" } else { "[" });
    while let Some(least) = members.next() {
        let mut after = members.as_str().chars();
        let is_range = after.next() == Some('-');
        let most = after.next().filter(|_| is_range);
        if most.is_some() {
            members = after;
        }
        let most = most.unwrap_or(least);
        if most < least {
            return Err(GlobError::Backwards(least, most));
        }
        class += &format!("{}-{}", escaped(least), escaped(most));
    }
    Ok(class + "]")
}

fn escaped(letter: char) -> String {
    regex_lite::escape(letter.encode_utf8(&mut [0; 4]))
}

#[cfg(test)]
mod tests;
