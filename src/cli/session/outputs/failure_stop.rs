//! Ends judging after a number of submissions that are not as expected.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::cli::session::NamedSink;
use crate::cli::{CancelToken, screen};
use crate::model::{Event, Tally};
use crate::report::Sink;
use crate::text::counted;

/// How many failures end judging, and whether they have.
pub(crate) struct FailureStop {
    most: Option<u64>,
    has_stopped: Arc<AtomicBool>,
}

impl FailureStop {
    /// Ends judging at this failure, counted from 1; never if `None`.
    pub(crate) fn after(most: Option<u64>) -> Self {
        Self {
            most,
            has_stopped: Arc::default(),
        }
    }

    /// The sink that counts failures, and cancels the token at the last one that is allowed.
    pub(crate) fn sink(&self, cancel: &CancelToken) -> Option<NamedSink> {
        let counter = FailureCounter {
            left: self.most?,
            cancel: cancel.clone(),
            has_stopped: Arc::clone(&self.has_stopped),
        };
        Some(("the count of failures".to_owned(), Box::new(counter)))
    }

    pub(crate) fn has_stopped(&self) -> bool {
        self.has_stopped.load(Ordering::Relaxed)
    }

    /// Says how many submissions of the plan were judged.
    pub(crate) fn show(&self, tally: &Tally, submissions: usize) {
        screen::notice(format_args!(
            "stopped after {}: {} of {} judged",
            counted(self.most.unwrap_or_default(), "failure"),
            tally.submissions(),
            counted(submissions, "submission"),
        ));
    }
}

struct FailureCounter {
    left: u64,
    cancel: CancelToken,
    has_stopped: Arc<AtomicBool>,
}

impl Sink for FailureCounter {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        let Event::SubmissionFinished(summary) = event else {
            return Ok(());
        };
        if summary.is_as_expected() {
            return Ok(());
        }
        self.left = self.left.saturating_sub(1);
        if self.left == 0 && !self.cancel.is_cancelled() {
            self.has_stopped.store(true, Ordering::Relaxed);
            self.cancel.cancel();
        }
        Ok(())
    }
}
