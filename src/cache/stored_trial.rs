//! The format of a stored trial: one line that begins with a checksum, so that an incomplete,
//! damaged or misplaced line is detected. Knows bytes; touches no file.
//!
//! ```text
//! 16 letters: checksum of the program's key, the case's key and the trial
//! |                64 letters: key of the case
//! |                |                     the trial, as JSON
//! 5d1c8be92a60f3e7 0b8c..               {"verdict":"AC","exit":{"code":0},..}
//! ```

use std::ops::Range;

use crate::cache::key::CacheKey;
use crate::model::{Trial, Verdict};

/// The length of a checksum in letters.
const CHECKSUM: usize = 16;

/// The place of the case's key in a line, and where the trial begins.
const CASE: Range<usize> = CHECKSUM + 1..CHECKSUM + 1 + CacheKey::LETTERS;
const TRIAL: usize = CASE.end + 1;

/// The most bytes of a line. Only a trial with twenty very long findings comes close to it.
pub(super) const MOST_BYTES: usize = 1 << 20;

/// The bytes to append for a trial; `None` if they are too many. They begin with a line break, so
/// that an incomplete line, left by a judge whose disk was full, does not make this one unreadable
/// too.
pub(super) fn write(program: &CacheKey, case: &CacheKey, trial: &Trial) -> Option<Vec<u8>> {
    let json = if trial.verdict == Verdict::Accepted {
        // No report shows what an accepted program wrote to standard error.
        serde_json::to_string(&Trial {
            stderr_tail: Vec::new(),
            ..trial.clone()
        })
    } else {
        serde_json::to_string(trial)
    };
    write_json(program, case, &json.ok()?)
}

/// The same for something else that is known of a case, as JSON.
pub(super) fn write_json(program: &CacheKey, case: &CacheKey, json: &str) -> Option<Vec<u8>> {
    let line = format!(
        "\n{} {case} {json}\n",
        checksum(program, case, json.as_bytes())
    );
    (line.len() <= MOST_BYTES).then(|| line.into_bytes())
}

/// The case that a line is about; `None` if it is not an intact line of this program.
pub(super) fn case_of(program: &CacheKey, line: &[u8]) -> Option<CacheKey> {
    let case = CacheKey::named(str::from_utf8(line.get(CASE)?).ok()?)?;
    let start = line.get(..=CHECKSUM)?;
    let json = line.get(TRIAL..)?;
    let expected = format!("{} ", checksum(program, &case, json));
    (start == expected.as_bytes() && line[CASE.end] == b' ').then_some(case)
}

/// The trial of a line that [`case_of`] has found intact.
pub(super) fn trial_of(line: &[u8]) -> Option<Trial> {
    let trial: Trial = serde_json::from_str(json_of(line)?).ok()?;
    Some(Trial {
        cached: true,
        ..trial
    })
}

/// What such a line says of its case.
pub(super) fn json_of(line: &[u8]) -> Option<&str> {
    str::from_utf8(line.get(TRIAL..)?).ok()
}

fn checksum(program: &CacheKey, case: &CacheKey, json: &[u8]) -> String {
    let mut hasher = blake3::Hasher::new();
    let hash = hasher
        .update(program.bytes())
        .update(case.bytes())
        .update(json)
        .finalize();
    hash.to_hex()[..CHECKSUM].to_owned()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::cache::key::KeyHasher;
    use crate::model::{Finding, FindingKind, FindingRule, Findings};
    use gridjudge_sandbox::{Exit, Usage};

    fn key(name: &str) -> CacheKey {
        KeyHasher::of(name).finish()
    }

    fn wrong() -> Trial {
        let finding = Finding {
            kind: FindingKind::Wrong,
            grid: Some(3),
            row: Some(9),
            column: None,
            other: None,
            rule: Some(FindingRule::Row),
            line: Some(27),
            byte: Some(0),
            message: "row 9 has two 6s\n".into(),
        };
        Trial {
            verdict: Verdict::WrongAnswer,
            exit: Exit::Signal(9),
            usage: Usage {
                cpu: Duration::from_nanos(1_234_567_891),
                peak_memory_bytes: 1,
                hidden_memory_bytes: 0,
                ..Usage::default()
            },
            findings: Some(Findings {
                listed: vec![finding],
                unlisted: 7,
                ..Findings::default()
            }),
            stderr_tail: "a\n\0é".into(),
            transcript: None,
            rerun: true,
            cached: false,
        }
    }

    fn line(trial: &Trial) -> Vec<u8> {
        let bytes = write(&key("program"), &key("case"), trial).unwrap();
        let line = bytes
            .strip_prefix(b"\n")
            .unwrap()
            .strip_suffix(b"\n")
            .unwrap();
        assert!(!line.contains(&b'\n'));
        line.to_vec()
    }

    #[test]
    fn a_trial_is_read_back_unchanged_and_marked_as_cached() {
        for trial in [
            wrong(),
            Trial {
                findings: None,
                rerun: false,
                stderr_tail: vec![],
                ..wrong()
            },
        ] {
            let line = line(&trial);
            assert_eq!(case_of(&key("program"), &line), Some(key("case")));
            assert_eq!(
                trial_of(&line),
                Some(Trial {
                    cached: true,
                    ..trial
                })
            );
        }
    }

    #[test]
    fn output_that_no_report_shows_and_too_long_trials_are_not_written() {
        let accepted = Trial {
            verdict: Verdict::Accepted,
            ..wrong()
        };
        assert_eq!(trial_of(&line(&accepted)).unwrap().stderr_tail, b"");
        let endless = Trial {
            stderr_tail: vec![b'x'; MOST_BYTES],
            ..wrong()
        };
        assert_eq!(write(&key("program"), &key("case"), &endless), None);
    }

    #[test]
    fn a_line_that_is_changed_cut_off_or_of_another_program_is_rejected() {
        let line = line(&wrong());
        assert_eq!(case_of(&key("another"), &line), None);
        for at in 0..line.len() {
            assert_eq!(case_of(&key("program"), &line[..at]), None, "{at} bytes");
            for bit in 0..8 {
                let mut line = line.clone();
                line[at] ^= 1 << bit;
                assert_eq!(
                    case_of(&key("program"), &line),
                    None,
                    "bit {bit} of byte {at}"
                );
            }
        }
    }
}
