//! Checks that some of a package's submissions are in a language that the package accepts.
//! Otherwise no submission is judged, so no verdict could differ from the expected one.

use crate::cli::session::check_finding::CheckFinding;
use crate::cli::session::package_checks::check_list::CheckList;
use crate::model::{ProblemCheck, Verdict};
use crate::package::Package;
use crate::spec::{ExampleSubmission, JudgeFolder};

/// Adds an error if no submission, or no accepted submission, is in an accepted language.
pub(super) fn check(folder: &JudgeFolder, id: &str, package: &Package, list: &mut CheckList) {
    let Some(permitted) = &package.languages else {
        return;
    };
    // Submissions in languages that this judge does not know may be in an accepted one.
    if package.submissions_are_answers || !folder.left_out(id).is_empty() {
        return;
    }
    let all = folder.examples(id).unwrap_or_default();
    let right: Vec<_> = all
        .iter()
        .filter(|one| {
            one.submission
                .expected
                .as_ref()
                .is_some_and(|expected| expected.verdicts() == [Verdict::Accepted])
        })
        .collect();
    let is_refused = |one: &ExampleSubmission| {
        let language = folder.language_of(id, &one.submission.path);
        language.is_some_and(|language| folder.language_refusal(id, &language).is_some())
    };
    let which = match (
        all.iter().all(is_refused),
        right.iter().all(|one| is_refused(one)),
    ) {
        _ if all.is_empty() => return,
        (true, _) => "submission",
        (false, true) if !right.is_empty() => "accepted submission",
        _ => return,
    };
    let permitted = permitted.join(", ");
    let text = format!(
        "no {which} is in a language of `languages` ({permitted}), so none is judged: add a submission in one of them, or the language of yours to `languages`"
    );
    list.error(CheckFinding::about(
        ProblemCheck::Languages,
        &package.file,
        text,
    ));
}
