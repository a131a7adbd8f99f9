//! Writes the log: one event per line as JSON, each written as a whole and at once. `docs/log.md`
//! describes it.

pub(super) mod lines;
pub(super) mod log_reader;

use std::io;
use std::io::Write;
use std::sync::Arc;

use serde::Deserialize;

use crate::model::{Entrant, Event, Expected, LoggedLimits};
use crate::report::Sink;

/// The bytes that every log starts with.
pub const LOG_START: &[u8] = br#"{"event":"suite_started""#;

/// Writes events as JSON Lines and numbers them, so that a missing or doubled line can be found
/// later.
pub struct Log<W> {
    target: W,
    /// The number of the last event written, from 1.
    number: u64,
}

impl<W: Write> Log<W> {
    /// A log written to `target`, which is flushed after each event.
    pub fn new(target: W) -> Self {
        Self { target, number: 0 }
    }
}

impl<W: Write> Sink for Log<W> {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        self.number += 1;
        let mut line = of_event(event, self.number)?;
        line.push(b'\n');
        // One write per line, so that a judge that is killed leaves whole lines.
        self.target.write_all(&line)?;
        self.target.flush()
    }
}

// Reads a line of a log as an event. The name of the event is at its start, where the log writes
// it, so the rest can be read directly into the right type. The general way reads a line into a
// tree first to look for the tag, and does so twice if fields are flattened; but a log is read
// twice and may have hundreds of thousands of lines.

/// The start of every line that the log writes.
const START: &str = r#"{"event":""#;

/// The fields of [`Event::SubmissionStarted`].
#[derive(Deserialize)]
struct StartedFields {
    problem: Arc<str>,
    submission: Arc<str>,
    #[serde(default)]
    path: String,
    language: String,
    #[serde(default)]
    expected: Option<Expected>,
    limits: LoggedLimits,
    #[serde(default)]
    decided_by_groups: bool,
    #[serde(flatten)]
    entrant: Option<Entrant>,
}

/// Separates the name of an event from its number.
const NUMBER: &str = r#","number":"#;

/// The part of a line that identifies the event.
#[derive(Deserialize)]
pub(crate) struct EventName {
    event: String,
    #[serde(default)]
    number: Option<u64>,
}

/// The line of an event, without its line end. Its number is the second field, where a reader finds
/// it quickly.
fn of_event(event: &Event, number: u64) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(event)?;
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
fn event(line: &[u8]) -> serde_json::Result<(Event, Option<u64>)> {
    if let Some(found) = quick(line) {
        return Ok(found);
    }
    let event = serde_json::from_slice(line)?;
    let EventName { number, .. } = serde_json::from_slice(line)?;
    Ok((event, number))
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
        "trial_finished" => serde_json::from_str(line).ok().map(Event::TrialFinished),
        "submission_started" => serde_json::from_str::<StartedFields>(line)
            .ok()
            .map(Event::from),
        "submission_finished" => serde_json::from_str(line)
            .ok()
            .map(Event::SubmissionFinished),
        _ => None,
    };
    Some((event?, number))
}

impl From<StartedFields> for Event {
    fn from(started: StartedFields) -> Self {
        let StartedFields {
            problem,
            submission,
            path,
            language,
            expected,
            limits,
            decided_by_groups,
            entrant,
        } = started;
        Self::SubmissionStarted {
            problem,
            submission,
            path,
            language,
            expected,
            limits,
            decided_by_groups,
            entrant,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Tally;

    #[test]
    fn an_event_is_one_line_and_has_a_number() {
        let mut written = Vec::new();
        let mut log = Log::new(&mut written);
        log.take(&Event::SuiteFinished(Tally::default())).unwrap();
        log.take(&Event::SuiteInterrupted(Tally::default()))
            .unwrap();
        let text = String::from_utf8(written).unwrap();
        let events: Vec<Event> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(events[1], Event::SuiteInterrupted(Tally::default()));
        assert!(
            text.lines()
                .nth(1)
                .unwrap()
                .starts_with(r#"{"event":"suite_interrupted","number":2,"#),
            "{text}"
        );
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
            let numbered = of_event(&general, 17).unwrap();
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
                matches!(event(line.as_bytes()), Ok((Event::TrialFinished(_), None))),
                "{line}"
            );
            let numbered = line.replacen('{', "{ \"number\" : 3,", 1);
            assert!(
                matches!(
                    event(numbered.as_bytes()),
                    Ok((Event::TrialFinished(_), Some(3)))
                ),
                "{line}"
            );
        }
        let lacking = br#"{"event":"trial_finished","problem":"p"}"#;
        let general = serde_json::from_slice::<Event>(lacking).unwrap_err();
        assert_eq!(event(lacking).unwrap_err().to_string(), general.to_string());
    }
}
