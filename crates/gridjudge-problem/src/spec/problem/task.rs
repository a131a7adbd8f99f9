//! Reads `[task]` of a problem that does not ask for grids: how outputs are judged, and
//! which submission computes the answers.

use std::path::{Path, PathBuf};
use std::time::Duration;

use gridjudge_sandbox::Limits;

use crate::files::InnerName;
use crate::keys::{FilePlace, KeyTable, word_of};
use crate::mistake::quoted;
use crate::model::{
    CheckerProtocol, CheckerTask, JudgingProgramKind, Task, TextTask, TokenRules,
    Tolerance,
};
use crate::package::kattis::groups::{
    REMEDY_OF_BOTH, SWITCHES, TOLERANCES, set_tolerance,
};
use crate::spec::{limits, read_limits};

use TaskKind::{Exact, Interactive, Lines, Program, Tokens};

/// The key of the table.
const KEY: &str = "task";

/// The tables of grid problems, and the remedy if one stands beside `[task]`.
const TABLES_OF_GRIDS: [(&str, &str); 5] = [
    (
        "grid",
        "delete it, or delete [task]: a problem without that asks for grids",
    ),
    (
        "input",
        "delete it: what an input looks like is not known where grids are not asked \
         for",
    ),
    (
        "output",
        "delete it, and say in [task] what counts, for example \
         `space_change_sensitive = true`",
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
    ("tokens", Tokens),
    ("lines", Lines),
    ("exact", Exact),
    ("program", Program),
    ("interactive", Interactive),
];

/// Words that other judges use for keys of `[task]`, with the keys that may be meant.
const SYNONYMS: [(&str, &str); 13] = [
    ("type", "kind"),
    ("tolerance", "float_tolerance"),
    ("epsilon", "float_tolerance"),
    ("eps", "float_tolerance"),
    ("absolute_tolerance", "float_absolute_tolerance"),
    ("relative_tolerance", "float_relative_tolerance"),
    ("ignore_case", "case_sensitive"),
    ("model_solution", "solution"),
    ("validator", "checker"),
    ("output_validator", "checker"),
    ("interactive_validator", "interactor"),
    ("args", "arguments"),
    ("style", "protocol"),
];

/// The contents of `[task]`.
pub(super) struct TaskSpec {
    /// `None` after a mistake, which has been noted.
    pub(super) task: Option<Task>,
    /// The submission that writes missing answers, by its path below `submissions`.
    pub(super) solution: Option<String>,
}

/// Reads the table, and notes the tables of grid problems beside it. `folder` is the
/// problem's. `None` if there is no `[task]`.
pub(super) fn read_task(root: &KeyTable, folder: &Path) -> Option<TaskSpec> {
    let table = root.table(KEY)?;
    for (key, remedy) in TABLES_OF_GRIDS {
        if let Some(place) = root.mark_read(key) {
            let end = place.start + key.len();
            root.note_mistake(
                FilePlace { end, ..place },
                format!("`{key}` has no meaning in a problem with [task]"),
                remedy,
            );
        }
    }
    let kind = table
        .require("kind", "`kind = \"tokens\"`")
        .choice("kind", &KINDS);
    let task = match kind {
        Some(kind @ (Program | Interactive)) => {
            let of_tokens = SWITCHES.into_iter().chain(TOLERANCES);
            table.pass_over(of_tokens.chain(OWN_KEYS));
            let kind = JudgingProgramKind::judging(kind == Interactive);
            read_checker_task(&table, folder, kind).map(Task::Checker)
        }
        kind => {
            table.pass_over(SHARED_KEYS.into_iter().chain(OWN_KEYS));
            let rules = read_token_rules(&table);
            kind.map(|kind| {
                Task::Text(match kind {
                    Lines => TextTask::Lines,
                    Exact => TextTask::Exact,
                    _ => TextTask::Tokens(rules),
                })
            })
        }
    };
    let solution = solution(&table);
    table.refuse_the_rest_or_name(&SYNONYMS);
    if let Some(kind) = kind {
        refuse_keys_of_others(&table, kind);
    }
    Some(TaskSpec { task, solution })
}

/// Reads a path below `submissions`. It must not lead out of that folder.
fn solution(table: &KeyTable) -> Option<String> {
    let found = table.text("solution")?;
    let is_inside = InnerName::parse(&found).is_some();
    if !is_inside {
        let remedy = "write it as seen from the folder `submissions`, for example \
                      `solution = \"accepted/fast.cpp\"`";
        table.refuse_value(
            "solution",
            format!("{} cannot be the path of a submission", quoted(&found)),
            remedy,
        );
    }
    is_inside.then_some(found)
}

/// Notes keys that belong to other kinds only.
fn refuse_keys_of_others(table: &KeyTable, kind: TaskKind) {
    let word = word_of(&KINDS, kind);
    let [checker, interactor] = OWN_KEYS;
    let meanings: [(&[&str], &[TaskKind]); 5] = [
        (&SWITCHES, &[Tokens]),
        (&TOLERANCES, &[Tokens]),
        (&SHARED_KEYS, &[Program, Interactive]),
        // It may come after an interactor.
        (&[checker], &[Program, Interactive]),
        (&[interactor], &[Interactive]),
    ];
    for (keys, kinds) in meanings.iter().filter(|row| !row.1.contains(&kind)) {
        let other = word_of(&KINDS, kinds[0]);
        for key in *keys {
            table.refuse_key(
                key,
                format!("`{key}` has no meaning with `kind = \"{word}\"`"),
                format!("delete it, or write `kind = \"{other}\"`"),
            );
        }
    }
}

// Reads the keys of `[task]` that control how tokens are compared.

/// Reads the keys.
fn read_token_rules(table: &KeyTable) -> TokenRules {
    let [case_sensitive, space_change_sensitive] =
        SWITCHES.map(|key| table.flag(key).unwrap_or_default());
    let mut rules = TokenRules {
        case_sensitive,
        space_change_sensitive,
        ..TokenRules::default()
    };
    for key in TOLERANCES {
        let Some(found) = table.number(key) else {
            continue;
        };
        let tolerance = Tolerance::new(found);
        if tolerance.is_none() {
            let remedy = format!(
                "write a number that is finite and not negative, for example `{key} = \
                 1e-6`"
            );
            table.refuse_value(key, format!("`{key}` must not be {found}"), remedy);
        }
        set_tolerance(&mut rules, key, tolerance);
    }
    let other = TOLERANCES[1..].iter().find(|key| table.has(key));
    if let Some(key) = other
        && table.has(TOLERANCES[0])
    {
        table.refuse_key(
            key,
            format!("`{key}` cannot be combined with `float_tolerance`"),
            REMEDY_OF_BOTH,
        );
    }
    rules
}

// Reads the keys of `[task]` for a problem with its own checker or interactor. Checks
// that the program's file exists, but does not read it.

/// The keys, beside `kind`, that only problems with a checker or an interactor use.
const SHARED_KEYS: [&str; 3] = ["protocol", "arguments", "limits"];

/// The keys that name the checker and the interactor. A problem has both if a checker
/// comes after its interactor.
const OWN_KEYS: [&str; 2] = [
    JudgingProgramKind::Checker.name(),
    JudgingProgramKind::Interactor.name(),
];

/// The default limits of a checker: those of the Kattis problem package format.
const DEFAULT_CHECKER_LIMITS: Limits = Limits {
    cpu: Duration::from_secs(60),
    wall: Duration::from_secs(120),
    memory_bytes: 2048 << 20,
    output_bytes: 8 << 20,
    ..limits::DEFAULT
};

/// Reads the keys. `folder` is the problem's. `None` if the program does not exist,
/// which has been noted.
fn read_checker_task(
    table: &KeyTable,
    folder: &Path,
    kind: JudgingProgramKind,
) -> Option<CheckerTask> {
    let program = table.require(kind.name(), example(kind)).text(kind.name());
    let protocols: Vec<_> = CheckerProtocol::of_kind(kind)
        .map(|protocol| (protocol.rules().name, protocol))
        .collect();
    let named = table.choice("protocol", &protocols);
    let protocol = named.unwrap_or_default();
    // An unknown protocol has been noted. Its default must not cause a second mistake
    // about the final checker.
    let is_known = named.is_some() || !table.has("protocol");
    let arguments = table.list("arguments").unwrap_or_default();
    let limits = table
        .table("limits")
        .map(|table| read_limits(&table, &DEFAULT_CHECKER_LIMITS))
        .unwrap_or(DEFAULT_CHECKER_LIMITS);
    let last = if kind == JudgingProgramKind::Interactor && is_known {
        final_checker(table, folder, protocol, &limits)
    } else {
        None
    };
    let source = source(table, folder, kind, &program?)?;
    let final_checker = last.map(Box::new);
    Some(CheckerTask {
        arguments,
        final_checker,
        ..CheckerTask::new(kind, source, protocol, limits)
    })
}

/// Reads the checker that comes after an interactor. It has the interactor's protocol
/// and limits.
fn final_checker(
    table: &KeyTable,
    folder: &Path,
    protocol: CheckerProtocol,
    limits: &Limits,
) -> Option<CheckerTask> {
    let kind = JudgingProgramKind::FinalChecker;
    let named = table.text(kind.name())?;
    if !protocol.rules().has_final_checkers() {
        let remedy = "write that if both speak it, or delete `checker`: other \
                      interactors have the last word";
        table.refuse_value(
            kind.name(),
            "a checker after the interactor needs `protocol = \"testlib\"`",
            remedy,
        );
        return None;
    }
    let source = source(table, folder, kind, &named)?;
    Some(CheckerTask::new(kind, source, protocol, limits.clone()))
}

/// An example of the key that names the program, for messages.
fn example(kind: JudgingProgramKind) -> &'static str {
    if kind == JudgingProgramKind::Interactor {
        "`interactor = \"interact.cpp\"`"
    } else {
        "`checker = \"check.cpp\"`"
    }
}

/// The path of the program's source, in the folder of the problem.
fn source(
    table: &KeyTable,
    folder: &Path,
    kind: JudgingProgramKind,
    name: &str,
) -> Option<PathBuf> {
    own_file(name, folder, "name the file of its source")
        .map_err(|(message, remedy)| {
            table.refuse_value(
                kind.name(),
                format!("the {} {} {message}", kind.name(), quoted(name)),
                format!("{remedy}, and name it as {}", example(kind)),
            );
        })
        .ok()
}

/// The path of a file in the folder of the problem.
///
/// # Errors
/// What is wrong with it, in words that follow its name, and a remedy: `not_a_file` if
/// it is none.
pub(crate) fn own_file(
    name: &str,
    folder: &Path,
    not_a_file: &'static str,
) -> Result<PathBuf, (String, &'static str)> {
    let Some(path) = InnerName::parse(name).map(|name| name.below(folder)) else {
        return Err((
            "is not below the folder of the problem".to_owned(),
            "put it there",
        ));
    };
    match path.metadata() {
        Ok(found) if found.is_file() => Ok(path),
        Ok(_) => Err(("is not a regular file".to_owned(), not_a_file)),
        Err(error) => Err((
            format!("cannot be read: {error}"),
            "put it next to problem.toml",
        )),
    }
}
