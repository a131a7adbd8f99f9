//! Grids by construction: random ones, minimal ones, hard ones, and ones that defeat a given search. The same dice
//! give the same grid, on every machine and for ever, however the solver comes to its answers: it is asked only for
//! what does not depend on its ways. Start at [`Maker::make`].

mod board;
mod dice;
mod full;
mod late;
mod proofs;
mod rate;
mod seventeen;
mod slow;
mod steps;
mod swaps;
mod symmetry;
mod thin;
mod turn;

use std::sync::Arc;

use serde::Deserialize;
use serde::Serialize;

pub use dice::Dice;
pub use rate::MOST_GUESSES;
pub use rate::Rater;
pub use rate::Rating;
pub use symmetry::Symmetry;

use crate::BLANK;
use crate::Shape;
use crate::Value;
use crate::make::board::Map;
use crate::make::full::Filler;
use crate::make::proofs::Prover;
use crate::make::slow::Saboteur;
use crate::make::thin::Proofs;
use crate::make::thin::Thinning;
use crate::naive::Naive;
use crate::naive::Searcher;

/// What is blanked together.
type Groups = Arc<[Vec<usize>]>;

/// Grids begun before giving up on one that is as asked for.
const ATTEMPTS: usize = 2_000;

/// What kind of grid is to be made. All but the last two have one solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// No blank.
    Complete,
    /// As many clues as are given here.
    Clues(usize),
    /// No clue can be taken away.
    Minimal,
    /// The clues stand symmetrically, and no group of them that stands for each other can be taken away.
    Symmetric(Symmetry),
    /// 17 clues. Plain 9x9 only.
    Seventeen,
    /// No clue can be taken away, and it is as hard as this.
    Rated(Rating),
    /// Takes a naive search this many nodes at least. Plain 9x9 only.
    Slow {
        /// The search.
        search: Naive,
        /// The nodes.
        nodes: u64,
    },
    /// Between these numbers of solutions, and no more clues taken away than that needs.
    Several {
        /// At least so many.
        least: usize,
        /// At most so many.
        most: usize,
    },
    /// No solution, which singles do not show.
    Unsolvable,
}

/// Why a grid cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotMake {
    /// The kind is for plain 9x9 grids.
    #[error("grids of this kind are 9x9, with boxes of 3x3 and no other regions")]
    NotNine,
    /// No complete grid was found.
    #[error("no complete grid of this shape was found")]
    Full,
    /// No grid of so few clues was found.
    #[error("no grid with {wanted} clues and one solution was found; the one with the fewest had {fewest}")]
    Clues {
        /// As asked for.
        wanted: usize,
        /// The fewest clues that came out.
        fewest: usize,
    },
    /// No grid of this rating was found.
    #[error("none of {ATTEMPTS} minimal grids was rated {}", .0.name())]
    Rated(Rating),
    /// No grid took the search so long.
    #[error("no grid was found that takes a search `{search}` {nodes} nodes; the worst took {most}")]
    Slow {
        /// The name of the search.
        search: &'static str,
        /// As asked for.
        nodes: u64,
        /// The most that one took.
        most: u64,
    },
    /// No grid had as many solutions.
    #[error("no grid with {least} to {most} solutions was found")]
    Several {
        /// At least so many.
        least: usize,
        /// At most so many.
        most: usize,
    },
    /// All grids without solution gave themselves away.
    #[error("no grid was found whose lack of a solution singles do not show")]
    Unsolvable,
}

/// Makes grids of one shape.
#[derive(Debug)]
pub struct Maker {
    map: Arc<Map>,
    filler: Filler,
    prover: Prover,
    rater: Rater,
    saboteur: Saboteur,
    shape: Shape,
}

impl Maker {
    /// A maker of grids of this shape.
    pub fn new(shape: &Shape) -> Self {
        let map = Arc::new(Map::new(shape));
        Self {
            filler: Filler::new(&map),
            prover: Prover::new(shape),
            rater: Rater::on(&map),
            saboteur: Saboteur::new(Searcher::new(shape)),
            shape: shape.clone(),
            map,
        }
    }

    /// Makes one grid: row-major, 0 for blank.
    ///
    /// # Errors
    /// [`CannotMake`] if there is no such grid, or none was found.
    pub fn make(&mut self, kind: Kind, dice: &mut Dice) -> Result<Vec<Value>, CannotMake> {
        match kind {
            Kind::Complete => self.filler.full(dice),
            Kind::Clues(clues) => self.with_clues(clues, dice),
            Kind::Minimal => self.minimal(dice),
            Kind::Symmetric(symmetry) => self.thinned(&symmetry.groups(self.shape.order()).into(), 0, dice),
            Kind::Seventeen => Ok(seventeen::turned(self.nine(dice)?)),
            Kind::Rated(rating) => self.rated(rating, dice),
            Kind::Slow { search, nodes } => {
                let dice = self.nine(dice)?;
                self.saboteur.slow(&mut self.prover, search, nodes, dice)
            }
            Kind::Several { least, most } => self.several(least, most, dice),
            Kind::Unsolvable => late::unsolvable(self, dice),
        }
    }

    /// Makes a grid for each of several dice, the same that [`make`](Self::make) makes, but with proofs led side by side
    /// where that is quicker.
    ///
    /// # Errors
    /// The first [`CannotMake`].
    pub fn make_many(&mut self, kind: Kind, dice: &mut [Dice]) -> Result<Vec<Vec<Value>>, CannotMake> {
        match kind {
            Kind::Minimal => self.thinned_together(&self.single_cells(), 0, dice),
            Kind::Symmetric(symmetry) => {
                self.thinned_together(&symmetry.groups(self.shape.order()).into(), 0, dice)
            }
            _ => dice.iter_mut().map(|dice| self.make(kind, dice)).collect(),
        }
    }

    /// How hard grids of this shape are.
    pub fn rater(&self) -> &Rater {
        &self.rater
    }

    fn nine<'d>(&self, dice: &'d mut Dice) -> Result<&'d mut Dice, CannotMake> {
        if is_plain_nine(&self.shape) { Ok(dice) } else { Err(CannotMake::NotNine) }
    }

    fn minimal(&mut self, dice: &mut Dice) -> Result<Vec<Value>, CannotMake> {
        self.thinned(&self.single_cells(), 0, dice)
    }

    fn thinned(&mut self, groups: &Groups, least: usize, dice: &mut Dice) -> Result<Vec<Value>, CannotMake> {
        let mut thinning = self.thinning(groups, least, dice, Proofs::Alone)?;
        while let Some(question) = thinning.question() {
            let is_unique = self.prover.is_unique(question);
            thinning.answer(is_unique);
        }
        Ok(thinning.into_cells())
    }

    fn thinned_together(
        &mut self,
        groups: &Groups,
        least: usize,
        dice: &mut [Dice],
    ) -> Result<Vec<Vec<Value>>, CannotMake> {
        let thinnings = dice.iter_mut().map(|dice| self.thinning(groups, least, dice, Proofs::Together));
        let mut thinnings = thinnings.collect::<Result<Vec<_>, _>>()?;
        let mut answers = Vec::new();
        loop {
            self.prover.are_unique(thinnings.iter().filter_map(Thinning::question), &mut answers);
            if answers.is_empty() {
                return Ok(thinnings.into_iter().map(Thinning::into_cells).collect());
            }
            let open = thinnings.iter_mut().filter(|thinning| thinning.question().is_some());
            open.zip(&answers).for_each(|(thinning, &is_unique)| thinning.answer(is_unique));
        }
    }

    /// A random grid of which groups of cells are to be blanked in random order.
    fn thinning(
        &self,
        groups: &Groups,
        least: usize,
        dice: &mut Dice,
        proofs: Proofs,
    ) -> Result<Thinning, CannotMake> {
        let full = self.filler.full(dice)?;
        let order = dice.order(groups.len());
        Ok(Thinning::new(&self.map, full, groups, order, least, proofs))
    }

    /// Every cell by itself.
    fn single_cells(&self) -> Groups {
        (0..self.shape.cells()).map(|cell| vec![cell]).collect()
    }

    fn with_clues(&mut self, wanted: usize, dice: &mut Dice) -> Result<Vec<Value>, CannotMake> {
        let mut fewest = self.shape.cells();
        for _ in 0..ATTEMPTS {
            let cells = self.thinned(&self.single_cells(), wanted, dice)?;
            let clues = cells.iter().filter(|&&value| value != BLANK).count();
            if clues == wanted {
                return Ok(cells);
            }
            fewest = fewest.min(clues);
        }
        Err(CannotMake::Clues { wanted, fewest })
    }

    fn rated(&mut self, rating: Rating, dice: &mut Dice) -> Result<Vec<Value>, CannotMake> {
        for _ in 0..ATTEMPTS {
            let cells = self.minimal(dice)?;
            if self.rater.rating(&cells) == rating {
                return Ok(cells);
            }
        }
        Err(CannotMake::Rated(rating))
    }

    /// A minimal grid of which further clues are taken away, each unless that leaves too many solutions.
    fn several(&mut self, least: usize, most: usize, dice: &mut Dice) -> Result<Vec<Value>, CannotMake> {
        for _ in 0..ATTEMPTS {
            let mut cells = self.minimal(dice)?;
            for cell in dice.order(cells.len()) {
                let clue = std::mem::replace(&mut cells[cell], BLANK);
                match self.prover.count(&cells, most.saturating_add(1)) {
                    _ if clue == BLANK => {}
                    Some(count) if (least..=most).contains(&count) => return Ok(cells),
                    Some(count) if count < least => {}
                    _ => cells[cell] = clue,
                }
            }
        }
        Err(CannotMake::Several { least, most })
    }
}

/// Whether grids of this shape are the usual ones.
pub fn is_plain_nine(shape: &Shape) -> bool {
    shape.order() == 9 && shape.has_only_boxes(3, 3)
}

#[cfg(test)]
mod tests;
