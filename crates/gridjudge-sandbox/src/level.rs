//! How well a run is kept apart from the machine: the levels there are, and which of them is wanted. Knows names;
//! knows nothing of how a level is made.

use std::fmt;

use serde::Deserialize;
use serde::Serialize;

/// A level of isolation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IsolationLevel {
    /// What every Linux gives: limits, a filter of system calls, and Landlock where the kernel has it.
    Basic,
    /// And namespaces, by a user namespace: a root of its own, no other process in sight, no network. Needs no rights.
    User,
    /// And control groups, and a user of its own: exact figures of whole trees. Needs root.
    Full,
}

impl IsolationLevel {
    /// All of them, the best first.
    pub const ALL: [Self; 3] = [Self::Full, Self::User, Self::Basic];

    /// As users write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::User => "user",
            Self::Basic => "basic",
        }
    }
}

impl fmt::Display for IsolationLevel {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// Which level is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelChoice {
    /// The best that this machine gives.
    Best,
    /// This one or none.
    Only(IsolationLevel),
}

impl LevelChoice {
    /// The levels to try, in order.
    pub(super) fn candidates(self) -> Vec<IsolationLevel> {
        match self {
            Self::Best => IsolationLevel::ALL.to_vec(),
            Self::Only(level) => vec![level],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_level_is_tried_first_and_is_the_greatest() {
        assert_eq!(LevelChoice::Best.candidates(), IsolationLevel::ALL);
        assert!(IsolationLevel::ALL.is_sorted_by(|better, worse| better > worse));
        assert_eq!(LevelChoice::Only(IsolationLevel::User).candidates(), [IsolationLevel::User]);
    }
}
