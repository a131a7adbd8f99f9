//! How much of a large table of tests is tested: all of it with
//! `GRIDJUDGE_EXHAUSTIVE=1`, else a share that has every row and every column, but not
//! every cell.

use std::cell::Cell;
use std::fmt::Debug;

/// Whether all of it is.
pub(crate) fn is_exhaustive() -> bool {
    std::env::var_os("GRIDJUDGE_EXHAUSTIVE").is_some()
}

/// A column of a table, at whose columns the rows take turns.
#[derive(Clone, Copy)]
pub(crate) struct Turn {
    pub(crate) column: usize,
    pub(crate) columns: usize,
}

impl Turn {
    /// The columns, each with its turn.
    pub(crate) fn of_each<T>(columns: &[T]) -> impl Iterator<Item = (Self, &T)> {
        let turn = |column| Self {
            column,
            columns: columns.len(),
        };
        columns
            .iter()
            .enumerate()
            .map(move |(column, of)| (turn(column), of))
    }

    /// Whether a row is tested in this column.
    pub(crate) fn has(self, row: usize) -> bool {
        is_exhaustive() || row % self.columns == self.column
    }

    /// The rows that are tested in this column.
    pub(crate) fn share<T>(
        self,
        rows: impl IntoIterator<Item = T>,
    ) -> impl Iterator<Item = T> {
        let numbered = rows.into_iter().enumerate();
        let due = numbered.filter(move |(row, _)| self.has(*row));
        due.map(|(_, row)| row)
    }
}

/// What a call finds at every number of jobs, given as an option, which must be the
/// same. One and several take turns at the calls of a test, beginning with several.
#[track_caller]
pub(crate) fn at_any_number_of_jobs<T: Debug + PartialEq>(
    find: impl Fn(&str) -> T,
) -> T {
    thread_local! {
        static CALLS: Cell<usize> = const { Cell::new(0) };
    }
    let call = CALLS.replace(CALLS.get() + 1);
    let turns = Turn::of_each(&["-j4", "-j1"]).filter(|(turn, _)| turn.has(call));
    let mut found: Vec<_> = turns.map(|(_, jobs)| find(jobs)).collect();
    let first = found.swap_remove(0);
    for other in found {
        assert_eq!(first, other);
    }
    first
}
