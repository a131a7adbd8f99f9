//! The names of very many cases in little memory: their letters, and four bytes each. Knows nothing
//! of figures.

use std::cmp::Ordering;

/// Names of cases, in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PackedNames {
    /// All names, one after the other.
    letters: String,
    /// Where each name ends: the lower 32 bits.
    ends: Vec<u32>,
    /// The places of the names at whose ends the higher bits grow by one, which takes 4 GiB of
    /// names.
    carries: Vec<usize>,
}

impl PackedNames {
    /// No names yet, but memory for as many as these. What grows is copied and leaves holes.
    pub(super) fn with_room_for(others: &Self) -> Self {
        Self {
            letters: String::with_capacity(others.letters.len()),
            ends: Vec::with_capacity(others.ends.len()),
            carries: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, name: &str) {
        self.letters.push_str(name);
        while self.letters.len() as u64 >> u32::BITS > self.carries.len() as u64 {
            self.carries.push(self.ends.len());
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the higher bits are in `carries`"
        )]
        self.ends.push(self.letters.len() as u32);
    }

    /// The name at a place that has one.
    pub(super) fn get(&self, place: usize) -> &str {
        let start = place.checked_sub(1).map_or(0, |before| self.end(before));
        &self.letters[start..self.end(place)]
    }

    fn end(&self, place: usize) -> usize {
        let carried = self.carries.partition_point(|carry| *carry <= place) as u64;
        ((carried << u32::BITS) + u64::from(self.ends[place])) as usize
    }

    /// All names, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        (0..self.ends.len()).map(|place| self.get(place))
    }

    /// The place of a name among sorted ones.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let mut places = 0..self.ends.len();
        while !places.is_empty() {
            let middle = usize::midpoint(places.start, places.end);
            match self.get(middle).cmp(name) {
                Ordering::Less => places.start = middle + 1,
                Ordering::Equal => return Some(middle),
                Ordering::Greater => places.end = middle,
            }
        }
        None
    }

    /// Gives back the memory that further names would take.
    pub(super) fn shrink_to_fit(&mut self) {
        self.letters.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_where_they_are_and_no_others() {
        let mut names = PackedNames::default();
        let sorted = ["", "1", "10", "2", "secret/ä", "zz"];
        sorted.iter().for_each(|name| names.push(name));
        assert_eq!(names.iter().collect::<Vec<_>>(), sorted);
        for (place, name) in sorted.iter().enumerate() {
            assert_eq!(names.find(name), Some(place), "{name}");
        }
        for name in ["0", "11", "secret/", "zzz"] {
            assert_eq!(names.find(name), None, "{name}");
        }
        assert_eq!(PackedNames::default().find(""), None);
    }

    #[test]
    fn a_name_may_end_beyond_4_gib_of_letters() {
        let names = PackedNames {
            ends: vec![u32::MAX, 3, 9, 2],
            carries: vec![1, 3],
            ..PackedNames::default()
        };
        let ends: Vec<_> = (0..4).map(|place| names.end(place) as u64).collect();
        assert_eq!(
            ends,
            [(1 << 32) - 1, (1 << 32) + 3, (1 << 32) + 9, (2 << 32) + 2]
        );
    }
}
