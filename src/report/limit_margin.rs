//! The margins of a time limit: what is accepted should take half of it at most, and what is too slow half as much
//! again at least. From the events of a suite whose limits were raised, so that times beyond the real limit are seen. The
//! two factors are those of Kattis' problem package format 2025-09.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use crate::model::Event;
use crate::model::Expected;
use crate::model::TrialRecord;
use crate::model::Verdict;
use crate::report::sink::Sink;

/// The longest times of the examples of each problem, in the currency of its time limit: what a language is granted beyond
/// that is divided out.
#[derive(Default)]
pub struct LimitMargins {
    /// By problem.
    rooms: BTreeMap<Arc<str>, LimitMargin>,
    /// The time limits that were raised, in microseconds of the problem and not of a language.
    raised: BTreeMap<Arc<str>, u64>,
    /// The submission under way.
    current: Option<TimedSubmission>,
}

/// What the examples of one problem took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LimitMargin {
    /// The slowest that must be accepted.
    pub slowest: Option<SlowestCase>,
    /// The fastest that must be too slow.
    pub fastest: Option<SlowestCase>,
}

/// The longest that one submission took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlowestCase {
    /// The submission.
    pub submission: Arc<str>,
    /// The case it took that long on.
    pub case: String,
    /// CPU time in microseconds, as if its language were granted nothing beyond the limit.
    pub cpu_us: u64,
    /// Whether it was stopped: then it would have taken longer.
    pub stopped: bool,
}

struct TimedSubmission {
    role: TimingRole,
    /// Hundredths of the problem's own limit that its language is granted.
    percent: u64,
    longest: Option<SlowestCase>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TimingRole {
    Accepted,
    TooSlow,
}

impl LimitMargins {
    /// For the suite to come: the time limits that it judges with, in microseconds, by problem.
    pub fn raise(&mut self, raised: impl IntoIterator<Item = (Arc<str>, u64)>) {
        self.raised = raised.into_iter().collect();
    }

    /// What the examples of a problem took.
    pub fn of(&self, problem: &str) -> LimitMargin {
        self.rooms.get(problem).cloned().unwrap_or_default()
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
        let (Some(current), Some(cpu_us)) = (&mut self.current, record.cpu_us) else { return };
        let counts = match current.role {
            TimingRole::Accepted => record.verdict == Verdict::Accepted,
            TimingRole::TooSlow => true,
        };
        let cpu_us = cpu_us * 100 / current.percent.max(1);
        if counts && current.longest.as_ref().is_none_or(|longest| longest.cpu_us < cpu_us) {
            current.longest = Some(SlowestCase {
                submission: Arc::clone(&record.submission),
                case: record.case.clone(),
                cpu_us,
                stopped: record.verdict == Verdict::TimeLimit,
            });
        }
    }

    fn end(&mut self, problem: &Arc<str>) {
        let Some(TimedSubmission { role, longest: Some(timing), .. }) = self.current.take() else { return };
        let room = self.rooms.entry(Arc::clone(problem)).or_default();
        match role {
            TimingRole::Accepted
                if room.slowest.as_ref().is_none_or(|known| known.cpu_us < timing.cpu_us) =>
            {
                room.slowest = Some(timing);
            }
            TimingRole::TooSlow if room.fastest.as_ref().is_none_or(|known| known.cpu_us > timing.cpu_us) => {
                room.fastest = Some(timing);
            }
            _ => {}
        }
    }
}

/// What a promise has to do with time; nothing if others than these verdicts are allowed, too.
fn role_of(expected: &Expected) -> Option<TimingRole> {
    match expected.verdicts() {
        [Verdict::Accepted] => Some(TimingRole::Accepted),
        _ => expected.is_too_slow().then_some(TimingRole::TooSlow),
    }
}

impl Sink for LimitMargins {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::SubmissionStarted { problem, expected, limits, .. } => {
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
    /// The shortest limit that leaves what is accepted its room, in microseconds.
    pub fn least(&self) -> Option<u64> {
        self.slowest.as_ref().map(|slowest| slowest.cpu_us * 2)
    }

    /// The longest limit that leaves what is too slow its distance, in microseconds; none where that was not seen.
    pub fn most(&self) -> Option<u64> {
        self.fastest.as_ref().map(|fastest| fastest.cpu_us * 2 / 3)
    }

    /// The shortest round limit in between, in microseconds; none if there is none, or nothing must be accepted.
    pub fn proposal(&self) -> Option<u64> {
        let proposal = round(self.least()?);
        self.most().is_none_or(|most| proposal <= most).then_some(proposal)
    }

    /// Whether a limit leaves room on both sides, as far as there are examples.
    pub fn holds(&self, limit_us: u64) -> bool {
        self.least().is_none_or(|least| least <= limit_us) && self.most().is_none_or(|most| limit_us <= most)
    }
}

/// The next time that a setter would write: tenths of a second, from one second on halves, from ten on whole ones.
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

    fn room(slowest_us: u64, fastest_us: u64) -> LimitMargin {
        let timing =
            |cpu_us| SlowestCase { submission: "s".into(), case: "c".into(), cpu_us, stopped: false };
        let of = |cpu_us| Some(cpu_us).filter(|cpu_us| *cpu_us > 0).map(timing);
        LimitMargin { slowest: of(slowest_us), fastest: of(fastest_us) }
    }

    #[test]
    fn the_proposal_is_the_shortest_round_time_with_room_on_both_sides() {
        for (slowest_us, fastest_us, proposal) in [
            (1, 0, Some(100_000)),
            (50_000, 0, Some(100_000)),
            (50_001, 0, Some(200_000)),
            (500_000, 0, Some(1_000_000)),
            (500_001, 0, Some(1_500_000)),
            (5_000_001, 0, Some(11_000_000)),
            // A third of the way is not enough, half of it is.
            (500_000, 1_499_999, None),
            (500_000, 1_500_000, Some(1_000_000)),
            (0, 1_500_000, None),
        ] {
            assert_eq!(room(slowest_us, fastest_us).proposal(), proposal, "{slowest_us} {fastest_us}");
        }
    }

    #[test]
    fn a_limit_holds_if_it_has_room_on_both_sides_as_far_as_there_are_examples() {
        assert!(room(500_000, 1_500_000).holds(1_000_000));
        assert!(!room(500_001, 1_500_000).holds(1_000_000));
        assert!(!room(500_000, 1_499_999).holds(1_000_000));
        assert!(room(0, 0).holds(1));
    }
}
