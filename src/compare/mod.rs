//! Stores verdicts, times and memory in a baseline file that is kept with the sources,
//! and compares later runs with it. Knows events and numbers, but not how programs are
//! run or who uses the result. Start at [`Comparison::between`].
//!
//! ```text
//! events -> BaselineCollector -> Baseline <-> file
//!                                   |
//!                     Baseline -> Comparison -> FailurePolicy, table, Markdown, JSON
//!                                   |
//!         verdicts (change), flakiness, times and memory (times, permutation_test)
//! ```
//!
//! Noise is measured: each case is run several times, and a time counts as changed if
//! the times of both sides differ by more than chance, than their own spread, and than
//! a minimum worth reporting. See [`times`].

mod baseline;
mod change;
mod comparison;
mod file;
mod lines;
mod permutation_test;
mod table;
mod times;

use std::str::FromStr;

use lines::{CaseStats, GREATEST, SharedCase, TrialKey, TrialLine, TrialLines};
use permutation_test::{
    chance_of_being_above, corrected, float, in_order, least_chance, least_chance_of,
    median,
};
use times::time_changes;

pub use baseline::{Baseline, BaselineCollector, LogGaps};
pub use change::{Change, ChangeKind, ChangeSubject, Comparison};
pub use comparison::NotComparable;
pub use file::{is_baseline, parse_baseline, to_text};
pub use lines::SubmissionKey;
pub use table::{change_in_words, comparison_table, markdown};

/// The changes that are not tolerated.
#[derive(Clone, Copy, Debug)]
pub struct FailurePolicy {
    /// Changed verdicts, unless to accepted, and flaky cases that are accepted less
    /// often.
    verdict: bool,
    /// Cases and submissions that no longer exist.
    gone: bool,
    /// CPU time that has grown by at least this factor, beyond noise.
    time: Option<f64>,
    /// Memory that has grown by at least this factor, beyond all earlier attempts.
    memory: Option<f64>,
}

impl Default for FailurePolicy {
    /// Verdicts only, because other changes may be intended.
    fn default() -> Self {
        Self {
            verdict: true,
            gone: false,
            time: None,
            memory: None,
        }
    }
}

impl FailurePolicy {
    /// Whether a change violates the policy.
    pub fn is_failure(&self, change: &Change) -> bool {
        use ChangeKind::*;

        let factor = change.kind.factor();
        let is_beyond = |least: Option<f64>, chance: &Option<f64>| {
            chance.is_some()
                && least.is_some_and(|least| factor > 1.0 && factor >= least)
        };
        match &change.kind {
            Verdict { is_accepted, .. } => self.verdict && !is_accepted,
            Flaky { is_worse, .. } => self.verdict && *is_worse,
            Gone { .. } => self.gone,
            Time { chance, .. } => is_beyond(self.time, chance),
            Memory { chance, .. } => is_beyond(self.memory, chance),
            New { .. } => false,
        }
    }
}

impl FromStr for FailurePolicy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut policy = Self {
            verdict: false,
            ..Self::default()
        };
        for word in text.split(',').map(str::trim) {
            match word
                .split_once('=')
                .map_or((word, None), |(name, part)| (name, Some(part)))
            {
                ("verdict", None) => policy.verdict = true,
                ("gone", None) => policy.gone = true,
                ("time", part) => policy.time = Some(factor(part)?),
                ("memory", part) => policy.memory = Some(factor(part)?),
                ("none", None) => {}
                ("verdict" | "gone" | "none", Some(_)) => {
                    return Err(format!("`{word}` takes no percentage"));
                }
                _ => {
                    return Err(format!(
                        "`{word}` is none of verdict, gone, time, memory, none"
                    ));
                }
            }
        }
        Ok(policy)
    }
}

/// Converts `20%` to 1.2; without a percentage any change counts.
fn factor(part: Option<&str>) -> Result<f64, String> {
    let Some(part) = part else { return Ok(1.0) };
    let number = part
        .strip_suffix('%')
        .and_then(|number| number.parse::<f64>().ok());
    match number {
        Some(percent) if (0.0..=10_000.0).contains(&percent) => {
            Ok(1.0 + percent / 100.0)
        }
        _ => Err(format!("`{part}` is not a percentage such as `20%`")),
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod policy_tests {
    use super::*;

    fn change(kind: ChangeKind) -> Change {
        Change {
            subject: ChangeSubject {
                owner: SubmissionKey::new(&"p".into(), &"s".into()),
                case: None,
            },
            kind,
        }
    }

    fn time(factor: f64, chance: Option<f64>) -> ChangeKind {
        ChangeKind::Time {
            was_us: 100,
            now_us: 120,
            factor,
            low: 1.0,
            high: 2.0,
            chance,
            cases: 3,
        }
    }

    #[test]
    fn a_policy_fails_only_on_the_kinds_it_names_and_only_for_the_worse() {
        let verdict = |is_accepted| ChangeKind::Verdict {
            was: "WA".into(),
            now: "RE".into(),
            is_accepted,
        };
        let memory = |now_bytes| ChangeKind::Memory {
            was_bytes: 1000,
            now_bytes,
            chance: Some(0.001),
            cases: 1,
        };
        let flaky = |is_worse| ChangeKind::Flaky {
            was: "WA:1".into(),
            now: "WA:9".into(),
            is_worse,
            chance: 0.001,
        };
        for (policy, kind, is_failure) in [
            ("verdict", verdict(false), true),
            ("verdict", verdict(true), false),
            ("verdict", ChangeKind::Gone { cases: 1 }, false),
            ("gone,time", ChangeKind::Gone { cases: 1 }, true),
            ("gone", verdict(false), false),
            ("time", time(1.04, Some(0.001)), true),
            ("time=20%", time(1.19, Some(0.001)), false),
            ("time=20%", time(1.21, Some(0.001)), true),
            ("time=20%", time(3.0, None), false),
            ("time", time(0.5, Some(0.001)), false),
            ("verdict, memory=10%", memory(1100), true),
            ("memory=10%", memory(1099), false),
            ("memory", memory(900), false),
            ("verdict", flaky(true), true),
            ("verdict", flaky(false), false),
            ("time", flaky(true), false),
            (
                "verdict,gone,time,memory",
                ChangeKind::New {
                    cases: 1,
                    earned: None,
                },
                false,
            ),
            ("none", verdict(false), false),
        ] {
            let found = policy
                .parse::<FailurePolicy>()
                .unwrap()
                .is_failure(&change(kind.clone()));
            assert_eq!(found, is_failure, "{policy} {kind:?}");
        }
    }

    #[test]
    fn an_invalid_policy_is_rejected() {
        for (text, message) in [
            (
                "verdcit",
                "`verdcit` is none of verdict, gone, time, memory, none",
            ),
            ("", "`` is none of verdict, gone, time, memory, none"),
            ("time=20", "`20` is not a percentage such as `20%`"),
            ("time=-5%", "`-5%` is not a percentage such as `20%`"),
            ("memory=NaN%", "`NaN%` is not a percentage such as `20%`"),
            ("gone=3%", "`gone=3%` takes no percentage"),
        ] {
            assert_eq!(text.parse::<FailurePolicy>().unwrap_err(), message);
        }
    }
}
