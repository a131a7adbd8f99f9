//! Decides whether two interacting runs have stalled, and whose turn it was. Works on
//! samples of both runs, taken by the caller, and their wall limits; samples nothing
//! itself. Start at [`StallWatch::note_look`].
//!
//! Samples are few: at 50, 100, 200, 400 ms and so on, and at deadlines. The
//! submission's clock stops while it is the interactor's turn, as far as samples can
//! tell: for the CPU time of the interactor, and for as long as it slept without
//! interruption from one sample to the next and waited for nothing that the submission
//! could give it.

use std::time::Duration;

use crate::Stall;
use crate::machine::run_look::{RunLook, WaitingFor};

/// When the first sample is taken. Few interactions last that long.
const FIRST_LOOK: Duration = Duration::from_millis(50);

/// The time between two samples that must both find both runs waiting, neither having
/// woken in between.
const BETWEEN_SUSPICIONS: Duration = Duration::from_millis(50);

/// The shortest time between samples after a deadline. A run that does not owe the next
/// bytes is sampled every tenth of the submission's limit, if that is longer.
const LEAST_EXTENSION: Duration = Duration::from_millis(10);

/// After how many wall limits even a submission that is at work is stopped.
const MOST_PATIENCE: u32 = 10;

/// A sample of both runs.
pub(super) struct PairLook {
    /// `None` once it has ended; the same for the interactor.
    pub(super) submission: Option<RunLook>,
    pub(super) interactor: Option<RunLook>,
    /// Whether there are bytes that the submission has not read yet; the same for the
    /// interactor.
    pub(super) unread_by_submission: bool,
    pub(super) unread_by_interactor: bool,
}

/// The state gathered from the samples so far.
#[derive(Default)]
pub(super) struct StallWatch {
    submission_wall: Duration,
    interactor_wall: Duration,
    /// When to take the next sample, since the start.
    pub(super) next: Duration,
    /// Time in which it was the interactor's turn and it slept.
    slept: Duration,
    interactor_cpu: Duration,
    /// When the last sample found the interactor asleep in its turn, and its count of
    /// context switches then.
    asleep: Option<(Duration, u64)>,
    /// The submission's count of context switches when it was last found asleep past
    /// its deadline.
    asleep_late: Option<u64>,
    /// Since when both were found waiting, and the context switch counts of both.
    suspicion: Option<(Duration, (u64, u64))>,
}

impl StallWatch {
    pub(super) fn new(submission_wall: Duration, interactor_wall: Duration) -> Self {
        Self {
            submission_wall,
            interactor_wall,
            next: FIRST_LOOK,
            ..Self::default()
        }
    }

    /// The sum of both wall limits.
    pub(super) fn last(&self) -> Duration {
        self.submission_wall.saturating_add(self.interactor_wall)
    }

    /// Records a sample taken at this time since the start. Returns why the runs have
    /// stalled, if they have.
    pub(super) fn note_look(
        &mut self,
        now: Duration,
        look: &PairLook,
    ) -> Option<Stall> {
        let last = self.last();
        let Some(submission) = &look.submission else {
            self.next = last.max(now);
            return (now >= last).then_some(Stall::InteractorsTurn);
        };
        if self.is_deadlock(now, look) {
            return Some(Stall::BothWait);
        }
        let is_interactors_turn = self.note_turn(now, look);
        if is_interactors_turn && now >= last {
            return Some(Stall::InteractorsTurn);
        }
        let deadline = self
            .submission_wall
            .saturating_add(self.slept)
            .saturating_add(self.interactor_cpu);
        if now < deadline {
            let last = if now < last { last } else { deadline };
            self.next = (now * 2).max(FIRST_LOOK).min(deadline).min(last);
            if let Some((since, _)) = self.suspicion {
                self.next = self
                    .next
                    .min(since + BETWEEN_SUSPICIONS)
                    .max(now + LEAST_EXTENSION);
            }
            return None;
        }
        // Past its deadline, a submission that sleeps has stalled, unless it is the
        // interactor's turn. A submission that writes without a pause also sleeps now
        // and then, so it must have slept from one sample to the next without waking.
        // What it writes to an interactor that has ended is thrown away by the judge,
        // and it may be waiting for that.
        let is_our_turn =
            look.interactor.is_none() && submission.waits == WaitingFor::Room;
        let has_patience = now < self.submission_wall.saturating_mul(MOST_PATIENCE);
        if !is_interactors_turn && !has_patience {
            return Some(Stall::SubmissionsTurn);
        }
        let is_at_work =
            submission.threads == 0 || !submission.is_asleep || is_our_turn;
        if is_interactors_turn || is_at_work {
            self.asleep_late = None;
            self.next = now + LEAST_EXTENSION.max(self.submission_wall / 10);
            return None;
        }
        let before = self.asleep_late.replace(submission.switches);
        self.next = now + LEAST_EXTENSION;
        (before == Some(submission.switches)).then_some(Stall::SubmissionsTurn)
    }

    /// Whether both wait for each other, and have done so for a while. This cannot be
    /// determined for runs with several threads, nor if a signal may interrupt the
    /// waiting.
    fn is_deadlock(&mut self, now: Duration, look: &PairLook) -> bool {
        let waiting = |look: &Option<RunLook>| {
            look.filter(|look| {
                look.threads == 1
                    && look.waits == WaitingFor::Input
                    && !look.may_have_timer
            })
            .map(|look| look.switches)
        };
        let has_unread = look.unread_by_submission || look.unread_by_interactor;
        let both = waiting(&look.submission).zip(waiting(&look.interactor));
        let Some(found) = both.filter(|_| !has_unread) else {
            self.suspicion = None;
            return false;
        };
        match self.suspicion {
            Some((since, before)) if before == found => {
                now >= since + BETWEEN_SUSPICIONS
            }
            _ => {
                self.suspicion = Some((now, found));
                false
            }
        }
    }

    /// Whether it is the interactor's turn, which it is not once it has ended. Adds up
    /// for how long it was.
    fn note_turn(&mut self, now: Duration, look: &PairLook) -> bool {
        let before = self.asleep.take();
        let Some(interactor) = &look.interactor else {
            return false;
        };
        self.interactor_cpu = self.interactor_cpu.max(interactor.cpu);
        let is_its_turn = match interactor.waits {
            WaitingFor::SomethingElse => true,
            WaitingFor::Room => false,
            WaitingFor::Input | WaitingFor::Several | WaitingFor::Unknown => {
                look.unread_by_interactor
            }
        };
        if is_its_turn && interactor.is_asleep {
            if let Some((since, switches)) = before
                && switches == interactor.switches
            {
                self.slept += now.saturating_sub(since);
            }
            self.asleep = Some((now, interactor.switches));
        }
        is_its_turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn run(waits: WaitingFor, switches: u64) -> Option<RunLook> {
        Some(RunLook::asleep(1, waits, switches))
    }

    fn busy() -> Option<RunLook> {
        let at_work = run(WaitingFor::SomethingElse, 1).unwrap();
        Some(RunLook {
            is_asleep: false,
            ..at_work
        })
    }

    fn pair(submission: Option<RunLook>, interactor: Option<RunLook>) -> PairLook {
        PairLook {
            submission,
            interactor,
            unread_by_submission: false,
            unread_by_interactor: false,
        }
    }

    /// The result and its time if all samples, at the requested times, are the same,
    /// with wall limits of one and three seconds.
    fn outcome(look: &PairLook) -> (Stall, Duration) {
        let mut watch = StallWatch::new(ms(1000), ms(3000));
        loop {
            let now = watch.next;
            if let Some(stall) = watch.note_look(now, look) {
                return (stall, now);
            }
            assert!(watch.next > now, "it would sample for ever at {now:?}");
        }
    }

    #[test]
    fn runs_that_wait_for_each_other_are_found_at_the_second_sample() {
        let both = pair(run(WaitingFor::Input, 3), run(WaitingFor::Input, 9));
        assert_eq!(outcome(&both), (Stall::BothWait, ms(100)));
    }

    #[test]
    fn unread_bytes_or_a_second_thread_or_a_timer_or_a_context_switch_rule_out_a_deadlock()
     {
        let waiting = || run(WaitingFor::Input, 3);
        let unread = PairLook {
            unread_by_interactor: true,
            ..pair(waiting(), waiting())
        };
        assert_eq!(outcome(&unread), (Stall::InteractorsTurn, ms(4000)));
        let unread = PairLook {
            unread_by_submission: true,
            ..pair(waiting(), waiting())
        };
        assert_eq!(outcome(&unread), (Stall::SubmissionsTurn, ms(1010)));
        let several = waiting().map(|look| RunLook { threads: 2, ..look });
        assert_eq!(
            outcome(&pair(several, waiting())),
            (Stall::SubmissionsTurn, ms(1010))
        );
        let timed = || {
            waiting().map(|look| RunLook {
                may_have_timer: true,
                ..look
            })
        };
        assert_eq!(
            outcome(&pair(timed(), waiting())),
            (Stall::SubmissionsTurn, ms(1010))
        );
        assert_eq!(
            outcome(&pair(waiting(), timed())),
            (Stall::SubmissionsTurn, ms(1010))
        );
        let mut watch = StallWatch::new(ms(1000), ms(3000));
        for (now, switches) in [(50, 1), (100, 2), (150, 3), (200, 4)] {
            assert_eq!(
                watch.note_look(
                    ms(now),
                    &pair(run(WaitingFor::Input, switches), waiting())
                ),
                None,
                "{now}"
            );
        }
    }

    #[test]
    fn at_the_wall_limit_what_the_interactor_waits_for_decides_whose_turn_it_is() {
        for (waits, expected) in [
            (WaitingFor::Input, (Stall::SubmissionsTurn, ms(1010))),
            (WaitingFor::Room, (Stall::SubmissionsTurn, ms(1010))),
            (WaitingFor::Several, (Stall::SubmissionsTurn, ms(1010))),
            (WaitingFor::Unknown, (Stall::SubmissionsTurn, ms(1010))),
            (
                WaitingFor::SomethingElse,
                (Stall::InteractorsTurn, ms(4000)),
            ),
        ] {
            let asleep = run(WaitingFor::SomethingElse, 1);
            assert_eq!(outcome(&pair(asleep, run(waits, 1))), expected, "{waits:?}");
        }
        assert_eq!(
            outcome(&pair(run(WaitingFor::Input, 1), busy())).0,
            Stall::InteractorsTurn
        );
        assert_eq!(
            outcome(&pair(run(WaitingFor::Input, 1), None)),
            (Stall::SubmissionsTurn, ms(1010))
        );
        assert_eq!(
            outcome(&pair(None, run(WaitingFor::Input, 1))),
            (Stall::InteractorsTurn, ms(4000))
        );
    }

    #[test]
    fn a_submission_at_work_may_take_ten_wall_limits() {
        assert_eq!(
            outcome(&pair(busy(), run(WaitingFor::Input, 1))).0,
            Stall::SubmissionsTurn
        );
        assert!(outcome(&pair(busy(), run(WaitingFor::Input, 1))).1 >= ms(10_000));
    }

    #[test]
    fn a_submission_that_waits_for_the_judge_to_drain_its_output_has_not_stalled() {
        let mut watch = StallWatch::new(ms(1000), ms(3000));
        let writing = pair(run(WaitingFor::Room, 1), None);
        assert_eq!(watch.note_look(ms(1000), &writing), None);
        assert_eq!(watch.note_look(ms(1100), &writing), None);
        assert_eq!(
            watch.note_look(ms(10_000), &writing),
            Some(Stall::SubmissionsTurn)
        );
    }

    #[test]
    fn a_submission_that_wakes_between_samples_has_not_stalled_before_ten_limits() {
        let mut watch = StallWatch::new(ms(1000), ms(3000));
        for (now, switches) in [(1000, 1), (1010, 2), (1020, 3), (9000, 4)] {
            let talking =
                pair(run(WaitingFor::Room, switches), run(WaitingFor::Input, 1));
            assert_eq!(watch.note_look(ms(now), &talking), None, "{now}");
        }
        let talking = pair(run(WaitingFor::Room, 5), run(WaitingFor::Input, 1));
        assert_eq!(
            watch.note_look(ms(10_000), &talking),
            Some(Stall::SubmissionsTurn)
        );
    }

    #[test]
    fn time_in_which_the_interactor_sleeps_or_works_does_not_count_for_the_submission()
     {
        let mut watch = StallWatch::new(ms(1000), ms(3000));
        let idle = pair(run(WaitingFor::Input, 1), run(WaitingFor::SomethingElse, 1));
        for now in [50, 100, 200, 400, 800] {
            assert_eq!(watch.note_look(ms(now), &idle), None);
        }
        // From now on it is the submission's turn; it has used 50 ms so far.
        let idle = pair(run(WaitingFor::SomethingElse, 1), run(WaitingFor::Input, 2));
        assert_eq!(watch.note_look(ms(1700), &idle), None);
        assert_eq!(watch.next, ms(1750));
        assert_eq!(watch.note_look(ms(1750), &idle), None);
        assert_eq!(
            watch.note_look(ms(1760), &idle),
            Some(Stall::SubmissionsTurn)
        );

        let mut watch = StallWatch::new(ms(1000), ms(3000));
        let worked = run(WaitingFor::Input, 1).map(|look| RunLook {
            cpu: ms(500),
            ..look
        });
        assert_eq!(
            watch.note_look(
                ms(1400),
                &pair(run(WaitingFor::SomethingElse, 1), worked)
            ),
            None
        );
        assert_eq!(watch.next, ms(1500));
    }
}
