//! Exports how outputs are judged: by the format's default validator with flags, or by
//! a program in the format's protocol. The program is the problem's own, a wrapper
//! around it, or generated from the spec.

use std::path::Path;

use crate::export::case_arguments::flags;
use crate::export::material::ExportMaterial;
use crate::export::{ExportTarget, case_arguments, export_files, grid_programs};
use crate::mistake::{Mistake, Mistakes};
use crate::model::{
    CheckerPointsRule, CheckerTask, ErrorMeasure, HEADER_ENDINGS, JudgingProgramKind,
    NumberLineRules, PointValue, ProgramExtras, SourceFile, Task, TextTask, ending,
    file_name,
};
use crate::package::PackageProgram;

/// Programs for rules of comparing texts that the format's default validator does not
/// have.
const LINES: &str = include_str!("programs/lines.py");
const EXACT: &str = include_str!("programs/exact.py");
const DMOJ_LINES: &str = include_str!("programs/dmoj_lines.py");

/// Adds the program that judges outputs, if one is needed, and returns its arguments.
///
/// # Errors
/// Reports a program that the format cannot run, and rules for which no program can be
/// generated.
pub(super) fn add_output_validator(
    material: &ExportMaterial,
) -> Result<Vec<String>, Mistakes> {
    let has_own_flags = case_arguments::add_case_flags(material)?;
    let folder = material.target.validator_folder();
    let program = |text: &str| {
        material.put(format!("{folder}/validate.py"), text);
        // The program ignores arguments; these stop other tools from changing letters
        // or spaces of a right output.
        ["case_sensitive", "space_change_sensitive"]
            .map(str::to_owned)
            .to_vec()
    };
    let mut arguments = match &material.problem.task {
        Task::Text(TextTask::Tokens(rules)) => flags(rules),
        Task::Text(task) => program(&comparison(task, &material.file)?),
        Task::Grid(task) => {
            program(&grid_programs::output_validator(task, &material.file)?)
        }
        Task::Checker(task) => {
            add_checker(task, material)?;
            task.arguments.clone()
        }
    };
    if has_own_flags {
        arguments.clear();
    }
    if material.target == ExportTarget::Kattis2025 && !arguments.is_empty() {
        let arguments = export_files::list(&arguments);
        let line = format!("output_validator_args: {arguments}\n");
        // 2025-09 has arguments in the settings of groups. BAPCtools reads those of
        // `valid_output` to decide how it may change a right output.
        for section in ["sample", "secret", "valid_output"] {
            material.append(&format!("data/{section}/test_group.yaml"), &line);
        }
    }
    Ok(arguments)
}

/// The program that compares outputs as a task other than [`TextTask::Tokens`] does.
fn comparison(task: &TextTask, spec: &Path) -> Result<String, Mistakes> {
    use TextTask::*;

    Ok(match task {
        Lines => LINES.to_owned(),
        Exact => EXACT.replace("{rule}", "exact"),
        CrlfInsensitive => EXACT.replace("{rule}", "crlf-insensitive"),
        Tokens(_) | TokenLines => dmoj_lines("tokens", None),
        StrippedLines => dmoj_lines("stripped", None),
        StrippedFilledLines => dmoj_lines("stripped filled", None),
        NumberLines(rules) => dmoj_lines("numbers", Some(*rules)),
        Unordered(piece) => {
            dmoj_lines(&format!("{}s in any order", piece.name()), None)
        }
        ScoredLines(_) => {
            return Mistake::refuse(
                spec,
                format!(
                    "{} gives points for single lines, which no export does",
                    case_arguments::words_of(task)
                ),
                "export it with another checker",
            );
        }
    })
}

/// The program that compares outputs like one of DMOJ's checkers.
fn dmoj_lines(rule: &str, numbers: Option<NumberLineRules>) -> String {
    let measure = match numbers.map(|rules| rules.measure) {
        Some(ErrorMeasure::Absolute) => "absolute",
        Some(ErrorMeasure::Relative) => "relative",
        Some(ErrorMeasure::Either) | None => "either",
    };
    let most = numbers.map_or(0.0, |rules| rules.tolerance.value());
    let text = DMOJ_LINES
        .replace("{rule}", rule)
        .replace("{most}", &format!("{most:e}"));
    text.replace("{measure}", measure)
}

/// Adds the checker or interactor of a problem.
fn add_checker(
    task: &CheckerTask,
    material: &ExportMaterial,
) -> Result<(), Mistakes> {
    refuse_unsupported(task, material.target)?;
    let folder = material.target.validator_folder();
    let name = file_name(&task.source);
    if task.protocol.rules().is_of_packages {
        match material.package.program_around(&task.source) {
            Some(program) => material.copy_files(folder, &program.files),
            None => material.copy(format!("{folder}/{name}"), &task.source),
        }
    } else {
        add_wrapper(task, material, folder);
        let protocol = task.protocol.rules().name;
        let kind = task.kind.name();
        material.note_loss(match &task.final_checker {
            Some(last) => format!(
                "the {kind} {name} speaks `{protocol}`: a program runs it, then the checker {}, \
                 and turns their answers into 42 and 43",
                file_name(&last.source)
            ),
            None => format!(
                "the {kind} {name} speaks `{protocol}`: a program around it turns its answers \
                 into 42 and 43"
            ),
        });
    }
    for program in std::iter::once(task).chain(task.final_checker.as_deref()) {
        add_beside(material, program, folder);
    }
    Ok(())
}

/// Refuses a program that does not speak the formats' protocol and for which there is
/// no wrapper.
fn refuse_unsupported(
    task: &CheckerTask,
    target: ExportTarget,
) -> Result<(), Mistakes> {
    let name = target.name();
    let mut arguments = task.arguments.iter();
    let (message, remedy) = if target.uses_legacy_layout()
        && let Some(odd) = arguments.find(|word| word.contains(' '))
    {
        (
            format!("its argument `{odd}` has a space in it, where {name} splits it"),
            "export to kattis-2025-09, or write it without one",
        )
    } else if task.call.is_some() || task.build != ProgramExtras::default() {
        let message = "has further sources, flags for its compiler, or arguments of its own, which \
                       no export passes on";
        (
            message.to_owned(),
            "write one source that needs none of them",
        )
    } else if let Some(SourceFile { name: file, .. }) = task.files.first() {
        (
            format!("needs `{file}` in its working folder, where {name} has none"),
            "write what it needs into its source",
        )
    } else if task.final_checker.is_some()
        && task.kind != JudgingProgramKind::Interactor
    {
        (
            format!(
                "is one of several programs that check outputs, and {name} has room for one"
            ),
            "make one of them, or export it to the format that it has",
        )
    } else {
        return refuse_without_wrapper(task, target);
    };
    Mistake::refuse(&task.source, message, remedy)
}

fn refuse_without_wrapper(
    task: &CheckerTask,
    target: ExportTarget,
) -> Result<(), Mistakes> {
    if task.protocol.rules().is_of_packages {
        return Ok(());
    }
    let mut programs = std::iter::once(task).chain(task.final_checker.as_deref());
    let Some(odd) = programs.find(|program| !has_wrapper(&program.source)) else {
        return Ok(());
    };
    let message = format!(
        "speaks `{}`, and {} wants `kattis`; no wrapper can be put around a program in `.{}`",
        odd.protocol.rules().name,
        target.name(),
        ending(&odd.source)
    );
    Mistake::refuse(
        &odd.source,
        message,
        "write it in C++ or Python, or in that protocol: docs/checkers.md",
    )
}

/// Adds the headers beside a checker, and the modules beside one in Python.
fn add_beside(material: &ExportMaterial, task: &CheckerTask, folder: &str) {
    let Some(entries) = task
        .source
        .parent()
        .and_then(|folder| folder.read_dir().ok())
    else {
        return;
    };
    let is_module = ending(&task.source) == PYTHON;
    for path in entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| *path != task.source)
    {
        let name = file_name(&path);
        let is_plain = path.symlink_metadata().is_ok_and(|found| found.is_file())
            && !name.starts_with('.');
        let is_needed = HEADER_ENDINGS.contains(&ending(&path))
            || is_module && ending(&path) == PYTHON;
        let name = format!("{folder}/{name}");
        if is_plain && is_needed && !material.has(&name) && path != material.file {
            material.copy(name, &path);
        }
    }
}

// Puts checkers and interactors of other protocols into programs that speak the
// formats' own: wrappers that call them and turn their answers into 42 and 43. Knows
// which programs have a wrapper.

/// What is put around a program: in C++, a source that includes it; in Python, a script
/// that calls it.
struct Wrapper {
    /// What the program is called in comments.
    kind: &'static str,
    /// The name of its file, without the ending, beside the wrapper.
    inner: &'static str,
    cpp: &'static str,
    python: &'static str,
}

const AROUND_CHECKER: Wrapper = Wrapper {
    kind: "checker",
    inner: "problem_checker",
    cpp: include_str!("programs/around_checker.cpp"),
    python: include_str!("programs/around_checker.py"),
};

const AROUND_VALIDATOR: Wrapper = Wrapper {
    kind: "validator",
    inner: "problem_validator",
    cpp: include_str!("programs/around_validator.cpp"),
    python: include_str!("programs/around_validator.py"),
};

impl Wrapper {
    /// Adds a program and the wrapper, after its words are `filled` in.
    fn add(
        &self,
        source: &Path,
        folder: &str,
        material: &ExportMaterial,
        filled: impl FnOnce(&str) -> String,
    ) {
        let inner = self.inner;
        if ending(source) == PYTHON {
            material.put(format!("{folder}/__main__.py"), filled(self.python));
            material.copy(format!("{folder}/{inner}.py"), source);
            return;
        }
        let name = file_name(source).replace(['"', '\\'], "");
        let included = format!(
            "\n// The {} as it was, {name}.\n#include \"{inner}.inc\"\n",
            self.kind
        );
        let around = filled(self.cpp) + &included;
        material.put(format!("{folder}/validate.cpp"), around);
        material.copy(format!("{folder}/{inner}.inc"), source);
    }
}

/// The wrapper for an interactor and the checker of what it writes. Two programs of
/// testlib cannot be linked into one, so a script compiles them.
const AROUND_INTERACTOR: &str = include_str!("programs/around_interactor.py");

/// The module that both wrappers in Python use.
const REPORT: &str = include_str!("programs/testlib_report.py");

/// The endings of programs for which there are wrappers.
const CPP: [&str; 3] = ["cpp", "cc", "cxx"];
const PYTHON: &str = "py";

/// Whether the language of a program has a wrapper.
fn has_wrapper(source: &Path) -> bool {
    CPP.contains(&ending(source)) || ending(source) == PYTHON
}

/// Adds an input validator with a wrapper around it, in a folder of its own with the
/// files that it includes. `false` if its language has no wrapper.
pub(super) fn add_validator(
    program: &PackageProgram,
    folder: &str,
    material: &ExportMaterial,
) -> bool {
    let Some((own, others)) = program
        .files
        .split_first()
        .filter(|(own, _)| has_wrapper(&own.path))
    else {
        return false;
    };
    AROUND_VALIDATOR.add(&own.path, folder, material, str::to_owned);
    material.copy_files(folder, others);
    true
}

/// Adds a checker with a wrapper around it, or an interactor and the checker of what it
/// writes, with a script that compiles them.
fn add_wrapper(task: &CheckerTask, material: &ExportMaterial, folder: &str) {
    let protocol = format!("\"{}\"", task.protocol.rules().name);
    let points =
        all_points(material).map_or("-1".to_owned(), |points| points.to_string());
    let filled = |text: &str| {
        text.replace("PROTOCOL", &protocol)
            .replace("= POINTS", &format!("= {points}"))
    };
    let is_interactor = task.kind == JudgingProgramKind::Interactor;
    if is_interactor || ending(&task.source) == PYTHON {
        material.put(format!("{folder}/testlib_report.py"), REPORT);
    }
    if !is_interactor {
        return AROUND_CHECKER.add(&task.source, folder, material, filled);
    }
    let programs = [
        ("problem_interactor", Some(task)),
        (AROUND_CHECKER.inner, task.final_checker.as_deref()),
    ];
    // As lists of Python.
    let commands = programs.map(|(name, task)| match task {
        Some(task) if ending(&task.source) == PYTHON => {
            format!("[\"python3\", \"{name}.py\"]")
        }
        Some(_) => format!("[\"{name}\"]"),
        None => "None".to_owned(),
    });
    let commands = commands.join(", ");
    material.put_executable(
        format!("{folder}/run"),
        filled(AROUND_INTERACTOR).replace("COMMANDS", &commands),
    );
    let mut build =
        "#!/bin/sh\n# Compiles what `run` calls.\nset -e\ncd \"$(dirname \"$0\")\"\n"
            .to_owned();
    for (name, task) in programs
        .into_iter()
        .filter_map(|(name, task)| Some((name, task?)))
    {
        let is_python = ending(&task.source) == PYTHON;
        let ending = if is_python { PYTHON } else { "cpp" };
        material.copy(format!("{folder}/{name}.{ending}"), &task.source);
        if !is_python {
            build += &format!("g++ -O2 -std=gnu++17 -o {name} {name}.cpp\n");
        }
    }
    material.put_executable(format!("{folder}/build"), build);
}

/// The number that the checker gives on every case for all its points, if it is the
/// same.
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
    let first = numbers.next()?;
    first.filter(|_| numbers.all(|number| number == first))
}
