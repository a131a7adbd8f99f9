//! Judging, as several commands need it: selects submissions and cases, starts the sandbox, and
//! sends the events to sinks. Start at [`request::judge`].

pub(crate) mod baseline_check;
pub(crate) mod caching;
pub(crate) mod case_filter;
pub(crate) mod check_finding;
pub(crate) mod contest;
pub(crate) mod generate;
pub(crate) mod in_parallel;
pub(crate) mod judge_session;
pub(crate) mod known_proofs;
pub(crate) mod languages;
pub(crate) mod levels;
mod longest_times;
pub(crate) mod measured_limits;
pub(crate) mod mistake_pages;
pub(crate) mod package_checks;
mod package_comparing;
pub(crate) mod package_notes;
pub(crate) mod package_page;
pub(crate) mod package_tools;
pub(crate) mod plan_entry;
pub(crate) mod planned_checker;
pub(crate) mod prepare;
mod program_needs;
pub(crate) mod proven_problems;
pub(crate) mod proving;
pub(crate) mod request;
pub(crate) mod sandbox_notes;
pub(crate) mod selection;
pub(crate) mod sinks;
mod source_language;
pub(crate) mod startup;
mod submission_file;
pub(crate) mod suggest_limits;
mod suite_reports;
mod time_rules;
pub(crate) mod tool_limits;
