//! Control groups of both versions: one for each slot, with its limits and counters.
//! Knows nothing of runs. Start at [`slots::Cgroups`] on the judge's side, at
//! [`joined::Cgroup`] on the launcher's.

pub(super) mod joined;
pub(super) mod memory_peak;
pub(super) mod slots;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, thread};

use serde::{Deserialize, Serialize};

// The path of a control group: one folder, or one for each controller. Knows paths;
// knows nothing of the files in them.

/// How long to wait for a cgroup in which a process is about to die.
const DYING_TIMEOUT: Duration = Duration::from_secs(1);
const BETWEEN_LOOKS: Duration = Duration::from_millis(1);

/// The path of a slot's group.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) enum CgroupPath {
    /// One folder for each controller.
    V1 {
        /// The memory controller's folder.
        memory: PathBuf,
        /// The process controller's folder.
        pids: PathBuf,
        /// The CPU time controller's folder.
        cpuacct: PathBuf,
    },
    /// One folder for all controllers.
    V2 {
        /// That folder.
        folder: PathBuf,
    },
}

impl CgroupPath {
    /// All its folders.
    pub(crate) fn folders(&self) -> Vec<&Path> {
        match self {
            Self::V1 {
                memory,
                pids,
                cpuacct,
            } => vec![memory, pids, cpuacct],
            Self::V2 { folder } => vec![folder],
        }
    }

    /// The path of a child group.
    pub(crate) fn below(&self, name: &str) -> Self {
        match self {
            Self::V1 {
                memory,
                pids,
                cpuacct,
            } => Self::V1 {
                memory: memory.join(name),
                pids: pids.join(name),
                cpuacct: cpuacct.join(name),
            },
            Self::V2 { folder } => Self::V2 {
                folder: folder.join(name),
            },
        }
    }
}

/// Removes the folders of groups, which are given before the group around them. Waits
/// for processes that are about to die, such as the init of a killed launcher: a moment
/// for all of them, since a judge that was interrupted ends only then. A folder with
/// processes that do not die stays.
pub(crate) fn remove_all(groups: &[CgroupPath]) {
    let mut left: Vec<_> = groups.iter().flat_map(CgroupPath::folders).collect();
    let start = Instant::now();
    loop {
        left.retain(|folder| {
            fs::remove_dir(folder)
                .is_err_and(|error| error.kind() == ErrorKind::ResourceBusy)
        });
        if left.is_empty() || start.elapsed() >= DYING_TIMEOUT {
            return;
        }
        thread::sleep(BETWEEN_LOOKS);
    }
}

#[cfg(test)]
mod path_tests {
    use super::*;

    #[test]
    fn groups_are_removed_in_every_hierarchy_and_the_one_around_them_last() {
        let folder = tempfile::tempdir().unwrap();
        let [memory, pids, cpuacct] =
            ["memory", "pids", "cpuacct"].map(|name| folder.path().join(name));
        let place = CgroupPath::V1 {
            memory,
            pids,
            cpuacct,
        };
        let slots = [place.below("0"), place.below("1")];
        for path in slots.iter().flat_map(CgroupPath::folders) {
            fs::create_dir_all(path).unwrap();
        }
        let [first, second] = slots;
        remove_all(&[first, second, place]);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_child_group_is_one_folder_down_in_every_hierarchy() {
        let path = |text: &str| PathBuf::from(text);
        let place = CgroupPath::V1 {
            memory: path("/m"),
            pids: path("/p"),
            cpuacct: path("/c"),
        };
        assert_eq!(
            place.below("x").folders(),
            [path("/m/x"), path("/p/x"), path("/c/x")]
        );
        assert_eq!(
            CgroupPath::V2 { folder: path("/u") }.below("x").folders(),
            [path("/u/x")]
        );
    }
}
