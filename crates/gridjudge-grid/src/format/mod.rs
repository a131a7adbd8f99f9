//! Grids as texts: how a problem writes them ([`Format`]), reading them ([`GridReader`]) and writing them ([`write`](mod@write)).
//! Reads windows of bytes that the caller fills; opens no file.

mod banner;
mod case_line;
mod layout;
mod line_cells;
mod lines;
mod opening;
mod padding;
pub mod parse_error;
mod placeholder;
mod plain;
mod puzzle_kind;
mod reader;
mod replies;
mod separator;
mod separator_likeness;
mod template;
mod template_overlap;
mod tolerant;
mod words;
pub mod write;

pub use banner::Banner;
pub use banner::BannerPlace;
pub use banner::FollowingLine;
pub use layout::BlankLines;
pub use layout::CellSpacing;
pub use layout::Format;
pub use layout::GridCount;
pub use layout::Layout;
pub use layout::LineEnd;
pub use layout::OrderLine;
pub use layout::OrderNumber;
pub use layout::OrderPlace;
pub use layout::RowLayout;
pub use layout::WhiteSpace;
pub use lines::TextLine;
pub use lines::difference_of_words;
pub use lines::lines;
pub use lines::quoted;
pub use opening::CaseOpening;
pub use padding::Padding;
pub use padding::PaddingGap;
pub use padding::SqueezeProgress;
pub use placeholder::BraceError;
pub use placeholder::without_placeholders;
pub use plain::Extent;
pub use puzzle_kind::PuzzleKind;
pub use reader::GridBlock;
pub use reader::GridReader;
pub use reader::UNREAD;
pub use reader::is_comment;
pub use reader::leading_count;
pub use replies::CountLine;
pub use replies::Replies;
pub use replies::ReplyKind;
pub use separator::Separator;
pub use separator_likeness::SeparatorLikeness;
pub use template::BadTemplate;
pub use template::MOST_DIGITS;
pub use template::Template;

#[cfg(test)]
mod tests;
