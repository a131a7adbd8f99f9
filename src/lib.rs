//! gridjudge.

pub mod model;
pub mod sandbox;
