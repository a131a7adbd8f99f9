//! The results of one run: exit, usage and output of its process tree. Plain figures;
//! whether they break a limit is for the caller to decide.

use std::io::Read;
use std::path::Path;
use std::time::Duration;
use std::{fmt, io};

use serde::{Deserialize, Serialize};

/// How the first process of a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// It exited with this code, 0 to 255.
    Code(i32),
    /// It was ended by this signal.
    Signal(i32),
}

impl Exit {
    /// Whether it exited with code 0.
    pub fn is_clean(self) -> bool {
        self == Self::Code(0)
    }
}

/// Names of the signals that end programs, by their numbers on Linux (the same on every
/// architecture that Rust's standard library supports except MIPS and SPARC). Source:
/// signal(7).
const SIGNALS: [(i32, &str); 16] = [
    (1, "SIGHUP"),
    (2, "SIGINT"),
    (3, "SIGQUIT"),
    (4, "SIGILL"),
    (5, "SIGTRAP"),
    (6, "SIGABRT"),
    (7, "SIGBUS"),
    (8, "SIGFPE"),
    (9, "SIGKILL"),
    (11, "SIGSEGV"),
    (13, "SIGPIPE"),
    (14, "SIGALRM"),
    (15, "SIGTERM"),
    (24, "SIGXCPU"),
    (25, "SIGXFSZ"),
    (31, "SIGSYS"),
];

impl fmt::Display for Exit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(out, "exit code {code}"),
            Self::Signal(number) => {
                match SIGNALS.iter().find(|signal| signal.0 == *number) {
                    Some((_, name)) => write!(out, "{name}"),
                    None => write!(out, "signal {number}"),
                }
            }
        }
    }
}

/// The resources that a run used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// CPU time of the whole tree.
    pub cpu: Duration,
    /// Wall time, from exec to the exit of the first process.
    pub wall: Duration,
    /// The part of `wall` in which the run wanted a processor and had none: the
    /// machine's fault, not the run's.
    pub starved: Duration,
    /// Whether it ran into its wall limit although it hardly waited for a processor,
    /// and no process of the machine for a disk or for swapped memory; not known of a
    /// run that talks to another.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub idled_by_itself: bool,
    /// Peak memory, in bytes.
    pub peak_memory_bytes: u64,
    /// By how much the peak may have been larger, because output and disk files came into
    /// memory between the same two samples; 0 if even that would be within the limit.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub hidden_memory_bytes: u64,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// One finished run.
pub struct Run {
    /// How its first process ended.
    pub exit: Exit,
    /// The resources it used.
    pub usage: Usage,
    /// Whether the kernel refused it memory or killed it for memory, at a limit that
    /// the peak itself cannot exceed.
    pub out_of_memory: bool,
    /// Standard output, from its first byte, or the output file that replaces it.
    pub stdout: Box<dyn Read + Send>,
    /// Bytes written to standard output, or to the output file.
    pub stdout_bytes: u64,
    /// Why the output file is missing, if one was asked for and cannot be read.
    pub missing_output: Option<MissingOutput>,
    /// Bytes written to standard error.
    pub stderr_bytes: u64,
    /// The first 1 KiB of standard error and its last 3000 bytes, with a mark where
    /// anything is left out; for roles other than a submission, the first 60 KiB.
    pub stderr_tail: Vec<u8>,
}

/// Why the output file of a run cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingOutput {
    /// There is nothing under that name.
    Absent,
    /// What is under that name is not a readable file of the run's own: a folder, a
    /// link, a pipe.
    NotAFile,
}

impl Run {
    /// A run that used nothing and ended well after it printed this many bytes: for an
    /// output that no process produced.
    pub fn of_output(stdout: impl Read + Send + 'static, stdout_bytes: u64) -> Self {
        Self {
            exit: Exit::Code(0),
            usage: Usage::default(),
            out_of_memory: false,
            stdout: Box::new(stdout),
            stdout_bytes,
            missing_output: None,
            stderr_bytes: 0,
            stderr_tail: vec![],
        }
    }

    /// Reads on in what it printed, at most so many bytes.
    ///
    /// # Errors
    /// Returns the error of reading.
    pub fn printed(&mut self, most: u64) -> io::Result<Vec<u8>> {
        let mut printed = vec![];
        self.stdout.by_ref().take(most).read_to_end(&mut printed)?;
        Ok(printed)
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Run")
            .field("exit", &self.exit)
            .field("usage", &self.usage)
            .field("out_of_memory", &self.out_of_memory)
            .field("stdout_bytes", &self.stdout_bytes)
            .field("stderr_bytes", &self.stderr_bytes)
            .field("stderr_tail", &String::from_utf8_lossy(&self.stderr_tail))
            .finish_non_exhaustive()
    }
}

// Adds the path to an I/O error, since the standard library's errors do not name it.

/// Puts this path in front of the text of an error.
pub(crate) fn error_at<E: Into<io::Error>>(path: &Path) -> impl Fn(E) -> io::Error {
    move |error| {
        let error = error.into();
        io::Error::new(error.kind(), format!("{}: {error}", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exit_is_named_by_code_or_signal() {
        assert_eq!(Exit::Code(3).to_string(), "exit code 3");
        assert_eq!(Exit::Signal(11).to_string(), "SIGSEGV");
        assert_eq!(Exit::Signal(40).to_string(), "signal 40");
    }
}
