//! Lines at the foot of a terminal that are drawn again and again, cut to its size, until they end. Knows nothing of
//! what they say.

use std::io::Write;
use std::sync::Arc;
use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::sync::Weak;
use std::thread;
use std::thread::JoinHandle;
use std::time::Duration;

use crate::text::cut_within;
use crate::text::printable;

/// Nothing is shown before this has passed: what is over at once need not flicker.
const SHOWN_AFTER: Duration = Duration::from_millis(300);

/// How often the lines are drawn, if nothing else has them drawn.
const REDRAW_INTERVAL: Duration = Duration::from_millis(200);

/// How often, and how far apart, it is tried to remove lines that somebody holds. To draw them takes far less.
const MOST_LOOKS: usize = 50;
const LOOK_INTERVAL: Duration = Duration::from_millis(2);

/// Columns that are left free at the end of a line: for the `^C` that a terminal shows for the key, and for the cursor. A
/// terminal goes on to the next line where there is no room, and would be cleared of one line too few.
const FREE_COLUMNS: usize = 3;

/// Columns for the end of a line that is cut: names come first, and behind them what is being done.
const END_COLUMNS: usize = 48;

/// The terminal that lines are drawn at.
pub struct LiveTerminal {
    /// Where to write.
    pub target: Box<dyn Write + Send>,
    /// How many columns and rows it has at the moment.
    pub size: fn() -> (usize, usize),
    /// How much time has passed.
    pub elapsed: Box<dyn Fn() -> Duration + Send>,
}

/// Lines at a terminal. They are gone with this value.
pub struct LiveLines {
    shared: Arc<SharedLines>,
    redrawing: Option<JoinHandle<()>>,
}

/// Lines that may be gone.
#[derive(Clone)]
pub struct WeakLiveLines(Weak<SharedLines>);

struct SharedLines {
    drawn: Mutex<DrawnLines>,
    ended: Condvar,
}

struct DrawnLines {
    terminal: LiveTerminal,
    lines: Box<dyn Fn(Duration) -> Vec<String> + Send>,
    /// How many stand on the terminal.
    shown: usize,
    is_over: bool,
}

impl LiveLines {
    /// Shows these lines, asked for anew each time with the time that has passed. Where no thread can be had they stand still.
    pub fn start(terminal: LiveTerminal, lines: impl Fn(Duration) -> Vec<String> + Send + 'static) -> Self {
        let drawn = DrawnLines { terminal, lines: Box::new(lines), shown: 0, is_over: false };
        let shared = Arc::new(SharedLines { drawn: Mutex::new(drawn), ended: Condvar::new() });
        let redrawn = Arc::clone(&shared);
        let thread = thread::Builder::new().name("progress".to_owned());
        Self { shared, redrawing: thread.spawn(move || redrawn.redraw()).ok() }
    }

    /// Writes something above the lines.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.shared.suspend(write)
    }

    /// Removes the lines for good.
    pub fn end(&self) {
        self.shared.lock().end();
        self.shared.ended.notify_all();
    }

    /// The same lines, without keeping them.
    pub fn downgrade(&self) -> WeakLiveLines {
        WeakLiveLines(Arc::downgrade(&self.shared))
    }
}

impl Drop for LiveLines {
    fn drop(&mut self) {
        self.end();
        // It panics only where the lines do.
        self.redrawing.take().map(JoinHandle::join);
    }
}

impl WeakLiveLines {
    /// Whether they are still there.
    pub fn are_there(&self) -> bool {
        self.0.strong_count() > 0
    }

    /// Writes something above the lines, if they are still there.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match self.0.upgrade() {
            Some(shared) => shared.suspend(write),
            None => write(),
        }
    }

    /// Removes the lines for good, unless somebody writes above them, who may never be done. Whoever draws them is waited for.
    pub fn end(&self) {
        let Some(shared) = self.0.upgrade() else { return };
        for _ in 0..MOST_LOOKS {
            match shared.drawn.try_lock() {
                Ok(mut drawn) => return drawn.end(),
                Err(_) => thread::sleep(LOOK_INTERVAL),
            }
        }
    }
}

impl SharedLines {
    fn lock(&self) -> MutexGuard<'_, DrawnLines> {
        self.drawn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        let mut drawn = self.lock();
        drawn.clear();
        let written = write();
        drawn.draw();
        written
    }

    fn redraw(&self) {
        let mut drawn = self.lock();
        while !drawn.is_over {
            drawn.draw();
            let waited = self.ended.wait_timeout(drawn, REDRAW_INTERVAL);
            drawn = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl DrawnLines {
    /// Draws the lines as they are now in place of those that stand there.
    fn draw(&mut self) {
        let elapsed = (self.terminal.elapsed)();
        if self.is_over || elapsed < SHOWN_AFTER {
            return;
        }
        let (columns, rows) = (self.terminal.size)();
        let room = columns.saturating_sub(FREE_COLUMNS);
        let lines = (self.lines)(elapsed);
        let fitted = |line: &String| cut_within(&printable(line), room, END_COLUMNS.min(room * 2 / 3));
        let lines: Vec<_> = lines.iter().take(rows).map(fitted).collect();
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

    /// In one write, or it would flicker. A terminal that takes nothing more is no reason to stop.
    fn write(&mut self, text: &str) {
        let target = &mut self.terminal.target;
        let _ = target.write_all(text.as_bytes()).and_then(|()| target.flush());
    }
}

/// What erases so many lines, in the last of which the cursor is, and leaves it where the first began.
fn erasing(lines: usize) -> String {
    match lines {
        0 => String::new(),
        lines => "\r\x1b[2K".to_owned() + &"\x1b[1A\x1b[2K".repeat(lines - 1),
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::mpsc::Sender;
    use std::sync::mpsc::channel;

    use super::*;

    /// A terminal that takes its time to show something, and tells when it begins to.
    struct SlowTerminal {
        begun: Sender<()>,
        text: Arc<Mutex<String>>,
    }

    impl Write for SlowTerminal {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.begun.send(());
            thread::sleep(Duration::from_millis(10));
            self.text.lock().unwrap().push_str(str::from_utf8(bytes).unwrap());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_that_are_being_drawn_are_removed_all_the_same() {
        let (begun, drawing) = channel();
        let text = Arc::default();
        let target = Box::new(SlowTerminal { begun, text: Arc::clone(&text) });
        let terminal = LiveTerminal { target, size: || (80, 25), elapsed: Box::new(|| SHOWN_AFTER) };
        let lines = LiveLines::start(terminal, |_| vec!["at work".to_owned()]);
        drawing.recv().unwrap();
        lines.downgrade().end();
        assert_eq!(*text.lock().unwrap(), format!("at work{}", erasing(1)));
    }
}
