//! The order of the standings' rows.

use std::cmp::Reverse;

use crate::report::standings::rows::RankingMode;
use crate::report::standings::rows::TeamRow;

/// Sorts rows, and numbers them so that equal ones share a rank. Equal ones stand by name.
pub(super) fn rank(rows: &mut [TeamRow], by: RankingMode) {
    rows.sort_by(|one, other| (worth(one, by), &one.team).cmp(&(worth(other, by), &other.team)));
    let worths: Vec<_> = rows.iter().map(|row| worth(row, by)).collect();
    for (row, own) in rows.iter_mut().zip(&worths) {
        row.rank = worths.partition_point(|other| other < own) + 1;
    }
}

/// All that counts, the better the smaller.
fn worth(row: &TeamRow, by: RankingMode) -> impl Ord + use<> {
    match by {
        RankingMode::Icpc => (Reverse(row.solved as u64), row.penalty, row.last),
        RankingMode::Points => (Reverse(row.points), 0, 0),
    }
}
