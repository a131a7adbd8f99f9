//! The work in progress, for progress displays. Events report finished work, in the order of the
//! plan and independent of the number of workers; this does neither, so no report may rely on it.

use parking_lot::Mutex;

/// The step a submission is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JudgingPhase {
    /// It is being compiled.
    Compiling,
    /// It is being judged on the case at this place.
    Judging(usize),
    /// It is being judged on that case again, while no first run is in progress.
    JudgingAgain(usize),
    /// It must be judged on that case again, and waits until no first run is in progress.
    Waiting(usize),
}

/// A submission, by its place in the plan, and the step it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ActiveStep {
    /// The submission's place in the plan.
    pub entry: usize,
    /// The step it is in.
    pub phase: JudgingPhase,
}

/// All work in progress. Workers write to it, and progress displays read it.
#[derive(Debug, Default)]
pub struct Activity {
    doing: Mutex<Vec<ActiveStep>>,
}

/// A piece of work that is in progress until this is dropped.
pub struct ActivityGuard<'a> {
    activity: &'a Activity,
    doing: ActiveStep,
}

impl Activity {
    /// Records that a piece of work has begun.
    pub fn begin(&self, entry: usize, phase: JudgingPhase) -> ActivityGuard<'_> {
        let doing = ActiveStep { entry, phase };
        self.doing.lock().push(doing);
        ActivityGuard {
            activity: self,
            doing,
        }
    }

    /// All work in progress, in the order of the plan.
    pub fn now(&self) -> Vec<ActiveStep> {
        let mut doing = self.doing.lock().clone();
        doing.sort_unstable();
        doing
    }
}

impl Drop for ActivityGuard<'_> {
    fn drop(&mut self) {
        let mut doing = self.activity.doing.lock();
        if let Some(place) = doing.iter().position(|other| *other == self.doing) {
            doing.swap_remove(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_in_progress_until_its_guard_is_dropped() {
        let activity = Activity::default();
        let judging = activity.begin(1, JudgingPhase::Judging(7));
        let again = activity.begin(1, JudgingPhase::Judging(7));
        let compiling = activity.begin(0, JudgingPhase::Compiling);
        let of = |entry, phase| ActiveStep { entry, phase };
        let judged = of(1, JudgingPhase::Judging(7));
        assert_eq!(
            activity.now(),
            [of(0, JudgingPhase::Compiling), judged, judged]
        );
        drop((judging, compiling));
        assert_eq!(activity.now(), [judged]);
        drop(again);
        assert_eq!(activity.now(), []);
    }
}
