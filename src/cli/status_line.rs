//! Shows a line at the bottom of the terminal while a command works: the elapsed time
//! and the current activity. There is no line if lines cannot be redrawn, or with
//! `--quiet`.

use std::fmt::Display;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::cli::{screen, signals};
use crate::report::{LiveLines, clock};

/// A status line. Dropping it removes the line. The default one is not shown.
#[derive(Default)]
pub(crate) struct StatusLine {
    live: Option<LiveLines>,
    text: Arc<Mutex<String>>,
}

impl StatusLine {
    /// Starts a status line with this text.
    pub(crate) fn start(text: &str) -> Self {
        let text = Arc::new(Mutex::new(text.to_owned()));
        let shown = Arc::clone(&text);
        Self {
            text,
            ..Self::watching(move || shown.lock().clone())
        }
    }

    /// Starts a status line whose text is computed each time it is drawn.
    pub(crate) fn watching(text: impl Fn() -> String + Send + 'static) -> Self {
        let live = screen::live_terminal().map(|terminal| {
            let live = LiveLines::start(terminal, move |elapsed| {
                vec![format!("{}  {}", clock(elapsed), text())]
            });
            signals::clear_at_end(live.downgrade());
            live
        });
        Self {
            live,
            text: Arc::default(),
        }
    }

    /// Changes the text of the line.
    pub(crate) fn say(&self, text: impl Display) {
        if self.live.is_some() {
            *self.text.lock() = text.to_string();
        }
    }

    /// Runs `write` while the line is hidden, so that its output is above the line.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.live {
            Some(live) => live.suspend(write),
            None => write(),
        }
    }
}
