//! A grid as it was asked for, given, and expected: what a report needs in order to draw it. Plain text, so that it can be
//! read in a log as well.

use serde::Deserialize;
use serde::Serialize;

/// One grid of a case. Its cells are words with a space between them, row by row; `.` is a blank, `?` what could not be
/// read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GridPicture {
    /// Number of the grid in its case, from 1.
    pub grid: u64,
    /// Its rows, and its columns.
    pub order: usize,
    /// The box or region of each cell, as a number from 1; empty where there are none.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub regions: String,
    /// Whether the two long diagonals are houses, too.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub diagonals: bool,
    /// What the input gives.
    pub clues: String,
    /// What the output gives; empty where it gives no grid.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub found: String,
    /// What was expected; empty where that is not known, or is no grid.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub expected: String,
}
