//! Finds oddities in the files of cases: duplicate inputs, and bytes that contestants'
//! programs do not expect.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::ptr;

use crate::cache::{CacheKey, KeyHasher};
use crate::cli::{CheckFinding, CheckList, ProblemCases};
use crate::model::{Case, CaseSupply, Problem, ProblemCheck};
use crate::package::Package;
use crate::text::{BYTE_ORDER_MARK, UnexpectedEncoding, counted};

use CaseFileFinding::{
    Blank, ByteOrderMark, CarriageReturn, ControlCharacter, CtrlZ, Empty, NoLineEnd,
    NotAscii, NotUtf8, Utf16, Utf32,
};

/// The size of the read buffer, in bytes.
const CHUNK: usize = 1 << 16;

/// The byte that ended a text file in CP/M and DOS.
const CTRL_Z: u8 = 0x1a;

/// Something odd in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CaseFileFinding {
    Utf16,
    Utf32,
    ByteOrderMark,
    CtrlZ,
    Empty,
    Blank,
    NotUtf8,
    CarriageReturn,
    ControlCharacter,
    NotAscii,
    NoLineEnd,
}

/// What is odd in a file of a case.
struct OddFile<'a> {
    path: &'a Path,
    finding: CaseFileFinding,
    /// Whether no program is right whatever it prints.
    is_error: bool,
}

/// Arguments and files that cases give submissions beside the input, by the names of
/// the cases.
type Supplies = BTreeMap<String, CaseSupply>;

/// Whether any file of these cases is odd.
pub(super) fn are_odd(problem: &Problem, cases: &[Case]) -> bool {
    cases
        .iter()
        .any(|case| !odd_files(problem, case, &Supplies::new()).is_empty())
}

/// Checks every input and every answer of a package or of another problem.
pub(super) fn check_case_files(
    subject: &ProblemCases,
    package: Option<&Package>,
    list: &mut CheckList,
) {
    let cases = match package {
        Some(package) => &package.run_cases().cloned().collect::<Vec<_>>(),
        None => &subject.cases[..],
    };
    // The file of a package that a file of a case was made from.
    let original = |path| package.map_or(path, |package| package.original_of(path));
    let none = Supplies::new();
    let supplies = package.map_or(&none, |package| &package.supplies);
    for (first, other) in duplicates(cases, supplies) {
        let text = format!("the same input as {}", shown_name(first));
        let input = original(other.input.as_path());
        list.warning(CheckFinding::in_file(
            ProblemCheck::Cases,
            input,
            &shown_name(other),
            text,
        ));
    }
    // Errors first.
    let mut by_kind: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for odd in cases
        .iter()
        .flat_map(|case| odd_files(&subject.problem, case, supplies))
    {
        let path = original(odd.path);
        // A case that has no input by the rules of its format gets an empty one, which
        // is in no file of the package.
        if !path.as_os_str().is_empty() {
            let kind = (!odd.is_error, odd.finding);
            by_kind.entry(kind).or_default().push(path);
        }
    }
    for ((is_warning, finding), paths) in by_kind {
        let files = counted(paths.len(), "file");
        let shown = subject.found.shown_path(paths[0]);
        let shown = shown.display();
        let (has, have, what) = finding.words();
        let text = match paths.len() {
            1 => format!("{files} of cases {has} {what}: {shown}"),
            _ => format!("{files} of cases {have} {what}, the first {shown}"),
        };
        let told = CheckFinding::about(ProblemCheck::Cases, paths[0], text);
        if is_warning {
            list.warning(told)
        } else {
            list.error(told)
        }
    }
}

/// What is odd in the input and in the answer of a case.
fn odd_files<'a>(
    problem: &Problem,
    case: &'a Case,
    supplies: &Supplies,
) -> Vec<OddFile<'a>> {
    let task = problem.task_on(&case.name);
    let is_compared = task.as_grid().is_none() && task.program().is_none();
    let mut odd = vec![];
    for (path, is_answer) in [(&case.input, false), (&case.answer, true)] {
        // Unreadable files are reported by the code that needs them.
        for finding in File::open(path).and_then(oddities).unwrap_or_default() {
            let may_be = match finding {
                Empty if is_answer => !is_compared,
                Empty => supplies.contains_key(&case.name),
                Blank => !is_answer || !is_compared,
                _ => false,
            };
            if !may_be {
                let is_error = match finding {
                    Utf16 | Utf32 => true,
                    ByteOrderMark | CtrlZ => is_answer && is_compared,
                    _ => false,
                };
                odd.push(OddFile {
                    path,
                    finding,
                    is_error,
                });
            }
        }
    }
    odd
}

/// The path of an input in the folder of its package, or the name of its case if the
/// format has no such path.
fn shown_name(case: &Case) -> String {
    let default = format!("data/{}.in", case.name);
    if case.input.ends_with(&default) {
        default
    } else {
        case.name.clone()
    }
}

impl CaseFileFinding {
    /// What a file is or has, and the verb of several files.
    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Utf16 => ("is", "are", "UTF-16 text, which programs cannot read"),
            Utf32 => ("is", "are", "UTF-32 text, which programs cannot read"),
            ByteOrderMark => ("begins", "begin", "with a byte order mark"),
            CtrlZ => ("ends", "end", "with Ctrl-Z (byte 0x1A)"),
            Empty => ("is", "are", "empty"),
            Blank => ("is", "are", "blank"),
            NotUtf8 => ("is", "are", "not UTF-8 text"),
            CarriageReturn => ("has", "have", "carriage returns (`\\r`)"),
            ControlCharacter => ("has", "have", "control characters"),
            NotAscii => ("has", "have", "bytes beyond ASCII"),
            NoLineEnd => ("does", "do", "not end with a line break"),
        }
    }
}

/// The oddities of a text, each once.
fn oddities(mut text: impl Read) -> io::Result<Vec<CaseFileFinding>> {
    let mut buffer = vec![0; CHUNK];
    let mut scan = CaseFileScan::default();
    loop {
        match text.read(&mut buffer)? {
            0 => return Ok(scan.finish()),
            bytes => scan.read(&buffer[..bytes]),
        }
    }
}

/// The scan of a text for oddities, piece by piece.
#[derive(Default)]
struct CaseFileScan {
    found: BTreeSet<CaseFileFinding>,
    has_begun: bool,
    has_token: bool,
    /// The last two bytes.
    end: [u8; 2],
    /// Bytes of a character that the next piece completes.
    open: Vec<u8>,
}

impl CaseFileScan {
    fn read(&mut self, mut piece: &[u8]) {
        if !std::mem::replace(&mut self.has_begun, true) {
            if let Some(encoding) = UnexpectedEncoding::detect(piece) {
                self.found.insert(match encoding {
                    UnexpectedEncoding::Utf16 => Utf16,
                    UnexpectedEncoding::Utf32 => Utf32,
                    UnexpectedEncoding::ByteOrderMark => ByteOrderMark,
                });
            }
            piece = piece.strip_prefix(BYTE_ORDER_MARK).unwrap_or(piece);
        }
        for byte in piece {
            // One that is not at the end is a control character.
            if self.end[1] == CTRL_Z {
                self.found.insert(ControlCharacter);
            }
            match byte {
                b'\r' => _ = self.found.insert(CarriageReturn),
                b'\n' | b'\t' | b' ' => {}
                b'!'..=b'~' => self.has_token = true,
                0x80.. => {
                    self.has_token = true;
                    self.found.insert(NotAscii);
                }
                // The last byte is looked at when it is known to be the last.
                &CTRL_Z => {}
                _ => _ = self.found.insert(ControlCharacter),
            }
            self.end = [self.end[1], *byte];
        }
        self.read_utf8(piece);
    }

    fn read_utf8(&mut self, piece: &[u8]) {
        if self.open.is_empty() && piece.is_ascii() {
            return;
        }
        self.open.extend(piece);
        match std::str::from_utf8(&self.open) {
            Ok(_) => self.open.clear(),
            Err(error) if error.error_len().is_none() => {
                _ = self.open.drain(..error.valid_up_to())
            }
            Err(_) => {
                self.found.insert(NotUtf8);
                self.open.clear();
            }
        }
    }

    fn finish(mut self) -> Vec<CaseFileFinding> {
        if !self.has_begun {
            return vec![Empty];
        }
        for wide in [Utf16, Utf32] {
            // This explains everything else.
            if self.found.contains(&wide) {
                return vec![wide];
            }
        }
        if !self.open.is_empty() {
            self.found.insert(NotUtf8);
        }
        if self.found.contains(&NotUtf8) {
            self.found.remove(&NotAscii);
        }
        match self.end {
            [b'\n', CTRL_Z] => _ = self.found.insert(CtrlZ),
            [_, CTRL_Z] => self.found.extend([CtrlZ, NoLineEnd]),
            [_, b'\n'] => {}
            _ => _ = self.found.insert(NoLineEnd),
        }
        if !self.has_token && !self.found.contains(&ControlCharacter) {
            self.found.insert(Blank);
        }
        self.found.into_iter().collect()
    }
}

/// Pairs of cases with equal inputs, arguments and further files: the first such case,
/// and a later one. Links to the same file are intended and do not count.
fn duplicates<'a>(
    cases: &'a [Case],
    supplies: &Supplies,
) -> Vec<(&'a Case, &'a Case)> {
    let mut files = HashSet::new();
    let mut by_size: BTreeMap<u64, Vec<&Case>> = BTreeMap::new();
    for case in cases {
        if let Ok(found) = case.input.metadata()
            && files.insert((found.dev(), found.ino()))
        {
            by_size.entry(found.len()).or_default().push(case);
        }
    }
    // Only files of the same size are read.
    let alike = by_size.into_values().filter(|alike| alike.len() > 1);
    let mut first = HashMap::new();
    alike
        .flatten()
        .filter_map(|case| {
            let first = *first.entry(digest_of(case, supplies)?).or_insert(case);
            (!ptr::eq(first, case)).then_some((first, case))
        })
        .collect()
}

/// The digest of all that a program gets on a case; `None` if a file cannot be read,
/// which is reported by the code that needs it.
fn digest_of(case: &Case, supplies: &Supplies) -> Option<CacheKey> {
    let mut hasher = KeyHasher::for_purpose("an input");
    let none = CaseSupply::default();
    let CaseSupply { arguments, files } = supplies.get(&case.name).unwrap_or(&none);
    let names: Vec<_> = files.iter().map(|file| &file.name).collect();
    hasher.add(format!("{arguments:?} {names:?}"));
    hasher.add_file(&case.input).ok()?;
    for file in files {
        hasher.add_file(&file.path).ok()?;
    }
    Some(hasher.finish())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn each_oddity_is_found_once() {
        for (text, expected) in [
            (&b"1 2\n\t3\n"[..], &[][..]),
            (b"", &[CaseFileFinding::Empty]),
            (b"1", &[CaseFileFinding::NoLineEnd]),
            (b"1\r\n2\r\n", &[CaseFileFinding::CarriageReturn]),
            (
                b"\xc3\xa9\x00\n",
                &[CaseFileFinding::ControlCharacter, CaseFileFinding::NotAscii],
            ),
            (b"\xff\xfe1\x00\n\x00", &[CaseFileFinding::Utf16]),
            (b"\xef\xbb\xbf1\n", &[CaseFileFinding::ByteOrderMark]),
            (b"1\n\x1a", &[CaseFileFinding::CtrlZ]),
            (
                b"1\x1a",
                &[CaseFileFinding::CtrlZ, CaseFileFinding::NoLineEnd],
            ),
            (b"1\x1a2\n", &[CaseFileFinding::ControlCharacter]),
            (b" \n\t\n", &[CaseFileFinding::Blank]),
            (b"caf\xe9\n", &[CaseFileFinding::NotUtf8]),
            (
                b"1\n\xc3",
                &[CaseFileFinding::NotUtf8, CaseFileFinding::NoLineEnd],
            ),
        ] {
            assert_eq!(oddities(text).unwrap(), expected, "{text:?}");
        }
    }

    #[test]
    fn a_character_in_two_pieces_is_one() {
        let text = [vec![b'x'; CHUNK - 1], "\u{e9}\n".as_bytes().to_vec()].concat();
        assert_eq!(oddities(&text[..]).unwrap(), [CaseFileFinding::NotAscii]);
    }

    #[test]
    fn an_input_is_named_by_its_path_in_the_package_or_by_its_case() {
        let shown_name = |name: &str, input: &str| {
            shown_name(&Case {
                name: name.to_owned(),
                input: input.into(),
                answer: PathBuf::new(),
            })
        };
        assert_eq!(
            shown_name("secret/1", "pkg/data/secret/1.in"),
            "data/secret/1.in"
        );
        assert_eq!(shown_name("tests/02", "pkg/tests/02"), "tests/02");
    }

    #[test]
    fn inputs_are_duplicates_if_two_files_hold_the_same() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("a", "1\n"), ("b", "2\n"), ("c", "1\n"), ("d", "10\n")]
        {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        std::os::unix::fs::symlink("b", folder.path().join("e")).unwrap();
        let cases = ["a", "b", "c", "d", "e"].map(|name| {
            let input = folder.path().join(name);
            Case {
                name: name.to_owned(),
                answer: input.clone(),
                input,
            }
        });
        let found: Vec<_> = duplicates(&cases, &Supplies::new())
            .into_iter()
            .map(|(first, other)| [&*first.name, &*other.name])
            .collect();
        assert_eq!(found, [["a", "c"]]);
        let other = CaseSupply {
            arguments: vec!["x".to_owned()],
            ..CaseSupply::default()
        };
        assert!(
            duplicates(&cases, &Supplies::from([("c".to_owned(), other)])).is_empty()
        );
    }
}
