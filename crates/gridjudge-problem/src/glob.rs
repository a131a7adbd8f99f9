//! Matches file names against shell-like patterns, as `secret/01?-*`. Works on names
//! only. Start at [`Glob::new`].

use std::iter::Peekable;
use std::str::Chars;

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
#[derive(PartialEq, Eq)]
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
        let mut translation = Translation {
            rest: text.chars().peekable(),
            last: None,
            part: String::new(),
            open: Vec::new(),
        };
        translation.all(backslash)?;
        let regex = format!("^(?s:{})$", translation.part);
        let names = RegexBuilder::new(&regex).size_limit(MOST_COMPILED).build();
        Ok(Self {
            names: names.map_err(|_| GlobError::Large)?,
        })
    }

    /// Whether the pattern matches the whole name.
    pub(crate) fn matches(&self, name: &str) -> bool {
        self.names.is_match(name)
    }
}

/// A pattern while it is translated to a regular expression.
struct Translation<'a> {
    rest: Peekable<Chars<'a>>,
    /// The character read last.
    last: Option<char>,
    /// The regular expression so far, of the whole pattern or of the current
    /// alternative of the innermost open brace.
    part: String,
    /// For each open brace, the regular expression before it and its complete
    /// alternatives.
    open: Vec<(String, Vec<String>)>,
}

impl Translation<'_> {
    fn all(&mut self, backslash: Backslash) -> Result<(), GlobError> {
        loop {
            let before = self.last;
            let Some(letter) = self.take_char() else {
                break;
            };
            match letter {
                '?' => self.part.push_str("[^/]"),
                '*' if self.rest.next_if_eq(&'*').is_some() => self.two_stars(before),
                '*' => self.part.push_str(WITHIN_A_NAME),
                '[' => self.class()?,
                '{' => self.open_brace()?,
                '}' => self.close_brace()?,
                ',' => self.comma(),
                '\\' if backslash == Backslash::Escape => {
                    let escaped = self.take_char().ok_or(GlobError::NothingEscaped)?;
                    self.letter(escaped);
                }
                _ => self.letter(letter),
            }
        }
        if self.open.is_empty() {
            Ok(())
        } else {
            Err(GlobError::OpenBrace)
        }
    }

    fn take_char(&mut self) -> Option<char> {
        self.last = self.rest.next();
        self.last
    }

    fn letter(&mut self, letter: char) {
        self.part
            .push_str(&regex_lite::escape(letter.encode_utf8(&mut [0; 4])));
    }

    /// Translates `**` after the character `before`. It crosses folders only if it is a
    /// whole folder name.
    fn two_stars(&mut self, before: Option<char>) {
        let is_first = self.part.is_empty();
        let is_in_folder = before == Some('/');
        let is_last = match self.rest.peek() {
            None => true,
            Some(',' | '}') => !self.open.is_empty(),
            Some(_) => false,
        };
        let is_all = is_first && self.open.is_empty();
        if (is_first || is_in_folder) && self.rest.next_if_eq(&'/').is_some() {
            self.last = Some('/');
            self.part.push_str("(?:.*/)?");
        } else if is_last && (is_all || is_in_folder) {
            self.part.push_str(".*");
        } else {
            self.part.push_str(WITHIN_A_NAME);
        }
    }

    /// Translates a character class after its `[`. A `]` right at the start is a member
    /// of the class.
    fn class(&mut self) -> Result<(), GlobError> {
        self.part.push('[');
        if self
            .rest
            .next_if(|letter| matches!(letter, '!' | '^'))
            .is_some()
        {
            self.part.push('^');
        }
        let mut is_first = true;
        loop {
            let least = self.take_char().ok_or(GlobError::OpenClass)?;
            if least == ']' && !is_first {
                self.part.push(']');
                return Ok(());
            }
            is_first = false;
            let most = self.end_of_range()?.unwrap_or(least);
            if most < least {
                return Err(GlobError::Backwards(least, most));
            }
            self.letter(least);
            self.part.push('-');
            self.letter(most);
        }
    }

    /// Reads the end of a range, after its first character. A `-` at the end of a class
    /// is a member of it.
    fn end_of_range(&mut self) -> Result<Option<char>, GlobError> {
        let mut ahead = self.rest.clone();
        if ahead.next() != Some('-') || ahead.peek() == Some(&']') {
            return Ok(None);
        }
        self.rest = ahead;
        self.take_char().ok_or(GlobError::OpenClass).map(Some)
    }

    fn open_brace(&mut self) -> Result<(), GlobError> {
        if self.open.len() == MOST_OPEN {
            return Err(GlobError::Large);
        }
        self.open.push((std::mem::take(&mut self.part), Vec::new()));
        Ok(())
    }

    /// Ends an alternative. A comma outside of braces is an ordinary character.
    fn comma(&mut self) {
        match self.open.last_mut() {
            Some((_, parts)) => parts.push(std::mem::take(&mut self.part)),
            None => self.letter(','),
        }
    }

    /// Appends the alternatives of the innermost brace to the expression before it.
    /// Empty alternatives are dropped.
    fn close_brace(&mut self) -> Result<(), GlobError> {
        let (before, mut parts) = self.open.pop().ok_or(GlobError::ClosedBrace)?;
        parts.push(std::mem::replace(&mut self.part, before));
        parts.retain(|part| !part.is_empty());
        if !parts.is_empty() {
            self.part.push_str(&format!("(?:{})", parts.join("|")));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
