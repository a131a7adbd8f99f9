//! Says what in a package of the older formats other judges read differently, so that nobody is
//! surprised by another verdict there. Each is a sentence without a full stop. Start at [`note`].
//!
//! Sources: problemtools (`verifyproblem.py`, `config`), DOMjudge (`ImportProblemService`), as read
//! and run.

use crate::sorted::SortedMap;
use std::path::Path;

use crate::files;
use crate::mistake::RemarkKind;
use crate::model::{
    Case, CheckerPointsRule, JudgingProgramKind, PointValue, ScoreAggregation, Scoring,
};
use crate::package::kattis::GradingByFolder;
use crate::package::{LEGACY_GROUP_FILE, PackageMetadata, PackageTree, ReadingNotes};

/// The largest file of settings that may set nothing, in bytes.
const LARGEST_EMPTY: u64 = 1 << 10;

/// Notes what other judges read differently.
pub(crate) fn note(
    tree: &PackageTree,
    metadata: &PackageMetadata,
    grading: &GradingByFolder,
    scoring: &Scoring,
    cases: &[Case],
    notes: &mut ReadingNotes,
) {
    if !metadata.format.has_legacy_layout() {
        return;
    }
    let found = [
        several_validators(metadata),
        folder_of_validator(tree, metadata),
        passes_of_interactor(metadata),
        empty_settings(tree),
        score_of_group(metadata, grading, scoring, cases),
        order(scoring, cases),
    ];
    for disagreement in found.into_iter().flatten() {
        notes.say(RemarkKind::Disagreement, disagreement);
    }
}

fn several_validators(metadata: &PackageMetadata) -> Option<String> {
    let programs = 1 + metadata.further_checkers.len();
    (programs > 1).then(|| {
        format!(
            "`output_validators/` has {programs} programs: here each must accept an output, \
             problemtools runs only the first, and DOMjudge does not import the package"
        )
    })
}

/// A validator in the folder of 2025-09, which only DOMjudge reads as well.
fn folder_of_validator(tree: &PackageTree, metadata: &PackageMetadata) -> Option<String> {
    let checker = metadata.checker.as_deref()?.strip_prefix(&tree.root).ok()?;
    let is_differing = checker.starts_with("output_validator") && !metadata.is_for_domjudge;
    is_differing.then(|| {
        "`output_validator/` is run here, as in DOMjudge; problemtools reads only \
         `output_validators/` in this format"
            .to_owned()
    })
}

fn passes_of_interactor(metadata: &PackageMetadata) -> Option<String> {
    let is_differing =
        metadata.is_multi_pass && metadata.checker_kind == JudgingProgramKind::Interactor;
    is_differing.then(|| {
        "the problem is interactive and of several passes: DOMjudge knows that only as `type: \
         interactive multi-pass`, and problemtools not at all"
            .to_owned()
    })
}

/// The first `testdata.yaml` without a key.
fn empty_settings(tree: &PackageTree) -> Option<String> {
    let (name, _) = tree.below("data").find(|(name, path)| {
        (name.rsplit('/').next() == Some(LEGACY_GROUP_FILE)) && sets_nothing(path)
    })?;
    Some(format!(
        "`{name}` sets nothing: here it counts as absent, and DOMjudge does not import the package"
    ))
}

/// Whether a file of settings consists of comments.
fn sets_nothing(path: &Path) -> bool {
    let text = files::read(path, LARGEST_EMPTY).unwrap_or_else(|_| b"too long".to_vec());
    String::from_utf8_lossy(&text)
        .lines()
        .map(str::trim)
        .all(|line| line.is_empty() || line.starts_with('#'))
}

/// The first group whose `accept_score` is for each case here, and for the whole group in DOMjudge.
fn score_of_group(
    metadata: &PackageMetadata,
    grading: &GradingByFolder,
    scoring: &Scoring,
    cases: &[Case],
) -> Option<String> {
    if metadata.is_for_domjudge {
        return None;
    }
    let mut counts = vec![0; scoring.groups.len()];
    cases.iter().for_each(|case| {
        if let Some(count) = counts.get_mut(scoring.group_of(&case.name)) {
            *count += 1;
        }
    });
    let (group, count) = scoring.groups.iter().zip(counts).find(|(group, count)| {
        let is_for_each = group.aggregation == ScoreAggregation::Sum
            && group.grader_arguments.is_none()
            && group.case.checker == CheckerPointsRule::Nothing;
        let is_set = grading
            .get(&group.name)
            .is_some_and(|found| found.legacy.accept.is_some());
        is_for_each && is_set && *count > 1 && group.case.accepted != PointValue::default()
    })?;
    let folder = Path::new("data").join(&group.name).join(LEGACY_GROUP_FILE);
    Some(format!(
        "`{}`: `accept_score: {}` is for each of {count} cases here, as in problemtools, and for \
         all of them together in DOMjudge",
        folder.display(),
        group.case.accepted
    ))
}

/// The first cases of a group that problemtools runs in another order, if the points of a rejected
/// submission depend on it. Nothing else depends on it but which of several reasons is reported
/// first.
fn order(scoring: &Scoring, cases: &[Case]) -> Option<String> {
    let places = scoring
        .groups
        .iter()
        .enumerate()
        .filter(|(_, group)| {
            group.stops_at_rejection
                && group.aggregation != ScoreAggregation::Min
                && group.grader_arguments.is_none()
        })
        .map(|(place, _)| (place, Vec::new()));
    let mut cases_of: SortedMap<usize, Vec<&str>> = places.collect();
    for case in cases {
        if let Some(own) = cases_of.get_mut(&scoring.group_of(&case.name)) {
            own.push(&case.name);
        }
    }
    let (first, second) = cases_of.values().find_map(|own| swapped(own))?;
    Some(format!(
        "`data/{first}.in` is run before `data/{second}.in` here, and after it in problemtools: \
         with `on_reject: break` a rejected submission gets other points"
    ))
}

/// The first of some cases that comes after a later one if names are sorted with their endings, and
/// that one.
fn swapped<'c>(cases: &[&'c str]) -> Option<(&'c str, &'c str)> {
    let mut theirs = cases.to_vec();
    theirs.sort_by_cached_key(|case| format!("{case}.ans"));
    cases
        .iter()
        .zip(theirs)
        .find(|(own, their)| *own != their)
        .map(|(own, their)| (*own, their))
}
