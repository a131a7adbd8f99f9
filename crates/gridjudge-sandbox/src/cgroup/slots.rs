//! The control groups of one judge, one per slot: finds where they can be made, makes
//! and removes them, and removes those of judges that died. Knows how the machine
//! organises its groups; knows nothing of runs. Start at [`Cgroups::make`].

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicUsize};
use std::{fs, io};

use crate::cgroup::joined::{field, killed_below_limit, read_group_file};
use crate::cgroup::{CgroupPath, remove_all};
use crate::confine::namespaces;
use crate::machine::cgroup::CgroupHierarchy;
use crate::machine::process_tree::JudgeProcess;
use crate::run::error_at;
use crate::{Fault, Run};

/// The cgroup that existing processes are moved to when their own cgroup must have
/// child cgroups.
const NEIGHBOURS: &str = "gridjudge-neighbours";

/// The controllers that are needed in version 2, which counts CPU time without one.
const CONTROLLERS: [&str; 2] = ["memory", "pids"];

const REMEDY: &str = "as root on a machine with control groups there is nothing to do; in a \
                      container, give it `--privileged --cgroupns=host`; without root, \
                      `systemd-run --user --scope -p Delegate=yes gridjudge ...`";

/// The groups of one judge, removed on drop.
pub(crate) struct Cgroups {
    place: CgroupPath,
    /// Slots with numbers below this may have groups.
    slots: AtomicUsize,
}

impl Cgroups {
    /// Makes a group for the first slot, and removes the groups of dead judges.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the machine has no controllers for memory, processes and
    /// CPU time, or this user may not make groups.
    pub(crate) fn make() -> Result<Self, Fault> {
        let failed = |error: io::Error| {
            Fault::new("making control groups", error).with_remedy(REMEDY)
        };
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let parent = parent().map_err(failed)?;
        remove_stale_groups(&parent);
        let number = NEXT.fetch_add(1, Relaxed);
        let place =
            parent.below(&format!("{}{number}", JudgeProcess::this().prefix()));
        let groups = Self {
            place,
            slots: AtomicUsize::new(0),
        };
        for folder in groups.place.folders() {
            make_folder(folder).map_err(failed)?;
        }
        if groups.place.is_v2 {
            enable_controllers(&groups.place.memory).map_err(failed)?;
        }
        groups.make_slot(0).map_err(failed)?;
        Ok(groups)
    }

    /// The group of a slot.
    pub(crate) fn of_slot(&self, slot: usize) -> CgroupPath {
        self.place.below(&format!("slot-{slot}"))
    }

    /// Makes the group of a slot unless it exists.
    ///
    /// # Errors
    /// Returns an error if this user may no longer do so.
    pub(crate) fn make_slot(&self, slot: usize) -> io::Result<()> {
        self.slots.fetch_max(slot + 1, Relaxed);
        self.of_slot(slot)
            .folders()
            .into_iter()
            .try_for_each(make_folder)
    }

    /// Removes the groups; all processes in them must be gone.
    pub(crate) fn remove(&self) {
        let groups: Vec<_> = (0..self.slots.load(Relaxed))
            .map(|slot| self.of_slot(slot))
            .chain([self.place.clone()])
            .collect();
        remove_all(&groups);
    }
}

impl Drop for Cgroups {
    fn drop(&mut self) {
        self.remove();
    }
}

fn make_folder(folder: &Path) -> io::Result<()> {
    match fs::create_dir(folder) {
        // Controllers that share a hierarchy share a folder.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        result => result.map_err(error_at(folder)),
    }
}

/// The path where our groups are made.
fn parent() -> io::Result<CgroupPath> {
    let hierarchies = CgroupHierarchy::of_this_process();
    let v1 = |controller| v1_folder(&hierarchies, controller);
    if let (Some(memory), Some(pids), Some(cpu)) =
        (v1("memory"), v1("pids"), v1("cpuacct"))
    {
        return Ok(CgroupPath {
            is_v2: false,
            memory,
            pids,
            cpu,
        });
    }
    let missing =
        || io::Error::other("there are no controllers for memory and processes");
    let unified = hierarchies
        .iter()
        .find(|hierarchy| hierarchy.version == 2)
        .ok_or_else(missing)?;
    // Root makes groups at the mount, since it need not stay in the group of its
    // terminal. Another judge may have moved all processes, ours included, one level
    // down; groups are made where they were before.
    let mut folder = PathBuf::from(&unified.mounted_at);
    if !namespaces::is_root() {
        folder = unified.folder().into();
        if folder.ends_with(NEIGHBOURS) {
            folder.pop();
        }
    }
    let given = fs::read_to_string(folder.join("cgroup.controllers"))
        .map_err(error_at(&folder))?;
    if missing_in(&given).next().is_some() {
        return Err(missing());
    }
    enable_controllers(&folder)?;
    Ok(CgroupPath::v2(folder))
}

/// Enables controllers for child groups of this one. A group with such children may not
/// contain processes itself, so its processes are moved one level down.
fn enable_controllers(folder: &Path) -> io::Result<()> {
    let control = folder.join("cgroup.subtree_control");
    let enabled = fs::read_to_string(&control).unwrap_or_default();
    let missing: Vec<_> = missing_in(&enabled)
        .map(|name| format!("+{name}"))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let wanted = missing.join(" ");
    match fs::write(&control, &wanted) {
        Err(error) if error.kind() == ErrorKind::ResourceBusy => {
            let below = folder.join(NEIGHBOURS);
            let _ = fs::create_dir(&below);
            let inside = fs::read_to_string(folder.join("cgroup.procs"))?;
            for process in inside.lines() {
                // A process that has ended meanwhile need not move.
                let _ = fs::write(below.join("cgroup.procs"), process);
            }
            fs::write(&control, &wanted).map_err(error_at(&control))
        }
        result => result.map_err(error_at(&control)),
    }
}

/// The controllers that are needed and that a list lacks.
fn missing_in(controllers: &str) -> impl Iterator<Item = &'static str> {
    CONTROLLERS.into_iter().filter(|name| {
        !controllers
            .split_ascii_whitespace()
            .any(|found| found == *name)
    })
}

/// Removes the groups of dead judges. The kernel refuses to remove a group that has
/// processes.
fn remove_stale_groups(parent: &CgroupPath) {
    for folder in parent.folders() {
        for entry in JudgeProcess::left_by_dead(folder) {
            for slot in fs::read_dir(entry.path()).into_iter().flatten().flatten() {
                let _ = fs::remove_dir(slot.path());
            }
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// How often the kernel has killed processes in the judge's own group for memory. Runs
/// without groups of their own are in it.
pub(crate) fn kills_in_own_group() -> u64 {
    static EVENTS: OnceLock<Option<File>> = OnceLock::new();
    let events = EVENTS.get_or_init(|| {
        CgroupHierarchy::of_this_process().iter().find_map(|own| {
            ["memory.oom_control", "memory.events.local"]
                .into_iter()
                .find_map(|name| File::open(format!("{}/{name}", own.folder())).ok())
        })
    });
    let events = events.as_ref();
    events.map_or(0, |events| field(&read_group_file(events), "oom_kill"))
}

/// Checks that a run did not fail because one of these killed it.
///
/// # Errors
/// Returns a [`Fault`] if there were kills since there were `before`: whichever of the
/// runs at the same time they were of.
pub(crate) fn fault_if_killed(run: &Run, before: u64) -> Result<(), Fault> {
    if run.exit.is_clean() || kills_in_own_group() == before {
        return Ok(());
    }
    Err(killed_below_limit())
}

/// Our own group's folder in the hierarchy of a controller, in version 1.
fn v1_folder(hierarchies: &[CgroupHierarchy], controller: &str) -> Option<PathBuf> {
    let hierarchy = hierarchies.iter().find(|hierarchy| {
        hierarchy.version == 1
            && hierarchy.controllers.iter().any(|name| name == controller)
    })?;
    Some(hierarchy.folder().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_group_is_found_in_each_hierarchy() {
        let mounts = "35 25 0:30 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n\
                      36 25 0:31 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n\
                      37 25 0:32 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
        let own = "4:memory:/user/a\n3:cpu,cpuacct:/\n0::/scope\n";
        let found = CgroupHierarchy::in_texts(mounts, own);
        assert_eq!(
            v1_folder(&found, "memory"),
            Some("/sys/fs/cgroup/memory/user/a".into())
        );
        assert_eq!(
            v1_folder(&found, "cpuacct"),
            Some("/sys/fs/cgroup/cpu,cpuacct".into())
        );
        assert_eq!(v1_folder(&found, "pids"), None);
        let unified: Vec<_> =
            found.iter().filter(|found| found.version == 2).collect();
        assert_eq!(unified.len(), 1);
        assert_eq!(unified[0].mounted_at, "/sys/fs/cgroup/unified");
        assert_eq!(unified[0].folder(), "/sys/fs/cgroup/unified/scope");
    }

    #[test]
    fn in_a_container_the_path_is_relative_to_the_visible_part_of_the_hierarchy() {
        let mounts = "35 25 0:30 /docker/1f /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n";
        let own = "4:memory:/docker/1f/inner\n";
        let found = CgroupHierarchy::in_texts(mounts, own);
        assert_eq!(
            v1_folder(&found, "memory"),
            Some("/sys/fs/cgroup/memory/inner".into())
        );
    }
}
