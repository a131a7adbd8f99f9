//! A terminal of 80 columns for one test: the real program run at it, keys typed at it, and what stands on its screen.

use std::fs::File;
use std::io::Read;
use std::io::Write;
use std::process::Child;

use anstyle_parse::Params;
use anstyle_parse::Parser;
use anstyle_parse::Perform;
use rustix::pty::OpenptFlags;
use rustix::termios::Winsize;

use crate::judge::Judge;

/// Columns of the terminal.
pub(crate) const WIDTH: usize = 80;

/// What Ctrl-C is to a terminal.
const INTERRUPT: &[u8] = b"\x03";

/// A terminal, and the program that runs at it.
pub(crate) struct Terminal {
    keyboard: File,
    child: Child,
    screen: Screen,
    parser: Parser,
}

/// What all that was written to a terminal has left on its screen, if the screen is high enough for it.
#[derive(Debug, Default)]
pub(crate) struct Screen {
    rows: Vec<Vec<char>>,
    row: usize,
    column: usize,
    /// Every text that a row has ever held when the cursor left it, in order.
    pub(crate) seen: Vec<String>,
    /// Rows that were too short for what was written in them.
    pub(crate) overfull: Vec<String>,
}

impl Terminal {
    /// Starts the judge at a terminal that is its own, as a shell at a window does.
    pub(crate) fn start(judge: &Judge, arguments: &[&str]) -> Self {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let keyboard = rustix::pty::openpt(flags).unwrap();
        rustix::pty::grantpt(&keyboard).unwrap();
        rustix::pty::unlockpt(&keyboard).unwrap();
        let size = Winsize { ws_row: 24, ws_col: u16::try_from(WIDTH).unwrap(), ws_xpixel: 0, ws_ypixel: 0 };
        rustix::termios::tcsetwinsize(&keyboard, size).unwrap();
        let place = rustix::pty::ioctl_tiocgptpeer(&keyboard, flags).unwrap();
        let own = || place.try_clone().unwrap();
        // Only a session of its own can have a terminal of its own, and only that is told of Ctrl-C.
        let arguments = [&["--ctty", env!("CARGO_BIN_EXE_gridjudge")], arguments].concat();
        let mut command = judge.command_of("setsid", &arguments);
        command.env("TERM", "xterm").stdin(own()).stdout(own()).stderr(own());
        Self {
            keyboard: keyboard.into(),
            child: command.spawn().unwrap(),
            screen: Screen::default(),
            parser: Parser::default(),
        }
    }

    /// The number of the judge's process.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Waits until some row of the screen has this in it.
    #[track_caller]
    pub(crate) fn shows(&mut self, text: &str) {
        while !self.screen.rows().iter().any(|row| row.contains(text)) {
            assert!(self.read(), "it ended before it showed `{text}`: {:#?}", self.screen.seen);
        }
    }

    pub(crate) fn press_interrupt(&mut self) {
        self.keyboard.write_all(INTERRUPT).unwrap();
    }

    /// Waits for the end; returns the exit code, and the screen.
    pub(crate) fn end(mut self) -> (Option<i32>, Screen) {
        while self.read() {}
        (self.child.wait().unwrap().code(), self.screen)
    }

    /// Reads on; false if nobody has the terminal any more, which the kernel calls an error.
    fn read(&mut self) -> bool {
        let mut bytes = [0; 4096];
        let count = self.keyboard.read(&mut bytes).unwrap_or(0);
        bytes[..count].iter().for_each(|byte| self.parser.advance(&mut self.screen, *byte));
        count > 0
    }
}

impl Screen {
    /// The rows with something in them.
    pub(crate) fn rows(&self) -> Vec<String> {
        (0..self.rows.len()).map(|row| self.text(row)).filter(|row| !row.is_empty()).collect()
    }

    /// The same without notes, which tell what this machine does not give.
    pub(crate) fn results(&self) -> Vec<String> {
        let mut is_note = false;
        let mut rows = self.rows();
        rows.retain(|row| {
            is_note = row.starts_with("note: ") || is_note && row.starts_with("  ");
            !is_note
        });
        rows
    }

    fn text(&self, row: usize) -> String {
        self.rows
            .get(row)
            .map_or_else(String::new, |row| row.iter().collect::<String>().trim_end().to_owned())
    }

    /// Moves the cursor. What the row holds that it leaves has been seen.
    fn go(&mut self, row: usize, column: usize) {
        let text = self.text(self.row);
        if !text.is_empty() && self.seen.last() != Some(&text) {
            self.seen.push(text);
        }
        (self.row, self.column) = (row, column);
    }
}

impl Perform for Screen {
    fn print(&mut self, letter: char) {
        if self.column == WIDTH {
            self.overfull.push(self.text(self.row));
            self.go(self.row + 1, 0);
        }
        self.rows.resize(self.rows.len().max(self.row + 1), Vec::new());
        let row = &mut self.rows[self.row];
        row.resize(row.len().max(self.column + 1), ' ');
        row[self.column] = letter;
        self.column += 1;
    }

    fn execute(&mut self, control: u8) {
        match control {
            b'\r' => self.go(self.row, 0),
            b'\n' => self.go(self.row + 1, self.column),
            _ => panic!("control character {control}"),
        }
    }

    fn csi_dispatch(&mut self, parameters: &Params, _: &[u8], _: bool, action: u8) {
        let number = parameters.iter().next().map_or(0, |number| number[0]);
        match (action, number) {
            (b'm', _) => {}
            (b'A', rows) => self.go(self.row.checked_sub(usize::from(rows.max(1))).unwrap(), self.column),
            (b'B', rows) => self.go(self.row + usize::from(rows.max(1)), self.column),
            (b'K', 2) => {
                self.go(self.row, self.column);
                self.rows.get_mut(self.row).into_iter().for_each(Vec::clear);
            }
            _ => panic!("sequence {parameters:?} {}", char::from(action)),
        }
    }
}
