//! Shows that judging is going on: at a terminal by some lines at the bottom that are
//! redrawn, cut to its size, and finally removed; elsewhere by a plain line for each
//! finished submission. Both show how many submissions are finished, and the former
//! what is being done. Neither estimates the time left: a program takes anything
//! between nothing and its limit.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::mem;
use std::sync::{Arc, Weak};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use crate::model::{
    ActiveStep, Activity, Case, Event, JudgingPhase, Score, Tally, Verdict,
};
use crate::report::{ExpectationMode, Sink};
use crate::text::{
    JoinedTexts, clock, counted, cut_within, one_line, printable, text_or_none,
};

/// Shows progress on standard error. To be used only if that is a terminal.
pub struct TerminalProgress {
    /// The lines. All other reports must be written above them, or they are overwritten.
    pub live: LiveLines,
    view: Arc<Mutex<ProgressView>>,
}

impl TerminalProgress {
    /// Shows the progress of submissions that are judged in this order and for this
    /// purpose, and the current activity, at this terminal.
    pub fn for_entries(
        entries: Vec<ProgressEntry>,
        purpose: JudgingPurpose,
        activity: Arc<Activity>,
        terminal: LiveTerminal,
    ) -> Self {
        let view = Arc::new(Mutex::new(ProgressView::for_entries(entries, purpose)));
        let shown = Arc::clone(&view);
        let live = LiveLines::start(terminal, move |elapsed| {
            shown.lock().lines(&activity.now(), elapsed)
        });
        Self { live, view }
    }
}

impl Sink for TerminalProgress {
    fn take_event(&mut self, event: &Event) -> io::Result<()> {
        self.view.lock().take_event(event);
        if event.is_ending() {
            self.live.end();
        }
        Ok(())
    }
}

// Writes a plain line for each submission as soon as it is finished, for logs of CI.
// The first items of a line are in the same columns in all lines.

/// Widths of the verdict, and of its comparison with the expectation.
const VERDICT: usize = 5;
const JUDGEMENT: usize = 12;

/// Writes lines, each at once.
pub struct ProgressLines<W> {
    target: W,
    only_surprises: bool,
    all: usize,
    done: usize,
}

impl<W: Write> ProgressLines<W> {
    /// Lines written to `target`, of surprising submissions only if so requested.
    pub fn new(target: W, only_surprises: bool) -> Self {
        Self {
            target,
            only_surprises,
            all: 0,
            done: 0,
        }
    }

    fn write(&mut self, verdict: &str, judgement: &str, what: &str) {
        let digits = self.all.to_string().len();
        let number = format!("[{:>digits$}/{}]", self.done, self.all);
        let what = one_line(what);
        // In one write, because other processes may write to the same target in
        // between.
        let text =
            format!("{number} {verdict:VERDICT$} {judgement:JUDGEMENT$} {what}\n");
        // A failure to show progress must not affect any verdict.
        let _ = self
            .target
            .write_all(text.as_bytes())
            .and_then(|()| self.target.flush());
    }
}

impl<W: Write> Sink for ProgressLines<W> {
    fn take_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::SuiteStarted(start) => self.all = start.submissions,
            Event::SubmissionFinished(summary) => {
                self.done += 1;
                if !(self.only_surprises && summary.is_as_expected()) {
                    let verdict = summary.verdict.map_or("-", Verdict::code);
                    let judgement =
                        match (&summary.expected, summary.is_as_expected()) {
                            (_, false) if summary.faults > 0 => {
                                "judge failed".to_owned()
                            }
                            (_, false) if summary.is_unjudged() => {
                                "skipped".to_owned()
                            }
                            (Some(_), true) => "as expected".to_owned(),
                            (Some(expected), false) => format!("not {expected}"),
                            (None, true) => "accepted".to_owned(),
                            (None, false) => "not accepted".to_owned(),
                        };
                    let on = summary.decisive_case();
                    let on = text_or_none(on.map(|case| format!(" on {case}")));
                    let points = summary.score.as_ref().map(Score::in_points);
                    let points =
                        text_or_none(points.map(|points| format!(", {points}")));
                    let what = format!(
                        "{} {}{on}, {} of {}{points}",
                        summary.problem,
                        summary.submission,
                        summary.passed,
                        counted(summary.cases, "case")
                    );
                    self.write(verdict, &judgement, &what);
                }
            }
            Event::SubmissionSkipped(skip) => {
                self.done += 1;
                if !self.only_surprises {
                    let what = format!(
                        "{} {}: {}",
                        skip.problem, skip.submission, skip.cause
                    );
                    self.write("-", "skipped", &what);
                }
            }
            _ => {}
        }
        Ok(())
    }
}

// The content of the progress lines: the progress of a suite from its events, and the
// work in progress from its activity.

/// The most active submissions shown; further ones are counted.
const MOST_SHOWN: usize = 8;

/// Columns of the bar.
const BAR: usize = 14;

/// A submission, as `problem submission`, and its cases.
pub type ProgressEntry = (String, Arc<[Case]>);

/// Why submissions are judged.
#[derive(Clone, Copy, Default, PartialEq)]
pub enum JudgingPurpose {
    /// To report their verdicts.
    #[default]
    Verdicts,
    /// To measure the time limit that their problem does not give. The verdicts follow
    /// later.
    TimeLimit,
    /// To measure how far they are from the time limit, beside their verdicts.
    Margins,
}

/// The progress of a suite.
#[derive(Default)]
struct ProgressView {
    entries: Vec<ProgressEntry>,
    purpose: JudgingPurpose,
    expectation: ExpectationMode,
    tally: Tally,
    /// When each active submission was first seen.
    seen: BTreeMap<usize, Duration>,
}

impl ProgressView {
    fn for_entries(entries: Vec<ProgressEntry>, purpose: JudgingPurpose) -> Self {
        Self {
            entries,
            purpose,
            ..Self::default()
        }
    }

    /// Counts an event.
    fn take_event(&mut self, event: &Event) {
        self.expectation.take_event(event);
        event.count_in(&mut self.tally);
    }

    /// The lines at a time `elapsed` after the start: the finished submissions, and the
    /// activity on others.
    fn lines(&mut self, doing: &[ActiveStep], elapsed: Duration) -> Vec<String> {
        let mut by_entry: BTreeMap<usize, Vec<JudgingPhase>> = BTreeMap::new();
        for doing in doing {
            by_entry.entry(doing.entry).or_default().push(doing.phase);
        }
        // Many may wait to be judged again: the first of them holds up all reports.
        let mut has_waiting = false;
        by_entry.retain(|_, phases| {
            let waits = phases
                .iter()
                .all(|phase| matches!(phase, JudgingPhase::Waiting(_)));
            !(waits && mem::replace(&mut has_waiting, true))
        });
        // Between two cases a submission is not active for a moment. It is finished
        // only once its event has come.
        let done = self.done();
        self.seen.retain(|entry, _| *entry >= done);
        let mut lines = vec![self.head(elapsed)];
        for (&entry, phases) in by_entry.iter().take(MOST_SHOWN) {
            let since = *self.seen.entry(entry).or_insert(elapsed);
            if let Some((name, cases)) = self.entries.get(entry) {
                let time = clock(elapsed.saturating_sub(since));
                lines.push(format!(
                    "  {name}: {}, {time}",
                    words(phases, cases.len())
                ));
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
        // Verdicts under a limit that is only used to measure say nothing about the
        // submissions.
        let is_judged = self.purpose == JudgingPurpose::Verdicts;
        let counts = [
            (self.tally.as_expected, self.expectation.word()),
            (self.tally.surprising, "not"),
            (self.tally.skipped, "skipped"),
        ];
        let counts = if is_judged { &counts[..] } else { &counts[2..] };
        let counts = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .joined(", ");
        let colon = if counts.is_empty() { "" } else { ": " };
        let label = match self.purpose {
            JudgingPurpose::Verdicts => "",
            JudgingPurpose::TimeLimit => "measuring the time limit: ",
            JudgingPurpose::Margins => "measuring times: ",
        };
        let all = counted(all, "submission");
        format!(
            "{bar} {label}{done} of {all}{colon}{counts}, {}",
            clock(elapsed)
        )
    }
}

/// Describes the activity on one submission with this many cases.
fn words(phases: &[JudgingPhase], cases: usize) -> String {
    use JudgingPhase::*;

    if let Some(case) = phases.iter().find_map(|phase| match phase {
        JudgingAgain(case) => Some(case + 1),
        _ => None,
    }) {
        return format!("judging case {case} of {cases} again");
    }
    let judged = phases.iter().filter_map(|phase| match phase {
        Judging(case) => Some(case + 1),
        _ => None,
    });
    match (judged.clone().min(), judged.max()) {
        (Some(first), Some(last)) if first == last => {
            format!("judging case {first} of {cases}")
        }
        (Some(first), Some(last)) => {
            format!("judging cases {first} to {last} of {cases}")
        }
        _ => match phases {
            [Waiting(case), ..] => {
                format!(
                    "case {} of {cases} waits to be judged again, and later results for it",
                    case + 1
                )
            }
            _ => "compiling".to_owned(),
        },
    }
}

/// Nothing is shown before this time, so that a short run does not flicker.
const SHOWN_AFTER: Duration = Duration::from_millis(300);

/// How often the lines are redrawn without another reason.
const REDRAW_INTERVAL: Duration = Duration::from_millis(200);

/// How often, and at what interval, to try to remove lines while they are locked.
/// Drawing them takes far less time.
const MOST_LOOKS: usize = 50;
const LOOK_INTERVAL: Duration = Duration::from_millis(2);

/// Columns left free at the end of a line, for the cursor and the `^C` that a terminal
/// shows for that key. Otherwise the terminal would wrap the line, and one line too few
/// would be erased.
const FREE_COLUMNS: usize = 3;

/// Columns kept for the end of a line that is cut: names come first, and the activity
/// after them.
const END_COLUMNS: usize = 48;

/// The terminal that lines are drawn on.
pub struct LiveTerminal {
    /// Where to write.
    pub target: Box<dyn Write + Send>,
    /// Returns its current number of columns and rows.
    pub size: fn() -> (usize, usize),
    /// Returns the time since the start.
    pub elapsed: Box<dyn Fn() -> Duration + Send>,
}

/// Lines at the bottom of a terminal. They are removed when this is dropped.
pub struct LiveLines {
    shared: Arc<SharedLines>,
    redrawing: Option<JoinHandle<()>>,
}

/// A weak reference to lines, which may have been removed.
#[derive(Clone)]
pub struct WeakLiveLines(Weak<SharedLines>);

struct SharedLines {
    drawn: Mutex<DrawnLines>,
    ended: Condvar,
}

struct DrawnLines {
    terminal: LiveTerminal,
    lines: Box<dyn Fn(Duration) -> Vec<String> + Send>,
    /// Number of lines currently on the terminal.
    shown: usize,
    is_over: bool,
}

impl LiveLines {
    /// Shows the lines that `lines` returns, which is called for each redraw with the
    /// time since the start. Without a thread they are redrawn only after other output.
    pub fn start(
        terminal: LiveTerminal,
        lines: impl Fn(Duration) -> Vec<String> + Send + 'static,
    ) -> Self {
        let drawn = DrawnLines {
            terminal,
            lines: Box::new(lines),
            shown: 0,
            is_over: false,
        };
        let shared = Arc::new(SharedLines {
            drawn: Mutex::new(drawn),
            ended: Condvar::new(),
        });
        let redrawn = Arc::clone(&shared);
        let thread = thread::Builder::new().name("progress".to_owned());
        let redrawing = thread.spawn(move || {
            let mut drawn = redrawn.drawn.lock();
            while !drawn.is_over {
                drawn.draw();
                redrawn.ended.wait_for(&mut drawn, REDRAW_INTERVAL);
            }
        });
        Self {
            shared,
            redrawing: redrawing.ok(),
        }
    }

    /// Writes something above the lines.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.shared.suspend(write)
    }

    /// Removes the lines for good.
    pub fn end(&self) {
        self.shared.drawn.lock().end();
        self.shared.ended.notify_all();
    }

    /// A weak reference to the lines.
    pub fn downgrade(&self) -> WeakLiveLines {
        WeakLiveLines(Arc::downgrade(&self.shared))
    }
}

impl Drop for LiveLines {
    fn drop(&mut self) {
        self.end();
        // Fails only if the thread panicked, which needs a panic in `lines`.
        self.redrawing.take().map(JoinHandle::join);
    }
}

impl WeakLiveLines {
    /// Whether the lines still exist.
    pub fn are_there(&self) -> bool {
        self.0.strong_count() > 0
    }

    /// Writes something above the lines, if they still exist.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match self.0.upgrade() {
            Some(shared) => shared.suspend(write),
            None => write(),
        }
    }

    /// Removes the lines for good, unless someone is writing above them, which may
    /// never end. Waits while they are being drawn.
    pub fn end(&self) {
        let Some(shared) = self.0.upgrade() else {
            return;
        };
        for _ in 0..MOST_LOOKS {
            if let Some(mut drawn) = shared.drawn.try_lock() {
                return drawn.end();
            }
            thread::sleep(LOOK_INTERVAL);
        }
    }
}

impl SharedLines {
    fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        let mut drawn = self.drawn.lock();
        drawn.clear();
        let written = write();
        drawn.draw();
        written
    }
}

impl DrawnLines {
    /// Replaces the lines on the terminal by the current ones.
    fn draw(&mut self) {
        let elapsed = (self.terminal.elapsed)();
        if self.is_over || elapsed < SHOWN_AFTER {
            return;
        }
        let (columns, rows) = (self.terminal.size)();
        let room = columns.saturating_sub(FREE_COLUMNS);
        let lines: Vec<_> = (self.lines)(elapsed)
            .iter()
            .take(rows)
            .map(|line| {
                cut_within(&printable(line), room, END_COLUMNS.min(room * 2 / 3))
            })
            .collect();
        self.write(&(erasing(self.shown) + &lines.join("\n")));
        self.shown = lines.len();
    }

    fn clear(&mut self) {
        self.write(&erasing(self.shown));
        self.shown = 0;
    }

    fn end(&mut self) {
        self.clear();
        self.is_over = true;
    }

    /// Writes all at once to avoid flicker. A terminal that fails is no reason to stop
    /// judging.
    fn write(&mut self, text: &str) {
        let target = &mut self.terminal.target;
        let _ = target
            .write_all(text.as_bytes())
            .and_then(|()| target.flush());
    }
}

/// The codes that erase `lines` lines, with the cursor in the last one, and move it to
/// the start of the first.
fn erasing(lines: usize) -> String {
    match lines {
        0 => String::new(),
        lines => "\r\x1b[2K".to_owned() + &"\x1b[1A\x1b[2K".repeat(lines - 1),
    }
}

#[cfg(test)]
mod view_tests;

#[cfg(test)]
mod progress_lines_tests {
    use super::*;
    use crate::model::{Expected, SubmissionSkip, SubmissionSummary};

    fn summary(
        verdict: Option<Verdict>,
        expected: Option<Verdict>,
    ) -> SubmissionSummary {
        SubmissionSummary {
            problem: "p".into(),
            submission: "a.c".into(),
            expected: expected.map(Expected::from),
            verdict,
            worst_case: Some("secret/007".into()),
            passed: 6,
            cases: 63,
            faults: usize::from(verdict.is_none()),
            ..SubmissionSummary::default()
        }
    }

    fn lines(only_surprises: bool) -> String {
        let finished = |verdict, expected| {
            Event::SubmissionFinished(Box::new(summary(verdict, expected)))
        };
        let accepted = Some(Verdict::Accepted);
        let wrong = Some(Verdict::WrongAnswer);
        let skipped = Event::SubmissionSkipped(Box::new(SubmissionSkip {
            problem: "p".into(),
            submission: "b.kt\n".into(),
            cause: "no Kotlin here".into(),
            ..SubmissionSkip::default()
        }));
        let mut written = vec![];
        let mut steps = ProgressLines {
            all: 10,
            ..ProgressLines::new(&mut written, only_surprises)
        };
        let events = [
            finished(accepted, None),
            finished(wrong, wrong),
            finished(accepted, wrong),
            finished(wrong, None),
        ];
        for event in events.iter().chain([&skipped, &finished(None, wrong)]) {
            steps.take_event(event).unwrap();
        }
        String::from_utf8(written).unwrap()
    }

    #[test]
    fn a_line_shows_the_progress_the_verdict_and_whether_it_was_expected() {
        assert_eq!(
            lines(false),
            "\
[ 1/10] AC    accepted     p a.c, 6 of 63 cases
[ 2/10] WA    as expected  p a.c on secret/007, 6 of 63 cases
[ 3/10] AC    not WA       p a.c, 6 of 63 cases
[ 4/10] WA    not accepted p a.c on secret/007, 6 of 63 cases
[ 5/10] -     skipped      p b.kt\\n: no Kotlin here
[ 6/10] -     judge failed p a.c on secret/007, 6 of 63 cases
"
        );
    }

    #[test]
    fn quiet_mode_shows_surprises_only_with_their_usual_numbers() {
        let lines = lines(true);
        let numbers: Vec<_> = lines.lines().map(|line| &line[..7]).collect();
        assert_eq!(numbers, ["[ 3/10]", "[ 4/10]", "[ 6/10]"]);
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::mpsc::{Sender, channel};

    use super::*;

    /// A terminal that writes slowly, and reports when it begins to.
    struct SlowTerminal {
        begun: Sender<()>,
        text: Arc<Mutex<String>>,
    }

    impl Write for SlowTerminal {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.begun.send(());
            thread::sleep(Duration::from_millis(10));
            self.text.lock().push_str(str::from_utf8(bytes).unwrap());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_are_removed_even_while_they_are_being_drawn() {
        let (begun, drawing) = channel();
        let text = Arc::default();
        let target = Box::new(SlowTerminal {
            begun,
            text: Arc::clone(&text),
        });
        let terminal = LiveTerminal {
            target,
            size: || (80, 25),
            elapsed: Box::new(|| SHOWN_AFTER),
        };
        let lines = LiveLines::start(terminal, |_| vec!["at work".to_owned()]);
        drawing.recv().unwrap();
        lines.downgrade().end();
        assert_eq!(*text.lock(), format!("at work{}", erasing(1)));
    }
}
