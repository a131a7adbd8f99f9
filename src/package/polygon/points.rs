//! Derives the points of the tests of a Polygon package: points of single tests, and groups of tests that
//! give their points together. Knows no checker and no limit.

use std::collections::BTreeMap;

use crate::mistake::quoted;
use crate::model::Case;
use crate::model::CaseWorth;
use crate::model::CheckerPointsRule;
use crate::model::PointValue;
use crate::model::ScoreAggregation;
use crate::model::ScoreGroup;
use crate::model::Scoring;
use crate::package::reading::ReadingNotes;
use crate::package::xml::XmlElement;

/// Returns the points of a set of tests, which are these cases; empty if no test has points.
pub(super) fn scoring(set: &XmlElement<'_>, cases: &[Case], notes: &mut ReadingNotes) -> Scoring {
    let tests: Vec<_> = set.child("tests").into_iter().flat_map(|tests| tests.children("test")).collect();
    if tests.iter().all(|test| test.attribute("points").is_none()) {
        return Scoring::default();
    }
    let mut points = TestPoints {
        scoring: Scoring::default(),
        checker: CheckerPointsRule::AtMost,
        places: BTreeMap::new(),
        required: BTreeMap::new(),
    };
    points.scoring.add(ScoreGroup::of_all_cases());
    let named = set.child("groups").into_iter().flat_map(|groups| groups.children("group"));
    let named: BTreeMap<_, _> = named.filter_map(|group| Some((group.attribute("name")?, group))).collect();
    let worths: Vec<_> = tests.iter().map(|test| points_of(test, notes)).collect();
    // If points are given for tests and all are zero, the checker awards them.
    if worths.iter().all(|worth| *worth == PointValue::ZERO) {
        points.checker = CheckerPointsRule::Unbounded;
    }
    for ((test, case), worth) in tests.iter().zip(cases).zip(worths) {
        let group = test.attribute("group").filter(|name| !name.is_empty());
        let element = group.and_then(|name| named.get(name));
        points.add((test, case), worth, group, element, notes);
    }
    points.scoring
}

/// Returns the points of a test; zero if none are given.
fn points_of(test: &XmlElement<'_>, notes: &mut ReadingNotes) -> PointValue {
    let Some(text) = test.attribute("points") else { return PointValue::ZERO };
    let points = text.parse().ok().and_then(PointValue::new).filter(|points| *points >= PointValue::ZERO);
    if points.is_none() {
        let mistake = test.mistake(format!("`points` must be a number, found {}", quoted(text)));
        notes.mistakes.push(mistake.with_remedy("write it in decimals, as `points=\"5.0\"`"));
    }
    points.unwrap_or_default()
}

/// The groups that tests have named so far.
struct TestPoints<'d> {
    scoring: Scoring,
    /// How the checker may change the points of a test.
    checker: CheckerPointsRule,
    /// The place of each group in `scoring`, by name.
    places: BTreeMap<&'d str, usize>,
    /// The places of groups that another group depends on, with the name of that other group.
    required: BTreeMap<usize, &'d str>,
}

impl<'d> TestPoints<'d> {
    /// Adds a test: to its group, if the group gives its points as a whole, else as a group of its own.
    fn add(
        &mut self,
        (test, case): (&XmlElement<'d>, &Case),
        worth: PointValue,
        group: Option<&'d str>,
        element: Option<&XmlElement<'d>>,
        notes: &mut ReadingNotes,
    ) {
        let place = group.map_or(0, |name| self.place(name, element, notes));
        if let Some(other) = self.required.get(&place) {
            let what = format!("tests of a group behind those of {}, which depends on it", quoted(other));
            notes.need_on_line(test.path, test.line(), &what);
        }
        let is_whole =
            element.is_some_and(|group| group.attribute("points-policy") == Some("complete-group"));
        let member = match is_whole {
            true => {
                let group = &mut self.scoring.groups[place];
                // The package gives the points of the whole group to one of its tests.
                group.case.accepted = [group.case.accepted, worth].into_iter().sum();
                group.aggregation = ScoreAggregation::Min;
                place
            }
            false => {
                let case_worth = CaseWorth { accepted: worth, checker: self.checker, ..CaseWorth::NOTHING };
                let own = ScoreGroup {
                    case: case_worth,
                    ..ScoreGroup::of_all_cases().inner(case.name.clone(), place)
                };
                self.scoring.add(own)
            }
        };
        self.scoring.members.insert(case.name.clone(), member);
    }

    /// Returns the place of a group, which is created when it is first named.
    fn place(&mut self, name: &'d str, element: Option<&XmlElement<'d>>, notes: &mut ReadingNotes) -> usize {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        let mut requires = Vec::new();
        let dependencies = element.and_then(|group| group.child("dependencies"));
        for dependency in dependencies.into_iter().flat_map(|all| all.children("dependency")) {
            let other = dependency.attribute("group").unwrap_or_default();
            match self.places.get(other) {
                Some(place) => {
                    requires.push(*place);
                    self.required.insert(*place, name);
                }
                None => notes.need_on_line(
                    dependency.path,
                    dependency.line(),
                    &format!(
                        "the group {} before `{name}`, whose tests come later or are not there",
                        quoted(other)
                    ),
                ),
            }
        }
        let group = ScoreGroup { requires, ..ScoreGroup::of_all_cases().inner(format!("group {name}"), 0) };
        let place = self.scoring.add(group);
        self.places.insert(name, place);
        place
    }
}
