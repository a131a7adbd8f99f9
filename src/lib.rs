//! gridjudge.

pub mod check;
pub mod cli;
pub mod compile;
pub mod grid;
pub mod model;
pub mod proof;
pub mod report;
pub mod sandbox;
pub mod spec;
pub mod suite;
pub mod trial;
