//! Says in words how the outputs of a package are judged, for its page. Start at [`comparing`].

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::mem;
use std::path::Path;

use crate::model::{CheckerKind, CheckerTask, ErrorMeasure, ScoredLineRules, Task, TextTask};
use crate::package::Package;
use crate::text::counted;

/// How the outputs of a package are judged, and on how many cases otherwise.
pub(super) fn comparing(package: &Package) -> String {
    let of = |task: &Task| task_comparing(task, &package.file);
    let mut others: BTreeMap<String, u64> = BTreeMap::new();
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
        TextTask::StrippedFilledLines => {
            "line by line, without white space at their ends; each line counts that is not empty"
                .to_owned()
        }
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
pub(super) fn by_checker(checker: &CheckerTask, spec: &Path) -> String {
    let named = |checker: &CheckerTask| {
        let source = checker
            .source
            .strip_prefix(spec.parent().unwrap_or(spec))
            .unwrap_or(&checker.source);
        source.display().to_string()
    };
    let by = match checker.kind {
        CheckerKind::Checker
        | CheckerKind::FinalChecker
        | CheckerKind::Grader
        | CheckerKind::StaticValidator => "by the program",
        CheckerKind::Interactor => "by an interaction with the program",
    };
    let mut text = format!("{by} {}", named(checker));
    let mut before = checker;
    while let Some(next) = &before.final_checker {
        let what = if before.kind == CheckerKind::Interactor {
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
