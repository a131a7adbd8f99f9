//! Notes on packages of other judges, shown before their results: submissions that are
//! not judged, and missing time limits.

use std::collections::BTreeSet;

use crate::cli::screen;
use crate::model::micros;
use crate::package::{Package, PackageFormat};
use crate::run::Plan;
use crate::spec::{JudgeFolder, ProblemFolder};
use crate::text::{counted, first_few, round_time};

/// The most submissions that are named in a note; the rest is counted.
const MOST_NAMED: usize = 3;

/// A note for everything in the folder of problems that looks like a problem and is
/// none. For commands to which no problem was named.
pub(crate) fn of_unrecognised(folder: &JudgeFolder) -> Vec<String> {
    folder
        .unrecognised()
        .iter()
        .map(|mistake| screen::with_remedy(mistake, mistake.remedy.as_ref()))
        .collect()
}

/// The problems of a plan.
pub(crate) fn problems_of<'a>(
    folder: &'a JudgeFolder,
    plan: &Plan,
) -> Vec<&'a ProblemFolder> {
    let ids: BTreeSet<_> =
        plan.entries.iter().map(|entry| &entry.problem.id).collect();
    folder.known(ids)
}

/// The note on mistakes in a package that its own judge passes over.
pub(crate) fn note_on_slips(problem: &ProblemFolder) -> Option<String> {
    let slips = problem.readable_package()?.slips().len();
    let id = &problem.id;
    let mistakes = counted(slips, "mistake");
    (slips > 0).then(|| {
        format!(
            "{id}: {mistakes} in the package, which its own judge ignores; `gridjudge verify` \
             lists them"
        )
    })
}

/// The note that a package gives no time limit and gets the usual one of its format.
pub(crate) fn note_on_default_limit(problem: &ProblemFolder) -> Option<String> {
    let package = problem.readable_package()?;
    package
        .has_default_time()
        .then(|| format!("{}: {}", problem.id, text_of_default_limit(&package)))
}

/// A note for each thing to know about how the files of a folder of cases were read.
pub(crate) fn notes_on_paired_cases(problem: &ProblemFolder) -> Vec<String> {
    let package = problem.readable_package();
    package.map_or_else(Vec::new, |package| {
        package
            .notes_on_cases()
            .map(|note| format!("{}: {note}", problem.id))
            .collect()
    })
}

/// The notes below a list of these problems: missing tests, missing time limits,
/// submissions that are not judged, and parts of packages that are ignored.
pub(crate) fn of_list(problems: &[&ProblemFolder]) -> Vec<String> {
    problems.iter().flat_map(|one| {
        let id = &one.id;
        let package = one.readable_package();
        let is_measured = package.as_ref().is_some_and(|package| package.is_measured());
        let limit = if is_measured {
            Some(format!(
                "{id}: the package gives no time limit: it is measured when submissions are judged"
            ))
        } else {
            note_on_default_limit(one)
        };
        let missing = one.missing_tests();
        [
            missing.map(|missing| {
                let text = format!("{id}: {}", missing.message);
                screen::with_remedy(text, missing.remedy.as_ref())
            }),
            limit,
            note_on_left_out(one),
            package.and_then(|package| ignored(id, &package)),
        ]
    }).flatten().collect()
}

fn ignored(id: &str, package: &Package) -> Option<String> {
    let count = package.ignored().len();
    let (verb, them) = match count {
        0 => return None,
        1 => ("is", "it"),
        _ => ("are", "them"),
    };
    let parts = counted(count, "part");
    Some(format!(
        "{id}: {parts} of the package {verb} ignored; `gridjudge doctor` names {them}"
    ))
}

/// The note on submissions to a problem that are not judged.
pub(crate) fn note_on_left_out(problem: &ProblemFolder) -> Option<String> {
    let left_out = problem.left_out();
    if left_out.is_empty() {
        return None;
    }
    let named = left_out
        .iter()
        .map(|one| format!("{} ({})", one.name, one.reason));
    let verb = if left_out.len() == 1 { "is" } else { "are" };
    Some(format!(
        "{}: {} {verb} not judged: {}",
        problem.id,
        counted(left_out.len(), "submission"),
        first_few(named, MOST_NAMED)
    ))
}

/// A note that a package gives no time limit, and which limit is used.
pub(crate) fn text_of_default_limit(package: &Package) -> String {
    let default = round_time(micros(package.time_limit()));
    match package.format {
        PackageFormat::Dmoj => {
            format!("DMOJ keeps the time limit on its site, so {default} apply")
        }
        _ => format!(
            "the package gives no time limit, so {default} apply, as in DOMjudge"
        ),
    }
}
