//! Runs a program of this machine and returns its output, as the user who started the
//! judge would by hand: without any confinement, but in no other environment than it is
//! given. For tools that the judge's user has installed, and never for what a
//! submission or a problem names. Start at [`ask`].

use std::ffi::OsString;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use crate::sys;

/// Long enough for a tool that has to start a runtime on a busy machine.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

/// An answer of this many bytes or more is not accepted.
const LONGEST_ANSWER: u64 = 64 << 10;

/// Returns what a program prints for these arguments, on standard output and standard
/// error together. `None` unless it exits with code 0 and in time.
///
/// The program runs in `/`, because some tools use files that they find in the working
/// directory or above.
pub fn ask(
    program: &Path,
    arguments: &[String],
    environment: &[(String, OsString)],
) -> Option<String> {
    ask_within(ANSWER_TIMEOUT, program, arguments, environment)
}

fn ask_within(
    most: Duration,
    program: &Path,
    arguments: &[String],
    environment: &[(String, OsString)],
) -> Option<String> {
    let (mut answer, theirs) = io::pipe().ok()?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env_clear()
        .envs(environment.iter().cloned())
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(theirs.try_clone().ok()?)
        .stderr(theirs)
        .process_group(0);
    let asked = ToolQuery(command.spawn().ok()?);
    // The command holds copies of the pipe's write end, which would keep the answer
    // from ending.
    drop(command);
    let mut said = vec![];
    let deadline = Instant::now() + most;
    while (said.len() as u64) < LONGEST_ANSWER
        && sys::await_readable(answer.as_fd(), left_until(deadline))
    {
        let mut piece = [0; 4096];
        match answer.read(&mut piece) {
            Ok(0) => {
                return asked
                    .ended_well(deadline)
                    .then(|| String::from_utf8_lossy(&said).into_owned());
            }
            Ok(bytes) => said.extend(&piece[..bytes]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    None
}

fn left_until(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

/// A program that was asked. On drop it is killed, with all processes that stayed in
/// its process group.
struct ToolQuery(Child);

impl ToolQuery {
    /// Whether it exits with code 0 before the deadline: a program that has closed its
    /// output may go on running.
    fn ended_well(mut self, deadline: Instant) -> bool {
        sys::await_exit(&self.0, left_until(deadline))
            && self.0.wait().is_ok_and(|status| status.success())
    }
}

impl Drop for ToolQuery {
    fn drop(&mut self) {
        // Once it has been reaped, its process id may belong to another process.
        if let Ok(None) = self.0.try_wait() {
            let group = Pid::from_child(&self.0);
            let _ = rustix::process::kill_process_group(group, Signal::KILL);
            let _ = self.0.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(script: &str) -> Option<String> {
        let environment = [("GIVEN".to_owned(), OsString::from("two"))];
        ask(
            Path::new("/bin/sh"),
            &["-c".to_owned(), script.to_owned()],
            &environment,
        )
    }

    #[test]
    fn the_answer_is_the_output_on_both_streams_of_a_program_that_exits_with_code_0()
    {
        assert_eq!(answer("pwd; echo $GIVEN >&2").as_deref(), Some("/\ntwo\n"));
        assert_eq!(answer("echo no; exit 1"), None);
        assert_eq!(answer("kill -9 $$"), None);
        assert_eq!(ask(Path::new("/no/such/program"), &[], &[]), None);
    }

    #[test]
    fn a_program_that_is_asked_gets_no_environment_but_its_own() {
        assert!(std::env::var_os("PATH").is_some());
        assert_eq!(
            answer("/usr/bin/env | grep -v -e ^PWD= -e ^SHLVL= -e ^_= -e ^OLDPWD=")
                .as_deref(),
            Some("GIVEN=two\n")
        );
    }

    #[test]
    fn a_program_that_closes_its_output_and_lives_on_is_stopped() {
        let script = ["-c", "echo all; exec >&- 2>&-; sleep 1000"].map(str::to_owned);
        assert_eq!(
            ask_within(
                Duration::from_millis(100),
                Path::new("/bin/sh"),
                &script,
                &[]
            ),
            None
        );
    }

    #[test]
    fn a_program_with_endless_output_is_stopped() {
        assert_eq!(answer("while :; do echo on and on; done"), None);
    }
}
