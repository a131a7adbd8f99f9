//! Decides how the outputs of a Kattis package are judged: by the format's default validator or by
//! a program, with the flags that apply to each case.

use std::path::{Path, PathBuf};

use crate::model::{Case, CheckerProtocol, CheckerTask, Task, TextTask, TokenRules};
use crate::package::format::PackageFormat;
use crate::package::groups::{GroupSettings, PerCase};
use crate::package::metadata::PackageMetadata;
use crate::package::reading::ReadingNotes;
use crate::package::validation;
use crate::package::validation::PackageValidation;

/// Returns the task of each case, and puts those of the example outputs into `examples`.
pub(super) fn tasks(
    metadata: &PackageMetadata,
    settings: &GroupSettings,
    file: &Path,
    cases: &[Case],
    examples: &mut PackageValidation,
    notes: &mut ReadingNotes,
) -> PerCase<Task> {
    let of_examples = examples.outputs.iter().map(|output| &output.case);
    let cases: Vec<_> = cases.iter().chain(of_examples).cloned().collect();
    let mut tasks = tasks_on(metadata, settings, file, &cases, notes);
    (examples.tasks, tasks.others) = tasks
        .others
        .into_iter()
        .partition(|(case, _)| validation::is_validation_only(case));
    tasks
}

fn tasks_on(
    metadata: &PackageMetadata,
    settings: &GroupSettings,
    file: &Path,
    cases: &[Case],
    notes: &mut ReadingNotes,
) -> PerCase<Task> {
    let flags = &metadata.validator_flags;
    let Some(source) = metadata.checker.clone() else {
        // If something is unsupported, the flags may be for a program that is not run, and are not
        // checked.
        let is_default = notes.unsupported.is_empty();
        let rules = is_default.then(|| settings.rules(flags, file, cases, notes));
        let rules = rules.unwrap_or_else(|| PerCase::all(TokenRules::default()));
        return rules.map(|rules| Task::Text(TextTask::Tokens(rules)));
    };
    let limits = metadata.limits.checker.of_a_run();
    settings.arguments(flags, cases).map(|arguments| {
        let task = |source: &PathBuf, next: Option<CheckerTask>| CheckerTask {
            kind: metadata.checker_kind,
            source: source.clone(),
            protocol: CheckerProtocol::Kattis,
            arguments: arguments.clone(),
            limits: limits.clone(),
            passes: if metadata.is_multi_pass {
                metadata.limits.passes
            } else {
                1
            },
            sees_submission: metadata.format == PackageFormat::Kattis2025,
            final_checker: next.map(Box::new),
            files: Vec::new(),
        };
        let further = metadata.further_checkers.iter().rev();
        let next = further.fold(None, |next, source| Some(task(source, next)));
        Task::Checker(task(&source, next))
    })
}
