//! Exports problems as packages of other judges. Converts a problem of ours, or a
//! package of another format, to one of Kattis' or DOMjudge's formats, file by file,
//! and notes what that format cannot express. Runs nothing, and prints nothing. Start
//! at [`Export::prepare`]; [`write_export`] writes the result into a folder or an
//! archive.

mod case_arguments;
mod export_files;
mod grid_programs;
mod material;
mod output_validator;
mod point_groups;
mod problem_yaml;
mod statement;
mod submission_files;
mod validators;
mod verbatim;

use std::mem;
use std::path::Path;

use material::{ExportFiles, ExportMaterial};
use point_groups::PointGroups;

use crate::mistake::{Mistake, Mistakes};
use crate::model::FileStreams;
use crate::spec::{ProblemFolder, is_archive_name};

pub use material::ExportTarget;

/// A problem converted to a format of another judge.
#[derive(Debug)]
pub struct Export {
    files: ExportFiles,
    target: ExportTarget,
    /// What the format cannot express, or expresses differently: a sentence each,
    /// without a full stop.
    pub notes: Vec<String>,
}

impl Export {
    /// Converts a problem to a format.
    ///
    /// # Errors
    /// Reports mistakes in the problem, and features that verdicts depend on and that
    /// the format cannot express.
    pub fn prepare(
        found: &ProblemFolder,
        target: ExportTarget,
    ) -> Result<Self, Mistakes> {
        let mut material = ExportMaterial::collect(found, target)?;
        if !verbatim::add_files(&material)? {
            convert(&mut material)?;
        }
        if target == ExportTarget::DomJudge {
            submission_files::note_for_domjudge(&material);
        }
        if target != ExportTarget::KattisLegacy {
            point_groups::note_other_results(&material);
        }
        Ok(Self {
            notes: material.notes.into_inner(),
            files: material.files.into_inner(),
            target,
        })
    }

    /// The number of its files.
    pub fn file_count(&self) -> usize {
        self.files.len()
    }
}

/// Refuses features that verdicts depend on and that cannot be converted to another
/// format.
fn refuse_unsupported(material: &ExportMaterial) -> Result<(), Mistake> {
    let file = &material.file;
    let problem = &material.problem;
    let format = material.target.name();
    let FileStreams { input, output } = &problem.file_streams;
    let (path, message, remedy) = if material.package.submissions_are_answers {
        (
            file,
            format!(
                "takes answers in place of programs, which {format} cannot express"
            ),
            "judge it as it is, or with a judge that knows `type: submit-answer`",
        )
    } else if let Some(grader) = &problem.scoring.grader {
        (
            &grader.source,
            format!(
                "computes the points of groups, and {format} has no place for it"
            ),
            "export it to kattis-legacy, or judge it as it is",
        )
    } else if let Some(validator) = problem.static_validator()
        && !problem.scoring.is_empty()
    {
        (
            &validator.source,
            format!(
                "affects the points of sources, and {format} has no place for it"
            ),
            "export it to kattis-2025-09, or judge it as it is",
        )
    } else if let Some(case) = problem.supplies.keys().next() {
        (
            file,
            format!(
                "{case} gives submissions arguments or files, which {format} cannot express"
            ),
            "export it to kattis-2025-09, or give all that there is on standard input",
        )
    } else if let Some(name) = input.as_ref().or(output.as_ref()) {
        (
            file,
            format!(
                "submissions read or write the file `{name}`, which {format} cannot express"
            ),
            "have them read standard input and write standard output, or judge it as it is",
        )
    } else {
        return Ok(());
    };
    Mistake::refuse(path, message, remedy)
}

/// Adds the files of a problem in another format than its own.
fn convert(material: &mut ExportMaterial) -> Result<(), Mistakes> {
    refuse_unsupported(material)?;
    // No other format has cases on which sources are judged.
    if let Some(validator) = material.problem.static_validator() {
        let name = validator
            .source
            .strip_prefix(material.folder())
            .unwrap_or(&validator.source);
        material.note_loss(format!(
            "{} is left out, and what it alone rejects is accepted: {} judges no sources",
            name.display(),
            material.target.name()
        ));
        material
            .cases
            .retain(|case| !material.problem.is_static(&case.name));
        material
            .problem
            .case_tasks
            .retain(|_, task| task.static_validator().is_none());
    }
    let points = PointGroups::from_material(material);
    if points.is_err() {
        // Without points to keep a case in its group, samples come first.
        let mut cases = mem::take(&mut material.cases);
        cases.sort_by_key(|case| !material.package.samples.contains(&case.name));
        material.cases = cases;
        material.case_names = case_arguments::case_names(material);
    }
    let mut names = material.case_names.iter();
    if !names.any(|name| name.starts_with("secret/")) {
        material
            .note_loss("there is no case in `data/secret`, which the format wants");
    }
    let arguments = output_validator::add_output_validator(material)?;
    case_arguments::add_cases(material);
    if let Ok(points) = &points {
        points.add(material);
    }
    let largest_bytes = submission_files::add_submissions(material);
    validators::add_input_validators(material)?;
    let languages = statement::add_statement(material)?;
    problem_yaml::add_problem_yaml(
        material,
        &arguments,
        &languages,
        largest_bytes,
        points.as_ref().err(),
    );
    Ok(())
}

/// Writes an export into a missing or empty folder, or into a new archive (`.zip`,
/// `.kpp`). Writes either everything or nothing.
///
/// # Errors
/// Returns a mistake if something exists at `place`, or if it cannot be written.
pub fn write_export(export: &Export, place: &Path) -> Result<(), Mistakes> {
    if crate::package::is_archive(place) {
        export_files::write_export_files(&export.files, export.target, place)
    } else if is_archive_name(place) {
        let message = "is named as an archive of a kind that is not written";
        Mistake::refuse(place, message, "name a `.zip`, a `.kpp` or a folder")
    } else {
        export_files::write_folder(&export.files, place)
    }
}
