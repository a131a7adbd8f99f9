//! What shows that judging goes on. At a terminal some lines at its foot, drawn again and again and gone in the end; elsewhere
//! a plain line for each submission that is through. Both say what is known, how many submissions are through of how
//! many and what is being done, and no time left: a program takes between nothing and its limit, and that is not known
//! before.

mod live_lines;
mod progress_lines;
mod view;

use std::io;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;

use crate::model::Activity;
use crate::model::Event;
use crate::report::sink::Sink;
pub use live_lines::LiveLines;
pub use live_lines::LiveTerminal;
pub use live_lines::WeakLiveLines;
pub use progress_lines::ProgressLines;
pub use view::ProgressEntry;
use view::ProgressView;

/// Shows progress on standard error. To be used only where that is a terminal.
pub struct TerminalProgress {
    live: LiveLines,
    view: Arc<Mutex<ProgressView>>,
}

impl TerminalProgress {
    /// Lines about submissions that are judged in this order, with what is being done with them, at this terminal.
    pub fn of(entries: Vec<ProgressEntry>, activity: Arc<Activity>, terminal: LiveTerminal) -> Self {
        let view = Arc::new(Mutex::new(ProgressView::of(entries)));
        let shown = Arc::clone(&view);
        let live = LiveLines::start(terminal, move |elapsed| locked(&shown).lines(&activity.now(), elapsed));
        Self { live, view }
    }

    /// Its lines, without keeping them.
    pub fn lines(&self) -> WeakLiveLines {
        self.live.downgrade()
    }

    /// Writes something above the lines. The other reports must go through this, or they would be drawn over.
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
