//! A grid with its clues, the output and the expected solution: what a report needs to draw it.
//! Plain text, so that it is readable in a log as well.

use serde::{Deserialize, Serialize};

/// One grid of a case. Cells are words separated by a space, row by row; `.` is a blank and `?` a
/// cell that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GridPicture {
    /// Number of the grid in its case, from 1.
    pub grid: u64,
    /// Number of rows, and of columns.
    pub order: usize,
    /// The box or region of each cell, as a number from 1; empty where there are none.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub regions: String,
    /// Whether the two long diagonals are houses as well.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub diagonals: bool,
    /// The cells given in the input.
    pub clues: String,
    /// The cells in the output; empty if it contains no grid here.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub found: String,
    /// The expected cells; empty if they are unknown, or if no grid is expected.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub expected: String,
}
