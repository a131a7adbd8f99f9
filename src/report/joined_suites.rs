//! What accepts events: the interface of all reports, and several suites that are put
//! together as one, for reports of several logs.

use std::io;

use crate::model::{Contest, Event, LOG_VERSION, Tally};

/// What several suites have in common, and what they count together.
#[derive(Default)]
pub struct JoinedSuites {
    opening: Option<Event>,
    tally: Tally,
    is_interrupted: bool,
}

impl JoinedSuites {
    /// Handles one event of any of the suites, each of which begins with its first
    /// event. Returns it if it is not about a suite as a whole.
    pub fn take_event(&mut self, event: Event) -> Option<Event> {
        event.count_in(&mut self.tally);
        match event {
            Event::SuiteStarted { .. } => self.open(event),
            Event::SuiteInterrupted(_) => self.is_interrupted = true,
            Event::SuiteFinished(_) => {}
            event => return Some(event),
        }
        None
    }

    /// The first event of all suites together.
    pub fn opening(&self) -> Option<&Event> {
        self.opening.as_ref()
    }

    /// The last event of all suites together.
    pub fn ending(&self) -> Event {
        Event::ending(self.tally, self.is_interrupted)
    }

    fn open(&mut self, mut event: Event) {
        match &mut self.opening {
            Some(opening) => add_suite(opening, event),
            None => {
                if let Event::SuiteStarted {
                    log_version, shard, ..
                } = &mut event
                {
                    *log_version = LOG_VERSION;
                    *shard = None;
                }
                self.opening = Some(event);
            }
        }
    }
}

/// Adds the first event of a suite to that of others.
fn add_suite(opening: &mut Event, event: Event) {
    let Event::SuiteStarted {
        sandbox,
        notes,
        machine,
        started,
        jobs,
        submissions,
        trials,
        part,
        contest,
        ..
    } = opening
    else {
        return;
    };
    let Event::SuiteStarted {
        sandbox: other_sandbox,
        notes: other_notes,
        machine: other_machine,
        started: other_started,
        jobs: other_jobs,
        submissions: other_submissions,
        trials: other_trials,
        part: other_part,
        contest: other_contest,
        ..
    } = event
    else {
        return;
    };
    add_name(sandbox, &other_sandbox);
    add_name(machine, &other_machine);
    for note in other_notes {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    if other_started < *started {
        *started = other_started;
    }
    *jobs = (*jobs).max(other_jobs);
    *submissions += other_submissions;
    *trials += other_trials;
    *part |= other_part;
    match (contest.as_mut(), other_contest) {
        (Some(contest), Some(other)) => add_contest(contest, other),
        (None, other) => *contest = other,
        (Some(_), None) => {}
    }
}

/// Adds a name to a list of names in one text, unless it is there.
fn add_name(names: &mut String, other: &str) {
    if names.split("; ").all(|name| name != other) {
        names.push_str("; ");
        names.push_str(other);
    }
}

fn add_contest(contest: &mut Contest, other: Contest) {
    add_name(&mut contest.name, &other.name);
    for team in other.teams {
        if !contest.teams.contains(&team) {
            contest.teams.push(team);
        }
    }
    for problem in other.problems {
        if !contest.problems.contains(&problem) {
            contest.problems.push(problem);
        }
    }
    contest.rules.team.extend(other.rules.team);
    contest.rules.problem.extend(other.rules.problem);
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
