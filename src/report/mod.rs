//! Turns events into reports for people and programs. Knows events only, not how they came about. A
//! report is a [`Sink`]; the same events always produce the same report.

mod autograder;
mod csv;
mod disclosure;
mod explain;
mod github;
mod graded;
mod html;
mod html_text;
mod joined_suites;
mod junit;
mod limit_margin;
mod log;
mod markdown;
pub mod marks;
mod mistakes;
mod repository;
mod sarif;
mod screen;
mod sink;
mod spool;
pub mod standings;
mod submission_state;
mod tap;
mod team_pages;

use disclosure::Disclosure;
use html::{CaseExplanation, small_page};
use html_text::TextExcerpt;
use mistakes::MistakeList;
use screen::columns::{Columns, RowCells};
use spool::Spool;
use submission_state::{
    ExpectationMode, RejectedTrials, SubmissionState, SubmissionTracker, TrialStatus,
};

pub(crate) use crate::text::{clock, time};
pub use crate::text::{mebibytes, printable};
pub use autograder::{
    AUTOLAB_START, Autograder, AutograderFormat, CLASSROOM50_SCHEMA, ClassroomRun, GRADESCOPE_MARK,
    PRAIRIELEARN_START, VPL_START, VplGrades,
};
pub use csv::Csv;
pub use github::Github;
pub use graded::{Graded, GradedCase, GradedOutcome, GradedPart, GradedSubmissions, Worth};
pub use html::{Html, START as HTML_START};
pub use joined_suites::JoinedSuites;
pub use junit::Junit;
pub use limit_margin::{LimitMargin, SlowestCase};
pub use log::lines::{LogDefect, LogError};
pub(crate) use log::log_reader::LARGEST as LARGEST_LOG;
pub use log::log_reader::{LogReader, without_mark};
pub use log::{LOG_START, Log};
pub use markdown::Markdown;
pub use repository::Repository;
pub use sarif::Sarif;
pub(crate) use screen::columns::{Narrowing, table};
pub use screen::explanations::{ExplainMode, Explanations};
pub use screen::listing::{ListedGroup, ListedProblem, problem_table};
pub use screen::matrix::{Matrix, ShownRows};
pub use screen::progress::{
    JudgingPurpose, LiveLines, LiveTerminal, ProgressEntry, ProgressLines, TerminalProgress,
    WeakLiveLines,
};
pub use screen::slowest::SlowestTrials;
pub use screen::transcripts::{LiveTranscripts, Transcripts};
pub use sink::Sink;
pub use tap::Tap;
pub use team_pages::{PageWriter, TeamPages};
