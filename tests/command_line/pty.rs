//! A pseudo-terminal of 80 columns for one test: runs the program in it, types keys,
//! and reads the screen.

use std::fs::File;
use std::io::{Read, Write};
use std::process::Child;

use anstyle_parse::{Params, Parser, Perform};
use rustix::pty::OpenptFlags;
use rustix::termios::Winsize;

use crate::judge::Judge;

/// Columns of the terminal.
pub(crate) const WIDTH: usize = 80;

/// The byte that Ctrl-C sends.
const INTERRUPT: &[u8] = b"\x03";

/// A terminal and the program that runs in it.
pub(crate) struct Terminal {
    keyboard: File,
    child: Child,
    screen: Screen,
    parser: Parser,
}

/// The screen of a terminal of unlimited height.
#[derive(Debug, Default)]
pub(crate) struct Screen {
    rows: Vec<Vec<char>>,
    row: usize,
    column: usize,
    /// The text of each row at every moment when the cursor left it, in order.
    pub(crate) seen: Vec<String>,
    /// Rows whose text was wider than the terminal.
    pub(crate) overflowing: Vec<String>,
}

impl Terminal {
    /// Starts the judge in a terminal of its own.
    pub(crate) fn start(judge: &Judge, arguments: &[&str]) -> Self {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let keyboard = rustix::pty::openpt(flags).unwrap();
        rustix::pty::grantpt(&keyboard).unwrap();
        rustix::pty::unlockpt(&keyboard).unwrap();
        let size = Winsize {
            ws_row: 24,
            ws_col: u16::try_from(WIDTH).unwrap(),
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        rustix::termios::tcsetwinsize(&keyboard, size).unwrap();
        let terminal = rustix::pty::ioctl_tiocgptpeer(&keyboard, flags).unwrap();
        let stream = || terminal.try_clone().unwrap();
        // Only a process with a session and a controlling terminal of its own gets the
        // signal of Ctrl-C.
        let arguments =
            [&["--ctty", env!("CARGO_BIN_EXE_gridjudge")], arguments].concat();
        let mut command = judge.command_of("setsid", &arguments);
        command
            .env("TERM", "xterm")
            .stdin(stream())
            .stdout(stream())
            .stderr(stream());
        Self {
            keyboard: keyboard.into(),
            child: command.spawn().unwrap(),
            screen: Screen::default(),
            parser: Parser::default(),
        }
    }

    /// The process number of the judge.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Waits until a row of the screen contains a text.
    #[track_caller]
    pub(crate) fn wait_for_text(&mut self, text: &str) {
        while !self.screen.rows().iter().any(|row| row.contains(text)) {
            assert!(
                self.read(),
                "it ended before it showed `{text}`: {:#?}",
                self.screen.seen
            );
        }
    }

    pub(crate) fn press_interrupt(&mut self) {
        self.keyboard.write_all(INTERRUPT).unwrap();
    }

    /// Waits for the end. Returns the exit code and the screen.
    pub(crate) fn end(mut self) -> (Option<i32>, Screen) {
        while self.read() {}
        (self.child.wait().unwrap().code(), self.screen)
    }

    /// Reads more output. Returns false if no process has the terminal open any more,
    /// which the kernel reports as an error.
    fn read(&mut self) -> bool {
        let mut bytes = [0; 4096];
        let count = self.keyboard.read(&mut bytes).unwrap_or(0);
        for byte in bytes[..count].iter() {
            self.parser.advance(&mut self.screen, *byte);
        }
        count > 0
    }
}

impl Screen {
    /// The rows that are not empty.
    pub(crate) fn rows(&self) -> Vec<String> {
        (0..self.rows.len())
            .map(|row| self.text(row))
            .filter(|row| !row.is_empty())
            .collect()
    }

    /// The same without notes, which depend on the machine.
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
        self.rows.get(row).map_or_else(String::new, |row| {
            row.iter().collect::<String>().trim_end().to_owned()
        })
    }

    /// Moves the cursor, and records the text of the row that it leaves.
    fn move_cursor(&mut self, row: usize, column: usize) {
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
            self.overflowing.push(self.text(self.row));
            self.move_cursor(self.row + 1, 0);
        }
        self.rows.resize(self.rows.len().max(self.row + 1), vec![]);
        let row = &mut self.rows[self.row];
        row.resize(row.len().max(self.column + 1), ' ');
        row[self.column] = letter;
        self.column += 1;
    }

    fn execute(&mut self, control: u8) {
        match control {
            b'\r' => self.move_cursor(self.row, 0),
            b'\n' => self.move_cursor(self.row + 1, self.column),
            _ => panic!("control character {control}"),
        }
    }

    fn csi_dispatch(&mut self, parameters: &Params, _: &[u8], _: bool, action: u8) {
        let number = parameters.iter().next().map_or(0, |number| number[0]);
        match (action, number) {
            (b'm', _) => {}
            (b'A', rows) => self.move_cursor(
                self.row.checked_sub(usize::from(rows.max(1))).unwrap(),
                self.column,
            ),
            (b'B', rows) => {
                self.move_cursor(self.row + usize::from(rows.max(1)), self.column)
            }
            (b'K', 2) => {
                self.move_cursor(self.row, self.column);
                self.rows.get_mut(self.row).into_iter().for_each(Vec::clear);
            }
            _ => panic!("sequence {parameters:?} {}", char::from(action)),
        }
    }
}
