//! Loads the formats of `tests/formats`: each folder holds a spec, an input and its
//! answer.

use std::fs;
use std::path::{Path, PathBuf};

use gridjudge::model::Problem;
use gridjudge::spec::JudgeFolder;
use tempfile::TempDir;

/// One format, with an example.
pub(crate) struct FormatExample {
    pub(crate) name: String,
    pub(crate) problem: Problem,
    pub(crate) input: String,
    pub(crate) answer: String,
}

/// All formats.
pub(crate) fn format_examples() -> Vec<FormatExample> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats");
    let mut folders: Vec<PathBuf> = fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.sort();
    let read =
        |folder: &Path, file: &str| fs::read_to_string(folder.join(file)).unwrap();
    let examples = folders.iter().map(|folder| {
        let judge = TempDir::new().unwrap();
        fs::write(judge.path().join("judge.toml"), "").unwrap();
        fs::create_dir_all(judge.path().join("problems/p")).unwrap();
        fs::write(
            judge.path().join("problems/p/problem.toml"),
            read(folder, "problem.toml"),
        )
        .unwrap();
        let problem = JudgeFolder::open(judge.path())
            .and_then(|folder| folder.find("p")?.problem());
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let problem = problem.unwrap_or_else(|mistakes| panic!("{name}: {mistakes}"));
        FormatExample {
            name,
            problem,
            input: read(folder, "one.in"),
            answer: read(folder, "one.ans"),
        }
    });
    examples.collect()
}
