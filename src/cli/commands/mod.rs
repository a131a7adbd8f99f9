//! One file for each command: its arguments, and what it does. Commands do not call each other.

pub(crate) mod answers;
pub(crate) mod baseline;
pub(crate) mod cache;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod doctor;
pub(crate) mod export;
pub(crate) mod generate;
pub(crate) mod grade;
pub(crate) mod init;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod merge;
pub(crate) mod new;
pub(crate) mod plan;
pub(crate) mod report;
pub(crate) mod schema;
pub(crate) mod solve;
pub(crate) mod standings;
pub(crate) mod strength;
pub(crate) mod stress;
pub(crate) mod verify;
