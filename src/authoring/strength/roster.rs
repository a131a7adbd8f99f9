//! All mutants, as a table. Each is wrong in one way in which real programs have been wrong; none is right on every input
//! of a problem that it fits.

use crate::authoring::strength::claim::ClaimFault;
use crate::authoring::strength::filling::FillingFault;
use crate::authoring::strength::mutant::Mutant;
use crate::authoring::strength::mutant::MutantFault;
use crate::authoring::strength::reading::ReadingFault;
use crate::authoring::strength::rules::ListEnd;
use crate::authoring::strength::rules::RulesFault;
use crate::authoring::strength::search::Singles;
use crate::authoring::strength::slow::SlowFault;
use crate::authoring::strength::special_case::SpecialCaseFault;
use crate::authoring::strength::state_leak::StateLeak;
use crate::authoring::strength::writing::WritingFault;
use gridjudge_grid::HouseKind::Box;
use gridjudge_grid::HouseKind::Column;
use gridjudge_grid::HouseKind::Diagonal;
use gridjudge_grid::HouseKind::Region;
use gridjudge_grid::HouseKind::Row;
use gridjudge_grid::naive::NaiveSearch;

/// All mutants, in the order in which they are reported.
pub fn mutants() -> impl Iterator<Item = &'static Mutant> {
    [READING, RULES, FILLING, STUMBLING, REMEMBERING, CLAIMING, WRITING, SLOW].into_iter().flatten()
}

const fn reading(name: &'static str, fault: &'static str, wrong: ReadingFault) -> Mutant {
    Mutant { name, fault, wrong: MutantFault::Reading(wrong) }
}

const READING: &[Mutant] = &[
    reading("misses-first-row", "reads the first row as blank", ReadingFault::FirstRow),
    reading("misses-last-row", "reads the last row as blank", ReadingFault::LastRow),
    reading("misses-last-column", "reads the last column as blank", ReadingFault::LastColumn),
    reading("misses-last-symbol", "takes the last symbol for a blank", ReadingFault::LastSymbol),
    reading("other-blanks", "takes all blanks but the first for a symbol", ReadingFault::OtherBlanks),
    reading("only-first-grid", "answers the first grid alone", ReadingFault::OnlyFirst),
    reading("skips-first-grid", "leaves the first grid out", ReadingFault::SkipsFirst),
    reading("misses-last-grid", "leaves the last grid out", ReadingFault::MissesLast),
    reading("last-grid-twice", "answers the last grid twice", ReadingFault::LastTwice),
    reading("first-grid-again", "answers the first grid again and again", ReadingFault::FirstAgain),
    reading("count-of-one-digit", "reads one digit of the number of grids", ReadingFault::OneDigit),
    reading(
        "room-for-one-grid-too-few",
        "has no room for the last of the most grids",
        ReadingFault::RoomForOneTooFew,
    ),
    reading("ends-at-empty-grid", "takes an empty grid for the end", ReadingFault::EndsAtEmpty),
    reading(
        "reads-beyond-the-end",
        "takes trailing output after the last grid for a grid",
        ReadingFault::BeyondTheEnd,
    ),
];

const fn rules(name: &'static str, fault: &'static str, wrong: RulesFault) -> Mutant {
    Mutant { name, fault, wrong: MutantFault::Rules(wrong) }
}

const RULES: &[Mutant] = &[
    rules("no-rows", "does not know the rule of rows", RulesFault::Without(Row)),
    rules("no-columns", "does not know the rule of columns", RulesFault::Without(Column)),
    rules("no-boxes", "does not know the rule of boxes", RulesFault::Without(Box)),
    rules("no-regions", "does not know the rule of regions", RulesFault::Without(Region)),
    rules("no-diagonals", "does not know the rule of diagonals", RulesFault::Without(Diagonal)),
    rules(
        "no-first-diagonal",
        "does not know the first diagonal",
        RulesFault::WithoutOne(Diagonal, ListEnd::First),
    ),
    rules(
        "no-second-diagonal",
        "does not know the second diagonal",
        RulesFault::WithoutOne(Diagonal, ListEnd::Last),
    ),
    rules("boxes-for-regions", "takes square boxes for the regions", RulesFault::BoxesForRegions),
    rules("boxes-turned", "takes the rows of a box for its columns", RulesFault::BoxesTurned),
    rules("two-rows-unchecked", "does not look at the last two rows", RulesFault::WithoutTwo(Row)),
    rules("two-columns-unchecked", "does not look at the last two columns", RulesFault::WithoutTwo(Column)),
    rules("four-boxes-unchecked", "does not look at the four last boxes", RulesFault::WithoutFourBoxes),
    rules("rows-too-short", "does not look at the last cell of a row", RulesFault::Short(Row)),
    rules("columns-too-short", "does not look at the last cell of a column", RulesFault::Short(Column)),
    rules("boxes-too-short", "does not look at the last cell of a box", RulesFault::Short(Box)),
    rules("regions-too-short", "does not look at the last cell of a region", RulesFault::Short(Region)),
    rules("diagonals-too-short", "does not look at the last cell of a diagonal", RulesFault::Short(Diagonal)),
    rules("no-first-symbol", "never tries the first symbol", RulesFault::NoFirstSymbol),
    rules("no-last-symbol", "never tries the last symbol", RulesFault::NoLastSymbol),
];

const fn filling(name: &'static str, fault: &'static str, wrong: FillingFault) -> Mutant {
    Mutant { name, fault, wrong: MutantFault::Filling(wrong) }
}

const FILLING: &[Mutant] = &[
    filling(
        "naked-singles-only",
        "fills cells with one candidate and no others",
        FillingFault::Only(Singles::Naked),
    ),
    filling("singles-only", "places singles and leaves the rest blank", FillingFault::Only(Singles::All)),
    filling("greedy", "never comes back to a guess", FillingFault::Greedy),
    filling("ten-guesses", "gives up after ten guesses", FillingFault::Guesses(10)),
    filling("hundred-guesses", "gives up after a hundred guesses", FillingFault::Guesses(100)),
    filling("against-clues-only", "holds symbols against the clues alone", FillingFault::AgainstCluesOnly),
    filling("rows-not-restored", "leaves rows marked when it goes back", FillingFault::KeepsTable(Row)),
    filling(
        "columns-not-restored",
        "leaves columns marked when it goes back",
        FillingFault::KeepsTable(Column),
    ),
    filling("boxes-not-restored", "leaves boxes marked when it goes back", FillingFault::KeepsTable(Box)),
    filling(
        "regions-not-restored",
        "leaves regions marked when it goes back",
        FillingFault::KeepsTable(Region),
    ),
    filling(
        "diagonals-not-restored",
        "leaves diagonals marked when it goes back",
        FillingFault::KeepsTable(Diagonal),
    ),
    filling("cells-not-restored", "leaves cells filled when it goes back", FillingFault::KeepsCell),
    filling("changes-first-clue", "takes the first clue for a blank", FillingFault::FreesFirstClue),
    filling("changes-last-clue", "takes the last clue for a blank", FillingFault::FreesLastClue),
];

const fn stumble(name: &'static str, fault: &'static str, wrong: SpecialCaseFault) -> Mutant {
    Mutant { name, fault, wrong: MutantFault::Stumble(wrong) }
}

const STUMBLING: &[Mutant] = &[
    stumble("complete-grid", "prints blanks for a complete grid", SpecialCaseFault::Complete),
    stumble("empty-grid", "does not solve an empty grid", SpecialCaseFault::Empty),
    stumble(
        "first-cell-given",
        "does not start if the first cell is a clue",
        SpecialCaseFault::FirstCellGiven,
    ),
    stumble("last-cell-given", "does not end if the last cell is a clue", SpecialCaseFault::LastCellGiven),
    stumble("one-blank", "takes a grid with one blank for complete", SpecialCaseFault::OneBlank),
    stumble("most-blanks", "has no room for the last of the most blanks", SpecialCaseFault::MostBlanks),
    stumble("full-row", "stumbles over a row without blanks", SpecialCaseFault::FullHouse(Row)),
    stumble("full-column", "stumbles over a column without blanks", SpecialCaseFault::FullHouse(Column)),
    stumble("full-box", "stumbles over a box without blanks", SpecialCaseFault::FullHouse(Box)),
    stumble("full-region", "stumbles over a region without blanks", SpecialCaseFault::FullHouse(Region)),
    stumble("empty-row", "stumbles over a row without clues", SpecialCaseFault::EmptyHouse(Row)),
    stumble("empty-column", "stumbles over a column without clues", SpecialCaseFault::EmptyHouse(Column)),
    stumble("empty-box", "stumbles over a box without clues", SpecialCaseFault::EmptyHouse(Box)),
    stumble("empty-region", "stumbles over a region without clues", SpecialCaseFault::EmptyHouse(Region)),
    stumble("symbol-not-given", "expects every symbol among the clues", SpecialCaseFault::SymbolNotGiven),
    stumble("several-solutions", "expects one solution", SpecialCaseFault::SeveralSolutions),
    stumble(
        "thousand-solutions",
        "lists all solutions, and has room for a thousand",
        SpecialCaseFault::ThousandSolutions,
    ),
    stumble("smallest-order", "does not solve grids of the smallest order", SpecialCaseFault::SmallestOrder),
    stumble("largest-order", "has no room for grids of the largest order", SpecialCaseFault::LargestOrder),
];

const fn leftover(name: &'static str, fault: &'static str, wrong: StateLeak) -> Mutant {
    Mutant { name, fault, wrong: MutantFault::Leftover(wrong) }
}

const REMEMBERING: &[Mutant] = &[
    leftover("row-clues-left-over", "keeps the clues before in the rows", StateLeak::Clues(Row)),
    leftover("column-clues-left-over", "keeps the clues before in the columns", StateLeak::Clues(Column)),
    leftover("box-clues-left-over", "keeps the clues before in the boxes", StateLeak::Clues(Box)),
    leftover("region-clues-left-over", "keeps the clues before in the regions", StateLeak::Clues(Region)),
    leftover("tables-left-over", "keeps the answer before in its tables", StateLeak::Tables),
    leftover("cells-left-over", "keeps the answer before in blank cells", StateLeak::Cells),
    leftover("blanks-left-over", "adds to the list of blanks of the grids before", StateLeak::Blanks),
    leftover("found-flag-left-over", "takes a grid for solved because one before was", StateLeak::FoundFlag),
    leftover("number-left-over", "counts the solutions of the grids before as well", StateLeak::Number),
];

const fn claim(name: &'static str, fault: &'static str, wrong: ClaimFault) -> Mutant {
    Mutant { name, fault, wrong: MutantFault::Claim(wrong) }
}

const CLAIMING: &[Mutant] = &[
    claim("never-none", "never says that there is no solution", ClaimFault::NeverNone),
    claim(
        "none-by-clashes",
        "says that there is no solution where clues clash, and else never",
        ClaimFault::NoneByClashes,
    ),
    claim("never-several", "never says that there are several solutions", ClaimFault::NeverSeveral),
    claim("none-for-several", "takes the texts for none and several for each other", ClaimFault::Swapped),
    claim("several-at-most", "finds as many solutions as there may be too many", ClaimFault::SeveralAtMost),
    claim(
        "found-first",
        "prints the first solution it finds, not the first there is",
        ClaimFault::FoundFirst,
    ),
    claim("only-first-solution", "prints the first of the solutions alone", ClaimFault::OnlyFirst),
    claim("not-the-last-solution", "does not print the last solution", ClaimFault::NotTheLast),
    claim("last-solution-twice", "prints the last solution twice", ClaimFault::LastTwice),
    claim("solutions-backwards", "prints the last of the solutions first", ClaimFault::Backwards),
    claim("counts-to-two", "counts two solutions at most", ClaimFault::NoMoreThanTwo),
    claim("counts-in-a-byte", "counts solutions in a byte", ClaimFault::NumberInAByte),
];

const fn writing(name: &'static str, fault: &'static str, wrong: WritingFault) -> Mutant {
    Mutant { name, fault, wrong: MutantFault::Writing(wrong) }
}

const WRITING: &[Mutant] = &[
    writing("transposed", "writes rows as columns", WritingFault::Transposed),
    writing("answers-backwards", "writes the last answer first", WritingFault::Backwards),
    writing("no-last-row", "does not write the last row", WritingFault::NoLastRow),
    writing("other-cells", "writes spaces between cells, or forgets them", WritingFault::OtherCells),
    writing("other-lines", "writes each row on a line of its own", WritingFault::OtherLines),
    writing("digits-of-one-character", "writes the characters behind `9`", WritingFault::OneCharacterDigits),
    writing("no-first-banner", "writes no banner before the first answer", WritingFault::NoFirstBanner),
    writing("no-last-banner", "writes no banner before the last answer", WritingFault::NoLastBanner),
    writing("banner-from-zero", "counts its banners from zero", WritingFault::BannerFromZero),
    writing("same-banner", "writes the first banner again and again", WritingFault::SameBanner),
    writing("banner-of-one-digit", "writes one character for the number", WritingFault::BannerOfOneDigit),
    writing("banner-unpadded", "writes no zeros before the number", WritingFault::BannerUnpadded),
    writing("other-line-end", "writes a space behind each row, or forgets it", WritingFault::OtherLineEnd),
    writing("empty-line-behind", "writes an empty line at the end", WritingFault::EmptyLineBehind),
    writing(
        "other-empty-lines",
        "writes empty lines between answers, or forgets them",
        WritingFault::OtherEmptyLines,
    ),
    writing(
        "other-distance",
        "writes an empty line between solutions, or forgets it",
        WritingFault::OtherDistance,
    ),
];

const fn naive(name: &'static str, fault: &'static str, wrong: NaiveSearch) -> Mutant {
    Mutant { name, fault, wrong: MutantFault::Slow(SlowFault::Naive(wrong)) }
}

const SLOW: &[Mutant] = &[
    naive("slow-rows", "searches by rows", NaiveSearch::Rows),
    naive("slow-rows-descending", "searches by rows, the last symbol first", NaiveSearch::RowsDescending),
    naive("slow-bottom-up", "searches by rows, the last row first", NaiveSearch::BottomUp),
    naive("slow-backwards", "searches from the last cell", NaiveSearch::Backwards),
    naive(
        "slow-backwards-descending",
        "searches from the last cell, the last symbol first",
        NaiveSearch::BackwardsDescending,
    ),
    naive("slow-columns", "searches by columns", NaiveSearch::Columns),
    naive(
        "slow-columns-descending",
        "searches by columns, the last symbol first",
        NaiveSearch::ColumnsDescending,
    ),
    naive(
        "slow-fullest-row",
        "searches by rows, the one with the fewest blanks first",
        NaiveSearch::FullestRow,
    ),
    naive(
        "slow-fewest-candidates",
        "searches where there are fewest candidates, and sees no hidden singles",
        NaiveSearch::FewestCandidates,
    ),
    Mutant {
        name: "slow-every-filling",
        fault: "looks at the rules when all cells are filled",
        wrong: MutantFault::Slow(SlowFault::EveryFilling),
    },
];
