//! Random numbers that repeat themselves: the same seed gives the same numbers on every machine, for ever. The generator is
//! xoshiro256**, whose output its authors and its crate have fixed; what is made of its numbers is spelled out here,
//! because libraries change how they draw from a range.

use rand_xoshiro::Xoshiro256StarStar;
use rand_xoshiro::rand_core::Rng;
use rand_xoshiro::rand_core::SeedableRng;

/// A generator of random numbers.
#[derive(Clone, Debug)]
pub struct SeededRng(Xoshiro256StarStar);

impl SeededRng {
    /// The generator for one item among many: for grid `path[1]` of file `path[0]`, say. None depends on how many numbers
    /// another has given, so the items may be made in any order.
    pub fn new(seed: u64, path: &[u64]) -> Self {
        let mixed = path.iter().fold(mix(seed), |state, &step| mix(state ^ mix(step)));
        Self(Xoshiro256StarStar::seed_from_u64(mixed))
    }

    /// A number below `limit`, all equally likely.
    ///
    /// # Panics
    /// If `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit).unwrap_or(u64::MAX);
        // The high half of a product of 64 bits each. A product whose low half falls into the uneven rest is drawn
        // again, so that no number is likelier than another.
        loop {
            let product = u128::from(self.0.next_u64()) * u128::from(limit);
            let low = product as u64;
            if low >= limit || low >= limit.wrapping_neg() % limit {
                return (product >> 64) as usize;
            }
        }
    }

    /// Puts things into a random order: from the last, each changes places with itself or one before it.
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

    /// One of the bits that are set.
    ///
    /// # Panics
    /// If none is.
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
    fn a_seed_gives_the_same_numbers_for_ever() {
        let mut rng = SeededRng::new(7, &[1, 2]);
        assert_eq!(
            (0..8).map(|_| rng.below(1000)).collect::<Vec<_>>(),
            [885, 33, 377, 30, 909, 648, 754, 723]
        );
    }

    #[test]
    fn neighbouring_paths_have_nothing_in_common() {
        let first = |seed, path: &[u64]| SeededRng::new(seed, path).below(1 << 40);
        let firsts = [first(7, &[]), first(7, &[0]), first(7, &[1]), first(7, &[0, 0]), first(8, &[0])];
        let mut apart = firsts.to_vec();
        apart.sort_unstable();
        apart.dedup();
        assert_eq!(apart.len(), firsts.len());
    }

    #[test]
    fn every_number_below_the_limit_is_drawn_about_equally_often() {
        let mut rng = SeededRng::new(1, &[]);
        let mut drawn = [0u32; 6];
        (0..6000).for_each(|_| drawn[rng.below(6)] += 1);
        assert!(drawn.iter().all(|times| (850..1150).contains(times)), "{drawn:?}");
    }
}
