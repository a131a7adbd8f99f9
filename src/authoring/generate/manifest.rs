//! The manifest beside a problem's cases, which lists the generated ones. People read
//! it as a table of the cases' properties, which are measured here; the next run reads
//! the fingerprints, and replaces only files that have not been changed since.

use std::collections::BTreeMap;
use std::sync::Arc;

use gridjudge_grid::make::{
    GridKind, GridMaker, MOST_GUESSES, MakeError, Rater, Rating, SeededRng,
    random_regions,
};
use gridjudge_grid::{BLANK, Shape, Value};
use rayon::prelude::*;

use crate::model::RecipeKind;
use crate::text::path_text;

/// The name of the manifest, in the folder of a problem's cases.
pub const FILE_NAME: &str = "generated.md";

const HEAD: &str = "\
# Generated cases

Written by `gridjudge generate` from the recipes in the problem's `problem.toml`. Files whose \
                    fingerprints stand here are
replaced when their recipe changes; files that were changed by hand, and all others, are never \
                    touched. The columns are
explained in `docs/generate.md` of gridjudge.

| case | grids | clues | rating | guesses | promise | input | answer |
|---|---|---|---|---|---|---|---|
";

/// The generated cases of a problem.
#[derive(Debug, Default, PartialEq)]
pub struct Manifest {
    /// The entries by the name of the case.
    pub entries: BTreeMap<String, ManifestEntry>,
}

/// One generated case.
#[derive(Clone, Debug, PartialEq)]
pub struct ManifestEntry {
    /// Grids, clues, rating, guesses, promise: for people.
    columns: [String; 5],
    /// Those of the input and the answer.
    pub fingerprints: [String; 2],
}

impl Manifest {
    /// The manifest of these cases.
    pub fn of_cases(made: &[GeneratedCase]) -> Self {
        let entries = made.iter().map(|made| {
            let entry = ManifestEntry {
                columns: made.columns.clone(),
                fingerprints: made.files.each_ref().map(|bytes| fingerprint(bytes)),
            };
            (made.name.clone(), entry)
        });
        Self {
            entries: entries.collect(),
        }
    }

    /// Reads a manifest. Lines that are not valid entries are skipped: their cases
    /// count as written by hand.
    pub fn read(text: &str) -> Self {
        Self {
            entries: text
                .lines()
                .filter_map(|line| {
                    let cells: Vec<_> = line
                        .strip_prefix("| ")?
                        .strip_suffix(" |")?
                        .split(" | ")
                        .map(str::to_owned)
                        .collect();
                    let cells: [String; 8] = cells.try_into().ok()?;
                    let [name, columns @ .., input, answer] = cells;
                    let fingerprints = [input, answer];
                    let is_ours =
                        fingerprints.iter().all(|cell| cell.len() == FINGERPRINT);
                    let entry = ManifestEntry {
                        columns,
                        fingerprints,
                    };
                    is_ours.then_some((name, entry))
                })
                .collect(),
        }
    }

    /// The manifest as Markdown.
    pub fn text(&self) -> String {
        let mut text = HEAD.to_owned();
        for (name, entry) in &self.entries {
            let cells = [&entry.columns[..], &entry.fingerprints].concat();
            text += &format!("| {name} | {} |\n", cells.join(" | "));
        }
        text
    }
}

/// Characters of a fingerprint.
const FINGERPRINT: usize = 16;

/// The FNV-1a hash (64 bits, in hex) of a file's content, which shows whether the file
/// was changed. It need not resist attacks: anyone who can change a case can change the
/// manifest.
pub fn fingerprint(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:0FINGERPRINT$x}")
}

// A case generated from a recipe, in memory.

/// The endings of the files of a case.
pub const ENDINGS: [&str; 2] = ["in", "ans"];

/// A generated case.
#[derive(Debug, PartialEq)]
pub struct GeneratedCase {
    /// Group and file, such as `secret/minimal-07`.
    pub name: String,
    /// The input, and the answer, proven right.
    pub files: [Vec<u8>; 2],
    /// The properties of its grids: their number, clues, rating, guesses, promise.
    pub columns: [String; 5],
}

/// The largest order whose grids are rated. How hard larger grids are for people is not
/// known.
const LARGEST_RATED: usize = 16;

/// The properties of all grids of a case together, as the columns of its entry:
///
/// - their number;
/// - the fewest and the most clues of a grid;
/// - the hardest rating, if the grids have one solution each and are small enough to be
///   rated;
/// - the most guesses that a plain search needs for a grid, unless the grids are
///   invalid, have several solutions, or are very large;
/// - what the recipe guarantees beyond that, in words.
pub(super) fn columns_of_grids(
    kind: &RecipeKind,
    order: usize,
    grids: &[MadeGrid],
) -> [String; 5] {
    let clues = grids
        .iter()
        .map(|grid| grid.cells.iter().filter(|&&value| value != BLANK).count());
    let fewest = clues.clone().min().unwrap_or_default();
    let most = clues.max().unwrap_or_default();
    let is_small = order <= LARGEST_RATED;
    let is_unique = match kind {
        RecipeKind::Made(kind) => !matches!(
            kind,
            GridKind::Several { .. } | GridKind::Unsolvable | GridKind::Invalid
        ),
        // Whoever collected them may not have proven it.
        RecipeKind::Collection(_) => false,
    };
    let is_counted = is_unique || *kind == RecipeKind::Made(GridKind::Unsolvable);
    let ratings = grids.par_iter().map(|grid| grid.rater.rating(&grid.cells));
    let rating = if is_small && is_unique {
        ratings.max()
    } else {
        None
    };
    let guesses = grids
        .par_iter()
        .map(|grid| grid.rater.guesses(&grid.cells).unwrap_or(u64::MAX));
    let guesses = if is_small && is_counted {
        guesses.max()
    } else {
        None
    };
    [
        grids.len().to_string(),
        if fewest == most {
            fewest.to_string()
        } else {
            format!("{fewest} to {most}")
        },
        rating.map_or("-", Rating::name).to_owned(),
        match guesses {
            None => "-".to_owned(),
            Some(u64::MAX) => format!("> {MOST_GUESSES}"),
            Some(guesses) => guesses.to_string(),
        },
        match kind {
            RecipeKind::Made(kind) => promise(*kind),
            RecipeKind::Collection(file) => {
                let name = path_text(file.file_name().unwrap_or_default());
                format!("from `{name}`")
            }
        },
    ]
}

fn promise(kind: GridKind) -> String {
    use GridKind::*;
    match kind {
        Complete => "no blank".to_owned(),
        Clues(_) => "one solution".to_owned(),
        Minimal | Seventeen | Rated(_) => "minimal".to_owned(),
        Symmetric(symmetry) => format!("symmetric: {}", symmetry.name()),
        Slow { search, nodes } => {
            format!("`{}` takes {nodes} nodes or more", search.name())
        }
        Several { least, most } => format!("{least} to {most} solutions"),
        Unsolvable => "no solution".to_owned(),
        Invalid => "two clues clash".to_owned(),
    }
}

// One generated grid, with its shape and the rater that measures it. Where each grid
// brings a map of its own, the map is generated first.

/// The most maps tried for one grid. Nearly every map of order 9 has complete grids;
/// some of order 4 have none.
const MAPS: usize = 100;

/// A generated grid.
pub(super) struct MadeGrid {
    pub(super) shape: Shape,
    /// Row-major, 0 for blank.
    pub(super) cells: Vec<Value>,
    pub(super) rater: Arc<Rater>,
}

impl MadeGrid {
    /// Generates a random map for `shape`, which has no regions yet, and a grid on it.
    ///
    /// # Errors
    /// Returns [`MakeError`] if there is no such grid, or none was found.
    pub(super) fn with_own_map(
        shape: &Shape,
        kind: GridKind,
        rng: &mut SeededRng,
    ) -> Result<Self, MakeError> {
        for _ in 0..MAPS {
            let regions = random_regions(shape.order(), rng);
            let divided = shape
                .clone()
                .with_regions(&regions)
                .map_err(|_| MakeError::Full)?;
            match GridMaker::new(&divided).make(kind, rng) {
                Ok(cells) => {
                    return Ok(Self {
                        rater: Arc::new(Rater::new(&divided)),
                        shape: divided,
                        cells,
                    });
                }
                Err(MakeError::Full) => {}
                Err(other) => return Err(other),
            }
        }
        Err(MakeError::Full)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_fnv_1a() {
        assert_eq!(fingerprint(b""), "cbf29ce484222325");
        assert_eq!(fingerprint(b"a"), "af63dc4c8601ec8c");
        assert_eq!(fingerprint(b"foobar"), "85944171f73967e8");
    }

    #[test]
    fn a_manifest_is_read_as_it_was_written_and_invalid_lines_are_skipped() {
        let entry = ManifestEntry {
            columns: ["1", "24", "hard", "> 20000", "minimal"].map(str::to_owned),
            fingerprints: [fingerprint(b"in"), fingerprint(b"out")],
        };
        let manifest = Manifest {
            entries: [("secret/minimal".to_owned(), entry)].into(),
        };
        assert_eq!(Manifest::read(&manifest.text()), manifest);
        assert_eq!(
            Manifest::read("| a | b |\n| x | 1 | 2 | 3 | 4 | 5 | short | short |\n"),
            Manifest::default()
        );
    }
}
