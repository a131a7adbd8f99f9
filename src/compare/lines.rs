//! The figures of very many cases in little memory: by submission, and the most common figures in 16 bytes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::compare::case_stats::CaseStats;
use crate::compare::key::{SubmissionKey, TrialKey};
use crate::model::Verdict;

/// The figures of one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PackedStats {
    /// Those of a single attempt.
    Single { verdict: Verdict, time: ShortNumber, memory: ShortNumber, calibration: Option<ShortNumber> },
    /// All others.
    Whole(Box<CaseStats>),
}

/// A number of at most three significant digits, as `123 * 10^4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ShortNumber {
    digits: u16,
    zeros: u8,
}

impl ShortNumber {
    /// `None` if it has more digits.
    fn of(number: u64) -> Option<Self> {
        let mut digits = number;
        let mut zeros = 0;
        while digits >= 1000 && digits.is_multiple_of(10) {
            digits /= 10;
            zeros += 1;
        }
        (digits < 1000).then_some(Self { digits: digits as u16, zeros })
    }

    fn number(self) -> u64 {
        u64::from(self.digits) * 10_u64.pow(u32::from(self.zeros))
    }
}

impl PackedStats {
    fn of(figures: CaseStats) -> Self {
        Self::single(&figures).unwrap_or_else(|| Self::Whole(Box::new(figures)))
    }

    fn single(figures: &CaseStats) -> Option<Self> {
        let CaseStats { verdicts, times_us, calibrations_ns, memory_kib: [least, memory, most] } = figures;
        let (&[(verdict, 1)], [run], &[calibration]) = (&verdicts[..], &times_us[..], &calibrations_ns[..])
        else {
            return None;
        };
        let &[time] = &run[..] else { return None };
        let calibration = match calibration {
            Some(calibration) => Some(ShortNumber::of(calibration)?),
            None => None,
        };
        let time = ShortNumber::of(time)?;
        let short = ShortNumber::of(*memory)?;
        let is_one = least == memory && most == memory;
        is_one.then_some(Self::Single { verdict, time, memory: short, calibration })
    }

    /// The figures.
    pub(super) fn figures(&self) -> Cow<'_, CaseStats> {
        match self {
            Self::Whole(figures) => Cow::Borrowed(figures),
            Self::Single { verdict, time, memory, calibration } => Cow::Owned(CaseStats {
                verdicts: vec![(*verdict, 1)],
                times_us: vec![vec![time.number()]],
                calibrations_ns: vec![calibration.map(ShortNumber::number)],
                memory_kib: [memory.number(); 3],
            }),
        }
    }
}

/// The cases of a submission, sorted by name.
type CaseLines = Vec<(Arc<str>, PackedStats)>;

/// The figures of cases, by submission and case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TrialLines {
    by_submission: BTreeMap<SubmissionKey, CaseLines>,
}

/// One of these lines.
#[derive(Clone, Copy)]
pub(super) struct TrialLine<'a> {
    pub(super) owner: &'a SubmissionKey,
    pub(super) case: &'a Arc<str>,
    packed: &'a PackedStats,
}

impl<'a> TrialLine<'a> {
    pub(super) fn key(&self) -> TrialKey {
        let (problem, submission) = self.owner.clone();
        TrialKey { problem, submission, case: Arc::clone(self.case) }
    }

    pub(super) fn figures(&self) -> Cow<'a, CaseStats> {
        self.packed.figures()
    }
}

impl TrialLines {
    pub(super) fn len(&self) -> usize {
        self.by_submission.values().map(Vec::len).sum()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_submission.is_empty()
    }

    pub(super) fn owners(&self) -> impl Iterator<Item = &SubmissionKey> {
        self.by_submission.keys()
    }

    /// All lines, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = TrialLine<'_>> + Clone {
        self.by_submission.iter().flat_map(|(owner, cases)| {
            let cases: &CaseLines = cases;
            cases.iter().map(move |(case, packed)| TrialLine { owner, case, packed })
        })
    }

    /// The line of a case.
    pub(super) fn line(&self, owner: &SubmissionKey, case: &str) -> Option<TrialLine<'_>> {
        let (owner, cases) = self.by_submission.get_key_value(owner)?;
        let place = cases.binary_search_by(|(known, _)| (**known).cmp(case)).ok()?;
        let (case, packed) = &cases[place];
        Some(TrialLine { owner, case, packed })
    }

    pub(super) fn contains(&self, key: &TrialKey) -> bool {
        self.line(&key.owner(), &key.case).is_some()
    }

    /// Keeps the lines whose keys are wanted.
    pub(super) fn retain(&mut self, is_wanted: impl Fn(&TrialKey) -> bool) {
        for ((problem, submission), cases) in &mut self.by_submission {
            cases.retain(|(case, _)| {
                let problem = Arc::clone(problem);
                let submission = Arc::clone(submission);
                is_wanted(&TrialKey { problem, submission, case: Arc::clone(case) })
            });
        }
        self.by_submission.retain(|_, cases| !cases.is_empty());
    }

    /// Adds lines in any order. A later line replaces an earlier one of the same case.
    pub(super) fn add(&mut self, lines: impl IntoIterator<Item = (TrialKey, CaseStats)>) {
        let mut more = UnsortedLines::default();
        lines.into_iter().for_each(|(key, figures)| more.push(key, figures));
        for (owner, cases) in more.by_submission {
            let known = self.by_submission.entry(owner).or_default();
            known.extend(cases);
            sort(known);
        }
    }
}

/// Lines as they come.
#[derive(Default)]
pub(super) struct UnsortedLines {
    by_submission: BTreeMap<SubmissionKey, CaseLines>,
    /// The cases of the submission before the last, and the last submission.
    before: Vec<Arc<str>>,
    last: Option<SubmissionKey>,
}

impl UnsortedLines {
    pub(super) fn push(&mut self, key: TrialKey, figures: CaseStats) {
        let owner = key.owner();
        if self.last.as_ref() != Some(&owner) {
            let last = self.last.replace(owner.clone());
            let cases = last.and_then(|last| self.by_submission.get_mut(&last));
            self.before = cases.map_or_else(Vec::new, |cases| {
                cases.shrink_to_fit();
                cases.iter().map(|(case, _)| Arc::clone(case)).collect()
            });
        }
        let cases = self.by_submission.entry(owner).or_default();
        // Most submissions of a problem have the same cases in the same order, and share their names.
        let same = self.before.get(cases.len()).filter(|case| **case == key.case);
        let case = same.map_or(key.case, Arc::clone);
        cases.push((case, PackedStats::of(figures)));
    }

    pub(super) fn sorted(self) -> TrialLines {
        let mut by_submission = self.by_submission;
        by_submission.values_mut().for_each(sort);
        TrialLines { by_submission }
    }
}

/// Sorts cases by name, and keeps the last of those with the same name.
fn sort(cases: &mut CaseLines) {
    cases.reverse();
    cases.sort_by(|one, other| one.0.cmp(&other.0));
    cases.dedup_by(|later, kept| later.0 == kept.0);
    cases.shrink_to_fit();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::tests::record;

    fn key(case: &str) -> TrialKey {
        TrialKey { problem: "p".into(), submission: "s".into(), case: case.into() }
    }

    fn figures(attempts: &[(&str, u64)]) -> CaseStats {
        CaseStats::of(&record("p", "s", "c", attempts)).unwrap()
    }

    #[test]
    fn a_case_of_one_attempt_takes_32_bytes_and_its_figures_are_kept() {
        assert_eq!(size_of::<(Arc<str>, PackedStats)>(), 32);
        for (attempts, is_single) in
            [(&[("AC", 123_456)][..], true), (&[("WA", 0)], true), (&[("AC", 5), ("AC", 6)], false)]
        {
            let packed = PackedStats::of(figures(attempts));
            assert_eq!(matches!(packed, PackedStats::Single { .. }), is_single);
            assert_eq!(*packed.figures(), figures(attempts));
        }
        let long = CaseStats { memory_kib: [1_234; 3], ..figures(&[("AC", 5)]) };
        assert_eq!(*PackedStats::of(long.clone()).figures(), long);
        let untimed = CaseStats::untimed(Verdict::CompileError);
        assert_eq!(*PackedStats::of(untimed.clone()).figures(), untimed);
    }

    #[test]
    fn of_several_lines_of_a_case_the_last_counts_whatever_their_order() {
        let mut lines = UnsortedLines::default();
        for (case, time) in [("2", 1), ("10", 2), ("2", 3)] {
            lines.push(key(case), figures(&[("AC", time)]));
        }
        let mut lines = lines.sorted();
        lines.add([(key("1"), figures(&[("AC", 4)])), (key("10"), figures(&[("AC", 5)]))]);
        let shown: Vec<_> = lines.iter().map(|line| (&**line.case, line.figures().times_us[0][0])).collect();
        assert_eq!(shown, [("1", 4), ("10", 5), ("2", 3)]);
        assert_eq!(lines.len(), 3);
        assert!(lines.contains(&key("10")) && !lines.contains(&key("3")));
    }

    #[test]
    fn submissions_with_the_same_cases_share_their_names() {
        let mut lines = UnsortedLines::default();
        for submission in ["a", "b", "c"] {
            for case in ["1", "2"] {
                let key = TrialKey { submission: submission.into(), ..key(case) };
                lines.push(key, figures(&[("AC", 1)]));
            }
        }
        let lines = lines.sorted();
        let names: Vec<_> = lines.iter().filter(|line| &**line.case == "2").map(|line| line.case).collect();
        assert!(names.iter().all(|name| Arc::ptr_eq(name, names[0])) && names.len() == 3);
    }
}
