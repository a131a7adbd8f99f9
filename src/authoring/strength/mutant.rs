//! Mutants, and the outputs that they print for a case.

use std::time::Duration;

use gridjudge_grid::solve::TooHard;

use crate::authoring::strength::answering;
use crate::authoring::strength::{
    ClaimFault, FillingFault, GaveUp, GridAnswer, LeakedState, MOST_GUESSES,
    MutantContext, MutantSearch, ReadingFault, RulesFault, SlowFault,
    SpecialCaseFault, StateLeak, WritingFault, writing,
};
use crate::authoring::stress::{Draft, DraftGrid};
use crate::check::{self, CheckError, ExpectedAnswer, InputError};
use crate::model::GridTask;

use MutantFault::*;

/// A solver with one fault.
pub struct Mutant {
    /// Its name, unique among all mutants.
    pub name: &'static str,
    /// What it does wrong, as a sentence without its subject.
    pub fault: &'static str,
    pub(super) wrong: MutantFault,
}

/// Where a mutant goes wrong.
pub(super) enum MutantFault {
    /// When it reads the input.
    Reading(ReadingFault),
    /// In the rules that it knows.
    Rules(RulesFault),
    /// When it fills a grid.
    Filling(FillingFault),
    /// On grids of some kind.
    SpecialCase(SpecialCaseFault),
    /// On grids that follow others.
    Leftover(StateLeak),
    /// In its reply to a grid.
    Claim(ClaimFault),
    /// When it writes the output.
    Writing(WritingFault),
    /// Nowhere, but it takes too long.
    Slow(SlowFault),
}

impl Mutant {
    /// Whether a program for this problem can have this fault, and some input shows it.
    pub fn applies_to(&self, task: &GridTask) -> bool {
        match self.wrong {
            Reading(reading) => reading.applies_to(task),
            Rules(rules) => rules.applies_to(task),
            Filling(filling) => filling.applies_to(task),
            SpecialCase(fault) => fault.applies_to(task),
            Leftover(leftover) => {
                task.format.input.count.most() > 1 && leftover.applies_to(task)
            }
            Claim(claim) => claim.applies_to(task),
            Writing(writing) => writing.applies_to(task),
            Slow(slow) => slow.applies_to(task),
        }
    }
}

/// A mutant prepared for one problem.
pub(super) struct MutantRunner {
    pub(super) mutant: &'static Mutant,
    /// The searches by the mutant's own rules, one for each shape; empty if it knows
    /// the right rules.
    searches: Vec<MutantSearch>,
}

/// Why a mutant has no output to judge.
pub(super) enum OutputError {
    /// It would not have finished within the time limit.
    TooSlow(String),
    /// The reference solver gave up.
    Unfit(ExamineError),
}

impl From<GaveUp> for OutputError {
    fn from(_: GaveUp) -> Self {
        Self::TooSlow(format!(
            "makes more than {MOST_GUESSES} guesses and finds nothing"
        ))
    }
}

impl MutantRunner {
    pub(super) fn new(mutant: &'static Mutant, task: &GridTask) -> Self {
        let searches = match mutant.wrong {
            Rules(rules) => task
                .format
                .shapes
                .iter()
                .map(|shape| rules.search(shape))
                .collect(),
            _ => vec![],
        };
        Self { mutant, searches }
    }

    /// The mutant's output for a case. `limit` is the CPU time that a program may use.
    ///
    /// # Errors
    /// Returns [`OutputError`] if the mutant would not have finished in time, or the
    /// reference solver gave up.
    pub(super) fn output(
        &self,
        case: &CaseUnderTest<'_>,
        limit: Duration,
    ) -> Result<String, OutputError> {
        let CaseUnderTest { task, boards, .. } = *case;
        let format = &task.format;
        let answers = match self.mutant.wrong {
            Writing(writing) => {
                return Ok(writing.write(format, &case.answers));
            }
            Slow(slow) => {
                slow.spend(limit, boards, case.grids_to_search())
                    .map_err(OutputError::TooSlow)?;
                return Ok(writing::plainly(format, &case.answers));
            }
            Reading(reading) => reading
                .misread(task, case.input, &case.grids)
                .iter()
                .map(|grid| case.answer_to(grid))
                .collect::<Result<Vec<_>, _>>()?,
            Leftover(leftover) => {
                let mut memory = LeakedState::new(leftover, task);
                each(case, |grid, right| {
                    Ok(memory.say(&boards[grid.shape], grid, right)?)
                })?
            }
            _ => each(case, |grid, right| {
                self.say(task, &boards[grid.shape], grid, right)
            })?,
        };
        Ok(writing::plainly(format, &answers))
    }

    /// The mutant's answer to one grid, for faults that do not depend on earlier grids.
    fn say(
        &self,
        task: &GridTask,
        board: &MutantContext,
        grid: &DraftGrid,
        right: &ExpectedAnswer,
    ) -> Result<ExpectedAnswer, OutputError> {
        Ok(match self.mutant.wrong {
            Rules(_) => self.searches[grid.shape].answer(task, &grid.cells)?,
            Filling(filling) => filling.fill(task, board, &grid.cells)?,
            SpecialCase(fault) if fault.meets(task, board, grid) => {
                fault.say(task, &grid.cells)
            }
            Claim(claim) => claim
                .say(task, board, grid, right)
                .map_err(|too_hard| OutputError::Unfit(too_hard.into()))?,
            _ => right.clone(),
        })
    }
}

/// Calls `say` with each grid of a case and its right answer, and collects the answers.
fn each<'a>(
    case: &'a CaseUnderTest<'_>,
    mut say: impl FnMut(
        &'a DraftGrid,
        &'a ExpectedAnswer,
    ) -> Result<ExpectedAnswer, OutputError>,
) -> Result<Vec<GridAnswer>, OutputError> {
    case.grids
        .iter()
        .zip(&case.answers)
        .map(|(grid, (board, right))| Ok((*board, say(grid, right)?)))
        .collect()
}

// One case, read once for all mutants: its grids, and the right answer to each.

/// Why mutants cannot be tested on a case, because it is not sound.
#[derive(Debug, thiserror::Error)]
pub enum ExamineError {
    /// The input cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The reference solver gave up on a grid.
    #[error(transparent)]
    TooHard(#[from] TooHard),
    /// An output cannot be checked.
    #[error(transparent)]
    Check(#[from] CheckError),
}

/// A case on which mutants are tested.
pub(super) struct CaseUnderTest<'a> {
    task: &'a GridTask,
    /// For each shape of the problem.
    boards: &'a [MutantContext],
    input: &'a [u8],
    answer: &'a [u8],
    grids: Vec<DraftGrid>,
    /// The right answer to each grid.
    pub(super) answers: Vec<GridAnswer>,
}

impl<'a> CaseUnderTest<'a> {
    /// Reads the grids of a case and solves them.
    ///
    /// # Errors
    /// Returns [`ExamineError`] if the case is not sound.
    pub(super) fn open(
        task: &'a GridTask,
        boards: &'a [MutantContext],
        input: &'a [u8],
        answer: &'a [u8],
    ) -> Result<Self, ExamineError> {
        let GridTask { format, accept } = task;
        let grids = Draft::grids_of(task, input)?;
        let answers = grids.iter().map(|DraftGrid { shape, cells }| {
            let solver = &boards[*shape].solver;
            let answer = check::expected_answer(solver, *accept, format, cells)?;
            Ok((*shape, answer))
        });
        Ok(Self {
            task,
            boards,
            input,
            answer,
            answers: answers.collect::<Result<_, ExamineError>>()?,
            grids,
        })
    }

    /// The grids that a program cannot answer without a search for completions.
    fn grids_to_search(&self) -> impl Iterator<Item = &DraftGrid> {
        self.grids.iter().filter(|grid| {
            let has_clash = self.boards[grid.shape].search.has_clash(&grid.cells);
            answering::without_search(self.task, &grid.cells, has_clash).is_none()
        })
    }

    /// The right answer to a grid that a mutant read, which need not be a grid of the
    /// case.
    fn answer_to(&self, grid: &DraftGrid) -> Result<GridAnswer, GaveUp> {
        let answer = match self.grids.iter().position(|known| known == grid) {
            Some(place) => self.answers[place].1.clone(),
            None => self.boards[grid.shape]
                .search
                .answer(self.task, &grid.cells)?,
        };
        Ok((grid.shape, answer))
    }

    /// The first finding of the checker about an output; `None` if the output is
    /// accepted.
    ///
    /// # Errors
    /// Returns [`ExamineError`] if the case is not sound.
    pub(super) fn refuses(
        &self,
        output: &str,
    ) -> Result<Option<String>, ExamineError> {
        let findings = check::grid_output(
            &self.task.format,
            self.task.accept,
            self.input,
            output.as_bytes(),
            Some(self.answer),
        )?;
        let mut listed = findings.listed.into_iter();
        Ok(listed.next().map(|finding| finding.message))
    }
}
