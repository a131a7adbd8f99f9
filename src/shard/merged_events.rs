//! Puts the events of shards together as the events of one plan: the submissions in the
//! order of the plan, whichever shard judged them. Holds one event of each shard at a
//! time. Start at [`merge_events`].
//!
//! If the cases of a submission were divided among shards, its events become those of
//! one run over all cases. What ran after its first failure does not count, because one
//! machine would not have run it.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::Peekable;
use std::sync::Arc;

use crate::model::{
    Event, LOG_VERSION, SubmissionSummary, SuiteStart, Tally, TrialFault,
    TrialRecord, Verdict,
};
use crate::shard::RunSummary;

use Event::*;

/// Emits the events of a plan, in order, from runs of its shards with their events; each
/// with the place in the plan of the submission that was begun last, from 1. If these
/// are not all shards, or some are left out, the events end as those of an interrupted
/// suite. `notes` are added to the first event.
///
/// # Errors
/// Returns the first error of the events.
pub fn merge_events<I, E>(
    runs: Vec<(&RunSummary, I)>,
    is_whole: bool,
    notes: Vec<String>,
    emit: &mut dyn FnMut(Event, usize),
) -> Result<(), E>
where
    I: Iterator<Item = Result<Event, E>>,
{
    if let Some(opening) = opening(&runs, notes) {
        emit(opening, 0);
    }
    let case_split = runs.first().and_then(|(run, _)| run.shard.case_split);
    let mut next = BTreeSet::new();
    let mut sources = vec![];
    for (run, events) in runs {
        let mut events = events.peekable();
        // The first event of each is part of the opening.
        drop(events.next());
        let mut ordinals = run.shard.ordinals.clone().into_iter();
        if let Some(ordinal) = ordinals.next() {
            next.insert((ordinal, sources.len()));
        }
        sources.push(ShardEvents { events, ordinals });
    }
    let mut merger = EventMerger {
        sources,
        next,
        told: BTreeSet::new(),
        problems: BTreeMap::new(),
        tally: Tally::default(),
        is_whole,
        place: 0,
        emit,
    };
    merger.pass_mistakes()?;
    while let Some((place, source)) = merger.next.pop_first() {
        merger.place = place;
        match case_split {
            Some(split) => merger.join_cases(source, split.stops_at_first)?,
            None => {
                while let Some(event) = merger.read(source)? {
                    let is_end = is_end_of_submission(&event);
                    merger.pass(event);
                    if is_end {
                        break;
                    }
                }
            }
        }
    }
    merger.pass_mistakes()?;
    let ending = Event::ending(merger.tally, !merger.is_whole);
    (merger.emit)(ending, merger.place);
    Ok(())
}

/// The events of a plan while they are put together.
struct EventMerger<'e, I: Iterator> {
    sources: Vec<ShardEvents<I>>,
    /// The sources that have a submission to come, by its place in the plan.
    next: BTreeSet<(usize, usize)>,
    /// The mistakes that have been passed on, by their texts.
    told: BTreeSet<String>,
    /// The problems, by when their first submission came.
    problems: BTreeMap<Arc<str>, usize>,
    tally: Tally,
    is_whole: bool,
    /// The place in the plan of the submission that was begun last, from 1.
    place: usize,
    emit: &'e mut dyn FnMut(Event, usize),
}

/// The events of one shard.
struct ShardEvents<I: Iterator> {
    events: Peekable<I>,
    ordinals: std::vec::IntoIter<usize>,
}

impl<I, E> EventMerger<'_, I>
where
    I: Iterator<Item = Result<Event, E>>,
{
    /// Passes on the mistakes of all sources that come next and were not told before,
    /// in the order of the submissions so far.
    fn pass_mistakes(&mut self) -> Result<(), E> {
        let mut mistakes = vec![];
        for source in &mut self.sources {
            while let Some(found) = source
                .events
                .next_if(|found| matches!(found, Ok(MistakeFound(_)) | Err(_)))
            {
                if let MistakeFound(record) = found?
                    && self.told.insert(format!("{record:?}"))
                {
                    mistakes.push(record);
                }
            }
        }
        mistakes.sort_by_key(|record| self.problems.get(&record.problem).copied());
        for record in mistakes {
            (self.emit)(MistakeFound(record), self.place);
        }
        Ok(())
    }

    /// The next event of a source, if its log goes on; notes when a submission of it
    /// ends.
    fn read(&mut self, source: usize) -> Result<Option<Event>, E> {
        let shard = &mut self.sources[source];
        let found = shard
            .events
            .next_if(|found| !found.as_ref().is_ok_and(Event::is_ending))
            .transpose()?;
        match &found {
            Some(event) if is_end_of_submission(event) => {
                let place = shard.ordinals.next();
                self.next.extend(place.map(|place| (place, source)));
            }
            Some(_) => {}
            // The log has changed since it was read first.
            None => self.is_whole = false,
        }
        Ok(found)
    }

    /// Passes on an event of a submission.
    fn pass(&mut self, event: Event) {
        event.count_in(&mut self.tally);
        if let Some((problem, _)) = event.opened() {
            let place = self.problems.len();
            self.problems.entry(Arc::clone(problem)).or_insert(place);
        }
        (self.emit)(event, self.place);
    }

    /// Puts together the events of the submission at this place, whose cases are divided
    /// among `first` and other sources.
    fn join_cases(&mut self, first: usize, stops_at_first: bool) -> Result<(), E> {
        let mut sources = vec![first];
        while let Some((place, source)) = self.next.first().copied()
            && place == self.place
        {
            sources.push(source);
            self.next.pop_first();
        }
        // That it begins, or that it is skipped everywhere.
        let mut first = None;
        // The sources that have more events of it, in the order of their first cases.
        let mut open = vec![];
        for source in sources {
            let Some(found) = self.read(source)? else {
                return Ok(());
            };
            if !matches!(found, SubmissionSkipped(_)) {
                open.push(source);
            }
            if !matches!(first, Some(SubmissionStarted(_))) {
                first = Some(found);
            }
        }
        if let Some(first) = first {
            self.pass(first);
        }
        let mut joined = JoinedSubmission {
            stops_at_first,
            ..JoinedSubmission::default()
        };
        let mut turn = 0;
        while !open.is_empty() {
            turn %= open.len();
            let source = open[turn];
            match self.read(source)? {
                Some(TrialFinished(record)) => {
                    turn += 1;
                    let record = joined.counted(*record, source);
                    self.pass(TrialFinished(Box::new(record)));
                }
                Some(TrialFaulted(failed)) => {
                    turn += 1;
                    self.pass(joined.faulted(failed));
                }
                Some(SubmissionFinished(summary)) => {
                    open.remove(turn);
                    joined.join(*summary, source);
                }
                Some(_) => {}
                None => _ = open.remove(turn),
            }
        }
        // The case that it fails may be in a shard that is missing.
        if let Some(summary) = joined.finished()
            && (self.is_whole || summary.verdict != Some(Verdict::Accepted))
        {
            self.pass(SubmissionFinished(Box::new(summary)));
        }
        Ok(())
    }
}

fn is_end_of_submission(event: &Event) -> bool {
    matches!(event, SubmissionFinished(_) | SubmissionSkipped(_))
}

/// The first event of a plan, from those of its shards, with further notes.
fn opening<I>(runs: &[(&RunSummary, I)], notes: Vec<String>) -> Option<Event> {
    let (first, _) = runs.first()?;
    let mut merged = SuiteStart {
        log_version: LOG_VERSION,
        submissions: first.shard.plan.submissions,
        notes: vec![],
        jobs: 0,
        trials: 0,
        ..first.started.clone()
    };
    let mut levels = BTreeSet::new();
    let mut machines = BTreeSet::new();
    for (run, _) in runs {
        let start = &run.started;
        levels.insert(start.sandbox.as_str());
        machines.insert(start.machine.as_str());
        for note in &start.notes {
            if !merged.notes.contains(note) && *note != run.shard.describe() {
                merged.notes.push(note.clone());
            }
        }
        if start.started < merged.started {
            merged.started.clone_from(&start.started);
        }
        merged.jobs += start.jobs;
        merged.trials += start.trials;
    }
    merged.notes.extend(notes);
    merged.sandbox = Vec::from_iter(levels).join("; ");
    merged.machine = Vec::from_iter(machines).join("; ");
    Some(SuiteStarted(Box::new(merged)))
}

/// A trial that one machine would not have run.
fn skipped(problem: Arc<str>, submission: Arc<str>, case: String) -> TrialRecord {
    TrialRecord::blank(problem, submission, case, Verdict::Skipped)
}

/// A submission while its events are put together.
#[derive(Default)]
struct JoinedSubmission {
    stops_at_first: bool,
    /// Whether no further case counts.
    is_lost: bool,
    /// The source whose summary has its verdict, once a case failed.
    decisive: Option<usize>,
    joined: Option<SubmissionSummary>,
    /// Has only the counts and figures of what was passed on.
    counts: SubmissionSummary,
}

impl JoinedSubmission {
    /// A trial as one machine would have had it, counted.
    fn counted(&mut self, record: TrialRecord, source: usize) -> TrialRecord {
        if self.is_lost {
            return skipped(record.problem, record.submission, record.case);
        }
        self.counts.count_trial(&record);
        if record.verdict == Verdict::Accepted {
            return record;
        }
        if self.counts.faults == 0 && self.decisive.is_none() {
            self.decisive = Some(source);
        }
        self.is_lost = self.stops_at_first || record.verdict == Verdict::CompileError;
        record
    }

    /// A fault as one machine would have had it, counted.
    fn faulted(&mut self, failed: Box<TrialFault>) -> Event {
        if self.is_lost {
            let record = skipped(failed.problem, failed.submission, failed.case);
            return TrialFinished(Box::new(record));
        }
        self.counts.faults += 1;
        self.is_lost = self.stops_at_first;
        TrialFaulted(failed)
    }

    /// Adds the summary of one source.
    fn join(&mut self, summary: SubmissionSummary, source: usize) {
        let Some(joined) = &mut self.joined else {
            self.joined = Some(summary);
            return;
        };
        joined.cases += summary.cases;
        joined.compile_us = joined.compile_us.max(summary.compile_us);
        let is_accepted = joined.verdict == Some(Verdict::Accepted);
        let is_slower = self.decisive.is_none()
            && is_accepted
            && summary.slowest_cpu_us > joined.slowest_cpu_us;
        joined.slowest_cpu_us = joined.slowest_cpu_us.max(summary.slowest_cpu_us);
        if self.decisive == Some(source) || is_slower {
            joined.verdict = summary.verdict;
            joined.worst_case = summary.worst_case;
            joined.reason = summary.reason;
        }
    }

    /// The summary of all sources, if any has one, with the counts of what was passed
    /// on.
    fn finished(self) -> Option<SubmissionSummary> {
        let summary = self.joined?;
        let counts = self.counts;
        let has_no_verdict = counts.faults > 0 && self.decisive.is_none();
        let verdict = summary.verdict.filter(|_| !has_no_verdict);
        Some(SubmissionSummary {
            worst_case: summary.worst_case.filter(|_| verdict.is_some()),
            reason: if verdict.is_some() {
                summary.reason
            } else {
                String::new()
            },
            verdict,
            passed: counts.passed,
            faults: counts.faults,
            flaky: counts.flaky,
            slowest_cpu_us: counts.slowest_cpu_us,
            peak_memory_bytes: counts.peak_memory_bytes,
            ..summary
        })
    }
}
