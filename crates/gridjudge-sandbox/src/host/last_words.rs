//! Waits for the interactor's reaction to the last output of a submission that did not end well.
//! Knows the interactor's side of a pair and how to tell that no reaction will come; knows nothing
//! of what a reaction means. Start at [`ReactionWait::is_over`].
//!
//! The submission is gone: the interactor gets nothing more to read, and its input has no end yet.
//! So it ends by what it has read, or waits for more. Both come without the help of a clock,
//! however busy the machine is. Only an interactor that sleeps for another reason needs a deadline.

use std::time::Duration;

use crate::host::seat::Seat;
use crate::machine::run_look::{RunLook, WaitingFor};

/// The shortest and the longest time between two samples.
const SHORTEST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(32);

/// The wait for a reaction. All times are since the start of the interaction.
pub(super) struct ReactionWait {
    /// When the interactor may no longer sleep.
    deadline: Duration,
    /// When it may no longer sleep although it has read everything.
    deadline_after_reading: Duration,
    next: Duration,
    pause: Duration,
    /// The number of context switches when the last sample found it asleep.
    asleep: Option<u64>,
    /// Whether any sample has found it alive.
    is_seen_alive: bool,
}

impl ReactionWait {
    /// Begins now, with the wall limits of the interactor and of the submission. An interactor that
    /// looks for more input from time to time never waits for it, so it is given the time that the
    /// submission had.
    pub(super) fn begin(now: Duration, wall: Duration, wall_of_submission: Duration) -> Self {
        Self {
            deadline: now.saturating_add(wall),
            deadline_after_reading: now.saturating_add(wall.min(wall_of_submission)),
            next: now,
            pause: SHORTEST_PAUSE,
            asleep: None,
            is_seen_alive: false,
        }
    }

    /// Whether the interactor was alive after the submission's end. If not, it had ended before,
    /// though its launcher reported that later.
    pub(super) fn is_seen_alive(&self) -> bool {
        self.is_seen_alive
    }

    /// When to take the next sample.
    pub(super) fn next(&self) -> Duration {
        self.next
    }

    /// Whether no reaction will come. Samples the interactor, which has not ended, if it is time
    /// to.
    pub(super) fn is_over(&mut self, now: Duration, interactor: &Seat) -> bool {
        if now < self.next {
            return false;
        }
        // Checked before the sample: if the interactor is asleep after this check, it has certainly
        // read everything.
        let has_read_all = interactor.unread() == 0;
        interactor
            .look()
            .is_some_and(|look| self.note(now, &look, has_read_all))
    }

    /// Records a sample. Returns whether the interactor waits for more, or has slept past its
    /// deadline.
    fn note(&mut self, now: Duration, look: &RunLook, has_read_all: bool) -> bool {
        self.is_seen_alive |= look.threads > 0;
        // Without a thread it is about to start, or has ended and is about to be reported.
        let sleeps = look.threads > 0 && look.is_asleep;
        let wants_more = !matches!(look.waits, WaitingFor::SomethingElse | WaitingFor::Room);
        let reads_on = sleeps && wants_more && has_read_all;
        // A sample shows several threads one after the other, and one may have woken another in
        // between. If none has run from one sample to the next, all were asleep at once.
        let has_slept = sleeps && self.asleep == Some(look.switches);
        let is_certain = has_slept || look.threads == 1 && look.waits == WaitingFor::Input;
        let deadline = if has_read_all {
            self.deadline_after_reading
        } else {
            self.deadline
        };
        if reads_on && is_certain || look.is_asleep && now >= deadline {
            return true;
        }
        self.asleep = sleeps.then_some(look.switches);
        self.pause = if reads_on {
            SHORTEST_PAUSE
        } else {
            (self.pause * 2).min(LONGEST_PAUSE)
        };
        self.next = now + self.pause;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WALL: Duration = Duration::from_secs(1);

    fn at_work() -> RunLook {
        RunLook {
            is_asleep: false,
            ..RunLook::asleep(1, WaitingFor::SomethingElse, 7)
        }
    }

    /// How many milliseconds the wait lasts if the samples, at the requested times, are these, and
    /// then the last one again and again; `None` if it lasts for more than a hundred wall limits.
    fn wait(has_read_all: bool, looks: &[RunLook]) -> Option<u128> {
        let start = Duration::from_secs(5);
        let mut reaction = ReactionWait::begin(start, WALL, WALL / 2);
        for sample in 0.. {
            let now = reaction.next();
            if reaction.note(now, &looks[sample.min(looks.len() - 1)], has_read_all) {
                return Some((now - start).as_millis());
            }
            if now > start + 100 * WALL {
                break;
            }
        }
        None
    }

    #[test]
    fn an_interactor_that_has_read_everything_and_waits_for_more_does_not_react() {
        assert_eq!(
            wait(true, &[RunLook::asleep(1, WaitingFor::Input, 7)]),
            Some(0)
        );
        for waits in [WaitingFor::Several, WaitingFor::Unknown] {
            assert_eq!(
                wait(true, &[RunLook::asleep(1, waits, 7)]),
                Some(1),
                "{waits:?}"
            );
        }
        assert_eq!(
            wait(
                true,
                &[
                    at_work(),
                    at_work(),
                    RunLook::asleep(1, WaitingFor::Input, 9)
                ]
            ),
            Some(6)
        );
    }

    #[test]
    fn an_interactor_that_had_ended_before_is_never_seen_alive() {
        let ended = RunLook {
            threads: 0,
            ..RunLook::asleep(1, WaitingFor::Unknown, 0)
        };
        let mut reaction = ReactionWait::begin(WALL, WALL, WALL);
        assert!(!reaction.note(WALL, &ended, true) && !reaction.is_seen_alive());
        assert!(!reaction.note(reaction.next(), &at_work(), true) && reaction.is_seen_alive());
    }

    #[test]
    fn several_threads_must_be_found_asleep_twice_without_having_run() {
        let switches =
            [7, 8, 9, 9].map(|switches| RunLook::asleep(20, WaitingFor::Input, switches));
        assert_eq!(wait(true, &switches), Some(3));
        let [one, .., last] = switches;
        assert_eq!(wait(true, &[one, at_work(), one, last, last]), Some(5));
    }

    #[test]
    fn an_interactor_at_work_has_no_deadline_and_one_that_sleeps_has_a_wall_limit() {
        assert_eq!(wait(true, &[at_work()]), None);
        let sleeps =
            |has_read_all, waits| wait(has_read_all, &[RunLook::asleep(1, waits, 7)]).unwrap();
        let late = sleeps(false, WaitingFor::Input);
        assert!((1000..1040).contains(&late), "{late}");
        let late = sleeps(true, WaitingFor::SomethingElse);
        assert!((500..540).contains(&late), "{late}");
    }
}
