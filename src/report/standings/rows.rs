//! The data of standings: the rules, a row for each team, a column for each problem, and a cell for each team
//! and problem. Plain data.
//! problem. Plain data.

use std::sync::Arc;

use crate::model::PointValue;

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
    /// Points available; `None` if they have no bound.
    pub of: Option<PointValue>,
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
    /// Points.
    pub points: PointValue,
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
    /// Points of the best attempt; `None` if no attempt was judged.
    pub points: Option<PointValue>,
}
