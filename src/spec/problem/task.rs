//! Reads `[task]` of a problem that does not ask for grids: how outputs are judged, and which
//! submission computes the answers.

use std::path::Path;

use crate::files::InnerName;
use crate::keys::{FilePlace, KeyTable};
use crate::mistake::quoted;
use crate::model::{CheckerKind, Task, TextTask, TokenRules};
use crate::spec::problem::{checker_task, token_rules};

/// The key of the table.
pub(super) const KEY: &str = "task";

/// The tables of grid problems, and the remedy if one stands beside `[task]`.
const TABLES_OF_GRIDS: [(&str, &str); 5] = [
    (
        "grid",
        "delete it, or delete [task]: a problem without that asks for grids",
    ),
    (
        "input",
        "delete it: what an input looks like is not known where grids are not asked for",
    ),
    (
        "output",
        "delete it, and say in [task] what counts, as `space_change_sensitive = true`",
    ),
    ("answer", "delete it: the answer is in the `.ans` of a case"),
    (
        "generate",
        "delete it, and write the cases by hand or by a program of your own",
    ),
];

#[derive(Clone, Copy, PartialEq)]
enum TaskKind {
    Tokens,
    Lines,
    Exact,
    Program,
    Interactive,
}

const KINDS: [(&str, TaskKind); 5] = [
    ("tokens", TaskKind::Tokens),
    ("lines", TaskKind::Lines),
    ("exact", TaskKind::Exact),
    ("program", TaskKind::Program),
    ("interactive", TaskKind::Interactive),
];

/// Words that other judges use for keys of `[task]`, with the keys that may be meant.
const SYNONYMS: [(&str, &[&str]); 13] = [
    ("type", &["kind"]),
    ("tolerance", &["float_tolerance"]),
    ("epsilon", &["float_tolerance"]),
    ("eps", &["float_tolerance"]),
    ("absolute_tolerance", &["float_absolute_tolerance"]),
    ("relative_tolerance", &["float_relative_tolerance"]),
    ("ignore_case", &["case_sensitive"]),
    ("model_solution", &["solution"]),
    ("validator", &["checker"]),
    ("output_validator", &["checker"]),
    ("interactive_validator", &["interactor"]),
    ("args", &["arguments"]),
    ("style", &["protocol"]),
];

/// The contents of `[task]`.
pub(super) struct TaskSpec {
    /// `None` after a mistake, which has been noted.
    pub(super) task: Option<Task>,
    /// The submission that writes missing answers, by its path below `submissions`.
    pub(super) solution: Option<String>,
}

/// Reads the table, and notes the tables of grid problems beside it. `folder` is the problem's.
/// `None` if there is no `[task]`.
pub(super) fn read(root: &KeyTable<'_>, folder: &Path) -> Option<TaskSpec> {
    let table = root.table(KEY)?;
    refuse_tables_of_grids(root);
    let kind = table.required("kind", "`kind = \"tokens\"`", |table, key| {
        table.choice(key, &KINDS)
    });
    let kind = kind.map(|found| found.value);
    let task = match kind {
        Some(kind @ (TaskKind::Program | TaskKind::Interactive)) => {
            table.pass_over(token_rules::keys().chain(checker_task::OWN_KEYS));
            let kind = if kind == TaskKind::Program {
                CheckerKind::Checker
            } else {
                CheckerKind::Interactor
            };
            checker_task::read(&table, folder, kind).map(Task::Checker)
        }
        kind => {
            table.pass_over(
                checker_task::SHARED_KEYS
                    .into_iter()
                    .chain(checker_task::OWN_KEYS),
            );
            let rules = token_rules::read(&table);
            kind.map(|kind| Task::Text(text_task(kind, rules)))
        }
    };
    let solution = solution(&table);
    table.refuse_the_rest_or_name(&SYNONYMS);
    kind.into_iter()
        .for_each(|kind| refuse_keys_of_others(&table, kind));
    Some(TaskSpec { task, solution })
}

fn refuse_tables_of_grids(root: &KeyTable<'_>) {
    for (key, remedy) in TABLES_OF_GRIDS {
        if let Some(place) = root.mark_read(key) {
            let end = place.start + key.len();
            root.note(
                FilePlace { end, ..place },
                format!("`{key}` has no meaning beside [task]"),
                remedy,
            );
        }
    }
}

fn text_task(kind: TaskKind, rules: TokenRules) -> TextTask {
    match kind {
        TaskKind::Lines => TextTask::Lines,
        TaskKind::Exact => TextTask::Exact,
        _ => TextTask::Tokens(rules),
    }
}

/// Reads a path below `submissions`. It must not lead out of that folder.
fn solution(table: &KeyTable<'_>) -> Option<String> {
    let found = table.text("solution")?;
    let is_inside = InnerName::of(&found.value).is_some();
    if !is_inside {
        let message = format!(
            "{} cannot be the path of a submission",
            quoted(&found.value)
        );
        let remedy =
            "write it as seen from the folder `submissions`, as `solution = \"accepted/fast.cpp\"`";
        table.note(found.place, message, remedy);
    }
    is_inside.then_some(found.value)
}

/// Notes keys that belong to other kinds only.
fn refuse_keys_of_others(table: &KeyTable<'_>, kind: TaskKind) {
    let word = KINDS
        .iter()
        .find(|(_, known)| *known == kind)
        .map_or("", |(word, _)| word);
    let of_tokens = token_rules::keys()
        .filter(|_| kind != TaskKind::Tokens)
        .map(|key| (key, "tokens"));
    let has_program = [TaskKind::Program, TaskKind::Interactive].contains(&kind);
    let of_both = checker_task::SHARED_KEYS
        .into_iter()
        .filter(|_| !has_program)
        .map(|key| (key, "program"));
    // A checker may come after an interactor.
    let own_kinds: [(&[TaskKind], &str); 2] = [
        (&[TaskKind::Program, TaskKind::Interactive], "program"),
        (&[TaskKind::Interactive], "interactive"),
    ];
    let of_each = checker_task::OWN_KEYS
        .into_iter()
        .zip(own_kinds)
        .filter(|(_, (own, _))| !own.contains(&kind))
        .map(|(key, (_, other))| (key, other));
    for (key, other) in of_tokens.chain(of_both).chain(of_each) {
        if let Some(place) = table.place(key) {
            let message = format!("`{key}` has no meaning with `kind = \"{word}\"`");
            table.note(
                place,
                message,
                format!("delete it, or write `kind = \"{other}\"`"),
            );
        }
    }
}
