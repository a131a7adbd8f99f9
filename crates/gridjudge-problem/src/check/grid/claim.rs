//! Explains what is wrong with a text in place of a grid, or with a grid that is not
//! the answer, and proves it.

use gridjudge_grid::format::{GridBlock, ReplyKind};
use gridjudge_grid::{BLANK, Value};

use crate::check::Location;
use crate::check::grid::{GridChecker, KnownAnswer, expected_answer};
use crate::model::{Accept, Finding, FindingRule};

impl GridChecker<'_> {
    /// The finding about a wrong text in place of a grid, with a proof. `None` if the
    /// text is right or the answer is unknown.
    pub(crate) fn wrong_claim(
        &self,
        location: Location<'_>,
        block: &GridBlock,
        reply: ReplyKind,
    ) -> Option<Finding> {
        let context = self.context();
        let text = self.text_of(reply, location.grid);
        let why = match (reply, self.known) {
            (_, KnownAnswer::Open) => return None,
            (reply, KnownAnswer::Text(known)) if reply == known => return None,
            (_, KnownAnswer::Text(ReplyKind::Invalid)) => {
                format!("but {}", self.clash())
            }
            (ReplyKind::Invalid, _) => "but no two of its clues clash".to_owned(),
            (ReplyKind::None, KnownAnswer::Solution) => {
                format!("but there is a solution: its {}", self.row(&self.solution))
            }
            (_, KnownAnswer::Solution) => {
                format!(
                    "but there is only one solution: its {}",
                    self.row(&self.solution)
                )
            }
            (ReplyKind::None, KnownAnswer::Text(_)) => {
                match &self.two_solutions(&[])[..] {
                    [one, other] => format!(
                        "but there are several solutions: {}",
                        expected_answer::difference(
                            self.format,
                            &context.shape,
                            one,
                            other
                        )
                    ),
                    _ => "but there are several solutions".to_owned(),
                }
            }
            (_, KnownAnswer::Text(_)) => {
                format!("but there is no solution: {}", self.no_solution())
            }
        };
        Some(location.finding(
            FindingRule::Claim,
            block.start,
            format!("`{text}`, {why}"),
        ))
    }

    /// The finding about a readable grid that is not the answer. `None` if it is, or
    /// may be.
    pub(crate) fn not_the_answer(
        &self,
        location: Location<'_>,
        block: &GridBlock,
        is_valid: bool,
    ) -> Option<Finding> {
        let reply = match self.known {
            KnownAnswer::Solution if is_valid && self.accept != Accept::Any => {
                return location.other_completion(
                    block,
                    &self.solution,
                    self.accept == Accept::First,
                );
            }
            KnownAnswer::Text(ReplyKind::Several) if !is_valid => return None,
            KnownAnswer::Text(reply) => reply,
            KnownAnswer::Open | KnownAnswer::Solution => return None,
        };
        let why = match reply {
            ReplyKind::Invalid => {
                format!("there is no solution: {} in its clues", self.clash())
            }
            ReplyKind::None => format!("there is no solution: {}", self.no_solution()),
            _ => match self.two_solutions(&block.cells).first() {
                Some(other) => {
                    let cells = expected_answer::difference(
                        self.format,
                        &self.context().shape,
                        &block.cells,
                        other,
                    );
                    format!("a valid completion, but not the only one: {cells}")
                }
                None => "a valid completion, but not the only one".to_owned(),
            },
        };
        let message =
            format!("{why}; expected `{}`", self.text_of(reply, location.grid));
        Some(location.finding(FindingRule::Claim, block.start, message))
    }

    /// Up to two solutions of the current grid, without the one that is `known`
    /// already.
    fn two_solutions(&self, known: &[Value]) -> Vec<Vec<Value>> {
        let mut found = self
            .context()
            .solver()
            .solutions(&self.grids.current.clues, 2)
            .unwrap_or_default();
        found.retain(|solution| solution != known);
        found
    }

    fn no_solution(&self) -> String {
        expected_answer::contradiction(self.format, &self.grids.current)
    }

    fn clash(&self) -> String {
        let clash = expected_answer::clash(self.format, &self.grids.current);
        clash.unwrap_or_else(|| "two of its clues clash".to_owned())
    }

    /// The first row of a solution that the clues do not show completely.
    fn row(&self, solution: &[Value]) -> String {
        let shape = &self.context().shape;
        let blank = self
            .grids
            .current
            .clues
            .iter()
            .position(|&clue| clue == BLANK)
            .unwrap_or(0);
        expected_answer::row_text(self.format, shape, solution, shape.place(blank).0)
    }

    /// The line for a reply to grid `number`.
    pub(crate) fn text_of(&self, reply: ReplyKind, number: u64) -> String {
        self.format
            .replies
            .text(reply)
            .map_or_else(String::new, |text| {
                text.line(self.format.output.case_number(number))
            })
    }
}
