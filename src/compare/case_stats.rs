//! The figures of a submission on a case: how often it got which verdict, and the time
//! of each attempt, in short numbers.

use crate::compare::permutation_test;
use crate::model::{AttemptRecord, TrialRecord, Verdict};
use crate::text::JoinedTexts;

/// The most times stored from one run of the judge. Of more attempts, this many are
/// stored, evenly spaced. Aggregates such as medians would not be comparable with
/// single times.
const MOST_TIMES: usize = 16;

/// The largest number stored: more than a century in microseconds.
pub(super) const GREATEST: u64 = 10_000_000_000_000;

/// The figures of a submission on a case, from one run of the judge or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CaseStats {
    /// The verdicts and their counts; the deciding one comes first.
    pub(super) verdicts: Vec<(Verdict, usize)>,
    /// CPU times of the attempts with the first verdict, in microseconds, in order, by
    /// run of the judge.
    pub(super) times_us: Vec<Vec<u64>>,
    /// The lower quartile of the judge's calibration measurements beside these
    /// attempts, in nanoseconds, by run of the judge. `None` if they were not measured.
    pub(super) calibrations_ns: Vec<Option<u64>>,
    /// The smallest, median and largest memory of these attempts, in KiB.
    pub(super) memory_kib: [u64; 3],
}

impl CaseStats {
    /// The figures of one record; `None` if the case was not run.
    pub(super) fn from_record(record: &TrialRecord) -> Option<Self> {
        let cpu_us = record.cpu_us?;
        let peak = record.peak_memory_bytes?;
        if record.cached {
            // The cached times have been recorded already, and are no second
            // measurement.
            return Some(Self::untimed(record.verdict));
        }
        // A single attempt is not listed in the record.
        let verdict = record.verdict;
        let single = [AttemptRecord {
            verdict,
            cpu_us,
            wall_us: 0,
            peak_memory_bytes: peak,
            calibration_ns: None,
        }];
        let attempts = if record.attempts.is_empty() {
            &single
        } else {
            record.attempts.as_slice()
        };
        let mut verdicts = vec![(verdict, 0)];
        for attempt in attempts {
            count(&mut verdicts, attempt.verdict, 1);
        }
        let earned: Vec<_> = attempts
            .iter()
            .filter(|attempt| attempt.verdict == verdict)
            .collect();
        let times: Vec<_> = earned.iter().map(|attempt| attempt.cpu_us).collect();
        let mut calibrations: Vec<_> = earned
            .iter()
            .filter_map(|attempt| attempt.calibration_ns)
            .collect();
        calibrations.sort_unstable();
        let lower_quartile = calibrations.len().saturating_sub(1) / 4;
        let calibration = calibrations.get(lower_quartile).copied();
        let mut memory: Vec<_> = earned
            .iter()
            .map(|attempt| attempt.peak_memory_bytes / 1024)
            .collect();
        memory.sort_unstable();
        let last = memory.len().checked_sub(1)?;
        let memory_kib = [memory[0], memory[last / 2], memory[last]].map(short);
        Some(Self {
            verdicts,
            times_us: vec![some_of(&times)],
            calibrations_ns: vec![calibration.map(short)],
            memory_kib,
        })
    }

    /// Figures of a case without times.
    pub(super) fn untimed(verdict: Verdict) -> Self {
        Self {
            verdicts: vec![(verdict, 1)],
            times_us: Vec::new(),
            calibrations_ns: Vec::new(),
            memory_kib: [0; 3],
        }
    }

    /// The deciding verdict.
    pub(super) fn verdict(&self) -> Verdict {
        self.verdicts[0].0
    }

    pub(super) fn is_flaky(&self) -> bool {
        self.verdicts.len() > 1
    }

    /// Whether its times are meaningful: not if it was stopped, got different verdicts,
    /// or was not run.
    pub(super) fn has_times(&self) -> bool {
        self.is_whole() && !self.times_us.is_empty()
    }

    /// Whether it ran to its end with the same verdict each time.
    pub(super) fn is_whole(&self) -> bool {
        ends_normally(self.verdict()) && !self.is_flaky()
    }

    pub(super) fn attempts(&self) -> usize {
        self.verdicts.iter().map(|(_, count)| count).sum()
    }

    /// `AC`, or `WA:3,AC:7` if the verdicts differ.
    pub(super) fn earned(&self) -> String {
        if !self.is_flaky() {
            return self.verdict().to_string();
        }
        self.verdicts
            .iter()
            .map(|(verdict, count)| format!("{verdict}:{count}"))
            .joined(",")
    }

    /// The lower confidence bound of the median time, the median, and the upper bound,
    /// in microseconds.
    pub(super) fn middle(&self) -> [u64; 3] {
        let mut times = self.times_us.concat();
        times.sort_unstable();
        let Some(last) = times.len().checked_sub(1) else {
            return [0; 3];
        };
        let (low, high) = permutation_test::places_around_median(times.len());
        [
            times[low],
            u64::midpoint(times[last / 2], times[times.len() / 2]),
            times[high],
        ]
        .map(short)
    }

    /// With the figures of another run of the judge.
    pub(super) fn joined(mut self, mut other: Self) -> Self {
        let is_alike = other.verdict() == self.verdict();
        if !is_alike && self.verdict() == Verdict::Accepted {
            // A rejection decides, so its figures replace those of accepted attempts.
            std::mem::swap(&mut self, &mut other);
        }
        for (verdict, more) in other.verdicts {
            count(&mut self.verdicts, verdict, more);
        }
        if is_alike && self.times_us.is_empty() {
            self.times_us = other.times_us;
            self.calibrations_ns = other.calibrations_ns;
            self.memory_kib = other.memory_kib;
        } else if is_alike && !other.times_us.is_empty() {
            self.times_us.extend(other.times_us);
            self.calibrations_ns.extend(other.calibrations_ns);
            let [least, middle, most] = self.memory_kib;
            let [other_least, other_middle, other_most] = other.memory_kib;
            self.memory_kib = [
                least.min(other_least),
                u64::midpoint(middle, other_middle),
                most.max(other_most),
            ];
        }
        self
    }
}

/// Whether a run with this verdict ended by itself.
pub(super) fn ends_normally(verdict: Verdict) -> bool {
    matches!(
        verdict,
        Verdict::Accepted | Verdict::PresentationError | Verdict::WrongAnswer
    )
}

/// Adds to the count of a verdict.
fn count(verdicts: &mut Vec<(Verdict, usize)>, verdict: Verdict, more: usize) {
    match verdicts.iter_mut().find(|(known, _)| *known == verdict) {
        Some((_, count)) => *count += more,
        None => verdicts.push((verdict, more)),
    }
}

/// At most [`MOST_TIMES`] of these times.
fn some_of(times: &[u64]) -> Vec<u64> {
    let kept = times.len().min(MOST_TIMES);
    (0..kept)
        .map(|place| short(times[place * times.len() / kept]))
        .collect()
}

/// Rounds a number to three significant digits, and limits it to [`GREATEST`].
fn short(number: u64) -> u64 {
    let number = number.min(GREATEST);
    let mut unit = 1;
    while number / unit >= 1000 {
        unit *= 10;
    }
    let rounded =
        (number / unit) + u64::from(number % unit >= unit.div_ceil(2) && unit > 1);
    rounded * unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::tests::record;

    #[test]
    fn numbers_keep_three_significant_digits() {
        for (number, expected) in [
            (0, 0),
            (999, 999),
            (1000, 1000),
            (1004, 1000),
            (1005, 1010),
            (9995, 10_000),
            (123_456, 123_000),
            (u64::MAX, GREATEST),
        ] {
            assert_eq!(short(number), expected, "{number}");
        }
    }

    #[test]
    fn of_many_attempts_evenly_spaced_ones_are_kept_in_order() {
        let times: Vec<_> = (0..48).collect();
        assert_eq!(
            some_of(&times),
            (0..16).map(|place| 3 * place).collect::<Vec<_>>()
        );
        assert_eq!(some_of(&[5, 4, 3]), [5, 4, 3]);
        assert_eq!(some_of(&(0..1000).collect::<Vec<_>>()).len(), 16);
        assert!(some_of(&[]).is_empty());
    }

    #[test]
    fn the_times_of_a_flaky_case_are_those_of_the_deciding_verdict() {
        let figures = CaseStats::from_record(&record(
            "s",
            "c",
            &[("AC", 9), ("WA", 4), ("AC", 8), ("WA", 6)],
        ))
        .unwrap();
        assert_eq!(
            figures.verdicts,
            [(Verdict::WrongAnswer, 2), (Verdict::Accepted, 2)]
        );
        assert_eq!(
            (figures.times_us.as_slice(), figures.attempts()),
            ([vec![4, 6]].as_slice(), 4)
        );
        assert!(figures.is_flaky() && !figures.has_times());
    }

    #[test]
    fn runs_of_the_judge_stay_separate_and_one_rejection_among_them_decides() {
        let of = |attempts: &[(&str, u64)]| {
            CaseStats::from_record(&record("s", "c", attempts)).unwrap()
        };
        let figures = of(&[("AC", 1), ("AC", 2)]).joined(of(&[("AC", 3)]));
        assert_eq!(
            (figures.times_us.clone(), figures.attempts()),
            (vec![vec![1, 2], vec![3]], 3)
        );
        let figures = figures.joined(of(&[("RE", 7)]));
        assert_eq!(
            figures.verdicts,
            [(Verdict::RuntimeError, 1), (Verdict::Accepted, 3)]
        );
        assert_eq!(figures.times_us, [[7]]);
        let figures = figures.joined(of(&[("AC", 5)]));
        assert_eq!((figures.verdicts[1].1, figures.times_us.len()), (4, 1));
    }
}
