//! What is expected of the submissions of a suite, in words.

use crate::model::Contest;

/// What is expected of submissions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ExpectationMode {
    /// The verdict that is given for each.
    #[default]
    Expected,
    /// To be accepted: in a contest nothing else is given.
    Accepted,
}

impl ExpectationMode {
    /// Of a suite that begins so.
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
