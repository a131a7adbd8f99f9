//! Ends judging after a number of submissions that are not as expected.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::cli::cancel::CancelToken;
use crate::cli::session::outputs::NamedSink;
use crate::model::Event;
use crate::report::Sink;

/// Whether judging was ended by failures.
#[derive(Clone, Default)]
pub(crate) struct FailureStop(Arc<AtomicBool>);

impl FailureStop {
    /// A sink that cancels the token at the `most`-th failure.
    pub(crate) fn sink(&self, most: u64, cancel: &CancelToken) -> NamedSink {
        let counter = FailureCounter {
            left: most,
            cancel: cancel.clone(),
            stop: self.clone(),
        };
        ("the count of failures".to_owned(), Box::new(counter))
    }

    pub(crate) fn has_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

struct FailureCounter {
    left: u64,
    cancel: CancelToken,
    stop: FailureStop,
}

impl Sink for FailureCounter {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        if let Event::SubmissionFinished(summary) = event
            && !summary.is_as_expected()
        {
            self.left = self.left.saturating_sub(1);
            if self.left == 0 && !self.cancel.is_cancelled() {
                self.stop.0.store(true, Ordering::Relaxed);
                self.cancel.cancel();
            }
        }
        Ok(())
    }
}
