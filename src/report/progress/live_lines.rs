//! Lines at the foot of a terminal that are drawn again and again, cut to its width, until they end. Knows nothing of
//! what they say.

use std::fmt;
use std::time::Duration;

use indicatif::ProgressBar;
use indicatif::ProgressDrawTarget;
use indicatif::ProgressState;
use indicatif::ProgressStyle;

use crate::text::cut;
use crate::text::printable;

/// Nothing is shown before this has passed: what is over at once need not flicker.
const SHOWN_AFTER: Duration = Duration::from_millis(300);

/// How often the lines are drawn, if nothing else has them drawn.
const REDRAW_INTERVAL: Duration = Duration::from_millis(200);

/// Lines on standard error. To be used only where that is a terminal.
pub struct LiveLines(ProgressBar);

impl LiveLines {
    /// Shows these lines, asked for anew each time with the time that has passed, on a terminal that is so many columns
    /// wide at the moment.
    pub fn start(
        width: fn() -> usize,
        lines: impl Fn(Duration) -> Vec<String> + Clone + Send + Sync + 'static,
    ) -> Self {
        let write = move |state: &ProgressState, out: &mut dyn fmt::Write| {
            let elapsed = state.elapsed();
            if elapsed >= SHOWN_AFTER {
                // A line as wide as the terminal makes some of them go on to the next.
                let room = width().saturating_sub(1);
                let lines = lines(elapsed);
                let lines: Vec<_> = lines.iter().map(|line| cut(&printable(line), room)).collect();
                // A terminal that takes nothing more is no reason to stop.
                let _ = out.write_str(&lines.join("\n"));
            }
        };
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        let style = ProgressStyle::with_template("{lines}").expect("a template of one key is sound");
        bar.set_style(style.with_key("lines", write));
        bar.enable_steady_tick(REDRAW_INTERVAL);
        Self(bar)
    }

    /// Writes something above the lines.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.0.suspend(write)
    }

    /// Removes the lines for good.
    pub fn end(&self) {
        self.0.finish_and_clear();
    }
}

impl Drop for LiveLines {
    fn drop(&mut self) {
        self.end();
    }
}
