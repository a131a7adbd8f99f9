//! Lists the sets of different values that add up to a sum: the possible values of a cage, in any
//! order.

/// The most sets that are listed. At order 9 there are at most twelve for any cage; a cage of many
/// cells in a large grid has too many to check repeatedly.
const MOST_SETS: usize = 1_000;

/// All sets of `size` values from 1 to `largest` that add up to `sum`, each as a mask in which bit
/// `v - 1` stands for value `v`; `None` if there are too many to list.
pub(super) fn value_sets(largest: usize, size: usize, sum: u32) -> Option<Vec<u32>> {
    let mut listing = SetListing {
        largest: largest as u32,
        sets: Vec::new(),
    };
    listing.extend(0, 0, size as u32, sum);
    (listing.sets.len() <= MOST_SETS).then_some(listing.sets)
}

struct SetListing {
    largest: u32,
    sets: Vec<u32>,
}

impl SetListing {
    /// Lists the sets that consist of `chosen`, whose largest value is `last`, and `size` larger
    /// values that add up to `sum`.
    fn extend(&mut self, chosen: u32, last: u32, size: u32, sum: u32) {
        if size == 0 {
            if sum == 0 {
                self.sets.push(chosen);
            }
            return;
        }
        for value in last + 1..=self.largest {
            // The smallest and the largest that this value and larger ones can add up to.
            let least = size * value + size * (size - 1) / 2;
            let most = value + (size - 1) * self.largest - (size - 1) * size.saturating_sub(2) / 2;
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
mod tests {
    use super::*;

    #[test]
    fn the_sets_are_exactly_those_with_the_sum() {
        for order in [1usize, 4, 6, 9] {
            for size in 1..=order {
                for sum in 0..=50 {
                    let expected: Vec<u32> = (0..1 << order)
                        .filter(|mask: &u32| {
                            let values =
                                (1..=order as u32).filter(|value| mask >> (value - 1) & 1 == 1);
                            mask.count_ones() as usize == size && values.sum::<u32>() == sum
                        })
                        .collect();
                    let mut found = value_sets(order, size, sum).unwrap();
                    found.sort_unstable();
                    assert_eq!(found, expected, "order {order}, {size} values of {sum}");
                }
            }
        }
        assert_eq!(value_sets(25, 12, 156), None);
    }
}
