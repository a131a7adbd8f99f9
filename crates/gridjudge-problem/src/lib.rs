//! Problems: their specs and packages, their cases, and what is wrong with an output.
//! Runs no program, and knows neither submissions' builds nor schedules nor reports.
//!
#![doc = include_str!("../README.md")]

pub mod check;
pub mod checktestdata;
pub mod export;
pub mod files;
mod glob;
mod keys;
pub mod mistake;
pub mod model;
pub mod package;
pub mod proof;
pub mod spec;
pub mod text;
