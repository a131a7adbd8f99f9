//! Turns events into reports for people and programs. Knows events only, not how they
//! came about. Most reports are texts, each a [`SuiteReport`]; what writes is a
//! [`Sink`]. The same events always produce the same report.

mod autograder;
mod csv;
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
mod sarif;
mod screen;
pub mod standings;
mod submission_state;
mod tap;
mod team_pages;

use csv::{CRLF, csv_table, safe_text};
use explain::MistakeList;
use graded::Disclosure;
use html::{CaseExplanation, drawn_grid, small_page};
use html_text::{
    cut_sentence, cut_text, excerpt, expected_label, html_line, isolated_line,
    line_weight, readable_time, verdict_label, word_label,
};
use screen::{Columns, LEGEND, TableRow, heading};
use submission_state::{
    ExpectationMode, RejectedTrials, SubmissionState, SubmissionTracker, TrialStatus,
};
use team_pages::{Spool, page_file_name};

pub(crate) use crate::text::{clock, time};
pub use crate::text::{mebibytes, printable};
pub use autograder::formats::{
    AUTOLAB_START, Autograder, AutograderFormat, CLASSROOM50_SCHEMA, ClassroomRun,
    GRADESCOPE_MARK, PRAIRIELEARN_START, VPL_START, VplGrades,
};
pub use csv::Csv;
pub(crate) use explain::FirstItems;
pub use github::{Github, Repository, annotations_of_changes};
pub use graded::{
    Graded, GradedCase, GradedOutcome, GradedPart, GradedSubmissions, Worth,
};
pub use html::{Html, START as HTML_START};
pub use joined_suites::{JoinedSuites, ReportWriter, Sink, SuiteReport};
pub use junit::Junit;
pub use limit_margin::{LimitMargin, SlowestCase};
pub(crate) use log::LARGEST as LARGEST_LOG;
pub use log::{LOG_START, Log, LogDefect, LogError, LogReader, without_mark};
pub use markdown::Markdown;
pub use sarif::Sarif;
pub use screen::Verbosity;
pub use screen::explanations::Explanations;
pub use screen::listing::{ListedGroup, ListedProblem, SlowestTrials, problem_table};
pub use screen::matrix::Matrix;
pub use screen::progress::{
    JudgingPurpose, LiveLines, LiveTerminal, ProgressEntry, ProgressLines,
    TerminalProgress, WeakLiveLines,
};
pub use screen::transcripts::{LiveTranscripts, Transcripts};
pub(crate) use screen::{BAD, GOOD, Narrowing, PLAIN, text_table};
pub use tap::Tap;
pub use team_pages::{PageWriter, TeamPages};
