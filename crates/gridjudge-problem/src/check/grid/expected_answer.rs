//! Finds the right answer to a grid, and words the proofs of it. This is the only place
//! where the solver is used to find a right answer.

use gridjudge_grid::format::{PuzzleKind, ReplyKind};
use gridjudge_grid::solve::{Solver, TooHard};
use gridjudge_grid::{BLANK, Format, Replies, Shape, Template, Value};

use crate::check::{InputGrid, ShapeContext, breach_text, clash_text};
use crate::model::Accept;
use crate::text::JoinedTexts;

/// The right answer to one grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectedAnswer {
    /// This solution: the only one, the first one, or one of several that are all
    /// accepted.
    One(Vec<Value>),
    /// These solutions, in order. Empty if there is none and the answer says so by its
    /// number of solutions.
    All(Vec<Vec<Value>>),
    /// The number of solutions, with one of them if there is one.
    Counted {
        /// How many solutions there are.
        count: u64,
        /// The solution that is shown, if there is one.
        shown: Vec<Vec<Value>>,
    },
    /// The number of solutions.
    Count(u64),
    /// A text in place of solutions.
    Reply(ReplyKind),
}

impl ExpectedAnswer {
    /// The solutions that are listed, in order; `None` if the answer is not a list.
    pub fn listed(&self) -> Option<&[Vec<Value>]> {
        match self {
            Self::All(shown) | Self::Counted { shown, .. } => Some(shown),
            Self::One(_) | Self::Count(_) | Self::Reply(_) => None,
        }
    }

    /// The number of solutions, if the answer states it.
    pub fn number(&self) -> Option<u64> {
        match self {
            Self::All(all) => Some(all.len() as u64),
            Self::Counted { count, .. } | Self::Count(count) => Some(*count),
            Self::One(_) | Self::Reply(_) => None,
        }
    }
}

/// Finds the right answer to a grid with the solver.
///
/// # Errors
/// Returns [`TooHard`] if the solver gives up.
pub fn expected_answer(
    solver: &Solver,
    accept: Accept,
    format: &Format,
    clues: &[Value],
) -> Result<ExpectedAnswer, TooHard> {
    let replies = &format.replies;
    if replies.invalid.is_some() && solver.has_clash(clues) {
        return Ok(ExpectedAnswer::Reply(ReplyKind::Invalid));
    }
    let one = |found: Option<Vec<Value>>| match found {
        Some(solution) => ExpectedAnswer::One(solution),
        None => ExpectedAnswer::Reply(ReplyKind::None),
    };
    Ok(match accept {
        Accept::Word => ExpectedAnswer::Reply(expected_word(solver, replies, clues)?),
        Accept::Any => one(any(solver, clues)?),
        Accept::First => one(solver.first(clues)?),
        Accept::Unique => {
            let mut found = solver.solutions(clues, 2)?;
            match found.len() {
                2.. => ExpectedAnswer::Reply(ReplyKind::Several),
                _ => one(found.pop()),
            }
        }
        Accept::All { most } => all(solver, replies, most, clues)?,
        Accept::FirstCounted { most } | Accept::AnyCounted { most } => {
            match counted(solver, replies, most, clues)? {
                ExpectedAnswer::Count(count) => {
                    let shown = if accept.is_any() {
                        any(solver, clues)?
                    } else {
                        solver.first(clues)?
                    };
                    ExpectedAnswer::Counted {
                        count,
                        shown: shown.into_iter().collect(),
                    }
                }
                said => said,
            }
        }
        Accept::Count { most } => counted(solver, replies, most, clues)?,
    })
}

fn counted(
    solver: &Solver,
    replies: &Replies,
    most: u64,
    clues: &[Value],
) -> Result<ExpectedAnswer, TooHard> {
    Ok(match solver.count(clues, most.saturating_add(1))? {
        0 if replies.none.is_some() => ExpectedAnswer::Reply(ReplyKind::None),
        count if count > most => ExpectedAnswer::Reply(ReplyKind::Several),
        count => ExpectedAnswer::Count(count),
    })
}

fn all(
    solver: &Solver,
    replies: &Replies,
    most: u64,
    clues: &[Value],
) -> Result<ExpectedAnswer, TooHard> {
    let found =
        solver.all_in_order(clues, usize::try_from(most).unwrap_or(usize::MAX))?;
    let says_none = replies.none.is_some() || replies.count.is_none();
    Ok(match found {
        None => ExpectedAnswer::Reply(ReplyKind::Several),
        Some(all) if all.is_empty() && says_none => {
            ExpectedAnswer::Reply(ReplyKind::None)
        }
        Some(all) => ExpectedAnswer::All(all),
    })
}

/// The only solution, or the first of several, so that written answers do not depend on
/// how the solver searches. If the first is too hard to find, any that the solver has
/// found.
fn any(solver: &Solver, clues: &[Value]) -> Result<Option<Vec<Value>>, TooHard> {
    let mut found = solver.solutions(clues, 2)?;
    match found.len() {
        2.. => Ok(solver.first(clues).ok().flatten().or(found.pop())),
        _ => Ok(found.pop()),
    }
}

/// Says in words why a grid has no solution, if that can be seen without a search.
pub(crate) fn contradiction(format: &Format, grid: &InputGrid) -> String {
    let clues = &grid.clues[..];
    let ShapeContext { shape, rules, .. } = &*grid.context;
    if let Some(clash) = rules.clashes(clues).next() {
        return format!("{} in its clues", clash_text(&clash, format, shape));
    }
    if let Some(breach) = rules.breaches(clues).first() {
        return format!(
            "its clues break a rule: {}",
            breach_text(breach, format, shape, clues)
        );
    }
    let all = ((1u32 << shape.values()) - 1) << 1;
    let mut open = vec![all; clues.len()];
    for house in rules.houses() {
        let held = house
            .cells
            .iter()
            .fold(0, |held, &cell| held | 1 << clues[cell]);
        for &cell in &house.cells {
            open[cell] &= !held;
        }
    }
    if let Some((row, column)) = (0..clues.len())
        .find(|&cell| clues[cell] == BLANK && open[cell] == 0)
        .map(|cell| shape.place(cell))
    {
        return format!(
            "its clues leave no symbol for row {}, column {}",
            row + 1,
            column + 1
        );
    }
    let without_place = rules.houses().iter().find_map(|house| {
        let held = house.cells.iter().fold(0, |held, &cell| {
            held | if clues[cell] == BLANK {
                open[cell]
            } else {
                1 << clues[cell]
            }
        });
        let value = (all & !held).trailing_zeros();
        (held & all != all).then(|| (house.kind.name(house.number), value as Value))
    });
    match without_place {
        Some((house, value)) => {
            format!(
                "its clues leave no place for {} in {house}",
                format.symbols.symbol(value)
            )
        }
        None => "a complete search finds none".to_owned(),
    }
}

/// Describes two cells in which two solutions differ. Two solutions never differ in
/// fewer than four cells.
pub fn difference(
    format: &Format,
    shape: &Shape,
    one: &[Value],
    other: &[Value],
) -> String {
    one.iter()
        .zip(other)
        .enumerate()
        .filter(|(_, (one, other))| one != other)
        .take(2)
        .map(|(cell, (one, other))| {
            let (row, column) = shape.place(cell);
            let one = format.symbols.symbol(*one);
            let other = format.symbols.symbol(*other);
            format!(
                "row {}, column {} may be {one} or {other}",
                row + 1,
                column + 1
            )
        })
        .joined(", ")
}

/// A row of a grid as a person would write it, in quotes: `row 3 is 1 4 3 2`.
pub(crate) fn row_text(
    format: &Format,
    shape: &Shape,
    cells: &[Value],
    row: usize,
) -> String {
    let symbols: Vec<_> = cells[row * shape.order()..][..shape.order()]
        .iter()
        .map(|value| format.symbols.symbol(*value))
        .collect();
    let separator = if format.symbols.are_characters() {
        ""
    } else {
        " "
    };
    format!("row {} is `{}`", row + 1, symbols.join(separator))
}

// Finds the word that is the right answer to a grid, where the problem asks for words.

/// The kind of a grid, as far as the words of a problem distinguish kinds.
fn kind_of(
    solver: &Solver,
    replies: &Replies,
    clues: &[Value],
) -> Result<PuzzleKind, TooHard> {
    if let Some(kind) = replies.kind_without_solutions(clues, solver.has_clash(clues)) {
        return Ok(kind);
    }
    let one = replies.line_for(PuzzleKind::One);
    let is_one_enough = one.is_some() && one == replies.line_for(PuzzleKind::Several);
    Ok(
        match solver
            .solutions(clues, if is_one_enough { 1 } else { 2 })?
            .len()
        {
            0 => PuzzleKind::None,
            1 => PuzzleKind::One,
            _ => PuzzleKind::Several,
        },
    )
}

/// The right word for a grid; if the problem has none, the most specific reply for its
/// kind.
fn expected_word(
    solver: &Solver,
    replies: &Replies,
    clues: &[Value],
) -> Result<ReplyKind, TooHard> {
    let kind = kind_of(solver, replies, clues)?;
    Ok(replies.word_for(kind).unwrap_or(kind.replies()[0]))
}

// Words the proof that a word is the right one for a grid.

/// Why `expected` is the word for a grid and not `reply`, as a clause that follows
/// `but`; `None` if there is no proof.
pub(crate) fn proof(
    format: &Format,
    grid: &InputGrid,
    reply: Option<&Template>,
    expected: &Template,
) -> Option<String> {
    let replies = &format.replies;
    let InputGrid { context, clues, .. } = grid;
    let kind = kind_of(context.solver(), replies, clues).ok()?;
    if replies.line_for(kind) != Some(expected) {
        return None;
    }
    match kind {
        PuzzleKind::Invalid => clash(format, grid),
        PuzzleKind::Complete => {
            Some("no cell is blank, and no rule is broken".to_owned())
        }
        PuzzleKind::None => {
            let why = contradiction(format, grid);
            Some(format!("there is no solution: {why}"))
        }
        _ if !replies.ask_for_solutions() => {
            Some("no two of its clues clash".to_owned())
        }
        PuzzleKind::Several => {
            let found = context.solver().solutions(clues, 2).ok()?;
            let cells =
                difference(format, &context.shape, found.first()?, found.get(1)?);
            Some(format!("there are several solutions: {cells}"))
        }
        PuzzleKind::One => {
            let solution = context.solver().solutions(clues, 1).ok()?.pop()?;
            let blank = clues.iter().position(|&clue| clue == BLANK)?;
            let row = row_text(
                format,
                &context.shape,
                &solution,
                context.shape.place(blank).0,
            );
            let says_several =
                reply.is_some() && reply == replies.line_for(PuzzleKind::Several);
            let only = if says_several { "only one" } else { "a" };
            Some(format!("there is {only} solution: its {row}"))
        }
    }
}

/// The first clues that clash or break a cage or an inequality, in words.
pub(crate) fn clash(format: &Format, grid: &InputGrid) -> Option<String> {
    let InputGrid { context, clues, .. } = grid;
    if let Some(clash) = context.rules.clashes(clues).next() {
        return Some(clash_text(&clash, format, &context.shape));
    }
    Some(breach_text(
        &context.rules.breaches(clues).into_iter().next()?,
        format,
        &context.shape,
        clues,
    ))
}

#[cfg(test)]
mod tests;
