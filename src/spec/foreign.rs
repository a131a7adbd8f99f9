//! A package of another judge as a problem of this folder: with the judge's languages, and its defaults where a package has no
//! word for something.

use crate::mistake::Mistakes;
use crate::model::Case;
use crate::model::LanguageAllowance;
use crate::model::Points;
use crate::model::Problem;
use crate::model::Submission;
use crate::package::LeftOutSubmission;
use crate::package::Package;
use crate::package::PackageSubmission;
use crate::spec::config::Config;
use crate::spec::examples::ExampleSubmission;
use gridjudge_sandbox::Limits;

/// The problem that a package is.
///
/// # Errors
/// What it needs that is not judged.
pub(super) fn problem(package: &Package, id: &str, config: &Config) -> Result<Problem, Mistakes> {
    let cpu = package.time_limit();
    let limits = Limits {
        cpu,
        wall: Limits::wall_for(cpu),
        memory_bytes: package.limits.memory_bytes,
        output_bytes: package.limits.output_bytes,
        processes: config.limits.processes,
    };
    // The limits of a package hold for programs of all languages alike.
    let same = LanguageAllowance { time_factor: Some(1), extra_memory_bytes: Some(0) };
    let problem = Problem {
        id: id.to_owned(),
        name: package.name.clone().unwrap_or_else(|| id.to_owned()),
        source: package.source.clone(),
        task: package.task.clone(),
        limits,
        allowances: config.languages().map(|language| (language.id.clone(), same)).collect(),
        points: Points::new(),
    };
    Mistakes::or(package.unsupported.clone(), problem)
}

/// What compiling a submission to a package may use, of a language with these limits.
pub(super) fn compile_limits(package: &Package, usual: &Limits) -> Limits {
    let cpu = package.limits.compile_time;
    Limits {
        cpu,
        wall: Limits::wall_for(cpu),
        memory_bytes: package.limits.compile_memory_bytes,
        ..usual.clone()
    }
}

/// The cases of a package.
///
/// # Errors
/// Cases without answers, if they are required.
pub(super) fn cases(package: &Package, is_answer_required: bool) -> Result<Vec<Case>, Mistakes> {
    let missing = if is_answer_required { package.missing_answers.clone() } else { Vec::new() };
    Mistakes::or(missing, package.cases.clone())
}

/// The submissions of a package that are of a known language.
pub(super) fn examples(package: &Package, config: &Config) -> Vec<ExampleSubmission> {
    let known =
        package.submissions.iter().filter(|submission| config.language_of(&submission.path).is_some());
    let example = |submission: &PackageSubmission| {
        ExampleSubmission::without_expectation(Submission {
            name: submission.name.clone(),
            path: submission.path.clone(),
            expected: Some(submission.expected.clone()),
        })
    };
    known.map(example).collect()
}

/// The submissions of a package that are not judged, each with the reason.
pub(super) fn left_out(package: &Package, config: &Config) -> Vec<LeftOutSubmission> {
    let unknown =
        package.submissions.iter().filter(|submission| config.language_of(&submission.path).is_none());
    let of_no_language = unknown.map(|submission| LeftOutSubmission {
        name: submission.name.clone(),
        reason: "its ending belongs to no language of this judge".to_owned(),
    });
    package.left_out.iter().cloned().chain(of_no_language).collect()
}
