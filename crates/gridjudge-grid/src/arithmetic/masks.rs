//! Computes with the candidates of a cell as a mask, in which bit `v - 1` stands for value `v`: its
//! bounds, ranges of values, and restrictions.

/// A cell has no candidate left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoCandidate;

/// The values of a mask, smallest first.
pub(super) fn values_of(mask: u32) -> impl Iterator<Item = u64> {
    (1..=32).filter(move |value| mask >> (value - 1) & 1 == 1)
}

/// The mask of the values for which `fits` holds.
pub(super) fn fitting(mask: u32, fits: impl Fn(u64) -> bool) -> u32 {
    values_of(mask)
        .filter(|&value| fits(value))
        .fold(0, |kept, value| kept | 1 << (value - 1))
}

/// The smallest and the largest value of a mask.
pub(super) fn bounds_of(mask: u32) -> (u32, u32) {
    (mask.trailing_zeros() + 1, 32 - mask.leading_zeros())
}

/// The mask of the values from `from` to `to`, both included.
pub(super) fn from_to(from: u32, to: u32) -> u32 {
    let up_to = |value: u32| {
        if value >= 32 {
            u32::MAX
        } else {
            (1 << value) - 1
        }
    };
    up_to(to) & !up_to(from.saturating_sub(1))
}

/// Removes candidates that are not allowed. Returns whether there were any.
///
/// # Errors
/// Returns [`NoCandidate`] if no candidate is left.
pub(super) fn keep(candidates: &mut u32, allowed: u32) -> Result<bool, NoCandidate> {
    let before = *candidates;
    *candidates &= allowed;
    if *candidates == 0 {
        Err(NoCandidate)
    } else {
        Ok(*candidates != before)
    }
}
