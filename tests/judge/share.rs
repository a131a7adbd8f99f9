//! How much of a large table of tests is tested: all of it with `GRIDJUDGE_EXHAUSTIVE=1`, else a
//! share that has every row and every column, but not every cell.

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
    pub(crate) fn share<T>(self, rows: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
        let numbered = rows.into_iter().enumerate();
        let due = numbered.filter(move |(row, _)| self.has(*row));
        due.map(|(_, row)| row)
    }
}
