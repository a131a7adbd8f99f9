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

/// The path of a slot's group: the folder of each controller. In version 2, these are
/// the same folder.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct CgroupPath {
    pub(crate) is_v2: bool,
    pub(crate) memory: PathBuf,
    pub(crate) pids: PathBuf,
    /// The folder of the controller of CPU time.
    pub(crate) cpu: PathBuf,
}

impl CgroupPath {
    /// A group of version 2.
    pub(crate) fn v2(folder: PathBuf) -> Self {
        Self {
            is_v2: true,
            memory: folder.clone(),
            pids: folder.clone(),
            cpu: folder,
        }
    }

    /// All its folders, each once.
    pub(crate) fn folders(&self) -> Vec<&Path> {
        let mut folders = vec![&*self.memory, &self.pids, &self.cpu];
        folders.dedup();
        folders
    }

    /// The path of a child group.
    pub(crate) fn below(&self, name: &str) -> Self {
        Self {
            is_v2: self.is_v2,
            memory: self.memory.join(name),
            pids: self.pids.join(name),
            cpu: self.cpu.join(name),
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
        let [memory, pids, cpu] =
            ["memory", "pids", "cpuacct"].map(|name| folder.path().join(name));
        let place = CgroupPath {
            is_v2: false,
            memory,
            pids,
            cpu,
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
        let place = CgroupPath {
            is_v2: false,
            memory: path("/m"),
            pids: path("/p"),
            cpu: path("/c"),
        };
        assert_eq!(
            place.below("x").folders(),
            [path("/m/x"), path("/p/x"), path("/c/x")]
        );
        assert_eq!(
            CgroupPath::v2(path("/u")).below("x").folders(),
            [path("/u/x")]
        );
    }
}
