//! The limits of a run, the levels of isolation, and what each level guarantees. Plain
//! data; the sandbox enforces the limits, and its launchers find out the guarantees.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The limits of one run. A run that uses exactly a limit has kept it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// CPU time of the whole process tree, user and system together.
    pub cpu: Duration,
    /// Wall time, from exec to the exit of the first process.
    pub wall: Duration,
    /// Peak memory, in bytes.
    pub memory_bytes: u64,
    /// Bytes on standard output, and separately on standard error; also the largest
    /// file that it may write.
    pub output_bytes: u64,
    /// Processes and threads alive at once.
    pub processes: u32,
    /// Whether the run is sampled as often as possible, so that little memory can be
    /// used and freed unseen between two samples. That takes a noticeable part of a
    /// processor.
    #[serde(
        rename = "close_looks",
        skip_serializing_if = "std::ops::Not::not",
        default
    )]
    pub frequent_samples: bool,
    /// How much memory it may reserve, touched or not; `None`: any amount. Beyond that,
    /// the kernel refuses more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address_space: Option<AddressSpace>,
}

/// How much memory each process of a run may reserve. Its stack has no limit of its own
/// then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddressSpace {
    /// Everything that it maps, with files and reserved addresses.
    pub total_bytes: u64,
    /// Private memory that it may write to, without stacks.
    pub data_bytes: u64,
}

impl Limits {
    /// The same limits with half as much CPU time again: for a run beside others, whose
    /// CPU time is up to that much larger than alone. A program that breaks even these
    /// is far beyond its own.
    #[must_use]
    pub fn for_first_run(&self) -> Self {
        self.with_cpu(self.cpu.saturating_mul(3) / 2)
    }

    /// The same limits with a quarter more CPU time, and with frequent samples: for a
    /// run alone, which shows how much a program needs that is near its limits.
    #[must_use]
    pub fn for_run_alone(&self) -> Self {
        Self {
            frequent_samples: true,
            ..self.with_cpu(self.cpu.saturating_mul(5) / 4)
        }
    }

    fn with_cpu(&self, cpu: Duration) -> Self {
        Self {
            cpu,
            wall: self.wall.max(cpu),
            ..self.clone()
        }
    }

    /// The default wall limit for a CPU limit: twice the time, and at least a second
    /// more, so that only a program that waits for something runs into it.
    pub fn wall_for(cpu: Duration) -> Duration {
        (cpu * 2).max(cpu + Duration::from_secs(1))
    }
}

// Defines the levels of isolation and the choice among them. Knows their names; knows
// nothing of how a level is set up.

/// A level of isolation.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum IsolationLevel {
    /// Works on every Linux: limits, a filter of system calls, and Landlock where the
    /// kernel has it.
    Basic,
    /// Adds namespaces, by a user namespace: a root of its own, no other process
    /// visible, no network. Needs no rights.
    User,
    /// Adds control groups and a user of its own: exact figures of whole trees. Needs
    /// root.
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

// Describes which guarantees a machine gives at a level and which it does not.

/// The guarantees that the launchers found. The best case is everything `true`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guarantees {
    /// Runs are in namespaces: their own root, no network, no other process.
    pub namespaces: bool,
    /// A control group counts the CPU time and memory of everything that a run starts.
    pub groups: bool,
    /// The peak memory of a whole tree is known exactly.
    pub exact_peaks: bool,
    /// Submissions run as a separate user, one per slot.
    pub own_user: bool,
    /// The version of Landlock; 0 if the kernel has none.
    pub landlock: u32,
    /// A run's process tree is killed in one step that no process escapes.
    pub atomic_kill: bool,
}

impl Guarantees {
    /// Lists the guarantees that this machine does not give, one sentence each, for the
    /// log and a notice.
    pub fn notes(&self) -> Vec<String> {
        let in_the_open = !self.namespaces;
        [
            (
                in_the_open,
                "submissions see the machine's own files and processes, as far as Landlock and \
                 the users' rights let them",
            ),
            (
                in_the_open && self.landlock == 0,
                "the kernel has no Landlock (Linux 5.13, switched on at boot): a submission can \
                 read every file that its user can, and the answers are protected only by not \
                 being named to it",
            ),
            (
                in_the_open && (1..6).contains(&self.landlock),
                "Landlock cannot confine signals before Linux 6.12: a submission can signal every \
                 process of its user",
            ),
            (
                in_the_open && !self.own_user,
                "the judge is not root: submissions run as its own user, with its rights where \
                 Landlock has no say",
            ),
            (
                !self.groups,
                "no control group counts: memory is known only from samples and from the peaks of \
                 single processes, and CPU time misses children whose parent does not wait for \
                 them",
            ),
            (
                self.groups && !self.exact_peaks,
                "before Linux 6.12 the peak of several processes together is known only from \
                 samples; a run that is seen over the limit is killed anyway",
            ),
            (
                !self.atomic_kill,
                "what a submission leaves running is killed process by process, not in one step",
            ),
        ]
            .into_iter()
            .filter(|(holds, _)| *holds)
            .map(|(_, note)| note.to_owned())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wall_limit_is_twice_the_time_and_at_least_a_second_more() {
        assert_eq!(
            Limits::wall_for(Duration::from_millis(300)),
            Duration::from_millis(1300)
        );
        assert_eq!(
            Limits::wall_for(Duration::from_secs(1)),
            Duration::from_secs(2)
        );
        assert_eq!(
            Limits::wall_for(Duration::from_secs(3)),
            Duration::from_secs(6)
        );
    }
}

#[cfg(test)]
mod level_tests {
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

#[cfg(test)]
mod guarantees_tests {
    use super::*;

    const BEST: Guarantees = Guarantees {
        namespaces: true,
        groups: true,
        exact_peaks: true,
        own_user: true,
        landlock: u32::MAX,
        atomic_kill: true,
    };

    #[test]
    fn the_best_case_has_no_notes_and_every_missing_guarantee_has_one() {
        assert_eq!(BEST.notes(), [""; 0]);
        let worst = Guarantees {
            namespaces: false,
            groups: false,
            exact_peaks: false,
            own_user: false,
            landlock: 0,
            atomic_kill: false,
        };
        assert_eq!(worst.notes().len(), 5);
        assert_eq!(
            Guarantees {
                exact_peaks: false,
                ..BEST
            }
            .notes()
            .len(),
            1
        );
    }
}
