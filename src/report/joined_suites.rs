//! What accepts events: the interfaces of all reports, and several suites that are put
//! together as one, for reports of several logs.

use std::io::{self, Write};

use crate::model::{Event, LOG_VERSION, SuiteStart, Tally};

/// What several suites have in common, and what they count together.
#[derive(Default)]
pub struct JoinedSuites {
    opening: Option<SuiteStart>,
    tally: Tally,
    is_interrupted: bool,
}

impl JoinedSuites {
    /// Handles one event of any of the suites, each of which begins with its first
    /// event. Returns it if it is not about a suite as a whole.
    pub fn take_event(&mut self, event: Event) -> Option<Event> {
        event.count_in(&mut self.tally);
        match event {
            Event::SuiteStarted(start) => match &mut self.opening {
                Some(opening) => add_suite(opening, *start),
                None => {
                    self.opening = Some(SuiteStart {
                        log_version: LOG_VERSION,
                        shard: None,
                        ..*start
                    });
                }
            },
            Event::SuiteInterrupted(_) => self.is_interrupted = true,
            Event::SuiteFinished(_) => {}
            event => return Some(event),
        }
        None
    }

    /// The first event of all suites together.
    pub fn opening(&self) -> Option<Event> {
        let start = self.opening.clone()?;
        Some(Event::SuiteStarted(Box::new(start)))
    }

    /// The last event of all suites together.
    pub fn ending(&self) -> Event {
        Event::ending(self.tally, self.is_interrupted)
    }
}

/// Adds the start of a suite to that of others.
fn add_suite(opening: &mut SuiteStart, other: SuiteStart) {
    add_name(&mut opening.sandbox, &other.sandbox);
    add_name(&mut opening.machine, &other.machine);
    add_new(&mut opening.notes, other.notes);
    if other.started < opening.started {
        opening.started = other.started;
    }
    opening.jobs = opening.jobs.max(other.jobs);
    opening.submissions += other.submissions;
    opening.trials += other.trials;
    opening.part |= other.part;
    match (&mut opening.contest, other.contest) {
        (Some(contest), Some(other)) => {
            add_name(&mut contest.name, &other.name);
            add_new(&mut contest.teams, other.teams);
            add_new(&mut contest.problems, other.problems);
            contest.rules.team.extend(other.rules.team);
            contest.rules.problem.extend(other.rules.problem);
        }
        (contest @ None, other) => *contest = other,
        (Some(_), None) => {}
    }
}

/// Adds what is not there.
fn add_new<T: PartialEq>(known: &mut Vec<T>, others: Vec<T>) {
    for other in others {
        if !known.contains(&other) {
            known.push(other);
        }
    }
}

/// Adds a name to a list of names in one text, unless it is there.
fn add_name(names: &mut String, other: &str) {
    if names.split("; ").all(|name| name != other) {
        names.push_str("; ");
        names.push_str(other);
    }
}

/// Something that accepts events in order.
pub trait Sink {
    /// Handles one event.
    ///
    /// # Errors
    /// Fails if the output cannot be written. The sink must not be given further events
    /// then.
    fn take_event(&mut self, event: &Event) -> io::Result<()>;
}

/// A report that is a text.
pub trait SuiteReport {
    /// Follows the events, the last one too, for a text that is known when the suite is
    /// over.
    fn follow(&mut self, _: &Event) {}

    /// Handles one event, the last one too. Returns what can be written at once, which
    /// is nothing where a report only follows.
    ///
    /// # Errors
    /// Fails if the report does not suit what was judged, or cannot keep it.
    fn take_event(&mut self, event: &Event) -> io::Result<String> {
        self.follow(event);
        Ok(String::new())
    }

    /// The text that is known when the suite is over.
    fn text(&mut self, tally: &Tally, is_interrupted: bool) -> String;
}

/// Writes a report: at once what it gives for an event, and the rest when the suite is
/// over.
pub struct ReportWriter<W, R> {
    target: W,
    report: R,
}

impl<W: Write, R: SuiteReport> ReportWriter<W, R> {
    /// The report, to be written to `target`.
    pub fn new(target: W, report: R) -> Self {
        Self { target, report }
    }
}

impl<W: Write, R: SuiteReport> Sink for ReportWriter<W, R> {
    fn take_event(&mut self, event: &Event) -> io::Result<()> {
        let text = self.report.take_event(event)?;
        self.target.write_all(text.as_bytes())?;
        if let Event::SuiteFinished(tally) | Event::SuiteInterrupted(tally) = event {
            let is_interrupted = matches!(event, Event::SuiteInterrupted(_));
            let text = self.report.text(tally, is_interrupted);
            self.target.write_all(text.as_bytes())?;
            self.target.flush()?;
        }
        Ok(())
    }
}
