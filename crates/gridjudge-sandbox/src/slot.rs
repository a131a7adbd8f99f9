//! The judge's end of one launcher: starting it, talking to it, telling whether it died. Knows one launcher;
//! knows nothing of how many there are.

use std::borrow::Cow;
use std::io;
use std::os::fd::AsFd;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::Child;
use std::process::Command;
use std::process::ExitStatus;
use std::process::Stdio;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use std::time::Instant;

use rustix::event::PollFd;
use rustix::event::PollFlags;
use rustix::net::AddressFamily;
use rustix::net::Shutdown;
use rustix::net::SocketFlags;
use rustix::net::SocketType;
use rustix::process::Pid;
use rustix::process::PidfdFlags;
use rustix::process::Signal;
use rustix::time::Timespec;

use crate::Fault;
use crate::Guarantees;
use crate::Launch;
use crate::Limits;
use crate::Run;
use crate::Usage;
use crate::message;
use crate::message::Hello;
use crate::message::Reply;
use crate::message::Report;
use crate::message::Request;
use crate::output_rights::OutputRights;
use crate::streams::Outputs;
use crate::streams::Streams;
use crate::sys;
use crate::tree;

/// The first argument that makes our own binary a launcher.
pub const LAUNCHER_ARGUMENT: &str = "__launcher";

/// A launcher enforces every limit of a run; one that is silent for this long after the last of them
/// could have passed is broken.
const PATIENCE: Duration = Duration::from_secs(60);

/// The most that a launcher extends the wall limit by, as a factor. See `watch.rs`.
const WALL_FACTOR: u32 = 10;

/// For survivors of a launcher that was killed.
const KILLING_TAKES_AT_MOST: Duration = Duration::from_secs(2);

/// A launcher that has been told to leave kills its run, empties its folder and goes: milliseconds, but for
/// huge folders.
const LEAVING_TAKES_AT_MOST: Duration = Duration::from_secs(10);

/// A launcher that can take a run.
pub(super) struct Slot {
    process: Child,
    /// Shared with whoever may have to interrupt a run.
    socket: Arc<OwnedFd>,
    buffer: Vec<u8>,
    /// Whom the launcher runs submissions as, if not as our own user.
    user: Option<u32>,
    /// For the next run.
    outputs: Option<Outputs>,
    /// Watched where submissions have our own user.
    rights: Option<OutputRights>,
}

/// What came of asking a launcher for a run.
pub(super) enum Answer {
    /// The launcher is fit for another.
    Fit(Result<Run, Fault>),
    /// So it is, but what it measured was disturbed by what others left.
    Disturbed(Run),
    /// It is to be replaced.
    Unfit(Fault),
    /// It was dead before it took the request: nothing has run.
    NotTaken,
    /// It died in the middle of the run, of which nothing is known.
    Died(Fault),
}

impl Slot {
    /// Starts a launcher, for which [`greet`](Self::greet) must follow, and [`welcome`](Self::welcome). Between the two it sets
    /// itself up.
    pub(super) fn start(launcher: &Path) -> io::Result<Self> {
        let (ours, theirs) =
            rustix::net::socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        let process = Command::new(launcher)
            .arg(LAUNCHER_ARGUMENT)
            .env_clear()
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let (socket, buffer) = (Arc::new(ours), vec![0; message::LONGEST]);
        Ok(Self { process, socket, buffer, user: None, outputs: None, rights: None })
    }

    /// Tells the launcher what it is to be. Of one that has ended already, [`welcome`](Self::welcome) says how.
    pub(super) fn greet(&self, hello: &Hello) -> io::Result<()> {
        match message::send(&self.socket, hello, &[]) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => result,
        }
    }

    /// Waits until the launcher is set up.
    pub(super) fn welcome(&mut self) -> Result<Guarantees, Fault> {
        let doing = "starting a launcher";
        match self.receive::<message::Answer>(PATIENCE) {
            Ok(Some(answer)) => {
                let welcome = answer?;
                self.user = welcome.user;
                // Where there can be no watch, a limit is easier to evade, and nobody is blamed.
                self.rights = if self.user.is_none() { OutputRights::new().ok() } else { None };
                Ok(welcome.guarantees)
            }
            Ok(None) => Err(Fault::because(doing, format!("it ended at once ({})", self.obituary()))),
            Err(error) => Err(Fault::new(doing, error)),
        }
    }

    pub(super) fn socket(&self) -> &Arc<OwnedFd> {
        &self.socket
    }

    pub(super) fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Files for a run's output.
    ///
    /// # Errors
    /// If there are none at hand, and the machine is out of memory or descriptors.
    pub(super) fn outputs(&mut self) -> io::Result<Outputs> {
        self.outputs.take().map_or_else(|| Outputs::new(self.rights.as_mut()), Ok)
    }

    /// Has one run made.
    pub(super) fn run(&mut self, launch: &Launch, limits: &Limits, streams: Streams) -> Answer {
        let doing = || format!("running `{}`", message::shown(&launch.command));
        match message::send(&self.socket, &request(launch, limits), &streams.theirs()) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                return Answer::Fit(Err(Fault::new(doing(), error)));
            }
            Err(_) => return Answer::NotTaken,
        }
        // While the run lasts there is time for it. What fails now will say so when it is wanted.
        self.outputs = Outputs::new(self.rights.as_mut()).ok();
        let patience = limits.wall.saturating_mul(WALL_FACTOR).saturating_add(PATIENCE);
        match self.receive::<Reply>(patience) {
            Ok(Some(Reply { outcome, fit: true })) => {
                let disturbed = outcome.as_ref().is_ok_and(|report| report.disturbed);
                let read_back = self.rights.as_mut().map_or(0, |rights| streams.read_back(rights));
                let hidden_bytes = limits.output_bytes.saturating_mul(read_back);
                match outcome.and_then(|report| finish(with_hidden(report, hidden_bytes), streams)) {
                    Ok(run) if disturbed => Answer::Disturbed(run),
                    result => Answer::Fit(result),
                }
            }
            Ok(Some(Reply { outcome, .. })) => {
                let gave_up = Fault::because(doing(), "the launcher gave up after it");
                Answer::Unfit(outcome.err().unwrap_or(gave_up))
            }
            Ok(None) => {
                let died = format!("its launcher ended before it did ({})", self.obituary());
                Answer::Died(Fault::because(doing(), died))
            }
            Err(error) => Answer::Unfit(Fault::new(doing(), error)),
        }
    }

    fn receive<T: serde::de::DeserializeOwned>(&mut self, patience: Duration) -> io::Result<Option<T>> {
        let mut files = [PollFd::new(&*self.socket, PollFlags::IN)];
        let patience = Timespec::try_from(patience).ok();
        loop {
            match rustix::event::poll(&mut files, patience.as_ref()) {
                Ok(0) => return Err(io::Error::new(io::ErrorKind::TimedOut, "the launcher does not answer")),
                Ok(_) => break,
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(message::receive(&self.socket, &mut self.buffer)?.map(|(message, _)| message))
    }

    /// How the launcher ended; kills it if it has not.
    fn obituary(&mut self) -> String {
        self.bury(Duration::from_secs(1))
    }

    /// Tells the launcher to leave. It kills its run first.
    pub(super) fn dismiss(&self) {
        hang_up(&self.socket);
    }

    /// Waits for a dismissed launcher to be gone, for this long; then it is killed.
    fn bury(&mut self, patience: Duration) -> String {
        let start = Instant::now();
        let status = loop {
            match self.process.try_wait() {
                Ok(Some(status)) => break Ok(status),
                Ok(None) if start.elapsed() < patience => {
                    self.await_end(patience - start.elapsed().min(patience))
                }
                _ => {
                    let _ = self.process.kill();
                    break self.process.wait();
                }
            }
        };
        if !status.as_ref().is_ok_and(ExitStatus::success) {
            self.kill_survivors();
        }
        status.map_or_else(|error| error.to_string(), |status| status.to_string())
    }

    /// Sleeps until the launcher, which has not been waited for yet, has ended, or for this long; for a moment only where the
    /// kernel cannot wake us.
    fn await_end(&self, at_most: Duration) {
        let process = rustix::process::pidfd_open(Pid::from_child(&self.process), PidfdFlags::empty());
        let has_ended = process.is_ok_and(|process| sys::has_ended(process.as_fd(), at_most));
        if !has_ended {
            thread::sleep(at_most.min(Duration::from_millis(1)));
        }
    }

    /// What outlived a launcher that was killed: its run's first process dies with it, but not that one's
    /// children. They can be told by their user, if they have one to themselves.
    fn kill_survivors(&mut self) {
        let Some(user) = self.user.take() else { return };
        let start = Instant::now();
        while start.elapsed() < KILLING_TAKES_AT_MOST {
            let survivors: Vec<_> = tree::living_processes_of(user).filter_map(Pid::from_raw).collect();
            if survivors.is_empty() {
                return;
            }
            for survivor in survivors {
                let _ = rustix::process::kill_process(survivor, Signal::KILL);
            }
            thread::yield_now();
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.dismiss();
        self.bury(LEAVING_TAKES_AT_MOST);
    }
}

/// What a launcher takes for the judge's death: it ends its run, and itself.
pub(super) fn hang_up(socket: &OwnedFd) {
    let _ = rustix::net::shutdown(socket, Shutdown::Both);
}

fn request<'a>(launch: &'a Launch, limits: &'a Limits) -> Request<'a> {
    Request {
        command: Cow::Borrowed(&launch.command),
        environment: Cow::Borrowed(&launch.environment),
        readable: Cow::Borrowed(&launch.readable),
        role: Cow::Borrowed(&launch.role),
        limits: Cow::Borrowed(limits),
    }
}

/// What a run may have kept in its output counts as if it had been the most that there can be.
fn with_hidden(report: Report, bytes: u64) -> Report {
    let peak_memory_bytes = report.usage.peak_memory_bytes.saturating_add(bytes);
    Report { usage: Usage { peak_memory_bytes, ..report.usage }, ..report }
}

fn finish(report: Report, streams: Streams) -> Result<Run, Fault> {
    let captured = streams.captured().map_err(|error| Fault::new("reading what a run wrote", error))?;
    Ok(Run {
        exit: report.exit,
        usage: report.usage,
        out_of_memory: report.out_of_memory,
        stdout: captured.stdout,
        stdout_bytes: captured.stdout_bytes,
        stderr_bytes: captured.stderr_bytes,
        stderr_tail: captured.stderr_tail,
    })
}
