//! The events of judging, in order, and their lines in a log: the common vocabulary of
//! all reports. An event owns all its data and does not decide how it is shown. Start
//! at [`Event`].

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use gridjudge_sandbox::{Fault, Limits};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Serializer;
use serde_json::ser::Formatter;

use crate::model::{
    Contest, Entrant, Expected, MistakeRecord, ShardRecord, SubmissionSummary, Tally,
    TrialRecord, Verdict,
};
use crate::text::letters;

/// The version of the log format, raised when a field changes its meaning.
pub const LOG_VERSION: u32 = 2;

/// One event.
///
/// The order is: `suite_started`; `mistake_found` for each mistake in a problem; for
/// each submission `submission_started`, its trials, and `submission_finished`, or
/// `submission_skipped` alone; `mistake_found` for each mistake that only the trials
/// show; then `suite_finished` or `suite_interrupted`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The first event of a log.
    SuiteStarted(Box<SuiteStart>),
    /// A problem that is verified has a mistake, or something in it is hardly intended.
    MistakeFound(Box<MistakeRecord>),
    /// A submission is about to be judged.
    SubmissionStarted(Box<SubmissionStart>),
    /// A trial got its verdict.
    TrialFinished(Box<TrialRecord>),
    /// The judge failed at a trial, or at preparing its submission.
    TrialFaulted(Box<TrialFault>),
    /// A submission cannot be judged on this machine.
    SubmissionSkipped(Box<SubmissionSkip>),
    /// All trials of a submission are finished.
    SubmissionFinished(Box<SubmissionSummary>),
    /// The last event of a complete log.
    SuiteFinished(Tally),
    /// The last event of a log whose judge was interrupted.
    SuiteInterrupted(Tally),
}

impl Event {
    /// The last event of a suite.
    pub fn ending(tally: Tally, is_interrupted: bool) -> Self {
        if is_interrupted {
            Self::SuiteInterrupted(tally)
        } else {
            Self::SuiteFinished(tally)
        }
    }

    /// Whether it is the last event of a suite.
    pub fn is_ending(&self) -> bool {
        matches!(self, Self::SuiteFinished(_) | Self::SuiteInterrupted(_))
    }

    /// The problem and the name of the submission that this event starts or skips.
    pub fn opened(&self) -> Option<(&Arc<str>, &Arc<str>)> {
        match self {
            Self::SubmissionStarted(start) => {
                Some((&start.problem, &start.submission))
            }
            Self::SubmissionSkipped(skip) => Some((&skip.problem, &skip.submission)),
            _ => None,
        }
    }

    /// Counts this event in a tally. This is the only place that decides what is
    /// counted as what.
    pub fn count_in(&self, tally: &mut Tally) {
        use Event::*;

        match self {
            TrialFinished(record) => {
                let is_judged = !matches!(
                    record.verdict,
                    Verdict::CompileError | Verdict::Skipped
                );
                tally.trials += usize::from(is_judged);
                tally.flaky += usize::from(record.is_flaky());
                tally.cached += usize::from(record.cached);
            }
            TrialFaulted(_) => tally.faults += 1,
            SubmissionSkipped(_) => tally.skipped += 1,
            SubmissionFinished(summary) if summary.is_unjudged() => {
                tally.skipped += 1
            }
            SubmissionFinished(summary) if summary.is_as_expected() => {
                tally.as_expected += 1
            }
            SubmissionFinished(_) => tally.surprising += 1,
            SuiteStarted(_) | MistakeFound(_) | SubmissionStarted(_)
            | SuiteFinished(_) | SuiteInterrupted(_) => {}
        }
    }
}

/// The start of a suite.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuiteStart {
    /// [`LOG_VERSION`].
    pub log_version: u32,
    /// Version of the judge.
    pub gridjudge: String,
    /// Level of the sandbox; empty if nothing can be judged because of mistakes in
    /// problems.
    pub sandbox: String,
    /// Sentences about protections that this machine lacks.
    pub notes: Vec<String>,
    /// Processor, cores and kernel, in words; empty in a log of version 1.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub machine: String,
    /// When judging started, as `2026-11-21T20:30:00Z`; empty in a log of version 1.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub started: String,
    /// Number of runs at the same time.
    pub jobs: usize,
    /// Number of submissions to come.
    pub submissions: usize,
    /// Number of trials to come, at most.
    pub trials: usize,
    /// Whether the command selected only some of the problems' cases. The results of
    /// the others are unknown.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub part: bool,
    /// The contest, if the suite is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contest: Option<Contest>,
    /// The shard, if the suite is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Box<ShardRecord>>,
}

/// The start of a submission.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmissionStart {
    /// Its problem.
    pub problem: Arc<str>,
    /// Its name.
    pub submission: Arc<str>,
    /// Its file, relative to the folder of `judge.toml` if it is in there; empty in a
    /// log of version 1.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub path: String,
    /// Its language's name.
    pub language: String,
    /// The verdict expected of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expected>,
    /// The limits of each of its runs. Every start in a log has them; only a start that
    /// a log has lost, see [`Self::named`], has none.
    #[serde(deserialize_with = "known_limits")]
    pub limits: Option<LoggedLimits>,
    /// Whether its groups of cases decide its verdict, so that no single case does.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub decided_by_groups: bool,
    /// The team that submitted it, and when, in a contest.
    #[serde(flatten)]
    pub entrant: Option<Entrant>,
}

/// A failure of the judge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialFault {
    /// The problem.
    pub problem: Arc<str>,
    /// The submission.
    pub submission: Arc<str>,
    /// The case that was to be judged.
    pub case: String,
    /// The failure.
    #[serde(flatten)]
    pub fault: Fault,
}

/// A submission that cannot be judged on this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmissionSkip {
    /// Its problem.
    pub problem: Arc<str>,
    /// Its name.
    pub submission: Arc<str>,
    /// Its language's name.
    pub language: String,
    /// The reason.
    pub cause: String,
    /// How to change that.
    pub remedy: String,
    /// The packages of Debian that bring what is missing, in the words of a command
    /// line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// The team that submitted it, and when, in a contest.
    #[serde(flatten)]
    pub entrant: Option<Entrant>,
}

impl SubmissionStart {
    /// A start of which only the name is known. In a log whose beginning was cut off, a
    /// trial may come without one; then nothing is expected of its submission.
    pub fn named(problem: &Arc<str>, submission: &Arc<str>) -> Self {
        Self {
            problem: Arc::clone(problem),
            submission: Arc::clone(submission),
            ..Self::default()
        }
    }

    /// Whether this verdict is among those expected of it: accepted, if none is given.
    pub fn expects(&self, verdict: Verdict) -> bool {
        match &self.expected {
            Some(expected) => expected.allows(verdict),
            None => verdict == Verdict::Accepted,
        }
    }

    /// What is known of a submission that is skipped instead.
    pub fn skipped(skip: &SubmissionSkip) -> Self {
        Self {
            language: skip.language.clone(),
            entrant: skip.entrant.clone(),
            ..Self::named(&skip.problem, &skip.submission)
        }
    }
}

fn known_limits<'de, D: Deserializer<'de>>(
    limits: D,
) -> Result<Option<LoggedLimits>, D::Error> {
    LoggedLimits::deserialize(limits).map(Some)
}

/// A time in microseconds, the unit of all times in logs.
pub fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Limits in the form of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedLimits {
    /// CPU time of the whole tree, in microseconds.
    pub cpu_us: u64,
    /// Wall time, in microseconds.
    pub wall_us: u64,
    /// Peak memory, in bytes.
    pub memory_bytes: u64,
    /// Bytes on standard output, and separately on standard error.
    pub output_bytes: u64,
    /// Processes and threads at once.
    pub processes: u32,
}

impl From<&Limits> for LoggedLimits {
    fn from(limits: &Limits) -> Self {
        Self {
            cpu_us: micros(limits.cpu),
            wall_us: micros(limits.wall),
            memory_bytes: limits.memory_bytes,
            output_bytes: limits.output_bytes,
            processes: limits.processes,
        }
    }
}

// The line of an event in a log, as JSON. The name of the event is at its start, where
// the log writes it, so the rest can be read directly into the right type. The general
// way reads a line into a tree first to look for the tag, and does so twice if fields
// are flattened; but a log is read twice and may have hundreds of thousands of lines.
// Knows nothing of files.

/// The start of every line that the log writes.
const START: &str = r#"{"event":""#;

/// Separates the name of an event from its number.
const NUMBER: &str = r#","number":"#;

/// The part of a line that identifies the event.
#[derive(Deserialize)]
pub struct EventName {
    /// The name of the event, even of one that is not known.
    pub event: String,
    /// The number of the event, if it has one.
    pub number: Option<u64>,
}

impl EventName {
    /// The name and the number in a line; `None` if it has no name.
    pub fn of_line(line: &[u8]) -> Option<Self> {
        serde_json::from_slice(line).ok()
    }
}

impl Event {
    /// The line of an event, without its line end. Its number is the second field,
    /// where a reader finds it quickly.
    ///
    /// # Errors
    /// If a value cannot be written as JSON.
    pub fn to_line(&self, number: u64) -> serde_json::Result<Vec<u8>> {
        let mut line = vec![];
        let mut target = Serializer::with_formatter(&mut line, PrintableJson);
        self.serialize(&mut target)?;
        let name = line[START.len()..]
            .iter()
            .position(|byte| *byte == b'"')
            .map_or(0, |end| START.len() + end + 1);
        line.splice(name..name, format!("{NUMBER}{number}").into_bytes());
        Ok(line)
    }

    /// The event of a line and its number, if it has one.
    ///
    /// # Errors
    /// Returns the error of the general way of reading it.
    pub fn of_line(line: &[u8]) -> serde_json::Result<(Self, Option<u64>)> {
        if let Some(found) = quick(line) {
            return Ok(found);
        }
        let event = serde_json::from_slice(line)?;
        let EventName { number, .. } = serde_json::from_slice(line)?;
        Ok((event, number))
    }
}

/// JSON that a terminal or a CI service may show: strings have the letters that could
/// deceive them as escapes.
struct PrintableJson;

impl Formatter for PrintableJson {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        target: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut bytes = fragment.bytes();
        if bytes.all(|byte| matches!(byte, b' '..=b'~') && byte != b'#') {
            return target.write_all(fragment.as_bytes());
        }
        for (letter, is_safe) in letters(fragment) {
            if is_safe {
                write!(target, "{letter}")?;
                continue;
            }
            for unit in letter.encode_utf16(&mut [0; 2]) {
                write!(target, "\\u{unit:04x}")?;
            }
        }
        Ok(())
    }
}

/// The event of a line in the form that the log writes, if it is of a frequent kind.
fn quick(line: &[u8]) -> Option<(Event, Option<u64>)> {
    // Checks once that the line is UTF-8, instead of for each of its strings.
    let line = str::from_utf8(line).ok()?;
    let (name, rest) = line.strip_prefix(START)?.split_once('"')?;
    // A log from before events were numbered has no number anywhere in the line.
    let number = match rest.strip_prefix(NUMBER) {
        Some(rest) => Some(rest.split_once(',')?.0.parse().ok()?),
        None if rest.contains(NUMBER) => return None,
        None => None,
    };
    let event = match name {
        "trial_finished" => Event::TrialFinished(serde_json::from_str(line).ok()?),
        "submission_started" => {
            Event::SubmissionStarted(serde_json::from_str(line).ok()?)
        }
        "submission_finished" => {
            Event::SubmissionFinished(serde_json::from_str(line).ok()?)
        }
        _ => return None,
    };
    Some((event, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_logged_with_the_action_that_failed_and_the_cause() {
        let event = Event::TrialFaulted(Box::new(TrialFault {
            problem: "p".into(),
            submission: "s".into(),
            case: "c".into(),
            fault: Fault::because("starting it", "no such file"),
        }));
        let line = serde_json::to_string(&event).unwrap();
        assert_eq!(
            line,
            r#"{"event":"trial_faulted","problem":"p","submission":"s","case":"c","doing":"starting it","cause":"no such file"}"#
        );
        assert_eq!(serde_json::from_str::<Event>(&line).unwrap(), event);
    }

    #[test]
    fn a_line_of_the_log_deceives_neither_a_terminal_nor_a_ci_service() {
        let event = Event::TrialFaulted(Box::new(TrialFault {
            problem: "ä #1 ##".into(),
            submission: "s".into(),
            case: "c".into(),
            fault: Fault::because(
                "\u{9b}31m \u{202e}",
                "\u{e0001}\u{7f}\n##vso[a]b ##[error]",
            ),
        }));
        let line = String::from_utf8(event.to_line(1).unwrap()).unwrap();
        assert_eq!(
            line,
            r###"{"event":"trial_faulted","number":1,"problem":"ä #1 ##","submission":"s","case":"c","doing":"\u009b31m \u202e","cause":"\udb40\udc01\u007f\n\u0023#vso[a]b \u0023#[error]"}"###
        );
        assert_eq!(Event::of_line(line.as_bytes()).unwrap().0, event);
    }
}

#[cfg(test)]
mod log_line_tests {
    use super::*;

    const LIMITS: &str =
        r#"{"cpu_us":1,"wall_us":2,"memory_bytes":3,"output_bytes":4,"processes":5}"#;

    #[test]
    fn the_quick_way_reads_what_the_general_way_reads() {
        let started = format!(
            r#"{{"event":"submission_started","problem":"p","submission":"s","path":"a/s","language":"C","expected":"WA","limits":{LIMITS},"team":"t","minute":7}}"#
        );
        let short = format!(
            r#"{{"event":"submission_started","problem":"p","submission":"s","language":"C","limits":{LIMITS}}}"#
        );
        for line in [
            started.as_str(),
            &short,
            r#"{"event":"trial_finished","problem":"p","submission":"s","case":"c","verdict":"AC","cpu_us":7,"later":[1]}"#,
            r#"{"event":"trial_finished","problem":"p","submission":"s","case":"c\u00e9","verdict":"TLE","stderr":"x"}"#,
            r#"{"event":"submission_finished","problem":"p","submission":"s","language":"C","verdict":"WA","passed":1,"cases":2,"faults":0,"slowest_cpu_us":1,"peak_memory_bytes":1,"team":"t"}"#,
            r#"{"event":"submission_finished","problem":"p","submission":"s","language":"C","verdict":null,"passed":1,"cases":2,"faults":0,"slowest_cpu_us":1,"peak_memory_bytes":1}"#,
        ] {
            let general = serde_json::from_str::<Event>(line).unwrap();
            assert_eq!(
                quick(line.as_bytes()),
                Some((general.clone(), None)),
                "{line}"
            );
            let numbered = general.to_line(17).unwrap();
            assert_eq!(quick(&numbered), Some((general, Some(17))), "{line}");
        }
    }

    #[test]
    fn lines_in_another_form_are_read_as_well() {
        for line in [
            r#"{"problem":"p","submission":"s","case":"c","verdict":"AC","event":"trial_finished"}"#,
            r#" {"event" : "trial_finished","problem":"p","submission":"s","case":"c","verdict":"AC"}"#,
        ] {
            assert_eq!(quick(line.as_bytes()), None);
            assert!(
                matches!(
                    Event::of_line(line.as_bytes()),
                    Ok((Event::TrialFinished(_), None))
                ),
                "{line}"
            );
            let numbered = line.replacen('{', "{ \"number\" : 3,", 1);
            assert!(
                matches!(
                    Event::of_line(numbered.as_bytes()),
                    Ok((Event::TrialFinished(_), Some(3)))
                ),
                "{line}"
            );
        }
        let lacking = br#"{"event":"trial_finished","problem":"p"}"#;
        let general = serde_json::from_slice::<Event>(lacking).unwrap_err();
        assert_eq!(
            Event::of_line(lacking).unwrap_err().to_string(),
            general.to_string()
        );
    }
}
