//! Reads `problem.yaml` of `legacy` and `legacy-icpc`, with DOMjudge's additions.

use std::path::PathBuf;

use crate::keys::KeyTable;
use crate::mistake::quoted;
use crate::model::JudgingProgramKind;
use crate::package::kattis::LegacyGrading;
use crate::package::{
    PackageCredits, PackageFormat, PackageLimits, PackageMetadata, PackageTree,
    metadata, validation,
};

/// The word for a problem whose program interacts with submissions.
const INTERACTIVE: &str = "interactive";

/// The word for a problem with points.
const SCORING: &str = "scoring";

/// The word for a problem whose submissions are run several times on a case.
const MULTI_PASS: &str = "multi-pass";

/// The folder of the programs that check outputs.
const VALIDATORS: &str = "output_validators";

/// The folder of the only such program in the newer format.
const OUTPUT_VALIDATOR: &str = "output_validator";

/// A key in an example of DOMjudge beside that for flags; nothing reads it.
const OTHER_FLAGS: &str = "validator_args";

pub(super) fn read_legacy(
    map: &KeyTable,
    format: PackageFormat,
    is_for_domjudge: bool,
    tree: &PackageTree,
) -> PackageMetadata {
    let name = map
        .text_or_table("name")
        .and_then(|found| Some(found.into_iter().next()?.1));
    let source = map.text("source");
    let kind = words(
        map,
        "type",
        &["pass-fail", SCORING, INTERACTIVE, MULTI_PASS],
    );
    let validation = words(
        map,
        "validation",
        &["default", "custom", "score", INTERACTIVE, MULTI_PASS],
    );
    let has = |words: &[String], known: &str| words.iter().any(|word| word == known);
    let is_interactive = has(&kind, INTERACTIVE) || has(&validation, INTERACTIVE);
    let is_multi_pass = has(&kind, MULTI_PASS) || has(&validation, MULTI_PASS);
    let is_scoring = has(&kind, SCORING);
    let checker_gives_points = has(&validation, "score");
    refuse_points(map, format, &kind, checker_gives_points);
    // A problem that is interactive by its type need not also say `validation: custom`.
    let is_custom = has(&validation, "custom") || is_interactive || is_multi_pass;
    let only_judges = !is_interactive && !is_multi_pass && !checker_gives_points;
    let (checker, further_checkers) = if is_custom && is_for_domjudge && is_flat(tree) {
        let checker = validation::in_folder(VALIDATORS, tree);
        (checker, Vec::new())
    } else {
        checkers(is_custom, only_judges, tree)
    };
    let flags = map.text("validator_flags").unwrap_or_default();
    let limits = PackageLimits::read_legacy(&map.table_or_empty("limits"));
    let grading = grading(map, is_scoring, tree);
    PackageMetadata {
        name,
        source,
        credits: credits(map, tree),
        limits,
        checker,
        further_checkers,
        checker_kind: JudgingProgramKind::judging(is_interactive),
        is_scoring,
        is_multi_pass,
        checker_gives_points,
        validator_flags: flags.split_whitespace().map(str::to_owned).collect(),
        grading,
        ..PackageMetadata::for_format(format)
    }
}

/// Whether files lie directly in the folder of programs that check outputs. To DOMjudge
/// they are one program.
///
/// Source: DOMjudge, `ImportProblemService::searchAndAddValidator`.
fn is_flat(tree: &PackageTree) -> bool {
    tree.children(VALIDATORS)
        .into_iter()
        .any(|name| tree.file(name).is_some())
}

/// Returns the program that judges outputs, if there is one, and further ones. Further
/// ones are supported only if they do nothing but judge.
fn checkers(
    is_custom: bool,
    only_judges: bool,
    tree: &PackageTree,
) -> (Option<PathBuf>, Vec<PathBuf>) {
    if !is_custom {
        if tree.has_folder(VALIDATORS) {
            let what = format!("`{VALIDATORS}/`, since `validation` is not `custom`");
            tree.deviation(format!("nothing runs {what}"));
            tree.ignore(what);
        }
        return (None, Vec::new());
    }
    // DOMjudge also accepts the folder of the newer format, and its own examples use
    // it.
    if !tree.has_folder(VALIDATORS) && tree.has_folder(OUTPUT_VALIDATOR) {
        return (validation::in_folder(OUTPUT_VALIDATOR, tree), Vec::new());
    }
    let mut found = validation::among(VALIDATORS, tree).into_iter();
    let first = found.next();
    let further = found.collect::<Vec<_>>();
    if !further.is_empty() && !only_judges {
        let what =
            "several programs that talk to submissions, ask for passes or give points";
        tree.need_of(&tree.root.join(VALIDATORS), what);
    }
    (first, further)
}

/// Reads the keys about points, of which those that predate `testdata.yaml` hold for
/// all groups, and whether fewer points are better. Notes flags that nothing reads.
fn grading(map: &KeyTable, is_scoring: bool, tree: &PackageTree) -> LegacyGrading {
    if map.text(OTHER_FLAGS).is_some() {
        tree.ignore(format!("`{OTHER_FLAGS}`: the key is `validator_flags`"));
    }
    let grading = map.table_or_empty("grading");
    grading.flag("show_test_data_groups");
    let for_all_groups = LegacyGrading::read_for_all_groups(&grading);
    let wants_fewest = grading.choice("objective", &[("max", false), ("min", true)]);
    grading.refuse_the_rest();
    let wants_fewest = is_scoring && wants_fewest.unwrap_or_default();
    LegacyGrading {
        wants_fewest,
        ..for_all_groups
    }
}

/// Reads the keys about authors and licence, and refuses those that nothing has read.
fn credits(map: &KeyTable, tree: &PackageTree) -> PackageCredits {
    map.pass_over([
        "uuid",
        "author",
        "source_url",
        "license",
        "rights_owner",
        "keywords",
    ]);
    let credits = metadata::read_credits(map, tree);
    map.refuse_the_rest();
    credits
}

/// Notes points in a format or a type without them, and a validator that gives points
/// in a problem without them.
fn refuse_points(
    map: &KeyTable,
    format: PackageFormat,
    kind: &[String],
    checker_gives_points: bool,
) {
    let has = |known: &str| kind.iter().any(|word| word == known);
    let is_scoring = has(SCORING);
    if is_scoring && has("pass-fail") {
        map.refuse_key(
            "type",
            "a problem is either `pass-fail` or `scoring`",
            "delete one of the two words",
        );
    }
    if is_scoring && format == PackageFormat::LegacyIcpc {
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
    let Some(found) = map.text(key) else {
        return Vec::new();
    };
    for word in found.split_whitespace() {
        if !known.contains(&word) {
            map.refuse_value(
                key,
                format!("unknown word {} in `{key}`", quoted(word)),
                format!("use {}", known.join(", ")),
            );
        }
    }
    found.split_whitespace().map(str::to_owned).collect()
}
