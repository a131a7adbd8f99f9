//! Finds the files of cases: beside `init.yml`, or in the archive that it names, which
//! is unpacked.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use regex_lite::{Regex, RegexBuilder};

use crate::mistake::Mistake;
use crate::package::dmoj::{CaseScope, DmojItem, NamedFile};
use crate::package::text_copies::no_room;
use crate::package::{LineBreaks, PackageTree, TextCopies, archive};

/// The files of cases.
pub(super) struct CaseFiles<'a> {
    pub(super) tree: &'a PackageTree,
    pub(super) texts: TextCopies,
    /// The unpacked files of the archive.
    pub(super) data: PackageTree,
    /// Whether there is an archive that could not be unpacked, which is noted.
    pub(super) lacks_archive: bool,
}

impl<'a> CaseFiles<'a> {
    pub(super) fn new(tree: &'a PackageTree) -> Self {
        Self {
            tree,
            texts: TextCopies::new(LineBreaks::LineFeedsOnly),
            data: PackageTree::default(),
            lacks_archive: false,
        }
    }

    /// Unpacks an archive of the package. Notes mistakes in it, with paths of entries
    /// below that of the archive.
    pub(super) fn unpack(&mut self, path: &Path) {
        let tree = self.tree;
        let folder = match self.texts.folder("data") {
            Ok(folder) => folder,
            Err(error) => {
                return tree.mistake(no_room(path, &error));
            }
        };
        if let Err(mistakes) = archive::unpack(path, &folder, self.tree.most_files) {
            return tree.mistakes(mistakes.0);
        }
        let (data, mistakes) = PackageTree::scan(&folder, self.tree.most_files);
        tree.mistakes(mistakes.into_iter().map(|mistake| {
            match mistake.path.strip_prefix(&folder) {
                Ok(name) => Mistake {
                    path: path.join(name),
                    ..mistake
                },
                Err(_) => mistake,
            }
        }));
        self.data = data;
        self.lacks_archive = false;
    }

    /// Returns the path of a named file. One beside `init.yml` takes precedence over
    /// one in the archive.
    pub(super) fn find(&self, name: &str) -> Option<PathBuf> {
        self.tree
            .file(name)
            .or_else(|| self.data.file(name))
            .map(Path::to_owned)
    }

    /// Returns a file in the form that programs get; an empty file if there is none.
    pub(super) fn ready(
        &mut self,
        file: Option<&Path>,
        is_binary: bool,
    ) -> Result<PathBuf, Mistake> {
        match file {
            None => self
                .texts
                .empty()
                .map_err(|error| no_room(Path::new("init.yml"), &error)),
            Some(file) if is_binary => Ok(file.to_owned()),
            Some(file) => self.texts.ready(file),
        }
    }

    /// The place for a file that a generator makes.
    pub(super) fn place_to_make(&mut self, name: &str) -> Result<PathBuf, Mistake> {
        let folder = self.texts.folder("made");
        folder
            .map(|folder| folder.join(name))
            .map_err(|error| no_room(Path::new("init.yml"), &error))
    }
}

// Finds cases by the names of files in an archive, with two patterns for inputs and
// answers, in each of which there is a number of the case and perhaps of its batch.
// Pure. Start at [`items`].

/// The default patterns of DMOJ for inputs and answers: a text that a name must
/// contain, or one it must begin with, and the place of its numbers.
const DEFAULT: [(&str, &str); 2] = [(".in", "in"), (".out", "out")];
const DEFAULT_NUMBERS: &str =
    r"^.*?(?:(?:^|\W)(?P<batch>\d+)[^\d\s]+)?(?P<case>\d+)[^\d\s]*$";

/// The largest compiled pattern, in bytes. It is matched with every name in an archive,
/// and the time for that grows with its size.
const MOST_COMPILED: usize = 1 << 14;

/// A pattern for names of files.
pub(super) struct CasePattern {
    numbers: Regex,
    /// A text that a name must contain, or one it must begin with, in lower case;
    /// `None` for a pattern of the problem.
    marks: Option<(&'static str, &'static str)>,
}

/// The number or name of a case or batch; names sort first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CaseId {
    Name(String),
    Number(i64),
}

impl CasePattern {
    /// The default pattern for inputs or for answers.
    pub(super) fn default_for(is_answer: bool) -> Option<Self> {
        let numbers = compiled(DEFAULT_NUMBERS).ok()?;
        Some(Self {
            numbers,
            marks: Some(DEFAULT[usize::from(is_answer)]),
        })
    }

    /// Compiles a pattern, which is anchored at the start of a name.
    ///
    /// # Errors
    /// Returns the reason why it is invalid, to be printed after its key.
    pub(super) fn new(text: &str) -> Result<Self, String> {
        let numbers = compiled(&format!("^(?:{text})"))
            .map_err(|error| format!("is not a supported pattern: {error}"))?;
        Ok(Self {
            numbers,
            marks: None,
        })
    }

    /// Returns the batch and the case in a name, if it matches.
    fn ids(&self, name: &str) -> Option<(Option<CaseId>, Option<CaseId>)> {
        let mut name = Cow::Borrowed(name);
        if let Some((within, before)) = self.marks {
            let lower = name.to_lowercase();
            if !lower.contains(within) && !lower.starts_with(before) {
                return None;
            }
            // The classes of regular expressions here are those of ASCII, and the
            // default pattern accepts only ASCII digits in numbers.
            name = name
                .chars()
                .map(|letter| match letter {
                    _ if letter.is_ascii() => letter,
                    _ if letter.is_alphanumeric() => '_',
                    _ if letter.is_whitespace() => ' ',
                    _ => '-',
                })
                .collect();
        }
        let found = self.numbers.captures(&name)?;
        let id = |group| {
            let text = found.name(group)?.as_str();
            let number = text.parse().map(CaseId::Number);
            Some(number.unwrap_or_else(|_| CaseId::Name(text.to_owned())))
        };
        Some((id("batch"), id("case")))
    }
}

/// Compiles a pattern that ignores case, as in DMOJ.
fn compiled(text: &str) -> Result<Regex, regex_lite::Error> {
    RegexBuilder::new(text)
        .case_insensitive(true)
        .size_limit(MOST_COMPILED)
        .build()
}

/// Returns the items that the names describe by the patterns of inputs and answers, in
/// the order of batches and cases, with the settings around them, as if `line` named
/// their files. A single case is sorted like a batch of the same number.
///
/// # Errors
/// Returns a message for each name that is ambiguous or has no case number.
pub(super) fn items(
    names: &[&str],
    [input, answer]: [&CasePattern; 2],
    around: &CaseScope,
    line: u64,
) -> Result<Vec<DmojItem>, Vec<String>> {
    let mut groups: BTreeMap<CaseId, BTreeMap<CaseId, CaseScope>> = BTreeMap::new();
    let mut batches = BTreeSet::new();
    let mut wrong = vec![];
    for (is_answer, pattern) in [(false, input), (true, answer)] {
        for name in names {
            let Some((batch, case)) = pattern.ids(name) else {
                continue;
            };
            let Some(case) = case else {
                wrong.push(format!(
                    "the pattern finds no number of a case in `{name}`"
                ));
                continue;
            };
            batches.extend(batch.clone());
            let found = groups
                .entry(batch.unwrap_or_else(|| case.clone()))
                .or_default()
                .entry(case)
                .or_insert_with(|| around.clone());
            let place = if is_answer {
                &mut found.answer
            } else {
                &mut found.input
            };
            let named = NamedFile {
                name: (*name).to_owned(),
                line,
            };
            if let Some(NamedFile { name: other, .. }) = place.replace(named) {
                wrong.push(format!(
                    "by their names, `{other}` and `{name}` are files of the same case"
                ));
            }
        }
    }
    let mut items = vec![];
    for (id, cases) in groups {
        let is_name = |one: &CaseId| matches!(one, CaseId::Name(_));
        if cases.keys().any(is_name) && !cases.keys().all(is_name) {
            wrong.push(
                "some cases of a batch have numbers, and others have names"
                    .to_owned(),
            );
        }
        items.push(DmojItem {
            cases: cases.into_values().collect(),
            is_batch: batches.contains(&id),
            ..DmojItem::default()
        });
    }
    wrong.is_empty().then_some(items).ok_or(wrong)
}

#[cfg(test)]
mod case_names_tests {
    use super::*;

    fn default(names: &[&str]) -> Vec<String> {
        let [input, answer] = [false, true]
            .map(|is_answer| CasePattern::default_for(is_answer).unwrap());
        shown(names, &input, &answer)
    }

    fn shown(
        names: &[&str],
        input: &CasePattern,
        answer: &CasePattern,
    ) -> Vec<String> {
        let found = items(names, [input, answer], &CaseScope::default(), 1);
        let items = match found {
            Ok(items) => items,
            Err(wrong) => return wrong,
        };
        let name = |file: &Option<NamedFile>| {
            file.as_ref().map_or("-", |file| &file.name).to_owned()
        };
        items
            .into_iter()
            .map(|item| {
                let cases = item
                    .cases
                    .iter()
                    .map(|case| {
                        format!("{}>{}", name(&case.input), name(&case.answer))
                    })
                    .collect::<Vec<_>>()
                    .join(" ");
                if item.is_batch {
                    format!("[{cases}]")
                } else {
                    cases
                }
            })
            .collect()
    }

    #[test]
    fn the_usual_patterns_find_cases_and_batches_by_their_numbers() {
        let names = [
            "10.in",
            "10.out",
            "3.in",
            "3.out",
            "2.2.in",
            "2.1.in",
            "2.1.out",
            "2.2.out",
            "readme.txt",
        ];
        assert_eq!(
            default(&names),
            [
                "[2.1.in>2.1.out 2.2.in>2.2.out]",
                "3.in>3.out",
                "10.in>10.out"
            ]
        );
        assert_eq!(
            default(&["test-1.in", "test-1.OUT"]),
            ["test-1.in>test-1.OUT"]
        );
        let named = [
            "test-batch-1-case-2.in",
            "test-batch-1-case-2.out",
            "test-1-1.in",
            "test-1-1.out",
        ];
        assert_eq!(
            default(&named),
            [
                "[test-1-1.in>test-1-1.out test-batch-1-case-2.in>test-batch-1-case-2.out]"
            ]
        );
        assert_eq!(
            default(&["input01.txt", "output01.txt"]),
            ["input01.txt>output01.txt"]
        );
        assert_eq!(
            default(&["data/1.in", "data/1.out"]),
            ["data/1.in>data/1.out"]
        );
        assert_eq!(default(&["4.out"]), ["->4.out"]);
        // A number directly after a letter is not a batch number, in any alphabet.
        assert_eq!(
            default(&["x1-2.in", "\u{e9}1-3.in"]),
            ["x1-2.in>-", "\u{e9}1-3.in>-"]
        );
    }

    #[test]
    fn patterns_of_a_problem_match_from_the_start_and_ignore_case() {
        let input =
            CasePattern::new(r"p\.(?P<batch>[a-z]+)(?P<case>\d+)\.in").unwrap();
        let answer =
            CasePattern::new(r"p\.(?P<batch>[a-z]+)(?P<case>\d+)\.sol").unwrap();
        let names = ["P.b2.in", "p.b2.sol", "p.a1.in", "p.a1.sol", "xp.a2.in"];
        assert_eq!(
            shown(&names, &input, &answer),
            ["[p.a1.in>p.a1.sol]", "[P.b2.in>p.b2.sol]"]
        );
        assert!(
            CasePattern::new(r"(?!x)(?P<case>\d+)").is_err()
                && CasePattern::new("(").is_err()
        );
    }

    #[test]
    fn ambiguous_names_are_reported() {
        assert_eq!(
            default(&["1.in", "a/1.in", "1.out"]),
            ["by their names, `1.in` and `a/1.in` are files of the same case"]
        );
        let none = CasePattern::new(r".*\.in").unwrap();
        let wrong = ["the pattern finds no number of a case in `1.in`"];
        assert_eq!(
            shown(&["1.in"], &none, &CasePattern::default_for(true).unwrap()),
            wrong
        );
    }
}
