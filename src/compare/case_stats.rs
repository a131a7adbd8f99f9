//! What is kept of a submission on a case: how often it earned what, and what each attempt took, in short numbers.

use crate::compare::statistics;
use crate::model::AttemptRecord;
use crate::model::TrialRecord;
use crate::model::Verdict;

/// Times kept of one run of the judge. Of more attempts than these, as many are kept, at even distances: whatever is made of
/// several, as their median, could not be held against single ones.
pub(super) const MOST_TIMES: usize = 16;

/// No figure is greater: a century in microseconds is not, nor are all the world's attempts.
pub(super) const GREATEST: u64 = 10_000_000_000_000;

/// A submission on a case, over one run of the judge or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CaseStats {
    /// What it earned and how often; first what decides.
    pub(super) verdicts: Vec<(Verdict, usize)>,
    /// CPU times of the attempts that earned the first verdict, in microseconds, in their order, run by run of the judge.
    pub(super) times_us: Vec<Vec<u64>>,
    /// How long a piece of work of the judge's own took beside these attempts, in nanoseconds, run by run of the judge: the
    /// lower quartile. None where that was not asked.
    pub(super) calibrations_ns: Vec<Option<u64>>,
    /// The least, middle and most memory of these attempts, in KiB.
    pub(super) memory_kib: [u64; 3],
}

impl CaseStats {
    /// Of one record; none of a case that was not run.
    pub(super) fn of(record: &TrialRecord) -> Option<Self> {
        let (cpu_us, peak) = (record.cpu_us?, record.peak_memory_bytes?);
        if record.cached {
            // What an earlier run took is known already, and is no second measurement.
            return Some(Self::untimed(record.verdict));
        }
        // A single attempt is not listed.
        let verdict = record.verdict;
        let single = [AttemptRecord { verdict, cpu_us, wall_us: 0, peak_memory_bytes: peak, beat_ns: None }];
        let attempts = if record.attempts.is_empty() { &single } else { record.attempts.as_slice() };
        let mut verdicts = vec![(verdict, 0)];
        for attempt in attempts {
            count(&mut verdicts, attempt.verdict, 1);
        }
        let earned: Vec<_> = attempts.iter().filter(|attempt| attempt.verdict == verdict).collect();
        let times: Vec<_> = earned.iter().map(|attempt| attempt.cpu_us).collect();
        let calibrations: Vec<_> = earned.iter().filter_map(|attempt| attempt.beat_ns).collect();
        let mut memory: Vec<_> = earned.iter().map(|attempt| attempt.peak_memory_bytes / 1024).collect();
        memory.sort_unstable();
        let last = memory.len().checked_sub(1)?;
        let memory_kib = [memory[0], memory[last / 2], memory[last]].map(short);
        let (times_us, calibrations_ns) =
            (vec![some_of(&times)], vec![lower_quartile(calibrations).map(short)]);
        Some(Self { verdicts, times_us, calibrations_ns, memory_kib })
    }

    /// Of a case of which no time is known.
    pub(super) fn untimed(verdict: Verdict) -> Self {
        Self {
            verdicts: vec![(verdict, 1)],
            times_us: Vec::new(),
            calibrations_ns: Vec::new(),
            memory_kib: [0; 3],
        }
    }

    /// What decides.
    pub(super) fn verdict(&self) -> Verdict {
        self.verdicts[0].0
    }

    pub(super) fn is_flaky(&self) -> bool {
        self.verdicts.len() > 1
    }

    /// Whether its times mean something: they do not where it was stopped, or ended in another way each time, or was not run.
    pub(super) fn has_times(&self) -> bool {
        self.is_whole() && !self.times_us.is_empty()
    }

    /// Whether it ran to its end, each time in the same way.
    pub(super) fn is_whole(&self) -> bool {
        use Verdict::{Accepted, PresentationError, WrongAnswer};
        matches!(self.verdict(), Accepted | PresentationError | WrongAnswer) && !self.is_flaky()
    }

    pub(super) fn attempts(&self) -> usize {
        self.verdicts.iter().map(|(_, count)| count).sum()
    }

    /// `AC`, or `WA:3,AC:7` where it differs.
    pub(super) fn earned(&self) -> String {
        if !self.is_flaky() {
            return self.verdict().to_string();
        }
        let counts: Vec<_> =
            self.verdicts.iter().map(|(verdict, count)| format!("{verdict}:{count}")).collect();
        counts.join(",")
    }

    /// The lower end, the median and the upper end of where the median is to be looked for, in microseconds.
    pub(super) fn middle(&self) -> [u64; 3] {
        let mut times = self.times_us.concat();
        times.sort_unstable();
        let Some(last) = times.len().checked_sub(1) else { return [0; 3] };
        let (low, high) = statistics::places_around_median(times.len());
        [times[low], u64::midpoint(times[last / 2], times[times.len() / 2]), times[high]].map(short)
    }

    fn count_all(&mut self, verdicts: Vec<(Verdict, usize)>) {
        verdicts.into_iter().for_each(|(verdict, more)| count(&mut self.verdicts, verdict, more));
    }

    /// The same submission on the same case, at another run of the judge.
    pub(super) fn join(&mut self, other: Self) {
        if other.verdict() != self.verdict() && self.verdict() == Verdict::Accepted {
            // What is not accepted decides, and brings its figures.
            let accepted = std::mem::replace(self, other);
            return self.count_all(accepted.verdicts);
        }
        let is_alike = other.verdict() == self.verdict();
        self.count_all(other.verdicts);
        if is_alike && self.times_us.is_empty() {
            (self.times_us, self.calibrations_ns) = (other.times_us, other.calibrations_ns);
            self.memory_kib = other.memory_kib;
        } else if is_alike && !other.times_us.is_empty() {
            self.times_us.extend(other.times_us);
            self.calibrations_ns.extend(other.calibrations_ns);
            let ([least, middle, most], [other_least, other_middle, other_most]) =
                (self.memory_kib, other.memory_kib);
            self.memory_kib =
                [least.min(other_least), u64::midpoint(middle, other_middle), most.max(other_most)];
        }
    }
}

/// Adds attempts that earned a verdict.
fn count(verdicts: &mut Vec<(Verdict, usize)>, verdict: Verdict, more: usize) {
    match verdicts.iter_mut().find(|(known, _)| *known == verdict) {
        Some((_, count)) => *count += more,
        None => verdicts.push((verdict, more)),
    }
}

/// Not more than [`MOST_TIMES`] of these.
fn some_of(times: &[u64]) -> Vec<u64> {
    let kept = times.len().min(MOST_TIMES);
    (0..kept).map(|place| short(times[place * times.len() / kept])).collect()
}

/// A quarter of the figures is less.
fn lower_quartile(mut figures: Vec<u64>) -> Option<u64> {
    figures.sort_unstable();
    figures.get(figures.len().checked_sub(1)? / 4).copied()
}

/// A number with three digits that count, rounded to the nearest, and no greater than may be.
pub(super) fn short(number: u64) -> u64 {
    let number = number.min(GREATEST);
    let mut unit = 1;
    while number / unit >= 1000 {
        unit *= 10;
    }
    let rounded = (number / unit) + u64::from(number % unit >= unit.div_ceil(2) && unit > 1);
    rounded * unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::tests::record;

    #[test]
    fn numbers_keep_three_digits() {
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
    fn of_many_attempts_some_are_kept_in_order_at_even_distances() {
        let times: Vec<_> = (0..48).collect();
        assert_eq!(some_of(&times), (0..16).map(|place| 3 * place).collect::<Vec<_>>());
        assert_eq!(some_of(&[5, 4, 3]), [5, 4, 3]);
        assert_eq!(some_of(&(0..1000).collect::<Vec<_>>()).len(), 16);
        assert!(some_of(&[]).is_empty());
    }

    #[test]
    fn the_times_of_a_flaky_case_are_those_of_the_verdict_that_decides() {
        let figures =
            CaseStats::of(&record("p", "s", "c", &[("AC", 9), ("WA", 4), ("AC", 8), ("WA", 6)])).unwrap();
        assert_eq!(figures.verdicts, [(Verdict::WrongAnswer, 2), (Verdict::Accepted, 2)]);
        assert_eq!((figures.times_us.as_slice(), figures.attempts()), ([vec![4, 6]].as_slice(), 4));
        assert!(figures.is_flaky() && !figures.has_times());
    }

    #[test]
    fn runs_of_the_judge_stay_apart_and_one_failure_among_them_decides() {
        let of = |attempts: &[(&str, u64)]| CaseStats::of(&record("p", "s", "c", attempts)).unwrap();
        let mut figures = of(&[("AC", 1), ("AC", 2)]);
        figures.join(of(&[("AC", 3)]));
        assert_eq!((figures.times_us.clone(), figures.attempts()), (vec![vec![1, 2], vec![3]], 3));
        figures.join(of(&[("RE", 7)]));
        assert_eq!(figures.verdicts, [(Verdict::RuntimeError, 1), (Verdict::Accepted, 3)]);
        assert_eq!(figures.times_us, [[7]]);
        figures.join(of(&[("AC", 5)]));
        assert_eq!((figures.verdicts[1].1, figures.times_us.len()), (4, 1));
    }
}
