//! Submissions as they are graded: what each is worth, and its parts. Reports for
//! courses and autograders are made of these. Start at
//! [`GradedSubmissions::take_event`].
//!
//! [`Disclosure`] is the only place that decides what is secret: reports for teams,
//! students and autograders see events that have passed through it. Samples are known.
//! Of any other case, only the verdict, the figures and the points are: the input, the
//! answer, what a checker says, and what the program wrote, which may be either, are
//! left out. So nothing in here is secret from the author of the submission, unless all
//! is revealed. What students are told in words has no figures of such a case either.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::model::{
    Entrant, Event, PointValue, Score, SubmissionSkip, SubmissionStart,
    SubmissionSummary, TrialRecord, Verdict, group_of_case,
};
use crate::report::explain;
use crate::text::one_line;

/// The points of a problem that gives none.
const WHOLE: u64 = 100;

/// The most trials kept with all texts that programs wrote, so that a submission cannot
/// fill the memory.
const MOST_WHOLE: usize = 10;

/// A submission as it is graded.
#[derive(Debug)]
pub struct Graded {
    /// Its problem.
    pub problem: Arc<str>,
    /// Its name.
    pub submission: Arc<str>,
    /// The team or student that submitted it, and when, if known.
    pub entrant: Option<Entrant>,
    /// What came of it.
    pub outcome: GradedOutcome,
    /// Its parts, in the order of the log; none if it was skipped.
    pub parts: Vec<GradedPart>,
}

/// What came of a submission.
#[derive(Debug, Default)]
pub enum GradedOutcome {
    /// It was judged, as far as the judge did not fail and the deadline allowed.
    Judged(Box<SubmissionSummary>),
    /// It cannot be judged on this machine.
    Skipped(Box<SubmissionSkip>),
    /// It is not finished, or judging was interrupted before it was.
    #[default]
    Interrupted,
}

impl GradedOutcome {
    /// The summary, if it was judged.
    pub fn summary(&self) -> Option<&SubmissionSummary> {
        match self {
            Self::Judged(summary) => Some(summary),
            Self::Skipped(_) | Self::Interrupted => None,
        }
    }
}

/// A group of cases that gives points or, in a problem without points, a folder of
/// cases.
#[derive(Debug)]
pub struct GradedPart {
    /// Its name, as `secret`; empty if its cases are in no folder.
    pub name: String,
    /// The points it got; `None` if the problem gives none.
    pub earned: Option<PointValue>,
    /// The points available in it; `None` if they have no bound, or if the problem
    /// gives none.
    pub of: Option<PointValue>,
    /// Whether the author may know what is in its cases: they are samples, or nothing
    /// is secret.
    pub is_open: bool,
    /// Its cases, as far as the log has them.
    pub cases: Vec<GradedCase>,
}

/// A case of a submission.
#[derive(Debug, Default)]
pub struct GradedCase {
    /// Its name, as `secret/017`.
    pub name: String,
    /// Its verdict, `SK` if it was not judged; `None` if the judge failed at it.
    pub verdict: Option<Verdict>,
    /// Whether it was not judged because the deadline came first.
    pub is_expired: bool,
    /// Its CPU time, in microseconds, if it was run.
    pub cpu_us: Option<u64>,
    /// The reason for its verdict in a line, which is safe to show; empty if it is
    /// accepted.
    pub why: String,
    /// The whole trial, of the first cases that are not accepted.
    pub record: Option<Box<TrialRecord>>,
}

/// What a submission is worth.
#[derive(Clone, Copy)]
pub struct Worth {
    /// The points it is known to have, from 0 to `of`.
    pub earned: PointValue,
    /// The points that there are.
    pub of: PointValue,
    /// Whether these points say something about it: the judge has not failed at it.
    pub is_known: bool,
    /// Whether that is its result. If not, the judge has failed, or could not finish.
    pub is_final: bool,
}

impl Worth {
    /// As `12 of 20 points`.
    pub(super) fn in_words(self) -> String {
        format!("{} of {}", self.earned, self.of.in_words())
    }

    /// The part of the points that it has, from 0 to 1.
    pub(super) fn share(self) -> f64 {
        self.earned.get() / self.of.get().max(f64::MIN_POSITIVE)
    }
}

impl Graded {
    /// What the submission is worth: its score. Where a problem gives no points, or
    /// points that have no bound, or where fewer are better, it is 100 points, all or
    /// nothing.
    pub fn worth(&self) -> Worth {
        let summary = self.outcome.summary();
        let score = summary.and_then(|summary| summary.score.as_ref());
        let verdict = summary.and_then(|summary| summary.verdict);
        let share = score
            .filter(|score| !score.fewest_is_best)
            .and_then(|score| Some((score.earned, score.of?)))
            .filter(|(_, of)| *of > PointValue::ZERO);
        let (earned, of) = match share {
            Some(points) => points,
            None if verdict == Some(Verdict::Accepted) => {
                (WHOLE.into(), WHOLE.into())
            }
            None => (PointValue::ZERO, WHOLE.into()),
        };
        let is_known = summary.is_some_and(|summary| summary.faults == 0);
        Worth {
            earned: earned.clamp(PointValue::ZERO, of),
            of,
            is_known,
            is_final: is_known && !self.is_expired(),
        }
    }

    /// What it is worth beside another attempt: the points that count, or the most that
    /// they can be, and whether they are known. What the judge failed at might be all
    /// points.
    pub(super) fn rank(&self) -> (PointValue, bool) {
        let worth = self.worth();
        let points = if worth.is_known {
            worth.earned
        } else {
            worth.of
        };
        (points, worth.is_known)
    }

    /// All its cases.
    pub fn cases(&self) -> impl Iterator<Item = &GradedCase> {
        self.parts.iter().flat_map(|part| &part.cases)
    }

    /// Whether the deadline came before a case that could have counted.
    pub fn is_expired(&self) -> bool {
        self.cases().any(|case| case.is_expired)
    }

    /// The trial in which the compiler refused it.
    pub fn compile_error(&self) -> Option<&TrialRecord> {
        self.cases()
            .find(|case| case.verdict == Some(Verdict::CompileError))?
            .record
            .as_deref()
    }
}

impl GradedPart {
    /// Whether it has all its points or, if it has no number of points, all its cases
    /// are accepted.
    pub fn has_passed(&self) -> bool {
        match (self.earned, self.of) {
            (Some(earned), Some(of)) if of > PointValue::ZERO => earned >= of,
            _ => self.passed() == self.cases.len() && !self.cases.is_empty(),
        }
    }

    /// Whether the program was run on one of its cases, as far as is known: after a
    /// compile error, or a case that decides the verdict, it is not.
    pub fn was_run(&self) -> bool {
        use Verdict::{CompileError, Skipped};

        let mut verdicts = self.cases.iter().map(|case| case.verdict);
        verdicts.any(|verdict| !matches!(verdict, Some(Skipped | CompileError)))
    }

    /// The number of accepted cases.
    pub fn passed(&self) -> usize {
        self.cases.iter().filter(|case| case.is_accepted()).count()
    }

    /// The first case that was judged and not accepted.
    pub fn first_failed(&self) -> Option<&GradedCase> {
        self.cases.iter().find(|case| case.has_failed())
    }
}

impl GradedCase {
    /// Whether it is accepted.
    pub fn is_accepted(&self) -> bool {
        self.verdict == Some(Verdict::Accepted)
    }

    /// Whether it was judged and not accepted.
    pub fn has_failed(&self) -> bool {
        !matches!(
            self.verdict,
            None | Some(Verdict::Accepted | Verdict::Skipped)
        )
    }
}

/// Follows the events of a log, and gives each submission when it ends.
pub struct GradedSubmissions {
    disclosure: Disclosure,
    current: Option<OpenSubmission>,
}

/// A submission of which more may come.
#[derive(Default)]
struct OpenSubmission {
    start: SubmissionStart,
    cases: Vec<GradedCase>,
    /// How many cases have their whole trial.
    whole: usize,
}

impl GradedSubmissions {
    /// With what is secret only if `reveals`.
    pub fn new(reveals: bool) -> Self {
        Self {
            disclosure: Disclosure { reveals },
            current: None,
        }
    }

    /// Handles one event. Returns the submissions that end with it: an unfinished one
    /// before another.
    pub fn take_event(&mut self, event: &Event) -> Vec<Graded> {
        use Event::*;

        let opened = self.disclosure.opened(event);
        let mut ended = vec![];
        if event.opened().is_some() || event.is_ending() {
            ended.extend(self.end(GradedOutcome::Interrupted));
        }
        match opened.as_ref().unwrap_or(event) {
            SubmissionStarted(start) => {
                self.current = Some(OpenSubmission::begin((**start).clone()));
            }
            TrialFinished(record) => {
                let is_open = self.disclosure.is_open(&record.case);
                let submission = self.open(&record.problem, &record.submission);
                // Without limits, no figures are told.
                let limits = submission.start.limits.filter(|_| is_open);
                let mut case = GradedCase {
                    name: record.case.clone(),
                    verdict: Some(record.verdict),
                    is_expired: record.expired,
                    cpu_us: record.cpu_us,
                    ..GradedCase::default()
                };
                if case.has_failed() {
                    case.why = explain::why(record, limits);
                    if submission.whole < MOST_WHOLE {
                        submission.whole += 1;
                        case.record = Some(record.clone());
                    }
                }
                submission.cases.push(case);
            }
            TrialFaulted(failed) => {
                let said =
                    opened.as_ref().map(|_| one_line(&failed.fault.to_string()));
                let submission = self.open(&failed.problem, &failed.submission);
                submission.cases.push(GradedCase {
                    name: failed.case.clone(),
                    why: said.unwrap_or_default(),
                    ..GradedCase::default()
                });
            }
            SubmissionFinished(summary) => {
                self.open(&summary.problem, &summary.submission);
                ended.extend(self.end(GradedOutcome::Judged(summary.clone())));
            }
            SubmissionSkipped(skip) => {
                self.current =
                    Some(OpenSubmission::begin(SubmissionStart::skipped(skip)));
                ended.extend(self.end(GradedOutcome::Skipped(skip.clone())));
            }
            _ => {}
        }
        ended
    }

    /// The current submission. In a log whose beginning was cut off, a trial may come
    /// without a start.
    fn open(
        &mut self,
        problem: &Arc<str>,
        submission: &Arc<str>,
    ) -> &mut OpenSubmission {
        self.current.get_or_insert_with(|| {
            OpenSubmission::begin(SubmissionStart::named(problem, submission))
        })
    }

    /// Ends the current submission, if there is one.
    fn end(&mut self, outcome: GradedOutcome) -> Option<Graded> {
        let OpenSubmission { start, cases, .. } = self.current.take()?;
        let summary = outcome.summary();
        let score = summary.and_then(|summary| summary.score.as_ref());
        Some(Graded {
            problem: start.problem,
            submission: start.submission,
            entrant: summary.map_or(start.entrant, |summary| summary.entrant.clone()),
            parts: parts(cases, score, &self.disclosure),
            outcome,
        })
    }
}

impl OpenSubmission {
    fn begin(start: SubmissionStart) -> Self {
        Self {
            start,
            ..Self::default()
        }
    }
}

/// The groups of a score with their cases and, for cases in none of them, a part for
/// each folder.
fn parts(
    cases: Vec<GradedCase>,
    score: Option<&Score>,
    disclosure: &Disclosure,
) -> Vec<GradedPart> {
    let named = |name: &str| GradedPart {
        name: name.to_owned(),
        earned: None,
        of: None,
        is_open: disclosure.is_open(name),
        cases: vec![],
    };
    let mut parts: Vec<_> = score
        .iter()
        .flat_map(|score| &score.groups)
        .map(|group| GradedPart {
            earned: Some(group.earned),
            of: group.of,
            ..named(&group.name)
        })
        .collect();
    let mut places = BTreeMap::new();
    for (place, part) in parts.iter().enumerate() {
        places.entry(part.name.clone()).or_insert(place);
    }
    for case in cases {
        // The innermost of the folders that the case is in.
        let folders = case.name.rmatch_indices('/');
        let place = folders
            .map(|(end, _)| &case.name[..end])
            .chain((!case.name.contains('/')).then_some(""))
            .find_map(|folder| places.get(folder).copied());
        let place = place.unwrap_or_else(|| {
            let folder = group_of_case(&case.name);
            parts.push(named(folder));
            places.insert(folder.to_owned(), parts.len() - 1);
            parts.len() - 1
        });
        parts[place].cases.push(case);
    }
    parts
}

/// The group of cases that everybody may know.
const SAMPLE: &str = "sample";

/// Takes what is secret out of events, which come in order.
pub(crate) struct Disclosure {
    /// Whether nothing is secret.
    pub(crate) reveals: bool,
}

impl Disclosure {
    /// Whether the contents of a case, or of a group of cases, may be known.
    fn is_open(&self, case: &str) -> bool {
        self.reveals || case.split('/').next() == Some(SAMPLE)
    }

    /// The event without what is secret; `None` if nothing is left of it.
    pub(crate) fn opened(&self, event: &Event) -> Option<Event> {
        use Event::*;

        let mut event = event.clone();
        match &mut event {
            // It may name folders of the judge.
            SubmissionStarted(start) => start.path.clear(),
            TrialFinished(record) if !self.is_open(&record.case) => {
                let open = without_secrets(record);
                let secret = std::mem::replace(&mut **record, open);
                if record.verdict == Verdict::CompileError {
                    // What a compiler says is about the program alone.
                    record.exit = secret.exit;
                    record.stderr = secret.stderr;
                }
            }
            SubmissionFinished(summary) => {
                // The reason is left out, unless it is about the program alone, or an
                // open case.
                let is_own = summary.verdict == Some(Verdict::CompileError);
                let case = summary.worst_case.as_deref();
                if !is_own && !case.is_some_and(|case| self.is_open(case)) {
                    summary.reason.clear();
                }
            }
            // A fault may quote what the judge was doing, and mistakes are for the
            // jury.
            TrialFaulted(failed) if !self.is_open(&failed.case) => return None,
            MistakeFound(_) => return None,
            _ => {}
        }
        Some(event)
    }
}

/// The trial with what any program could be told of itself: verdict, figures and
/// points. Not how it ended: it may have chosen the code by what is in the input.
fn without_secrets(record: &TrialRecord) -> TrialRecord {
    TrialRecord {
        problem: Arc::clone(&record.problem),
        submission: Arc::clone(&record.submission),
        case: record.case.clone(),
        verdict: record.verdict,
        expected: record.expected.clone(),
        cpu_us: record.cpu_us,
        wall_us: record.wall_us,
        peak_memory_bytes: record.peak_memory_bytes,
        rerun: record.rerun,
        cached: record.cached,
        expired: record.expired,
        attempts: record.attempts.clone(),
        points: record.points,
        ..TrialRecord::default()
    }
}

#[cfg(test)]
pub(crate) mod tests;
