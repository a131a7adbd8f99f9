//! The judge's connection to one launcher: starts it, exchanges messages with it, and
//! finds out whether it died. Knows one launcher; knows nothing of how many there are.

use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{io, thread};

use rustix::net::{AddressFamily, Shutdown, SocketFlags, SocketType};
use rustix::process::{Pid, Signal};

use crate::confine::namespaces::SubmissionUser;
use crate::fault::MOST_ATTEMPTS;
use crate::host::output_permissions::OutputPermissions;
use crate::host::std_streams::{OutputFiles, StdStreams};
use crate::machine::process_tree::{self, ProcStat};
use crate::protocol::{JudgeMessage, RunReply, RunReport, RunRequest, SetupRequest};
use crate::{Fault, Guarantees, Launch, Limits, Run, StopSwitch, protocol, sys};

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
    pub(super) socket: Arc<OwnedFd>,
    buffer: Vec<u8>,
    /// The user that submissions run as, if not our own.
    user: Option<u32>,
    /// Output files for the next run, if already made.
    outputs: Option<OutputFiles>,
    /// `Some` where submissions run as our own user, and could change the permissions
    /// of output files.
    permissions: Option<OutputPermissions>,
    /// Whether it can take another run, and need not be replaced.
    pub(super) is_fit: bool,
}

/// The result of one attempt at a run, or at an interaction.
pub(super) enum Attempt<T> {
    Finished(T),
    /// It should be measured again, if it cannot have left anything; the last attempt
    /// is used.
    Doubtful(T),
    /// A launcher died in the middle of it. No verdict may depend on that: it is
    /// repeated, here if it cannot have left anything, else by the caller.
    Lost(Fault),
    /// Nothing was started.
    NotRun,
}

impl<T> Attempt<T> {
    /// Makes attempts until one counts, [`MOST_ATTEMPTS`] at most, and fewer once
    /// `is_over`. Only what `leaves_nothing` is repeated after it has started.
    ///
    /// # Errors
    /// Returns the [`Fault`] of an attempt, or of the last if launchers died in all.
    pub(super) fn repeat(
        leaves_nothing: bool,
        is_over: impl Fn() -> bool,
        mut attempt: impl FnMut() -> Result<Self, Fault>,
    ) -> Result<T, Fault> {
        let mut outcome = Err(Fault::because(
            "starting a run",
            "launchers die as soon as they have started",
        ));
        for _ in 0..MOST_ATTEMPTS {
            match attempt()? {
                Self::Doubtful(result) if leaves_nothing => outcome = Ok(result),
                Self::Finished(result) | Self::Doubtful(result) => return Ok(result),
                Self::Lost(fault) if leaves_nothing => outcome = Err(fault),
                Self::Lost(fault) => {
                    let lost_run = true;
                    return Err(Fault { lost_run, ..fault });
                }
                Self::NotRun => {}
            }
            if is_over() {
                break;
            }
        }
        outcome
    }
}

/// The result of asking a launcher for a run.
pub(super) type LauncherAnswer = Result<Attempt<RunReport>, Fault>;

impl LauncherHandle {
    /// Starts a launcher, for which [`set_up`](Self::set_up) must be called next.
    ///
    /// # Errors
    /// Returns a [`Fault`] if it cannot be started.
    pub(super) fn start(launcher: &Path) -> Result<Self, Fault> {
        Self::try_start(launcher)
            .map_err(Fault::at("starting a launcher by", launcher))
    }

    fn try_start(launcher: &Path) -> io::Result<Self> {
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
        Ok(Self {
            process,
            socket: Arc::new(ours),
            buffer: vec![0; protocol::LONGEST],
            user: None,
            outputs: None,
            permissions: None,
            is_fit: true,
        })
    }

    /// Sends the launcher its setup request, and waits until it is set up.
    ///
    /// # Errors
    /// Returns a [`Fault`] if it cannot be set up, or has ended.
    pub(super) fn set_up(
        &mut self,
        request: &SetupRequest,
    ) -> Result<Guarantees, Fault> {
        match protocol::send(&self.socket, request, &[]) {
            // It has already ended, and is found to be gone below.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            result => result.map_err(Fault::during("greeting a launcher"))?,
        }
        let doing = "starting a launcher";
        let Some(answer) = self
            .receive::<protocol::SetupResult>(SILENCE_TIMEOUT)
            .map_err(Fault::during(doing))?
        else {
            let cause = format!("it ended at once ({})", self.exit_status());
            return Err(Fault::because(doing, cause));
        };
        let reply = answer?;
        self.user = reply.user;
        // Without a watch the memory limit is easier to evade; that is no reason not to
        // judge.
        self.permissions = if self.user.is_none() {
            OutputPermissions::new().ok()
        } else {
            None
        };
        Ok(reply.guarantees)
    }

    /// The fault of a run about which the launcher, which must be replaced, does not
    /// answer.
    pub(super) fn give_up(&mut self, launch: &Launch) -> Fault {
        self.is_fit = false;
        Fault::because(running(launch), "the launcher does not answer")
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
        streams: &StdStreams,
        stop: &StopSwitch,
    ) -> LauncherAnswer {
        if let Some(answer) = self.send(launch, limits, streams, false) {
            return answer;
        }
        let _switched = stop.connect(self.end_of_run());
        // There is time for this while the run lasts. If it fails, the next call of
        // `outputs` tries again.
        self.outputs = OutputFiles::new(self.permissions.as_mut()).ok();
        let patience = limits
            .wall
            .saturating_mul(WALL_FACTOR)
            .saturating_add(SILENCE_TIMEOUT);
        self.answer(launch, patience)
    }

    /// Asks for a run without waiting for it; [`answer`](Self::answer) waits. `wired`
    /// says whether its streams are pipes to another run.
    ///
    /// Returns the answer if there will be no run: the launch cannot be put into a
    /// message, or the launcher is gone.
    pub(super) fn send(
        &mut self,
        launch: &Launch,
        limits: &Limits,
        streams: &StdStreams,
        wired: bool,
    ) -> Option<LauncherAnswer> {
        let output = launch.scratch.output.clone();
        let request = JudgeMessage::Run(RunRequest {
            command: launch.command.clone(),
            environment: launch.environment.clone(),
            readable: launch.readable.clone(),
            role: launch.role.clone(),
            limits: limits.clone(),
            wired,
            given: streams.given().to_vec(),
            output: output.filter(|_| streams.leaves_output()),
        });
        let error =
            protocol::send(&self.socket, &request, &streams.theirs()).err()?;
        self.is_fit = error.kind() == io::ErrorKind::InvalidInput;
        Some(if self.is_fit {
            Err(Fault::new(running(launch), error))
        } else {
            Ok(Attempt::NotRun)
        })
    }

    /// Waits for the end of a run that was asked for.
    pub(super) fn answer(
        &mut self,
        launch: &Launch,
        patience: Duration,
    ) -> LauncherAnswer {
        let doing = running(launch);
        self.is_fit = false;
        match self.receive(patience) {
            Ok(Some(RunReply { outcome, fit })) => {
                self.is_fit = fit;
                let report = outcome?;
                if fit {
                    Ok(Attempt::Finished(report))
                } else {
                    Err(Fault::because(doing, "the launcher gave up after it"))
                }
            }
            // Nothing is known about the run, in the middle of which it died.
            Ok(None) => {
                let status = self.exit_status();
                let cause = format!("its launcher ended before it did ({status})");
                Ok(Attempt::Lost(Fault::because(doing, cause)))
            }
            Err(error) => Err(Fault::new(doing, error)),
        }
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

    /// Builds the result of a run that has ended, with its output. What it may have kept
    /// in its output is added to the peak, as if that had been used to its limit.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the output cannot be read.
    pub(super) fn finish(
        &mut self,
        mut report: RunReport,
        limits: &Limits,
        streams: StdStreams,
    ) -> Result<Run, Fault> {
        let read_back = self
            .permissions
            .as_mut()
            .map_or(0, |permissions| streams.read_back(permissions));
        let hidden_bytes = limits.output_bytes.saturating_mul(read_back);
        let peak_bytes = &mut report.usage.peak_memory_bytes;
        *peak_bytes = peak_bytes.saturating_add(hidden_bytes);
        streams
            .into_run(report)
            .map_err(Fault::during("reading what a run wrote"))
    }

    fn receive<T: serde::de::DeserializeOwned>(
        &mut self,
        patience: Duration,
    ) -> io::Result<Option<T>> {
        if !sys::await_readable(self.socket.as_fd(), patience) {
            return Err(io::Error::other("the launcher does not answer"));
        }
        Ok(protocol::receive(&self.socket, &mut self.buffer)?
            .map(|(message, _)| message))
    }

    /// Describes how the launcher ended; kills it if it has not.
    fn exit_status(&mut self) -> String {
        self.reap(Duration::from_secs(1))
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
        if !sys::await_exit(&self.process, at_most) {
            thread::sleep(at_most.min(Duration::from_millis(1)));
        }
    }
}

impl Drop for LauncherHandle {
    fn drop(&mut self) {
        hang_up(&self.socket);
        self.reap(LEAVING_TIMEOUT);
    }
}

/// Closes the connection, which makes the launcher end its run and itself.
pub(super) fn hang_up(socket: &OwnedFd) {
    let _ = rustix::net::shutdown(socket, Shutdown::Both);
}

/// What a launcher does that makes a run, for a fault.
fn running(launch: &Launch) -> String {
    format!("running `{}`", protocol::shown_command(&launch.command))
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
fn kill(user: u32) {
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
        // A dead one may stay for long if its parent does not reap it.
        let survivors: Vec<_> = process_tree::processes_of(user)
            .filter(|pid| {
                ProcStat::of_process(*pid).is_some_and(|it| !it.has_ended())
            })
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
