//! Finds the right answer to a grid, and words the proofs of it. This is the only place
//! where the solver is used to find a right answer.

use gridjudge_grid::format::{PuzzleKind, ReplyKind, write};
use gridjudge_grid::solve::{Solver, TooHard};
use gridjudge_grid::{BLANK, Format, Replies, Shape, Template, Value};

use crate::check::{CheckError, InputGrid, ShapeContext};
use crate::model::Accept;

use ExpectedAnswer::{Counted, One, Reply};

/// The right answer to one grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectedAnswer {
    /// This solution: the only one, the first one, or one of several that are all
    /// accepted.
    One(Vec<Value>),
    /// The number of solutions, or all of them, or the number and one of them.
    Counted {
        /// How many solutions there are.
        count: u64,
        /// The solutions that are shown, in order.
        shown: Vec<Vec<Value>>,
    },
    /// A text in place of solutions.
    Reply(ReplyKind),
}

impl ExpectedAnswer {
    /// The answer that shows all solutions, which are these.
    pub fn all(shown: Vec<Vec<Value>>) -> Self {
        let count = shown.len() as u64;
        Counted { count, shown }
    }

    /// The solutions that are shown, in order, if the answer is about all of them.
    pub(crate) fn listed(&self) -> Option<&[Vec<Value>]> {
        match self {
            Counted { shown, .. } => Some(shown),
            One(_) | Reply(_) => None,
        }
    }

    /// The solution, if the answer is a single one.
    pub(crate) fn solution(&self) -> Option<&[Value]> {
        let Self::One(solution) = self else {
            return None;
        };
        Some(solution)
    }

    /// The text in place of solutions, if the answer is one.
    pub(crate) fn reply(&self) -> Option<ReplyKind> {
        let Self::Reply(reply) = self else {
            return None;
        };
        Some(*reply)
    }

    /// The text of the answer to grid `number`; `None` if the problem has no words for
    /// it.
    pub fn text(
        &self,
        format: &Format,
        shape: &Shape,
        number: u64,
    ) -> Option<String> {
        let layout = &format.output;
        match self {
            One(cells) => {
                Some(write::grid(shape, &format.symbols, layout, number, cells))
            }
            Reply(reply) => write::reply(format, number, *reply),
            Counted { count, shown } => {
                Some(write::listing(format, shape, number, *count, shown))
            }
        }
    }

    /// The number of solutions, if the answer is about all of them.
    pub fn number(&self) -> Option<u64> {
        match self {
            Counted { count, .. } => Some(*count),
            One(_) | Reply(_) => None,
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
        return Ok(Reply(ReplyKind::Invalid));
    }
    let one = |found: Option<Vec<Value>>| match found {
        Some(solution) => One(solution),
        None => Reply(ReplyKind::None),
    };
    Ok(match accept {
        Accept::Word => {
            // If the problem has no word for it, the most specific reply for its kind.
            let kind = kind_of(solver, replies, clues)?;
            Reply(replies.word_for(kind).unwrap_or(kind.replies()[0]))
        }
        Accept::Any => one(any(solver, clues)?),
        Accept::First => one(solver.first(clues)?),
        Accept::Unique => {
            let mut found = solver.solutions(clues, 2)?;
            match found.len() {
                2.. => Reply(ReplyKind::Several),
                _ => one(found.pop()),
            }
        }
        Accept::All { most } => {
            let most = usize::try_from(most).unwrap_or(usize::MAX);
            let says_none = replies.none.is_some() || replies.count.is_none();
            match solver.all_in_order(clues, most)? {
                None => Reply(ReplyKind::Several),
                Some(all) if all.is_empty() && says_none => one(None),
                Some(all) => ExpectedAnswer::all(all),
            }
        }
        Accept::Count { most }
        | Accept::FirstCounted { most }
        | Accept::AnyCounted { most } => {
            match solver.count(clues, most.saturating_add(1))? {
                0 if replies.none.is_some() => one(None),
                count if count > most => Reply(ReplyKind::Several),
                count => {
                    let shown = match accept {
                        Accept::AnyCounted { .. } => any(solver, clues)?,
                        Accept::FirstCounted { .. } => solver.first(clues)?,
                        _ => None,
                    };
                    Counted {
                        count,
                        shown: shown.into_iter().collect(),
                    }
                }
            }
        }
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

/// The kind of a grid, as far as the words of a problem distinguish kinds.
fn kind_of(
    solver: &Solver,
    replies: &Replies,
    clues: &[Value],
) -> Result<PuzzleKind, TooHard> {
    if let Some(kind) = replies.kind_without_solutions(clues, solver.has_clash(clues))
    {
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

// Words the proofs that an answer is the right one for a grid.

impl InputGrid {
    /// Finds the right answer to it with the solver.
    pub(crate) fn expected_answer(
        &self,
        accept: Accept,
    ) -> Result<ExpectedAnswer, CheckError> {
        let format = &self.context.format;
        expected_answer(self.context.solver(), accept, format, &self.clues).map_err(
            |source| CheckError::TooHard {
                grid: self.number,
                source,
            },
        )
    }

    /// Says in words why it has no solution, if that can be seen without a search.
    pub(crate) fn contradiction(&self) -> String {
        let clues = &self.clues[..];
        let ShapeContext { shape, rules, .. } = &*self.context;
        let wording = self.context.wording();
        if let Some(clash) = rules.clashes(clues).next() {
            return format!("{} in its clues", wording.clash(&clash));
        }
        if let Some(breach) = rules.breaches(clues).first() {
            let breach = wording.breach(breach, clues);
            return format!("its clues break a rule: {breach}");
        }
        let all = ((1u32 << shape.values()) - 1) << 1;
        // The values that the houses of each cell leave to it.
        let mut open: Vec<_> = clues
            .iter()
            .map(|&clue| if clue == BLANK { all } else { 1 << clue })
            .collect();
        for house in rules.houses() {
            let held = house
                .cells
                .iter()
                .fold(0, |held, &cell| held | 1 << clues[cell]);
            for &cell in &house.cells {
                if clues[cell] == BLANK {
                    open[cell] &= !held;
                }
            }
        }
        if let Some(cell) = open.iter().position(|values| *values == 0) {
            return format!(
                "its clues leave no symbol for {}",
                wording.cell(cell, ", ")
            );
        }
        let without_place = rules.houses().iter().find_map(|house| {
            let held = house.cells.iter().fold(0, |held, &cell| held | open[cell]);
            let value = (all & !held).trailing_zeros();
            (held != all).then(|| (house.kind.name(house.number), value as Value))
        });
        match without_place {
            Some((house, value)) => {
                let symbol = wording.symbol(value);
                format!("its clues leave no place for {symbol} in {house}")
            }
            None => "a complete search finds none".to_owned(),
        }
    }

    /// The first clues that clash or break a cage or an inequality, in words.
    pub(crate) fn clash(&self) -> Option<String> {
        let Self { context, clues, .. } = self;
        let wording = context.wording();
        if let Some(clash) = context.rules.clashes(clues).next() {
            return Some(wording.clash(&clash));
        }
        let breach = context.rules.breaches(clues).into_iter().next()?;
        Some(wording.breach(&breach, clues))
    }

    /// Why a text in place of solutions is wrong, where this is the right answer, as a
    /// clause that may follow `but`.
    pub(crate) fn refutation(
        &self,
        reply: ReplyKind,
        truth: &ExpectedAnswer,
        is_list: bool,
    ) -> String {
        match (reply, truth) {
            (_, Reply(ReplyKind::Invalid)) => self.clash_of_clues(),
            (ReplyKind::Invalid, _) => "no two of its clues clash".to_owned(),
            (ReplyKind::None, One(solution)) => {
                let row = self.first_open_row(solution);
                format!("there is a solution: its {row}")
            }
            (_, One(solution)) => {
                let row = self.first_open_row(solution);
                format!("there is only one solution: its {row}")
            }
            (_, Counted { count, shown }) => {
                let there = match count {
                    0 => "is no solution".to_owned(),
                    1 => "is a solution".to_owned(),
                    many => format!("are {many} solutions"),
                };
                if reply == ReplyKind::None && !shown.is_empty() {
                    let row = self.telling_row(shown, 0);
                    format!("there {there}; in the first, {row}")
                } else {
                    format!("there {there}")
                }
            }
            (_, Reply(ReplyKind::None)) => {
                format!("there is no solution: {}", self.contradiction())
            }
            _ if is_list => match &self.solutions_besides(&[], 1)[..] {
                [] => "there are many solutions".to_owned(),
                found => {
                    let row = self.telling_row(found, 0);
                    format!("there are many solutions; in one, {row}")
                }
            },
            _ => self
                .several_solutions()
                .unwrap_or("there are several solutions".to_owned()),
        }
    }

    /// Says in words how two solutions differ, if the solver finds two.
    fn several_solutions(&self) -> Option<String> {
        let found = self.solutions_besides(&[], 2);
        let cells = self
            .context
            .wording()
            .difference(found.first()?, found.get(1)?);
        Some(format!("there are several solutions: {cells}"))
    }

    pub(crate) fn clash_of_clues(&self) -> String {
        let clash = self.clash();
        clash.unwrap_or_else(|| "two of its clues clash".to_owned())
    }

    /// Up to `most` solutions, without the one that is `known` already.
    pub(crate) fn solutions_besides(
        &self,
        known: &[Value],
        most: usize,
    ) -> Vec<Vec<Value>> {
        let solver = self.context.solver();
        let mut found = solver.solutions(&self.clues, most).unwrap_or_default();
        found.retain(|solution| solution != known);
        found
    }

    /// The first row of a solution that the clues do not show completely.
    fn first_open_row(&self, solution: &[Value]) -> String {
        let blank = self.clues.iter().position(|&clue| clue == BLANK);
        let row = self.context.shape.place(blank.unwrap_or(0)).0;
        self.context.wording().row(solution, row)
    }

    /// The first row in which a solution differs from the previous one, or the first
    /// solution from the second.
    pub(crate) fn telling_row(&self, all: &[Vec<Value>], place: usize) -> String {
        let near = all.get(place.checked_sub(1).unwrap_or(place + 1));
        let cell = near.and_then(|near| {
            near.iter()
                .zip(&all[place])
                .position(|(one, other)| one != other)
        });
        let row = self.context.shape.place(cell.unwrap_or(0)).0;
        self.context.wording().row(&all[place], row)
    }

    /// Why `expected` is the word for it and not `reply`, as a clause that follows
    /// `but`; `None` if there is no proof.
    pub(crate) fn proof(
        &self,
        reply: Option<&Template>,
        expected: &Template,
    ) -> Option<String> {
        let Self { context, clues, .. } = self;
        let replies = &context.format.replies;
        let kind = kind_of(context.solver(), replies, clues).ok()?;
        if replies.line_for(kind) != Some(expected) {
            return None;
        }
        match kind {
            PuzzleKind::Invalid => self.clash(),
            PuzzleKind::Complete => {
                Some("no cell is blank, and no rule is broken".to_owned())
            }
            PuzzleKind::None => {
                Some(format!("there is no solution: {}", self.contradiction()))
            }
            _ if !replies.ask_for_solutions() => {
                Some("no two of its clues clash".to_owned())
            }
            PuzzleKind::Several => self.several_solutions(),
            PuzzleKind::One => {
                let is_open = clues.contains(&BLANK);
                let solution = self.solutions_besides(&[], 1).pop();
                let solution = solution.filter(|_| is_open)?;
                let row = self.first_open_row(&solution);
                let says_several =
                    reply.is_some() && reply == replies.line_for(PuzzleKind::Several);
                let only = if says_several { "only one" } else { "a" };
                Some(format!("there is {only} solution: its {row}"))
            }
        }
    }
}

#[cfg(test)]
mod tests;
