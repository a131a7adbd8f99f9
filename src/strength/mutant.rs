//! One mutant: what is wrong with it, and what it prints for a case.

use crate::check::Truth;
use crate::model::Problem;
use crate::strength::board::Board;
use crate::strength::board::Grid;
use crate::strength::claim::Claim;
use crate::strength::exam::Exam;
use crate::strength::exam::Unfit;
use crate::strength::filling::Filling;
use crate::strength::leftover::Leftover;
use crate::strength::leftover::Memory;
use crate::strength::reading::Reading;
use crate::strength::reading::most_grids;
use crate::strength::rules::Rules;
use crate::strength::search::MOST_GUESSES;
use crate::strength::search::Search;
use crate::strength::slow::Slow;
use crate::strength::slow::TooSlow;
use crate::strength::stumble::Stumble;
use crate::strength::telling;
use crate::strength::telling::GaveUp;
use crate::strength::writing;
use crate::strength::writing::Said;
use crate::strength::writing::Writing;
use gridjudge_grid::solve::TooHard;

/// A solver with one thing wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// Its name, unique among all.
    pub name: &'static str,
    /// What is wrong with it, as a sentence without its subject.
    pub fault: &'static str,
    pub(super) wrong: Wrong,
}

/// Where a mutant goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// When it reads the input.
    Reading(Reading),
    /// In the rules that it knows.
    Rules(Rules),
    /// When it fills a grid.
    Filling(Filling),
    /// On some grids.
    Stumble(Stumble),
    /// On grids that follow others.
    Leftover(Leftover),
    /// In what it says about a grid.
    Claim(Claim),
    /// When it writes the output.
    Writing(Writing),
    /// Nowhere, but it takes too long.
    Slow(Slow),
}

impl Mutant {
    /// Whether a program for this problem could be wrong in this way, and some input would show it.
    pub fn fits(&self, problem: &Problem) -> bool {
        match self.wrong {
            Wrong::Reading(reading) => reading.fits(problem),
            Wrong::Rules(rules) => rules.fit(problem),
            Wrong::Filling(filling) => filling.fits(problem),
            Wrong::Stumble(stumble) => stumble.fits(problem),
            Wrong::Leftover(leftover) => most_grids(problem) > 1 && leftover.fits(problem),
            Wrong::Claim(claim) => claim.fits(problem),
            Wrong::Writing(writing) => writing.fits(problem),
            Wrong::Slow(slow) => slow.fits(problem),
        }
    }
}

/// A mutant that has learnt a problem.
pub(super) struct Student<'a> {
    pub(super) mutant: &'static Mutant,
    problem: &'a Problem,
    /// The searches by the rules that it knows, one for each shape, if they are not the right ones.
    searches: Vec<Search>,
}

/// Why there is no output to judge.
pub(super) enum NoOutput {
    /// It would not have ended within the time limit.
    TooSlow(String),
    /// The reference solver gave up.
    Unfit(Unfit),
}

impl From<TooSlow> for NoOutput {
    fn from(too_slow: TooSlow) -> Self {
        Self::TooSlow(too_slow.to_string())
    }
}

impl From<GaveUp> for NoOutput {
    fn from(GaveUp: GaveUp) -> Self {
        Self::TooSlow(format!("makes more than {MOST_GUESSES} guesses and finds nothing"))
    }
}

impl From<TooHard> for NoOutput {
    fn from(too_hard: TooHard) -> Self {
        Self::Unfit(too_hard.into())
    }
}

impl<'a> Student<'a> {
    pub(super) fn new(mutant: &'static Mutant, problem: &'a Problem) -> Self {
        let searches = match mutant.wrong {
            Wrong::Rules(rules) => problem.format.shapes.iter().map(|shape| rules.search(shape)).collect(),
            _ => Vec::new(),
        };
        Self { mutant, problem, searches }
    }

    /// What it prints for a case.
    ///
    /// # Errors
    /// [`NoOutput`] if it would not have ended in time.
    pub(super) fn output(&self, boards: &[Board], exam: &Exam<'_>) -> Result<String, NoOutput> {
        let format = &self.problem.format;
        let answers = match self.mutant.wrong {
            Wrong::Writing(writing) => return Ok(writing.write(format, &exam.answers)),
            Wrong::Slow(slow) => {
                slow.spend(self.problem, boards, &exam.grids)?;
                return Ok(writing::plainly(format, &exam.answers));
            }
            Wrong::Reading(reading) => {
                let grids = reading.misread(self.problem, exam.input, &exam.grids);
                let said = grids.iter().map(|grid| self.search(&boards[grid.board].search, exam, grid));
                said.collect::<Result<Vec<_>, _>>()?
            }
            Wrong::Leftover(leftover) => {
                let mut memory = Memory::new(leftover, self.problem);
                each(exam, |grid, right| Ok(memory.say(&boards[grid.board], grid, right)?))?
            }
            wrong => each(exam, |grid, right| self.say(wrong, &boards[grid.board], grid, right))?,
        };
        Ok(writing::plainly(format, &answers))
    }

    /// What it says about one grid, whatever came before.
    fn say(&self, wrong: Wrong, board: &Board, grid: &Grid, right: &Truth) -> Result<Truth, NoOutput> {
        Ok(match wrong {
            Wrong::Rules(_) => {
                let search = &self.searches[grid.board];
                telling::tell(self.problem, &grid.clues, |clues, limit| search.solve(clues, limit))?
            }
            Wrong::Filling(filling) => filling.fill(self.problem, board, &grid.clues)?,
            Wrong::Stumble(stumble) if stumble.meets(self.problem, board, grid) => {
                stumble.say(self.problem, &grid.clues)
            }
            Wrong::Claim(claim) => claim.say(self.problem, board, grid, right)?,
            _ => right.clone(),
        })
    }

    /// What it says about a grid that need not be one of the case's, with the right search.
    fn search(&self, search: &Search, exam: &Exam<'_>, grid: &Grid) -> Result<Said, GaveUp> {
        let said = match exam.grids.iter().position(|known| known == grid) {
            Some(place) => exam.answers[place].1.clone(),
            None => telling::tell(self.problem, &grid.clues, |clues, limit| search.solve(clues, limit))?,
        };
        Ok((grid.board, said))
    }
}

/// What is said about each grid of a case.
fn each<'a>(
    exam: &'a Exam<'_>,
    mut say: impl FnMut(&'a Grid, &'a Truth) -> Result<Truth, NoOutput>,
) -> Result<Vec<Said>, NoOutput> {
    let grids = exam.grids.iter().zip(&exam.answers);
    grids.map(|(grid, (board, right))| Ok((*board, say(grid, right)?))).collect()
}
