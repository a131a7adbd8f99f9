//! Reads the programs of a problem: the keys that all have, sources, flags of the
//! compiler, the format of arguments, times; generators of cases, checkers and
//! interactors. Runs nothing.
//!
//! Source: `compile_with_auxiliary_files` of the judge, and its calls.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use gridjudge_sandbox::Limits;

use crate::keys::{KeyTable, listed_number};
use crate::mistake::{quoted, suggestion};
use crate::model::{
    CallArgument, CheckerProtocol, CheckerTask, ErrorMeasure, HEADER_ENDINGS,
    JudgingProgramKind, NumberLineRules, PointValue, ProgramExtras, ScoredLineRules,
    SourceFile, Task, TextTask, Tolerance, UnorderedPiece, ending,
};
use crate::package::{PackageTree, checker_limits, is_among};

use TextTask::{
    Exact, NumberLines, ScoredLines, StrippedFilledLines, StrippedLines, TokenLines,
    Unordered,
};

/// The longest time, in seconds, and the most memory that are accepted.
const MOST_SECONDS: f64 = 100_000.0;
const MOST_KIB: u64 = 1 << 34;

/// The endings of sources that are compiled together, by language.
const COMPILED_TOGETHER: [&[&str]; 2] = [&["c"], &["cpp", "cc", "cxx", "c++"]];

/// What stands for the paths of files in a format of arguments.
const PLACEHOLDERS: [&str; 3] = ["{input_file}", "{output_file}", "{answer_file}"];

/// Returns the first source that a `what` names, its other sources and headers, and its
/// flags; `None` if it is not supported, or a file is missing, which is noted.
fn sources(
    map: &KeyTable,
    key: &'static str,
    what: &str,
    tree: &PackageTree,
) -> Option<(PathBuf, ProgramExtras)> {
    let mut paths = vec![];
    for name in &map.words(key)? {
        paths.extend(tree.file(name).map(Path::to_owned));
        if tree.lacks(name) {
            map.refuse_value(
                key,
                format!("the {what} {} is not in the package", quoted(name)),
                "put it next to `init.yml`, or correct the name",
            );
        }
    }
    let (headers, sources): (Vec<_>, Vec<_>) = paths
        .into_iter()
        .partition(|path| HEADER_ENDINGS.contains(&ending(path)));
    let is_one_language = COMPILED_TOGETHER
        .iter()
        .any(|endings| sources.iter().all(|path| endings.contains(&ending(path))));
    if sources.len() > 1 && !is_one_language {
        let need = format!(
            "a {what} of several sources that are not all in C, or all in C++"
        );
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

/// The names of DMOJ's languages. Source: DMOJ judge-server, `dmoj/executors`.
const LANGUAGES: &str = "ADA ALGL68 AWK BF C C11 C23 CBL CLANG CLPP14 CLPP17 CLPP20 CLPP23 CPP03 CPP11 \
                         CPP14 CPP17 CPP20 CPP23 D DART F95 FORTH GAS32 GAS64 GASARM GO GROOVY HASK \
                         ICK JAVA JAVA8 KOTLIN LEAN4 LLC LUA MONOCS MONOFS MONOVB NASM NASM64 NODEJS \
                         OBJC OCAML PAS PERL PHP PIKE PRO PY2 PY3 PYPY PYPY3 RKT RUBY RUST SBCL SCALA \
                         SCM SED SWIFT TCL TEXT TUR V8JS ZIG";

/// Notes a language that DMOJ does not have. Which of its languages it is does not
/// matter here: the ending of the source says it.
fn refuse_other_language(map: &KeyTable, key: &'static str) {
    let Some(name) = map.text(key) else { return };
    if !is_among(&name, LANGUAGES) {
        let message = format!("DMOJ has no language {}", quoted(&name));
        let remedy = suggestion(&name, LANGUAGES.split(' '), "it has ");
        map.refuse_value(key, message, remedy);
    }
}

/// Returns the limits of a program, with the time in seconds under a key. The default
/// time counts, as there, if it is zero.
fn program_limits(map: &KeyTable, time: &'static str, default: Limits) -> Limits {
    let seconds = map.number_from(time, 0.0).filter(|seconds| *seconds > 0.0);
    let seconds = seconds.map(|seconds| seconds.min(MOST_SECONDS));
    let memory = map.whole("memory_limit", 1, MOST_KIB);
    checker_limits(
        seconds.map_or(default.cpu, Duration::from_secs_f64),
        memory.map_or(default.memory_bytes, |found| found << 10),
        default.output_bytes,
    )
}

/// Returns the words of `args_format_string`, with what stands for files.
fn program_arguments(map: &KeyTable, tree: &PackageTree) -> Option<Vec<String>> {
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
    let mut words = vec![];
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

/// The default limits of a program: CPU time and memory; and the output of a generator.
const PROGRAM_TIME: Duration = Duration::from_secs(20);
const PROGRAM_MEMORY: u64 = 512 << 20;
const MOST_GENERATED: u64 = 256 << 20;

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
    pub limits: Limits,
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
    let mut limits = checker_limits(PROGRAM_TIME, PROGRAM_MEMORY, MOST_GENERATED);
    let mut arguments = None;
    let made = if map.node("generator")?.table().is_some() {
        let own = map.table("generator")?;
        own.pass_over(["compiler_time_limit"]);
        refuse_other_language(&own, "language");
        limits = program_limits(&own, "time_limit", limits);
        arguments = own.python_texts("args");
        let made = sources(&own, "source", "generator", tree);
        own.refuse_the_rest();
        made
    } else {
        sources(map, "generator", "generator", tree)
    };
    let (source, build) = made?;
    Some(CaseGenerator {
        source,
        build,
        arguments: arguments.unwrap_or_default(),
        limits,
    })
}

// Maps `checker` and `interactive` to ways of judging. Only those are supported that
// give the same result on every output as in DMOJ. Sources: docs.dmoj.ca, "Custom
// checkers" and "Custom graders", and the judge's behaviour. Start at [`task`] and
// [`interactor`].

/// The default checker.
pub(super) const STANDARD: TextTask = TokenLines;

/// The most bytes that a program prints that judges.
const MOST_PRINTED: u64 = 8 << 20;

/// The default time of an interactor beyond the time limit of the problem.
const DEFAULT_PREPROCESSING: Duration = Duration::from_secs(2);

/// The argument by which a checker gives points in per cent of those of the case.
const PERCENTAGE: &str = "treat_checker_points_as_percentage";

/// The checkers of DMOJ, of which all but the first need no program.
///
/// Source: DMOJ judge-server, `dmoj.checkers`.
pub(super) const CHECKERS: [&str; 12] = [
    "bridged",
    "easy",
    "floats",
    "floatsabs",
    "floatsrel",
    "identical",
    "linecount",
    "linematches",
    "rstripped",
    "sorted",
    "standard",
    "unordered",
];

/// The most digits of a tolerance.
const MOST_DIGITS: u64 = 300;

/// Returns the task for the key `checker` of a map, and whether the checker gives points
/// in per cent of those of the case; `None` if there is no such key, or it is not
/// supported, which is noted.
pub(super) fn task(map: &KeyTable, tree: &PackageTree) -> Option<(Task, bool)> {
    if map.node("checker")?.table().is_none() {
        let name = map.text("checker")?;
        let task = of_name(&name, (map, "checker"), None, tree)?;
        return Some((task, false));
    }
    let checker = map.table("checker")?;
    let name = checker.text("name");
    let arguments = checker.table("args");
    checker.refuse_the_rest();
    let Some(name) = name else {
        map.note_mistake(
            map.mark_read("checker")?,
            "`checker` has no `name`",
            "write `{name: floats, args: {precision: 6}}`",
        );
        return None;
    };
    let task = of_name(&name, (&checker, "name"), arguments.as_ref(), tree)?;
    // Only a program may have this key, so it does not count as read above.
    let arguments = checker.table("args");
    let percentages = arguments.and_then(|arguments| arguments.flag(PERCENTAGE));
    Some((task, percentages.unwrap_or_default()))
}

fn of_name(
    name: &str,
    (map, key): (&KeyTable, &str),
    arguments: Option<&KeyTable>,
    tree: &PackageTree,
) -> Option<Task> {
    if name == "bridged" {
        if arguments.is_none() {
            map.refuse_value(
                key,
                "`bridged` names no program",
                "write `args: {files: check.cpp, lang: CPP20}` below it",
            );
        }
        let default = checker_limits(PROGRAM_TIME, PROGRAM_MEMORY, MOST_PRINTED);
        let limits = program_limits(arguments?, "time_limit", default);
        return program(arguments?, JudgingProgramKind::Checker, limits, tree)
            .map(Task::Checker);
    }
    let nothing = map.without_keys();
    let arguments = arguments.unwrap_or(&nothing);
    let Some(text) = text_task(name, arguments) else {
        if name.contains('.') {
            let what = format!("a checker in Python ({})", quoted(name));
            tree.need(map, map.value_place(key), &what);
        } else {
            let message = format!("DMOJ has no checker {}", quoted(name));
            map.refuse_value(key, message, suggestion(name, CHECKERS, "it has "));
        }
        return None;
    };
    arguments.refuse_the_rest();
    Some(Task::Text(text))
}

/// Returns the comparison that a checker makes which is a part of DMOJ; `None` if there
/// is no such checker. What is not given has the judge's defaults.
fn text_task(name: &str, arguments: &KeyTable) -> Option<TextTask> {
    match name {
        "standard" => Some(STANDARD),
        "identical" => {
            arguments.pass_over(["pe_allowed"]);
            Some(Exact)
        }
        "rstripped" => Some(match arguments.flag("filter_new_line") {
            Some(true) => StrippedFilledLines,
            _ => StrippedLines,
        }),
        "floats" => Some(floats(None, arguments)),
        "floatsabs" => Some(floats(Some(ErrorMeasure::Absolute), arguments)),
        "floatsrel" => Some(floats(Some(ErrorMeasure::Relative), arguments)),
        "sorted" => {
            let pieces = [
                ("lines", UnorderedPiece::Lines),
                ("whitespace", UnorderedPiece::Tokens),
            ];
            let piece = arguments.choice("split_on", &pieces);
            Some(Unordered(piece.unwrap_or(UnorderedPiece::Lines)))
        }
        "unordered" => Some(Unordered(UnorderedPiece::Tokens)),
        "easy" => Some(Unordered(UnorderedPiece::Bytes)),
        "linecount" => {
            arguments.pass_over(["feedback"]);
            Some(ScoredLines(ScoredLineRules::Equal))
        }
        "linematches" => {
            let needs_all_lines = arguments.flag("filler_lines_required");
            let points = points_of_lines(arguments);
            Some(ScoredLines(ScoredLineRules::Weighted {
                points: points.unwrap_or_else(|| vec![1.into()]),
                needs_all_lines: needs_all_lines.unwrap_or(true),
            }))
        }
        _ => None,
    }
}

/// Returns a checker of numbers; settings that are not given have the judge's defaults.
fn floats(measure: Option<ErrorMeasure>, arguments: &KeyTable) -> TextTask {
    let precision = arguments.whole("precision", 0, MOST_DIGITS).unwrap_or(6);
    let modes = [
        ("default", ErrorMeasure::Either),
        ("absolute", ErrorMeasure::Absolute),
        ("relative", ErrorMeasure::Relative),
    ];
    let measure = measure.or_else(|| arguments.choice("error_mode", &modes));
    // Like Python's `10 ** -precision`.
    NumberLines(NumberLineRules {
        tolerance: Tolerance::new(10f64.powf(-(precision as f64)))
            .unwrap_or_default(),
        measure: measure.unwrap_or(ErrorMeasure::Either),
    })
}

/// Returns the list `point_distribution`. Notes numbers that are no points, and a sum
/// of nothing.
fn points_of_lines(arguments: &KeyTable) -> Option<Vec<PointValue>> {
    const REMEDY: &str = "write a list of numbers, one for each line of the answer";
    let points = listed_points(arguments, "point_distribution", REMEDY)?;
    let all: PointValue = points.iter().flatten().copied().sum();
    if all == PointValue::ZERO {
        arguments.refuse_value(
            "point_distribution",
            "`point_distribution` gives no points at all",
            REMEDY,
        );
        return None;
    }
    points.into_iter().collect()
}

/// Returns a list of points, with `None` for what is no number or less than nothing,
/// which is noted.
pub(super) fn listed_points(
    map: &KeyTable,
    key: &'static str,
    remedy: &str,
) -> Option<Vec<Option<PointValue>>> {
    let found = map.list(key)?;
    let points = found.iter().map(|text| {
        let points = listed_number(text)
            .and_then(PointValue::new)
            .filter(|points| *points >= PointValue::ZERO);
        if points.is_none() {
            let text = quoted(text);
            map.refuse_value(
                key,
                format!("`{key}` holds {text}, which is not a number of points"),
                remedy,
            );
        }
        points
    });
    Some(points.collect())
}

/// Returns the program that `interactive` at the root names, for a problem with this
/// time limit; `None` if there is none, or it is not supported, which is noted.
pub(super) fn interactor(
    root: &KeyTable,
    time_limit: Duration,
    tree: &PackageTree,
) -> Option<CheckerTask> {
    let own = root.table("interactive")?;
    let beyond = checker_limits(DEFAULT_PREPROCESSING, PROGRAM_MEMORY, MOST_PRINTED);
    let limits = program_limits(&own, "preprocessing_time", beyond);
    let cpu = time_limit + limits.cpu;
    let limits = checker_limits(cpu, limits.memory_bytes, limits.output_bytes);
    own.pass_over(["unbuffered"]);
    program(&own, JudgingProgramKind::Interactor, limits, tree)
}

/// Reads the keys that both kinds of programs have.
fn program(
    map: &KeyTable,
    kind: JudgingProgramKind,
    limits: Limits,
    tree: &PackageTree,
) -> Option<CheckerTask> {
    map.pass_over(["feedback", "cached", "compiler_time_limit"]);
    refuse_other_language(map, "lang");
    let is_interactor = kind == JudgingProgramKind::Interactor;
    let what = kind.name();
    if !is_interactor && !map.has("lang") {
        let message = "the checker has no `lang`, without which DMOJ fails";
        map.document.deviation(map.header, message);
    }
    // For a checker, see `task`.
    if !is_interactor {
        map.pass_over([PERCENTAGE]);
    } else if map.flag(PERCENTAGE) == Some(true) {
        tree.need(
            map,
            map.value_place(PERCENTAGE),
            &format!("points in per cent (`{PERCENTAGE}`)"),
        );
    }
    if !map.has("files") {
        map.refuse_table(
            format!("the {what} names no source"),
            "write `files: check.cpp`",
        );
    }
    let made = sources(map, "files", what, tree);
    let named_type = protocol(map, kind, tree);
    let own_call = program_arguments(map, tree);
    map.refuse_the_rest();
    let (source, build) = made?;
    let (protocol, default_call) = named_type?;
    let call = own_call.or(default_call).map(|mut words| {
        if is_interactor {
            // The file that it would write for a checker is nowhere there.
            for word in &mut words {
                *word = word.replace("{output_file}", "/dev/null");
            }
        }
        words
    });
    Some(CheckerTask {
        call,
        build,
        ..CheckerTask::new(kind, source, protocol, limits)
    })
}

/// The protocol that the type of a program stands for, and its arguments if they are
/// others.
fn protocol(
    map: &KeyTable,
    kind: JudgingProgramKind,
    tree: &PackageTree,
) -> Option<(CheckerProtocol, Option<Vec<String>>)> {
    match map.text("type").as_deref() {
        None | Some("default") => Some((CheckerProtocol::Dmoj, None)),
        Some("testlib") => Some((CheckerProtocol::Testlib, None)),
        Some("coci") => {
            let words = CheckerProtocol::Dmoj.rules().arguments(kind)?.iter().map(
                |argument| match argument {
                    CallArgument::Input => "{input_file}".to_owned(),
                    CallArgument::Output => "{output_file}".to_owned(),
                    _ => "{answer_file}".to_owned(),
                },
            );
            Some((CheckerProtocol::Testlib, Some(words.collect())))
        }
        Some(other) => {
            tree.need(
                map,
                map.value_place("type"),
                &format!("{} of type {}", kind.name(), quoted(other)),
            );
            None
        }
    }
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
