//! What is hoped for of the submissions of a suite, in words.

use crate::model::Contest;

/// What is hoped for of submissions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Hope {
    /// The verdict that each promises.
    #[default]
    Promised,
    /// To be accepted: teams of a contest promise nothing.
    Accepted,
}

impl Hope {
    /// Of a suite that begins so.
    pub(crate) fn of(contest: Option<&Contest>) -> Self {
        if contest.is_some() { Self::Accepted } else { Self::Promised }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Promised => "as expected",
            Self::Accepted => "accepted",
        }
    }
}
