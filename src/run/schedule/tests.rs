//! The schedule, performed step by step without threads.

use super::*;

const CLEAR: StepResult = StepResult {
    doubt: None,
    suspends: false,
    ends: false,
    waits_for: None,
};

/// A plan's schedule, performed step by step: workers are numbers, and each remembers
/// what it does.
struct Play {
    schedule: Schedule,
    last: Vec<Option<(Attempt, StepResult)>>,
    left: Vec<usize>,
}

impl Play {
    fn new(cases: &[usize], slots: usize) -> Self {
        Self::repeated(cases, 1, slots)
    }

    fn repeated(cases: &[usize], rounds: usize, slots: usize) -> Self {
        let schedule = Schedule::new(cases.to_vec(), rounds, slots);
        let left = cases.iter().map(|cases| cases * rounds).collect();
        Self {
            schedule,
            last: vec![None; slots],
            left,
        }
    }

    /// The next step of a worker, as submission, case and round; must not be one that
    /// waits.
    fn next(&mut self, worker: usize) -> Option<(usize, usize, usize)> {
        let attempt = self.schedule.next(self.last[worker].take())?;
        self.last[worker] = Some((attempt, self.result(attempt.case.entry, CLEAR)));
        Some((attempt.case.entry, attempt.case.case, attempt.round))
    }

    fn result(&mut self, entry: usize, result: StepResult) -> StepResult {
        self.left[entry] -= usize::from(result.doubt.is_none());
        StepResult {
            ends: self.left[entry] == 0,
            ..result
        }
    }

    /// As [`next`](Self::next), for a step whose result is doubtful.
    fn next_doubtful(
        &mut self,
        worker: usize,
        doubt: Doubt,
        suspends: bool,
    ) -> (usize, usize, usize) {
        let next = self.next(worker).unwrap();
        self.left[next.0] += 1;
        let (step, _) = self.last[worker].unwrap();
        self.last[worker] = Some((
            step,
            StepResult {
                doubt: Some(doubt),
                suspends,
                ..CLEAR
            },
        ));
        next
    }

    /// As [`next`](Self::next), for a step that is not made before another submission
    /// has ended.
    fn next_waiting(
        &mut self,
        worker: usize,
        waits_for: usize,
    ) -> (usize, usize, usize) {
        let next = self.next(worker).unwrap();
        self.left[next.0] += 1;
        let (step, _) = self.last[worker].unwrap();
        self.last[worker] = Some((
            step,
            StepResult {
                waits_for: Some(waits_for),
                ..CLEAR
            },
        ));
        next
    }

    fn is_again(&self, worker: usize) -> bool {
        self.last[worker].is_some_and(|(attempt, _)| attempt.is_again)
    }
}

#[test]
fn each_worker_judges_the_cases_of_a_submission_of_its_own_in_order() {
    let mut play = Play::new(&[2, 3, 1], 2);
    assert_eq!(play.next(0), Some((0, 0, 0)));
    assert_eq!(play.next(1), Some((1, 0, 0)));
    assert_eq!(play.next(0), Some((0, 1, 0)));
    assert_eq!(play.next(0), Some((2, 0, 0)));
    assert_eq!(play.next(1), Some((1, 1, 0)));
}

#[test]
fn a_submission_is_shared_only_if_there_is_no_other_and_some_of_it_must_be_run() {
    let mut play = Play::new(&[9], 3);
    assert_eq!(play.next(0), Some((0, 0, 0)));
    assert!(
        play.schedule
            .choose(&mut play.schedule.state.lock(), None)
            .is_none()
    );
    play.schedule.share(0);
    assert_eq!(play.next(1), Some((0, 1, 0)));
    assert_eq!(play.next(2), Some((0, 2, 0)));
}

#[test]
fn every_attempt_is_made_once_whatever_the_number_of_workers() {
    for (slots, rounds) in [(1, 1), (2, 1), (7, 1), (3, 4)] {
        let cases = [3, 0, 1, BLOCK + 5, 2, 0];
        let mut play = Play::repeated(&cases, rounds, slots);
        for entry in 0..cases.len() {
            play.schedule.share(entry);
        }
        let mut made = vec![];
        // The worker that finds nothing to do would wait for the others.
        let mut worker = 0;
        while made.len() < cases.iter().sum::<usize>() * rounds {
            let next = play.next(worker).unwrap();
            play.schedule.share(next.0);
            made.push(next);
            worker = (worker + 1) % slots;
        }
        let mut expected = vec![];
        for (entry, cases) in cases.iter().enumerate() {
            expected.extend(
                (0..*cases).flat_map(|case| {
                    (0..rounds).map(move |round| (entry, case, round))
                }),
            );
        }
        made.sort_unstable();
        assert_eq!(made, expected, "{slots} {rounds}");
    }
}

#[test]
fn cases_take_turns_within_their_block() {
    let mut play = Play::repeated(&[BLOCK + 2], 2, 1);
    let order: Vec<_> = std::iter::from_fn(|| play.next(0))
        .map(|(_, case, round)| (case, round))
        .collect();
    assert_eq!(order[..2], [(0, 0), (1, 0)]);
    assert_eq!(
        (order[BLOCK], order[2 * BLOCK - 1]),
        ((0, 1), (BLOCK - 1, 1))
    );
    assert_eq!(
        order[2 * BLOCK..],
        [(BLOCK, 0), (BLOCK + 1, 0), (BLOCK, 1), (BLOCK + 1, 1)]
    );
}

#[test]
fn doubtful_attempts_are_made_again_one_by_one_when_nothing_else_is_left() {
    let mut play = Play::new(&[2, 2, 1], 2);
    assert_eq!(play.next_doubtful(0, Doubt::NearLimit, true), (0, 0, 0));
    assert_eq!(play.next_doubtful(1, Doubt::NearLimit, false), (1, 0, 0));
    // The first submission waits, the second goes on.
    assert_eq!(play.next(0), Some((2, 0, 0)));
    assert_eq!(play.next(1), Some((1, 1, 0)));
    // The other worker still has a step in hand.
    let done = play.last[0].take();
    {
        let mut state = play.schedule.state.lock();
        let (step, result) = done.unwrap();
        state.finish(step, result);
        assert!(play.schedule.choose(&mut state, None).is_none());
    }
    assert_eq!(play.next(1), Some((0, 0, 0)));
    assert!(play.is_again(1));
    assert!(
        play.schedule
            .choose(&mut play.schedule.state.lock(), None)
            .is_none(),
        "alone"
    );
    assert_eq!(play.next(1), Some((1, 0, 0)));
    assert!(play.is_again(1));
    assert_eq!(play.next(1), Some((0, 1, 0)));
    assert_eq!(play.next(1), None);
}

#[test]
fn attempts_that_idled_are_made_again_at_the_same_time() {
    let mut play = Play::new(&[1, 1, 1], 3);
    for worker in 0..3 {
        play.next_doubtful(worker, Doubt::Idle, true);
    }
    for worker in [0, 1] {
        let (step, result) = play.last[worker].take().unwrap();
        play.schedule.state.lock().finish(step, result);
    }
    assert_eq!(play.next(2), Some((0, 0, 0)));
    assert_eq!(play.next(0), Some((1, 0, 0)));
    assert_eq!(play.next(1), Some((2, 0, 0)));
    assert!((0..3).all(|worker| play.is_again(worker)));
}

#[test]
fn a_submission_that_ends_has_no_doubts_left() {
    let mut play = Play::new(&[3, 1], 1);
    play.next_doubtful(0, Doubt::NearLimit, false);
    play.left[0] = 1;
    assert_eq!(play.next(0), Some((0, 1, 0)));
    assert_eq!(play.next(0), Some((1, 0, 0)));
    assert_eq!(play.next(0), None);
}

#[test]
fn submissions_begun_before_the_first_is_reported_are_bounded_by_slots_and_by_their_cases()
 {
    let begun = |cases: Vec<usize>, slots: usize| {
        let schedule = Schedule::new(cases, 1, slots);
        let mut state = schedule.state.lock();
        let mut begun = 0;
        while schedule.open_next(&mut state).is_some() {
            begun += 1;
        }
        drop(state);
        schedule.reported_before(1);
        let more = schedule.open_next(&mut schedule.state.lock()).is_some();
        (begun, more)
    };
    assert_eq!(begun(vec![1; 1000], 2), (2 * WINDOW_FOR_SLOT, true));
    assert_eq!(begun(vec![MOST_WAITING_CASES / 2; 9], 2), (3, true));
    assert_eq!(begun(vec![2 * MOST_WAITING_CASES; 9], 2), (2, true));
    assert_eq!(begun(vec![1; 3], 2), (3, false));
}

#[test]
fn a_closed_schedule_has_no_steps() {
    let mut play = Play::new(&[2], 1);
    assert_eq!(play.next(0), Some((0, 0, 0)));
    play.schedule.close();
    assert_eq!(play.next(0), None);
}

#[test]
fn a_submission_that_waits_for_another_begins_when_that_has_ended_and_others_go_on() {
    let mut play = Play::new(&[2, 2, 1], 2);
    assert_eq!(play.next(0), Some((0, 0, 0)));
    assert_eq!(play.next_waiting(1, 0), (1, 0, 0));
    assert_eq!(play.next(1), Some((2, 0, 0)));
    play.schedule.share(0);
    assert_eq!(play.next(1), Some((0, 1, 0)));
    assert!(!play.schedule.has_ended(0));
    // The last result of the first submission has come, and its other worker ends.
    let (step, _) = play.last[0].take().unwrap();
    assert!(play.schedule.state.lock().open[&1].waits_for.is_some());
    play.schedule.state.lock().finish(step, CLEAR);
    assert_eq!(play.next(1), Some((1, 0, 0)));
    assert!(play.schedule.has_ended(0));
}

#[test]
fn a_submission_does_not_wait_for_one_that_has_ended_meanwhile() {
    let mut play = Play::new(&[1, 1], 2);
    assert_eq!(play.next(0), Some((0, 0, 0)));
    assert_eq!(play.next_waiting(1, 0), (1, 0, 0));
    let (step, result) = play.last[0].take().unwrap();
    play.schedule.state.lock().finish(step, result);
    assert_eq!(play.next(1), Some((1, 0, 0)));
}

#[test]
fn doubtful_attempts_are_made_again_while_only_submissions_are_left_that_wait_for_them()
 {
    let mut play = Play::new(&[1, 1], 2);
    assert_eq!(play.next_doubtful(0, Doubt::NearLimit, false), (0, 0, 0));
    assert_eq!(play.next_waiting(1, 0), (1, 0, 0));
    let (step, result) = play.last[1].take().unwrap();
    play.schedule.state.lock().finish(step, result);
    assert_eq!(play.next(0), Some((0, 0, 0)));
    assert!(play.is_again(0));
}
