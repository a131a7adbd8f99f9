//! Reads folders of cases, as of online-judge-tools: `NAME.in` and `NAME.out` in
//! `test/` or in the folder itself, or else pairs of files under any names, and no
//! other settings. Start at [`read_oj`].

pub(crate) mod case_patterns;
pub(super) mod pairing;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::files;
use crate::mistake::Mistake;
use crate::model::{Case, Task, TextTask, ending, file_name};
use crate::package::oj::case_patterns::foreign_judge;
use crate::package::oj::pairing::{PairedCase, PairedFiles};
use crate::package::{
    ANSWERS, CasePatterns, INPUT, OJ_FOLDER, Package, PackageFormat, PackageTree,
    contents, last_part, lone_answer, paired_files,
};
use crate::text::counted;

/// How outputs are compared: by the default of `oj test --compare-mode`. All bytes must
/// be equal after `\r\n` was replaced by `\n` in both texts, so white space at the end
/// of a line is wrong, and so is a missing line break at the end. Source:
/// online-judge-tools/oj, `build_match_function` in `subcommand/test.py` and
/// `CRLFInsensitiveComparator` in `output_comparators.py`.
const COMPARISON: TextTask = TextTask::CrlfInsensitive;

/// Reads a folder of cases: those that patterns name, if there are any.
pub(super) fn read_oj(
    tree: &PackageTree,
    patterns: Option<&CasePatterns>,
) -> Package {
    for name in tree.files() {
        let judges = foreign_judge(last_part(name));
        if let Some(judges) = judges {
            tree.deviation(format!(
                "{name}: settings as of {judges} are not read: its limits, points and checker do \
                 not count; `--time-limit` sets a limit"
            ));
        }
        if is_like_checker(last_part(name)) {
            tree.deviation(format!(
                "{name}: outputs are compared with the answers, and a checker is not used; a \
                 `problem.toml` can name it"
            ));
        }
    }
    let mut cases = match patterns {
        Some(patterns) => cases_by_pairs(
            patterns.pair(tree.files()),
            "write patterns that say more, or rename it",
            "matches no pattern",
            tree,
        ),
        None => cases_by_names(tree),
    };
    // The ending is no part of a name, and would come after a `-`.
    cases.sort_by(|one, other| one.name.cmp(&other.name));
    let package = Package {
        task: Task::Text(COMPARISON),
        cases,
        ..Package::of_files(PackageFormat::Oj, tree)
    };
    tree.mistakes(contents::compressed(package.case_files()));
    package
}

/// Whether a file is named as judges name checkers, with or without its source.
fn is_like_checker(name: &str) -> bool {
    let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
    matches!(
        ending,
        "" | "c" | "cc" | "cpp" | "cxx" | "java" | "pas" | "py"
    ) && matches!(stem, "check" | "checker" | "chk" | "special_judge" | "spj")
}

/// Finds the cases: all below `test`, or those directly in the folder, or pairs of
/// files under any names.
fn cases_by_names(tree: &PackageTree) -> Vec<Case> {
    let is_bare = !tree.package_file.ends_with(OJ_FOLDER);
    let has_other_names = has_other_names(tree);
    let below_any = !is_bare || has_other_names;
    let paired =
        paired_files(tree.files().filter(|name| below_any || !name.contains('/')));
    // Cases `NAME.in` directly in the folder that have an answer.
    let plain_cases = tree
        .files()
        .filter(|name| !name.contains('/'))
        .filter_map(|name| name.strip_suffix(".in"))
        .filter(|base| {
            ANSWERS
                .iter()
                .any(|ending| tree.file(&format!("{base}.{ending}")).is_some())
        });
    if has_other_names || is_bare && paired.cases.len() > plain_cases.count() {
        cases_by_pairs(
            paired,
            "rename them, so that one input alone has its name",
            "belongs to no pair",
            tree,
        )
    } else {
        cases_by_endings(tree, is_bare)
    }
}

/// Finds the cases `NAME.in`: all below `test`, or if the folder is bare those directly
/// in it.
fn cases_by_endings(tree: &PackageTree, is_bare: bool) -> Vec<Case> {
    let mut found = vec![];
    let start = if is_bare { "" } else { "test/" };
    for (name, path) in tree.all() {
        let Some(below) = name
            .strip_prefix(start)
            .filter(|below| !is_bare || !below.contains('/'))
        else {
            continue;
        };
        if let Some(case) = other_case(&name, tree) {
            if case.input == name {
                found.extend(case_of_pair(case, tree));
            }
            continue;
        }
        let (base, ending) = below.rsplit_once('.').unwrap_or((below, ""));
        if ending == INPUT {
            let answers = ANSWERS.map(|ending| format!("{start}{base}.{ending}"));
            let case = PairedCase {
                name: base.to_owned(),
                input: name,
                answers: answers.to_vec(),
            };
            found.extend(case_of_pair(case, tree));
        } else if !ANSWERS.contains(&ending) {
            let said =
                format!("{name}: a case is `NAME.in` with `NAME.out` or `NAME.ans`");
            if !is_bare {
                // It may have been meant as a file of a case, as `input0.txt`.
                tree.deviation(&*said);
            }
            tree.ignore(said);
        } else if tree.lacks(&format!("{start}{base}.{INPUT}")) {
            if !is_bare {
                tree.mistake(lone_answer(&path));
                continue;
            }
            let said = format!("{name}: no case ({base}.{INPUT}) is next to it");
            // Other files may lie there, such as `a.out`, a program.
            if !files::is_executable(&path) {
                tree.deviation(&*said);
            }
            tree.ignore(said);
        }
    }
    found
}

/// The case in `test/` that a file belongs to, if it is a case under names other than
/// `NAME.in`: `NAME` and `NAME.a`, as Polygon writes tests, or `input0.txt` and
/// `output0.txt`, as Italian contests do. Its name must not be that of another case.
fn other_case(file: &str, tree: &PackageTree) -> Option<PairedCase> {
    let below = file.strip_prefix("test/")?;
    let name = last_part(below);
    let folder = &below[..below.len() - name.len()];
    let italian = name.strip_suffix(".txt").and_then(|number| {
        number
            .strip_prefix("input")
            .or_else(|| number.strip_prefix("output"))
    });
    let (input, answer) = match (italian, name.strip_suffix(".a")) {
        (Some(number), _) => {
            (format!("input{number}.txt"), format!("output{number}.txt"))
        }
        (None, Some(input)) => (input.to_owned(), name.to_owned()),
        (None, None) => (name.to_owned(), format!("{name}.a")),
    };
    let stem = input.strip_suffix(".txt").unwrap_or(&input);
    let name = format!("{folder}{stem}");
    let path = |name: &str| format!("test/{folder}{name}");
    let case = PairedCase {
        input: path(&input),
        answers: vec![path(&answer)],
        name,
    };
    let is_taken = tree.file(&format!("test/{}.{INPUT}", case.name)).is_some();
    let is_there = [&case.input, &case.answers[0]]
        .iter()
        .all(|name| tree.file(name).is_some());
    (is_there && !is_taken).then_some(case)
}

/// The mistake that a case has two answers that differ.
fn contradiction(answers: &[&Path]) -> Option<Mistake> {
    let [first, second] = answers else {
        return None;
    };
    // One that cannot be read is reported when it is compared with an output.
    if fs::read(first).ok()? == fs::read(second).ok()? {
        return None;
    }
    let name = file_name(second);
    Some(Mistake::new(
        *first,
        format!("differs from {name}, another answer of this case"),
        "delete the wrong one",
    ))
}

/// Whether the cases are under other names than `NAME.in`, in `test/` or in the folder
/// itself, and the other names that they may have in `test/`.
fn has_other_names(tree: &PackageTree) -> bool {
    let is_input = |name: &str| ending(name) == INPUT;
    let depth = |name: &str| name.matches('/').count();
    let mut known = tree.files().filter(|name| {
        let is_in_test = name.strip_prefix("test/").is_some_and(|below| {
            depth(below) == 0 && (is_input(below) || other_case(name, tree).is_some())
        });
        is_in_test || depth(name) == 0 && is_input(name)
    });
    known.next().is_none()
}

/// Notes that an answer, which is to be in the file `written`, is missing.
fn note_missing(input: &Path, written: &str, tree: &PackageTree) {
    tree.missing_answer(Mistake::new(
        input,
        "the case has no answer next to it",
        format!("write it into {written}, or delete the case"),
    ));
}

/// Makes cases of pairs of files, and says what was paired and what was not. `remedy` is
/// for files of which it is not clear what they are, and `others` says what is true of
/// all that are of no case.
fn cases_by_pairs(
    paired: PairedFiles,
    remedy: &str,
    others: &str,
    tree: &PackageTree,
) -> Vec<Case> {
    let pairs: Vec<_> = paired
        .cases
        .iter()
        .filter(|case| !tree.lacks(&case.answers[0]))
        .collect();
    if let [PairedCase { input, answers, .. }, ..] = pairs[..] {
        let answer = &answers[0];
        let pairs = counted(pairs.len(), "pair");
        tree.deviation(format!(
            "the cases are {pairs} of files, such as `{input}` and `{answer}`"
        ));
    }
    for (file, why) in paired.ambiguous {
        tree.refuse(tree.root.join(file), why, remedy);
    }
    let mut found: Vec<_> = paired
        .cases
        .into_iter()
        .filter_map(|case| case_of_pair(case, tree))
        .collect();
    let names: BTreeSet<String> =
        found.iter().map(|case| case.name.clone()).collect();
    for name in paired.unanswered {
        if !names.contains(&name)
            && let Some(input) = tree.file(&name)
        {
            let answer = input.with_extension(ANSWERS[0]);
            note_missing(input, &file_name(&answer), tree);
            found.push(Case {
                name,
                input: input.to_owned(),
                answer,
            });
        }
    }
    for (answer, input) in paired.without_input {
        tree.pass_over(&format!("{answer}: no input (`{input}`) belongs to it"));
    }
    for name in paired.others {
        tree.ignore(format!("{name}: it {others}"));
    }
    found
}

/// The case of an input and its answers, of which the first that is there is used;
/// `None` if its input is not there.
fn case_of_pair(case: PairedCase, tree: &PackageTree) -> Option<Case> {
    let input = tree.file(&case.input)?;
    let answers = case.answers.iter();
    let mut stored: Vec<_> = answers.filter_map(|answer| tree.file(answer)).collect();
    stored.sort_by_key(|answer| ending(*answer) != ANSWERS[0]);
    stored.truncate(2);
    tree.mistakes(contradiction(&stored));
    let named = &case.answers[0];
    if stored.is_empty() {
        // The only possible answer may belong into another folder.
        let written = if case.answers.len() == 1 {
            named
        } else {
            last_part(named)
        };
        note_missing(input, written, tree);
    }
    let answer = stored.first().copied().map(Path::to_owned);
    Some(Case {
        name: case.name,
        input: input.to_owned(),
        answer: answer.unwrap_or_else(|| tree.root.join(named)),
    })
}
