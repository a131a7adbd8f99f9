//! What is being done at this very moment, for who looks on. Events tell what is over, in the order of the plan, and are
//! the same whatever the number of workers; this is neither, and no report rests on it.

use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;

/// What is being done with a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// It is made ready.
    Compiling,
    /// It is judged on the case of this place.
    Judging(usize),
    /// It is judged on that case once more, while nothing else runs.
    JudgingAlone(usize),
}

/// A submission, by its place in the plan, and what is being done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Doing {
    /// The submission's place in the plan.
    pub entry: usize,
    /// What is being done.
    pub phase: Phase,
}

/// All that is being done. Workers write to it, and whoever looks on reads.
#[derive(Debug, Default)]
pub struct Activity {
    doing: Mutex<Vec<Doing>>,
}

/// Something that is being done, until this is dropped.
pub struct Busy<'a> {
    activity: &'a Activity,
    doing: Doing,
}

impl Activity {
    /// Says that something has begun.
    pub fn begin(&self, entry: usize, phase: Phase) -> Busy<'_> {
        let doing = Doing { entry, phase };
        self.lock().push(doing);
        Busy { activity: self, doing }
    }

    /// What is being done now, in the order of the plan.
    pub fn now(&self) -> Vec<Doing> {
        let mut doing = self.lock().clone();
        doing.sort_unstable();
        doing
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Doing>> {
        self.doing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Busy<'_> {
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
        let judging = activity.begin(1, Phase::Judging(7));
        let again = activity.begin(1, Phase::Judging(7));
        let compiling = activity.begin(0, Phase::Compiling);
        let of = |entry, phase| Doing { entry, phase };
        let judged = of(1, Phase::Judging(7));
        assert_eq!(activity.now(), [of(0, Phase::Compiling), judged, judged]);
        drop((judging, compiling));
        assert_eq!(activity.now(), [judged]);
        drop(again);
        assert_eq!(activity.now(), []);
    }
}
