//! Makes runs in their own namespaces, for levels full and user. Knows one run at a
//! time; knows nothing of the judge. Start at [`NamespaceIsolation::run`].

use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io, iter};

use rustix::process::{Pid, Signal};

use crate::cgroup::joined::Cgroup;
use crate::launcher::assignment::{
    Assignment, Isolation, KILLING_TIMEOUT, RunFailure,
};
use crate::launcher::pid_namespaces::PidNamespaces;
use crate::launcher::process_memory::ProcessMemory;
use crate::launcher::run_watch::{RunWatch, WatchEvent};
use crate::launcher::usage_meter::RunMeasurement;
use crate::launcher::{exec_error, exec_request, usage_meter};
use crate::protocol::{RunReport, SetupRequest};
use crate::rootfs::build;
use crate::rootfs::cache::RootFsCache;
use crate::sys::{
    ChildSpec, ChildStack, PidNamespace, ReapedChild, StartStep, StartedChild,
};
use crate::{Fault, sys};

/// How long init may take to kill, reap and count the processes that the run has left;
/// after that it is killed, and the rest is not counted.
const COUNTING_TIMEOUT: Duration = Duration::from_secs(2);

/// Processes in a launcher's user namespace beside the run: the launcher, the process
/// that waits for it, and init.
const OWN_THREADS: u64 = 3;

/// Makes runs in their own namespaces, at levels user and full.
pub(super) struct NamespaceIsolation {
    roots: RootFsCache,
    /// The group that this process is in, which measures and limits what runs use.
    group: Option<Cgroup>,
    stack: ChildStack,
    pid_namespaces: PidNamespaces,
    /// The user to become; `None` if the launcher already has a submission's user id in
    /// its user namespace.
    user: Option<u32>,
}

impl NamespaceIsolation {
    /// Sets up a launcher that is already in its namespaces and its group, and has made
    /// its scratch folder, on which roots are mounted.
    pub(super) fn set_up(
        request: &SetupRequest,
        user: Option<u32>,
        group: Option<Cgroup>,
        landlock: u32,
    ) -> io::Result<Self> {
        let mut roots = RootFsCache::new(&request.scratch, user, landlock)?;
        if request.probes {
            roots.probe()?;
        }
        let stack = ChildStack::new()?;
        let pid_namespaces = PidNamespaces::new(user.is_some(), group.is_some())?;
        Ok(Self {
            roots,
            group,
            stack,
            pid_namespaces,
            user,
        })
    }

    /// Tries the run once; `None` if nothing was started because an earlier run made
    /// processes in the pid namespace.
    fn attempt(
        &mut self,
        assignment: &Assignment,
    ) -> Result<Option<RunReport>, RunFailure> {
        let request = assignment.request;
        let program = assignment.program();
        let folder = match request.role.folder() {
            None => PathBuf::from(build::SCRATCH_PATH),
            Some(folder) => {
                self.chown_to_tool_user(folder)?;
                folder.to_owned()
            }
        };
        // The threads that the run's user may have outside the run; a control group
        // counts those of the run alone.
        let others = if self.user.is_some() { 0 } else { OWN_THREADS };
        let other_threads = self.group.is_none().then_some(others);
        let streams = assignment.streams.borrow();
        let exec =
            exec_request::child_of(assignment, &streams, &folder, other_threads)?;
        let grant = exec_request::access_grant_of(request, &folder);
        let root = self.roots.root_for(
            program,
            grant,
            request.limits.memory_bytes,
            assignment.given_bytes(),
        )?;
        self.pid_namespaces
            .enter(program, root.contents.processes)
            .map_err(no_namespace)?;
        let child = ChildSpec {
            user: self.user,
            ruleset: root.ruleset.as_ref().map(AsFd::as_fd),
            mounts: Some(root.mounts.as_fd()),
            mounts_proc: root.contents.processes,
            numbers: self.pid_namespaces.numbers(),
            has_highest_oom_score: self.group.is_some(),
            // A program that is mounted alone has a fixed path.
            program: root.contents.alone.as_ref().map(|_| build::PROGRAM),
            ..exec
        };
        // Before measuring begins: given files do not count as the run's memory.
        assignment.fill(root.scratch.as_fd(), self.user)?;
        if !request.given.is_empty() {
            root.note_given();
        }
        if let Some(group) = &mut self.group {
            let limits = &request.limits;
            // Both streams are files in memory, which the group counts.
            let output_bytes = limits.output_bytes.saturating_mul(2);
            group
                .begin(limits.memory_bytes, output_bytes, limits.processes)
                .map_err(Fault::during("setting the limits of a control group"))?;
        }
        let reading =
            RunMeasurement::begin(self.group.as_mut(), assignment, Some(root));
        let start = Instant::now();
        let started = match sys::spawn(&self.stack, &child) {
            Ok(started) => started,
            Err((StartStep::PidNamespace, _))
                if self.pid_namespaces.was_used_before() =>
            {
                return Ok(None);
            }
            Err(failure) => {
                let report =
                    exec_error::report_or_fault(failure, assignment, &folder);
                return Ok(report.map(Some)?);
            }
        };
        drop(streams);
        assignment.leave_pipes_to_run();
        let watch = RunWatch {
            assignment,
            ended: started.ended.as_fd(),
            start,
        };
        let report = supervise(&started, &watch, reading, &self.pid_namespaces)?;
        Ok(Some(assignment.with_output(report, root.scratch.as_fd())?))
    }

    /// Changes the owner of a tool's folder, and of the entries directly in it, to the
    /// user that the tool runs as.
    fn chown_to_tool_user(&self, folder: &Path) -> Result<(), Fault> {
        let Some(user) = self.user else { return Ok(()) };
        let own =
            |path: &Path| std::os::unix::fs::lchown(path, Some(user), Some(user));
        fs::read_dir(folder)
            .and_then(|mut entries| entries.try_for_each(|entry| own(&entry?.path())))
            .and_then(|()| own(folder))
            .map_err(|error| {
                Fault::new(format!("giving {} to its tool", folder.display()), error)
            })
    }
}

impl Isolation for NamespaceIsolation {
    fn run(&mut self, assignment: &Assignment) -> Result<RunReport, RunFailure> {
        // Without an exact figure of the group, the peak is measured by processes,
        // which start at this process's peak.
        if !self
            .group
            .as_ref()
            .is_some_and(|group| group.has_exact_peak)
        {
            usage_meter::check_measurable(assignment)?;
        }
        if let Some(report) = self.attempt(assignment)? {
            return Ok(report);
        }
        self.pid_namespaces
            .renew_after_fork()
            .map_err(no_namespace)?;
        let report = self.attempt(assignment)?;
        report.ok_or_else(|| {
            assignment.refused("a fresh namespace is not empty").into()
        })
    }

    fn clear(&mut self) -> io::Result<()> {
        self.pid_namespaces.clear()?;
        self.roots.clear();
        Ok(())
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
) -> Result<RunReport, RunFailure> {
    let pid_namespace = &pid_namespaces.pid_namespace;
    let mut memory = ProcessMemory::new(started);
    let seen =
        watch.await_event(|| reading.look(&mut memory, pid_namespace.orphans().cpu));
    if seen.event != WatchEvent::Ended {
        let _ = rustix::process::pidfd_send_signal(watch.ended, Signal::KILL);
    }
    memory.await_end(watch.ended)?;
    let first = reap(started.pid).ok_or(RunFailure::Unkillable)?;
    let wall = watch.start.elapsed();
    if !reading.has_left_no_process(pid_namespaces) && !end(pid_namespace) {
        return Err(RunFailure::Unkillable);
    }
    if seen.event == WatchEvent::JudgeGone {
        return Err(RunFailure::Abandoned);
    }
    let report = watch.report(&seen, wall, first.status);
    let orphans = pid_namespace.orphans();
    Ok(reading.finish(report, &memory, &first, orphans, seen.peak_bytes)?)
}

/// Reaps the first process, which has ended. `None` if it is not there.
fn reap(main: Pid) -> Option<ReapedChild> {
    // Our only other child is init.
    iter::from_fn(|| sys::reap().ok()?).find(|child| child.pid == main)
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
