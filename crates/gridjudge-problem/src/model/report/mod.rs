//! What reports are made of: events, the records of trials and mistakes, and summaries.

pub(super) mod contest_rules;
pub(super) mod event;
pub(super) mod moment;
pub(crate) mod summary;
pub(super) mod trial_record;
