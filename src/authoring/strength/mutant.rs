//! One mutant: what is wrong with it, and what it prints for a case.

use std::time::Duration;

use crate::authoring::strength::answering;
use crate::authoring::strength::answering::GaveUp;
use crate::authoring::strength::case_under_test::CaseUnderTest;
use crate::authoring::strength::case_under_test::ExamineError;
use crate::authoring::strength::claim::ClaimFault;
use crate::authoring::strength::context::CaseGrid;
use crate::authoring::strength::context::MutantContext;
use crate::authoring::strength::filling::FillingFault;
use crate::authoring::strength::reading::ReadingFault;
use crate::authoring::strength::reading::most_grids;
use crate::authoring::strength::rules::RulesFault;
use crate::authoring::strength::search::MOST_GUESSES;
use crate::authoring::strength::search::MutantSearch;
use crate::authoring::strength::slow::SlowFault;
use crate::authoring::strength::slow::TooSlow;
use crate::authoring::strength::special_case::SpecialCaseFault;
use crate::authoring::strength::state_leak::LeakedState;
use crate::authoring::strength::state_leak::StateLeak;
use crate::authoring::strength::writing;
use crate::authoring::strength::writing::GridAnswer;
use crate::authoring::strength::writing::WritingFault;
use crate::check::ExpectedAnswer;
use crate::model::GridTask;
use gridjudge_grid::solve::TooHard;

/// A solver with one thing wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// Its name, unique among all.
    pub name: &'static str,
    /// What is wrong with it, as a sentence without its subject.
    pub fault: &'static str,
    pub(super) wrong: MutantFault,
}

/// Where a mutant goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MutantFault {
    /// When it reads the input.
    Reading(ReadingFault),
    /// In the rules that it knows.
    Rules(RulesFault),
    /// When it fills a grid.
    Filling(FillingFault),
    /// On some grids.
    Stumble(SpecialCaseFault),
    /// On grids that follow others.
    Leftover(StateLeak),
    /// In what it says about a grid.
    Claim(ClaimFault),
    /// When it writes the output.
    Writing(WritingFault),
    /// Nowhere, but it takes too long.
    Slow(SlowFault),
}

impl Mutant {
    /// Whether a program for this problem could be wrong in this way, and some input would show it.
    pub fn fits(&self, task: &GridTask) -> bool {
        match self.wrong {
            MutantFault::Reading(reading) => reading.fits(task),
            MutantFault::Rules(rules) => rules.fit(task),
            MutantFault::Filling(filling) => filling.fits(task),
            MutantFault::Stumble(stumble) => stumble.fits(task),
            MutantFault::Leftover(leftover) => most_grids(task) > 1 && leftover.fits(task),
            MutantFault::Claim(claim) => claim.fits(task),
            MutantFault::Writing(writing) => writing.fits(task),
            MutantFault::Slow(slow) => slow.fits(task),
        }
    }
}

/// A mutant prepared for one problem.
pub(super) struct MutantRunner<'a> {
    pub(super) mutant: &'static Mutant,
    task: &'a GridTask,
    /// CPU time that a program may use.
    limit: Duration,
    /// The searches by the rules that it knows, one for each shape, if they are not the right ones.
    searches: Vec<MutantSearch>,
}

/// Why there is no output to judge.
pub(super) enum OutputError {
    /// It would not have ended within the time limit.
    TooSlow(String),
    /// The reference solver gave up.
    Unfit(ExamineError),
}

impl From<TooSlow> for OutputError {
    fn from(too_slow: TooSlow) -> Self {
        Self::TooSlow(too_slow.to_string())
    }
}

impl From<GaveUp> for OutputError {
    fn from(GaveUp: GaveUp) -> Self {
        Self::TooSlow(format!("makes more than {MOST_GUESSES} guesses and finds nothing"))
    }
}

impl From<TooHard> for OutputError {
    fn from(too_hard: TooHard) -> Self {
        Self::Unfit(too_hard.into())
    }
}

impl<'a> MutantRunner<'a> {
    pub(super) fn new(mutant: &'static Mutant, task: &'a GridTask, limit: Duration) -> Self {
        let searches = match mutant.wrong {
            MutantFault::Rules(rules) => task.format.shapes.iter().map(|shape| rules.search(shape)).collect(),
            _ => Vec::new(),
        };
        Self { mutant, task, limit, searches }
    }

    /// What it prints for a case.
    ///
    /// # Errors
    /// [`OutputError`] if it would not have ended in time.
    pub(super) fn output(
        &self,
        boards: &[MutantContext],
        case: &CaseUnderTest<'_>,
    ) -> Result<String, OutputError> {
        let format = &self.task.format;
        let answers = match self.mutant.wrong {
            MutantFault::Writing(writing) => return Ok(writing.write(format, &case.answers)),
            MutantFault::Slow(slow) => {
                slow.spend(self.limit, boards, &self.searched(boards, case))?;
                return Ok(writing::plainly(format, &case.answers));
            }
            MutantFault::Reading(reading) => {
                let grids = reading.misread(self.task, case.input, &case.grids);
                let said = grids.iter().map(|grid| self.search(&boards[grid.board].search, case, grid));
                said.collect::<Result<Vec<_>, _>>()?
            }
            MutantFault::Leftover(leftover) => {
                let mut memory = LeakedState::new(leftover, self.task);
                each(case, |grid, right| Ok(memory.say(&boards[grid.board], grid, right)?))?
            }
            wrong => each(case, |grid, right| self.say(wrong, &boards[grid.board], grid, right))?,
        };
        Ok(writing::plainly(format, &answers))
    }

    /// The grids of a case of which it says nothing before it has looked for completions.
    fn searched(&self, boards: &[MutantContext], case: &CaseUnderTest<'_>) -> Vec<CaseGrid> {
        let is_told = |grid: &&CaseGrid| {
            let has_clash = boards[grid.board].search.has_clash(&grid.clues);
            answering::without_search(self.task, &grid.clues, has_clash).is_some()
        };
        case.grids.iter().filter(|grid| !is_told(grid)).cloned().collect()
    }

    /// What it says about one grid, whatever came before.
    fn say(
        &self,
        wrong: MutantFault,
        board: &MutantContext,
        grid: &CaseGrid,
        right: &ExpectedAnswer,
    ) -> Result<ExpectedAnswer, OutputError> {
        Ok(match wrong {
            MutantFault::Rules(_) => {
                let search = &self.searches[grid.board];
                answering::tell(self.task, &grid.clues, search.has_clash(&grid.clues), |clues, limit| {
                    search.solve(clues, limit)
                })?
            }
            MutantFault::Filling(filling) => filling.fill(self.task, board, &grid.clues)?,
            MutantFault::Stumble(stumble) if stumble.meets(self.task, board, grid) => {
                stumble.say(self.task, &grid.clues)
            }
            MutantFault::Claim(claim) => claim.say(self.task, board, grid, right)?,
            _ => right.clone(),
        })
    }

    /// What it says about a grid that need not be one of the case's, with the right search.
    fn search(
        &self,
        search: &MutantSearch,
        case: &CaseUnderTest<'_>,
        grid: &CaseGrid,
    ) -> Result<GridAnswer, GaveUp> {
        let said = match case.grids.iter().position(|known| known == grid) {
            Some(place) => case.answers[place].1.clone(),
            None => {
                answering::tell(self.task, &grid.clues, search.has_clash(&grid.clues), |clues, limit| {
                    search.solve(clues, limit)
                })?
            }
        };
        Ok((grid.board, said))
    }
}

/// What is said about each grid of a case.
fn each<'a>(
    case: &'a CaseUnderTest<'_>,
    mut say: impl FnMut(&'a CaseGrid, &'a ExpectedAnswer) -> Result<ExpectedAnswer, OutputError>,
) -> Result<Vec<GridAnswer>, OutputError> {
    let grids = case.grids.iter().zip(&case.answers);
    grids.map(|(grid, (board, right))| Ok((*board, say(grid, right)?))).collect()
}
