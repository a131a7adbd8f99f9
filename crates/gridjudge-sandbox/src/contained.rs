//! Runs in namespaces of their own, for levels full and user. Knows one run at a time; knows nothing of the judge. Start
//! at [`Contained::run`].

use std::fs;
use std::io;
use std::os::fd::AsFd;
use std::os::fd::BorrowedFd;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;
use std::time::Instant;

use rustix::process::Pid;
use rustix::process::Signal;

use crate::Fault;
use crate::Role;
use crate::Usage;
use crate::chambers::Chambers;
use crate::expendable::Expendable;
use crate::group::Group;
use crate::launcher::Assignment;
use crate::launcher::End;
use crate::measurable;
use crate::message::Report;
use crate::meter::Meter;
use crate::meter::Reading;
use crate::order;
use crate::order::Order;
use crate::refusal;
use crate::root;
use crate::roots::Roots;
use crate::sys;
use crate::sys::Chamber;
use crate::sys::Child;
use crate::sys::Reap;
use crate::sys::Reaped;
use crate::sys::Stack;
use crate::sys::Step;
use crate::watch;
use crate::watch::Event;
use crate::watch::Watch;

/// For init to kill, reap and count what the run has left; beyond that it is killed uncounted.
const COUNTING_TAKES_AT_MOST: Duration = Duration::from_secs(2);

/// What still lives after being killed for this long is more than a launcher can handle.
const KILLING_TAKES_AT_MOST: Duration = Duration::from_secs(5);

/// Who lives in a launcher's namespace of users beside the run: the launcher, the process that waits for it, and init.
const OWN_THREADS: u64 = 3;

/// A place for runs in namespaces.
pub(super) struct Contained {
    roots: Roots,
    meter: Meter,
    stack: Stack,
    chambers: Chambers,
    /// The user to become; where there is none, the launcher is a submission's user in a namespace of users.
    user: Option<u32>,
    expendable: Expendable,
}

impl Contained {
    /// For a launcher that is in its namespaces and its group. `anchor` is a folder that roots can be built on.
    pub(super) fn settle(
        anchor: &Path,
        user: Option<u32>,
        group: Option<Group>,
        landlock: u32,
        rehearses: bool,
    ) -> io::Result<Self> {
        let roots = Roots::new(anchor, user, landlock)?;
        if rehearses {
            roots.rehearse()?;
        }
        let (stack, chambers) = (Stack::new()?, Chambers::new(user.is_some(), group.is_some())?);
        let expendable = Expendable::new(group.is_some());
        Ok(Self { roots, meter: Meter::new(group), stack, chambers, user, expendable })
    }

    /// Starts a run and sees it through.
    pub(super) fn run(&mut self, assignment: &Assignment) -> Result<End, Fault> {
        if !self.meter.knows_peaks() {
            measurable::may_be_measured(assignment)?;
        }
        if let Some(end) = self.attempt(assignment)? {
            return Ok(end);
        }
        self.chambers.renew_after_crowd().map_err(no_namespace)?;
        let end = self.attempt(assignment)?;
        end.ok_or_else(|| assignment.refused("a fresh namespace is not empty".to_owned()))
    }

    /// The same; `None` if nothing was started because the namespace for it has been in use.
    fn attempt(&mut self, assignment: &Assignment) -> Result<Option<End>, Fault> {
        let request = assignment.request;
        let program = Path::new(&request.command[0]);
        let folder = match &*request.role {
            Role::Submission => PathBuf::from(root::SCRATCH),
            Role::Tool { folder } => {
                self.hand_over(folder)?;
                folder.clone()
            }
        };
        let order =
            Order::of(request, assignment.streams, &folder).map_err(|cause| assignment.refused(cause))?;
        let reach = order::reach_of(request, &folder);
        let (root, view) = self.roots.root_for(program, reach, request.limits.memory_bytes)?;
        // What is shown alone stands under a name of its own.
        let alone = view.alone.is_some();
        self.chambers.enter(program, view.processes).map_err(no_namespace)?;
        let child = Child {
            program: if alone { root::PROGRAM } else { &order.command[0] },
            command: &order.command,
            environment: &order.environment,
            folder: &order.folder,
            streams: order.streams,
            limits: &order::resource_limits(
                &request.limits,
                if self.user.is_some() { 0 } else { OWN_THREADS },
            ),
            user: self.user,
            ruleset: root.ruleset(),
            reads_of_itself: false,
            mounts: Some(root.mounts()),
            sees_processes: view.processes,
            numbers: self.chambers.numbers(),
            goes_first: self.expendable.goes_by_itself(),
        };
        let reading = self
            .meter
            .begin(assignment, root)
            .map_err(|error| Fault::new("setting the limits of a control group", error))?;
        let start = Instant::now();
        let (main, ended) = match self.expendable.start(|| sys::spawn(&self.stack, &child)) {
            Ok(started) => started,
            Err((Step::Chamber, _)) if self.chambers.was_used_before() => return Ok(None),
            Err(failure) => {
                return refusal::settle(failure, assignment, &folder)
                    .map(|report| Some(End::Reported(report)));
            }
        };
        let watch = assignment.watch(ended.as_fd(), start);
        Ok(Some(see_through(main, &watch, reading, &self.chambers)))
    }

    /// Gets ready for the next run, in time that nobody waits for.
    ///
    /// # Errors
    /// If the last run's namespace does not end, or there can be no new one.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        self.chambers.clear()?;
        self.roots.clear();
        Ok(())
    }

    /// Gives a tool's folder, and what is in it, to the user that it runs as.
    fn hand_over(&self, folder: &Path) -> Result<(), Fault> {
        let Some(user) = self.user else { return Ok(()) };
        let own = |path: &Path| std::os::unix::fs::lchown(path, Some(user), Some(user));
        let give = || -> io::Result<()> {
            fs::read_dir(folder)?.try_for_each(|entry| own(&entry?.path()))?;
            own(folder)
        };
        give().map_err(|error| Fault::new(format!("giving {} to its tool", folder.display()), error))
    }
}

fn no_namespace(error: io::Error) -> Fault {
    Fault::new("entering a namespace of processes", error)
}

/// Watches a run until nothing of it lives, or only an init that is about to be killed.
fn see_through(main: Pid, watch: &Watch, mut reading: Reading, chambers: &Chambers) -> End {
    let chamber = chambers.latest();
    let (event, seen) = watch.await_event(|| reading.look(chamber.orphans().cpu));
    if event != Event::Ended {
        let _ = rustix::process::pidfd_send_signal(watch.ended, Signal::KILL);
    }
    let Some(first) = reap(main, watch.ended) else { return End::Unkillable };
    let wall = watch.start.elapsed();
    if !reading.has_left_nobody(chambers) && !end(chamber) {
        return End::Unkillable;
    }
    if event == Event::JudgeGone {
        return End::Abandoned;
    }
    let figures = reading.finish(&first, chamber.orphans(), &seen);
    let usage = Usage {
        cpu: figures.cpu,
        wall,
        starved: seen.starved(event, wall, watch.limits),
        peak_memory_bytes: figures.peak_memory_bytes,
    };
    let exit = watch::exit_of(first.status);
    End::Reported(Report { exit, usage, out_of_memory: figures.out_of_memory, disturbed: figures.disturbed })
}

/// Waits for the first process, which has ended or was killed. `None` if it does not die.
fn reap(main: Pid, ended: BorrowedFd) -> Option<Reaped> {
    if !sys::has_ended(ended, KILLING_TAKES_AT_MOST) {
        return None;
    }
    loop {
        match sys::reap() {
            Reap::One(child) if child.pid == main => return Some(child),
            // Nobody else is our child but init, who is not to end before the run.
            Reap::One(_) => {}
            Reap::Later | Reap::Nobody => return None,
        }
    }
}

/// Brings whatever the first process left to its end; whether it came to that. Where it left nobody, only init is left
/// to be killed, for which there is time in [`Contained::clear`].
fn end(chamber: &Chamber) -> bool {
    chamber.end();
    if chamber.wait(COUNTING_TAKES_AT_MOST) {
        return true;
    }
    chamber.kill();
    chamber.wait(KILLING_TAKES_AT_MOST)
}
