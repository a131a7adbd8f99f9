//! Calls the library, without starting a process.

#[path = "../format_examples/mod.rs"]
mod format_examples;

mod browser;
mod comparing_texts;
mod formats;
mod html;
mod junit;
mod log_schema;
mod noise;
mod oracle;
mod schema;
mod standings_pages;
mod ways_to_judge;
