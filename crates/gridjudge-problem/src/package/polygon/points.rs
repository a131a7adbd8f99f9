//! Derives the points of the tests of a Polygon package: points of single tests, and
//! groups of tests that give their points together. Knows no checker and no limit.

use std::collections::BTreeMap;

use crate::mistake::quoted;
use crate::model::{
    Case, CheckerPointsRule, PointValue, ScoreAggregation, ScoreGroup, Scoring,
};
use crate::package::polygon::XmlElement;

/// The attribute by which a checker that gives points gives a percentage of those of
/// the test.
const PERCENT: &str = "treat-points-from-checker-as-percent";

/// The attribute of a group that says how it gives its points, and its values.
const POLICY: &str = "points-policy";
const WHOLE: &str = "complete-group";
const EACH: &str = "each-test";

/// The most by which sums of points differ because of rounding.
const ROUNDING: f64 = 1e-6;

/// Returns the points of a set of tests, which are these cases; empty if neither tests
/// nor whole groups have points.
pub(super) fn polygon_scoring(
    judging: &XmlElement<'_>,
    set: &XmlElement<'_>,
    cases: &[Case],
) -> Scoring {
    let tests: Vec<_> = set.children("tests/test").collect();
    let named: BTreeMap<_, _> = set
        .children("groups/group")
        .filter_map(|group| Some((group.attribute("name")?, group)))
        .collect();
    for group in named.values() {
        // Each test gives its own points then, which may not have been meant.
        if let Some(policy) = group.attribute(POLICY)
            && ![WHOLE, EACH].contains(&policy)
        {
            group.tree.slip(group.mistake(
                format!(
                    "unknown `{POLICY}` {}, so each test gives its own points",
                    quoted(policy)
                ),
                format!("write `{WHOLE}` or `{EACH}`"),
            ));
        }
    }
    let worths: Vec<_> = tests.iter().map(points_of).collect();
    let whole: BTreeMap<_, _> = named
        .iter()
        .filter(|(_, group)| is_whole(group))
        .filter_map(|(name, group)| Some((*name, points_of(group)?)))
        .collect();
    let all: Vec<_> = worths.iter().flatten().chain(whole.values()).collect();
    if all.is_empty() {
        return Scoring::default();
    }
    let checker = if judging.attribute(PERCENT) == Some("true") {
        CheckerPointsRule::Percent
    } else if all.iter().all(|worth| **worth == PointValue::ZERO) {
        // If points are given and all are zero, the checker awards them.
        CheckerPointsRule::Unbounded
    } else {
        CheckerPointsRule::AtMost
    };
    let mut points = TestPoints {
        scoring: Scoring::default(),
        checker,
        places: BTreeMap::new(),
        required: BTreeMap::new(),
    };
    points.scoring.add(ScoreGroup::of_all_cases());
    for ((test, case), worth) in tests.iter().zip(cases).zip(worths) {
        let group = test.attribute("group").filter(|name| !name.is_empty());
        let element = group.and_then(|name| named.get(name));
        points.add((test, case), worth.unwrap_or_default(), group, element);
    }
    for (name, worth) in whole {
        points.add_whole(name, worth, &named[name]);
    }
    points.scoring
}

/// Whether a group gives all its points or none.
fn is_whole(group: &XmlElement<'_>) -> bool {
    group.attribute(POLICY) == Some(WHOLE)
}

/// Returns the points of a test or a group, if they are given.
fn points_of(element: &XmlElement<'_>) -> Option<PointValue> {
    let text = element.attribute("points")?;
    let points = text
        .parse()
        .ok()
        .and_then(PointValue::new)
        .filter(|points| *points >= PointValue::ZERO);
    if points.is_none() {
        element.refuse(
            format!("`points` must be a number, found {}", quoted(text)),
            "write it in decimals, for example `points=\"5.0\"`",
        );
    }
    points
}

/// The groups that tests have named so far.
struct TestPoints<'d> {
    scoring: Scoring,
    /// How the checker may change the points of a test.
    checker: CheckerPointsRule,
    /// The place of each group in `scoring`, by name.
    places: BTreeMap<&'d str, usize>,
    /// The places of groups that another group depends on, with the name of that other
    /// group.
    required: BTreeMap<usize, &'d str>,
}

impl<'d> TestPoints<'d> {
    /// Adds a test: to its group, if the group gives its points as a whole, else as a
    /// group of its own.
    fn add(
        &mut self,
        (test, case): (&XmlElement<'d>, &Case),
        worth: PointValue,
        group: Option<&'d str>,
        element: Option<&XmlElement<'d>>,
    ) {
        let place = group.map_or(0, |name| self.place(name, element));
        if let Some(other) = self.required.get(&place) {
            let what = format!(
                "tests of a group after those of {}, which depends on it",
                quoted(other)
            );
            test.need(&what);
        }
        let member = if element.is_some_and(is_whole) {
            let group = &mut self.scoring.groups[place];
            // Most packages give the points of the whole group to one of its tests.
            group.case.accepted = [group.case.accepted, worth].into_iter().sum();
            group.aggregation = ScoreAggregation::Min;
            if self.checker == CheckerPointsRule::Percent {
                group.case.checker = self.checker;
            }
            place
        } else {
            let mut own = ScoreGroup::of_all_cases().inner(case.name.clone(), place);
            own.case.accepted = worth;
            own.case.checker = self.checker;
            self.scoring.add(own)
        };
        self.scoring.members.insert(case.name.clone(), member);
    }

    /// Adds the points that a group as a whole has of its own. Its tests have the same
    /// together, or none.
    fn add_whole(&mut self, name: &str, worth: PointValue, element: &XmlElement<'_>) {
        let Some(place) = self.places.get(name) else {
            return;
        };
        let case = &mut self.scoring.groups[*place].case;
        if case.accepted == PointValue::ZERO {
            case.accepted = worth;
        } else if (case.accepted.get() - worth.get()).abs() > ROUNDING {
            let name = quoted(name);
            let sum = case.accepted;
            element.refuse(
                format!(
                    "the group {name} has {}, and its tests have {sum}",
                    worth.in_words()
                ),
                "write the same sum for both, or leave one of them out",
            );
        }
    }

    /// Returns the place of a group, which is created when it is first named.
    fn place(&mut self, name: &'d str, element: Option<&XmlElement<'d>>) -> usize {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        let mut requires = vec![];
        for dependency in element
            .into_iter()
            .flat_map(|group| group.children("dependencies/dependency"))
        {
            let other = dependency.attribute("group").unwrap_or_default();
            match self.places.get(other) {
                Some(place) => {
                    requires.push(*place);
                    self.required.insert(*place, name);
                }
                None => {
                    dependency.need(&format!(
                        "the group {} before `{name}`, whose tests come later or are not there",
                        quoted(other)
                    ));
                }
            }
        }
        let mut group = ScoreGroup::of_all_cases().inner(format!("group {name}"), 0);
        group.requires = requires;
        let place = self.scoring.add(group);
        self.places.insert(name, place);
        place
    }
}

#[cfg(test)]
mod tests;
