//! Which step a worker performs next. Knows how many cases the submissions have and
//! which results are doubtful, but neither verdicts nor events. Start at
//! [`Schedule::next`].
//!
//! A worker takes a submission and judges its cases in order, so that nothing is run
//! after the case that settles it. Several share one only if there is no other to
//! begin; what they run after that case is ended. Reports stay in the order of the
//! plan; at most a window of submissions is begun before the first of them has been
//! reported, which bounds the results that wait in memory.
//!
//! Doubtful attempts are gathered and made again while nothing else runs, once no other
//! step can be handed out: those about time or memory one after the other, those that
//! idled at the same time, since waiting needs no processor.
//!
//! A submission whose results another one with the same program will have waits until
//! that has ended.
//!
//! The attempts at a case that is judged several times do not follow each other
//! directly: a machine that is slow for a second would be slow for all attempts at one
//! case and for none at the next. Instead, the cases of a block take turns, so that
//! every case meets the same disturbances, and the times of one round over the block
//! can be compared with the next.

use std::collections::BTreeMap;

use parking_lot::{Condvar, Mutex};

use crate::model::PlannedCase;

/// How many cases take turns if each is judged several times.
const BLOCK: usize = 64;

/// How many submissions may be begun for each slot while the first of them has not been
/// reported.
const WINDOW_FOR_SLOT: usize = 32;

/// The most cases of submissions whose results wait in memory for an earlier
/// submission. One submission that waits may have more.
const MOST_WAITING_CASES: usize = 8192;

/// One attempt of a submission at a case.
#[derive(Clone, Copy)]
pub(super) struct Attempt {
    pub(super) case: PlannedCase,
    /// How often the case has been judged before this.
    pub(super) round: usize,
    /// Its place among the attempts of the submission, which are reported in this
    /// order.
    pub(super) number: usize,
    /// Whether it was doubtful and is made again, while no new one is made.
    pub(super) is_again: bool,
}

/// Why an attempt must be made again, the first to be made first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Doubt {
    /// It used little more than its time or memory: it needs the machine to itself.
    NearLimit,
    /// It waited for something: it may wait beside others.
    Idle,
}

/// What a step has led to.
#[derive(Clone, Copy, Default)]
pub(super) struct StepResult {
    /// Why the attempt must be made again, if so.
    pub(super) doubt: Option<Doubt>,
    /// Whether the submission waits for that, because its later cases are probably not
    /// judged.
    pub(super) suspends: bool,
    /// Whether this was the last attempt of its submission without a result.
    pub(super) ends: bool,
    /// The submission that must end before this attempt is made, which was not made; if
    /// any.
    pub(super) waits_for: Option<usize>,
}

/// Hands out the steps of a plan to its workers.
pub(super) struct Schedule {
    slots: usize,
    rounds: usize,
    /// The number of cases of each submission.
    cases: Vec<usize>,
    state: Mutex<ScheduleState>,
    changed: Condvar,
}

#[derive(Default)]
struct ScheduleState {
    /// Submissions that have been begun and have not ended.
    open: BTreeMap<usize, OpenSubmission>,
    /// The first submission that has not been begun.
    unopened: usize,
    /// All submissions before this one have been reported.
    reported: usize,
    /// The number of cases of begun submissions after the first unreported one.
    waiting_cases: usize,
    /// Doubtful attempts that have not been made again, by doubt, submission and
    /// number.
    doubtful: BTreeMap<(Doubt, usize, usize), DoubtfulAttempt>,
    /// Why attempts are made again; `None` while new ones are made. Those near a limit
    /// are made one after the other, those that idled at the same time.
    repeated: Option<Doubt>,
    /// Steps that have been handed out and are not done.
    in_hand: usize,
    closed: bool,
    /// The number of waiting workers: mostly 0, and then no notification is needed.
    waiting_workers: usize,
}

struct DoubtfulAttempt {
    attempt: Attempt,
    suspends: bool,
}

#[derive(Default)]
struct OpenSubmission {
    /// The next attempt to hand out.
    next: usize,
    /// The number of workers that judge it.
    workers: usize,
    /// Whether other workers may take some of its cases. Not as long as its results
    /// come from the cache: they may settle it before anything has to be compiled or
    /// run.
    is_shared: bool,
    /// How many doubtful attempts must be made again before it goes on.
    suspended_by: usize,
    /// The submission that must end before this one begins, if any.
    waits_for: Option<usize>,
}

impl Schedule {
    /// The schedule for a plan with these numbers of cases, each judged `rounds` times.
    pub(super) fn new(cases: Vec<usize>, rounds: usize, slots: usize) -> Self {
        Self {
            slots,
            rounds,
            cases,
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// The next step of a worker that has done a step with this result, if any. Waits
    /// until there is one. Returns `None` when there will be none.
    pub(super) fn next(
        &self,
        done: Option<(Attempt, StepResult)>,
    ) -> Option<Attempt> {
        let mut state = self.state.lock();
        if let Some((attempt, result)) = done {
            state.finish(attempt, result);
            self.notify(&state);
        }
        let last = done.map(|(attempt, _)| attempt.case.entry);
        loop {
            if state.closed {
                return None;
            }
            if let Some(attempt) = self.choose(&mut state, last) {
                state.in_hand += 1;
                return Some(attempt);
            }
            if state.open.is_empty() && state.unopened == self.cases.len() {
                self.notify(&state);
                return None;
            }
            state.waiting_workers += 1;
            self.changed.wait(&mut state);
            state.waiting_workers -= 1;
        }
    }

    /// Whether a submission that comes before one that was begun has ended.
    pub(super) fn has_ended(&self, entry: usize) -> bool {
        !self.state.lock().open.contains_key(&entry)
    }

    /// Other workers may take cases of this submission from now on.
    pub(super) fn share(&self, entry: usize) {
        let mut state = self.state.lock();
        if let Some(open) = state.open.get_mut(&entry)
            && !open.is_shared
        {
            open.is_shared = true;
            self.notify(&state);
        }
    }

    /// Records that all submissions before this one have been reported.
    pub(super) fn reported_before(&self, entry: usize) {
        let mut state = self.state.lock();
        for reported in state.reported + 1..=entry {
            if reported < state.unopened {
                state.waiting_cases -= self.cases[reported];
            }
        }
        state.reported = entry;
        self.notify(&state);
    }

    /// Stops any further step from beginning.
    fn close(&self) {
        let mut state = self.state.lock();
        state.closed = true;
        self.notify(&state);
    }

    fn choose(
        &self,
        state: &mut ScheduleState,
        last: Option<usize>,
    ) -> Option<Attempt> {
        loop {
            match state.repeated {
                None => {
                    if let Some(attempt) = self.choose_attempt(state, last) {
                        return Some(attempt);
                    }
                    if state.in_hand > 0 || state.doubtful.is_empty() {
                        return None;
                    }
                    state.repeated = Some(Doubt::NearLimit);
                }
                Some(Doubt::NearLimit) => {
                    if state.in_hand > 0 {
                        return None;
                    }
                    let attempt = state.judge_again(Doubt::NearLimit);
                    if attempt.is_some() {
                        return attempt;
                    }
                    state.repeated = Some(Doubt::Idle);
                }
                Some(Doubt::Idle) => {
                    let attempt = state.judge_again(Doubt::Idle);
                    if attempt.is_some() || state.in_hand > 0 {
                        return attempt;
                    }
                    state.repeated = None;
                }
            }
        }
    }

    /// The next attempt of the submission that the worker judged last, or of one that
    /// nobody judges, or of a new one, or else of one that others judge.
    fn choose_attempt(
        &self,
        state: &mut ScheduleState,
        last: Option<usize>,
    ) -> Option<Attempt> {
        let entry = last
            .filter(|last| {
                state
                    .open
                    .get(last)
                    .is_some_and(|open| self.has_next(*last, open))
            })
            .or_else(|| self.first_open(state, |open| open.workers == 0))
            .or_else(|| self.open_next(state))
            .or_else(|| self.first_open(state, |open| open.is_shared))?;
        let open = state.open.entry(entry).or_default();
        let attempt = self.attempt(entry, open.next);
        open.next += 1;
        open.workers += 1;
        Some(attempt)
    }

    fn first_open(
        &self,
        state: &ScheduleState,
        fits: impl Fn(&OpenSubmission) -> bool,
    ) -> Option<usize> {
        let mut open = state.open.iter();
        let (entry, _) =
            open.find(|(entry, open)| fits(open) && self.has_next(**entry, open))?;
        Some(*entry)
    }

    fn has_next(&self, entry: usize, open: &OpenSubmission) -> bool {
        open.suspended_by == 0
            && open.waits_for.is_none()
            && open.next < self.cases[entry] * self.rounds
    }

    /// Begins the next submission, if it may begin.
    fn open_next(&self, state: &mut ScheduleState) -> Option<usize> {
        while self.cases.get(state.unopened) == Some(&0) {
            state.unopened += 1;
        }
        let entry = state.unopened;
        let cases = *self.cases.get(entry)?;
        let begun = entry - state.reported.min(entry);
        let is_first = state.open.is_empty() || begun == 0;
        let is_within_bounds = begun < self.slots * WINDOW_FOR_SLOT
            && (state.waiting_cases == 0
                || state.waiting_cases + cases <= MOST_WAITING_CASES);
        if !is_first && !is_within_bounds {
            return None;
        }
        if begun > 0 {
            state.waiting_cases += cases;
        }
        state.open.insert(entry, OpenSubmission::default());
        state.unopened += 1;
        Some(entry)
    }

    /// The attempt of this number, in the order in which the cases of a block take
    /// turns.
    fn attempt(&self, entry: usize, number: usize) -> Attempt {
        let first = number / (BLOCK * self.rounds) * BLOCK;
        let in_block = number - first * self.rounds;
        let block = BLOCK.min(self.cases[entry] - first);
        let case = PlannedCase {
            entry,
            case: first + in_block % block,
        };
        Attempt {
            case,
            round: in_block / block,
            number,
            is_again: false,
        }
    }

    fn notify(&self, state: &ScheduleState) {
        if state.waiting_workers > 0 {
            self.changed.notify_all();
        }
    }
}

impl ScheduleState {
    fn finish(&mut self, attempt: Attempt, result: StepResult) {
        self.in_hand -= 1;
        let entry = attempt.case.entry;
        let waits_for = result
            .waits_for
            .filter(|other| self.open.contains_key(other));
        let Some(open) = self.open.get_mut(&entry) else {
            return;
        };
        open.workers -= 1;
        if result.waits_for.is_some() {
            open.next = attempt.number;
            open.waits_for = waits_for;
        }
        if let Some(doubt) = result.doubt {
            let doubtful = DoubtfulAttempt {
                attempt,
                suspends: result.suspends,
            };
            open.suspended_by += usize::from(result.suspends);
            self.doubtful
                .insert((doubt, entry, attempt.number), doubtful);
        }
        if result.ends {
            self.open.remove(&entry);
            for waiting in self
                .open
                .values_mut()
                .filter(|open| open.waits_for == Some(entry))
            {
                waiting.waits_for = None;
            }
            self.doubtful
                .retain(|(_, doubtful, _), _| *doubtful != entry);
        }
    }

    /// Hands out the next attempt with this doubt, if there is one and none with an
    /// earlier doubt. Its submission goes on when it is done.
    fn judge_again(&mut self, doubt: Doubt) -> Option<Attempt> {
        self.doubtful.keys().next().filter(|key| key.0 == doubt)?;
        let (_, doubtful) = self.doubtful.pop_first()?;
        if let Some(open) = self.open.get_mut(&doubtful.attempt.case.entry) {
            open.workers += 1;
            open.suspended_by -= usize::from(doubtful.suspends);
        }
        Some(Attempt {
            is_again: true,
            ..doubtful.attempt
        })
    }
}

/// Closes a schedule when it is dropped, so that however its owner ends, even in a
/// panic, no worker waits for a step that will not come.
pub(super) struct ScheduleCloser<'a>(pub(super) &'a Schedule);

impl Drop for ScheduleCloser<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
mod tests;
