//! The table of all mutants. Each has one fault that real programs have had; none is right on every
//! input of a problem that it fits.

use crate::authoring::strength::claim::ClaimFault;
use crate::authoring::strength::filling::FillingFault;
use crate::authoring::strength::mutant::{Mutant, MutantFault};
use crate::authoring::strength::reading::ReadingFault;
use crate::authoring::strength::rules::{ListEnd, RulesFault};
use crate::authoring::strength::search::Singles;
use crate::authoring::strength::slow::SlowFault;
use crate::authoring::strength::special_case::SpecialCaseFault;
use crate::authoring::strength::state_leak::StateLeak;
use crate::authoring::strength::writing::WritingFault;
use gridjudge_grid::CageOperation::{Difference, Product, Quotient, Sum};
use gridjudge_grid::HouseKind::{Box, Column, Diagonal, Region, Row, Square};
use gridjudge_grid::naive::NaiveSearch;

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

const fn reading(name: &'static str, fault: &'static str, wrong: ReadingFault) -> Mutant {
    Mutant {
        name,
        fault,
        wrong: MutantFault::Reading(wrong),
    }
}

const READING: &[Mutant] = {
    use ReadingFault::*;
    &[
        reading("misses-first-row", "reads the first row as blank", FirstRow),
        reading("misses-last-row", "reads the last row as blank", LastRow),
        reading(
            "misses-last-column",
            "reads the last column as blank",
            LastColumn,
        ),
        reading(
            "misses-last-symbol",
            "takes the last symbol for a blank",
            LastSymbol,
        ),
        reading(
            "other-blanks",
            "takes all blanks but the first for a symbol",
            OtherBlanks,
        ),
        reading("only-first-grid", "answers the first grid alone", OnlyFirst),
        reading("skips-first-grid", "leaves the first grid out", SkipsFirst),
        reading("misses-last-grid", "leaves the last grid out", MissesLast),
        reading("last-grid-twice", "answers the last grid twice", LastTwice),
        reading(
            "first-grid-again",
            "answers the first grid again and again",
            FirstAgain,
        ),
        reading(
            "count-of-one-digit",
            "reads one digit of the number of grids",
            OneDigit,
        ),
        reading(
            "room-for-one-grid-too-few",
            "has no room for the last of the largest number of grids",
            RoomForOneTooFew,
        ),
        reading(
            "ends-at-empty-grid",
            "takes an empty grid for the end",
            EndsAtEmpty,
        ),
        reading(
            "reads-beyond-the-end",
            "takes trailing output after the last grid for a grid",
            BeyondTheEnd,
        ),
    ]
};

const fn rules(name: &'static str, fault: &'static str, wrong: RulesFault) -> Mutant {
    Mutant {
        name,
        fault,
        wrong: MutantFault::Rules(wrong),
    }
}

const RULES: &[Mutant] = {
    use RulesFault::*;
    &[
        rules("no-rows", "does not know the rule of rows", Without(Row)),
        rules(
            "no-columns",
            "does not know the rule of columns",
            Without(Column),
        ),
        rules("no-boxes", "does not know the rule of boxes", Without(Box)),
        rules(
            "no-regions",
            "does not know the rule of regions",
            Without(Region),
        ),
        rules(
            "no-diagonals",
            "does not know the rule of diagonals",
            Without(Diagonal),
        ),
        rules(
            "no-first-diagonal",
            "does not know the first diagonal",
            WithoutOne(Diagonal, ListEnd::First),
        ),
        rules(
            "no-second-diagonal",
            "does not know the second diagonal",
            WithoutOne(Diagonal, ListEnd::Last),
        ),
        rules(
            "numbers-repeat",
            "lets a number appear in a magic square twice",
            Without(Square),
        ),
        rules(
            "no-sums",
            "does not know what cages add up to",
            WithoutCages(Sum),
        ),
        rules(
            "no-products",
            "does not know what cages multiply to",
            WithoutCages(Product),
        ),
        rules(
            "no-differences",
            "does not know by how much cages differ",
            WithoutCages(Difference),
        ),
        rules(
            "no-quotients",
            "does not know what cages divide to",
            WithoutCages(Quotient),
        ),
        rules(
            "cages-one-way",
            "subtracts the second cell from the first and divides the first by it, never the other way round",
            CagesOneWay,
        ),
        rules(
            "cages-repeat",
            "lets a symbol appear in a cage twice",
            CagesMayRepeat,
        ),
        rules(
            "no-inequalities",
            "does not know inequalities",
            WithoutInequalities,
        ),
        rules(
            "boxes-for-regions",
            "takes square boxes for the regions",
            BoxesForRegions,
        ),
        rules(
            "boxes-turned",
            "takes the rows of a box for its columns",
            BoxesTurned,
        ),
        rules(
            "two-rows-unchecked",
            "does not look at the last two rows",
            WithoutTwo(Row),
        ),
        rules(
            "two-columns-unchecked",
            "does not look at the last two columns",
            WithoutTwo(Column),
        ),
        rules(
            "four-boxes-unchecked",
            "does not look at the last four boxes",
            WithoutFourBoxes,
        ),
        rules(
            "rows-too-short",
            "does not look at the last cell of a row",
            Short(Row),
        ),
        rules(
            "columns-too-short",
            "does not look at the last cell of a column",
            Short(Column),
        ),
        rules(
            "boxes-too-short",
            "does not look at the last cell of a box",
            Short(Box),
        ),
        rules(
            "regions-too-short",
            "does not look at the last cell of a region",
            Short(Region),
        ),
        rules(
            "diagonals-too-short",
            "does not look at the last cell of a diagonal",
            Short(Diagonal),
        ),
        rules(
            "no-first-symbol",
            "never tries the first symbol",
            NoFirstSymbol,
        ),
        rules(
            "no-last-symbol",
            "never tries the last symbol",
            NoLastSymbol,
        ),
    ]
};

const fn filling(name: &'static str, fault: &'static str, wrong: FillingFault) -> Mutant {
    Mutant {
        name,
        fault,
        wrong: MutantFault::Filling(wrong),
    }
}

const FILLING: &[Mutant] = {
    use FillingFault::*;
    &[
        filling(
            "naked-singles-only",
            "fills cells with one candidate and no others",
            Only(Singles::Naked),
        ),
        filling(
            "singles-only",
            "places singles and leaves the rest blank",
            Only(Singles::All),
        ),
        filling("greedy", "never comes back to a guess", Greedy),
        filling("ten-guesses", "gives up after ten guesses", Guesses(10)),
        filling(
            "hundred-guesses",
            "gives up after a hundred guesses",
            Guesses(100),
        ),
        filling(
            "against-clues-only",
            "checks symbols against the clues alone",
            AgainstCluesOnly,
        ),
        filling(
            "rows-not-restored",
            "leaves rows marked when it goes back",
            KeepsTable(Row),
        ),
        filling(
            "columns-not-restored",
            "leaves columns marked when it goes back",
            KeepsTable(Column),
        ),
        filling(
            "boxes-not-restored",
            "leaves boxes marked when it goes back",
            KeepsTable(Box),
        ),
        filling(
            "regions-not-restored",
            "leaves regions marked when it goes back",
            KeepsTable(Region),
        ),
        filling(
            "diagonals-not-restored",
            "leaves diagonals marked when it goes back",
            KeepsTable(Diagonal),
        ),
        filling(
            "cells-not-restored",
            "leaves cells filled when it goes back",
            KeepsCell,
        ),
        filling(
            "changes-first-clue",
            "takes the first clue for a blank",
            FreesFirstClue,
        ),
        filling(
            "changes-last-clue",
            "takes the last clue for a blank",
            FreesLastClue,
        ),
    ]
};

const fn stumble(name: &'static str, fault: &'static str, wrong: SpecialCaseFault) -> Mutant {
    Mutant {
        name,
        fault,
        wrong: MutantFault::SpecialCase(wrong),
    }
}

const STUMBLING: &[Mutant] = {
    use SpecialCaseFault::*;
    &[
        stumble(
            "complete-grid",
            "prints blanks for a complete grid",
            Complete,
        ),
        stumble("empty-grid", "does not solve an empty grid", Empty),
        stumble(
            "first-cell-given",
            "does not start if the first cell is a clue",
            FirstCellGiven,
        ),
        stumble(
            "last-cell-given",
            "does not end if the last cell is a clue",
            LastCellGiven,
        ),
        stumble(
            "one-blank",
            "takes a grid with one blank for complete",
            OneBlank,
        ),
        stumble(
            "most-blanks",
            "has no room for the last of the largest number of blanks",
            MostBlanks,
        ),
        stumble(
            "full-row",
            "stumbles over a row without blanks",
            FullHouse(Row),
        ),
        stumble(
            "full-column",
            "stumbles over a column without blanks",
            FullHouse(Column),
        ),
        stumble(
            "full-box",
            "stumbles over a box without blanks",
            FullHouse(Box),
        ),
        stumble(
            "full-region",
            "stumbles over a region without blanks",
            FullHouse(Region),
        ),
        stumble(
            "empty-row",
            "stumbles over a row without clues",
            EmptyHouse(Row),
        ),
        stumble(
            "empty-column",
            "stumbles over a column without clues",
            EmptyHouse(Column),
        ),
        stumble(
            "empty-box",
            "stumbles over a box without clues",
            EmptyHouse(Box),
        ),
        stumble(
            "empty-region",
            "stumbles over a region without clues",
            EmptyHouse(Region),
        ),
        stumble(
            "symbol-not-given",
            "expects every symbol among the clues",
            SymbolNotGiven,
        ),
        stumble(
            "several-solutions",
            "expects one solution",
            SeveralSolutions,
        ),
        stumble(
            "thousand-solutions",
            "lists all solutions, and has room for a thousand",
            ThousandSolutions,
        ),
        stumble(
            "smallest-order",
            "does not solve grids of the smallest order",
            SmallestOrder,
        ),
        stumble(
            "largest-order",
            "has no room for grids of the largest order",
            LargestOrder,
        ),
    ]
};

const fn leftover(name: &'static str, fault: &'static str, wrong: StateLeak) -> Mutant {
    Mutant {
        name,
        fault,
        wrong: MutantFault::Leftover(wrong),
    }
}

const REMEMBERING: &[Mutant] = {
    use StateLeak::*;
    &[
        leftover(
            "row-clues-left-over",
            "keeps the clues of earlier grids in the rows",
            Clues(Row),
        ),
        leftover(
            "column-clues-left-over",
            "keeps the clues of earlier grids in the columns",
            Clues(Column),
        ),
        leftover(
            "box-clues-left-over",
            "keeps the clues of earlier grids in the boxes",
            Clues(Box),
        ),
        leftover(
            "region-clues-left-over",
            "keeps the clues of earlier grids in the regions",
            Clues(Region),
        ),
        leftover(
            "tables-left-over",
            "keeps the previous answer in its tables",
            Tables,
        ),
        leftover(
            "cells-left-over",
            "keeps the previous answer in blank cells",
            Cells,
        ),
        leftover(
            "blanks-left-over",
            "adds to the list of blanks of earlier grids",
            Blanks,
        ),
        leftover(
            "found-flag-left-over",
            "takes a grid for solved because an earlier one was",
            FoundFlag,
        ),
        leftover(
            "number-left-over",
            "also counts the solutions of earlier grids",
            Number,
        ),
    ]
};

const fn claim(name: &'static str, fault: &'static str, wrong: ClaimFault) -> Mutant {
    Mutant {
        name,
        fault,
        wrong: MutantFault::Claim(wrong),
    }
}

const CLAIMING: &[Mutant] = {
    use ClaimFault::*;
    &[
        claim(
            "never-none",
            "never says that there is no solution",
            NeverNone,
        ),
        claim(
            "none-by-clashes",
            "says that there is no solution only where clues clash",
            NoneByClashes,
        ),
        claim(
            "never-several",
            "never says that there are several solutions",
            NeverSeveral,
        ),
        claim(
            "none-for-several",
            "takes the texts for none and several for each other",
            Swapped,
        ),
        claim(
            "never-invalid",
            "never says that clues contradict each other",
            NeverInvalid,
        ),
        claim(
            "invalid-for-none",
            "takes the texts for invalid and none for each other",
            InvalidForNone,
        ),
        claim(
            "never-complete",
            "never says that a grid is complete",
            NeverComplete,
        ),
        claim(
            "several-at-most",
            "says too many where there are as many solutions as allowed",
            SeveralAtMost,
        ),
        claim(
            "found-first",
            "prints the first solution it finds, not the first there is",
            FoundFirst,
        ),
        claim(
            "only-first-solution",
            "prints the first of the solutions alone",
            OnlyFirst,
        ),
        claim(
            "not-the-last-solution",
            "does not print the last solution",
            NotTheLast,
        ),
        claim(
            "last-solution-twice",
            "prints the last solution twice",
            LastTwice,
        ),
        claim(
            "solutions-backwards",
            "prints the last of the solutions first",
            Backwards,
        ),
        claim(
            "counts-to-two",
            "counts two solutions at most",
            NoMoreThanTwo,
        ),
        claim(
            "counts-in-a-byte",
            "counts solutions in a byte",
            NumberInAByte,
        ),
    ]
};

const fn writing(name: &'static str, fault: &'static str, wrong: WritingFault) -> Mutant {
    Mutant {
        name,
        fault,
        wrong: MutantFault::Writing(wrong),
    }
}

const WRITING: &[Mutant] = {
    use WritingFault::*;
    &[
        writing("transposed", "writes rows as columns", Transposed),
        writing(
            "separator-missing",
            "writes no separator between two answers",
            NoSeparator,
        ),
        writing(
            "separator-last",
            "takes the separator after the last answer the other way round",
            OtherSeparatorEnd,
        ),
        writing(
            "answers-backwards",
            "writes the last answer first",
            Backwards,
        ),
        writing("no-last-row", "does not write the last row", NoLastRow),
        writing(
            "other-cells",
            "writes spaces between cells, or forgets them",
            OtherCells,
        ),
        writing(
            "other-lines",
            "writes each row on a line of its own",
            OtherLines,
        ),
        writing(
            "digits-of-one-character",
            "writes the characters after `9` for larger numbers",
            OneCharacterDigits,
        ),
        writing(
            "no-first-banner",
            "writes no banner before the first answer",
            NoFirstBanner,
        ),
        writing(
            "no-last-banner",
            "writes no banner before the last answer",
            NoLastBanner,
        ),
        writing(
            "banner-from-zero",
            "counts its banners from zero",
            BannerFromZero,
        ),
        writing(
            "same-banner",
            "writes the first banner again and again",
            SameBanner,
        ),
        writing(
            "banner-of-one-digit",
            "writes one character for the number",
            BannerOfOneDigit,
        ),
        writing(
            "banner-unpadded",
            "writes no zeros before the number",
            BannerUnpadded,
        ),
        writing(
            "other-line-end",
            "writes a space after each row, or forgets it",
            OtherLineEnd,
        ),
        writing(
            "empty-line-behind",
            "writes an empty line at the end",
            EmptyLineBehind,
        ),
        writing(
            "other-empty-lines",
            "writes empty lines between answers, or forgets them",
            OtherEmptyLines,
        ),
        writing(
            "other-distance",
            "writes an empty line between solutions, or forgets it",
            OtherDistance,
        ),
    ]
};

const fn naive(name: &'static str, fault: &'static str, wrong: NaiveSearch) -> Mutant {
    Mutant {
        name,
        fault,
        wrong: MutantFault::Slow(SlowFault::Naive(wrong)),
    }
}

const SLOW: &[Mutant] = {
    use NaiveSearch::*;
    &[
        naive("slow-rows", "searches by rows", Rows),
        naive(
            "slow-rows-descending",
            "searches by rows, the last symbol first",
            RowsDescending,
        ),
        naive(
            "slow-bottom-up",
            "searches by rows, the last row first",
            BottomUp,
        ),
        naive("slow-backwards", "searches from the last cell", Backwards),
        naive(
            "slow-backwards-descending",
            "searches from the last cell, the last symbol first",
            BackwardsDescending,
        ),
        naive("slow-columns", "searches by columns", Columns),
        naive(
            "slow-columns-descending",
            "searches by columns, the last symbol first",
            ColumnsDescending,
        ),
        naive(
            "slow-fullest-row",
            "searches by rows, the one with the fewest blanks first",
            FullestRow,
        ),
        naive(
            "slow-fewest-candidates",
            "searches the cell with the fewest candidates first, and sees no hidden singles",
            FewestCandidates,
        ),
        Mutant {
            name: "slow-every-filling",
            fault: "looks at the rules only when all cells are filled",
            wrong: MutantFault::Slow(SlowFault::EveryFilling),
        },
    ]
};
