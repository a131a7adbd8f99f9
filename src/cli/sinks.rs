//! Sends the events of a suite to sinks: the screen, the log and the reports. A sink
//! that fails is reported and dropped; the others continue.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::sync::Arc;

use crate::cli::{
    NamedSink, ReportOptions, ReportTarget, report_options, repository, screen,
    signals,
};
use crate::model::{Activity, Event, MistakeRecord};
use crate::report::{
    Explanations, Github, JudgingPurpose, LiveTranscripts, Markdown, Matrix,
    ProgressEntry, ProgressLines, ReportWriter, Sink, SlowestTrials, SuiteReport,
    TerminalProgress, Transcripts,
};
use crate::run::Plan;
use crate::text::path_text;

/// Sinks with their names, and the progress lines that are hidden while they write.
#[derive(Default)]
pub(crate) struct SinkSet {
    sinks: Vec<NamedSink>,
    progress: Option<TerminalProgress>,
    /// Whether a sink has failed.
    pub(crate) failed: bool,
    /// The names of the sinks whose failure was reported.
    reported: BTreeSet<String>,
    /// What is said about the other sinks when one fails. By default, it is said that
    /// judging goes on or, at its end, that the verdicts hold.
    hint_on_others: Option<&'static str>,
    /// Whether something is written to the screen with each trial.
    trials_are_shown: bool,
}

impl SinkSet {
    /// Sinks of what was judged before. When one fails, this is said about the others.
    pub(crate) fn of_earlier(hint_on_others: &'static str) -> Self {
        Self {
            hint_on_others: Some(hint_on_others),
            ..Self::default()
        }
    }

    /// Reports of what was judged before.
    pub(crate) fn of_reports(targets: &[ReportTarget]) -> Self {
        let mut sinks =
            Self::of_earlier("the reports that no error names are written");
        sinks.add_all(targets);
        sinks
    }

    fn hint(&self, is_over: bool, are_others: bool) -> Option<&'static str> {
        match self.hint_on_others {
            Some(hint) => are_others.then_some(hint),
            None if is_over => Some(
                "the verdicts hold: judge again to have it, or use `gridjudge report` on a log",
            ),
            None => Some("judging goes on, without it"),
        }
    }

    /// Opens reports and adds their sinks.
    pub(crate) fn add_all(&mut self, targets: &[ReportTarget]) {
        let opened: Vec<_> = targets
            .iter()
            .map(|target| (target.name(), target.open()))
            .collect();
        let are_others = opened.iter().any(|(_, sink)| sink.is_ok());
        for (name, sink) in opened {
            match sink {
                Ok(sink) => self.sinks.push((name, sink)),
                Err(error) => {
                    self.report_failure(&name, &error, self.hint(false, are_others))
                }
            }
        }
    }

    /// Adds the results on the screen, and the requested reports that are not in a
    /// file.
    pub(crate) fn add_results(&mut self, reports: &ReportOptions) {
        self.add_screen();
        self.add_slowest(reports.slowest);
        self.extend(reports.page_folders());
        self.add_annotations(reports.github);
    }

    /// Adds the results on the screen, which go to standard error if standard output is
    /// taken.
    pub(crate) fn add_screen(&mut self) {
        let verbosity = screen::verbosity();
        let room = screen::width_of_results;
        self.add_result(Explanations::new(verbosity, room));
        self.add_result(Matrix::new(verbosity, room));
    }

    /// Adds the list of the slowest trials, if it is requested.
    pub(crate) fn add_slowest(&mut self, most: Option<u16>) {
        if let Some(most) = most {
            self.add_result(SlowestTrials::new(usize::from(most)));
        }
    }

    /// Adds transcripts of interactions, which are shown above the progress lines.
    /// Returns the display that shows them live.
    pub(crate) fn add_transcripts(&mut self, plan: &Plan) -> Arc<LiveTranscripts> {
        let progress = self.progress.as_ref();
        let above = progress.map(|progress| progress.live.downgrade());
        let transcripts = Transcripts::for_entries(
            progress_entries(plan),
            screen::results(),
            above,
        );
        let live = Arc::clone(&transcripts.live);
        self.trials_are_shown = true;
        self.add("standard output", transcripts);
        live
    }

    /// Adds a display of progress: lines that are redrawn or, if nothing can be
    /// redrawn, a line for each finished submission.
    pub(crate) fn add_progress(&mut self, plan: &Plan, activity: &Arc<Activity>) {
        self.progress = progress(plan, JudgingPurpose::Verdicts, activity);
        if !screen::can_draw() {
            // This sink comes first, so that findings about a submission follow the
            // line that says that it is done.
            let steps = ProgressLines::new(screen::steps(), screen::is_quiet());
            self.sinks
                .insert(0, ("standard error".to_owned(), Box::new(steps)));
        }
    }

    /// Adds GitHub annotations and the summary of the step, if requested.
    pub(crate) fn add_annotations(&mut self, is_requested: bool) {
        if !is_requested {
            return;
        }
        let annotations = Github::new(repository::of_judge());
        self.add(
            "standard output",
            ReportWriter::new(io::stdout(), annotations),
        );
        if let Some(path) = report_options::step_summary() {
            let name = path_text(&path);
            match report_options::open_step_summary(&path) {
                Ok(file) => {
                    self.add(&name, ReportWriter::new(file, Markdown::default()))
                }
                Err(error) => {
                    self.report_failure(&name, &error, self.hint(false, true))
                }
            }
        }
    }

    pub(crate) fn extend(&mut self, sinks: Vec<NamedSink>) {
        self.sinks.extend(sinks);
    }

    fn add_result(&mut self, report: impl SuiteReport + 'static) {
        self.add(
            "standard output",
            ReportWriter::new(screen::results(), report),
        );
    }

    pub(crate) fn add(&mut self, name: &str, sink: impl Sink + 'static) {
        self.sinks.push((name.to_owned(), Box::new(sink)));
    }

    /// Ends the progress lines, as the last event does.
    pub(crate) fn end_progress(&mut self, last: &Event) {
        if let Some(mut progress) = self.progress.take() {
            drop(progress.take_event(last));
        }
    }

    pub(crate) fn send(&mut self, event: &Event) {
        // There are many trials, and they usually write nothing to the screen. Then the
        // progress lines need not be hidden.
        let writes =
            self.trials_are_shown || !matches!(event, Event::TrialFinished(_));
        match self.progress.take() {
            Some(mut progress) => {
                // The progress gets the event first, so that it is gone before the
                // matrix is written.
                let _ = progress.take_event(event);
                if writes {
                    progress.live.suspend(|| self.send_to_sinks(event));
                } else {
                    self.send_to_sinks(event);
                }
                self.progress = Some(progress);
            }
            None => self.send_to_sinks(event),
        }
    }

    pub(crate) fn send_mistakes(
        &mut self,
        mistakes: impl IntoIterator<Item = MistakeRecord>,
    ) {
        for mistake in mistakes {
            self.send(&Event::MistakeFound(Box::new(mistake)));
        }
    }

    fn send_to_sinks(&mut self, event: &Event) {
        let hint = self.hint(event.is_ending(), self.sinks.len() > 1);
        for (name, mut sink) in std::mem::take(&mut self.sinks) {
            match sink.take_event(event) {
                Ok(()) => self.sinks.push((name, sink)),
                // The reader may stop early.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
                // A report that does not suit what was judged would not suit it when
                // judged again.
                Err(error) if error.kind() == ErrorKind::InvalidInput => {
                    self.report_failure(&name, &error, None);
                }
                Err(error) => self.report_failure(&name, &error, hint),
            }
        }
    }

    /// Reports that a target failed: once, even if several reports go there.
    fn report_failure(&mut self, name: &str, error: &io::Error, hint: Option<&str>) {
        self.failed = true;
        if self.reported.insert(name.to_owned()) {
            screen::error(format!("{name}: cannot be written: {error}"), hint);
        }
    }
}

/// Progress lines for a plan, if lines can be redrawn on standard error and `--quiet`
/// is not given.
pub(crate) fn progress(
    plan: &Plan,
    purpose: JudgingPurpose,
    activity: &Arc<Activity>,
) -> Option<TerminalProgress> {
    screen::live_terminal().map(|terminal| {
        let entries = progress_entries(plan);
        let shown = TerminalProgress::for_entries(
            entries,
            purpose,
            Arc::clone(activity),
            terminal,
        );
        signals::clear_at_end(shown.live.downgrade());
        shown
    })
}

/// The submissions of a plan with the names that progress displays use, and their
/// cases.
fn progress_entries(plan: &Plan) -> Vec<ProgressEntry> {
    plan.entries
        .iter()
        .map(|entry| {
            (
                format!("{} {}", entry.problem.id, entry.submission.name),
                Arc::clone(&entry.cases),
            )
        })
        .collect()
}
