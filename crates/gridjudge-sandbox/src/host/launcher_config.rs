//! The settings that the launchers of one sandbox share: the level, the control groups
//! and the private folder. Also starts and greets launchers. Knows slots by their
//! numbers; knows nothing of runs.

use std::path::{Path, PathBuf};

use crate::cgroup::slots::Cgroups;
use crate::host::launcher_handle::LauncherHandle;
use crate::host::private_folder::PrivateFolder;
use crate::protocol::SetupRequest;
use crate::rootfs::remove_tree::remove_tree;
use crate::{Fault, Guarantees, IsolationLevel, protocol};

/// The settings with which every launcher of a sandbox is started.
pub(super) struct LauncherConfig {
    launcher: PathBuf,
    pub(super) level: IsolationLevel,
    slots: usize,
    landlock: u32,
    groups: Option<Cgroups>,
    pub(super) folder: PrivateFolder,
}

impl LauncherConfig {
    /// Makes the control groups and the private folder that a level needs.
    pub(super) fn new(
        level: IsolationLevel,
        launcher: &Path,
        slots: usize,
        landlock: u32,
    ) -> Result<Self, Fault> {
        let groups = match level {
            IsolationLevel::Full => Some(Cgroups::make()?),
            // Works if the system manager has delegated a subtree to this user.
            IsolationLevel::User if !rustix::process::geteuid().is_root() => {
                Cgroups::make().ok()
            }
            IsolationLevel::User | IsolationLevel::Basic => None,
        };
        let launcher = launcher.to_owned();
        let folder = PrivateFolder::make()?;
        Ok(Self {
            launcher,
            level,
            slots,
            landlock,
            groups,
            folder,
        })
    }

    /// Lets a launcher that has been started for a slot set itself up. Returns the
    /// guarantees that it gives, which are those of the machine, and so of all.
    pub(super) fn settle(
        &self,
        number: usize,
        slot: &mut LauncherHandle,
    ) -> Result<Guarantees, Fault> {
        let request = SetupRequest {
            level: self.level,
            group: self.groups.as_ref().map(|groups| groups.of_slot(number)),
            scratch: self.scratch(number),
            slots: u32::try_from(self.slots.max(number + 1)).unwrap_or(u32::MAX),
            landlock: self.landlock,
            probes: number == 0,
        };
        slot.greet(&request)
            .map_err(Fault::during("greeting a launcher"))?;
        slot.wait_until_ready()
    }

    /// Starts a launcher for a slot that has none, or whose launcher has died, and
    /// waits until it is set up.
    pub(super) fn start(&self, number: usize) -> Result<LauncherHandle, Fault> {
        remove_tree(&self.scratch(number))
            .map_err(Fault::during("clearing up after a launcher"))?;
        if let Some(groups) = &self.groups {
            groups
                .make_slot(number)
                .map_err(Fault::during("making a control group"))?;
        }
        let mut slot = start_launcher(&self.launcher)?;
        self.settle(number, &mut slot)?;
        Ok(slot)
    }

    /// Removes control groups and private folder. No launcher may be alive.
    pub(super) fn remove(&self) {
        self.groups.iter().for_each(Cgroups::remove);
        self.folder.remove();
    }

    fn scratch(&self, number: usize) -> PathBuf {
        self.folder
            .path()
            .join(format!("{}{number}", protocol::SCRATCH_PREFIX))
    }
}

/// Starts a launcher, which must be greeted next.
pub(super) fn start_launcher(launcher: &Path) -> Result<LauncherHandle, Fault> {
    LauncherHandle::start(launcher).map_err(|error| {
        Fault::new(
            format!("starting a launcher by {}", launcher.display()),
            error,
        )
    })
}
