//! Runs beside the machine's other processes, for level basic: kept apart by Landlock, the filter and limits only. Knows
//! one run at a time; knows nothing of the judge. Start at [`Open::run`].

use std::io;
use std::ops::ControlFlow;
use std::os::fd::AsFd;
use std::path::Path;
use std::time::Duration;
use std::time::Instant;

use rustix::process::Pid;

use crate::Fault;
use crate::Limits;
use crate::Role;
use crate::Usage;
use crate::confine::Confinement;
use crate::confine::Fence;
use crate::launcher::Assignment;
use crate::launcher::End;
use crate::measurable;
use crate::message::Report;
use crate::order;
use crate::order::Order;
use crate::refusal;
use crate::scratch;
use crate::scratch::Scratch;
use crate::sys;
use crate::sys::Child;
use crate::sys::Reap;
use crate::sys::Stack;
use crate::tree;
use crate::tree::Tree;
use crate::watch;
use crate::watch::Event;
use crate::watch::Seen;
use crate::watch::Watch;

/// Threads that the judge's own user may start meanwhile, outside of all runs, without starving the runs.
const OTHER_THREADS: u64 = 256;

/// A tree that still lives after being killed for this long is more than a launcher can handle.
const KILLING_TAKES_AT_MOST: Duration = Duration::from_secs(5);

/// How long a killed tree is waited for before it is killed again: a fork may have slipped through.
const BETWEEN_KILLS: Duration = Duration::from_millis(2);

/// A place for runs in the open.
pub(super) struct Open {
    stack: Stack,
    scratch: Scratch,
    user: Option<u32>,
    fence: Option<Fence>,
    confinement: Confinement,
    slots: u64,
    /// Threads that the judge's own user may have beyond those of all runs.
    threads: u64,
}

/// Sums over all processes reaped.
#[derive(Default)]
struct Reaped {
    main: Option<libc::c_int>,
    cpu: Duration,
    peak_bytes: u64,
}

impl Reaped {
    fn add(&mut self, main: Pid, child: &sys::Reaped) {
        self.cpu += child.cpu;
        self.peak_bytes = self.peak_bytes.max(child.peak_memory_bytes);
        if child.pid == main {
            self.main = Some(child.status);
        }
    }
}

impl Open {
    /// Makes this process the reaper of whatever its runs leave, fenced in as far as the kernel can.
    pub(super) fn settle(scratch: &Path, slots: u32, user: Option<u32>, landlock: u32) -> io::Result<Self> {
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        let fence = rustix::process::getppid().and_then(|judge| Fence::raise(landlock, judge));
        Ok(Self {
            stack: Stack::new()?,
            scratch: Scratch::create(scratch, user)?,
            user,
            fence,
            confinement: Confinement::new(landlock),
            slots: slots.max(1).into(),
            threads: tree::threads_of_user(rustix::process::getuid().as_raw()) + OTHER_THREADS,
        })
    }

    /// Whether a run's tree is killed in one step.
    pub(super) fn kills_at_once(&self) -> bool {
        self.fence.is_some()
    }

    /// Starts a run and watches it until nothing of it lives.
    pub(super) fn run(&mut self, assignment: &Assignment) -> Result<End, Fault> {
        measurable::may_be_measured(assignment)?;
        let request = assignment.request;
        let (folder, user) = match &*request.role {
            Role::Submission => (self.scratch.path().to_owned(), self.user),
            Role::Tool { folder } => (folder.clone(), None),
        };
        let order =
            Order::of(request, assignment.streams, &folder).map_err(|cause| assignment.refused(cause))?;
        let limits = order::resource_limits(&request.limits, self.other_threads(user, &request.limits));
        let reach = order::reach_of(request, &folder);
        let reads_of_itself = reach.is_tool;
        let child = Child {
            program: &order.command[0],
            command: &order.command,
            environment: &order.environment,
            folder: &order.folder,
            streams: order.streams,
            limits: &limits,
            user,
            ruleset: self.confinement.ruleset_for(reach)?,
            reads_of_itself,
            mounts: None,
            sees_processes: false,
            numbers: None,
            goes_first: false,
        };
        let start = Instant::now();
        let (main, ended) = match sys::spawn(&self.stack, &child) {
            Ok(started) => started,
            Err(failure) => return refusal::settle(failure, assignment, &folder).map(End::Reported),
        };
        let _not_left_alone = Charge { open: self, main };
        let watch = assignment.watch(ended.as_fd(), start);
        let (mut tree, mut reaped) = (Tree::default(), Reaped::default());
        let (event, seen) = watch.await_event(|| {
            // Orphans are this process's children. The dead among them would count as processes of the run.
            while let Some(orphan) = sys::reap_other_than(main) {
                reaped.add(main, &orphan);
            }
            tree.sample(watch.limits.cpu, reaped.cpu)
        });
        Ok(self.finish(main, &watch, event, &seen, reaped))
    }

    /// Kills what has to be killed and reaps all of it.
    fn finish(&self, main: Pid, watch: &Watch, event: Event, seen: &Seen, orphans: Reaped) -> End {
        let mut wall = watch.start.elapsed();
        if let Event::LimitBroken | Event::JudgeGone = event {
            self.kill(main);
        }
        let Some(reaped) = self.reap_all(main, orphans) else { return End::Unkillable };
        match event {
            Event::JudgeGone => return End::Abandoned,
            Event::LimitBroken => wall = watch.start.elapsed(),
            Event::Ended => {}
        }
        let usage = Usage {
            // Each is a lower bound: the first misses children whose parent did not wait, the second
            // whatever happened since the last look.
            cpu: reaped.cpu.max(seen.cpu),
            wall,
            starved: seen.starved(event, wall, watch.limits),
            peak_memory_bytes: reaped.peak_bytes.max(seen.peak_bytes),
        };
        let Some(status) = reaped.main else { return End::Unkillable };
        End::Reported(Report { exit: watch::exit_of(status), usage, out_of_memory: false, disturbed: false })
    }

    /// Makes the scratch folder fresh for the next run.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        self.scratch.renew()
    }

    /// Removes what the judge can no longer remove, for it may have been killed.
    pub(super) fn leave(self) {
        let _ = scratch::remove_tree(self.scratch.path());
    }

    /// A user that runs nothing else has none; the judge's own has its usual work and the other slots' runs.
    fn other_threads(&self, user: Option<u32>, limits: &Limits) -> u64 {
        match user {
            Some(_) => 0,
            None => self.threads + (self.slots - 1) * u64::from(limits.processes),
        }
    }

    fn kill(&self, main: Pid) {
        match &self.fence {
            Some(fence) => fence.kill_descendants(),
            None => kill_one_by_one(main),
        }
    }

    /// Reaps the first process and all that it left, killing what lives; with those that were reaped before. `None` if
    /// something does not die.
    fn reap_all(&self, main: Pid, before: Reaped) -> Option<Reaped> {
        let start = Instant::now();
        let (mut all, mut next_kill) = (before, start + BETWEEN_KILLS);
        loop {
            let is_idle = match sys::reap() {
                Reap::One(child) => {
                    all.add(main, &child);
                    false
                }
                Reap::Nobody => return Some(all),
                Reap::Later => true,
            };
            let now = Instant::now();
            // Whoever forks as fast as this reaps leaves no moment without somebody to reap.
            if !is_idle && now < next_kill {
                continue;
            }
            if now - start > KILLING_TAKES_AT_MOST {
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

/// A run that this process answers for: should it panic, the run would live on and burn a processor for ever.
struct Charge<'a> {
    open: &'a Open,
    main: Pid,
}

impl Drop for Charge<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.open.kill(self.main);
            let _ = self.open.reap_all(self.main, Reaped::default());
        }
    }
}

/// Without a fence: what is found is killed, and whoever was born meanwhile is found by the next pass. A
/// chain of processes that fork and exit faster than a pass loses in the end, because a process with a
/// signal pending cannot fork.
fn kill_one_by_one(main: Pid) {
    let _ = rustix::process::kill_process_group(main, rustix::process::Signal::KILL);
    tree::meet_descendants(|pid| {
        if let Some(pid) = Pid::from_raw(pid) {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
        ControlFlow::Continue(())
    });
}
