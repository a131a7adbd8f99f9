#![doc = include_str!("../README.md")]
//!
//! # Start here
//!
//! * [`Shape`] says which cells belong together, [`GridRules`] whether a grid is right.
//! * [`Format`] says how grids are written, [`GridReader`](format::GridReader) reads them,
//!   [`write`](format::write) writes them.
//! * [`Solver`](solve::Solver) solves grids of any shape, [`BatchSolver`](solve::nine::BatchSolver) many
//!   plain 9x9 grids.
//! * [`GridMaker`](make::GridMaker) makes grids.

mod arithmetic;
pub mod batch;
pub mod format;
mod house;
mod house_map;
pub mod make;
pub mod naive;
mod rules;
mod shape;
mod shape_error;
pub mod solve;
mod symbols;

pub use arithmetic::Arithmetic;
pub use arithmetic::ArithmeticBreach;
pub use arithmetic::ArithmeticNarrowing;
pub use arithmetic::Cage;
pub use arithmetic::CageOperation;
pub use arithmetic::CageResult;
pub use arithmetic::Inequality;
pub use arithmetic::NoCandidate;
pub use format::BadTemplate;
pub use format::Banner;
pub use format::BannerPlace;
pub use format::BlankLines;
pub use format::BraceError;
pub use format::CellSpacing;
pub use format::CountLine;
pub use format::FollowingLine;
pub use format::Format;
pub use format::GridCount;
pub use format::Layout;
pub use format::LineEnd;
pub use format::MOST_DIGITS;
pub use format::OrderLine;
pub use format::OrderNumber;
pub use format::OrderPlace;
pub use format::RegionMap;
pub use format::Replies;
pub use format::RowLayout;
pub use format::Separator;
pub use format::Template;
pub use format::WhiteSpace;
pub use format::without_placeholders;
pub use house::House;
pub use house::HouseKind;
pub use rules::Clash;
pub use rules::GridRules;
pub use shape::Shape;
pub use shape_error::ShapeError;
pub use shape_error::UnevenRegion;
pub use symbols::BLANK;
pub use symbols::LARGEST_ORDER;
pub use symbols::Symbols;
pub use symbols::Value;
