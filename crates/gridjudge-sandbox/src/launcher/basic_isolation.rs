//! Makes runs beside the machine's other processes, for level basic: isolated by
//! Landlock, the filter and limits only. Knows one run at a time; knows nothing of the
//! judge. Start at [`BasicIsolation::run`].

use std::io;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use crate::confine::landlock::{RulesetCache, SignalScope};
use crate::confine::seccomp_filter;
use crate::launcher::assignment::{
    Assignment, Isolation, KILLING_TIMEOUT, RunFailure,
};
use crate::launcher::process_memory::ProcessMemory;
use crate::launcher::run_watch::{ObservedUsage, RunWatch, WatchEvent};
use crate::launcher::usage_meter::RunMeasurement;
use crate::launcher::{exec_error, exec_request, usage_meter};
use crate::machine::process_tree;
use crate::protocol::{RunReport, SetupRequest};
use crate::rootfs::scratch_folder::ScratchFolder;
use crate::sys::{self, ChildSpec, ChildStack, OrphanUsage, ReapedChild};

/// How many threads the judge's own user may start later, outside of all runs, without
/// using up the runs' limit.
const OTHER_THREADS: u64 = 256;

/// How long to wait for a killed tree before killing it again: a fork may have slipped
/// through.
const BETWEEN_KILLS: Duration = Duration::from_millis(2);

/// Makes runs beside the machine's other processes, at level basic.
pub(super) struct BasicIsolation {
    stack: ChildStack,
    scratch: ScratchFolder,
    user: Option<u32>,
    /// With it, a run's tree is killed in one step.
    pub(super) signal_scope: Option<SignalScope>,
    /// The filter that keeps tools from changing permissions of the judge's files,
    /// where only tools have the judge's user.
    tool_filter: Option<Vec<libc::sock_filter>>,
    confinement: RulesetCache,
    slots: u64,
    /// How many threads the judge's own user may have beyond those of all runs.
    threads: u64,
}

/// The processes of a run that were reaped.
#[derive(Default)]
struct ReapedProcesses {
    first: Option<ReapedChild>,
    orphans: OrphanUsage,
}

impl ReapedProcesses {
    fn add(&mut self, main: Pid, child: ReapedChild) {
        if child.pid == main {
            self.first = Some(child);
        } else {
            self.orphans.add(&child);
        }
    }
}

impl BasicIsolation {
    /// Makes this process the reaper of all processes that its runs leave, and
    /// restricts it to signalling its descendants, if the kernel can.
    pub(super) fn set_up(
        request: &SetupRequest,
        user: Option<u32>,
        landlock: u32,
    ) -> io::Result<Self> {
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        let signal_scope = rustix::process::getppid()
            .and_then(|judge| SignalScope::enforce(landlock, judge));
        Ok(Self {
            stack: ChildStack::new()?,
            scratch: ScratchFolder::create(&request.scratch, user)?,
            user,
            signal_scope,
            tool_filter: user
                .map(|_| seccomp_filter::for_shared_user(sys::launcher_token())),
            confinement: RulesetCache::new(landlock),
            slots: request.slots as u64,
            threads: process_tree::threads_of_user(
                rustix::process::getuid().as_raw(),
            ) + OTHER_THREADS,
        })
    }

    fn start_and_watch(
        &mut self,
        assignment: &Assignment,
    ) -> Result<RunReport, RunFailure> {
        let request = assignment.request;
        let (folder, user) = match request.role.folder() {
            None => (assignment.slot.scratch.clone(), self.user),
            Some(folder) => (folder.to_owned(), None),
        };
        let streams = assignment.streams.borrow();
        let others = Some(self.other_threads(user, request.limits.processes));
        let exec = exec_request::child_of(assignment, &streams, &folder, others)?;
        let grant = exec_request::access_grant_of(request, &folder);
        let may_read_own_proc = grant.is_tool;
        let child = ChildSpec {
            user,
            ruleset: self.confinement.ruleset_for(grant)?,
            filter: self.tool_filter.as_deref().filter(|_| user.is_none()),
            may_read_own_proc,
            ..exec
        };
        let start = Instant::now();
        let started = match sys::spawn(&self.stack, &child) {
            Ok(started) => started,
            Err(failure) => {
                return Ok(exec_error::report_or_fault(
                    failure, assignment, &folder,
                )?);
            }
        };
        drop(streams);
        assignment.leave_pipes_to_run();
        let main = started.pid;
        let _kill_on_panic = RunGuard {
            isolation: self,
            main,
        };
        let watch = RunWatch {
            assignment,
            ended: started.ended.as_fd(),
            start,
        };
        let mut reading = RunMeasurement::begin(None, assignment, None);
        let mut reaped = ReapedProcesses::default();
        let mut memory = ProcessMemory::new(&started);
        let seen = watch.await_event(|| {
            // Orphans become this process's children. Unless reaped, dead ones would
            // count as processes of the run.
            while let Some(orphan) = sys::reap_other_than(main) {
                reaped.add(main, orphan);
            }
            reading.look(&mut memory, reaped.orphans.cpu)
        });
        self.finish(&watch, seen, memory, reading, reaped)
    }

    /// Kills the run if it has not ended, and reaps all of its processes. Adds to
    /// `before`, the processes that were reaped meanwhile.
    fn finish(
        &self,
        watch: &RunWatch,
        seen: ObservedUsage,
        mut memory: ProcessMemory,
        reading: RunMeasurement,
        before: ReapedProcesses,
    ) -> Result<RunReport, RunFailure> {
        let main = memory.process;
        let mut wall = watch.start.elapsed();
        if seen.event != WatchEvent::Ended {
            self.kill(main);
        }
        memory.await_end(watch.ended)?;
        let ReapedProcesses { first, orphans } =
            self.reap_all(main, before).ok_or(RunFailure::Unkillable)?;
        match seen.event {
            WatchEvent::JudgeGone => return Err(RunFailure::Abandoned),
            WatchEvent::Stopped => wall = watch.start.elapsed(),
            WatchEvent::Ended => {}
        }
        let first = first.ok_or(RunFailure::Unkillable)?;
        let report = watch.report(&seen, wall, first.status);
        Ok(reading.finish(report, &memory, &first, orphans, seen.peak_bytes)?)
    }

    /// How many threads the run's user may have outside the run. A slot's own user has
    /// none; the judge's user has its usual work and the runs of other slots.
    fn other_threads(&self, user: Option<u32>, processes: u32) -> u64 {
        match user {
            Some(_) => 0,
            None => self.threads + (self.slots - 1) * u64::from(processes),
        }
    }

    fn kill(&self, main: Pid) {
        match &self.signal_scope {
            Some(signal_scope) => signal_scope.kill_descendants(),
            None => kill_one_by_one(main),
        }
    }

    /// Reaps the first process and all that it left, and kills those that live. Adds to
    /// `before`, the processes reaped earlier. Returns `None` if a process does not die.
    fn reap_all(
        &self,
        main: Pid,
        before: ReapedProcesses,
    ) -> Option<ReapedProcesses> {
        let start = Instant::now();
        let mut all = before;
        let mut next_kill = start + BETWEEN_KILLS;
        loop {
            let is_idle = match sys::reap() {
                Ok(Some(child)) => {
                    all.add(main, child);
                    false
                }
                Ok(None) => true,
                Err(_) => return Some(all),
            };
            let now = Instant::now();
            // A tree that forks as fast as this loop reaps would otherwise never be
            // killed again.
            if !is_idle && now < next_kill {
                continue;
            }
            if now - start > KILLING_TIMEOUT {
                return None;
            }
            self.kill(main);
            next_kill = now + BETWEEN_KILLS;
            if is_idle {
                sys::await_child(BETWEEN_KILLS);
            }
        }
    }
}

impl Isolation for BasicIsolation {
    fn run(&mut self, assignment: &Assignment) -> Result<RunReport, RunFailure> {
        usage_meter::check_measurable(assignment)?;
        assignment.fill(self.scratch.folder(), self.user)?;
        let report = self.start_and_watch(assignment)?;
        Ok(assignment.with_output(report, self.scratch.folder())?)
    }

    /// Replaces the scratch folder by a fresh one.
    fn clear(&mut self) -> io::Result<()> {
        self.scratch.renew()
    }
}

/// Kills a run on panic; otherwise the run would live on and use a processor for ever.
struct RunGuard<'a> {
    isolation: &'a BasicIsolation,
    main: Pid,
}

impl Drop for RunGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.isolation.kill(self.main);
            let _ = self
                .isolation
                .reap_all(self.main, ReapedProcesses::default());
        }
    }
}

/// Kills without a signal scope: every process found is killed, and those started
/// meanwhile are found by the next pass. Even a chain of processes that fork and exit
/// faster than a pass is stopped eventually, because a process with a signal pending
/// cannot fork.
fn kill_one_by_one(main: Pid) {
    let _ = rustix::process::kill_process_group(main, Signal::KILL);
    for pid in process_tree::descendants().filter_map(Pid::from_raw) {
        let _ = rustix::process::kill_process(pid, Signal::KILL);
    }
}
