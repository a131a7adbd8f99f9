//! Derives the points of `sample`, `secret` and its groups in 2025-09.
//!
//! Source: the Kattis problem package format 2025-09, "Result aggregation".

use std::collections::BTreeMap;

use crate::mistake::quoted;
use crate::model::{
    Case, CaseWorth, CheckerPointsRule, PointValue, ScoreAggregation, ScoreGroup,
    Scoring,
};
use crate::package::kattis::{Aggregation2025, Grading2025};
use crate::package::{
    GROUP_FILE, GroupSettings, PackageTree, first_part, folders_around,
};

use Aggregation2025::PassFail;

/// The outermost groups, which always exist.
const SAMPLE: &str = "sample";
const SECRET: &str = "secret";

/// The place of `secret` among the groups.
const SECRET_PLACE: usize = 2;

/// Returns the points of the cases.
pub(super) fn scoring_2025(
    tree: &PackageTree,
    settings: &GroupSettings,
    cases: &[Case],
) -> Scoring {
    let static_cases = &settings.static_cases.0;
    let mut counts = BTreeMap::new();
    for case in cases {
        *counts.entry(group_of(&case.name)).or_default() +=
            usize::from(!static_cases.contains_key(&case.name));
    }

    // The group of all cases, and that of samples: they give no points, whatever the
    // checker says.
    let all = ScoreGroup::of_all_cases();
    let mut sample = all.inner(SAMPLE.to_owned(), 0);
    sample.case.checker = CheckerPointsRule::Ignored;
    let mut scoring = Scoring::default();
    scoring.add(all);
    scoring.add(sample);
    let mut builder = ScoringBuilder {
        tree,
        settings,
        counts,
        scoring,
    };
    builder.add_secret();
    let names: Vec<_> = builder.counts.keys().copied().collect();
    for name in names
        .into_iter()
        .filter(|name| ![SAMPLE, SECRET].contains(name))
    {
        builder.add_group(name);
    }
    builder.refuse_excess();
    for (name, case) in static_cases {
        if first_part(name) != SAMPLE
            && let Some(accepted) = case.most
        {
            let own = CaseWorth {
                accepted,
                checker: CheckerPointsRule::AtMost,
                ..CaseWorth::default()
            };
            builder.scoring.worths.insert(name.clone(), own);
        }
    }
    builder.scoring
}

/// The groups built so far. Their mistakes are noted.
struct ScoringBuilder<'a> {
    tree: &'a PackageTree,
    settings: &'a GroupSettings,
    /// The number of cases in each group, and in `secret` outside its groups, without
    /// static cases.
    counts: BTreeMap<&'a str, usize>,
    scoring: Scoring,
}

impl ScoringBuilder<'_> {
    /// The settings of a group.
    fn said(&self, name: &str) -> Grading2025 {
        let settings = self.settings.later_grading.get(name);
        settings.cloned().unwrap_or_default()
    }

    fn refuse(&self, name: &str, message: &str, remedy: &str) {
        let file = format!("data/{name}/{GROUP_FILE}");
        self.tree.refuse(
            self.tree.root.join(file),
            format!("the group `{name}` {message}"),
            remedy,
        );
    }

    fn add_secret(&mut self) {
        let own = self.said(SECRET);
        let direct = self.counts.get(SECRET).copied().unwrap_or_default();
        let has_groups = self
            .counts
            .keys()
            .any(|name| name.starts_with(SECRET) && *name != SECRET);
        if direct > 0 && has_groups {
            self.refuse(
                SECRET,
                "has cases next to its groups",
                "put them into a group: `secret` has either cases or groups",
            );
        }
        let (aggregation, most) = own.of_secret();
        if aggregation == PassFail && most.is_none() {
            self.refuse(
                SECRET,
                "is all or nothing, and has no fixed number of points",
                "write its `max_score` in digits",
            );
        }
        self.add(SECRET, &own, 0, aggregation, most);
    }

    fn add_group(&mut self, name: &str) {
        let own = self.said(name);
        let (outer, outer_most) = self.said(SECRET).of_secret();
        let aggregation = own.aggregation.unwrap_or(PassFail);
        let is_whole = outer == PassFail;
        // If `secret` is all or nothing, its groups have no points of their own.
        let most = if is_whole {
            outer_most
        } else {
            own.most.flatten()
        };
        if is_whole && aggregation != PassFail {
            let message = "gives points for parts, and `secret` is all or nothing (`pass-fail`)";
            self.refuse(name, message, "delete its `score_aggregation`");
        } else if most.is_none() && (outer_most.is_some() || aggregation == PassFail)
        {
            self.refuse(
                name,
                "does not say what it is worth",
                "write `max_score: 40` into its `test_group.yaml`",
            );
        }
        self.add(name, &own, SECRET_PLACE, aggregation, most);
    }

    /// Adds a group with these settings.
    fn add(
        &mut self,
        name: &str,
        own: &Grading2025,
        parent: usize,
        aggregation: Aggregation2025,
        most: Option<PointValue>,
    ) {
        let requires = self.requires(name, own);
        let of_source = self.points_of_source(name, aggregation, most);
        let cases = self.counts.get(name).copied().unwrap_or_default();
        let of_parts = if most.is_some() {
            CheckerPointsRule::AtMost
        } else {
            CheckerPointsRule::Points
        };
        let (aggregation, accepted, checker) = match aggregation {
            PassFail => (ScoreAggregation::Min, most, CheckerPointsRule::Nothing),
            Aggregation2025::Min => (ScoreAggregation::Min, most, of_parts),
            Aggregation2025::Sum => (
                ScoreAggregation::Sum,
                most.map(|most| most.less(of_source).shared_by(cases)),
                of_parts,
            ),
        };
        let mut group = ScoreGroup::of_all_cases().inner(name.to_owned(), parent);
        group.aggregation = aggregation;
        group.case.accepted = accepted.unwrap_or_default();
        group.case.checker = checker;
        group.most = most;
        group.requires = requires;
        self.scoring.add(group);
    }

    /// Refuses groups that together are worth more than `secret`: its score must not
    /// exceed its `max_score`.
    fn refuse_excess(&self) {
        let secret = &self.scoring.groups[SECRET_PLACE];
        let inner = self
            .scoring
            .groups
            .iter()
            .filter(|group| group.parent == Some(SECRET_PLACE));
        let points = inner.filter_map(|group| group.most);
        let together: PointValue = match self.said(SECRET).of_secret().0 {
            Aggregation2025::Sum => points.sum(),
            Aggregation2025::Min => points.min().unwrap_or_default(),
            PassFail => {
                return;
            }
        };
        if let Some(most) = secret.most
            && together > most
        {
            self.refuse(
                SECRET,
                &format!(
                    "is worth {} at most, and its groups give {together}",
                    most.in_words()
                ),
                "make its `max_score` what the groups give, or theirs less",
            );
        }
    }

    /// Returns the points of a group that its static case gives; notes a mistake if
    /// these do not fit the group.
    fn points_of_source(
        &self,
        name: &str,
        aggregation: Aggregation2025,
        most: Option<PointValue>,
    ) -> PointValue {
        let Some(case) = self.settings.static_cases.of_group(name) else {
            return PointValue::ZERO;
        };
        let is_whole = aggregation == PassFail;
        let points = case.most.unwrap_or_default();
        let (message, remedy) = match case.most {
            Some(_) if is_whole => (
                "the source is worth points, and the group is all or nothing (`pass-fail`)",
                "write `static_validation_score: pass-fail`, or `score_aggregation: sum`",
            ),
            None if !is_whole => (
                "the source is worth no points, and the group gives points for parts",
                "write how many, for example `static_validation_score: 10`",
            ),
            Some(_) if most.is_some_and(|most| points > most) => (
                "the source is worth more than its group (`max_score`)",
                "write fewer points for it, or more for the group",
            ),
            _ => return points,
        };
        self.tree.mistake(case.mistake(message, remedy));
        points
    }

    /// Returns the places of the groups that a group requires. Only `sample` and
    /// earlier groups that are all or nothing may be required.
    fn requires(&self, name: &str, own: &Grading2025) -> Vec<usize> {
        let mut places = vec![];
        for required in &own.requires {
            let place = self.scoring.members.get(&format!("{required}/"));
            let place = place.filter(|place| {
                **place != SECRET_PLACE
                    && self.scoring.groups[**place].parent.is_some()
            });
            let aggregation = self.said(required).aggregation.unwrap_or(PassFail);
            let (wrong, remedy) = match place {
                Some(place) if required == SAMPLE || aggregation == PassFail => {
                    places.push(*place);
                    continue;
                }
                Some(_) => (
                    "which gives points for parts",
                    "require a group whose `score_aggregation` is `pass-fail`",
                ),
                None => (
                    "and no earlier group is called so",
                    "name `sample`, or an earlier group, for example `secret/group1`",
                ),
            };
            let message = format!("requires {}, {wrong}", quoted(required));
            self.refuse(name, &message, remedy);
        }
        places
    }
}

/// Returns the outermost group of a case: `sample`, `secret`, or a folder in `secret`.
fn group_of(case: &str) -> &str {
    let outermost = first_part(case);
    let inner = folders_around(case).nth(1);
    inner.filter(|_| outermost == SECRET).unwrap_or(outermost)
}
