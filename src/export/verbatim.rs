//! Exports a package whose own format is the target, or nearly: copies it file by file, so that
//! files unknown to us are not lost.

use crate::export::domjudge_points;
use crate::export::export_files::ExportFiles;
use crate::export::material::ExportMaterial;
use crate::export::target::ExportTarget;
use crate::files;
use crate::mistake::Mistakes;
use crate::package::{PackageFormat, expected_results};

/// A hidden file that DOMjudge reads.
const TIME_LIMIT: &str = ".timelimit";

/// The one file that DOMjudge requires of a package.
const DOMJUDGE_INI: &str = "domjudge-problem.ini";

/// Whether a package of this format can be exported to the target unchanged.
fn is_in_format_of(material: &ExportMaterial, format: PackageFormat, target: ExportTarget) -> bool {
    let is_kattis_legacy = matches!(format, PackageFormat::Legacy | PackageFormat::LegacyIcpc);
    // DOMjudge has no graders, and only one program that checks outputs.
    let has_several = material
        .problem
        .task
        .program()
        .is_some_and(|program| program.final_checker.is_some());
    let scoring = &material.problem.scoring;
    // DOMjudge reads the same settings of points otherwise than Kattis, so their copy would mean
    // something else.
    let has_other_points = !scoring.is_empty() && !scoring.decides_verdict;
    match target {
        ExportTarget::Kattis2025 => format == PackageFormat::Kattis2025,
        ExportTarget::KattisLegacy => is_kattis_legacy && !has_other_points,
        ExportTarget::DomJudge if has_several || scoring.grader.is_some() => false,
        ExportTarget::DomJudge => is_kattis_legacy || format == PackageFormat::DomJudge,
    }
}

/// The files of a package that is in the target's format already. `None` if it is not.
///
/// # Errors
/// Reports settings of groups whose points cannot be rewritten for DOMjudge.
pub(super) fn files(
    material: &ExportMaterial,
    target: ExportTarget,
    notes: &mut Vec<String>,
) -> Result<Option<ExportFiles>, Mistakes> {
    let Some(package) = &material.package else {
        return Ok(None);
    };
    let is_same = is_in_format_of(material, package.format, target);
    // If the package was read differently from what its files suggest (as another format, or
    // another meaning of it), another judge would not read a copy as we do. DOMjudge reads every
    // package in its own format.
    let is_recognisable = !package.has_overridden_format
        || target == ExportTarget::DomJudge && package.format == PackageFormat::DomJudge;
    if !is_same || !is_recognisable {
        return Ok(None);
    }
    let mut files = ExportFiles::default();
    for (name, path) in &package.files {
        files.copy(name, path);
    }
    let hidden = material.folder().join(TIME_LIMIT);
    // A hidden file is not among those that the package was read from, so nobody has looked where
    // it leads.
    if hidden.is_file() && files::is_beneath(material.folder(), &hidden) {
        files.copy(TIME_LIMIT, &hidden);
    }
    if target == ExportTarget::DomJudge && !files.has(DOMJUDGE_INI) {
        let time = package
            .limits
            .time
            .map(|time| format!("timelimit = {}\n", time.as_secs_f64()));
        let name = material.problem.name.replace(['"', '\n'], " ");
        files.put(
            DOMJUDGE_INI,
            format!("name = \"{name}\"\n{}", time.unwrap_or_default()),
        );
    }
    let scoring = &material.problem.scoring;
    if target == ExportTarget::DomJudge && scoring.decides_verdict && !scoring.is_empty() {
        domjudge_points::rewrite(material, &mut files, notes)?;
    }
    if target == ExportTarget::DomJudge {
        notes.extend(own_codes(material));
    }
    Ok(Some(files))
}

/// A note for each submission whose expected verdicts are in codes that DOMjudge does not know. In
/// the folders that say the verdict, it ignores them.
fn own_codes(material: &ExportMaterial) -> Vec<String> {
    material
        .submissions
        .iter()
        .filter(|submission| !submission.is_in_official_folder())
        .filter_map(|submission| {
            let word = submission
                .files
                .iter()
                .find_map(|file| expected_results::own_code(&file.path))?;
            let name = &submission.name;
            Some(format!(
                "DOMjudge does not know `{word}`, which is after `{}` in {name}",
                expected_results::WORD
            ))
        })
        .collect()
}
