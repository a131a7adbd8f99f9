//! The records of a log: trials, the mistakes of a problem, and what a shard says of
//! itself, in the form that reports need. Plain data, created once by the suite.

use std::fmt;
use std::sync::Arc;

use gridjudge_sandbox::Exit;
use serde::{Deserialize, Serialize};

use crate::model::{
    CheckerImage, Expected, Finding, GridPicture, PointValue, Transcript, Verdict,
};
use crate::text::counted;

/// A trial in the form that reports need.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialRecord {
    /// The problem.
    pub problem: Arc<str>,
    /// The submission.
    pub submission: Arc<str>,
    /// The case.
    pub case: String,
    /// The verdict; of several attempts, the first that is not `AC`.
    pub verdict: Verdict,
    /// The verdict expected on this case, if the package gives one for single cases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expected>,
    /// CPU time of the whole tree, in microseconds; of several attempts, the median of
    /// those with the verdict; `None` if the case was not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// Wall time, in microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall_us: Option<u64>,
    /// Peak memory, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<u64>,
    /// Whether it was run again, alone. The other fields are those of the run that
    /// counts.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub rerun: bool,
    /// Whether the result came from the cache. The other fields are those of the
    /// original run.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub cached: bool,
    /// Whether the case was not judged because the deadline came first.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub expired: bool,
    /// Each attempt, in order, if the case was run several times to see how steady the
    /// program is.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub attempts: Vec<AttemptRecord>,
    /// How the program ended, unless it ended normally.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<Exit>,
    /// The number of the last pass, if there were several: the one that decided.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pass: Option<u32>,
    /// The finding that decided the verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finding: Option<Finding>,
    /// The other listed findings.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub further_findings: Vec<Finding>,
    /// The number of findings that are not listed.
    #[serde(skip_serializing_if = "crate::model::is_default", default)]
    pub unlisted_findings: u64,
    /// Number of right grids; `None` if the output was not read.
    #[serde(
        rename = "grids_right",
        skip_serializing_if = "Option::is_none",
        default
    )]
    pub parts_right: Option<u64>,
    /// Grids in the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grids: Option<u64>,
    /// Points of the case, if it has its own or the checker gave some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<PointValue>,
    /// What the checker program says of an output that it accepts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checker_message: Option<String>,
    /// The pictures that the checker program has drawn of an output that it rejects.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub checker_images: Vec<CheckerImage>,
    /// The grid of the first finding, for drawing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<GridPicture>,
    /// Expected and found text, if the exact text differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// The interaction with the interactor of its problem, if it was to be recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcript: Option<Transcript>,
    /// Both ends of standard error, or the start of the compiler's output; empty if the
    /// verdict is `AC`.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub stderr: String,
}

/// One of several runs of a submission on the same case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptRecord {
    /// The verdict of this attempt.
    pub verdict: Verdict,
    /// CPU time of the whole tree, in microseconds.
    pub cpu_us: u64,
    /// Wall time, in microseconds.
    pub wall_us: u64,
    /// Peak memory, in bytes.
    pub peak_memory_bytes: u64,
    /// CPU time, in nanoseconds, of a small fixed piece of work that the judge did just
    /// before: a measure of the machine's speed. `None` in older logs.
    #[serde(rename = "beat_ns", default, skip_serializing_if = "Option::is_none")]
    pub calibration_ns: Option<u64>,
}

impl TrialRecord {
    /// The record of a case that was not run.
    pub fn blank(
        problem: Arc<str>,
        submission: Arc<str>,
        case: String,
        verdict: Verdict,
    ) -> Self {
        Self {
            problem,
            submission,
            case,
            verdict,
            ..Self::default()
        }
    }

    /// Whether its attempts got different verdicts.
    pub fn is_flaky(&self) -> bool {
        self.attempts
            .iter()
            .any(|attempt| attempt.verdict != self.verdict)
    }

    /// The findings that are listed, the deciding one first.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.finding.iter().chain(&self.further_findings)
    }

    /// Removes all measurements, for a case on which nothing of the submission was run.
    #[must_use]
    pub fn without_run(self) -> Self {
        let attempts = self
            .attempts
            .into_iter()
            .map(|attempt| AttemptRecord {
                verdict: attempt.verdict,
                ..AttemptRecord::default()
            })
            .collect();
        Self {
            cpu_us: None,
            wall_us: None,
            peak_memory_bytes: None,
            attempts,
            ..self
        }
    }

    /// Whether it got the verdict expected for this case. True if none is.
    pub fn is_as_expected(&self) -> bool {
        self.expected
            .as_ref()
            .is_none_or(|expected| expected.allows(self.verdict))
    }
}

// What is wrong with a problem itself, as the log has it. Plain data.

/// A mistake in the files of a problem, or something in them that is hardly intended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MistakeRecord {
    /// Its problem.
    pub problem: Arc<str>,
    /// What found it.
    pub check: ProblemCheck,
    /// Whether it makes `verify` fail.
    pub severity: MistakeSeverity,
    /// The file or folder, relative to the folder of `judge.toml` if it is in there.
    /// For what concerns the whole problem, its spec.
    pub file: String,
    /// The line, from 1, if it is about a single one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

/// How bad something in a problem is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MistakeSeverity {
    /// It is wrong.
    #[default]
    Error,
    /// It is allowed, but hardly intended.
    Warning,
}

/// A check of a problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemCheck {
    /// Reading its files.
    #[default]
    Files,
    /// Proving its grids and their answers.
    Proof,
    /// What the format of a package wants beyond that.
    Format,
    /// Whether submissions are in a permitted language.
    Languages,
    /// Compiling the programs that judge.
    Programs,
    /// Comparing the files of its cases.
    Cases,
    /// Running its input validators.
    InputValidators,
    /// Judging its example outputs.
    Outputs,
    /// Holding its time limit against the rule of its format.
    TimeLimit,
}

impl MistakeRecord {
    /// Whether it makes `verify` fail.
    pub fn is_error(&self) -> bool {
        self.severity == MistakeSeverity::Error
    }

    /// The file, and the line if there is one: `problem.yaml:5`.
    pub fn place(&self) -> String {
        self.line
            .map_or_else(|| self.file.clone(), |line| format!("{}:{line}", self.file))
    }
}

impl ProblemCheck {
    /// All checks.
    pub const ALL: [Self; 9] = [
        Self::Files,
        Self::Proof,
        Self::Format,
        Self::Languages,
        Self::Programs,
        Self::Cases,
        Self::InputValidators,
        Self::Outputs,
        Self::TimeLimit,
    ];

    /// What it finds, in a few words.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Files => "a mistake in a file of a problem",
            Self::Proof => "a grid without the promised solutions, or a wrong answer",
            Self::Format => {
                "something that the format of a package, or another judge, does not \
                 take"
            }
            Self::Languages => "no submission in a permitted language",
            Self::Programs => "a program that judges and cannot be compiled",
            Self::Cases => "cases with the same input, or with odd bytes",
            Self::InputValidators => {
                "an input that its validators wrongly refuse or accept"
            }
            Self::Outputs => {
                "an example output with another verdict than its package says"
            }
            Self::TimeLimit => {
                "a time limit that is too near to the time of a submission"
            }
        }
    }
}

/// Its name in logs and reports.
impl fmt::Display for ProblemCheck {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(out)
    }
}

// What the log of a shard says of itself and of the plan that it is a part of. Plain
// data: enough to prove, without the plan, that the logs of several shards are the
// whole of it.

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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
    /// The name of the machine.
    pub host: String,
    /// CPU time, in nanoseconds, of a small fixed piece of work before judging: a
    /// measure of the machine's speed.
    #[serde(rename = "beat_ns")]
    pub calibration_ns: u64,
    /// The command line that judged it, as words.
    pub command: Vec<String>,
    /// The tools of each language that the shard judges, and their versions.
    pub tools: Vec<ToolVersion>,
    /// The places of its submissions in the plan, from 1, in order.
    pub ordinals: Vec<usize>,
    /// How the cases of each submission are divided, if they are, instead of the
    /// submissions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case_split: Option<CaseSplit>,
    /// The plan.
    pub plan: Arc<PlanRecord>,
}

/// A division of the cases of each submission: of N shards, the Kth judges the Kth case
/// and every Nth after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseSplit {
    /// Whether a submission's first case that is not accepted settles it.
    pub stops_at_first: bool,
}

/// The version of a language on a machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolVersion {
    /// The name of the language.
    pub language: String,
    /// What its compiler or interpreter says of itself.
    pub version: String,
}

/// Everything in a plan on which its results depend, as digests. Machines, folders and
/// the number of runs at a time are no part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanRecord {
    /// The digest of all of it, as 64 hexadecimal digits.
    pub digest: String,
    /// What is not about a single submission, in order.
    pub parts: Vec<PlanPart>,
    /// The number of submissions.
    pub submissions: usize,
    /// For each submission, in order, the first [`ENTRY_DIGITS`] hexadecimal digits of
    /// its digest.
    pub entries: String,
}

/// The digits of each digest in [`PlanRecord::entries`]. They only show where two plans
/// differ; whether they do, the digest of the plan says.
pub const ENTRY_DIGITS: usize = 8;

/// A part of a plan, such as the cases of a problem.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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
    pub fn describe(&self) -> String {
        format!(
            "shard {} of {}: {} of {}",
            self.index,
            self.of,
            self.ordinals.len(),
            counted(self.plan.submissions, "submission")
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Event;

    #[test]
    fn a_finished_trial_is_logged_under_the_names_of_the_design() {
        let record = TrialRecord {
            problem: "poj-2676".into(),
            submission: "wrong/last_cell.cpp".into(),
            case: "secret/017".into(),
            verdict: Verdict::WrongAnswer,
            cpu_us: Some(1830),
            wall_us: Some(2410),
            peak_memory_bytes: Some(3_469_312),
            expected: None,
            rerun: false,
            cached: false,
            expired: false,
            attempts: vec![],
            exit: None,
            pass: None,
            finding: None,
            further_findings: vec![],
            unlisted_findings: 0,
            parts_right: None,
            grids: None,
            points: None,
            checker_message: None,
            checker_images: vec![],
            picture: None,
            diff: None,
            transcript: None,
            stderr: String::new(),
        };
        let event = Event::TrialFinished(Box::new(record));
        let line = serde_json::to_string(&event).unwrap();
        assert_eq!(
            line,
            r#"{"event":"trial_finished","problem":"poj-2676","submission":"wrong/last_cell.cpp","case":"secret/017","verdict":"WA","cpu_us":1830,"wall_us":2410,"peak_memory_bytes":3469312}"#
        );
        assert_eq!(serde_json::from_str::<Event>(&line).unwrap(), event);
    }

    #[test]
    fn a_trial_without_a_run_has_no_times_but_may_be_flaky() {
        let line = r#"{"event":"trial_finished","problem":"p","submission":"s","case":"c","verdict":"WA","cpu_us":9,"attempts":[{"verdict":"AC","cpu_us":7,"wall_us":8,"peak_memory_bytes":6},{"verdict":"WA","cpu_us":9,"wall_us":9,"peak_memory_bytes":6}]}"#;
        let Event::TrialFinished(record) = serde_json::from_str(line).unwrap() else {
            panic!("{line}")
        };
        let record = record.without_run();
        assert!(record.is_flaky() && record.cpu_us.is_none());
        assert_eq!(
            record
                .attempts
                .iter()
                .map(|attempt| attempt.cpu_us)
                .sum::<u64>(),
            0
        );
    }
}

#[cfg(test)]
mod mistake_record_tests {
    use super::*;

    #[test]
    fn a_check_has_the_same_name_in_logs_and_reports() {
        for check in ProblemCheck::ALL {
            assert_eq!(serde_json::to_value(check).unwrap(), check.to_string());
        }
    }

    #[test]
    fn a_place_has_a_line_only_if_the_mistake_is_on_one() {
        let record = MistakeRecord {
            problem: "p".into(),
            check: ProblemCheck::Files,
            severity: MistakeSeverity::Warning,
            file: "p/a.yaml".to_owned(),
            line: Some(5),
            message: "is odd".to_owned(),
            remedy: None,
        };
        assert_eq!(record.place(), "p/a.yaml:5");
        assert_eq!(
            MistakeRecord {
                line: None,
                ..record
            }
            .place(),
            "p/a.yaml"
        );
    }
}
