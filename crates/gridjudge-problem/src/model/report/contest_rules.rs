//! The rules of a contest, and what is known of its teams and problems besides their names. They
//! are in the log, so that every report of it ranks by the same rules.

use crate::sorted::SortedMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::{CourseRules, is_default};

/// What the teams of a contest are ranked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RankingMode {
    /// Problems solved, and penalty.
    Icpc,
    /// The sum of points.
    Points,
}

/// The rules of a contest, as far as they are given. All times are minutes since its start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContestRules {
    /// What teams are ranked by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<RankingMode>,
    /// Minutes that a rejected attempt at a problem costs once the problem is solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penalty: Option<u64>,
    /// When it started, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// When it ended: an attempt in this minute or later does not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    /// From when on results are not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub freeze: Option<u64>,
    /// Teams, by their names in [`Contest::teams`](crate::model::Contest::teams).
    #[serde(skip_serializing_if = "SortedMap::is_empty")]
    pub team: SortedMap<Arc<str>, TeamDetails>,
    /// Problems, by their ids.
    #[serde(skip_serializing_if = "SortedMap::is_empty")]
    pub problem: SortedMap<Arc<str>, ProblemDetails>,
    /// The rules of a course, if it is one: its teams are students, and there is no ranking.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub course: Option<CourseRules>,
}

/// What is known of a team.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TeamDetails {
    /// The name to show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its university, school or company.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organisation: Option<String>,
    /// Its group, such as a division or a year.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Where it takes part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// Whether it has a rank.
    #[serde(skip_serializing_if = "is_default")]
    pub status: TeamStatus,
}

/// Whether a team has a rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TeamStatus {
    /// It has one.
    #[default]
    Ranked,
    /// It is listed where it would be, without a rank.
    OutOfCompetition,
    /// It is listed last, without a rank.
    Disqualified,
}

/// What is known of a problem.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProblemDetails {
    /// The head of its column, such as a letter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The colour of its balloon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
}

/// The colours that have names.
pub(crate) const COLOUR_NAMES: [&str; 20] = [
    "aqua", "black", "blue", "brown", "cyan", "gold", "gray", "green", "lime", "magenta", "maroon",
    "navy", "orange", "pink", "purple", "red", "silver", "teal", "white", "yellow",
];

impl ContestRules {
    /// Whether nothing is given.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl ProblemDetails {
    /// The colour, if it is one that a style sheet may name: the log may be anybody's.
    pub fn safe_color(&self) -> Option<&str> {
        self.color.as_deref().filter(|color| is_colour(color))
    }
}

/// Whether a text is a colour: a known name, or `#` and six hexadecimal digits.
pub(crate) fn is_colour(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or_default();
    let is_number = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_number || COLOUR_NAMES.contains(&text)
}
