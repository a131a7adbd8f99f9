//! Collects what every student has handed in, as it was graded. Knows no rules. Of each
//! attempt it keeps the figures and one explanation, so that memory grows little with
//! each.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::ops::Range;
use std::sync::Arc;

use crate::model::{
    Contest, CourseRules, Event, Moment, PointValue, TrialRecord, Verdict,
};
use crate::report::{Graded, GradedOutcome, GradedSubmissions, Spool, Worth};
use crate::text::{JoinedTexts, counted};

/// All attempts of a course, in the order of the log.
pub struct CourseResults {
    graded: GradedSubmissions,
    pub(super) contest: Option<Contest>,
    /// When judging began, if the log says so.
    pub(super) started: Option<Moment>,
    pub(super) attempts: BTreeMap<Arc<str>, Vec<Attempt>>,
    /// Whether more may come: the judging was interrupted, or only a part was asked
    /// for.
    pub(super) is_partial: bool,
    /// The trials that explain attempts, if they are kept.
    explanations: Spool,
}

/// One attempt of a student at a problem.
pub(super) struct Attempt {
    pub(super) problem: Arc<str>,
    /// The name of the file in what the student has handed in.
    pub(super) file: String,
    pub(super) submitted: Option<Moment>,
    pub(super) verdict: Option<Verdict>,
    /// Why it is not accepted, or cannot be judged.
    pub(super) reason: String,
    pub(super) worth: Worth,
    pub(super) parts: Vec<AttemptPart>,
    /// The place of the first trial that was not accepted and may be explained.
    explained: Option<Range<u64>>,
}

/// A group of cases of an attempt.
pub(super) struct AttemptPart {
    pub(super) name: String,
    /// As the score says: what could not be judged counts as nothing in it.
    earned: Option<PointValue>,
    /// Whether all its cases were judged that could have counted.
    is_judged: bool,
    pub(super) of: Option<PointValue>,
    /// Whether the program was run on one of its cases.
    pub(super) was_run: bool,
    pub(super) passed: usize,
    pub(super) cases: usize,
    /// The verdict of the first case that was judged and not accepted, and why, after
    /// its name if that may be known.
    pub(super) failed: Option<String>,
}

impl CourseResults {
    /// Nothing yet. Reasons hold what is secret only if `reveals`.
    pub fn new(reveals: bool) -> Self {
        Self {
            graded: GradedSubmissions::new(reveals),
            contest: None,
            started: None,
            attempts: BTreeMap::new(),
            is_partial: false,
            explanations: Spool::default(),
        }
    }

    /// Collects from one event. If `explains`, keeps the trial that explains each
    /// attempt.
    ///
    /// # Errors
    /// If that cannot be kept.
    pub fn take_event(&mut self, event: &Event, explains: bool) -> io::Result<()> {
        match event {
            Event::SuiteStarted(start) => {
                self.contest.clone_from(&start.contest);
                self.started = Moment::parse(&start.started);
                self.is_partial |= start.part || start.shard.is_some();
            }
            Event::SuiteInterrupted(_) => self.is_partial = true,
            _ => {}
        }
        for mut graded in self.graded.take_event(event) {
            let trial = explained(&mut graded).filter(|_| explains);
            let explained = trial
                .map(|trial| self.explanations.add(&trial))
                .transpose()?;
            // A program that is of nobody stands for itself.
            let student = match &graded.entrant {
                Some(entrant) => Arc::clone(&entrant.team),
                None => Arc::clone(&graded.submission),
            };
            let attempt = Attempt::from_graded(graded, &student, explained);
            self.attempts.entry(student).or_default().push(attempt);
        }
        Ok(())
    }

    /// The trial that explains an attempt, if one was kept.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn explanation_of(
        &self,
        attempt: &Attempt,
    ) -> io::Result<Option<TrialRecord>> {
        let Some(place) = attempt.explained.clone() else {
            return Ok(None);
        };
        self.explanations.read(place)?.next().transpose()
    }

    /// The rules of the course; none if it is not one.
    pub(super) fn rules(&self) -> CourseRules {
        let rules = self.contest.as_ref().map(|contest| &contest.rules);
        rules
            .and_then(|rules| rules.course.clone())
            .unwrap_or_default()
    }
}

impl Attempt {
    fn from_graded(
        graded: Graded,
        student: &str,
        explained: Option<Range<u64>>,
    ) -> Self {
        let worth = graded.worth();
        let (verdict, reason) = match &graded.outcome {
            GradedOutcome::Judged(summary) => {
                let faults = why_unjudged(&graded).into_iter();
                let reason =
                    Some(&summary.reason).filter(|reason| !reason.is_empty());
                (summary.verdict, faults.chain(reason.cloned()).joined("; "))
            }
            GradedOutcome::Skipped(skip) => (None, skip.cause.clone()),
            GradedOutcome::Interrupted => {
                (None, "the judging was interrupted".to_owned())
            }
        };
        let parts = graded.parts.iter().map(|part| AttemptPart {
            name: part.name.clone(),
            earned: part.earned,
            is_judged: part
                .cases
                .iter()
                .all(|case| case.verdict.is_some() && !case.is_expired),
            of: part.of,
            was_run: part.was_run(),
            passed: part.passed(),
            cases: part.cases.len(),
            failed: part.first_failed().and_then(|case| {
                let failed = format!("{}, {}", case.verdict?, case.why);
                Some(if part.is_open {
                    format!("{}: {failed}", case.name)
                } else {
                    failed
                })
            }),
        });
        let file = graded.submission.strip_prefix(student);
        let file = file.and_then(|file| file.strip_prefix('/'));
        Self {
            file: file.unwrap_or(&graded.submission).to_owned(),
            problem: graded.problem,
            submitted: graded.entrant.and_then(|entrant| entrant.submitted),
            verdict,
            reason,
            worth,
            parts: parts.collect(),
            explained,
        }
    }

    /// The points in each of these groups of cases.
    pub(super) fn points_in(
        &self,
        groups: &[String],
    ) -> impl Iterator<Item = Option<PointValue>> {
        // Of two groups of one name, the first counts.
        let earned: HashMap<_, _> = self
            .parts
            .iter()
            .rev()
            .map(|part| (&*part.name, part.earned()))
            .collect();
        let groups = groups.iter();
        groups.map(move |group| earned.get(&**group).copied().flatten())
    }
}

/// How many cases the judge or the problem failed at, and what the first of them tells
/// of that, if it may be known; `None` if there are none.
fn why_unjudged(graded: &Graded) -> Option<String> {
    let unjudged: Vec<_> = graded
        .cases()
        .filter(|case| case.verdict.is_none())
        .collect();
    let told = unjudged.iter().find(|case| !case.why.is_empty());
    let how_many = counted(unjudged.len(), "case");
    (!unjudged.is_empty()).then(|| match told {
        Some(case) => format!("{how_many} could not be judged: {}", case.why),
        None => format!("{how_many} could not be judged"),
    })
}

/// Takes the trial that explains best: the first open case that failed, by what is
/// wrong or by what the program printed before it crashed, or what the compiler said.
fn explained(graded: &mut Graded) -> Option<Box<TrialRecord>> {
    let cases = graded.parts.iter_mut().flat_map(|part| &mut part.cases);
    let mut failed = cases.filter(|case| case.has_failed());
    let first = failed.find(|case| {
        case.record.as_deref().is_some_and(|record| {
            record.finding.is_some() || !record.stderr.is_empty()
        })
    });
    first.and_then(|case| case.record.take())
}

impl AttemptPart {
    /// Whether the problem gives points for it.
    pub(super) fn has_points(&self) -> bool {
        self.earned.is_some()
    }

    /// The points it got, if the problem gives some for it and they are known.
    pub(super) fn earned(&self) -> Option<PointValue> {
        self.earned.filter(|_| self.is_judged)
    }
}
