//! A baseline made new where something has changed, and left alone elsewhere.

use crate::compare::baseline::Baseline;
use crate::compare::change::ChangeSubject;
use crate::compare::comparison::Comparison;
use crate::compare::key::TrialKey;

impl Baseline {
    /// Takes over what `now` shows of the submissions that it knows. A case on which nothing has changed beyond noise keeps
    /// its line, so that a file in a repository changes where programs do, and small changes that follow each other are
    /// still held against the first.
    #[must_use]
    pub fn updated(mut self, now: Self, comparison: &Comparison) -> Self {
        let (moved, judged) = (comparison.subjects(), now.owners());
        let is_kept =
            |key: &TrialKey| !judged.contains(&key.owner()) || now.unjudged.contains(key) || now.incomplete;
        // Of a submission that has moved altogether all lines are new: otherwise it would be told again for ever.
        let is_steady = |key: &TrialKey| {
            !moved.contains(&ChangeSubject::of_case(key))
                && !moved.contains(&ChangeSubject::of_submission(&key.owner()))
        };
        self.lines.retain(|key, _| is_kept(key) || now.lines.contains_key(key));
        for (key, figures) in now.lines {
            if !self.lines.contains_key(&key) || !is_steady(&key) {
                self.lines.insert(key, figures);
            }
        }
        self.machines.extend(now.machines);
        self
    }
}
