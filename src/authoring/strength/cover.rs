//! Finds the fewest cases that kill all mutants that any case kills.

/// Steps after which the search for fewer cases stops.
const MOST_STEPS: u64 = 1_000_000;

/// Some cases that together kill every mutant that any case kills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseCover {
    /// Their indices, ascending.
    pub cases: Vec<usize>,
    /// Whether it is proven that fewer cases do not suffice.
    pub is_least: bool,
}

/// A set of mutants, one bit for each.
type KillSet = u128;

/// Finds the fewest cases that kill all mutants that any case kills. `kills` says for each case
/// which mutants it kills. Of several such choices it is always the same one.
///
/// # Panics
/// If there are more than 128 mutants.
pub fn cover(kills: &[Vec<bool>]) -> CaseCover {
    let sets: Vec<KillSet> = kills.iter().map(|row| set_of(row)).collect();
    let mut search = CoverSearch {
        best: greedy(&sets),
        steps: 0,
        useful: undominated(&sets),
        sets,
    };
    let all = search.sets.iter().fold(0, |all, set| all | set);
    search.choose(&mut Vec::new(), all);
    let mut cases = search.best;
    cases.sort_unstable();
    CaseCover {
        cases,
        is_least: search.steps <= MOST_STEPS,
    }
}

fn set_of(row: &[bool]) -> KillSet {
    assert!(row.len() <= KillSet::BITS as usize);
    row.iter()
        .enumerate()
        .filter(|(_, killed)| **killed)
        .fold(0, |set, (mutant, _)| set | 1 << mutant)
}

/// Chooses repeatedly the case that kills most of the mutants still alive, the first such case on a
/// tie.
fn greedy(sets: &[KillSet]) -> Vec<usize> {
    let mut left = sets.iter().fold(0, |all, set| all | set);
    let mut chosen = Vec::new();
    while left != 0 {
        let Some(best) = (0..sets.len())
            .rev()
            .max_by_key(|case| (sets[*case] & left).count_ones())
        else {
            break;
        };
        left &= !sets[best];
        chosen.push(best);
    }
    chosen
}

/// The cases whose killed mutants are not all killed by another single case; of cases that kill the
/// same mutants, the first.
fn undominated(sets: &[KillSet]) -> Vec<usize> {
    (0..sets.len())
        .filter(|&case| sets[case] != 0 && !is_dominated(case, sets))
        .collect()
}

fn is_dominated(case: usize, sets: &[KillSet]) -> bool {
    let set = sets[case];
    sets.iter().enumerate().any(|(other, larger)| {
        other != case && set & !larger == 0 && (set != *larger || other < case)
    })
}

struct CoverSearch {
    sets: Vec<KillSet>,
    useful: Vec<usize>,
    best: Vec<usize>,
    steps: u64,
}

impl CoverSearch {
    /// Searches for smaller covers that contain the `chosen` cases, which leave the mutants of
    /// `left` alive.
    fn choose(&mut self, chosen: &mut Vec<usize>, left: KillSet) {
        self.steps += 1;
        if left == 0 {
            if chosen.len() < self.best.len() {
                self.best.clone_from(chosen);
            }
            return;
        }
        if self.steps > MOST_STEPS || chosen.len() + self.at_least(left) >= self.best.len() {
            return;
        }
        for case in self.killers_of_the_rarest(left) {
            chosen.push(case);
            self.choose(chosen, left & !self.sets[case]);
            chosen.pop();
        }
    }

    /// A lower bound on the number of cases needed: mutants of which no two share a killer need one
    /// case each.
    fn at_least(&self, mut left: KillSet) -> usize {
        let mut needed = 0;
        while left != 0 {
            let mutant = left & left.wrapping_neg();
            let killers = self
                .useful
                .iter()
                .filter(|&&case| self.sets[case] & mutant != 0);
            left &= !killers.fold(mutant, |together, &case| together | self.sets[case]);
            needed += 1;
        }
        needed
    }

    /// The cases that kill the mutant with the fewest killers, one of which must be chosen.
    fn killers_of_the_rarest(&self, left: KillSet) -> Vec<usize> {
        let alive = (0..KillSet::BITS).filter(|mutant| left >> mutant & 1 == 1);
        alive
            .map(|mutant| {
                self.useful
                    .iter()
                    .copied()
                    .filter(|case| self.sets[*case] >> mutant & 1 == 1)
                    .collect::<Vec<_>>()
            })
            .min_by_key(Vec::len)
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cover of cases given by the letters of the mutants that they kill.
    fn of(cases: &[&str]) -> CaseCover {
        cover(
            &cases
                .iter()
                .map(|case| ('a'..='z').map(|mutant| case.contains(mutant)).collect())
                .collect::<Vec<Vec<bool>>>(),
        )
    }

    #[test]
    fn the_fewest_cases_are_found_where_a_greedy_choice_needs_more() {
        for (cases, expected) in [
            (&[][..], &[][..]),
            (&["", ""], &[]),
            (&["a", "a"], &[0]),
            (&["a", "ab"], &[1]),
            (&["ab", "bc", "cd"], &[0, 2]),
            // A greedy choice takes the longest first and needs three.
            (&["bcde", "abc", "def"], &[1, 2]),
            (&["abcdefgh", "aceg", "bdfh", "xabcd", "yefgh"], &[3, 4]),
        ] {
            assert_eq!(
                of(cases),
                CaseCover {
                    cases: expected.to_vec(),
                    is_least: true
                },
                "{cases:?}"
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn no_smaller_choice_of_cases_covers(sets in proptest::collection::vec(0u32..256, 0..9)) {
            let rows: Vec<Vec<bool>> =
                sets.iter().map(|set| (0..8).map(|bit| set >> bit & 1 == 1).collect()).collect();
            let all = sets.iter().fold(0, |all, set| all | set);
            let covers = |choice: u32| {
                let chosen = sets.iter().enumerate().filter(|(case, _)| choice >> case & 1 == 1);
                chosen.fold(0, |all, (_, set)| all | set) == all
            };
            let fewest = (0..1u32 << sets.len()).filter(|&choice| covers(choice)).map(u32::count_ones).min();
            let found = cover(&rows);
            proptest::prop_assert_eq!(Some(found.cases.len() as u32), fewest);
            proptest::prop_assert!(covers(found.cases.iter().fold(0, |choice, case| choice | 1 << case)));
        }
    }
}
