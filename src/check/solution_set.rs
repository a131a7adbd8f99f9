//! The solutions of one grid: which are expected, which have come, and what is wrong with those that came. Knows nothing
//! of where texts come from.

mod claim;

use std::rc::Rc;

use crate::check::context::ShapeContext;
use crate::check::expected_answer;
use crate::check::expected_answer::ExpectedAnswer;
use crate::check::grid_checker::judged;
use crate::check::items::ItemKind;
use crate::check::items::ItemReader;
use crate::check::items::OutputItem;
use crate::check::location::Location;
use crate::check::window::StreamOrigin;
use crate::model::Accept;
use crate::model::Finding;
use crate::model::FindingRule;
use crate::text::plural;
use gridjudge_grid::Format;
use gridjudge_grid::Template;
use gridjudge_grid::Value;
use gridjudge_grid::format::GridBlock;

/// The solutions of one grid.
pub(super) struct SolutionSet<'a> {
    format: &'a Format,
    accept: Accept,
    board: Rc<ShapeContext>,
    pub(super) clues: Vec<Value>,
    truth: Option<ExpectedAnswer>,
    /// For each expected solution, the place from 1 at which it came.
    came: Vec<Option<u64>>,
    /// Solutions that came, right or wrong.
    solutions: u64,
    /// The number that was told, if one was.
    told: Option<Option<u64>>,
    /// Whether a text, or something strange, came in place of all this.
    is_settled: bool,
    /// The latest of the expected that came.
    latest: Option<usize>,
    is_disorder_told: bool,
    /// The last solution that came, where nothing is known of them.
    last: Vec<Value>,
    /// Line and byte of the output at which the first piece stood.
    first: Option<(u64, u64)>,
}

impl<'a> SolutionSet<'a> {
    pub(super) fn new(
        format: &'a Format,
        accept: Accept,
        board: Rc<ShapeContext>,
        clues: Vec<Value>,
        truth: Option<ExpectedAnswer>,
    ) -> Self {
        let expected = truth.as_ref().and_then(ExpectedAnswer::listed).map_or(0, <[_]>::len);
        Self {
            format,
            accept,
            board,
            clues,
            truth,
            came: vec![None; expected],
            solutions: 0,
            told: None,
            is_settled: false,
            latest: None,
            is_disorder_told: false,
            last: Vec::new(),
            first: None,
        }
    }

    /// Whether nothing has come yet.
    pub(super) fn is_untouched(&self) -> bool {
        self.told.is_none() && self.solutions == 0 && !self.is_settled
    }

    /// Whether a number of solutions has come.
    pub(super) fn is_counted(&self) -> bool {
        self.told.is_some()
    }

    /// Whether a solution has come, right or wrong.
    pub(super) fn has_solutions(&self) -> bool {
        self.solutions > 0
    }

    /// Whether these cells are one of the solutions; `None` if these are not known.
    pub(super) fn is_expected(&self, cells: &[Value]) -> Option<bool> {
        matches!(self.truth, Some(ExpectedAnswer::All(_))).then(|| self.place_of(cells).is_some())
    }

    /// Whether one of the solutions begins with these cells; `None` if these are not known.
    pub(super) fn is_a_beginning(&self, cells: &[Value]) -> Option<bool> {
        let Some(ExpectedAnswer::All(all)) = &self.truth else { return None };
        let place = all.partition_point(|known| &known[..] < cells);
        Some(all.get(place).is_some_and(|known| known.starts_with(cells)))
    }

    /// Whether this solution is expected and has not come; where nothing is known, whether it comes in order.
    pub(super) fn wants(&self, cells: &[Value]) -> bool {
        if self.truth.is_none() {
            return self.last.as_slice() < cells;
        }
        self.place_of(cells).is_some_and(|place| self.came[place].is_none())
    }

    /// Whether any solution is expected still, or none is known to be.
    pub(super) fn wants_more(&self) -> bool {
        self.truth.is_none() || self.solutions < self.came.len() as u64
    }

    /// Whether nothing of this case can follow.
    pub(super) fn is_complete(&self, pieces: &ItemReader<'_>) -> bool {
        self.is_settled || self.told.is_some() && (pieces.counts_behind() || !pieces.has_solutions())
    }

    /// Takes a piece, and says what is wrong with it.
    pub(super) fn take(
        &mut self,
        site: Location<'_>,
        piece: &OutputItem,
        count: Option<&Template>,
    ) -> Vec<Finding> {
        let finding = |rule, message: &str| vec![site.finding(rule, piece.start.0, piece.start.1, message)];
        self.first.get_or_insert(site.origin.place(piece.start.0, piece.start.1));
        match &piece.what {
            ItemKind::Strange(found) => {
                self.is_settled = true;
                let (rule, message) = self.strange_line(found, site.grid, count);
                finding(rule, &message)
            }
            ItemKind::Text(said, flaw) => {
                self.is_settled = true;
                let wrong =
                    self.wrong_claim(*said, site.grid).map(|message| finding(FindingRule::Claim, &message));
                wrong.unwrap_or_else(|| flaw.iter().map(|flaw| site.flaw(flaw)).collect())
            }
            ItemKind::Count { number, flaw } => {
                self.told = Some(*number);
                let wrong = self.wrong_number(*number).map(|message| finding(FindingRule::Count, &message));
                wrong.unwrap_or_else(|| flaw.iter().map(|flaw| site.flaw(flaw)).collect())
            }
            ItemKind::Solution(block) => {
                self.solutions += 1;
                self.solution(Location { solution: Some(self.solutions), ..site }, block)
            }
        }
    }

    /// What is missing when the case is over.
    pub(super) fn missing(&self, site: Location<'_>, pieces: &ItemReader<'_>) -> Vec<Finding> {
        let finding = |rule, message: &str| site.finding(rule, 0, 0, message);
        if self.is_settled {
            return Vec::new();
        }
        let mut findings = Vec::new();
        if let Some(text) = self.text_expected() {
            let message = self.missing_text(text, site.grid);
            let origin = self.first.map_or(site.origin, |(line, byte)| StreamOrigin::at(line, byte));
            findings.push(Location { origin, ..site }.finding(FindingRule::Claim, 0, 0, &message));
        } else if self.told.is_none()
            && let Some(count) = pieces.count()
        {
            let number = self.truth.as_ref().and_then(ExpectedAnswer::number).unwrap_or(0);
            findings
                .push(finding(FindingRule::Count, &format!("the line `{}` is missing", count.line(number))));
        }
        let missing = self.missing_solutions(pieces.shows_one());
        findings.extend(missing.map(|message| finding(FindingRule::Missing, &message)));
        findings
    }

    /// Which of the solutions that are listed have not come, in words.
    fn missing_solutions(&self, shows_one: bool) -> Option<String> {
        let (all, first) = (self.listed()?, self.came.iter().position(Option::is_none)?);
        let others = self.came.iter().filter(|came| came.is_none()).count() as u64 - 1;
        let row = expected_answer::row_text(
            self.format,
            &self.board.shape,
            &all[first],
            distinguishing_row(all, first, &self.board),
        );
        let more = match others {
            0 => String::new(),
            others => format!(", and {others} more {} too", plural(others, "solution")),
        };
        let (number, total) = (first + 1, all.len());
        match shows_one {
            // A broken one that stands in its place has been said.
            true if self.has_solutions() => None,
            true if self.accept.is_any() => {
                Some("one of the solutions must follow, and none does".to_owned())
            }
            true => Some(format!("the first solution is missing (its {row})")),
            false => Some(format!("solution {number} of {total} is missing (its {row}){more}")),
        }
    }

    fn solution(&mut self, site: Location<'_>, block: &GridBlock) -> Vec<Finding> {
        let mut wrong = judged(site, &self.board, &self.clues, block);
        // A solution with white space between its cells is no good, but it has come.
        if wrong.iter().all(|finding| finding.rule == Some(FindingRule::Spacing)) {
            wrong.extend(self.arrival(site, block));
        }
        wrong
    }

    /// Notes that a solution has come, and says what is wrong with its coming now.
    fn arrival(&mut self, site: Location<'_>, block: &GridBlock) -> Vec<Finding> {
        let finding = |rule, message: &str| vec![site.finding(rule, block.start.0, block.start.1, message)];
        if let Some(ExpectedAnswer::Counted { shown, .. }) = &self.truth {
            let before = self.came.first().copied().flatten();
            let wrong = match self.accept.is_any() {
                true => (before.is_some() || shown.is_empty()).then(|| {
                    let message = "one solution too many: only one is shown";
                    site.finding(FindingRule::Solution, block.start.0, block.start.1, message)
                }),
                false => first_shown(site, block, shown, before),
            };
            self.came.fill(Some(self.solutions));
            return wrong.into_iter().collect();
        }
        if !matches!(self.truth, Some(ExpectedAnswer::All(_))) {
            self.last.clone_from(&block.cells);
            return Vec::new();
        }
        let Some(place) = self.place_of(&block.cells) else {
            let message = "a valid completion that the stored answer lacks; tell its setter";
            return finding(FindingRule::Solution, message);
        };
        if let Some(earlier) = self.came[place] {
            return finding(FindingRule::Repeated, &format!("the same as solution {earlier}"));
        }
        self.came[place] = Some(self.solutions);
        match self.latest.filter(|latest| *latest > place) {
            Some(latest) if !std::mem::replace(&mut self.is_disorder_told, true) => {
                let before = self.came[latest].unwrap_or(0);
                let message = format!("belongs before solution {before}: compare the cells row by row");
                finding(FindingRule::Order, &message)
            }
            Some(_) => Vec::new(),
            None => {
                self.latest = Some(place);
                Vec::new()
            }
        }
    }

    fn place_of(&self, cells: &[Value]) -> Option<usize> {
        match &self.truth {
            Some(ExpectedAnswer::All(all)) => all.binary_search_by(|known| known.as_slice().cmp(cells)).ok(),
            _ => None,
        }
    }

    fn listed(&self) -> Option<&[Vec<Value>]> {
        self.truth.as_ref()?.listed()
    }
}

/// What is wrong with a valid completion where only the first solution is shown, behind one that came `before`.
fn first_shown(
    site: Location<'_>,
    block: &GridBlock,
    shown: &[Vec<Value>],
    before: Option<u64>,
) -> Option<Finding> {
    let (line, byte) = block.start;
    let Some(first) = shown.first().filter(|_| before.is_none()) else {
        let message = "one solution too many: only the first is shown";
        return Some(site.finding(FindingRule::Solution, line, byte, message));
    };
    let (cell, (_, promised)) =
        { block.cells.iter().zip(first).enumerate() }.find(|(_, (found, promised))| found != promised)?;
    Some(match *promised < block.cells[cell] {
        true => site.not_first(block, cell, *promised),
        false => site.other_solution(block, cell, *promised),
    })
}

/// The first row that tells a solution from the one before it, or from the one behind it.
pub(super) fn distinguishing_row(all: &[Vec<Value>], place: usize, board: &ShapeContext) -> usize {
    let near = place.checked_sub(1).or(Some(place + 1)).and_then(|near| all.get(near));
    let cell = near.and_then(|near| near.iter().zip(&all[place]).position(|(one, other)| one != other));
    board.shape.place(cell.unwrap_or(0)).0
}
