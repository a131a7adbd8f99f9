//! Ranks the teams of a contest: a row for each team, in order, and a cell for each
//! problem. Pure: the same events and rules always produce the same table.
//!
//! By the rules of the ICPC, the number of problems solved counts first; then the
//! penalty, which for each problem solved is the minute of its first accepted attempt
//! plus a fixed amount for each rejected one before it; then the minute of the last
//! problem solved, the earlier the better. By points, only the best attempt at each
//! problem counts. Points of problems in which fewer are better cannot be added to
//! others, so they decide only between teams that are equal in those: first who solved
//! more of these problems, then who has fewer points in them. Teams that are equal in
//! everything that counts share a rank.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::IndexSet;

use crate::model::{ContestRules, PointValue, RankingMode, TeamDetails, TeamStatus};
use crate::report::standings::{
    AttemptOutcome, ContestResults, GroupRanking, ProblemColumn, StandingsRules,
    TeamAttempt, TeamProblem, TeamRow,
};
use crate::text::{counted, text_or_none};

/// Points for solving a problem that gives no points of its own, if teams are ranked by
/// points.
const WHOLE: u64 = 100;

/// The standings.
pub struct StandingsTable {
    /// The contest's name.
    pub name: String,
    /// When judging started, as in the log. What was submitted later is not in the
    /// standings.
    pub started: String,
    /// The rules of the ranking.
    pub rules: StandingsRules,
    /// When the contest started, in words.
    pub start: Option<String>,
    /// Number of attempts after the end, which do not count.
    pub late: usize,
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
    /// The rankings of groups and of sites.
    pub groups: Vec<GroupRanking>,
    /// The cases that may be wrong themselves.
    pub common_failures: Vec<CommonFailure>,
}

/// A case that every team which tried its problem has failed.
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

/// The cases that all teams have failed that were judged on their problem: two teams at
/// least, because one alone may well have the same mistake everywhere.
fn common_failures(timed: &TimedAttempts<'_>) -> Vec<CommonFailure> {
    let mut teams_of: BTreeMap<&str, usize> = BTreeMap::new();
    let mut failed: BTreeMap<(&str, &String), usize> = BTreeMap::new();
    let mut solved = BTreeSet::new();
    for ((_, problem), tries) in &timed.tries {
        let has = |outcome| {
            tries
                .counted
                .iter()
                .any(|attempt| attempt.outcome == outcome)
        };
        if has(AttemptOutcome::Accepted) {
            solved.insert(problem);
        } else if has(AttemptOutcome::Rejected) {
            *teams_of.entry(problem).or_default() += 1;
        }
        let cases: BTreeSet<_> = tries
            .counted
            .iter()
            .filter_map(|attempt| attempt.failed_case.as_ref())
            .collect();
        for case in cases {
            *failed.entry((problem, case)).or_default() += 1;
        }
    }
    failed
        .into_iter()
        .filter(|((problem, _), teams)| {
            !solved.contains(problem) && *teams > 1 && *teams == teams_of[problem]
        })
        .map(|((problem, case), teams)| CommonFailure {
            problem: problem.into(),
            case: case.clone(),
            teams,
        })
        .collect()
}

impl StandingsTable {
    /// Ranks the collected results.
    pub fn from_results(results: &ContestResults, rules: StandingsRules) -> Self {
        let problems = listed(
            results,
            |contest| &contest.problems,
            |attempt| &attempt.problem,
        );
        let teams = listed(
            results,
            |contest| &contest.teams,
            |attempt| &attempt.entrant.team,
        );
        let given = results.rules();
        let timed = TimedAttempts::from_results(results, &rules);
        let mut rows = rows(teams, &problems, &timed, &given, &rules);
        // Who has solved a problem, and first, may be among the attempts that are missing.
        let is_part = results.opening.part;
        let is_whole = !is_part && !results.is_interrupted;
        if timed.has_minutes && is_whole {
            for column in 0..problems.len() {
                mark_first(&mut rows, column);
            }
        }
        let columns = problems
            .into_iter()
            .enumerate()
            .map(|(place, problem)| {
                ProblemColumn::from_rows(problem, place, &rows, &timed, &given)
            })
            .collect();
        let common_failures = if is_whole {
            common_failures(&timed)
        } else {
            vec![]
        };
        let contest = results.opening.contest.as_ref();
        Self {
            name: text_or_none(contest.map(|contest| &contest.name)),
            started: results.opening.started.clone(),
            rules,
            start: given.start,
            late: timed.late,
            has_minutes: timed.has_minutes,
            is_interrupted: results.is_interrupted,
            is_part,
            columns,
            groups: groups(&rows, rules.by),
            rows,
            common_failures,
        }
    }

    /// All rules by which the teams are ranked, and how long the contest was.
    pub(super) fn rules_in_words(&self) -> Vec<String> {
        let mut words = self.rules.in_words(self.has_minutes);
        let length = self.rules.length.map(|length| counted(length, "minute"));
        words.extend(match (length, &self.start) {
            (Some(length), Some(start)) => Some(format!("{length} from {start}")),
            (Some(length), None) => Some(length),
            (None, Some(start)) => Some(format!("started {start}")),
            (None, None) => None,
        });
        if self.late > 0 {
            words.push(format!(
                "{} after the end not counted",
                counted(self.late, "attempt")
            ));
        }
        for (status, what) in [
            (TeamStatus::OutOfCompetition, "out of competition"),
            (TeamStatus::Disqualified, "disqualified"),
        ] {
            let teams = self
                .rows
                .iter()
                .filter(|row| row.details.status == status)
                .count();
            if teams > 0 {
                words.push(format!("{} {what}", counted(teams, "team")));
            }
        }
        words
    }

    /// Whether the results of any attempts are hidden.
    pub fn has_hidden(&self) -> bool {
        self.cells().any(|cell| cell.hidden > 0)
    }

    /// All cells.
    pub(super) fn cells(&self) -> impl Iterator<Item = &TeamProblem> {
        self.rows.iter().flat_map(|row| &row.cells)
    }

    /// Whether there is a problem in which fewer points are better.
    pub fn has_fewest(&self) -> bool {
        self.columns.iter().any(|column| column.fewest_is_best)
    }

    /// Whether an attempt could not be judged, and so counts neither for nor against
    /// its team.
    pub fn is_incomplete(&self) -> bool {
        self.cells().any(|cell| cell.unjudged > 0)
    }
}

/// The rows of the teams, ranked.
fn rows(
    teams: Vec<Arc<str>>,
    problems: &[Arc<str>],
    timed: &TimedAttempts<'_>,
    given: &ContestRules,
    rules: &StandingsRules,
) -> Vec<TeamRow> {
    let none = TeamTries::default();
    let mut rows = vec![];
    for team in teams {
        let cells: Vec<_> = problems
            .iter()
            .map(|problem| {
                let tries = timed.tries.get(&(&*team, &**problem));
                TeamProblem::from_tries(tries.unwrap_or(&none), timed.has_minutes)
            })
            .collect();
        let solved = || cells.iter().filter(|cell| cell.is_solved);
        let penalty = solved().map(|cell| {
            let rejected = rules.penalty.saturating_mul(cell.rejected);
            cell.minute.unwrap_or(0).saturating_add(rejected)
        });
        let points = |of_fewest: bool| {
            cells
                .iter()
                .filter(move |cell| cell.fewest_is_best == of_fewest)
                .filter_map(|cell| cell.points)
        };
        rows.push(TeamRow {
            rank: None,
            details: given.team.get(&team).cloned().unwrap_or_default(),
            solved: solved().count(),
            penalty: penalty.fold(0, u64::saturating_add),
            last: solved().filter_map(|cell| cell.minute).max().unwrap_or(0),
            points: points(false).sum(),
            solved_with_fewest: points(true).count(),
            fewest: points(true).sum(),
            team,
            cells,
        });
    }
    // Equal ones by name. Disqualified teams come last.
    rows.sort_by_cached_key(|row| {
        (
            row.details.status == TeamStatus::Disqualified,
            worth(row, rules.by),
            row.name().to_owned(),
            Arc::clone(&row.team),
        )
    });
    let ranks = ranks_of(rows.iter(), rules.by);
    for (row, rank) in rows.iter_mut().zip(ranks) {
        row.rank = rank;
    }
    rows
}

/// The attempts of a team at a problem.
#[derive(Default)]
struct TeamTries<'a> {
    /// Those that count, in order.
    counted: Vec<&'a TeamAttempt>,
    /// Number of those during the freeze.
    hidden: u64,
}

/// The attempts by what became of them because of their minutes.
#[derive(Default)]
struct TimedAttempts<'a> {
    /// By team and problem.
    tries: BTreeMap<(&'a str, &'a str), TeamTries<'a>>,
    /// Whether the minute of every attempt is known.
    has_minutes: bool,
    /// Number of those after the end.
    late: usize,
}

impl<'a> TimedAttempts<'a> {
    fn from_results(results: &'a ContestResults, rules: &StandingsRules) -> Self {
        let mut timed = Self {
            has_minutes: results
                .attempts
                .iter()
                .all(|attempt| attempt.entrant.minute.is_some()),
            ..Self::default()
        };
        for attempt in &results.attempts {
            let key = (&*attempt.entrant.team, &*attempt.problem);
            let minute = attempt.entrant.minute.filter(|_| timed.has_minutes);
            let is_from = |start: Option<u64>| {
                minute
                    .zip(start)
                    .is_some_and(|(minute, start)| minute >= start)
            };
            // What came after `as_of` is left out, as if it had not been made yet.
            if is_from(rules.length) {
                timed.late += 1;
            } else if !is_from(rules.as_of) {
                let tries = timed.tries.entry(key).or_default();
                if is_from(rules.freeze) {
                    tries.hidden += 1;
                } else {
                    tries.counted.push(attempt);
                }
            }
        }
        // Stable: attempts of the same minute stay in the order of the log.
        for tries in timed.tries.values_mut() {
            tries.counted.sort_by_key(|attempt| attempt.entrant.minute);
        }
        timed
    }
}

/// The names that the contest lists, followed by those that occur only in attempts.
fn listed(
    results: &ContestResults,
    of_contest: fn(&crate::model::Contest) -> &Vec<Arc<str>>,
    of_attempt: fn(&TeamAttempt) -> &Arc<str>,
) -> Vec<Arc<str>> {
    let listed = results.opening.contest.iter().flat_map(of_contest);
    let others: BTreeSet<_> = results.attempts.iter().map(of_attempt).collect();
    listed
        .chain(others)
        .cloned()
        .collect::<IndexSet<_>>()
        .into_iter()
        .collect()
}

impl TeamProblem {
    /// Evaluates the attempts of a team at a problem.
    fn from_tries(tries: &TeamTries<'_>, has_minutes: bool) -> Self {
        use AttemptOutcome::*;

        let TeamTries {
            counted: tries,
            hidden,
        } = tries;
        let accepted = tries.iter().position(|attempt| attempt.outcome == Accepted);
        let before = &tries[..accepted.unwrap_or(tries.len())];
        let count = |outcome| {
            before
                .iter()
                .filter(|attempt| attempt.outcome == outcome)
                .count() as u64
        };
        let fewest_is_best = tries.iter().any(|attempt| attempt.has_fewest_as_best());
        let accepted_ones =
            tries.iter().filter(|attempt| attempt.outcome == Accepted);
        Self {
            is_solved: accepted.is_some(),
            is_first: false,
            minute: accepted
                .and_then(|place| tries[place].entrant.minute)
                .filter(|_| has_minutes),
            rejected: count(Rejected),
            refused: count(Refused),
            unjudged: count(Unjudged),
            unjudged_since: before
                .iter()
                .find(|attempt| attempt.outcome == Unjudged)
                .and_then(|first| first.entrant.minute),
            points: if fewest_is_best {
                accepted_ones
                    .filter_map(|attempt| Some(attempt.score.as_ref()?.earned))
                    .min()
            } else {
                tries
                    .iter()
                    .filter(|attempt| attempt.outcome != Unjudged)
                    .map(|attempt| points(attempt))
                    .max()
            },
            fewest_is_best,
            hidden: if accepted.is_some() { 0 } else { *hidden },
        }
    }

    /// Whether there was any attempt.
    pub fn is_tried(&self) -> bool {
        self.is_solved
            || self.rejected + self.refused + self.unjudged + self.hidden > 0
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

impl ProblemColumn {
    fn from_rows(
        problem: Arc<str>,
        place: usize,
        rows: &[TeamRow],
        timed: &TimedAttempts<'_>,
        given: &ContestRules,
    ) -> Self {
        let count = |is: fn(&TeamProblem) -> bool| {
            rows.iter()
                .filter(|row| row.details.status != TeamStatus::Disqualified)
                .filter(|row| is(&row.cells[place]))
                .count()
        };
        let attempts = || {
            timed
                .tries
                .iter()
                .filter(|((_, of), _)| **of == *problem)
                .flat_map(|(_, tries)| &tries.counted)
        };
        let of = attempts()
            .filter_map(|attempt| attempt.score.as_ref())
            .map(|score| score.of)
            .max();
        Self {
            fewest_is_best: attempts().any(|attempt| attempt.has_fewest_as_best()),
            of: of.unwrap_or(Some(WHOLE.into())),
            details: given.problem.get(&problem).cloned().unwrap_or_default(),
            problem,
            solved: count(|cell| cell.is_solved),
            tried: count(TeamProblem::is_tried),
        }
    }
}

/// Marks the first ranked team to solve a problem; all of them if several did so in the
/// same minute, since times are not more precise. Marks no team if an attempt that
/// could not be judged may have been earlier.
fn mark_first(rows: &mut [TeamRow], column: usize) {
    let is_ranked = |row: &TeamRow| row.details.status == TeamStatus::Ranked;
    let cells = || {
        rows.iter()
            .filter(|row| is_ranked(row))
            .map(|row| &row.cells[column])
    };
    let Some(first) = cells().filter_map(|cell| cell.minute).min() else {
        return;
    };
    let is_open =
        cells().any(|cell| cell.unjudged_since.is_some_and(|minute| minute <= first));
    for row in rows.iter_mut().filter(|row| !is_open && is_ranked(row)) {
        row.cells[column].is_first = row.cells[column].minute == Some(first);
    }
}

/// The ranks of sorted rows among each other. Equal ones share a rank. Teams without a
/// rank take none from others.
fn ranks_of<'r>(
    rows: impl Iterator<Item = &'r TeamRow> + Clone,
    by: RankingMode,
) -> Vec<Option<usize>> {
    let is_ranked = |row: &&TeamRow| row.details.status == TeamStatus::Ranked;
    let worths: Vec<_> = rows
        .clone()
        .filter(is_ranked)
        .map(|row| worth(row, by))
        .collect();
    rows.map(|row| {
        let own = worth(row, by);
        is_ranked(&row).then(|| worths.partition_point(|other| *other < own) + 1)
    })
    .collect()
}

/// The rankings of all groups, and of all sites, by name.
fn groups(rows: &[TeamRow], by: RankingMode) -> Vec<GroupRanking> {
    type NameOf = fn(&TeamDetails) -> Option<&String>;
    let kinds: [(&str, NameOf); 2] = [
        ("group", |details| details.group.as_ref()),
        ("site", |details| details.site.as_ref()),
    ];
    let mut rankings = vec![];
    for (kind, name_of) in kinds {
        let names: BTreeSet<_> = rows
            .iter()
            .filter_map(|row| name_of(&row.details))
            .collect();
        for name in names {
            let places = (0..rows.len())
                .filter(|place| name_of(&rows[*place].details) == Some(name));
            let ranks = ranks_of(places.clone().map(|place| &rows[place]), by);
            rankings.push(GroupRanking {
                kind,
                name: name.clone(),
                ranks: ranks.into_iter().zip(places).collect(),
            });
        }
    }
    rankings
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
