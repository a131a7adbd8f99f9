//! What standings are made of: the rules, a row for each team, a column for each problem, and what a team did about a
//! problem. Plain data.

use std::sync::Arc;

use crate::model::PointValue;

/// What teams are ranked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankingMode {
    /// Problems solved, and penalty.
    Icpc,
    /// The sum of points.
    Points,
}

/// How a contest is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandingsRules {
    /// What teams are ranked by.
    pub by: RankingMode,
    /// Minutes that a rejected attempt at a problem costs once the problem is solved.
    pub penalty: u64,
}

/// A problem in the standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProblemColumn {
    /// Its id.
    pub problem: Arc<str>,
    /// Points that it is worth; none where they have no bound.
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
    /// The minute of the last problem solved.
    pub last: u64,
    /// Points.
    pub points: PointValue,
    /// One for each problem.
    pub cells: Vec<TeamProblem>,
}

/// What a team did about a problem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamProblem {
    /// Whether it was solved.
    pub is_solved: bool,
    /// Whether no other team solved it earlier.
    pub is_first: bool,
    /// When it was solved.
    pub minute: Option<u64>,
    /// Attempts rejected, before it was solved if it was.
    pub rejected: u64,
    /// Attempts that did not compile, as above.
    pub refused: u64,
    /// Attempts that could not be judged, as above.
    pub unjudged: u64,
    /// The minute of the first of those.
    pub unjudged_since: Option<u64>,
    /// Points of the best attempt; none without an attempt that was judged.
    pub points: Option<PointValue>,
}
