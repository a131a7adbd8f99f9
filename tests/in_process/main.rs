//! Calls the library, without starting a process.

#[path = "../format_examples/mod.rs"]
mod format_examples;

mod agreement;
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
