//! Builds the filter program with which the kernel refuses the calls that a run may not
//! make. Knows the kernel's filter instructions; installs nothing. Start at
//! [`program`].
//!
//! The filter refuses with an error and does not kill: libraries try new calls and fall
//! back to old ones, and if an unknown call killed, every program could fail after a
//! new release of libc. It refuses what namespaces do not cover: calls by which runs
//! could leave something for each other or reach the kernel's rarely used parts. It is
//! installed once, on the launcher, and inherited; a run pays some 30 ns per call for
//! it, however long the list. Calls that need a capability (mount(2), chroot(2), ...)
//! are not on the list: the launcher itself needs some of them, runs have no
//! capability, and the only way to get one, a user namespace, is on the list.

use libc::{c_int, c_long};

use crate::Guarantees;
use crate::confine::denied_calls;
use crate::confine::denied_calls::CallCondition::*;
use crate::confine::denied_calls::{CallCondition, DeniedCalls};

/// The first version of Landlock that can restrict truncate(2) (Linux 6.2).
const LANDLOCK_WITH_TRUNCATE: u32 = 3;

/// Builds the filter of a launcher that gives these guarantees, in the instructions of
/// seccomp(2). Its own calls carry the token.
pub(crate) fn program(guarantees: &Guarantees, token: u64) -> Vec<libc::sock_filter> {
    let in_the_open = !guarantees.namespaces;
    let lists = [
        (true, denied_calls::DENIED_ALWAYS),
        (!guarantees.groups, denied_calls::DENIED_WITHOUT_CGROUP),
        (
            in_the_open && guarantees.landlock < LANDLOCK_WITH_TRUNCATE,
            denied_calls::DENIED_BEFORE_LANDLOCK_3,
        ),
        (
            in_the_open && !guarantees.own_user,
            denied_calls::DENIED_FOR_SHARED_USER,
        ),
    ];
    let held = lists.iter().filter(|(holds, _)| *holds);
    assembled(held.flat_map(|(_, list)| *list), token)
}

/// Builds the additional filter for tools, where only they have the judge's own user.
pub(crate) fn for_shared_user(token: u64) -> Vec<libc::sock_filter> {
    assembled(denied_calls::DENIED_FOR_SHARED_USER, token)
}

fn assembled<'a>(
    list: impl IntoIterator<Item = &'a DeniedCalls>,
    token: u64,
) -> Vec<libc::sock_filter> {
    let mut code = prologue();
    for (numbers, rule, errno) in list {
        for number in *numbers {
            code.extend(refuse(*number, *rule, *errno, token));
        }
    }
    code.push(instruction(RETURN, libc::SECCOMP_RET_ALLOW, 0, 0));
    code
}

const LOAD: u32 = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
const RETURN: u32 = libc::BPF_RET | libc::BPF_K;
const MASK: u32 = libc::BPF_ALU | libc::BPF_AND | libc::BPF_K;
const IF_EQUAL: u32 = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
const IF_AT_LEAST: u32 = libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K;
const IF_ANY_BIT: u32 = libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K;

/// Offsets in `struct seccomp_data`. The lower half of an argument, which is all that
/// the kernel reads in the calls of the list, comes first on little-endian machines.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENTS: u32 = 16;
const UPPER_HALF_FIRST: u32 = if cfg!(target_endian = "big") { 4 } else { 0 };

/// This machine's own system call interface. Source: linux/audit.h.
#[cfg(target_arch = "x86_64")]
const OWN_ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const OWN_ARCHITECTURE: u32 = 0xc000_00b7;
#[cfg(target_arch = "riscv64")]
const OWN_ARCHITECTURE: u32 = 0xc000_00f3;

/// On x86-64, calls of the x32 interface have this bit and would not match the numbers
/// of the list. No other machine has numbers this high.
const FOREIGN_BIT: u32 = 0x4000_0000;

/// Rejects calls of interfaces other than the machine's own, which have other numbers.
/// A 32-bit program is killed; x32 is so rare that many kernels do not have it, and is
/// answered as they do.
fn prologue() -> Vec<libc::sock_filter> {
    vec![
        instruction(LOAD, ARCHITECTURE, 0, 0),
        instruction(IF_EQUAL, OWN_ARCHITECTURE, 1, 0),
        instruction(RETURN, libc::SECCOMP_RET_KILL_PROCESS, 0, 0),
        instruction(LOAD, NUMBER, 0, 0),
        instruction(IF_AT_LEAST, FOREIGN_BIT, 0, 1),
        answer(libc::ENOSYS),
    ]
}

/// The instructions for one call. They start and, unless they return an answer, end
/// with the call's number loaded.
fn refuse(
    number: c_long,
    rule: CallCondition,
    errno: c_int,
    token: u64,
) -> Vec<libc::sock_filter> {
    // Two instructions follow the tests: the answer, and a reload of the call's number
    // for the rest of the list.
    let mut code = match rule {
        Always => {
            return vec![instruction(IF_EQUAL, number as u32, 0, 1), answer(errno)];
        }
        Part(argument, mask, value) => vec![
            load(argument),
            instruction(MASK, mask, 0, 0),
            instruction(IF_EQUAL, value, 0, 1),
        ],
        AnyBit(argument, bits) => {
            vec![load(argument), instruction(IF_ANY_BIT, bits, 0, 1)]
        }
        OneOf(argument, values) => equal_to(argument, values, [0, 1]),
        NoneOf(argument, values) => equal_to(argument, values, [1, 0]),
        WithoutToken(at) => lacks_token(at, token),
        AnyBitWithoutToken(argument, bits, at) => {
            let test = lacks_token(at, token);
            let beyond = test.len() as u8 + 1;
            let has_any = instruction(IF_ANY_BIT, bits, 0, beyond);
            [vec![load(argument), has_any], test].concat()
        }
    };
    code.push(answer(errno));
    code.push(instruction(LOAD, NUMBER, 0, 0));
    code.insert(0, instruction(IF_EQUAL, number as u32, 0, code.len() as u8));
    code
}

/// Loads the half of an argument that the kernel reads.
fn load(argument: u32) -> libc::sock_filter {
    instruction(LOAD, ARGUMENTS + 8 * argument + UPPER_HALF_FIRST, 0, 0)
}

/// Tests whether an argument is one of these values. `ends` are the jumps after the
/// last test, if it is and if not. On a match, each test jumps over those after it.
fn equal_to(
    argument: u32,
    values: &[u32],
    [if_so, if_not]: [u8; 2],
) -> Vec<libc::sock_filter> {
    let mut code = vec![load(argument)];
    for (place, value) in values.iter().enumerate() {
        let rest = (values.len() - 1 - place) as u8;
        let otherwise = if rest == 0 { if_not } else { 0 };
        code.push(instruction(IF_EQUAL, *value, rest + if_so, otherwise));
    }
    code
}

/// Tests whether an argument is not the launcher's token, which has 64 bits that are
/// compared in halves.
fn lacks_token(argument: u32, token: u64) -> Vec<libc::sock_filter> {
    let half = |offset| instruction(LOAD, ARGUMENTS + 8 * argument + offset, 0, 0);
    vec![
        half(UPPER_HALF_FIRST),
        instruction(IF_EQUAL, token as u32, 0, 2),
        half(4 - UPPER_HALF_FIRST),
        instruction(IF_EQUAL, (token >> 32) as u32, 1, 0),
    ]
}

fn answer(errno: c_int) -> libc::sock_filter {
    instruction(RETURN, libc::SECCOMP_RET_ERRNO | errno as u32, 0, 0)
}

fn instruction(code: u32, value: u32, if_so: u8, if_not: u8) -> libc::sock_filter {
    libc::sock_filter {
        code: code as u16,
        jt: if_so,
        jf: if_not,
        k: value,
    }
}

#[cfg(test)]
mod tests {
    use rustix::io::Errno;

    use super::*;

    /// Whether files in memory count as a run's memory.
    const NOT_COUNTED: bool = false;
    const COUNTED: bool = true;
    const ALLOWED: u32 = libc::SECCOMP_RET_ALLOW;
    const TOKEN: u64 = 0x0123_4567_89ab_cdef;

    /// The kernel's answer to a call: interprets the few instructions that the filter
    /// uses.
    fn verdict(
        counted: bool,
        architecture: u32,
        number: c_long,
        arguments: [u64; 6],
    ) -> u32 {
        let guarantees = Guarantees {
            namespaces: false,
            groups: counted,
            exact_peaks: false,
            own_user: false,
            landlock: LANDLOCK_WITH_TRUNCATE - 1,
            atomic_kill: false,
        };
        let program = program(&guarantees, TOKEN);
        let mut line = 0;
        let mut value = 0;
        loop {
            let now = program[line];
            line += 1;
            let jump = |holds: bool| usize::from(if holds { now.jt } else { now.jf });
            match u32::from(now.code) {
                LOAD => {
                    value = match now.k {
                        NUMBER => number as u32,
                        ARCHITECTURE => architecture,
                        offset => {
                            let argument =
                                arguments[((offset - ARGUMENTS) / 8) as usize];
                            let is_lower =
                                (offset - ARGUMENTS) % 8 == UPPER_HALF_FIRST;
                            (if is_lower { argument } else { argument >> 32 }) as u32
                        }
                    }
                }
                MASK => value &= now.k,
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

    fn own(counted: bool, number: c_long, arguments: [u32; 6]) -> u32 {
        verdict(counted, OWN_ARCHITECTURE, number, arguments.map(u64::from))
    }

    #[test]
    fn only_a_call_with_the_whole_token_is_allowed_as_the_launchers_own() {
        let mode = |last: u64| {
            verdict(
                COUNTED,
                OWN_ARCHITECTURE,
                libc::SYS_fchmodat,
                [3, 0, 0o700, last, 0, 0],
            )
        };
        let halves = [0, TOKEN & 0xffff_ffff, TOKEN & !0xffff_ffff, TOKEN + 1];
        assert_eq!(
            (mode(TOKEN), halves.map(mode)),
            (ALLOWED, [refused(Errno::PERM); 4])
        );
        let clone = |flags: i32, last: u64| {
            let flags = flags as u32;
            verdict(
                COUNTED,
                OWN_ARCHITECTURE,
                libc::SYS_clone,
                [flags.into(), 0, 0, last, 0, 0],
            )
        };
        assert_eq!(
            (clone(libc::CLONE_PIDFD, TOKEN), clone(libc::CLONE_VM, 0)),
            (ALLOWED, ALLOWED)
        );
        for last in halves {
            assert_eq!(
                clone(libc::CLONE_PIDFD | libc::CLONE_VM, last),
                refused(Errno::INVAL)
            );
        }
    }

    #[test]
    fn every_line_refuses_its_call_and_the_calls_of_every_program_pass() {
        for (numbers, rule, errno) in [
            denied_calls::DENIED_ALWAYS,
            denied_calls::DENIED_WITHOUT_CGROUP,
            denied_calls::DENIED_BEFORE_LANDLOCK_3,
            denied_calls::DENIED_FOR_SHARED_USER,
        ]
        .concat()
        {
            let argument = match rule {
                Always | WithoutToken(_) => 0,
                AnyBit(_, bits) | AnyBitWithoutToken(_, bits, _) => bits,
                OneOf(_, values) => values[0],
                Part(_, _, value) => value,
                NoneOf(..) => 7,
            };
            for number in numbers {
                assert_eq!(
                    own(NOT_COUNTED, *number, [argument; 6]),
                    refused(Errno::from_raw_os_error(errno)),
                    "{number} {rule:?}"
                );
            }
        }
        for number in [
            libc::SYS_read,
            libc::SYS_write,
            libc::SYS_execve,
            libc::SYS_exit_group,
            libc::SYS_mmap,
        ] {
            assert_eq!(own(NOT_COUNTED, number, [7; 6]), ALLOWED);
        }
    }

    #[test]
    fn arguments_decide_where_the_list_says_so() {
        let new_process = libc::CLONE_NEWPID as u32;
        assert_eq!(
            own(NOT_COUNTED, libc::SYS_clone, [new_process, 0, 0, 0, 0, 0]),
            ALLOWED
        );
        assert_eq!(
            own(
                NOT_COUNTED,
                libc::SYS_clone,
                [new_process | libc::CLONE_NEWUSER as u32, 0, 0, 0, 0, 0]
            ),
            refused(Errno::PERM)
        );
        for value in &[libc::F_SETLEASE as u32, libc::F_NOTIFY as u32] {
            assert_eq!(
                own(NOT_COUNTED, libc::SYS_fcntl, [3, *value, 0, 0, 0, 0]),
                refused(Errno::PERM)
            );
        }
        assert_eq!(
            own(
                NOT_COUNTED,
                libc::SYS_fcntl,
                [3, libc::F_GETFL as u32, 0, 0, 0, 0]
            ),
            ALLOWED
        );
        for value in &[0, u32::MAX] {
            assert_eq!(
                own(NOT_COUNTED, libc::SYS_personality, [*value, 0, 0, 0, 0, 0]),
                ALLOWED
            );
        }
        assert_eq!(
            own(
                NOT_COUNTED,
                libc::SYS_personality,
                [0x0004_0000, 0, 0, 0, 0, 0]
            ),
            refused(Errno::PERM)
        );
        assert_eq!(
            own(NOT_COUNTED, libc::SYS_prlimit64, [0, 7, 0, 0, 0, 0]),
            ALLOWED
        );
    }

    #[test]
    fn a_pair_of_sockets_is_local_and_reaches_its_peer_only() {
        let local = libc::AF_UNIX as u32;
        let closed_on_exec = libc::SOCK_CLOEXEC as u32;
        let pair = |family: u32, kind: i32| {
            own(
                COUNTED,
                libc::SYS_socketpair,
                [family, kind as u32, 0, 0, 0, 0],
            )
        };
        assert_eq!(pair(local, libc::SOCK_STREAM), ALLOWED);
        assert_eq!(
            pair(local, libc::SOCK_SEQPACKET | closed_on_exec as i32),
            ALLOWED
        );
        assert_eq!(
            pair(local, libc::SOCK_DGRAM | closed_on_exec as i32),
            refused(Errno::ACCESS)
        );
        assert_eq!(
            pair(libc::AF_TIPC as u32, libc::SOCK_STREAM),
            refused(Errno::ACCESS)
        );
    }

    #[test]
    fn requests_to_namespaces_are_refused_in_every_size() {
        let answer_to =
            |request: u32| own(COUNTED, libc::SYS_ioctl, [3, request, 0, 0, 0, 0]);
        for request in [0xb701, 0x8008_b70d, 0x8010_b70a, 0x8020_b70a, 0xff03] {
            assert_eq!(answer_to(request), refused(Errno::PERM), "{request:x}");
        }
        assert_eq!(answer_to(libc::FIONREAD as u32), ALLOWED);
    }

    #[test]
    fn files_are_read_and_made_but_not_with_nowait_nor_without_a_name() {
        let read =
            |flags: u32| own(COUNTED, libc::SYS_preadv2, [3, 0, 1, 0, 0, flags]);
        assert_eq!((read(0), read(8)), (ALLOWED, refused(Errno::OPNOTSUPP)));
        let make = |flags: i32| {
            own(COUNTED, libc::SYS_openat, [3, 0, flags as u32, 0o600, 0, 0])
        };
        assert_eq!(
            make(libc::O_CREAT | libc::O_RDWR | libc::O_DIRECTORY),
            ALLOWED
        );
        assert_eq!(
            make(libc::O_TMPFILE | libc::O_RDWR),
            refused(Errno::OPNOTSUPP)
        );
    }

    #[test]
    fn after_a_call_whose_arguments_pass_the_rest_of_the_list_still_holds() {
        assert_eq!(
            own(NOT_COUNTED, libc::SYS_memfd_create, [0, 0, 0, 0, 0, 0]),
            refused(Errno::NOSYS)
        );
        assert_eq!(
            own(COUNTED, libc::SYS_memfd_create, [0, 0, 0, 0, 0, 0]),
            ALLOWED
        );
    }

    #[test]
    fn calls_of_another_kind_are_refused_before_anybody_reads_their_number() {
        let foreign = verdict(COUNTED, 0x4000_0003, libc::SYS_read, [0; 6]);
        assert_eq!(foreign, libc::SECCOMP_RET_KILL_PROCESS);
        let x32 = libc::SYS_read | c_long::from(FOREIGN_BIT as i32);
        assert_eq!(own(COUNTED, x32, [0; 6]), refused(Errno::NOSYS));
    }
}
