//! Reads an INI file as `parse_ini_string` of PHP does in its usual mode: sections
//! count for nothing, of a key that is there twice the last counts, unquoted `yes`,
//! `on` and `true` are `1`, and `no`, `off`, `false`, `none` and `null` are empty. A
//! single character in the wrong place makes PHP refuse the whole file. Knows no key.
//!
//! Source: the scanner and the grammar of PHP 8. Constants of PHP are read as their
//! names, which is wrong only where one is a value.

use crate::mistake::BYTE_ORDER_MARK;
use crate::text::newlines;

/// A setting.
pub(crate) struct IniSetting {
    pub(crate) key: String,
    pub(crate) value: IniValue,
    /// The line of its key, from 1.
    pub(crate) line: u64,
}

/// The text of a value; `None` for a list, as `key[] = value` makes it, and for what
/// depends on the server's environment, as `${HOME}` does.
type IniValue = Option<String>;

/// The reason why PHP refuses the whole file.
pub(crate) struct IniError {
    pub(crate) line: u64,
    pub(crate) message: &'static str,
}

/// Characters that end a key.
const AFTER_KEYS: &str = "=\n\r\t;&|^$~(){}!\"[\0";

/// Characters that end a word of an unquoted value.
const AFTER_WORDS: &str = "$= \t\n\r;&|^~()!\"\0'";

/// The deepest nesting of brackets in a value.
const DEEPEST: usize = 100;

/// Words that are no keys: those whose value is 1, and those whose value is empty.
const TRUE: [&str; 3] = ["true", "on", "yes"];
const FALSE: [&str; 5] = ["false", "off", "no", "none", "null"];

/// Parses a text. Returns all settings in order, also those that later ones replace.
///
/// # Errors
/// Returns why PHP refuses the file.
pub(crate) fn parse_ini(text: &str) -> Result<Vec<IniSetting>, IniError> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let mut scanner = IniScanner {
        rest: text,
        line: 1,
    };
    let mut settings = vec![];
    while !scanner.rest.is_empty() {
        settings.extend(scanner.statement()?);
    }
    Ok(settings)
}

struct IniScanner<'t> {
    rest: &'t str,
    line: u64,
}

impl<'t> IniScanner<'t> {
    fn next(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Takes this many bytes.
    fn take_bytes(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.line += newlines(taken.as_bytes());
        taken
    }

    /// Takes everything up to the first of these characters.
    fn take_until(&mut self, ends: &str) -> &'t str {
        self.take_bytes(self.length_until(ends))
    }

    /// The number of bytes before the first of these characters.
    fn length_until(&self, ends: &str) -> usize {
        self.rest
            .find(|letter| ends.contains(letter))
            .unwrap_or(self.rest.len())
    }

    /// The number of blanks that come next.
    fn blanks(&self) -> usize {
        self.rest.len() - self.rest.trim_start_matches([' ', '\t']).len()
    }

    fn take_blanks(&mut self) {
        self.take_bytes(self.blanks());
    }

    /// Takes a comment up to the end of its line.
    fn comment(&mut self) {
        self.take_until("\r\n\0");
        if self.next() == Some('\0') {
            self.stop();
        }
    }

    /// PHP takes a character that it does not expect for the end of the file.
    fn stop(&mut self) {
        self.take_bytes(self.rest.len());
    }

    fn error<T>(&self, message: &'static str) -> Result<T, IniError> {
        Err(IniError {
            line: self.line,
            message,
        })
    }

    /// Takes blanks, a comment, the head of a section, or a setting.
    fn statement(&mut self) -> Result<Option<IniSetting>, IniError> {
        let blanks = self.blanks();
        let key = self.length_until(AFTER_KEYS);
        let has_offset = key > 0 && self.rest[key..].starts_with('[');
        // The longest token counts: blanks, or a key, to which blanks before it and a
        // `[` after it belong.
        if key + usize::from(has_offset) > blanks {
            return self.setting();
        }
        if blanks > 0 {
            self.take_bytes(blanks);
            return Ok(None);
        }
        match self.next() {
            Some('\r' | '\n') => {
                self.take_bytes(1);
            }
            Some(';') => self.comment(),
            Some('[') => {
                self.in_brackets(
                    "]\\\"';\r\n",
                    "the name of a section needs a `]` after it, or quotes around it",
                )?;
                self.take_blanks();
            }
            Some('=') => {
                return self.error("there is no key before the `=`");
            }
            Some('\0') | None => self.stop(),
            Some(_) => {
                return self.error("a key holds one of `&|^$~(){}!` or a quote");
            }
        }
        Ok(None)
    }

    /// Takes a part in brackets, which has none of `ends` outside of quotes.
    fn in_brackets(
        &mut self,
        ends: &str,
        unclosed: &'static str,
    ) -> Result<(), IniError> {
        self.take_bytes(1);
        loop {
            self.take_until(ends);
            match self.next() {
                Some(']') => {
                    break;
                }
                Some('\\') => {
                    self.take_escape();
                }
                Some('"') => drop(self.double_quoted()?),
                Some('\'') if self.rest[1..].contains('\'') => {
                    self.single_quoted();
                }
                _ => {
                    return self.error(unclosed);
                }
            }
        }
        self.take_bytes(1);
        Ok(())
    }

    /// Takes a backslash and the character after it.
    fn take_escape(&mut self) -> &'t str {
        let escaped = self.rest.chars().nth(1).map_or(0, char::len_utf8);
        self.take_bytes(1 + escaped)
    }

    fn setting(&mut self) -> Result<Option<IniSetting>, IniError> {
        let line = self.line;
        let written = self.take_until(AFTER_KEYS);
        if is_word(written.trim_end_matches(' ')).is_some() {
            return self.error("a word for true, false or nothing is no key");
        }
        let key = written.trim_matches(' ').to_owned();
        let is_list = self.next() == Some('[');
        if is_list {
            self.in_brackets("]\"';\r\n", "a `[` in a key has no `]` after it")?;
        }
        let blanks = self.blanks();
        if !self.rest[blanks..].starts_with('=') {
            // A key without a value is passed over.
            return if is_list {
                self.error("a key with `[]` has no value")
            } else {
                Ok(None)
            };
        }
        if key.is_empty() {
            return self.error("there is no key before the `=`");
        }
        self.take_bytes(blanks + 1);
        self.take_blanks();
        let value = self.value()?;
        let value = value.filter(|_| !is_list);
        Ok(Some(IniSetting { key, value, line }))
    }

    /// Takes a value, and what follows it on its line.
    fn value(&mut self) -> Result<IniValue, IniError> {
        let word = &self.rest[..self.length_until(AFTER_WORDS)];
        let is_empty = match self.next() {
            None | Some('\r' | '\n') => true,
            // A comment must end with a line break, or else it is no comment.
            Some(';') => self.rest.contains(['\r', '\n']),
            Some('\'') => self.rest.starts_with("''"),
            Some('$') => self.rest.len() == 1,
            Some(_) => false,
        };
        let value = match is_word(word) {
            Some(meant) => {
                self.take_bytes(word.len());
                self.take_blanks();
                Some(meant.to_owned())
            }
            None if is_empty => Some(String::new()),
            None => self.expression(0)?,
        };
        match self.next() {
            None | Some('\r' | '\n') => {}
            Some(';') => self.comment(),
            Some('\'') if self.rest.starts_with("''") => {
                self.take_until("\"\r\n");
                if self.next() == Some('"') {
                    return self.error("a quote follows an empty text in quotes");
                }
            }
            Some('$' | '\'' | '\0') => self.stop(),
            Some(_) => {
                return self.error(
                    "a value with a word for true, false or nothing in it, or with one of \
                     `&|^~()!=`, needs quotes",
                );
            }
        }
        Ok(value)
    }

    /// Takes texts with operators between them, all of the same precedence.
    fn expression(&mut self, depth: usize) -> Result<IniValue, IniError> {
        let mut value = self.operand(depth)?;
        while let Some(operator) = self.next()
            && ['|', '&', '^'].contains(&operator)
        {
            self.take_bytes(1);
            self.take_blanks();
            let other = self.operand(depth)?;
            value = value.zip(other).map(|(one, other)| {
                let one = leading_number(&one);
                let other = leading_number(&other);
                let result = match operator {
                    '|' => one | other,
                    '&' => one & other,
                    _ => one ^ other,
                };
                result.to_string()
            });
        }
        Ok(value)
    }

    fn operand(&mut self, depth: usize) -> Result<IniValue, IniError> {
        if depth > DEEPEST {
            return self.error("too many brackets are nested");
        }
        let Some(operator) = self
            .next()
            .filter(|letter| ['~', '!', '('].contains(letter))
        else {
            return self.text();
        };
        self.take_bytes(1);
        self.take_blanks();
        if operator != '(' {
            let operand = self.operand(depth + 1)?;
            return Ok(operand.map(|operand| {
                let number = leading_number(&operand);
                let result = match operator {
                    '~' => !number,
                    _ => i64::from(number == 0),
                };
                result.to_string()
            }));
        }
        let value = self.expression(depth + 1)?;
        if self.next() != Some(')') {
            return self
                .error("a `(` has no `)` after it; such a value needs quotes");
        }
        self.take_bytes(1);
        self.take_blanks();
        Ok(value)
    }

    /// Takes words, blanks between them, and quoted texts.
    fn text(&mut self) -> Result<IniValue, IniError> {
        let mut text = String::new();
        let mut is_known = true;
        let mut is_empty = true;
        loop {
            // Blanks before a double quote and at the end of a line belong to nothing.
            let blanks = self.blanks();
            let is_kept = !self.rest[blanks..].starts_with(['"', ';', '\r', '\n']);
            let blanks = self.take_bytes(blanks);
            text.push_str(if is_kept { blanks } else { "" });
            match self.next() {
                Some('"') => match self.double_quoted()? {
                    Some(quoted) => {
                        text.push_str(&quoted);
                    }
                    None => is_known = false,
                },
                Some('\'')
                    if self.rest.starts_with("''")
                        || !self.rest[1..].contains('\'') =>
                {
                    break;
                }
                Some('\'') => {
                    text.push_str(self.single_quoted());
                }
                Some('$') if self.rest.starts_with("${") => {
                    self.variable()?;
                    is_known = false;
                }
                Some('$') => match self.rest.chars().nth(1) {
                    Some(letter) => {
                        text.push_str(self.take_bytes(1 + letter.len_utf8()));
                    }
                    None => {
                        break;
                    }
                },
                Some(letter) if !AFTER_WORDS.contains(letter) => {
                    let word = self.take_until(AFTER_WORDS);
                    if is_word(word).is_some() {
                        return self.error(
                            "a word for true, false or nothing stands in a text; it needs quotes",
                        );
                    }
                    text.push_str(word);
                }
                _ => {
                    break;
                }
            }
            is_empty = false;
        }
        if is_empty {
            return self.error(
                "a value with one of `&|^~()!=` or a lone quote needs quotes",
            );
        }
        Ok(is_known.then_some(text))
    }

    /// Takes a text in single quotes, and returns what is between them.
    fn single_quoted(&mut self) -> &'t str {
        let end = self.rest[1..]
            .find('\'')
            .map_or(self.rest.len(), |end| end + 2);
        let taken = self.take_bytes(end);
        taken[1..].trim_end_matches('\'')
    }

    /// Takes a text in double quotes and the blanks after it.
    fn double_quoted(&mut self) -> Result<IniValue, IniError> {
        self.take_bytes(1);
        let mut text = String::new();
        let mut is_known = true;
        loop {
            text.push_str(self.take_until("\"\\$"));
            match self.next() {
                None => {
                    return self.error("a quote has no other one after it");
                }
                Some('"') => break,
                // At the end of a line, it does not escape the quote.
                Some('\\')
                    if ["\\\"\r", "\\\"\n"]
                        .iter()
                        .any(|end| self.rest.starts_with(end))
                        || self.rest == "\\\"" =>
                {
                    text.push_str(self.take_bytes(1));
                    break;
                }
                Some('\\') => {
                    let both = self.take_escape();
                    text.push_str(if ["\\\"", "\\\\", "\\$"].contains(&both) {
                        &both[1..]
                    } else {
                        both
                    });
                }
                Some(_) if self.rest.starts_with("${") => {
                    self.variable()?;
                    is_known = false;
                }
                Some(_) => {
                    text.push_str(self.take_bytes(1));
                }
            }
        }
        self.take_bytes(1);
        self.take_blanks();
        Ok(is_known.then_some(text))
    }

    /// Takes a variable, as `${HOME}`.
    fn variable(&mut self) -> Result<(), IniError> {
        self.take_bytes(2);
        let name = self.take_until("}\r\n");
        if name.is_empty() || self.next() != Some('}') {
            return self.error("a `${` has no name and `}` after it");
        }
        self.take_bytes(1);
        Ok(())
    }
}

/// Returns the value of a word for true, false or nothing.
fn is_word(text: &str) -> Option<&'static str> {
    let text = text.to_ascii_lowercase();
    if TRUE.contains(&&*text) {
        return Some("1");
    }
    FALSE.contains(&&*text).then_some("")
}

/// Returns the whole number at the start of a text, as `atoi` of C reads it.
fn leading_number(text: &str) -> i64 {
    let text = text.trim_start();
    let digits = text.trim_start_matches(['+', '-']);
    let sign = text.len() - digits.len();
    let end = digits
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(digits.len());
    text[..sign + end].parse::<i32>().map_or(0, i64::from)
}

#[cfg(test)]
mod tests;
