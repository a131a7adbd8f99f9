//! Makes runs in their own namespaces, for levels full and user. Knows one run at a
//! time; knows nothing of the judge. Start at [`NamespaceIsolation::run`].

use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

use rustix::process::{Pid, Signal};

use crate::cgroup::joined::Cgroup;
use crate::launcher::assignment::{Assignment, RunEnd};
use crate::launcher::exec_request::ExecRequest;
use crate::launcher::pid_namespaces::PidNamespaces;
use crate::launcher::run_watch::{RunWatch, WatchEvent};
use crate::launcher::usage_meter::{RunMeasurement, UsageMeter};
use crate::launcher::{exec_error, exec_request, run_watch, usage_meter};
use crate::protocol::RunReport;
use crate::rootfs::build;
use crate::rootfs::cache::RootFsCache;
use crate::sys::{
    ChildSpec, ChildStack, PidNamespace, ReapResult, ReapedChild, StartStep,
    StartedChild,
};
use crate::{Fault, Usage, sys};

/// How long init may take to kill, reap and count the processes that the run has left;
/// after that it is killed, and the rest is not counted.
const COUNTING_TIMEOUT: Duration = Duration::from_secs(2);

/// If a process still lives after being killed for this long, the launcher reports it
/// as unkillable.
const KILLING_TIMEOUT: Duration = Duration::from_secs(5);

/// Processes in a launcher's user namespace beside the run: the launcher, the process
/// that waits for it, and init.
const OWN_THREADS: u64 = 3;

/// Makes runs in their own namespaces, at levels user and full.
pub(super) struct NamespaceIsolation {
    roots: RootFsCache,
    meter: UsageMeter,
    stack: ChildStack,
    pid_namespaces: PidNamespaces,
    /// The user to become; `None` if the launcher already has a submission's user id in
    /// its user namespace.
    user: Option<u32>,
}

impl NamespaceIsolation {
    /// Sets up a launcher that is already in its namespaces and its group. `anchor` is
    /// a folder on which roots can be mounted.
    pub(super) fn set_up(
        anchor: &Path,
        user: Option<u32>,
        group: Option<Cgroup>,
        landlock: u32,
        probes: bool,
    ) -> io::Result<Self> {
        let mut roots = RootFsCache::new(anchor, user, landlock)?;
        if probes {
            roots.probe()?;
        }
        let stack = ChildStack::new()?;
        let pid_namespaces = PidNamespaces::new(user.is_some(), group.is_some())?;
        Ok(Self {
            roots,
            meter: UsageMeter::new(group),
            stack,
            pid_namespaces,
            user,
        })
    }

    /// Starts a run and watches it until it has ended.
    pub(super) fn run(&mut self, assignment: &Assignment) -> Result<RunEnd, Fault> {
        if !self.meter.has_exact_peak() {
            usage_meter::check_measurable(assignment)?;
        }
        if let Some(end) = self.attempt(assignment)? {
            return Ok(end);
        }
        self.pid_namespaces
            .renew_after_fork()
            .map_err(no_namespace)?;
        let end = self.attempt(assignment)?;
        end.ok_or_else(|| {
            assignment.refused("a fresh namespace is not empty".to_owned())
        })
    }

    /// Tries the run once; `None` if nothing was started because an earlier run made
    /// processes in the pid namespace.
    fn attempt(&mut self, assignment: &Assignment) -> Result<Option<RunEnd>, Fault> {
        let request = assignment.request;
        let program = Path::new(&request.command[0]);
        let folder = match request.role.folder() {
            None => PathBuf::from(build::SCRATCH_PATH),
            Some(folder) => {
                self.chown_to_tool_user(folder)?;
                folder.to_owned()
            }
        };
        let other_threads = self.other_threads();
        let streams = assignment.streams.borrow();
        let exec = ExecRequest::prepare(request, &streams, &folder)
            .map_err(|cause| assignment.refused(cause))?;
        let grant = exec_request::access_grant_of(request, &folder);
        let (root, contents) = self.roots.root_for(
            program,
            grant,
            request.limits.memory_bytes,
            assignment.given_bytes(),
        )?;
        // A program that is mounted alone has a fixed path.
        let alone = contents.alone.is_some();
        self.pid_namespaces
            .enter(program, contents.processes)
            .map_err(no_namespace)?;
        let child = ChildSpec {
            program: if alone {
                build::PROGRAM
            } else {
                &exec.command[0]
            },
            command: &exec.command,
            environment: &exec.environment,
            folder: &exec.folder,
            streams: exec.streams,
            limits: &exec_request::resource_limits(&request.limits, other_threads),
            user: self.user,
            ruleset: root.ruleset(),
            filter: None,
            may_read_own_proc: false,
            mounts: Some(root.mounts()),
            mounts_proc: contents.processes,
            numbers: self.pid_namespaces.numbers(),
            has_fixed_addresses: request.role.has_fixed_addresses(),
            has_highest_oom_score: self.meter.has_group(),
            stops_after_exec: usage_meter::must_be_traced_from_start(&request.limits),
        };
        // Before measuring begins: given files do not count as the run's memory.
        assignment.fill(root.scratch(), self.user)?;
        if !request.given.is_empty() {
            root.note_given();
        }
        let reading = self
            .meter
            .begin(assignment, root)
            .map_err(Fault::during("setting the limits of a control group"))?;
        let start = Instant::now();
        let started = match sys::spawn(&self.stack, &child) {
            Ok(started) => started,
            Err((StartStep::PidNamespace, _))
                if self.pid_namespaces.was_used_before() =>
            {
                return Ok(None);
            }
            Err(failure) => {
                return exec_error::report_or_fault(failure, assignment, &folder)
                    .map(|report| Some(RunEnd::Reported(report)));
            }
        };
        drop(streams);
        assignment.leave_pipes_to_run();
        let watch = assignment.watch(started.ended.as_fd(), start);
        let end = supervise(&started, &watch, reading, &self.pid_namespaces);
        assignment.with_output(end, root.scratch()).map(Some)
    }

    /// Prepares for the next run, after the reply has been sent.
    ///
    /// # Errors
    /// Returns an error if the last run's namespace does not end, or a new one cannot
    /// be made.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        self.pid_namespaces.clear()?;
        self.roots.clear();
        Ok(())
    }

    /// How many threads the run's user may have outside the run; `None` if a control
    /// group counts those of the run alone.
    fn other_threads(&self) -> Option<u64> {
        let others = if self.user.is_some() { 0 } else { OWN_THREADS };
        (!self.meter.has_group()).then_some(others)
    }

    /// Changes the owner of a tool's folder, and of the entries directly in it, to the
    /// user that the tool runs as.
    fn chown_to_tool_user(&self, folder: &Path) -> Result<(), Fault> {
        let Some(user) = self.user else { return Ok(()) };
        let own = |path: &Path| std::os::unix::fs::lchown(path, Some(user), Some(user));
        fs::read_dir(folder)
            .and_then(|mut entries| entries.try_for_each(|entry| own(&entry?.path())))
            .and_then(|()| own(folder))
            .map_err(|error| {
                Fault::new(format!("giving {} to its tool", folder.display()), error)
            })
    }
}

fn no_namespace(error: io::Error) -> Fault {
    Fault::new("entering a namespace of processes", error)
}

/// Watches a run until none of its processes lives, except perhaps an init that is
/// about to be killed.
fn supervise(
    started: &StartedChild,
    watch: &RunWatch,
    mut reading: RunMeasurement,
    pid_namespaces: &PidNamespaces,
) -> RunEnd {
    let pid_namespace = pid_namespaces.latest();
    reading.follow(started);
    let (event, seen) = watch.await_event(|| reading.look(pid_namespace.orphans().cpu));
    if event != WatchEvent::Ended {
        let _ = rustix::process::pidfd_send_signal(watch.ended, Signal::KILL);
    }
    if !reading.await_end_of_first(watch.ended, KILLING_TIMEOUT) {
        return RunEnd::Unkillable;
    }
    reading.note_end_of_first();
    let Some(first) = reap(started.pid) else {
        return RunEnd::Unkillable;
    };
    let wall = watch.start.elapsed();
    if !reading.has_left_no_process(pid_namespaces) && !end(pid_namespace) {
        return RunEnd::Unkillable;
    }
    if event == WatchEvent::JudgeGone {
        return RunEnd::Abandoned;
    }
    let figures = reading.finish(&first, pid_namespace.orphans(), &seen);
    let usage = Usage {
        cpu: figures.cpu,
        wall,
        starved: seen.starved(event, wall, watch.limits),
        idled_by_itself: seen.idled_by_itself,
        peak_memory_bytes: figures.peak_memory_bytes,
        hidden_memory_bytes: figures.hidden_memory_bytes,
    };
    let exit = run_watch::exit_of(first.status);
    RunEnd::Reported(RunReport {
        exit,
        usage,
        out_of_memory: figures.out_of_memory,
        disturbed: figures.disturbed,
        missing_output: None,
    })
}

/// Reaps the first process, which has ended. `None` if it is not there.
fn reap(main: Pid) -> Option<ReapedChild> {
    loop {
        match sys::reap() {
            ReapResult::One(child) if child.pid == main => return Some(child),
            // Our only other child is init.
            ReapResult::One(_) => {}
            ReapResult::Later | ReapResult::NoChild => return None,
        }
    }
}

/// Kills the processes that the first process left; returns whether that worked. Not
/// called if it left none: then only init remains, which [`NamespaceIsolation::clear`]
/// deals with.
fn end(pid_namespace: &PidNamespace) -> bool {
    pid_namespace.end();
    if pid_namespace.wait(COUNTING_TIMEOUT) {
        return true;
    }
    pid_namespace.kill();
    pid_namespace.wait(KILLING_TIMEOUT)
}
