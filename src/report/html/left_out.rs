//! Counts the submissions for which a page has no room.

use std::collections::BTreeSet;
use std::sync::Arc;

use maud::{Markup, html};

use crate::report::html::section::SubmissionSection;
use crate::text::counted;

/// The submissions that are not listed.
#[derive(Default)]
pub(super) struct LeftOut {
    /// Those that were judged and are not as expected.
    surprising: usize,
    others: usize,
    pub(super) problems: BTreeSet<Arc<str>>,
}

impl LeftOut {
    pub(super) fn add(&mut self, entry: &SubmissionSection) {
        let count = if entry.is_surprising() {
            &mut self.surprising
        } else {
            &mut self.others
        };
        *count += 1;
        self.problems.insert(Arc::clone(&entry.problem));
    }

    /// Whether all submissions are listed.
    pub(super) fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// Says how many are not listed; empty if all are. `word` is what one should be, such as `as
    /// expected`.
    pub(super) fn notice(&self, word: &str) -> Markup {
        let Self {
            surprising, others, ..
        } = *self;
        let others = (others > 0).then(|| format!("{others} {word} or not judged"));
        let surprising = (surprising > 0).then(|| format!("{surprising} not {word}"));
        let parts: Vec<_> = others.into_iter().chain(surprising).collect();
        html! {
            @if !parts.is_empty() {
                p.notice role="note" {
                    strong { (counted(self.count(), "submission")) " not listed" }
                    ", to keep this page below 5 MB: " (parts.join(", and ")) ". They are in the log and in other reports of it."
                }
            }
        }
    }

    fn count(&self) -> usize {
        self.surprising + self.others
    }
}
