//! Makes bare system calls. libc's wrappers store errors in `errno`, which between clone and exec
//! is the launcher's own, and the launcher may be reading it at the same moment.

use rustix::io::Errno;

/// The arguments of a system call. No call here needs more than five.
pub(super) type SyscallArguments = [usize; 5];

/// Makes a system call and returns the kernel's result.
///
/// # Safety
/// As for the system call: pointers must be valid for what it reads and writes.
#[cfg(target_arch = "x86_64")]
pub(super) unsafe fn call(
    number: libc::c_long,
    arguments: SyscallArguments,
) -> Result<usize, Errno> {
    let [a, b, c, d, e] = arguments;
    let result: isize;
    // SAFETY: the kernel's calling convention (syscall(2)): the number in rax, arguments in rdi,
    // rsi, rdx, r10, r8; it overwrites rax, rcx and r11 and nothing of the stack. The caller
    // guarantees that what the call does to memory is sound.
    unsafe {
        std::arch::asm!(
            "syscall",
            inlateout("rax") number as isize => result,
            in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d, in("r8") e,
            lateout("rcx") _, lateout("r11") _,
            options(nostack),
        );
    }
    checked(result)
}

/// Makes a system call and returns the kernel's result.
///
/// # Safety
/// As for the system call: pointers must be valid for what it reads and writes.
#[cfg(target_arch = "aarch64")]
pub(super) unsafe fn call(
    number: libc::c_long,
    arguments: SyscallArguments,
) -> Result<usize, Errno> {
    let [a, b, c, d, e] = arguments;
    let result: isize;
    // SAFETY: the kernel's calling convention (syscall(2)): the number in x8, arguments in x0 to
    // x4, the result in x0, nothing else changed. The caller guarantees that what the call does to
    // memory is sound.
    unsafe {
        std::arch::asm!(
            "svc 0",
            in("x8") number as isize,
            inlateout("x0") a as isize => result,
            in("x1") b, in("x2") c, in("x3") d, in("x4") e,
            options(nostack),
        );
    }
    checked(result)
}

/// Makes a system call and returns the kernel's result. Here by libc: a failure also overwrites
/// `errno`.
///
/// # Safety
/// As for the system call: pointers must be valid for what it reads and writes.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) unsafe fn call(
    number: libc::c_long,
    arguments: SyscallArguments,
) -> Result<usize, Errno> {
    let [a, b, c, d, e] = arguments;
    // SAFETY: syscall(2) passes everything on; the caller guarantees that what the call does to
    // memory is sound.
    let result = unsafe { libc::syscall(number, a, b, c, d, e) };
    match result {
        -1 => Err(Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO)),
        result => Ok(result as usize),
    }
}

/// Turns the kernel's result into a `Result`: errors are small negative numbers.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn checked(result: isize) -> Result<usize, Errno> {
    const MOST_ERRNO: isize = 4095;
    if (-MOST_ERRNO..0).contains(&result) {
        Err(Errno::from_raw_os_error(-result as i32))
    } else {
        Ok(result as usize)
    }
}
