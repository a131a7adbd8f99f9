//! Finds deviations in the structure of a package that do not prevent judging, missing
//! statements, samples or input validators, misspelt folders, links, byte order marks,
//! and what other judges read differently. Reads little more than the first bytes of a
//! file. Start at [`note_structure`].

use std::collections::BTreeSet;
use std::path::Path;

use crate::files;
use crate::mistake::{
    BYTE_ORDER_MARK, MOST_TEXT, Mistake, RemarkKind, WITHOUT_MARK, nearest,
};
use crate::model::{Case, PointValue, ScoreAggregation, Scoring, ending};
use crate::package::contents::PROGRAM_FOLDERS;
use crate::package::domjudge::STATEMENTS_AT_ROOT;
use crate::package::kattis::scoring::{adds_up_cases, groups_with_cases};
use crate::package::{
    ANSWERS, DOMJUDGE_INI, GroupSettings, INIT_YML, INPUT, LEGACY_GROUP_FILE,
    OJ_FOLDER, PROBLEM_XML, PROBLEM_YAML, PackageFormat, PackageMetadata,
    PackageProgram, PackageTree, is_of_cases, last_part,
};
use crate::text::printable;

use PackageFormat::{DomJudge, Kattis2025};

/// Endings of statements.
const STATEMENTS: [&str; 3] = ["tex", "md", "pdf"];

/// All folders of the formats.
const FOLDERS: &str = "problem_statement statement attachments solution data generators include submissions \
                       input_validators input_format_validators output_validators output_validator static_validator graders input_visualizer output_visualizer";

/// Folders that only BAPCtools knows, which are not misspelt names of others.
const FOLDERS_OF_BAPCTOOLS: [&str; 2] = ["answer_validators", "problem_slide"];

/// Folders from which files are read or run, and such files at the root.
const FOLLOWED: [&str; 11] = [
    "data",
    "include",
    "submissions",
    "input_validators",
    "input_format_validators",
    "output_validators",
    "output_validator",
    "static_validator",
    "graders",
    PROBLEM_YAML,
    DOMJUDGE_INI,
];

/// Folders of Polygon's packages from which only people read.
const FOR_PEOPLE: [&str; 2] = ["statements", "statement-sections"];

/// The folder of Polygon's packages in which headers are found without being named.
const HEADERS: &str = "files";

/// How much of a file is read to look at its first line, in bytes.
const MOST_FIRST_LINE: u64 = 1 << 10;

/// Notes mistakes. Those about links that nothing here follows are noted as ignored:
/// tools put such links beside a problem, as BAPCtools does with a statement that it
/// built in a folder of its own. `file` is the package's own file. If something is
/// named after all, it is missing.
pub(crate) fn note_unless_unfollowed(mistakes: Vec<Mistake>, tree: &mut PackageTree) {
    let file = tree.package_file.clone();
    let has_own_rules = file.ends_with(PROBLEM_XML) || file.ends_with(INIT_YML);
    let text = has_own_rules
        .then(|| files::read_bounded(&file, MOST_TEXT).unwrap_or_default());
    let text = text.map(|text| String::from_utf8_lossy(&text).into_owned());
    for mistake in mistakes {
        let name = tree.relative(&mistake.path).to_owned();
        let is_followed = match &text {
            Some(text) => is_mentioned(&name, text),
            None if file.ends_with(OJ_FOLDER) => name.starts_with(OJ_FOLDER),
            None if is_of_cases(&file) => {
                let ending = ending(&name);
                ending == INPUT || ANSWERS.contains(&ending)
            }
            None => FOLLOWED.iter().any(|followed| name.starts_with(followed)),
        };
        if is_followed || !mistake.path.is_symlink() {
            tree.mistake(mistake);
            continue;
        }
        tree.forget(&name);
        let name = name.to_string_lossy();
        tree.ignore(format!("`{}`: {}", printable(&name), mistake.message));
    }
}

/// Whether a text names a file, or something in its folder or in a folder of its name,
/// other than for people.
fn is_mentioned(name: &Path, text: &str) -> bool {
    let folder = name
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let is_part_of_word =
        |letter: char| letter.is_alphanumeric() || "._-/".contains(letter);
    let has = |path: &Path, end: &str| {
        let name = format!("{}{end}", path.to_string_lossy());
        text.match_indices(&name).any(|(start, _)| {
            let goes_on = end.is_empty()
                && text[start + name.len()..].starts_with(is_part_of_word);
            !goes_on && !text[..start].ends_with(is_part_of_word)
        })
    };
    let is_for_people = FOR_PEOPLE.iter().any(|folder| name.starts_with(folder));
    let is_named = has(name, "")
        || has(name, "/")
        || folder.is_some_and(|folder| has(folder, "/"));
    !is_for_people && (is_named || name.starts_with(HEADERS))
}

/// Remarks on each folder whose name is nearly one of the formats'.
fn remark_misspelt_folders(tree: &PackageTree) {
    let known = || FOLDERS.split_ascii_whitespace();
    for folder in tree
        .names()
        .filter(|name| !name.contains('/') && tree.has_folder(name))
        .filter(|name| {
            !known()
                .chain(FOLDERS_OF_BAPCTOOLS)
                .any(|known| known == *name)
        })
    {
        // A folder that exists is not the one that was meant.
        if let Some(meant) = nearest(folder, known())
            && !tree.has_folder(meant)
        {
            tree.deviation(format!(
                "the format knows no folder `{folder}`; did you mean `{meant}`?"
            ));
        }
    }
}

/// Remarks on each YAML file that begins with a byte order mark.
fn remark_marked_files(tree: &PackageTree) {
    let settings = tree.below("data").chain(tree.below("submissions"));
    let problem = tree.file(PROBLEM_YAML).map(|path| (PROBLEM_YAML, path));
    for (name, path) in settings.chain(problem) {
        if name.ends_with(".yaml")
            && files::start_of(path, MOST_FIRST_LINE).starts_with(BYTE_ORDER_MARK)
        {
            tree.deviation(format!(
                "`{name}` begins with a byte order mark, which some judges take for a part of its \
                 first key: {WITHOUT_MARK}"
            ));
        }
    }
}

/// Notes scripts that only their first line makes programs, and refuses those that no
/// kernel starts, since the name of their interpreter ends with a carriage return.
///
/// Source: `find_programs` of problemtools, `fetchExecutable` of DOMjudge's judgedaemon,
/// `Program` of BAPCtools.
fn note_scripts(tree: &PackageTree) {
    let folders = PROGRAM_FOLDERS.iter().chain(&["input_validators/"]);
    for program in
        folders.flat_map(|folder| tree.children(folder.trim_end_matches('/')))
    {
        let files = tree.sources(program);
        for file in &files {
            let start = files::start_of(&file.path, MOST_FIRST_LINE);
            let first = start.split_inclusive('\n').next().unwrap_or_default();
            let is_script = PackageProgram::is_script(file);
            if !first.starts_with("#!") {
                continue;
            }
            if is_script && first.ends_with("\r\n") {
                tree.refuse(
                    &file.path,
                    "has Windows line breaks (CRLF), so it cannot be started",
                    "end its lines with `\\n` alone, as `dos2unix` does",
                );
            } else if !is_script
                && files.len() == 1
                && file.path.extension().is_none()
                && files::is_executable(&file.path)
            {
                let what = format!(
                    "`{}` has no ending, by which other judges know what is a program: only \
                     here it is run as it is",
                    tree.shown(&file.path)
                );
                tree.say(RemarkKind::Disagreement, what);
            }
        }
    }
}

/// Notes groups among the samples of 2025-09, which has them in `secret` only.
fn refuse_groups_of_samples(tree: &PackageTree, metadata: &PackageMetadata) {
    if metadata.format_of_groups != Kattis2025 {
        return;
    }
    for group in tree
        .children("data/sample")
        .into_iter()
        .filter(|name| tree.has_folder(name) && !name.ends_with(".files"))
    {
        tree.slip(Mistake::new(
            tree.root.join(group),
            "is a group in `data/sample`, which takes none in 2025-09",
            "move its cases up into `data/sample`, or into `data/secret`",
        ));
    }
}

fn has_cases(tree: &PackageTree, section: &str) -> bool {
    tree.below(&format!("data/{section}"))
        .any(|(name, _)| name.ends_with(".in"))
}

/// Notes mistakes and remarks about the files of a package.
pub(crate) fn note_structure(tree: &PackageTree, metadata: &PackageMetadata) {
    refuse_groups_of_samples(tree, metadata);
    note_scripts(tree);
    if !has_cases(tree, "secret") {
        tree.say(
            RemarkKind::Violation,
            "there are no cases in `data/secret`, which every format wants",
        );
    }
    let is_new = metadata.format == Kattis2025;
    // DOMjudge can get statements from elsewhere.
    let languages = statement_languages(tree, metadata);
    let folder = if is_new {
        "statement"
    } else {
        "problem_statement"
    };
    if languages.is_empty() && metadata.format != DomJudge {
        tree.deviation(format!(
            "there is no statement such as `{folder}/problem.en.tex`"
        ));
    }
    if is_new {
        let names = metadata.names.iter();
        for language in names.filter(|language| !languages.contains(*language)) {
            tree.deviation(format!(
                "`name` has a title for `{language}`, and there is no \
                 `statement/problem.{language}.*`"
            ));
        }
        let languages = languages.iter();
        for language in
            languages.filter(|language| !metadata.names.contains(language))
        {
            tree.deviation(format!(
                "there is a statement for `{language}`, and no title for it in `name`"
            ));
        }
    }
    remark_misspelt_folders(tree);
    remark_marked_files(tree);
    if !has_cases(tree, "sample") {
        tree.deviation("there are no samples in `data/sample`");
    }
    if tree.below("submissions/accepted").next().is_none() {
        tree.deviation("there is no accepted submission");
    }
    let has_validator = ["input_validators", "input_format_validators"]
        .iter()
        .any(|folder| tree.below(folder).next().is_some());
    if !has_validator && metadata.format != DomJudge {
        tree.deviation(
            "there is no program in `input_validators` that checks the inputs",
        );
    }
}

/// Returns the languages that the statement is in. In the older formats, one
/// without a language is in English.
fn statement_languages(
    tree: &PackageTree,
    metadata: &PackageMetadata,
) -> BTreeSet<String> {
    let is_new = metadata.format == Kattis2025;
    let folders: &[&str] = if is_new {
        &["statement"]
    } else {
        &["problem_statement", "statement"]
    };
    let mut languages = BTreeSet::new();
    let is_at_root = STATEMENTS_AT_ROOT
        .iter()
        .any(|name| tree.file(name).is_some());
    if metadata.is_for_domjudge && is_at_root {
        languages.insert("en".to_owned());
    }
    let names = folders.iter().flat_map(|folder| tree.children(folder));
    let default = (!is_new).then_some("en");
    languages.extend(names.filter_map(|name| {
        let (language, _) = statement_name(last_part(name), default)?;
        Some(language.to_owned())
    }));
    languages
}

/// The language and the ending in the name of a statement; `None` if it is no such name,
/// or one without a language where there is no default.
pub(crate) fn statement_name<'n>(
    name: &'n str,
    default: Option<&'n str>,
) -> Option<(&'n str, &'n str)> {
    let (stem, ending) = name
        .rsplit_once('.')
        .filter(|(_, ending)| STATEMENTS.contains(ending))?;
    let language = match stem.strip_prefix("problem")? {
        "" => default?,
        rest => rest.strip_prefix('.')?,
    };
    Some((language, ending))
}

// Says what in a package of the older formats other judges read differently, so that
// nobody is surprised by another verdict there. Each is a sentence without a full stop.
// Start at [`note_structure`].
//
// Sources: problemtools (`verifyproblem.py`, `config`), DOMjudge
// (`ImportProblemService`), as read and run.

/// The largest file of settings that may set nothing, in bytes.
const LARGEST_EMPTY: u64 = 1 << 10;

/// Notes what other judges read differently.
pub(crate) fn note_disagreements(
    tree: &PackageTree,
    metadata: &PackageMetadata,
    groups: &GroupSettings,
    scoring: &Scoring,
    cases: &[Case],
) {
    if !metadata.format.has_legacy_layout() {
        return;
    }
    let say = |what: String| tree.say(RemarkKind::Disagreement, what);
    let programs = metadata.checkers.len();
    if programs > 1 {
        say(format!(
            "`output_validators/` has {programs} programs: here each must accept an output, \
             problemtools runs only the first, and DOMjudge does not import the package"
        ));
    }
    // Only DOMjudge reads the folder of 2025-09 as well.
    let folder = tree.root.join("output_validator");
    let mut checkers = metadata.checkers.iter();
    if !metadata.is_for_domjudge
        && checkers.any(|checker| checker.starts_with(&folder))
    {
        say(
            "`output_validator/` is run here, as in DOMjudge; problemtools reads only \
             `output_validators/` in this format"
                .to_owned(),
        );
    }
    let mut settings = tree.below("data");
    if let Some((name, _)) = settings.find(|(_, path)| {
        // A file of settings that consists of comments.
        path.ends_with(LEGACY_GROUP_FILE)
            && files::read_bounded(path, LARGEST_EMPTY).is_ok_and(|text| {
                String::from_utf8_lossy(&text)
                    .lines()
                    .map(str::trim)
                    .all(|line| line.is_empty() || line.starts_with('#'))
            })
    }) {
        say(format!(
            "`{name}` sets nothing: here it counts as absent, and DOMjudge does not import the \
             package"
        ));
    }
    score_of_group(metadata, groups, scoring, cases)
        .into_iter()
        .chain(order(scoring, cases))
        .for_each(say);
}

/// The first group whose `accept_score` is for each case here, and for the whole group
/// in DOMjudge.
fn score_of_group(
    metadata: &PackageMetadata,
    groups: &GroupSettings,
    scoring: &Scoring,
    cases: &[Case],
) -> Option<String> {
    if metadata.is_for_domjudge {
        return None;
    }
    let mut each = groups_with_cases(scoring, cases).into_iter();
    let (group, own) = each.find(|(group, own)| {
        let is_set = groups
            .grading
            .get(&group.name)
            .is_some_and(|found| found.accept.is_some());
        adds_up_cases(group)
            && is_set
            && own.len() > 1
            && group.case.accepted != PointValue::ZERO
    })?;
    let count = own.len();
    let folder = Path::new("data").join(&group.name).join(LEGACY_GROUP_FILE);
    Some(format!(
        "`{}`: `accept_score: {}` is for each of {count} cases here, as in problemtools, and for \
         all of them together in DOMjudge",
        folder.display(),
        group.case.accepted
    ))
}

/// The first cases of a group that problemtools runs in another order, if the points of
/// a rejected submission depend on it. Nothing else depends on it but which of several
/// reasons is reported first.
fn order(scoring: &Scoring, cases: &[Case]) -> Option<String> {
    let (first, second) = groups_with_cases(scoring, cases)
        .into_iter()
        .filter(|(group, _)| {
            group.stops_at_rejection
                && group.aggregation != ScoreAggregation::Min
                && group.grader_arguments.is_none()
        })
        .find_map(|(_, own)| {
            // There, names are sorted with their endings.
            let mut theirs = own.clone();
            theirs.sort_by_cached_key(|case| format!("{case}.ans"));
            own.into_iter()
                .zip(theirs)
                .find(|(own, their)| own != their)
        })?;
    Some(format!(
        "`data/{first}.in` is run before `data/{second}.in` here, and after it in problemtools: \
         with `on_reject: break` a rejected submission gets other points"
    ))
}
