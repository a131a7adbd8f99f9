//! The small process that starts the runs of one slot, watches them and clears away after them. Knows one
//! run at a time; knows nothing of the judge but its socket. Start at [`serve`].

use std::fs;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use rustix::fs::FlockOperation;
use rustix::process::DumpableBehavior;

use crate::model::Fault;
use crate::model::Limits;
use crate::model::Role;
use crate::sandbox::confine::Confinement;
use crate::sandbox::confine::Fence;
use crate::sandbox::message;
use crate::sandbox::message::Answer;
use crate::sandbox::message::Guarantees;
use crate::sandbox::message::Hello;
use crate::sandbox::message::Reply;
use crate::sandbox::message::Report;
use crate::sandbox::message::Request;
use crate::sandbox::message::Welcome;
use crate::sandbox::order;
use crate::sandbox::order::Order;
use crate::sandbox::refusal;
use crate::sandbox::scratch;
use crate::sandbox::scratch::Scratch;
use crate::sandbox::sys;
use crate::sandbox::sys::Child;
use crate::sandbox::sys::Stack;
use crate::sandbox::tree;
use crate::sandbox::user::User;
use crate::sandbox::watch::End;
use crate::sandbox::watch::Watch;

/// Threads that the judge's own user may start meanwhile, outside of all runs, without starving the runs.
const OTHER_THREADS: u64 = 256;

/// Serves one slot until the judge hangs up. For `main`, in a process that [`Linux`](super::Linux) started.
pub fn serve() -> ExitCode {
    match serve_judge() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn serve_judge() -> io::Result<()> {
    // Standard input is the socket; a copy of it is out of the way of what children find at 0, 1 and 2.
    let judge = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    let mut buffer = vec![0; message::LONGEST];
    let Some((hello, _)) = message::receive::<Hello>(&judge, &mut buffer)? else { return Ok(()) };
    match Launcher::settle(judge.try_clone()?, &hello) {
        Ok((mut launcher, welcome)) => {
            message::send(&judge, &Answer::Ok(welcome), &[])?;
            if let After::JudgeGone = launcher.work(&mut buffer)? {
                launcher.leave();
            }
            Ok(())
        }
        Err(error) => {
            let fault = Fault::new(format!("setting up a launcher in {}", hello.scratch.display()), error);
            message::send(&judge, &Answer::Err(fault), &[])
        }
    }
}

/// What a launcher can do after a run.
enum After {
    /// Another one.
    Fit,
    /// Nothing but end, so that a fresh launcher takes over.
    Unfit,
    /// Clear up for a judge that no longer can.
    JudgeGone,
}

/// One slot's launcher, set up.
struct Launcher {
    judge: OwnedFd,
    stack: Stack,
    scratch: Scratch,
    user: Option<User>,
    fence: Option<Fence>,
    confinement: Confinement,
    slots: u64,
    processors: u32,
    /// Threads that the judge's own user may have beyond those of all runs.
    threads: u64,
}

impl Launcher {
    /// Makes this process what its children are to inherit, and cuts it off from terminal and signals.
    fn settle(judge: OwnedFd, hello: &Hello) -> io::Result<(Self, Welcome)> {
        sys::block_signals();
        rustix::process::setsid()?;
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        rustix::thread::set_no_new_privs(true)?;
        let user = if rustix::process::geteuid().is_root() { Some(User::claim()?) } else { None };
        let landlock = sys::landlock_version().min(hello.landlock);
        let fence = rustix::process::getppid().and_then(|judge| Fence::raise(landlock, judge));
        let guarantees = Guarantees { own_user: user.is_some(), landlock, atomic_kill: fence.is_some() };
        let welcome = Welcome { guarantees, user: user.as_ref().map(|user| user.number) };
        let launcher = Self {
            judge,
            stack: Stack::new()?,
            scratch: Scratch::create(&hello.scratch, user.as_ref().map(|user| user.number))?,
            user,
            fence,
            confinement: Confinement::new(landlock),
            slots: hello.slots.max(1).into(),
            processors: std::thread::available_parallelism().map_or(1, |number| number.get() as u32),
            threads: tree::threads_of_user(rustix::process::getuid().as_raw()) + OTHER_THREADS,
        };
        be_small();
        rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        Ok((launcher, welcome))
    }

    /// Serves requests until the judge is gone, or something went so wrong that a fresh launcher should
    /// take over.
    fn work(&mut self, buffer: &mut [u8]) -> io::Result<After> {
        while let Some((request, streams)) = message::receive::<Request>(&self.judge, buffer)? {
            let (outcome, after) = self.handle(&request, &streams);
            drop(streams);
            if let After::JudgeGone = after {
                break;
            }
            let fit = matches!(after, After::Fit);
            if message::send(&self.judge, &Reply { outcome, fit }, &[]).is_err() {
                break;
            }
            if !fit {
                return Ok(after);
            }
        }
        Ok(After::JudgeGone)
    }

    /// One run and the clearing up.
    fn handle(&mut self, request: &Request, streams: &[OwnedFd]) -> (Result<Report, Fault>, After) {
        let clearing = || format!("clearing up after `{}`", message::shown(&request.command));
        let outcome = match self.run(request, streams) {
            Ok(End::Reported(report)) => Ok(report),
            Ok(End::Abandoned) => return (Err(Fault::because(clearing(), "interrupted")), After::JudgeGone),
            Ok(End::Unkillable) => {
                let cause = "a process it left could not be killed";
                return (Err(Fault::because(clearing(), cause)), After::Unfit);
            }
            Err(fault) => Err(fault),
        };
        match self.scratch.renew() {
            Ok(()) => (outcome, After::Fit),
            Err(error) => (Err(Fault::new(clearing(), error)), After::Unfit),
        }
    }

    fn run(&mut self, request: &Request, streams: &[OwnedFd]) -> Result<End, Fault> {
        let (folder, user) = match &*request.role {
            Role::Submission => (self.scratch.path().to_owned(), self.user.as_ref().map(|user| user.number)),
            Role::Tool { folder } => (folder.clone(), None),
        };
        let order = Order::of(request, streams, &folder).map_err(|cause| {
            Fault::because(format!("starting `{}`", message::shown(&request.command)), cause)
        })?;
        let limits = order::resource_limits(&request.limits, self.other_threads(user, &request.limits));
        let reach = order::reach_of(request, &folder);
        let child = Child {
            command: &order.command,
            environment: &order.environment,
            folder: &order.folder,
            streams: order.streams,
            limits: &limits,
            user,
            ruleset: self.confinement.ruleset_for(reach)?,
        };
        let start = Instant::now();
        let (main, ended) = sys::spawn(&self.stack, &child).map_err(|(step, error)| {
            refusal::explain(step, error, Path::new(&request.command[0]), &folder)
        })?;
        let watch = Watch {
            main,
            ended: &ended,
            judge: &self.judge,
            limits: &request.limits,
            start,
            fence: self.fence.as_ref(),
            processors: self.processors,
        };
        Ok(watch.to_the_end())
    }

    /// A user that runs nothing else has none; the judge's own has its usual work and the other slots' runs.
    fn other_threads(&self, user: Option<u32>, limits: &Limits) -> u64 {
        match user {
            Some(_) => 0,
            None => self.threads + (self.slots - 1) * u64::from(limits.processes),
        }
    }

    /// Removes what the judge can no longer remove, for it may have been killed: our scratch folder, and
    /// the private folder around it as soon as the last launcher leaves.
    fn leave(self) {
        let _ = scratch::remove_tree(self.scratch.path());
        if let Some(private) = self.scratch.path().parent() {
            let _ = remove_if_last(private);
        }
    }
}

/// Under a lock, because two launchers that leave at once would take each other's files from under their
/// hands. The lock goes with its descriptor.
fn remove_if_last(private: &Path) -> io::Result<()> {
    let lock = File::open(private)?;
    rustix::fs::flock(&lock, FlockOperation::LockExclusive)?;
    let in_use =
        |entry: &fs::DirEntry| entry.file_name().as_encoded_bytes().starts_with(super::SCRATCH.as_bytes());
    if fs::read_dir(private)?.flatten().any(|entry| in_use(&entry)) {
        return Ok(());
    }
    scratch::remove_tree(private)
}

/// Each run's peak counts from the peak of this process, so this forgets what it took to start. And when
/// memory runs out, the kernel is to take a run before the judge. Neither is worth failing for.
///
/// To be called while still dumpable: the files of a process that is not are root's.
fn be_small() {
    sys::forget_code();
    let _ = fs::write("/proc/self/clear_refs", "5");
    let _ = fs::write("/proc/self/oom_score_adj", "1000");
}
