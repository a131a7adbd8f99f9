//! Derives points in the older formats: the settings that groups inherit from the group around them, and the
//! default grader's aggregation. DOMjudge interprets the same file differently, and packages made for
//! DOMjudge are read as DOMjudge does.
//!
//! Sources: the Kattis problem package format, legacy, "Graders"; problemtools' `default_grader`; DOMjudge's import of packages.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::mistake::Mistake;
use crate::model::Case;
use crate::model::CaseWorth;
use crate::model::CheckerPointsRule;
use crate::model::CustomGrader;
use crate::model::GroupAcceptance;
use crate::model::PointValue;
use crate::model::ScoreAggregation;
use crate::model::ScoreGroup;
use crate::model::Scoring;
use crate::package::checker_source;
use crate::package::group_grading::GraderFlags;
use crate::package::group_grading::GradingByFolder;
use crate::package::group_grading::GroupGrading;
use crate::package::group_grading::LegacyGrading;
use crate::package::metadata::PackageMetadata;
use crate::package::reading::ReadingNotes;
use crate::package::tree::PackageTree;

/// What the points of a package follow from.
#[derive(Clone, Copy)]
pub(super) struct LegacyPoints<'p> {
    pub(super) metadata: &'p PackageMetadata,
    pub(super) tree: &'p PackageTree,
    pub(super) grading: &'p GradingByFolder,
    pub(super) cases: &'p [Case],
}

impl LegacyPoints<'_> {
    /// The groups of a problem without points whose settings change the verdict: it is not that of the first
    /// rejected case then. DOMjudge asks no groups there.
    pub(super) fn verdict_groups(self, notes: &mut ReadingNotes) -> Scoring {
        let is_custom = self.grading.values().any(|group| group.legacy.is_custom == Some(true));
        if self.metadata.is_for_domjudge || is_custom {
            return Scoring::default();
        }
        let scoring = self.groups(notes);
        let is_usual = |group: &ScoreGroup| {
            group.acceptance == GroupAcceptance::All && group.stops_at_rejection && !group.ignores_first
        };
        match scoring.groups.iter().all(is_usual) {
            true => Scoring::default(),
            false => Scoring { verdict_only: true, ..scoring },
        }
    }

    /// The points of the cases.
    pub(super) fn scoring(self, notes: &mut ReadingNotes) -> Scoring {
        let scoring = self.groups(notes);
        self.refuse_sums_beyond(&scoring, notes);
        scoring
    }

    /// The groups of the cases.
    fn groups(self, notes: &mut ReadingNotes) -> Scoring {
        let Self { metadata, tree, grading, cases } = self;
        let (decides_verdict, wants_fewest) = (!metadata.is_for_domjudge, metadata.grading.wants_fewest);
        let mut scoring = Scoring { decides_verdict, wants_fewest, ..Scoring::default() };
        let mut known: BTreeMap<&str, (usize, LegacyGrading)> = BTreeMap::new();
        for folder in folders(cases) {
            let around = parent(folder).and_then(|parent| known.get(parent));
            let own = grading.get(folder).map(|grading| grading.legacy.clone()).unwrap_or_default();
            let (parent, settings) = match around {
                Some((place, around)) if !metadata.is_for_domjudge => (Some(*place), own.within(around)),
                around => (around.map(|(place, _)| *place), own),
            };
            let settings =
                if metadata.is_for_domjudge { settings } else { settings.overridden_by(&metadata.grading) };
            self.note_flags(&settings, folder, notes);
            let mut group = group(&settings, metadata);
            (group.name, group.parent) = (folder.to_owned(), parent);
            group.ignores_first &= folder.is_empty();
            if settings.is_custom == Some(true) {
                group = graded_by_program(group, settings.words.clone().unwrap_or_default());
            }
            known.insert(folder, (scoring.groups.len(), settings));
            scoring.add(group);
        }
        if scoring.groups.iter().any(|group| group.grader_arguments.is_some()) {
            let limits = metadata.limits.checker.of_a_run();
            scoring.grader =
                checker_source::grader(tree, notes).map(|source| CustomGrader { source, limits });
        }
        scoring
    }

    /// Notes unknown or misplaced flags, and a custom grader in a package for DOMjudge.
    fn note_flags(self, settings: &LegacyGrading, folder: &str, notes: &mut ReadingNotes) {
        match settings.is_custom == Some(true) {
            true if self.metadata.is_for_domjudge => {
                refuse_custom(self.grading.get(folder), "a grader of its own, as DOMjudge has none", notes);
            }
            true => {}
            false => {
                for unknown in &settings.unknown_words {
                    // Several groups may inherit the same words.
                    if !notes.mistakes.contains(unknown) {
                        notes.mistakes.push(unknown.clone());
                    }
                }
                if settings.flags.is_some_and(|flags| flags.ignores_sample) && !folder.is_empty() {
                    notes.mistakes.extend(misplaced_flag(folder, self.grading));
                }
            }
        }
    }

    /// Notes groups whose cases together give more points than the group's `range` allows.
    fn refuse_sums_beyond(self, scoring: &Scoring, notes: &mut ReadingNotes) {
        let mut counts = vec![0; scoring.groups.len()];
        self.cases.iter().for_each(|case| counts[scoring.group_of(&case.name)] += 1);
        for (group, count) in scoring.groups.iter().zip(counts) {
            let is_sum = group.grader_arguments.is_none()
                && group.aggregation == ScoreAggregation::Sum
                && group.case.checker == CheckerPointsRule::Nothing;
            let sum: PointValue = std::iter::repeat_n(group.case.accepted, count).sum();
            let Some(most) = group.most.filter(|most| is_sum && sum > *most) else { continue };
            let Some(found) = self.grading.get(&group.name) else { continue };
            let each = group.case.accepted;
            let message =
                format!("{count} cases of {each} points each come to {sum}, and `range` ends at {most}");
            let remedy = "write `grader_flags: min` if the group is all or nothing, else a wider `range`";
            notes.mistakes.push(Mistake::of(&found.file, message).with_remedy(remedy));
        }
    }
}

/// Notes custom graders in a problem without points, where their output would be the verdict, and unknown
/// flags.
pub(super) fn refuse_without_points(grading: &GradingByFolder, notes: &mut ReadingNotes) {
    let is_custom = grading.values().any(|group| group.legacy.is_custom == Some(true));
    for group in grading.values() {
        if group.legacy.is_custom == Some(true) {
            refuse_custom(Some(group), "a grader of its own (`grading: custom`) that gives no points", notes);
        } else if !is_custom {
            notes.mistakes.extend(group.legacy.unknown_words.iter().cloned());
        }
    }
}

fn refuse_custom(group: Option<&GroupGrading>, what: &str, notes: &mut ReadingNotes) {
    if let Some((group, line)) = group.and_then(|group| Some((group, group.legacy.custom_line?))) {
        notes.need_on_line(&group.file, line, what);
    }
}

/// Turns a group into one whose result a program decides from the results of all its cases.
fn graded_by_program(group: ScoreGroup, arguments: Vec<String>) -> ScoreGroup {
    ScoreGroup {
        grader_arguments: Some(arguments),
        aggregation: ScoreAggregation::Sum,
        acceptance: GroupAcceptance::Any,
        ignores_first: false,
        ..group
    }
}

fn group(settings: &LegacyGrading, metadata: &PackageMetadata) -> ScoreGroup {
    let flags = settings.flags.unwrap_or(GraderFlags::USUAL);
    let checker =
        if metadata.checker_gives_points { CheckerPointsRule::Points } else { CheckerPointsRule::Nothing };
    let usual = CaseWorth {
        accepted: settings.accept.unwrap_or(PointValue::from(1)),
        rejected: settings.reject.unwrap_or_default(),
        checker,
    };
    // In DOMjudge, the score of a group is for all its cases together.
    let (aggregation, case, most) = match settings.accept {
        _ if !metadata.is_for_domjudge => (flags.aggregation, usual, settings.most),
        Some(accept) => (ScoreAggregation::Min, usual, Some(accept)),
        None => (flags.aggregation, CaseWorth { checker, ..CaseWorth::NOTHING }, settings.most),
    };
    ScoreGroup {
        aggregation,
        acceptance: flags.acceptance,
        tells_worst: flags.takes_worst,
        ignores_first: flags.ignores_sample,
        stops_at_rejection: settings.stops_at_rejection.unwrap_or(true),
        case,
        most,
        least: settings.least,
        ..ScoreGroup::of_all_cases()
    }
}

/// The mistake that a group other than the outermost has no samples to ignore.
fn misplaced_flag(folder: &str, grading: &GradingByFolder) -> Option<Mistake> {
    let file = &grading.get(folder).or_else(|| grading.get(""))?.file;
    let message =
        format!("the group `{folder}` would ignore the first of its cases as samples (`ignore_sample`)");
    let remedy = format!(
        "give `data/{folder}/testdata.yaml` other `grader_flags`: it takes over those of the group around it"
    );
    Some(Mistake::of(file, message).with_remedy(remedy))
}

/// Returns the folders of cases at all depths, including the outermost. Each comes after the folder it is in.
fn folders(cases: &[Case]) -> BTreeSet<&str> {
    let around =
        |case: &'_ Case| -> Vec<usize> { case.name.match_indices('/').map(|(end, _)| end).collect() };
    let below = cases.iter().flat_map(|case| around(case).into_iter().map(|end| &case.name[..end]));
    std::iter::once("").chain(below).collect()
}

/// Returns the parent of a folder.
fn parent(folder: &str) -> Option<&str> {
    match folder {
        "" => None,
        folder => Some(folder.rsplit_once('/').map_or("", |(parent, _)| parent)),
    }
}
