//! Exports how outputs are judged: by the format's default validator with flags, or by a program in
//! the format's protocol. The program is the problem's own, a wrapper around it, or generated from
//! the spec.

use std::path::Path;

use crate::export::case_arguments::flags;
use crate::export::export_files::ExportFiles;
use crate::export::material::ExportMaterial;
use crate::export::protocol_wrapper::{PYTHON, ending, file_name};
use crate::export::{ExportTarget, case_arguments, export_files, grid_programs, protocol_wrapper};
use crate::mistake::{Mistake, Mistakes};
use crate::model::{
    CheckerTask, ErrorMeasure, HEADER_ENDINGS, JudgingProgramKind, NumberLineRules, ProgramExtras,
    Task, TextTask,
};

/// Programs for rules of comparing texts that the format's default validator does not have.
const LINES: &str = include_str!("programs/lines.py");
const EXACT: &str = include_str!("programs/exact.py");
const DMOJ_LINES: &str = include_str!("programs/dmoj_lines.py");

/// The properties of output judging that `problem.yaml` needs.
#[derive(Debug, Default)]
pub(super) struct ExportedJudging {
    pub(super) has_program: bool,
    pub(super) is_interactive: bool,
    pub(super) is_multi_pass: bool,
    pub(super) arguments: Vec<String>,
}

impl ExportedJudging {
    fn by_own_program() -> Self {
        // The program ignores arguments; these stop other tools from changing letters or spaces of
        // a right output.
        let arguments = ["case_sensitive", "space_change_sensitive"]
            .map(str::to_owned)
            .to_vec();
        Self {
            has_program: true,
            arguments,
            ..Self::default()
        }
    }
}

/// Adds the program that judges outputs, if one is needed, and its arguments. `names` are those of
/// all cases, relative to `data`.
///
/// # Errors
/// Reports a program that the format cannot run, and rules for which no program can be generated.
pub(super) fn add(
    material: &ExportMaterial,
    names: &[String],
    target: ExportTarget,
    files: &mut ExportFiles,
    notes: &mut Vec<String>,
) -> Result<ExportedJudging, Mistakes> {
    let has_own_flags = case_arguments::add_case_flags(material, names, target, files)?;
    let folder = target.validator_folder();
    let mut program = |text: &str| {
        files.put(format!("{folder}/validate.py"), text);
        ExportedJudging::by_own_program()
    };
    let mut judging = match &material.problem.task {
        Task::Text(TextTask::Tokens(rules)) => ExportedJudging {
            arguments: flags(rules),
            ..ExportedJudging::default()
        },
        Task::Text(task) => program(&comparison(task, &material.file)?),
        Task::Grid(task) => program(&grid_programs::output_validator(task, &material.file)?),
        Task::Checker(task) => checker(task, material, target, files, notes)?,
    };
    if has_own_flags {
        judging.arguments.clear();
    }
    if target == ExportTarget::Kattis2025 && !judging.arguments.is_empty() {
        let line = format!(
            "output_validator_args: {}\n",
            export_files::list(&judging.arguments)
        );
        // 2025-09 has arguments in the settings of groups. BAPCtools reads those of `valid_output`
        // to decide how it may change a right output.
        for section in ["sample", "secret", "valid_output"] {
            files.append(&format!("data/{section}/test_group.yaml"), &line);
        }
    }
    Ok(judging)
}

/// The program that compares outputs as a task other than [`TextTask::Tokens`] does.
fn comparison(task: &TextTask, spec: &Path) -> Result<String, Mistakes> {
    Ok(match task {
        TextTask::Lines => LINES.to_owned(),
        TextTask::Exact | TextTask::CrlfInsensitive => exact(task),
        TextTask::Tokens(_) | TextTask::TokenLines => dmoj_lines("tokens", None),
        TextTask::StrippedLines => dmoj_lines("stripped", None),
        TextTask::StrippedFilledLines => dmoj_lines("stripped filled", None),
        TextTask::NumberLines(rules) => dmoj_lines("numbers", Some(*rules)),
        TextTask::Unordered(piece) => dmoj_lines(&format!("{}s in any order", piece.name()), None),
        TextTask::ScoredLines(_) => {
            let message = format!(
                "{} gives points for single lines, which no export does",
                case_arguments::words_of(task)
            );
            return Err(Mistake::of(spec, message)
                .with_remedy("export it with another checker")
                .into());
        }
    })
}

/// The program that compares outputs byte by byte.
fn exact(task: &TextTask) -> String {
    EXACT.replace(
        "{rule}",
        if *task == TextTask::Exact {
            "exact"
        } else {
            "crlf-insensitive"
        },
    )
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
fn checker(
    task: &CheckerTask,
    material: &ExportMaterial,
    target: ExportTarget,
    files: &mut ExportFiles,
    notes: &mut Vec<String>,
) -> Result<ExportedJudging, Mistakes> {
    refuse_unsupported(task, target)?;
    let folder = target.validator_folder();
    let name = file_name(&task.source);
    if task.protocol.rules().is_of_packages {
        let around = material
            .package
            .as_ref()
            .and_then(|package| package.program_around(&task.source));
        for file in around.iter().flat_map(|program| &program.files) {
            files.copy(format!("{folder}/{}", file.name), &file.path);
        }
        if around.is_none() {
            files.copy(format!("{folder}/{name}"), &task.source);
        }
    } else {
        protocol_wrapper::add(task, material, folder, files);
        notes.push(protocol_wrapper::note(task));
    }
    for program in std::iter::once(task).chain(task.final_checker.as_deref()) {
        add_beside(material, program, folder, files);
    }
    Ok(ExportedJudging {
        has_program: true,
        is_interactive: task.kind == JudgingProgramKind::Interactor,
        is_multi_pass: task.passes > 1,
        arguments: task.arguments.clone(),
    })
}

/// Refuses a program that does not speak the formats' protocol and for which there is no wrapper.
fn refuse_unsupported(task: &CheckerTask, target: ExportTarget) -> Result<(), Mistakes> {
    let refuse = |message: String, remedy: &str| {
        Err(Mistakes::from(
            Mistake::of(&task.source, message).with_remedy(remedy),
        ))
    };
    if let Some(odd) = task
        .arguments
        .iter()
        .find(|word| target.uses_legacy_layout() && word.contains(' '))
    {
        let message = format!(
            "its argument `{odd}` has a space in it, where {} splits it",
            target.name()
        );
        return refuse(message, "export to kattis-2025-09, or write it without one");
    }
    if task.call.is_some() || task.build != ProgramExtras::default() {
        let message = "has further sources, flags for its compiler, or arguments of its own, which \
                       no export passes on";
        return refuse(
            message.to_owned(),
            "write one source that needs none of them",
        );
    }
    if let Some(file) = task.files.first() {
        let message = format!(
            "needs `{}` in its working folder, where {} has none",
            file.name,
            target.name()
        );
        return refuse(message, "write what it needs into its source");
    }
    if task.final_checker.is_some() && task.kind != JudgingProgramKind::Interactor {
        let message = format!(
            "is one of several programs that check outputs, and {} has room for one",
            target.name()
        );
        return refuse(
            message,
            "make one of them, or export it to the format that it has",
        );
    }
    refuse_without_wrapper(task, target)
}

fn refuse_without_wrapper(task: &CheckerTask, target: ExportTarget) -> Result<(), Mistakes> {
    if task.protocol.rules().is_of_packages {
        return Ok(());
    }
    let programs = std::iter::once(task).chain(task.final_checker.as_deref());
    let Some(odd) = programs
        .into_iter()
        .find(|program| !protocol_wrapper::has_wrapper(&program.source))
    else {
        return Ok(());
    };
    let message = format!(
        "speaks `{}`, and {} wants `kattis`; no wrapper can be put around a program in `.{}`",
        odd.protocol.rules().name,
        target.name(),
        ending(&odd.source)
    );
    let remedy = "write it in C++ or Python, or in that protocol: docs/checkers.md";
    Err(Mistake::of(&odd.source, message).with_remedy(remedy).into())
}

/// Adds the headers beside a checker, and the modules beside one in Python.
fn add_beside(
    material: &ExportMaterial,
    task: &CheckerTask,
    folder: &str,
    files: &mut ExportFiles,
) {
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
        let is_plain =
            path.symlink_metadata().is_ok_and(|found| found.is_file()) && !name.starts_with('.');
        let is_needed =
            HEADER_ENDINGS.contains(&ending(&path)) || is_module && ending(&path) == PYTHON;
        let name = format!("{folder}/{name}");
        if is_plain && is_needed && !files.has(&name) && path != material.file {
            files.copy(name, &path);
        }
    }
}
