//! What the log of a shard says of itself and of the plan that it is a part of. Plain data: enough
//! to prove, without the plan, that the logs of several shards are the whole of it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The shard that a log is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardRecord {
    /// Its number, from 1.
    pub index: usize,
    /// The number of shards.
    pub of: usize,
    /// Identifies the run that wrote the log: 128 random bits as 32 hexadecimal digits.
    pub run: String,
    /// The attempt, if the scheduler counts them. Only for people to read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub attempt: Option<u32>,
    /// The name of the machine.
    pub host: String,
    /// CPU time, in nanoseconds, of a small fixed piece of work before judging: a measure of the
    /// machine's speed.
    #[serde(rename = "beat_ns")]
    pub calibration_ns: u64,
    /// The command line that judged it, as words.
    pub command: Vec<String>,
    /// The tools of each language that the shard judges, and their versions.
    pub tools: Vec<ToolVersion>,
    /// The places of its submissions in the plan, from 1, in order.
    pub ordinals: Vec<usize>,
    /// How the cases of each submission are divided, if they are, instead of the submissions.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub case_split: Option<CaseSplit>,
    /// The plan.
    pub plan: Arc<PlanRecord>,
}

/// A division of the cases of each submission: of N shards, the Kth judges the Kth case and every
/// Nth after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseSplit {
    /// Whether a submission's first case that is not accepted settles it.
    pub stops_at_first: bool,
}

/// The version of a language on a machine.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ToolVersion {
    /// The name of the language.
    pub language: String,
    /// What its compiler or interpreter says of itself.
    pub version: String,
}

/// Everything in a plan on which its results depend, as digests. Machines, folders and the number
/// of runs at a time are no part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanRecord {
    /// The digest of all of it, as 64 hexadecimal digits.
    pub digest: String,
    /// What is not about a single submission, in order.
    pub parts: Vec<PlanPart>,
    /// The number of submissions.
    pub submissions: usize,
    /// For each submission, in order, the first [`ENTRY_DIGITS`] hexadecimal digits of its digest.
    pub entries: String,
}

/// The digits of each digest in [`PlanRecord::entries`]. They only show where two plans differ;
/// whether they do, the digest of the plan says.
pub const ENTRY_DIGITS: usize = 8;

/// A part of a plan, such as the cases of a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanPart {
    /// Its name in messages, as in "the cases of evens".
    pub name: String,
    /// Its value, or a digest.
    pub value: String,
}

impl PlanRecord {
    /// The first digits of the digest, for names of files.
    pub fn short_digest(&self) -> &str {
        first_digits(&self.digest)
    }
}

impl ShardRecord {
    /// The note on it in its own log, which reports show.
    pub fn note(&self) -> String {
        format!(
            "shard {} of {}: {} of {} submissions",
            self.index,
            self.of,
            self.ordinals.len(),
            self.plan.submissions
        )
    }

    /// The first digits of its run, for names of files.
    pub fn short_run(&self) -> &str {
        first_digits(&self.run)
    }
}

fn first_digits(text: &str) -> &str {
    text.get(..8).unwrap_or(text)
}
