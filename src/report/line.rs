//! A line of a log as an event. Which event it is stands at its start, where the log writes it: then the rest is read once,
//! straight into its place. In the general way a line is first read into a tree, to look for its tag, and twice so where
//! fields are flattened; a log is read twice, and may have hundreds of thousands of lines.

use std::sync::Arc;

use serde::Deserialize;

use crate::model::Bounds;
use crate::model::Entrant;
use crate::model::Event;
use crate::model::Expected;

/// What every line starts with that the log wrote.
const START: &str = r#"{"event":""#;

/// The fields of a submission's beginning, as the event has them.
#[derive(Deserialize)]
struct Started {
    problem: Arc<str>,
    submission: Arc<str>,
    #[serde(default)]
    path: String,
    language: String,
    #[serde(default)]
    expected: Option<Expected>,
    limits: Bounds,
    #[serde(flatten)]
    entrant: Option<Entrant>,
}

/// The event of a line.
///
/// # Errors
/// What the general way finds wrong with it.
pub(crate) fn event(line: &[u8]) -> serde_json::Result<Event> {
    quick(line).map_or_else(|| serde_json::from_slice(line), Ok)
}

/// The event of a line that is one of the many, as the log writes it.
fn quick(line: &[u8]) -> Option<Event> {
    // Looked at once, and not again for each of its strings.
    let line = str::from_utf8(line).ok()?;
    let (name, _) = line.strip_prefix(START)?.split_once('"')?;
    match name {
        "trial_finished" => serde_json::from_str(line).ok().map(Event::TrialFinished),
        "submission_started" => serde_json::from_str::<Started>(line).ok().map(Event::from),
        "submission_finished" => serde_json::from_str(line).ok().map(Event::SubmissionFinished),
        _ => None,
    }
}

impl From<Started> for Event {
    fn from(started: Started) -> Self {
        let Started { problem, submission, path, language, expected, limits, entrant } = started;
        Self::SubmissionStarted { problem, submission, path, language, expected, limits, entrant }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: &str = r#"{"cpu_us":1,"wall_us":2,"memory_bytes":3,"output_bytes":4,"processes":5}"#;

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
            assert_eq!(quick(line.as_bytes()).as_ref(), Some(&general), "{line}");
        }
    }

    #[test]
    fn what_is_written_in_another_way_is_read_all_the_same() {
        for line in [
            r#"{"problem":"p","submission":"s","case":"c","verdict":"AC","event":"trial_finished"}"#,
            r#" {"event" : "trial_finished","problem":"p","submission":"s","case":"c","verdict":"AC"}"#,
        ] {
            assert_eq!(quick(line.as_bytes()), None);
            assert!(matches!(event(line.as_bytes()), Ok(Event::TrialFinished(_))), "{line}");
        }
        let lacking = br#"{"event":"trial_finished","problem":"p"}"#;
        let general = serde_json::from_slice::<Event>(lacking).unwrap_err();
        assert_eq!(event(lacking).unwrap_err().to_string(), general.to_string());
    }
}
