//! Converts between grids and text: describes how a problem writes its grids
//! ([`Format`]), reads them ([`GridReader`]) and writes them ([`write`](mod@write)).
//! Reads windows of bytes that the caller fills; opens no file.

mod case_line;
mod layout;
mod lines;
mod opening;
mod padding;
pub mod parse_error;
mod plain;
mod reader;
mod region_map;
mod strays;
mod template;
mod tolerant;
pub mod write;

pub use crate::format::layout::PuzzleKind;
pub use crate::format::layout::Separator;
pub use crate::format::parse_error::{beyond_ascii, difference_of_characters};
pub use crate::format::strays::SeparatorLikeness;
pub use crate::format::template::{BraceError, without_placeholders};
pub use crate::symbols::UNREAD;
pub use layout::{
    BlankLines, CellSpacing, Format, GridCount, Layout, LineEnd, OrderLine,
    OrderNumber, OrderPlace, RowLayout, WhiteSpace,
};
pub use layout::{CountLine, Replies, ReplyKind};
pub use lines::{
    TextLine, difference_of_words, lines, quoted_bytes, same_but_for_spaces,
    shown_bytes,
};
pub use opening::CaseOpening;
pub use padding::{Padding, PaddingGap, SqueezeProgress};
pub use plain::Extent;
pub use reader::{GridBlock, GridReader, is_comment, leading_count};
pub use region_map::{MapError, RegionMap};
pub use strays::LooseAnswer;
pub use strays::{GridAmongStrays, StrayLine, StrayPlace};
pub use template::{BadTemplate, MOST_DIGITS, Template};
pub use template::{Banner, BannerPlace, FollowingLine};

#[cfg(test)]
mod tests;
