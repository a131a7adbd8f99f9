//! Reads `problem.yaml` of `2025-09`.

use std::path::PathBuf;

use crate::keys::KeyTable;
use crate::mistake::{nearest, quoted};
use crate::model::{Constants, JudgingProgramKind};
use crate::package::validation::in_folder;
use crate::package::{
    PackageFormat, PackageLimits, PackageMetadata, PackageTree, metadata,
};
use crate::text::JoinedTexts;

/// The type of problems whose program interacts with submissions.
const INTERACTIVE: &str = "interactive";

/// The type of problems whose submissions are run several times on a case.
const MULTI_PASS: &str = "multi-pass";

/// The type of problems without points.
const PASS_FAIL: &str = "pass-fail";

/// The type of problems with points.
const SCORING: &str = "scoring";

/// The type of problems whose submissions are answers rather than programs.
const SUBMIT_ANSWER: &str = "submit-answer";

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

/// The folders of the program that judges outputs, and of the one that judges sources.
const OUTPUT_VALIDATOR: &str = "output_validator";
const STATIC_VALIDATOR: &str = "static_validator";

/// The folder for programs that judge outputs in older formats.
const LEGACY_VALIDATORS: &str = "output_validators";

pub(super) fn read_2025(map: &KeyTable, tree: &PackageTree) -> PackageMetadata {
    let name = map.require("name", "`name: A Title`").text_or_table("name");
    require_uuid(map);
    let types = types(map);
    let has_type = |name: &str| types.iter().any(|found| found == name);
    let is_interactive = has_type(INTERACTIVE);
    let submissions_are_answers = has_type(SUBMIT_ANSWER);
    let checker = checker(tree, is_interactive, has_type(MULTI_PASS));
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
    map.pass_over([
        "version",
        "credits",
        "license",
        "rights_owner",
        "embargo_until",
        "keywords",
    ]);
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
        checker,
        static_validator,
        checker_kind: JudgingProgramKind::judging(is_interactive),
        is_scoring: has_type(SCORING),
        is_multi_pass: has_type(MULTI_PASS),
        submissions_are_answers,
        languages,
        constants,
        ..PackageMetadata::for_format(PackageFormat::Kattis2025)
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
    let codes = || LANGUAGE_CODES.split_ascii_whitespace();
    for code in found.iter().filter(|code| {
        !(**code == ALL_LANGUAGES || codes().any(|known| known == *code))
    }) {
        let remedy = match nearest(code, codes()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => {
                "use the codes of the format, for example `cpp` or `python3`, or `all`"
                    .to_owned()
            }
        };
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
    in_folder(STATIC_VALIDATOR, tree)
}

/// Returns the program that judges outputs or interacts with submissions.
fn checker(
    tree: &PackageTree,
    is_interactive: bool,
    is_multi_pass: bool,
) -> Option<PathBuf> {
    if (is_interactive || is_multi_pass) && !tree.has_folder(OUTPUT_VALIDATOR) {
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
    if tree.has_folder(LEGACY_VALIDATORS) {
        let message =
            "the folder is of an older format: in 2025-09 nothing in it is run";
        let remedy =
            "move the files of its program into `output_validator`, or delete it";
        tree.refuse(tree.root.join(LEGACY_VALIDATORS), message, remedy);
    }
    tree.has_folder(OUTPUT_VALIDATOR)
        .then(|| in_folder(folder_of_validator(tree), tree))
        .flatten()
}

/// Returns the folder of the program that judges outputs. If `output_validator` holds
/// nothing but one folder, it is that one, as in older formats and in examples of
/// drafts.
fn folder_of_validator(tree: &PackageTree) -> &str {
    match tree.children(OUTPUT_VALIDATOR)[..] {
        [only] if tree.has_folder(only) => only,
        _ => OUTPUT_VALIDATOR,
    }
}

/// Notes that the package has no identifier, which no verdict depends on; BAPCtools
/// makes one.
fn require_uuid(map: &KeyTable) {
    if map.mark_read("uuid").is_none() {
        map.document.slip(
            Default::default(),
            "the file has no `uuid`",
            "add it, for example `uuid: 8ee7605a-7d66-4a4f-9a5a-0a0e2d3f3b7f`",
        );
    }
    map.text("uuid");
}

/// Reads `constants`: the names of values that are filled in in other files.
fn constants(map: &KeyTable) -> Constants {
    let Some(found) = map.forms_by_key("constants", "value") else {
        return Constants::default();
    };
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
    let Some(found) = map.words("type") else {
        return Vec::new();
    };
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
    let has = |name: &str| found.iter().any(|word| word == name);
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
