//! The points of a problem's cases: nested groups, and how a group's points follow from
//! its contents. Plain data; `run` does the counting.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;

use gridjudge_sandbox::Limits;
use serde::{Deserialize, Serialize};

use crate::model::PointValue;

/// How a submission's points follow from its cases. Without groups there are no points.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scoring {
    /// The groups: the first contains all cases, and each comes after its parent.
    pub groups: Vec<ScoreGroup>,
    /// Places of groups, by the folder of a group with a slash at the end, and by the
    /// names of cases that belong to another group than their folder's.
    pub members: BTreeMap<String, usize>,
    /// The points of single cases, by name, where they differ from those of their
    /// group.
    #[serde(default)]
    pub worths: BTreeMap<String, CaseWorth>,
    /// Whether the result of the first group is the verdict of the submission, whatever
    /// its single cases get. A submission that is rejected by it gets no points,
    /// whatever its inner groups get.
    pub decides_verdict: bool,
    /// Whether the groups only decide the verdict, and give no points.
    #[serde(default)]
    pub verdict_only: bool,
    /// Whether fewer points are better.
    #[serde(default)]
    pub wants_fewest: bool,
    /// The program that computes the results of some groups, if there is one.
    pub grader: Option<CustomGrader>,
}

/// A program of a package that computes the results of groups of cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomGrader {
    /// Its source file, or an executable.
    pub source: PathBuf,
    /// The limits of one run of it.
    pub limits: Limits,
}

/// A group of cases with its points and rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoreGroup {
    /// The folder of its cases, as `secret/group1`; empty for all cases.
    pub name: String,
    /// The place of its parent; `None` for the first group, and for one of cases whose
    /// results do not count.
    pub parent: Option<usize>,
    /// How its points follow from those of its cases and subgroups.
    pub aggregation: ScoreAggregation,
    /// When it counts as accepted.
    pub acceptance: GroupAcceptance,
    /// Whether only the last of its results counts: mostly that of `secret`, after that
    /// of `sample`.
    pub ignores_first: bool,
    /// Whether everything after a case or subgroup that is not accepted is ignored.
    pub stops_at_rejection: bool,
    /// Whether, in addition, nothing after such a case is judged at all: of what
    /// depends on the group, all is lost.
    #[serde(default)]
    pub is_gate: bool,
    /// Whether a group that requires this one is judged if this one is not, because it
    /// lacks what it requires itself.
    #[serde(default)]
    pub passes_unjudged: bool,
    /// The arguments of the grader if one computes the group's result; `None` if these
    /// rules do.
    pub grader_arguments: Option<Vec<String>>,
    /// Whether a grader of the parent group is given the worst rejection in this group
    /// instead of the first.
    pub tells_worst: bool,
    /// The points of each case directly in this group.
    pub case: CaseWorth,
    /// An upper bound on its points, if there is one.
    pub most: Option<PointValue>,
    /// A lower bound on the points that its grader may give, if there is one.
    pub least: Option<PointValue>,
    /// Places of groups all of whose cases must be accepted; otherwise this group gets
    /// no points and need not be judged.
    pub requires: Vec<usize>,
}

/// The points of a case, by default none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseWorth {
    /// The points if it is accepted and the checker does not give other points.
    pub accepted: PointValue,
    /// The points if it is rejected.
    pub rejected: PointValue,
    /// Which points the checker may give.
    pub checker: CheckerPointsRule,
}

/// Which points a checker may give to a case that it accepts, or to any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckerPointsRule {
    /// None.
    #[default]
    Nothing,
    /// Any, but they are ignored.
    Ignored,
    /// At most the points of the case, or a factor from 0 to 1.
    AtMost,
    /// A percentage of the points of the case, or a factor from 0 to 1.
    Percent,
    /// Any number, and it must give one.
    Points,
    /// Any number, or none.
    Unbounded,
    /// At most the points of the case, or a part of them, for rejected outputs too. All
    /// points make the case count as accepted in its group, whatever its verdict is.
    AtMostIfRejected,
    /// Any number from 0, or none, for rejected outputs too. If it gives some on any
    /// case of a group, the points of the group follow from these numbers alone;
    /// otherwise the group is all or nothing.
    Instead,
}

impl CheckerPointsRule {
    /// Whether a checker may give points that count.
    pub fn allows_points(self) -> bool {
        !matches!(self, Self::Nothing | Self::Ignored)
    }

    /// Whether the points of a case have no upper bound that is known in advance.
    pub fn is_unbounded(self) -> bool {
        matches!(self, Self::Points | Self::Unbounded | Self::Instead)
    }
}

/// How the points of a group follow from the points in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoreAggregation {
    /// The sum.
    #[default]
    Sum,
    /// The smallest: all or nothing, if each case is worth the same.
    Min,
    /// The largest.
    Max,
    /// The mean.
    Average,
}

/// When a group counts as accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupAcceptance {
    /// If everything in it is accepted.
    #[default]
    All,
    /// If anything in it is accepted.
    Any,
    /// Always.
    Always,
}

/// The points that a checker gives to an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckerPoints {
    /// This number of points.
    Points(PointValue),
    /// This part of the points of the case: 0 to 1.
    Factor(PointValue),
    /// The part of the points of the case that this many parts of all are.
    Share {
        /// The parts that are right.
        right: PointValue,
        /// All parts.
        all: PointValue,
    },
}

impl fmt::Display for CheckerPoints {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Points(points) => out.write_str(&points.in_words()),
            Self::Factor(part) => write!(out, "{part} of the points"),
            Self::Share { right, all } if right == all => write!(out, "all points"),
            Self::Share { right, all } => write!(out, "{right}/{all} of the points"),
        }
    }
}

impl Scoring {
    /// Creates an all-or-nothing group for each pair of a folder and the points of all
    /// cases below it.
    pub fn of_whole_groups(worth: impl IntoIterator<Item = (String, u64)>) -> Self {
        let mut scoring = Self::default();
        for (name, points) in worth {
            if scoring.groups.is_empty() {
                scoring.add(ScoreGroup::of_all_cases());
            }
            let points = PointValue::from(points);
            scoring.add(ScoreGroup {
                aggregation: ScoreAggregation::Min,
                case: CaseWorth {
                    accepted: points,
                    ..CaseWorth::default()
                },
                most: Some(points),
                ..ScoreGroup::of_all_cases().inner(name, 0)
            });
        }
        scoring
    }

    /// Adds a group, and returns its place.
    pub fn add(&mut self, group: ScoreGroup) -> usize {
        let place = self.groups.len();
        self.members.insert(format!("{}/", group.name), place);
        self.groups.push(group);
        place
    }

    /// Whether the problem gives no points.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty() || self.verdict_only
    }

    /// Whether a case may cost points, so that no result of it is known to be the
    /// least. Only the older formats allow that.
    pub fn may_be_negative(&self) -> bool {
        self.decides_verdict
            && self.groups.iter().any(|group| {
                let CaseWorth {
                    accepted,
                    rejected,
                    checker,
                } = group.case;
                checker.is_unbounded() || accepted.min(rejected) < PointValue::ZERO
            })
    }

    /// The distinct innermost groups of these cases, in the order of the cases.
    pub fn innermost<'n>(
        &self,
        cases: impl Iterator<Item = &'n str>,
    ) -> Vec<&ScoreGroup> {
        let mut seen = BTreeSet::new();
        cases
            .map(|case| self.group_of(case))
            .filter(|place| seen.insert(*place))
            .filter_map(|place| self.groups.get(place))
            .collect()
    }

    /// The points of a single case, if the problem gives points.
    pub fn worth_of(&self, case: &str) -> Option<CaseWorth> {
        let group = self
            .groups
            .get(self.group_of(case))
            .filter(|_| !self.verdict_only);
        group.map(|group| self.worth_in(group, case))
    }

    /// The points of a single case in this group.
    pub fn worth_in(&self, group: &ScoreGroup, case: &str) -> CaseWorth {
        self.worths.get(case).copied().unwrap_or(group.case)
    }

    /// The place of the innermost group that a case is in.
    pub fn group_of(&self, case: &str) -> usize {
        let folders = case.rmatch_indices('/').map(|(end, _)| &case[..=end]);
        std::iter::once(case)
            .chain(folders)
            .find_map(|name| self.members.get(name))
            .copied()
            .unwrap_or(0)
    }
}

impl ScoreGroup {
    /// The group of all cases, whose cases are worth nothing by themselves.
    pub fn of_all_cases() -> Self {
        Self {
            tells_worst: true,
            ..Self::default()
        }
    }

    /// A copy of this group with another name, inside the group at place `parent`.
    #[must_use]
    pub fn inner(&self, name: String, parent: usize) -> Self {
        Self {
            name,
            parent: Some(parent),
            ..self.clone()
        }
    }
}

impl CaseWorth {
    /// The points of an accepted case, given what the checker said.
    ///
    /// # Errors
    /// Describes in words why the checker's points are invalid: given where none are
    /// allowed, too many, or missing where they are required.
    pub fn earned(&self, said: Option<CheckerPoints>) -> Result<PointValue, String> {
        use Rule::*;

        use CheckerPointsRule as Rule;
        let is_part = |part: PointValue, all: f64| (0.0..=all).contains(&part.get());
        let refusal = match said {
            None if self.checker == Points => {
                "it gives no points, and what this case is worth only it can say"
                    .to_owned()
            }
            None => return Ok(self.accepted),
            // Only comparisons of this judge say so, and only where such a part is
            // allowed.
            Some(CheckerPoints::Share { right, all }) => {
                return Ok(self.accepted.part(right, all));
            }
            Some(_) if self.checker == Ignored => return Ok(self.accepted),
            Some(CheckerPoints::Factor(_)) if self.checker == Instead => {
                return Ok(self.accepted);
            }
            Some(_) if self.checker == Nothing => {
                "it gives points, and cases of this group have none to give".to_owned()
            }
            Some(CheckerPoints::Factor(part)) => match self.checker {
                Points | Unbounded => {
                    "it gives a part of the points, and this case is worth no certain \
                     number of them"
                        .to_owned()
                }
                _ if is_part(part, 1.0) => return Ok(self.accepted.times(part)),
                _ => format!("it gives {part} times the points, and a part is 0 to 1"),
            },
            Some(CheckerPoints::Points(points)) => match self.checker {
                Percent if is_part(points, 100.0) => {
                    return Ok(self.accepted.times(points).shared_by(100));
                }
                Percent => {
                    format!(
                        "it gives {points} per cent of the points, and that is 0 \
                             to 100"
                    )
                }
                AtMost | AtMostIfRejected | Instead if points < PointValue::ZERO => {
                    format!("it gives {points} points, which is less than nothing")
                }
                AtMost | AtMostIfRejected if points > self.accepted => {
                    format!(
                        "it gives {}, and this case is worth {}",
                        points.in_words(),
                        self.accepted
                    )
                }
                _ => return Ok(points),
            },
        };
        Err(refusal)
    }

    /// The points of a case that is not accepted, given what the checker said.
    pub fn kept(&self, said: Option<CheckerPoints>) -> PointValue {
        let counts =
            said.filter(|_| self.checker == CheckerPointsRule::AtMostIfRejected);
        counts
            .and_then(|said| self.earned(Some(said)).ok())
            .unwrap_or(self.rejected)
    }

    /// Whether a case counts as accepted in its group because of all the points that
    /// the checker gave it, whatever its verdict is.
    pub fn passes(&self, said: Option<CheckerPoints>) -> bool {
        let is_whole =
            matches!(said, Some(CheckerPoints::Share { right, all }) if right == all);
        is_whole && self.checker == CheckerPointsRule::AtMostIfRejected
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_belongs_to_the_innermost_group_whose_folder_contains_it() {
        let mut scoring =
            Scoring::of_whole_groups([("a".to_owned(), 1), ("a/b".to_owned(), 2)]);
        let of = |scoring: &Scoring| {
            ["a/1", "a/b/1", "ab/1", "a", "c"].map(|case| scoring.group_of(case))
        };
        assert_eq!(of(&scoring), [1, 2, 0, 0, 0]);
        scoring.members.insert("c".to_owned(), 2);
        assert_eq!(of(&scoring), [1, 2, 0, 0, 2]);
    }

    #[test]
    fn a_checker_may_give_only_points_that_the_group_allows() {
        let points = |number: f64| {
            Some(CheckerPoints::Points(PointValue::new(number).unwrap()))
        };
        let factor = |number: f64| {
            Some(CheckerPoints::Factor(PointValue::new(number).unwrap()))
        };
        let earned = |checker, said| {
            (CaseWorth {
                accepted: 40.into(),
                checker,
                ..CaseWorth::default()
            })
            .earned(said)
            .map(|points| points.to_string())
        };
        for (checker, said, expected) in [
            (CheckerPointsRule::Nothing, None, Ok("40")),
            (CheckerPointsRule::Ignored, points(1.0), Ok("40")),
            (
                CheckerPointsRule::Nothing,
                points(1.0),
                Err("it gives points, and cases of this group have none to give"),
            ),
            (CheckerPointsRule::AtMost, None, Ok("40")),
            (CheckerPointsRule::AtMost, points(39.5), Ok("39.5")),
            (CheckerPointsRule::AtMost, factor(0.25), Ok("10")),
            (
                CheckerPointsRule::AtMost,
                points(-1.0),
                Err("it gives -1 points, which is less than nothing"),
            ),
            (
                CheckerPointsRule::AtMost,
                factor(1.5),
                Err("it gives 1.5 times the points, and a part is 0 to 1"),
            ),
            (
                CheckerPointsRule::AtMost,
                points(40.5),
                Err("it gives 40.5 points, and this case is worth 40"),
            ),
            (CheckerPointsRule::Percent, None, Ok("40")),
            (CheckerPointsRule::Percent, points(30.0), Ok("12")),
            (CheckerPointsRule::Percent, factor(0.25), Ok("10")),
            (
                CheckerPointsRule::Percent,
                points(101.0),
                Err("it gives 101 per cent of the points, and that is 0 to 100"),
            ),
            (CheckerPointsRule::Points, points(1000.0), Ok("1000")),
            (CheckerPointsRule::Unbounded, points(1000.0), Ok("1000")),
            (CheckerPointsRule::Unbounded, None, Ok("40")),
            (CheckerPointsRule::Instead, None, Ok("40")),
            (CheckerPointsRule::Instead, points(1000.0), Ok("1000")),
            (
                CheckerPointsRule::Instead,
                points(-1.0),
                Err("it gives -1 points, which is less than nothing"),
            ),
            (
                CheckerPointsRule::Points,
                None,
                Err(
                    "it gives no points, and what this case is worth only it can say",
                ),
            ),
        ] {
            let expected = expected.map(str::to_owned).map_err(str::to_owned);
            assert_eq!(earned(checker, said), expected, "{checker:?} {said:?}");
        }
        assert!(earned(CheckerPointsRule::Points, factor(0.5)).is_err());
    }

    #[test]
    fn a_case_that_is_not_accepted_keeps_points_only_where_the_rule_says_so() {
        let share = |right: u64, all: u64| {
            Some(CheckerPoints::Share {
                right: right.into(),
                all: all.into(),
            })
        };
        let worth = |checker| CaseWorth {
            accepted: 30.into(),
            checker,
            ..CaseWorth::default()
        };
        let kept = worth(CheckerPointsRule::AtMostIfRejected);
        // A third of 30 is 10, and not 9.99999999.
        assert_eq!(
            (kept.kept(share(1, 3)), kept.kept(None)),
            (10.into(), PointValue::ZERO)
        );
        assert_eq!(
            (kept.passes(share(3, 3)), kept.passes(share(2, 3))),
            (true, false)
        );
        let default = worth(CheckerPointsRule::AtMost);
        assert_eq!(
            (default.kept(share(1, 3)), default.passes(share(3, 3))),
            (PointValue::ZERO, false)
        );
        assert_eq!(
            (default.earned(share(2, 3)), default.earned(share(0, 0))),
            (Ok(20.into()), Ok(30.into()))
        );
    }
}
