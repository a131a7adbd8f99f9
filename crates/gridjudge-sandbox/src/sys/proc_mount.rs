//! `/proc` for a run that cannot do without: a mount that tells of the run's own processes and of nothing else. Called between
//! clone and exec, so it may not allocate, lock or panic.

use std::os::fd::OwnedFd;

use rustix::fs::CWD;
use rustix::io::Errno;
use rustix::mount::FsMountFlags;
use rustix::mount::FsOpenFlags;
use rustix::mount::MountAttrFlags;
use rustix::mount::MoveMountFlags;
use rustix::thread::UnshareFlags;

/// A view of the processes of this namespace, without those that are not the run's own: init works as the launcher, and
/// its `/proc/1/mountinfo` would tell what the launcher has in sight. To be made where the launcher's own `/proc` is: a user
/// without rights gets a new one only beside one that shows everything.
pub(super) fn made() -> Result<OwnedFd, Errno> {
    let system = rustix::mount::fsopen(c"proc", FsOpenFlags::FSOPEN_CLOEXEC)?;
    // Linux 5.8; before, init is in sight.
    let _ = rustix::mount::fsconfig_set_string(&system, c"hidepid", c"ptraceable");
    // Linux 5.8, too; before, the machine's own figures are in sight, some of which count all runs.
    let _ = rustix::mount::fsconfig_set_string(&system, c"subset", c"pid");
    rustix::mount::fsconfig_create(&system)?;
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID
        | MountAttrFlags::MOUNT_ATTR_NODEV
        | MountAttrFlags::MOUNT_ATTR_NOEXEC
        | MountAttrFlags::MOUNT_ATTR_RDONLY;
    rustix::mount::fsmount(&system, FsMountFlags::FSMOUNT_CLOEXEC, attributes)
}

/// The only mount that is made for a run, and for those only that cannot do without: compilers and runtimes.
pub(super) fn show(processes: &OwnedFd) -> Result<(), Errno> {
    // SAFETY: a mount namespace of its own changes nothing about our memory or descriptors.
    unsafe { rustix::thread::unshare_unsafe(UnshareFlags::NEWNS) }?;
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
    rustix::mount::move_mount(processes, c"", CWD, c"/proc", flags)
}
