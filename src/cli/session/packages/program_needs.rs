//! Lists what a program of a package needs and this machine or its package lacks: compilers,
//! runtimes, and headers such as `testlib.h`. Starts nothing.

use crate::sorted::SortedMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use std::mem;
use std::path::Path;

use crate::cli::languages;
use crate::compile::{ProgramSource, ToolFinder, ToolLocation};
use crate::mistake::Mistake;
use crate::model::{
    CheckerTask, ErrorMeasure, JudgingProgramKind, ScoredLineRules, Submission, Task, TextTask,
};
use crate::package::Package;
use crate::run::JudgingProgram;
use crate::spec::PackageTool;
use crate::text::counted;

/// The most bytes of a source that are read.
const LONGEST_SOURCE: u64 = 1 << 20;

/// Folders in which compilers find the headers of the system.
const SYSTEM_HEADERS: [&str; 2] = ["/usr/include", "/usr/local/include"];

/// The languages whose sources include headers.
const WITH_HEADERS: [&str; 2] = ["c", "cpp"];

/// What a judging program, and the one that runs after it, lack.
pub(crate) fn lacking_of_judging_program(
    program: &JudgingProgram,
    finder: &ToolFinder,
) -> Vec<Mistake> {
    let mut lacking = lacking_of_source(&program.program_source(), finder);
    lacking.extend(
        program
            .final_checker
            .iter()
            .flat_map(|last| lacking_of_judging_program(last, finder)),
    );
    lacking
}

/// What an input validator lacks.
pub(crate) fn lacking_of_tool(tool: &PackageTool, finder: &ToolFinder) -> Vec<Mistake> {
    let source = Submission::at(tool.path.clone());
    let source = ProgramSource {
        source: &source,
        additional_sources: &tool.additional_sources,
        language: Some(&tool.language),
        memory_bytes: 0,
        is_submission: false,
        keeps_name: true,
    };
    lacking_of_source(&source, finder)
}

fn lacking_of_source(program: &ProgramSource<'_>, finder: &ToolFinder) -> Vec<Mistake> {
    let mut lacking = tools(program, finder);
    lacking.extend(headers(program));
    lacking
}

/// The compiler or runtime, if it is missing.
fn tools(program: &ProgramSource<'_>, finder: &ToolFinder) -> Vec<Mistake> {
    let Some(language) = program.language else {
        return Vec::new();
    };
    let tools = finder.tools(language);
    let missing = tools
        .iter()
        .filter(|tool| !matches!(tool.found, ToolLocation::At(_)));
    let mistakes = missing.map(|tool| {
        let message = format!("needs {}: {}", language.name, languages::text(tool));
        let mistake = Mistake::of(&program.source.path, message);
        languages::remedy(language, &tools)
            .into_iter()
            .fold(mistake, Mistake::with_remedy)
    });
    mistakes.collect()
}

/// The headers that its sources include and that are nowhere.
fn headers(program: &ProgramSource<'_>) -> Vec<Mistake> {
    if !program
        .language
        .is_some_and(|language| WITH_HEADERS.contains(&language.id.as_str()))
    {
        return Vec::new();
    }
    let files = &program.additional_sources.files;
    let source = &program.source.path;
    let folder = source.parent().unwrap_or(Path::new(""));
    let text = start_of(source);
    let missing = included(&text).filter(|header| {
        let is_given = files
            .iter()
            .any(|file| file.name == *header || file.path.ends_with(header));
        !is_given && !folder.join(header).exists() && !is_system_header(header)
    });
    let mistakes = missing.map(|header| {
        Mistake::of(source, format!("includes `{header}`, which is not there"))
            .with_remedy(format!("put `{header}` next to it"))
    });
    mistakes.collect()
}

fn is_system_header(name: &str) -> bool {
    SYSTEM_HEADERS
        .iter()
        .any(|folder| Path::new(folder).join(name).exists())
}

/// The headers that a source includes and that do not belong to its compiler: those in quotes, and
/// `testlib.h`.
fn included(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| {
        let named = line
            .trim_start()
            .strip_prefix('#')?
            .trim_start()
            .strip_prefix("include")?
            .trim_start();
        match named.strip_prefix('"') {
            Some(named) => named.split_once('"').map(|(name, _)| name),
            None => named.starts_with("<testlib.h>").then_some("testlib.h"),
        }
    })
}

/// A source as text. Empty if it cannot be read; that is reported elsewhere.
fn start_of(source: &Path) -> String {
    let mut text = Vec::new();
    let read = File::open(source).and_then(|file| file.take(LONGEST_SOURCE).read_to_end(&mut text));
    if read.is_ok() {
        String::from_utf8_lossy(&text).into_owned()
    } else {
        String::new()
    }
}

// Says in words how the outputs of a package are judged, for its page. Start at [`comparing`].

/// How the outputs of a package are judged, and on how many cases otherwise.
pub(crate) fn comparing(package: &Package) -> String {
    let of = |task: &Task| task_comparing(task, &package.file);
    let mut others: SortedMap<String, u64> = SortedMap::new();
    for task in package
        .case_tasks
        .values()
        .filter(|task| task.static_validator().is_none())
    {
        let way = if is_by_same_program(task, &package.task) {
            "with other flags".to_owned()
        } else {
            of(task)
        };
        *others.entry(way).or_default() += 1;
    }
    let others = others
        .into_iter()
        .map(|(way, cases)| format!("; on {} {way}", counted(cases, "case")));
    of(&package.task) + &others.collect::<String>()
}

/// Whether two tasks can differ in nothing but their flags.
fn is_by_same_program(one: &Task, other: &Task) -> bool {
    match (one, other) {
        (Task::Checker(one), Task::Checker(other)) => one.source == other.source,
        (Task::Text(one), Task::Text(other)) => mem::discriminant(one) == mem::discriminant(other),
        _ => false,
    }
}

fn task_comparing(task: &Task, spec: &Path) -> String {
    let rules = match task {
        Task::Text(TextTask::Tokens(rules)) => rules,
        Task::Checker(checker) => return by_checker(checker, spec),
        Task::Text(other) => return by_lines(other),
        Task::Grid(_) => return String::new(),
    };
    let mut words = vec!["token by token".to_owned()];
    words.extend(
        rules
            .case_sensitive
            .then(|| "upper and lower case differ".to_owned()),
    );
    words.extend(
        rules
            .space_change_sensitive
            .then(|| "white space counts".to_owned()),
    );
    words.extend(
        rules
            .absolute_tolerance
            .map(|most| format!("numbers may be off by {most}")),
    );
    words.extend(
        rules
            .relative_tolerance
            .map(|most| format!("numbers may be off by {most} of the answer")),
    );
    words.join(", ")
}

fn by_lines(task: &TextTask) -> String {
    match task {
        TextTask::Exact => "byte by byte".to_owned(),
        TextTask::CrlfInsensitive => {
            "byte by byte; a line may end with a carriage return and a line feed".to_owned()
        }
        TextTask::Lines => "line by line, without white space at their ends".to_owned(),
        TextTask::StrippedLines => {
            "line by line, without white space at their ends; each line counts".to_owned()
        }
        TextTask::StrippedFilledLines => "line by line, without white space at their ends; each \
                                          line counts that is not empty"
            .to_owned(),
        TextTask::Unordered(piece) => format!("{}s in any order", piece.name()),
        TextTask::ScoredLines(ScoredLineRules::Equal) => {
            "line by line, each for the same part of the points, without white space around them"
                .to_owned()
        }
        TextTask::ScoredLines(ScoredLineRules::Weighted { .. }) => {
            "line by line, each for its part of the points".to_owned()
        }
        TextTask::Tokens(_) | TextTask::TokenLines => "line by line, token by token".to_owned(),
        TextTask::NumberLines(rules) => {
            let most = rules.tolerance;
            let part = format!("{most} of the answer");
            let allowed = match rules.measure {
                ErrorMeasure::Absolute => most.to_string(),
                ErrorMeasure::Relative => part,
                ErrorMeasure::Either => format!("{most}, or by {part}"),
            };
            format!("line by line, token by token, numbers may be off by {allowed}")
        }
    }
}

/// The program that judges, with those that judge after it.
pub(crate) fn by_checker(checker: &CheckerTask, spec: &Path) -> String {
    let named = |checker: &CheckerTask| {
        let source = checker
            .source
            .strip_prefix(spec.parent().unwrap_or(spec))
            .unwrap_or(&checker.source);
        source.display().to_string()
    };
    let by = match checker.kind {
        JudgingProgramKind::Checker
        | JudgingProgramKind::FinalChecker
        | JudgingProgramKind::Grader
        | JudgingProgramKind::StaticValidator => "by the program",
        JudgingProgramKind::Interactor => "by an interaction with the program",
    };
    let mut text = format!("{by} {}", named(checker));
    let mut before = checker;
    while let Some(next) = &before.final_checker {
        let what = if before.kind == JudgingProgramKind::Interactor {
            ", and what that has written"
        } else {
            ", and as well"
        };
        let _ = write!(text, "{what} by the program {}", named(next));
        before = next;
    }
    if checker.passes > 1 {
        let _ = write!(text, ", in up to {} passes", checker.passes);
    }
    if !checker.arguments.is_empty() {
        let _ = write!(text, ", with {}", checker.arguments.join(" "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_in_quotes_and_testlib_are_those_that_may_be_missing() {
        let source = "#include <cstdio>\n # include \"lib/queue.h\" // x\n#include \
                      <testlib.h>\n// #include \"no.h\"\n";
        assert_eq!(
            included(source).collect::<Vec<_>>(),
            ["lib/queue.h", "testlib.h"]
        );
    }
}
