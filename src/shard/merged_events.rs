//! Puts the events of shards together as the events of one plan: the submissions in the
//! order of the plan, whichever shard judged them. Holds one event of each shard at a
//! time. Start at [`MergedEvents::new`].
//!
//! If the cases of a submission were divided among shards, its events become those of
//! one run over all cases. What ran after its first failure does not count, because one
//! machine would not have run it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::iter::Peekable;
use std::sync::Arc;

use crate::model::{
    CaseSplit, Event, LOG_VERSION, SubmissionSummary, SuiteStart, Tally, TrialRecord,
    Verdict,
};
use crate::shard::RunSummary;
use crate::sorted::{SortedMap, SortedSet};

/// The events of a plan, in order, from those of its shards.
pub struct MergedEvents<I: Iterator> {
    sources: Vec<ShardEvents<I>>,
    /// The sources that have a submission to come, by its place in the plan.
    next: BinaryHeap<Reverse<(usize, usize)>>,
    stage: MergeStage,
    /// The mistakes that have been passed on, by their texts.
    told: SortedSet<String>,
    /// The problems, by when their first submission came.
    problems: SortedMap<Arc<str>, usize>,
    /// The mistakes that were found after judging, until all are read.
    late: Vec<Event>,
    tally: Tally,
    is_whole: bool,
    opening: Option<Event>,
    /// Whether a submission's first failure settles it, if its cases are divided.
    case_split: Option<CaseSplit>,
    /// The place in the plan of the submission that was begun last, from 1.
    place: usize,
    joining: Option<JoinedSubmission>,
}

/// The events of one shard.
struct ShardEvents<I: Iterator> {
    events: Peekable<I>,
    ordinals: std::vec::IntoIter<usize>,
}

/// What comes next.
enum MergeStage {
    /// The mistakes that were found before judging, of this source.
    Mistakes(usize),
    /// A submission.
    Submissions,
    /// The events of a submission, of this source.
    Inside(usize),
    /// The events of a submission whose cases are divided.
    Joining,
    /// The mistakes that were found after judging, of this source.
    LateMistakes(usize),
    End,
    Over,
}

impl<I, E> MergedEvents<I>
where
    I: Iterator<Item = Result<Event, E>>,
{
    /// The events of a plan, from runs of its shards with their events. If these are
    /// not all shards, or some are left out, the events end as those of an interrupted
    /// suite. `notes` are added to the first event.
    pub fn new(
        runs: Vec<(&RunSummary, I)>,
        is_whole: bool,
        notes: Vec<String>,
    ) -> Self {
        let summaries: Vec<_> = runs.iter().map(|(run, _)| *run).collect();
        let opening = opening(&summaries, notes);
        let mut next = BinaryHeap::new();
        let mut sources = Vec::new();
        for (run, events) in runs {
            let mut events = events.peekable();
            // The first event of each is part of `opening`.
            drop(events.next());
            let mut ordinals = run.shard.ordinals.clone().into_iter();
            if let Some(ordinal) = ordinals.next() {
                next.push(Reverse((ordinal, sources.len())));
            }
            sources.push(ShardEvents { events, ordinals });
        }
        Self {
            sources,
            next,
            stage: MergeStage::Mistakes(0),
            told: SortedSet::new(),
            problems: SortedMap::new(),
            late: Vec::new(),
            tally: Tally::default(),
            is_whole,
            opening,
            case_split: summaries.first().and_then(|run| run.shard.case_split),
            place: 0,
            joining: None,
        }
    }

    /// The place in the plan of the submission of the last event, from 1; 0 before the
    /// first.
    pub fn place(&self) -> usize {
        self.place
    }

    /// Goes to the next submission, or beyond the last.
    fn begin_submission(&mut self) -> MergeStage {
        let Some(Reverse((place, first))) = self.next.pop() else {
            return MergeStage::LateMistakes(0);
        };
        self.place = place;
        let Some(split) = self.case_split else {
            return MergeStage::Inside(first);
        };
        let mut sources = vec![first];
        while let Some(Reverse((_, source))) =
            self.next.peek().filter(|next| next.0.0 == place)
        {
            sources.push(*source);
            self.next.pop();
        }
        self.joining = Some(JoinedSubmission::new(sources, split.stops_at_first));
        MergeStage::Joining
    }

    /// The next event of the submission whose cases are divided; `None` after its last.
    fn joined(&mut self) -> Option<Result<Event, E>> {
        let Self {
            sources,
            next,
            joining,
            ..
        } = self;
        joining
            .as_mut()?
            .next(&mut |source| Self::read(source, sources, next))
    }

    /// The next event of a source, if its log goes on; notes when a submission of it
    /// ends.
    fn read(
        source: usize,
        sources: &mut [ShardEvents<I>],
        next: &mut BinaryHeap<Reverse<(usize, usize)>>,
    ) -> Option<Result<Event, E>> {
        let shard = &mut sources[source];
        let found = shard
            .events
            .next_if(|found| !found.as_ref().is_ok_and(Event::is_ending))?;
        if is_end_of_submission(&found)
            && let Some(ordinal) = shard.ordinals.next()
        {
            next.push(Reverse((ordinal, source)));
        }
        Some(found)
    }

    /// The next mistake of a source that was not told before, if one comes next.
    fn mistake(&mut self, source: usize) -> Option<Result<Event, E>> {
        loop {
            let events = &mut self.sources.get_mut(source)?.events;
            let found = events.next_if(|found| {
                matches!(found, Ok(Event::MistakeFound(_)) | Err(_))
            })?;
            match &found {
                Ok(Event::MistakeFound(record))
                    if !self.told.insert(format!("{record:?}")) => {}
                _ => return Some(found),
            }
        }
    }

    fn counted(&mut self, found: Result<Event, E>) -> Result<Event, E> {
        if let Ok(event) = &found {
            event.count_in(&mut self.tally);
            if let Some((problem, _)) = event.opened() {
                let place = self.problems.len();
                self.problems.entry(Arc::clone(problem)).or_insert(place);
            }
        }
        found
    }

    /// Puts the late mistakes into the order of the plan, the first one last.
    fn sort_late(&mut self) {
        let Self { problems, late, .. } = self;
        late.sort_by_key(|event| match event {
            Event::MistakeFound(record) => problems.get(&record.problem).copied(),
            _ => None,
        });
        late.reverse();
    }

    fn last(&mut self) -> Event {
        Event::ending(self.tally, !self.is_whole)
    }
}

impl<I, E> Iterator for MergedEvents<I>
where
    I: Iterator<Item = Result<Event, E>>,
{
    type Item = Result<Event, E>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(opening) = self.opening.take() {
            return Some(Ok(opening));
        }
        loop {
            match self.stage {
                MergeStage::Mistakes(source) if source < self.sources.len() => {
                    if let Some(mistake) = self.mistake(source) {
                        return Some(mistake);
                    }
                    self.stage = MergeStage::Mistakes(source + 1);
                }
                MergeStage::Mistakes(_) => self.stage = MergeStage::Submissions,
                MergeStage::LateMistakes(source) if source < self.sources.len() => {
                    match self.mistake(source) {
                        Some(Ok(mistake)) => self.late.push(mistake),
                        Some(error) => return Some(error),
                        None => self.stage = MergeStage::LateMistakes(source + 1),
                    }
                }
                MergeStage::LateMistakes(_) => {
                    self.sort_late();
                    self.stage = MergeStage::End;
                }
                MergeStage::Submissions => self.stage = self.begin_submission(),
                MergeStage::Inside(source) => {
                    match Self::read(source, &mut self.sources, &mut self.next) {
                        Some(found) => {
                            if is_end_of_submission(&found) {
                                self.stage = MergeStage::Submissions;
                            }
                            return Some(self.counted(found));
                        }
                        // The log has changed since it was read first.
                        None => {
                            self.is_whole = false;
                            self.stage = MergeStage::Submissions;
                        }
                    }
                }
                MergeStage::Joining => match self.joined() {
                    Some(found) => return Some(self.counted(found)),
                    None => {
                        self.is_whole &=
                            self.joining.take().is_none_or(|joined| !joined.is_cut);
                        self.stage = MergeStage::Submissions;
                    }
                },
                MergeStage::End => {
                    if let Some(mistake) = self.late.pop() {
                        return Some(Ok(mistake));
                    }
                    self.stage = MergeStage::Over;
                    return Some(Ok(self.last()));
                }
                MergeStage::Over => return None,
            }
        }
    }
}

fn is_end_of_submission<E>(found: &Result<Event, E>) -> bool {
    matches!(
        found,
        Ok(Event::SubmissionFinished(_) | Event::SubmissionSkipped(_))
    )
}

/// The first event of a plan, from those of its shards, with further notes.
fn opening(runs: &[&RunSummary], notes: Vec<String>) -> Option<Event> {
    let first = runs.first()?;
    let mut merged = SuiteStart {
        log_version: LOG_VERSION,
        submissions: first.shard.plan.submissions,
        notes: Vec::new(),
        jobs: 0,
        trials: 0,
        ..first.started.clone()
    };
    let mut levels = SortedSet::new();
    let mut machines = SortedSet::new();
    for run in runs {
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
    Some(Event::SuiteStarted(Box::new(merged)))
}

/// A submission while its events are put together.
#[derive(Default)]
struct JoinedSubmission {
    /// The sources that have events of it, in the order of their first cases.
    sources: Vec<usize>,
    /// The place of the next one.
    turn: usize,
    /// Whether all sources have told that it begins.
    is_begun: bool,
    stops_at_first: bool,
    /// Whether a source has ended before its summary.
    is_cut: bool,
    /// Whether no further case counts.
    is_lost: bool,
    /// The source whose summary has its verdict, once a case failed.
    decisive: Option<usize>,
    joined: Option<SubmissionSummary>,
    faults: usize,
    passed: usize,
    flaky: usize,
    slowest_cpu_us: u64,
    peak_memory_bytes: u64,
}

impl JoinedSubmission {
    fn new(sources: Vec<usize>, stops_at_first: bool) -> Self {
        Self {
            sources,
            stops_at_first,
            ..Self::default()
        }
    }

    /// The next event, from those that `read` gives of a source; `None` after the last.
    fn next<E>(
        &mut self,
        read: &mut dyn FnMut(usize) -> Option<Result<Event, E>>,
    ) -> Option<Result<Event, E>> {
        if !self.is_begun {
            self.is_begun = true;
            return self.begin(read);
        }
        while !self.sources.is_empty() {
            self.turn %= self.sources.len();
            let source = self.sources[self.turn];
            match read(source) {
                Some(Ok(Event::TrialFinished(record))) => {
                    self.turn += 1;
                    return Some(Ok(Event::TrialFinished(Box::new(
                        self.counted(*record, source),
                    ))));
                }
                Some(Ok(Event::TrialFaulted(failed))) if self.is_lost => {
                    self.turn += 1;
                    let skipped = TrialRecord::blank(
                        failed.problem,
                        failed.submission,
                        failed.case,
                        Verdict::Skipped,
                    );
                    return Some(Ok(Event::TrialFinished(Box::new(skipped))));
                }
                Some(Ok(event @ Event::TrialFaulted(_))) => {
                    self.turn += 1;
                    self.faults += 1;
                    self.is_lost = self.stops_at_first;
                    return Some(Ok(event));
                }
                Some(Ok(Event::SubmissionFinished(summary))) => {
                    self.sources.remove(self.turn);
                    self.join(*summary, source);
                }
                Some(Err(error)) => return Some(Err(error)),
                Some(Ok(_)) => {}
                None => {
                    self.is_cut = true;
                    self.sources.remove(self.turn);
                }
            }
        }
        let summary = self.joined.take()?;
        Some(Ok(Event::SubmissionFinished(Box::new(
            self.finished(summary),
        ))))
    }

    /// The first event: that it begins, or that it is skipped everywhere.
    fn begin<E>(
        &mut self,
        read: &mut dyn FnMut(usize) -> Option<Result<Event, E>>,
    ) -> Option<Result<Event, E>> {
        let mut first = None;
        let sources = std::mem::take(&mut self.sources);
        for source in sources {
            let found = read(source)?;
            if !matches!(found, Ok(Event::SubmissionSkipped(_))) {
                self.sources.push(source);
            }
            if !matches!(first, Some(Ok(Event::SubmissionStarted(_)))) {
                first = Some(found);
            }
        }
        first
    }

    /// A trial as one machine would have had it, counted.
    fn counted(&mut self, record: TrialRecord, source: usize) -> TrialRecord {
        if self.is_lost {
            return TrialRecord::blank(
                record.problem,
                record.submission,
                record.case,
                Verdict::Skipped,
            );
        }
        self.flaky += usize::from(record.is_flaky());
        self.slowest_cpu_us = self.slowest_cpu_us.max(record.cpu_us.unwrap_or(0));
        self.peak_memory_bytes = self
            .peak_memory_bytes
            .max(record.peak_memory_bytes.unwrap_or(0));
        if record.verdict == Verdict::Accepted {
            self.passed += 1;
            return record;
        }
        if self.faults == 0 && self.decisive.is_none() {
            self.decisive = Some(source);
        }
        self.is_lost = self.stops_at_first || record.verdict == Verdict::CompileError;
        record
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

    /// The summary of all sources, with the counts of what was passed on.
    fn finished(&self, summary: SubmissionSummary) -> SubmissionSummary {
        let has_no_verdict = self.faults > 0 && self.decisive.is_none();
        let verdict = summary.verdict.filter(|_| !has_no_verdict);
        SubmissionSummary {
            worst_case: summary.worst_case.filter(|_| verdict.is_some()),
            reason: if verdict.is_some() {
                summary.reason
            } else {
                String::new()
            },
            verdict,
            passed: self.passed,
            faults: self.faults,
            flaky: self.flaky,
            slowest_cpu_us: self.slowest_cpu_us,
            peak_memory_bytes: self.peak_memory_bytes,
            ..summary
        }
    }
}
