//! Updates a baseline where something has changed, and leaves it alone elsewhere.

use crate::compare::baseline::Baseline;
use crate::compare::change::ChangeSubject;
use crate::compare::comparison::Comparison;

impl Baseline {
    /// Replaces the results of the submissions judged in `now`. A case that has not changed beyond
    /// noise keeps its line, so that a file in a repository changes only with the programs, and a
    /// series of small changes is still compared with the first.
    #[must_use]
    pub fn updated(mut self, now: Self, comparison: &Comparison) -> Self {
        let moved = comparison.subjects();
        let judged = now.owners();
        self.lines.retain(|key| {
            (!judged.contains(&key.owner()) || now.unjudged.contains(key) || now.incomplete)
                || now.lines.contains(key)
        });
        let lines = now
            .lines
            .iter()
            .map(|line| (line.key(), line.figures().into_owned()));
        // If a submission has changed as a whole, all its lines are new; otherwise the change would
        // be reported again forever.
        let new = lines.filter(|(key, _)| {
            !self.lines.contains(key)
                || moved.contains(&ChangeSubject::of_case(key))
                || moved.contains(&ChangeSubject::of_submission(&key.owner()))
        });
        let new: Vec<_> = new.collect();
        self.lines.add(new);
        self.machines.extend(now.machines);
        self
    }
}
