//! What a grid is: its shape and houses, how it is written down, what makes it right, and how to solve it.
//! Knows nothing of problems, cases or programs; does no I/O and reads no clock.

pub mod flaw;
mod format;
mod rules;
mod shape;
pub mod solve;
pub mod text;
pub mod write;

pub use format::{BLANK, Banner, BlankLines, Cells, Count, Format, Layout, Symbols, Value, WhiteSpace};
pub use rules::{Clash, Rules};
pub use shape::{House, HouseKind, ImpossibleShape, LARGEST_ORDER, Shape};
