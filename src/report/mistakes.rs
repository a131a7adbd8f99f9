//! Words for the mistakes in problems, and a list of them. Foreign text in the results is printable
//! and of bounded length.

use crate::model::MistakeRecord;
use crate::text::{JoinedTexts, counted, one_line, printable, shortened};

/// The most characters of what is told of a mistake in several lines.
const MOST_TEXT: usize = 8_000;

/// The first mistakes and warnings, each up to a limit, and their numbers.
#[derive(Default)]
pub(crate) struct MistakeList {
    pub(crate) mistakes: Vec<MistakeRecord>,
    pub(crate) warnings: Vec<MistakeRecord>,
    /// The numbers of all mistakes and of all warnings.
    pub(crate) mistakes_in_all: usize,
    pub(crate) warnings_in_all: usize,
}

impl MistakeList {
    /// Adds a mistake. At most `most` of its kind are kept.
    pub(crate) fn add(&mut self, record: &MistakeRecord, most: usize) {
        let (kept, in_all) = if record.is_error() {
            (&mut self.mistakes, &mut self.mistakes_in_all)
        } else {
            (&mut self.warnings, &mut self.warnings_in_all)
        };
        *in_all += 1;
        if kept.len() < most {
            kept.push(record.clone());
        }
    }

    /// The number of mistakes, as `2 mistakes in problems`; `None` if there are none.
    pub(crate) fn in_words(&self) -> Option<String> {
        in_words(self.mistakes_in_all)
    }
}

/// A number of mistakes, as `2 mistakes in problems`; `None` for none.
pub(crate) fn in_words(mistakes: usize) -> Option<String> {
    let place = if mistakes == 1 {
        "a problem"
    } else {
        "problems"
    };
    (mistakes > 0).then(|| format!("{} in {place}", counted(mistakes, "mistake")))
}

/// The place and the mistake, in one line.
pub(crate) fn told(record: &MistakeRecord) -> String {
    one_line(&format!("{}: {}", record.place(), record.message))
}

/// The mistake and what to do about it, a line or more each.
pub(crate) fn details(record: &MistakeRecord) -> String {
    let text = shortened(&record.message, MOST_TEXT);
    let lines = text.lines().map(printable);
    let remedy = record
        .remedy
        .as_deref()
        .map(|remedy| format!("remedy: {}", one_line(remedy)));
    lines.chain(remedy).joined("\n")
}
