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

pub use crate::symbols::UNREAD;
pub use layout::{
    BlankLines, CellSpacing, CountLine, Format, GridCount, Layout, LineEnd,
    OrderLine, OrderNumber, OrderPlace, PuzzleKind, Replies, ReplyKind, RowLayout,
    Separator, WhiteSpace,
};
pub use lines::{
    TextLine, TextOffset, end_of_lines, lines, quoted_bytes, same_but_for_spaces,
    shown_bytes, written_lines,
};
pub use opening::CaseOpening;
pub use padding::{Padding, PaddingGap, SqueezeProgress};
pub use parse_error::{beyond_ascii, difference_of_characters, difference_of_words};
pub use reader::{
    GridBlock, GridReader, StrayLine, StrayPlace, is_comment, leading_count,
};
pub use region_map::{MapError, RegionMap};
pub use strays::{LooseAnswer, MOST_STRAYS, SeparatorLikeness};
pub use template::{
    BadTemplate, Banner, BannerPlace, BraceError, FollowingLine, MOST_DIGITS,
    Template, without_placeholders,
};

#[cfg(test)]
mod tests;
