//! The words of a program, read one after the other by the parsers. Knows no grammar.

use crate::checktestdata::lexer::{Token, Word};
use crate::checktestdata::syntax_error::CtdSyntaxError;

/// How deeply expressions, tests and blocks may be nested.
const DEEPEST: usize = 100;

/// The words, and the index of the next one.
pub(super) struct TokenList {
    words: Vec<Token>,
    pub(super) next: usize,
    depth: usize,
}

impl TokenList {
    pub(super) fn new(words: Vec<Token>) -> Self {
        Self {
            words,
            next: 0,
            depth: 0,
        }
    }

    pub(super) fn peek(&self) -> Option<&Word> {
        self.words.get(self.next).map(|token| &token.word)
    }

    /// The line of the next word, or of the last.
    pub(super) fn line(&self) -> usize {
        self.words
            .get(self.next)
            .or(self.words.last())
            .map_or(1, |token| token.line)
    }

    /// Takes the next word.
    pub(super) fn take(&mut self) -> Option<Word> {
        let word = self.words.get(self.next)?.word.clone();
        self.next += 1;
        Some(word)
    }

    /// Takes the next word if it is this sign, and returns whether it was.
    pub(super) fn takes(&mut self, sign: &str) -> bool {
        let is_next = matches!(self.peek(), Some(Word::Sign(found)) if *found == sign);
        self.next += usize::from(is_next);
        is_next
    }

    /// Takes the next word, which must be this sign.
    pub(super) fn expect(&mut self, sign: &str) -> Result<(), CtdSyntaxError> {
        if self.takes(sign) {
            Ok(())
        } else {
            Err(self.wrong(&format!("`{sign}`")))
        }
    }

    /// Takes the next word, which must be a name.
    pub(super) fn name(&mut self) -> Result<String, CtdSyntaxError> {
        match self.peek() {
            Some(Word::Name(name)) => {
                let name = name.clone();
                self.next += 1;
                Ok(name)
            }
            _ => Err(self.wrong("a variable")),
        }
    }

    /// Takes one or more names with commas between them.
    pub(super) fn names(&mut self) -> Result<Vec<String>, CtdSyntaxError> {
        let mut names = vec![self.name()?];
        while self.takes(",") {
            names.push(self.name()?);
        }
        Ok(names)
    }

    /// Reads something one level deeper.
    pub(super) fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, CtdSyntaxError>,
    ) -> Result<T, CtdSyntaxError> {
        if self.depth == DEEPEST {
            let message = format!("brackets and blocks are nested more than {DEEPEST} deep");
            return Err(CtdSyntaxError {
                line: self.line(),
                message,
            });
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }

    /// The error that the next word is not `expected`.
    pub(super) fn wrong(&self, expected: &str) -> CtdSyntaxError {
        let found = match self.peek() {
            None => "the end of the file".to_owned(),
            Some(Word::Keyword(word) | Word::Sign(word)) => format!("`{word}`"),
            Some(Word::Name(name)) => format!("`{name}`"),
            Some(Word::Int(_) | Word::Float(_)) => "a number".to_owned(),
            Some(Word::Text(_)) => "a string".to_owned(),
        };
        CtdSyntaxError {
            line: self.line(),
            message: format!("expected {expected}, found {found}"),
        }
    }
}
