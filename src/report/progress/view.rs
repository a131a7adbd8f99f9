//! The content of the progress lines: the progress of a suite from its events, and the work in
//! progress from its activity.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::model::{ActiveStep, Case, Event, JudgingPhase, Tally};
use crate::report::expectation::ExpectationMode;
use crate::text::{clock, counted};

/// The most active submissions shown; further ones are counted.
const MOST_SHOWN: usize = 8;

/// Columns of the bar.
const BAR: usize = 14;

/// A submission, as `problem submission`, and its cases.
pub type ProgressEntry = (String, Arc<[Case]>);

/// Why submissions are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgingPurpose {
    /// To report their verdicts.
    Verdicts,
    /// To measure the time limit that their problem does not give. The verdicts follow later.
    TimeLimit,
    /// To measure how far they are from the time limit, beside their verdicts.
    Margins,
}

impl JudgingPurpose {
    /// What stands before the number of submissions.
    fn label(self) -> &'static str {
        match self {
            Self::Verdicts => "",
            Self::TimeLimit => "measuring the time limit: ",
            Self::Margins => "measuring times: ",
        }
    }
}

/// The progress of a suite.
pub(crate) struct ProgressView {
    entries: Vec<ProgressEntry>,
    purpose: JudgingPurpose,
    expectation: ExpectationMode,
    tally: Tally,
    /// When each active submission was first seen.
    seen: BTreeMap<usize, Duration>,
}

impl ProgressView {
    pub(crate) fn of(entries: Vec<ProgressEntry>, purpose: JudgingPurpose) -> Self {
        Self {
            entries,
            purpose,
            expectation: ExpectationMode::default(),
            tally: Tally::default(),
            seen: BTreeMap::new(),
        }
    }

    /// Counts an event.
    pub(crate) fn take(&mut self, event: &Event) {
        self.expectation.take(event);
        event.count_in(&mut self.tally);
    }

    /// The lines at a time `elapsed` after the start: the finished submissions, and the activity on
    /// others.
    pub(crate) fn lines(&mut self, doing: &[ActiveStep], elapsed: Duration) -> Vec<String> {
        let mut by_entry: BTreeMap<usize, Vec<JudgingPhase>> = BTreeMap::new();
        for doing in doing {
            by_entry.entry(doing.entry).or_default().push(doing.phase);
        }
        // Many may wait to be judged again: the first of them holds up all reports.
        let is_active = |phases: &[JudgingPhase]| !phases.iter().all(|phase| waits(*phase));
        let first_waiting = by_entry
            .iter()
            .find(|(_, phases)| !is_active(phases))
            .map(|(entry, _)| *entry);
        by_entry.retain(|entry, phases| is_active(phases) || Some(*entry) == first_waiting);
        // Between two cases a submission is not active for a moment. It is finished only once its
        // event has come.
        let done = self.done();
        self.seen.retain(|entry, _| *entry >= done);
        let mut lines = vec![self.head(elapsed)];
        for (&entry, phases) in by_entry.iter().take(MOST_SHOWN) {
            let since = *self.seen.entry(entry).or_insert(elapsed);
            if let Some((name, cases)) = self.entries.get(entry) {
                let time = clock(elapsed.saturating_sub(since));
                lines.push(format!("  {name}: {}, {time}", words(phases, cases.len())));
            }
        }
        if by_entry.len() > MOST_SHOWN {
            lines.push(format!("  and {} more", by_entry.len() - MOST_SHOWN));
        }
        lines
    }

    /// Number of finished submissions.
    fn done(&self) -> usize {
        self.tally.submissions()
    }

    fn head(&self, elapsed: Duration) -> String {
        let done = self.done();
        let all = self.entries.len();
        let filled = (BAR * done).checked_div(all).unwrap_or(BAR).min(BAR);
        let bar = format!("[{}{}]", "=".repeat(filled), " ".repeat(BAR - filled));
        let Tally {
            as_expected,
            surprising,
            skipped,
            ..
        } = self.tally;
        // Verdicts under a limit that is only used to measure say nothing about the submissions.
        let is_judged = self.purpose == JudgingPurpose::Verdicts;
        let counts = [
            (as_expected, self.expectation.word()),
            (surprising, "not"),
            (skipped, "skipped"),
        ];
        let counts = if is_judged { &counts[..] } else { &counts[2..] };
        let counts = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"));
        let counts = counts.collect::<Vec<_>>().join(", ");
        let colon = if counts.is_empty() { "" } else { ": " };
        let label = self.purpose.label();
        let all = counted(all, "submission");
        format!(
            "{bar} {label}{done} of {all}{colon}{counts}, {}",
            clock(elapsed)
        )
    }
}

/// Describes the activity on one submission with this many cases.
fn words(phases: &[JudgingPhase], cases: usize) -> String {
    if let Some(case) = phases.iter().find_map(|phase| match phase {
        JudgingPhase::JudgingAgain(case) => Some(case + 1),
        _ => None,
    }) {
        return format!("judging case {case} of {cases} again");
    }
    let judged = phases.iter().filter_map(|phase| match phase {
        JudgingPhase::Judging(case) => Some(case + 1),
        _ => None,
    });
    match (judged.clone().min(), judged.max()) {
        (Some(first), Some(last)) if first == last => format!("judging case {first} of {cases}"),
        (Some(first), Some(last)) => format!("judging cases {first} to {last} of {cases}"),
        _ => match phases {
            [JudgingPhase::Waiting(case), ..] => {
                format!(
                    "case {} of {cases} waits to be judged again, and later results for it",
                    case + 1
                )
            }
            _ => "compiling".to_owned(),
        },
    }
}

fn waits(phase: JudgingPhase) -> bool {
    matches!(phase, JudgingPhase::Waiting(_))
}

#[cfg(test)]
mod tests;
