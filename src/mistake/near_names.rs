//! Finds the name that a misspelt one was meant to be, by its letters.

/// The longest name, in bytes, that is compared with others. The time to compare grows with the
/// product of both lengths.
const LONGEST_NAME: usize = 100;

/// Returns the name that `found` was probably meant to be, if one is similar enough.
pub fn nearest<'a>(found: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if found.len() > LONGEST_NAME {
        return None;
    }
    let scored = names.into_iter().map(|name| {
        (
            if found.len() >= 3 && (name.starts_with(found) || name.ends_with(found)) {
                1.0
            } else {
                strsim::normalized_damerau_levenshtein(&found.to_lowercase(), &name.to_lowercase())
            },
            name,
        )
    });
    scored
        .filter(|(score, _)| *score >= 0.5)
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, name)| name)
}

/// Returns the name that `found` was surely meant to be: at most two letters were added, left out,
/// replaced or swapped.
pub(crate) fn misspelt<'a>(
    found: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    if found.len() > LONGEST_NAME {
        return None;
    }
    let far = |name: &str| strsim::damerau_levenshtein(&found.to_lowercase(), name);
    let near = names
        .into_iter()
        .map(|name| (far(name), name))
        .filter(|(far, _)| *far <= 2);
    near.min_by_key(|(far, _)| *far).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_a_similar_one_or_none() {
        let names = ["luogu-p1784", "poj-2676", "uestc-1222"];
        assert_eq!(nearest("poj2676", names), Some("poj-2676"));
        assert_eq!(nearest("POJ-2677", names), Some("poj-2676"));
        assert_eq!(nearest("1222", names), Some("uestc-1222"));
        assert_eq!(nearest("codeforces", names), None);
    }
}
