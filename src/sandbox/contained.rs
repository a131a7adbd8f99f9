//! Runs in namespaces of their own, for levels full and user. Knows one run at a time; knows nothing of the judge. Start
//! at [`Contained::run`].

use std::fs;
use std::io;
use std::mem;
use std::os::fd::AsFd;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;
use std::time::Instant;

use crate::model::Exit;
use crate::model::Fault;
use crate::model::Role;
use crate::model::Usage;
use crate::sandbox::group::Group;
use crate::sandbox::launcher::Assignment;
use crate::sandbox::launcher::End;
use crate::sandbox::message::Report;
use crate::sandbox::meter::Meter;
use crate::sandbox::order;
use crate::sandbox::order::Order;
use crate::sandbox::refusal;
use crate::sandbox::root;
use crate::sandbox::roots::Roots;
use crate::sandbox::sys;
use crate::sandbox::sys::Child;
use crate::sandbox::sys::Inside;
use crate::sandbox::sys::Stacks;
use crate::sandbox::watch;
use crate::sandbox::watch::Event;

/// For init to kill, reap and count what the run has left.
const COUNTING_TAKES_AT_MOST: Duration = Duration::from_secs(2);

/// What still lives after its init was killed for this long is more than a launcher can handle.
const KILLING_TAKES_AT_MOST: Duration = Duration::from_secs(5);

/// A place for runs in namespaces.
pub(super) struct Contained {
    roots: Roots,
    meter: Meter,
    stacks: Stacks,
    /// This very process.
    me: OwnedFd,
    /// The user to become; where there is none, the launcher is a submission's user in a namespace of users.
    user: Option<u32>,
}

impl Contained {
    /// For a launcher that is in its namespaces and its group. `anchor` is a folder that roots can be built on.
    pub(super) fn settle(
        anchor: &Path,
        user: Option<u32>,
        group: Option<Group>,
        landlock: u32,
    ) -> io::Result<Self> {
        let roots = Roots::new(anchor, user, landlock)?;
        roots.rehearse()?;
        let (stacks, me) = (Stacks::new()?, sys::descriptor_of_this_process()?);
        Ok(Self { roots, meter: Meter::new(group), stacks, me, user })
    }

    /// Starts a run and watches it until nothing of it lives.
    pub(super) fn run(&mut self, assignment: &Assignment) -> Result<End, Fault> {
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
        let alone = view.alone.is_some();
        let child = Child {
            program: if alone { root::PROGRAM } else { &order.command[0] },
            command: &order.command,
            environment: &order.environment,
            folder: &order.folder,
            streams: order.streams,
            limits: &order::resource_limits(&request.limits, 0),
            user: self.user,
            ruleset: root.ruleset(),
            mounts: Some(root.mounts()),
            sees_processes: view.processes,
        };
        let mut reading = self
            .meter
            .begin(assignment, root)
            .map_err(|error| Fault::new("setting the limits of a control group", error))?;

        let explain = |(step, error)| refusal::explain(step, error, program, &folder);
        let start = Instant::now();
        let inside = Inside::start(&self.stacks, &child, self.me.as_fd()).map_err(explain)?;
        let watch = assignment.watch(inside.ended(), start);
        let (event, seen) = watch.await_event(|| reading.look());
        if !end(&inside, event) {
            // To wait for it would be for ever; what it uses of our memory must stay.
            mem::forget(inside);
            return Ok(End::Unkillable);
        }
        let elapsed = start.elapsed();
        let outcome = inside.finish().map_err(explain)?;
        if event == Event::JudgeGone {
            return Ok(End::Abandoned);
        }
        let figures = reading.finish(&outcome, &seen);
        let wall = match (event, outcome.record) {
            (Event::Ended, Some(record)) => record.wall,
            _ => elapsed,
        };
        // Who was killed along with init left no word of how it ended.
        let exit = outcome.record.map_or(Exit::Signal(libc::SIGKILL), |record| watch::exit_of(record.status));
        let usage = Usage {
            cpu: figures.cpu,
            wall,
            starved: seen.starved(event, wall, &request.limits),
            peak_memory_bytes: figures.peak_memory_bytes,
        };
        Ok(End::Reported(Report { exit, usage, out_of_memory: figures.out_of_memory }))
    }

    /// Gets ready for the next run.
    pub(super) fn clear(&mut self) {
        self.roots.clear();
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

/// Stops a run that has not ended, gently enough that it is counted; whether nothing of it lives.
fn end(inside: &Inside, event: Event) -> bool {
    if event == Event::Ended {
        return true;
    }
    inside.kill_first();
    if inside.wait(COUNTING_TAKES_AT_MOST) {
        return true;
    }
    inside.kill_all();
    inside.wait(KILLING_TAKES_AT_MOST)
}
