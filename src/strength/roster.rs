//! All mutants, as a table. Each is wrong in one way that somebody has been wrong in; none is right on every input
//! of a problem that it fits.

use crate::strength::claim::Claim;
use crate::strength::filling::Filling;
use crate::strength::leftover::Leftover;
use crate::strength::mutant::Mutant;
use crate::strength::mutant::Wrong;
use crate::strength::reading::Reading;
use crate::strength::rules::End;
use crate::strength::rules::Rules;
use crate::strength::search::Singles;
use crate::strength::slow::Slow;
use crate::strength::stumble::Stumble;
use crate::strength::writing::Writing;
use gridjudge_grid::HouseKind::Box;
use gridjudge_grid::HouseKind::Column;
use gridjudge_grid::HouseKind::Diagonal;
use gridjudge_grid::HouseKind::Region;
use gridjudge_grid::HouseKind::Row;
use gridjudge_grid::naive::Naive;

/// All mutants, in the order in which they are reported.
pub fn mutants() -> impl Iterator<Item = &'static Mutant> {
    [READING, RULES, FILLING, STUMBLING, REMEMBERING, CLAIMING, WRITING, SLOW].into_iter().flatten()
}

const fn reading(name: &'static str, fault: &'static str, wrong: Reading) -> Mutant {
    Mutant { name, fault, wrong: Wrong::Reading(wrong) }
}

const READING: &[Mutant] = &[
    reading("misses-first-row", "reads the first row as blank", Reading::FirstRow),
    reading("misses-last-row", "reads the last row as blank", Reading::LastRow),
    reading("misses-last-column", "reads the last column as blank", Reading::LastColumn),
    reading("misses-last-symbol", "takes the last symbol for a blank", Reading::LastSymbol),
    reading("other-blanks", "takes all blanks but the first for a symbol", Reading::OtherBlanks),
    reading("only-first-grid", "answers the first grid alone", Reading::OnlyFirst),
    reading("skips-first-grid", "leaves the first grid out", Reading::SkipsFirst),
    reading("misses-last-grid", "leaves the last grid out", Reading::MissesLast),
    reading("last-grid-twice", "answers the last grid twice", Reading::LastTwice),
    reading("first-grid-again", "answers the first grid again and again", Reading::FirstAgain),
    reading("count-of-one-digit", "reads one digit of the number of grids", Reading::OneDigit),
    reading(
        "room-for-one-grid-too-few",
        "has no room for the last of the most grids",
        Reading::RoomForOneTooFew,
    ),
    reading("ends-at-empty-grid", "takes an empty grid for the end", Reading::EndsAtEmpty),
    reading(
        "reads-beyond-the-end",
        "takes what stands behind the last grid for a grid",
        Reading::BeyondTheEnd,
    ),
];

const fn rules(name: &'static str, fault: &'static str, wrong: Rules) -> Mutant {
    Mutant { name, fault, wrong: Wrong::Rules(wrong) }
}

const RULES: &[Mutant] = &[
    rules("no-rows", "does not know the rule of rows", Rules::Without(Row)),
    rules("no-columns", "does not know the rule of columns", Rules::Without(Column)),
    rules("no-boxes", "does not know the rule of boxes", Rules::Without(Box)),
    rules("no-regions", "does not know the rule of regions", Rules::Without(Region)),
    rules("no-diagonals", "does not know the rule of diagonals", Rules::Without(Diagonal)),
    rules("no-first-diagonal", "does not know the first diagonal", Rules::WithoutOne(Diagonal, End::First)),
    rules("no-second-diagonal", "does not know the second diagonal", Rules::WithoutOne(Diagonal, End::Last)),
    rules("boxes-for-regions", "takes square boxes for the regions", Rules::BoxesForRegions),
    rules("boxes-turned", "takes the rows of a box for its columns", Rules::BoxesTurned),
    rules("two-rows-unchecked", "does not look at the last two rows", Rules::WithoutTwo(Row)),
    rules("two-columns-unchecked", "does not look at the last two columns", Rules::WithoutTwo(Column)),
    rules("four-boxes-unchecked", "does not look at the four last boxes", Rules::WithoutFourBoxes),
    rules("rows-too-short", "does not look at the last cell of a row", Rules::Short(Row)),
    rules("columns-too-short", "does not look at the last cell of a column", Rules::Short(Column)),
    rules("boxes-too-short", "does not look at the last cell of a box", Rules::Short(Box)),
    rules("regions-too-short", "does not look at the last cell of a region", Rules::Short(Region)),
    rules("diagonals-too-short", "does not look at the last cell of a diagonal", Rules::Short(Diagonal)),
    rules("no-first-symbol", "never tries the first symbol", Rules::NoFirstSymbol),
    rules("no-last-symbol", "never tries the last symbol", Rules::NoLastSymbol),
];

const fn filling(name: &'static str, fault: &'static str, wrong: Filling) -> Mutant {
    Mutant { name, fault, wrong: Wrong::Filling(wrong) }
}

const FILLING: &[Mutant] = &[
    filling(
        "naked-singles-only",
        "fills cells with one candidate and no others",
        Filling::Only(Singles::Naked),
    ),
    filling("singles-only", "places singles and leaves the rest blank", Filling::Only(Singles::All)),
    filling("greedy", "never comes back to a guess", Filling::Greedy),
    filling("ten-guesses", "gives up after ten guesses", Filling::Guesses(10)),
    filling("hundred-guesses", "gives up after a hundred guesses", Filling::Guesses(100)),
    filling("against-clues-only", "holds symbols against the clues alone", Filling::AgainstCluesOnly),
    filling("rows-not-restored", "leaves rows marked when it goes back", Filling::KeepsTable(Row)),
    filling("columns-not-restored", "leaves columns marked when it goes back", Filling::KeepsTable(Column)),
    filling("boxes-not-restored", "leaves boxes marked when it goes back", Filling::KeepsTable(Box)),
    filling("regions-not-restored", "leaves regions marked when it goes back", Filling::KeepsTable(Region)),
    filling(
        "diagonals-not-restored",
        "leaves diagonals marked when it goes back",
        Filling::KeepsTable(Diagonal),
    ),
    filling("cells-not-restored", "leaves cells filled when it goes back", Filling::KeepsCell),
    filling("changes-first-clue", "takes the first clue for a blank", Filling::FreesFirstClue),
    filling("changes-last-clue", "takes the last clue for a blank", Filling::FreesLastClue),
];

const fn stumble(name: &'static str, fault: &'static str, wrong: Stumble) -> Mutant {
    Mutant { name, fault, wrong: Wrong::Stumble(wrong) }
}

const STUMBLING: &[Mutant] = &[
    stumble("complete-grid", "prints blanks for a complete grid", Stumble::Complete),
    stumble("empty-grid", "does not solve an empty grid", Stumble::Empty),
    stumble("first-cell-given", "does not start if the first cell is a clue", Stumble::FirstCellGiven),
    stumble("last-cell-given", "does not end if the last cell is a clue", Stumble::LastCellGiven),
    stumble("one-blank", "takes a grid with one blank for complete", Stumble::OneBlank),
    stumble("most-blanks", "has no room for the last of the most blanks", Stumble::MostBlanks),
    stumble("full-row", "stumbles over a row without blanks", Stumble::FullHouse(Row)),
    stumble("full-column", "stumbles over a column without blanks", Stumble::FullHouse(Column)),
    stumble("full-box", "stumbles over a box without blanks", Stumble::FullHouse(Box)),
    stumble("full-region", "stumbles over a region without blanks", Stumble::FullHouse(Region)),
    stumble("empty-row", "stumbles over a row without clues", Stumble::EmptyHouse(Row)),
    stumble("empty-column", "stumbles over a column without clues", Stumble::EmptyHouse(Column)),
    stumble("empty-box", "stumbles over a box without clues", Stumble::EmptyHouse(Box)),
    stumble("empty-region", "stumbles over a region without clues", Stumble::EmptyHouse(Region)),
    stumble("symbol-not-given", "expects every symbol among the clues", Stumble::SymbolNotGiven),
    stumble("several-solutions", "expects one solution", Stumble::SeveralSolutions),
    stumble(
        "thousand-solutions",
        "lists all solutions, and has room for a thousand",
        Stumble::ThousandSolutions,
    ),
    stumble("smallest-order", "does not solve grids of the smallest order", Stumble::SmallestOrder),
    stumble("largest-order", "has no room for grids of the largest order", Stumble::LargestOrder),
];

const fn leftover(name: &'static str, fault: &'static str, wrong: Leftover) -> Mutant {
    Mutant { name, fault, wrong: Wrong::Leftover(wrong) }
}

const REMEMBERING: &[Mutant] = &[
    leftover("row-clues-left-over", "keeps the clues before in the rows", Leftover::Clues(Row)),
    leftover("column-clues-left-over", "keeps the clues before in the columns", Leftover::Clues(Column)),
    leftover("box-clues-left-over", "keeps the clues before in the boxes", Leftover::Clues(Box)),
    leftover("region-clues-left-over", "keeps the clues before in the regions", Leftover::Clues(Region)),
    leftover("tables-left-over", "keeps the answer before in its tables", Leftover::Tables),
    leftover("cells-left-over", "keeps the answer before in blank cells", Leftover::Cells),
    leftover("blanks-left-over", "adds to the list of blanks of the grids before", Leftover::Blanks),
    leftover("found-flag-left-over", "takes a grid for solved because one before was", Leftover::FoundFlag),
    leftover("number-left-over", "counts the solutions of the grids before as well", Leftover::Number),
];

const fn claim(name: &'static str, fault: &'static str, wrong: Claim) -> Mutant {
    Mutant { name, fault, wrong: Wrong::Claim(wrong) }
}

const CLAIMING: &[Mutant] = &[
    claim("never-none", "never says that there is no solution", Claim::NeverNone),
    claim(
        "none-by-clashes",
        "says that there is no solution where clues clash, and else never",
        Claim::NoneByClashes,
    ),
    claim("never-several", "never says that there are several solutions", Claim::NeverSeveral),
    claim("none-for-several", "takes the texts for none and several for each other", Claim::Swapped),
    claim("several-at-most", "finds as many solutions as there may be too many", Claim::SeveralAtMost),
    claim("found-first", "prints the first solution it finds, not the first there is", Claim::FoundFirst),
    claim("only-first-solution", "prints the first of the solutions alone", Claim::OnlyFirst),
    claim("not-the-last-solution", "does not print the last solution", Claim::NotTheLast),
    claim("last-solution-twice", "prints the last solution twice", Claim::LastTwice),
    claim("solutions-backwards", "prints the last of the solutions first", Claim::Backwards),
    claim("counts-to-two", "counts two solutions at most", Claim::NoMoreThanTwo),
    claim("counts-in-a-byte", "counts solutions in a byte", Claim::NumberInAByte),
];

const fn writing(name: &'static str, fault: &'static str, wrong: Writing) -> Mutant {
    Mutant { name, fault, wrong: Wrong::Writing(wrong) }
}

const WRITING: &[Mutant] = &[
    writing("transposed", "writes rows as columns", Writing::Transposed),
    writing("answers-backwards", "writes the last answer first", Writing::Backwards),
    writing("no-last-row", "does not write the last row", Writing::NoLastRow),
    writing("other-cells", "writes spaces between cells, or forgets them", Writing::OtherCells),
    writing("other-lines", "writes each row on a line of its own", Writing::OtherLines),
    writing("digits-of-one-character", "writes the characters behind `9`", Writing::OneCharacterDigits),
    writing("no-first-banner", "writes no banner before the first answer", Writing::NoFirstBanner),
    writing("no-last-banner", "writes no banner before the last answer", Writing::NoLastBanner),
    writing("banner-from-zero", "counts its banners from zero", Writing::BannerFromZero),
    writing("same-banner", "writes the first banner again and again", Writing::SameBanner),
    writing("banner-of-one-digit", "writes one character for the number", Writing::BannerOfOneDigit),
    writing("banner-unpadded", "writes no zeros before the number", Writing::BannerUnpadded),
    writing("other-line-end", "writes a space behind each row, or forgets it", Writing::OtherLineEnd),
    writing("empty-line-behind", "writes an empty line at the end", Writing::EmptyLineBehind),
    writing(
        "other-empty-lines",
        "writes empty lines between answers, or forgets them",
        Writing::OtherEmptyLines,
    ),
    writing(
        "other-distance",
        "writes an empty line between solutions, or forgets it",
        Writing::OtherDistance,
    ),
];

const fn naive(name: &'static str, fault: &'static str, wrong: Naive) -> Mutant {
    Mutant { name, fault, wrong: Wrong::Slow(Slow::Naive(wrong)) }
}

const SLOW: &[Mutant] = &[
    naive("slow-rows", "searches by rows", Naive::Rows),
    naive("slow-rows-descending", "searches by rows, the last symbol first", Naive::RowsDescending),
    naive("slow-bottom-up", "searches by rows, the last row first", Naive::BottomUp),
    naive("slow-backwards", "searches from the last cell", Naive::Backwards),
    naive(
        "slow-backwards-descending",
        "searches from the last cell, the last symbol first",
        Naive::BackwardsDescending,
    ),
    naive("slow-columns", "searches by columns", Naive::Columns),
    naive("slow-columns-descending", "searches by columns, the last symbol first", Naive::ColumnsDescending),
    naive("slow-fullest-row", "searches by rows, the one with the fewest blanks first", Naive::FullestRow),
    naive(
        "slow-fewest-candidates",
        "searches where there are fewest candidates, and sees no hidden singles",
        Naive::FewestCandidates,
    ),
    Mutant {
        name: "slow-every-filling",
        fault: "looks at the rules when all cells are filled",
        wrong: Wrong::Slow(Slow::EveryFilling),
    },
];
