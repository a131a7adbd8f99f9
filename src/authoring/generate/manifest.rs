//! Which cases were made by recipes, as a note among the cases says: for people a table of what they are like, for the
//! next run the proof that a file may be replaced, because it has not been changed since.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::authoring::generate::generated_case::GeneratedCase;

/// The file, in the folder of a problem's cases.
pub const FILE_NAME: &str = "generated.md";

const HEAD: &str = "\
# Generated cases

Written by `gridjudge generate` from the recipes in the problem's `problem.toml`. Files whose fingerprints stand here are
replaced when their recipe changes; files that were changed by hand, and all others, are never touched. The columns are
explained in `docs/generate.md` of gridjudge.

| case | grids | clues | rating | guesses | promise | input | answer |
|---|---|---|---|---|---|---|---|
";

/// What is known of the cases that recipes made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// By the name of the case.
    pub entries: BTreeMap<String, ManifestEntry>,
}

/// One case.
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
    /// What is to be known of a case.
    pub fn of(made: &GeneratedCase) -> Self {
        Self {
            columns: made.measure.columns().to_vec(),
            input: fingerprint(&made.input),
            answer: fingerprint(&made.answer),
        }
    }
}

impl Manifest {
    /// Reads the note. A line that is none of ours tells nothing: its case counts as made by hand.
    pub fn read(text: &str) -> Self {
        let entry = |line: &str| {
            let cells = line.strip_prefix("| ")?.strip_suffix(" |")?;
            let cells: Vec<_> = cells.split(" | ").map(str::to_owned).collect();
            let [name, columns @ .., input, answer] = cells.as_slice() else { return None };
            let is_ours = [input, answer].iter().all(|cell| cell.len() == FINGERPRINT);
            let entry =
                ManifestEntry { columns: columns.to_vec(), input: input.clone(), answer: answer.clone() };
            (is_ours && columns.len() == 5).then(|| (name.clone(), entry))
        };
        Self { entries: text.lines().filter_map(entry).collect() }
    }

    /// The note.
    pub fn text(&self) -> String {
        let mut text = HEAD.to_owned();
        for (name, ManifestEntry { columns, input, answer }) in &self.entries {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "| {name} | {} | {input} | {answer} |", columns.join(" | "));
        }
        text
    }
}

/// Characters of a fingerprint.
const FINGERPRINT: usize = 16;

/// A short name of a file's content, to see that it has not been changed: FNV-1a of 64 bits. It need not withstand malice:
/// to change a case is to be able to change the note.
pub fn fingerprint(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:0FINGERPRINT$x}")
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
    fn a_note_is_read_as_it_was_written_and_strange_lines_tell_nothing() {
        let entry = ManifestEntry {
            columns: ["1", "24", "hard", "> 20000", "minimal"].map(str::to_owned).to_vec(),
            input: fingerprint(b"in"),
            answer: fingerprint(b"out"),
        };
        let manifest = Manifest { entries: [("secret/minimal".to_owned(), entry)].into() };
        assert_eq!(Manifest::read(&manifest.text()), manifest);
        assert_eq!(
            Manifest::read("| a | b |\n| x | 1 | 2 | 3 | 4 | 5 | short | short |\n"),
            Manifest::default()
        );
    }
}
