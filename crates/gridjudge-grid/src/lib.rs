#![doc = include_str!("../README.md")]
//!
//! # Start here
//!
//! * [`Shape`] says which cells belong together, [`GridRules`] whether a grid is right.
//! * [`Format`] says how grids are written, [`GridReader`](format::GridReader) reads
//!   them, [`write`](format::write) writes them.
//! * [`Solver`](solve::Solver) solves grids of any shape,
//!   [`BatchSolver`](solve::nine::BatchSolver) many plain 9x9 grids.
//! * [`GridMaker`](make::GridMaker) makes grids.

mod arithmetic;
pub mod batch;
pub mod format;
mod house_map;
pub mod make;
pub mod naive;
mod narrowing;
mod rules;
mod shape;
pub mod solve;
mod symbols;

pub use arithmetic::{
    Arithmetic, ArithmeticBreach, Cage, CageOperation, CageResult, Inequality,
    Narrowed, NoCandidate,
};
pub use format::{
    BadTemplate, Banner, BannerPlace, BlankLines, BraceError, CellSpacing, CountLine,
    FollowingLine, Format, GridCount, Layout, LineEnd, MOST_DIGITS, OrderLine,
    OrderNumber, OrderPlace, RegionMap, Replies, RowLayout, Separator, Template,
    WhiteSpace, without_placeholders,
};
pub use house_map::{houses_of_cells, peers_of_cells};
pub use narrowing::ArithmeticNarrowing;
pub use rules::{Clash, GridRules};
pub use shape::{House, HouseKind, Shape, ShapeError, UnevenRegion};
pub use symbols::{BLANK, LARGEST_ORDER, Symbols, Value};
