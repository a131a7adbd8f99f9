//! The table of all mutants, and the fewest cases that kill all of them that any case
//! kills. Each has one fault that real programs have had; none is right on every input
//! of a problem that it fits.

use gridjudge_grid::CageOperation::{Difference, Product, Quotient, Sum};
use gridjudge_grid::HouseKind::{Box, Column, Diagonal, Region, Row, Square};
use gridjudge_grid::naive::NaiveSearch;

use crate::authoring::strength::{
    ClaimFault, FillingFault, Mutant, MutantFault, ReadingFault, RulesFault, Singles,
    SlowFault, SpecialCaseFault, StateLeak, WritingFault,
};

/// All mutants, in the order in which they are reported.
pub fn mutants() -> impl Iterator<Item = &'static Mutant> {
    [
        READING,
        RULES,
        FILLING,
        STUMBLING,
        REMEMBERING,
        CLAIMING,
        WRITING,
        SLOW,
    ]
    .into_iter()
    .flatten()
}

/// Mutants with faults of one kind, each with its name and what is wrong with it in
/// words.
macro_rules! mutants {
    ($kind:ident: $($name:literal, $fault:literal, $wrong:expr;)*) => {
        &[$(Mutant {
            name: $name,
            fault: $fault,
            wrong: MutantFault::$kind($wrong),
        }),*]
    };
}

const READING: &[Mutant] = {
    use ReadingFault::*;
    mutants! { Reading:
        "misses-first-row", "reads the first row as blank", FirstRow;
        "misses-last-row", "reads the last row as blank", LastRow;
        "misses-last-column", "reads the last column as blank", LastColumn;
        "misses-last-symbol", "takes the last symbol for a blank", LastSymbol;
        "other-blanks", "takes all blanks but the first for a symbol", OtherBlanks;
        "only-first-grid", "answers the first grid alone", OnlyFirst;
        "skips-first-grid", "leaves the first grid out", SkipsFirst;
        "misses-last-grid", "leaves the last grid out", MissesLast;
        "last-grid-twice", "answers the last grid twice", LastTwice;
        "first-grid-again", "answers the first grid again and again", FirstAgain;
        "count-of-one-digit", "reads one digit of the number of grids", OneDigit;
        "room-for-one-grid-too-few",
            "has no room for the last of the largest number of grids", RoomForOneTooFew;
        "ends-at-empty-grid", "takes an empty grid for the end", EndsAtEmpty;
        "reads-beyond-the-end",
            "takes trailing output after the last grid for a grid", BeyondTheEnd;
    }
};

const RULES: &[Mutant] = {
    use RulesFault::*;
    mutants! { Rules:
        "no-rows", "does not know the rule of rows", Without(Row);
        "no-columns", "does not know the rule of columns", Without(Column);
        "no-boxes", "does not know the rule of boxes", Without(Box);
        "no-regions", "does not know the rule of regions", Without(Region);
        "no-diagonals", "does not know the rule of diagonals", Without(Diagonal);
        "no-first-diagonal",
            "does not know the first diagonal", WithoutOne(Diagonal, 1);
        "no-second-diagonal",
            "does not know the second diagonal", WithoutOne(Diagonal, 2);
        "numbers-repeat", "lets a number appear in a magic square twice", Without(Square);
        "no-sums", "does not know what cages add up to", WithoutCages(Sum);
        "no-products", "does not know what cages multiply to", WithoutCages(Product);
        "no-differences", "does not know by how much cages differ", WithoutCages(Difference);
        "no-quotients", "does not know what cages divide to", WithoutCages(Quotient);
        "cages-one-way",
            "subtracts the second cell from the first and divides the first by it, never the other way round", CagesOneWay;
        "cages-repeat", "lets a symbol appear in a cage twice", CagesMayRepeat;
        "no-inequalities", "does not know inequalities", WithoutInequalities;
        "boxes-for-regions", "takes square boxes for the regions", BoxesForRegions;
        "boxes-turned", "takes the rows of a box for its columns", BoxesTurned;
        "two-rows-unchecked", "does not look at the last two rows", WithoutTwo(Row);
        "two-columns-unchecked", "does not look at the last two columns", WithoutTwo(Column);
        "four-boxes-unchecked", "does not look at the last four boxes", WithoutFourBoxes;
        "rows-too-short", "does not look at the last cell of a row", Short(Row);
        "columns-too-short", "does not look at the last cell of a column", Short(Column);
        "boxes-too-short", "does not look at the last cell of a box", Short(Box);
        "regions-too-short", "does not look at the last cell of a region", Short(Region);
        "diagonals-too-short", "does not look at the last cell of a diagonal", Short(Diagonal);
        "no-first-symbol", "never tries the first symbol", NoFirstSymbol;
        "no-last-symbol", "never tries the last symbol", NoLastSymbol;
    }
};

const FILLING: &[Mutant] = {
    use FillingFault::*;
    mutants! { Filling:
        "naked-singles-only", "fills cells with one candidate and no others", Only(Singles::Naked);
        "singles-only", "places singles and leaves the rest blank", Only(Singles::All);
        "greedy", "never comes back to a guess", Greedy;
        "ten-guesses", "gives up after ten guesses", Guesses(10);
        "hundred-guesses", "gives up after a hundred guesses", Guesses(100);
        "against-clues-only", "checks symbols against the clues alone", AgainstCluesOnly;
        "rows-not-restored", "leaves rows marked when it goes back", KeepsTable(Row);
        "columns-not-restored", "leaves columns marked when it goes back", KeepsTable(Column);
        "boxes-not-restored", "leaves boxes marked when it goes back", KeepsTable(Box);
        "regions-not-restored", "leaves regions marked when it goes back", KeepsTable(Region);
        "diagonals-not-restored", "leaves diagonals marked when it goes back", KeepsTable(Diagonal);
        "cells-not-restored", "leaves cells filled when it goes back", KeepsCell;
        "changes-first-clue", "takes the first clue for a blank", FreesFirstClue;
        "changes-last-clue", "takes the last clue for a blank", FreesLastClue;
    }
};

const STUMBLING: &[Mutant] = {
    use SpecialCaseFault::*;
    mutants! { SpecialCase:
        "complete-grid", "prints blanks for a complete grid", Complete;
        "empty-grid", "does not solve an empty grid", Empty;
        "first-cell-given", "does not start if the first cell is a clue", FirstCellGiven;
        "last-cell-given", "does not end if the last cell is a clue", LastCellGiven;
        "one-blank", "takes a grid with one blank for complete", OneBlank;
        "most-blanks", "has no room for the last of the largest number of blanks", MostBlanks;
        "full-row", "stumbles over a row without blanks", FullHouse(Row);
        "full-column", "stumbles over a column without blanks", FullHouse(Column);
        "full-box", "stumbles over a box without blanks", FullHouse(Box);
        "full-region", "stumbles over a region without blanks", FullHouse(Region);
        "empty-row", "stumbles over a row without clues", EmptyHouse(Row);
        "empty-column", "stumbles over a column without clues", EmptyHouse(Column);
        "empty-box", "stumbles over a box without clues", EmptyHouse(Box);
        "empty-region", "stumbles over a region without clues", EmptyHouse(Region);
        "symbol-not-given", "expects every symbol among the clues", SymbolNotGiven;
        "several-solutions", "expects one solution", SeveralSolutions;
        "thousand-solutions", "lists all solutions, and has room for a thousand", ThousandSolutions;
        "smallest-order", "does not solve grids of the smallest order", SmallestOrder;
        "largest-order", "has no room for grids of the largest order", LargestOrder;
    }
};

const REMEMBERING: &[Mutant] = {
    use StateLeak::*;
    mutants! { Leftover:
        "row-clues-left-over", "keeps the clues of earlier grids in the rows", Clues(Row);
        "column-clues-left-over", "keeps the clues of earlier grids in the columns", Clues(Column);
        "box-clues-left-over", "keeps the clues of earlier grids in the boxes", Clues(Box);
        "region-clues-left-over", "keeps the clues of earlier grids in the regions", Clues(Region);
        "tables-left-over", "keeps the previous answer in its tables", Tables;
        "cells-left-over", "keeps the previous answer in blank cells", Cells;
        "blanks-left-over", "adds to the list of blanks of earlier grids", Blanks;
        "found-flag-left-over", "takes a grid for solved because an earlier one was", FoundFlag;
        "number-left-over", "also counts the solutions of earlier grids", Number;
    }
};

const CLAIMING: &[Mutant] = {
    use ClaimFault::*;
    mutants! { Claim:
        "never-none", "never says that there is no solution", NeverNone;
        "none-by-clashes", "says that there is no solution only where clues clash", NoneByClashes;
        "never-several", "never says that there are several solutions", NeverSeveral;
        "none-for-several", "takes the texts for none and several for each other", Swapped;
        "never-invalid", "never says that clues contradict each other", NeverInvalid;
        "invalid-for-none", "takes the texts for invalid and none for each other", InvalidForNone;
        "never-complete", "never says that a grid is complete", NeverComplete;
        "several-at-most",
            "says too many where there are as many solutions as allowed", SeveralAtMost;
        "found-first", "prints the first solution it finds, not the first there is", FoundFirst;
        "only-first-solution", "prints the first of the solutions alone", OnlyFirst;
        "not-the-last-solution", "does not print the last solution", NotTheLast;
        "last-solution-twice", "prints the last solution twice", LastTwice;
        "solutions-backwards", "prints the last of the solutions first", Backwards;
        "counts-to-two", "counts two solutions at most", NoMoreThanTwo;
        "counts-in-a-byte", "counts solutions in a byte", NumberInAByte;
    }
};

const WRITING: &[Mutant] = {
    use WritingFault::*;
    mutants! { Writing:
        "transposed", "writes rows as columns", Transposed;
        "separator-missing", "writes no separator between two answers", NoSeparator;
        "separator-last",
            "takes the separator after the last answer the other way round", OtherSeparatorEnd;
        "answers-backwards", "writes the last answer first", Backwards;
        "no-last-row", "does not write the last row", NoLastRow;
        "other-cells", "writes spaces between cells, or forgets them", OtherCells;
        "other-lines", "writes each row on a line of its own", OtherLines;
        "digits-of-one-character",
            "writes the characters after `9` for larger numbers", OneCharacterDigits;
        "no-first-banner", "writes no banner before the first answer", NoFirstBanner;
        "no-last-banner", "writes no banner before the last answer", NoLastBanner;
        "banner-from-zero", "counts its banners from zero", BannerFromZero;
        "same-banner", "writes the first banner again and again", SameBanner;
        "banner-of-one-digit", "writes one character for the number", BannerOfOneDigit;
        "banner-unpadded", "writes no zeros before the number", BannerUnpadded;
        "other-line-end", "writes a space after each row, or forgets it", OtherLineEnd;
        "empty-line-behind", "writes an empty line at the end", EmptyLineBehind;
        "other-empty-lines", "writes empty lines between answers, or forgets them", OtherEmptyLines;
        "other-distance", "writes an empty line between solutions, or forgets it", OtherDistance;
    }
};

const SLOW: &[Mutant] = {
    use NaiveSearch::*;
    use SlowFault::{EveryFilling, Naive};
    mutants! { Slow:
        "slow-rows", "searches by rows", Naive(Rows);
        "slow-rows-descending", "searches by rows, the last symbol first", Naive(RowsDescending);
        "slow-bottom-up", "searches by rows, the last row first", Naive(BottomUp);
        "slow-backwards", "searches from the last cell", Naive(Backwards);
        "slow-backwards-descending",
            "searches from the last cell, the last symbol first", Naive(BackwardsDescending);
        "slow-columns", "searches by columns", Naive(Columns);
        "slow-columns-descending",
            "searches by columns, the last symbol first", Naive(ColumnsDescending);
        "slow-fullest-row",
            "searches by rows, the one with the fewest blanks first", Naive(FullestRow);
        "slow-fewest-candidates",
            "searches the cell with the fewest candidates first, and sees no hidden singles", Naive(FewestCandidates);
        "slow-every-filling", "looks at the rules only when all cells are filled", EveryFilling;
    }
};

/// Steps after which the search for fewer cases stops.
const MOST_STEPS: u64 = 1_000_000;

/// Some cases that together kill every mutant that any case kills.
#[derive(Debug, PartialEq)]
pub struct CaseCover {
    /// Their indices, ascending.
    pub cases: Vec<usize>,
    /// Whether it is proven that fewer cases do not suffice.
    pub is_least: bool,
}

/// A set of mutants, one bit for each.
type KillSet = u128;

/// Finds the fewest cases that kill all mutants that any case kills. `kills` says for
/// each case which mutants it kills. Of several such choices it is always the same one.
///
/// # Panics
/// If there are more than 128 mutants.
pub fn cover(kills: &[Vec<bool>]) -> CaseCover {
    let sets: Vec<KillSet> = kills.iter().map(|row| set_of(row)).collect();
    let mut search = CoverSearch {
        best: greedy(&sets),
        steps: 0,
        useful: undominated(&sets),
        sets,
    };
    let all = search.sets.iter().fold(0, |all, set| all | set);
    search.choose(&mut vec![], all);
    let mut cases = search.best;
    cases.sort_unstable();
    CaseCover {
        cases,
        is_least: search.steps <= MOST_STEPS,
    }
}

fn set_of(row: &[bool]) -> KillSet {
    assert!(row.len() <= KillSet::BITS as usize);
    row.iter()
        .enumerate()
        .filter(|(_, killed)| **killed)
        .fold(0, |set, (mutant, _)| set | 1 << mutant)
}

/// Chooses repeatedly the case that kills most of the mutants still alive, the first
/// such case on a tie.
fn greedy(sets: &[KillSet]) -> Vec<usize> {
    let mut left = sets.iter().fold(0, |all, set| all | set);
    let mut chosen = vec![];
    while left != 0 {
        let Some(best) = (0..sets.len())
            .rev()
            .max_by_key(|case| (sets[*case] & left).count_ones())
        else {
            break;
        };
        left &= !sets[best];
        chosen.push(best);
    }
    chosen
}

/// The cases whose killed mutants are not all killed by another single case; of cases
/// that kill the same mutants, the first.
fn undominated(sets: &[KillSet]) -> Vec<usize> {
    (0..sets.len())
        .filter(|&case| {
            let set = sets[case];
            let mut others = sets.iter().enumerate();
            let is_dominated = others.any(|(other, larger)| {
                other != case
                    && set & !larger == 0
                    && (set != *larger || other < case)
            });
            set != 0 && !is_dominated
        })
        .collect()
}

struct CoverSearch {
    sets: Vec<KillSet>,
    useful: Vec<usize>,
    best: Vec<usize>,
    steps: u64,
}

impl CoverSearch {
    /// Searches for smaller covers that contain the `chosen` cases, which leave the
    /// mutants of `left` alive.
    fn choose(&mut self, chosen: &mut Vec<usize>, left: KillSet) {
        self.steps += 1;
        if left == 0 {
            if chosen.len() < self.best.len() {
                self.best.clone_from(chosen);
            }
            return;
        }
        if self.steps > MOST_STEPS
            || chosen.len() + self.at_least(left) >= self.best.len()
        {
            return;
        }
        for case in self.killers_of_the_rarest(left) {
            chosen.push(case);
            self.choose(chosen, left & !self.sets[case]);
            chosen.pop();
        }
    }

    /// A lower bound on the number of cases needed: mutants of which no two share a
    /// killer need one case each.
    fn at_least(&self, mut left: KillSet) -> usize {
        let mut needed = 0;
        while left != 0 {
            let mutant = left & left.wrapping_neg();
            let killers = self
                .useful
                .iter()
                .filter(|&&case| self.sets[case] & mutant != 0);
            left &=
                !killers.fold(mutant, |together, &case| together | self.sets[case]);
            needed += 1;
        }
        needed
    }

    /// The cases that kill the mutant with the fewest killers, one of which must be
    /// chosen.
    fn killers_of_the_rarest(&self, left: KillSet) -> Vec<usize> {
        (0..KillSet::BITS)
            .filter(|mutant| left >> mutant & 1 == 1)
            .map(|mutant| {
                self.useful
                    .iter()
                    .copied()
                    .filter(|case| self.sets[*case] >> mutant & 1 == 1)
                    .collect::<Vec<_>>()
            })
            .min_by_key(Vec::len)
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cover of cases given by the letters of the mutants that they kill.
    fn of(cases: &[&str]) -> CaseCover {
        cover(
            &cases
                .iter()
                .map(|case| ('a'..='z').map(|mutant| case.contains(mutant)).collect())
                .collect::<Vec<Vec<bool>>>(),
        )
    }

    #[test]
    fn the_fewest_cases_are_found_where_a_greedy_choice_needs_more() {
        for (cases, expected) in [
            (&[][..], &[][..]),
            (&["", ""], &[]),
            (&["a", "a"], &[0]),
            (&["a", "ab"], &[1]),
            (&["ab", "bc", "cd"], &[0, 2]),
            // A greedy choice takes the longest first and needs three.
            (&["bcde", "abc", "def"], &[1, 2]),
            (&["abcdefgh", "aceg", "bdfh", "xabcd", "yefgh"], &[3, 4]),
        ] {
            assert_eq!(
                of(cases),
                CaseCover {
                    cases: expected.to_vec(),
                    is_least: true
                },
                "{cases:?}"
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn no_smaller_choice_of_cases_covers(sets in proptest::collection::vec(0u32..256, 0..9)) {
            let rows: Vec<Vec<bool>> =
                sets.iter().map(|set| (0..8).map(|bit| set >> bit & 1 == 1).collect()).collect();
            let all = sets.iter().fold(0, |all, set| all | set);
            let covers = |choice: u32| {
                let chosen = sets.iter().enumerate().filter(|(case, _)| choice >> case & 1 == 1);
                chosen.fold(0, |all, (_, set)| all | set) == all
            };
            let fewest = (0..1u32 << sets.len()).filter(|&choice| covers(choice)).map(u32::count_ones).min();
            let found = cover(&rows);
            proptest::prop_assert_eq!(Some(found.cases.len() as u32), fewest);
            proptest::prop_assert!(covers(found.cases.iter().fold(0, |choice, case| choice | 1 << case)));
        }
    }
}
