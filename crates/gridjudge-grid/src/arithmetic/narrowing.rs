//! What cages and inequalities leave of candidates: what searches ask between two guesses. Knows no search.

use std::sync::Arc;

use super::demands::Arithmetic;
use super::demands::Cage;
use super::demands::Inequality;
use super::value_sets::value_sets;
use crate::Shape;

/// A cell has no candidate left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoCandidate;

/// The cages and inequalities of one shape, laid out for searching. Candidates are masks, row-major; bit `v - 1` stands for
/// value `v`.
#[derive(Clone, Debug)]
pub struct ArithmeticNarrowing {
    demands: Arc<Arithmetic>,
    /// All cages, and those that follow: what cages inside a house leave of its sum.
    cages: Vec<NarrowedCage>,
}

#[derive(Clone, Debug)]
struct NarrowedCage {
    cells: Vec<usize>,
    sum: u32,
    /// The sets of different values that add up to the sum, where values must be different and the sets are few.
    sets: Option<Vec<u32>>,
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
        let given = demands.cages.iter().map(|cage| NarrowedCage {
            cells: cage.cells.clone(),
            sum: cage.sum,
            sets: if cage.may_repeat { None } else { value_sets(order, cage.cells.len(), cage.sum) },
        });
        let rests = houses.into_iter().filter_map(|house| rest_of(house, &demands.cages, order));
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

/// What the cages inside a house leave of it: a cage as well, in which all values are different.
fn rest_of(house: &[usize], cages: &[Cage], order: usize) -> Option<NarrowedCage> {
    let inside: Vec<_> =
        cages.iter().filter(|cage| cage.cells.iter().all(|cell| house.contains(cell))).collect();
    let is_free = |cell: &usize| !inside.iter().any(|cage| cage.cells.contains(cell));
    let cells: Vec<_> = house.iter().copied().filter(is_free).collect();
    let whole = (order * (order + 1) / 2) as u32;
    let taken: u32 = inside.iter().map(|cage| cage.sum).sum();
    // Cages that add up to more than the house leave nothing, which no value is.
    let sum = whole.saturating_sub(taken);
    let sets = if taken > whole { Some(Vec::new()) } else { value_sets(order, cells.len(), sum) };
    (!inside.is_empty() && !cells.is_empty()).then_some(NarrowedCage { cells, sum, sets })
}

impl NarrowedCage {
    fn narrow(&self, candidates: &mut [u32]) -> Result<bool, NoCandidate> {
        let allowed = self.sets.as_ref().map_or(u32::MAX, |sets| self.allowed(sets, candidates));
        let bounds = self.cells.iter().map(|&cell| bounds_of(candidates[cell]));
        let (least, most) = bounds.fold((0, 0), |(least, most), (low, high)| (least + low, most + high));
        let mut has_moved = false;
        for &cell in &self.cells {
            let (low, high) = bounds_of(candidates[cell]);
            // The others add up to so much at most, and at least; the rest is this one's.
            let from = self.sum.saturating_sub(most - high);
            let to = self.sum.checked_sub(least - low).ok_or(NoCandidate)?;
            has_moved |= keep(&mut candidates[cell], allowed & from_to(from, to))?;
        }
        Ok(has_moved)
    }

    /// The values of all sets of which each cell can take one, and each value has a cell.
    fn allowed(&self, sets: &[u32], candidates: &[u32]) -> u32 {
        let union = self.cells.iter().fold(0, |union, &cell| union | candidates[cell]);
        let fits = |set: u32| set & !union == 0 && self.cells.iter().all(|&cell| candidates[cell] & set != 0);
        sets.iter().filter(|set| fits(**set)).fold(0, |allowed, set| allowed | set)
    }
}

fn narrow_pair(pair: Inequality, candidates: &mut [u32]) -> Result<bool, NoCandidate> {
    let (least, _) = bounds_of(candidates[pair.less]);
    let (_, most) = bounds_of(candidates[pair.greater]);
    let greater = keep(&mut candidates[pair.greater], from_to(least + 1, 32))?;
    let less = keep(&mut candidates[pair.less], from_to(0, most.saturating_sub(1)))?;
    Ok(greater || less)
}

/// The smallest and the largest value of a mask.
fn bounds_of(mask: u32) -> (u32, u32) {
    (mask.trailing_zeros() + 1, 32 - mask.leading_zeros())
}

/// The mask of the values between two, both included.
fn from_to(from: u32, to: u32) -> u32 {
    let up_to = |value: u32| if value >= 32 { u32::MAX } else { (1 << value) - 1 };
    up_to(to) & !up_to(from.saturating_sub(1))
}

fn keep(candidates: &mut u32, allowed: u32) -> Result<bool, NoCandidate> {
    let before = *candidates;
    *candidates &= allowed;
    if *candidates == 0 { Err(NoCandidate) } else { Ok(*candidates != before) }
}
