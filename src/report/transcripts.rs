//! What submissions and interactors say to each other, as it is said: one talk after another, in the order of the plan. What is said on
//! a case before its turn has come is held back until then, and what comes to be settled meanwhile is never shown.
//!
//! Whoever tells what is said is never kept waiting, or a slow screen would take the time of a submission: a thread of its own
//! writes. What may wait for it is bounded by what is shown of a talk, and by how far judging runs ahead of what is told.

use std::collections::BTreeMap;
use std::io;
use std::io::Write;
use std::mem;
use std::sync::Arc;
use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::thread;

use anstyle::Style;

use crate::model::Event;
use crate::model::PlannedCase;
use crate::model::TalkDisplay;
use crate::model::Transcript;
use crate::model::TranscriptLine;
use crate::report::explain;
use crate::report::progress::ProgressEntry;
use crate::report::progress::WeakLiveLines;
use crate::report::sink::Sink;
use crate::text::printable;

const HEADING: Style = Style::new().bold();

/// Shows every talk, and below it what it came to.
pub struct Transcripts {
    live: Arc<LiveTranscripts>,
}

/// Where talks are shown that go on.
pub struct LiveTranscripts {
    entries: Vec<ProgressEntry>,
    talks: Mutex<TalkPages>,
    said: Condvar,
    /// Locked before `talks`, and after the lines of progress.
    target: Mutex<Box<dyn Write + Send>>,
    progress: Option<WeakLiveLines>,
}

/// What is to be written.
#[derive(Default)]
struct TalkPages {
    /// The case whose talks are shown as they go on.
    turn: PlannedCase,
    pages: BTreeMap<PlannedCase, TalkPage>,
    /// What is to be written next.
    waiting: String,
    /// Why nothing can be written any more.
    error: Option<io::Error>,
    is_over: bool,
}

/// The talks on one case.
#[derive(Default)]
struct TalkPage {
    /// What was said before its turn.
    held: String,
    talks: usize,
    /// Lines of the talk that goes on.
    lines: usize,
}

impl Transcripts {
    /// Talks of submissions that are judged in this order, above these lines of progress.
    pub fn of(
        entries: Vec<ProgressEntry>,
        target: Box<dyn Write + Send>,
        progress: Option<WeakLiveLines>,
    ) -> Self {
        let (talks, said, target) = (Mutex::default(), Condvar::new(), Mutex::new(target));
        let live = Arc::new(LiveTranscripts { entries, talks, said, target, progress });
        let written = Arc::clone(&live);
        let thread = thread::Builder::new().name("transcripts".to_owned());
        // Where no thread can be had, talks are shown when they are over.
        let _ = thread.spawn(move || written.write_on());
        Self { live }
    }

    /// Where they are shown while they go on.
    pub fn live(&self) -> Arc<LiveTranscripts> {
        Arc::clone(&self.live)
    }
}

impl Sink for Transcripts {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        let mut talks = self.live.lock();
        match event {
            Event::TrialFinished(record) => {
                let name = format!("{} {} on {}", record.problem, record.submission, record.case);
                talks.close(&name, record.transcript.as_ref(), &format!("verdict: {}", record.verdict));
            }
            Event::TrialFaulted { .. } => talks.close("", None, "no verdict: the judge has failed"),
            _ => {}
        }
        drop(talks);
        self.live.write()
    }
}

impl Drop for Transcripts {
    fn drop(&mut self) {
        // The thread is not waited for: it may wait for lines of progress, in whose place whoever drops this may be writing.
        self.live.lock().is_over = true;
        self.live.said.notify_all();
    }
}

impl TalkDisplay for LiveTranscripts {
    fn turn(&self, case: PlannedCase) {
        let mut talks = self.lock();
        talks.turn = case;
        talks.pages = talks.pages.split_off(&case);
        let held = talks.pages.get_mut(&case).map(|page| mem::take(&mut page.held));
        self.say_now(talks, &held.unwrap_or_default());
    }

    fn begin(&self, case: PlannedCase) {
        let mut talks = self.lock();
        let page = talks.pages.entry(case).or_default();
        page.talks += 1;
        page.lines = 0;
        let again = if page.talks > 1 { format!(", talk {}", page.talks) } else { String::new() };
        let heading = heading(&(self.name(case) + &again));
        self.add(talks, case, &heading);
    }

    fn say(&self, case: PlannedCase, line: &TranscriptLine) {
        let mut talks = self.lock();
        talks.pages.entry(case).or_default().lines += 1;
        self.add(talks, case, &row(&explain::talk_line(line)));
    }

    fn end(&self, case: PlannedCase, talk: &Transcript) {
        let talks = self.lock();
        // One that could not begin is told by its fault.
        let Some(page) = talks.pages.get(&case) else { return };
        let rest: String = explain::talk(talk).iter().skip(page.lines).map(|line| row(line)).collect();
        self.add(talks, case, &rest);
    }
}

impl LiveTranscripts {
    fn name(&self, PlannedCase { entry, case }: PlannedCase) -> String {
        let Some((submission, cases)) = self.entries.get(entry) else { return String::new() };
        let case = cases.get(case).map_or("", |case| &case.name);
        format!("{submission} on {case}")
    }

    /// Adds to what is to be shown of a case.
    fn add(&self, mut talks: MutexGuard<'_, TalkPages>, case: PlannedCase, text: &str) {
        if talks.is_over {
            return;
        }
        if talks.turn == case {
            self.say_now(talks, text);
        } else {
            talks.pages.entry(case).or_default().held += text;
        }
    }

    fn say_now(&self, mut talks: MutexGuard<'_, TalkPages>, text: &str) {
        talks.waiting += text;
        self.said.notify_all();
    }

    /// Writes what there is to write, for as long as something may come.
    fn write_on(&self) {
        let nothing = |talks: &mut TalkPages| talks.waiting.is_empty() && !talks.is_over;
        loop {
            let talks = self.said.wait_while(self.lock(), nothing).unwrap_or_else(PoisonError::into_inner);
            if talks.is_over {
                return;
            }
            drop(talks);
            let written = match &self.progress {
                Some(lines) => lines.suspend(|| self.write()),
                None => self.write(),
            };
            if let Err(error) = written {
                let mut talks = self.lock();
                (talks.error, talks.is_over) = (Some(error), true);
            }
        }
    }

    /// Writes all that waits.
    fn write(&self) -> io::Result<()> {
        let mut target = self.target.lock().unwrap_or_else(PoisonError::into_inner);
        let mut talks = self.lock();
        let text = mem::take(&mut talks.waiting);
        if let Some(error) = talks.error.take() {
            return Err(error);
        }
        drop(talks);
        if text.is_empty() {
            return Ok(());
        }
        target.write_all(text.as_bytes())?;
        target.flush()
    }

    fn lock(&self) -> MutexGuard<'_, TalkPages> {
        // Nothing panics while it holds the lock.
        self.talks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TalkPages {
    /// Says what the case came to whose turn it is: below its talks, or with the one that was kept, if none was shown.
    fn close(&mut self, name: &str, kept: Option<&Transcript>, outcome: &str) {
        let shown = self.pages.remove(&self.turn);
        match (shown, kept) {
            (Some(page), _) => self.waiting += &page.held,
            (None, Some(talk)) => {
                self.waiting += &heading(name);
                self.waiting.extend(explain::talk(talk).iter().map(|line| row(line)));
            }
            (None, None) => return,
        }
        self.waiting += &format!("{}\n", row(outcome));
    }
}

fn heading(name: &str) -> String {
    format!("{HEADING}{}{HEADING:#}\n", printable(name))
}

fn row(text: &str) -> String {
    format!("    {text}\n")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::report::LiveLines;
    use crate::report::LiveTerminal;

    /// What is read by nobody any more.
    struct ClosedPipe;

    impl Write for ClosedPipe {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn whoever_gives_it_up_while_he_writes_above_the_lines_of_progress_waits_for_nobody() {
        let elapsed = Box::new(|| Duration::ZERO);
        let terminal = LiveTerminal { target: Box::new(io::sink()), size: || (80, 25), elapsed };
        let lines = LiveLines::start(terminal, |_| Vec::new());
        lines.suspend(|| {
            let mut shown = Transcripts::of(Vec::new(), Box::new(ClosedPipe), Some(lines.downgrade()));
            shown.live().begin(PlannedCase::default());
            let told = shown.take(&Event::SuiteFinished(Default::default())).unwrap_err();
            assert_eq!(told.kind(), io::ErrorKind::BrokenPipe);
            shown.live().begin(PlannedCase::default());
        });
    }
}
