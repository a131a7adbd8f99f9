//! The files that a checker leaves besides its messages: pictures, and the place of the first
//! difference. Knows their names and forms; what follows from them is decided elsewhere.
//!
//! Sources: the Kattis problem package format, "Feedback files"; DOMjudge's manual, "Output
//! validators".

use std::fs;
use std::io::Read;
use std::path::Path;

use data_encoding::BASE64;

use crate::checker::call::CheckerCall;
use crate::model::CheckerImage;

/// The names of pictures, without their endings.
const PICTURES: [&str; 2] = ["judgeimage", "teamimage"];

/// The most pictures of one call, and the most bytes of one that are read.
const MOST_PICTURES: usize = 4;
const MOST_BYTES: u64 = 64 * 1024;

/// The file with the byte offsets of a difference, in the answer and in the output.
const POSITION: &str = "diffposition.txt";

impl CheckerCall {
    /// The names and sizes of the pictures that the checker has drawn, in the order of their names.
    pub(super) fn pictures(&self) -> Vec<(String, u64)> {
        let entries = fs::read_dir(self.place()).into_iter().flatten().flatten();
        let mut pictures: Vec<_> = entries
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let stem = Path::new(&name).file_stem()?.to_str()?;
                let found = entry.metadata().ok().filter(fs::Metadata::is_file)?;
                PICTURES.contains(&stem).then_some((name, found.len()))
            })
            .collect();
        pictures.sort();
        pictures.truncate(MOST_PICTURES);
        pictures
    }

    /// The pictures that the checker has drawn, with the contents of those that are not too large.
    pub(super) fn images(&self) -> Vec<CheckerImage> {
        self.pictures()
            .into_iter()
            .map(|(name, bytes)| {
                let data = if bytes > MOST_BYTES {
                    None
                } else {
                    self.contents(&name)
                };
                CheckerImage { name, bytes, data }
            })
            .collect()
    }

    fn contents(&self, name: &str) -> Option<String> {
        let mut bytes = Vec::new();
        self.regular_file(name)?
            .take(MOST_BYTES)
            .read_to_end(&mut bytes)
            .ok()?;
        Some(BASE64.encode(&bytes))
    }

    /// The byte of the output at which the checker found a difference, if it says so.
    pub(super) fn output_position(&self) -> Option<u64> {
        let text = self.message(POSITION)?;
        let (answer, output) = text.trim().split_once(' ')?;
        answer.parse::<u64>().ok().and(output.trim().parse().ok())
    }
}
