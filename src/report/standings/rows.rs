//! The data of standings: the rules, a row for each team, a column for each problem, and a cell for
//! each team and problem. Plain data.

use std::sync::Arc;

use crate::model::PointValue;

/// Explains the column of points of which fewer are better.
pub(super) const FEWEST: &str = "fewest: points in problems in which fewer are better, and how many of them are solved; \
    between teams with equal points, more solved come first, then fewer points";

/// The ranking criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankingMode {
    /// Problems solved, and penalty.
    Icpc,
    /// The sum of points.
    Points,
}

/// The rules of a ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandingsRules {
    /// The ranking criterion.
    pub by: RankingMode,
    /// Minutes that a rejected attempt at a problem costs once the problem is solved.
    pub penalty: u64,
}

/// A problem in the standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProblemColumn {
    /// Its id.
    pub problem: Arc<str>,
    /// Points available; `None` if they have no bound, or if fewer are better.
    pub of: Option<PointValue>,
    /// Whether fewer points are better.
    pub fewest_is_best: bool,
    /// Teams that solved it.
    pub solved: usize,
    /// Teams that tried.
    pub tried: usize,
}

/// A team in the standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamRow {
    /// Its rank, from 1.
    pub rank: usize,
    /// Its name.
    pub team: Arc<str>,
    /// Problems solved.
    pub solved: usize,
    /// Penalty, in minutes.
    pub penalty: u64,
    /// The minute in which the last problem was solved.
    pub last: u64,
    /// The sum of its points in problems in which more are better.
    pub points: PointValue,
    /// The problems solved in which fewer points are better.
    pub solved_with_fewest: usize,
    /// The sum of its points in them.
    pub fewest: PointValue,
    /// One cell for each problem.
    pub cells: Vec<TeamProblem>,
}

/// The attempts of a team at a problem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamProblem {
    /// Whether it was solved.
    pub is_solved: bool,
    /// Whether no other team solved it earlier.
    pub is_first: bool,
    /// The minute in which it was solved.
    pub minute: Option<u64>,
    /// Number of rejected attempts, until it was solved if it was.
    pub rejected: u64,
    /// Number of attempts that did not compile, over the same time.
    pub refused: u64,
    /// Number of attempts that could not be judged, over the same time.
    pub unjudged: u64,
    /// The minute of the first attempt that could not be judged.
    pub unjudged_since: Option<u64>,
    /// Points of the best attempt; `None` if no attempt was judged, or if fewer are better and none
    /// was accepted.
    pub points: Option<PointValue>,
    /// Whether fewer points are better.
    pub fewest_is_best: bool,
}

impl TeamRow {
    /// `12 in 2`: the points in solved problems in which fewer are better, and how many these are.
    pub(super) fn fewest_in_words(&self) -> String {
        match self.solved_with_fewest {
            0 => ".".to_owned(),
            solved => format!("{} in {solved}", self.fewest),
        }
    }
}
