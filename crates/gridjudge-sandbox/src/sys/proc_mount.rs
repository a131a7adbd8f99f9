//! Mounts `/proc` for a run that needs it, showing only the run's own processes. Called between
//! clone and exec, so it may not allocate, lock or panic.

use std::os::fd::OwnedFd;

use rustix::fs::CWD;
use rustix::io::Errno;
use rustix::mount::{FsMountFlags, FsOpenFlags, MountAttrFlags, MoveMountFlags};
use rustix::thread::UnshareFlags;

/// Makes a `/proc` of this pid namespace that hides init, which has the launcher's user: its
/// `/proc/1/mountinfo` would attach the launcher's mounts. Must be called while the launcher's own
/// `/proc` is mounted: the kernel lets an ordinary user make a new one only where a complete one is
/// visible.
pub(super) fn make() -> Result<OwnedFd, Errno> {
    let system = rustix::mount::fsopen(c"proc", FsOpenFlags::FSOPEN_CLOEXEC)?;
    // Needs Linux 5.8; before that, init is visible.
    let _ = rustix::mount::fsconfig_set_string(&system, c"hidepid", c"ptraceable");
    // Needs Linux 5.8, too; before that, figures of the whole machine are visible, some of which
    // count all runs.
    let _ = rustix::mount::fsconfig_set_string(&system, c"subset", c"pid");
    rustix::mount::fsconfig_create(&system)?;
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID
        | MountAttrFlags::MOUNT_ATTR_NODEV
        | MountAttrFlags::MOUNT_ATTR_NOEXEC
        | MountAttrFlags::MOUNT_ATTR_RDONLY;
    rustix::mount::fsmount(&system, FsMountFlags::FSMOUNT_CLOEXEC, attributes)
}

/// Attaches it at `/proc`. This is the only mount that is make for a run, and only for compilers
/// and runtimes, which need it.
pub(super) fn attach(processes: &OwnedFd) -> Result<(), Errno> {
    // SAFETY: a new mount namespace changes nothing about our memory or descriptors.
    unsafe { rustix::thread::unshare_unsafe(UnshareFlags::NEWNS) }?;
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
    rustix::mount::move_mount(processes, c"", CWD, c"/proc", flags)
}
