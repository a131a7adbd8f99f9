//! The settings that the launchers of one sandbox share: the level, the control groups
//! and the private folder. Also starts and greets launchers. Knows slots by their
//! numbers; knows nothing of runs.

use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{fs, io};

use rustix::fs::FlockOperation;
use tempfile::TempDir;

use crate::cgroup::slots::Cgroups;
use crate::confine::namespaces;
use crate::host::launcher_handle::LauncherHandle;
use crate::machine::process_tree::JudgeProcess;
use crate::protocol::{PROGRAMS_FOLDER, SetupRequest};
use crate::rootfs::executable;
use crate::rootfs::remove_tree::remove_tree;
use crate::{Fault, Guarantees, IsolationLevel, protocol, set_mode};

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
            IsolationLevel::User if !namespaces::is_root() => Cgroups::make().ok(),
            IsolationLevel::User | IsolationLevel::Basic => None,
        };
        Ok(Self {
            launcher: launcher.to_owned(),
            level,
            slots,
            landlock,
            groups,
            folder: PrivateFolder::make()?,
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
            slots: self.slots.max(number + 1),
            landlock: self.landlock,
            probes: number == 0,
        };
        slot.set_up(&request)
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
        let mut slot = LauncherHandle::start(&self.launcher)?;
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

// The judge's private folder: made where every user can pass, and locked while the
// judge lives. Also removes the folders of judges that died. Knows files; knows
// nothing of what is put there. Start at [`PrivateFolder::make`].

/// A file that a living judge holds locked. A process id would not do: a judge in a
/// container has a different set of them.
const ALIVE: &str = "alive";

/// A folder that every user may enter but not list. It is removed on drop.
pub(super) struct PrivateFolder {
    folder: TempDir,
    _alive: File,
}

impl PrivateFolder {
    /// Makes it in the folder for temporary files, and removes the folders that dead
    /// judges of this user have left there.
    ///
    /// # Errors
    /// Returns a [`Fault`] if it cannot be made where every user can pass.
    pub(super) fn make() -> Result<Self, Fault> {
        let named = temporary();
        let failed = |error| {
            Fault::new(format!("making a folder in {}", named.display()), error).with_remedy(
                "set TMPDIR to a folder that this user may write to and every user may pass",
            )
        };
        // A root holds the folders and links on the way to it, but none that `..` leaves.
        let parent = named.canonicalize().map_err(failed)?;
        let may_pass = executable::every_user_may_pass(&parent);
        if namespaces::is_root() && !may_pass.map_err(failed)? {
            return Err(failed(io::Error::other(
                "not every user may pass it or a folder above it",
            )));
        }
        remove_stale_folders(&parent);
        make_in(&parent).map_err(failed)
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Removes it with everything in it, whatever the permissions of what killed
    /// launchers have left.
    fn remove(&self) {
        let _ = remove_tree(self.path());
    }

    /// The sub-folder for compiled programs, which every user may also list.
    pub(super) fn programs(&self) -> PathBuf {
        self.path().join(PROGRAMS_FOLDER)
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        self.remove();
    }
}

/// The folder for temporary files. An empty `TMPDIR` counts as unset.
fn temporary() -> PathBuf {
    let named = std::env::temp_dir();
    if named.as_os_str().is_empty() {
        PathBuf::from("/tmp")
    } else {
        named
    }
}

fn make_in(parent: &Path) -> io::Result<PrivateFolder> {
    let folder = tempfile::Builder::new()
        .prefix(&JudgeProcess::this().prefix())
        .tempdir_in(parent)?;
    // First of all: an unusual umask may take away the owner's own rights.
    set_mode(folder.path(), 0o711)?;
    let alive = File::create_new(folder.path().join(ALIVE))?;
    rustix::fs::flock(&alive, FlockOperation::LockExclusive)?;
    let programs = folder.path().join(PROGRAMS_FOLDER);
    fs::create_dir(&programs)?;
    set_mode(&programs, 0o755)?;
    Ok(PrivateFolder {
        folder,
        _alive: alive,
    })
}

fn remove_stale_folders(parent: &Path) {
    let me = rustix::process::geteuid().as_raw();
    for entry in JudgeProcess::left_by_dead(parent) {
        let folder = entry.path();
        let is_ours = entry
            .metadata()
            .is_ok_and(|found| found.is_dir() && found.uid() == me);
        // A judge whose process we cannot see may hold it.
        let lock = FlockOperation::NonBlockingLockExclusive;
        if is_ours
            && !File::open(folder.join(ALIVE))
                .is_ok_and(|alive| rustix::fs::flock(&alive, lock).is_err())
        {
            let _ = remove_tree(&folder);
        }
    }
}

#[cfg(test)]
mod private_folder_tests {
    use super::*;

    #[test]
    fn the_folder_of_a_dead_judge_is_removed_and_that_of_a_living_one_stays() {
        let place = tempfile::tempdir().unwrap();
        let left = place.path().join("gridjudge-4194305-1-left");
        let held = place.path().join("gridjudge-4194305-1-held");
        for folder in [&left, &held] {
            fs::create_dir(folder).unwrap();
        }
        let alive = File::create(held.join(ALIVE)).unwrap();
        rustix::fs::flock(&alive, FlockOperation::LockExclusive).unwrap();
        let own = make_in(place.path()).unwrap();
        remove_stale_folders(place.path());
        assert!(!left.exists() && held.exists() && own.path().exists());
        // To close it would not do: a child that another test forks has it until it
        // executes a program.
        rustix::fs::flock(&alive, FlockOperation::Unlock).unwrap();
        remove_stale_folders(place.path());
        assert!(!held.exists());
    }
}
