//! Propagates the rules on one puzzle, with one digit in each lane. All digits are
//! [closed](super::closure) at once; in between, cells and triads are compared across the digits,
//! one band at a time.

use crate::solve::nine::choice::{BranchChoice, PermutationGuess};
use crate::solve::nine::closure::ClosureOps;
use crate::solve::nine::digit_board::{BAND, ClueMasks, DigitBoard};
use crate::solve::nine::lanes::{LaneRow, Lanes, WIDTH};

/// The lanes that hold a digit.
const DIGITS: u16 = 0o777;

/// How the propagation on a board ended.
pub(super) enum PropagationEnd {
    /// There is no solution.
    Failed,
    /// Every cell is decided.
    Solved,
    /// The rules make no more progress.
    Open,
}

/// The result of counting the candidates of the cells.
struct CellCount {
    /// Whether more cells are known than before.
    gained: bool,
    /// Whether some cells have several candidates.
    is_open: bool,
}

/// A board by bands: each lane has the possible cells of a digit.
pub(super) type BandRows = [LaneRow; 3];

/// One board, and the facts found out about it.
pub(super) struct DigitLanes {
    pub(super) board: BandRows,
    /// For each digit, the cells where it is certain.
    hidden: BandRows,
    /// For each band, the cells where any digit is certain.
    found: [u32; 3],
    /// For each band, the cells with one candidate.
    singles: [u32; 3],
    /// The minirows that only three digits can use and the minirows certain for three digits, then
    /// the same for minicolumns.
    triads: [u32; 4],
    /// The permutations left for each digit, of boxes and of bands.
    permutations: [LaneRow; 2],
}

impl DigitLanes {
    pub(super) fn new() -> Self {
        let blank = LaneRow([0; WIDTH]);
        Self {
            board: [LaneRow([BAND; WIDTH]); 3],
            hidden: [blank; 3],
            found: [0; 3],
            singles: [0; 3],
            triads: [0; 4],
            permutations: [blank; 2],
        }
    }

    /// Starts with a puzzle.
    #[inline(always)]
    pub(super) fn begin(&mut self, clues: &ClueMasks) {
        for band in 0..3 {
            let blank = BAND & !clues.cells[band];
            for digit in 0..9 {
                self.board[band].0[digit] = clues.places[3 * digit + band] | blank;
            }
        }
        self.singles = clues.cells;
        self.found = [0; 3];
        self.triads = [0; 4];
    }

    /// Starts with a board about which nothing is known.
    #[inline(always)]
    pub(super) fn put(&mut self, board: &BandRows) {
        self.board = *board;
        self.singles = [0; 3];
        self.found = [0; 3];
        self.triads = [0; 4];
    }

    /// The words of the board in the order of a [`DigitBoard`].
    #[inline(always)]
    pub(super) fn words(&self) -> impl Fn(usize) -> u32 {
        |word| self.board[word % 3].0[word / 3]
    }

    /// The next guess.
    #[inline(always)]
    pub(super) fn choice(&self) -> BranchChoice {
        let mut words = [0; 18];
        for digit in 0..9 {
            words[digit] = u64::from(self.permutations[0].0[digit]);
            words[9 + digit] = u64::from(self.permutations[1].0[digit]);
        }
        BranchChoice::among(&words)
    }

    /// Applies the rules until they make no more progress.
    #[inline(always)]
    pub(super) fn propagate<V: Lanes>(&mut self, processor: V::Processor) -> PropagationEnd {
        loop {
            let Some(changed) = self.close::<V>(processor) else {
                return PropagationEnd::Failed;
            };
            let Some(counted) = self.count_cells() else {
                return PropagationEnd::Failed;
            };
            match counted {
                // Every cell is decided, and another closing confirmed it.
                CellCount { is_open: false, .. } if !changed => return PropagationEnd::Solved,
                CellCount { is_open: false, .. } | CellCount { gained: true, .. } => {}
                // Nothing new is certain, so the more expensive rule is applied.
                CellCount { .. } => match self.count_triads::<V>(processor) {
                    None => return PropagationEnd::Failed,
                    Some(true) => {}
                    Some(false) => return PropagationEnd::Open,
                },
            }
        }
    }

    /// Closes every digit once. Returns whether anything changed; `None` if a digit has no place
    /// left.
    #[inline(always)]
    fn close<V: Lanes>(&mut self, processor: V::Processor) -> Option<bool> {
        let mut dead = 0;
        let mut changed = 0;
        for part in 0..9_usize.div_ceil(V::COUNT) {
            let (dead_here, changed_here) = self.close_part::<V>(processor, part);
            dead |= dead_here << (part * V::COUNT);
            changed |= changed_here << (part * V::COUNT);
        }
        (dead & DIGITS == 0).then_some(changed & DIGITS != 0)
    }

    #[inline(always)]
    fn close_part<V: Lanes>(&mut self, processor: V::Processor, part: usize) -> (u16, u16) {
        let words = ClosureOps::<V> { processor };
        let [only_rows, full_rows, only_columns, full_columns] = words.splat_all(&self.triads);
        let singles = words.splat_all(&self.singles);
        let found = words.splat_all(&self.found);
        let old = words.load(&self.board, part);
        let hidden = words.load(&self.hidden, part);
        let zero = words.splat(0);
        let mut places = [zero; 3];
        let mut known = [zero; 3];
        for band in 0..3 {
            places[band] = old[band].without(found[band].without(hidden[band]));
            known[band] = places[band].and(singles[band]);
        }
        let word = words.minirows(places);
        let by_rows = words.close_rows(word, words.minirows(known).or(word.and(only_rows)));
        by_rows.permutations.store(&mut self.permutations[0], part);
        let possible = by_rows.possible.without(full_rows.without(by_rows.certain));
        for (band, places) in places.iter_mut().enumerate() {
            *places = places.and(words.cells_of_rows(possible, band));
        }
        let word = words.minicolumns(places);
        let by_columns =
            words.close_columns(word, words.minicolumns(known).or(word.and(only_columns)));
        by_columns
            .permutations
            .store(&mut self.permutations[1], part);
        let possible = by_columns
            .possible
            .without(full_columns.without(by_columns.certain));
        let mut changed = zero;
        for band in 0..3 {
            let now = places[band].and(words.cells_of_columns(possible, band));
            now.store(&mut self.board[band], part);
            changed = changed.or(now.xor(old[band]));
            let certain_rows = words.cells_of_rows(by_rows.certain, band);
            let crossing = now
                .and(certain_rows)
                .and(words.cells_of_columns(by_columns.certain, band));
            crossing.store(&mut self.hidden[band], part);
        }
        (
            by_rows
                .alive
                .and(by_columns.alive)
                .differing(words.splat(BAND)),
            changed.differing(zero),
        )
    }

    /// Counts the candidates of each cell; `None` if one has none.
    #[inline(always)]
    fn count_cells(&mut self) -> Option<CellCount> {
        let mut gained = 0;
        let mut open = 0;
        let mut all = BAND;
        for band in 0..3 {
            let mut one = 0;
            let mut two = 0;
            let mut found = 0;
            for digit in 0..9 {
                let places = self.board[band].0[digit];
                two |= one & places;
                one |= places;
                found |= self.hidden[band].0[digit];
            }
            let singles = one & !two;
            gained |= singles & !self.singles[band] | found & !self.found[band];
            open |= two;
            all &= one;
            self.singles[band] = singles;
            self.found[band] = found;
        }
        (all == BAND).then_some(CellCount {
            gained: gained != 0,
            is_open: open != 0,
        })
    }

    /// Counts the digits of each triad. Returns whether more is known than before; `None` if a
    /// triad has fewer than three digits.
    #[inline(always)]
    fn count_triads<V: Lanes>(&mut self, processor: V::Processor) -> Option<bool> {
        let words = ClosureOps::<V> { processor };
        let blank = LaneRow([0; WIDTH]);
        let mut uses = [blank; 4];
        for part in 0..9_usize.div_ceil(V::COUNT) {
            let [rows, columns] = words.load(&self.permutations, part);
            let rows = words.rows_again(rows);
            let columns = words.columns_again(columns);
            for (row, word) in uses.iter_mut().zip([
                rows.possible,
                rows.certain,
                columns.possible,
                columns.certain,
            ]) {
                word.store(row, part);
            }
        }
        let mut gained = 0;
        for (at, uses) in [0, 2].into_iter().zip(uses.as_chunks().0) {
            let now = triads_of(uses, self.triads[at + 1])?;
            gained |= now[0] & !self.triads[at] | now[1] & !self.triads[at + 1];
            self.triads[at..at + 2].copy_from_slice(&now);
        }
        Some(gained != 0)
    }
}

/// The triads that only three digits can use, and those certain for three digits. The arguments
/// are, for each digit, the triads that it can use and those certain for it, and the triads that
/// were already certain for three digits (`full`). `None` if a triad has fewer than three digits.
#[inline(always)]
fn triads_of([possible, certain]: &[LaneRow; 2], full: u32) -> Option<[u32; 2]> {
    let mut possibles = [0; 4];
    let mut certains = [0; 3];
    for (&possible, &certain) in possible.0.iter().zip(&certain.0).take(9) {
        let possible = possible & !(full & !certain);
        for at in (1..4).rev() {
            possibles[at] |= possibles[at - 1] & possible;
        }
        possibles[0] |= possible;
        for at in (1..3).rev() {
            certains[at] |= certains[at - 1] & certain;
        }
        certains[0] |= certain;
    }
    (possibles[2] == BAND).then_some([possibles[2] & !possibles[3], certains[2]])
}

/// Leaves only the cells that a guess allows to its digit.
#[inline(always)]
pub(super) fn restrict(board: &mut BandRows, guess: PermutationGuess) {
    for (row, cells) in board.iter_mut().zip(guess.cells()) {
        row.0[guess.digit()] &= cells;
    }
}

/// The board in the order of a [`DigitBoard`].
pub(super) fn board_of(bands: &BandRows) -> DigitBoard {
    let mut board = [0; 27];
    for (word, places) in board.iter_mut().enumerate() {
        *places = bands[word % 3].0[word / 3];
    }
    board
}
