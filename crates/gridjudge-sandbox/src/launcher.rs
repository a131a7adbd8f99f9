//! The small process that starts the runs of one slot, watches them and clears away after them. Knows one
//! run at a time; knows nothing of the judge but its socket. Start at [`serve`].

use std::fs;
use std::fs::File;
use std::io;
use std::os::fd::BorrowedFd;
use std::os::fd::OwnedFd;
use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use rustix::fs::FlockOperation;
use rustix::process::DumpableBehavior;

use crate::Fault;
use crate::Guarantees;
use crate::Level;
use crate::contained::Contained;
use crate::filter;
use crate::filter::Surroundings;
use crate::group::Group;
use crate::inherited;
use crate::message;
use crate::message::Answer;
use crate::message::Hello;
use crate::message::Reply;
use crate::message::Report;
use crate::message::Request;
use crate::message::Welcome;
use crate::namespaces;
use crate::open::Open;
use crate::scratch;
use crate::sys;
use crate::user::User;
use crate::watch::Watch;

/// The version of Landlock that has a word on truncate(2) (Linux 6.2).
const CUTTING: u32 = 3;

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
            let is_in_group = welcome.guarantees.groups;
            message::send(&judge, &Answer::Ok(welcome), &[])?;
            be_small(is_in_group);
            rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
            match launcher.work(&mut buffer)? {
                After::JudgeGone => launcher.leave(),
                // To wait for what cannot be killed would be for ever. This process is about to end anyway.
                After::Fit | After::Unfit => std::mem::forget(launcher),
            }
            Ok(())
        }
        Err(fault) => message::send(&judge, &Answer::Err(fault), &[]),
    }
}

/// One run, as a launcher has to make it.
pub(super) struct Assignment<'a> {
    pub(super) request: &'a Request<'a>,
    pub(super) streams: &'a [OwnedFd],
    pub(super) judge: &'a OwnedFd,
    /// Where programs are that the judge has made of submissions.
    pub(super) programs: &'a Path,
    /// How many processors it may use at once.
    pub(super) processors: u32,
}

impl Assignment<'_> {
    /// A watch over it.
    pub(super) fn watch<'a>(&'a self, ended: BorrowedFd<'a>, start: Instant) -> Watch<'a> {
        let (judge, limits, processors) = (self.judge, &*self.request.limits, self.processors);
        Watch { ended, judge, limits, start, processors }
    }

    /// A launch that makes no sense.
    pub(super) fn refused(&self, cause: String) -> Fault {
        Fault::because(format!("starting `{}`", message::shown(&self.request.command)), cause)
    }

    /// How large the program's own file is, unless that belongs to the machine, as a runtime does.
    pub(super) fn own_file_bytes(&self) -> u64 {
        let program = Path::new(&self.request.command[0]);
        let is_own = program.starts_with(self.programs);
        if is_own { program.metadata().map_or(0, |file| file.len()) } else { 0 }
    }

    /// Memory that the run's output takes.
    pub(super) fn output_bytes(&self) -> u64 {
        let [_, output, errors] = self.streams else { return 0 };
        let found = (rustix::fs::fstat(output), rustix::fs::fstat(errors));
        let (Ok(output), Ok(errors)) = found else { return 0 };
        // A tool's errors go where its output goes.
        let is_one = (output.st_dev, output.st_ino) == (errors.st_dev, errors.st_ino);
        let blocks = output.st_blocks + if is_one { 0 } else { errors.st_blocks };
        blocks as u64 * 512
    }
}

/// How a run was brought to its end. In all cases but the last nothing of it lives.
pub(super) enum End {
    Reported(Report),
    /// The judge is gone, or wants the run to be over.
    Abandoned,
    /// Something could not be killed.
    Unkillable,
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

/// Where runs are made.
enum Ground {
    Open(Box<Open>),
    Contained(Box<Contained>),
}

/// One slot's launcher, set up.
struct Launcher {
    judge: OwnedFd,
    ground: Ground,
    /// In the private folder, which is to go with the last launcher.
    scratch: PathBuf,
    processors: u32,
    /// Held for the sake of its claim.
    _user: Option<User>,
}

impl Launcher {
    /// Makes this process what its children are to inherit, and cuts it off from terminal and signals.
    fn settle(judge: OwnedFd, hello: &Hello) -> Result<(Self, Welcome), Fault> {
        let doing = |what: &str| format!("setting up level {}: {what}", hello.level);
        let failed = |what: &str| {
            let doing = doing(what);
            move |error: io::Error| Fault::new(doing, error)
        };
        inherited::settle_launcher().map_err(failed("the usual surroundings"))?;
        rustix::process::setsid().map_err(|error| failed("a session")(error.into()))?;
        rustix::thread::set_no_new_privs(true).map_err(|error| failed("no new privileges")(error.into()))?;
        let may_change_user = namespaces::may_change_user();
        let user = may_change_user.then(User::claim).transpose().map_err(failed("a user"))?;
        let number = user.as_ref().map(|user| user.number);
        let landlock = sys::landlock_version().min(hello.landlock);
        let group = hello.group.as_ref().map(Group::join).transpose().map_err(failed("a control group"))?;
        let mut guarantees = Guarantees {
            namespaces: hello.level != Level::Basic,
            groups: group.is_some(),
            exact_peaks: group.as_ref().is_some_and(Group::knows_peaks),
            own_user: user.is_some(),
            landlock,
            atomic_kill: true,
        };
        let ground = if hello.level == Level::Basic {
            let open = Open::settle(&hello.scratch, hello.slots, number, landlock)
                .map_err(failed("a scratch folder"))?;
            guarantees.atomic_kill = open.kills_at_once();
            Ground::Open(Box::new(open))
        } else {
            namespaces::enter(!may_change_user)
                .map_err(|error| failed("namespaces")(error).with_remedy(namespaces::remedy()))?;
            fs::create_dir(&hello.scratch).map_err(failed("a folder"))?;
            let contained = Contained::settle(&hello.scratch, number, group, landlock, hello.rehearses)
                .map_err(failed("a root"))?;
            Ground::Contained(Box::new(contained))
        };
        let files_can_be_cut = hello.level == Level::Basic && landlock < CUTTING;
        let surroundings = Surroundings {
            files_are_counted: guarantees.groups,
            files_can_be_cut,
            shares_user: hello.level == Level::Basic && number.is_none(),
            pass: sys::pass(),
        };
        sys::install_filter(&filter::program(surroundings)).map_err(failed("a filter of system calls"))?;
        let launcher = Self {
            judge,
            ground,
            scratch: hello.scratch.clone(),
            processors: std::thread::available_parallelism().map_or(1, |number| number.get() as u32),
            _user: user,
        };
        Ok((launcher, Welcome { guarantees, user: number }))
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
            // While the judge reads the reply. If it cannot be done, the next request finds nobody here.
            if !fit || self.clear().is_err() {
                return Ok(After::Unfit);
            }
        }
        Ok(After::JudgeGone)
    }

    fn handle(&mut self, request: &Request, streams: &[OwnedFd]) -> (Result<Report, Fault>, After) {
        let ending = || format!("ending `{}`", message::shown(&request.command));
        let programs = self.scratch.parent().map(|private| private.join(super::PROGRAMS)).unwrap_or_default();
        let (judge, processors) = (&self.judge, self.processors);
        let assignment = Assignment { request, streams, judge, programs: &programs, processors };
        let end = catch_unwind(AssertUnwindSafe(|| match &mut self.ground {
            Ground::Open(open) => open.run(&assignment),
            Ground::Contained(contained) => contained.run(&assignment),
        }));
        let end = match end {
            Ok(end) => end,
            // Nobody knows what is half done here. A fresh launcher takes over.
            Err(panic) => return (Err(Fault::of_panic(ending(), panic.as_ref())), After::Unfit),
        };
        match end {
            Ok(End::Reported(report)) => (Ok(report), After::Fit),
            Ok(End::Abandoned) => (Err(Fault::because(ending(), "interrupted")), After::JudgeGone),
            Ok(End::Unkillable) => {
                let cause = "a process it left could not be killed";
                (Err(Fault::because(ending(), cause)), After::Unfit)
            }
            Err(fault) => (Err(fault), After::Fit),
        }
    }

    /// Makes everything fresh for the next run.
    fn clear(&mut self) -> io::Result<()> {
        match &mut self.ground {
            Ground::Open(open) => open.clear(),
            Ground::Contained(contained) => contained.clear(),
        }
    }

    /// Removes what the judge can no longer remove, for it may have been killed: our scratch folder, and
    /// the private folder around it as soon as the last launcher leaves.
    fn leave(self) {
        match self.ground {
            Ground::Open(open) => open.leave(),
            Ground::Contained(_) => {
                let _ = fs::remove_dir(&self.scratch);
            }
        }
        if let Some(private) = self.scratch.parent() {
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
/// memory runs out, the kernel is to take a run before the judge; where only a group's memory can run out, the launcher
/// stays behind its runs. Neither is worth failing for.
///
/// To be called while still dumpable, for the files of a process that is not are root's, and in time that nobody waits for.
fn be_small(is_in_group: bool) {
    sys::forget_code();
    let _ = fs::write("/proc/self/clear_refs", "5");
    if !is_in_group {
        let _ = fs::write("/proc/self/oom_score_adj", "1000");
    }
}
