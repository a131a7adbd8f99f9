//! Tracks the solutions of one grid: which are expected, which have been given, and what is wrong
//! with those. Does not know where texts come from.

mod claim;

use std::rc::Rc;

use gridjudge_grid::format::GridBlock;
use gridjudge_grid::{Format, Template, Value};

use crate::check::grid::expected_answer;
use crate::check::grid::grid_checker::judged;
use crate::check::list::{ItemKind, ItemReader, OutputItem};
use crate::check::{ExpectedAnswer, Location, ShapeContext, StreamOrigin};
use crate::model::{Accept, Finding, FindingRule};
use crate::text::plural;

/// The solutions of one grid.
pub(crate) struct SolutionSet<'a> {
    format: &'a Format,
    accept: Accept,
    context: Rc<ShapeContext>,
    pub(crate) clues: Vec<Value>,
    truth: Option<ExpectedAnswer>,
    /// For each expected solution, its position from 1 among the solutions given; `None` if it has
    /// not been given.
    positions: Vec<Option<u64>>,
    /// The number of solutions given so far, right or wrong.
    solutions: u64,
    /// The number of solutions that the output states, if it has; the inner `None` if that is too
    /// large.
    stated: Option<Option<u64>>,
    /// Whether a text or a strange line was given instead of a number or solutions.
    is_settled: bool,
    /// The index of the last expected solution, in their order, that has been given.
    latest: Option<usize>,
    is_disorder_reported: bool,
    /// The last solution given, if the expected ones are not known.
    last: Vec<Value>,
    /// Line and byte of the output at which the first item begins.
    first: Option<(u64, u64)>,
}

impl<'a> SolutionSet<'a> {
    pub(crate) fn new(
        format: &'a Format,
        accept: Accept,
        context: Rc<ShapeContext>,
        clues: Vec<Value>,
        truth: Option<ExpectedAnswer>,
    ) -> Self {
        let expected = truth
            .as_ref()
            .and_then(ExpectedAnswer::listed)
            .map_or(0, <[_]>::len);
        Self {
            format,
            accept,
            context,
            clues,
            truth,
            positions: vec![None; expected],
            solutions: 0,
            stated: None,
            is_settled: false,
            latest: None,
            is_disorder_reported: false,
            last: Vec::new(),
            first: None,
        }
    }

    /// Whether nothing has been given yet.
    pub(crate) fn is_untouched(&self) -> bool {
        self.stated.is_none() && self.solutions == 0 && !self.is_settled
    }

    /// Whether the number of solutions has been given.
    pub(crate) fn is_counted(&self) -> bool {
        self.stated.is_some()
    }

    /// Whether a solution has been given, right or wrong.
    pub(crate) fn has_solutions(&self) -> bool {
        self.solutions > 0
    }

    /// Whether these cells are one of the solutions; `None` if the solutions are not known.
    pub(crate) fn is_expected(&self, cells: &[Value]) -> Option<bool> {
        matches!(self.truth, Some(ExpectedAnswer::All(_))).then(|| self.place_of(cells).is_some())
    }

    /// Whether one of the solutions begins with these cells; `None` if the solutions are not known.
    pub(crate) fn is_a_beginning(&self, cells: &[Value]) -> Option<bool> {
        let Some(ExpectedAnswer::All(all)) = &self.truth else {
            return None;
        };
        let place = all.partition_point(|known| &known[..] < cells);
        Some(all.get(place).is_some_and(|known| known.starts_with(cells)))
    }

    /// Whether this solution is expected and has not been given; if the solutions are not known,
    /// whether it is in order.
    pub(crate) fn wants(&self, cells: &[Value]) -> bool {
        if self.truth.is_none() {
            return self.last.as_slice() < cells;
        }
        self.place_of(cells)
            .is_some_and(|place| self.positions[place].is_none())
    }

    /// Whether further solutions are expected, or the solutions are not known.
    pub(crate) fn wants_more(&self) -> bool {
        self.truth.is_none() || self.solutions < self.positions.len() as u64
    }

    /// The first solution that is expected and has not been given, if the solutions are known.
    pub(crate) fn due(&self) -> Option<&[Value]> {
        let place = self.positions.iter().position(Option::is_none)?;
        self.listed()?.get(place).map(Vec::as_slice)
    }

    /// The number or the text that the answer states, if it is known.
    pub(crate) fn expected(&self) -> Option<&ExpectedAnswer> {
        self.truth.as_ref()
    }

    /// Whether no further item can belong to this case.
    pub(crate) fn is_complete(&self, items: &ItemReader<'_>) -> bool {
        self.is_settled || self.stated.is_some() && (items.counts_after() || !items.has_solutions())
    }

    /// Whether all that is expected has been given.
    pub(crate) fn is_all_given(&self, items: &ItemReader<'_>) -> bool {
        self.is_settled
            || self.truth.is_some()
                && self.due().is_none()
                && self.stated.is_some() == items.count().is_some()
    }

    /// Records an item, and returns what is wrong with it.
    pub(crate) fn judge(
        &mut self,
        location: Location<'_>,
        item: &OutputItem,
        count: Option<&Template>,
    ) -> Vec<Finding> {
        let finding =
            |rule, message: &str| vec![location.finding(rule, item.start.0, item.start.1, message)];
        self.first
            .get_or_insert(location.origin.place(item.start.0, item.start.1));
        match &item.kind {
            ItemKind::Strange(found) => {
                self.is_settled = true;
                let (rule, message) = self.strange_line(found, location.grid, count);
                finding(rule, &message)
            }
            ItemKind::Text(reply, error) => {
                self.is_settled = true;
                let wrong = self
                    .wrong_claim(*reply, location.grid)
                    .map(|message| finding(FindingRule::Claim, &message));
                wrong.unwrap_or_else(|| {
                    error
                        .iter()
                        .map(|error| location.parse_error(error))
                        .collect()
                })
            }
            ItemKind::Count { number, error } => {
                self.stated = Some(*number);
                let wrong = self
                    .wrong_number(*number)
                    .map(|message| finding(FindingRule::Count, &message));
                wrong.unwrap_or_else(|| {
                    error
                        .iter()
                        .map(|error| location.parse_error(error))
                        .collect()
                })
            }
            ItemKind::Solution(block) => {
                self.solutions += 1;
                self.solution(
                    Location {
                        solution: Some(self.solutions),
                        ..location
                    },
                    block,
                )
            }
        }
    }

    /// Reports what is missing at the end of the case.
    pub(crate) fn missing(&self, location: Location<'_>, items: &ItemReader<'_>) -> Vec<Finding> {
        let finding = |rule, message: &str| location.finding(rule, 0, 0, message);
        if self.is_settled {
            return Vec::new();
        }
        let mut findings = Vec::new();
        if let Some(text) = self.text_expected() {
            let message = self.missing_text(text, location.grid);
            let origin = self
                .first
                .map_or(location.origin, |(line, byte)| StreamOrigin::at(line, byte));
            findings.push(Location { origin, ..location }.finding(
                FindingRule::Claim,
                0,
                0,
                &message,
            ));
        } else if self.stated.is_none()
            && let Some(count) = items.count()
        {
            let number = self
                .truth
                .as_ref()
                .and_then(ExpectedAnswer::number)
                .unwrap_or(0);
            findings.push(finding(
                FindingRule::Count,
                &format!("the line `{}` is missing", count.line(number)),
            ));
        }
        let missing = self.missing_solutions(items.shows_one());
        findings.extend(missing.map(|message| finding(FindingRule::Missing, &message)));
        findings
    }

    /// Says which of the listed solutions have not been given.
    fn missing_solutions(&self, shows_one: bool) -> Option<String> {
        let all = self.listed()?;
        let first = self.positions.iter().position(Option::is_none)?;
        let others = self
            .positions
            .iter()
            .filter(|position| position.is_none())
            .count() as u64
            - 1;
        let row = expected_answer::row_text(
            self.format,
            &self.context.shape,
            &all[first],
            distinguishing_row(all, first, &self.context),
        );
        let more = match others {
            0 => String::new(),
            others => format!(", and {others} more {} too", plural(others, "solution")),
        };
        let number = first + 1;
        let total = all.len();
        if !shows_one {
            return Some(format!(
                "solution {number} of {total} is missing (its {row}){more}"
            ));
        }
        // A broken solution in its place has been reported already.
        if self.has_solutions() {
            return None;
        }
        Some(if self.accept.is_any() {
            "one of the solutions must follow, and none does".to_owned()
        } else {
            format!("the first solution is missing (its {row})")
        })
    }

    fn solution(&mut self, location: Location<'_>, block: &GridBlock) -> Vec<Finding> {
        let mut wrong = judged(location, &self.context, &self.clues, block);
        // A solution with wrong white space is not right, but it has been given.
        if wrong
            .iter()
            .all(|finding| finding.rule == Some(FindingRule::Spacing))
        {
            wrong.extend(self.arrival(location, block));
        }
        wrong
    }

    /// Records a valid solution, and returns what is wrong with giving it here: that it is
    /// unexpected, repeated or out of order.
    fn arrival(&mut self, location: Location<'_>, block: &GridBlock) -> Vec<Finding> {
        let finding = |rule, message: &str| {
            vec![location.finding(rule, block.start.0, block.start.1, message)]
        };
        if let Some(ExpectedAnswer::Counted { shown, .. }) = &self.truth {
            let before = self.positions.first().copied().flatten();
            let wrong = if self.accept.is_any() {
                (before.is_some() || shown.is_empty()).then(|| {
                    let message = "one solution too many: only one is shown";
                    location.finding(FindingRule::Solution, block.start.0, block.start.1, message)
                })
            } else {
                first_shown(location, block, shown, before)
            };
            self.positions.fill(Some(self.solutions));
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
        if let Some(earlier) = self.positions[place] {
            return finding(
                FindingRule::Repeated,
                &format!("the same as solution {earlier}"),
            );
        }
        self.positions[place] = Some(self.solutions);
        match self.latest.filter(|latest| *latest > place) {
            Some(latest) if !std::mem::replace(&mut self.is_disorder_reported, true) => {
                let before = self.positions[latest].unwrap_or(0);
                let message =
                    format!("belongs before solution {before}: compare the cells row by row");
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
            Some(ExpectedAnswer::All(all)) => all
                .binary_search_by(|known| known.as_slice().cmp(cells))
                .ok(),
            _ => None,
        }
    }

    fn listed(&self) -> Option<&[Vec<Value>]> {
        self.truth.as_ref()?.listed()
    }
}

/// What is wrong with a valid completion where only the first solution must be shown. `before` is
/// the position of one given before it.
fn first_shown(
    location: Location<'_>,
    block: &GridBlock,
    shown: &[Vec<Value>],
    before: Option<u64>,
) -> Option<Finding> {
    let (line, byte) = block.start;
    let Some(first) = shown.first().filter(|_| before.is_none()) else {
        let message = "one solution too many: only the first is shown";
        return Some(location.finding(FindingRule::Solution, line, byte, message));
    };
    let (cell, (_, solution)) = { block.cells.iter().zip(first).enumerate() }
        .find(|(_, (found, solution))| found != solution)?;
    Some(if *solution < block.cells[cell] {
        location.not_first(block, cell, *solution)
    } else {
        location.other_solution(block, cell, *solution)
    })
}

/// The first row in which a solution differs from the previous one, or the first solution from the
/// second.
fn distinguishing_row(all: &[Vec<Value>], place: usize, context: &ShapeContext) -> usize {
    let near = place
        .checked_sub(1)
        .or(Some(place + 1))
        .and_then(|near| all.get(near));
    let cell = near.and_then(|near| {
        near.iter()
            .zip(&all[place])
            .position(|(one, other)| one != other)
    });
    context.shape.place(cell.unwrap_or(0)).0
}
