//! Reads `problem.yaml` of any format. Start at [`read_problem_yaml`].

use std::path::{Path, PathBuf};

use crate::keys::KeyTable;
use crate::mistake::{RemarkKind, ellipsized, quoted, suggestion_or};
use crate::model::Constants;
use crate::package::kattis::LegacyGrading;
use crate::package::{
    GROUP_FILE, LEGACY_GROUP_FILE, PackageFormat, PackageLimits, PackageMetadata,
    PackageTree, blank_separated, domjudge, is_among, metadata, validation,
};
use crate::text::JoinedTexts;

use PackageFormat::{Kattis2025, Legacy, LegacyIcpc};

/// The prefix of the versions of drafts of `2025-09`.
const DRAFTS: &str = "2023-07";

/// Reads a `problem.yaml`, as the wanted format if one is given. Notes the mistakes in
/// it. Returns `None` if it is not YAML or names no known format.
pub(crate) fn read_problem_yaml(
    path: &Path,
    tree: &PackageTree,
    wanted: Option<PackageFormat>,
) -> Option<PackageMetadata> {
    let map = tree.ok_or_note(KeyTable::read_file(path))?;
    if wanted.is_none() && is_of_hydro(&map) {
        let folder = tree.root.join("testdata");
        tree.refuse(
            path,
            "is of a package of Hydro, which is not read",
            format!(
                "to judge by its cases alone, write `-p {}`",
                folder.display()
            ),
        );
        return None;
    }
    let version = map.text("problem_format_version");
    let is_draft = version
        .as_ref()
        .is_some_and(|version| version.starts_with(DRAFTS));
    // Without a version it is the oldest.
    let stated = version.as_ref().map_or(Some(Legacy), |version| {
        format_of_version(version, &map, wanted.is_none(), tree)
    });
    // A file that is not YAML says nothing more.
    let format = wanted.or(stated).filter(|_| map.document.is_sound());
    let metadata = format.map(|format| {
        if format == Kattis2025 {
            map.document.ignores_quotes.set(is_draft);
            return read_2025(&map, is_draft && wanted.is_none(), tree);
        }
        map.document.ignores_quotes.set(true);
        let is_for_domjudge = domjudge::is_meant(tree, wanted);
        read_legacy(&map, format, is_for_domjudge, tree)
    });
    tree.close(&map);
    let metadata = metadata?;
    let has_older_groups = is_draft && wanted.is_none() && has_older_groups(tree);
    if has_older_groups {
        tree.ignore(
            "that `testdata.yaml` is not a file of `2025-09`: groups are read as `legacy`",
        );
    }
    Some(PackageMetadata {
        has_overridden_format: is_draft || stated != Some(metadata.format),
        format_of_groups: if has_older_groups {
            Legacy
        } else {
            metadata.format
        },
        ..metadata
    })
}

/// Whether the file has the keys of Hydro, whose packages have a file of the same name.
fn is_of_hydro(map: &KeyTable) -> bool {
    !map.has("name")
        && map.has("title")
        && (map.has("pid") || map.has("owner") || map.has("nSubmit"))
}

/// Whether groups have settings of the older formats and none has those of 2025-09.
/// Problemtools, for which drafts are written, knows only the older ones.
fn has_older_groups(tree: &PackageTree) -> bool {
    let has = |file: &str| {
        tree.below("data")
            .any(|(name, _)| name.ends_with(&format!("/{file}")))
    };
    has(LEGACY_GROUP_FILE) && !has(GROUP_FILE)
}

/// Returns the format of a version. Drafts of the newest are read as the newest. An
/// unknown version is a mistake only if it decides, since no other format is wanted.
fn format_of_version(
    version: &str,
    map: &KeyTable,
    decides: bool,
    tree: &PackageTree,
) -> Option<PackageFormat> {
    let shown = ellipsized(version, 40);
    if version.starts_with(DRAFTS) {
        if decides {
            tree.ignore(format!(
                "that the package is of a draft (`{shown}`): it is read as `2025-09`"
            ));
        }
        return Some(Kattis2025);
    }
    let formats = [Legacy, LegacyIcpc, Kattis2025];
    let format = formats.into_iter().find(|format| format.name() == version);
    if format.is_none() && decides {
        map.refuse_value(
            "problem_format_version",
            format!("the format `{shown}` is not read"),
            "use `legacy`, `legacy-icpc` or `2025-09`",
        );
    }
    format
}

// The words of both readers.

/// The types of problems: without and with points; whose submissions are run several
/// times on a case; whose program interacts with submissions; and in 2025-09, whose
/// submissions are answers rather than programs.
const PASS_FAIL: &str = "pass-fail";
const SCORING: &str = "scoring";
const MULTI_PASS: &str = "multi-pass";
const INTERACTIVE: &str = "interactive";
const SUBMIT_ANSWER: &str = "submit-answer";

/// The folders of the programs that judge outputs in older formats, of the only such
/// program in 2025-09, and of the one that judges sources there.
const LEGACY_VALIDATORS: &str = "output_validators";
const OUTPUT_VALIDATOR: &str = "output_validator";
const STATIC_VALIDATOR: &str = "static_validator";

fn has_word(words: &[String], known: &str) -> bool {
    words.iter().any(|word| word == known)
}

// Reads `problem.yaml` of `legacy` and `legacy-icpc`, with DOMjudge's additions.

/// A key in an example of DOMjudge beside that for flags; nothing reads it.
const OTHER_FLAGS: &str = "validator_args";

fn read_legacy(
    map: &KeyTable,
    format: PackageFormat,
    is_for_domjudge: bool,
    tree: &PackageTree,
) -> PackageMetadata {
    let name = map
        .text_or_table("name")
        .and_then(|found| Some(found.into_iter().next()?.1));
    let source = map.text("source");
    let kind = words(map, "type", &[PASS_FAIL, SCORING, INTERACTIVE, MULTI_PASS]);
    let validation = words(
        map,
        "validation",
        &["default", "custom", "score", INTERACTIVE, MULTI_PASS],
    );
    let has = |word| has_word(&kind, word) || has_word(&validation, word);
    let is_interactive = has(INTERACTIVE);
    let is_multi_pass = has(MULTI_PASS);
    let checker_gives_points = has_word(&validation, "score");
    refuse_points(map, format, &kind, checker_gives_points);
    // A problem that is interactive by its type need not also say `validation: custom`.
    let is_custom =
        has_word(&validation, "custom") || is_interactive || is_multi_pass;
    if is_interactive && is_multi_pass {
        note_interactive_passes(&kind, is_for_domjudge, tree);
    }
    let only_judges = !is_interactive && !is_multi_pass && !checker_gives_points;
    let checkers = if is_custom {
        checkers(only_judges, is_for_domjudge, tree)
    } else {
        note_idle_checkers(tree);
        vec![]
    };
    let flags = map.text("validator_flags").unwrap_or_default();
    let limits = PackageLimits::read_legacy(&map.table_or_empty("limits"));
    let is_scoring = has_word(&kind, SCORING);
    let grading = grading(map, is_scoring, tree);
    let credits = metadata::read_credits(map, tree);
    map.refuse_the_rest();
    PackageMetadata {
        name,
        source,
        credits,
        limits,
        checkers,
        is_interactive,
        is_scoring,
        is_multi_pass,
        checker_gives_points,
        validator_flags: blank_separated(&flags),
        grading,
        is_for_domjudge,
        ..PackageMetadata::for_format(format)
    }
}

/// Notes what other judges read differently in a problem that is interactive and of
/// several passes.
fn note_interactive_passes(
    kind: &[String],
    is_for_domjudge: bool,
    tree: &PackageTree,
) {
    let say = |difference: &str| {
        let what = "the problem is interactive and of several passes";
        tree.say(RemarkKind::Disagreement, format!("{what}{difference}"));
    };
    if !has_word(kind, INTERACTIVE) || !has_word(kind, MULTI_PASS) {
        say(
            ": DOMjudge knows that only as `type: interactive multi-pass`, and problemtools not \
             at all",
        );
    } else if !is_for_domjudge {
        say(", which problemtools does not know");
    }
}

/// Notes programs that judge outputs where none is asked for.
fn note_idle_checkers(tree: &PackageTree) {
    if tree.has_folder(LEGACY_VALIDATORS) {
        let what =
            format!("`{LEGACY_VALIDATORS}/`, since `validation` is not `custom`");
        tree.deviation(format!("nothing runs {what}"));
        tree.ignore(what);
    }
}

/// Returns the programs that judge outputs. Several are supported only if they do
/// nothing but judge.
fn checkers(
    only_judges: bool,
    is_for_domjudge: bool,
    tree: &PackageTree,
) -> Vec<PathBuf> {
    // DOMjudge also accepts the folder of the newer format, and its own examples use
    // it.
    if !tree.has_folder(LEGACY_VALIDATORS) && tree.has_folder(OUTPUT_VALIDATOR) {
        return Vec::from_iter(validation::program_in(OUTPUT_VALIDATOR, tree));
    }
    // To DOMjudge, files directly in the folder are one program. Source: its
    // `ImportProblemService::searchAndAddValidator`.
    if is_for_domjudge
        && tree
            .children(LEGACY_VALIDATORS)
            .into_iter()
            .any(|name| tree.file(name).is_some())
    {
        return Vec::from_iter(validation::program_in(LEGACY_VALIDATORS, tree));
    }
    let found = validation::among(LEGACY_VALIDATORS, tree);
    if found.len() > 1 && !only_judges {
        let what = "several programs that talk to submissions, ask for passes or give points";
        tree.need_at(&tree.root.join(LEGACY_VALIDATORS), None, what);
    }
    found
}

/// Reads the keys about points, of which those that predate `testdata.yaml` hold for
/// all groups, and whether fewer points are better. Notes flags that nothing reads.
fn grading(map: &KeyTable, is_scoring: bool, tree: &PackageTree) -> LegacyGrading {
    if map.text(OTHER_FLAGS).is_some() {
        tree.ignore(format!("`{OTHER_FLAGS}`: the key is `validator_flags`"));
    }
    let grading = map.table_or_empty("grading");
    // Nothing here depends on it, and quotes or digits are no mistake there.
    grading.flag_or_text("show_test_data_groups");
    let for_all_groups = LegacyGrading::read_for_all_groups(&grading);
    let wants_fewest = grading.choice("objective", &[("max", false), ("min", true)]);
    grading.refuse_the_rest();
    LegacyGrading {
        wants_fewest: is_scoring && wants_fewest == Some(true),
        ..for_all_groups
    }
}

/// Notes points in a format or a type without them, and a validator that gives points
/// in a problem without them.
fn refuse_points(
    map: &KeyTable,
    format: PackageFormat,
    kind: &[String],
    checker_gives_points: bool,
) {
    let is_scoring = has_word(kind, SCORING);
    if is_scoring && has_word(kind, PASS_FAIL) {
        map.refuse_key(
            "type",
            "a problem is either `pass-fail` or `scoring`",
            "delete one of the two words",
        );
    }
    if is_scoring && format == LegacyIcpc {
        map.refuse_key(
            "type",
            "`legacy-icpc` knows no points (`type: scoring`)",
            "write `problem_format_version: legacy`",
        );
    }
    if checker_gives_points && !is_scoring {
        map.refuse_key(
            "validation",
            "`score` asks for points, and the problem gives none",
            "write `type: scoring`, or delete `score`",
        );
    }
}

/// Returns the words of a key; notes unknown ones.
fn words(map: &KeyTable, key: &'static str, known: &[&str]) -> Vec<String> {
    let found = blank_separated(&map.text(key).unwrap_or_default());
    for word in found.iter().filter(|word| !known.contains(&word.as_str())) {
        map.refuse_value(
            key,
            format!("unknown word {} in `{key}`", quoted(word)),
            format!("use {}", known.join(", ")),
        );
    }
    found
}

// Reads `problem.yaml` of `2025-09`.

/// All types of problems.
const TYPES: [&str; 5] = [PASS_FAIL, SCORING, MULTI_PASS, INTERACTIVE, SUBMIT_ANSWER];

/// The word for all languages.
const ALL_LANGUAGES: &str = "all";

/// The codes of languages. Of similar codes, the most common one comes last. Source:
/// the appendix "Languages" of the format.
const LANGUAGE_CODES: &str = "ada algol68 apl bash c cgmp cobol cpp cppgmp crystal csharp d dart elixir erlang forth \
     fortran fsharp gerbil go haskell java javaalgs4 javascript julia kotlin lisp lua modula2 nim \
     objectivec ocaml octave odin pascal perl php prolog python2 python3numpy python3 racket ruby \
     rust scala simula smalltalk snobol swift typescript visualbasic zig";

fn read_2025(map: &KeyTable, is_draft: bool, tree: &PackageTree) -> PackageMetadata {
    let name = map.require("name", "`name: A Title`").text_or_table("name");
    if map.mark_read("uuid").is_none() {
        // No verdict depends on it; BAPCtools makes one.
        map.document.slip(
            Default::default(),
            "the file has no `uuid`",
            "add it, for example `uuid: 8ee7605a-7d66-4a4f-9a5a-0a0e2d3f3b7f`",
        );
    }
    map.text("uuid");
    let types = types(map);
    let has_type = |name| has_word(&types, name);
    let is_interactive = has_type(INTERACTIVE);
    let submissions_are_answers = has_type(SUBMIT_ANSWER);
    let checker = checker_2025(tree, is_draft, is_interactive, has_type(MULTI_PASS));
    let static_validator = static_validator(tree, submissions_are_answers);
    let source = map.text_of_first("source", "name");
    let limits = PackageLimits::read_2025(&map.table_or_empty("limits"));
    let languages = languages(map);
    if map.flag("allow_file_writing").is_some_and(|found| !found) {
        tree.ignore(
            "`allow_file_writing: false`: programs may write into their own scratch folder",
        );
    }
    let constants = constants(map);
    map.pass_over(["version"]);
    let credits = metadata::read_credits(map, tree);
    metadata::remark_embargo(map, tree);
    map.refuse_the_rest();
    let names = name.unwrap_or_default();
    PackageMetadata {
        names: names
            .iter()
            .map(|(language, _)| match language.as_str() {
                // A title without a language is in English.
                "" => "en".to_owned(),
                named => named.to_owned(),
            })
            .collect(),
        name: names.into_iter().next().map(|(_, name)| name),
        source,
        credits,
        limits,
        checkers: checker.into_iter().collect(),
        static_validator,
        is_interactive,
        is_scoring: has_type(SCORING),
        is_multi_pass: has_type(MULTI_PASS),
        submissions_are_answers,
        languages,
        constants,
        ..PackageMetadata::for_format(Kattis2025)
    }
}

/// Returns the codes of the languages that submissions may be in; `None` for all.
fn languages(map: &KeyTable) -> Option<Vec<String>> {
    let found = map.words("languages")?;
    if found.is_empty() {
        let remedy =
            "name some, for example `languages: [cpp, python3]`, or leave it out";
        map.refuse_value("languages", "`languages` names none", remedy);
    }
    for code in found
        .iter()
        .filter(|code| *code != ALL_LANGUAGES && !is_among(code, LANGUAGE_CODES))
    {
        let remedy = suggestion_or(code, LANGUAGE_CODES.split(' '), || {
            "use the codes of the format, for example `cpp` or `python3`, or `all`"
                .to_owned()
        });
        map.refuse_value(
            "languages",
            format!(
                "{} in `languages` is not a language of the format",
                quoted(code)
            ),
            remedy,
        );
    }
    Some(found).filter(|codes| !codes.iter().any(|code| code == ALL_LANGUAGES))
}

/// Returns the program that judges sources. It is a mistake if submissions have no
/// sources.
fn static_validator(
    tree: &PackageTree,
    submissions_are_answers: bool,
) -> Option<PathBuf> {
    if !tree.has_folder(STATIC_VALIDATOR) {
        return None;
    }
    if submissions_are_answers {
        let message =
            "checks sources, and submissions have none (`type: submit-answer`)";
        tree.refuse(
            tree.root.join(STATIC_VALIDATOR),
            message,
            "delete it, or the type",
        );
        return None;
    }
    validation::program_in(STATIC_VALIDATOR, tree)
}

/// Returns the program that judges outputs or interacts with submissions. In a draft its
/// folder may be that of older formats, which DOMjudge reads, too: it got its new name
/// late. If it holds nothing but one folder, it is that one, as in older formats and in
/// examples of drafts.
fn checker_2025(
    tree: &PackageTree,
    is_draft: bool,
    is_interactive: bool,
    is_multi_pass: bool,
) -> Option<PathBuf> {
    let is_older = is_draft && !tree.has_folder(OUTPUT_VALIDATOR);
    let folder = if is_older && tree.has_folder(LEGACY_VALIDATORS) {
        LEGACY_VALIDATORS
    } else {
        OUTPUT_VALIDATOR
    };
    let folder = match tree.children(folder)[..] {
        [only] if tree.has_folder(only) => only,
        _ => folder,
    };
    let is_there = tree.has_folder(folder);
    if (is_interactive || is_multi_pass) && !is_there {
        let message = if is_interactive {
            "the program that talks to submissions (`type: interactive`) is not there"
        } else {
            "the program that asks for passes (`type: multi-pass`) is not there"
        };
        tree.refuse(
            tree.root.join(OUTPUT_VALIDATOR),
            message,
            "put its source into that folder",
        );
    }
    if folder.starts_with(LEGACY_VALIDATORS) {
        tree.ignore(
            "that `output_validators` is not a folder of `2025-09`: what is in it judges outputs",
        );
    } else if tree.has_folder(LEGACY_VALIDATORS) {
        let message =
            "the folder is of an older format: in 2025-09 nothing in it is run";
        let remedy =
            "move the files of its program into `output_validator`, or delete it";
        tree.refuse(tree.root.join(LEGACY_VALIDATORS), message, remedy);
    }
    if !is_there {
        return None;
    }
    validation::program_in(folder, tree)
}

/// Reads `constants`: the names of values that are filled in in other files.
fn constants(map: &KeyTable) -> Constants {
    let found = map.forms_by_key("constants").unwrap_or_default();
    for (name, _) in found.iter().filter(|(name, _)| !Constants::is_name(name)) {
        map.refuse_value(
            "constants",
            format!(
                "{} can be no constant: its name is empty or holds a brace",
                quoted(name)
            ),
            "call it by letters, digits and `_`",
        );
    }
    found.into_iter().collect()
}

/// Reads the types.
fn types(map: &KeyTable) -> Vec<String> {
    let found = map.words("type").unwrap_or_default();
    for word in found.iter().filter(|word| !TYPES.contains(&word.as_str())) {
        if word.contains(' ') {
            let list = word.split_whitespace().joined(", ");
            map.refuse_value(
                "type",
                format!("the type {} is several words in one text", quoted(word)),
                format!("write it as a list: `[{list}]`"),
            );
        } else {
            map.refuse_value(
                "type",
                format!("unknown type {}", quoted(word)),
                format!("use {}", TYPES.join(", ")),
            );
        }
    }
    let has = |name| has_word(&found, name);
    if has(PASS_FAIL) && has(SCORING) {
        map.refuse_value(
            "type",
            format!("a problem is either `{PASS_FAIL}` or `{SCORING}`"),
            "delete one of the two types",
        );
    }
    for other in [INTERACTIVE, MULTI_PASS]
        .into_iter()
        .filter(|other| has(SUBMIT_ANSWER) && has(other))
    {
        map.refuse_value(
            "type",
            format!("`{SUBMIT_ANSWER}` has no program that could be `{other}`"),
            "delete one of the two types",
        );
    }
    found
}
