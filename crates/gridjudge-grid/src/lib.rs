//! What a grid is: its shape and houses, how it is written down, what makes it right, and how to solve it.
//! Knows nothing of problems, cases or programs; does no I/O and reads no clock.

mod banner;
pub mod batch;
pub mod flaw;
mod format;
pub mod make;
pub mod naive;
mod placeholder;
mod rules;
mod shape;
pub mod solve;
mod symbols;
mod template;
pub mod text;
pub mod write;

pub use banner::Banner;
pub use banner::BannerPlace;
pub use banner::Behind;
pub use format::BlankLines;
pub use format::Cells;
pub use format::Count;
pub use format::CountLine;
pub use format::Format;
pub use format::Layout;
pub use format::LineEnd;
pub use format::OrderLine;
pub use format::OrderNumber;
pub use format::OrderPlace;
pub use format::Replies;
pub use format::Rows;
pub use format::WhiteSpace;
pub use placeholder::BadBraces;
pub use placeholder::without_placeholders;
pub use rules::Clash;
pub use rules::Rules;
pub use shape::House;
pub use shape::HouseKind;
pub use shape::ImpossibleShape;
pub use shape::LARGEST_ORDER;
pub use shape::Shape;
pub use symbols::BLANK;
pub use symbols::Symbols;
pub use symbols::Value;
pub use template::BadTemplate;
pub use template::MOST_DIGITS;
pub use template::Template;
