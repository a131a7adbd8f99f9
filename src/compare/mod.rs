//! Stores verdicts, times and memory in a baseline file that is kept with the sources, and compares
//! later runs with it. Knows events and numbers, but not how programs are run or who uses the
//! result. Start at [`Comparison::between`].
//!
//! ```text
//! events -> BaselineCollector -> Baseline <-> file
//!                                   |
//!                     Baseline -> Comparison -> policy, table, Markdown, JSON
//!                                   |
//!         verdicts (change), flakiness, times (time_question, time_shift, permutation_test), memory
//! ```
//!
//! Noise is measured: each case is run several times, and a time counts as changed if the times of
//! both sides differ by more than chance, than their own spread, and than a minimum worth
//! reporting. See [`time_shift`].

mod baseline;
mod case_stats;
mod change;
mod comparison;
mod file;
mod lines;
mod permutation_test;
mod table;
mod time_question;
mod times;

use baseline::SharedCase;
use case_stats::CaseStats;
use lines::{SubmissionKey, TrialKey, TrialLine, TrialLines, UnsortedLines};
use permutation_test::{float, in_order};
use time_question::{AnswerList, AnsweredQuestion};

pub use baseline::{Baseline, BaselineCollector, LogGaps};
pub use change::{Change, ChangeKind, ChangeSubject, FailurePolicy};
pub use comparison::{Comparison, NotComparable};
pub use file::{is_baseline, read, to_text};
pub use table::{ListedChanges, markdown, table};

#[cfg(test)]
mod tests;
