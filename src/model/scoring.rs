//! What the cases of a problem are worth: groups within groups, and how a group's points follow from what is in it. Plain data;
//! `run` counts.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::Deserialize;
use serde::Serialize;

use crate::model::PointValue;
use gridjudge_sandbox::Limits;

/// How a submission's points follow from its cases; without groups there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scoring {
    /// The groups: the first is all cases, and each stands after the group that it is in.
    pub groups: Vec<ScoreGroup>,
    /// The folders of the groups, with a slash at the end, and cases that belong to another group than that of their folder: each
    /// with the place of a group.
    pub members: BTreeMap<String, usize>,
    /// What cases are worth that are worth something else than the others of their group, by their names.
    #[serde(default)]
    pub worths: BTreeMap<String, CaseWorth>,
    /// Whether a submission that is not accepted altogether earns nothing, whatever its groups come to.
    pub rejected_earns_nothing: bool,
    /// The program that says what some groups come to, if there is one.
    pub grader: Option<CustomGrader>,
}

/// A program of a package that says what groups of cases come to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomGrader {
    /// Its source, or an executable.
    pub source: PathBuf,
    /// What one run of it may use.
    pub limits: Limits,
}

/// What a group of cases is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoreGroup {
    /// The folder of its cases, as `secret/group1`; empty for all cases.
    pub name: String,
    /// The place of the group that it is in; none for the first.
    pub parent: Option<usize>,
    /// How its points follow from those of its cases and groups.
    pub aggregation: ScoreAggregation,
    /// Whether it counts as accepted.
    pub acceptance: GroupAcceptance,
    /// Whether the first case or group in it counts for nothing: samples, mostly.
    pub ignores_first: bool,
    /// Whether nothing counts that comes after a case or group that is not accepted.
    pub stops_at_rejection: bool,
    /// What the grader is given that says what it comes to; none where these rules say it.
    pub grader_arguments: Option<Vec<String>>,
    /// Whether a grader of the group around it is told the worst rejection in it, and not the first.
    pub tells_worst: bool,
    /// What each case is worth that lies in this group, and in none of its groups.
    pub case: CaseWorth,
    /// The most that it can come to, where that is bounded.
    pub most: Option<PointValue>,
    /// The least that its grader may say of it, where that is bounded.
    pub least: Option<PointValue>,
    /// Groups, by their places, all of whose cases must be accepted; else it earns nothing, and need not be judged.
    pub requires: Vec<usize>,
}

/// What a case is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseWorth {
    /// If it is accepted, and the checker says nothing else.
    pub accepted: PointValue,
    /// If it is not.
    pub rejected: PointValue,
    /// What the checker may say of it.
    pub checker: CheckerSays,
}

/// What a checker may say of the points of a case that it accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckerSays {
    /// Nothing.
    Nothing,
    /// Anything, and it counts for nothing.
    Ignored,
    /// Points up to those of the case, or a factor from 0 to 1.
    AtMost,
    /// Points of any number, and it must.
    Points,
    /// Points of any number, or nothing.
    Unbounded,
}

impl CheckerSays {
    /// Whether nobody knows before what a case can come to.
    pub fn is_unbounded(self) -> bool {
        matches!(self, Self::Points | Self::Unbounded)
    }
}

/// How the points of a group follow from the points in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoreAggregation {
    /// All together.
    Sum,
    /// The least: all or nothing, where each case is worth the same.
    Min,
    /// The most.
    Max,
    /// The mean.
    Average,
}

/// Whether a group counts as accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupAcceptance {
    /// If all in it is.
    All,
    /// If anything in it is.
    Any,
    /// Always.
    Always,
}

/// What a checker says of the points of an output that it accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckerPoints {
    /// So many.
    Points(PointValue),
    /// This part of what the case is worth: 0 to 1.
    Factor(PointValue),
}

impl Scoring {
    /// A group for each of these, all or nothing: the cases below a folder, and what they are worth together.
    pub fn of_whole_groups(worth: impl IntoIterator<Item = (String, u64)>) -> Self {
        let group = |(name, points): (String, u64)| {
            let points = PointValue::from(points);
            ScoreGroup {
                aggregation: ScoreAggregation::Min,
                case: CaseWorth { accepted: points, ..CaseWorth::NOTHING },
                most: Some(points),
                ..ScoreGroup::of_all_cases().inner(name, 0)
            }
        };
        let mut groups = worth.into_iter().map(group).peekable();
        let mut scoring = Self::default();
        if groups.peek().is_some() {
            scoring.add(ScoreGroup::of_all_cases());
        }
        groups.for_each(|group| _ = scoring.add(group));
        scoring
    }

    /// Adds a group, and returns its place.
    pub fn add(&mut self, group: ScoreGroup) -> usize {
        let place = self.groups.len();
        self.members.insert(format!("{}/", group.name), place);
        self.groups.push(group);
        place
    }

    /// Whether it gives no points.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The groups that the cases of these names are in, each the innermost one, in the order of the cases.
    pub fn innermost<'n>(&self, cases: impl Iterator<Item = &'n str>) -> Vec<&ScoreGroup> {
        let mut seen = BTreeSet::new();
        let places = cases.map(|case| self.group_of(case)).filter(|place| seen.insert(*place));
        places.filter_map(|place| self.groups.get(place)).collect()
    }

    /// What a case is worth by itself, where there are points.
    pub fn worth_of(&self, case: &str) -> Option<CaseWorth> {
        self.groups.get(self.group_of(case)).map(|group| self.worth_in(group, case))
    }

    /// What a case is worth by itself that is in this group.
    pub fn worth_in(&self, group: &ScoreGroup, case: &str) -> CaseWorth {
        self.worths.get(case).copied().unwrap_or(group.case)
    }

    /// The place of the innermost group that a case is in.
    pub fn group_of(&self, case: &str) -> usize {
        let folders = case.rmatch_indices('/').map(|(end, _)| &case[..=end]);
        std::iter::once(case).chain(folders).find_map(|name| self.members.get(name)).copied().unwrap_or(0)
    }
}

impl ScoreGroup {
    /// All cases, worth nothing by themselves.
    pub fn of_all_cases() -> Self {
        Self {
            name: String::new(),
            parent: None,
            aggregation: ScoreAggregation::Sum,
            acceptance: GroupAcceptance::All,
            ignores_first: false,
            stops_at_rejection: false,
            grader_arguments: None,
            tells_worst: true,
            case: CaseWorth::NOTHING,
            most: None,
            least: None,
            requires: Vec::new(),
        }
    }

    /// A group that is alike, within the one at a place.
    #[must_use]
    pub fn inner(&self, name: String, parent: usize) -> Self {
        Self { name, parent: Some(parent), ..self.clone() }
    }
}

impl CaseWorth {
    /// Nothing, whatever comes of it.
    pub const NOTHING: Self =
        Self { accepted: PointValue::ZERO, rejected: PointValue::ZERO, checker: CheckerSays::Nothing };

    /// What an accepted case earns, or in words why the checker cannot mean it.
    ///
    /// # Errors
    /// Points where there are none to give, too many, or none where it has to.
    pub fn earned(&self, said: Option<CheckerPoints>) -> Result<PointValue, String> {
        match (self.checker, said) {
            (CheckerSays::Ignored, _)
            | (CheckerSays::Nothing | CheckerSays::AtMost | CheckerSays::Unbounded, None) => {
                Ok(self.accepted)
            }
            (CheckerSays::Nothing, Some(_)) => {
                Err("it gives points, and cases of this group have none to give".to_owned())
            }
            (CheckerSays::Points, None) => {
                Err("it gives no points, and what this case is worth only it can say".to_owned())
            }
            (CheckerSays::Points | CheckerSays::Unbounded, Some(CheckerPoints::Factor(_))) => {
                Err("it gives a part of the points, and this case is worth no certain number of them"
                    .to_owned())
            }
            (CheckerSays::AtMost, Some(CheckerPoints::Points(points))) if points < PointValue::ZERO => {
                Err(format!("it gives {points} points, which is less than nothing"))
            }
            (CheckerSays::AtMost, Some(CheckerPoints::Factor(part)))
                if !(0.0..=1.0).contains(&part.get()) =>
            {
                Err(format!("it gives {part} times the points, and a part is 0 to 1"))
            }
            (CheckerSays::AtMost, Some(CheckerPoints::Points(points))) if points > self.accepted => {
                Err(format!("it gives {points} points, and this case is worth {}", self.accepted))
            }
            (CheckerSays::AtMost, Some(CheckerPoints::Factor(factor))) => Ok(self.accepted.times(factor)),
            (_, Some(CheckerPoints::Points(points))) => Ok(points),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_in_the_innermost_group_whose_folder_it_lies_in() {
        let mut scoring = Scoring::of_whole_groups([("a".to_owned(), 1), ("a/b".to_owned(), 2)]);
        let of = |scoring: &Scoring| ["a/1", "a/b/1", "ab/1", "a", "c"].map(|case| scoring.group_of(case));
        assert_eq!(of(&scoring), [1, 2, 0, 0, 0]);
        scoring.members.insert("c".to_owned(), 2);
        assert_eq!(of(&scoring), [1, 2, 0, 0, 2]);
    }

    #[test]
    fn a_checker_may_say_of_a_case_what_its_group_lets_it() {
        let worth = |checker| CaseWorth { accepted: 40.into(), checker, ..CaseWorth::NOTHING };
        let points = |number: f64| Some(CheckerPoints::Points(PointValue::new(number).unwrap()));
        let factor = |number: f64| Some(CheckerPoints::Factor(PointValue::new(number).unwrap()));
        let earned = |checker, said| worth(checker).earned(said).map(|points| points.to_string());
        for (checker, said, expected) in [
            (CheckerSays::Nothing, None, Ok("40")),
            (CheckerSays::Ignored, points(1.0), Ok("40")),
            (
                CheckerSays::Nothing,
                points(1.0),
                Err("it gives points, and cases of this group have none to give"),
            ),
            (CheckerSays::AtMost, None, Ok("40")),
            (CheckerSays::AtMost, points(39.5), Ok("39.5")),
            (CheckerSays::AtMost, factor(0.25), Ok("10")),
            (CheckerSays::AtMost, points(-1.0), Err("it gives -1 points, which is less than nothing")),
            (CheckerSays::AtMost, factor(1.5), Err("it gives 1.5 times the points, and a part is 0 to 1")),
            (CheckerSays::AtMost, points(40.5), Err("it gives 40.5 points, and this case is worth 40")),
            (CheckerSays::Points, points(1000.0), Ok("1000")),
            (CheckerSays::Unbounded, points(1000.0), Ok("1000")),
            (CheckerSays::Unbounded, None, Ok("40")),
            (
                CheckerSays::Points,
                None,
                Err("it gives no points, and what this case is worth only it can say"),
            ),
        ] {
            let expected = expected.map(str::to_owned).map_err(str::to_owned);
            assert_eq!(earned(checker, said), expected, "{checker:?} {said:?}");
        }
        assert!(earned(CheckerSays::Points, factor(0.5)).is_err());
    }
}
