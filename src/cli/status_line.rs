//! A line at the foot of the terminal while a command takes its time: since when, and what is being done. Where nothing can
//! be drawn, or with `--quiet`, there is none.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

use crate::cli::args::GlobalOptions;
use crate::cli::screen;
use crate::cli::signals;
use crate::report::LiveLines;
use crate::report::clock;

/// The line, gone with its value.
pub(crate) struct StatusLine {
    live: Option<LiveLines>,
    text: Arc<Mutex<String>>,
}

impl StatusLine {
    /// Begins to say that this is being done.
    pub(crate) fn start(common: &GlobalOptions, text: &str) -> Self {
        let text = Arc::new(Mutex::new(text.to_owned()));
        let shown = Arc::clone(&text);
        let said = move |_| shown.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Self { live: line(common, said), text }
    }

    /// Begins to say what is asked for anew each time, with the time that has passed.
    pub(crate) fn watching(
        common: &GlobalOptions,
        text: impl Fn(Duration) -> String + Send + 'static,
    ) -> Self {
        Self { live: line(common, text), text: Arc::default() }
    }

    /// Says that something else is being done now.
    pub(crate) fn say(&self, text: impl FnOnce() -> String) {
        if self.live.is_some() {
            *self.text.lock().unwrap_or_else(PoisonError::into_inner) = text();
        }
    }

    /// Writes something above the line.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.live {
            Some(live) => live.suspend(write),
            None => write(),
        }
    }
}

fn line(common: &GlobalOptions, text: impl Fn(Duration) -> String + Send + 'static) -> Option<LiveLines> {
    let lines = move |elapsed| vec![format!("{}  {}", clock(elapsed), text(elapsed))];
    (screen::can_draw() && !common.quiet).then(|| {
        let live = LiveLines::start(screen::foot(), lines);
        signals::clear_at_end(live.downgrade());
        live
    })
}
