//! Exports cases that are judged by other rules than the others: with flags by folder or by case
//! where the format has these. All other such problems are refused.

use std::collections::BTreeMap;
use std::fmt;

use crate::export::case_arguments;
use crate::export::case_arguments::{ArgumentKey, CaseArguments, listed};
use crate::export::export_files::ExportFiles;
use crate::export::material::ExportMaterial;
use crate::export::target::ExportTarget;
use crate::export::token_flags::flags;
use crate::mistake::{Mistake, Mistakes};
use crate::model::{CheckerTask, ScoredLineRules, Task, TextTask, TokenRules, UnorderedPiece};

/// Writes the flags of each case, if they differ. `names` are those of all cases, relative to
/// `data`. Returns whether the flags were written, so that the problem has none for all cases.
///
/// # Errors
/// Reports which cases are judged differently, if the format cannot express that.
pub(super) fn add(
    material: &ExportMaterial,
    names: &[String],
    target: ExportTarget,
    files: &mut ExportFiles,
) -> Result<bool, Mistakes> {
    let problem = &material.problem;
    if problem.case_tasks.is_empty() {
        return Ok(false);
    }
    let tasks = || {
        material
            .cases
            .iter()
            .map(|case| problem.task_on(&case.name))
    };
    let differ_in_flags = tasks().all(|task| without_flags(task) == without_flags(&problem.task));
    let rules: Vec<_> = tasks()
        .map(|task| CaseRule::of(task, differ_in_flags))
        .collect();
    let refuse = |why: &str, remedy: &str| {
        let found = listed(material.cases.iter().map(|case| &case.name).zip(&rules));
        let message = format!("not all cases are judged alike: {found}; {why}");
        Err(Mistakes::from(
            Mistake::of(&material.file, message).with_remedy(remedy),
        ))
    };
    let Some(flags) = rules
        .iter()
        .map(CaseRule::flags)
        .collect::<Option<Vec<_>>>()
    else {
        let why = format!("{} judges all of them by one rule", target.name());
        return refuse(&why, "give all cases the same rule, or judge it as it is");
    };
    if target == ExportTarget::DomJudge {
        // Its development version reads the flags of groups, and the versions in use do not.
        let why = "domjudge takes one set of flags for all of them";
        return refuse(
            why,
            "export it to kattis-2025-09, or give all cases the same flags",
        );
    }
    let cases: BTreeMap<_, _> = names.iter().map(String::as_str).zip(flags).collect();
    match case_arguments::add(&cases, &ArgumentKey::OUTPUT_VALIDATOR, target, files) {
        Ok(()) => Ok(true),
        Err(why) => refuse(
            &why,
            "export it to kattis-2025-09, or give all cases of a folder the same flags",
        ),
    }
}

/// The rule that a case is judged by, as far as it may differ between the cases of a problem.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CaseRule {
    /// The flags of the format's own validator, or of the problem's program.
    Flags(CaseArguments),
    /// Any rule, in words.
    Other(String),
}

impl CaseRule {
    fn of(task: &Task, differ_in_flags: bool) -> Self {
        match task {
            Task::Text(TextTask::Tokens(rules)) if differ_in_flags => {
                Self::Flags(CaseArguments::All(flags(rules)))
            }
            Task::Checker(task) if differ_in_flags => {
                Self::Flags(CaseArguments::All(task.arguments.clone()))
            }
            Task::Text(task) => Self::Other(words_of(task).to_owned()),
            Task::Checker(task) => {
                let name = task
                    .source
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy();
                Self::Other(format!("the program {name}"))
            }
            Task::Grid(_) => Self::Other("the rules of grids".to_owned()),
        }
    }

    fn flags(&self) -> Option<CaseArguments> {
        match self {
            Self::Flags(flags) => Some(flags.clone()),
            Self::Other(_) => None,
        }
    }
}

/// A task with the usual flags, to see whether two tasks differ in anything else.
fn without_flags(task: &Task) -> Task {
    match task {
        Task::Text(TextTask::Tokens(_)) => Task::Text(TextTask::Tokens(TokenRules::default())),
        Task::Checker(task) => Task::Checker(CheckerTask {
            arguments: Vec::new(),
            ..task.clone()
        }),
        Task::Grid(_) | Task::Text(_) => task.clone(),
    }
}

/// The rule of a text task, as a spec of ours or DMOJ names it.
pub(super) fn words_of(task: &TextTask) -> &'static str {
    match task {
        TextTask::Tokens(_) => "`tokens`",
        TextTask::Lines => "`lines`",
        TextTask::Exact => "`exact`",
        TextTask::CrlfInsensitive => "the exact comparison of online-judge-tools",
        TextTask::TokenLines => "DMOJ's `standard`",
        TextTask::StrippedLines => "DMOJ's `rstripped`",
        TextTask::StrippedFilledLines => "DMOJ's `rstripped` with `filter_new_line`",
        TextTask::NumberLines(_) => "DMOJ's `floats`",
        TextTask::Unordered(UnorderedPiece::Lines) => "DMOJ's `sorted`",
        TextTask::Unordered(UnorderedPiece::Tokens) => "DMOJ's `unordered`",
        TextTask::Unordered(UnorderedPiece::Bytes) => "DMOJ's `easy`",
        TextTask::ScoredLines(ScoredLineRules::Equal) => "DMOJ's `linecount`",
        TextTask::ScoredLines(ScoredLineRules::Weighted { .. }) => "DMOJ's `linematches`",
    }
}

impl fmt::Display for CaseRule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flags(flags) if flags.is_empty() => out.write_str("no flags"),
            Self::Flags(flags) => write!(out, "flags {flags}"),
            Self::Other(rule) => out.write_str(rule),
        }
    }
}
