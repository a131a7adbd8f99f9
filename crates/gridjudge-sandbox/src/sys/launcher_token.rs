//! System calls that the filter allows to a launcher but not to its runs, although both
//! are under it: they carry the launcher's token, a secret number, in a register that
//! the kernel does not read. Runs never see it: exec(2) clears registers and memory,
//! and no run may read a launcher's memory.

use std::ffi::CStr;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::os::fd::{AsRawFd, BorrowedFd};
use std::sync::OnceLock;

use rustix::io::Errno;

use crate::sys::syscall;

/// This process's token, a random number from the standard library.
pub(crate) fn launcher_token() -> u64 {
    static TOKEN: OnceLock<u64> = OnceLock::new();
    // Not 0, which an unused register may contain.
    *TOKEN.get_or_init(|| RandomState::new().build_hasher().finish() | 1)
}

/// Sets the mode of the entry of this name in a folder, like fchmodat(2).
///
/// # Errors
/// As for fchmodat(2).
pub(crate) fn change_mode(
    folder: BorrowedFd,
    name: &CStr,
    mode: u32,
) -> Result<(), Errno> {
    let folder = folder.as_raw_fd() as usize;
    let name = name.as_ptr().expose_provenance();
    // SAFETY: fchmodat(2) reads a C string, which lives across the call; it has three
    // arguments and reads no more.
    unsafe {
        syscall::call(
            libc::SYS_fchmodat,
            [folder, name, mode as usize, launcher_token() as usize, 0],
        )
    }
    .map(drop)
}

/// Sets the access and modification times of an open folder to this second since 1970,
/// like futimens(3).
///
/// # Errors
/// As for futimens(3).
pub(crate) fn change_times(folder: BorrowedFd, second: i64) -> Result<(), Errno> {
    let times = [second, 0, second, 0];
    let folder = folder.as_raw_fd() as usize;
    let at = times.as_ptr().expose_provenance();
    // SAFETY: utimensat(2) reads two pairs of numbers, which live across the call; with
    // a null path it applies to the descriptor. It has four arguments and reads no
    // more.
    unsafe {
        syscall::call(
            libc::SYS_utimensat,
            [folder, 0, at, 0, launcher_token() as usize],
        )
    }
    .map(drop)
}
