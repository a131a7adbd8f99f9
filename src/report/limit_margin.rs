//! Computes the margins of a time limit: accepted examples should need at most half of it, and
//! examples that are too slow at least one and a half times as much. Reads the events of a suite
//! whose limits were raised, so that times beyond the real limit are measured. The two factors are
//! those of Kattis' problem package format 2025-09.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use crate::model::{Event, Expected, TrialRecord, Verdict};
use crate::report::sink::Sink;

/// The deciding times of each problem's examples, converted to the problem's own time limit by
/// dividing out what a language is granted beyond it.
#[derive(Default)]
pub struct LimitMargins {
    /// By problem.
    margins: BTreeMap<Arc<str>, LimitMargin>,
    /// The raised time limits in microseconds, by problem, without the allowances of languages.
    raised: BTreeMap<Arc<str>, u64>,
    /// The current submission, if its times matter.
    current: Option<TimedSubmission>,
}

/// The deciding times of one problem's examples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LimitMargin {
    /// The slowest example that must be accepted.
    pub slowest: Option<SlowestCase>,
    /// The fastest example that must be too slow.
    pub fastest: Option<SlowestCase>,
}

/// The slowest case of one submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlowestCase {
    /// The submission.
    pub submission: Arc<str>,
    /// The case on which it took this long.
    pub case: String,
    /// CPU time in microseconds, divided by what its language is granted.
    pub cpu_us: u64,
    /// Whether it was stopped at the limit, so that it would have taken longer.
    pub stopped: bool,
}

struct TimedSubmission {
    role: TimingRole,
    /// The time limit of its language, in hundredths of the problem's own limit.
    percent: u64,
    longest: Option<SlowestCase>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TimingRole {
    Accepted,
    TooSlow,
}

impl LimitMargins {
    /// Sets the raised time limits of the next suite, in microseconds, by problem.
    pub fn raise(&mut self, raised: impl IntoIterator<Item = (Arc<str>, u64)>) {
        self.raised = raised.into_iter().collect();
    }

    /// The deciding times of a problem's examples.
    pub fn of(&self, problem: &str) -> LimitMargin {
        self.margins.get(problem).cloned().unwrap_or_default()
    }

    fn begin(&mut self, problem: &Arc<str>, expected: Option<&Expected>, cpu_us: u64) {
        let role = expected.and_then(role_of);
        let own = self.raised.get(problem).copied().filter(|own| *own > 0);
        self.current = role.zip(own).map(|(role, own)| TimedSubmission {
            role,
            percent: cpu_us * 100 / own,
            longest: None,
        });
    }

    fn take_trial(&mut self, record: &TrialRecord) {
        let Some(current) = &mut self.current else {
            return;
        };
        let Some(cpu_us) = record.cpu_us else {
            return;
        };
        let counts = match current.role {
            TimingRole::Accepted => record.verdict == Verdict::Accepted,
            TimingRole::TooSlow => true,
        };
        let cpu_us = cpu_us * 100 / current.percent.max(1);
        if counts
            && current
                .longest
                .as_ref()
                .is_none_or(|longest| longest.cpu_us < cpu_us)
        {
            current.longest = Some(SlowestCase {
                submission: Arc::clone(&record.submission),
                case: record.case.clone(),
                cpu_us,
                stopped: record.verdict == Verdict::TimeLimit,
            });
        }
    }

    fn end(&mut self, problem: &Arc<str>) {
        let Some(TimedSubmission {
            role,
            longest: Some(timing),
            ..
        }) = self.current.take()
        else {
            return;
        };
        let margin = self.margins.entry(Arc::clone(problem)).or_default();
        match role {
            TimingRole::Accepted
                if margin
                    .slowest
                    .as_ref()
                    .is_none_or(|known| known.cpu_us < timing.cpu_us) =>
            {
                margin.slowest = Some(timing);
            }
            TimingRole::TooSlow
                if margin
                    .fastest
                    .as_ref()
                    .is_none_or(|known| known.cpu_us > timing.cpu_us) =>
            {
                margin.fastest = Some(timing);
            }
            _ => {}
        }
    }
}

/// The role of a submission with this expectation; `None` if other verdicts are allowed as well.
fn role_of(expected: &Expected) -> Option<TimingRole> {
    match expected.verdicts() {
        [Verdict::Accepted] => Some(TimingRole::Accepted),
        _ => expected.is_too_slow().then_some(TimingRole::TooSlow),
    }
}

impl Sink for LimitMargins {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::SubmissionStarted {
                problem,
                expected,
                limits,
                ..
            } => {
                self.begin(problem, expected.as_ref(), limits.cpu_us);
            }
            Event::TrialFinished(record) => self.take_trial(record),
            Event::SubmissionFinished(summary) => self.end(&summary.problem),
            _ => {}
        }
        Ok(())
    }
}

impl LimitMargin {
    /// The shortest limit that is long enough for the accepted examples, in microseconds.
    pub fn least(&self) -> Option<u64> {
        self.slowest.as_ref().map(|slowest| slowest.cpu_us * 2)
    }

    /// The longest limit that the slow examples still exceed clearly, in microseconds; `None`
    /// without such an example.
    pub fn most(&self) -> Option<u64> {
        self.fastest.as_ref().map(|fastest| fastest.cpu_us * 2 / 3)
    }

    /// The shortest round limit between the two bounds, in microseconds; `None` if there is no such
    /// limit, or no example must be accepted.
    pub fn proposal(&self) -> Option<u64> {
        let proposal = round(self.least()?);
        self.most()
            .is_none_or(|most| proposal <= most)
            .then_some(proposal)
    }

    /// Whether a limit keeps both margins, as far as there are examples.
    pub fn holds(&self, limit_us: u64) -> bool {
        self.least().is_none_or(|least| least <= limit_us)
            && self.most().is_none_or(|most| limit_us <= most)
    }
}

/// Rounds up to a time that a problem setter would choose: a multiple of 0.1 s up to one second, of
/// 0.5 s up to ten, and of 1 s beyond.
fn round(micros: u64) -> u64 {
    let step = match micros {
        0..=1_000_000 => 100_000,
        1_000_001..=10_000_000 => 500_000,
        _ => 1_000_000,
    };
    micros.div_ceil(step).max(1) * step
}

#[cfg(test)]
mod tests {
    use super::*;

    fn margin(slowest_us: u64, fastest_us: u64) -> LimitMargin {
        let of = |cpu_us| {
            Some(cpu_us)
                .filter(|cpu_us| *cpu_us > 0)
                .map(|cpu_us| SlowestCase {
                    submission: "s".into(),
                    case: "c".into(),
                    cpu_us,
                    stopped: false,
                })
        };
        LimitMargin {
            slowest: of(slowest_us),
            fastest: of(fastest_us),
        }
    }

    #[test]
    fn the_proposal_is_the_shortest_round_time_with_a_margin_on_both_sides() {
        for (slowest_us, fastest_us, proposal) in [
            (1, 0, Some(100_000)),
            (50_000, 0, Some(100_000)),
            (50_001, 0, Some(200_000)),
            (500_000, 0, Some(1_000_000)),
            (500_001, 0, Some(1_500_000)),
            (5_000_001, 0, Some(11_000_000)),
            // The slow example must take at least one and a half times the limit.
            (500_000, 1_499_999, None),
            (500_000, 1_500_000, Some(1_000_000)),
            (0, 1_500_000, None),
        ] {
            assert_eq!(
                margin(slowest_us, fastest_us).proposal(),
                proposal,
                "{slowest_us} {fastest_us}"
            );
        }
    }

    #[test]
    fn a_limit_holds_if_it_keeps_the_margins_to_the_examples_there_are() {
        assert!(margin(500_000, 1_500_000).holds(1_000_000));
        assert!(!margin(500_001, 1_500_000).holds(1_000_000));
        assert!(!margin(500_000, 1_499_999).holds(1_000_000));
        assert!(margin(0, 0).holds(1));
    }
}
