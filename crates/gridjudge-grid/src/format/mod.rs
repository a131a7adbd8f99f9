//! Converts between grids and text: describes how a problem writes its grids ([`Format`]), reads
//! them ([`GridReader`]) and writes them ([`write`](mod@write)). Reads windows of bytes that the
//! caller fills; opens no file.

mod banner;
mod but_for_spaces;
mod case_line;
mod code_points;
mod grid_line;
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
mod region_map;
mod replies;
mod separator;
mod separator_likeness;
mod strays;
mod template;
mod template_overlap;
mod tolerant;
mod words;
pub mod write;

pub use banner::{Banner, BannerPlace, FollowingLine};
pub use but_for_spaces::LooseAnswer;
pub use code_points::{beyond_ascii, difference_of_characters};
pub use layout::{
    BlankLines, CellSpacing, Format, GridCount, Layout, LineEnd, OrderLine, OrderNumber,
    OrderPlace, RowLayout, WhiteSpace,
};
pub use lines::{TextLine, difference_of_words, lines, quoted, same_but_for_spaces, shown};
pub use opening::CaseOpening;
pub use padding::{Padding, PaddingGap, SqueezeProgress};
pub use placeholder::{BraceError, without_placeholders};
pub use plain::Extent;
pub use puzzle_kind::PuzzleKind;
pub use reader::{GridBlock, GridReader, UNREAD, is_comment, leading_count};
pub use region_map::{MapError, RegionMap};
pub use replies::{CountLine, Replies, ReplyKind};
pub use separator::Separator;
pub use separator_likeness::SeparatorLikeness;
pub use strays::{GridAmongStrays, StrayLine, StrayPlace};
pub use template::{BadTemplate, MOST_DIGITS, Template};

#[cfg(test)]
mod tests;
