//! Derives the points of cases in a package of Kattis' formats, and its score groups,
//! from the settings of its groups of cases; those of 2025-09 have a file of their own.
//! Start at [`package_scoring`].

mod kattis_2025;

use std::collections::BTreeMap;
use std::iter;

use crate::model::{
    Case, CaseWorth, CheckerPointsRule, CustomGrader, GroupAcceptance, PointValue,
    ScoreAggregation, ScoreGroup, Scoring,
};
use crate::package::kattis::LegacyGrading;
use crate::package::{
    GroupSettings, LEGACY_GROUP_FILE, PackageMetadata, PackageTree, folders_around,
    validation,
};
use crate::text::counted;

/// Returns the points of a package's cases; empty if it gives no points and no groups
/// decide its verdict.
pub(crate) fn package_scoring(
    metadata: &PackageMetadata,
    tree: &PackageTree,
    settings: &GroupSettings,
    cases: &[Case],
) -> Scoring {
    let older = LegacyPoints {
        metadata,
        tree,
        grading: &settings.grading,
        cases,
    };
    let is_legacy = metadata.format_of_groups.has_legacy_layout();
    if metadata.is_scoring {
        if !is_legacy {
            return kattis_2025::scoring_2025(tree, settings, cases);
        }
        let scoring = older.groups();
        older.remark_on_sums(&scoring);
        return scoring;
    }
    for (folder, group) in &settings.later_grading {
        if group.is_about_points() {
            let remedy = "write `type: scoring` into `problem.yaml`, or delete `max_score`, \
                          `score_aggregation` and `require_pass`";
            tree.refuse(
                &group.file,
                format!("`{folder}` is worth points, and the problem gives none"),
                remedy,
            );
        }
    }
    if is_legacy {
        older.verdict_groups()
    } else {
        Scoring::default()
    }
}

// Derives points in the older formats: the settings that groups inherit from the group
// around them, and the default grader's aggregation. DOMjudge interprets the same file
// differently, and packages made for DOMjudge are read as DOMjudge does.
//
// Sources: the Kattis problem package format, legacy, "Graders"; problemtools'
// `default_grader`; DOMjudge's import of packages.

/// What the points of a package follow from.
#[derive(Clone, Copy)]
struct LegacyPoints<'p> {
    metadata: &'p PackageMetadata,
    tree: &'p PackageTree,
    grading: &'p BTreeMap<String, LegacyGrading>,
    cases: &'p [Case],
}

impl<'p> LegacyPoints<'p> {
    /// The groups of a problem without points whose settings change the verdict: it is
    /// not that of the first rejected case then. DOMjudge asks no groups there. Notes
    /// custom graders, whose output would be the verdict, and unknown flags.
    fn verdict_groups(self) -> Scoring {
        let is_custom = |group: &LegacyGrading| group.is_custom == Some(true);
        let has_grader = self.grading.values().any(is_custom);
        for group in self.grading.values() {
            if is_custom(group) {
                let what =
                    "a grader of its own (`grading: custom`) that gives no points";
                self.refuse_custom(group, what);
            } else if !has_grader {
                self.remark_on_flags(group);
            }
        }
        if self.metadata.is_for_domjudge || has_grader {
            return Scoring::default();
        }
        let mut scoring = self.groups();
        scoring.verdict_only = true;
        if scoring.groups.iter().all(|group| {
            group.acceptance == GroupAcceptance::All
                && group.stops_at_rejection
                && !group.ignores_first
        }) {
            scoring = Scoring::default();
        }
        scoring
    }

    /// The groups of the cases.
    fn groups(self) -> Scoring {
        let metadata = self.metadata;
        let mut scoring = Scoring {
            decides_verdict: !metadata.is_for_domjudge,
            wants_fewest: metadata.grading.wants_fewest,
            ..Scoring::default()
        };
        let mut known: BTreeMap<&str, (usize, LegacyGrading)> = BTreeMap::new();
        // For each group, whether everything has ended as soon as its result is known.
        let mut end_all: Vec<bool> = vec![];
        let results = results_by_folder(&self.names(true));
        for (folder, counts) in &results {
            let around = parent(folder).and_then(|parent| known.get(parent));
            let settings =
                self.settings_of_group(folder, around.map(|(_, settings)| settings));
            self.note_flags(&settings, folder, *counts);
            let mut group = if metadata.is_for_domjudge {
                group_of_domjudge(&settings, metadata, counts.groups > 0)
            } else {
                group(&settings, metadata)
            };
            group.name = (*folder).to_owned();
            group.parent = around.map(|(place, _)| *place);
            group.ignores_first &= folder.is_empty() || !metadata.is_for_domjudge;
            let ends_all = around.is_none_or(|(place, settings)| {
                let is_last =
                    results[parent(folder).unwrap_or_default()].last == counts.last;
                end_all[*place] && (settings.stops_group() || is_last)
            });
            end_all.push(ends_all);
            // DOMjudge judges on until it knows the result of the outermost group, and
            // each group may get points, or each case if a checker gives some.
            let may_gain = counts.groups > 0 || !metadata.checkers.is_empty();
            group.stops_at_rejection &=
                ends_all || !(metadata.is_for_domjudge && may_gain);
            if settings.is_custom == Some(true) {
                // A program decides its result from those of all its cases.
                let given = settings.grader_words.clone();
                group.grader_arguments =
                    Some(given.map_or_else(Vec::new, |given| given.words));
                group.aggregation = ScoreAggregation::Sum;
                group.acceptance = GroupAcceptance::Any;
                group.ignores_first = false;
            }
            known.insert(folder, (scoring.add(group), settings));
        }
        self.add_outside(&mut scoring);
        if scoring
            .groups
            .iter()
            .any(|group| group.grader_arguments.is_some())
        {
            let limits = metadata.limits.checker.clone();
            scoring.grader = validation::grader(self.tree)
                .map(|source| CustomGrader { source, limits });
        }
        scoring
    }

    /// The names of the cases whose results count, or of the others.
    fn names(self, count: bool) -> Vec<&'p str> {
        let names = self.cases.iter().map(|case| &*case.name);
        names.filter(|case| self.counts(case) == count).collect()
    }

    /// Whether the result of a case counts. In DOMjudge only a folder with settings is a
    /// group, and one with groups in it has no cases of its own. If `data` is none,
    /// DOMjudge cannot judge, and all are.
    ///
    /// Source: DOMjudge, `ImportProblemService::importZippedProblem`.
    fn counts(self, case: &str) -> bool {
        let is_group = |folder| self.grading.contains_key(folder);
        !self.metadata.is_for_domjudge
            || !is_group("")
            || folders_around(case).all(is_group)
                && !self
                    .grading
                    .keys()
                    .any(|inner| parent(inner) == parent(case))
    }

    /// Adds a group for the cases that do not count, which is in no other.
    fn add_outside(self, scoring: &mut Scoring) {
        let cases = self.names(false);
        if cases.is_empty() {
            return;
        }
        let place = scoring.groups.len();
        let mut outside = ScoreGroup::default();
        if !self.metadata.checkers.is_empty() {
            outside.case.checker = CheckerPointsRule::Instead;
        }
        scoring.groups.push(outside);
        let members = cases.iter().map(|case| ((*case).to_owned(), place));
        scoring.members.extend(members);
        if let Some(first) = cases.iter().find(|case| case.starts_with("secret/")) {
            self.tree.deviation(format!(
                "`data/{first}.in` counts neither for verdicts nor for points, as in DOMjudge: its \
                 folder, or one around it, has no `{LEGACY_GROUP_FILE}`, or it lies beside groups"
            ));
        }
    }

    fn refuse_custom(self, group: &LegacyGrading, what: &str) {
        self.tree.need_at(&group.file, group.custom_line, what);
    }

    /// The settings of a group, with those that it takes from the group around it.
    fn settings_of_group(
        self,
        folder: &str,
        around: Option<&LegacyGrading>,
    ) -> LegacyGrading {
        let own = self.grading.get(folder).cloned().unwrap_or_default();
        if self.metadata.is_for_domjudge {
            return own;
        }
        // Each group has its own range.
        let settings = LegacyGrading {
            range: own.range,
            ..own.or(around.unwrap_or(&LegacyGrading::default()))
        };
        self.metadata.grading.clone().or(&settings)
    }

    /// Notes unknown or misplaced flags, and a custom grader in a package for DOMjudge.
    fn note_flags(
        self,
        settings: &LegacyGrading,
        folder: &str,
        counts: DirectResults,
    ) {
        let is_for_domjudge = self.metadata.is_for_domjudge;
        if settings.is_custom == Some(true) {
            if is_for_domjudge && let Some(group) = self.grading.get(folder) {
                self.refuse_custom(
                    group,
                    "a grader of its own, as DOMjudge has none",
                );
            }
            return;
        }
        self.remark_on_flags(settings);
        if !settings.rules().ignores_first || folder.is_empty() || is_for_domjudge {
            return;
        }
        // A group other than the outermost ignores all but the last of its results; the
        // grader fails if there are more than two.
        if counts.cases + counts.groups <= 2 {
            self.tree.deviation(format!(
                "of the group `{folder}`, which is not the outermost, only the last result counts \
                 (`ignore_sample`)"
            ));
        } else if let Some(group) =
            self.grading.get(folder).or_else(|| self.grading.get(""))
        {
            let message = format!(
                "the group `{folder}` has more than two results, and its grader (`ignore_sample`) \
                 takes two at most: the samples, and the rest"
            );
            let remedy = format!(
                "give `data/{folder}/testdata.yaml` other `grader_flags`: it takes over those of \
                 the group around it"
            );
            self.tree.refuse(&group.file, message, remedy);
        }
    }

    /// Remarks on words that are no flags, which the default grader passes over.
    fn remark_on_flags(self, settings: &LegacyGrading) {
        let words = settings.grader_words.iter();
        for unknown in words.flat_map(|words| &words.unknown) {
            let file = self.tree.shown(&unknown.path);
            let line = unknown.line.unwrap_or_default();
            let message = &unknown.message;
            self.tree
                .deviation(format!("{file}:{line}: {message}, which passes it over"));
        }
    }

    /// Remarks on groups whose cases together give more points than the group's `range`
    /// allows.
    fn remark_on_sums(self, scoring: &Scoring) {
        for (group, own) in groups_with_cases(scoring, self.cases) {
            let count = own.len();
            let each = group.case.accepted;
            let sum: PointValue = iter::repeat_n(each, count).sum();
            let Some(most) = group
                .most
                .filter(|most| adds_up_cases(group) && sum > *most)
            else {
                continue;
            };
            let Some(found) = self.grading.get(&group.name) else {
                continue;
            };
            let file = self.tree.shown(&found.file);
            self.tree.deviation(format!(
                "{file}: {} of {} each come to {sum}, and `range` ends at {most}; a group that is \
                 all or nothing has `grader_flags: min`",
                counted(count, "case"),
                each.in_words()
            ));
        }
    }
}

/// The groups, each with the names of the cases directly in it.
pub(crate) fn groups_with_cases<'s>(
    scoring: &'s Scoring,
    cases: &'s [Case],
) -> Vec<(&'s ScoreGroup, Vec<&'s str>)> {
    let groups = scoring.groups.iter();
    let mut found: Vec<_> = groups.map(|group| (group, vec![])).collect();
    for case in cases {
        if let Some((_, own)) = found.get_mut(scoring.group_of(&case.name)) {
            own.push(&*case.name);
        }
    }
    found
}

/// Whether the points of a group are the sum of fixed ones for each case.
pub(super) fn adds_up_cases(group: &ScoreGroup) -> bool {
    group.aggregation == ScoreAggregation::Sum
        && group.grader_arguments.is_none()
        && group.case.checker == CheckerPointsRule::Nothing
}

fn group(settings: &LegacyGrading, metadata: &PackageMetadata) -> ScoreGroup {
    let case = CaseWorth {
        accepted: settings.accept.unwrap_or(PointValue::from(1)),
        rejected: settings.reject.unwrap_or_default(),
        checker: if metadata.checker_gives_points {
            CheckerPointsRule::Points
        } else {
            CheckerPointsRule::Nothing
        },
    };
    let (least, most) = settings.range.unzip();
    ScoreGroup {
        case,
        most,
        least,
        ..settings.rules()
    }
}

/// A group as DOMjudge reads it: `accept_score` is for all its cases together, if the
/// program that judges outputs gives none of them points; a group of groups has only
/// their points. `range` bounds nothing.
///
/// Source: DOMjudge, `SubmissionService::maybeSetScoringResult`.
fn group_of_domjudge(
    settings: &LegacyGrading,
    metadata: &PackageMetadata,
    has_inner_groups: bool,
) -> ScoreGroup {
    let mut rules = ScoreGroup {
        acceptance: GroupAcceptance::All,
        ..settings.rules()
    };
    if has_inner_groups {
        return rules;
    }
    rules.case.accepted = settings.accept.unwrap_or_default();
    rules.most = settings.accept;
    if !metadata.checkers.is_empty() {
        rules.case.checker = CheckerPointsRule::Instead;
        rules.most = settings.range.map(|(_, most)| most).or(settings.accept);
    } else if settings.accept.is_some() {
        // The default validator gives no points.
        rules.aggregation = ScoreAggregation::Min;
    }
    rules
}

/// How many results a group has directly in it, and the number of the last case at any
/// depth.
#[derive(Clone, Copy, Default)]
struct DirectResults {
    cases: usize,
    groups: usize,
    last: usize,
}

/// The folders of cases at all depths, including the outermost. Each comes after the
/// folder it is in.
fn results_by_folder<'c>(cases: &[&'c str]) -> BTreeMap<&'c str, DirectResults> {
    let mut by_folder = BTreeMap::from([("", DirectResults::default())]);
    for (number, case) in cases.iter().enumerate() {
        let folder = parent(case).unwrap_or_default();
        by_folder.entry(folder).or_default().cases += 1;
        for around in iter::successors(Some(folder), |folder| parent(folder)) {
            by_folder.entry(around).or_default().last = number;
        }
    }
    let folders: Vec<_> = by_folder.keys().copied().collect();
    for around in folders.into_iter().filter_map(parent) {
        by_folder.entry(around).or_default().groups += 1;
    }
    by_folder
}

/// Returns the parent of a folder.
fn parent(folder: &str) -> Option<&str> {
    let (parent, _) = folder.rsplit_once('/').unwrap_or_default();
    (!folder.is_empty()).then_some(parent)
}

#[cfg(test)]
mod tests;
