//! How fast this machine computes at the moment, by a piece of work that is always the same. Knows nothing of runs: a
//! caller that compares times of two days calibrates beside each run, and sees whether it was the machine that was slower.

use std::hint::black_box;
use std::time::Duration;

use rustix::time::ClockId;
use rustix::time::clock_gettime;

/// So often the work is done: about a tenth of a millisecond together.
const TURNS: u32 = 20;

/// The CPU time that a small search takes on this thread. It has many branches and independent steps, as most programs do, and
/// so it suffers as they do where two processors share the parts of one core; a chain of sums would not.
pub fn calibrate() -> Duration {
    let before = cpu_time();
    let found: u32 = (0..TURNS).map(|_| ways(black_box(0), 0, 0)).sum();
    black_box(found);
    cpu_time().saturating_sub(before)
}

/// In how many ways queens can be put on what is left of a chessboard: columns, and the two kinds of diagonals, that are taken.
fn ways(columns: u32, falling: u32, rising: u32) -> u32 {
    if columns == 255 {
        return 1;
    }
    let (mut free, mut found) = (255 & !(columns | falling | rising), 0);
    while free != 0 {
        let queen = free & free.wrapping_neg();
        free ^= queen;
        found += ways(columns | queen, (falling | queen) << 1, (rising | queen) >> 1);
    }
    found
}

fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_queens_have_92_places_and_take_time() {
        assert_eq!(ways(0, 0, 0), 92);
        assert!(calibrate() > Duration::ZERO);
    }
}
