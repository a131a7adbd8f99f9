//! Mutants that solve every grid and write the answers wrongly.

use gridjudge_grid::format::{PuzzleKind, ReplyKind, write};
use gridjudge_grid::solve::TooHard;
use gridjudge_grid::{
    BlankLines, CellSpacing, Format, LineEnd, RowLayout, Symbols, Template, Value,
};

use crate::authoring::strength::{MutantContext, answering};
use crate::authoring::stress::DraftGrid;
use crate::check::ExpectedAnswer;
use crate::model::{Accept, GridTask};

/// What a mutant does wrong when it writes the output.
#[derive(Clone, Copy)]
pub(super) enum WritingFault {
    /// Writes rows as columns.
    Transposed,
    /// Writes the last answer first.
    Backwards,
    /// Leaves out the last row.
    NoLastRow,
    /// Writes spaces between cells where there must be none, or none where there must
    /// be some.
    OtherCells,
    /// Writes each row on its own line where a grid must be on one line.
    OtherLines,
    /// Writes the numbers above 9 as the characters that follow `9`.
    OneCharacterDigits,
    /// Writes no banner before the first answer.
    NoFirstBanner,
    /// Writes no banner before the last answer.
    NoLastBanner,
    /// Numbers banners from zero.
    BannerFromZero,
    /// Writes the first banner before every answer.
    SameBanner,
    /// Writes the number of a banner as the single character `'0' + number`.
    BannerOfOneDigit,
    /// Writes the numbers of banners without leading zeros.
    BannerUnpadded,
    /// Writes a space after each row, or none where there must be one.
    OtherLineEnd,
    /// Writes an empty line after the last answer.
    EmptyLineBehind,
    /// Writes an empty line between two answers where there must be none, or none where
    /// there must be one.
    OtherEmptyLines,
    /// Writes no separator between two answers.
    NoSeparator,
    /// Writes a separator after the last answer where there must be none, or none where
    /// there must be one.
    OtherSeparatorEnd,
    /// Writes no empty line between two solutions of one grid, or one where there must
    /// be none.
    OtherDistance,
}

/// The index of a grid's shape in the format, and the answer to the grid.
pub(super) type GridAnswer = (usize, ExpectedAnswer);

impl WritingFault {
    /// Whether a program for this problem can have this fault, and some input shows it.
    pub(super) fn applies_to(self, task: &GridTask) -> bool {
        use WritingFault::*;
        let Format {
            symbols,
            output,
            replies,
            ..
        } = &task.format;
        let banner = output.banner.as_ref();
        let digits = banner.and_then(|banner| banner.template.digits);
        let is_strict = output.is_strict();
        let most = task.format.input.count.most();
        let is_many = most > 1;
        let shows_grids = !matches!(task.accept, Accept::Count { .. } | Accept::Word);
        let order = task.format.shape().order();
        match self {
            Transposed | NoLastRow | OtherCells => shows_grids && order > 1,
            OtherLines => shows_grids && output.rows == RowLayout::OneLine,
            OneCharacterDigits => {
                shows_grids
                    && order > 9
                    && (1..10).all(|value| symbols.symbol(value) == value.to_string())
            }
            Backwards => is_many,
            NoFirstBanner => banner.is_some(),
            NoLastBanner => banner.is_some() && is_many,
            BannerFromZero => {
                digits.is_some() && banner.is_some_and(|banner| banner.first > 0)
            }
            SameBanner => digits.is_some() && is_many,
            BannerOfOneDigit => digits == Some(1) && most >= 10,
            BannerUnpadded => digits.is_some_and(|digits| digits > 1),
            OtherLineEnd => {
                is_strict && shows_grids && output.line_end != LineEnd::MayHaveSpace
            }
            EmptyLineBehind => is_strict,
            OtherEmptyLines => is_strict && is_many,
            NoSeparator => output.separator.is_some() && is_many,
            OtherSeparatorEnd => output.separator.is_some(),
            OtherDistance => {
                is_strict
                    && matches!(task.accept, Accept::All { most: 2.. })
                    && replies.several.is_none()
            }
        }
    }

    /// The mutant's output for these right answers.
    pub(super) fn write(self, format: &Format, answers: &[GridAnswer]) -> String {
        use WritingFault::*;
        let last = answers.len() as u64;
        match self {
            Transposed => with_cells(format, answers, &|order, cells| {
                (0..cells.len())
                    .map(|cell| cells[cell % order * order + cell / order])
                    .collect()
            }),
            NoLastRow => with_cells(format, answers, &|order, cells| {
                cells[..cells.len() - order].to_vec()
            }),
            Backwards => {
                plainly(format, &answers.iter().rev().cloned().collect::<Vec<_>>())
            }
            EmptyLineBehind => plainly(format, answers) + "\n",
            _ => {
                let mistaken = self.mistaken_format(format);
                each(&mistaken, answers, |number, answer| match self {
                    NoFirstBanner if number > 1 => text(format, number, answer),
                    NoLastBanner if number < last => text(format, number, answer),
                    BannerFromZero => text(format, number - 1, answer),
                    SameBanner => text(format, 1, answer),
                    BannerOfOneDigit => of_one_digit(format, number, answer),
                    _ => text(&mistaken, number, answer),
                })
            }
        }
    }

    /// The format that the mutant follows in place of `format`.
    fn mistaken_format(self, format: &Format) -> Format {
        use WritingFault::*;
        let mut other = format.clone();
        let output = &mut other.output;
        match self {
            OtherCells => {
                exchange(&mut output.cells, CellSpacing::Joined, CellSpacing::Spaced)
            }
            OtherLines => output.rows = RowLayout::Lines,
            OtherLineEnd => {
                exchange(&mut output.line_end, LineEnd::Space, LineEnd::Bare)
            }
            OtherEmptyLines => exchange(
                &mut output.blank_lines,
                BlankLines::None,
                BlankLines::Between,
            ),
            NoSeparator => output.separator = None,
            OtherSeparatorEnd => {
                if let Some(separator) = &mut output.separator {
                    separator.closes = !separator.closes;
                }
            }
            OtherDistance => other.replies.blank_line_between_solutions ^= true,
            BannerUnpadded => {
                if let Some(banner) = &mut output.banner {
                    banner.template.digits = Some(1);
                }
            }
            NoFirstBanner | NoLastBanner => output.banner = None,
            OneCharacterDigits => {
                let characters = (b'1'..)
                    .take(format.symbols.count())
                    .map(char::from)
                    .collect::<String>();
                other.symbols =
                    Symbols::characters(&characters, format.symbols.blanks());
            }
            _ => {}
        }
        other
    }
}

/// Puts `other` in place of `usual`, and `usual` in place of anything else.
fn exchange<T: PartialEq>(place: &mut T, usual: T, other: T) {
    *place = if *place == usual { other } else { usual };
}

/// The output of a right program for these answers.
pub(super) fn plainly(format: &Format, answers: &[GridAnswer]) -> String {
    each(format, answers, |number, answer| {
        text(format, number, answer)
    })
}

/// The text of one answer; empty if the format has no line for it.
fn text(format: &Format, number: u64, (board, answer): &GridAnswer) -> String {
    let shape = &format.shapes[*board];
    answer.text(format, shape, number).unwrap_or_default()
}

/// Writes each answer with `text`, with separators between them.
fn each(
    format: &Format,
    answers: &[GridAnswer],
    text: impl Fn(u64, &GridAnswer) -> String,
) -> String {
    (1..)
        .zip(answers)
        .map(|(number, answer)| {
            write::separator_before(&format.output, number) + &text(number, answer)
        })
        .collect::<String>()
        + &write::separator_after(&format.output, answers.len() as u64)
}

/// The output with the cells of every grid changed. `change` is given the order and the
/// cells.
fn with_cells(
    format: &Format,
    answers: &[GridAnswer],
    change: &dyn Fn(usize, &[Value]) -> Vec<Value>,
) -> String {
    use ExpectedAnswer::*;
    let mut answers = answers.to_vec();
    for (board, answer) in &mut answers {
        let order = format.shapes[*board].order();
        match answer {
            One(cells) => *cells = change(order, cells),
            Counted { shown, .. } => {
                for cells in shown {
                    *cells = change(order, cells);
                }
            }
            Reply(_) => {}
        }
    }
    plainly(format, &answers)
}

fn of_one_digit(format: &Format, number: u64, answer: &GridAnswer) -> String {
    let right = text(format, number, answer);
    let Some(banner) = &format.output.banner else {
        return right;
    };
    // Like a program that writes `'0' + number`.
    let digit =
        char::from(b'0' + u8::try_from(banner.number(number) % 64).unwrap_or(0));
    let Template { before, after, .. } = &banner.template;
    let line = format!("{before}{digit}{after}");
    right.replacen(&banner.line(number), &line, 1)
}

// Mutants that find the right solutions and reply wrongly: for example, that there is
// no solution, or one.

/// What is wrong with the replies of a mutant.
#[derive(Clone, Copy)]
pub(super) enum ClaimFault {
    /// Never says that there is no solution; prints the grid as it read it.
    NeverNone,
    /// Says that there is no solution only where two clues clash.
    NoneByClashes,
    /// Never says that there are several solutions.
    NeverSeveral,
    /// Says that there are several solutions where there is none, and the other way
    /// round.
    Swapped,
    /// Never says that clues clash.
    NeverInvalid,
    /// Says that clues clash where there is no solution, and the other way round.
    InvalidForNone,
    /// Never says that a grid is complete.
    NeverComplete,
    /// Says that there are too many solutions where there are exactly as many as
    /// allowed.
    SeveralAtMost,
    /// Prints any solution it finds in place of the first in reading order.
    FoundFirst,
    /// Prints the first solution in place of all.
    OnlyFirst,
    /// Prints all solutions except the last.
    NotTheLast,
    /// Prints the last solution twice.
    LastTwice,
    /// Prints all solutions, the last one first.
    Backwards,
    /// Counts two solutions where there are more.
    NoMoreThanTwo,
    /// Counts solutions modulo 256.
    NumberInAByte,
}

impl ClaimFault {
    /// Whether a program for this problem can have this fault, and some input shows it.
    pub(super) fn applies_to(self, task: &GridTask) -> bool {
        use ClaimFault::*;
        let replies = &task.format.replies;
        let has_none = replies.none.is_some();
        let has_several = replies.several.is_some();
        let has_invalid = replies.invalid.is_some();
        let most = most(task);
        let lists = matches!(task.accept, Accept::All { .. }) && most > 1;
        let counts = matches!(task.accept, Accept::Count { .. })
            || task.accept.shows_one_of_many();
        match self {
            NeverNone | NoneByClashes => has_none,
            NeverSeveral => has_several,
            Swapped => has_none && has_several,
            NeverInvalid => has_invalid,
            InvalidForNone => has_invalid && has_none,
            NeverComplete => {
                replies.complete.is_some()
                    && replies.line_for(PuzzleKind::One).is_some()
            }
            SeveralAtMost => has_several && most > 1,
            FoundFirst => {
                matches!(task.accept, Accept::First | Accept::FirstCounted { .. })
            }
            OnlyFirst | NotTheLast | Backwards => lists,
            LastTwice => matches!(task.accept, Accept::All { .. }),
            NoMoreThanTwo => counts && most > 2,
            NumberInAByte => counts && most > 255,
        }
    }

    /// The mutant's answer to a grid whose right answer is `right`.
    ///
    /// # Errors
    /// Returns [`TooHard`] if the reference solver gives up.
    pub(super) fn say(
        self,
        task: &GridTask,
        board: &MutantContext,
        grid: &DraftGrid,
        right: &ExpectedAnswer,
    ) -> Result<ExpectedAnswer, TooHard> {
        use ClaimFault::*;
        use ExpectedAnswer::{Counted, One, Reply};
        let all = ExpectedAnswer::all;
        let solutions = |limit: usize| board.solver.solutions(&grid.cells, limit);
        let found = || {
            let found = solutions(1)?.pop();
            Ok(found.map_or(Reply(ReplyKind::None), One))
        };
        let is_word = task.accept == Accept::Word;
        Ok(match (self, right) {
            (NeverInvalid, Reply(ReplyKind::Invalid))
                if !is_word || task.format.replies.none.is_some() =>
            {
                answering::no_solution(task, &grid.cells)
            }
            (NoneByClashes, Reply(ReplyKind::None))
                if board.search.has_clash(&grid.cells) =>
            {
                right.clone()
            }
            (NeverComplete, Reply(ReplyKind::Complete))
            | (NeverSeveral, Reply(ReplyKind::Several))
            | (NeverNone | NoneByClashes, Reply(ReplyKind::None))
            | (NeverInvalid, Reply(ReplyKind::Invalid))
                if is_word =>
            {
                answering::expected_word(task, PuzzleKind::One)
            }
            (NeverNone | NoneByClashes, Reply(ReplyKind::None)) => {
                One(grid.cells.clone())
            }
            (InvalidForNone, Reply(ReplyKind::Invalid))
            | (Swapped, Reply(ReplyKind::Several)) => Reply(ReplyKind::None),
            (InvalidForNone, Reply(ReplyKind::None)) => Reply(ReplyKind::Invalid),
            (Swapped, Reply(ReplyKind::None)) => Reply(ReplyKind::Several),
            (NeverSeveral, Reply(ReplyKind::Several)) => match task.accept {
                Accept::Count { most } => Counted {
                    count: most,
                    shown: vec![],
                },
                Accept::All { most } => {
                    all(solutions(usize::try_from(most).unwrap_or(usize::MAX))?)
                }
                Accept::FirstCounted { most } | Accept::AnyCounted { most } => {
                    Counted {
                        count: most,
                        shown: board.solver.first(&grid.cells)?.into_iter().collect(),
                    }
                }
                _ => found()?,
            },
            (SeveralAtMost, _) if right.number() == Some(most(task)) => {
                Reply(ReplyKind::Several)
            }
            (FoundFirst, One(_)) => found()?,
            (FoundFirst, Counted { count, .. }) => Counted {
                count: *count,
                shown: solutions(1)?,
            },
            (OnlyFirst, Counted { shown, .. }) => {
                all(shown[..shown.len().min(1)].to_vec())
            }
            (NotTheLast, Counted { shown, .. }) if shown.len() > 1 => {
                all(shown[..shown.len() - 1].to_vec())
            }
            (LastTwice, Counted { shown, .. }) => {
                all(shown.iter().chain(shown.last()).cloned().collect())
            }
            (Backwards, Counted { shown, .. }) => {
                all(shown.iter().rev().cloned().collect())
            }
            (NoMoreThanTwo, _) => answering::with_number(right, |count| count.min(2)),
            (NumberInAByte, _) => answering::with_number(right, |count| count % 256),
            _ => right.clone(),
        })
    }
}

fn most(task: &GridTask) -> u64 {
    task.accept.most().unwrap_or(1)
}
