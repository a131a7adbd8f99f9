//! Converts a package of another judge to a problem of this folder: with the judge's languages, and
//! its defaults for settings that packages do not have.

use std::path::{Path, PathBuf};

use crate::mistake::Mistakes;
use crate::model::{AdditionalSources, Case, Language, LanguageAllowance, Problem, Submission};
use crate::package::{Package, PackageFormat, PackageSubmission, SkippedSubmission};
use crate::spec::config::Config;
use crate::spec::examples::ExampleSubmission;
use crate::spec::format_settings::as_in_format;
use crate::spec::{address_space, package_sources};
use gridjudge_sandbox::Limits;

/// Converts a package to a problem.
///
/// # Errors
/// Reports the features that the package needs and this judge does not support.
pub(super) fn problem(package: &Package, id: &str, config: &Config) -> Result<Problem, Mistakes> {
    let cpu = package.time_limit();
    let limits = Limits {
        cpu,
        wall: Limits::wall_for(cpu),
        memory_bytes: package.limits.memory_bytes,
        output_bytes: package.limits.output_bytes,
        processes: config.limits.processes,
        frequent_samples: false,
        address_space: None,
    };
    // The limits of a package are the same for all languages.
    let same = LanguageAllowance {
        time_factor: Some(1),
        extra_memory_bytes: Some(0),
    };
    let problem = Problem {
        id: id.to_owned(),
        name: package.name.clone().unwrap_or_else(|| id.to_owned()),
        source: package.source.clone(),
        task: package.task.clone(),
        case_tasks: package.case_tasks.clone(),
        supplies: package.supplies.clone(),
        file_streams: package.file_streams.clone(),
        limits,
        allowances: config
            .languages()
            .map(|language| (language.id.clone(), same))
            .collect(),
        scoring: package.scoring.clone(),
    };
    // What is not judged refuses the package, with everything else that is wrong.
    let refusal = if package.unsupported.is_empty() {
        Vec::new()
    } else {
        [
            &package.all_mistakes()[..],
            &package.missing_answers,
            &package.unsupported,
        ]
        .concat()
    };
    Mistakes::or(refusal, problem)
}

/// A language as a source of a package, or a submission to it, is compiled and run: as the judge of
/// its format does, within the package's limits for compiling.
pub(super) fn language_in(package: &Package, language: &Language, source: &Path) -> Language {
    let source_type = package.source_types.get(source).map(String::as_str);
    let cpu = package.limits.compile_time;
    let compile_limits = Limits {
        cpu,
        wall: Limits::wall_for(cpu),
        memory_bytes: package.limits.compile_memory_bytes,
        output_bytes: most_written(package.format).unwrap_or(language.compile_limits.output_bytes),
        ..language.compile_limits.clone()
    };
    let address_space = address_space::beyond_memory(package, &language.id);
    Language {
        compile_limits,
        address_space,
        ..as_in_format(language, package.format, source_type)
    }
}

/// The most bytes of a file that compilers write, if the judge of a format allows more than this
/// one usually does.
///
/// Source: DOMjudge, `script_filesize_limit` in `etc/db-config.yaml`. problemtools and BAPCtools
/// set no limit.
fn most_written(format: PackageFormat) -> Option<u64> {
    format.has_kattis_layout().then_some(2_621_440 << 10)
}

/// The cases of a package.
///
/// # Errors
/// Reports cases without answers, if answers are required.
pub(super) fn cases(package: &Package, is_answer_required: bool) -> Result<Vec<Case>, Mistakes> {
    let missing = if is_answer_required {
        package.missing_answers.clone()
    } else {
        Vec::new()
    };
    Mistakes::or(missing, package.cases.clone())
}

/// The cases of a package that have their answers.
pub(super) fn answered_cases(package: &Package) -> Vec<Case> {
    package
        .cases
        .iter()
        .filter(|case| !(!package.missing_answers.is_empty() && !case.answer.exists()))
        .cloned()
        .collect()
}

/// The submissions of a package that can be judged.
pub(super) fn examples(package: &Package, config: &Config) -> Vec<ExampleSubmission> {
    package
        .submissions
        .iter()
        .filter_map(|submission| {
            let path = path_of(package, submission, config).ok()?;
            let name = submission.name.clone();
            let expected = Some(submission.expected.clone());
            let own = Submission {
                name,
                path,
                expected,
            };
            Some(ExampleSubmission::with_expectations(
                own,
                submission.expectations.clone(),
            ))
        })
        .collect()
}

/// The path of an answer submission of a package.
pub(super) fn place_of_answers(package: &Package, submission: &PackageSubmission) -> PathBuf {
    package
        .file
        .parent()
        .unwrap_or(&package.file)
        .join("submissions")
        .join(&submission.name)
}

/// The file or folder that identifies a submission of a package.
///
/// # Errors
/// Returns why it is not judged, worded to follow its name.
fn path_of(
    package: &Package,
    submission: &PackageSubmission,
    config: &Config,
) -> Result<PathBuf, String> {
    if !package.submissions_are_answers {
        return Ok(package_sources::of_example(package, submission, config)?.path);
    }
    if submission
        .files
        .iter()
        .all(|file| config.language_of(&file.path).is_some())
    {
        Err("it is a program, and submissions are answers (`type: submit-answer`)".to_owned())
    } else {
        Ok(place_of_answers(package, submission))
    }
}

/// The submissions of a package that are not judged, each with the reason.
pub(super) fn left_out(package: &Package, config: &Config) -> Vec<SkippedSubmission> {
    let unknown = package.submissions.iter().filter_map(|submission| {
        let reason = path_of(package, submission, config).err()?;
        Some(SkippedSubmission {
            name: submission.name.clone(),
            reason,
        })
    });
    package.left_out.iter().cloned().chain(unknown).collect()
}

/// The additional sources of a submission to a package, beside its own file. The submission may be
/// from the package or not.
pub(super) fn further_sources(
    package: &Package,
    path: &Path,
    language: Option<&Language>,
    config: &Config,
) -> AdditionalSources {
    let examples = package.submissions.iter();
    let resolved =
        examples.filter_map(|one| package_sources::of_example(package, one, config).ok());
    let own = resolved
        .into_iter()
        .find(|sources| sources.path == path)
        .map(|sources| sources.additional_sources);
    own.unwrap_or_else(|| package_sources::of_program(package, path, language))
}
