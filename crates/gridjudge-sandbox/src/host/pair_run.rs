//! Two runs whose standard streams are pipes to each other, from the start to both ends. Knows two launchers and the pipes
//! between their runs; knows nothing of where launchers come from, nor of what an exit code is worth. Start at [`run`].
//!
//! ```text
//!                submission  ---- words ---->  interactor
//!                            <--- replies ---
//! ```
//!
//! What this side holds, and for how long, makes the order of events certain. The end of `words` that is written to is held until
//! the submission has been reaped: so whatever the interactor makes of that end comes after it. Both ends that are
//! read from are held throughout, and drained when their reader is gone: so nobody is ended by a signal, or blocked, for writing to
//! who no longer reads. The end of `replies` that is written to is the interactor's alone: as soon as it is closed, the submission
//! meets the end of its input.
//!
//! Which ended first is asked as a matter of cause and not of clocks: two launchers that are told of two ends may be told in any
//! order. The interactor was first if it ended while `words` was still held open, for then it did not know of the submission's
//! end. Before `words` is closed after a submission that did not end well, the interactor has a moment to finish what it makes
//! of words that it has been given.

use std::os::fd::AsFd;
use std::os::fd::BorrowedFd;
use std::time::Instant;

use rustix::event::PollFd;
use rustix::event::PollFlags;
use rustix::fs::OFlags;
use rustix::time::Timespec;

use crate::Exit;
use crate::Interaction;
use crate::InteractionRequest;
use crate::Run;
use crate::Side;
use crate::Stall;
use crate::host::last_words;
use crate::host::launcher_handle::LauncherHandle;
use crate::host::launcher_handle::SILENCE_TIMEOUT;
use crate::host::pair_outcome;
use crate::host::pair_outcome::PairOutcome;
use crate::host::relay::Relay;
use crate::host::seat::Seat;
use crate::host::seat::SeatEnd;
use crate::host::stall_watch::PairLook;
use crate::host::stall_watch::StallWatch;
use crate::host::wires::PipedStreams;

/// What is drained at once.
const DRAINED_BYTES: usize = 16 << 10;

/// What wakes the judge. In this order: who has ended at the same moment as the submission did not know of its end.
#[derive(Clone, Copy)]
enum News {
    Interactor,
    Submission,
    /// Something is written that nobody reads.
    Unread,
}

/// Two runs in progress.
struct PairRun<'a> {
    submission: Seat<'a>,
    interactor: Seat<'a>,
    goes_on: i32,
    start: Instant,
    stalls: StallWatch,
    first: Option<Side>,
    stall: Option<Stall>,
    /// When they were told to stop.
    stopped: Option<Instant>,
    /// What the submission has written after the interactor's end.
    drained: u64,
    /// What it was seen to have written in all.
    written: u64,
    /// Whether there is no more to be drained.
    is_dry: bool,
}

/// Makes two runs whose streams are joined, and tells what came of them and whether each launcher is fit for another: the
/// submission's, then the interactor's, as all that comes in pairs here. `words` and `replies` bring what either says to the other, if anything
/// stands between.
pub(super) fn run(
    [one, other]: [&mut LauncherHandle; 2],
    request: &InteractionRequest,
    [(for_submission, its_pipes), (for_interactor, other_pipes)]: [PipedStreams; 2],
    [words, replies]: [Option<&Relay>; 2],
    start: Instant,
) -> (PairOutcome, [bool; 2]) {
    let (submission, interactor) = (request.submission, request.interactor);
    let stalls = StallWatch::new(submission.limits.wall, interactor.limits.wall);
    let backstop = submission.limits.wall.saturating_add(interactor.limits.wall);
    // The interactor first: its start is not the submission's time.
    let mut interactor = Seat::begin(other, interactor, for_interactor, other_pipes, backstop).fed_by(words);
    let submission = Seat::begin(one, submission, for_submission, its_pipes, backstop).fed_by(replies);
    interactor.streams.close_pipe();
    let mut pair = PairRun {
        submission,
        interactor,
        goes_on: request.goes_on,
        start,
        stalls,
        first: None,
        stall: None,
        stopped: None,
        drained: 0,
        written: 0,
        is_dry: false,
    };
    pair.see_through();
    pair.outcome()
}

impl PairRun<'_> {
    /// Watches over both until they have ended.
    fn see_through(&mut self) {
        if self.submission.end.is_some() || self.interactor.end.is_some() {
            self.stop();
        }
        while self.submission.end.is_none() || self.interactor.end.is_none() {
            for news in self.sleep() {
                match news {
                    News::Interactor => self.interactor_has_ended(),
                    News::Submission => self.submission_has_ended(),
                    News::Unread => self.drain(),
                }
            }
            self.look();
        }
    }

    /// Sleeps until there is news, or it is time to look.
    fn sleep(&self) -> Vec<News> {
        let wake = match self.stopped {
            Some(stopped) => stopped + SILENCE_TIMEOUT,
            None => self.start + self.stalls.next(),
        };
        let mut watched: Vec<(News, BorrowedFd)> = Vec::with_capacity(3);
        for (news, seat) in [(News::Interactor, &self.interactor), (News::Submission, &self.submission)] {
            if seat.end.is_none() {
                watched.push((news, seat.handle.socket().as_fd()));
            }
        }
        watched.extend(self.tap().map(|tap| (News::Unread, tap)));
        let files = watched.iter().map(|(_, file)| PollFd::from_borrowed_fd(*file, PollFlags::IN));
        let mut files: Vec<_> = files.collect();
        let _ = rustix::event::poll(&mut files, Some(&until(wake)));
        let has_news =
            |((news, _), file): ((News, BorrowedFd), PollFd)| (!file.revents().is_empty()).then_some(news);
        watched.into_iter().zip(files).filter_map(has_news).collect()
    }

    /// The pipe whose reader is gone, as long as its writer may be there.
    fn tap(&self) -> Option<BorrowedFd<'_>> {
        match (&self.submission.end, &self.interactor.end) {
            _ if self.is_dry => None,
            (None, Some(_)) => Some(self.interactor.streams.input()),
            (Some(_), None) => Some(self.submission.streams.input()),
            _ => None,
        }
    }

    /// Throws away what nobody reads.
    fn drain(&mut self) {
        let Some(tap) = self.tap() else { return };
        // Whoever shared this description of the pipe has ended.
        let _ = rustix::fs::fcntl_setfl(tap, OFlags::NONBLOCK);
        match rustix::io::read(tap, &mut [0; DRAINED_BYTES]) {
            Ok(0) => self.is_dry = true,
            Ok(bytes) if self.submission.end.is_none() && self.stall.is_none() => {
                self.drained += bytes as u64;
            }
            Ok(_) | Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => {}
            Err(_) => self.is_dry = true,
        }
        if self.drained > self.submission.party.limits.output_bytes {
            self.stop();
        }
    }

    /// The submission's answer is there.
    fn submission_has_ended(&mut self) {
        self.submission.receive();
        // Where both were ended for a standstill, either may have been the last.
        if self.interactor.end.is_some() && self.stall.is_none() {
            self.drained += self.interactor.unread();
        }
        let ended_well = self.submission.ended_well();
        let is_dead_heat = self.first.is_none() && self.stopped.is_none() && !ended_well;
        let decided = is_dead_heat && last_words::decide(&self.interactor);
        let first = *self.first.get_or_insert(if decided { Side::Interactor } else { Side::Submission });
        self.submission.streams.close_pipe();
        // What the interactor makes of a submission that has failed before changes nothing.
        if !ended_well && first == Side::Submission {
            self.stop();
        }
    }

    /// The interactor's answer is there.
    fn interactor_has_ended(&mut self) {
        self.interactor.receive();
        self.first.get_or_insert(Side::Interactor);
        let exit = self.interactor.report().map(|report| report.exit);
        if exit != Some(Exit::Code(self.goes_on)) {
            self.stop();
        }
    }

    /// Tells both that it is over, if it is time to look and there is nothing to be hoped for.
    fn look(&mut self) {
        if let Some(stopped) = self.stopped {
            if stopped.elapsed() >= SILENCE_TIMEOUT {
                self.submission.give_up();
                self.interactor.give_up();
            }
            return;
        }
        let now = self.start.elapsed();
        if now < self.stalls.next() {
            return;
        }
        let look = PairLook {
            submission: self.submission.look(),
            interactor: self.interactor.look(),
            unread_by_submission: self.submission.unread() > 0,
            unread_by_interactor: self.interactor.unread() > 0,
        };
        self.written = self.written.max(look.submission.as_ref().map_or(0, |look| look.written));
        self.stall = self.stalls.note(now, &look);
        if let Some(stall) = self.stall {
            let at_fault = match stall {
                Stall::BothWait | Stall::SubmissionOwes => Side::Submission,
                Stall::InteractorOwes => Side::Interactor,
            };
            // Both are ended now, and who is told to first means nothing.
            self.first.get_or_insert(at_fault);
            self.stop();
        }
    }

    /// Ends what still runs.
    fn stop(&mut self) {
        self.stopped.get_or_insert_with(Instant::now);
        for seat in [&self.submission, &self.interactor].into_iter().filter(|seat| seat.end.is_none()) {
            seat.handle.stop();
        }
    }

    /// What came of both, once they have ended, and whether each launcher is fit for another run.
    fn outcome(self) -> (PairOutcome, [bool; 2]) {
        let fit = [self.submission.is_fit(), self.interactor.is_fit()];
        (self.result(), fit)
    }

    fn result(self) -> PairOutcome {
        let Self { submission, interactor, first, stall, drained, written, .. } = self;
        let (one, other) = match (&submission.end, &interactor.end) {
            (Some(SeatEnd::Reported(one)), Some(SeatEnd::Reported(other))) => (*one, *other),
            _ => return pair_outcome::failure([submission.end, interactor.end]),
        };
        let finish = |seat: Seat, report| seat.handle.finish(report, seat.party.limits, seat.streams);
        let finished = finish(submission, one).and_then(|submission| {
            let submission = Run { stdout_bytes: drained, ..submission };
            let (interactor, first) = (finish(interactor, other)?, first.unwrap_or(Side::Submission));
            Ok(Box::new(Interaction { submission, interactor, first, stall, written }))
        });
        match finished {
            Ok(interaction) if one.disturbed => PairOutcome::Doubtful(interaction),
            Ok(interaction) => PairOutcome::Finished(interaction),
            Err(fault) => PairOutcome::Failed(fault),
        }
    }
}

fn until(moment: Instant) -> Timespec {
    let nap = moment.saturating_duration_since(Instant::now());
    Timespec { tv_sec: nap.as_secs().cast_signed(), tv_nsec: nap.subsec_nanos().into() }
}
