//! What is being done right now, for progress displays. Events tell what is over, in the order of the plan, and are
//! the same whatever the number of workers; this is neither, and no report rests on it.

use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;

/// What is being done with a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JudgingPhase {
    /// It is made ready.
    Compiling,
    /// It is judged on the case of this place.
    Judging(usize),
    /// It is judged on that case once more, while nothing else runs.
    JudgingAlone(usize),
}

/// A submission, by its place in the plan, and what is being done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ActiveTask {
    /// The submission's place in the plan.
    pub entry: usize,
    /// What is being done.
    pub phase: JudgingPhase,
}

/// All that is being done. Workers write to it, and progress displays read it.
#[derive(Debug, Default)]
pub struct Activity {
    doing: Mutex<Vec<ActiveTask>>,
}

/// Something that is being done, until this is dropped.
pub struct ActivityGuard<'a> {
    activity: &'a Activity,
    doing: ActiveTask,
}

impl Activity {
    /// Says that something has begun.
    pub fn begin(&self, entry: usize, phase: JudgingPhase) -> ActivityGuard<'_> {
        let doing = ActiveTask { entry, phase };
        self.lock().push(doing);
        ActivityGuard { activity: self, doing }
    }

    /// What is being done now, in the order of the plan.
    pub fn now(&self) -> Vec<ActiveTask> {
        let mut doing = self.lock().clone();
        doing.sort_unstable();
        doing
    }

    fn lock(&self) -> MutexGuard<'_, Vec<ActiveTask>> {
        self.doing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ActivityGuard<'_> {
    fn drop(&mut self) {
        let mut doing = self.activity.lock();
        if let Some(place) = doing.iter().position(|other| *other == self.doing) {
            doing.swap_remove(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_begun_is_being_done_until_it_is_dropped() {
        let activity = Activity::default();
        let judging = activity.begin(1, JudgingPhase::Judging(7));
        let again = activity.begin(1, JudgingPhase::Judging(7));
        let compiling = activity.begin(0, JudgingPhase::Compiling);
        let of = |entry, phase| ActiveTask { entry, phase };
        let judged = of(1, JudgingPhase::Judging(7));
        assert_eq!(activity.now(), [of(0, JudgingPhase::Compiling), judged, judged]);
        drop((judging, compiling));
        assert_eq!(activity.now(), [judged]);
        drop(again);
        assert_eq!(activity.now(), []);
    }
}
