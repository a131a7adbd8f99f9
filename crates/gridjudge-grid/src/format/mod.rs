//! Converts between grids and text: describes how a problem writes its grids ([`Format`]), reads
//! them ([`GridReader`]) and writes them ([`write`](mod@write)). Reads windows of bytes that the
//! caller fills; opens no file.

mod banner;
mod but_for_spaces;
mod case_line;
mod grid_line;
mod layout;
mod lines;
mod opening;
mod padding;
pub mod parse_error;
mod plain;
mod reader;
mod region_map;
mod replies;
mod strays;
mod template;
mod tolerant;
mod words;
pub mod write;

pub use crate::format::layout::Separator;
pub use crate::format::parse_error::{beyond_ascii, difference_of_characters};
pub use crate::format::replies::PuzzleKind;
pub use crate::format::strays::SeparatorLikeness;
pub use crate::format::template::{BraceError, without_placeholders};
pub use banner::{Banner, BannerPlace, FollowingLine};
pub use but_for_spaces::LooseAnswer;
pub use layout::{
    BlankLines, CellSpacing, Format, GridCount, Layout, LineEnd, OrderLine, OrderNumber,
    OrderPlace, RowLayout, WhiteSpace,
};
pub use lines::{TextLine, difference_of_words, lines, quoted, same_but_for_spaces, shown};
pub use opening::CaseOpening;
pub use padding::{Padding, PaddingGap, SqueezeProgress};
pub use plain::Extent;
pub use reader::{GridBlock, GridReader, UNREAD, is_comment, leading_count};
pub use region_map::{MapError, RegionMap};
pub use replies::{CountLine, Replies, ReplyKind};
pub use strays::{GridAmongStrays, StrayLine, StrayPlace};
pub use template::{BadTemplate, MOST_DIGITS, Template};

#[cfg(test)]
mod tests;
