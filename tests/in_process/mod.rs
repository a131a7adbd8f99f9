//! Calls the library, without starting a process.

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
