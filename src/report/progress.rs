//! A line at the foot of the terminal that says how far the suite is. Gone when the suite is over.

use std::io;

use indicatif::ProgressBar;
use indicatif::ProgressDrawTarget;
use indicatif::ProgressStyle;

use crate::model::Event;
use crate::report::Sink;
use crate::report::printable;

/// Shows progress on standard error. To be used only where that is a terminal.
pub struct Progress {
    bar: ProgressBar,
}

impl Default for Progress {
    fn default() -> Self {
        Self { bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10)) }
    }
}

impl Progress {
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
                let template = "{bar:24} {pos}/{len} trials, {eta} left  {wide_msg}";
                self.bar.set_style(ProgressStyle::with_template(template).map_err(io::Error::other)?);
            }
            Event::SubmissionStarted { problem, submission, .. } => {
                self.bar.set_message(printable(&format!("{problem} {submission}")));
            }
            Event::TrialFinished(_) | Event::TrialFaulted { .. } => self.bar.inc(1),
            Event::SuiteFinished(_) | Event::SuiteInterrupted(_) => self.bar.finish_and_clear(),
            Event::SubmissionSkipped { .. } | Event::SubmissionFinished(_) => {}
        }
        Ok(())
    }
}
