//! The source files of all four crates, as text, and which of their lines are shipped.
//! Knows no rules.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use syn::{ItemUse, UseTree};

/// The crates: their names in Rust paths, their folders, and the prefix of the paths of
/// their files in messages. The judge passes on the modules of the crate of problems as
/// its own, and so they are here.
pub(crate) const CRATES: [(&str, &str, &str); 4] = [
    ("gridjudge", "crates/gridjudge-problem/src", ""),
    ("gridjudge", "src", ""),
    ("gridjudge_grid", "crates/gridjudge-grid/src", "grid/"),
    (
        "gridjudge_sandbox",
        "crates/gridjudge-sandbox/src",
        "sandbox/",
    ),
];

/// A source file.
pub(crate) struct Source {
    /// For example `cli/screen.rs`, or `sandbox/sys/spawn.rs` in another crate.
    pub(crate) path: String,
    /// The crate and the modules, for example `["gridjudge", "cli", "screen"]`.
    pub(crate) module: Vec<String>,
    pub(crate) text: String,
    code: Vec<String>,
}

/// All source files, which are read once.
pub(crate) fn sources() -> &'static [Source] {
    static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| {
        let top = Path::new(env!("CARGO_MANIFEST_DIR"));
        let each = CRATES.iter();
        each.flat_map(|(name, folder, prefix)| below(&top.join(folder), name, prefix))
            .collect()
    });
    &SOURCES
}

fn below(root: &Path, name: &str, prefix: &str) -> Vec<Source> {
    let mut paths = vec![];
    collect(root, &mut paths);
    paths
        .iter()
        .map(|path| {
            let relative = path.strip_prefix(root).unwrap().to_str().unwrap();
            let mut module = vec![name.to_owned()];
            module.extend(
                relative
                    .trim_end_matches(".rs")
                    .split('/')
                    .map(str::to_owned),
            );
            if ["lib", "main", "mod"].contains(&module.last().unwrap().as_str()) {
                module.pop();
            }
            let text = fs::read_to_string(path).unwrap();
            let mut source = Source {
                path: prefix.to_owned() + relative,
                module,
                text,
                code: vec![],
            };
            source.code = code_of(source.shipped());
            source
        })
        .collect()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.path() {
            path if path.is_dir() => collect(&path, found),
            path if path.extension().is_some_and(|extension| extension == "rs") => {
                found.push(path)
            }
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
        if self.is_test() {
            ""
        } else {
            self.text.split("\n#[cfg(test)]\nmod ").next().unwrap()
        }
    }

    /// The lines of code without comments and tests. Each item that is imported has a
    /// line of its own.
    pub(crate) fn code(&self) -> Vec<&str> {
        self.code.iter().map(String::as_str).collect()
    }
}

fn code_of(shipped: &str) -> Vec<String> {
    let mut code = vec![];
    let mut lines = shipped
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    while let Some(line) = lines.next() {
        let Some((before, _)) = line
            .split_once("use ")
            .filter(|(before, _)| is_visibility(before))
        else {
            code.push(line.to_owned());
            continue;
        };
        let mut item = line.to_owned();
        while !item.trim_end().ends_with(';') {
            item.push_str(lines.next().unwrap());
        }
        let item: ItemUse =
            syn::parse_str(&item).unwrap_or_else(|error| panic!("{item}: {error}"));
        add_imports(&item.tree, &format!("{before}use "), &mut code);
    }
    code
}

/// Whether an item begins with this.
fn is_visibility(text: &str) -> bool {
    let text = text.trim();
    text.is_empty()
        || text == "pub"
        || text.starts_with("pub(") && text.ends_with(')')
}

/// Adds a line for each item of a tree of imports.
fn add_imports(tree: &UseTree, start: &str, code: &mut Vec<String>) {
    match tree {
        UseTree::Path(path) => {
            add_imports(&path.tree, &format!("{start}{}::", path.ident), code)
        }
        UseTree::Name(name) if name.ident == "self" => {
            code.push(format!("{};", start.trim_end_matches("::")));
        }
        UseTree::Name(name) => code.push(format!("{start}{};", name.ident)),
        UseTree::Rename(name) => {
            code.push(format!("{start}{} as {};", name.ident, name.rename))
        }
        UseTree::Glob(_) => code.push(format!("{start}*;")),
        UseTree::Group(group) => {
            for tree in &group.items {
                add_imports(tree, start, code);
            }
        }
    }
}
