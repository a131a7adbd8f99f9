//! gridjudge.

pub mod grid;
pub mod model;
pub mod sandbox;
