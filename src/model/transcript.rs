//! What a submission and the interactor of its problem said to each other, line by line. Plain data; how it is heard, and how it is
//! shown, stands elsewhere.

use serde::Deserialize;
use serde::Serialize;

/// A talk, as far as it was kept: its beginning and its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transcript {
    /// The first lines.
    pub lines: Vec<TranscriptLine>,
    /// Lines between those and the last that were not kept.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub left_out: u64,
    /// The last lines, where some were not kept.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub last_lines: Vec<TranscriptLine>,
}

impl Transcript {
    /// The last lines, at most so many, in order.
    pub fn last(&self, most: usize) -> Vec<&TranscriptLine> {
        let all = self.lines.iter().chain(&self.last_lines);
        let behind = (self.lines.len() + self.last_lines.len()).saturating_sub(most);
        all.skip(behind).collect()
    }
}

/// What one side said at once, up to the end of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranscriptLine {
    /// Since the start of the talk, in microseconds.
    pub at_us: u64,
    /// Whose line it is.
    pub by: Speaker,
    /// The line, without its end. Bytes that are no text are replaced.
    pub text: String,
    /// Bytes of it that were not kept.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub left_out_bytes: u64,
    /// Whether it came to no end: the other side spoke, or the talk was over.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub unfinished: bool,
}

/// Who speaks in a talk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The submission.
    Submission,
    /// The interactor of its problem.
    Interactor,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}
