//! A recipe for generating cases, as given in `problem.toml`. Plain data.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use gridjudge_grid::make::GridKind;

/// The parameters of generated cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// The group of its cases.
    pub group: String,
    /// The name of its case; if there are several, the part before their numbers.
    pub name: String,
    /// How many cases it generates.
    pub count: u64,
    /// How many grids are in each.
    pub grids: u64,
    /// The order of the grids.
    pub order: usize,
    /// Where the grids come from.
    pub kind: RecipeKind,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The line of `problem.toml` on which the recipe begins.
    pub line: u64,
}

/// Where the grids of a recipe come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RecipeKind {
    /// They are made.
    Made(GridKind),
    /// They are drawn from this file of puzzles.
    Collection(PathBuf),
}

impl Recipe {
    /// The name of case `number`, from 1: group and file, as `secret/minimal-07`.
    pub fn case(&self, number: u64) -> String {
        let Self {
            group, name, count, ..
        } = self;
        let width = count.to_string().len();
        if *count == 1 {
            format!("{group}/{name}")
        } else {
            format!("{group}/{name}-{number:0width$}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_numbers_are_zero_padded_and_a_single_case_has_none() {
        let recipe = |count| Recipe {
            group: "g".into(),
            name: "n".into(),
            count,
            grids: 1,
            order: 9,
            kind: RecipeKind::Made(GridKind::Minimal),
            seed: 1,
            line: 1,
        };
        for (count, number, name) in [
            (1, 1, "g/n"),
            (9, 3, "g/n-3"),
            (10, 3, "g/n-03"),
            (100, 100, "g/n-100"),
        ] {
            assert_eq!(recipe(count).case(number), name);
        }
    }
}
