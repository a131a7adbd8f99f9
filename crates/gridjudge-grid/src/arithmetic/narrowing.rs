//! What cages and inequalities leave of candidates: what searches ask between two guesses. Knows no search.

use std::sync::Arc;

use super::demands::Arithmetic;
use super::demands::Inequality;
use super::masks::NoCandidate;
use super::masks::bounds_of;
use super::masks::from_to;
use super::masks::keep;
use super::narrowed_cage::NarrowedCage;
use crate::Shape;

/// The cages and inequalities of one shape, laid out for searching. Candidates are masks, row-major; bit `v - 1` stands for
/// value `v`.
#[derive(Clone, Debug)]
pub struct ArithmeticNarrowing {
    demands: Arc<Arithmetic>,
    /// All cages, and those that follow: what cages inside a house leave of its sum.
    cages: Vec<NarrowedCage>,
}

impl ArithmeticNarrowing {
    /// That of a shape; `None` if it has neither cages nor inequalities.
    pub fn of(shape: &Shape) -> Option<Self> {
        let houses = shape.houses();
        Self::within(shape, houses.iter().map(|house| &house.cells[..]))
    }

    /// The same for whoever knows these lists of cells, and no others, as whole houses.
    pub fn within<'a>(shape: &Shape, houses: impl IntoIterator<Item = &'a [usize]>) -> Option<Self> {
        let demands = shape.shared_arithmetic()?;
        let order = shape.order();
        let given = demands.cages.iter().map(|cage| NarrowedCage::new(cage, order));
        let rests =
            houses.into_iter().filter_map(|house| NarrowedCage::rest_of(house, &demands.cages, order));
        let cages = given.chain(rests).collect();
        Some(Self { demands, cages })
    }

    /// What it was made of.
    pub fn demands(&self) -> &Arithmetic {
        &self.demands
    }

    /// The cells whose value a cell must not have for the sake of its cage.
    pub fn cage_peers(&self, cell: usize) -> impl Iterator<Item = usize> + '_ {
        let cages =
            self.demands.cages.iter().filter(move |cage| !cage.may_repeat && cage.cells.contains(&cell));
        cages.flat_map(|cage| cage.cells.iter().copied()).filter(move |&peer| peer != cell)
    }

    /// Takes away what cannot stand, looking at each cage and inequality once. Says whether there was any.
    ///
    /// # Errors
    /// [`NoCandidate`] if that leaves a cell none. It is never said of cells that can be completed, and always of cells that
    /// have one candidate each and break something, save that cells of a cage may be the same.
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
    let less = keep(&mut candidates[pair.less], from_to(0, most.saturating_sub(1)))?;
    Ok(greater || less)
}
