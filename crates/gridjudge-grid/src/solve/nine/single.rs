//! Solves one puzzle at a time: propagates the clues, then guesses. The search of a
//! puzzle that needs many guesses is spread over the lanes. Start at [`SingleSolver`].

use crate::solve::TooHard;
use crate::solve::nine::digit_board::{
    BAND, BoardBranch, BranchChoice, ClueMasks, DigitBoard, PermutationGuess,
};
use crate::solve::nine::lanes::{LaneGroup, LaneRow, Lanes, WIDTH};
use crate::solve::nine::registers::RegisterTask;
use crate::solve::nine::sweep::{ClosureOps, PropagationEnd, sweep};
use crate::solve::nine::{NinePuzzle, PuzzleOutcome, Registers};

/// The number of guesses after which a puzzle is spread over the lanes. With fewer,
/// puzzles that are nearly done pay for the start of sixteen searches; with more, hard
/// puzzles are spread too late.
const FEW_GUESSES: u32 = 8;

/// The number of dead ends without a solution between them after which a search is
/// stopped. No known grid needs a thousandth of it.
const MOST_DEAD_ENDS: u64 = 1_000_000;

/// Solves one puzzle at a time.
pub struct SingleSolver {
    registers: Registers,
    digits: DigitLanes,
    forks: Vec<BoardBranch<BandRows>>,
    /// Made for the first search that is spread over the lanes.
    group: Option<Box<LaneGroup>>,
    boards: Vec<DigitBoard>,
    /// The number of dead ends after which a search is stopped.
    pub(super) most_dead_ends: u64,
    /// Dead ends of all searches that were spread over the lanes.
    dead_ends: u64,
}

impl Default for SingleSolver {
    fn default() -> Self {
        Self::new(Registers::widest())
    }
}

impl SingleSolver {
    /// A solver that works in these registers.
    pub fn new(registers: Registers) -> Self {
        Self {
            registers,
            digits: DigitLanes::new(),
            forks: vec![],
            group: None,
            boards: vec![],
            most_dead_ends: MOST_DEAD_ENDS,
            dead_ends: 0,
        }
    }

    /// The dead ends of all searches so far that took more than a few guesses.
    pub fn dead_ends(&self) -> u64 {
        self.dead_ends
    }

    /// Counts the solutions of a puzzle up to a limit.
    ///
    /// # Errors
    /// Returns [`TooHard`] if the search is stopped, which no known grid causes.
    pub fn outcome(
        &mut self,
        puzzle: &NinePuzzle,
        limit: usize,
    ) -> Result<PuzzleOutcome, TooHard> {
        let mut outcome = PuzzleOutcome::NONE;
        self.search(puzzle, limit, |solution| outcome.add(solution))?;
        Ok(outcome)
    }

    /// Passes the solutions of a puzzle one by one to `found`, at most `limit` of them.
    ///
    /// # Errors
    /// Returns [`TooHard`] if the search is stopped, which no known grid causes.
    pub fn search(
        &mut self,
        puzzle: &NinePuzzle,
        limit: usize,
        found: impl FnMut(&NinePuzzle),
    ) -> Result<(), TooHard> {
        if limit == 0 {
            return Ok(());
        }
        self.registers.run(SingleTask {
            single: self,
            puzzle,
            limit,
            found,
        })
    }

    /// Makes a guess on a board on which the rules make no more progress.
    #[inline(always)]
    fn branch(&mut self) {
        let mut choice = self.digits.choice();
        let guess = choice.next().expect("an open board has something to guess");
        if !choice.is_empty() {
            self.forks.push(BoardBranch {
                board: self.digits.board,
                choice,
            });
        }
        restrict(&mut self.digits.board, guess);
    }

    /// Goes back to the last fork and makes the next guess there; false if there is no
    /// fork.
    #[inline(always)]
    fn back(&mut self) -> bool {
        let Some(fork) = self.forks.last_mut() else {
            return false;
        };
        let guess = fork.choice.next().expect("a fork has a guess left");
        self.digits.put(&fork.board);
        if fork.choice.is_empty() {
            self.forks.pop();
        }
        restrict(&mut self.digits.board, guess);
        true
    }

    /// Collects everything still to be searched in `boards`.
    fn gather(&mut self) {
        self.boards.clear();
        for fork in &mut self.forks {
            while let Some(guess) = fork.choice.next() {
                let mut board = fork.board;
                restrict(&mut board, guess);
                self.boards.push(board_of(&board));
            }
        }
        self.boards.push(board_of(&self.digits.board));
    }
}

/// The work of [`SingleSolver::search`].
struct SingleTask<'a, F> {
    single: &'a mut SingleSolver,
    puzzle: &'a NinePuzzle,
    limit: usize,
    found: F,
}

impl<F: FnMut(&NinePuzzle)> RegisterTask for SingleTask<'_, F> {
    type Output = Result<(), TooHard>;

    #[inline(always)]
    fn within<V: Lanes>(self, processor: V::Processor) -> Self::Output {
        let Self {
            single,
            puzzle,
            limit,
            mut found,
        } = self;
        let mut left = limit;
        // Returns whether that was the last solution wanted.
        let mut enough = |solution: &NinePuzzle| {
            found(solution);
            left -= 1;
            left == 0
        };
        single.digits.begin(&V::clues(processor, puzzle));
        single.forks.clear();
        let mut guesses = 0;
        loop {
            match single.digits.propagate::<V>(processor) {
                PropagationEnd::Open if guesses == FEW_GUESSES => {
                    single.gather();
                    return spread::<V>(processor, single, enough);
                }
                PropagationEnd::Open => {
                    guesses += 1;
                    single.branch();
                    continue;
                }
                PropagationEnd::Solved
                    if enough(&V::solution(processor, single.digits.words())) =>
                {
                    return Ok(());
                }
                PropagationEnd::Solved | PropagationEnd::Failed => {}
            }
            if !single.back() {
                return Ok(());
            }
        }
    }
}

// Searches one hard puzzle in all lanes: every lane follows another branch of the
// search.

/// Searches all gathered boards for solutions and passes each to `enough`, which
/// returns true when no more are wanted. Boards are taken from the end. The same boards
/// give the same solutions in the same order, whatever the registers.
///
/// # Errors
/// Returns [`TooHard`] after more dead ends than allowed without a solution between
/// them.
#[inline(always)]
fn spread<V: Lanes>(
    processor: V::Processor,
    single: &mut SingleSolver,
    mut enough: impl FnMut(&NinePuzzle) -> bool,
) -> Result<(), TooHard> {
    let SingleSolver { group, boards, .. } = single;
    let group = group.get_or_insert_with(|| Box::new(LaneGroup::new()));
    let mut busy = 0_u16;
    let mut dead_ends = 0;
    loop {
        while busy != u16::MAX
            && let Some(board) = boards.pop()
        {
            let lane = busy.trailing_ones() as usize;
            group.put(lane, &board);
            busy |= 1 << lane;
        }
        if busy == 0 {
            return Ok(());
        }
        let swept = sweep::<V>(processor, group);
        let mut halted = swept.halted() & busy;
        while halted != 0 {
            let lane = halted.trailing_zeros() as usize;
            halted &= halted - 1;
            match swept.end_in_lane(lane) {
                PropagationEnd::Open => {
                    branch(group, lane, boards);
                    continue;
                }
                PropagationEnd::Solved
                    if enough(&V::solution(processor, group.words(lane))) =>
                {
                    return Ok(());
                }
                PropagationEnd::Solved => dead_ends = 0,
                PropagationEnd::Failed if dead_ends == single.most_dead_ends => {
                    return Err(TooHard { dead_ends });
                }
                PropagationEnd::Failed => {
                    dead_ends += 1;
                    single.dead_ends += 1;
                }
            }
            busy &= !(1 << lane);
        }
    }
}

/// Makes a guess in a lane, and adds a board for each other guess to `boards`.
#[inline(always)]
fn branch(group: &mut LaneGroup, lane: usize, boards: &mut Vec<DigitBoard>) {
    let mut choice = group.choice(lane);
    let first = choice.next().expect("an open board has something to guess");
    while let Some(other) = choice.next() {
        let mut board = group.board(lane);
        for (word, cells) in board[3 * other.digit..].iter_mut().zip(other.cells()) {
            *word &= cells;
        }
        boards.push(board);
    }
    group.restrict(lane, first);
}

// Propagates the rules on one puzzle, with one digit in each lane. All digits are
// closed at once; in between, cells and triads are compared across the digits,
// one band at a time.

/// The lanes that hold a digit.
const DIGITS: u16 = 0o777;

/// The result of counting the candidates of the cells.
struct CellCount {
    /// Whether more cells are known than before.
    gained: bool,
    /// Whether some cells have several candidates.
    is_open: bool,
}

/// A board by bands: each lane has the possible cells of a digit.
type BandRows = [LaneRow; 3];

/// One board, and the facts found out about it.
struct DigitLanes {
    board: BandRows,
    /// For each digit, the cells where it is certain.
    hidden: BandRows,
    /// For each band, the cells where any digit is certain.
    found: [u32; 3],
    /// For each band, the cells with one candidate.
    singles: [u32; 3],
    /// The minirows that only three digits can use and the minirows certain for three
    /// digits, then the same for minicolumns.
    triads: [u32; 4],
    /// The permutations left for each digit, of boxes and of bands.
    permutations: [LaneRow; 2],
}

impl DigitLanes {
    fn new() -> Self {
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
    fn begin(&mut self, clues: &ClueMasks) {
        let mut board = self.board;
        for (band, row) in board.iter_mut().enumerate() {
            let blank = BAND & !clues.cells[band];
            for digit in 0..9 {
                row.0[digit] = clues.places[3 * digit + band] | blank;
            }
        }
        self.put(&board);
        self.singles = clues.cells;
    }

    /// Starts with a board about which nothing is known.
    #[inline(always)]
    fn put(&mut self, board: &BandRows) {
        self.board = *board;
        self.singles = [0; 3];
        self.found = [0; 3];
        self.triads = [0; 4];
    }

    /// The words of the board in the order of a [`DigitBoard`].
    #[inline(always)]
    fn words(&self) -> impl Fn(usize) -> u32 {
        |word| self.board[word % 3].0[word / 3]
    }

    /// The next guess.
    #[inline(always)]
    fn choice(&self) -> BranchChoice {
        let mut words = [0; 18];
        for digit in 0..9 {
            words[digit] = u64::from(self.permutations[0].0[digit]);
            words[9 + digit] = u64::from(self.permutations[1].0[digit]);
        }
        BranchChoice::among(&words)
    }

    /// Applies the rules until they make no more progress.
    #[inline(always)]
    pub(super) fn propagate<V: Lanes>(
        &mut self,
        processor: V::Processor,
    ) -> PropagationEnd {
        loop {
            let Some(changed) = self.close::<V>(processor) else {
                return PropagationEnd::Failed;
            };
            let Some(counted) = self.count_cells() else {
                return PropagationEnd::Failed;
            };
            match counted {
                // Every cell is decided, and another closing confirmed it.
                CellCount { is_open: false, .. } if !changed => {
                    return PropagationEnd::Solved;
                }
                CellCount { is_open: false, .. } | CellCount { gained: true, .. } => {
                }
                // Nothing new is certain, so the more expensive rule is applied.
                CellCount { .. } => match self.count_triads::<V>(processor) {
                    None => return PropagationEnd::Failed,
                    Some(true) => {}
                    Some(false) => return PropagationEnd::Open,
                },
            }
        }
    }

    /// Closes every digit once. Returns whether anything changed; `None` if a digit has
    /// no place left.
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
    fn close_part<V: Lanes>(
        &mut self,
        processor: V::Processor,
        part: usize,
    ) -> (u16, u16) {
        let words = ClosureOps::<V> { processor };
        let triads = words.splat_all(&self.triads);
        let singles = words.splat_all(&self.singles);
        let found = words.splat_all(&self.found);
        let old = words.load(&self.board, part);
        let hidden = words.load(&self.hidden, part);
        let zero = words.splat(0);
        let mut places = old;
        for (band, places) in places.iter_mut().enumerate() {
            *places = places.without(found[band].without(hidden[band]));
        }
        let closed = words.close(places, &singles, &triads);
        closed
            .rows
            .permutations
            .store(&mut self.permutations[0], part);
        closed
            .columns
            .permutations
            .store(&mut self.permutations[1], part);
        let mut changed = zero;
        for (band, old) in old.into_iter().enumerate() {
            closed.places[band].store(&mut self.board[band], part);
            closed.crossings[band].store(&mut self.hidden[band], part);
            changed = changed.or(closed.places[band].xor(old));
        }
        (
            closed
                .rows
                .alive
                .and(closed.columns.alive)
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

    /// Counts the digits of each triad. Returns whether more is known than before;
    /// `None` if a triad has fewer than three digits.
    #[inline(always)]
    fn count_triads<V: Lanes>(&mut self, processor: V::Processor) -> Option<bool> {
        let words = ClosureOps::<V> { processor };
        let mut uses = [LaneRow([0; WIDTH]); 4];
        for part in 0..9_usize.div_ceil(V::COUNT) {
            let [rows, columns] = words.load(&self.permutations, part);
            let rows = words.closed_again::<true>(rows);
            let columns = words.closed_again::<false>(columns);
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

/// The triads that only three digits can use, and those certain for three digits. The
/// arguments are, for each digit, the triads that it can use and those certain for it,
/// and the triads that were already certain for three digits (`full`). `None` if a
/// triad has fewer than three digits.
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
fn restrict(board: &mut BandRows, guess: PermutationGuess) {
    for (row, cells) in board.iter_mut().zip(guess.cells()) {
        row.0[guess.digit] &= cells;
    }
}

/// The board in the order of a [`DigitBoard`].
fn board_of(bands: &BandRows) -> DigitBoard {
    std::array::from_fn(|word| bands[word % 3].0[word / 3])
}
