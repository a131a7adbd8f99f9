//! What a grid is: its shape and houses, how it is written down, what makes it right, and how to solve it.
//! Knows nothing of problems, cases or programs; does no I/O and reads no clock.

pub mod flaw;
mod format;
mod rules;
mod shape;
pub mod solve;
pub mod text;
pub mod write;

pub use format::BLANK;
pub use format::Banner;
pub use format::BlankLines;
pub use format::Cells;
pub use format::Count;
pub use format::Format;
pub use format::Layout;
pub use format::Symbols;
pub use format::Value;
pub use format::WhiteSpace;
pub use rules::Clash;
pub use rules::Rules;
pub use shape::House;
pub use shape::HouseKind;
pub use shape::ImpossibleShape;
pub use shape::LARGEST_ORDER;
pub use shape::Shape;
