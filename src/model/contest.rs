//! A contest: its teams and problems, and when a submission was handed in. Knows no rules of
//! ranking.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A whole contest. It lists every team, so that a report can show those that submitted nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contest {
    /// Its name.
    pub name: String,
    /// The names of all teams.
    pub teams: Vec<Arc<str>>,
    /// Problem ids, in the order of the columns of the standings.
    pub problems: Vec<Arc<str>>,
}

/// The team that handed in a submission, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// The team.
    pub team: Arc<str>,
    /// The minute of the contest, if known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub minute: Option<u64>,
}
