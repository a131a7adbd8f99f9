//! Samples the processes of a run in progress from outside: whether they are asleep,
//! and what they wait for. Knows processes by `/proc` and pipes by their numbers; knows
//! nothing of programs or limits. Start at [`RunLook::at`].
//!
//! Uses only facts that a run cannot forge to its advantage: at worst a run looks as if
//! it waited.

use std::fs;
use std::time::Duration;

use crate::machine::process_tree::{self, ProcStat, proc_field, read_proc};
use crate::sys;

/// A sample of the processes of a run at one moment, all threads together.
#[derive(Clone, Copy, Default)]
pub(crate) struct RunLook {
    /// The number of threads that are not about to end.
    pub(crate) threads: usize,
    /// Whether no thread wants a processor, or has one.
    pub(crate) is_asleep: bool,
    /// What the threads wait for.
    pub(crate) waits: WaitingFor,
    /// The number of context switches of all threads. If it is the same later, they
    /// have slept all the time.
    pub(crate) switches: u64,
    /// CPU time of the processes that live.
    pub(crate) cpu: Duration,
    /// Bytes that the living processes have written, to any file.
    pub(crate) written: u64,
    /// Whether one of them may have a timer whose signal interrupts its waiting.
    pub(crate) may_have_timer: bool,
}

/// What a sleeping run waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WaitingFor {
    /// Something other than its streams: a clock, a child, a lock. Also if it does not
    /// sleep.
    #[default]
    SomethingElse,
    /// The kernel does not say.
    Unknown,
    /// Any of several things, which may be its streams.
    Several,
    /// Free space in the pipe that it writes to.
    Room,
    /// Bytes from the pipe that it reads from.
    Input,
}

/// The numbers of the pipes that are a run's standard input and output.
#[derive(Clone, Copy)]
pub(crate) struct PipeNumbers {
    pub(crate) input: u64,
    pub(crate) output: u64,
}

/// Calls that wait for one of several descriptors.
#[cfg(target_arch = "x86_64")]
const WAITING_FOR_SEVERAL: [libc::c_long; 6] = [
    libc::SYS_poll,
    libc::SYS_ppoll,
    libc::SYS_select,
    libc::SYS_pselect6,
    libc::SYS_epoll_wait,
    libc::SYS_epoll_pwait,
];
#[cfg(not(target_arch = "x86_64"))]
const WAITING_FOR_SEVERAL: [libc::c_long; 3] =
    [libc::SYS_ppoll, libc::SYS_pselect6, libc::SYS_epoll_pwait];

impl RunLook {
    /// Samples the run of a launcher. Without a run there are no threads.
    pub(crate) fn at(launcher: u32, pipes: PipeNumbers) -> Self {
        let nothing = Self {
            is_asleep: true,
            ..Self::default()
        };
        // All are found before the first is looked at.
        let descendants: Vec<_> =
            process_tree::descendants_of(launcher.cast_signed()).collect();
        let mut look = descendants
            .into_iter()
            .filter(|pid| !is_init(*pid))
            .flat_map(|pid| {
                let numbers = process_tree::numbered(&format!("/proc/{pid}/task"));
                numbers.filter_map(move |thread| Self::at_thread(pid, thread, pipes))
            })
            .fold(nothing, Self::with);
        if !look.is_asleep {
            look.waits = WaitingFor::SomethingElse;
        }
        look
    }

    fn with(self, thread: Self) -> Self {
        Self {
            threads: self.threads + thread.threads,
            is_asleep: self.is_asleep && thread.is_asleep,
            waits: self.waits.max(thread.waits),
            switches: self.switches + thread.switches,
            cpu: self.cpu + thread.cpu,
            written: self.written.saturating_add(thread.written),
            may_have_timer: self.may_have_timer || thread.may_have_timer,
        }
    }

    /// Samples a thread; `None` if it is gone, or about to be. The first thread of a
    /// process stands for the figures of all.
    fn at_thread(pid: i32, thread: i32, pipes: PipeNumbers) -> Option<Self> {
        let folder = format!("/proc/{pid}/task/{thread}");
        let stat = ProcStat::read_from(&folder).filter(|stat| !stat.is_ending())?;
        let call = read_proc(format!("{folder}/syscall")).ok();
        let mut cpu = Duration::ZERO;
        let mut written = 0;
        if pid == thread {
            cpu = sys::cpu_time(pid).unwrap_or_default();
            let io = read_proc(format!("/proc/{pid}/io"));
            written = io.map_or(0, |io| written_in(&io));
        }
        let status = read_proc(format!("{folder}/status")).ok()?;
        let may_have_timer = catches_timers_in(&status)
            || pid == thread
                && fs::read(format!("/proc/{pid}/timers"))
                    .is_ok_and(|timers| !timers.is_empty());
        Some(Self {
            threads: 1,
            is_asleep: stat.is_idle(),
            waits: waits_in(call.as_deref(), pipes, |descriptor| {
                pipe_of(&fs::read_link(format!("/proc/{pid}/fd/{descriptor}")).ok()?)
            }),
            switches: switches_in(&status),
            cpu,
            written,
            may_have_timer,
        })
    }
}

/// What a thread waits for, by the kernel's description of the call that it is in: its
/// number, and its arguments in hexadecimal. Source: proc_pid_syscall(5).
fn waits_in(
    call: Option<&str>,
    pipes: PipeNumbers,
    pipe: impl Fn(u64) -> Option<u64>,
) -> WaitingFor {
    let Some(call) = call else {
        return WaitingFor::Unknown;
    };
    let mut fields = call.split_ascii_whitespace();
    // A running thread is in no call.
    let Some(number) = fields
        .next()
        .and_then(|number| number.parse::<libc::c_long>().ok())
    else {
        return WaitingFor::SomethingElse;
    };
    let first = fields.next().and_then(|first| {
        u64::from_str_radix(first.trim_start_matches("0x"), 16).ok()
    });
    let on = || first.and_then(&pipe);
    match number {
        libc::SYS_read | libc::SYS_readv if on() == Some(pipes.input) => {
            WaitingFor::Input
        }
        libc::SYS_write | libc::SYS_writev if on() == Some(pipes.output) => {
            WaitingFor::Room
        }
        number if WAITING_FOR_SEVERAL.contains(&number) => WaitingFor::Several,
        _ => WaitingFor::SomethingElse,
    }
}

/// The number of the pipe that a descriptor's link names, such as `pipe:[4711]`.
fn pipe_of(link: &std::path::Path) -> Option<u64> {
    link.to_str()?
        .strip_prefix("pipe:[")?
        .strip_suffix(']')?
        .parse()
        .ok()
}

/// Whether a process is the first of a namespace, as a launcher and the inits of its
/// runs may be, and no run can be. Source: proc_pid_status(5).
fn is_init(pid: i32) -> bool {
    read_proc(format!("/proc/{pid}/status")).is_ok_and(|status| is_init_in(&status))
}

fn is_init_in(status: &str) -> bool {
    process_tree::numbers_in(status)
        .is_some_and(|numbers| numbers.len() > 1 && numbers.ends_with(&[1]))
}

fn switches_in(status: &str) -> u64 {
    status
        .lines()
        .filter_map(|line| line.split_once("voluntary_ctxt_switches:"))
        .filter_map(|(_, count)| count.trim().parse::<u64>().ok())
        .sum()
}

/// Whether a process handles a signal by which the kernel announces that a time has
/// passed or input has come. No file shows the timers of setitimer(2) and alarm(2), so
/// the handler has to do. Those of timer_create(2), which may send any signal, are in
/// `/proc/PID/timers`; `ITIMER_VIRTUAL` and `ITIMER_PROF` stand still while the process
/// sleeps. Source: proc_pid_status(5).
fn catches_timers_in(status: &str) -> bool {
    let caught = proc_field(status, "SigCgt").unwrap_or_default();
    let caught = u64::from_str_radix(caught, 16).unwrap_or(0);
    [libc::SIGALRM, libc::SIGIO]
        .iter()
        .any(|signal| caught & (1 << (signal - 1)) != 0)
}

/// Bytes that a process has written. Source: proc_pid_io(5).
fn written_in(io: &str) -> u64 {
    let count = proc_field(io, "wchar");
    count.and_then(|count| count.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests;
