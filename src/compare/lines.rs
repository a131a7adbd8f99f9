//! The figures of a submission on a case: how often it got which verdict, and the time
//! of each attempt, in short numbers. Those of very many cases take little memory: they
//! are kept by submission, with names that these share, and the most common in 16 bytes.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;

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
            times_us: vec![],
            calibrations_ns: vec![],
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
        if !is_alike {
            return self;
        }
        if self.times_us.is_empty() {
            self.memory_kib = other.memory_kib;
        } else if !other.times_us.is_empty() {
            let [least, middle, most] = self.memory_kib;
            let [other_least, other_middle, other_most] = other.memory_kib;
            self.memory_kib = [
                least.min(other_least),
                u64::midpoint(middle, other_middle),
                most.max(other_most),
            ];
        }
        self.times_us.extend(other.times_us);
        self.calibrations_ns.extend(other.calibrations_ns);
        self
    }
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

// The figures of very many cases.

/// The figures of one case.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PackedStats {
    /// Those of a single attempt.
    Single {
        verdict: Verdict,
        time: ShortNumber,
        memory: ShortNumber,
        calibration: Option<ShortNumber>,
    },
    /// All others.
    Whole(Box<CaseStats>),
}

/// A number of at most three significant digits, as `123 * 10^4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ShortNumber {
    digits: u16,
    zeros: u8,
}

impl ShortNumber {
    /// `None` if it has more digits.
    fn from_number(number: u64) -> Option<Self> {
        let mut digits = number;
        let mut zeros = 0;
        while digits >= 1000 && digits.is_multiple_of(10) {
            digits /= 10;
            zeros += 1;
        }
        (digits < 1000).then_some(Self {
            digits: digits as u16,
            zeros,
        })
    }

    fn number(self) -> u64 {
        u64::from(self.digits) * 10_u64.pow(u32::from(self.zeros))
    }
}

impl PackedStats {
    fn pack(figures: CaseStats) -> Self {
        Self::single(&figures).unwrap_or_else(|| Self::Whole(Box::new(figures)))
    }

    fn single(figures: &CaseStats) -> Option<Self> {
        let [least, memory, most] = figures.memory_kib;
        if let [(verdict, 1)] = figures.verdicts[..]
            && let [calibration] = figures.calibrations_ns[..]
            && let [run] = &figures.times_us[..]
            && let [time] = run[..]
            && least == memory
            && most == memory
        {
            Some(Self::Single {
                verdict,
                time: ShortNumber::from_number(time)?,
                memory: ShortNumber::from_number(memory)?,
                calibration: match calibration {
                    Some(calibration) => Some(ShortNumber::from_number(calibration)?),
                    None => None,
                },
            })
        } else {
            None
        }
    }

    /// The figures.
    fn figures(&self) -> Cow<'_, CaseStats> {
        match self {
            Self::Whole(figures) => Cow::Borrowed(figures),
            Self::Single {
                verdict,
                time,
                memory,
                calibration,
            } => Cow::Owned(CaseStats {
                verdicts: vec![(*verdict, 1)],
                times_us: vec![vec![time.number()]],
                calibrations_ns: vec![calibration.map(ShortNumber::number)],
                memory_kib: [memory.number(); 3],
            }),
        }
    }
}

/// The figures of cases, by submission and case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TrialLines {
    by_submission: BTreeMap<SubmissionKey, CaseLines>,
    /// The names of cases, which submissions to the same problem share.
    names: BTreeSet<Arc<str>>,
}

/// The figures of the cases of a submission.
type CaseLines = BTreeMap<Arc<str>, PackedStats>;

/// One of these lines.
#[derive(Clone, Copy)]
pub(super) struct TrialLine<'a> {
    pub(super) owner: &'a SubmissionKey,
    pub(super) case: &'a Arc<str>,
    packed: &'a PackedStats,
}

impl<'a> TrialLine<'a> {
    pub(super) fn key(&self) -> TrialKey {
        TrialKey {
            owner: self.owner.clone(),
            case: Arc::clone(self.case),
        }
    }

    pub(super) fn figures(&self) -> Cow<'a, CaseStats> {
        self.packed.figures()
    }

    /// Its verdict, if it ran to its end with the same one each time.
    fn steady_verdict(&self) -> Option<Verdict> {
        let verdict = match self.packed {
            PackedStats::Single { verdict, .. } => *verdict,
            PackedStats::Whole(figures) if figures.is_flaky() => return None,
            PackedStats::Whole(figures) => figures.verdict(),
        };
        matches!(
            verdict,
            Verdict::Accepted | Verdict::PresentationError | Verdict::WrongAnswer
        )
        .then_some(verdict)
    }

    fn is_timed(&self) -> bool {
        match self.packed {
            PackedStats::Single { .. } => true,
            PackedStats::Whole(figures) => !figures.times_us.is_empty(),
        }
    }
}

/// A case that is in both baselines.
#[derive(Clone, Copy)]
pub(super) struct SharedCase<'a> {
    pub(super) was: TrialLine<'a>,
    pub(super) now: TrialLine<'a>,
}

impl SharedCase<'_> {
    /// Whether all attempts in both baselines ended normally with the same verdict, so
    /// that their times mean the same.
    pub(super) fn is_whole(&self) -> bool {
        let verdict = self.was.steady_verdict();
        verdict.is_some() && verdict == self.now.steady_verdict()
    }

    /// Whether its times and its memory can be compared.
    pub(super) fn has_times(&self) -> bool {
        self.is_whole() && self.was.is_timed() && self.now.is_timed()
    }
}

impl TrialLines {
    pub(super) fn len(&self) -> usize {
        self.by_submission.values().map(BTreeMap::len).sum()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_submission.is_empty()
    }

    pub(super) fn owners(&self) -> impl Iterator<Item = &SubmissionKey> {
        self.by_submission.keys()
    }

    pub(super) fn has_owner(&self, owner: &SubmissionKey) -> bool {
        self.by_submission.contains_key(owner)
    }

    /// All lines, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = TrialLine<'_>> + Clone {
        self.by_submission
            .iter()
            .flat_map(|(owner, cases)| lines_of(owner, cases))
    }

    /// The lines of the cases that are in both, in order.
    pub(super) fn shared<'a>(
        &'a self,
        other: &'a Self,
    ) -> impl Iterator<Item = SharedCase<'a>> + Clone {
        self.shared_by_submission(other).flatten()
    }

    /// The same for each submission. Both are walked through together, since looking up
    /// a million cases takes long.
    pub(super) fn shared_by_submission<'a>(
        &'a self,
        other: &'a Self,
    ) -> impl Iterator<Item = impl Iterator<Item = SharedCase<'a>> + Clone> + Clone
    {
        self.by_submission.iter().filter_map(|(owner, ours)| {
            let theirs = other.by_submission.get(owner)?;
            let mut theirs = lines_of(owner, theirs).peekable();
            Some(lines_of(owner, ours).filter_map(move |was| {
                while theirs.next_if(|their| their.case < was.case).is_some() {}
                let now = theirs.next_if(|their| their.case == was.case)?;
                Some(SharedCase { was, now })
            }))
        })
    }

    /// The lines of the cases that are not in another list, in order.
    pub(super) fn not_in<'a>(
        &'a self,
        other: &'a Self,
    ) -> impl Iterator<Item = TrialLine<'a>> {
        self.iter()
            .filter(|line| other.line(line.owner, line.case).is_none())
    }

    /// The line of a case.
    pub(super) fn line(
        &self,
        owner: &SubmissionKey,
        case: &str,
    ) -> Option<TrialLine<'_>> {
        let (owner, cases) = self.by_submission.get_key_value(owner)?;
        let (case, packed) = cases.get_key_value(case)?;
        Some(TrialLine {
            owner,
            case,
            packed,
        })
    }

    pub(super) fn contains(&self, key: &TrialKey) -> bool {
        self.line(&key.owner, &key.case).is_some()
    }

    /// Keeps the lines whose keys are wanted.
    pub(super) fn retain(&mut self, is_wanted: impl Fn(&TrialKey) -> bool) {
        for (owner, cases) in self.by_submission.iter_mut() {
            cases.retain(|case, _| {
                is_wanted(&TrialKey {
                    owner: owner.clone(),
                    case: Arc::clone(case),
                })
            });
        }
        self.by_submission.retain(|_, cases| !cases.is_empty());
    }

    /// Adds a line. It replaces an earlier one of the same case.
    pub(super) fn insert(&mut self, key: TrialKey, figures: CaseStats) {
        let name = match self.names.get(&key.case) {
            Some(name) => Arc::clone(name),
            None => {
                self.names.insert(Arc::clone(&key.case));
                key.case
            }
        };
        let cases = self.by_submission.entry(key.owner).or_default();
        cases.insert(name, PackedStats::pack(figures));
    }
}

/// The lines of a submission, in order.
fn lines_of<'a>(
    owner: &'a SubmissionKey,
    cases: &'a CaseLines,
) -> impl Iterator<Item = TrialLine<'a>> + Clone {
    cases.iter().map(move |(case, packed)| TrialLine {
        owner,
        case,
        packed,
    })
}

// The keys of the lines of a baseline. Knows nothing of their content.

/// The key of a submission on a case, sorted as in files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TrialKey {
    pub(super) owner: SubmissionKey,
    pub(super) case: Arc<str>,
}

/// A problem and a submission to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct SubmissionKey {
    /// The problem.
    pub problem: Arc<str>,
    /// The submission.
    pub submission: Arc<str>,
}

impl SubmissionKey {
    pub(super) fn new(problem: &Arc<str>, submission: &Arc<str>) -> Self {
        Self {
            problem: Arc::clone(problem),
            submission: Arc::clone(submission),
        }
    }
}

#[cfg(test)]
mod case_stats_tests {
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
        assert!(figures.is_flaky());
        let mut lines = TrialLines::default();
        let owner = SubmissionKey::new(&"p".into(), &"s".into());
        let case = "c".into();
        lines.insert(TrialKey { owner, case }, figures);
        let steady: Vec<_> = lines.iter().map(|line| line.steady_verdict()).collect();
        assert_eq!(steady, [None]);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::tests::record;

    fn key(case: &str) -> TrialKey {
        key_of("s", case)
    }

    fn key_of(submission: &str, case: &str) -> TrialKey {
        TrialKey {
            owner: SubmissionKey::new(&"p".into(), &submission.into()),
            case: case.into(),
        }
    }

    fn figures(attempts: &[(&str, u64)]) -> CaseStats {
        CaseStats::from_record(&record("s", "c", attempts)).unwrap()
    }

    #[test]
    fn the_figures_of_one_attempt_take_16_bytes_and_are_kept() {
        assert_eq!(size_of::<PackedStats>(), 16);
        for (attempts, is_single) in [
            (&[("AC", 123_456)][..], true),
            (&[("WA", 0)], true),
            (&[("AC", 5), ("AC", 6)], false),
        ] {
            let packed = PackedStats::pack(figures(attempts));
            assert_eq!(matches!(packed, PackedStats::Single { .. }), is_single);
            assert_eq!(*packed.figures(), figures(attempts));
        }
        let long = CaseStats {
            memory_kib: [1_234; 3],
            ..figures(&[("AC", 5)])
        };
        assert_eq!(*PackedStats::pack(long.clone()).figures(), long);
        let untimed = CaseStats::untimed(Verdict::CompileError);
        assert_eq!(*PackedStats::pack(untimed.clone()).figures(), untimed);
    }

    #[test]
    fn of_several_lines_of_a_case_the_last_counts_whatever_their_order() {
        let mut lines = TrialLines::default();
        for (case, time) in [("2", 1), ("10", 2), ("2", 3), ("1", 4), ("10", 5)] {
            lines.insert(key(case), figures(&[("AC", time)]));
        }
        let shown: Vec<_> = lines
            .iter()
            .map(|line| (&**line.case, line.figures().times_us[0][0]))
            .collect();
        assert_eq!(shown, [("1", 4), ("10", 5), ("2", 3)]);
        assert_eq!(lines.len(), 3);
        assert!(lines.contains(&key("10")) && !lines.contains(&key("3")));
    }

    #[test]
    fn submissions_with_the_same_cases_share_their_names() {
        let mut lines = TrialLines::default();
        for submission in ["a", "b", "c"] {
            for case in ["1", "2"] {
                lines.insert(key_of(submission, case), figures(&[("AC", 1)]));
            }
        }
        for case in ["1", "2"] {
            let lines = lines.iter().filter(|line| &**line.case == case);
            let names: Vec<_> = lines.map(|line| line.case).collect();
            assert!(
                names.iter().all(|one| Arc::ptr_eq(one, names[0]))
                    && names.len() == 3
            );
        }
    }

    #[test]
    fn the_cases_of_both_are_found_in_one_walk() {
        let of = |cases: &[(&str, &str)]| {
            let mut lines = TrialLines::default();
            for (submission, case) in cases {
                lines.insert(key_of(submission, case), figures(&[("AC", 1)]));
            }
            lines
        };
        let was = of(&[("a", "1"), ("b", "2"), ("b", "1"), ("b", "4"), ("c", "1")]);
        let now = of(&[
            ("b", "4"),
            ("b", "3"),
            ("b", "2"),
            ("c", "0"),
            ("c", "1"),
            ("d", "1"),
        ]);
        let shared: Vec<_> = was
            .shared(&now)
            .map(|case| {
                (
                    &*case.was.owner.submission,
                    &**case.was.case,
                    &**case.now.case,
                )
            })
            .collect();
        assert_eq!(shared, [("b", "2", "2"), ("b", "4", "4"), ("c", "1", "1")]);
    }
}
