//! Writes SARIF 2.1.0 for code scanning: a result for each failed trial, at the file of
//! its submission, and for each mistake in a problem, at its place. Keeps to GitHub's
//! limits, and counts what exceeds them.

use std::collections::BTreeMap;
use std::mem;

use serde_json::{Value, json};

use crate::model::{
    Event, FindingRule, MistakeRecord, SubmissionSummary, Tally, TrialRecord, Verdict,
};
use crate::report::{
    FirstItems, Repository, SubmissionState, SubmissionTracker, SuiteReport,
    TrialStatus, explain,
};
use crate::text::{one_line, shortened};

/// The most results written: GitHub shows no more of a run.
const MOST_RESULTS: usize = 5_000;

/// The most failures of the judge written.
const MOST_FAULTS: usize = 20;

/// Collects results for one SARIF run.
#[derive(Default)]
pub struct Sarif {
    repository: Repository,
    tracker: SubmissionTracker,
    version: String,
    started: String,
    results: FirstItems<Value>,
    /// Messages about the judging itself.
    notifications: Vec<Value>,
    faults: usize,
    /// How many mistakes of a problem have the same file and message.
    mistakes: BTreeMap<(String, String, String), usize>,
    /// The ids and descriptions of all rules that have results.
    rules: BTreeMap<String, String>,
}

impl Sarif {
    /// A report that names files relative to the root of this repository.
    pub fn new(repository: Repository) -> Self {
        Self {
            repository,
            ..Self::default()
        }
    }

    fn trial(&mut self, record: &TrialRecord) {
        let (status, state) = self.tracker.take_trial(record);
        if status != TrialStatus::Failed {
            return;
        }
        self.results.add(MOST_RESULTS, || {
            let (id, about) = rule(record);
            let why = state.why(record);
            let line = explain::compiler_line(record);
            let verdict = record.verdict;
            let (case, message) = match verdict {
                Verdict::CompileError => ("", format!("{verdict}: {why}")),
                _ => (
                    record.case.as_str(),
                    format!("{verdict} on {}: {why}", one_line(&record.case)),
                ),
            };
            let result = result(state, &self.repository, &id, case, &message, line);
            self.rules.entry(id).or_insert(about);
            result
        });
    }

    fn finished(&mut self, summary: &SubmissionSummary) {
        let state = self.tracker.end(summary);
        let Some(broken) = state.unexpected_verdict(summary) else {
            return;
        };
        self.results.add(MOST_RESULTS, || {
            let id = "promise";
            let about = "another verdict than was expected";
            self.rules.insert(id.to_owned(), about.to_owned());
            result(&state, &self.repository, id, "", &broken, None)
        });
    }

    fn mistake(&mut self, record: &MistakeRecord) {
        self.results.add(MOST_RESULTS, || {
            let rule = format!("problem/{}", record.check);
            let same = (
                record.problem.to_string(),
                record.file.clone(),
                record.message.clone(),
            );
            let count = self.mistakes.entry(same).or_default();
            let earlier = *count;
            *count += 1;
            let result = SarifResult {
                rule: &rule,
                level: if record.is_error() {
                    "error"
                } else {
                    "warning"
                },
                text: format!(
                    "{}: {}",
                    one_line(&record.problem),
                    explain::details_of_mistake(record)
                ),
                path: &self.repository.seen(&record.file),
                line: record.line,
                // Without the line, which changes with every edit above it.
                identity: &[&record.problem, &record.file, &record.message],
                earlier,
            };
            let result = result.json();
            self.rules
                .entry(rule)
                .or_insert_with(|| record.check.meaning().to_owned());
            result
        });
    }

    fn notify(&mut self, level: &str, message: &str) {
        self.notifications.push(json!({
            "level": level,
            "message": { "text": one_line(message) },
        }));
    }
}

impl SuiteReport for Sarif {
    fn follow(&mut self, event: &Event) {
        use Event::*;

        self.tracker.follow(event);
        match event {
            SuiteStarted(start) => {
                self.version = one_line(&start.gridjudge);
                self.started = one_line(&start.started);
            }
            MistakeFound(record) => self.mistake(record),
            TrialFinished(record) => self.trial(record),
            TrialFaulted(failed) => {
                self.faults += 1;
                if self.faults <= MOST_FAULTS {
                    let message = format!(
                        "{} {} on {}: {}",
                        failed.problem, failed.submission, failed.case, failed.fault
                    );
                    self.notify("error", &message);
                }
            }
            SubmissionSkipped(skip) => {
                let message = format!(
                    "{} {}: skipped: {}",
                    skip.problem, skip.submission, skip.cause
                );
                self.notify("note", &message);
            }
            SubmissionFinished(summary) => self.finished(summary),
            _ => {}
        }
    }

    fn text(&mut self, _: &Tally, is_interrupted: bool) -> String {
        let faults = self.faults.saturating_sub(MOST_FAULTS);
        if faults > 0 {
            let message = format!("failures of the judge besides these: {faults}");
            self.notify("error", &message);
        }
        let left_out = self.results.left_out();
        if left_out > 0 {
            let message = format!(
                "results left out, besides the {MOST_RESULTS} here: {left_out}"
            );
            self.notify("warning", &message);
        }
        if is_interrupted {
            self.notify(
                "error",
                "the judging was interrupted: this report is incomplete",
            );
        }
        let rules: Vec<_> = mem::take(&mut self.rules)
            .into_iter()
            .map(|(id, about)| {
                json!({
                    "id": id,
                    "shortDescription": { "text": about },
                })
            })
            .collect();
        let mut invocation = json!({
            "executionSuccessful": !is_interrupted && self.faults == 0,
            "toolExecutionNotifications": mem::take(&mut self.notifications),
        });
        if !self.started.is_empty() {
            invocation["startTimeUtc"] = self.started.as_str().into();
        }
        let run = json!({
            "tool": {
                "driver": {
                    "name": "gridjudge",
                    "version": self.version,
                    "rules": rules,
                },
            },
            "invocations": [invocation],
            "columnKind": "unicodeCodePoints",
            "results": mem::take(&mut self.results.kept),
        });
        // The schema's own URL, by which editors recognise the file.
        let report = json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [run],
        });
        format!("{report:#}\n")
    }
}

/// A result for a submission, at its file. If the log does not contain the file, its
/// name stands for it.
fn result(
    state: &SubmissionState,
    repository: &Repository,
    rule: &str,
    case: &str,
    message: &str,
    line: Option<u64>,
) -> Value {
    let text = format!(
        "{} {}: {message}",
        one_line(&state.start.problem),
        one_line(&state.start.submission)
    );
    let identity = [&*state.start.problem, &state.start.submission, case];
    let file = match &*state.start.path {
        "" => &*state.start.submission,
        path => path,
    };
    SarifResult {
        rule,
        level: "error",
        text,
        path: &repository.seen(file),
        line,
        identity: &identity,
        earlier: 0,
    }
    .json()
}

/// The id and description of the rule that a trial broke: a rule of the grid, or else
/// its verdict.
fn rule(record: &TrialRecord) -> (String, String) {
    let verdict = record.verdict;
    let finding = match verdict {
        Verdict::WrongAnswer | Verdict::PresentationError => record.finding.as_ref(),
        _ => None,
    };
    let Some(rule) = finding.and_then(|finding| finding.rule) else {
        return (verdict.code().to_owned(), verdict.meaning().to_owned());
    };
    let about = match rule {
        FindingRule::Row
        | FindingRule::Column
        | FindingRule::Box
        | FindingRule::Region
        | FindingRule::Diagonal => format!("a symbol twice in a {rule}"),
        _ => format!("the output is at fault: {rule}"),
    };
    (rule.to_string(), about)
}

// Makes a result of SARIF: its rule, its text, its place, and what identifies it from
// one run to the next.

/// The longest path on Linux, in bytes.
const LONGEST_PATH: usize = 4096;

/// The most characters of a result's text.
const MOST_TEXT: usize = 1_000;

/// A result.
struct SarifResult<'a> {
    rule: &'a str,
    /// `error` or `warning`.
    level: &'a str,
    text: String,
    /// The file, relative to the root of the repository.
    path: &'a str,
    line: Option<u64>,
    /// What makes it the same result in another run, beside its rule.
    identity: &'a [&'a str],
    /// How many results before this one have the same identity.
    earlier: usize,
}

impl SarifResult<'_> {
    fn json(&self) -> Value {
        // A longer path cannot name a file.
        let path = if self.path.len() > LONGEST_PATH {
            ""
        } else {
            self.path
        };
        // Identifies it from one run to the next, in the form that GitHub uses. FNV-1a is
        // enough, because the hash only needs to be well distributed.
        let hash = [self.identity, &[self.rule]]
            .concat()
            .iter()
            .flat_map(|part| part.bytes().chain([0]))
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        json!({
            "ruleId": self.rule,
            "level": self.level,
            "message": { "text": shortened(&self.text, MOST_TEXT) },
            "locations": [{
                "physicalLocation": {
                    "artifactLocation": { "uri": uri(path) },
                    "region": { "startLine": self.line.unwrap_or(1).max(1) },
                },
            }],
            "partialFingerprints": {
                "primaryLocationLineHash": format!("{hash:016x}:{}", self.earlier + 1),
            },
        })
    }
}

/// A path as a URI reference, relative to the repository; absolute if the path is.
fn uri(path: &str) -> String {
    let mut uri = if path.starts_with('/') {
        "file://".to_owned()
    } else {
        String::new()
    };
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte))
        } else {
            uri.push_str(&format!("%{byte:02X}"))
        }
    }
    uri
}
