//! What a grid is: its shape and houses, how it is written down, what makes it right, and how to solve it.
//! Knows nothing of problems, cases or programs; does no I/O and reads no clock.

pub mod batch;
pub mod format;
pub mod make;
pub mod naive;
mod rules;
mod shape;
pub mod solve;
mod symbols;

pub use format::BlankLines;
pub use format::CellSpacing;
pub use format::CountLine;
pub use format::Format;
pub use format::GridCount;
pub use format::Layout;
pub use format::LineEnd;
pub use format::OrderLine;
pub use format::OrderNumber;
pub use format::OrderPlace;
pub use format::Replies;
pub use format::RowLayout;
pub use format::WhiteSpace;
pub use format::banner::Banner;
pub use format::banner::BannerPlace;
pub use format::banner::FollowingLine;
pub use format::placeholder::BraceError;
pub use format::placeholder::without_placeholders;
pub use format::template::BadTemplate;
pub use format::template::MOST_DIGITS;
pub use format::template::Template;
pub use rules::Clash;
pub use rules::GridRules;
pub use shape::House;
pub use shape::HouseKind;
pub use shape::LARGEST_ORDER;
pub use shape::Shape;
pub use shape::ShapeError;
pub use symbols::BLANK;
pub use symbols::Symbols;
pub use symbols::Value;
