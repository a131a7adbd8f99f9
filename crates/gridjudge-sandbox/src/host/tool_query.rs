//! Asks a program of this machine a question, as the user who started the judge would by hand: outside of every confinement, in
//! the judge's own environment. For tools that the judge's user has installed, and never for anything of a submission. Start
//! at [`ask`].

use std::io;
use std::io::Read;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Child;
use std::process::Command;
use std::process::Stdio;
use std::time::Duration;
use std::time::Instant;

use rustix::event::PollFd;
use rustix::event::PollFlags;
use rustix::process::Pid;
use rustix::process::PidfdFlags;
use rustix::process::Signal;
use rustix::time::Timespec;

/// Some tools start a runtime to answer, on a busy machine.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

/// Bytes of an answer that are read.
const LONGEST_ANSWER: u64 = 64 << 10;

/// What a program says to these arguments, on standard output and standard error, if it ends well and in time.
///
/// It works in `/`, for some tools go by files that they find in the folder where they are, and above.
pub fn ask(program: &Path, arguments: &[String]) -> Option<String> {
    ask_within(ANSWER_TIMEOUT, program, arguments)
}

fn ask_within(most: Duration, program: &Path, arguments: &[String]) -> Option<String> {
    let (mut answer, theirs) = io::pipe().ok()?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir("/").env("LANG", "C").stdin(Stdio::null());
    command.stdout(theirs.try_clone().ok()?).stderr(theirs).process_group(0);
    let asked = ToolQuery(command.spawn().ok()?);
    // Its own copies of the pipe, which would keep it from ending.
    drop(command);
    let mut said = Vec::new();
    let deadline = Instant::now() + most;
    while (said.len() as u64) < LONGEST_ANSWER && is_readable(&answer, deadline) {
        let mut piece = [0; 4096];
        match answer.read(&mut piece) {
            Ok(0) => return asked.ended_well(deadline).then(|| String::from_utf8_lossy(&said).into_owned()),
            Ok(bytes) => said.extend(&piece[..bytes]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    None
}

fn is_readable(answer: &impl AsFd, deadline: Instant) -> bool {
    let left = deadline.saturating_duration_since(Instant::now());
    let left = Timespec { tv_sec: left.as_secs().cast_signed(), tv_nsec: left.subsec_nanos().into() };
    let mut polled = [PollFd::new(answer, PollFlags::IN)];
    loop {
        match rustix::event::poll(&mut polled, Some(&left)) {
            Err(rustix::io::Errno::INTR) => {}
            result => return result.is_ok_and(|ready| ready > 0),
        }
    }
}

/// A program that was asked, and that goes with this, with all that it has started and that stayed in its group.
struct ToolQuery(Child);

impl ToolQuery {
    /// Whether it ends with code 0, and in time: a program that has closed its output may go on running.
    fn ended_well(mut self, deadline: Instant) -> bool {
        let process = rustix::process::pidfd_open(Pid::from_child(&self.0), PidfdFlags::empty());
        // A descriptor of a process can be read from when that has ended.
        let has_ended = process.is_ok_and(|process| is_readable(&process, deadline));
        has_ended && self.0.wait().is_ok_and(|status| status.success())
    }
}

impl Drop for ToolQuery {
    fn drop(&mut self) {
        // Once it has been reaped, its process id may belong to another process.
        if let Ok(None) = self.0.try_wait() {
            if let Some(group) = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw) {
                let _ = rustix::process::kill_process_group(group, Signal::KILL);
            }
            let _ = self.0.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(script: &str) -> Option<String> {
        ask(Path::new("/bin/sh"), &["-c".to_owned(), script.to_owned()])
    }

    #[test]
    fn an_answer_is_what_is_said_on_both_streams_by_who_ends_well() {
        assert_eq!(answer("pwd; echo two >&2").as_deref(), Some("/\ntwo\n"));
        assert_eq!(answer("echo no; exit 1"), None);
        assert_eq!(answer("kill -9 $$"), None);
        assert_eq!(ask(Path::new("/no/such/program"), &[]), None);
    }

    #[test]
    fn who_has_said_all_and_lives_on_is_stopped() {
        let script = ["-c", "echo all; exec >&- 2>&-; sleep 1000"].map(str::to_owned);
        assert_eq!(ask_within(Duration::from_millis(100), Path::new("/bin/sh"), &script), None);
    }

    #[test]
    fn who_does_not_stop_talking_is_stopped() {
        assert_eq!(answer("while :; do echo on and on; done"), None);
    }
}
