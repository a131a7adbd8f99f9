//! What outlived a launcher that was killed: its run's first process dies with it, but not that one's children. They can be told by
//! their user, if they have one to themselves. Knows processes by their user; knows no launcher.

use std::thread;
use std::time::Duration;
use std::time::Instant;

use rustix::process::Pid;
use rustix::process::Signal;

use crate::machine::process_tree;

/// How long processes are killed again and again.
const KILLING_TIMEOUT: Duration = Duration::from_secs(2);

/// Kills all processes of a user that nobody else has.
pub(super) fn kill(user: u32) {
    let start = Instant::now();
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
