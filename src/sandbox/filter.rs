//! Which system calls a run may not make: a list, and the program by which the kernel holds a process to it. Knows
//! calls and their arguments; installs nothing. Start at [`program`].
//!
//! The filter refuses with an error and kills nobody: libraries try new calls and fall back on old ones, and an
//! unknown call that kills would be a runtime error of every program after each release of libc. What it refuses is
//! what namespaces do not cover: calls by which runs could leave something for each other or reach the kernel's rarely
//! used parts. It is installed once, on the launcher, and inherited: a run pays some 30 ns a call for it, however long
//! the list. What takes a capability (mount(2), chroot(2), ...) is not on it, because the launcher itself needs some of
//! these, runs have no capability, and the one way to one, a user namespace, is on it.

use libc::c_long;
use rustix::io::Errno;

use Rule::*;

/// When a call is refused.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// Whatever its arguments.
    Always,
    /// If its argument of this number, from 0, has one of these bits.
    AnyBit(u32, u32),
    /// If its argument of this number is one of these.
    OneOf(u32, &'static [u32]),
    /// If its argument of this number is none of these.
    NoneOf(u32, &'static [u32]),
}

/// A call, when it is refused, and with what error.
type Line = (c_long, Rule, Errno);

const NEW_USER: u32 = libc::CLONE_NEWUSER as u32;

/// And children that would be the launcher's own.
const CLONING: u32 = NEW_USER | libc::CLONE_PARENT as u32;

/// Locks on a file that cannot be written still tell two runs of each other.
const FCNTL: &[u32] = &[libc::F_SETLEASE as u32, libc::F_NOTIFY as u32];

/// Putting words into a terminal's mouth.
const TERMINAL: &[u32] = &[libc::TIOCSTI as u32, 0x541c];

/// What everybody has, and the question what one has.
const PERSONALITIES: &[u32] = &[0, u32::MAX];

const MYSELF: &[u32] = &[0];

/// What setpriority(2) and ioprio_set(2) call one process, and not a group or all of a user.
const ONE_PROCESS: &[u32] = &[libc::PRIO_PROCESS];
const ONE_FOR_IO: &[u32] = &[1];

/// What is refused at every level.
#[rustfmt::skip]
const ALWAYS: &[Line] = &[
    // Ways to capabilities. Of clone3(2), whose flags a filter cannot read, libc knows that it may be missing.
    (libc::SYS_unshare,             AnyBit(0, NEW_USER),      Errno::PERM),
    (libc::SYS_clone,               AnyBit(0, CLONING),       Errno::PERM),
    (libc::SYS_clone3,              Always,                   Errno::NOSYS),
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
    // Sockets, but for pairs of them.
    (libc::SYS_socket,              Always,                   Errno::ACCESS),
    (libc::SYS_setpriority,         NoneOf(0, ONE_PROCESS),   Errno::PERM),
    (libc::SYS_ioprio_set,          NoneOf(0, ONE_FOR_IO),    Errno::PERM),
    // What outlives a process.
    (libc::SYS_shmget,              Always,                   Errno::NOSYS),
    (libc::SYS_semget,              Always,                   Errno::NOSYS),
    (libc::SYS_msgget,              Always,                   Errno::NOSYS),
    (libc::SYS_mq_open,             Always,                   Errno::NOSYS),
    (libc::SYS_mq_unlink,           Always,                   Errno::NOSYS),
    (libc::SYS_add_key,             Always,                   Errno::NOSYS),
    (libc::SYS_request_key,         Always,                   Errno::NOSYS),
    (libc::SYS_keyctl,              Always,                   Errno::NOSYS),
    // What two runs at once could tell each other by, or see of each other.
    (libc::SYS_fcntl,               OneOf(1, FCNTL),          Errno::PERM),
    (libc::SYS_inotify_init1,       Always,                   Errno::PERM),
    (libc::SYS_fanotify_init,       Always,                   Errno::PERM),
    // Parts of the kernel that have had more than their share of holes.
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
const OF_THIS_PROCESSOR: &[Line] = &[
    (libc::SYS_inotify_init,        Always,                   Errno::PERM),
    (libc::SYS_modify_ldt,          Always,                   Errno::PERM),
];

#[cfg(not(target_arch = "x86_64"))]
const OF_THIS_PROCESSOR: &[Line] = &[];

/// Where nobody counts the memory of a file that has no name.
const UNCOUNTED: &[Line] = &[(libc::SYS_memfd_create, Always, Errno::NOSYS)];

/// The filter, in the instructions of seccomp(2). `files_are_counted`: whether files in memory that have no name count as
/// the memory of who made them.
pub(super) fn program(files_are_counted: bool) -> Vec<libc::sock_filter> {
    let uncounted = if files_are_counted { &[] } else { UNCOUNTED };
    let mut code = prologue();
    for (number, rule, errno) in [ALWAYS, OF_THIS_PROCESSOR, uncounted].into_iter().flatten() {
        code.extend(refuse(*number, *rule, *errno));
    }
    code.push(instruction(RETURN, libc::SECCOMP_RET_ALLOW, 0, 0));
    code
}

const LOAD: u32 = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
const RETURN: u32 = libc::BPF_RET | libc::BPF_K;
const IF_EQUAL: u32 = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
const IF_AT_LEAST: u32 = libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K;
const IF_ANY_BIT: u32 = libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K;

/// Offsets in `struct seccomp_data`. The lower half of an argument, which is all that the kernel looks at in each of
/// the calls above, comes first on little-endian machines.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENTS: u32 = 16;
const UPPER_HALF_FIRST: u32 = if cfg!(target_endian = "big") { 4 } else { 0 };

/// This machine's own kind of system calls. Source: linux/audit.h.
#[cfg(target_arch = "x86_64")]
const OWN_ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const OWN_ARCHITECTURE: u32 = 0xc000_00b7;
#[cfg(target_arch = "riscv64")]
const OWN_ARCHITECTURE: u32 = 0xc000_00f3;

/// On x86-64, calls of the x32 kind have this bit and would slip past the numbers of the list. No other machine's
/// numbers get that far.
const FOREIGN_BIT: u32 = 0x4000_0000;

/// Calls of another kind than the machine's own have other numbers. A program of 32 bits has no business here and is
/// killed; x32 is so rare that many kernels have none, and is answered as they would.
fn prologue() -> Vec<libc::sock_filter> {
    vec![
        instruction(LOAD, ARCHITECTURE, 0, 0),
        instruction(IF_EQUAL, OWN_ARCHITECTURE, 1, 0),
        instruction(RETURN, libc::SECCOMP_RET_KILL_PROCESS, 0, 0),
        instruction(LOAD, NUMBER, 0, 0),
        instruction(IF_AT_LEAST, FOREIGN_BIT, 0, 1),
        answer(Errno::NOSYS),
    ]
}

/// The lines for one call. They begin and, where they do not answer, end with the call's number loaded.
fn refuse(number: c_long, rule: Rule, errno: Errno) -> Vec<libc::sock_filter> {
    let (argument, tests, answers_on_match) = match rule {
        Always => return vec![instruction(IF_EQUAL, number as u32, 0, 1), answer(errno)],
        AnyBit(argument, bits) => (argument, vec![(IF_ANY_BIT, bits)], true),
        OneOf(argument, values) => (argument, equal_to(values), true),
        NoneOf(argument, values) => (argument, equal_to(values), false),
    };
    // Each test jumps, on a match, over the tests after it; then come two lines: the way on and the answer.
    let count = tests.len() as u8;
    let length = count + 4;
    let mut code = vec![instruction(IF_EQUAL, number as u32, 0, length - 1)];
    code.push(instruction(LOAD, ARGUMENTS + 8 * argument + UPPER_HALF_FIRST, 0, 0));
    for (place, (test, value)) in (0..).zip(&tests) {
        let rest = count - 1 - place;
        let (on_match, otherwise) = match (answers_on_match, rest) {
            (true, 0) => (0, 1),
            (true, _) => (rest, 0),
            (false, 0) => (1, 0),
            (false, _) => (rest + 1, 0),
        };
        code.push(instruction(*test, *value, on_match, otherwise));
    }
    code.push(answer(errno));
    code.push(instruction(LOAD, NUMBER, 0, 0));
    code
}

fn equal_to(values: &[u32]) -> Vec<(u32, u32)> {
    values.iter().map(|value| (IF_EQUAL, *value)).collect()
}

fn answer(errno: Errno) -> libc::sock_filter {
    instruction(RETURN, libc::SECCOMP_RET_ERRNO | errno.raw_os_error() as u32, 0, 0)
}

fn instruction(code: u32, value: u32, if_so: u8, if_not: u8) -> libc::sock_filter {
    libc::sock_filter { code: code as u16, jt: if_so, jf: if_not, k: value }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether files in memory are counted.
    const ALL: bool = false;
    const NONE: bool = true;
    const ALLOWED: u32 = libc::SECCOMP_RET_ALLOW;

    /// What the kernel would make of a call: a small machine of the few instructions that the filter uses.
    fn verdict(counted: bool, architecture: u32, number: c_long, arguments: [u32; 2]) -> u32 {
        let program = program(counted);
        let (mut line, mut value) = (0, 0);
        loop {
            let now = program[line];
            line += 1;
            let jump = |holds: bool| usize::from(if holds { now.jt } else { now.jf });
            match u32::from(now.code) {
                LOAD => {
                    value = match now.k {
                        NUMBER => number as u32,
                        ARCHITECTURE => architecture,
                        offset => arguments[((offset - ARGUMENTS - UPPER_HALF_FIRST) / 8) as usize],
                    }
                }
                RETURN => return now.k,
                IF_EQUAL => line += jump(value == now.k),
                IF_AT_LEAST => line += jump(value >= now.k),
                IF_ANY_BIT => line += jump(value & now.k != 0),
                code => panic!("instruction {code:x}"),
            }
        }
    }

    fn refused(errno: Errno) -> u32 {
        libc::SECCOMP_RET_ERRNO | errno.raw_os_error() as u32
    }

    fn own(counted: bool, number: c_long, arguments: [u32; 2]) -> u32 {
        verdict(counted, OWN_ARCHITECTURE, number, arguments)
    }

    #[test]
    fn every_line_refuses_its_call_and_the_calls_of_every_program_pass() {
        for (number, rule, errno) in [ALWAYS, OF_THIS_PROCESSOR, UNCOUNTED].concat() {
            let argument = match rule {
                Always => 0,
                AnyBit(_, bits) => bits,
                OneOf(_, values) => values[0],
                NoneOf(..) => 7,
            };
            assert_eq!(own(ALL, number, [argument; 2]), refused(errno), "{number} {rule:?}");
        }
        for number in
            [libc::SYS_read, libc::SYS_write, libc::SYS_execve, libc::SYS_exit_group, libc::SYS_mmap]
        {
            assert_eq!(own(ALL, number, [7; 2]), ALLOWED);
        }
    }

    #[test]
    fn arguments_decide_where_the_list_says_so() {
        let new_process = libc::CLONE_NEWPID as u32;
        assert_eq!(own(ALL, libc::SYS_clone, [new_process, 0]), ALLOWED);
        assert_eq!(own(ALL, libc::SYS_clone, [new_process | NEW_USER, 0]), refused(Errno::PERM));
        for value in FCNTL {
            assert_eq!(own(ALL, libc::SYS_fcntl, [3, *value]), refused(Errno::PERM));
        }
        assert_eq!(own(ALL, libc::SYS_fcntl, [3, libc::F_GETFL as u32]), ALLOWED);
        for value in PERSONALITIES {
            assert_eq!(own(ALL, libc::SYS_personality, [*value, 0]), ALLOWED);
        }
        assert_eq!(own(ALL, libc::SYS_personality, [0x0004_0000, 0]), refused(Errno::PERM));
        assert_eq!(own(ALL, libc::SYS_prlimit64, [0, 7]), ALLOWED);
    }

    #[test]
    fn after_a_call_whose_arguments_pass_the_rest_of_the_list_still_holds() {
        assert_eq!(own(ALL, libc::SYS_memfd_create, [0, 0]), refused(Errno::NOSYS));
        assert_eq!(own(NONE, libc::SYS_memfd_create, [0, 0]), ALLOWED);
    }

    #[test]
    fn calls_of_another_kind_are_refused_before_anybody_reads_their_number() {
        let foreign = verdict(NONE, 0x4000_0003, libc::SYS_read, [0; 2]);
        assert_eq!(foreign, libc::SECCOMP_RET_KILL_PROCESS);
        let x32 = libc::SYS_read | c_long::from(FOREIGN_BIT as i32);
        assert_eq!(own(NONE, x32, [0; 2]), refused(Errno::NOSYS));
    }
}
