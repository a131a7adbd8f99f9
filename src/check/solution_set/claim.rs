//! What an output claims of the solutions of a grid: their number, or a text in place of them, held against the right answer.

use crate::check::expected_answer;
use crate::check::expected_answer::ExpectedAnswer;
use crate::check::solution_set::SolutionSet;
use crate::check::solution_set::distinguishing_row;
use gridjudge_grid::format::ReplyKind;

impl SolutionSet<'_> {
    /// What is wrong with a number of solutions.
    pub(super) fn wrong_number(&self, number: Option<u64>) -> Option<String> {
        let expected = match self.truth.as_ref()? {
            ExpectedAnswer::Count(expected) => *expected,
            ExpectedAnswer::All(all) => all.len() as u64,
            // What is expected in its place is told at the end of the case.
            ExpectedAnswer::None | ExpectedAnswer::Several | ExpectedAnswer::One(_) => return None,
        };
        let found = number.map_or("too large for any grid".to_owned(), |number| number.to_string());
        (number != Some(expected)).then(|| format!("the number of solutions is {found}, expected {expected}"))
    }

    /// What is wrong with a text in place of solutions, and why.
    pub(super) fn wrong_claim(&self, said: ReplyKind) -> Option<String> {
        let replies = &self.format.replies;
        let text = if said == ReplyKind::None { &replies.none } else { &replies.several };
        let text = text.as_deref().unwrap_or_default();
        let why = match (said, self.truth.as_ref()?) {
            (ReplyKind::None, ExpectedAnswer::None) | (ReplyKind::Several, ExpectedAnswer::Several) => {
                return None;
            }
            (ReplyKind::None, ExpectedAnswer::All(all)) if !all.is_empty() => {
                let row = expected_answer::row_text(
                    self.format,
                    &self.board.shape,
                    &all[0],
                    distinguishing_row(all, 0, self.board),
                );
                format!("but there {}; the first has {row}", number_of(all.len() as u64))
            }
            (_, ExpectedAnswer::All(all)) => format!("but there {}", number_of(all.len() as u64)),
            (_, ExpectedAnswer::Count(number)) => format!("but there {}", number_of(*number)),
            (_, ExpectedAnswer::None) => format!("but there is no solution: {}", self.no_solution()),
            (_, ExpectedAnswer::Several | ExpectedAnswer::One(_)) => {
                match self.board.solver().solutions(&self.clues, 1) {
                    Ok(found) if !found.is_empty() => {
                        let row = expected_answer::row_text(self.format, &self.board.shape, &found[0], 0);
                        format!("but there are many solutions; one has {row}")
                    }
                    _ => "but there are many solutions".to_owned(),
                }
            }
        };
        Some(format!("`{text}`, {why}"))
    }

    /// The text that should stand in place of a number or of solutions.
    pub(super) fn text_expected(&self) -> Option<&str> {
        match self.truth.as_ref()? {
            ExpectedAnswer::None => self.format.replies.none.as_deref(),
            ExpectedAnswer::Several => self.format.replies.several.as_deref(),
            ExpectedAnswer::One(_) | ExpectedAnswer::All(_) | ExpectedAnswer::Count(_) => None,
        }
    }

    pub(super) fn no_solution(&self) -> String {
        expected_answer::contradiction(self.format, &self.board.shape, &self.board.rules, &self.clues)
    }
}

fn number_of(solutions: u64) -> String {
    match solutions {
        0 => "is no solution".to_owned(),
        1 => "is a solution".to_owned(),
        many => format!("are {many} solutions"),
    }
}
