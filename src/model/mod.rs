//! The words of the trade as plain data: no I/O, no clock, no opinion on how things are shown.

mod fault;
mod launch;
mod limits;
mod run;
mod verdict;

pub use fault::Fault;
pub use launch::{Input, Launch, Role};
pub use limits::Limits;
pub use run::{Exit, Run, Usage};
pub use verdict::Verdict;
