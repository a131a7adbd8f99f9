//! What outlived a launcher that was killed: its run's first process dies with it, but not that one's children. They can be told by
//! their user, if they have one to themselves. Knows processes by their user; knows no launcher.

use std::thread;
use std::time::Duration;
use std::time::Instant;

use rustix::process::Pid;
use rustix::process::Signal;

use crate::confine::submission_user::SubmissionUser;
use crate::machine::process_tree;

/// How long processes are killed again and again.
const KILLING_TIMEOUT: Duration = Duration::from_secs(2);

/// How long a dead launcher's claim to its user is waited for: its children may have a share in it for a moment.
const CLAIM_TIMEOUT: Duration = Duration::from_millis(100);

/// Kills all processes of a user, of whom a launcher that is dead had made sure that it was nobody else's. Another launcher on the
/// machine may have claimed it since, which it does only if nothing was left: its runs are none of ours.
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
        let survivors: Vec<_> = process_tree::living_processes_of(user).filter_map(Pid::from_raw).collect();
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
    const SOMEBODY: u32 = 60_600;

    #[test]
    fn who_has_claimed_the_user_meanwhile_loses_no_process() {
        use std::os::unix::process::CommandExt;
        if !rustix::process::geteuid().is_root() {
            return;
        }
        let claim = SubmissionUser::claim_number(SOMEBODY).unwrap().unwrap();
        let mut run = Command::new("/bin/sleep").arg("60").uid(SOMEBODY).spawn().unwrap();
        kill(SOMEBODY);
        assert!(run.try_wait().unwrap().is_none());
        drop(claim);
        kill(SOMEBODY);
        assert!(run.wait().unwrap().code().is_none());
    }
}
