//! The figures of very many cases in little memory: by submission, with names that these
//! share, and the most common figures in 16 bytes.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::compare::{CaseStats, ends_normally};
use crate::model::Verdict;

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

    /// The deciding verdict.
    pub(super) fn verdict(&self) -> Verdict {
        match self.packed {
            PackedStats::Single { verdict, .. } => *verdict,
            PackedStats::Whole(figures) => figures.verdict(),
        }
    }

    /// Whether it ran to its end with the same verdict each time.
    pub(super) fn is_whole(&self) -> bool {
        match self.packed {
            PackedStats::Single { verdict, .. } => ends_normally(*verdict),
            PackedStats::Whole(figures) => figures.is_whole(),
        }
    }

    /// Whether its times are meaningful.
    pub(super) fn has_times(&self) -> bool {
        match self.packed {
            PackedStats::Single { .. } => self.is_whole(),
            PackedStats::Whole(figures) => figures.has_times(),
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
        self.was.verdict() == self.now.verdict()
            && self.was.is_whole()
            && self.now.is_whole()
    }

    /// Whether its times and its memory can be compared.
    pub(super) fn has_times(&self) -> bool {
        self.is_whole() && self.was.has_times() && self.now.has_times()
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
pub(super) type SubmissionKey = (Arc<str>, Arc<str>);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::tests::record;

    fn key(case: &str) -> TrialKey {
        key_of("s", case)
    }

    fn key_of(submission: &str, case: &str) -> TrialKey {
        TrialKey {
            owner: ("p".into(), submission.into()),
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
                names.iter().all(|one| Arc::ptr_eq(one, names[0])) && names.len() == 3
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
            .map(|case| (&*case.was.owner.1, &**case.was.case, &**case.now.case))
            .collect();
        assert_eq!(shared, [("b", "2", "2"), ("b", "4", "4"), ("c", "1", "1")]);
    }
}
