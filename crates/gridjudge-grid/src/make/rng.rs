//! Generates reproducible random numbers: the same seed gives the same numbers on every
//! machine and in every version. The generator is xoshiro256**, whose output is fixed
//! by its authors and its crate; everything derived from its numbers is implemented
//! here, because libraries change how they draw from a range.

use rand_xoshiro::Xoshiro256StarStar;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::Value;

/// A generator of random numbers.
#[derive(Clone, Debug)]
pub struct SeededRng(Xoshiro256StarStar);

impl SeededRng {
    /// The generator for one item among many, such as grid `path[1]` of file `path[0]`.
    /// Generators do not depend on how many numbers others have drawn, so the items may
    /// be made in any order.
    pub fn new(seed: u64, path: &[u64]) -> Self {
        Self(Xoshiro256StarStar::seed_from_u64(
            path.iter()
                .fold(mix(seed), |state, &step| mix(state ^ mix(step))),
        ))
    }

    /// A number below `limit`. All are equally likely.
    ///
    /// # Panics
    /// If `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit).unwrap_or(u64::MAX);
        // The result is the high half of the product of two 64-bit numbers. If the low
        // half is in the uneven remainder, another number is drawn, so that no result
        // is more likely than another.
        loop {
            let product = u128::from(self.0.next_u64()) * u128::from(limit);
            let low = product as u64;
            if low >= limit || low >= limit.wrapping_neg() % limit {
                return (product >> 64) as usize;
            }
        }
    }

    /// Shuffles a slice: starting from the last, each element is swapped with itself or
    /// one before it.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }

    /// The numbers below `limit` in a random order.
    pub fn order(&mut self, limit: usize) -> Vec<usize> {
        let mut numbers: Vec<_> = (0..limit).collect();
        self.shuffle(&mut numbers);
        numbers
    }

    /// The values from 1 to `most` in a random order.
    pub(super) fn values(&mut self, most: usize) -> Vec<Value> {
        self.order(most)
            .into_iter()
            .map(|place| place as Value + 1)
            .collect()
    }

    /// One of the set bits of a mask.
    ///
    /// # Panics
    /// If no bit is set.
    pub(super) fn bit(&mut self, mut mask: u32) -> u32 {
        for _ in 0..self.below(mask.count_ones() as usize) {
            mask &= mask - 1;
        }
        mask & mask.wrapping_neg()
    }
}

/// Spreads the bits of a number: the last step of splitmix64.
fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_known_numbers() {
        let mut rng = SeededRng::new(7, &[1, 2]);
        assert_eq!(
            (0..8).map(|_| rng.below(1000)).collect::<Vec<_>>(),
            [885, 33, 377, 30, 909, 648, 754, 723]
        );
    }

    #[test]
    fn neighbouring_seeds_and_paths_give_different_numbers() {
        let first = |seed, path: &[u64]| SeededRng::new(seed, path).below(1 << 40);
        let firsts = [
            first(7, &[]),
            first(7, &[0]),
            first(7, &[1]),
            first(7, &[0, 0]),
            first(8, &[0]),
        ];
        let mut distinct = firsts.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), firsts.len());
    }

    #[test]
    fn every_number_below_the_limit_is_drawn_about_equally_often() {
        let mut rng = SeededRng::new(1, &[]);
        let mut drawn = [0u32; 6];
        for _ in 0..6000 {
            drawn[rng.below(6)] += 1;
        }
        assert!(
            drawn.iter().all(|times| (850..1150).contains(times)),
            "{drawn:?}"
        );
    }
}
