//! Shows that judging is going on: at a terminal by some lines at the bottom that are redrawn and
//! finally removed, elsewhere by a plain line for each finished submission. Both show how many
//! submissions are finished, and the former what is being done. Neither estimates the time left: a
//! program takes anything between nothing and its limit.

mod live_lines;
mod progress_lines;
mod view;

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::model::{Activity, Event};
use crate::report::sink::Sink;
pub use live_lines::{LiveLines, LiveTerminal, WeakLiveLines};
pub use progress_lines::ProgressLines;
use view::ProgressView;
pub use view::{JudgingPurpose, ProgressEntry};

/// Shows progress on standard error. To be used only if that is a terminal.
pub struct TerminalProgress {
    live: LiveLines,
    view: Arc<Mutex<ProgressView>>,
}

impl TerminalProgress {
    /// Shows the progress of submissions that are judged in this order and for this purpose, and
    /// the current activity, at this terminal.
    pub fn of(
        entries: Vec<ProgressEntry>,
        purpose: JudgingPurpose,
        activity: Arc<Activity>,
        terminal: LiveTerminal,
    ) -> Self {
        let view = Arc::new(Mutex::new(ProgressView::of(entries, purpose)));
        let shown = Arc::clone(&view);
        let live = LiveLines::start(terminal, move |elapsed| {
            locked(&shown).lines(&activity.now(), elapsed)
        });
        Self { live, view }
    }

    /// A weak reference to the lines.
    pub fn lines(&self) -> WeakLiveLines {
        self.live.downgrade()
    }

    /// Writes something above the lines. All other reports must be written through this, or the
    /// lines overwrite them.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.live.suspend(write)
    }
}

impl Sink for TerminalProgress {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        locked(&self.view).take(event);
        if matches!(event, Event::SuiteFinished(_) | Event::SuiteInterrupted(_)) {
            self.live.end();
        }
        Ok(())
    }
}

fn locked(view: &Mutex<ProgressView>) -> MutexGuard<'_, ProgressView> {
    view.lock().unwrap_or_else(PoisonError::into_inner)
}
