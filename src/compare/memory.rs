//! Compares memory before and now. Peaks are whole pages and often the same each time, so memory
//! counts as changed if all attempts of one side exceed all of the other; how likely that is by
//! chance shows whether there were enough attempts.

use crate::sorted::SortedMap;

use crate::compare::permutation_test::least_chance;
use crate::compare::{Change, ChangeKind, ChangeSubject, SharedCase, SubmissionKey};

/// Difference of memory, in KiB, that is ignored although ten attempts agree. Measured: a program
/// of one page peaks at 256 KiB, or at 0.9 to 1.4 MiB, depending on how the kernel counts, and may
/// do so ten times in a row.
const SLACK_KIB: u64 = 1536;

/// The largest chance of any false alarm in a comparison.
const RISK: f64 = 0.005;

/// With too few attempts for a test, memory may have changed if it did by this factor, and by this
/// many KiB.
const COARSE: f64 = 1.5;
const COARSE_KIB: u64 = 16 << 10;

/// A case whose memory has changed.
struct MemoryShift<'a> {
    case: SharedCase<'a>,
    was_kib: u64,
    now_kib: u64,
    /// The probability of such a change by chance, anywhere in the comparison; `None` if it is not
    /// significant.
    chance: Option<f64>,
}

impl MemoryShift<'_> {
    fn kind(&self, cases: usize) -> ChangeKind {
        ChangeKind::Memory {
            was_bytes: 1024 * self.was_kib,
            now_bytes: 1024 * self.now_kib,
            chance: self.chance,
            cases,
        }
    }

    /// The size of the change, on a logarithmic scale.
    fn size(&self) -> f64 {
        self.kind(1).factor().ln().abs()
    }
}

/// The changes of memory: for each submission the case that changed most, and the number of changed
/// cases.
pub(super) fn changes<'a>(shared: impl Iterator<Item = SharedCase<'a>> + Clone) -> Vec<Change> {
    let tested = shared.filter(SharedCase::has_times);
    let count = tested.clone().count();
    let mut moved: SortedMap<(SubmissionKey, bool, bool), Vec<MemoryShift<'_>>> = SortedMap::new();
    for case in tested {
        let Some((is_more, found)) = shift(case, count) else {
            continue;
        };
        moved
            .entry((case.owner().clone(), is_more, found.chance.is_some()))
            .or_default()
            .push(found);
    }
    let changes = moved.into_iter().map(|((owner, ..), cases)| {
        let most = cases
            .iter()
            .max_by(|one, other| one.size().total_cmp(&other.size()));
        let most = most.expect("there is one at least");
        let is_one = cases.len() == 1;
        let subject = if is_one {
            ChangeSubject::of_case(&most.case.key())
        } else {
            ChangeSubject::of_submission(&owner)
        };
        Change {
            subject,
            kind: most.kind(cases.len()),
        }
    });
    changes.collect()
}

/// Whether all attempts of now are above, or below, all of before. `tested` is the number of cases
/// tested.
fn shift(case: SharedCase<'_>, tested: usize) -> Option<(bool, MemoryShift<'_>)> {
    let was = case.was();
    let now = case.now();
    let [was_least, was_kib, was_most] = was.memory_kib;
    let [now_least, now_kib, now_most] = now.memory_kib;
    let is_more = now_least > was_most.saturating_add(SLACK_KIB);
    if !is_more && was_least <= now_most.saturating_add(SLACK_KIB) {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "cases are few")]
    let chance = 2.0 * least_chance(was.attempts(), now.attempts()) * tested as f64;
    let found = MemoryShift {
        case,
        was_kib,
        now_kib,
        chance: (chance <= RISK).then_some(chance),
    };
    let is_coarse = found.size() >= COARSE.ln() && was_kib.abs_diff(now_kib) >= COARSE_KIB;
    (found.chance.is_some() || is_coarse).then_some((is_more, found))
}
