//! Turns events into reports for people and programs. Knows events only, not how they came about. A
//! report is a [`Sink`]; the same events always produce the same report.

mod columns;
mod csv;
mod expectation;
mod explain;
mod explanations;
mod failure_list;
mod github;
mod html;
mod junit;
mod limit_margin;
mod listing;
mod log;
mod log_error;
mod log_line;
mod log_reader;
mod markdown;
mod matrix;
mod mistakes;
mod page;
mod progress;
mod rejected_trials;
mod repository;
mod sarif;
mod sink;
pub mod standings;
mod submission_state;
mod tap;
mod transcripts;

pub(crate) use crate::text::{clock, time};
pub use crate::text::{mebibytes, printable};
pub(crate) use columns::{Narrowing, table};
pub use csv::Csv;
pub use explanations::{ExplainMode, Explanations};
pub use github::Github;
pub use html::{Html, START as HTML_START};
pub use junit::Junit;
pub use limit_margin::{LimitMargin, LimitMargins, SlowestCase};
pub use listing::{ListedGroup, ListedProblem, problem_table};
pub use log::{LOG_START, Log};
pub use log_error::{LogDefect, LogError};
pub(crate) use log_reader::LARGEST as LARGEST_LOG;
pub use log_reader::{LogReader, without_mark};
pub use markdown::Markdown;
pub use matrix::Matrix;
pub use progress::{
    JudgingPurpose, LiveLines, LiveTerminal, ProgressEntry, ProgressLines, TerminalProgress,
    WeakLiveLines,
};
pub use repository::Repository;
pub use sarif::Sarif;
pub use sink::Sink;
pub use tap::Tap;
pub use transcripts::{LiveTranscripts, Transcripts};
