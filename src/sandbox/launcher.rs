//! The small process that starts the runs of one slot, watches them and clears away after them. Knows one
//! run at a time; knows nothing of the judge but its socket. Start at [`serve`].

use std::ffi::CString;
use std::fs;
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::fd::BorrowedFd;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use std::time::Instant;

use rustix::fs::FlockOperation;
use rustix::net::AddressFamily;
use rustix::net::SocketAddrUnix;
use rustix::net::SocketFlags;
use rustix::net::SocketType;
use rustix::process::DumpableBehavior;
use rustix::process::Resource;

use crate::model::Fault;
use crate::model::Limits;
use crate::model::Role;
use crate::sandbox::confine::Confinement;
use crate::sandbox::confine::Fence;
use crate::sandbox::confine::Reach;
use crate::sandbox::message;
use crate::sandbox::message::Answer;
use crate::sandbox::message::Guarantees;
use crate::sandbox::message::Hello;
use crate::sandbox::message::Reply;
use crate::sandbox::message::Report;
use crate::sandbox::message::Request;
use crate::sandbox::message::Welcome;
use crate::sandbox::refusal;
use crate::sandbox::scratch;
use crate::sandbox::scratch::Scratch;
use crate::sandbox::sys;
use crate::sandbox::sys::Child;
use crate::sandbox::sys::Stack;
use crate::sandbox::tree;
use crate::sandbox::watch::End;
use crate::sandbox::watch::Watch;

/// Submissions of a judge that is root run as the first of these users, and group of the same number,
/// that no other launcher on the machine has claimed. Above what distributions hand out to people, below
/// what they use for containers.
pub(super) const USERS: std::ops::Range<u32> = 60_001..60_513;

/// Descriptors that a run may have open.
const OPEN_FILES: u64 = 1024;

/// Threads that the judge's own user may start meanwhile, outside of all runs, without starving the runs.
const OTHER_THREADS: u64 = 256;

/// So that the last stack pages of a run that fills its memory by recursion count as too much memory.
const STACK_BEYOND_MEMORY_BYTES: u64 = 1 << 20;

/// Serves one slot until the judge hangs up. For `main`, in a process that [`Basic`](super::Basic) started.
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
            launcher.work(&mut buffer)?;
            launcher.leave();
            Ok(())
        }
        Err(error) => {
            let fault = Fault::new(format!("setting up a launcher in {}", hello.scratch.display()), error);
            message::send(&judge, &Answer::Err(fault), &[])
        }
    }
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
        be_first_to_go();
        rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
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
            slots: hello.slots.into(),
            processors: std::thread::available_parallelism().map_or(1, |number| number.get() as u32),
            threads: tree::threads_of_user(rustix::process::getuid().as_raw()) + OTHER_THREADS,
        };
        Ok((launcher, welcome))
    }

    /// Serves requests until the judge is gone, or something went so wrong that a fresh launcher should
    /// take over.
    fn work(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        while let Some((request, streams)) = message::receive::<Request>(&self.judge, buffer)? {
            let (outcome, fit) = self.handle(&request, &streams);
            drop(streams);
            let Some(outcome) = outcome else { break };
            message::send(&self.judge, &Reply { outcome, fit }, &[])?;
            if !fit {
                break;
            }
        }
        Ok(())
    }

    /// One run and the clearing up. No outcome means that nobody wants it any more; the flag says whether
    /// this launcher can go on.
    fn handle(&mut self, request: &Request, streams: &[OwnedFd]) -> (Option<Result<Report, Fault>>, bool) {
        let outcome = match self.run(request, streams) {
            Ok(End::Reported(report)) => Ok(report),
            Ok(End::Abandoned) => return (None, false),
            Ok(End::Unkillable) => {
                let fault = Fault::because(clearing(request), "a process it left could not be killed");
                return (Some(Err(fault)), false);
            }
            Err(fault) => Err(fault),
        };
        match self.scratch.renew() {
            Ok(()) => (Some(outcome), true),
            Err(error) => (Some(Err(Fault::new(clearing(request), error))), false),
        }
    }

    fn run(&mut self, request: &Request, streams: &[OwnedFd]) -> Result<End, Fault> {
        let (folder, user) = match &*request.role {
            Role::Submission => (self.scratch.path().to_owned(), self.user.as_ref().map(|user| user.number)),
            Role::Tool { folder } => (folder.clone(), None),
        };
        let words = Words::of(request, streams, &folder).map_err(|cause| {
            Fault::because(format!("starting `{}`", message::shown(&request.command)), cause)
        })?;
        let limits = self.resource_limits(&request.limits);
        let reach = reach_of(request, &folder);
        let child = Child {
            command: &words.command,
            environment: &words.environment,
            folder: &words.folder,
            streams: words.streams,
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

    /// The kernel's own limits, none above what this process may grant. They are backstops, except for
    /// output: one byte more than allowed can be written, so that writing it is seen.
    fn resource_limits(&self, limits: &Limits) -> [(Resource, u64); 6] {
        let seconds = limits.cpu.saturating_add(Duration::from_millis(2999)).as_secs();
        let own = u64::from(limits.processes);
        // This one counts a user's threads on the whole machine.
        let threads = if self.user.is_some() { own } else { self.threads + self.slots * own };
        let wanted = [
            (Resource::Core, 0),
            (Resource::Fsize, limits.output_bytes.saturating_add(1)),
            (Resource::Stack, limits.memory_bytes.saturating_add(STACK_BEYOND_MEMORY_BYTES)),
            (Resource::Cpu, seconds),
            (Resource::Nofile, OPEN_FILES),
            (Resource::Nproc, threads),
        ];
        wanted.map(|(resource, limit)| {
            let most = rustix::process::getrlimit(resource).maximum.unwrap_or(u64::MAX);
            (resource, limit.min(most))
        })
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

fn clearing(request: &Request) -> String {
    format!("clearing up after `{}`", message::shown(&request.command))
}

/// Lets the kernel, when memory runs out, take a run before the judge; forgets how large this process was
/// when it started, because each run's peak counts from there. Neither is worth failing for.
fn be_first_to_go() {
    let _ = fs::write("/proc/self/oom_score_adj", "1000");
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// A request in the words of the kernel.
struct Words<'a> {
    command: Vec<CString>,
    environment: Vec<CString>,
    folder: CString,
    streams: [BorrowedFd<'a>; message::STREAMS],
}

impl<'a> Words<'a> {
    /// Checked and translated, or what is wrong with it.
    fn of(request: &Request, streams: &'a [OwnedFd], folder: &Path) -> Result<Self, String> {
        if !request.command.first().is_some_and(|program| program.starts_with('/')) {
            return Err("the program has no absolute path".to_owned());
        }
        let [input, output, errors] = streams else {
            return Err("the judge sent no streams".to_owned());
        };
        let string = |text: String| CString::new(text).map_err(|error| error.to_string());
        Ok(Self {
            command: request.command.iter().cloned().map(string).collect::<Result<_, _>>()?,
            environment: environment(request, folder).into_iter().map(string).collect::<Result<_, _>>()?,
            folder: CString::new(folder.as_os_str().as_bytes()).map_err(|error| error.to_string())?,
            streams: [input.as_fd(), output.as_fd(), errors.as_fd()],
        })
    }
}

/// What was granted, the program itself, and the working folder.
fn reach_of(request: &Request, folder: &Path) -> Reach {
    let program = request.command.first().map(PathBuf::from);
    let readable = request.readable.iter().cloned().chain(program).collect();
    Reach { readable, writable: folder.to_owned() }
}

/// What was asked for, and the two variables without which many programs look for the home of a user that
/// has none.
fn environment(request: &Request, folder: &Path) -> Vec<String> {
    let given = request.environment.iter().map(|(name, value)| format!("{name}={value}"));
    let missing = |name: &&str| request.environment.iter().all(|(given, _)| given != name);
    let added = ["HOME", "TMPDIR"].into_iter().filter(missing);
    given.chain(added.map(|name| format!("{name}={}", folder.display()))).collect()
}

/// A user that no other launcher runs submissions as, so that two runs can neither signal each other nor
/// count as each other's processes.
struct User {
    number: u32,
    /// Bound to a name that only one process on the machine can have, and that goes when it goes.
    _claim: OwnedFd,
}

impl User {
    /// The first that is neither claimed nor has a process: what a killed launcher left behind shares a user
    /// with no run of ours, nor do the processes of an account that happens to have such a number.
    fn claim() -> io::Result<Self> {
        let busy = tree::users();
        for number in USERS.filter(|number| !busy.contains(number)) {
            let socket =
                rustix::net::socket_with(AddressFamily::UNIX, SocketType::DGRAM, SocketFlags::CLOEXEC, None)?;
            let name = SocketAddrUnix::new_abstract_name(format!("gridjudge-user-{number}").as_bytes())?;
            match rustix::net::bind(&socket, &name) {
                Ok(()) => return Ok(Self { number, _claim: socket }),
                Err(rustix::io::Errno::ADDRINUSE) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(io::Error::other(format!("users {} to {} are all taken", USERS.start, USERS.end - 1)))
    }
}
