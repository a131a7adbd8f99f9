//! A package of the table: its files, its submissions, and the class of each.

use std::fs;
use std::io::Write;
use std::path::Path;

/// The form of a package.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shipping {
    /// A folder that contains its submissions.
    Folder,
    /// An archive of such a folder.
    Archive,
    /// A folder without submissions, which are named on the command line.
    Beside,
}

/// The behaviour of a submission, which determines its verdict.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Accepted,
    Wrong,
    WronglyFormatted,
    Crashing,
    Slow,
    Silent,
    Hungry,
    Flooding,
    NotCompiling,
}

impl Class {
    pub(crate) fn verdict(self) -> &'static str {
        match self {
            Self::Accepted => "AC",
            Self::Wrong => "WA",
            Self::WronglyFormatted => "PE",
            Self::Crashing => "RE",
            Self::Slow => "TLE",
            Self::Silent => "ILE",
            Self::Hungry => "MLE",
            Self::Flooding => "OLE",
            Self::NotCompiling => "CE",
        }
    }
}

/// A package and the expected verdicts of its submissions.
#[derive(Clone)]
pub(crate) struct Tried {
    pub(crate) format: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) shipping: Shipping,
    pub(crate) files: Vec<(String, String)>,
    /// Path, source and class of each submission. Further files of a submission are in `files`.
    pub(crate) submissions: Vec<(String, String, Class)>,
}

/// A program that prints twice a number, one that is wrong for 3, and programs that fail in other
/// ways.
pub(crate) const RIGHT: &str = "print(2 * int(input()))\n";
pub(crate) const WRONG: &str = "n = int(input())\nprint(2 * n if n < 3 else 7)\n";
pub(crate) const CRASH: &str = "input()\nraise SystemExit(3)\n";
pub(crate) const SLOW: &str = "while True: pass\n";
pub(crate) const HUNGRY: &str = "kept = bytearray(1 << 28)\nprint(2 * int(input()))\n";
pub(crate) const FLOOD: &str = "while True: print('x' * 10000)\n";
pub(crate) const BROKEN: &str = "int main( {\n";

/// Programs that guess a number from 1 to 100: by bisection, one by one, and without flushing.
pub(crate) const HALVES: &str = "low, high = 1, 100\nwhile True:\n  middle = (low + high) // 2\n  print(middle, flush=True)\n  \
    said = input()\n  if said == 'correct': break\n  if said == 'higher': low = middle + 1\n  else: high = middle - 1\n";
pub(crate) const ONES: &str = "guess = 1\nwhile True:\n  print(guess, flush=True)\n  if input() == 'correct': break\n  guess += 1\n";
pub(crate) const UNFLUSHED: &str = "import sys\nprint(50)\nsys.stdin.readline()\n";

/// The inputs of the cases; the first case is a sample.
pub(crate) const NUMBERS: [u32; 3] = [1, 2, 3];

/// An archive of all files of a folder, below the name of the folder.
pub(crate) fn packed(folder: &Path) -> Vec<u8> {
    let mut archive = rawzip::ZipArchiveWriter::new(Vec::new());
    for entry in walkdir::WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter()
        .flatten()
    {
        if entry.file_type().is_dir() {
            continue;
        }
        let name = entry.path().strip_prefix(folder.parent().unwrap()).unwrap();
        let (mut file, config) = archive.new_file(name.to_str().unwrap()).start().unwrap();
        let mut data = config.wrap(&mut file);
        data.write_all(&fs::read(entry.path()).unwrap()).unwrap();
        let (_, descriptor) = data.finish().unwrap();
        file.finish(descriptor).unwrap();
    }
    archive.finish().unwrap()
}
