//! The system calls that a run may not make. Knows calls and their arguments; knows nothing of how a process is held to
//! the list.

use libc::c_long;
use rustix::io::Errno;

use CallCondition::*;

/// When a call is refused.
#[derive(Clone, Copy, Debug)]
pub(super) enum CallCondition {
    /// Whatever its arguments.
    Always,
    /// If its argument of this number, from 0, has one of these bits.
    AnyBit(u32, u32),
    /// If its argument of this number is one of these.
    OneOf(u32, &'static [u32]),
    /// If its argument of this number is none of these.
    NoneOf(u32, &'static [u32]),
    /// If its argument of this number, as far as these bits go, is this.
    Part(u32, u32, u32),
    /// If its argument of this number, which the kernel does not read, is not the launcher's token. See `sys/launcher_token.rs`.
    WithoutToken(u32),
    /// If its argument of the first number has one of these bits and that of the last is not the launcher's token.
    AnyBitWithoutToken(u32, u32, u32),
}

/// A call, when it is refused, and with what error.
pub(super) type DeniedCall = (c_long, CallCondition, Errno);

pub(super) const NEW_USER: u32 = libc::CLONE_NEWUSER as u32;

/// And children that would be the launcher's own.
const CLONING: u32 = NEW_USER | libc::CLONE_PARENT as u32;

/// Locks on a file that cannot be written still tell two runs of each other.
pub(super) const FCNTL: &[u32] = &[libc::F_SETLEASE as u32, libc::F_NOTIFY as u32];

/// Injecting input into a terminal (`TIOCSTI`, `TIOCLINUX`).
const TERMINAL: &[u32] = &[libc::TIOCSTI as u32, 0x541c];

/// What a namespace says of itself, and which namespaces a process is in. Both count up on the whole machine: between the
/// numbers of the launcher's namespaces and of the run's own lie as many as there were runs. Some of these questions come
/// in several lengths. Sources: linux/nsfs.h, linux/pidfd.h.
const OF_NAMESPACES: CallCondition = Part(1, 0xff00, 0xb700);
const NAMESPACES: &[u32] = &[0xff01, 0xff02, 0xff03, 0xff04, 0xff05, 0xff06, 0xff07, 0xff08, 0xff09, 0xff0a];

/// `SO_COOKIE`, which counts up with each socket that is asked for it, and `SO_NETNS_COOKIE`.
const COOKIES: &[u32] = &[57, 71];

/// Descriptors of the sender, `SO_PASSPIDFD`; and names, `SO_PASSCRED`, with which an end that sends gets one of its own.
const SENDERS: &[u32] = &[16, 76];

/// The last of clone(2)'s arguments but one is read only with flags that are not set.
const PROCESS_DESCRIPTOR: CallCondition = AnyBitWithoutToken(0, libc::CLONE_PIDFD as u32, 3);

/// Attributes of files that their owner can change and no other call shows: flags, those of XFS, what makes one read-only for good,
/// the version by each of its two names, and how a folder is encrypted.
const FILE_FLAGS: &[u32] = &[0x4008_6602, 0x401c_5820, 0x4080_6685, 0x4008_7602, 0x4008_6604, 0x800c_6613];

/// Files without a name come and go in a folder without a trace, and yet take a number each that the next run finds taken.
const NAMELESS: u32 = 0x40_0000;

/// Of several kinds of local sockets, those that reach others than their peer: datagrams (2) and what stands for them (3).
const ANY_PEER: u32 = 0b10;

const LOCAL: &[u32] = &[libc::AF_UNIX as u32];

/// Which parts of a file are in memory is written by reading and by this...
const FORGET: &[u32] = &[libc::POSIX_FADV_DONTNEED as u32];
const PAGE_OUT: &[u32] = &[libc::MADV_COLD as u32, libc::MADV_PAGEOUT as u32];

/// ...and read by reading at once or not at all (`RWF_NOWAIT`), or in passing (`RWF_DONTCACHE`).
const AT_ONCE: u32 = 0x08 | 0x80;

/// The default personality, and the query for the current one.
pub(super) const PERSONALITIES: &[u32] = &[0, u32::MAX];

const MYSELF: &[u32] = &[0];

/// What setpriority(2) and ioprio_set(2) call one process, and not a group or all of a user.
const ONE_PROCESS: &[u32] = &[libc::PRIO_PROCESS];
const ONE_FOR_IO: &[u32] = &[1];

/// The mark of a mount that is never given again.
const UNIQUE_MOUNT: u32 = 0x4000;

/// Newer than the `libc` crate; the same number on every processor.
const SYS_CACHESTAT: c_long = 451;
const SYS_FCHMODAT2: c_long = 452;
const SYS_SETXATTRAT: c_long = 463;
const SYS_REMOVEXATTRAT: c_long = 466;
const SYS_FILE_SETATTR: c_long = 469;
const SYS_STATMOUNT: c_long = 457;
const SYS_LISTMOUNT: c_long = 458;
const SYS_LISTNS: c_long = 470;

/// What is refused at every level.
#[rustfmt::skip]
pub(super) const DENIED_ALWAYS: &[DeniedCall] = &[
    // Ways to capabilities. Of clone3(2), whose flags a filter cannot read, libc knows that it may be missing.
    (libc::SYS_unshare,             AnyBit(0, NEW_USER),      Errno::PERM),
    (libc::SYS_clone,               AnyBit(0, CLONING),       Errno::PERM),
    (libc::SYS_clone3,              Always,                   Errno::NOSYS),
    // Descriptors of processes, whose numbers count all processes of the machine. Launchers have some.
    (libc::SYS_clone,               PROCESS_DESCRIPTOR,       Errno::INVAL),
    (libc::SYS_pidfd_open,          Always,                   Errno::NOSYS),
    (libc::SYS_getsockopt,          OneOf(2, &[77]),          Errno::NOPROTOOPT),
    (libc::SYS_setsockopt,          OneOf(2, SENDERS),        Errno::NOPROTOOPT),
    // Other processes.
    (libc::SYS_ptrace,              Always,                   Errno::PERM),
    (libc::SYS_process_vm_readv,    Always,                   Errno::PERM),
    (libc::SYS_process_vm_writev,   Always,                   Errno::PERM),
    (libc::SYS_process_madvise,     Always,                   Errno::PERM),
    (libc::SYS_pidfd_getfd,         Always,                   Errno::PERM),
    (libc::SYS_kcmp,                Always,                   Errno::PERM),
    (libc::SYS_prlimit64,           NoneOf(0, MYSELF),        Errno::PERM),
    (libc::SYS_setpriority,         NoneOf(1, MYSELF),        Errno::PERM),
    (libc::SYS_ioprio_set,          NoneOf(1, MYSELF),        Errno::PERM),
    (libc::SYS_sched_setaffinity,   NoneOf(0, MYSELF),        Errno::PERM),
    (libc::SYS_sched_setparam,      NoneOf(0, MYSELF),        Errno::PERM),
    (libc::SYS_sched_setscheduler,  NoneOf(0, MYSELF),        Errno::PERM),
    (libc::SYS_sched_setattr,       NoneOf(0, MYSELF),        Errno::PERM),
    (libc::SYS_move_pages,          NoneOf(0, MYSELF),        Errno::PERM),
    (libc::SYS_migrate_pages,       NoneOf(0, MYSELF),        Errno::PERM),
    (libc::SYS_process_mrelease,    Always,                   Errno::PERM),
    (libc::SYS_setpriority,         NoneOf(0, ONE_PROCESS),   Errno::PERM),
    (libc::SYS_ioprio_set,          NoneOf(0, ONE_FOR_IO),    Errno::PERM),
    // Sockets, but for pairs of them.
    (libc::SYS_socket,              Always,                   Errno::ACCESS),
    (libc::SYS_socketpair,          NoneOf(0, LOCAL),         Errno::ACCESS),
    (libc::SYS_socketpair,          AnyBit(1, ANY_PEER),      Errno::ACCESS),
    // An end of a pair can still be given a name, and ask whether another has that name.
    (libc::SYS_bind,                Always,                   Errno::ACCESS),
    (libc::SYS_connect,             Always,                   Errno::ACCESS),
    // What outlives a process.
    (libc::SYS_shmget,              Always,                   Errno::NOSYS),
    (libc::SYS_semget,              Always,                   Errno::NOSYS),
    (libc::SYS_msgget,              Always,                   Errno::NOSYS),
    (libc::SYS_mq_open,             Always,                   Errno::NOSYS),
    (libc::SYS_mq_unlink,           Always,                   Errno::NOSYS),
    (libc::SYS_add_key,             Always,                   Errno::NOSYS),
    (libc::SYS_request_key,         Always,                   Errno::NOSYS),
    (libc::SYS_keyctl,              Always,                   Errno::NOSYS),
    (libc::SYS_syslog,              Always,                   Errno::PERM),
    (libc::SYS_openat,              AnyBit(2, NAMELESS),      Errno::OPNOTSUPP),
    (libc::SYS_openat2,             Always,                   Errno::NOSYS),
    // What stays on a folder when it is emptied.
    (SYS_FILE_SETATTR,              Always,                   Errno::PERM),
    (libc::SYS_ioctl,               OneOf(1, FILE_FLAGS),     Errno::PERM),
    // What is left in the machine's memory of the files that runs share.
    (libc::SYS_fadvise64,           OneOf(3, FORGET),         Errno::PERM),
    (libc::SYS_madvise,             OneOf(2, PAGE_OUT),       Errno::PERM),
    (libc::SYS_preadv2,             AnyBit(5, AT_ONCE),       Errno::OPNOTSUPP),
    (libc::SYS_mincore,             Always,                   Errno::PERM),
    (SYS_CACHESTAT,                 Always,                   Errno::NOSYS),
    // What counts up on the whole machine.
    (libc::SYS_ioctl,               OF_NAMESPACES,            Errno::PERM),
    (libc::SYS_ioctl,               OneOf(1, NAMESPACES),     Errno::PERM),
    (libc::SYS_getsockopt,          OneOf(2, COOKIES),        Errno::NOPROTOOPT),
    (libc::SYS_name_to_handle_at,   Always,                   Errno::OPNOTSUPP),
    (libc::SYS_open_by_handle_at,   Always,                   Errno::PERM),
    (libc::SYS_statx,               AnyBit(3, UNIQUE_MOUNT),  Errno::INVAL),
    (SYS_STATMOUNT,                 Always,                   Errno::NOSYS),
    (SYS_LISTMOUNT,                 Always,                   Errno::NOSYS),
    (SYS_LISTNS,                    Always,                   Errno::NOSYS),
    // The whole machine's disks, which may keep a run beyond the reach of any signal.
    (libc::SYS_sync,                Always,                   Errno::PERM),
    (libc::SYS_syncfs,              Always,                   Errno::PERM),
    // Of these the machine has a fixed number, which one process can take.
    (libc::SYS_io_setup,            Always,                   Errno::NOSYS),
    // What two runs at once could tell each other by, or see of each other.
    (libc::SYS_fcntl,               OneOf(1, FCNTL),          Errno::PERM),
    (libc::SYS_inotify_init1,       Always,                   Errno::PERM),
    (libc::SYS_fanotify_init,       Always,                   Errno::PERM),
    // Parts of the kernel with many past vulnerabilities.
    (libc::SYS_io_uring_setup,      Always,                   Errno::NOSYS),
    (libc::SYS_io_uring_enter,      Always,                   Errno::NOSYS),
    (libc::SYS_io_uring_register,   Always,                   Errno::NOSYS),
    (libc::SYS_userfaultfd,         Always,                   Errno::PERM),
    (libc::SYS_bpf,                 Always,                   Errno::PERM),
    (libc::SYS_perf_event_open,     Always,                   Errno::PERM),
    (libc::SYS_memfd_secret,        Always,                   Errno::NOSYS),
    (libc::SYS_personality,         NoneOf(0, PERSONALITIES), Errno::PERM),
    (libc::SYS_ioctl,               OneOf(1, TERMINAL),       Errno::PERM),
];

/// Calls that only this processor's Linux has.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
pub(super) const DENIED_ON_THIS_ARCHITECTURE: &[DeniedCall] = &[
    (libc::SYS_inotify_init,        Always,                   Errno::PERM),
    (libc::SYS_modify_ldt,          Always,                   Errno::PERM),
    (libc::SYS_open,                AnyBit(1, NAMELESS),      Errno::OPNOTSUPP),
];

#[cfg(not(target_arch = "x86_64"))]
pub(super) const DENIED_ON_THIS_ARCHITECTURE: &[DeniedCall] = &[];

/// Denied where no cgroup counts the memory of files without a name.
pub(super) const DENIED_WITHOUT_CGROUP: &[DeniedCall] = &[(libc::SYS_memfd_create, Always, Errno::NOSYS)];

/// Landlock before its version 3 has no word on this, so where runs are the judge's own user they could empty its files.
pub(super) const DENIED_BEFORE_LANDLOCK_3: &[DeniedCall] = &[(libc::SYS_truncate, Always, Errno::PERM)];

/// Where runs are the judge's own user, on the judge's own files: Landlock has no word on any of this. Launchers clear away what
/// runs leave, whatever its mode.
#[rustfmt::skip]
pub(super) const DENIED_FOR_SHARED_USER: &[DeniedCall] = &[
    (libc::SYS_fchmod,              Always,                   Errno::PERM),
    (libc::SYS_fchmodat,            WithoutToken(3),           Errno::PERM),
    (SYS_FCHMODAT2,                 Always,                   Errno::PERM),
    (libc::SYS_fchown,              Always,                   Errno::PERM),
    (libc::SYS_fchownat,            Always,                   Errno::PERM),
    (libc::SYS_utimensat,           WithoutToken(4),           Errno::PERM),
    (libc::SYS_setxattr,            Always,                   Errno::PERM),
    (libc::SYS_lsetxattr,           Always,                   Errno::PERM),
    (libc::SYS_fsetxattr,           Always,                   Errno::PERM),
    (libc::SYS_removexattr,         Always,                   Errno::PERM),
    (libc::SYS_lremovexattr,        Always,                   Errno::PERM),
    (libc::SYS_fremovexattr,        Always,                   Errno::PERM),
    (SYS_SETXATTRAT,                Always,                   Errno::PERM),
    (SYS_REMOVEXATTRAT,             Always,                   Errno::PERM),
];

/// The older forms of these.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
pub(super) const DENIED_FOR_SHARED_USER_HERE: &[DeniedCall] = &[
    (libc::SYS_chmod,               Always,                   Errno::PERM),
    (libc::SYS_chown,               Always,                   Errno::PERM),
    (libc::SYS_lchown,              Always,                   Errno::PERM),
    (libc::SYS_utime,               Always,                   Errno::PERM),
    (libc::SYS_utimes,              Always,                   Errno::PERM),
    (libc::SYS_futimesat,           Always,                   Errno::PERM),
];

#[cfg(not(target_arch = "x86_64"))]
pub(super) const DENIED_FOR_SHARED_USER_HERE: &[DeniedCall] = &[];
