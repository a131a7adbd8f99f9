//! The source files of all three crates, as text, and which of their lines are shipped. Knows no rules.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

/// The crates: their names in Rust paths, their folders, and the prefix of the paths of their files in messages.
pub(crate) const CRATES: [(&str, &str, &str); 3] = [
    ("gridjudge", "src", ""),
    ("gridjudge_grid", "crates/gridjudge-grid/src", "grid/"),
    ("gridjudge_sandbox", "crates/gridjudge-sandbox/src", "sandbox/"),
];

/// A source file.
pub(crate) struct Source {
    /// For example `cli/screen.rs`, or `sandbox/sys/spawn.rs` in another crate.
    pub(crate) path: String,
    /// The crate and the modules, for example `["gridjudge", "cli", "screen"]`.
    pub(crate) module: Vec<String>,
    pub(crate) text: String,
}

/// All source files.
pub(crate) fn sources() -> Vec<Source> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    CRATES.iter().flat_map(|(name, folder, prefix)| below(&top.join(folder), name, prefix)).collect()
}

fn below(root: &Path, name: &str, prefix: &str) -> Vec<Source> {
    let mut paths = Vec::new();
    collect(root, &mut paths);
    let source = |path: &PathBuf| {
        let relative = path.strip_prefix(root).unwrap().to_str().unwrap();
        let mut module = vec![name.to_owned()];
        module.extend(relative.trim_end_matches(".rs").split('/').map(str::to_owned));
        if ["lib", "main", "mod"].contains(&module.last().unwrap().as_str()) {
            module.pop();
        }
        Source { path: prefix.to_owned() + relative, module, text: fs::read_to_string(path).unwrap() }
    };
    paths.iter().map(source).collect()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.path() {
            path if path.is_dir() => collect(&path, found),
            path if path.extension().is_some_and(|extension| extension == "rs") => found.push(path),
            _ => {}
        }
    }
}

impl Source {
    /// The top module that contains the file, or `grid` or `sandbox`.
    pub(crate) fn top(&self) -> &str {
        self.path.split(['/', '.']).next().unwrap()
    }

    pub(crate) fn is_test(&self) -> bool {
        self.path.ends_with("tests.rs") || self.path.contains("tests/")
    }

    /// The part without tests.
    pub(crate) fn shipped(&self) -> &str {
        if self.is_test() { "" } else { self.text.split("\n#[cfg(test)]\nmod ").next().unwrap() }
    }

    /// The lines of code without comments and tests.
    pub(crate) fn code(&self) -> Vec<&str> {
        self.shipped().lines().filter(|line| !line.trim_start().starts_with("//")).collect()
    }
}
