//! A text in place of the grid in hand, or the wrong one of several solutions: what it claims, and what proves it wrong.

use crate::check::board::Board;
use crate::check::explain::Site;
use crate::check::sheet::Sheet;
use crate::check::stored::Known;
use crate::check::truth;
use crate::model::Accept;
use crate::model::Finding;
use crate::model::Rule;
use gridjudge_grid::BLANK;
use gridjudge_grid::Value;
use gridjudge_grid::text::Block;
use gridjudge_grid::text::Said;

impl Sheet<'_> {
    /// What is wrong with a text in place of a grid, and why.
    pub(super) fn wrong_claim(&self, site: Site<'_>, block: &Block, said: Said) -> Option<Finding> {
        let board = self.board();
        let text = self.text_of(said);
        let why = match (said, self.known) {
            (_, Known::Open) => return None,
            (said, Known::Text(known)) if said == known => return None,
            (Said::None, Known::Solution) => {
                format!("but there is a solution: its {}", self.row(&self.promised))
            }
            (Said::Several, Known::Solution) => {
                format!("but there is only one solution: its {}", self.row(&self.promised))
            }
            (Said::None, Known::Text(_)) => match &self.two_solutions(&[])[..] {
                [one, other] => format!(
                    "but there are several solutions: {}",
                    truth::difference(self.format, &board.shape, one, other)
                ),
                _ => "but there are several solutions".to_owned(),
            },
            (Said::Several, Known::Text(_)) => format!("but there is no solution: {}", self.no_solution()),
        };
        let (line, byte) = block.start;
        Some(site.finding(Rule::Claim, line, byte, &format!("`{text}`, {why}")))
    }

    /// Why a grid that can be read is not the answer, if it is not.
    pub(super) fn not_the_answer(&self, site: Site<'_>, block: &Block, is_valid: bool) -> Option<Finding> {
        let (line, byte) = block.start;
        let said = match self.known {
            Known::Solution if is_valid && self.accept != Accept::Any => {
                let cells = block.cells.iter().zip(&self.promised).enumerate();
                let (cell, (_, promised)) = { cells }.find(|(_, (found, promised))| found != promised)?;
                return Some(match self.accept {
                    Accept::First if *promised < block.cells[cell] => site.not_first(block, cell, *promised),
                    _ => site.other_solution(block, cell, *promised),
                });
            }
            Known::Text(Said::Several) if !is_valid => return None,
            Known::Text(said) => said,
            Known::Open | Known::Solution => return None,
        };
        let why = match said {
            Said::None => format!("there is no solution: {}", self.no_solution()),
            Said::Several => match self.two_solutions(&block.cells).first() {
                Some(other) => {
                    let cells = truth::difference(self.format, &self.board().shape, &block.cells, other);
                    format!("a valid completion, but not the only one: {cells}")
                }
                None => "a valid completion, but not the only one".to_owned(),
            },
        };
        let message = format!("{why}; expected `{}`", self.text_of(said));
        Some(site.finding(Rule::Claim, line, byte, &message))
    }

    /// Two solutions of the current grid, as far as they are found, without the one that is known already.
    fn two_solutions(&self, known: &[Value]) -> Vec<Vec<Value>> {
        let mut found = self.board().solver().solutions(&self.current.clues, 2).unwrap_or_default();
        found.retain(|solution| solution != known);
        found
    }

    fn no_solution(&self) -> String {
        let Board { shape, rules, .. } = self.board();
        truth::contradiction(self.format, shape, rules, &self.current.clues)
    }

    /// The first row of a solution that its clues do not show already.
    fn row(&self, solution: &[Value]) -> String {
        let shape = &self.board().shape;
        let blank = self.current.clues.iter().position(|&clue| clue == BLANK).unwrap_or(0);
        truth::row_text(self.format, shape, solution, shape.place(blank).0)
    }

    pub(super) fn text_of(&self, said: Said) -> &str {
        let replies = &self.format.replies;
        let text = match said {
            Said::None => &replies.none,
            Said::Several => &replies.several,
        };
        text.as_deref().unwrap_or_default()
    }
}
