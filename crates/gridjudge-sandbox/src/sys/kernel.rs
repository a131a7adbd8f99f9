//! System calls that `rustix` does not have.

use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::{io, ptr};

use rustix::fs::CWD;
use rustix::io::Errno;
use rustix::mount::{FsMountFlags, FsOpenFlags, MountAttrFlags, MoveMountFlags};
use rustix::process::{Pid, Signal, WaitOptions};
use rustix::thread::UnshareFlags;

use crate::sys::syscall;

/// The version of Landlock that the kernel has; 0 if it has none or it is switched off.
pub(crate) fn landlock_version() -> u32 {
    const VERSION: libc::c_int = 1;
    let nothing: *const libc::c_void = ptr::null();
    // SAFETY: with this flag landlock_create_ruleset(2) reads no attributes and only
    // returns a number.
    let version = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, nothing, 0, VERSION)
    };
    u32::try_from(version).unwrap_or(0)
}

/// Moves this process, which must have one thread, into new namespaces.
///
/// # Errors
/// Returns an error if this user may not, or the machine's limit on namespaces is
/// reached.
pub(crate) fn enter_new_namespaces(flags: UnshareFlags) -> io::Result<()> {
    assert!(
        !flags.contains(UnshareFlags::FILES),
        "descriptors must not be split from their owners"
    );
    // SAFETY: unshare(2) endangers memory or descriptors only where it splits what
    // threads share of them; namespaces are neither.
    Ok(unsafe { rustix::thread::unshare_unsafe(flags) }?)
}

/// Makes programs that this process starts be loaded at the same addresses each time.
/// Changes nothing where the kernel does not let it. Source: personality(2).
pub(crate) fn fix_addresses() {
    const UNCHANGED: libc::c_ulong = 0xffff_ffff;
    // SAFETY: with this value personality(2) only returns a number.
    let now = unsafe { libc::personality(UNCHANGED) };
    if now >= 0 {
        let fixed = now as libc::c_ulong | libc::ADDR_NO_RANDOMIZE as libc::c_ulong;
        // SAFETY: this bit has an effect on programs that are started later, and none
        // on this process.
        unsafe { libc::personality(fixed) };
    }
}

/// Undoes [`fix_addresses`] for the program that this process is about to become. A
/// bare system call, for use between clone and exec; the filter allows this one.
pub(crate) fn randomize_addresses() -> Result<(), Errno> {
    const PER_LINUX: usize = 0;
    // SAFETY: personality(2) takes a number and touches no memory of ours.
    unsafe { syscall::call(libc::SYS_personality, [PER_LINUX, 0, 0, 0, 0]) }.map(drop)
}

/// Forks; only the child returns from this call. The original process waits for it and
/// exits when it does; if it is killed, so is the child. The calling process must have
/// one thread.
///
/// # Errors
/// Returns an error if the fork fails.
pub(crate) fn continue_in_child() -> io::Result<()> {
    // SAFETY: after fork(2) the child of a process with one thread is complete: no lock
    // is held by a thread that does not exist there.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(rustix::process::set_parent_process_death_signal(Some(
            Signal::KILL,
        ))?),
        child => {
            let status =
                rustix::process::waitpid(Pid::from_raw(child), WaitOptions::empty())
                    .ok()
                    .flatten()
                    .and_then(|(_, status)| status.exit_status());
            // SAFETY: _exit(2) runs no destructor: the values that would be dropped now
            // belong to the child.
            unsafe { libc::_exit(status.unwrap_or(1)) }
        }
    }
}

/// Resets this process to the usual scheduler and to no I/O priority class. Changes
/// nothing where this user may not.
pub(crate) fn reset_scheduler() {
    const MYSELF: libc::c_int = 0;
    const ONE_PROCESS: libc::c_int = 1;
    const NO_CLASS: libc::c_int = 0;
    // SAFETY: the structure consists of plain numbers, for which zero is valid: it is
    // the only priority of the usual scheduler.
    let parameters: libc::sched_param = unsafe { std::mem::zeroed() };
    // SAFETY: sched_setscheduler(2) reads the structure, which lives across the call.
    let _ = unsafe {
        libc::syscall(
            libc::SYS_sched_setscheduler,
            MYSELF,
            libc::SCHED_OTHER,
            &raw const parameters,
        )
    };
    // SAFETY: ioprio_set(2) takes numbers only.
    let _ =
        unsafe { libc::syscall(libc::SYS_ioprio_set, ONE_PROCESS, MYSELF, NO_CLASS) };
}

/// Sets attributes of a mount and of all mounts below it. `tree` is its root.
///
/// # Errors
/// Returns an error if the kernel cannot (before Linux 5.12) or this user may not.
pub(crate) fn set_mount(
    tree: BorrowedFd,
    attributes: MountAttrFlags,
) -> io::Result<()> {
    /// `struct mount_attr` of mount_setattr(2).
    #[repr(C)]
    struct MountAttributes {
        set: u64,
        clear: u64,
        propagation: u64,
        user_namespace: u64,
    }
    let attributes = MountAttributes {
        set: attributes.bits().into(),
        clear: 0,
        propagation: 0,
        user_namespace: 0,
    };
    let flags = libc::AT_EMPTY_PATH | libc::AT_RECURSIVE;
    let size = size_of::<MountAttributes>();
    // SAFETY: the structure is the first version of the kernel's, lives across the call
    // and is only read; the path is a C string.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            tree.as_raw_fd(),
            c"".as_ptr(),
            flags,
            &raw const attributes,
            size,
        )
    };
    if result == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

/// Puts this process, and all it starts, permanently under a filter of system calls.
/// `no_new_privs` must be set. Neither allocates nor locks, for a child before exec.
///
/// # Errors
/// Returns an error if the kernel has no such filters, or refuses this one.
pub(crate) fn install_filter(program: &[libc::sock_filter]) -> Result<(), Errno> {
    let length = u16::try_from(program.len()).map_err(|_| Errno::INVAL)?;
    let program = libc::sock_fprog {
        len: length,
        filter: program.as_ptr().cast_mut(),
    };
    let mode = libc::SECCOMP_SET_MODE_FILTER as usize;
    let program = (&raw const program).expose_provenance();
    // SAFETY: the kernel copies `len` instructions from `filter`, which is a slice of
    // that length, and writes nothing.
    unsafe { syscall::call(libc::SYS_seccomp, [mode, 0, program, 0, 0]) }.map(drop)
}

// Mounts `/proc` for a run that needs it, showing only the run's own processes. Called
// between clone and exec, so it may not allocate, lock or panic.

/// Makes a `/proc` of this pid namespace that hides init, which has the launcher's
/// user: its `/proc/1/mountinfo` would attach the launcher's mounts. Must be called
/// while the launcher's own `/proc` is mounted: the kernel lets an ordinary user make a
/// new one only where a complete one is visible.
pub(super) fn make_proc() -> Result<OwnedFd, Errno> {
    let system = rustix::mount::fsopen(c"proc", FsOpenFlags::FSOPEN_CLOEXEC)?;
    // Needs Linux 5.8; before that, init is visible.
    let _ = rustix::mount::fsconfig_set_string(&system, c"hidepid", c"ptraceable");
    // Needs Linux 5.8, too; before that, figures of the whole machine are visible, some
    // of which count all runs.
    let _ = rustix::mount::fsconfig_set_string(&system, c"subset", c"pid");
    rustix::mount::fsconfig_create(&system)?;
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID
        | MountAttrFlags::MOUNT_ATTR_NODEV
        | MountAttrFlags::MOUNT_ATTR_NOEXEC
        | MountAttrFlags::MOUNT_ATTR_RDONLY;
    rustix::mount::fsmount(&system, FsMountFlags::FSMOUNT_CLOEXEC, attributes)
}

/// Attaches it at `/proc`. This is the only mount that is made for a run, and only for
/// compilers and runtimes, which need it.
pub(super) fn attach_proc(processes: &OwnedFd) -> Result<(), Errno> {
    // SAFETY: a new mount namespace changes nothing about our memory or descriptors.
    unsafe { rustix::thread::unshare_unsafe(UnshareFlags::NEWNS) }?;
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
    rustix::mount::move_mount(processes, c"", CWD, c"/proc", flags)
}
