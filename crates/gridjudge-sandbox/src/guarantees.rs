//! Describes which guarantees a machine gives at a level and which it does not. Works
//! on facts that launchers have found; detects none itself.

use serde::{Deserialize, Serialize};

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
        let notes = [
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
        ];
        notes
            .into_iter()
            .filter(|(holds, _)| *holds)
            .map(|(_, note)| note.to_owned())
            .collect()
    }
}

#[cfg(test)]
mod tests {
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
