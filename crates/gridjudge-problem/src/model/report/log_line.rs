//! The line of an event in a log, as JSON. The name of the event is at its start, where the log
//! writes it, so the rest can be read directly into the right type. The general way reads a line
//! into a tree first to look for the tag, and does so twice if fields are flattened; but a log is
//! read twice and may have hundreds of thousands of lines. Knows nothing of files.

use std::sync::Arc;

use serde::Deserialize;

use crate::model::{Entrant, Event, Expected, LoggedLimits};

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
pub struct EventName {
    /// The name of the event, even of one that is not known.
    pub event: String,
    /// The number of the event, if it has one.
    #[serde(default)]
    pub number: Option<u64>,
}

impl EventName {
    /// The name and the number in a line; `None` if it has no name.
    pub fn of_line(line: &[u8]) -> Option<Self> {
        serde_json::from_slice(line).ok()
    }
}

impl Event {
    /// The line of an event, without its line end. Its number is the second field, where a reader finds
    /// it quickly.
    ///
    /// # Errors
    /// If a value cannot be written as JSON.
    pub fn to_line(&self, number: u64) -> serde_json::Result<Vec<u8>> {
        let mut line = serde_json::to_vec(self)?;
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
