//! Finds the cases among files that follow no format: an input and its answer have the
//! same path but for the words that say which of the two a file is, such as `in/01.txt`
//! and `out/01.txt`, or `plus.in.1` and `plus.out.1`. What else is in the path is the
//! name of the case. Looks at names only. Start at [`paired_files`].

use std::collections::{BTreeMap, BTreeSet};

use crate::package::is_among;
use crate::text::JoinedTexts;

use FileRole::{Answer, Input};

/// The words of inputs and of answers. Single letters count in a few places only.
const INPUT_WORDS: &str = "in inp input inputs indata i";
const ANSWER_WORDS: &str = "out ou output outputs outdata ans answer answers sol solution solutions expected ok o a";

/// The endings of inputs whose answers have the same name and the ending of an answer.
const PLAIN_ENDINGS: [&str; 5] = ["", ".txt", ".dat", ".tst", ".test"];

/// The endings of statements, pictures and programs, which are no cases: Polygon has
/// the sections of a statement in `input.tex` and `output.tex`, and authors make cases
/// by `input.cpp` and `output.cpp`.
const OTHER_ENDINGS: &str = "tex md html pdf doc docx png jpg jpeg svg \
                             c cc cpp h hpp java py js kt rs go cs pas sh";

/// Words of a path that may tell its role; further ones are parts of its name.
const MOST_WORDS: usize = 4;

/// A case: its name, and the paths of its files.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PairedCase {
    pub(crate) name: String,
    pub(crate) input: String,
    /// One or more answers, which must not differ. None need exist if patterns name the
    /// only one, or endings alone make the input a case.
    pub(crate) answers: Vec<String>,
}

/// What was found among files.
#[derive(Default)]
pub(crate) struct PairedFiles {
    /// Sorted by the paths of their inputs, or by name if patterns name them.
    pub(crate) cases: Vec<PairedCase>,
    /// Files that look like the inputs of the cases and have no answer.
    pub(crate) unanswered: Vec<String>,
    /// Files of which it is not clear what they are, and why.
    pub(crate) ambiguous: Vec<(String, String)>,
    /// Answers without the input that patterns name, each with that.
    pub(crate) without_input: Vec<(String, String)>,
    /// All other files.
    pub(crate) others: Vec<String>,
}

/// What a word in a path says about the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FileRole {
    Input,
    Answer,
}

/// A path in parts: runs of letters, runs of digits, and single other characters.
struct PathParts<'a> {
    whole: &'a str,
    parts: Vec<&'a str>,
    roles: Vec<(usize, FileRole)>,
}

/// The files of a path with its role words left out, by role: each with the path as it
/// is written.
type FilesOfKey<'a> = BTreeMap<String, [BTreeSet<(&'a str, String)>; 2]>;

/// The answers of each input, with its path without role words.
type AnswersOfInputs<'a> = BTreeMap<&'a str, (String, BTreeSet<&'a str>)>;

/// The input and the answer of one of the pairs among files, if there are any.
pub(crate) fn first_pair<'a>(
    files: impl IntoIterator<Item = &'a str>,
) -> Option<[String; 2]> {
    let PairedCase { input, answers, .. } =
        paired_files(files).cases.into_iter().next()?;
    Some([input, answers.into_iter().next()?])
}

/// Finds the cases among the files with these paths.
pub(crate) fn paired_files<'a>(
    files: impl IntoIterator<Item = &'a str>,
) -> PairedFiles {
    let all: Vec<PathParts<'a>> = files.into_iter().map(PathParts::new).collect();
    let mut answers_of = AnswersOfInputs::new();
    let mut inputs_of: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for [inputs, answers] in files_by_key(&all).into_values() {
        for (input, name) in &inputs {
            for (answer, _) in &answers {
                let found = answers_of.entry(*input);
                let found = found.or_insert_with(|| (name.clone(), BTreeSet::new()));
                found.1.insert(*answer);
                inputs_of.entry(*answer).or_default().insert(*input);
            }
        }
    }
    let plain = plain_pairs(&all, |text| {
        !answers_of.contains_key(text) && !inputs_of.contains_key(text)
    });
    let plain_names: BTreeSet<String> = plain
        .iter()
        .map(|(input, _)| without_digits(input))
        .collect();
    for (input, answer) in plain {
        inputs_of.insert(answer, BTreeSet::from([input]));
        answers_of.insert(input, (input.to_owned(), BTreeSet::from([answer])));
    }
    let shapes: BTreeSet<String> = all
        .iter()
        .filter(|path| answers_of.contains_key(path.whole))
        .flat_map(|path| path.shapes(Input))
        .collect();
    let mut found = PairedFiles::default();
    for path in &all {
        let text = path.whole;
        if answers_of.contains_key(text) || inputs_of.contains_key(text) {
            continue;
        }
        let is_input = path
            .shapes(Input)
            .iter()
            .any(|shape| shapes.contains(shape))
            || plain_names.contains(&without_digits(text));
        let alike = if is_input {
            &mut found.unanswered
        } else {
            &mut found.others
        };
        alike.push(text.to_owned());
    }
    found.ambiguous = ambiguous(inputs_of);
    found.cases = named_cases(answers_of);
    found
}

/// The answers that may belong to several inputs, and what is said of each.
fn ambiguous(inputs_of: BTreeMap<&str, BTreeSet<&str>>) -> Vec<(String, String)> {
    inputs_of
        .into_iter()
        .filter(|(_, inputs)| inputs.len() > 1)
        .map(|(answer, inputs)| {
            let inputs = inputs
                .iter()
                .map(|input| format!("`{input}`"))
                .joined(" or of ");
            let said = format!("may be the answer of {inputs}");
            (answer.to_owned(), said)
        })
        .collect()
}

/// The files by each of their paths in which words of one role are left out.
fn files_by_key<'a>(all: &[PathParts<'a>]) -> FilesOfKey<'a> {
    let mut by_key = FilesOfKey::new();
    for path in all {
        for role in [Input, Answer] {
            for left_out in path.choices(role) {
                let name = path.without(&left_out);
                by_key.entry(name.to_lowercase()).or_default()[role as usize]
                    .insert((path.whole, name));
            }
        }
    }
    by_key.retain(|_, [inputs, answers]| !inputs.is_empty() && !answers.is_empty());
    by_key
}

/// Pairs such as `01` and `01.a`, or `1.txt` and `1.ans`, of files that belong to no
/// other pair.
fn plain_pairs<'a>(
    all: &[PathParts<'a>],
    is_free: impl Fn(&str) -> bool,
) -> Vec<(&'a str, &'a str)> {
    let names: BTreeMap<&str, &PathParts<'a>> =
        all.iter().map(|path| (path.whole, path)).collect();
    let mut found = vec![];
    for answer in names.keys().filter(|name| is_free(name)) {
        let Some((stem, ending)) = answer.rsplit_once('.') else {
            continue;
        };
        if !is_among(&ending.to_ascii_lowercase(), ANSWER_WORDS)
            || stem.is_empty()
            || stem.ends_with('/')
        {
            continue;
        }
        let mut inputs = PLAIN_ENDINGS
            .iter()
            .filter_map(|ending| names.get(&*format!("{stem}{ending}")))
            .filter(|input| is_free(input.whole));
        if let (Some(input), None) = (inputs.next(), inputs.next()) {
            found.push((input.whole, *answer));
        }
    }
    found
}

impl<'a> PathParts<'a> {
    fn new(path: &'a str) -> Self {
        let kind = |letter: char| {
            if letter.is_ascii_digit() {
                1
            } else {
                u8::from(letter.is_alphabetic()) * 2
            }
        };
        let mut parts = vec![];
        let mut start = 0;
        let letters: Vec<(usize, char)> = path.char_indices().collect();
        for pair in letters.windows(2) {
            let [(_, before), (at, after)] = [pair[0], pair[1]];
            if kind(before) != kind(after) || kind(after) == 0 {
                parts.push(&path[start..at]);
                start = at;
            }
        }
        parts.push(&path[start..]);
        let mut roles: Vec<_> = (0..parts.len())
            .filter_map(|at| Some((at, role_of(&parts, at)?)))
            .collect();
        if is_of_another_kind(path) {
            roles.clear();
        }
        let kept = roles.len().saturating_sub(MOST_WORDS);
        roles.drain(..kept);
        Self {
            whole: path,
            parts,
            roles,
        }
    }

    /// Each choice of some words of a role.
    fn choices(&self, role: FileRole) -> Vec<Vec<usize>> {
        let places: Vec<usize> = self
            .roles
            .iter()
            .filter(|(_, of)| *of == role)
            .map(|(at, _)| *at)
            .collect();
        let choices = 1..1_usize << places.len();
        choices
            .map(|bits| {
                places
                    .iter()
                    .enumerate()
                    .filter(move |(bit, _)| bits >> bit & 1 == 1)
                    .map(|(_, at)| *at)
                    .collect()
            })
            .collect()
    }

    fn without(&self, left_out: &[usize]) -> String {
        self.parts
            .iter()
            .enumerate()
            .map(|(at, part)| if left_out.contains(&at) { "\0" } else { part })
            .collect()
    }

    /// Where words of a role stand, and how the path ends.
    fn shapes(&self, role: FileRole) -> Vec<String> {
        let ending = match &self.parts[..] {
            [.., ".", last] => last.to_lowercase(),
            _ => String::new(),
        };
        self.choices(role)
            .into_iter()
            .map(|chosen| {
                let words = chosen.iter().map(|&at| {
                    let folders =
                        self.parts[..at].iter().filter(|part| **part == "/");
                    format!("{} {} ", folders.count(), self.parts[at].to_lowercase())
                });
                format!("{}.{ending}", words.collect::<String>())
            })
            .collect()
    }
}

/// Whether a path ends like that of a statement, a picture or a program.
fn is_of_another_kind(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| {
        is_among(&ending.to_ascii_lowercase(), OTHER_ENDINGS)
    })
}

/// What the part of a path at this place says about the file.
fn role_of(parts: &[&str], at: usize) -> Option<FileRole> {
    let word = parts[at].to_ascii_lowercase();
    let before = at.checked_sub(1).map_or("/", |before| parts[before]);
    let after = parts.get(at + 1).copied();
    let is_number = after.is_some_and(|after| {
        after.starts_with(|letter: char| letter.is_ascii_digit())
    });
    let stands_for_role = match word.as_str() {
        // `I.1`, `i1.txt`, `plus.i01`.
        "i" | "o" => {
            before == "/" && (is_number || after == Some("."))
                || before == "." && is_number && at + 2 == parts.len()
        }
        // `01.a`.
        "a" => before == "." && after.is_none(),
        _ => true,
    };
    let role = if is_among(&word, INPUT_WORDS) {
        Input
    } else if is_among(&word, ANSWER_WORDS) {
        Answer
    } else {
        return None;
    };
    stands_for_role.then_some(role)
}

/// Names the cases after what their paths share with those of their answers.
fn named_cases(answers_of: AnswersOfInputs<'_>) -> Vec<PairedCase> {
    let mut names: Vec<String> = answers_of
        .values()
        .map(|(path, _)| case_name(path))
        .collect();
    let folder = names
        .first()
        .and_then(|name| name.rsplit_once('/'))
        .map(|(folder, _)| format!("{folder}/"));
    if let Some(folder) = folder
        && names.iter().all(|name| name.starts_with(&folder))
    {
        for name in &mut names {
            *name = name[folder.len()..].to_owned();
        }
    }
    let are_names = names.iter().all(|name| !name.is_empty())
        && names.iter().collect::<BTreeSet<_>>().len() == names.len();
    answers_of
        .into_iter()
        .zip(names)
        .map(|((input, (_, answers)), name)| {
            let name = if are_names {
                name
            } else {
                without_ending(input).to_owned()
            };
            PairedCase {
                name,
                input: input.to_owned(),
                answers: answers.into_iter().map(str::to_owned).collect(),
            }
        })
        .collect()
}

/// A path without the digits in the name of the file.
fn without_digits(path: &str) -> String {
    let start = path.rfind('/').map_or(0, |slash| slash + 1);
    let (folder, name) = path.split_at(start);
    let name = name.replace(|letter: char| letter.is_ascii_digit(), "");
    format!("{folder}{name}")
}

/// The name that a path without its role words gives.
fn case_name(path: &str) -> String {
    path.split('/')
        .map(|component| {
            let text = component.replace('\0', "");
            let text = without_ending(&text)
                .replace("..", ".")
                .replace("__", "_")
                .replace("--", "-");
            text.trim_matches(['.', '_', '-', ' ']).to_owned()
        })
        .filter(|component| !component.is_empty())
        .joined("/")
}

/// A name without the ending `.txt` or `.dat`.
fn without_ending(name: &str) -> &str {
    name.strip_suffix(".txt")
        .or_else(|| name.strip_suffix(".dat"))
        .unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pairs among files, as `NAME: INPUT ANSWER...`.
    fn pairs(files: &[&str]) -> Vec<String> {
        let found = paired_files(files.iter().copied());
        found
            .cases
            .iter()
            .map(|case| {
                format!("{}: {} {}", case.name, case.input, case.answers.join(" "))
            })
            .collect()
    }

    #[test]
    fn statements_and_programs_are_no_cases() {
        let others = ["input.tex", "output.tex", "gen/input.CPP", "gen/output.CPP"];
        let files = [&others[..], &["in.1", "out.1"]].concat();
        assert_eq!(pairs(&files), ["1: in.1 out.1"]);
        assert_eq!(paired_files(files).others, others);
    }

    #[test]
    fn published_layouts_are_paired_by_what_differs_between_input_and_answer() {
        for (first, second, names) in [
            // AtCoder, with folders of the two kinds.
            (
                ["in/01.txt", "out/01.txt"],
                ["in/02.txt", "out/02.txt"],
                ["01", "02"],
            ),
            (
                ["in/sample_01.txt", "out/sample_01.txt"],
                ["in/hand.txt", "out/hand.txt"],
                ["hand", "sample_01"],
            ),
            // AtCoder, without endings.
            (
                ["A/in/s1", "A/out/s1"],
                ["A/in/s2", "A/out/s2"],
                ["s1", "s2"],
            ),
            // Library Checker.
            (
                ["in/case_00.in", "out/case_00.out"],
                ["in/case_01.in", "out/case_01.out"],
                ["case_00", "case_01"],
            ),
            // HackerRank.
            (
                ["input/input00.txt", "output/output00.txt"],
                ["input/input01.txt", "output/output01.txt"],
                ["00", "01"],
            ),
            // USACO, older and newer.
            (["I.1", "O.1"], ["I.2", "O.2"], ["1", "2"]),
            (["1.in", "1.out"], ["2.in", "2.out"], ["1", "2"]),
            // COCI.
            (
                ["plus.in.1", "plus.out.1"],
                ["plus.in.2", "plus.out.2"],
                ["plus.1", "plus.2"],
            ),
            (
                ["plus/plus.in.1a", "plus/plus.out.1a"],
                ["plus/plus.in.1b", "plus/plus.out.1b"],
                ["plus.1a", "plus.1b"],
            ),
            // BOI and CEOI.
            (
                ["plus.i01", "plus.o01"],
                ["plus.i02", "plus.o02"],
                ["plus.01", "plus.02"],
            ),
            // Windows.
            (["1.IN", "1.OUT"], ["2.IN", "2.OUT"], ["1", "2"]),
            (
                ["PLUS1.IN", "PLUS1.SOL"],
                ["PLUS2.IN", "PLUS2.SOL"],
                ["PLUS1", "PLUS2"],
            ),
            // Codeforces' and Polygon's tests.
            (
                ["tests/01", "tests/01.a"],
                ["tests/02", "tests/02.a"],
                ["01", "02"],
            ),
            (
                ["01/01", "01/01.a"],
                ["02/02", "02/02.a"],
                ["01/01", "02/02"],
            ),
            // Kattis.
            (
                ["sample/1.in", "sample/1.ans"],
                ["secret/1.in", "secret/1.ans"],
                ["sample/1", "secret/1"],
            ),
            // IOI and CMS.
            (
                ["input/input0.txt", "output/output0.txt"],
                ["input/input1.txt", "output/output1.txt"],
                ["0", "1"],
            ),
            (
                ["input0.txt", "output0.txt"],
                ["input1.txt", "output1.txt"],
                ["0", "1"],
            ),
            // Google.
            (
                ["A-small-practice.in", "A-small-practice.out"],
                ["A-large-practice.in", "A-large-practice.out"],
                ["A-large-practice", "A-small-practice"],
            ),
            (
                ["ts1_input.txt", "ts1_output.txt"],
                ["ts2_input.txt", "ts2_output.txt"],
                ["ts1", "ts2"],
            ),
            // Baekjoon and ICPC in Korea.
            (["1.in", "1.ans"], ["2.in", "2.ans"], ["1", "2"]),
            (
                ["data/01.inp", "data/01.out"],
                ["data/02.inp", "data/02.out"],
                ["01", "02"],
            ),
            // Luogu.
            (["p1.in", "p1.ans"], ["p2.in", "p2.ans"], ["p1", "p2"]),
            // CodeChef and CSES.
            (
                ["test1/input.txt", "test1/output.txt"],
                ["test2/input.txt", "test2/output.txt"],
                ["test1", "test2"],
            ),
            (
                ["1_input.txt", "1_output.txt"],
                ["2_input.txt", "2_output.txt"],
                ["1", "2"],
            ),
            (
                ["input1.txt", "output1.txt"],
                ["input2.txt", "output2.txt"],
                ["1", "2"],
            ),
            (["in1.txt", "out1.txt"], ["in2.txt", "out2.txt"], ["1", "2"]),
            // VNOJ and Themis.
            (
                ["Test01/PLUS.INP", "Test01/PLUS.OUT"],
                ["Test02/PLUS.INP", "Test02/PLUS.OUT"],
                ["Test01/PLUS", "Test02/PLUS"],
            ),
            // Others.
            (["1.dat", "1.sol"], ["2.dat", "2.sol"], ["1", "2"]),
            (["1.txt", "1.ans"], ["2.txt", "2.ans"], ["1", "2"]),
            (
                ["plus1.in", "plus1.ok"],
                ["plus2.in", "plus2.ok"],
                ["plus1", "plus2"],
            ),
            (
                ["inputs/a.txt", "answers/a.txt"],
                ["inputs/b.txt", "answers/b.txt"],
                ["a", "b"],
            ),
            (
                ["input/1.txt", "expected/1.txt"],
                ["input/2.txt", "expected/2.txt"],
                ["1", "2"],
            ),
            (["input.1", "output.1"], ["input.2", "output.2"], ["1", "2"]),
            (["in.1", "ans.1"], ["in.2", "ans.2"], ["1", "2"]),
            (["1.input", "1.output"], ["2.input", "2.output"], ["1", "2"]),
            (
                ["01.in.txt", "01.out.txt"],
                ["02.in.txt", "02.out.txt"],
                ["01", "02"],
            ),
        ] {
            let found = paired_files(first.into_iter().chain(second));
            let mut files = [first, second];
            files.sort_unstable();
            let expected = [0, 1].map(|at| {
                format!("{}: {} {}", names[at], files[at][0], files[at][1])
            });
            assert_eq!(pairs(&[first, second].concat()), expected);
            assert_eq!(
                (
                    found.unanswered.len(),
                    found.others.len(),
                    found.ambiguous.len()
                ),
                (0, 0, 0)
            );
        }
    }

    #[test]
    fn one_case_without_a_name_is_called_after_its_input() {
        assert_eq!(
            pairs(&["input.txt", "output.txt"]),
            ["input: input.txt output.txt"]
        );
    }

    #[test]
    fn files_that_are_no_pair_are_left_over() {
        let found = paired_files([
            "in/1.txt",
            "out/1.txt",
            "in/2.txt",
            "readme.txt",
            "about.md",
            "out/3.txt",
        ]);
        assert_eq!(found.unanswered, ["in/2.txt"]);
        assert_eq!(found.others, ["readme.txt", "about.md", "out/3.txt"]);
        for files in [
            ["a.cpp", "a.out"],
            ["all-in-one.txt", "all-out.txt"],
            ["main.i", "main.o"],
            ["1", "1.b"],
        ] {
            assert_eq!(pairs(&files), [""; 0], "{files:?}");
        }
    }

    #[test]
    fn words_of_both_roles_in_one_path_do_not_confuse() {
        assert_eq!(
            pairs(&["out/01.in", "out/01.out"]),
            ["01: out/01.in out/01.out"]
        );
        assert_eq!(
            pairs(&["all-in.in", "all-in.out"]),
            ["all-in: all-in.in all-in.out"]
        );
    }

    #[test]
    fn an_answer_of_two_inputs_is_ambiguous_and_two_answers_belong_to_one_input() {
        let found = paired_files(["in/1.txt", "input/1.txt", "out/1.txt"]);
        let said = "may be the answer of `in/1.txt` or of `input/1.txt`";
        assert_eq!(found.ambiguous, [("out/1.txt".to_owned(), said.to_owned())]);
        assert_eq!(pairs(&["1.in", "1.out", "1.ans"]), ["1: 1.in 1.ans 1.out"]);
    }

    #[test]
    fn a_number_among_numbers_with_answers_is_a_case_whose_answer_is_missing() {
        let found = paired_files([
            "01",
            "01.a",
            "03",
            "04.a",
            "readme",
            "x/05",
            "1.txt",
            "1.ans",
            "notes.txt",
        ]);
        assert_eq!(found.unanswered, ["03"]);
        assert_eq!(found.others, ["04.a", "readme", "x/05", "notes.txt"]);
    }
}
