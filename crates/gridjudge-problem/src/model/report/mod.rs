//! What reports are made of: events, the records of trials and mistakes, and summaries.

pub(super) mod activity;
pub(super) mod contest_rules;
pub(super) mod course_rules;
pub(super) mod event;
pub(super) mod log_line;
pub(super) mod mistake_record;
pub(super) mod moment;
pub(super) mod shard_record;
pub(crate) mod summary;
pub(super) mod trial_record;
