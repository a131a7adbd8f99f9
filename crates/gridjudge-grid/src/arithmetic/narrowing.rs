//! Removes candidates that cages and inequalities exclude. Searches use it between two guesses.
//! Knows no search.

use std::sync::Arc;

use crate::Shape;
use crate::arithmetic::demands::{Arithmetic, Inequality, NoCandidate, bounds_of, from_to, keep};
use crate::arithmetic::narrowed_cage::NarrowedCage;

/// The cages and inequalities of one shape, laid out for searching. Candidates are masks,
/// row-major; bit `v - 1` stands for value `v`.
#[derive(Clone, Debug)]
pub struct ArithmeticNarrowing {
    demands: Arc<Arithmetic>,
    /// All cages, and those derived from them: the rest of each house that contains whole cages.
    cages: Vec<NarrowedCage>,
}

impl ArithmeticNarrowing {
    /// The narrowing for a shape; `None` if it has neither cages nor inequalities.
    pub fn of(shape: &Shape) -> Option<Self> {
        let houses = shape.houses();
        Self::within(shape, houses.iter().map(|house| &house.cells[..]))
    }

    /// The narrowing for a shape if only these lists of cells are used as houses.
    pub fn within<'a>(
        shape: &Shape,
        houses: impl IntoIterator<Item = &'a [usize]>,
    ) -> Option<Self> {
        let demands = shape.shared_arithmetic()?;
        let values = shape.values();
        let given = demands
            .cages
            .iter()
            .map(|cage| NarrowedCage::new(cage, values));
        let rests = houses
            .into_iter()
            .filter_map(|house| NarrowedCage::rest_of(house, &demands.cages, values));
        let cages = given.chain(rests).collect();
        Some(Self { demands, cages })
    }

    /// The cages and inequalities.
    pub fn demands(&self) -> &Arithmetic {
        &self.demands
    }

    /// The cells whose value a cell must not have because they are in its cage.
    pub fn cage_peers(&self, cell: usize) -> impl Iterator<Item = usize> + '_ {
        let cages = self
            .demands
            .cages
            .iter()
            .filter(move |cage| !cage.may_repeat && cage.cells.contains(&cell));
        cages
            .flat_map(|cage| cage.cells.iter().copied())
            .filter(move |&peer| peer != cell)
    }

    /// Removes impossible candidates, applying each cage and inequality once. Returns whether there
    /// were any.
    ///
    /// # Errors
    /// Returns [`NoCandidate`] if a cell has no candidate left. This never happens if the cells can
    /// be completed. It always happens if every cell has one candidate and a cage or inequality is
    /// broken, except by equal values in a cage, which are not checked here.
    pub fn narrow(&self, candidates: &mut [u32]) -> Result<bool, NoCandidate> {
        let mut has_moved = false;
        for cage in &self.cages {
            has_moved |= cage.narrow(candidates)?;
        }
        for inequality in &self.demands.inequalities {
            has_moved |= narrow_pair(*inequality, candidates)?;
        }
        Ok(has_moved)
    }
}

fn narrow_pair(pair: Inequality, candidates: &mut [u32]) -> Result<bool, NoCandidate> {
    let (least, _) = bounds_of(candidates[pair.less]);
    let (_, most) = bounds_of(candidates[pair.greater]);
    let greater = keep(&mut candidates[pair.greater], from_to(least + 1, 32))?;
    let less = keep(
        &mut candidates[pair.less],
        from_to(0, most.saturating_sub(1)),
    )?;
    Ok(greater || less)
}
