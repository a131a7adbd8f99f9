//! Functions and types in a source file, found by how rustfmt writes them.

use std::collections::{BTreeMap, BTreeSet};

use crate::sources::Source;

/// Names that `grep` finds everywhere. A function says of what it is, or what it takes
/// or notes.
const VAGUE_FUNCTIONS: [&str; 4] = ["of", "take", "note", "usual"];

/// The greatest number of lines of a function, from its first line to its closing
/// brace.
pub(crate) const MAX_LINES: usize = 60;

/// The longer functions, as `cli/grade.rs: run: 45 lines`.
pub(crate) fn long(source: &Source) -> Vec<String> {
    let mut found = vec![];
    let lines: Vec<_> = source.shipped().lines().collect();
    for (start, line) in lines.iter().enumerate() {
        let Some(name) = function_begun_in(line) else {
            continue;
        };
        let indent = line.len() - line.trim_start().len();
        let end = format!("{}}}", &line[..indent]);
        let end_without_body = format!("{}) ", &line[..indent]);
        let Some(length) = lines[start..].iter().position(|line| {
            **line == end
                || line.starts_with(&end_without_body) && line.ends_with(';')
        }) else {
            continue;
        };
        if length + 1 > MAX_LINES {
            found.push(format!("{}: {name}: {} lines", source.path, length + 1));
        }
    }
    found
}

fn function_begun_in(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once("fn ")?;
    let is_start = before.split_whitespace().all(|word| {
        ["const", "unsafe", "extern", "\"C\""].contains(&word)
            || word.starts_with("pub")
            || word.starts_with("in ")
            || word.ends_with(')')
    });
    // A function without a body, or on one line, is not long.
    if !is_start || line.ends_with(['}', ';']) {
        return None;
    }
    rest.split(['(', '<']).next()
}

/// The name of the type that a line begins to define, if any.
pub(crate) fn type_defined_in(line: &str) -> Option<&str> {
    let mut words = line
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| !word.is_empty());
    let starts = ["pub", "crate", "super", "in", "unsafe"];
    let kind = words.find(|word| !starts.contains(word))?;
    let is_first =
        line.trim_start().starts_with("pub") || line.trim_start().starts_with(kind);
    let defines = ["struct", "enum", "trait", "union"].contains(&kind) && is_first;
    if defines { words.next() } else { None }
}

/// The function that a module offers to others and that a line begins to define, if
/// any.
pub(crate) fn function_offered_in(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pub")?;
    let (before, rest) = rest.split_once("fn ")?;
    let is_start = before
        .split_whitespace()
        .all(|word| ["const", "unsafe"].contains(&word) || word.starts_with('('));
    let end = rest.find(['(', '<']);
    end.filter(|_| is_start).map(|end| &rest[..end])
}

/// The functions, of modules and of types, with vague names, as `cli/grade.rs: take`.
pub(crate) fn vague(source: &Source) -> Vec<String> {
    let code = source.code().into_iter();
    let names =
        code.filter_map(|line| line.split_once("fn ")?.1.split(['(', '<']).next());
    names
        .filter(|name| VAGUE_FUNCTIONS.contains(name))
        .map(|name| format!("{}: {name}", source.path))
        .collect()
}

/// The names that lines of more than one file define, and their files; and how many
/// names there are.
pub(crate) fn repeated_names<'a>(
    sources: impl IntoIterator<Item = &'a Source>,
    defined_in: fn(&str) -> Option<&str>,
) -> (Vec<String>, usize) {
    let mut places: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for source in sources {
        for name in source.code().into_iter().filter_map(defined_in) {
            places.entry(name).or_default().insert(&source.path);
        }
    }
    let all = places.len();
    places.retain(|_, files| files.len() > 1);
    let repeated = places
        .iter()
        .map(|(name, files)| format!("{name}: {files:?}"))
        .collect();
    (repeated, all)
}
