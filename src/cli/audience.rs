//! Everybody who listens to the events of a suite: the screen, the log, the reports. Who cannot be served is told of and
//! left out; the others go on.

use std::fs::OpenOptions;
use std::io;
use std::io::BufWriter;
use std::io::ErrorKind;
use std::sync::Arc;

use crate::cli::Common;
use crate::cli::court::Court;
use crate::cli::reports;
use crate::cli::reports::Target;
use crate::cli::screen;
use crate::model::Event;
use crate::report::Explain;
use crate::report::Github;
use crate::report::Markdown;
use crate::report::Matrix;
use crate::report::Progress;
use crate::report::Reasons;
use crate::report::Repository;
use crate::report::Sink;
use crate::report::Steps;
use crate::suite::Entry;
use crate::suite::Plan;

/// Who listens to the events, and what it is called if it cannot be served.
pub(crate) type Listener = (String, Box<dyn Sink>);

/// Sinks with their names, and the line of progress that they are drawn around.
pub(crate) struct Audience {
    sinks: Vec<Listener>,
    progress: Option<Progress>,
    /// Whether some sink could not be served.
    pub(crate) failed: bool,
    /// Those that failed, by name.
    told: Vec<String>,
    consolation: Consolation,
}

/// What is said when somebody cannot be served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Consolation {
    /// That the judging goes on as long as it does, and that it holds when it is over.
    OfJudging,
    /// This of the others, if there are any.
    OfOthers(&'static str),
}

impl Consolation {
    fn hint(self, is_over: bool, are_others: bool) -> Option<&'static str> {
        match self {
            Self::OfJudging if is_over => {
                Some("the verdicts hold: judge again to have it, or use `gridjudge report` on a log")
            }
            Self::OfJudging => Some("judging goes on, without it"),
            Self::OfOthers(hint) => are_others.then_some(hint),
        }
    }
}

impl Audience {
    pub(crate) fn new(consolation: Consolation) -> Self {
        Self { sinks: Vec::new(), progress: None, failed: false, told: Vec::new(), consolation }
    }

    /// Opens these and adds them.
    pub(crate) fn add_all(&mut self, targets: &[Target], repository: &Repository) {
        for target in targets {
            match target.open(repository) {
                Ok(sink) => self.sinks.push((target.name(), sink)),
                Err(error) => {
                    let are_others = targets.len() > 1;
                    self.give_up(&target.name(), &error, self.consolation.hint(false, are_others));
                }
            }
        }
    }

    /// Adds what is shown on the screen; on standard error if standard output is taken.
    pub(crate) fn add_screen(&mut self, common: &Common, stdout_is_taken: bool) {
        let results = || screen::results(stdout_is_taken);
        let explain = if common.verbose { Explain::Everything } else { Explain::Surprises };
        self.add("standard output", Reasons::new(results(), explain));
        self.add(
            "standard output",
            Matrix::new(results(), common.quiet)
                .in_columns(move || screen::width_of_results(stdout_is_taken)),
        );
    }

    /// Adds what shows that judging goes on: lines that are drawn again and again, or, where nothing can be drawn, one for
    /// each submission that is through.
    pub(crate) fn add_progress(&mut self, plan: &Plan, court: &Court, common: &Common) {
        self.progress = progress(plan, court, common);
        if !screen::can_draw() {
            // Before all others: what is told of a submission stands below the line that says that it is through.
            let steps = Steps::new(screen::steps(), common.quiet);
            self.sinks.insert(0, ("standard error".to_owned(), Box::new(steps)));
        }
    }

    /// Adds annotations and the summary of a step, if they are asked for.
    pub(crate) fn add_annotations(&mut self, asked: bool, repository: &Repository) {
        if !asked {
            return;
        }
        self.add("standard output", Github::new(io::stdout()).seen_from(repository.clone()));
        if let Some(path) = reports::step_summary() {
            let name = path.to_string_lossy().into_owned();
            match OpenOptions::new().append(true).create(true).open(&path) {
                Ok(file) => self.add(&name, Markdown::new(BufWriter::new(file))),
                Err(error) => self.give_up(&name, &error, self.consolation.hint(false, true)),
            }
        }
    }

    /// Adds more of them.
    pub(crate) fn add_listeners(&mut self, listeners: Vec<Listener>) {
        self.sinks.extend(listeners);
    }

    pub(crate) fn add(&mut self, name: &str, sink: impl Sink + 'static) {
        self.sinks.push((name.to_owned(), Box::new(sink)));
    }

    pub(crate) fn tell(&mut self, event: &Event) {
        // Trials are many and write nothing to the screen: the progress line need not make room for them.
        let writes = !matches!(event, Event::TrialFinished(_));
        match self.progress.take() {
            Some(mut progress) => {
                // The line is gone before the matrix is written.
                let _ = progress.take(event);
                if writes {
                    progress.suspend(|| self.tell_sinks(event));
                } else {
                    self.tell_sinks(event);
                }
                self.progress = Some(progress);
            }
            None => self.tell_sinks(event),
        }
    }

    fn tell_sinks(&mut self, event: &Event) {
        let is_over = matches!(event, Event::SuiteFinished(_) | Event::SuiteInterrupted(_));
        let hint = self.consolation.hint(is_over, self.sinks.len() > 1);
        for (name, mut sink) in std::mem::take(&mut self.sinks) {
            match sink.take(event) {
                Ok(()) => self.sinks.push((name, sink)),
                // Who has heard enough may leave.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
                Err(error) => self.give_up(&name, &error, hint),
            }
        }
    }

    /// What fails is told once, also if several reports are written there.
    fn give_up(&mut self, name: &str, error: &io::Error, hint: Option<&str>) {
        self.failed = true;
        if self.told.iter().any(|told| told == name) {
            return;
        }
        self.told.push(name.to_owned());
        screen::error(format!("{name}: cannot be written: {error}"), hint);
    }
}

/// Lines about a plan that is judged, where they can be drawn again and again and nobody has asked for quiet.
pub(crate) fn progress(plan: &Plan, court: &Court, common: &Common) -> Option<Progress> {
    let name = |entry: &Entry| format!("{} {}", entry.problem.id, entry.submission.name);
    let legs = || plan.entries.iter().map(|entry| (name(entry), Arc::clone(&entry.cases))).collect();
    let is_shown = screen::can_draw() && !common.quiet;
    is_shown.then(|| Progress::of(legs(), Arc::clone(&court.activity), screen::width))
}
