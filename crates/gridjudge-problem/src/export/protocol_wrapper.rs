//! Puts checkers and interactors of other protocols into programs that speak the formats' own:
//! wrappers that call them and turn their answers into 42 and 43. Knows which programs have a
//! wrapper.

use std::path::Path;

use crate::export::export_files::ExportFiles;
use crate::export::material::ExportMaterial;
use crate::model::{CheckerPointsRule, CheckerTask, JudgingProgramKind, PointValue};
use crate::package::PackageProgram;

/// Wrappers for checkers. The one in C++ includes the checker's source; the one in Python calls it
/// as a script.
const AROUND_CPP: &str = include_str!("programs/around_checker.cpp");
const AROUND_PYTHON: &str = include_str!("programs/around_checker.py");

/// The wrapper for an interactor and the checker of what it writes. Two programs of testlib cannot
/// be linked into one, so a script compiles them.
const AROUND_INTERACTOR: &str = include_str!("programs/around_interactor.py");

/// The module that both wrappers in Python use.
const REPORT: &str = include_str!("programs/testlib_report.py");

/// Wrappers for input validators, as those for checkers.
const AROUND_VALIDATOR_CPP: &str = include_str!("programs/around_validator.cpp");
const AROUND_VALIDATOR_PYTHON: &str = include_str!("programs/around_validator.py");

/// The endings of programs for which there are wrappers.
const CPP: [&str; 3] = ["cpp", "cc", "cxx"];
pub(super) const PYTHON: &str = "py";

/// The file names, without endings, of programs beside their wrapper.
const CHECKER: &str = "problem_checker";
const INTERACTOR: &str = "problem_interactor";
const VALIDATOR: &str = "problem_validator";

/// Whether the language of a program has a wrapper.
pub(super) fn has_wrapper(source: &Path) -> bool {
    CPP.contains(&ending(source)) || ending(source) == PYTHON
}

/// Adds an input validator with a wrapper around it, in a folder of its own with the files that it
/// includes. `false` if its language has no wrapper.
pub(super) fn add_validator(
    program: &PackageProgram,
    folder: &str,
    files: &mut ExportFiles,
) -> bool {
    let Some((own, others)) = program
        .files
        .split_first()
        .filter(|(own, _)| has_wrapper(&own.path))
    else {
        return false;
    };
    if ending(&own.path) == PYTHON {
        files.put(format!("{folder}/__main__.py"), AROUND_VALIDATOR_PYTHON);
        files.copy(format!("{folder}/{VALIDATOR}.py"), &own.path);
    } else {
        let around = AROUND_VALIDATOR_CPP.to_owned() + &included("validator", VALIDATOR, &own.path);
        files.put(format!("{folder}/validate.cpp"), around);
        files.copy(format!("{folder}/{VALIDATOR}.inc"), &own.path);
    }
    others
        .iter()
        .for_each(|file| files.copy(format!("{folder}/{}", file.name), &file.path));
    true
}

/// Adds a checker or an interactor with a wrapper around it.
pub(super) fn add(
    task: &CheckerTask,
    material: &ExportMaterial,
    folder: &str,
    files: &mut ExportFiles,
) {
    let protocol = format!("\"{}\"", task.protocol.rules().name);
    let points = all_points(material).map_or_else(|| "-1".to_owned(), |points| points.to_string());
    let filled = |text: &str| {
        text.replace("PROTOCOL", &protocol)
            .replace("= POINTS", &format!("= {points}"))
    };
    if task.kind == JudgingProgramKind::Interactor {
        add_interactor(task, &filled(AROUND_INTERACTOR), folder, files);
    } else if ending(&task.source) == PYTHON {
        files.put(format!("{folder}/__main__.py"), filled(AROUND_PYTHON));
        files.put(format!("{folder}/testlib_report.py"), REPORT);
        files.copy(format!("{folder}/{CHECKER}.py"), &task.source);
    } else {
        files.put(
            format!("{folder}/validate.cpp"),
            filled(AROUND_CPP) + &included("checker", CHECKER, &task.source),
        );
        files.copy(format!("{folder}/{CHECKER}.inc"), &task.source);
    }
}

/// Adds an interactor and the checker of what it writes, with a script that compiles them.
fn add_interactor(task: &CheckerTask, around: &str, folder: &str, files: &mut ExportFiles) {
    let programs = [
        (INTERACTOR, Some(task)),
        (CHECKER, task.final_checker.as_deref()),
    ];
    let commands =
        programs.map(|(name, task)| task.map_or("None".to_owned(), |task| command(task, name)));
    files.put_executable(
        format!("{folder}/run"),
        around.replace("COMMANDS", &commands.join(", ")),
    );
    files.put(format!("{folder}/testlib_report.py"), REPORT);
    let mut build =
        "#!/bin/sh\n# Compiles what `run` calls.\nset -e\ncd \"$(dirname \"$0\")\"\n".to_owned();
    for (name, task) in programs
        .into_iter()
        .filter_map(|(name, task)| Some((name, task?)))
    {
        let is_python = ending(&task.source) == PYTHON;
        let ending = if is_python { PYTHON } else { "cpp" };
        files.copy(format!("{folder}/{name}.{ending}"), &task.source);
        if !is_python {
            build += &format!("g++ -O2 -std=gnu++17 -o {name} {name}.cpp\n");
        }
    }
    files.put_executable(format!("{folder}/build"), build);
}

/// The note that says that there is a wrapper.
pub(super) fn note(task: &CheckerTask) -> String {
    let name = file_name(&task.source);
    let protocol = task.protocol.rules().name;
    match (task.kind, &task.final_checker) {
        (JudgingProgramKind::Interactor, Some(last)) => format!(
            "the interactor {name} speaks `{protocol}`: a program runs it, then the checker {}, \
             and turns their answers into 42 and 43",
            file_name(&last.source)
        ),
        (JudgingProgramKind::Interactor, None) => {
            format!(
                "the interactor {name} speaks `{protocol}`: a program around it turns its answers \
                 into 42 and 43"
            )
        }
        _ => format!(
            "the checker {name} speaks `{protocol}`: a program around it turns its answers into \
             42 and 43"
        ),
    }
}

/// The command of a program, as a list of Python.
fn command(task: &CheckerTask, name: &str) -> String {
    if ending(&task.source) == PYTHON {
        format!("[\"python3\", \"{name}.py\"]")
    } else {
        format!("[\"{name}\"]")
    }
}

/// The number that the checker gives on every case for all its points, if it is the same.
fn all_points(material: &ExportMaterial) -> Option<PointValue> {
    let scoring = &material.problem.scoring;
    let mut numbers = material.cases.iter().map(|case| {
        let worth = scoring.worth_of(&case.name)?;
        match worth.checker {
            CheckerPointsRule::AtMost => Some(worth.accepted),
            CheckerPointsRule::Percent => PointValue::new(100.0),
            CheckerPointsRule::Nothing
            | CheckerPointsRule::Ignored
            | CheckerPointsRule::AtMostIfRejected
            | CheckerPointsRule::Points
            | CheckerPointsRule::Unbounded
            | CheckerPointsRule::Instead => None,
        }
    });
    let first = numbers.next()??;
    numbers.all(|number| number == Some(first)).then_some(first)
}

/// The lines of a wrapper in C++ that include a program.
fn included(kind: &str, inner: &str, source: &Path) -> String {
    let name = file_name(source).replace(['"', '\\'], "");
    format!("\n// The {kind} as it was, {name}.\n#include \"{inner}.inc\"\n")
}

pub(super) fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

pub(super) fn ending(path: &Path) -> &str {
    path.extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or_default()
}
