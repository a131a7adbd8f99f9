//! The files of a submission besides the one that names it, and the classes that Java
//! sources declare. Plain data: planning finds the files, and the compiler combines
//! them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex_lite::Regex;
use serde::{Deserialize, Serialize};

use crate::text::JoinedTexts;

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
    /// A file with this name in its folder.
    pub fn new(name: impl Into<String>, path: impl Into<PathBuf>) -> Self {
        Self {
            name: name.into(),
            path: path.into(),
        }
    }

    /// A file under its own name.
    pub fn at(path: &Path) -> Self {
        Self::new(file_name(path), path)
    }

    /// Whether this file and another one cannot be in the same folder under their
    /// names: the names are the same, or one is that of a folder which the other needs.
    pub fn collides_with(&self, other: &Self) -> bool {
        let is_above = |folder: &str, name: &str| {
            name.strip_prefix(folder)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        is_above(&self.name, &other.name) || is_above(&other.name, &self.name)
    }
}

/// The name of a file in its folder, for display.
pub fn file_name(path: &Path) -> Cow<'_, str> {
    path.file_name().unwrap_or_default().to_string_lossy()
}

/// The ending of a file's name, without the dot; empty if it has none.
pub fn ending(path: &(impl AsRef<Path> + ?Sized)) -> &str {
    let ending = path.as_ref().extension();
    ending.and_then(OsStr::to_str).unwrap_or_default()
}

impl AdditionalSources {
    /// Whether there is only the submission's own file, unchanged.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

// Named values that are filled into the files of a package wherever they contain
// `{{name}}`.

/// Values by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constants(BTreeMap<String, String>);

impl Constants {
    /// Whether this may be the name of a constant: it is not empty and contains no
    /// brace.
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

    /// Returns the text with each `{{name}}` of a known name replaced by its value, or
    /// `None` if the result is longer than `most` bytes: a few short names may expand
    /// to more than fits into memory.
    pub fn filled_in(&self, text: &[u8], most: u64) -> Option<Vec<u8>> {
        let mut filled = Vec::with_capacity(text.len());
        let mut rest = text;
        while !rest.is_empty() {
            let (bytes, after) =
                self.value_at(rest).unwrap_or_else(|| rest.split_at(1));
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
        // No name contains a brace, so the search stops at the first one and the whole
        // scan stays linear.
        let end = inner.iter().position(|byte| matches!(byte, b'{' | b'}'))?;
        let after = inner[end..].strip_prefix(b"}}")?;
        let value = self.0.get(str::from_utf8(&inner[..end]).ok()?)?;
        Some((value.as_bytes(), after))
    }
}

/// From the values by name or, for one of several forms, by name and form, as `k.tex`.
/// The value itself is also the form `value`.
impl FromIterator<(String, String)> for Constants {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(values: T) -> Self {
        let mut all: BTreeMap<_, _> = values.into_iter().collect();
        let named: Vec<_> = all
            .iter()
            .filter(|(name, _)| !name.contains('.'))
            .map(|(name, value)| (format!("{name}.value"), value.clone()))
            .collect();
        all.extend(named);
        Self(all)
    }
}

// Reads from a Java source which classes it declares, so that neither its file nor its
// class needs a certain name. It skips comments and literals, counts brackets, and
// understands nothing else of the language: javac reports what is wrong with a source.
// Start at [`JavaSource::read`].

/// The longest name of a class or package that is used, in bytes. A file may have 255,
/// with its ending.
const LONGEST_NAME: usize = 200;

/// The class that judges start if nothing else tells.
const DEFAULT_START: &str = "Main";

/// The words that begin the declaration of a type. The name follows.
const KINDS: [&str; 4] = ["class", "interface", "enum", "record"];

/// A comment, a literal, or else a word or a sign, which is captured. A comment or a
/// text block that is not closed goes on to the end of the source, any other literal to
/// the end of its line at most.
const PARTS: &str = r#"(?sx)
    //[^\n]*
    | /\*.*?(?: \*/ | $ )
    | "{3}(?: \\.? | [^\\] )*?(?: "{3} | $ )
    | "(?: \\.? | [^"\\\n] )*(?: ["\n] | $ )
    | '(?: \\.? | [^'\\\n] )*(?: ['\n] | $ )
    | ( [\w$\u{80}-\u{10FFFF}]+ | \S )"#;

/// What a Java source declares.
#[derive(Debug, Default)]
pub struct JavaSource {
    package: Vec<String>,
    types: Vec<JavaType>,
}

/// A type at the top level of a source.
#[derive(Debug)]
struct JavaType {
    name: String,
    is_public: bool,
    main: Main,
}

/// Whether a type has a `void main(`, in ascending order of preference. Since Java 25,
/// a `main` needs neither `public` nor `static`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Main {
    None,
    Plain,
    PublicStatic,
}

impl JavaSource {
    /// Reads a source.
    pub fn read(text: &str) -> Self {
        static SPLITTER: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(PARTS).expect("the pattern is valid"));
        let mut scanner = Scanner::default();
        for part in SPLITTER.captures_iter(text) {
            if let Some(token) = part.get(1) {
                scanner.take_token(token.as_str());
            }
        }
        scanner.source
    }

    /// Whether a type has a `main` method.
    pub(crate) fn has_main(&self) -> bool {
        self.start("").is_some()
    }

    /// The name, without ending, that the file of this source must or may have: that of
    /// its public type, else `own` if it declares a type of this name, else that of the
    /// type in which it starts. `None` if it declares none of them.
    pub fn file_stem(&self, own: &str) -> Option<&str> {
        let public = self.types.iter().find(|one| one.is_public);
        public
            .or_else(|| self.types.iter().find(|one| one.name == own))
            .or_else(|| self.start(own))
            .map(|one| one.name.as_str())
    }

    /// The class in which it starts, with its package, if its file has the name `stem`
    /// without its ending.
    pub fn start_class(&self, stem: &str) -> Option<String> {
        let start = self.start(stem)?;
        let words = self.package.iter().chain([&start.name]);
        Some(words.map(String::as_str).joined("."))
    }

    /// The type with the best `main`: of several, the public one, then the one that is
    /// called like the file, then `Main`, then the first.
    fn start(&self, stem: &str) -> Option<&JavaType> {
        // `max_by_key` returns the last of several, so it is given them from the end.
        self.types
            .iter()
            .filter(|one| one.main != Main::None)
            .rev()
            .max_by_key(|one| {
                (
                    one.main,
                    one.is_public,
                    one.name == stem,
                    one.name == DEFAULT_START,
                )
            })
    }
}

/// The state between two words or signs.
#[derive(Default)]
struct Scanner<'t> {
    source: JavaSource,
    /// The number of brackets of any kind that are open.
    depth: usize,
    /// The words and signs at depths 0 and 1 since the last statement or declaration
    /// ended.
    words: Vec<&'t str>,
}

impl<'t> Scanner<'t> {
    fn take_token(&mut self, token: &'t str) {
        match token {
            // The `main` of the current type.
            "(" if self.depth == 1 && self.words.ends_with(&["void", "main"]) => {
                let is_default = ["public", "static"]
                    .iter()
                    .all(|word| self.words.contains(word));
                let found = if is_default {
                    Main::PublicStatic
                } else {
                    Main::Plain
                };
                if let Some(last) = self.source.types.last_mut() {
                    last.main = last.main.max(found);
                }
                self.words.clear();
            }
            ";" if self.depth == 0 && self.words.first() == Some(&"package") => {
                self.source.package = self.words[1..]
                    .iter()
                    .filter(|word| is_class_name(word))
                    .map(|word| (*word).to_owned())
                    .collect();
            }
            // The name of a type at the top level.
            name if self.depth == 0
                && self.words.last().is_some_and(|last| KINDS.contains(last))
                && is_class_name(name) =>
            {
                self.source.types.push(JavaType {
                    name: name.to_owned(),
                    is_public: self.words.contains(&"public"),
                    main: Main::None,
                });
                self.words.clear();
                return;
            }
            _ => {}
        }
        match token {
            "(" | "[" | "{" => self.depth += 1,
            ")" | "]" | "}" => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        match token {
            _ if self.depth > 1 => {}
            "{" | "}" | ";" => self.words.clear(),
            // Signs separate the words: in `B.class)` and `public`, no type is declared.
            _ => self.words.push(token),
        }
    }
}

fn is_class_name(word: &str) -> bool {
    word.len() <= LONGEST_NAME
        && word.starts_with(|letter: char| {
            letter.is_alphabetic() || "_$".contains(letter)
        })
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
        let constants =
            constants(&[("n", "{{m}}"), ("m", "7"), ("nn", ""), ("n.word", "one")]);
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

#[cfg(test)]
mod java_source_tests {
    use super::*;

    const MAIN: &str = "public static void main(String[] words) {}";

    #[track_caller]
    fn reads(text: &str, own: &str, stem: Option<&str>, start: Option<&str>) {
        let source = JavaSource::read(&text.replace("MAIN", MAIN));
        let found = source.file_stem(own);
        assert_eq!(found, stem, "{text}");
        assert_eq!(
            source.start_class(found.unwrap_or(own)).as_deref(),
            start,
            "{text}"
        );
        assert_eq!(source.has_main(), start.is_some(), "{text}");
    }

    #[test]
    fn the_public_type_names_the_file_and_the_type_with_main_starts() {
        for (text, stem, start) in [
            ("public class Solution { MAIN }", "Solution", "Solution"),
            ("class B { int x; } class C{ MAIN }", "C", "C"),
            ("public class Größe { MAIN }", "Größe", "Größe"),
            (
                "package foo.bar;\nimport java.util.*;\npublic class Twice { MAIN }",
                "Twice",
                "foo.bar.Twice",
            ),
            ("package prob;\nclass Main { MAIN }", "Main", "prob.Main"),
            ("class A { MAIN } public class B { MAIN }", "B", "B"),
            ("class A { MAIN } class B { MAIN }", "A", "A"),
            ("class A { MAIN } class prob { MAIN }", "prob", "prob"),
            ("class prob { int x; } class D { MAIN }", "prob", "D"),
            ("class A { void main() {} } class B { MAIN }", "B", "B"),
            ("public class A { int x; } class B { MAIN }", "A", "B"),
            ("class Only { void main() {} }", "Only", "Only"),
            (
                "public interface I { static void main(String... words) {} }",
                "I",
                "I",
            ),
            ("public record R(int a, int b) { MAIN }", "R", "R"),
            ("public enum E { A, B; MAIN }", "E", "E"),
            (
                "@SuppressWarnings({\"a\"}) @X(B.class) public final class $1<T extends A> { \
                 @Y(1) MAIN }",
                "$1",
                "$1",
            ),
            (
                "strictfp class A { static final public void main ( final String a [ ] ) {} }",
                "A",
                "A",
            ),
        ] {
            reads(text, "prob", Some(stem), Some(start));
        }
    }

    #[test]
    fn comments_and_literals_declare_nothing() {
        for skipped in [
            "// public class X { MAIN }\n",
            "/* public class X { MAIN } **/",
            "class Y { String a = \"} public class X {\"; char b = '\"', c = '\\'', d = '{'; }",
            "class Y { String a = \"\"\"\n } \" \\\"\"\" public class X { MAIN } \"\"\"; }",
            "class Y { class X { MAIN } Runnable r = () -> { class X { MAIN } }; }",
            "import a.Main.record; class Y { String a = \"unterminated {\n; }",
        ] {
            reads(
                &format!("{skipped} class Z {{ MAIN }}"),
                "prob",
                Some("Z"),
                Some("Z"),
            );
        }
    }

    #[test]
    fn nothing_is_found_where_nothing_usable_is_declared() {
        let long =
            format!("public class {} {{ MAIN }}", "x".repeat(LONGEST_NAME + 1));
        for text in [
            "",
            "void main() {}",
            "}}}} class",
            "class A { int main; }",
            &long,
        ] {
            reads(text, "prob", None, None);
        }
        reads("}} public class A { MAIN", "prob", Some("A"), Some("A"));
    }

    /// Where nothing is closed, each start must not look through all that follows.
    #[test]
    fn a_long_source_is_read_once_whatever_is_open_in_it() {
        for part in ["/*", "\"\\", "\"\"\"\\\"", "'\\'", "/", "\"\n", "é ", "\\"] {
            let text = part.repeat((1 << 16) / part.len());
            assert!(!JavaSource::read(&text).has_main(), "{part}");
        }
    }
}
