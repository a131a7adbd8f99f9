//! Lists the slowest trials of a suite at its end, for the terminal.

use std::io::{self, Write};

use crate::model::{Event, LoggedLimits, TrialRecord, Verdict};
use crate::report::Sink;
use crate::text::{printable, round_time, time};

/// Keeps the slowest trials, and writes them when the suite is over.
pub struct SlowestTrials<W> {
    target: W,
    most: usize,
    limits: Option<LoggedLimits>,
    /// The slowest first; of equal ones, the first judged.
    trials: Vec<SlowTrial>,
}

struct SlowTrial {
    cpu_us: u64,
    limit_us: Option<u64>,
    verdict: Verdict,
    place: String,
}

impl<W: Write> SlowestTrials<W> {
    /// The `most` slowest trials, written to `target`.
    pub fn new(target: W, most: usize) -> Self {
        Self {
            target,
            most,
            limits: None,
            trials: Vec::new(),
        }
    }

    fn add(&mut self, record: &TrialRecord) {
        let Some(cpu_us) = record.cpu_us else {
            return;
        };
        let trials = &mut self.trials;
        let place = trials.partition_point(|trial| trial.cpu_us >= cpu_us);
        if place >= self.most {
            return;
        }
        trials.insert(
            place,
            SlowTrial {
                cpu_us,
                limit_us: self.limits.map(|limits| limits.cpu_us),
                verdict: record.verdict,
                place: format!(
                    "{} {} on {}",
                    record.problem, record.submission, record.case
                ),
            },
        );
        trials.truncate(self.most);
    }

    fn finish(&mut self) -> io::Result<()> {
        if self.trials.is_empty() {
            return Ok(());
        }
        writeln!(self.target, "\nslowest:")?;
        let width = self.trials.iter().map(|trial| time(trial.cpu_us).len());
        let width = width.max().unwrap_or_default();
        for trial in &self.trials {
            let limit = trial
                .limit_us
                .map_or_else(String::new, |limit| format!(" of {}", round_time(limit)));
            let spent = time(trial.cpu_us);
            let place = printable(&trial.place);
            writeln!(
                self.target,
                "  {spent:>width$}{limit}  {}  {place}",
                trial.verdict
            )?;
        }
        self.target.flush()
    }
}

impl<W: Write> Sink for SlowestTrials<W> {
    fn take_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::SubmissionStarted { limits, .. } => self.limits = Some(*limits),
            Event::TrialFinished(record) => self.add(record),
            Event::SuiteFinished(_) | Event::SuiteInterrupted(_) => self.finish()?,
            _ => {}
        }
        Ok(())
    }
}
