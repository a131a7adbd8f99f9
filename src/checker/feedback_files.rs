//! The files that a checker leaves besides its messages: pictures, and the place of the first difference.
//! Knows their names and forms; what follows from them is decided elsewhere.
//!
//! Sources: the Kattis problem package format, "Feedback files"; DOMjudge's manual, "Output validators".

use std::fs;
use std::path::Path;

use crate::checker::call::CheckerCall;

/// The names of pictures, without their endings.
const PICTURES: [&str; 2] = ["judgeimage", "teamimage"];

/// The most pictures that are named.
const MOST_PICTURES: usize = 4;

/// The file with the byte offsets of a difference, in the answer and in the output.
const POSITION: &str = "diffposition.txt";

impl CheckerCall {
    /// Describes the pictures that the checker has drawn, in the order of their names.
    pub(super) fn pictures(&self) -> Vec<String> {
        let entries = fs::read_dir(self.place()).into_iter().flatten().flatten();
        let mut pictures: Vec<_> = entries
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let stem = Path::new(&name).file_stem()?.to_str()?;
                let found = entry.metadata().ok().filter(fs::Metadata::is_file)?;
                PICTURES.contains(&stem).then(|| format!("it drew {name} ({} bytes)", found.len()))
            })
            .collect();
        pictures.sort();
        pictures.truncate(MOST_PICTURES);
        pictures
    }

    /// The byte of the output at which the checker found a difference, if it says so.
    pub(super) fn output_position(&self) -> Option<u64> {
        let text = self.read(POSITION)?;
        let (answer, output) = text.trim().split_once(' ')?;
        answer.parse::<u64>().ok().and(output.trim().parse().ok())
    }
}
