//! What a terminal shows of a suite: its progress, the matrix, and explanations of what failed.

pub(super) mod columns;
pub(super) mod explanations;
pub(super) mod listing;
mod live_lines;
pub(crate) mod matrix;
pub(super) mod progress;
pub(super) mod slowest;
pub(super) mod transcripts;
