//! Finds how much memory of its own the first process of a run has used at most: pages
//! that no file holds. Knows one process; knows nothing of limits or groups. Start at
//! [`ProcessMemory::look`].
//!
//! The kernel knows these pages exactly at each moment, while it counts those of a
//! control group in batches. The peak that it keeps for a process is of all pages, with
//! those of files, and some pages too small. So the pages of files are subtracted, as
//! many as were mapped when they were last looked at, and half of the error is added. A
//! program that frees nothing before its end is at its peak then: so where it matters
//! the process is traced, and looked at when it is about to exit.

use std::os::fd::BorrowedFd;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Pid;

use crate::launcher::assignment::{KILLING_TIMEOUT, RunFailure};
use crate::machine::process_tree::{self, ProcStat, proc_bytes};
use crate::sys::{self, StartedChild};

/// How many signals a traced process may get before it is no longer worth the time:
/// each stops it for as long as a sample is away.
const MOST_STOPS: u32 = 500;

/// How many pages the kernel's peak may be too small: on each processor it may not have
/// added up to 31 pages of files and as many others. Source: mm_types.h,
/// `percpu_counter_batch`.
const MISSING_PAGES: u64 = 2 * 31;

/// How much a process that is not traced may have used after it was last looked at.
const UNSEEN_BYTES: u64 = 512 << 10;

/// How often the other threads of a process that exits are looked at: between its last
/// instruction and its end, a thread seems to go on for a moment.
const LOOKS_AT_THREADS: u32 = 3;

/// How often a killed process that is traced is let on.
const BETWEEN_RELEASES: Duration = Duration::from_millis(1);

/// The memory of one process, as far as it was looked at.
pub(super) struct ProcessMemory {
    pub(super) process: Pid,
    /// Its number in `/proc`, which may be of an outer pid namespace; `None` until it
    /// is found there.
    number: Option<i32>,
    last: Option<MemoryStatus>,
    /// The most memory of its own that was seen.
    pub(super) seen_bytes: u64,
    /// Whether the kernel's peak is that of this process alone, without its children.
    is_alone: bool,
    tracing: Tracing,
}

enum Tracing {
    NotBegun,
    /// With the number of stops so far.
    Begun(u32),
    /// It has stopped at its exit, when `last` was read; or it cannot be traced, or not
    /// to its end, which is that of another thread than the first.
    Over {
        saw_exit: bool,
    },
}

impl Tracing {
    fn begun<E>(attempt: Result<(), E>) -> Self {
        match attempt {
            Ok(()) => Self::Begun(0),
            Err(_) => Self::Over { saw_exit: false },
        }
    }
}

/// Figures of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MemoryStatus {
    peak_bytes: u64,
    file_bytes: u64,
    own_bytes: u64,
}

/// The peak of a process's own memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnPeak {
    pub(super) bytes: u64,
    /// How much larger it may have been, if nothing but its own memory came and went.
    pub(super) unsure_bytes: u64,
    /// How much larger it may have been if it has unmapped files since it was last
    /// looked at.
    pub(super) file_bytes: u64,
    /// Whether it was looked at when it was about to exit.
    pub(super) saw_exit: bool,
}

impl ProcessMemory {
    /// Nothing is known of this child yet. If it stops before its first instruction, it
    /// is traced from there.
    pub(super) fn new(child: &StartedChild) -> Self {
        let tracing = if child.stops {
            Tracing::begun(sys::trace_stopped(child.pid))
        } else {
            Tracing::NotBegun
        };
        Self {
            process: child.pid,
            number: None,
            last: None,
            seen_bytes: 0,
            is_alone: false,
            tracing,
        }
    }

    /// Looks at the process, and returns the memory of its own that it has now.
    /// `traces` says whether it must be seen when it exits.
    pub(super) fn look(&mut self, traces: bool) -> u64 {
        if traces && matches!(self.tracing, Tracing::NotBegun) {
            self.tracing = Tracing::begun(sys::trace(self.process));
        }
        let is_exiting = self.handle_stops();
        let status = self.number().and_then(MemoryStatus::read_from);
        if let Some(status) = status {
            self.last = Some(status);
            self.seen_bytes = self.seen_bytes.max(status.own_bytes);
            if is_exiting {
                self.tracing = Tracing::Over {
                    saw_exit: !self.goes_on_without_first(),
                };
            }
        }
        if is_exiting {
            sys::resume(self.process);
        }
        status.map_or(0, |status| status.own_bytes)
    }

    /// Waits until the process, which has ended or was killed, is dead, and notes
    /// whether its figures are its own. It must not have been reaped.
    ///
    /// # Errors
    /// Returns [`RunFailure::Unkillable`] if it does not die.
    pub(super) fn await_end(&mut self, ended: BorrowedFd) -> Result<(), RunFailure> {
        let start = Instant::now();
        while !sys::await_readable(ended, BETWEEN_RELEASES) {
            if start.elapsed() > KILLING_TIMEOUT {
                return Err(RunFailure::Unkillable);
            }
            // A process that is killed stops once more at its exit.
            if self.handle_stops() {
                sys::resume(self.process);
            }
        }
        let stat = self.number().and_then(ProcStat::of_process);
        self.is_alone = stat.is_some_and(|stat| stat.has_waited_for_none());
        Ok(())
    }

    /// Lets it run on if it has stopped for a signal. Returns whether it is about to
    /// exit, and waits for us.
    fn handle_stops(&mut self) -> bool {
        while let Tracing::Begun(stops) = &mut self.tracing {
            let is_last = *stops >= MOST_STOPS;
            match sys::next_stop(self.process, is_last) {
                None => return false,
                Some(true) => return true,
                Some(false) if is_last => {
                    self.tracing = Tracing::Over { saw_exit: false }
                }
                Some(false) => *stops += 1,
            }
        }
        false
    }

    /// Whether other threads go on after the first, which has stopped at its exit.
    fn goes_on_without_first(&self) -> bool {
        (0..LOOKS_AT_THREADS).all(|look| {
            thread::sleep(BETWEEN_RELEASES * look);
            self.number.is_some_and(process_tree::goes_on_without_first)
        })
    }

    fn number(&mut self) -> Option<i32> {
        self.number = self
            .number
            .or_else(|| process_tree::number_of(self.process.as_raw_pid()));
        self.number
    }

    /// The most memory that it has had, with pages of files, when it was last looked
    /// at.
    pub(super) fn peak_bytes(&self) -> u64 {
        self.last.map_or(0, |last| last.peak_bytes)
    }

    /// Whether it was looked at, and has ended without having waited for a child.
    pub(super) fn is_alone(&self) -> bool {
        self.is_alone && self.last.is_some()
    }

    /// Whether it has ended alone and unseen, although it can be traced: on a busy
    /// machine, a short run may be over before it is looked at.
    pub(super) fn has_ended_unseen(&self) -> bool {
        self.is_alone && !matches!(self.tracing, Tracing::Over { .. })
    }

    /// The peak of its own memory. `reaped_bytes` is the peak of all pages that the
    /// kernel reports of it and of the children that it has waited for, and
    /// `launcher_bytes` the peak of this process: no process reports less. `None` if it
    /// was never looked at.
    pub(super) fn own_peak(
        &self,
        reaped_bytes: u64,
        launcher_bytes: impl FnOnce() -> u64,
    ) -> Option<OwnPeak> {
        let last = self.last?;
        let saw_exit = matches!(self.tracing, Tracing::Over { saw_exit: true });
        let peak_bytes =
            if !saw_exit && self.is_alone && reaped_bytes > launcher_bytes() {
                reaped_bytes.max(last.peak_bytes)
            } else {
                last.peak_bytes
            };
        let mut bytes = self.seen_bytes;
        let mut error_bytes = 0;
        let mut file_bytes = 0;
        if peak_bytes > last.own_bytes + last.file_bytes {
            error_bytes = MISSING_PAGES / 2 * sys::page_bytes();
            bytes =
                bytes.max(peak_bytes.saturating_sub(last.file_bytes) + error_bytes);
            file_bytes = if saw_exit { 0 } else { last.file_bytes };
        }
        Some(OwnPeak {
            bytes,
            unsure_bytes: if saw_exit { error_bytes } else { UNSEEN_BYTES },
            file_bytes,
            saw_exit,
        })
    }
}

impl MemoryStatus {
    /// The figures of a living process, by its number in `/proc`. Source: proc(5).
    fn read_from(number: i32) -> Option<Self> {
        process_tree::memory_in("status", number, Self::read)
    }

    fn read(status: &str) -> Option<Self> {
        Some(Self {
            peak_bytes: proc_bytes(status, "VmHWM")?,
            file_bytes: proc_bytes(status, "RssFile")?,
            own_bytes: proc_bytes(status, "RssAnon")?
                + proc_bytes(status, "RssShmem")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_living_process_has_a_peak_and_a_dead_one_has_none() {
        let status = "Name:\tx\nVmHWM:\t    4711 kB\nRssAnon:\t 5 kB\nRssFile:\t     11 \
                      kB\nRssShmem:\t 2 kB\n";
        let expected = MemoryStatus {
            peak_bytes: 4711 << 10,
            file_bytes: 11 << 10,
            own_bytes: 7 << 10,
        };
        assert_eq!(MemoryStatus::read(status), Some(expected));
        assert_eq!(MemoryStatus::read("Name:\tx\nState:\tZ (zombie)\n"), None);
        assert!(
            MemoryStatus::read_from(std::process::id().cast_signed())
                .is_some_and(|status| status.peak_bytes > 0)
        );
    }

    fn memory(own_bytes: u64, saw_exit: bool) -> ProcessMemory {
        ProcessMemory {
            process: rustix::process::getpid(),
            number: None,
            last: Some(MemoryStatus {
                peak_bytes: 50 * MIB,
                file_bytes: 10 * MIB,
                own_bytes,
            }),
            seen_bytes: own_bytes,
            is_alone: true,
            tracing: if saw_exit {
                Tracing::Over { saw_exit }
            } else {
                Tracing::NotBegun
            },
        }
    }

    const MIB: u64 = 1 << 20;

    #[test]
    fn files_are_not_a_processs_own_memory_and_neither_is_what_its_launcher_used() {
        let own = |reaped: u64| {
            memory(5 * MIB, false)
                .own_peak(reaped * MIB, || 60 * MIB)
                .unwrap()
                .bytes
                / MIB
        };
        assert_eq!((own(70), own(60)), (60, 40));
        let unseen = ProcessMemory {
            last: None,
            ..memory(5 * MIB, false)
        };
        assert!(unseen.own_peak(70 * MIB, || 60 * MIB).is_none());
    }

    #[test]
    fn a_process_that_exits_at_its_peak_is_known_exactly_and_one_that_has_freed_memory_is_not()
     {
        let own = memory(40 * MIB, true).own_peak(70 * MIB, || 0).unwrap();
        assert_eq!((own.bytes, own.unsure_bytes), (40 * MIB, 0));
        let own = memory(30 * MIB, true).own_peak(70 * MIB, || 0).unwrap();
        let error = 31 * sys::page_bytes();
        assert_eq!((own.bytes, own.unsure_bytes), (40 * MIB + error, error));
    }
}
