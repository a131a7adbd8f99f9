//! The graph of files that use each other. A use of what a module imports counts as a
//! use of the file that defines the item. Paths are read as they are written; macros
//! are not expanded.

use std::collections::{BTreeMap, BTreeSet};

use crate::sources::{CRATES, Source};

type Module = Vec<String>;

/// Modules and the modules that they use.
pub(crate) struct Graph {
    uses: BTreeMap<Module, BTreeSet<Module>>,
}

impl Graph {
    pub(crate) fn of(sources: &[Source]) -> Self {
        let code: BTreeMap<Module, String> = sources
            .iter()
            .filter(|source| !source.is_test() && source.path != "main.rs")
            .map(|source| (source.module.clone(), source.code().join("\n")))
            .collect();
        let reexports = reexports(&code);
        Self {
            uses: code
                .iter()
                .map(|(module, text)| {
                    let used = paths(text)
                        .into_iter()
                        .filter_map(|path| absolute(module, &path, &code));
                    let files = used.filter_map(|path| {
                        defining_file(&path, &code, &reexports, 0)
                    });
                    (
                        module.clone(),
                        files.filter(|file| file != module).collect(),
                    )
                })
                .collect(),
        }
    }

    /// The groups of files that use each other, directly or indirectly.
    pub(crate) fn loops(&self) -> Vec<Vec<Module>> {
        let reached: BTreeMap<_, _> = self
            .uses
            .keys()
            .map(|module| (module, self.reached_from(module)))
            .collect();
        let mut loops: Vec<Vec<Module>> = vec![];
        for (module, others) in &reached {
            let with: Vec<Module> = others
                .iter()
                .filter(|other| reached[*other].contains(*module))
                .cloned()
                .collect();
            if with.len() > 1 && !loops.contains(&with) {
                loops.push(with);
            }
        }
        loops
    }

    fn reached_from(&self, start: &Module) -> BTreeSet<Module> {
        let mut reached = BTreeSet::new();
        let mut pending = vec![start];
        while let Some(module) = pending.pop() {
            pending.extend(
                self.uses[module]
                    .iter()
                    .filter(|used| reached.insert((*used).clone())),
            );
        }
        reached
    }

    /// The modules of a group that a module uses.
    pub(crate) fn within<'a>(
        &'a self,
        module: &Module,
        group: &'a [Module],
    ) -> Vec<&'a Module> {
        self.uses[module]
            .iter()
            .filter(|used| group.contains(used))
            .collect()
    }
}

/// The imports of all modules: the path of each, and the path that it stands for.
/// Modules below one take by its path even what it imports for itself.
fn reexports(code: &BTreeMap<Module, String>) -> BTreeMap<Module, Module> {
    let mut found = BTreeMap::new();
    for (module, text) in code {
        for line in text
            .lines()
            .map(str::trim)
            .filter(|line| line.starts_with("pub") || line.starts_with("use "))
        {
            let Some((_, used)) = line.split_once("use ") else {
                continue;
            };
            let (path, alias) = used
                .trim_end_matches(';')
                .split_once(" as ")
                .map_or((used.trim_end_matches(';'), None), |(path, alias)| {
                    (path, Some(alias))
                });
            let words: Vec<String> = path.split("::").map(str::to_owned).collect();
            let Some(path) = absolute(module, &words, code) else {
                continue;
            };
            let name =
                alias.map_or_else(|| path.last().unwrap().clone(), str::to_owned);
            found.insert([module.as_slice(), &[name]].concat(), path);
        }
    }
    found
}

/// The paths of at least two words in a text.
fn paths(text: &str) -> Vec<Module> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut found = vec![];
    let chunks =
        text.split(|letter: char| !is_word(letter) && letter != ':' && letter != '.');
    for chunk in chunks.filter(|chunk| chunk.contains("::")) {
        let path = chunk
            .rsplit('.')
            .next()
            .unwrap_or(chunk)
            .trim_end_matches(':');
        let words: Vec<String> = path.split("::").map(str::to_owned).collect();
        if words.len() > 1
            && words
                .iter()
                .all(|word| !word.is_empty() && word.chars().all(is_word))
        {
            found.push(words);
        }
    }
    found
}

/// The absolute path of a path in a module.
fn absolute(
    module: &Module,
    path: &[String],
    code: &BTreeMap<Module, String>,
) -> Option<Module> {
    let supers = path.iter().take_while(|word| *word == "super").count();
    let (start, rest) = match path[0].as_str() {
        "crate" => (&module[..1], &path[1..]),
        "self" => (module.as_slice(), &path[1..]),
        "super" => (
            &module[..module.len().checked_sub(supers)?],
            &path[supers..],
        ),
        name if CRATES.iter().any(|known| known.0 == name) => {
            return Some(path.to_vec());
        }
        name if code
            .contains_key(&[module.as_slice(), &[name.to_owned()]].concat()) =>
        {
            (module.as_slice(), path)
        }
        _ => return None,
    };
    Some([start, rest].concat())
}

/// The file that defines the item of a path.
fn defining_file(
    path: &[String],
    code: &BTreeMap<Module, String>,
    reexports: &BTreeMap<Module, Module>,
    depth: usize,
) -> Option<Module> {
    // Only a re-export of itself is followed this often.
    if depth > 8 {
        return None;
    }
    (1..=path.len()).rev().find_map(|length| {
        let (start, rest) = path.split_at(length);
        match reexports.get(start) {
            // A module may re-export an item that has the name of one of its files,
            // from that file.
            Some(target) if !target.starts_with(start) => {
                defining_file(&[target, rest].concat(), code, reexports, depth + 1)
            }
            _ => code.contains_key(start).then(|| start.to_vec()),
        }
    })
}
