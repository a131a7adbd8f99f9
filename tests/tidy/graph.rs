//! Which file uses which. A use of something that a module only passes on (`pub use`) counts as a use of the file that
//! defines it, so that a facade is no detour. Reads paths as they are written; knows no macro.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::sources::CRATES;
use crate::sources::Source;

type Module = Vec<String>;

/// Modules and what they use.
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
        let passed_on = passed_on(&code);
        let uses_of = |(module, text): (&Module, &String)| {
            let used = paths(text).into_iter().filter_map(|path| absolute(module, &path, &code));
            let files = used.filter_map(|path| defining(&path, &code, &passed_on, 0));
            (module.clone(), files.filter(|file| file != module).collect())
        };
        Self { uses: code.iter().map(uses_of).collect() }
    }

    /// The groups of files that use each other, whatever the way round.
    pub(crate) fn loops(&self) -> Vec<Vec<Module>> {
        let reached: BTreeMap<_, _> =
            self.uses.keys().map(|module| (module, self.reached_from(module))).collect();
        let mut loops: Vec<Vec<Module>> = Vec::new();
        for (module, others) in &reached {
            let with: Vec<Module> =
                others.iter().filter(|other| reached[*other].contains(*module)).cloned().collect();
            if with.len() > 1 && !loops.contains(&with) {
                loops.push(with);
            }
        }
        loops
    }

    fn reached_from(&self, start: &Module) -> BTreeSet<Module> {
        let mut reached = BTreeSet::new();
        let mut ahead = vec![start];
        while let Some(module) = ahead.pop() {
            ahead.extend(self.uses[module].iter().filter(|used| reached.insert((*used).clone())));
        }
        reached
    }

    /// What a module uses within a group.
    pub(crate) fn within<'a>(&'a self, module: &Module, group: &'a [Module]) -> Vec<&'a Module> {
        self.uses[module].iter().filter(|used| group.contains(used)).collect()
    }
}

/// What modules pass on, by the path under which they do, and what it is there.
fn passed_on(code: &BTreeMap<Module, String>) -> BTreeMap<Module, Module> {
    let mut found = BTreeMap::new();
    for (module, text) in code {
        for line in text.lines().map(str::trim).filter(|line| line.starts_with("pub")) {
            let Some((_, used)) = line.split_once("use ") else { continue };
            let (path, alias) = used
                .trim_end_matches(';')
                .split_once(" as ")
                .map_or((used.trim_end_matches(';'), None), |(path, alias)| (path, Some(alias)));
            let words: Vec<String> = path.split("::").map(str::to_owned).collect();
            let Some(path) = absolute(module, &words, code) else { continue };
            let name = alias.map_or_else(|| path.last().unwrap().clone(), str::to_owned);
            found.insert([module.as_slice(), &[name]].concat(), path);
        }
    }
    found
}

/// The paths of at least two words in a text.
fn paths(text: &str) -> Vec<Module> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut found = Vec::new();
    let chunks = text.split(|letter: char| !is_word(letter) && letter != ':' && letter != '.');
    for chunk in chunks.filter(|chunk| chunk.contains("::")) {
        let path = chunk.rsplit('.').next().unwrap_or(chunk).trim_end_matches(':');
        let words: Vec<String> = path.split("::").map(str::to_owned).collect();
        if words.len() > 1 && words.iter().all(|word| !word.is_empty() && word.chars().all(is_word)) {
            found.push(words);
        }
    }
    found
}

/// A path from the crate downwards, as seen from a module.
fn absolute(module: &Module, path: &[String], code: &BTreeMap<Module, String>) -> Option<Module> {
    let ups = path.iter().take_while(|word| *word == "super").count();
    let (start, rest) = match path[0].as_str() {
        "crate" => (&module[..1], &path[1..]),
        "self" => (module.as_slice(), &path[1..]),
        "super" => (&module[..module.len().checked_sub(ups)?], &path[ups..]),
        name if CRATES.iter().any(|known| known.0 == name) => return Some(path.to_vec()),
        name if code.contains_key(&[module.as_slice(), &[name.to_owned()]].concat()) => {
            (module.as_slice(), path)
        }
        _ => return None,
    };
    Some([start, rest].concat())
}

/// The file in which that is defined which a path leads to.
fn defining(
    path: &[String],
    code: &BTreeMap<Module, String>,
    passed_on: &BTreeMap<Module, Module>,
    depth: usize,
) -> Option<Module> {
    // Nothing is passed on so often; a path that leads to itself is.
    if depth > 8 {
        return None;
    }
    (1..=path.len()).rev().find_map(|length| {
        let (start, rest) = path.split_at(length);
        match passed_on.get(start) {
            // A module may pass on something of the same name as one of its files, from that file.
            Some(target) if !target.starts_with(start) => {
                defining(&[target, rest].concat(), code, passed_on, depth + 1)
            }
            _ => code.contains_key(start).then(|| start.to_vec()),
        }
    })
}
