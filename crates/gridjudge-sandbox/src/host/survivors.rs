//! Kills the processes that outlived a killed launcher: its run's first process dies with it, but
//! not the children of that process. They are found by their user id, if the slot has its own.
//! Knows processes by their user; knows no launcher.

use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use crate::confine::submission_user::SubmissionUser;
use crate::machine::process_tree;

/// How long to keep killing processes that are found.
const KILLING_TIMEOUT: Duration = Duration::from_secs(2);

/// How long to wait for a dead launcher's claim to its user to end: its children may share it for a
/// moment.
const CLAIM_TIMEOUT: Duration = Duration::from_millis(100);

/// Kills all processes of a user that a launcher, now dead, had claimed for itself alone. If
/// another launcher on the machine has claimed the user since, it did so only because no process
/// was left: its runs are not ours to kill.
pub(super) fn kill(user: u32) {
    let start = Instant::now();
    let _claim = loop {
        match SubmissionUser::claim_number(user) {
            Ok(Some(claim)) => break claim,
            Ok(None) if start.elapsed() < CLAIM_TIMEOUT => thread::sleep(Duration::from_millis(1)),
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
mod tests {
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
