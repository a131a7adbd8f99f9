//! Tests of which groups have a case on which the source is judged, of its points, and
//! of refused settings.

use std::fs;

use crate::model::{JudgingProgramKind, Task};
use crate::package::Package;

const PLAIN: &str = "problem_format_version: 2025-09\nname: Twice\nuuid: 1\n";
const SCORING: &str =
    "problem_format_version: 2025-09\nname: Twice\nuuid: 1\ntype: scoring\n";

/// The program that judges sources.
const VALIDATOR: (&str, &str) = ("static_validator/check.py", "");

const WHOLE: &str = "static_validation_score: pass-fail\n";

/// Reads a package of a sample, a case `secret/a/0`, two cases in `secret/b`, and these
/// files.
fn package(yaml: &str, files: &[(&str, &str)]) -> Result<Package, Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    put("problem.yaml", yaml);
    for case in ["sample/1", "secret/a/0", "secret/b/deep/1", "secret/b/2"] {
        put(&format!("data/{case}.in"), "1\n");
        put(&format!("data/{case}.ans"), "1\n");
    }
    for (name, text) in files {
        put(name, text);
    }
    let root = folder.path().display().to_string();
    Package::read(folder.path()).map_err(|found| {
        found
            .0
            .iter()
            .map(|mistake| mistake.to_string().replace(&format!("{root}/"), ""))
            .collect()
    })
}

fn names(package: &Package) -> Vec<&str> {
    package
        .cases
        .iter()
        .map(|case| case.name.as_str())
        .collect()
}

#[test]
fn each_group_that_asks_for_static_validation_starts_with_its_static_case() {
    let files = ["sample", "secret", "secret/a", "secret/b"]
        .map(|group| format!("data/{group}/test_group.yaml"));
    let mut files: Vec<_> = files.iter().map(|file| (file.as_str(), WHOLE)).collect();
    files.push(VALIDATOR);
    let package = package(PLAIN, &files).unwrap();
    assert_eq!(
        names(&package),
        [
            "sample/static_validation",
            "sample/1",
            "secret/static_validation",
            "secret/a/static_validation",
            "secret/a/0",
            "secret/b/static_validation",
            "secret/b/2",
            "secret/b/deep/1",
        ]
    );
    assert!(package.missing_answers().is_empty() && package.unsupported().is_empty());
    let run: Vec<_> = package.run_cases().map(|case| case.name.as_str()).collect();
    assert_eq!(
        run,
        ["sample/1", "secret/a/0", "secret/b/2", "secret/b/deep/1"]
    );
}

#[test]
fn a_group_may_have_no_other_case() {
    let files = [VALIDATOR, ("data/secret/c/test_group.yaml", WHOLE)];
    assert_eq!(
        names(&package(PLAIN, &files).unwrap())[4..],
        ["secret/c/static_validation"]
    );
}

#[test]
fn arguments_are_those_of_the_group_and_outputs_are_judged_as_before() {
    let settings = format!(
        "{WHOLE}static_validator_args: [for, while]\noutput_validator_args: [case_sensitive]\n"
    );
    let files = [
        VALIDATOR,
        ("data/secret/a/test_group.yaml", &settings),
        ("data/secret/b/test_group.yaml", WHOLE),
    ];
    let package = package(PLAIN, &files).unwrap();
    let of =
        |case: &str| package.case_tasks[case].static_validator().unwrap().clone();
    let task = of("secret/a/static_validation");
    assert_eq!(
        (task.kind, task.passes),
        (JudgingProgramKind::StaticValidator, 1)
    );
    assert!(task.source.ends_with("static_validator/check.py"));
    assert_eq!(task.arguments, ["for", "while"]);
    assert!(of("secret/b/static_validation").arguments.is_empty());
    assert!(matches!(package.task, Task::Text(_)));
    assert_eq!(
        package.case_tasks.len(),
        3,
        "{:?}",
        package.case_tasks.keys()
    );
}

#[test]
fn a_static_validator_that_no_group_asks_for_is_reported_and_never_run() {
    let package = package(PLAIN, &[VALIDATOR]).unwrap();
    assert!(package.case_tasks.is_empty());
    assert_eq!(
        package.ignored(),
        [
            "`static_validator/`: no group asks for it (`static_validation_score` in its `test_group.yaml`)"
        ]
    );
}

/// Returns the mistakes of a package in which `secret/a` has these settings.
fn refused(yaml: &str, of_a: &str, more: &[(&str, &str)]) -> Vec<String> {
    let files = [
        ("data/secret/a/test_group.yaml", of_a),
        ("data/secret/b/test_group.yaml", ""),
    ];
    let mistakes = package(yaml, &[&files, more].concat()).unwrap_err();
    mistakes
        .iter()
        .map(|line| line.replace("data/secret/a/test_group.yaml", "A"))
        .collect()
}

#[test]
fn contradictory_settings_are_refused_with_their_place() {
    assert_eq!(
        refused(PLAIN, WHOLE, &[]),
        [
            "A:1: sources are to be judged, and there is no program for it in `static_validator`"
        ]
    );
    assert_eq!(
        refused(PLAIN, "static_validation_score: 10\n", &[VALIDATOR]),
        ["A:1: the source is worth points, and the problem gives none"]
    );
    assert_eq!(
        refused(PLAIN, "static_validation_score: all\n", &[VALIDATOR]),
        ["A:1: `static_validation_score` must be a whole number, found `all`"]
    );
    assert_eq!(
        refused(PLAIN, "static_validator_args: [a]\n", &[VALIDATOR]),
        [
            "A:1: `static_validator_args` have no effect without `static_validation_score`"
        ]
    );
    let zero = format!("{WHOLE}static_validator_args: [\"a\\0b\"]\n");
    assert_eq!(
        refused(PLAIN, &zero, &[VALIDATOR]),
        [
            "A:2: an argument in `static_validator_args` holds a zero byte, which no program can be given"
        ]
    );
    let nested = [VALIDATOR, ("data/secret/b/deep/test_group.yaml", WHOLE)];
    assert_eq!(
        refused(PLAIN, "", &nested),
        [
            "data/secret/b/deep/test_group.yaml:1: `static_validation_score` is in a folder that is not a group"
        ]
    );
    let same = [
        "data/secret/a/static_validation.in",
        "data/secret/a/static_validation.ans",
    ];
    assert_eq!(
        refused(
            PLAIN,
            WHOLE,
            &[VALIDATOR, (same[0], "1\n"), (same[1], "1\n")]
        ),
        [
            "data/secret/a/static_validation.in: `static_validation` is the name of the case on which sources are judged \
             (`static_validation_score`)"
        ]
    );
    let answers = format!("{PLAIN}type: submit-answer\n");
    let of_group = "A:1: sources are to be judged, and submissions are answers";
    let of_program = "static_validator: checks sources, and submissions have none (`type: submit-answer`)";
    assert_eq!(
        refused(&answers, WHOLE, &[VALIDATOR]),
        [of_program, of_group]
    );
    assert_eq!(refused(&answers, WHOLE, &[]), [of_group]);
}

#[test]
fn points_for_the_source_must_fit_the_aggregation_and_maximum_of_the_group() {
    let of_b = ("data/secret/b/test_group.yaml", "max_score: 40\n");
    let refused = |of_a: &str| refused(SCORING, of_a, &[VALIDATOR, of_b]);
    assert_eq!(
        refused("max_score: 60\nstatic_validation_score: 20\n"),
        [
            "A:2: the source is worth points, and the group is all or nothing (`pass-fail`)"
        ]
    );
    assert_eq!(
        refused(
            "max_score: 60\nscore_aggregation: min\nstatic_validation_score: pass-fail\n"
        ),
        ["A:3: the source is worth no points, and the group gives points for parts"]
    );
    assert_eq!(
        refused(
            "max_score: 60\nscore_aggregation: sum\nstatic_validation_score: 61\n"
        ),
        ["A:3: the source is worth more than its group (`max_score`)"]
    );
}

/// Returns the points and checker rules of the three cases of `secret/a`, one of them
/// static, if the group has these settings.
fn worth(of_a: &str) -> [String; 3] {
    let files = [
        VALIDATOR,
        ("data/secret/a/test_group.yaml", of_a),
        ("data/secret/a/2.in", "1\n"),
        ("data/secret/a/2.ans", "1\n"),
        ("data/secret/b/test_group.yaml", "max_score: 40\n"),
    ];
    let package = package(SCORING, &files).unwrap();
    ["static_validation", "0", "2"].map(|case| {
        let worth = package
            .scoring
            .worth_of(&format!("secret/a/{case}"))
            .unwrap();
        format!("{} {:?}", worth.accepted, worth.checker)
    })
}

#[test]
fn in_a_sum_the_other_cases_share_the_points_that_remain_after_the_source() {
    assert_eq!(
        worth("max_score: 60\nscore_aggregation: sum\nstatic_validation_score: 20\n"),
        ["20 AtMost", "20 AtMost", "20 AtMost"]
    );
    assert_eq!(
        worth("max_score: 60\nscore_aggregation: sum\nstatic_validation_score: 60\n"),
        ["60 AtMost", "0 AtMost", "0 AtMost"]
    );
    assert_eq!(
        worth("max_score: 60\nscore_aggregation: min\nstatic_validation_score: 30\n"),
        ["30 AtMost", "60 AtMost", "60 AtMost"]
    );
    assert_eq!(
        worth("max_score: 60\nstatic_validation_score: pass-fail\n"),
        ["60 Nothing", "60 Nothing", "60 Nothing"]
    );
}

#[test]
fn in_samples_points_for_the_source_count_for_nothing() {
    let files = [
        VALIDATOR,
        (
            "data/sample/test_group.yaml",
            "static_validation_score: 10\n",
        ),
        ("data/secret/a/test_group.yaml", "max_score: 60\n"),
        ("data/secret/b/test_group.yaml", "max_score: 40\n"),
    ];
    let package = package(SCORING, &files).unwrap();
    assert_eq!(
        package
            .scoring
            .worth_of("sample/static_validation")
            .unwrap()
            .accepted,
        0.into()
    );
}

#[test]
fn in_an_unbounded_group_the_source_has_points_of_its_own() {
    let unbounded =
        "max_score: unbounded\nscore_aggregation: sum\nstatic_validation_score: 30\n";
    let files = [
        VALIDATOR,
        ("data/secret/test_group.yaml", "max_score: unbounded\n"),
        ("data/secret/a/test_group.yaml", unbounded),
        ("data/secret/b/test_group.yaml", "max_score: 40\n"),
    ];
    let package = package(SCORING, &files).unwrap();
    assert_eq!(
        package
            .scoring
            .worth_of("secret/a/static_validation")
            .unwrap()
            .accepted,
        30.into()
    );
}
