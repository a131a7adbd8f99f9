//! Where a control group is: in one folder, or in one for each controller. Knows paths; knows nothing of what is in them.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;
use std::time::Instant;

use serde::Deserialize;
use serde::Serialize;

/// How long a cgroup is waited for in which a process is about to die.
const DYING_TIMEOUT: Duration = Duration::from_secs(1);
const BETWEEN_LOOKS: Duration = Duration::from_millis(1);

/// Where a slot's group is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum CgroupPath {
    /// One folder for each controller.
    V1 {
        /// Memory.
        memory: PathBuf,
        /// Processes.
        pids: PathBuf,
        /// CPU time.
        cpuacct: PathBuf,
    },
    /// One folder for all of them.
    V2 {
        /// That folder.
        folder: PathBuf,
    },
}

impl CgroupPath {
    /// All its folders.
    pub(crate) fn folders(&self) -> Vec<&Path> {
        match self {
            Self::V1 { memory, pids, cpuacct } => vec![memory, pids, cpuacct],
            Self::V2 { folder } => vec![folder],
        }
    }

    /// The same place one level down.
    pub(crate) fn below(&self, name: &str) -> Self {
        match self {
            Self::V1 { memory, pids, cpuacct } => {
                Self::V1 { memory: memory.join(name), pids: pids.join(name), cpuacct: cpuacct.join(name) }
            }
            Self::V2 { folder } => Self::V2 { folder: folder.join(name) },
        }
    }

    /// Removes its folders. What has processes that do not die stays.
    pub(crate) fn remove(&self) {
        self.folders().into_iter().for_each(remove);
    }
}

/// Removes one folder, and waits a moment for processes that are about to die, as the init of a killed launcher.
fn remove(folder: &Path) {
    let start = Instant::now();
    while let Err(error) = fs::remove_dir(folder)
        && error.kind() == ErrorKind::ResourceBusy
        && start.elapsed() < DYING_TIMEOUT
    {
        thread::sleep(BETWEEN_LOOKS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_below_is_below_in_every_hierarchy() {
        let path = |text: &str| PathBuf::from(text);
        let place = CgroupPath::V1 { memory: path("/m"), pids: path("/p"), cpuacct: path("/c") };
        assert_eq!(place.below("x").folders(), [path("/m/x"), path("/p/x"), path("/c/x")]);
        assert_eq!(CgroupPath::V2 { folder: path("/u") }.below("x").folders(), [path("/u/x")]);
    }
}
