//! Reads the programs of a problem: the keys that all have, sources, flags of the
//! compiler, the format of arguments, times; and generators of cases. Runs nothing.
//!
//! Source: `compile_with_auxiliary_files` of the judge, and its calls.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::keys::{KeyTable, KeyValue};
use crate::mistake::quoted;
use crate::model::{HEADER_ENDINGS, ProgramExtras, SourceFile, ending};
use crate::package::{CheckerLimits, PackageTree};

/// The longest time, in seconds, and the most memory that are accepted.
const MOST_SECONDS: f64 = 100_000.0;
const MOST_KIB: u64 = 1 << 34;

/// The endings of sources that are compiled together, by language.
const COMPILED_TOGETHER: [&[&str]; 2] = [&["c"], &["cpp", "cc", "cxx", "c++"]];

/// What stands for the paths of files in a format of arguments.
const PLACEHOLDERS: [&str; 3] = ["{input_file}", "{output_file}", "{answer_file}"];

/// Returns the first source that a `what` names, its other sources and headers, and its
/// flags; `None` if it is not supported, or a file is missing, which is noted.
pub(super) fn sources(
    map: &KeyTable,
    key: &'static str,
    what: &str,
    tree: &PackageTree,
) -> Option<(PathBuf, ProgramExtras)> {
    let mut paths = Vec::new();
    for name in &map.words(key)? {
        match tree.file(name) {
            Some(path) => {
                paths.push(path.to_owned());
            }
            None if !tree.lacks(name) => {}
            None => {
                let name = quoted(name);
                map.refuse_value(
                    key,
                    format!("the {what} {name} is not in the package"),
                    "put it next to `init.yml`, or correct the name",
                );
            }
        }
    }
    let (headers, sources): (Vec<_>, Vec<_>) = paths
        .into_iter()
        .partition(|path| HEADER_ENDINGS.contains(&ending(path)));
    let is_one_language = COMPILED_TOGETHER
        .iter()
        .any(|endings| sources.iter().all(|path| endings.contains(&ending(path))));
    if sources.len() > 1 && !is_one_language {
        let need =
            format!("a {what} of several sources that are not all in C, or all in C++");
        tree.need(map, map.value_place(key), &need);
    }
    let mut sources = sources.into_iter();
    let first = sources.next()?;
    let files = sources
        .chain(headers)
        .map(|path| SourceFile::at(&path))
        .collect();
    let flags = map.list("flags").unwrap_or_default();
    Some((first, ProgramExtras { files, flags }))
}

/// Returns the limits of a program, with the time in seconds under a key. The default
/// time counts, as there, if it is zero.
pub(super) fn program_limits(
    map: &KeyTable,
    time: &'static str,
    default: CheckerLimits,
) -> CheckerLimits {
    let seconds = map.number_from(time, 0.0).filter(|seconds| *seconds > 0.0);
    let seconds = seconds.map(|seconds| seconds.min(MOST_SECONDS));
    let memory = map.whole("memory_limit", 1, MOST_KIB);
    CheckerLimits {
        time: seconds.map_or(default.time, Duration::from_secs_f64),
        memory_bytes: memory.map_or(default.memory_bytes, |found| found << 10),
        ..default
    }
}

/// Returns the words of `args_format_string`, with what stands for files.
pub(super) fn program_arguments(
    map: &KeyTable,
    tree: &PackageTree,
) -> Option<Vec<String>> {
    let format = map.text("args_format_string")?;
    let Some(words) = shell_words(&format) else {
        map.refuse_value(
            "args_format_string",
            "`args_format_string` ends within quotes",
            "close them, as in `\"{input_file}\"`",
        );
        return None;
    };
    let mut rest = words.concat();
    for name in PLACEHOLDERS {
        rest = rest.replace(name, "");
    }
    if rest.contains(['{', '}']) {
        tree.need(
            map,
            map.value_place("args_format_string"),
            "`args_format_string` with braces for other than its three files",
        );
    }
    Some(words).filter(|words| !words.is_empty())
}

/// Splits a text into words as Python's `shlex.split` does; `None` if it ends within
/// quotes.
fn shell_words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (None, ' ' | '\t' | '\r' | '\n') => {
                words.extend(word.take());
            }
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (Some(open), _) if open == letter => {
                quote = None;
            }
            (None, '\\') => {
                let next = letters.next()?;
                word.get_or_insert_default().push(next);
            }
            (Some('"'), '\\') => {
                let next = letters.next()?;
                let word = word.get_or_insert_default();
                if !matches!(next, '"' | '\\') {
                    word.push('\\');
                }
                word.push(next);
            }
            _ => {
                word.get_or_insert_default().push(letter);
            }
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

// Reads the generator that makes inputs and answers of cases: its standard output is
// the input, its standard error the answer. Runs nothing. Start at [`read_program`].
//
// Source: `TestCase._run_generator` of the judge.

/// The default limits of a generator.
const DEFAULT: CheckerLimits = CheckerLimits {
    time: Duration::from_secs(20),
    memory_bytes: 512 << 20,
    output_bytes: 256 << 20,
};

/// A program that makes inputs and answers.
#[derive(Debug)]
pub struct CaseGenerator {
    /// Its source.
    pub source: PathBuf,
    /// Its further sources and headers, and the flags of its compiler.
    pub build: ProgramExtras,
    /// The arguments for cases that give none.
    pub arguments: Vec<String>,
    /// The limits of a run.
    pub limits: CheckerLimits,
}

/// A case of which a generator makes the input, the answer or both.
#[derive(Clone, Debug)]
pub struct GeneratedCase {
    /// The name of the case.
    pub name: String,
    /// Its generator.
    pub generator: Arc<CaseGenerator>,
    /// The arguments of the generator.
    pub arguments: Vec<String>,
    /// Its standard input, if it has one.
    pub stdin: Option<PathBuf>,
    /// The place for its standard output, if that is the input.
    pub input: Option<PathBuf>,
    /// The place for its standard error, if that is the answer.
    pub answer: Option<PathBuf>,
    /// Whether the line breaks of the answer are left unchanged.
    pub is_binary: bool,
}

/// Returns the generator that a map names; `None` if there is none, or it is not
/// supported, which is noted.
pub(super) fn read_program(
    map: &KeyTable,
    tree: &PackageTree,
) -> Option<CaseGenerator> {
    if !matches!(map.any("generator")?, KeyValue::Table(_)) {
        let made = sources(map, "generator", "generator", tree);
        return made.map(|(source, build)| CaseGenerator {
            source,
            build,
            arguments: Vec::new(),
            limits: DEFAULT,
        });
    }
    let own = map.table("generator")?;
    own.pass_over(["compiler_time_limit", "language"]);
    let limits = program_limits(&own, "time_limit", DEFAULT);
    let arguments = own.python_texts("args");
    let made = sources(&own, "source", "generator", tree);
    own.refuse_the_rest();
    let (source, build) = made?;
    Some(CaseGenerator {
        source,
        build,
        arguments: arguments.unwrap_or_default(),
        limits,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_split_as_python_splits_them() {
        for (text, words) in [
            ("", &[][..]),
            (" a  b\t", &["a", "b"]),
            ("\"The arguments\"", &["The arguments"]),
            ("--in={input_file} ''", &["--in={input_file}", ""]),
            (r#"a\ b "c\"d\e" 'f\g'"#, &["a b", r#"c"d\e"#, r"f\g"]),
            ("x'y'\"z\"", &["xyz"]),
        ] {
            assert_eq!(shell_words(text).unwrap(), words, "{text}");
        }
        for text in ["'a", "\"a", "a\\"] {
            assert_eq!(shell_words(text), None, "{text}");
        }
    }
}
