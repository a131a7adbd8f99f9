//! The words of the trade as plain data: no I/O, no clock, no opinion on how things are shown.

mod event;
mod fault;
mod finding;
mod launch;
mod limits;
mod problem;
mod run;
mod trial;
mod verdict;

pub use event::{Event, LOG_VERSION, SubmissionSummary, Tally, TrialRecord};
pub use fault::Fault;
pub use finding::{Finding, Findings, Kind, MOST_FINDINGS, Place, Rule};
pub use launch::{Input, Launch, Role};
pub use limits::Limits;
pub use problem::{Accept, Case, Language, Problem, Submission};
pub use run::{Exit, Run, Usage};
pub use trial::{Job, Program, Trial};
pub use verdict::Verdict;
