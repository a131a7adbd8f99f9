//! What can be wrong with a file that is to be read as a log, in words, with what to do about it.

use std::fmt;
use std::io;

use crate::model::LOG_VERSION;
use crate::report::log::LOG_START;

/// Why a file cannot be read as a log: one complaint or more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct LogError(pub Vec<LogDefect>);

/// One thing that is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogDefect {
    /// The line, from 1, where it is about one.
    pub line: Option<u64>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub remedy: &'static str,
}

impl fmt::Display for LogDefect {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(out, "line {line}: {}", self.message),
            None => out.write_str(&self.message),
        }
    }
}

impl fmt::Display for LogError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<_> = self.0.iter().map(LogDefect::to_string).collect();
        out.write_str(&lines.join("\n"))
    }
}

/// For a log of which something is missing or of no use.
pub(crate) const SALVAGE: &str =
    "judge again; or make reports of what is left, or a log of it, by `gridjudge report --salvage`";

/// For a line that begins something else.
pub(crate) const SPLIT: &str = "a file holds one log: split it here, and use each part by itself";

/// A file that cannot be read at all.
pub(crate) fn unreadable(error: &io::Error) -> LogError {
    let message = format!("cannot be read: {error}");
    LogError(vec![LogDefect { line: None, message, remedy: "name a file that can be read" }])
}

/// A log of a later version than ours.
pub(crate) fn newer(version: u32) -> LogError {
    let message =
        format!("is a log of version {version}, and this gridjudge reads versions 1 to {LOG_VERSION}");
    let remedy = "use a newer gridjudge, at least the one that wrote it";
    LogError(vec![LogDefect { line: None, message, remedy }])
}

/// A line that is no event, or one with something wrong in it.
pub(crate) fn broken(line: u64, error: &serde_json::Error) -> LogDefect {
    let said = error.to_string();
    // Where in its line; which line we know better.
    let said = said.rsplit_once(" at line ").map_or(said.as_str(), |(said, _)| said);
    let message = match error.is_data() {
        true => format!("is no event: {said}"),
        false => format!("is no JSON: {said}, at column {}", error.column()),
    };
    LogDefect { line: Some(line), message, remedy: SALVAGE }
}

/// A file whose first line does not begin a log.
pub(crate) fn no_log(first: &[u8]) -> LogError {
    let message = match first {
        [] => "is empty",
        line if line.starts_with(LOG_START) => "ends in its first line: nothing was judged",
        _ => "is not a log of gridjudge",
    };
    let remedy = "write a log with `gridjudge grade --log FILE`";
    LogError(vec![LogDefect { line: None, message: message.to_owned(), remedy }])
}
