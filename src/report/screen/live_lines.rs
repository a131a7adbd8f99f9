//! Draws lines at the bottom of a terminal again and again, cut to its size, until they end. Does
//! not know their content.

use std::io::Write;
use std::sync::{Arc, Weak};
use std::thread;
use std::thread::JoinHandle;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use crate::text::{cut_within, printable};

/// Nothing is shown before this time, so that a short run does not flicker.
const SHOWN_AFTER: Duration = Duration::from_millis(300);

/// How often the lines are redrawn without another reason.
const REDRAW_INTERVAL: Duration = Duration::from_millis(200);

/// How often, and at what interval, to try to remove lines while they are locked. Drawing them
/// takes far less time.
const MOST_LOOKS: usize = 50;
const LOOK_INTERVAL: Duration = Duration::from_millis(2);

/// Columns left free at the end of a line, for the cursor and the `^C` that a terminal shows for
/// that key. Otherwise the terminal would wrap the line, and one line too few would be erased.
const FREE_COLUMNS: usize = 3;

/// Columns kept for the end of a line that is cut: names come first, and the activity after them.
const END_COLUMNS: usize = 48;

/// The terminal that lines are drawn on.
pub struct LiveTerminal {
    /// Where to write.
    pub target: Box<dyn Write + Send>,
    /// Returns its current number of columns and rows.
    pub size: fn() -> (usize, usize),
    /// Returns the time since the start.
    pub elapsed: Box<dyn Fn() -> Duration + Send>,
}

/// Lines at the bottom of a terminal. They are removed when this is dropped.
pub struct LiveLines {
    shared: Arc<SharedLines>,
    redrawing: Option<JoinHandle<()>>,
}

/// A weak reference to lines, which may have been removed.
#[derive(Clone)]
pub struct WeakLiveLines(Weak<SharedLines>);

struct SharedLines {
    drawn: Mutex<DrawnLines>,
    ended: Condvar,
}

struct DrawnLines {
    terminal: LiveTerminal,
    lines: Box<dyn Fn(Duration) -> Vec<String> + Send>,
    /// Number of lines currently on the terminal.
    shown: usize,
    is_over: bool,
}

impl LiveLines {
    /// Shows the lines that `lines` returns, which is called for each redraw with the time since
    /// the start. Without a thread they are redrawn only after other output.
    pub fn start(
        terminal: LiveTerminal,
        lines: impl Fn(Duration) -> Vec<String> + Send + 'static,
    ) -> Self {
        let drawn = DrawnLines {
            terminal,
            lines: Box::new(lines),
            shown: 0,
            is_over: false,
        };
        let shared = Arc::new(SharedLines {
            drawn: Mutex::new(drawn),
            ended: Condvar::new(),
        });
        let redrawn = Arc::clone(&shared);
        let thread = thread::Builder::new().name("progress".to_owned());
        Self {
            shared,
            redrawing: thread.spawn(move || redrawn.redraw()).ok(),
        }
    }

    /// Writes something above the lines.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.shared.suspend(write)
    }

    /// Removes the lines for good.
    pub fn end(&self) {
        self.shared.drawn.lock().end();
        self.shared.ended.notify_all();
    }

    /// A weak reference to the lines.
    pub fn downgrade(&self) -> WeakLiveLines {
        WeakLiveLines(Arc::downgrade(&self.shared))
    }
}

impl Drop for LiveLines {
    fn drop(&mut self) {
        self.end();
        // Fails only if the thread panicked, which needs a panic in `lines`.
        self.redrawing.take().map(JoinHandle::join);
    }
}

impl WeakLiveLines {
    /// Whether the lines still exist.
    pub fn are_there(&self) -> bool {
        self.0.strong_count() > 0
    }

    /// Writes something above the lines, if they still exist.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match self.0.upgrade() {
            Some(shared) => shared.suspend(write),
            None => write(),
        }
    }

    /// Removes the lines for good, unless someone is writing above them, which may never end. Waits
    /// while they are being drawn.
    pub fn end(&self) {
        let Some(shared) = self.0.upgrade() else {
            return;
        };
        for _ in 0..MOST_LOOKS {
            if let Some(mut drawn) = shared.drawn.try_lock() {
                return drawn.end();
            }
            thread::sleep(LOOK_INTERVAL);
        }
    }
}

impl SharedLines {
    fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        let mut drawn = self.drawn.lock();
        drawn.clear();
        let written = write();
        drawn.draw();
        written
    }

    fn redraw(&self) {
        let mut drawn = self.drawn.lock();
        while !drawn.is_over {
            drawn.draw();
            self.ended.wait_for(&mut drawn, REDRAW_INTERVAL);
        }
    }
}

impl DrawnLines {
    /// Replaces the lines on the terminal by the current ones.
    fn draw(&mut self) {
        let elapsed = (self.terminal.elapsed)();
        if self.is_over || elapsed < SHOWN_AFTER {
            return;
        }
        let (columns, rows) = (self.terminal.size)();
        let room = columns.saturating_sub(FREE_COLUMNS);
        let lines = (self.lines)(elapsed);
        let lines: Vec<_> = lines
            .iter()
            .take(rows)
            .map(|line| cut_within(&printable(line), room, END_COLUMNS.min(room * 2 / 3)))
            .collect();
        self.write(&(erasing(self.shown) + &lines.join("\n")));
        self.shown = lines.len();
    }

    fn clear(&mut self) {
        self.write(&erasing(self.shown));
        self.shown = 0;
    }

    fn end(&mut self) {
        self.clear();
        self.is_over = true;
    }

    /// Writes all at once to avoid flicker. A terminal that fails is no reason to stop judging.
    fn write(&mut self, text: &str) {
        let target = &mut self.terminal.target;
        let _ = target
            .write_all(text.as_bytes())
            .and_then(|()| target.flush());
    }
}

/// The codes that erase `lines` lines, with the cursor in the last one, and move it to the start of
/// the first.
fn erasing(lines: usize) -> String {
    match lines {
        0 => String::new(),
        lines => "\r\x1b[2K".to_owned() + &"\x1b[1A\x1b[2K".repeat(lines - 1),
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::mpsc::{Sender, channel};

    use super::*;

    /// A terminal that writes slowly, and reports when it begins to.
    struct SlowTerminal {
        begun: Sender<()>,
        text: Arc<Mutex<String>>,
    }

    impl Write for SlowTerminal {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.begun.send(());
            thread::sleep(Duration::from_millis(10));
            self.text.lock().push_str(str::from_utf8(bytes).unwrap());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_are_removed_even_while_they_are_being_drawn() {
        let (begun, drawing) = channel();
        let text = Arc::default();
        let target = Box::new(SlowTerminal {
            begun,
            text: Arc::clone(&text),
        });
        let terminal = LiveTerminal {
            target,
            size: || (80, 25),
            elapsed: Box::new(|| SHOWN_AFTER),
        };
        let lines = LiveLines::start(terminal, |_| vec!["at work".to_owned()]);
        drawing.recv().unwrap();
        lines.downgrade().end();
        assert_eq!(*text.lock(), format!("at work{}", erasing(1)));
    }
}
