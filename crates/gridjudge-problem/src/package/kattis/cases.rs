//! Finds the cases of a package: pairs of `.in` and `.ans` in `data/sample` and
//! `data/secret`, grouped or not. Start at [`judged_cases`].

use crate::sorted::SortedMap;
use std::path::Path;

use crate::mistake::{Mistake, RemarkKind, nearest};
use crate::model::{Case, CaseSupply, JudgingProgramKind, SourceFile, ending};
use crate::package::{
    CASE_FILES, GROUP_FILE, GroupSettings, LEGACY_GROUP_FILE, PackageFormat,
    PackageMetadata, PackageProgram, PackageTree, PackageValidation, ReadingNotes,
    is_input, validation,
};

/// The folders of `data` whose cases judge submissions.
const SECTIONS: [&str; 2] = ["sample", "secret"];

/// Endings of files that belong to a case but play no part in judging.
const BESIDE_LEGACY: [&str; 7] =
    ["hint", "desc", "png", "jpg", "jpeg", "svg", "interaction"];
const BESIDE_2025: [&str; 6] = ["yaml", "png", "jpg", "jpeg", "svg", "interaction"];

/// Endings after `.in` and `.ans` of files that are shown or downloaded in place of a
/// sample.
const IN_PLACE_OF_SAMPLES: [&str; 2] = ["statement", "download"];

/// The remedy for a case of an interactive problem without an answer: no program can
/// write it, and all formats want the file.
pub(crate) const ANSWER_OF_INTERACTOR: &str = "write what the interactor wants to read into a \
                                               file of the same name with `.ans`; it may be empty";

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
    notes: &mut ReadingNotes,
) -> Vec<Case> {
    let mut cases = Vec::new();
    let format = metadata.format;
    for section in SECTIONS {
        let files = tree
            .below(&format!("data/{section}"))
            .map(|(name, path)| (&name["data/".len()..], path));
        for (name, path) in files {
            cases.extend(case_of_file(tree, metadata, name, path, notes));
        }
    }
    if format == PackageFormat::Kattis2025 {
        refuse_files_of_no_validation(tree, notes);
    }
    for folder in tree
        .children("data")
        .iter()
        .filter_map(|name| name.strip_prefix("data/"))
    {
        let is_known = SECTIONS.contains(&folder)
            || format == PackageFormat::Kattis2025
                && validation::SECTIONS.contains(&folder);
        if tree.has_folder(&format!("data/{folder}")) && !is_known {
            let meant =
                nearest(folder, SECTIONS.into_iter().chain(validation::SECTIONS));
            let meant = meant.map_or_else(String::new, |meant| {
                format!("; did you mean `data/{meant}/`?")
            });
            notes.ignore(format!(
                "`data/{folder}/`: only `sample` and `secret` judge{meant}"
            ));
        }
    }
    refuse_cases_in_no_section(tree, notes);
    if format == PackageFormat::Kattis2025 {
        refuse_cases_beside_groups(&cases, tree, notes);
    }
    // By path components, so that groups sort among cases, and endings do not affect
    // the order.
    cases.sort_by(|one, other| one.name.split('/').cmp(other.name.split('/')));
    let data = tree.root.join("data");
    let mistakes = notes.remarks.of_kind(RemarkKind::Mistake);
    let is_explained = mistakes
        .iter()
        .any(|mistake| mistake.path.starts_with(&data));
    if cases.is_empty() && !notes.lacks_files && !is_explained {
        let remedy = remedy_for_cases(tree);
        notes.mistake(Mistake::new(data, "the package has no cases", remedy));
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
    notes: &mut ReadingNotes,
) -> Option<Case> {
    let format = metadata.format;
    if let Some((case, _)) = name.split_once(&format!("{CASE_FILES}/")) {
        if format.has_legacy_layout() || tree.lacks(&format!("data/{case}.in")) {
            refuse_files(tree, case, format, notes);
        }
        return None;
    }
    let Some((base, ending)) = name.rsplit_once('.') else {
        notes.ignore(format!("`data/{name}`: it belongs to no case"));
        return None;
    };
    let is_settings = path.ends_with(LEGACY_GROUP_FILE) || path.ends_with(GROUP_FILE);
    let known = if format.has_legacy_layout() {
        &BESIDE_LEGACY[..]
    } else {
        &BESIDE_2025[..]
    };
    match ending {
        "in" => {
            if tree.file(&format!("data/{base}.ans")).is_none() {
                notes.missing_answer(missing_answer(path, metadata.checker_kind));
            }
            return Some(Case {
                name: base.to_owned(),
                input: path.to_owned(),
                answer: path.with_extension("ans"),
            });
        }
        "ans" if tree.lacks(&format!("data/{base}.in")) => {
            notes.slip(lone_answer(path))
        }
        "ans" => {}
        _ if is_settings || known.contains(&ending) => {}
        _ if IN_PLACE_OF_SAMPLES.contains(&ending) && is_in_place(base) => {}
        _ => notes.ignore(format!(
            "files `.{ending}` in `data/`: they belong to no case"
        )),
    }
    None
}

/// Notes violations of two rules of 2025-09: `secret` holds either cases or groups, and
/// no case is named like a folder beside it.
fn refuse_cases_beside_groups(
    cases: &[Case],
    tree: &PackageTree,
    notes: &mut ReadingNotes,
) {
    let in_secret = cases
        .iter()
        .filter_map(|case| case.name.strip_prefix("secret/"));
    let (grouped, alone): (Vec<&str>, Vec<&str>) =
        in_secret.into_iter().partition(|name| name.contains('/'));
    if !grouped.is_empty() && !alone.is_empty() {
        let message = format!(
            "holds cases, for example `{}`, and groups, for example `{}`",
            alone[0], grouped[0]
        );
        notes.slip(Mistake::new(
            tree.root.join("data/secret"),
            message,
            "move the cases into a group",
        ));
    }
    for case in cases {
        if tree.has_folder(&format!("data/{}", case.name)) {
            notes.slip(Mistake::new(
                &case.input,
                "the case has the name of a folder next to it",
                "rename one of the two",
            ));
        }
    }
}

/// Notes cases in `data` itself: they belong to neither section and would never be
/// judged.
fn refuse_cases_in_no_section(tree: &PackageTree, notes: &mut ReadingNotes) {
    for path in tree
        .children("data")
        .iter()
        .filter_map(|name| tree.file(name))
    {
        if ["in", "ans"].contains(&ending(path)) {
            notes.slip(Mistake::new(
                path,
                "lies in `data` itself, where no case is judged",
                "move it into `data/sample` or `data/secret`",
            ));
        }
    }
}

/// Notes once that files for submissions belong to no case, or that the format has no
/// such files.
fn refuse_files(
    tree: &PackageTree,
    case: &str,
    format: PackageFormat,
    notes: &mut ReadingNotes,
) {
    let folder = tree.root.join(files_of(case));
    let slips = notes.remarks.of_kind(RemarkKind::Slip);
    if format.has_legacy_layout() {
        notes.ignore(format!(
            "`data/{case}{CASE_FILES}/`: only 2025-09 gives files to submissions"
        ));
    } else if slips.last().is_none_or(|last| last.path != folder) {
        // Files come in the order of their names, so those of a folder follow each
        // other.
        notes.slip(Mistake::new(
            folder,
            "the files have no case (`.in`) next to them",
            "write the case, or delete them",
        ));
    }
}

/// Like [`refuse_files`], for the cases that only test validators.
fn refuse_files_of_no_validation(tree: &PackageTree, notes: &mut ReadingNotes) {
    for section in validation::SECTIONS {
        for (name, _) in tree.below(&format!("data/{section}")) {
            let case = name["data/".len()..]
                .split_once(&format!("{CASE_FILES}/"))
                .map(|(case, _)| case);
            if let Some(case) =
                case.filter(|case| tree.lacks(&format!("data/{case}.in")))
            {
                refuse_files(tree, case, PackageFormat::Kattis2025, notes);
            }
        }
    }
}

/// Whether a name, without an ending of [`IN_PLACE_OF_SAMPLES`], is that of an input or
/// answer.
fn is_in_place(name: &str) -> bool {
    name.ends_with(".in") || name.ends_with(".ans")
}

/// The remedy for a package without cases, which may lie beside its settings.
fn remedy_for_cases(tree: &PackageTree) -> String {
    let remedy = "put `.in` and `.ans` files into `data/sample` and `data/secret`";
    let mut beside = tree.files().filter(|name| !name.contains('/'));
    if beside.any(|name| is_input(Path::new(name))) {
        format!("{remedy}, or judge those in the folder itself, by `--format oj`")
    } else {
        remedy.to_owned()
    }
}

fn missing_answer(input: &Path, judge: JudgingProgramKind) -> Mistake {
    let remedy = if judge == JudgingProgramKind::Interactor {
        ANSWER_OF_INTERACTOR
    } else {
        "write it into a file of the same name with `.ans`, or have `gridjudge answers` write it"
    };
    Mistake::new(input, "the case has no answer next to it", remedy)
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
    notes: &mut ReadingNotes,
) -> [SortedMap<String, CaseSupply>; 2] {
    let both = [cases, &validation.cases()]
        .map(|cases| supplies_of(tree, settings, cases, notes));
    for file in both
        .iter()
        .flat_map(SortedMap::values)
        .flat_map(|supply| &supply.files)
    {
        note_collisions(file, &validation.input_validators, notes);
    }
    both
}

fn supplies_of(
    tree: &PackageTree,
    settings: &GroupSettings,
    cases: &[Case],
    notes: &mut ReadingNotes,
) -> SortedMap<String, CaseSupply> {
    cases
        .iter()
        .map(|case| (case.name.clone(), supply_of(case, tree, settings, notes)))
        .filter(|(_, supply)| !supply.is_empty())
        .collect()
}

fn supply_of(
    case: &Case,
    tree: &PackageTree,
    settings: &GroupSettings,
    notes: &mut ReadingNotes,
) -> CaseSupply {
    let folder = files_of(&case.name);
    let files = tree.sources(&folder);
    if files.len() > MOST_FILES {
        let message = format!(
            "holds {} files, and a case may have {MOST_FILES}",
            files.len()
        );
        notes.mistake(Mistake::new(
            tree.root.join(&folder),
            message,
            format!("pack some of them into one, or leave `{CASE_FILES}` out"),
        ));
    }
    let arguments = settings.submission_arguments(&case.name).to_vec();
    let names = files.iter().map(|file| &file.name);
    let words: usize = arguments.iter().chain(names).map(String::len).sum();
    if words > MOST_WORD_BYTES {
        let message = format!(
            "gives submissions arguments and names of files of {words} bytes, and \
             {MOST_WORD_BYTES} are the most"
        );
        notes.mistake(Mistake::new(
            &case.input,
            message,
            "put what is long into a file",
        ));
    }
    CaseSupply { arguments, files }
}

/// Notes a file of a case that cannot be in the working folder of an input validator
/// beside its own. No verdict depends on it.
fn note_collisions(
    file: &SourceFile,
    validators: &[PackageProgram],
    notes: &mut ReadingNotes,
) {
    for PackageProgram { name, files } in validators {
        let Some(own) = files.iter().find(|own| own.collides_with(file)) else {
            continue;
        };
        let own = &own.name;
        let message = format!(
            "collides with `{own}` of the input validator `{name}`: both are in its working folder"
        );
        notes.slip(Mistake::new(&file.path, message, "rename one of the two"));
    }
}
