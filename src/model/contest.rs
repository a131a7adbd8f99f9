//! A contest: its teams and problems, and when a submission was handed in. Knows no rules of ranking.

use std::sync::Arc;

use serde::Deserialize;
use serde::Serialize;

/// A contest as a whole, so that a report knows who handed in nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contest {
    /// Its name.
    pub name: String,
    /// All teams, by name.
    pub teams: Vec<Arc<str>>,
    /// Ids of the problems, in the order of their columns.
    pub problems: Vec<Arc<str>>,
}

/// The team that handed in a submission, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// The team.
    pub team: Arc<str>,
    /// The minute of the contest, where that is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub minute: Option<u64>,
}
