//! The words for what a suite expects of its submissions.

use crate::model::Contest;

/// What a suite expects of its submissions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ExpectationMode {
    /// The verdict that is given for each.
    #[default]
    Expected,
    /// To be accepted, because a contest gives no expected verdicts.
    Accepted,
}

impl ExpectationMode {
    /// The mode of a suite, which is `Accepted` for a contest.
    pub(crate) fn of(contest: Option<&Contest>) -> Self {
        if contest.is_some() { Self::Accepted } else { Self::Expected }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Expected => "as expected",
            Self::Accepted => "accepted",
        }
    }
}
