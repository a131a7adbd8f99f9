//! Defines the levels of isolation and the choice among them. Knows their names; knows nothing of
//! how a level is set up.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A level of isolation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IsolationLevel {
    /// Works on every Linux: limits, a filter of system calls, and Landlock where the kernel has
    /// it.
    Basic,
    /// Adds namespaces, by a user namespace: a root of its own, no other process visible, no
    /// network. Needs no rights.
    User,
    /// Adds control groups and a user of its own: exact figures of whole trees. Needs root.
    Full,
}

impl IsolationLevel {
    /// All levels, the best first.
    pub const ALL: [Self; 3] = [Self::Full, Self::User, Self::Basic];

    /// The level's name as users write it.
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

/// The level that the caller wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelChoice {
    /// The best level that works on this machine.
    Best,
    /// This level; it is a fault if it does not work.
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
        assert_eq!(
            LevelChoice::Only(IsolationLevel::User).candidates(),
            [IsolationLevel::User]
        );
    }
}
