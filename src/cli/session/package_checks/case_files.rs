//! Finds oddities in the files of cases: duplicate inputs, and bytes that contestants' programs do not
//! expect.

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;

use crate::cache::KeyHasher;
use crate::cli::session::check_finding::CheckFinding;
use crate::cli::session::package_checks::check_list::CheckList;
use crate::model::Case;
use crate::model::CaseSupply;
use crate::model::ProblemCheck;
use crate::text::counted;

/// The size of the read buffer, in bytes.
const CHUNK: usize = 1 << 16;

/// Something odd in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CaseFileFinding {
    Empty,
    CarriageReturn,
    ControlCharacter,
    NotAscii,
    NoLineEnd,
}

/// Arguments and files that cases give submissions beside the input, by the names of the cases.
type Supplies = BTreeMap<String, CaseSupply>;

/// Checks every input and every answer. `shown` is the path of a file as reports show it.
pub(super) fn check(
    cases: &[Case],
    supplies: &Supplies,
    shown: impl Fn(&Path) -> PathBuf,
    list: &mut CheckList,
) {
    let twice = duplicates(cases, supplies);
    for (first, other) in &twice {
        let text = format!("the same input as {}", shown_name(first));
        list.warning(CheckFinding::in_file(ProblemCheck::Cases, &other.input, &shown_name(other), text));
    }
    let mut odd: BTreeMap<CaseFileFinding, Vec<&Path>> = BTreeMap::new();
    let texts = cases.iter().flat_map(|case| [(case, case.input.as_path()), (case, case.answer.as_path())]);
    for (case, path) in texts {
        // Unreadable files are reported by the code that needs them.
        for oddity in File::open(path).and_then(oddities).unwrap_or_default() {
            let is_answer = path.extension().is_some_and(|ending| ending == "ans");
            let may_be_empty = is_answer || supplies.contains_key(&case.name);
            if !(may_be_empty && oddity == CaseFileFinding::Empty) {
                odd.entry(oddity).or_default().push(path);
            }
        }
    }
    for (oddity, paths) in odd {
        let more = if paths.len() > 1 { ", the first" } else { "" };
        let files = counted(paths.len() as u64, "file");
        let text =
            format!("{files} of cases {}{more} {}", oddity.words(paths.len() > 1), shown(paths[0]).display());
        list.warning(CheckFinding::about(ProblemCheck::Cases, paths[0], text));
    }
}

/// The path of an input in the folder of its package, or the name of its case if the format has no such path.
fn shown_name(case: &Case) -> String {
    let usual = format!("data/{}.in", case.name);
    if case.input.ends_with(&usual) { usual } else { case.name.clone() }
}

impl CaseFileFinding {
    fn words(self, are_many: bool) -> &'static str {
        match (self, are_many) {
            (Self::Empty, false) => "is empty:",
            (Self::Empty, true) => "are empty",
            (Self::CarriageReturn, false) => "has carriage returns (`\\r`):",
            (Self::CarriageReturn, true) => "have carriage returns (`\\r`)",
            (Self::ControlCharacter, false) => "has control characters:",
            (Self::ControlCharacter, true) => "have control characters",
            (Self::NotAscii, false) => "has bytes beyond ASCII:",
            (Self::NotAscii, true) => "have bytes beyond ASCII",
            (Self::NoLineEnd, false) => "does not end with a line break:",
            (Self::NoLineEnd, true) => "do not end with a line break",
        }
    }
}

/// The oddities of a text, each once.
fn oddities(mut text: impl Read) -> io::Result<Vec<CaseFileFinding>> {
    let mut buffer = vec![0; CHUNK];
    let (mut found, mut last) = (Vec::new(), None);
    loop {
        let bytes = match text.read(&mut buffer)? {
            0 => break,
            bytes => &buffer[..bytes],
        };
        last = bytes.last().copied();
        found.extend(bytes.iter().filter_map(|byte| match byte {
            b'\r' => Some(CaseFileFinding::CarriageReturn),
            b'\n' | b'\t' | b' '..=b'~' => None,
            0x80.. => Some(CaseFileFinding::NotAscii),
            _ => Some(CaseFileFinding::ControlCharacter),
        }));
        found.sort();
        found.dedup();
    }
    match last {
        None => found.push(CaseFileFinding::Empty),
        Some(b'\n') => {}
        Some(_) => found.push(CaseFileFinding::NoLineEnd),
    }
    Ok(found)
}

/// Pairs of cases with equal inputs, arguments and further files: the first such case, and a later one. Links
/// to the same file are intended and do not count.
fn duplicates<'a>(cases: &'a [Case], supplies: &Supplies) -> Vec<(&'a Case, &'a Case)> {
    let mut by_size: BTreeMap<u64, Vec<(PathBuf, &Case)>> = BTreeMap::new();
    for case in cases {
        let Ok((real, found)) = case.input.canonicalize().and_then(|real| Ok((real, case.input.metadata()?)))
        else {
            continue;
        };
        let alike = by_size.entry(found.len()).or_default();
        if !alike.iter().any(|(other, _)| *other == real) {
            alike.push((real, case));
        }
    }
    let mut twice = Vec::new();
    for alike in by_size.into_values().filter(|alike| alike.len() > 1) {
        let mut first = HashMap::new();
        for (path, case) in alike {
            let mut hasher = KeyHasher::of("an input");
            let CaseSupply { arguments, files } = supplies.get(&case.name).cloned().unwrap_or_default();
            let names: Vec<_> = files.iter().map(|file| &file.name).collect();
            hasher.add(format!("{arguments:?} {names:?}"));
            let mut texts = std::iter::once(&path).chain(files.iter().map(|file| &file.path));
            if texts.any(|text| hasher.add_file(text).is_err()) {
                continue;
            }
            let known = *first.entry(hasher.finish()).or_insert(case);
            twice.extend((known.name != case.name).then_some((known, case)));
        }
    }
    twice
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_oddity_is_found_once() {
        for (text, expected) in [
            (&b"1 2\n\t3\n"[..], &[][..]),
            (b"", &[CaseFileFinding::Empty]),
            (b"1", &[CaseFileFinding::NoLineEnd]),
            (b"1\r\n2\r\n", &[CaseFileFinding::CarriageReturn]),
            (b"\xc3\xa9\x00\n", &[CaseFileFinding::ControlCharacter, CaseFileFinding::NotAscii]),
        ] {
            assert_eq!(oddities(text).unwrap(), expected, "{text:?}");
        }
    }

    #[test]
    fn an_input_is_named_by_its_path_in_the_package_or_by_its_case() {
        let shown_name = |name: &str, input: &str| {
            shown_name(&Case { name: name.to_owned(), input: input.into(), answer: PathBuf::new() })
        };
        assert_eq!(shown_name("secret/1", "pkg/data/secret/1.in"), "data/secret/1.in");
        assert_eq!(shown_name("tests/02", "pkg/tests/02"), "tests/02");
    }

    #[test]
    fn inputs_are_duplicates_if_two_files_hold_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let case = |name: &str| {
            let input = folder.path().join(name);
            Case { name: name.to_owned(), answer: input.clone(), input }
        };
        for (name, text) in [("a", "1\n"), ("b", "2\n"), ("c", "1\n"), ("d", "10\n")] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        std::os::unix::fs::symlink("b", folder.path().join("e")).unwrap();
        let cases = ["a", "b", "c", "d", "e"].map(case);
        let found: Vec<_> = duplicates(&cases, &Supplies::new())
            .into_iter()
            .map(|(first, other)| [&*first.name, &*other.name])
            .collect();
        assert_eq!(found, [["a", "c"]]);
        let other = CaseSupply { arguments: vec!["x".to_owned()], ..CaseSupply::default() };
        assert!(duplicates(&cases, &Supplies::from([("c".to_owned(), other)])).is_empty());
    }
}
