//! The data of standings: the rules, which are those of the contest or what was asked
//! for in place of them; a row for each team, a column for each problem, and a cell for
//! each team and problem.

use std::sync::Arc;

use crate::model::{
    ContestRules, Entrant, Event, PointValue, ProblemDetails, RankingMode, Score,
    SuiteStart, TeamDetails, TeamStatus, Verdict,
};
use crate::text::counted;

/// Explains the column of points of which fewer are better.
pub(super) const FEWEST: &str = "fewest: points in problems in which fewer are better, and how \
                                 many of them are solved; between teams with equal points, more \
                                 solved come first, then fewer points";

/// A problem in the standings.
pub struct ProblemColumn {
    /// Its id.
    pub problem: Arc<str>,
    /// Its label and colour, if it has any.
    pub details: ProblemDetails,
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
#[derive(Clone)]
pub struct TeamRow {
    /// Its rank, from 1; `None` if it is out of competition or disqualified.
    pub rank: Option<usize>,
    /// Its name in the log.
    pub team: Arc<str>,
    /// Its name to show, and what else is known of it.
    pub details: TeamDetails,
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
#[derive(Clone)]
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
    /// Number of attempts since the freeze; none if it was solved before.
    pub hidden: u64,
    /// The minute of the first attempt that could not be judged.
    pub unjudged_since: Option<u64>,
    /// Points of the best attempt; `None` if no attempt was judged, or if fewer are
    /// better and none was accepted.
    pub points: Option<PointValue>,
    /// Whether fewer points are better.
    pub fewest_is_best: bool,
}

/// The ranking of the teams of a group or at a site among themselves.
pub struct GroupRanking {
    /// `group` or `site`.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// The rank of each of its teams, and the place of their row among all, from 0.
    pub ranks: Vec<(Option<usize>, usize)>,
}

impl TeamRow {
    /// The name to show.
    pub fn name(&self) -> &str {
        self.details.name.as_deref().unwrap_or(&self.team)
    }

    /// A rank of this team in words.
    pub(super) fn rank_in_words(&self, rank: Option<usize>) -> String {
        match (rank, self.details.status) {
            (Some(rank), _) => rank.to_string(),
            (None, TeamStatus::Disqualified) => "dq".to_owned(),
            (None, _) => "-".to_owned(),
        }
    }
}

// Collects from events what the standings of a contest need, and no more.

/// The results of a contest so far.
#[derive(Default)]
pub struct ContestResults {
    /// The first event.
    pub opening: SuiteStart,
    pub(super) attempts: Vec<TeamAttempt>,
    pub(super) is_interrupted: bool,
}

/// One submission of a team.
pub(super) struct TeamAttempt {
    pub(super) entrant: Entrant,
    pub(super) problem: Arc<str>,
    pub(super) outcome: AttemptOutcome,
    /// Its points, if the problem gives some.
    pub(super) score: Option<Score>,
    /// The case that decided its verdict, if it was judged and not accepted.
    pub(super) failed_case: Option<String>,
}

/// The effect of a submission on a ranking.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum AttemptOutcome {
    Accepted,
    Rejected,
    /// It did not compile, which costs nothing.
    Refused,
    /// The judge failed on it, or could not judge it on this machine: counts neither
    /// for nor against the team.
    Unjudged,
}

impl ContestResults {
    /// Handles one event, in order.
    pub fn take_event(&mut self, event: &Event) {
        use AttemptOutcome::*;

        match event {
            Event::SuiteStarted(start) => self.opening = (**start).clone(),
            Event::SubmissionFinished(summary) => {
                let outcome = match summary.verdict {
                    // A case that was not judged might have been accepted, or might have
                    // decided the verdict.
                    _ if summary.faults > 0 || summary.is_unjudged() => Unjudged,
                    Some(Verdict::Accepted) if !summary.has_lost_points() => Accepted,
                    Some(Verdict::CompileError) => Refused,
                    Some(_) => Rejected,
                    None => Unjudged,
                };
                let failed_case = summary.worst_case.clone();
                self.attempts.extend(summary.entrant.clone().map(|entrant| {
                    TeamAttempt {
                        entrant,
                        problem: Arc::clone(&summary.problem),
                        score: summary.score.clone(),
                        failed_case: failed_case.filter(|_| outcome == Rejected),
                        outcome,
                    }
                }));
            }
            Event::SubmissionSkipped(skip) => {
                self.attempts.extend(skip.entrant.clone().map(|entrant| {
                    TeamAttempt {
                        entrant,
                        problem: Arc::clone(&skip.problem),
                        outcome: Unjudged,
                        score: None,
                        failed_case: None,
                    }
                }));
            }
            Event::SuiteInterrupted(_) => self.is_interrupted = true,
            _ => {}
        }
    }

    /// The rules of the contest, if any are given.
    pub fn rules(&self) -> ContestRules {
        let contest = self.opening.contest.as_ref();
        contest.map_or_else(ContestRules::default, |contest| (*contest.rules).clone())
    }

    /// Whether a contest was judged.
    pub fn is_contest(&self) -> bool {
        self.opening.contest.is_some() || !self.attempts.is_empty()
    }
}

impl TeamAttempt {
    pub(super) fn has_fewest_as_best(&self) -> bool {
        self.score
            .as_ref()
            .is_some_and(|score| score.fewest_is_best)
    }
}

/// Minutes that a rejected attempt costs unless something else is said.
const DEFAULT_PENALTY: u64 = 20;

/// The rules of a ranking. All times are minutes since the start of the contest; in
/// minute `n`, `n` of them are over, so what ends or begins at `n` excludes or includes
/// all of that minute.
#[derive(Clone, Copy)]
pub struct StandingsRules {
    /// The ranking criterion.
    pub by: RankingMode,
    /// Minutes that a rejected attempt at a problem costs once the problem is solved.
    pub penalty: u64,
    /// From when on attempts do not count, because the contest is over.
    pub length: Option<u64>,
    /// From when on the results of attempts are not shown.
    pub freeze: Option<u64>,
    /// From when on attempts are left out, as if they had not been made yet.
    pub as_of: Option<u64>,
}

/// What is asked for in place of the rules of a contest.
#[derive(Clone, Copy, Debug, Default)]
pub struct RankingChoice {
    /// The ranking criterion.
    pub by: Option<RankingMode>,
    /// Minutes that a rejected attempt costs.
    pub penalty: Option<u64>,
    /// From when on results are not shown.
    pub freeze: Option<u64>,
    /// Whether all results are shown, whatever the rules say.
    pub unfreeze: bool,
    /// From when on attempts are left out.
    pub as_of: Option<u64>,
}

impl StandingsRules {
    /// The rules as phrases. Without the minutes of attempts, no time matters.
    pub(super) fn in_words(&self, has_minutes: bool) -> Vec<String> {
        let mut words = vec![match (self.by, has_minutes) {
            (RankingMode::Points, _) => "ranked by points".to_owned(),
            (RankingMode::Icpc, true) => format!(
                "ranked by problems solved, then by time, with {} for a rejected attempt",
                counted(self.penalty, "minute")
            ),
            (RankingMode::Icpc, false) => format!(
                "ranked by problems solved, then by rejected attempts, {} each",
                self.penalty
            ),
        }];
        let times = [self.length, self.freeze, self.as_of];
        if !has_minutes && times.iter().any(Option::is_some) {
            words.push(
                "its times do not count, since attempts have no minutes".to_owned(),
            );
            return words;
        }
        if let Some(minute) = self.freeze {
            words.push(format!("frozen since minute {minute}"));
        }
        if let Some(minute) = self.as_of {
            words.push(format!("as they were after {}", counted(minute, "minute")));
        }
        words
    }
}

impl RankingChoice {
    /// The rules of a contest, as far as nothing else is asked for.
    pub fn rules(&self, given: &ContestRules) -> StandingsRules {
        StandingsRules {
            by: self.by.or(given.by).unwrap_or(RankingMode::Icpc),
            penalty: self.penalty.or(given.penalty).unwrap_or(DEFAULT_PENALTY),
            length: given.length,
            freeze: self.freeze.or(given.freeze).filter(|_| !self.unfreeze),
            as_of: self.as_of,
        }
    }

    /// Makes the rules that are asked for those of the contest, so that its log has
    /// them. What is only a view of the standings is not recorded.
    pub fn record_in(&self, rules: &mut ContestRules) {
        rules.by = self.by.or(rules.by);
        rules.penalty = self.penalty.or(rules.penalty);
        rules.freeze = self.freeze.or(rules.freeze);
    }
}
