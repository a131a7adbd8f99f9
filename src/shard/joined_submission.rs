//! A submission whose cases were divided among shards: puts its events together as those of one run
//! over all cases. What ran after its first failure does not count, because one machine would not
//! have run it.

use crate::model::{Event, SubmissionSummary, TrialRecord, Verdict};

/// A submission while its events are put together.
pub(super) struct JoinedSubmission {
    /// The sources that have events of it, in the order of their first cases.
    sources: Vec<usize>,
    /// The place of the next one.
    turn: usize,
    /// Whether all sources have told that it begins.
    is_begun: bool,
    stops_at_first: bool,
    /// Whether a source has ended before its summary.
    pub(super) is_cut: bool,
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
    pub(super) fn new(sources: Vec<usize>, stops_at_first: bool) -> Self {
        Self {
            sources,
            turn: 0,
            is_begun: false,
            stops_at_first,
            is_cut: false,
            is_lost: false,
            decisive: None,
            joined: None,
            faults: 0,
            passed: 0,
            flaky: 0,
            slowest_cpu_us: 0,
            peak_memory_bytes: 0,
        }
    }

    /// The next event, from those that `read` gives of a source; `None` after the last.
    pub(super) fn next<E>(
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
                Some(Ok(Event::TrialFaulted {
                    problem,
                    submission,
                    case,
                    ..
                })) if self.is_lost => {
                    self.turn += 1;
                    let skipped = TrialRecord::blank(problem, submission, case, Verdict::Skipped);
                    return Some(Ok(Event::TrialFinished(Box::new(skipped))));
                }
                Some(Ok(event @ Event::TrialFaulted { .. })) => {
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
            if !matches!(found, Ok(Event::SubmissionSkipped { .. })) {
                self.sources.push(source);
            }
            if !matches!(first, Some(Ok(Event::SubmissionStarted { .. }))) {
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
