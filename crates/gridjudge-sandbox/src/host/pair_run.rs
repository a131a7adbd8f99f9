//! Starts and watches two runs whose standard streams are pipes to each other, until
//! both have ended. Knows two launchers and the pipes between their runs; knows nothing
//! of where launchers come from, nor of what an exit code means. Start at [`run_pair`].
//!
//! ```text
//!                submission  ---- words ---->  interactor
//!                            <--- replies ---
//! ```
//!
//! The judge holds copies of pipe ends, which make the order of events certain. It
//! holds the write end of `words` until the submission has been reaped: so the
//! interactor's reaction to the end of its input comes after the submission's end. It
//! holds both read ends throughout, and drains them when their reader is gone: so no
//! run gets a signal or blocks because it writes to a run that no longer reads. Only
//! the interactor holds the write end of `replies`: as soon as it closes that, the
//! submission sees the end of its input.
//!
//! Which run ended first is decided by cause and not by clocks, because two launchers
//! may report two ends in any order. The interactor was first if it ended while `words`
//! was still held open, because then it did not know of the submission's end. If the
//! submission did not end well, `words` stays open until the interactor has reacted to
//! the output that it has already received, or will not (`last_words`).

use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::fs::OFlags;
use rustix::io::Errno;

use crate::host::launcher_handle::{Attempt, LauncherHandle, SILENCE_TIMEOUT};
use crate::host::relay::Relay;
use crate::host::seat::{self, Seat};
use crate::host::stall_watch::{PairLook, StallWatch};
use crate::host::std_streams::StdStreams;
use crate::machine::run_look::{RunLook, WaitingFor};
use crate::{Exit, Fault, Interaction, InteractionRequest, Side, Stall, sys};

/// How many bytes are drained at once.
const DRAINED_BYTES: usize = 16 << 10;

/// An event that wakes the judge. The interactor comes first: if it ended at the same
/// moment as the submission, it did not know of the submission's end.
enum PairEvent {
    Interactor,
    Submission,
    /// Bytes were written that the other run no longer reads.
    Unread,
}

/// Two runs in progress.
struct PairRun<'a> {
    submission: Seat<'a>,
    interactor: Seat<'a>,
    lets_finish: &'a dyn Fn(i32, &[u8]) -> bool,
    start: Instant,
    stalls: StallWatch,
    first: Option<Side>,
    stall: Option<Stall>,
    /// The wait for the interactor's reaction to a submission that has failed.
    reaction: Option<ReactionWait>,
    /// When the launchers were told to stop.
    stopped: Option<Instant>,
    /// Bytes that the submission wrote after the interactor's end.
    drained: u64,
    /// Bytes that the submission was seen to have written in all.
    written: u64,
    /// Whether there is nothing more to drain.
    is_dry: bool,
}

/// Makes two runs with joined streams. Everything that comes in pairs here is the
/// submission's first, then the interactor's. `words` and `replies` are the relays
/// between the two, if there are any.
pub(super) fn run_pair(
    [one, other]: [&mut LauncherHandle; 2],
    request: &InteractionRequest,
    [for_submission, for_interactor]: [StdStreams; 2],
    [words, replies]: [Option<&Relay>; 2],
    start: Instant,
) -> Result<Attempt<Interaction>, Fault> {
    let submission = request.submission;
    let interactor = request.interactor;
    let stalls = StallWatch::new(submission.limits.wall, interactor.limits.wall);
    let backstop = stalls.last();
    // The interactor first: its start is not the submission's time.
    let mut interactor =
        Seat::begin(other, interactor, for_interactor, words, backstop);
    let submission = Seat::begin(one, submission, for_submission, replies, backstop);
    interactor.streams.close_pipe();
    let end = submission.handle.end_of_run();
    let _switched = request.stop.map(|stop| stop.connect(end));
    let mut pair = PairRun {
        submission,
        interactor,
        lets_finish: request.lets_finish,
        start,
        stalls,
        first: None,
        stall: None,
        reaction: None,
        stopped: None,
        drained: 0,
        written: 0,
        is_dry: false,
    };
    pair.watch_until_end();
    pair.result()
}

impl PairRun<'_> {
    /// Watches both runs until they have ended.
    fn watch_until_end(&mut self) {
        if self.submission.end.is_some() || self.interactor.end.is_some() {
            self.stop();
        }
        while self.submission.end.is_none() || self.interactor.end.is_none() {
            for event in self.sleep() {
                match event {
                    PairEvent::Interactor => self.interactor_has_ended(),
                    PairEvent::Submission => self.submission_has_ended(),
                    PairEvent::Unread => self.drain(),
                }
            }
            self.look();
        }
    }

    /// Sleeps until there are events, or it is time for the next sample.
    fn sleep(&self) -> Vec<PairEvent> {
        let wake = match (self.stopped, &self.reaction) {
            (Some(stopped), _) => stopped + SILENCE_TIMEOUT,
            (None, Some(reaction)) => self.start + reaction.next,
            (None, None) => self.start + self.stalls.next,
        };
        let mut watched: Vec<(PairEvent, BorrowedFd)> = Vec::with_capacity(3);
        for (event, seat) in [
            (PairEvent::Interactor, &self.interactor),
            (PairEvent::Submission, &self.submission),
        ] {
            if seat.end.is_none() {
                watched.push((event, seat.handle.socket.as_fd()));
            }
        }
        if let Some(tap) = self.tap() {
            watched.push((PairEvent::Unread, tap));
        }
        let mut files: Vec<_> = watched
            .iter()
            .map(|(_, file)| PollFd::from_borrowed_fd(*file, PollFlags::IN))
            .collect();
        let nap = wake.saturating_duration_since(Instant::now());
        let _ = sys::poll(&mut files, nap);
        watched
            .into_iter()
            .zip(files)
            .filter_map(|((event, _), file)| {
                (!file.revents().is_empty()).then_some(event)
            })
            .collect()
    }

    /// The pipe whose reader is gone while its writer may still write.
    fn tap(&self) -> Option<BorrowedFd<'_>> {
        match (&self.submission.end, &self.interactor.end) {
            _ if self.is_dry => None,
            (None, Some(_)) => Some(self.interactor.streams.input()),
            (Some(_), None) => Some(self.submission.streams.input()),
            _ => None,
        }
    }

    /// Throws away bytes whose reader is gone.
    fn drain(&mut self) {
        let Some(tap) = self.tap() else { return };
        // The run that shared this open file description has ended.
        let _ = rustix::fs::fcntl_setfl(tap, OFlags::NONBLOCK);
        match rustix::io::read(tap, &mut [0; DRAINED_BYTES]) {
            Ok(0) => self.is_dry = true,
            Ok(bytes) if self.submission.end.is_none() && self.stall.is_none() => {
                self.drained += bytes as u64;
            }
            Ok(_) | Err(Errno::AGAIN | Errno::INTR) => {}
            Err(_) => self.is_dry = true,
        }
        if self.drained > self.submission.party.limits.output_bytes {
            self.stop();
        }
    }

    /// Handles the reply of the submission's launcher.
    fn submission_has_ended(&mut self) {
        self.submission.receive();
        // After a stall both were stopped, and either may end last.
        if self.interactor.end.is_some() && self.stall.is_none() {
            self.drained += self.interactor.unread();
        }
        let ended_well = self.submission.ended_well();
        if self.first.is_none() && self.stopped.is_none() && !ended_well {
            let [wall, of_submission] = [&self.interactor, &self.submission]
                .map(|seat| seat.party.limits.wall);
            self.reaction = Some(ReactionWait::begin(
                self.start.elapsed(),
                wall,
                of_submission,
            ));
            return;
        }
        self.first.get_or_insert(Side::Submission);
        self.submission.streams.close_pipe();
    }

    /// Handles the reply of the interactor's launcher.
    fn interactor_has_ended(&mut self) {
        self.interactor.receive();
        // One that broke a limit after the submission's end has not reacted: the
        // submission had failed before.
        let was_alive = self
            .reaction
            .take()
            .is_some_and(|reaction| reaction.is_seen_alive);
        let has_reacted = !was_alive || self.interactor.kept_limits();
        self.first.get_or_insert(if has_reacted {
            Side::Interactor
        } else {
            Side::Submission
        });
        let lets_finish = match self.interactor.report().map(|report| report.exit) {
            Some(Exit::Code(code)) => {
                (self.lets_finish)(code, &self.interactor.streams.stderr_tail())
            }
            _ => false,
        };
        if !lets_finish {
            self.stop();
        }
    }

    /// Samples both runs if it is time to, and stops them if they have stalled.
    /// Abandons launchers that were told to stop and do not answer.
    fn look(&mut self) {
        if let Some(stopped) = self.stopped {
            if stopped.elapsed() >= SILENCE_TIMEOUT {
                self.submission.give_up();
                self.interactor.give_up();
            }
            return;
        }
        let now = self.start.elapsed();
        if let Some(reaction) = &mut self.reaction {
            if reaction.is_over(now, &self.interactor) {
                // The submission has failed first, so nothing that the interactor still
                // does can change the result.
                self.first.get_or_insert(Side::Submission);
                self.stop();
            }
            return;
        }
        if now < self.stalls.next {
            return;
        }
        let look = PairLook {
            submission: self.submission.look(),
            interactor: self.interactor.look(),
            unread_by_submission: self.submission.unread() > 0,
            unread_by_interactor: self.interactor.unread() > 0,
        };
        self.written = self
            .written
            .max(look.submission.as_ref().map_or(0, |look| look.written));
        self.stall = self.stalls.note_look(now, &look);
        if let Some(stall) = self.stall {
            let at_fault = match stall {
                Stall::BothWait | Stall::SubmissionsTurn => Side::Submission,
                Stall::InteractorsTurn => Side::Interactor,
            };
            // Both are stopped now, so the order in which they end means nothing.
            self.first.get_or_insert(at_fault);
            self.stop();
        }
    }

    /// Ends the runs that are still in progress.
    fn stop(&mut self) {
        self.stopped.get_or_insert_with(Instant::now);
        for seat in [&self.submission, &self.interactor]
            .into_iter()
            .filter(|seat| seat.end.is_none())
        {
            seat.handle.stop();
        }
    }

    /// The result of both runs, once they have ended.
    fn result(self) -> Result<Attempt<Interaction>, Fault> {
        let reports = self.submission.report().zip(self.interactor.report());
        let Some((one, other)) = reports else {
            return seat::failure([self.submission.end, self.interactor.end]);
        };
        let finish = |seat: Seat, report| {
            seat.handle.finish(report, seat.party.limits, seat.streams)
        };
        let mut submission = finish(self.submission, one)?;
        submission.stdout_bytes = self.drained;
        Ok(Attempt::Finished(Interaction {
            submission,
            interactor: finish(self.interactor, other)?,
            first: self.first.unwrap_or(Side::Submission),
            stall: self.stall,
            written: self.written,
        }))
    }
}

// Waits for the interactor's reaction to the last output of a submission that did not
// end well. Knows the interactor's side of a pair and how to tell that no reaction will
// come; knows nothing of what a reaction means. Start at [`ReactionWait::is_over`].
//
// The submission is gone: the interactor gets nothing more to read, and its input has
// no end yet. So it ends by what it has read, or waits for more. Both come without the
// help of a clock, however busy the machine is. Only an interactor that sleeps for
// another reason needs a deadline.

/// The shortest and the longest time between two samples.
const SHORTEST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(32);

/// The wait for a reaction. All times are since the start of the interaction.
struct ReactionWait {
    /// When the interactor may no longer sleep.
    deadline: Duration,
    /// When it may no longer sleep although it has read everything.
    deadline_after_reading: Duration,
    /// When to take the next sample.
    next: Duration,
    pause: Duration,
    /// The number of context switches when the last sample found it asleep.
    asleep: Option<u64>,
    /// Whether any sample has found it alive. If not, it had ended before the
    /// submission, though its launcher reported that later.
    is_seen_alive: bool,
}

impl ReactionWait {
    /// Begins now, with the wall limits of the interactor and of the submission. An
    /// interactor that looks for more input from time to time never waits for it, so it
    /// is given the time that the submission had.
    fn begin(now: Duration, wall: Duration, wall_of_submission: Duration) -> Self {
        Self {
            deadline: now.saturating_add(wall),
            deadline_after_reading: now.saturating_add(wall.min(wall_of_submission)),
            next: now,
            pause: SHORTEST_PAUSE,
            asleep: None,
            is_seen_alive: false,
        }
    }

    /// Whether no reaction will come. Samples the interactor, which has not ended, if
    /// it is time to.
    fn is_over(&mut self, now: Duration, interactor: &Seat) -> bool {
        if now < self.next {
            return false;
        }
        // Checked before the sample: if the interactor is asleep after this check, it
        // has certainly read everything.
        let has_read_all = interactor.unread() == 0;
        interactor
            .look()
            .is_some_and(|look| self.note_look(now, &look, has_read_all))
    }

    /// Records a sample. Returns whether the interactor waits for more, or has slept
    /// past its deadline.
    fn note_look(
        &mut self,
        now: Duration,
        look: &RunLook,
        has_read_all: bool,
    ) -> bool {
        self.is_seen_alive |= look.threads > 0;
        // Without a thread it is about to start, or has ended and is about to be
        // reported.
        let sleeps = look.threads > 0 && look.is_asleep;
        let wants_more =
            !matches!(look.waits, WaitingFor::SomethingElse | WaitingFor::Room);
        let reads_on = sleeps && wants_more && has_read_all;
        // A sample shows several threads one after the other, and one may have woken
        // another in between. If none has run from one sample to the next, all were
        // asleep at once.
        let has_slept = sleeps && self.asleep == Some(look.switches);
        let is_certain =
            has_slept || look.threads == 1 && look.waits == WaitingFor::Input;
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
mod last_words_tests {
    use super::*;

    const WALL: Duration = Duration::from_secs(1);

    fn at_work() -> RunLook {
        RunLook {
            is_asleep: false,
            ..RunLook::asleep(1, WaitingFor::SomethingElse, 7)
        }
    }

    /// How many milliseconds the wait lasts if the samples, at the requested times, are
    /// these, and then the last one again and again; `None` if it lasts for more than a
    /// hundred wall limits.
    fn wait(has_read_all: bool, looks: &[RunLook]) -> Option<u128> {
        let start = Duration::from_secs(5);
        let mut reaction = ReactionWait::begin(start, WALL, WALL / 2);
        for sample in 0.. {
            let now = reaction.next;
            if reaction.note_look(
                now,
                &looks[sample.min(looks.len() - 1)],
                has_read_all,
            ) {
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
        assert!(!reaction.note_look(WALL, &ended, true) && !reaction.is_seen_alive);
        assert!(
            !reaction.note_look(reaction.next, &at_work(), true)
                && reaction.is_seen_alive
        );
    }

    #[test]
    fn several_threads_must_be_found_asleep_twice_without_having_run() {
        let switches = [7, 8, 9, 9]
            .map(|switches| RunLook::asleep(20, WaitingFor::Input, switches));
        assert_eq!(wait(true, &switches), Some(3));
        let [one, .., last] = switches;
        assert_eq!(wait(true, &[one, at_work(), one, last, last]), Some(5));
    }

    #[test]
    fn an_interactor_at_work_has_no_deadline_and_one_that_sleeps_has_a_wall_limit() {
        assert_eq!(wait(true, &[at_work()]), None);
        let sleeps = |has_read_all, waits| {
            wait(has_read_all, &[RunLook::asleep(1, waits, 7)]).unwrap()
        };
        let late = sleeps(false, WaitingFor::Input);
        assert!((1000..1040).contains(&late), "{late}");
        let late = sleeps(true, WaitingFor::SomethingElse);
        assert!((500..540).contains(&late), "{late}");
    }
}
