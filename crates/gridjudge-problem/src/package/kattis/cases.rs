//! Finds the cases of a package, pairs of `.in` and `.ans` in `data/sample` and
//! `data/secret`, grouped or not, and how the output of each is judged. Start at
//! [`judged_cases`] and [`tasks`].

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::keys::KeyTable;
use crate::mistake;
use crate::mistake::{Mistake, RemarkKind, nearest};
use crate::model::{
    Case, CaseSupply, CheckerProtocol, CheckerTask, JudgingProgramKind, SourceFile,
    Task, TextTask, TokenRules, ending,
};
use crate::package::kattis::groups;
use crate::package::{
    CASE_FILES, GROUP_FILE, GroupSettings, LEGACY_GROUP_FILE, Package, PackageFormat,
    PackageMetadata, PackageProgram, PackageTree, PackageValidation,
    VALIDATION_SECTIONS, is_among, is_input, last_part, validation,
};

use PackageFormat::Kattis2025;

/// The folders of `data` whose cases judge submissions.
const SECTIONS: [&str; 2] = ["sample", "secret"];

/// The file by which BAPCtools makes cases.
const GENERATED: &str = "generators/generators.yaml";

/// Endings of files that belong to a case but play no part in judging.
const BESIDE_LEGACY: &str = "hint desc png jpg jpeg svg interaction";
const BESIDE_2025: &str = "yaml png jpg jpeg svg interaction";

/// Endings after `.in` and `.ans` of files that are shown or downloaded in place of a
/// sample.
const IN_PLACE_OF_SAMPLES: [&str; 2] = ["statement", "download"];

/// The remedy for a case of an interactive problem without an answer: no program can
/// write it, and all formats want the file.
pub(crate) const ANSWER_OF_INTERACTOR: &str = "write what the interactor wants to read into a \
                                               file of the same name with `.ans`; it may be empty";

/// The remedy for any other case without one.
const WRITE_ANSWER: &str = "write it into a file of the same name with `.ans`, or have `gridjudge answers` write it";

/// Says that an answer belongs to no case.
pub(crate) fn lone_answer(path: &Path) -> Mistake {
    Mistake::new(
        path,
        "the answer has no case (`.in`) next to it",
        "write the case, or delete the answer",
    )
}

/// The folder of the files that a case gives to submissions, relative to the package.
fn files_of(case: &str) -> String {
    format!("data/{case}{CASE_FILES}")
}

/// Finds the cases that judge submissions: samples first, then by name.
pub(crate) fn judged_cases(
    tree: &PackageTree,
    metadata: &PackageMetadata,
) -> Vec<Case> {
    let mut cases = vec![];
    let format = metadata.format;
    for section in SECTIONS {
        for (name, path) in tree.below(&format!("data/{section}")) {
            let name = &name["data/".len()..];
            cases.extend(case_of_file(tree, metadata, name, path));
        }
    }
    if format == Kattis2025 {
        for section in VALIDATION_SECTIONS {
            for (name, _) in tree.below(&format!("data/{section}")) {
                refuse_file_of_no_case(tree, &name["data/".len()..], format);
            }
        }
    }
    note_entries_in_no_section(tree, format);
    if format == Kattis2025 {
        refuse_cases_beside_groups(&cases, tree);
    }
    // By path components, so that groups sort among cases, and endings do not affect
    // the order.
    cases.sort_by(|one, other| one.name.split('/').cmp(other.name.split('/')));
    let data = tree.root.join("data");
    let is_explained = tree
        .remarks
        .borrow()
        .of_kind(RemarkKind::Mistake)
        .iter()
        .any(|mistake| mistake.path.starts_with(&data));
    if cases.is_empty() && !tree.lacks_files && !is_explained {
        let mut remedy =
            "put `.in` and `.ans` files into `data/sample` and `data/secret`"
                .to_owned();
        // They may lie beside its settings.
        let mut beside = tree.files().filter(|name| !name.contains('/'));
        if beside.any(|name| is_input(Path::new(name))) {
            remedy += ", or judge those in the folder itself, by `--format oj`";
        }
        if tree.file(GENERATED).is_some() {
            remedy =
                format!("`bt generate` of BAPCtools makes them from `{GENERATED}`");
        }
        tree.refuse(data, "the package has no cases", remedy);
    }
    cases
}

/// The case whose input this file is, if it is one; `name` is relative to `data`. Notes
/// files that belong to no case.
fn case_of_file(
    tree: &PackageTree,
    metadata: &PackageMetadata,
    name: &str,
    path: &Path,
) -> Option<Case> {
    let format = metadata.format;
    if refuse_file_of_no_case(tree, name, format) {
        return None;
    }
    let Some((base, ending)) = name.rsplit_once('.') else {
        tree.ignore(format!("`data/{name}`: it belongs to no case"));
        return None;
    };
    let is_settings = path.ends_with(LEGACY_GROUP_FILE) || path.ends_with(GROUP_FILE);
    let known = if format.has_legacy_layout() {
        BESIDE_LEGACY
    } else {
        BESIDE_2025
    };
    let other = if ending == "in" { "ans" } else { "in" };
    let is_alone = tree.lacks(&format!("data/{base}.{other}"));
    match ending {
        // Source: DOMjudge, `ImportProblemService::importZippedProblem`.
        "in" | "ans" if is_alone && metadata.is_for_domjudge => {
            tree.pass_over(&format!(
                "`data/{name}` has no `.{other}` next to it: DOMjudge leaves it out, and so does \
                 gridjudge"
            ));
        }
        "in" => {
            if is_alone {
                let remedy = if metadata.is_interactive {
                    ANSWER_OF_INTERACTOR
                } else {
                    WRITE_ANSWER
                };
                let message = "the case has no answer next to it";
                tree.missing_answer(Mistake::new(path, message, remedy));
            }
            return Some(Case {
                name: base.to_owned(),
                input: path.to_owned(),
                answer: path.with_extension("ans"),
            });
        }
        "ans" if is_alone => tree.slip(lone_answer(path)),
        "ans" => {}
        _ if is_settings || is_among(ending, known) => {}
        _ if IN_PLACE_OF_SAMPLES.contains(&ending)
            && [".in", ".ans"].iter().any(|end| base.ends_with(end)) => {}
        _ => {
            tree.ignore(format!(
                "files `.{ending}` in `data/`: they belong to no case"
            ));
        }
    }
    None
}

/// Notes violations of two rules of 2025-09: `secret` holds either cases or groups, and
/// no case is named like a folder beside it.
fn refuse_cases_beside_groups(cases: &[Case], tree: &PackageTree) {
    let in_secret = cases
        .iter()
        .filter_map(|case| case.name.strip_prefix("secret/"));
    let (grouped, alone): (Vec<&str>, Vec<&str>) =
        in_secret.into_iter().partition(|name| name.contains('/'));
    if !grouped.is_empty() && !alone.is_empty() {
        tree.slip(Mistake::new(
            tree.root.join("data/secret"),
            format!(
                "holds cases, for example `{}`, and groups, for example `{}`",
                alone[0], grouped[0]
            ),
            "move the cases into a group",
        ));
    }
    for case in cases {
        if tree.has_folder(&format!("data/{}", case.name)) {
            tree.slip(Mistake::new(
                &case.input,
                "the case has the name of a folder next to it",
                "rename one of the two",
            ));
        }
    }
}

/// Notes cases in `data` itself, which would never be judged, and folders that are no
/// section.
fn note_entries_in_no_section(tree: &PackageTree, format: PackageFormat) {
    for name in tree.children("data") {
        let below = last_part(name);
        let is_known = SECTIONS.contains(&below)
            || format == Kattis2025 && VALIDATION_SECTIONS.contains(&below);
        if let Some(path) = tree.file(name) {
            if ["in", "ans"].contains(&ending(path)) {
                tree.slip(Mistake::new(
                    path,
                    "lies in `data` itself, where no case is judged",
                    "move it into `data/sample` or `data/secret`",
                ));
            }
        } else if !is_known {
            let sections = SECTIONS.into_iter().chain(VALIDATION_SECTIONS);
            let meant = nearest(below, sections).map_or(String::new(), |meant| {
                if meant == below {
                    "; 2025-09 tests validators with it".to_owned()
                } else {
                    format!("; did you mean `data/{meant}/`?")
                }
            });
            tree.ignore(format!(
                "`{name}/`: only `sample` and `secret` judge{meant}"
            ));
        }
    }
}

/// Returns whether a file is one for submissions. Notes once for each folder that its
/// files belong to no case, or that the format has no such files.
fn refuse_file_of_no_case(
    tree: &PackageTree,
    name: &str,
    format: PackageFormat,
) -> bool {
    let Some((case, _)) = name.split_once(&format!("{CASE_FILES}/")) else {
        return false;
    };
    let folder = files_of(case);
    if format.has_legacy_layout() {
        tree.ignore(format!(
            "`{folder}/`: only 2025-09 gives files to submissions"
        ));
    } else if tree.lacks(&format!("data/{case}.in")) {
        let folder = tree.root.join(folder);
        let remarks = tree.remarks.borrow();
        let last = remarks.of_kind(RemarkKind::Slip).last();
        // Files come in the order of their names, so those of a folder follow each
        // other.
        let is_noted = last.is_some_and(|last| last.path == folder);
        drop(remarks);
        if !is_noted {
            tree.slip(Mistake::new(
                folder,
                "the files have no case (`.in`) next to them",
                "write the case, or delete them",
            ));
        }
    }
    true
}

// Collects what submissions get on cases of 2025-09 beside standard input: `args`, and
// the files in `CASE.files/`.
//
// Source: the Kattis problem package format 2025-09, "Input".

/// The most files of one case; their names go to the sandbox in one message.
const MOST_FILES: usize = 500;

/// The most bytes of these names and of the arguments of one case, which are in the
/// same message.
const MOST_WORD_BYTES: usize = 64 << 10;

/// Returns the supply of each case that has one, by case name, and those of the cases
/// that only test validators.
///
/// Source: the Kattis problem package format 2025-09, "Working directory".
pub(crate) fn supplies(
    tree: &PackageTree,
    settings: &GroupSettings,
    cases: &[Case],
    validation: &PackageValidation,
) -> [BTreeMap<String, CaseSupply>; 2] {
    let both = [cases, &validation.cases()].map(|cases| {
        cases
            .iter()
            .map(|case| (case.name.clone(), supply_of(case, tree, settings)))
            .filter(|(_, supply)| !supply.is_empty())
            .collect::<BTreeMap<_, _>>()
    });
    for file in both
        .iter()
        .flat_map(BTreeMap::values)
        .flat_map(|supply| &supply.files)
    {
        // No verdict depends on a file that cannot be in the working folder of an input
        // validator beside its own.
        for PackageProgram { name, files } in &validation.input_validators {
            let Some(own) = files.iter().find(|own| own.collides_with(file)) else {
                continue;
            };
            let own = &own.name;
            let message = format!(
                "collides with `{own}` of the input validator `{name}`: both are in its working \
                 folder"
            );
            tree.slip(Mistake::new(&file.path, message, "rename one of the two"));
        }
    }
    both
}

fn supply_of(
    case: &Case,
    tree: &PackageTree,
    settings: &GroupSettings,
) -> CaseSupply {
    let folder = files_of(&case.name);
    let files = tree.sources(&folder);
    if files.len() > MOST_FILES {
        let count = files.len();
        tree.refuse(
            tree.root.join(&folder),
            format!("holds {count} files, and a case may have {MOST_FILES}"),
            format!("pack some of them into one, or leave `{CASE_FILES}` out"),
        );
    }
    let arguments = validation::from_nearest(&case.name, &settings.arguments)
        .cloned()
        .unwrap_or_default();
    let names = files.iter().map(|file| &file.name);
    let words: usize = arguments.iter().chain(names).map(String::len).sum();
    if words > MOST_WORD_BYTES {
        let message = format!(
            "gives submissions arguments and names of files of {words} bytes, and \
             {MOST_WORD_BYTES} are the most"
        );
        tree.refuse(&case.input, message, "put what is long into a file");
    }
    CaseSupply { arguments, files }
}

// Decides how the outputs of a Kattis package are judged: by the format's default
// validator or by a program, with the flags that apply to each case.

/// The task of most cases, and those of the others, by case name.
pub(crate) struct CaseTasks {
    pub(crate) default: Task,
    pub(crate) others: BTreeMap<String, Task>,
}

/// Returns the task of each case, and puts those of the example outputs into
/// `examples`. The flags are those of the package, followed by those of the case or of
/// the nearest group around it that sets any. If all cases have the same own task, that
/// becomes the usual one.
pub(crate) fn tasks(
    tree: &PackageTree,
    metadata: &PackageMetadata,
    settings: &GroupSettings,
    cases: &[Case],
    examples: &mut PackageValidation,
) -> CaseTasks {
    let flags = &metadata.validator_flags;
    let task = |words: &[String], file: &Path| {
        if let Some(task) = task_of_checkers(metadata, words) {
            return Some(Task::Checker(task));
        }
        let rules = groups::token_flags(words)
            .map_err(|wrong| tree.refuse(file, wrong.message, wrong.remedy))
            .ok()?;
        let tolerance = rules.absolute_tolerance.or(rules.relative_tolerance);
        Some(Task::Text(TextTask::Tokens(TokenRules {
            for_domjudge: metadata.is_for_domjudge && tolerance.is_some(),
            ..rules
        })))
    };
    // If something is unsupported, the flags may be for a program that is not run, and
    // are not checked.
    let is_checked = !metadata.checkers.is_empty()
        || !tree.remarks.borrow().has(RemarkKind::Unsupported);
    let of_package = is_checked
        .then(|| task(flags, &tree.package_file))
        .flatten();
    let plain = Task::Text(TextTask::Tokens(TokenRules::default()));
    let mut default = of_package.clone().unwrap_or_else(|| plain.clone());
    let of_examples = examples.outputs.iter().map(|output| &output.case);
    let cases: Vec<_> = cases.iter().chain(of_examples).collect();
    let mut by_flags: BTreeMap<Vec<String>, Task> = BTreeMap::new();
    let mut others = BTreeMap::new();
    // If the package's flags are wrong, further flags do not make them right.
    for case in cases.iter().filter(|_| of_package.is_some()) {
        let Some(own) = settings.around(&case.name) else {
            continue;
        };
        let made = by_flags
            .entry([&flags[..], &own.words].concat())
            .or_insert_with_key(|words| {
                task(words, &own.file).unwrap_or_else(|| plain.clone())
            });
        if *made != default {
            others.insert(case.name.clone(), made.clone());
        }
    }
    if others.len() == cases.len()
        && others.values().all(|it| Some(it) == others.values().next())
        && let Some((_, own)) = others.pop_first()
    {
        default = own;
        others.clear();
    }
    (examples.tasks, others) = others
        .into_iter()
        .partition(|(case, _)| validation::is_validation_only(case));
    CaseTasks { default, others }
}

/// The task of the programs that judge outputs, with these arguments: the first, and those
/// that must accept an output after it.
fn task_of_checkers(
    metadata: &PackageMetadata,
    arguments: &[String],
) -> Option<CheckerTask> {
    let programs = metadata.checkers.iter().rev();
    programs.fold(None, |next, source| {
        Some(CheckerTask {
            arguments: arguments.to_vec(),
            passes: if metadata.is_multi_pass {
                metadata.limits.passes
            } else {
                1
            },
            sees_submission: metadata.format == Kattis2025,
            final_checker: next.map(Box::new),
            ..CheckerTask::new(
                JudgingProgramKind::judging(metadata.is_interactive),
                source.clone(),
                CheckerProtocol::Kattis,
                metadata.limits.checker.clone(),
            )
        })
    })
}

// Finds the files in `include/` that are compiled into every submission: a folder for
// each language, named by the format's code. Reads none of them.

/// Returns the files for each language, by their names in its folder.
pub(crate) fn included_by_language(
    tree: &PackageTree,
) -> BTreeMap<String, Vec<SourceFile>> {
    let mut includes: BTreeMap<String, Vec<SourceFile>> = BTreeMap::new();
    for (name, path) in tree.below("include") {
        let below = &name["include/".len()..];
        let Some((language, file)) = below.split_once('/') else {
            tree.ignore(format!("`{name}`: it lies in no folder of a language"));
            continue;
        };
        let files = includes.entry(language.to_owned()).or_default();
        files.push(SourceFile::new(file, path));
    }
    includes
}

// Reads what a package tells people about a case: a hint, and what the case is for. The
// older formats have files for these, 2025-09 has keys in the settings of a case. No
// verdict depends on any of it.

/// The two texts about a case, in the words of both kinds of formats: the key of
/// 2025-09, and the ending of the file in the older ones.
pub(crate) const CASE_TEXTS: [(&str, &str); 2] =
    [("hint", "hint"), ("description", "desc")];

/// Keys of 2025-09 for groups and cases that affect what is shown, and no verdict.
const SHOWN: [&str; 3] = [
    "full_feedback",
    "input_visualizer_args",
    "output_visualizer_args",
];

impl Package {
    /// Reads the texts about a case, in the order of [`CASE_TEXTS`].
    ///
    /// # Errors
    /// Returns a mistake if a file cannot be read, or is no text.
    pub(crate) fn texts_of(
        &self,
        case: &str,
    ) -> Result<[Option<String>; 2], Mistake> {
        let file = |ending: &str| self.files.get(&format!("data/{case}.{ending}"));
        if self.format.has_legacy_layout() {
            let text = |ending| {
                file(ending)
                    .map(|path| mistake::read_text(path))
                    .transpose()
            };
            return Ok([text(CASE_TEXTS[0].1)?, text(CASE_TEXTS[1].1)?]);
        }
        let Some(path) = file("yaml") else {
            return Ok([None, None]);
        };
        let map = KeyTable::read_file(path)?;
        Ok(CASE_TEXTS.map(|(key, _)| map.text(key)))
    }

    /// The keys about what is shown of cases that the settings of groups and cases
    /// hold, in 2025-09.
    pub(crate) fn display_keys(&self) -> BTreeSet<&'static str> {
        self.files
            .iter()
            .filter(|(name, _)| {
                !self.format.has_legacy_layout()
                    && (name.starts_with("data/") && name.ends_with(".yaml"))
            })
            .filter_map(|(_, path)| KeyTable::read_file(path).ok())
            .flat_map(|map| {
                SHOWN
                    .into_iter()
                    .filter(move |key| map.mark_read(key).is_some())
            })
            .collect()
    }
}
