//! The order of a board's rows.

use std::cmp::Reverse;

use crate::report::standings::board::By;
use crate::report::standings::board::Row;

/// Sorts rows, and numbers them so that equal ones share a rank. Equal ones stand by name.
pub(super) fn rank(rows: &mut [Row], by: By) {
    rows.sort_by(|one, other| (worth(one, by), &one.team).cmp(&(worth(other, by), &other.team)));
    let worths: Vec<_> = rows.iter().map(|row| worth(row, by)).collect();
    for (row, own) in rows.iter_mut().zip(&worths) {
        row.rank = worths.partition_point(|other| other < own) + 1;
    }
}

/// All that counts, the better the smaller.
fn worth(row: &Row, by: By) -> impl Ord + use<> {
    match by {
        By::Icpc => (Reverse(row.solved as u64), row.penalty, row.last),
        By::Points => (Reverse(row.points), 0, 0),
    }
}
