//! The judge's connection to one launcher: starts it, exchanges messages with it, and
//! finds out whether it died. Knows one launcher; knows nothing of how many there are.

use std::borrow::Cow;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{io, thread};

use rustix::event::{PollFd, PollFlags};
use rustix::net::{AddressFamily, Shutdown, SocketFlags, SocketType};
use rustix::process::{Pid, PidfdFlags, Signal};
use rustix::time::Timespec;

use crate::confine::namespaces::SubmissionUser;
use crate::host::output_permissions::OutputPermissions;
use crate::host::std_streams::{OutputFiles, StdStreams};
use crate::machine::process_tree;
use crate::protocol::{JudgeMessage, RunReply, RunReport, RunRequest, SetupRequest};
use crate::{Fault, Guarantees, Launch, Limits, Run, StopSwitch, Usage, protocol, sys};

/// A launcher enforces every limit of a run. If it is silent for this long after the
/// last limit could have been reached, it is broken.
pub(super) const SILENCE_TIMEOUT: Duration = Duration::from_secs(60);

/// The largest factor by which a launcher extends the wall limit. See
/// `launcher/run_watch.rs`.
const WALL_FACTOR: u32 = 10;

/// A launcher that is told to exit kills its run and empties its folder first:
/// milliseconds, mostly.
const LEAVING_TIMEOUT: Duration = Duration::from_secs(10);

/// A launcher that can take a run.
pub(super) struct LauncherHandle {
    process: Child,
    /// Shared with the pool, which may have to interrupt a run.
    socket: Arc<OwnedFd>,
    buffer: Vec<u8>,
    /// The user that submissions run as, if not our own.
    user: Option<u32>,
    /// Output files for the next run, if already made.
    outputs: Option<OutputFiles>,
    /// `Some` where submissions run as our own user, and could change the permissions
    /// of output files.
    permissions: Option<OutputPermissions>,
}

/// The result of asking a launcher for a run.
pub(super) enum LauncherAnswer {
    /// The launcher can take another run.
    Fit(Result<Run, Fault>),
    /// The launcher can take another run, but its measurement was disturbed by memory
    /// that earlier runs left.
    Disturbed(Run),
    /// The launcher must be replaced.
    Unfit(Fault),
    /// The launcher was dead before it took the request: nothing has run.
    NotTaken,
    /// The launcher died in the middle of the run, about which nothing is known.
    Died(Fault),
}

impl LauncherHandle {
    /// Starts a launcher. The caller must then call [`greet`](Self::greet) and
    /// [`wait_until_ready`](Self::wait_until_ready); between the two the launcher sets
    /// itself up.
    pub(super) fn start(launcher: &Path) -> io::Result<Self> {
        let (ours, theirs) = rustix::net::socketpair(
            AddressFamily::UNIX,
            SocketType::SEQPACKET,
            SocketFlags::CLOEXEC,
            None,
        )?;
        let process = Command::new(launcher)
            .arg(protocol::LAUNCHER_ARGUMENT)
            .env_clear()
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let socket = Arc::new(ours);
        let buffer = vec![0; protocol::LONGEST];
        Ok(Self {
            process,
            socket,
            buffer,
            user: None,
            outputs: None,
            permissions: None,
        })
    }

    /// Sends the launcher its setup request. If the launcher has already ended,
    /// [`wait_until_ready`](Self::wait_until_ready) reports how.
    pub(super) fn greet(&self, request: &SetupRequest) -> io::Result<()> {
        match protocol::send(&self.socket, request, &[]) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => result,
        }
    }

    /// Waits until the launcher is set up.
    pub(super) fn wait_until_ready(&mut self) -> Result<Guarantees, Fault> {
        let doing = "starting a launcher";
        match self.receive::<protocol::SetupResult>(SILENCE_TIMEOUT) {
            Ok(Some(answer)) => {
                let reply = answer?;
                self.user = reply.user;
                // Without a watch the memory limit is easier to evade; that is no
                // reason not to judge.
                self.permissions = if self.user.is_none() {
                    OutputPermissions::new().ok()
                } else {
                    None
                };
                Ok(reply.guarantees)
            }
            Ok(None) => Err(Fault::because(
                doing,
                format!("it ended at once ({})", self.exit_status()),
            )),
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
    /// Returns an error if none are prepared, and the machine is out of memory or
    /// descriptors.
    pub(super) fn outputs(&mut self) -> io::Result<OutputFiles> {
        self.outputs
            .take()
            .map_or_else(|| OutputFiles::new(self.permissions.as_mut()), Ok)
    }

    /// Sends one run to the launcher and waits for its result.
    pub(super) fn run(
        &mut self,
        launch: &Launch,
        limits: &Limits,
        streams: StdStreams,
        stop: &StopSwitch,
    ) -> LauncherAnswer {
        let doing =
            || format!("running `{}`", protocol::shown_command(&launch.command));
        match self.send(launch, limits, &streams, false) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                return LauncherAnswer::Fit(Err(Fault::new(doing(), error)));
            }
            Err(_) => return LauncherAnswer::NotTaken,
        }
        let _switched = stop.connect(self.end_of_run());
        // There is time for this while the run lasts. If it fails, the next call of
        // `outputs` tries again.
        self.outputs = OutputFiles::new(self.permissions.as_mut()).ok();
        let patience = limits
            .wall
            .saturating_mul(WALL_FACTOR)
            .saturating_add(SILENCE_TIMEOUT);
        match self.receive::<RunReply>(patience) {
            Ok(Some(RunReply { outcome, fit: true })) => {
                let disturbed = outcome.as_ref().is_ok_and(|report| report.disturbed);
                match outcome.and_then(|report| self.finish(report, limits, streams)) {
                    Ok(run) if disturbed => LauncherAnswer::Disturbed(run),
                    result => LauncherAnswer::Fit(result),
                }
            }
            Ok(Some(RunReply { outcome, .. })) => {
                let gave_up = Fault::because(doing(), "the launcher gave up after it");
                LauncherAnswer::Unfit(outcome.err().unwrap_or(gave_up))
            }
            Ok(None) => LauncherAnswer::Died(Fault::because(doing(), self.ending())),
            Err(error) => LauncherAnswer::Unfit(Fault::new(doing(), error)),
        }
    }

    /// Asks for a run without waiting for it; [`reply`](Self::reply) waits. `wired`
    /// says whether its streams are pipes to another run.
    ///
    /// # Errors
    /// Returns [`io::ErrorKind::InvalidInput`] if the launch cannot be put into a
    /// message. Any other error means that the launcher is gone.
    pub(super) fn send(
        &self,
        launch: &Launch,
        limits: &Limits,
        streams: &StdStreams,
        wired: bool,
    ) -> io::Result<()> {
        protocol::send(
            &self.socket,
            &request(launch, limits, streams, wired),
            &streams.theirs(),
        )
    }

    /// Makes the launcher end the run in progress. Errors are ignored: a launcher that
    /// is gone has no run.
    pub(super) fn stop(&self) {
        self.end_of_run()();
    }

    /// The same, for another thread.
    pub(super) fn end_of_run(&self) -> impl Fn() + Send + use<> {
        let socket = Arc::clone(&self.socket);
        move || {
            let _ = protocol::send(&socket, &JudgeMessage::Stop, &[]);
        }
    }

    /// Waits for the launcher's reply on a run; `None` if the launcher is gone.
    ///
    /// # Errors
    /// Returns an error if it does not answer within `patience`.
    pub(super) fn reply(&mut self, patience: Duration) -> io::Result<Option<RunReply>> {
        self.receive(patience)
    }

    /// Builds the result of a run that has ended, with its output.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the output cannot be read.
    pub(super) fn finish(
        &mut self,
        report: RunReport,
        limits: &Limits,
        streams: StdStreams,
    ) -> Result<Run, Fault> {
        let read_back = self
            .permissions
            .as_mut()
            .map_or(0, |permissions| streams.read_back(permissions));
        let hidden_bytes = limits.output_bytes.saturating_mul(read_back);
        run_of(with_hidden(report, hidden_bytes), streams)
    }

    /// Describes how the launcher, which is gone, ended.
    pub(super) fn ending(&mut self) -> String {
        format!("its launcher ended before it did ({})", self.exit_status())
    }

    fn receive<T: serde::de::DeserializeOwned>(
        &mut self,
        patience: Duration,
    ) -> io::Result<Option<T>> {
        let mut files = [PollFd::new(&*self.socket, PollFlags::IN)];
        let patience = Timespec::try_from(patience).ok();
        loop {
            match rustix::event::poll(&mut files, patience.as_ref()) {
                Ok(0) => {
                    return Err(io::Error::new(
                        io::ErrorKind::TimedOut,
                        "the launcher does not answer",
                    ));
                }
                Ok(_) => break,
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(protocol::receive(&self.socket, &mut self.buffer)?
            .map(|(message, _)| message))
    }

    /// Describes how the launcher ended; kills it if it has not.
    fn exit_status(&mut self) -> String {
        self.reap(Duration::from_secs(1))
    }

    /// Tells the launcher to exit. It kills its run first.
    pub(super) fn shut_down(&self) {
        hang_up(&self.socket);
    }

    /// Waits this long for the launcher to exit, then kills it. Also kills the
    /// processes of a slot's own user if the launcher did not end well. Describes how
    /// it ended.
    fn reap(&mut self, patience: Duration) -> String {
        let start = Instant::now();
        let status = loop {
            match self.process.try_wait() {
                Ok(Some(status)) => break Ok(status),
                Ok(None) if start.elapsed() < patience => {
                    self.wait_for_exit(patience - start.elapsed().min(patience))
                }
                _ => {
                    let _ = self.process.kill();
                    break self.process.wait();
                }
            }
        };
        if !status.as_ref().is_ok_and(ExitStatus::success) {
            self.user.take().into_iter().for_each(kill);
        }
        status.map_or_else(|error| error.to_string(), |status| status.to_string())
    }

    /// Sleeps until the launcher, which has not been reaped yet, has ended, but at most
    /// this long; only for a moment where the kernel cannot wake us.
    fn wait_for_exit(&self, at_most: Duration) {
        let process = rustix::process::pidfd_open(
            Pid::from_child(&self.process),
            PidfdFlags::empty(),
        );
        let has_ended =
            process.is_ok_and(|process| sys::await_readable(process.as_fd(), at_most));
        if !has_ended {
            thread::sleep(at_most.min(Duration::from_millis(1)));
        }
    }
}

impl Drop for LauncherHandle {
    fn drop(&mut self) {
        self.shut_down();
        self.reap(LEAVING_TIMEOUT);
    }
}

/// Closes the connection, which makes the launcher end its run and itself.
pub(super) fn hang_up(socket: &OwnedFd) {
    let _ = rustix::net::shutdown(socket, Shutdown::Both);
}

fn request<'a>(
    launch: &'a Launch,
    limits: &'a Limits,
    streams: &'a StdStreams,
    wired: bool,
) -> JudgeMessage<'a> {
    let output = launch
        .scratch
        .output
        .as_deref()
        .filter(|_| streams.leaves_output());
    let given = Cow::Borrowed(streams.given());
    let output = output.map(Cow::Borrowed);
    JudgeMessage::Run(RunRequest {
        wired,
        given,
        output,
        ..RunRequest::new(launch, limits)
    })
}

// Builds a finished run from its launcher's report and its output. Knows figures and
// streams; knows nothing of how they were obtained.

/// Adds the bytes that a run may have kept in its output to the peak. They count as if
/// the output had been used to its limit.
pub(super) fn with_hidden(report: RunReport, bytes: u64) -> RunReport {
    let peak_memory_bytes = report.usage.peak_memory_bytes.saturating_add(bytes);
    RunReport {
        usage: Usage {
            peak_memory_bytes,
            ..report.usage
        },
        ..report
    }
}

/// Builds the run from a report.
///
/// # Errors
/// Returns a [`Fault`] if its output cannot be read.
pub(super) fn run_of(report: RunReport, streams: StdStreams) -> Result<Run, Fault> {
    let captured = streams
        .captured()
        .map_err(Fault::during("reading what a run wrote"))?;
    Ok(Run {
        exit: report.exit,
        usage: report.usage,
        missing_output: report.missing_output,
        out_of_memory: report.out_of_memory,
        stdout: captured.stdout,
        stdout_bytes: captured.stdout_bytes,
        stderr_bytes: captured.stderr_bytes,
        stderr_tail: captured.stderr_tail,
    })
}

// Kills the processes that outlived a killed launcher: its run's first process dies
// with it, but not the children of that process. They are found by their user id, if
// the slot has its own. Knows processes by their user; knows no launcher.

/// How long to keep killing processes that are found.
const KILLING_TIMEOUT: Duration = Duration::from_secs(2);

/// How long to wait for a dead launcher's claim to its user to end: its children may
/// share it for a moment.
const CLAIM_TIMEOUT: Duration = Duration::from_millis(100);

/// Kills all processes of a user that a launcher, now dead, had claimed for itself
/// alone. If another launcher on the machine has claimed the user since, it did so only
/// because no process was left: its runs are not ours to kill.
pub(super) fn kill(user: u32) {
    let start = Instant::now();
    let _claim = loop {
        match SubmissionUser::claim_number(user) {
            Ok(Some(claim)) => break claim,
            Ok(None) if start.elapsed() < CLAIM_TIMEOUT => {
                thread::sleep(Duration::from_millis(1))
            }
            _ => return,
        }
    };
    while start.elapsed() < KILLING_TIMEOUT {
        let survivors: Vec<_> = process_tree::living_processes_of(user)
            .filter_map(Pid::from_raw)
            .collect();
        if survivors.is_empty() {
            return;
        }
        for survivor in survivors {
            let _ = rustix::process::kill_process(survivor, Signal::KILL);
        }
        thread::yield_now();
    }
}

#[cfg(test)]
mod survivors_tests {
    use std::process::Command;

    use super::*;

    /// Above all users of submissions.
    const UNUSED_USER: u32 = 60_600;

    #[test]
    fn processes_of_a_user_that_another_launcher_has_claimed_are_not_killed() {
        use std::os::unix::process::CommandExt;
        if !rustix::process::geteuid().is_root() {
            return;
        }
        let claim = SubmissionUser::claim_number(UNUSED_USER).unwrap().unwrap();
        let mut run = Command::new("/bin/sleep")
            .arg("60")
            .uid(UNUSED_USER)
            .spawn()
            .unwrap();
        kill(UNUSED_USER);
        assert!(run.try_wait().unwrap().is_none());
        drop(claim);
        kill(UNUSED_USER);
        assert!(run.wait().unwrap().code().is_none());
    }
}
