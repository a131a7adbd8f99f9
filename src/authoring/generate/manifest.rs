//! The manifest beside a problem's cases, which lists the generated ones. People read it as a table
//! of the cases' properties; the next run reads the fingerprints, and replaces only files that have
//! not been changed since.

use crate::sorted::SortedMap;
use std::fmt::Write;

use crate::authoring::generate::CaseMetrics;

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The entries by the name of the case.
    pub entries: SortedMap<String, ManifestEntry>,
}

/// One generated case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestEntry {
    /// Grids, clues, rating, guesses, promise: for people.
    columns: Vec<String>,
    /// Fingerprint of the input.
    pub input: String,
    /// Fingerprint of the answer.
    pub answer: String,
}

impl ManifestEntry {
    /// The entry of a case that was just generated.
    pub fn of(made: &GeneratedCase) -> Self {
        Self {
            columns: made.measure.columns().to_vec(),
            input: fingerprint(&made.input),
            answer: fingerprint(&made.answer),
        }
    }
}

impl Manifest {
    /// The manifest of these cases.
    pub fn of_cases(made: &[GeneratedCase]) -> Self {
        Self {
            entries: made
                .iter()
                .map(|made| (made.name.clone(), ManifestEntry::of(made)))
                .collect(),
        }
    }

    /// Reads a manifest. Lines that are not valid entries are skipped: their cases count as written
    /// by hand.
    pub fn read(text: &str) -> Self {
        Self {
            entries: text
                .lines()
                .filter_map(|line| {
                    let cells = line.strip_prefix("| ")?.strip_suffix(" |")?;
                    let cells: Vec<_> = cells.split(" | ").map(str::to_owned).collect();
                    let [name, columns @ .., input, answer] = cells.as_slice() else {
                        return None;
                    };
                    let is_ours = [input, answer].iter().all(|cell| cell.len() == FINGERPRINT);
                    let entry = ManifestEntry {
                        columns: columns.to_vec(),
                        input: input.clone(),
                        answer: answer.clone(),
                    };
                    (is_ours && columns.len() == 5).then(|| (name.clone(), entry))
                })
                .collect(),
        }
    }

    /// The manifest as Markdown.
    pub fn text(&self) -> String {
        let mut text = HEAD.to_owned();
        for (
            name,
            ManifestEntry {
                columns,
                input,
                answer,
            },
        ) in &self.entries
        {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "| {name} | {} | {input} | {answer} |",
                columns.join(" | ")
            );
        }
        text
    }
}

/// Characters of a fingerprint.
const FINGERPRINT: usize = 16;

/// The FNV-1a hash (64 bits, in hex) of a file's content, which shows whether the file was changed.
/// It need not resist attacks: anyone who can change a case can change the manifest.
pub fn fingerprint(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:0FINGERPRINT$x}")
}

// A case generated from a recipe, in memory.

/// A generated case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedCase {
    /// Group and file, such as `secret/minimal-07`.
    pub name: String,
    /// The input.
    pub input: Vec<u8>,
    /// The answer, proven right.
    pub answer: Vec<u8>,
    /// The properties of its grids.
    pub measure: CaseMetrics,
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
            columns: ["1", "24", "hard", "> 20000", "minimal"]
                .map(str::to_owned)
                .to_vec(),
            input: fingerprint(b"in"),
            answer: fingerprint(b"out"),
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
