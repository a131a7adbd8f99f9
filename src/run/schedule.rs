//! The order of the workers' steps, and the bound on how far they may run ahead of what has been reported.
//!
//! Steps are handed out in one fixed order. Submissions are compiled a little ahead of their cases, so that one
//! core compiles while another judges. There is never more than a window of steps between the oldest that is
//! not reported yet and the newest that was handed out: that bounds the results that wait in memory, however
//! uneven the runs are.
//!
//! The runs of a case that is run several times do not follow each other directly: a machine that is slow for
//! a second would be slow for all attempts at one case and for none at the next. Instead, the cases of a
//! block take turns, so that every case meets the same disturbances, and the times of one round over the
//! block can be compared with the next. The results of one block wait in memory.

use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::PoisonError;

use crate::model::PlannedCase;

/// The most steps between the oldest unreported one and the newest one handed out.
const WINDOW: usize = 1024;

/// How many cases take turns if each is run several times.
const BLOCK: usize = 64;

/// One step of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunStep {
    /// Compile a submission.
    Compile {
        /// Its place in the plan.
        entry: usize,
    },
    /// Judge a submission on a case.
    Judge {
        /// The submission and the case.
        case: PlannedCase,
        /// How often the case has been judged before this.
        round: usize,
    },
}

/// All steps of a plan with these numbers of cases, each judged `rounds` times, in order; submissions are
/// compiled `ahead` entries early. The last rounds of the cases are in the order of the cases.
pub(super) fn steps(cases: &[usize], rounds: usize, ahead: usize) -> impl Iterator<Item = RunStep> + '_ {
    let first = (0..ahead.min(cases.len())).map(|entry| RunStep::Compile { entry });
    let rest = cases.iter().enumerate().flat_map(move |(entry, &count)| {
        let next = entry + ahead;
        let compile = (next < cases.len()).then_some(RunStep::Compile { entry: next });
        compile.into_iter().chain(turns(entry, count, rounds))
    });
    first.chain(rest)
}

/// The runs of a submission's cases, block by block, each block in rounds.
fn turns(entry: usize, cases: usize, rounds: usize) -> impl Iterator<Item = RunStep> {
    let blocks = (0..cases).step_by(BLOCK).map(move |first| first..cases.min(first + BLOCK));
    blocks.flat_map(move |block| {
        (0..rounds).flat_map(move |round| {
            block.clone().map(move |case| RunStep::Judge { case: PlannedCase { entry, case }, round })
        })
    })
}

/// Bounds how far workers run ahead of the report, and stops them once it is closed.
#[derive(Default)]
pub(super) struct Gate {
    state: Mutex<GateState>,
    changed: Condvar,
}

#[derive(Default)]
struct GateState {
    reported: usize,
    closed: bool,
    /// The number of waiting workers: mostly 0, and then no notification is needed.
    waiting: usize,
}

impl Gate {
    /// Waits until step `step` may begin. Returns `false` once the gate is closed.
    pub(super) fn pass(&self, step: usize) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let may_not_yet = |state: &mut GateState| !state.closed && step >= state.reported + WINDOW;
        state.waiting += 1;
        let mut state = self.changed.wait_while(state, may_not_yet).unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        !state.closed
    }

    /// Records that one more step has been reported.
    pub(super) fn report(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.reported += 1;
        if state.waiting > 0 {
            self.changed.notify_all();
        }
    }

    /// Stops any further step from beginning.
    pub(super) fn close(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        self.changed.notify_all();
    }
}

/// Closes a gate when it is dropped.
pub(super) struct GateCloser<'a>(pub(crate) &'a Gate);

impl Drop for GateCloser<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn submissions_are_compiled_ahead_of_their_cases_and_each_once() {
        let order: Vec<_> = steps(&[2, 1, 1], 1, 2).collect();
        let compile = |entry| RunStep::Compile { entry };
        let judge = |entry, case| RunStep::Judge { case: PlannedCase { entry, case }, round: 0 };
        assert_eq!(
            order,
            [compile(0), compile(1), compile(2), judge(0, 0), judge(0, 1), judge(1, 0), judge(2, 0)]
        );
        assert_eq!(steps(&[], 1, 2).count(), 0);
    }

    #[test]
    fn cases_take_turns_within_their_block() {
        let judged = |cases| {
            steps(cases, 2, 0).filter_map(|step| match step {
                RunStep::Judge { case: PlannedCase { entry, case }, round } => Some((entry, case, round)),
                RunStep::Compile { .. } => None,
            })
        };
        let order: Vec<_> = judged(&[2, 1]).collect();
        assert_eq!(order, [(0, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 1), (1, 0, 0), (1, 0, 1)]);
        let order: Vec<_> = judged(&[BLOCK + 1]).collect();
        assert_eq!((order[BLOCK], order[2 * BLOCK - 1]), ((0, 0, 1), (0, BLOCK - 1, 1)));
        assert_eq!(order[2 * BLOCK..], [(0, BLOCK, 0), (0, BLOCK, 1)]);
    }

    #[test]
    fn a_window_of_steps_may_pass_before_any_is_reported_and_none_when_closed() {
        let gate = Gate::default();
        assert!((0..WINDOW).all(|step| gate.pass(step)));
        gate.report();
        assert!(gate.pass(WINDOW));
        gate.close();
        assert!(!gate.pass(WINDOW + 1) && !gate.pass(0));
    }
}
