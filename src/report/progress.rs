//! A line at the foot of the terminal that says how far the suite is, how long it may still take, and which submission
//! runs on which case. Gone when the suite is over.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use indicatif::HumanDuration;
use indicatif::ProgressBar;
use indicatif::ProgressDrawTarget;
use indicatif::ProgressState;
use indicatif::ProgressStyle;

use crate::model::Case;
use crate::model::Event;
use crate::report::Sink;
use crate::report::printable;

/// Shows progress on standard error. To be used only where that is a terminal.
pub struct Progress {
    bar: ProgressBar,
    course: Course,
}

/// The submissions in the order in which they are judged, and how far they are. Events tell what is over; what comes next
/// only this knows.
struct Course {
    legs: Vec<Leg>,
    /// The submission whose turn it is.
    leg: usize,
    /// Its cases that are over.
    done: usize,
}

/// A submission, as `problem submission`, and its cases.
pub type Leg = (String, Arc<[Case]>);

impl Progress {
    /// A line for what is going to be judged, in this order.
    pub fn of(legs: Vec<Leg>) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        Self { bar, course: Course { legs, leg: 0, done: 0 } }
    }

    /// Writes something above the line. The other reports must go through this, or they would be drawn over.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

impl Sink for Progress {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::SuiteStarted { trials, .. } => {
                self.bar.set_length(*trials as u64);
                let template = "{bar:12} {pos}/{len} trials, {left} left  {wide_msg}";
                let style = ProgressStyle::with_template(template).map_err(io::Error::other)?;
                self.bar.set_style(style.with_key("left", write_time_left));
                // While a program takes its time, no event comes, and the time left is to go on.
                self.bar.enable_steady_tick(Duration::from_millis(200));
            }
            Event::TrialFinished(_) | Event::TrialFaulted { .. } => self.bar.inc(1),
            Event::SubmissionSkipped { .. } => self.bar.inc(self.course.rest()),
            Event::SuiteFinished(_) | Event::SuiteInterrupted(_) => self.bar.finish_and_clear(),
            Event::SubmissionStarted { .. } | Event::SubmissionFinished(_) => {}
        }
        if let Some(running) = self.course.follow(event) {
            self.bar.set_message(printable(&running));
        }
        Ok(())
    }
}

/// How long the rest may take, once there is something to tell it from.
fn write_time_left(state: &ProgressState, out: &mut dyn fmt::Write) {
    let _ = match state.pos() {
        0 => write!(out, "?"),
        _ => write!(out, "{:#}", HumanDuration(state.eta())),
    };
}

impl Course {
    /// Cases of the submission whose turn it is that are not over.
    fn rest(&self) -> u64 {
        self.legs.get(self.leg).map_or(0, |(_, cases)| (cases.len() - self.done) as u64)
    }

    /// The oldest trial that is not over, when an event has changed that.
    fn follow(&mut self, event: &Event) -> Option<String> {
        match event {
            Event::SuiteStarted { .. } => {}
            Event::TrialFinished(_) | Event::TrialFaulted { .. } => self.done += 1,
            Event::SubmissionSkipped { .. } | Event::SubmissionFinished(_) => {
                (self.leg, self.done) = (self.leg + 1, 0);
            }
            _ => return None,
        }
        let (name, cases) = self.legs.get(self.leg)?;
        cases.get(self.done).map(|case| format!("{name} on {}", case.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Fault;
    use crate::model::Tally;

    fn course() -> Course {
        let case = |name: &str| Case { name: name.to_owned(), input: "".into(), answer: "".into() };
        let leg =
            |name: &str, cases: &[&str]| (name.to_owned(), cases.iter().map(|name| case(name)).collect());
        Course {
            legs: vec![leg("p a.c", &["1", "2"]), leg("p b.c", &["1", "2"]), leg("q c.c", &["3"])],
            leg: 0,
            done: 0,
        }
    }

    fn started() -> Event {
        Event::SuiteStarted {
            log_version: 2,
            gridjudge: String::new(),
            sandbox: String::new(),
            notes: Vec::new(),
            machine: String::new(),
            started: String::new(),
            jobs: 1,
            submissions: 3,
            trials: 5,
            part: false,
            contest: None,
        }
    }

    fn over() -> Event {
        let fault = Fault::because("judging", "it broke");
        Event::TrialFaulted { problem: "p".into(), submission: "a".into(), case: "1".into(), fault }
    }

    fn skipped() -> Event {
        Event::SubmissionSkipped {
            problem: "p".into(),
            submission: "b".into(),
            language: String::new(),
            cause: String::new(),
            remedy: String::new(),
            entrant: None,
        }
    }

    #[test]
    fn the_oldest_trial_that_is_not_over_is_the_one_that_runs() {
        let mut course = course();
        assert_eq!(course.follow(&started()).as_deref(), Some("p a.c on 1"));
        assert_eq!(course.follow(&over()).as_deref(), Some("p a.c on 2"));
        assert_eq!(course.follow(&over()), None);
    }

    #[test]
    fn a_submission_that_is_skipped_takes_all_its_cases_with_it() {
        let mut course = Course { leg: 1, ..course() };
        assert_eq!(course.rest(), 2);
        assert_eq!(course.follow(&skipped()).as_deref(), Some("q c.c on 3"));
        assert_eq!((course.rest(), course.follow(&over())), (1, None));
        assert_eq!(course.follow(&Event::SuiteFinished(Tally::default())), None);
    }
}
