//! Parses regular expressions as the program Checktestdata does: the extended ones of
//! POSIX, by the letter of the C++ library that it uses. There, a backslash between
//! brackets is an ordinary character, `\d` is a mistake, `.` matches a line break and
//! `^` only where the match begins.

use regex_syntax::hir::{
    Class, ClassBytes, ClassBytesRange, Hir, HirKind, Look, Repetition,
};

/// How deeply groups may be nested, and how often what is repeated may be repeated as a
/// whole.
const DEEPEST: usize = 100;
const MOST_REPEATED: usize = 10;

/// The characters that a backslash makes ordinary ones.
const SPECIAL: &[u8] = b".[\\()*+?{|^$";

/// Parses an expression.
///
/// # Errors
/// Returns a message that says what is wrong with it.
pub(super) fn parse_extended_regex(pattern: &[u8]) -> Result<Hir, String> {
    let mut parser = RegexParser {
        rest: pattern,
        depth: 0,
    };
    let parsed = parser.alternatives()?;
    match parser.rest {
        [] => Ok(parsed),
        [b')', ..] => Err("`)` closes no group".to_owned()),
        [found, ..] => Err(format!(
            "there is nothing before `{}` to repeat",
            found.escape_ascii()
        )),
    }
}

struct RegexParser<'a> {
    rest: &'a [u8],
    depth: usize,
}

/// What a hyphen between brackets follows.
enum BeforeHyphen {
    Byte(u8),
    Class,
    /// A range, which cannot be the beginning of another.
    Range,
}

impl RegexParser<'_> {
    fn alternatives(&mut self) -> Result<Hir, String> {
        let mut found = vec![self.sequence()?];
        while self.takes(b'|') {
            let next = self.sequence()?;
            // One empty alternative matches as much as many.
            if next != Hir::empty() || !found.contains(&next) {
                found.push(next);
            }
        }
        Ok(Hir::alternation(found))
    }

    fn sequence(&mut self) -> Result<Hir, String> {
        let mut found = vec![];
        while let Some(&first) = self.rest.first() {
            match first {
                b'|' | b')' | b'*' | b'+' | b'?' | b'{' => {
                    break;
                }
                b'^' | b'$' => {
                    self.rest = &self.rest[1..];
                    found.push(Hir::look(if first == b'^' {
                        Look::Start
                    } else {
                        Look::End
                    }));
                }
                _ => {
                    let atom = self.atom()?;
                    found.push(self.repeated(atom)?);
                }
            }
        }
        Ok(Hir::concat(found))
    }

    fn atom(&mut self) -> Result<Hir, String> {
        match self.take_byte() {
            Some(b'(') => {
                self.depth += 1;
                if self.depth > DEEPEST {
                    return Err(format!(
                        "groups are nested more than {DEEPEST} deep"
                    ));
                }
                let inner = self.alternatives()?;
                self.depth -= 1;
                if self.takes(b')') {
                    Ok(inner)
                } else {
                    Err("a group is not closed by `)`".to_owned())
                }
            }
            Some(b'[') => self.class(),
            // Any byte but 0.
            Some(b'.') => Ok(Hir::class(Class::Bytes(bytes_that(|byte| byte != 0)))),
            Some(b'\\') => match self.take_byte() {
                Some(byte) if SPECIAL.contains(&byte) => Ok(Hir::literal([byte])),
                Some(byte) => Err(format!(
                    "`\\{}` means nothing in an extended regular expression; digits, for example, \
                     are `[0-9]`",
                    byte.escape_ascii()
                )),
                None => Err("a backslash ends the expression".to_owned()),
            },
            Some(byte) => Ok(Hir::literal([byte])),
            None => Ok(Hir::empty()),
        }
    }

    /// Puts the repetitions that come next around `atom`.
    fn repeated(&mut self, atom: Hir) -> Result<Hir, String> {
        let mut found = atom;
        for _ in 0..MOST_REPEATED {
            let (min, max) = match self.rest.first() {
                Some(b'*') => (0, None),
                Some(b'+') => (1, None),
                Some(b'?') => (0, Some(1)),
                Some(b'{') => self.interval()?,
                _ => {
                    return Ok(found);
                }
            };
            self.rest = &self.rest[1..];
            found = Hir::repetition(Repetition {
                min,
                max,
                greedy: true,
                sub: Box::new(found),
            });
        }
        Err(format!(
            "more than {MOST_REPEATED} repetitions follow each other"
        ))
    }

    /// Reads `{2}`, `{2,}` or `{2,3}` up to its last bracket.
    fn interval(&mut self) -> Result<(u32, Option<u32>), String> {
        let wrong =
            || "a repetition is not of the form `{2}`, `{2,}` or `{2,3}`".to_owned();
        let end = self.rest.iter().position(|byte| *byte == b'}');
        let end = end.ok_or_else(wrong)?;
        let text = String::from_utf8_lossy(&self.rest[1..end]);
        let number = |digits: &str| {
            let is_number = !digits.is_empty()
                && digits.bytes().all(|byte| byte.is_ascii_digit());
            is_number
                .then(|| digits.parse().unwrap_or(u32::MAX))
                .ok_or_else(wrong)
        };
        let (least, most) = text.split_once(',').unwrap_or((&*text, &*text));
        let min = number(least)?;
        let max = match most {
            "" => None,
            most => Some(number(most)?),
        };
        if max.is_some_and(|max| max < min) {
            return Err(format!("`{{{text}}}` is not a range"));
        }
        self.rest = &self.rest[end..];
        Ok((min, max))
    }

    /// Reads a class, after its opening bracket.
    fn class(&mut self) -> Result<Hir, String> {
        let is_negated = self.takes(b'^');
        let mut set = ClassBytes::empty();
        let mut before = BeforeHyphen::Range;
        let mut is_first = true;
        loop {
            match self.take_in_class()? {
                b']' if !is_first => {
                    break;
                }
                b'[' if matches!(self.rest.first(), Some(b':' | b'=' | b'.')) => {
                    before = self.named(&mut set)?;
                }
                b'-' if !is_first && self.rest.first() != Some(&b']') => {
                    self.range(before, &mut set)?;
                    before = BeforeHyphen::Range;
                }
                byte => {
                    set.push(ClassBytesRange::new(byte, byte));
                    before = BeforeHyphen::Byte(byte);
                }
            }
            is_first = false;
        }
        if is_negated {
            set.negate();
        }
        Ok(Hir::class(Class::Bytes(set)))
    }

    /// Reads the end of a range, after its hyphen.
    fn range(
        &mut self,
        before: BeforeHyphen,
        set: &mut ClassBytes,
    ) -> Result<(), String> {
        let from = match before {
            BeforeHyphen::Byte(from) => from,
            BeforeHyphen::Class => {
                return Err("a range between brackets begins with a class".to_owned());
            }
            BeforeHyphen::Range => {
                return Err(
                    "a `-` between brackets is neither at an end nor in a range"
                        .to_owned(),
                );
            }
        };
        if self.rest.first() == Some(&b'[')
            && matches!(self.rest.get(1), Some(b':' | b'=' | b'.'))
        {
            return Err("a range between brackets ends with a class".to_owned());
        }
        let to = self.take_in_class()?;
        // Its characters have signs.
        let first = from.cast_signed();
        let last = to.cast_signed();
        if first > last {
            return Err(format!(
                "`{}-{}` is not a range",
                from.escape_ascii(),
                to.escape_ascii()
            ));
        }
        set.union(&bytes_that(|byte| {
            (first..=last).contains(&byte.cast_signed())
        }));
        Ok(())
    }

    /// Reads `[:name:]`, `[=x=]` or `[.x.]`, after its first bracket.
    fn named(&mut self, set: &mut ClassBytes) -> Result<BeforeHyphen, String> {
        let kind = self.rest[0];
        let end = self.rest[1..]
            .windows(2)
            .position(|pair| pair == [kind, b']']);
        let Some(length) = end else {
            return Err("a class is not closed by `]`".to_owned());
        };
        let name = &self.rest[1..=length];
        self.rest = &self.rest[length + 3..];
        if kind == b':' {
            let named = class_named(&name.to_ascii_lowercase());
            set.union(&named.ok_or_else(|| {
                format!("the class `[:{}:]` is unknown", name.escape_ascii())
            })?);
            return Ok(BeforeHyphen::Class);
        }
        let &[byte] = name else {
            return Err(format!(
                "the character `{}` between brackets is unknown",
                name.escape_ascii()
            ));
        };
        if kind == b'=' {
            set.union(&bytes_that(|other| other.eq_ignore_ascii_case(&byte)));
            return Ok(BeforeHyphen::Class);
        }
        set.push(ClassBytesRange::new(byte, byte));
        Ok(BeforeHyphen::Byte(byte))
    }

    fn take_in_class(&mut self) -> Result<u8, String> {
        self.take_byte()
            .ok_or_else(|| "a class is not closed by `]`".to_owned())
    }

    fn take_byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn takes(&mut self, wanted: u8) -> bool {
        let is_next = self.rest.first() == Some(&wanted);
        self.rest = &self.rest[usize::from(is_next)..];
        is_next
    }
}

/// The classes that have one name.
const CLASSES: &str =
    "alnum alpha blank cntrl digit graph lower print punct space upper xdigit";

/// The bytes of the class of this name.
fn class_named(name: &[u8]) -> Option<ClassBytes> {
    let name = match str::from_utf8(name).ok()? {
        "d" => "digit",
        "s" => "space",
        "w" => "word",
        name => CLASSES.split(' ').find(|class| *class == name)?,
    };
    let class = regex_syntax::parse(&format!("(?-u)[[:{name}:]]"));
    match class.ok()?.into_kind() {
        HirKind::Class(Class::Bytes(set)) => Some(set),
        _ => None,
    }
}

/// The bytes for which this holds.
fn bytes_that(are_in: impl Fn(u8) -> bool) -> ClassBytes {
    ClassBytes::new(
        (0..=u8::MAX)
            .filter(|byte| are_in(*byte))
            .map(|byte| ClassBytesRange::new(byte, byte)),
    )
}
