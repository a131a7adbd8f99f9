//! Removes candidates that cages and inequalities exclude, all of a grid or one cage at
//! a time. Searches use it between two guesses. Knows no search. Start at
//! [`ArithmeticNarrowing`].

use std::sync::Arc;

use crate::Shape;
use crate::arithmetic::{
    Arithmetic, Cage, CageOperation, Inequality, Narrowed, NoCandidate, bounds_of,
    fitting, from_to, keep, values_of,
};

/// The cages and inequalities of one shape, laid out for searching. Candidates are
/// masks, row-major; bit `v - 1` stands for value `v`.
#[derive(Clone, Debug)]
pub struct ArithmeticNarrowing {
    demands: Arc<Arithmetic>,
    /// All cages, and those derived from them: the rest of each house that contains
    /// whole cages.
    cages: Vec<NarrowedCage>,
}

impl ArithmeticNarrowing {
    /// The narrowing for a shape; `None` if it has neither cages nor inequalities.
    pub fn for_shape(shape: &Shape) -> Option<Self> {
        Self::within(shape, shape.houses().iter().map(|house| &house.cells[..]))
    }

    /// The narrowing for a shape if only these lists of cells are used as houses.
    pub fn within<'a>(
        shape: &Shape,
        houses: impl IntoIterator<Item = &'a [usize]>,
    ) -> Option<Self> {
        let demands = shape.arithmetic.clone()?;
        let values = shape.values();
        let given = demands
            .cages
            .iter()
            .map(|cage| NarrowedCage::new(cage.clone(), values));
        let cages = given
            .chain(houses.into_iter().filter_map(|house| {
                NarrowedCage::rest_of(house, &demands.cages, values)
            }))
            .collect();
        Some(Self { demands, cages })
    }

    /// The cages and inequalities.
    pub fn demands(&self) -> &Arithmetic {
        &self.demands
    }

    /// Removes impossible candidates, applying each cage and inequality once. Returns
    /// whether there were any.
    ///
    /// # Errors
    /// Returns [`NoCandidate`] if a cell has no candidate left. This never happens if
    /// the cells can be completed. It always happens if every cell has one candidate
    /// and a cage or inequality is broken, except by equal values in a cage, which are
    /// not checked here.
    pub fn narrow(&self, candidates: &mut [u32]) -> Narrowed {
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

fn narrow_pair(pair: Inequality, candidates: &mut [u32]) -> Narrowed {
    let (least, _) = bounds_of(candidates[pair.less]);
    let (_, most) = bounds_of(candidates[pair.greater]);
    let greater = keep(&mut candidates[pair.greater], from_to(least + 1, 32))?;
    let less = keep(
        &mut candidates[pair.less],
        from_to(0, most.saturating_sub(1)),
    )?;
    Ok(greater || less)
}

// Removes candidates that one cage excludes from its cells. Knows no other cage, and no
// search.

/// A cage, laid out for searching.
#[derive(Clone, Debug)]
struct NarrowedCage {
    cage: Cage,
    /// The sets of different values that add up to the target; `None` if the cage has
    /// another operation, values may repeat, or there are too many sets.
    sets: Option<Vec<u32>>,
}

impl NarrowedCage {
    /// A cage of a grid with this many symbols.
    fn new(cage: Cage, values: usize) -> Self {
        let is_listed = cage.operation == CageOperation::Sum && !cage.may_repeat;
        let sets = is_listed
            .then(|| value_sets(values, cage.cells.len(), cage.target))
            .flatten();
        Self { cage, sets }
    }

    /// The cells of a house outside the sum cages in it: they form another sum cage, in
    /// which all values are different. `None` if there are no such cells or no such
    /// cages.
    fn rest_of(house: &[usize], cages: &[Cage], values: usize) -> Option<Self> {
        let mut inside: Vec<&Cage> = vec![];
        for cage in cages
            .iter()
            .filter(|cage| cage.operation == CageOperation::Sum)
            .filter(|cage| cage.cells.iter().all(|cell| house.contains(cell)))
        {
            // The rows and columns of a magic square cross each other; its rows leave
            // no cell.
            if !inside
                .iter()
                .any(|other| other.cells.iter().any(|cell| cage.cells.contains(cell)))
            {
                inside.push(cage);
            }
        }
        let mut cells = house.to_vec();
        cells.retain(|cell| !inside.iter().any(|cage| cage.cells.contains(cell)));
        let whole = (values * (values + 1) / 2) as u64;
        let taken: u64 = inside.iter().map(|cage| cage.target).sum();
        let rest = Cage {
            cells,
            operation: CageOperation::Sum,
            // If the cages add up to more than the house, no set of values fits.
            target: whole.saturating_sub(taken),
            may_repeat: false,
        };
        (!inside.is_empty() && !rest.cells.is_empty())
            .then(|| Self::new(rest, values))
    }

    /// Removes impossible candidates from its cells. Returns whether there were any.
    ///
    /// # Errors
    /// Returns [`NoCandidate`] if a cell has no candidate left.
    fn narrow(&self, candidates: &mut [u32]) -> Narrowed {
        match self.cage.operation {
            CageOperation::Sum => self.narrow_sum(candidates),
            CageOperation::Product => self.narrow_product(candidates),
            CageOperation::Difference => self
                .narrow_pair(candidates, |one, other| {
                    one.saturating_add(self.cage.target) == other
                }),
            CageOperation::Quotient => self.narrow_pair(candidates, |one, other| {
                one.saturating_mul(self.cage.target) == other
            }),
        }
    }

    fn narrow_sum(&self, candidates: &mut [u32]) -> Narrowed {
        let allowed = self
            .sets
            .as_ref()
            .map_or(u32::MAX, |sets| self.allowed(sets, candidates));
        // No grid has sums that do not fit a `u32`.
        let target = u32::try_from(self.cage.target).map_err(|_| NoCandidate)?;
        let (least, most) = self
            .cage
            .cells
            .iter()
            .map(|&cell| bounds_of(candidates[cell]))
            .fold((0, 0), |(least, most), (low, high)| {
                (least + low, most + high)
            });
        let mut has_moved = false;
        for &cell in &self.cage.cells {
            let (low, high) = bounds_of(candidates[cell]);
            // The other cells add up to at least `least - low` and at most
            // `most - high`; this cell must have the rest.
            let from = target.saturating_sub(most - high);
            let to = target.checked_sub(least - low).ok_or(NoCandidate)?;
            has_moved |= keep(&mut candidates[cell], allowed & from_to(from, to))?;
        }
        Ok(has_moved)
    }

    /// The values of all sets that fit: each cell has a candidate in the set, and each
    /// value of the set is a candidate of some cell.
    fn allowed(&self, sets: &[u32], candidates: &[u32]) -> u32 {
        let union = self
            .cage
            .cells
            .iter()
            .fold(0, |union, &cell| union | candidates[cell]);
        sets.iter()
            .filter(|set| {
                **set & !union == 0
                    && self
                        .cage
                        .cells
                        .iter()
                        .all(|&cell| candidates[cell] & **set != 0)
            })
            .fold(0, |allowed, set| allowed | set)
    }

    /// Keeps values that divide the target and leave a quotient within the bounds of
    /// the product of the other cells.
    fn narrow_product(&self, candidates: &mut [u32]) -> Narrowed {
        let mut has_moved = false;
        for &cell in &self.cage.cells {
            let (least, most) = self
                .cage
                .cells
                .iter()
                .filter(|&&other| other != cell)
                .map(|&other| bounds_of(candidates[other]))
                .fold((1u64, 1u64), |(least, most), (low, high)| {
                    (
                        least.saturating_mul(u64::from(low)),
                        most.saturating_mul(u64::from(high)),
                    )
                });
            let allowed = fitting(candidates[cell], |value| {
                let rest = self.cage.target / value;
                self.cage.target.is_multiple_of(value)
                    && (least..=most).contains(&rest)
            });
            has_moved |= keep(&mut candidates[cell], allowed)?;
        }
        Ok(has_moved)
    }

    /// Keeps, in each of two cells, the values that fit a value of the other cell, as
    /// the smaller or as the larger of the two.
    fn narrow_pair(
        &self,
        candidates: &mut [u32],
        fits: impl Fn(u64, u64) -> bool,
    ) -> Narrowed {
        let &[one, other] = &self.cage.cells[..] else {
            return Err(NoCandidate);
        };
        let mut has_moved = false;
        for (cell, other) in [(one, other), (other, one)] {
            let partners = candidates[other];
            let allowed = fitting(candidates[cell], |value| {
                values_of(partners)
                    .any(|partner| fits(value, partner) || fits(partner, value))
            });
            has_moved |= keep(&mut candidates[cell], allowed)?;
        }
        Ok(has_moved)
    }
}

// Lists the sets of different values that add up to a sum: the possible values of a
// cage, in any order.

/// The most sets that are listed. At order 9 there are at most twelve for any cage; a
/// cage of many cells in a large grid has too many to check repeatedly.
const MOST_SETS: usize = 1_000;

/// All sets of `size` values from 1 to `largest` that add up to `sum`, each as a mask
/// in which bit `v - 1` stands for value `v`; `None` if there are too many to list.
fn value_sets(largest: usize, size: usize, sum: u64) -> Option<Vec<u32>> {
    let mut listing = SetListing {
        largest: largest as u64,
        sets: vec![],
    };
    listing.extend(0, 0, size as u64, sum);
    (listing.sets.len() <= MOST_SETS).then_some(listing.sets)
}

struct SetListing {
    largest: u64,
    sets: Vec<u32>,
}

impl SetListing {
    /// Lists the sets that consist of `chosen`, whose largest value is `last`, and
    /// `size` larger values that add up to `sum`.
    fn extend(&mut self, chosen: u32, last: u64, size: u64, sum: u64) {
        if size == 0 {
            if sum == 0 {
                self.sets.push(chosen);
            }
            return;
        }
        for value in last + 1..=self.largest {
            // The smallest and the largest that this value and larger ones can add up
            // to.
            let least = size * value + size * (size - 1) / 2;
            let most = value + (size - 1) * self.largest
                - (size - 1) * size.saturating_sub(2) / 2;
            if least > sum || self.sets.len() > MOST_SETS {
                return;
            }
            if value + size - 1 <= self.largest && most >= sum {
                self.extend(chosen | 1 << (value - 1), value, size - 1, sum - value);
            }
        }
    }
}

#[cfg(test)]
mod value_sets_tests {
    use super::*;

    #[test]
    fn the_sets_are_exactly_those_with_the_sum() {
        for order in [1usize, 4, 6, 9] {
            for size in 1..=order {
                for sum in 0..=50 {
                    let expected: Vec<u32> = (0..1 << order)
                        .filter(|mask: &u32| {
                            let values = (1..=order as u32)
                                .filter(|value| mask >> (value - 1) & 1 == 1);
                            mask.count_ones() as usize == size
                                && u64::from(values.sum::<u32>()) == sum
                        })
                        .collect();
                    let mut found = value_sets(order, size, sum).unwrap();
                    found.sort_unstable();
                    assert_eq!(
                        found, expected,
                        "order {order}, {size} values of {sum}"
                    );
                }
            }
        }
        assert_eq!(value_sets(25, 12, 156), None);
    }
}
