//! Collects from events what the standings of a contest need, and no more.

use std::sync::Arc;

use crate::model::{Contest, Entrant, Event, Score, SubmissionSummary, Verdict};

/// The results of a contest so far.
#[derive(Clone, Debug, Default)]
pub struct ContestResults {
    pub(super) contest: Option<Contest>,
    pub(super) attempts: Vec<TeamAttempt>,
    pub(super) is_interrupted: bool,
    pub(super) is_part: bool,
}

/// One submission of a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TeamAttempt {
    pub(super) team: Arc<str>,
    pub(super) problem: Arc<str>,
    pub(super) minute: Option<u64>,
    pub(super) outcome: AttemptOutcome,
    /// Its points, if the problem gives some.
    pub(super) score: Option<Score>,
    /// The case that decided its verdict, if it was judged and not accepted.
    pub(super) failed_case: Option<String>,
}

/// The effect of a submission on a ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AttemptOutcome {
    Accepted,
    Rejected,
    /// It did not compile, which costs nothing.
    Refused,
    /// The judge failed on it, or could not judge it on this machine: counts neither for nor
    /// against the team.
    Unjudged,
}

impl ContestResults {
    /// Handles one event, in order.
    pub fn take(&mut self, event: &Event) {
        match event {
            Event::SuiteStarted { contest, part, .. } => {
                self.contest.clone_from(contest);
                self.is_part = *part;
            }
            Event::SubmissionFinished(summary) => {
                let score = summary.score.as_ref();
                let outcome = outcome_of(summary);
                let failed_case = summary
                    .worst_case
                    .clone()
                    .filter(|_| outcome == AttemptOutcome::Rejected);
                self.attempts
                    .extend(summary.entrant.as_ref().map(|entrant| TeamAttempt {
                        failed_case,
                        ..TeamAttempt::of(entrant, &summary.problem, outcome, score.cloned())
                    }));
            }
            Event::SubmissionSkipped {
                problem,
                entrant: Some(entrant),
                ..
            } => {
                self.attempts.push(TeamAttempt::of(
                    entrant,
                    problem,
                    AttemptOutcome::Unjudged,
                    None,
                ));
            }
            Event::SuiteInterrupted(_) => self.is_interrupted = true,
            _ => {}
        }
    }

    /// Whether a contest was judged.
    pub fn is_contest(&self) -> bool {
        self.contest.is_some() || !self.attempts.is_empty()
    }
}

impl TeamAttempt {
    fn of(
        entrant: &Entrant,
        problem: &Arc<str>,
        outcome: AttemptOutcome,
        score: Option<Score>,
    ) -> Self {
        let team = Arc::clone(&entrant.team);
        let problem = Arc::clone(problem);
        Self {
            team,
            problem,
            minute: entrant.minute,
            outcome,
            score,
            failed_case: None,
        }
    }

    pub(super) fn has_fewest_as_best(&self) -> bool {
        self.score
            .as_ref()
            .is_some_and(|score| score.fewest_is_best)
    }
}

fn outcome_of(summary: &SubmissionSummary) -> AttemptOutcome {
    match summary.verdict {
        // A case that was not judged might have been accepted, or might have decided the verdict.
        _ if summary.faults > 0 => AttemptOutcome::Unjudged,
        Some(Verdict::Accepted) if !summary.has_lost_points() => AttemptOutcome::Accepted,
        Some(Verdict::CompileError) => AttemptOutcome::Refused,
        Some(_) => AttemptOutcome::Rejected,
        None => AttemptOutcome::Unjudged,
    }
}
