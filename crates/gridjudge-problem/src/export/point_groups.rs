//! Exports the points of groups that are all or nothing. In the formats, points belong
//! to the folders of cases, so this also decides the names of the cases. Start at
//! [`PointGroups::from_material`].

use std::collections::BTreeMap;

use crate::export::ExportTarget::{DomJudge, Kattis2025, KattisLegacy};
use crate::export::case_arguments::{folder_of_case, names_in_order};
use crate::export::material::ExportMaterial;
use crate::model::{
    GroupAcceptance, PointValue, ScoreAggregation, ScoreGroup, Scoring, Verdict,
};
use crate::package::groups_with_cases;

/// The folders of all cases.
const SAMPLE: &str = "sample";
const SECRET: &str = "secret";

/// The folder of cases without a group, if others have one.
const OTHERS: &str = "others";

/// The groups, with their points if all their cases are accepted.
pub(super) struct PointGroups {
    /// By their folders below `data`.
    points: BTreeMap<String, PointValue>,
}

impl PointGroups {
    /// The groups of a problem with points, by which the cases get their names.
    ///
    /// # Errors
    /// Says why there are none, or none that the format can express.
    pub(super) fn from_material(
        material: &mut ExportMaterial,
    ) -> Result<Self, String> {
        let scoring = &material.problem.scoring;
        if scoring.is_empty() {
            return Err("there are none".to_owned());
        }
        if let Some(obstacle) = obstacle(scoring, material) {
            return Err(obstacle);
        }
        material.case_names = case_names(material);
        let scoring = &material.problem.scoring;
        let mut points = BTreeMap::new();
        for (case, name) in material.cases.iter().zip(&material.case_names) {
            let worth = scoring.worth_of(&case.name).unwrap_or_default();
            points.insert(folder_of_case(name).to_owned(), worth.accepted);
        }
        if ignores_samples(scoring)
            && let Some(of_samples) = points.get_mut(SAMPLE)
        {
            *of_samples = PointValue::ZERO;
        }
        if material.target == Kattis2025 {
            let of_samples = points.remove(SAMPLE).unwrap_or_default();
            if of_samples > PointValue::ZERO {
                material.note_loss(format!(
                    "samples have {} here, and earn none in the format",
                    of_samples.in_words()
                ));
            }
        }
        let groups = Self { points };
        if groups.total("") == PointValue::ZERO {
            return Err("no group is worth any".to_owned());
        }
        let mut points = groups.points.iter();
        if !material.target.uses_legacy_layout()
            && let Some((folder, part)) =
                points.find(|row| row.1.get().fract() != 0.0)
        {
            return Err(format!(
                "`data/{folder}` is worth {part}, and it takes whole points"
            ));
        }
        groups.note_parts(material);
        Ok(groups)
    }

    /// Notes that the older format has a verdict for submissions that are accepted in
    /// part, which have other verdicts here. Which submissions these are is known only
    /// after running them.
    fn note_parts(&self, material: &ExportMaterial) {
        let wrong = material
            .names_of_submissions(|one| !one.expected.allows(Verdict::Accepted));
        let worth = self
            .points
            .values()
            .filter(|points| **points > PointValue::ZERO)
            .count();
        if material.target == KattisLegacy && worth > 1 {
            let what = "a submission that solves a whole group is accepted in part, and belongs \
                        into `partially_accepted`: check whether one of these does";
            material.note_losses(what, &wrong);
        }
    }

    /// Adds the lines about points to the settings file of each group.
    pub(super) fn add(&self, material: &ExportMaterial) {
        let target = material.target;
        let name = target.group_file();
        let put = |folder: &str, lines: String| {
            material.append(&format!("data/{folder}{name}"), &lines)
        };
        // The flags that add up the points of groups, and accept a submission if any
        // group is accepted. Otherwise there would be no points for a part of the groups.
        let sum = match target {
            // DOMjudge knows no other flags.
            DomJudge => "sum",
            _ => "first_error accept_if_any_accepted",
        };
        if target.uses_legacy_layout() {
            // Samples without points must not make a submission accepted.
            // `ignore_sample` needs both folders to exist.
            let ignores = self.points.get(SAMPLE) == Some(&PointValue::ZERO)
                && self.points.len() > 1;
            let sample = if ignores { " ignore_sample" } else { "" };
            let total = self.total("");
            put(
                "",
                format!(
                    "on_reject: continue\ngrader_flags: {sum}{sample}\nrange: 0 {total}\n"
                ),
            );
        }
        if !self.points.contains_key(SECRET) {
            let total = self.total(SECRET);
            let lines = if target.uses_legacy_layout() {
                // Without flags of its own, `secret` would inherit those of the
                // outermost group, perhaps with `ignore_sample`.
                format!(
                    "on_reject: continue\ngrader_flags: {sum}\nrange: 0 {total}\n"
                )
            } else {
                format!("max_score: {total}\nscore_aggregation: sum\n")
            };
            put("secret/", lines);
        }
        for (folder, points) in &self.points {
            // Such a group is all or nothing.
            let lines = match target {
                // `accept_score` is the score of the group in DOMjudge. In Kattis it is
                // the score of each case, and the least counts.
                DomJudge => {
                    format!("on_reject: break\naccept_score: {points}\n")
                }
                KattisLegacy => format!(
                    "on_reject: break\ngrader_flags: first_error min\naccept_score: \
                     {points}\nrange: 0 {points}\n"
                ),
                Kattis2025 => {
                    format!("max_score: {points}\nscore_aggregation: pass-fail\n")
                }
            };
            put(&format!("{folder}/"), lines);
        }
    }

    /// The sum of the points below a folder.
    fn total(&self, folder: &str) -> PointValue {
        self.points
            .iter()
            .filter(|(name, _)| name.starts_with(folder))
            .map(|(_, points)| *points)
            .sum()
    }
}

/// Notes how results follow from cases here, and in Kattis' older format alone. A
/// submission that lost points may be accepted here, by the flags of groups, and is
/// rejected in other formats; which ones do is known only after running them.
pub(super) fn note_other_results(material: &ExportMaterial) {
    let scoring = &material.problem.scoring;
    let name = material.target.name();
    if scoring.wants_fewest {
        material.note_loss(format!(
            "fewer points are better, which {name} cannot express"
        ));
    }
    if scoring.verdict_only {
        material.note_loss(format!(
            "groups of cases decide the verdict (`on_reject`, `grader_flags`), which {name} cannot \
             express: there, the first rejected case decides"
        ));
    }
    let mut groups = scoring.groups.iter();
    if scoring.is_empty()
        || !scoring.decides_verdict
        || groups.all(|group| group.acceptance == GroupAcceptance::All)
    {
        return;
    }
    let accepted = material.names_of_submissions(|one| {
        one.expected.allows(Verdict::Accepted) && one.expected.score().is_none()
    });
    let what = format!(
        "a submission that solves some groups is accepted here and rejected in {name}: check \
         whether one of these does"
    );
    material.note_losses(what, &accepted);
}

/// Whether the samples count for nothing (`ignore_sample`).
fn ignores_samples(scoring: &Scoring) -> bool {
    let mut groups = scoring.groups.iter();
    groups.next().is_some_and(|all| all.ignores_first)
        && groups.any(|group| group.name == SAMPLE)
}

/// The first group of which the formats cannot say how it gives points, and why: in
/// them, a group of cases gets all its points or none, and the points of groups are
/// added up. A group of cases without points is named if no other stands in the way.
fn obstacle(scoring: &Scoring, material: &ExportMaterial) -> Option<String> {
    let groups = groups_with_cases(scoring, &material.cases)
        .into_iter()
        .enumerate();
    let mut counted: Vec<_> = groups
        .filter(|(_, (group, _))| group.name != SAMPLE || !ignores_samples(scoring))
        .collect();
    counted.sort_by_key(|(_, (group, own))| {
        !own.is_empty() && group.case.accepted == PointValue::ZERO
    });
    counted.iter().find_map(|(place, (group, own))| {
        let may_give_points = own
            .iter()
            .any(|case| material.problem.task_on(case).may_give_points());
        let why = obstacle_in(group, *place, own, may_give_points, scoring)?;
        // DMOJ's single cases are in no folder.
        let is_folder = own.iter().all(|case| case.starts_with(&group.name));
        let place = if is_folder { "`data/" } else { "the group `" };
        let name = format!("{place}{}", group.name);
        Some(format!("{}` {why}", name.trim_end_matches('/')))
    })
}

/// What the formats cannot say of a group, in words that follow its name. `own` are the
/// names of its cases, of which the checker of one may give points or none.
fn obstacle_in(
    group: &ScoreGroup,
    place: usize,
    own: &[&str],
    may_give_points: bool,
    scoring: &Scoring,
) -> Option<&'static str> {
    let worth = group.case;
    let gives_points = !own.is_empty()
        && [worth.accepted, worth.rejected]
            .iter()
            .any(|points| *points != PointValue::ZERO);
    let mut groups = scoring.groups.iter();
    let has_groups = groups.any(|inner| inner.parent == Some(place));
    let is_whole = group.aggregation == ScoreAggregation::Min
        && worth.rejected == PointValue::ZERO
        && !own.iter().any(|case| scoring.worths.contains_key(*case));
    Some(if !group.requires.is_empty() {
        "requires others"
    } else if gives_points && !is_whole {
        "gives points for single cases"
    } else if worth.checker.allows_points() && may_give_points {
        "may get points from a checker"
    } else if group.is_gate {
        "ends everything after it if one of its cases fails"
    } else if place > 0 && group.ignores_first {
        "counts only the last of its results (`ignore_sample`)"
    } else if gives_points && has_groups {
        "has cases beside groups"
    } else if !has_groups {
        return None;
    } else if group.aggregation != ScoreAggregation::Sum {
        "does not add up the points of its groups"
    } else if group.stops_at_rejection {
        "ends at the first rejection (`on_reject: break`)"
    // A submission that fails in one inner group still gets the points of the others.
    // With `ignore_sample`, the only result that counts is the last.
    } else if scoring.decides_verdict
        && group.acceptance == GroupAcceptance::All
        && !group.ignores_first
    {
        "gives none if one of its groups fails (no `accept_if_any_accepted`)"
    } else {
        return None;
    })
}

/// The names of the cases, relative to `data`, in the folders of their groups.
fn case_names(material: &ExportMaterial) -> Vec<String> {
    let scoring = &material.problem.scoring;
    // The group of each case, and its name in the group. A group without points may be
    // missing from the scoring.
    let parts: Vec<_> = material
        .cases
        .iter()
        .map(|case| {
            let group = scoring
                .groups
                .get(scoring.group_of(&case.name))
                .map(|group| group.name.as_str())
                .filter(|name| !name.is_empty())
                .unwrap_or(case.group());
            let name = case.name.strip_prefix(group).unwrap_or(&case.name);
            (group, name.trim_start_matches('/').replace('/', "-"))
        })
        .collect();
    let is_alone = parts
        .iter()
        .all(|(group, _)| [SAMPLE, SECRET].contains(group));
    let plain = parts.into_iter().map(|(group, name)| match group {
        SAMPLE => format!("{SAMPLE}/{name}"),
        _ if is_alone => format!("{SECRET}/{name}"),
        "" => format!("{SECRET}/{OTHERS}/{name}"),
        group => {
            let group = group.strip_prefix("secret/").unwrap_or(group);
            format!("{SECRET}/{}/{name}", group.replace('/', "-"))
        }
    });
    names_in_order(plain.collect(), true, material)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::export::{Export, ExportTarget};
    use crate::package::WantedPackage;
    use crate::spec::JudgeFolder;

    #[test]
    fn a_group_that_has_points_is_named_if_points_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        for name in ["1.in", "1.out", "2.in", "2.out"] {
            fs::write(folder.path().join(name), "1\n").unwrap();
        }
        let notes = |points: [u64; 2]| {
            let cases = [1, 2].map(|number| {
                let points = points[number - 1];
                format!(
                    "- {{in: {number}.in, out: {number}.out, points: {points}}}\n"
                )
            });
            let init = format!("test_cases:\n{}", cases.concat());
            fs::write(folder.path().join("init.yml"), init).unwrap();
            let mut judge = JudgeFolder::imagined(folder.path());
            judge.add_package(path, &WantedPackage::default()).unwrap();
            let found = judge.find(path).unwrap();
            Export::prepare(found, ExportTarget::KattisLegacy)
                .unwrap()
                .notes
        };
        for (points, lost) in [
            (
                [0, 5],
                "(cases of 5 points 5), since the group `cases of 5 points` requires others: ",
            ),
            (
                [3, 0],
                "(cases of 3 points 3), since the group `cases of 3 points` gives points for single cases: ",
            ),
        ] {
            let notes = notes(points);
            let lost = format!("points are left out {lost}");
            assert!(
                notes.iter().any(|note| note.starts_with(&lost)),
                "{notes:#?}"
            );
        }
    }
}
