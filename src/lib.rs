//! gridjudge.

pub mod check;
pub mod grid;
pub mod model;
pub mod sandbox;
pub mod spec;
