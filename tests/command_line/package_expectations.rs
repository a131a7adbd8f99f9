//! Runs `verify` on packages of 2025-09 with rules for submissions: permitted verdicts,
//! required verdicts and scores, for all cases and for groups. Also how many cases are
//! judged before the outcome is certain.

use crate::judge::Judge;
use serde_json::Value;

const PLAIN: &str = "problem_format_version: 2025-09\nname: Twice\nuuid: 3b5f\nlimits: {time_limit: 1}\n";
const SCORING: &str = "problem_format_version: 2025-09\nname: Twice\nuuid: 3b5f\ntype: scoring\nlimits: {time_limit: 1}\n";

/// A submission that answers wrongly for some numbers and crashes for others.
fn program(wrong: &[u32], crashes: &[u32]) -> String {
    let of = |numbers: &[u32]| {
        numbers
            .iter()
            .map(|number| format!(" {number} "))
            .collect::<String>()
    };
    format!(
        "read n\ncase '{}' in *\" $n \"*) exit 1 ;; esac\ncase '{}' in *\" $n \"*) echo 1 ;; *) echo $((2 * n)) ;; esac\n",
        of(crashes),
        of(wrong),
    )
}

/// A package that asks for twice a number, with these additional files. Its sample is
/// 1, its secret cases are 2 and 3 in the group `easy`, 4 and 5 in `hard`.
fn package(yaml: &str, files: &[(&str, &str)]) -> Judge {
    let judge = Judge::new();
    judge
        .put("pkg/problem.yaml", yaml)
        .put("pkg/submissions/accepted/a.sh", program(&[], &[]));
    for (name, number) in [
        ("sample/1", 1),
        ("secret/easy/2", 2),
        ("secret/easy/3", 3),
        ("secret/hard/4", 4),
        ("secret/hard/5", 5),
    ] {
        let place = format!("pkg/data/{name}");
        judge
            .put(format!("{place}.in"), format!("{number}\n"))
            .put(format!("{place}.ans"), format!("{}\n", 2 * number));
    }
    for (name, text) in files {
        judge.put(format!("pkg/{name}"), text);
    }
    judge
}

/// Runs `verify`. Returns the exit code, and of the submission `mixed/m.sh` the
/// verdicts on its cases and the summary event.
fn verify_subject(judge: &Judge, flags: &[&str]) -> (Option<i32>, String, Value) {
    let ran = judge
        .run(&[&["verify", "./pkg", "--log", "log.jsonl", "-q"], flags].concat());
    let log = judge.read("log.jsonl");
    let events = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let own: Vec<_> = events
        .filter(|event| event["submission"].as_str() == Some(SUBJECT))
        .collect();
    let trials = own
        .iter()
        .filter(|event| event["event"] == "trial_finished")
        .filter_map(|event| event["verdict"].as_str().map(str::to_owned));
    (
        ran.code,
        trials.collect::<Vec<_>>().join(" "),
        own.last().cloned().unwrap_or_default(),
    )
}

const SUBJECT: &str = "mixed/m.sh";

/// The exit code and the verdicts on the cases for a submission with these rules, that
/// is wrong for some numbers and crashes for others.
fn judged(rules: &str, wrong: &[u32], crashes: &[u32]) -> (Option<i32>, String) {
    let source = program(wrong, crashes);
    let judge = package(
        PLAIN,
        &[
            ("submissions/mixed/m.sh", &source),
            (
                "submissions/submissions.yaml",
                &format!("mixed/m.sh:\n{rules}"),
            ),
        ],
    );
    let (code, trials, _) = verify_subject(&judge, &[]);
    (code, trials)
}

fn short((code, trials): (Option<i32>, String)) -> String {
    format!("{} {trials}", code.unwrap_or(-1))
}

#[test]
fn a_required_verdict_may_come_after_another_that_is_permitted() {
    let rules = "  permitted: [AC, WA, RTE]\n  required: [RTE]\n";
    assert_eq!(short(judged(rules, &[2], &[4])), "0 AC WA AC RE AC");
    // The required verdict does not come, so all cases are judged.
    assert_eq!(short(judged(rules, &[2], &[])), "1 AC WA AC AC AC");
    // The permitted verdicts apply to each case: WA on the last one breaks the rule.
    let rules = "  permitted: [AC, RTE]\n  required: [RTE]\n";
    assert_eq!(short(judged(rules, &[5], &[2])), "1 AC RE AC AC WA");
}

#[test]
fn judging_stops_once_the_rules_are_certain_to_be_met_or_broken() {
    // Without `permitted`, the other cases do not matter after the required verdict.
    assert_eq!(
        short(judged("  required: [RTE]\n", &[2], &[3])),
        "0 AC WA RE SK SK"
    );
    // A broken rule stays broken.
    let rules = "  permitted: [AC, RTE]\n  required: [RTE]\n";
    assert_eq!(short(judged(rules, &[2], &[4])), "1 AC WA SK SK SK");
    assert_eq!(
        short(judged("  permitted: [AC]\n", &[3], &[])),
        "1 AC AC WA SK SK"
    );
    assert_eq!(
        short(judged("  secret/easy: {permitted: [AC]}\n", &[4], &[])),
        "0 AC AC AC WA SK"
    );
}

#[test]
fn groups_and_cases_have_rules_of_their_own() {
    let rules = "  sample: {permitted: [AC]}\n  secret/easy: {permitted: [AC]}\n  \
                 secret/hard:\n    permitted: [AC, WA, RTE]\n    required: [RTE]\n";
    assert_eq!(short(judged(rules, &[4], &[5])), "0 AC AC AC WA RE");
    assert_eq!(short(judged(rules, &[4], &[])), "1 AC AC AC WA AC");
    assert_eq!(short(judged(rules, &[], &[2])), "1 AC RE SK SK SK");
    let rules =
        "  'secret/*/{2,3}': {permitted: [AC]}\n  secret/hard/5: {permitted: [WA]}\n";
    assert_eq!(short(judged(rules, &[4, 5], &[])), "0 AC AC AC WA WA");
    assert_eq!(short(judged(rules, &[4], &[])), "1 AC AC AC WA AC");
}

#[test]
fn a_required_verdict_that_did_not_occur_is_reported() {
    let rules = "mixed/m.sh:\n  secret/hard: {required: [TLE, RTE]}\n";
    let source = program(&[2], &[]);
    let judge = package(
        PLAIN,
        &[
            ("submissions/mixed/m.sh", &source),
            ("submissions/submissions.yaml", rules),
        ],
    );
    let (code, _, summary) = verify_subject(&judge, &[]);
    assert_eq!(code, Some(1));
    let unmet = serde_json::json!([{"cases": "secret/hard", "expected": ["TLE", "ILE", "OLE", "RE", "MLE"]}]);
    assert_eq!(summary["unmet"], unmet, "{summary}");
    let ran = judge.run(&["verify", "./pkg"]);
    assert!(
        ran.stdout
            .contains("no case of secret/hard is TLE or ILE or OLE or RE or MLE"),
        "{}",
        ran.stdout
    );
    let junit = judge.run(&["verify", "./pkg", "-q", "--tap", "tap.txt"]);
    assert_eq!(junit.code, Some(1));
    assert!(
        judge
            .read("tap.txt")
            .contains("no case of secret/hard is TLE"),
        "{}",
        judge.read("tap.txt")
    );
    // A part of the cases cannot break a rule on all of them.
    let ran = judge.run(&["grade", "-p", "./pkg", "--group", "sample"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    let ran = judge.run(&["grade", "-p", "./pkg", "--case", "secret/hard/4"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
}

#[test]
fn a_rule_for_a_pattern_adds_to_the_rules_of_a_folder_and_one_for_its_name_replaces_them()
 {
    let source = program(&[2], &[3]);
    let file = |rules: &'static str| {
        package(
            PLAIN,
            &[
                ("submissions/wrong_answer/m.sh", &source),
                ("submissions/submissions.yaml", rules),
            ],
        )
    };
    assert_eq!(
        file("wrong_answer/*: {permitted: [AC, WA, RTE]}\n")
            .run(&["verify", "./pkg"])
            .code,
        Some(1)
    );
    assert_eq!(
        file("wrong_answer: {permitted: [AC, WA, RTE]}\n")
            .run(&["verify", "./pkg"])
            .code,
        Some(0)
    );
}

#[test]
fn the_points_of_a_group_may_be_expected() {
    let source = program(&[4], &[]);
    let rules = |hard: u32| {
        format!(
            "mixed/m.sh:\n  secret/easy: {{score: 40}}\n  secret/hard: {{score: {hard}}}\n  secret: {{score: 40}}\n"
        )
    };
    let judge = package(
        SCORING,
        &[
            ("submissions/mixed/m.sh", &source),
            ("submissions/submissions.yaml", &rules(0)),
            (
                "data/secret/easy/test_group.yaml",
                "max_score: 40\nscore_aggregation: min\n",
            ),
            (
                "data/secret/hard/test_group.yaml",
                "max_score: 60\nscore_aggregation: min\n",
            ),
        ],
    );
    assert_eq!(verify_subject(&judge, &[]).0, Some(0));
    judge.put("pkg/submissions/submissions.yaml", rules(60));
    let (code, _, summary) = verify_subject(&judge, &[]);
    assert_eq!(
        (code, &summary["unmet"][0]["cases"]),
        (Some(1), &Value::from("secret/hard"))
    );
    let ran = judge.run(&["verify", "./pkg"]);
    assert!(
        ran.stdout
            .contains("the points of secret/hard are not 60 points"),
        "{}",
        ran.stdout
    );
}

#[test]
fn all_score_rules_must_be_met_together_and_must_name_groups() {
    let with = |rules: &str| {
        let judge = package(
            SCORING,
            &[
                ("submissions/mixed/m.sh", &program(&[4], &[])),
                ("submissions/submissions.yaml", rules),
                (
                    "data/secret/easy/test_group.yaml",
                    "max_score: 40\nscore_aggregation: min\n",
                ),
                (
                    "data/secret/hard/test_group.yaml",
                    "max_score: 60\nscore_aggregation: min\n",
                ),
            ],
        );
        (exit_code(&judge), judge.run(&["doctor", "./pkg"]).stderr)
    };
    assert_eq!(
        with("mixed/*: {score: [30, 100]}\nmixed/m.sh: {score: [0, 40]}\n").0,
        Some(0)
    );
    assert_eq!(
        with("mixed/*: {score: [50, 100]}\nmixed/m.sh: {score: [0, 60]}\n").0,
        Some(1)
    );
    let (code, told) = with("mixed/*: {score: [90, 100]}\nmixed/m.sh: {score: 40}\n");
    assert_eq!(code, Some(2));
    assert!(
        told.contains("no score satisfies all of its rules"),
        "{told}"
    );
    let (code, told) = with("mixed/m.sh:\n  secret/easy/*: {score: 40}\n");
    assert_eq!(code, Some(2));
    assert!(
        told.contains("`secret/easy/*` has a `score` and is not a group"),
        "{told}"
    );
}

fn exit_code(judge: &Judge) -> Option<i32> {
    judge.run(&["verify", "./pkg", "-q"]).code
}

#[test]
fn a_submission_with_an_expected_score_still_counts_for_the_time_limit() {
    let files = [("submissions/submissions.yaml", "accepted/*: {score: 100}\n")];
    let judge = package(&SCORING.replace("limits: {time_limit: 1}\n", ""), &files);
    judge.put(
        "pkg/data/secret/test_group.yaml",
        "max_score: 100\nscore_aggregation: pass-fail\n",
    );
    let output = judge.command(&["verify", "./pkg"]).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(
        stderr.contains("by the rule of its format it is 1 s"),
        "{stderr}"
    );
}

#[test]
fn rules_that_no_submission_can_meet_and_patterns_that_match_no_case_are_errors() {
    let refused = |rules: &'static str, expected: &str| {
        let judge = package(
            PLAIN,
            &[
                ("submissions/wrong_answer/m.sh", "echo 1\n"),
                ("submissions/submissions.yaml", rules),
            ],
        );
        let ran = judge.run(&["doctor", "./pkg"]);
        assert_eq!(ran.code, Some(2), "{}", ran.stdout);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    };
    refused(
        "wrong_answer/m.sh: {permitted: [TLE]}\n",
        "submissions.yaml:1: submission `wrong_answer/m.sh`: its rules permit no common verdict on `sample/1`",
    );
    refused(
        "wrong_answer/m.sh: {required: [TLE]}\n",
        "submission `wrong_answer/m.sh`: TLE or ILE or OLE is required of all cases, and no rule permits it there",
    );
    refused(
        "wrong_answer/m.sh:\n  secret/hrad: {permitted: [AC]}\n",
        "submissions.yaml:2: no case and no group is named like `secret/hrad`",
    );
    refused(
        "wrong_answer/m.sh:\n  secret/hard: {permited: [AC]}\n",
        "unknown key `permited` in `secret/hard`",
    );
    refused(
        "wrong_answer/m.sh:\n  secret/**: {permitted: [AC]}\n",
        "`secret/**` is not a pattern of the format",
    );
    refused(
        "wrong_answer/m.sh:\n  permited: [AC]\n",
        "unknown key `permited`",
    );
}
