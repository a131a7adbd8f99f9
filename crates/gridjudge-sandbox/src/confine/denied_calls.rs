//! Lists the system calls that a run may not make. Knows calls and their arguments;
//! knows nothing of how the list is enforced.

use libc::*;

use CallCondition::*;

/// When a call is refused.
#[derive(Clone, Copy, Debug)]
pub(super) enum CallCondition {
    /// With any arguments.
    Always,
    /// If the argument with this number, from 0, has one of these bits.
    AnyBit(u32, u32),
    /// If the argument with this number is one of these values.
    OneOf(u32, &'static [u32]),
    /// If the argument with this number is none of these values.
    NoneOf(u32, &'static [u32]),
    /// If the argument with this number, masked with the second value, is the third.
    Part(u32, u32, u32),
    /// If the argument with this number, which the kernel does not read, is not the
    /// launcher's token. See `sys/syscall.rs`.
    WithoutToken(u32),
    /// If the argument with the first number has one of these bits, and that with the
    /// last number is not the launcher's token.
    AnyBitWithoutToken(u32, u32, u32),
}

/// Calls, the condition under which they are refused, and the error.
pub(super) type DeniedCalls = (&'static [c_long], CallCondition, c_int);

/// `O_TMPFILE`: files without a name leave no trace in a folder, but each uses up an
/// inode number, which the next run can observe.
const NAMELESS: u32 = 0x40_0000;

/// Calls newer than the `libc` crate, with the same number on every architecture.
const SYS_CACHESTAT: c_long = 451;
const SYS_FCHMODAT2: c_long = 452;
const SYS_SETXATTRAT: c_long = 463;
const SYS_REMOVEXATTRAT: c_long = 466;
const SYS_FILE_SETATTR: c_long = 469;
const SYS_STATMOUNT: c_long = 457;
const SYS_LISTMOUNT: c_long = 458;
const SYS_LISTNS: c_long = 470;

/// The calls that are refused at every level.
pub(super) const DENIED_ALWAYS: &[DeniedCalls] = &[
    // Ways to gain capabilities. A filter cannot read the flags of clone3(2); libc can
    // do without it.
    (&[SYS_unshare], AnyBit(0, CLONE_NEWUSER as u32), EPERM),
    // With `CLONE_PARENT`, children would become the launcher's own.
    (
        &[SYS_clone],
        AnyBit(0, (CLONE_NEWUSER | CLONE_PARENT) as u32),
        EPERM,
    ),
    (&[SYS_clone3], Always, ENOSYS),
    // Descriptors of processes, whose inode numbers count all processes of the machine.
    // Launchers use some. The last argument of clone(2) but one, which carries the
    // token, is read only with flags that are not set.
    (
        &[SYS_clone],
        AnyBitWithoutToken(0, CLONE_PIDFD as u32, 3),
        EINVAL,
    ),
    (&[SYS_pidfd_open], Always, ENOSYS),
    (&[SYS_getsockopt], OneOf(2, &[77]), ENOPROTOOPT),
    // `SO_PASSPIDFD`, which passes process descriptors of the sender, and
    // `SO_PASSCRED`, which gives a sending socket a name.
    (&[SYS_setsockopt], OneOf(2, &[16, 76]), ENOPROTOOPT),
    // Other processes.
    (&[SYS_ptrace], WithoutToken(4), EPERM),
    (
        &[
            SYS_process_vm_readv,
            SYS_process_vm_writev,
            SYS_process_madvise,
            SYS_pidfd_getfd,
            SYS_kcmp,
            SYS_process_mrelease,
        ],
        Always,
        EPERM,
    ),
    (
        &[
            SYS_prlimit64,
            SYS_sched_setaffinity,
            SYS_sched_setparam,
            SYS_sched_setscheduler,
            SYS_sched_setattr,
            SYS_move_pages,
            SYS_migrate_pages,
        ],
        NoneOf(0, &[0]),
        EPERM,
    ),
    (&[SYS_setpriority, SYS_ioprio_set], NoneOf(1, &[0]), EPERM),
    // These targets mean one process, and not a group or all processes of a user.
    (&[SYS_setpriority], NoneOf(0, &[PRIO_PROCESS]), EPERM),
    (&[SYS_ioprio_set], NoneOf(0, &[1]), EPERM),
    // Sockets, except local pairs that can reach their peer only, unlike datagrams (2)
    // and raw sockets (3), which the kernel treats as datagrams.
    (&[SYS_socket], Always, EACCES),
    (&[SYS_socketpair], NoneOf(0, &[AF_UNIX as u32]), EACCES),
    (&[SYS_socketpair], AnyBit(1, 0b10), EACCES),
    // An end of a pair could still be given a name, or find out whether another socket
    // has a name.
    (&[SYS_bind, SYS_connect], Always, EACCES),
    // Objects that outlive a process.
    (
        &[
            SYS_shmget,
            SYS_semget,
            SYS_msgget,
            SYS_mq_open,
            SYS_mq_unlink,
            SYS_add_key,
            SYS_request_key,
            SYS_keyctl,
        ],
        Always,
        ENOSYS,
    ),
    (&[SYS_syslog], Always, EPERM),
    (&[SYS_openat], AnyBit(2, NAMELESS), EOPNOTSUPP),
    (&[SYS_openat2], Always, ENOSYS),
    // Attributes that a folder keeps when it is emptied. Their owner can change them
    // and no other call shows them: flags, the flags of XFS, making a file permanently
    // read-only, the version by each of its two requests, and the encryption of a
    // folder.
    (&[SYS_FILE_SETATTR], Always, EPERM),
    (
        &[SYS_ioctl],
        OneOf(
            1,
            &[
                0x4008_6602,
                0x401c_5820,
                0x4080_6685,
                0x4008_7602,
                0x4008_6604,
                0x800c_6613,
            ],
        ),
        EPERM,
    ),
    // The page cache of files that runs share. A run can influence which parts of a
    // file are cached by reading, and by these requests...
    (
        &[SYS_fadvise64],
        OneOf(3, &[POSIX_FADV_DONTNEED as u32]),
        EPERM,
    ),
    (
        &[SYS_madvise],
        OneOf(2, &[MADV_COLD as u32, MADV_PAGEOUT as u32]),
        EPERM,
    ),
    // ...and find it out by reading without waiting (`RWF_NOWAIT`) or without caching
    // (`RWF_DONTCACHE`).
    (&[SYS_preadv2], AnyBit(5, 0x08 | 0x80), EOPNOTSUPP),
    (&[SYS_mincore], Always, EPERM),
    (&[SYS_CACHESTAT], Always, ENOSYS),
    // Numbers that count up on the whole machine. First, requests for the numbers of a
    // namespace, and for the namespaces of a process: the difference between the
    // launcher's namespaces and the run's own shows how many runs there were. Some of
    // these requests have several sizes. Sources: linux/nsfs.h, linux/pidfd.h.
    (&[SYS_ioctl], Part(1, 0xff00, 0xb700), EPERM),
    (
        &[SYS_ioctl],
        OneOf(
            1,
            &[
                0xff01, 0xff02, 0xff03, 0xff04, 0xff05, 0xff06, 0xff07, 0xff08,
                0xff09, 0xff0a,
            ],
        ),
        EPERM,
    ),
    // `SO_COOKIE`, which counts up with each socket that is queried for it, and
    // `SO_NETNS_COOKIE`.
    (&[SYS_getsockopt], OneOf(2, &[57, 71]), ENOPROTOOPT),
    (&[SYS_name_to_handle_at], Always, EOPNOTSUPP),
    (&[SYS_open_by_handle_at], Always, EPERM),
    // `STATX_MNT_ID_UNIQUE`: the number of a mount that is never reused.
    (&[SYS_statx], AnyBit(3, 0x4000), EINVAL),
    (&[SYS_STATMOUNT, SYS_LISTMOUNT, SYS_LISTNS], Always, ENOSYS),
    // Waiting for all disks of the machine, during which no signal can end a run.
    (&[SYS_sync, SYS_syncfs], Always, EPERM),
    // A resource of which the machine has a fixed number, which one process could use
    // up.
    (&[SYS_io_setup], Always, ENOSYS),
    // Ways in which two concurrent runs could signal or observe each other: first,
    // leases and notifications, even on files that they cannot write.
    (
        &[SYS_fcntl],
        OneOf(1, &[F_SETLEASE as u32, F_NOTIFY as u32]),
        EPERM,
    ),
    (&[SYS_inotify_init1, SYS_fanotify_init], Always, EPERM),
    // Parts of the kernel with many past vulnerabilities.
    (
        &[
            SYS_io_uring_setup,
            SYS_io_uring_enter,
            SYS_io_uring_register,
            SYS_memfd_secret,
        ],
        Always,
        ENOSYS,
    ),
    (
        &[SYS_userfaultfd, SYS_bpf, SYS_perf_event_open],
        Always,
        EPERM,
    ),
    // Except the default personality, and the query for the current one.
    (&[SYS_personality], NoneOf(0, &[0, u32::MAX]), EPERM),
    // Injecting input into a terminal (`TIOCSTI`, `TIOCLINUX`).
    (&[SYS_ioctl], OneOf(1, &[TIOCSTI as u32, 0x541c]), EPERM),
    // Calls that exist only on this architecture.
    #[cfg(target_arch = "x86_64")]
    (&[SYS_inotify_init, SYS_modify_ldt], Always, EPERM),
    #[cfg(target_arch = "x86_64")]
    (&[SYS_open], AnyBit(1, NAMELESS), EOPNOTSUPP),
];

/// Denied where no cgroup counts the memory of files without a name.
pub(super) const DENIED_WITHOUT_CGROUP: &[DeniedCalls] =
    &[(&[SYS_memfd_create], Always, ENOSYS)];

/// Denied before version 3 of Landlock, which cannot restrict it: runs with the judge's
/// own user could empty its files.
pub(super) const DENIED_BEFORE_LANDLOCK_3: &[DeniedCalls] =
    &[(&[SYS_truncate], Always, EPERM)];

/// Denied to runs with the judge's own user, which could do this to the judge's own
/// files: Landlock restricts none of it. Launchers still need some of these calls to
/// remove what runs leave, whatever its mode.
pub(super) const DENIED_FOR_SHARED_USER: &[DeniedCalls] = &[
    (
        &[
            SYS_fchmod,
            SYS_FCHMODAT2,
            SYS_fchown,
            SYS_fchownat,
            SYS_setxattr,
            SYS_lsetxattr,
            SYS_fsetxattr,
            SYS_removexattr,
            SYS_lremovexattr,
            SYS_fremovexattr,
            SYS_SETXATTRAT,
            SYS_REMOVEXATTRAT,
        ],
        Always,
        EPERM,
    ),
    (&[SYS_fchmodat], WithoutToken(3), EPERM),
    (&[SYS_utimensat], WithoutToken(4), EPERM),
    // The older forms of these calls.
    #[cfg(target_arch = "x86_64")]
    (
        &[
            SYS_chmod,
            SYS_chown,
            SYS_lchown,
            SYS_utime,
            SYS_utimes,
            SYS_futimesat,
        ],
        Always,
        EPERM,
    ),
];
