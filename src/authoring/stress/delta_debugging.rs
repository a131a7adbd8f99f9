//! Delta debugging: reduces a list of things that together cause something to few that still do.
//! Knows nothing of grids.

/// Returns few of the things, in their order, for which `happens` still holds. It must hold for all
/// of them. No single one of the returned things can be left out. Parts are tried first, then the
/// complements of parts, beginning with halves and going on with ever smaller parts.
///
/// # Errors
/// The first error of `happens`.
pub(super) fn fewest<T: Clone, E>(
    things: Vec<T>,
    happens: &mut dyn FnMut(&[T]) -> Result<bool, E>,
) -> Result<Vec<T>, E> {
    if things.is_empty() || happens(&[])? {
        return Ok(Vec::new());
    }
    let mut left = things;
    let mut parts = 2;
    while left.len() > 1 {
        let size = left.len().div_ceil(parts);
        if let Some(part) = first(left.chunks(size).map(<[T]>::to_vec), happens)? {
            left = part;
            parts = 2;
        } else if let Some(rest) = first(complements(&left, size), happens)? {
            left = rest;
            parts = (parts - 1).max(2);
        } else if size == 1 {
            break;
        } else {
            parts = (parts * 2).min(left.len());
        }
    }
    Ok(left)
}

/// For each part of this size, the things outside of it.
fn complements<T: Clone>(things: &[T], size: usize) -> impl Iterator<Item = Vec<T>> {
    let starts = (0..things.len()).step_by(size);
    starts.map(move |start| {
        let end = (start + size).min(things.len());
        [&things[..start], &things[end..]].concat()
    })
}

fn first<T, E>(
    candidates: impl Iterator<Item = Vec<T>>,
    happens: &mut dyn FnMut(&[T]) -> Result<bool, E>,
) -> Result<Option<Vec<T>>, E> {
    for candidate in candidates {
        if happens(&candidate)? {
            return Ok(Some(candidate));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What [`fewest`] leaves of the numbers below 100, and after how many tries.
    fn left(happens: impl Fn(&[u32]) -> bool) -> (Vec<u32>, u32) {
        let mut tries = 0;
        let all = (0..100).collect();
        let left = fewest(all, &mut |things| {
            tries += 1;
            Ok::<_, ()>(happens(things))
        });
        (left.unwrap(), tries)
    }

    #[test]
    fn only_the_needed_things_are_left() {
        assert_eq!(left(|_| true).0, [0u32; 0]);
        assert_eq!(left(|things| things.contains(&37)).0, [37]);
        assert_eq!(
            left(|things| [3, 50, 98].iter().all(|one| things.contains(one))).0,
            [3, 50, 98]
        );
        assert_eq!(left(|things| things.len() >= 40).0.len(), 40);
        assert_eq!(
            left(|things| things.len() % 2 == 0 && things.contains(&9))
                .0
                .len(),
            2
        );
    }

    #[test]
    fn one_needed_thing_is_found_by_halving() {
        assert!(left(|things| things.contains(&99)).1 < 20);
    }

    #[test]
    fn an_error_ends_the_search() {
        assert_eq!(
            fewest(vec![1, 2], &mut |_: &[u8]| Err("no more")),
            Err("no more")
        );
    }
}
