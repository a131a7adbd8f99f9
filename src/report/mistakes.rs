//! Words for the mistakes in problems, and lists of what is told of them. Foreign text
//! in the results is printable and of bounded length.

use crate::model::MistakeRecord;
use crate::text::{JoinedTexts, counted, one_line, printable, shortened};

/// The most characters of what is told of a mistake in several lines.
const MOST_TEXT: usize = 8_000;

/// The first things of a kind, up to a limit, and the number of all.
pub(crate) struct FirstItems<T> {
    pub(crate) kept: Vec<T>,
    pub(crate) in_all: usize,
}

impl<T> Default for FirstItems<T> {
    fn default() -> Self {
        Self {
            kept: Vec::new(),
            in_all: 0,
        }
    }
}

impl<T> FirstItems<T> {
    /// Counts a thing, and keeps it unless there are `most` already.
    pub(crate) fn add(&mut self, most: usize, item: impl FnOnce() -> T) {
        self.in_all += 1;
        if self.kept.len() < most {
            self.kept.push(item());
        }
    }

    /// The number of those that are not kept.
    pub(crate) fn left_out(&self) -> usize {
        self.in_all - self.kept.len()
    }
}

/// What a report tells of mistakes and of warnings.
pub(crate) struct MistakeList<T> {
    pub(crate) mistakes: FirstItems<T>,
    pub(crate) warnings: FirstItems<T>,
}

impl<T> Default for MistakeList<T> {
    fn default() -> Self {
        Self {
            mistakes: FirstItems::default(),
            warnings: FirstItems::default(),
        }
    }
}

impl<T> MistakeList<T> {
    /// Those that a record belongs to.
    pub(crate) fn like(&mut self, record: &MistakeRecord) -> &mut FirstItems<T> {
        if record.is_error() {
            &mut self.mistakes
        } else {
            &mut self.warnings
        }
    }

    /// The number of mistakes, as `2 mistakes in problems`; `None` if there are none.
    pub(crate) fn in_words(&self) -> Option<String> {
        let mistakes = self.mistakes.in_all;
        let place = if mistakes == 1 {
            "a problem"
        } else {
            "problems"
        };
        (mistakes > 0).then(|| format!("{} in {place}", counted(mistakes, "mistake")))
    }
}

/// The place and the mistake, in one line.
pub(crate) fn told(record: &MistakeRecord) -> String {
    one_line(&format!("{}: {}", record.place(), record.message))
}

/// The mistake and what to do about it, a line or more each.
pub(crate) fn details_of_mistake(record: &MistakeRecord) -> String {
    let text = shortened(&record.message, MOST_TEXT);
    let lines = text.lines().map(printable);
    let remedy = record
        .remedy
        .as_deref()
        .map(|remedy| format!("remedy: {}", one_line(remedy)));
    lines.chain(remedy).joined("\n")
}
