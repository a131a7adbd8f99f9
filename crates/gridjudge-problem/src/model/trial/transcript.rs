//! The lines that a submission and the interactor of its problem sent to each other. Plain data;
//! recording and showing it are done elsewhere.

use serde::{Deserialize, Serialize};

/// The transcript of an interaction: its beginning and its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transcript {
    /// The first lines.
    pub lines: Vec<TranscriptLine>,
    /// Number of lines between `lines` and `last_lines` that were not recorded.
    #[serde(skip_serializing_if = "is_default", default)]
    pub left_out: u64,
    /// The last lines; empty if all lines are in `lines`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub last_lines: Vec<TranscriptLine>,
}

impl Transcript {
    /// The last lines in order, at most `most` of them.
    pub fn last(&self, most: usize) -> Vec<&TranscriptLine> {
        let all = self.lines.iter().chain(&self.last_lines);
        let skipped = (self.lines.len() + self.last_lines.len()).saturating_sub(most);
        all.skip(skipped).collect()
    }
}

/// A piece that one side sent, up to the end of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranscriptLine {
    /// Time since the start of the interaction, in microseconds.
    pub at_us: u64,
    /// The side that sent it.
    pub by: Speaker,
    /// The line, without its end. Bytes that are not valid text are replaced.
    pub text: String,
    /// Number of its bytes that were not recorded.
    #[serde(skip_serializing_if = "is_default", default)]
    pub left_out_bytes: u64,
    /// Whether it lacks an end of line, because the other side sent something or the interaction
    /// was over.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub unfinished: bool,
}

/// A side of an interaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The submission.
    Submission,
    /// The interactor of its problem.
    Interactor,
}

/// Whether a field has its default, with which the log leaves it out.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

// Where interactions are shown while they take place. Events report an interaction when it is
// over, in the order of the plan; this is only for people who watch, and no report relies on it.

/// A case of a submission, by its places in the plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlannedCase {
    /// The submission's place in the plan.
    pub entry: usize,
    /// The case's place among the submission's cases.
    pub case: usize,
}

/// Shows the lines of submissions and interactors as they are sent. It is called from many threads
/// and must not block them.
pub trait InteractionDisplay: Sync {
    /// Everything before this case in the plan has been reported. Lines of later cases may already
    /// have been passed to [`say`](Self::say).
    fn turn(&self, case: PlannedCase);

    /// An interaction begins; there may be several on a case.
    fn begin(&self, case: PlannedCase);

    /// A line was sent. Called only for the first lines of an interaction; their number is bounded.
    fn say(&self, case: PlannedCase, line: &TranscriptLine);

    /// An interaction is over; this is its transcript.
    fn end(&self, case: PlannedCase, talk: &Transcript);
}
