//! Makes bare system calls. libc's wrappers store errors in `errno`, which between
//! clone and exec is the launcher's own, and the launcher may be reading it at the same
//! moment. Those that the filter refuses to runs carry the launcher's token.

use std::ffi::CStr;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::sync::OnceLock;
use std::{io, ptr};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags};
use rustix::process::{DumpableBehavior, Pid};

/// The arguments of a system call. No call here needs more than five.
type SyscallArguments = [usize; 5];

/// Makes a system call and returns the kernel's result.
///
/// # Safety
/// As for the system call: pointers must be valid for what it reads and writes.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) unsafe fn call(
    number: libc::c_long,
    arguments: SyscallArguments,
) -> Result<usize, Errno> {
    const MOST_ERRNO: isize = 4095;
    let [a, b, c, d, e] = arguments;
    let result: isize;
    // SAFETY: the kernel's calling convention (syscall(2)): the number in rax,
    // arguments in rdi, rsi, rdx, r10, r8; it overwrites rax, rcx and r11 and nothing
    // of the stack. The caller guarantees that what the call does to memory is sound.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        std::arch::asm!(
            "syscall",
            inlateout("rax") number as isize => result,
            in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d, in("r8") e,
            lateout("rcx") _, lateout("r11") _,
            options(nostack),
        );
    }
    // SAFETY: the kernel's calling convention (syscall(2)): the number in x8, arguments
    // in x0 to x4, the result in x0, nothing else changed. The caller guarantees that
    // what the call does to memory is sound.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        std::arch::asm!(
            "svc 0",
            in("x8") number as isize,
            inlateout("x0") a as isize => result,
            in("x1") b, in("x2") c, in("x3") d, in("x4") e,
            options(nostack),
        );
    }
    // Errors are small negative numbers.
    if (-MOST_ERRNO..0).contains(&result) {
        Err(Errno::from_raw_os_error(-result as i32))
    } else {
        Ok(result as usize)
    }
}

/// Makes a system call and returns the kernel's result. Here by libc: a failure also
/// overwrites `errno`.
///
/// # Safety
/// As for the system call: pointers must be valid for what it reads and writes.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) unsafe fn call(
    number: libc::c_long,
    arguments: SyscallArguments,
) -> Result<usize, Errno> {
    let [a, b, c, d, e] = arguments;
    // SAFETY: syscall(2) passes everything on; the caller guarantees that what the call
    // does to memory is sound.
    let result = unsafe { libc::syscall(number, a, b, c, d, e) };
    match result {
        -1 => Err(last_errno()),
        result => Ok(result as usize),
    }
}

/// The error of the last call by libc.
fn last_errno() -> Errno {
    Errno::from_io_error(&io::Error::last_os_error()).unwrap_or(Errno::IO)
}

// Releases the launcher's own memory, finds the page size, and sets the OOM score of a
// child.

/// Frees the memory of this program's code, all of which is resident since the start.
/// Code that is needed again is read again, from the page cache and a few pages at a
/// time.
pub(crate) fn forget_code() {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    for (start, end) in maps.lines().filter_map(code_in) {
        let address = ptr::without_provenance_mut(start);
        // SAFETY: MADV_DONTNEED makes the next use of a private mapping read its file
        // again, which loses what was written there. A mapping that is not writable has
        // not been written to: the loader relocates data, not code, and a tool that
        // patches code (a debugger) expects that files may be replaced.
        let _ = unsafe {
            rustix::mm::madvise(
                address,
                end - start,
                rustix::mm::Advice::LinuxDontNeed,
            )
        };
    }
}

/// The page size. The C library knows it from its start; `rustix` reads it from `/proc`
/// when called, which before Linux 6.4 panics in a process that has no access to its
/// files there, as this one.
pub(crate) fn page_bytes() -> u64 {
    // SAFETY: sysconf(3) takes a number and touches no memory of ours.
    let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    u64::try_from(bytes).unwrap_or(4096)
}

/// Makes this process, a child on the launcher's memory, the first that the kernel
/// kills when memory runs out. Must be called while the launcher's `/proc` is still
/// visible. Source: proc(5).
///
/// Processes that share memory share their score, except such a child as long as its
/// launcher waits for its exec. The launcher could not do this instead: exec wakes it
/// shortly before the child has its own memory, so that for a moment each write to
/// either score changes both.
pub(super) fn raise_oom_score() -> Result<(), Errno> {
    // The files in `/proc` of a process that is not dumpable belong to root. No run
    // lives here yet that could trace us meanwhile.
    rustix::process::set_dumpable_behavior(DumpableBehavior::Dumpable)?;
    let flags = OFlags::WRONLY | OFlags::CLOEXEC;
    // A failure matters only when memory runs out; a launcher that then dies is
    // replaced.
    if let Ok(score) =
        rustix::fs::open(c"/proc/self/oom_score_adj", flags, Mode::empty())
    {
        let _ = rustix::io::write(&score, b"1000");
    }
    rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)
}

/// The range of a line of `/proc/self/maps`, if it maps the code of a file:
/// `1f00-2f00 r-xp 0 8:1 77 /bin/x`.
fn code_in(line: &str) -> Option<(usize, usize)> {
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let is_code = fields.next()? == "r-xp" && fields.nth(3)?.starts_with('/');
    let parse = |number| usize::from_str_radix(number, 16).ok();
    is_code.then_some((parse(start)?, parse(end)?))
}

// The stack on which a child runs while it shares the launcher's memory.

/// The size of a stack. A child uses only a few frames; unoptimised builds need about 3
/// KiB.
const STACK_BYTES: usize = 64 << 10;

/// The size of the guard below the stack, which faults on overflow: the largest page
/// size of any Linux, so that it is whole pages everywhere.
const GUARD_BYTES: usize = 64 << 10;

/// One child's stack.
pub(crate) struct ChildStack {
    base: *mut libc::c_void,
}

impl ChildStack {
    /// Maps a stack with a guard below. It is never unmapped: a launcher keeps its
    /// stacks as long as it lives.
    pub(crate) fn new() -> io::Result<Self> {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: an anonymous mapping at an address of the kernel's choice replaces
        // nothing.
        let base = unsafe {
            rustix::mm::mmap_anonymous(
                ptr::null_mut(),
                GUARD_BYTES + STACK_BYTES,
                access,
                MapFlags::PRIVATE,
            )
        }?;
        // SAFETY: these are the first bytes of our own fresh mapping, into which no
        // reference exists.
        unsafe { rustix::mm::mprotect(base, GUARD_BYTES, MprotectFlags::empty()) }?;
        Ok(Self { base })
    }

    /// The end of the mapping, where a stack that grows downwards starts; page-aligned.
    fn top(&self) -> *mut libc::c_void {
        // SAFETY: one past the end of the one mapping that `new` made with exactly this
        // length.
        unsafe { self.base.byte_add(GUARD_BYTES + STACK_BYTES) }
    }
}

/// Starts a child on this process's memory, which begins with `main` and this argument.
/// Returns its id, and a descriptor that polls as readable when it has ended.
///
/// # Errors
/// As for clone(2).
///
/// # Safety
/// Until the child has left our memory, by exec or exit, the stack and the argument
/// must stay where they are, and nothing else may use the stack. `main` must not
/// allocate, lock, panic or use `errno`.
pub(super) unsafe fn clone_on_own_memory<T>(
    stack: &ChildStack,
    more_flags: libc::c_int,
    main: extern "C" fn(*mut libc::c_void) -> libc::c_int,
    argument: &T,
) -> Result<(Pid, OwnedFd), Errno> {
    let flags = libc::CLONE_VM | libc::CLONE_PIDFD | libc::SIGCHLD | more_flags;
    let mut ended: libc::c_int = -1;
    // The kernel ignores the last two arguments without certain flags; the filter of
    // system calls checks them.
    let token =
        ptr::without_provenance_mut::<libc::c_void>(launcher_token() as usize);
    // SAFETY: clone(2) with CLONE_VM requires a stack that nothing else uses until the
    // child is gone, and that what the argument points to lives as long, which the
    // caller guarantees.
    let child = unsafe {
        libc::clone(
            main,
            stack.top(),
            flags,
            ptr::from_ref(argument).cast_mut().cast(),
            &raw mut ended,
            token,
            token,
        )
    };
    let child = Pid::from_raw(child.max(0)).ok_or_else(last_errno)?;
    // SAFETY: with CLONE_PIDFD a successful clone has stored a new descriptor here that
    // nothing else owns.
    Ok((child, unsafe { OwnedFd::from_raw_fd(ended) }))
}

// System calls that the filter allows to a launcher but not to its runs, although both
// are under it: they carry the launcher's token, a secret number, in a register that
// the kernel does not read. Runs never see it: exec(2) clears registers and memory,
// and no run may read a launcher's memory.

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
        call(
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
        call(
            libc::SYS_utimensat,
            [folder, 0, at, 0, launcher_token() as usize],
        )
    }
    .map(drop)
}

#[cfg(test)]
mod memory_tests {
    use super::*;

    #[test]
    fn code_is_a_file_mapping_that_is_executable_and_not_writable() {
        let line =
            |access, path| format!("1000-3f00 {access} 00001000 fe:00 1234   {path}");
        assert_eq!(
            code_in(&line("r-xp", "/usr/bin/x y")),
            Some((0x1000, 0x3f00))
        );
        assert_eq!(code_in(&line("rwxp", "/usr/bin/x")), None);
        assert_eq!(code_in(&line("r--p", "/usr/bin/x")), None);
        assert_eq!(code_in(&line("r-xp", "[vdso]")), None);
        assert_eq!(code_in(&line("r-xp", "")), None);
    }
}
