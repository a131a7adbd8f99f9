//! Resets what a process inherits from the one that started it. No verdict may depend
//! on any of it. This is the complete list; `tests/command_line/inheriting.rs` starts
//! the judge with an unusual value of each.
//!
//! | what | the judge | a launcher | a run |
//! |---|---|---|---|
//! | umask | keeps it: reports are its user's files. Files for runs get an explicit mode | 022 | the launcher's |
//! | soft limits | as high as they may be | as high as they may be | those of `launcher/exec_request.rs`; the others are the launcher's |
//! | hard limits | as high as this user may set them; [`low_limits`] names those still low | the same | the same |
//! | blocked signals | none | all | none |
//! | ignored signals | not SIGCHLD; SIGHUP and SIGQUIT stay ignored if they were, as by nohup(1) | none | none |
//! | priority, scheduler, I/O priority class, timer slack | keeps them | the usual ones, see `scheduling.rs` | the launcher's |
//! | processors | keeps them | the judge's | the judge's |
//! | OOM score | keeps it | the judge's with a control group, else the highest | highest |
//! | control group | keeps it | its slot's, where there is one, else the judge's | the launcher's |
//! | environment | reads it | none | what its language defines, `HOME` and `TMPDIR` |
//! | working folder | reads it | `/` | its scratch folder |
//! | session and terminal | keeps them | its own session, no terminal | its own session, no terminal |
//! | open files | keeps them | one socket | three streams |
//!
//! Start at [`reset_judge_process`] and [`reset_launcher_process`].

use std::num::NonZeroU64;
use std::time::Duration;

use rustix::fs::Mode;
use rustix::process::{Resource, Rlimit};

use crate::{Exit, Fault, Limits, Run, sys};

/// The limits that are raised as far as possible. For a run they are set individually,
/// or stay like this.
const RAISED: [Resource; 11] = [
    Resource::As,
    Resource::Cpu,
    Resource::Data,
    Resource::Fsize,
    Resource::Locks,
    Resource::Memlock,
    Resource::Msgqueue,
    Resource::Nproc,
    Resource::Rss,
    Resource::Rttime,
    Resource::Sigpending,
];

/// The soft limit of the stack on most systems.
const DEFAULT_STACK_BYTES: u64 = 8 << 20;

/// How many descriptors a run may have open.
pub(crate) const OPEN_FILES: u64 = 1024;

/// The descriptor limit of the judge: more than it ever needs.
const MANY_FILES: u64 = 65_536;

/// Files are made readable for all users, since a run's user is often not the judge's.
const UMASK: u32 = 0o022;

/// Blocks signals until [`reset_judge_process`].
pub fn block_signals_at_start() {
    sys::block_all_signals();
}

/// Resets the judge's process, before it has a second thread: unblocks all signals,
/// lets its children be waited for, and raises its soft limits.
pub fn reset_judge_process() {
    sys::unblock_signals_and_wait_for_children();
    // Shows whether the kernel lets launchers do the same.
    sys::fix_addresses();
    raise_limits();
}

/// Resets a launcher's process, before it makes anything.
///
/// # Errors
/// Returns an error if the working folder cannot be changed to `/`.
pub(crate) fn reset_launcher_process() -> std::io::Result<()> {
    sys::block_signals();
    reset();
    rustix::process::umask(Mode::from_raw_mode(UMASK));
    raise_limits();
    // A program that uses as many pages each time, and meets its caches in the same
    // way, gets the same verdict each time.
    sys::fix_addresses();
    Ok(rustix::process::chdir("/")?)
}

/// Raises soft limits to the hard ones, and the hard ones as far as this user may.
pub(crate) fn raise_limits() {
    for resource in RAISED {
        raise(resource, None, None);
    }
    // The kernel refuses to send descriptors if more of the user's descriptors are in
    // transit than the sender may have open. It also counts those that the user's runs
    // send, which may have 1024.
    raise(Resource::Nofile, None, Some(MANY_FILES));
    // Not higher: with an unlimited stack the kernel lays out addresses differently.
    raise(Resource::Stack, Some(DEFAULT_STACK_BYTES), None);
}

/// Raises a soft limit to `soft` (`None`: to the hard limit), at most to the hard
/// limit; a higher one stays. Raises the hard limit to `hard` (`None`: unlimited), if
/// that is allowed.
fn raise(resource: Resource, soft: Option<u64>, hard: Option<u64>) {
    let found = rustix::process::getrlimit(resource);
    let unlimited = |limit: Option<u64>| limit.unwrap_or(u64::MAX);
    let set = |maximum: Option<u64>| {
        let wanted = match soft {
            Some(soft) => found.current.map(|current| current.max(soft)),
            None => maximum,
        };
        let current = if unlimited(wanted) > unlimited(maximum) {
            maximum
        } else {
            wanted
        };
        rustix::process::setrlimit(resource, Rlimit { current, maximum })
    };
    let is_low = unlimited(found.maximum) < unlimited(hard);
    if !is_low || set(hard).is_err() {
        // Every process may change its soft limit within its hard limit.
        let _ = set(found.maximum);
    }
}

/// Lists the hard limits that cannot be raised and are too low for runs, one sentence
/// each.
pub fn low_limits() -> Vec<String> {
    sentences(hard_limit)
}

/// A hard limit of this process; `None` if there is none.
pub(crate) fn hard_limit(resource: Resource) -> Option<u64> {
    rustix::process::getrlimit(resource).maximum
}

/// Adds a low hard limit as the remedy of a fault that has none, since that is often
/// the cause.
pub(crate) fn with_low_limit(fault: Fault) -> Fault {
    let remedy = fault.remedy.or_else(|| low_limits().into_iter().next());
    Fault { remedy, ..fault }
}

/// Checks that a run was not ended by a hard limit of the judge's own that is lower
/// than the run's limit.
///
/// # Errors
/// Returns a [`Fault`] that names the hard limit if it ended the run.
pub(crate) fn fault_if_cut_short(run: &Run, limits: &Limits) -> Result<(), Fault> {
    if !was_cut_short(run.exit, run.usage.cpu, limits, hard_limit) {
        return Ok(());
    }
    let cause = format!(
        "it ended with {} at a hard limit of the judge's own",
        run.exit
    );
    Err(with_low_limit(Fault::because("running a program", cause)))
}

fn was_cut_short(
    exit: Exit,
    cpu: Duration,
    limits: &Limits,
    hard: impl Fn(Resource) -> Option<u64>,
) -> bool {
    match exit {
        Exit::Signal(libc::SIGXFSZ) => {
            hard(Resource::Fsize).is_some_and(|bytes| bytes < limits.output_bytes)
        }
        // The kernel counts CPU time in ticks, and may act early.
        Exit::Signal(libc::SIGKILL | libc::SIGXCPU) => hard(Resource::Cpu)
            .is_some_and(|seconds| {
                let end = Duration::from_secs(seconds);
                end < limits.cpu && cpu + end / 10 >= end
            }),
        _ => false,
    }
}

/// A limit, its letter for `ulimit`, the value that suffices (`None`: only no limit),
/// what it counts, and the effect if it is too low.
type NeededLimit = (
    Resource,
    &'static str,
    Option<u64>,
    &'static str,
    &'static str,
);

const NEEDS: [NeededLimit; 7] = [
    (
        Resource::As,
        "-v",
        None,
        "bytes of address space",
        "programs may run out of memory below their limit, and runtimes that reserve much (Java, \
         Go, Node) may fail",
    ),
    (
        Resource::Data,
        "-d",
        None,
        "bytes of data",
        "programs may run out of memory below their limit",
    ),
    (
        Resource::Stack,
        "-s",
        None,
        "bytes of stack",
        "deep recursion may crash below the limit of memory",
    ),
    (
        Resource::Fsize,
        "-f",
        None,
        "bytes in a file",
        "outputs, programs and reports cannot be larger",
    ),
    (
        Resource::Cpu,
        "-t",
        None,
        "seconds of processor time",
        "any process that takes longer is killed, including the judge",
    ),
    (
        Resource::Nofile,
        "-n",
        Some(OPEN_FILES),
        "open files",
        "programs have no more, and the judge may run out of them",
    ),
    (
        Resource::Nproc,
        "-u",
        Some(512),
        "processes and threads",
        "programs may fail to start one",
    ),
];

fn sentences(hard: impl Fn(Resource) -> Option<u64>) -> Vec<String> {
    NEEDS
        .iter()
        .filter_map(|(resource, letter, enough, counted, lost)| {
            let limit = hard(*resource)?;
            let is_low = enough.is_none_or(|enough| limit < enough);
            is_low.then(|| {
                format!(
                    "this user may have {limit} {counted} (`ulimit -H {letter}`), which the judge \
                     cannot raise: {lost}; raise it in /etc/security/limits.conf or where the \
                     judge is started"
                )
            })
        }).collect()
}

// Resets how the kernel's schedulers treat a launcher and all it starts: results must
// not depend on whether the judge was started by nice(1), chrt(1) or ionice(1). Start
// at [`reset`].

/// The default timer slack of a process, in nanoseconds. Source: linux/init_task.h.
const TIMER_SLACK: NonZeroU64 = NonZeroU64::new(50_000).expect("it is not zero");

/// Gives this process the usual scheduler, priority 0, no I/O priority class, and the
/// default timer slack, as far as it may: only root can undo a lowered priority. The
/// processors that it may use stay as they are, because a user who has restricted them
/// meant the runs; so does the share of its control group.
///
/// Must be called while the process still has its privileges.
fn reset() {
    // The scheduler is reset twice, before and after the priority: leaving the idle
    // scheduler takes the right to the process's current priority.
    sys::reset_scheduler();
    let _ = rustix::process::setpriority_process(None, 0);
    sys::reset_scheduler();
    let _ = rustix::thread::set_current_timer_slack(Some(TIMER_SLACK));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soft_limits_are_raised_to_the_hard_ones_and_the_stack_to_its_usual_size() {
        raise_limits();
        for resource in RAISED.into_iter().chain([Resource::Nofile]) {
            let found = rustix::process::getrlimit(resource);
            assert_eq!(found.current, found.maximum, "{resource:?}");
        }
        let stack = rustix::process::getrlimit(Resource::Stack);
        assert!(
            stack.current >= stack.maximum.map(|most| most.min(DEFAULT_STACK_BYTES)),
            "{stack:?}"
        );
    }

    #[test]
    fn a_run_ended_by_a_hard_limit_below_its_own_limit_was_cut_short() {
        let limits = Limits {
            cpu: Duration::from_secs(2),
            wall: Duration::from_secs(4),
            memory_bytes: 1 << 26,
            output_bytes: 1 << 26,
            processes: 16,
            frequent_samples: false,
            address_space: None,
        };
        let cut = |signal, cpu_ms, hard| {
            was_cut_short(
                Exit::Signal(signal),
                Duration::from_millis(cpu_ms),
                &limits,
                |_| hard,
            )
        };
        assert!(cut(libc::SIGXFSZ, 1, Some(1 << 20)));
        assert!(
            !cut(libc::SIGXFSZ, 1, None) && !cut(libc::SIGXFSZ, 1, Some(1 << 26))
        );
        assert!(cut(libc::SIGKILL, 951, Some(1)));
        assert!(!cut(libc::SIGKILL, 10, Some(1)) && !cut(libc::SIGKILL, 2001, None));
        assert!(!cut(libc::SIGSEGV, 951, Some(1)));
    }

    #[test]
    fn every_low_hard_limit_has_a_sentence_and_no_other_has() {
        assert_eq!(sentences(|_| None), [""; 0]);
        let plenty = |resource| {
            matches!(resource, Resource::Nofile | Resource::Nproc).then_some(4096)
        };
        assert_eq!(sentences(plenty), [""; 0]);
        let low = sentences(|_| Some(200));
        assert_eq!(low.len(), NEEDS.len());
        let files = "this user may have 200 open files (`ulimit -H -n`), which the judge cannot raise: ";
        assert!(
            low.iter().any(|sentence| sentence.starts_with(files)),
            "{low:?}"
        );
    }
}
