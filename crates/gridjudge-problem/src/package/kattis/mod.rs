//! The problem package formats of Kattis, `legacy`, `legacy-icpc` and `2025-09`.

pub(crate) mod cases;
pub(super) mod group_grading;
pub(crate) mod groups;
pub(crate) mod metadata;
pub(super) mod problem_yaml;
pub(super) mod scoring;
pub(super) mod static_cases;
pub(super) mod structure;
pub(super) mod submissions;
use group_grading::{Aggregation2025, Grading2025, LegacyGrading};
use static_cases::StaticCases;
