//! Parses the target of a cage, as `12x`, and decides whether a cage of a given size can reach it.

use std::collections::BTreeSet;

use gridjudge_grid::CageOperation;

/// The most cells of a cage with a product. The product of more cells of the largest value would
/// not fit a `u64`.
pub(super) const MOST_FACTORS: usize = 13;

/// The number that a cage must reach, and the operation. A cage of one cell needs no operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CageTarget {
    pub(super) operation: Option<CageOperation>,
    pub(super) number: u64,
}

impl CageTarget {
    /// Parses a number with an optional `+`, `x`, `-` or `/` after it.
    pub(super) fn read(text: &str) -> Option<Self> {
        let operation = CageOperation::ALL
            .into_iter()
            .find(|operation| text.ends_with(sign(*operation)));
        let digits = operation.map_or(text, |operation| {
            &text[..text.len() - sign(operation).len_utf8()]
        });
        let digits = digits.trim_end();
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        // No cage can reach a number that does not fit.
        is_number.then(|| Self {
            operation,
            number: digits.parse().unwrap_or(u64::MAX),
        })
    }
}

/// The sign of an operation, written after the number.
fn sign(operation: CageOperation) -> char {
    match operation {
        CageOperation::Sum => '+',
        CageOperation::Product => 'x',
        CageOperation::Difference => '-',
        CageOperation::Quotient => '/',
    }
}

/// The verb of an operation for messages, as `add up to`.
pub(super) fn verb_of(operation: CageOperation) -> &'static str {
    match operation {
        CageOperation::Sum => "add up to",
        CageOperation::Product => "multiply to",
        CageOperation::Difference => "differ by",
        CageOperation::Quotient => "divide to",
    }
}

/// The properties of a cage that decide which targets it can reach.
#[derive(Clone, Copy, Debug)]
pub(super) struct CageSize {
    pub(super) cells: u64,
    /// The largest value.
    pub(super) order: u64,
    pub(super) may_repeat: bool,
}

impl CageSize {
    /// The smallest and the largest number that the cage can reach. Differences and quotients have
    /// two cells.
    pub(super) fn bounds(self, operation: CageOperation) -> (u64, u64) {
        let Self {
            cells,
            order,
            may_repeat,
        } = self;
        match operation {
            CageOperation::Sum if may_repeat => (cells, cells * order),
            CageOperation::Sum => (cells * (cells + 1) / 2, cells * (2 * order + 1 - cells) / 2),
            CageOperation::Product if may_repeat => (1, order.saturating_pow(cells as u32)),
            CageOperation::Product => {
                ((1..=cells).product(), (order + 1 - cells..=order).product())
            }
            CageOperation::Difference => (u64::from(!may_repeat), order - 1),
            CageOperation::Quotient => (if may_repeat { 1 } else { 2 }, order),
        }
    }

    /// Whether the cage can reach a number that is within its bounds.
    pub(super) fn can_make(self, operation: CageOperation, target: u64) -> bool {
        operation != CageOperation::Product || self.can_multiply_to(target)
    }

    fn can_multiply_to(self, target: u64) -> bool {
        let cells = self.cells as usize;
        // `products[n]`: the products of `n` values so far that divide the target.
        let mut products: Vec<BTreeSet<u64>> = vec![BTreeSet::new(); cells + 1];
        products[0].insert(1);
        for value in 1..=self.order {
            for step in 0..cells {
                // In ascending order, a value is used any number of times; in descending order, at
                // most once.
                let count = if self.may_repeat {
                    step
                } else {
                    cells - 1 - step
                };
                let larger: Vec<_> = products[count]
                    .iter()
                    .filter_map(|product| product.checked_mul(value))
                    .filter(|&product| target.is_multiple_of(product))
                    .collect();
                products[count + 1].extend(larger);
            }
        }
        products[cells].contains(&target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_a_number_and_a_sign() {
        let read = |text| CageTarget::read(text).map(|target| (target.operation, target.number));
        assert_eq!(read("12x"), Some((Some(CageOperation::Product), 12)));
        assert_eq!(read("3-"), Some((Some(CageOperation::Difference), 3)));
        assert_eq!(read("2 /"), Some((Some(CageOperation::Quotient), 2)));
        assert_eq!(read("7+"), Some((Some(CageOperation::Sum), 7)));
        assert_eq!(read("4"), Some((None, 4)));
        for text in [
            "", "x", "x12", "12*", "12xx", "-3", "3.5+", "1 2x", " 3", "3\u{d7}",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_cage_can_reach_a_product_if_some_values_have_it() {
        for order in 1u64..=6 {
            for (cells, may_repeat) in (1..=3u64).flat_map(|cells| [(cells, false), (cells, true)])
            {
                let size = CageSize {
                    cells,
                    order,
                    may_repeat,
                };
                if cells > order && !may_repeat {
                    continue;
                }
                let all: Vec<_> = values(size)
                    .iter()
                    .map(|values| values.iter().product::<u64>())
                    .collect();
                let (least, most) = size.bounds(CageOperation::Product);
                assert_eq!(
                    (all.iter().min(), all.iter().max()),
                    (Some(&least), Some(&most)),
                    "{size:?}"
                );
                for target in least..=most {
                    let expected = all.contains(&target);
                    assert_eq!(
                        size.can_make(CageOperation::Product, target),
                        expected,
                        "{size:?} {target}"
                    );
                }
            }
        }
    }

    fn values(size: CageSize) -> Vec<Vec<u64>> {
        (0..size.cells).fold(vec![Vec::new()], |known, _| {
            let longer = known.iter().flat_map(|values: &Vec<u64>| {
                let next: Vec<_> = (1..=size.order)
                    .filter(|value| size.may_repeat || !values.contains(value))
                    .collect();
                next.into_iter()
                    .map(|value| [&values[..], &[value]].concat())
            });
            longer.collect()
        })
    }
}
