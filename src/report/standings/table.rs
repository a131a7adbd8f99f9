//! Ranks the teams of a contest: a row for each team, in order, and a cell for each problem. Pure:
//! the same events and rules always produce the same table.
//!
//! By the rules of the ICPC, the number of problems solved counts first; then the penalty, which
//! for each problem solved is the minute of its first accepted attempt plus a fixed amount for each
//! rejected one before it; then the minute of the last problem solved, the earlier the better. By
//! points, only the best attempt at each problem counts. Points of problems in which fewer are
//! better cannot be added to others, so they decide only between teams that are equal in those:
//! first who solved more of these problems, then who has fewer points in them. Teams that are equal
//! in everything that counts share a rank.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::model::PointValue;
use crate::report::standings::rows::{
    AttemptOutcome, ContestResults, ProblemColumn, RankingMode, StandingsRules, TeamAttempt,
    TeamProblem, TeamRow,
};

/// Points for solving a problem that gives no points of its own, if teams are ranked by points.
const WHOLE: u64 = 100;

/// The standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandingsTable {
    /// The contest's name.
    pub name: String,
    /// When judging started, as in the log. What was submitted later is not in the standings.
    pub started: String,
    /// The rules of the ranking.
    pub rules: StandingsRules,
    /// Whether the minute of every attempt is known. If not, no minute counts.
    pub has_minutes: bool,
    /// Whether judging was interrupted, so that attempts are missing.
    pub is_interrupted: bool,
    /// Whether only some of the cases were judged, so that nothing here is final.
    pub is_part: bool,
    /// One for each problem.
    pub columns: Vec<ProblemColumn>,
    /// One for each team, the first rank first.
    pub rows: Vec<TeamRow>,
    /// The cases that may be wrong themselves.
    pub common_failures: Vec<CommonFailure>,
}

/// A case that every team which tried its problem has failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommonFailure {
    /// The problem, which no team has solved.
    pub problem: Arc<str>,
    /// The case.
    pub case: String,
    /// The number of teams, at least two.
    pub teams: usize,
}

impl CommonFailure {
    /// What to say of it below a table.
    pub(super) fn sentence(&self) -> String {
        let Self {
            problem,
            case,
            teams,
        } = self;
        format!(
            "{problem}: {case} was failed by all {teams} teams that tried it: see whether the \
             case and its answer are right"
        )
    }
}

/// The cases that all teams have failed that were judged on their problem: two teams at least,
/// because one alone may well have the same mistake everywhere.
fn common_failures(attempts: &[TeamAttempt]) -> Vec<CommonFailure> {
    let mut teams_of: BTreeMap<&Arc<str>, BTreeSet<&Arc<str>>> = BTreeMap::new();
    let mut failed: BTreeMap<(&Arc<str>, &String), BTreeSet<&Arc<str>>> = BTreeMap::new();
    for attempt in attempts.iter().filter(|attempt| {
        matches!(
            attempt.outcome,
            AttemptOutcome::Accepted | AttemptOutcome::Rejected
        )
    }) {
        teams_of
            .entry(&attempt.problem)
            .or_default()
            .insert(&attempt.team);
        if let Some(case) = &attempt.failed_case {
            failed
                .entry((&attempt.problem, case))
                .or_default()
                .insert(&attempt.team);
        }
    }
    let accepted = attempts
        .iter()
        .filter(|attempt| attempt.outcome == AttemptOutcome::Accepted);
    let solved: BTreeSet<_> = accepted.map(|attempt| &attempt.problem).collect();
    failed
        .into_iter()
        .filter(|((problem, _), teams)| teams.len() > 1 && teams.len() == teams_of[problem].len())
        .filter(|((problem, _), _)| !solved.contains(problem))
        .map(|((problem, case), teams)| CommonFailure {
            problem: Arc::clone(problem),
            case: case.clone(),
            teams: teams.len(),
        })
        .collect()
}

impl StandingsTable {
    /// Ranks the collected results.
    pub fn of(results: &ContestResults, rules: StandingsRules) -> Self {
        let has_minutes = results
            .attempts
            .iter()
            .all(|attempt| attempt.minute.is_some());
        let problems = listed(
            results,
            |contest| &contest.problems,
            |attempt| &attempt.problem,
        );
        let teams = listed(results, |contest| &contest.teams, |attempt| &attempt.team);
        let mut tries: BTreeMap<(Arc<str>, Arc<str>), Vec<&TeamAttempt>> = BTreeMap::new();
        for attempt in &results.attempts {
            tries
                .entry((Arc::clone(&attempt.team), Arc::clone(&attempt.problem)))
                .or_default()
                .push(attempt);
        }
        // Stable: attempts of the same minute stay in the order of the log.
        tries
            .values_mut()
            .for_each(|tries| tries.sort_by_key(|attempt| attempt.minute));
        let rows = teams.into_iter().map(|team| {
            let cells = problems.iter().map(|problem| {
                let key = (Arc::clone(&team), Arc::clone(problem));
                TeamProblem::of(tries.get(&key).map_or(&[], Vec::as_slice), has_minutes)
            });
            let cells = cells.collect();
            TeamRow::of(team, cells, rules.penalty)
        });
        let mut rows: Vec<_> = rows.collect();
        if has_minutes {
            (0..problems.len()).for_each(|column| mark_first(&mut rows, column));
        }
        rank(&mut rows, rules.by);
        let columns = problems.into_iter().enumerate();
        let columns = columns
            .map(|(place, problem)| ProblemColumn::of(problem, place, &rows, results))
            .collect();
        let name = results
            .contest
            .as_ref()
            .map_or_else(String::new, |contest| contest.name.clone());
        let ContestResults {
            is_interrupted,
            is_part,
            ..
        } = *results;
        Self {
            name,
            started: results.started.clone(),
            rules,
            has_minutes,
            is_interrupted,
            is_part,
            columns,
            rows,
            common_failures: common_failures(&results.attempts),
        }
    }

    /// Whether there is a problem in which fewer points are better.
    pub fn has_fewest(&self) -> bool {
        self.columns.iter().any(|column| column.fewest_is_best)
    }

    /// Whether an attempt could not be judged, and so counts neither for nor against its team.
    pub fn is_incomplete(&self) -> bool {
        self.rows
            .iter()
            .flat_map(|row| &row.cells)
            .any(|cell| cell.unjudged > 0)
    }
}

/// The names that the contest lists, followed by those that occur only in attempts.
fn listed(
    results: &ContestResults,
    of_contest: fn(&crate::model::Contest) -> &Vec<Arc<str>>,
    of_attempt: fn(&TeamAttempt) -> &Arc<str>,
) -> Vec<Arc<str>> {
    let mut listed = results
        .contest
        .as_ref()
        .map_or_else(Vec::new, |contest| of_contest(contest).clone());
    let known: BTreeSet<_> = listed.iter().cloned().collect();
    let named: BTreeSet<_> = results.attempts.iter().map(of_attempt).cloned().collect();
    listed.extend(named.difference(&known).cloned());
    listed
}

impl TeamProblem {
    /// Evaluates the attempts of a team at a problem, given in order.
    fn of(tries: &[&TeamAttempt], has_minutes: bool) -> Self {
        let accepted = tries
            .iter()
            .position(|attempt| attempt.outcome == AttemptOutcome::Accepted);
        let before = &tries[..accepted.unwrap_or(tries.len())];
        let count = |outcome| {
            before
                .iter()
                .filter(|attempt| attempt.outcome == outcome)
                .count() as u64
        };
        let fewest_is_best = tries.iter().any(|attempt| attempt.has_fewest_as_best());
        let accepted_ones = tries
            .iter()
            .filter(|attempt| attempt.outcome == AttemptOutcome::Accepted);
        Self {
            is_solved: accepted.is_some(),
            is_first: false,
            minute: accepted
                .and_then(|place| tries[place].minute)
                .filter(|_| has_minutes),
            rejected: count(AttemptOutcome::Rejected),
            refused: count(AttemptOutcome::Refused),
            unjudged: count(AttemptOutcome::Unjudged),
            unjudged_since: before
                .iter()
                .find(|attempt| attempt.outcome == AttemptOutcome::Unjudged)
                .and_then(|first| first.minute),
            points: if fewest_is_best {
                accepted_ones
                    .filter_map(|attempt| Some(attempt.score.as_ref()?.earned))
                    .min()
            } else {
                tries
                    .iter()
                    .filter(|attempt| attempt.outcome != AttemptOutcome::Unjudged)
                    .map(|attempt| points(attempt))
                    .max()
            },
            fewest_is_best,
        }
    }

    /// Whether there was any attempt.
    pub fn is_tried(&self) -> bool {
        self.is_solved || self.rejected + self.refused + self.unjudged > 0
    }
}

/// The points of an attempt.
fn points(attempt: &TeamAttempt) -> PointValue {
    let whole = if attempt.outcome == AttemptOutcome::Accepted {
        WHOLE
    } else {
        0
    };
    attempt
        .score
        .as_ref()
        .map_or(whole.into(), |score| score.earned)
}

impl TeamRow {
    fn of(team: Arc<str>, cells: Vec<TeamProblem>, penalty: u64) -> Self {
        let solved = || cells.iter().filter(|cell| cell.is_solved);
        let points = |of_fewest: bool| {
            let cells = cells.iter();
            cells
                .filter(move |cell| cell.fewest_is_best == of_fewest)
                .filter_map(|cell| cell.points)
        };
        Self {
            rank: 0,
            team,
            solved: solved().count(),
            penalty: solved()
                .map(|cell| {
                    cell.minute
                        .unwrap_or(0)
                        .saturating_add(penalty.saturating_mul(cell.rejected))
                })
                .fold(0, u64::saturating_add),
            last: solved().filter_map(|cell| cell.minute).max().unwrap_or(0),
            points: points(false).sum(),
            solved_with_fewest: points(true).count(),
            fewest: points(true).sum(),
            cells,
        }
    }
}

impl ProblemColumn {
    fn of(problem: Arc<str>, place: usize, rows: &[TeamRow], results: &ContestResults) -> Self {
        let count =
            |is: fn(&TeamProblem) -> bool| rows.iter().filter(|row| is(&row.cells[place])).count();
        let attempts = || {
            results
                .attempts
                .iter()
                .filter(|attempt| attempt.problem == problem)
        };
        let of = attempts()
            .filter_map(|attempt| attempt.score.as_ref())
            .map(|score| score.of)
            .max();
        Self {
            fewest_is_best: attempts().any(TeamAttempt::has_fewest_as_best),
            of: of.unwrap_or(Some(WHOLE.into())),
            problem,
            solved: count(|cell| cell.is_solved),
            tried: count(TeamProblem::is_tried),
        }
    }
}

/// Marks the first team to solve a problem; all of them if several did so in the same minute, since
/// times are not more precise. Marks no team if an attempt that could not be judged may have been
/// earlier.
fn mark_first(rows: &mut [TeamRow], column: usize) {
    let cells = || rows.iter().map(|row| &row.cells[column]);
    let Some(first) = cells().filter_map(|cell| cell.minute).min() else {
        return;
    };
    let is_open = cells().any(|cell| cell.unjudged_since.is_some_and(|minute| minute <= first));
    for row in rows.iter_mut().filter(|_| !is_open) {
        row.cells[column].is_first = row.cells[column].minute == Some(first);
    }
}

/// Sorts rows, and numbers them so that equal ones share a rank. Equal ones are sorted by name.
fn rank(rows: &mut [TeamRow], by: RankingMode) {
    rows.sort_by(|one, other| (worth(one, by), &one.team).cmp(&(worth(other, by), &other.team)));
    let worths: Vec<_> = rows.iter().map(|row| worth(row, by)).collect();
    for (row, own) in rows.iter_mut().zip(&worths) {
        row.rank = worths.partition_point(|other| other < own) + 1;
    }
}

/// The sort key: everything that counts, smaller is better.
fn worth(row: &TeamRow, by: RankingMode) -> impl Ord + use<> {
    match by {
        RankingMode::Icpc => (
            Reverse(PointValue::from(row.solved as u64)),
            Reverse(0),
            row.penalty.into(),
            row.last,
        ),
        RankingMode::Points => (
            Reverse(row.points),
            Reverse(row.solved_with_fewest),
            row.fewest,
            0,
        ),
    }
}
