//! What hostile programs, packages, checkouts, names and logs must not reach.

#[path = "../judge/mod.rs"]
mod judge;

mod hostile_checkouts;
mod hostile_names;
mod hostile_reports;
mod names_leading_out;
mod programs;
