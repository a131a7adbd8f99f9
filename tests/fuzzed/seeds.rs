//! Finds the files that mutation starts from: those of this repository, and the
//! examples in its documents.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the repository.
pub(super) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The contents of all files of this name, or with this ending, below a folder of the
/// repository, in the order of their paths.
pub(super) fn files(folder: &str, ending: &str, most_bytes: usize) -> Vec<Vec<u8>> {
    let mut paths = vec![];
    collect(&repository().join(folder), ending, &mut paths);
    paths.sort();
    let texts = paths
        .iter()
        .map(|path| fs::read(path).expect("a file of the repository"));
    texts.filter(|text| text.len() <= most_bytes).collect()
}

fn collect(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, ending, found);
        } else if path.to_str().is_some_and(|name| name.ends_with(ending)) {
            found.push(path);
        }
    }
}

/// The examples in this language in the documents.
pub(super) fn examples(language: &str) -> Vec<Vec<u8>> {
    let start = format!("```{language}\n");
    let texts = files("docs", ".md", usize::MAX);
    let texts = texts
        .iter()
        .map(|text| String::from_utf8_lossy(text).into_owned());
    texts
        .flat_map(|text| {
            let parts = text
                .split(&start)
                .skip(1)
                .filter_map(|part| part.split_once("```"));
            parts
                .map(|(example, _)| example.as_bytes().to_vec())
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Texts as bytes.
pub(super) fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}
