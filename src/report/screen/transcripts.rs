//! Shows what submissions and interactors say to each other as they say it, one
//! interaction after another, in the order of the plan. Lines of a case are held back
//! until its turn, and lines of a case that turns out not to count are never shown.
//!
//! Callers never wait, or a slow screen would cost a submission its time: a separate
//! thread does the writing. The text waiting to be written is bounded by the number of
//! lines shown of an interaction, and by how far judging runs ahead of the reports.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::{mem, thread};

use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::model::{
    Event, InteractionDisplay, PlannedCase, Transcript, TranscriptLine,
};
use crate::report::{ProgressEntry, Sink, WeakLiveLines, explain, heading};

/// Shows every interaction, with its verdict below it.
pub struct Transcripts {
    /// The receiver of lines while interactions take place.
    pub live: Arc<LiveTranscripts>,
}

/// Shows interactions while they take place.
pub struct LiveTranscripts {
    entries: Vec<ProgressEntry>,
    state: Mutex<TranscriptState>,
    added: Condvar,
    /// Must be locked before `state`, and after the lines of progress.
    target: Mutex<Box<dyn Write + Send>>,
    progress: Option<WeakLiveLines>,
}

/// The text to be written.
#[derive(Default)]
struct TranscriptState {
    /// The case whose interactions are shown as they take place.
    turn: PlannedCase,
    pages: BTreeMap<PlannedCase, CaseTranscript>,
    /// Text to be written next.
    waiting: String,
    /// The error that ended all writing.
    error: Option<io::Error>,
    is_over: bool,
}

/// The interactions on one case.
#[derive(Default)]
struct CaseTranscript {
    /// Text from before its turn.
    held: String,
    interactions: usize,
    /// Number of lines of the current interaction.
    lines: usize,
}

impl Transcripts {
    /// Shows interactions of submissions that are judged in this order, above these
    /// lines of progress.
    pub fn for_entries(
        entries: Vec<ProgressEntry>,
        target: Box<dyn Write + Send>,
        progress: Option<WeakLiveLines>,
    ) -> Self {
        let live = Arc::new(LiveTranscripts {
            entries,
            state: Mutex::default(),
            added: Condvar::new(),
            target: Mutex::new(target),
            progress,
        });
        let written = Arc::clone(&live);
        let thread = thread::Builder::new().name("transcripts".to_owned());
        // Without a thread, interactions are shown when they are over.
        let _ = thread.spawn(move || {
            loop {
                let mut state = written.state.lock();
                written.added.wait_while(&mut state, |state| {
                    state.waiting.is_empty() && !state.is_over
                });
                if state.is_over {
                    return;
                }
                drop(state);
                let result = match &written.progress {
                    Some(lines) => lines.suspend(|| written.write()),
                    None => written.write(),
                };
                if let Err(error) = result {
                    let mut state = written.state.lock();
                    state.error = Some(error);
                    state.is_over = true;
                }
            }
        });
        Self { live }
    }
}

impl Sink for Transcripts {
    fn take_event(&mut self, event: &Event) -> io::Result<()> {
        let mut state = self.live.state.lock();
        match event {
            Event::TrialFinished(record) => {
                let name = format!(
                    "{} {} on {}",
                    record.problem, record.submission, record.case
                );
                state.close(
                    &name,
                    record.transcript.as_ref(),
                    &format!("verdict: {}", record.verdict),
                );
            }
            Event::TrialFaulted(_) => {
                state.close("", None, "no verdict: the judge has failed")
            }
            _ => {}
        }
        drop(state);
        self.live.write()
    }
}

impl Drop for Transcripts {
    fn drop(&mut self) {
        // The thread is not joined: it may be waiting for the lines of progress while
        // the caller holds them.
        self.live.state.lock().is_over = true;
        self.live.added.notify_all();
    }
}

impl InteractionDisplay for LiveTranscripts {
    fn turn(&self, case: PlannedCase) {
        let mut state = self.state.lock();
        state.turn = case;
        state.pages.retain(|later, _| *later >= case);
        let held = state
            .pages
            .get_mut(&case)
            .map(|page| mem::take(&mut page.held));
        self.say_now(state, &held.unwrap_or_default());
    }

    fn begin(&self, case: PlannedCase) {
        let mut state = self.state.lock();
        let page = state.pages.entry(case).or_default();
        page.interactions += 1;
        page.lines = 0;
        let again = if page.interactions > 1 {
            format!(", interaction {}", page.interactions)
        } else {
            String::new()
        };
        let heading = heading(&(self.name(case) + &again));
        self.add(state, case, &heading);
    }

    fn say(&self, case: PlannedCase, line: &TranscriptLine) {
        let mut state = self.state.lock();
        state.pages.entry(case).or_default().lines += 1;
        self.add(state, case, &row(&explain::talk_line(line)));
    }

    fn end(&self, case: PlannedCase, talk: &Transcript) {
        let state = self.state.lock();
        // An interaction that could not begin is reported by its fault.
        let Some(page) = state.pages.get(&case) else {
            return;
        };
        let rest: String = explain::transcript_lines(talk)
            .iter()
            .skip(page.lines)
            .map(|line| row(line))
            .collect();
        self.add(state, case, &rest);
    }
}

impl LiveTranscripts {
    fn name(&self, PlannedCase { entry, case }: PlannedCase) -> String {
        let Some((submission, cases)) = self.entries.get(entry) else {
            return String::new();
        };
        let case = cases.get(case).map_or("", |case| &case.name);
        format!("{submission} on {case}")
    }

    /// Adds to the text of a case.
    fn add(
        &self,
        mut state: MutexGuard<'_, TranscriptState>,
        case: PlannedCase,
        text: &str,
    ) {
        if state.is_over {
            return;
        }
        if state.turn == case {
            self.say_now(state, text);
        } else {
            state.pages.entry(case).or_default().held += text;
        }
    }

    fn say_now(&self, mut state: MutexGuard<'_, TranscriptState>, text: &str) {
        state.waiting += text;
        self.added.notify_all();
    }

    /// Writes all waiting text.
    fn write(&self) -> io::Result<()> {
        let mut target = self.target.lock();
        let mut state = self.state.lock();
        let text = mem::take(&mut state.waiting);
        if let Some(error) = state.error.take() {
            return Err(error);
        }
        drop(state);
        if text.is_empty() {
            return Ok(());
        }
        target.write_all(text.as_bytes())?;
        target.flush()
    }
}

impl TranscriptState {
    /// Shows the result of the current case: below its interactions, or below its
    /// recorded transcript if none was shown.
    fn close(&mut self, name: &str, kept: Option<&Transcript>, outcome: &str) {
        let shown = self.pages.remove(&self.turn);
        match (shown, kept) {
            (Some(page), _) => self.waiting += &page.held,
            (None, Some(talk)) => {
                self.waiting += &heading(name);
                self.waiting.extend(
                    explain::transcript_lines(talk).iter().map(|line| row(line)),
                );
            }
            (None, None) => return,
        }
        self.waiting += &format!("{}\n", row(outcome));
    }
}

fn row(text: &str) -> String {
    format!("    {text}\n")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::report::{LiveLines, LiveTerminal};

    #[test]
    fn dropping_it_while_writing_above_the_lines_of_progress_does_not_block() {
        let elapsed = Box::new(|| Duration::ZERO);
        let terminal = LiveTerminal {
            target: Box::new(io::sink()),
            size: || (80, 25),
            elapsed,
        };
        let lines = LiveLines::start(terminal, |_| vec![]);
        let (reader, closed) = io::pipe().unwrap();
        drop(reader);
        lines.suspend(|| {
            let mut shown = Transcripts::for_entries(
                vec![],
                Box::new(closed),
                Some(lines.downgrade()),
            );
            shown.live.begin(PlannedCase::default());
            let error = shown
                .take_event(&Event::SuiteFinished(Default::default()))
                .unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
            shown.live.begin(PlannedCase::default());
        });
    }
}
