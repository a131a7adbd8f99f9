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
    /// Path, source and class of each submission. Further files of a submission are in
    /// `files`.
    pub(crate) submissions: Vec<(String, String, Class)>,
}

/// A program in C: what its `main` does, which may use `n`.
macro_rules! in_c {
    ($body:literal) => {
        concat!(
            "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n",
            "int main(int count, char **words) { int n = 0; ",
            $body,
            " }\n"
        )
    };
}
pub(crate) use in_c;

/// A program that prints twice a number, one that is wrong for 3, and programs that
/// fail in other ways.
pub(crate) const RIGHT: &str = in_c!(r#"scanf("%d", &n); printf("%d\n", 2 * n);"#);
pub(crate) const WRONG: &str =
    in_c!(r#"scanf("%d", &n); printf("%d\n", n < 3 ? 2 * n : 7);"#);
pub(crate) const CRASH: &str = in_c!("return 3;");
pub(crate) const SLOW: &str = in_c!("for (volatile int i = 0;; i++);");
pub(crate) const HUNGRY: &str = in_c!(
    r#"char *kept = malloc(1 << 28); memset(kept, 1, 1 << 28); scanf("%d", &n); printf("%d\n", 2 * n + kept[n] - 1);"#
);
pub(crate) const FLOOD: &str = in_c!("for (;;) printf(\"%10000d\\n\", n);");
pub(crate) const BROKEN: &str = "int main( {\n";

/// Programs that guess a number from 1 to 100: by bisection, one by one, and without
/// flushing.
pub(crate) const HALVES: &str = in_c!(
    r#"int low = 1, high = 100; char said[9] = "";
  while (strcmp(said, "correct")) {
    n = (low + high) / 2; printf("%d\n", n); fflush(stdout);
    if (scanf("%8s", said) != 1) return 1;
    if (!strcmp(said, "higher")) low = n + 1; else high = n - 1;
  }"#
);
pub(crate) const ONES: &str = in_c!(
    r#"char said[9] = "";
  while (strcmp(said, "correct")) {
    printf("%d\n", ++n); fflush(stdout);
    if (scanf("%8s", said) != 1) return 1;
  }"#
);
pub(crate) const UNFLUSHED: &str = in_c!(r#"puts("50"); getchar();"#);

/// The inputs of the cases; the first case is a sample.
pub(crate) const NUMBERS: [u32; 3] = [1, 2, 3];

/// An archive of all files of a folder, below the name of the folder.
pub(crate) fn packed(folder: &Path) -> Vec<u8> {
    let mut archive = rawzip::ZipArchiveWriter::new(vec![]);
    for entry in walkdir::WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter()
        .flatten()
    {
        if entry.file_type().is_dir() {
            continue;
        }
        let name = entry.path().strip_prefix(folder.parent().unwrap()).unwrap();
        let (mut file, config) =
            archive.new_file(name.to_str().unwrap()).start().unwrap();
        let mut data = config.wrap(&mut file);
        data.write_all(&fs::read(entry.path()).unwrap()).unwrap();
        let (_, descriptor) = data.finish().unwrap();
        file.finish(descriptor).unwrap();
    }
    archive.finish().unwrap()
}
