//! What a terminal shows of a suite: its progress, the matrix, and explanations of what failed.

pub(super) mod columns;
pub(super) mod explanations;
pub(super) mod listing;
mod live_lines;
pub(crate) mod matrix;
mod problem_rows;
pub(super) mod progress;
mod skipped_list;
pub(super) mod slowest;
mod telling_reasons;
pub(super) mod transcripts;

use problem_rows::ProblemRows;
use progress::{ProgressEntry, WeakLiveLines};
use skipped_list::SkippedList;
use telling_reasons::TellingReasons;
