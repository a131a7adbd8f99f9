//! Applies Landlock between clone and exec, where nothing may allocate, which the calls of the
//! `landlock` crate do. Rulesets are built elsewhere, and beforehand.

use std::os::fd::{AsRawFd, BorrowedFd};

use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::Errno;

use crate::sys::syscall;

/// A Landlock rule as the kernel reads it, `landlock_path_beneath_attr`. Source, also of the
/// constants below: linux/landlock.h.
#[repr(C, packed)]
struct PathBeneath {
    allowed: u64,
    parent: libc::c_int,
}

const RULE_PATH_BENEATH: usize = 1;
const READ_FILE: u64 = 1 << 2;
const READ_DIR: u64 = 1 << 3;

/// Confines the calling process for the rest of its life. The `landlock` crate builds rulesets, but
/// its own call for this allocates.
pub(super) fn restrict_self(ruleset: BorrowedFd) -> Result<(), Errno> {
    let ruleset = ruleset.as_raw_fd() as usize;
    // SAFETY: landlock_restrict_self(2) takes a descriptor and flags, and touches no memory of
    // ours.
    unsafe { syscall::call(libc::SYS_landlock_restrict_self, [ruleset, 0, 0, 0, 0]) }.map(drop)
}

/// Adds a rule that allows reading the calling process's own folder in `/proc`, if there is one.
/// Its children cannot read there what is about them: each has another folder.
pub(super) fn allow_own_proc(ruleset: BorrowedFd) -> Result<(), Errno> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(itself) = rustix::fs::openat(CWD, c"/proc/self", flags, Mode::empty()) else {
        return Ok(());
    };
    let rule = PathBeneath {
        allowed: READ_FILE | READ_DIR,
        parent: itself.as_raw_fd(),
    };
    let rule_at = (&raw const rule).expose_provenance();
    let arguments = [
        ruleset.as_raw_fd() as usize,
        RULE_PATH_BENEATH,
        rule_at,
        0,
        0,
    ];
    // SAFETY: landlock_add_rule(2) reads a `landlock_path_beneath_attr`, which `rule` is, and which
    // lives until it returns.
    unsafe { syscall::call(libc::SYS_landlock_add_rule, arguments) }.map(drop)
}
