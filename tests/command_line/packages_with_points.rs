//! Packages of other judges that give points, judged by the real program: what each
//! format's groups come to, and what is expected of submissions.

use crate::judge::{Judge, needs_cc};
use serde_json::Value;

/// A `problem.yaml` of the newest format, with points.
const NEW: &str = "problem_format_version: 2025-09\nname: Twice\nuuid: 3b5f\ntype: scoring\nlimits: {time_limit: 1}\n";

/// The same of the older one.
const LEGACY: &str = "name: Twice\ntype: scoring\nlimits: {time_limit: 1}\n";

/// A program that is right about numbers below ten.
const SMALL: &str = "read n\n[ $n -lt 10 ] || n=0\necho $((2 * n))\n";
const RIGHT: &str = "read n\necho $((2 * n))\n";
const WRONG: &str = "echo 1\n";

/// Twice a number: a sample, two small numbers, two large ones.
fn package(yaml: &str, files: &[(&str, &str)]) -> Judge {
    let judge = Judge::new();
    judge.put("pkg/twice/problem.yaml", yaml);
    for (name, number) in [
        ("sample/1", 1),
        ("secret/a/1", 2),
        ("secret/a/2", 3),
        ("secret/b/1", 10),
        ("secret/b/2", 11),
    ] {
        let place = format!("pkg/twice/data/{name}");
        judge
            .put(format!("{place}.in"), format!("{number}\n"))
            .put(format!("{place}.ans"), format!("{}\n", 2 * number));
    }
    for (name, text) in files {
        judge.put(format!("pkg/twice/{name}"), text);
    }
    judge
}

/// Each submission, its verdict and its points, from the log of a command with its exit
/// code.
fn points(judge: &Judge, arguments: &[&str]) -> (Option<i32>, Vec<String>) {
    judge.forget();
    let ran = judge.run(&[arguments, &["--log", "log.jsonl", "-q"]].concat());
    let log = judge.read("log.jsonl");
    let events = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let finished = events.filter(|event| event["event"] == "submission_finished");
    (
        ran.code,
        finished
            .map(|event| {
                let score = &event["score"];
                let groups = score["groups"].as_array().unwrap().iter();
                let groups = groups
                    .map(|group| format!(" {}", group["earned"]))
                    .collect::<String>();
                let name = event["submission"].as_str().unwrap().to_owned();
                format!(
                    "{name} {} {}/{}:{groups}",
                    event["verdict"].as_str().unwrap_or("-"),
                    score["earned"],
                    score["of"]
                )
            })
            .collect(),
    )
}

#[test]
fn subtasks_of_an_older_package_are_earned_whole_and_a_part_of_them_is_expected_of_some()
 {
    let group = |points: u32| {
        format!(
            "on_reject: break\naccept_score: {points}\nrange: 0 {points}\ngrader_flags: min\n"
        )
    };
    let judge = package(
        LEGACY,
        &[
            (
                "data/testdata.yaml",
                "on_reject: continue\nrange: 0 100\ngrader_flags: ignore_sample\n",
            ),
            (
                "data/sample/testdata.yaml",
                "accept_score: 0\ngrader_flags: first_error\n",
            ),
            (
                "data/secret/testdata.yaml",
                "grader_flags: first_error accept_if_any_accepted\n",
            ),
            ("data/secret/a/testdata.yaml", &group(40)),
            ("data/secret/b/testdata.yaml", &group(60)),
            ("submissions/accepted/right.sh", RIGHT),
            ("submissions/partially_accepted/small.sh", SMALL),
            ("submissions/wrong_answer/wrong.sh", WRONG),
        ],
    );
    let expected = [
        "accepted/right.sh AC 100/100: 0 40 60",
        "partially_accepted/small.sh AC 40/100: 0 40 0",
        "wrong_answer/wrong.sh WA 0/100: 0 0 0",
    ];
    for options in [&["-j1"][..], &["-j4", "--all"]] {
        let found = points(&judge, &[&["verify", "pkg/twice"], options].concat());
        assert_eq!(
            found,
            (Some(0), expected.map(str::to_owned).to_vec()),
            "{options:?}"
        );
    }
    // Each in the other's place.
    judge.put("pkg/twice/submissions/partially_accepted/small.sh", RIGHT);
    judge.put("pkg/twice/submissions/wrong_answer/wrong.sh", SMALL);
    let ran =
        judge.run(&["verify", "pkg/twice", "--github", "--markdown", "page.md"]);
    assert_eq!(ran.code, Some(1));
    // No single case decided that it is accepted.
    for text in [&judge.read("page.md"), &ran.stdout] {
        assert!(
            text.contains("AC with 40 of 100 points")
                && !text.contains("(wrong answer)"),
            "{text}"
        );
    }
    assert!(
        ran.stdout
            .contains("wrong.sh: AC with 40 of 100 points\n    points: secret/a 40 of 40, secret/b 0 of 60\n    WA on secret/b/1"),
        "{}",
        ran.stdout
    );
    for told in [
        "AC with 100 of 100 points, expected a part of the points",
        "AC with 40 of 100 points on secret/b/1, expected WA, and no points: ",
    ] {
        assert!(ran.stdout.contains(told), "{}", ran.stdout);
    }
    assert!(ran.stdout.contains(" 40/100 "), "{}", ran.stdout);
}

#[test]
fn a_source_may_say_the_points_that_it_expects_as_domjudge_has_it() {
    let files = [
        ("domjudge-problem.ini", "timelimit = 1\n"),
        ("data/testdata.yaml", "on_reject: continue\n"),
        ("data/secret/testdata.yaml", "on_reject: continue\n"),
        ("data/secret/a/testdata.yaml", "accept_score: 25.5\n"),
        ("data/secret/b/testdata.yaml", "accept_score: 60\n"),
        (
            "submissions/mixed/small.sh",
            &format!("# @EXPECTED_SCORE@: 25.5\n{SMALL}"),
        ),
        (
            "submissions/accepted/right.sh",
            &format!("{RIGHT}# @EXPECTED_SCORE@: 85.5\n"),
        ),
    ];
    let judge = package(LEGACY, &files);
    let expected = [
        "accepted/right.sh AC 85.5/85.5: 0 25.5 60",
        "mixed/small.sh WA 25.5/85.5: 0 25.5 0",
    ];
    assert_eq!(
        points(&judge, &["verify", "pkg/twice"]),
        (Some(0), expected.map(str::to_owned).to_vec())
    );
    judge.put(
        "pkg/twice/submissions/mixed/small.sh",
        format!("# @EXPECTED_SCORE@: much\n{SMALL}"),
    );
    let ran = judge.run(&["verify", "pkg/twice"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stdout
            .contains("small.sh:1: `much` is not a number of points"),
        "{}",
        ran.stdout
    );
}

/// Accepts what is right, half of it if it is one too many, and says so in a file.
const HALVES: &str = "read right <$2\nread found\ncase $((found - right)) in\n0) ;;\n\
                      1) printf 0.5 >$3/score_multiplier.txt ;;\n*) exit 43 ;;\nesac\nexit 42\n";

#[test]
fn a_checker_of_2025_gives_a_part_of_the_points_and_a_group_may_require_another() {
    let judge = package(
        NEW,
        &[
            ("output_validator/check.sh", HALVES),
            (
                "data/secret/a/test_group.yaml",
                "max_score: 40\nscore_aggregation: min\n",
            ),
            (
                "data/secret/b/test_group.yaml",
                "max_score: 60\nscore_aggregation: sum\nrequire_pass: sample\n",
            ),
            ("submissions/accepted/right.sh", RIGHT),
            (
                "submissions/accepted/near.sh",
                "read n\necho $((2 * n + 1))\n",
            ),
            ("submissions/wrong_answer/small.sh", SMALL),
            (
                "submissions/wrong_answer/first.sh",
                "read n\n[ $n -gt 3 ] || n=0\necho $((2 * n))\n",
            ),
        ],
    );
    judge.put(
        "pkg/twice/submissions/submissions.yaml",
        "'*/near.sh': {score: [45, 55]}\n'wrong_answer/first.sh': {score: 0}\n",
    );
    let expected = [
        "accepted/near.sh AC 50/100: 0 20 30",
        "accepted/right.sh AC 100/100: 0 40 60",
        "wrong_answer/first.sh WA 0/100: 0 0 0",
        "wrong_answer/small.sh WA 40/100: 0 40 0",
    ];
    for options in [&["-j1"][..], &["-j4", "--all"]] {
        let found = points(&judge, &[&["verify", "pkg/twice"], options].concat());
        assert_eq!(
            found,
            (Some(0), expected.map(str::to_owned).to_vec()),
            "{options:?}"
        );
    }
    judge.put(
        "pkg/twice/submissions/submissions.yaml",
        "'*/near.sh': {score: 51}\n",
    );
    let ran = judge.run(&["verify", "pkg/twice"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stdout
            .contains("AC with 50 of 100 points, expected AC, and 51 points"),
        "{}",
        ran.stdout
    );
}

#[test]
fn points_that_a_checker_cannot_mean_are_a_fault_that_names_it() {
    let judge = package(
        NEW,
        &[
            (
                "output_validator/check.sh",
                "printf 41 >$3/score.txt\nexit 42\n",
            ),
            (
                "data/secret/a/test_group.yaml",
                "max_score: 40\nscore_aggregation: min\n",
            ),
            (
                "data/secret/b/test_group.yaml",
                "max_score: 60\nscore_aggregation: min\n",
            ),
        ],
    );
    judge.put("mine.sh", RIGHT);
    let ran = judge.run(&["grade", "-p", "pkg/twice", "mine.sh"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stdout);
    let told = "it gives 41 points, and this case is worth 40";
    assert!(
        ran.stdout.contains(told) || ran.stderr.contains(told),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
}

#[test]
fn the_tests_of_a_polygon_package_are_worth_their_points_alone_or_by_groups() {
    needs_cc();
    let judge = Judge::new();
    let spec = |tests: &str, groups: &str| {
        format!(
            "<problem short-name=\"twice\"><judging><testset name=\"tests\"><time-limit>1000</time-limit>\
             <memory-limit>268435456</memory-limit><test-count>3</test-count>\
             <input-path-pattern>tests/%d</input-path-pattern><answer-path-pattern>tests/%d.a</answer-path-pattern>\
             <tests>{tests}</tests><groups>{groups}</groups></testset></judging><assets>\
             <checker type=\"testlib\"><source path=\"files/check.cpp\" type=\"cpp.g++17\"/></checker>\
             <solutions><solution tag=\"main\"><source path=\"solutions/right.sh\" type=\"shell\"/></solution>\
             <solution tag=\"wrong-answer\"><source path=\"solutions/small.sh\" type=\"shell\"/></solution>\
             </solutions></assets></problem>"
        )
    };
    for (number, input) in [(1, 1), (2, 4), (3, 10)] {
        judge.put(format!("pkg/tests/{number}"), format!("{input}\n"));
        judge.put(format!("pkg/tests/{number}.a"), format!("{}\n", 2 * input));
    }
    // Two and a half points for what is one too many.
    judge.put(
        "pkg/files/check.cpp",
        "#include <cstdio>\nint main(int, char **a) {\n  int found = -1, right;\n\
         std::fscanf(std::fopen(a[2], \"r\"), \"%d\", &found);\n  std::fscanf(std::fopen(a[3], \"r\"), \"%d\", &right);\n\
         if (found == right) return 0;\n  if (found != right + 1 && found != right + 2) return 1;\n\
         bool half = found == right + 2;\n\
         std::fprintf(std::fopen(a[4], \"w\"), \"<result outcome = \\\"%s</result>\",\n\
         half ? \"partially-correct\\\" pctype = \\\"100\\\">half\" : \"points\\\" points = \\\"2.5\\\">near\");\n\
         return half ? 100 : 7;\n}\n",
    );
    judge
        .put("pkg/solutions/right.sh", RIGHT)
        .put("pkg/solutions/small.sh", SMALL);
    judge.put("near.sh", "read n\necho $((2 * n + 1))\n");
    let alone = "<test points=\"10\"/><test points=\"20\"/><test points=\"70\"/>";
    judge.put("pkg/problem.xml", spec(alone, ""));
    let verified = points(&judge, &["verify", "./pkg"]);
    assert_eq!(
        verified.1,
        [
            "right.sh AC 100/100: 10 20 70",
            "small.sh WA 30/100: 10 20 0"
        ]
    );
    assert_eq!(verified.0, Some(0));
    assert_eq!(
        points(&judge, &["grade", "-p", "./pkg", "near.sh"]).1,
        ["near.sh AC 7.5/100: 2.5 2.5 2.5"]
    );
    // Where no test has any points, the checker gives them, and knows no bound.
    let without = "<test points=\"0.0\"/>".repeat(3);
    judge.put("pkg/problem.xml", spec(&without, ""));
    let given = points(
        &judge,
        &["grade", "-p", "./pkg", "near.sh", "pkg/solutions/right.sh"],
    )
    .1;
    assert_eq!(
        given,
        [
            "near.sh AC 7.5/null: 2.5 2.5 2.5",
            "right.sh AC 0/null: 0 0 0"
        ]
    );
    judge.put("pkg/problem.xml", spec(alone, ""));
    // Half of what each is worth, by `_pc(100)`; where a group is all or nothing, that
    // is not enough.
    judge.put("half.sh", "read n\necho $((2 * n + 2))\n");
    let half = ["-j1", "-j4"]
        .map(|jobs| points(&judge, &["grade", "-p", "./pkg", "half.sh", jobs]).1);
    assert_eq!(
        half,
        [
            ["half.sh AC 50/100: 5 10 35"],
            ["half.sh AC 50/100: 5 10 35"]
        ]
    );
    let tests = "<test group=\"1\" points=\"40\"/><test group=\"1\" points=\"0\"/><test group=\"2\" points=\"60\"/>";
    let group = |name: &str, inner: &str| {
        format!(
            "<group name=\"{name}\" points-policy=\"complete-group\">{inner}</group>"
        )
    };
    let after = "<dependencies><dependency group=\"1\"/></dependencies>";
    judge.put(
        "pkg/problem.xml",
        spec(tests, &(group("1", "") + &group("2", after))),
    );
    let verified = points(&judge, &["verify", "./pkg"]);
    assert_eq!(
        verified.1,
        ["right.sh AC 100/100: 40 60", "small.sh WA 40/100: 40 0"]
    );
    judge.put("late.sh", "read n\n[ $n -gt 1 ] || n=0\necho $((2 * n))\n");
    assert_eq!(
        points(&judge, &["grade", "-p", "./pkg", "late.sh", "--all"]).1,
        ["late.sh WA 0/100: 0 0"]
    );
    assert_eq!(
        points(&judge, &["grade", "-p", "./pkg", "half.sh", "--all"]).1,
        ["half.sh WA 0/100: 0 0"]
    );
}

/// A program that is right about all numbers but one.
fn right_except(number: u32) -> String {
    format!("read n\n[ $n != {number} ] || n=0\necho $((2 * n))\n")
}

#[test]
fn the_result_of_the_groups_is_the_verdict_in_an_older_package() {
    let sum = "on_reject: continue\ngrader_flags: always_accept sum\naccept_score: 10\nrange: 0 50\n";
    let judge = package(
        LEGACY,
        &[
            ("data/testdata.yaml", sum),
            ("submissions/accepted/right.sh", RIGHT),
            ("submissions/accepted/small.sh", SMALL),
            ("submissions/partially_accepted/small.sh", SMALL),
        ],
    );
    let expected = [
        "accepted/right.sh AC 50/50: 10 20 20",
        "accepted/small.sh AC 30/50: 10 20 0",
        "partially_accepted/small.sh AC 30/50: 10 20 0",
    ];
    for options in [&["-j1"][..], &["-j4", "--all"]] {
        let found = points(&judge, &[&["verify", "pkg/twice"], options].concat());
        assert_eq!(
            found,
            (Some(0), expected.map(str::to_owned).to_vec()),
            "{options:?}"
        );
    }
    let ran = judge.run(&[
        "verify",
        "pkg/twice",
        "--junit",
        "junit.xml",
        "--tap",
        "tap.txt",
    ]);
    let row = ran
        .stdout
        .lines()
        .find(|line| line.contains("accepted/small.sh"))
        .unwrap();
    assert!(
        row.contains(" yes, in part ") && row.ends_with(" secret/b/1"),
        "{row}"
    );
    let junit = judge.read("junit.xml");
    let tap = judge.read("tap.txt");
    assert!(
        !junit.contains("<failure") && !tap.contains("not ok"),
        "{junit}\n{tap}"
    );
    // Nothing is expected of a submission from outside, which must not lose points.
    judge.put("small.sh", SMALL);
    let ran = judge.run(&["grade", "-p", "./pkg/twice", "small.sh"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
}

#[test]
fn a_failed_sample_does_not_reject_where_samples_are_ignored() {
    let judge = package(
        LEGACY,
        &[
            (
                "data/testdata.yaml",
                "on_reject: continue\nrange: 0 100\ngrader_flags: ignore_sample\n",
            ),
            (
                "data/sample/testdata.yaml",
                "accept_score: 0\ngrader_flags: first_error\n",
            ),
            (
                "data/secret/testdata.yaml",
                "grader_flags: min\naccept_score: 100\n",
            ),
            ("submissions/accepted/but_sample.sh", &right_except(1)),
            ("submissions/wrong_answer/but_secret.sh", &right_except(2)),
        ],
    );
    let expected = [
        "accepted/but_sample.sh AC 100/100: 0 100 100",
        "wrong_answer/but_secret.sh WA 0/100: 0 0 100",
    ];
    assert_eq!(
        points(&judge, &["verify", "pkg/twice"]),
        (Some(0), expected.map(str::to_owned).to_vec())
    );
}

#[test]
fn skipped_cases_never_change_the_verdict_of_groups() {
    let judge = package(
        LEGACY,
        &[
            (
                "data/testdata.yaml",
                "on_reject: continue\ngrader_flags: ignore_sample\n",
            ),
            (
                "data/sample/testdata.yaml",
                "accept_score: 0\ngrader_flags: first_error\n",
            ),
            // One right case is enough, and the least points count.
            (
                "data/secret/testdata.yaml",
                "grader_flags: min first_error accept_if_any_accepted\naccept_score: 9\n",
            ),
            ("submissions/mixed/late.sh", &right_except(2)),
        ],
    );
    judge.put("mine.sh", right_except(2));
    for options in [&["-j4"][..], &["-j1", "--all"]] {
        let (_, found) = points(
            &judge,
            &[&["grade", "-p", "./pkg/twice", "mine.sh"], options].concat(),
        );
        assert_eq!(found, ["mine.sh AC 0/9: 0 0 9"], "{options:?}");
    }
}

#[test]
fn the_case_that_cost_points_is_named_and_not_one_that_is_ignored() {
    let judge = package(
        LEGACY,
        &[
            (
                "data/testdata.yaml",
                "on_reject: continue\nrange: 0 100\ngrader_flags: ignore_sample\n",
            ),
            (
                "data/sample/testdata.yaml",
                "accept_score: 0\ngrader_flags: first_error\n",
            ),
            (
                "data/secret/testdata.yaml",
                "grader_flags: sum first_error accept_if_any_accepted\n",
            ),
            (
                "data/secret/a/testdata.yaml",
                "grader_flags: min\naccept_score: 40\n",
            ),
            (
                "data/secret/b/testdata.yaml",
                "grader_flags: min\naccept_score: 60\n",
            ),
        ],
    );
    judge.put(
        "mine.sh",
        "read n\ncase $n in 1 | 10) n=0 ;; esac\necho $((2 * n))\n",
    );
    let ran = judge.run(&["grade", "-p", "./pkg/twice", "mine.sh"]);
    assert!(
        ran.stdout.contains(" 40/100 ") && ran.stdout.contains("  secret/b/1\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_submission_that_a_grader_rejects_is_not_accepted_although_all_its_cases_are() {
    let judge = package(
        LEGACY,
        &[
            ("data/testdata.yaml", "grading: custom\nrange: 0 100\n"),
            ("data/sample/testdata.yaml", "grading: default\n"),
            ("data/secret/testdata.yaml", "grading: default\n"),
            ("graders/none.sh", "echo WA 3\n"),
            ("submissions/accepted/right.sh", RIGHT),
        ],
    );
    let ran = judge.run(&["verify", "pkg/twice"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("the grader of the problem rejects it"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains(" WA       no: AC "), "{}", ran.stdout);
}

#[test]
fn a_group_is_not_judged_if_one_that_it_requires_has_failed() {
    let judge = package(
        NEW,
        &[
            ("data/secret/a/test_group.yaml", "max_score: 40\n"),
            (
                "data/secret/b/test_group.yaml",
                "max_score: 60\nrequire_pass: secret/a\n",
            ),
        ],
    );
    judge.put("mine.sh", right_except(3));
    for options in [&["-j4"][..], &["-j1", "--all"]] {
        let found = points(
            &judge,
            &[&["grade", "-p", "./pkg/twice", "mine.sh"], options].concat(),
        );
        assert_eq!(
            found,
            (Some(1), vec!["mine.sh WA 0/100: 0 0 0".to_owned()]),
            "{options:?}"
        );
        let log = judge.read("log.jsonl");
        let of = |case: &str| {
            log.lines()
                .find(|line| line.contains(case))
                .unwrap()
                .to_owned()
        };
        assert!(of("\"secret/a/2\"").contains("\"verdict\":\"WA\""), "{log}");
        for case in ["\"secret/b/1\"", "\"secret/b/2\""] {
            assert!(
                of(case).contains("\"verdict\":\"SK\""),
                "{options:?}: {log}"
            );
        }
    }
}

/// Accepts any number from 1 on, which is the length of a tour: fewer points are
/// better.
const LENGTH: &str = "read length\n[ $length -ge 1 ] || exit 43\nprintf $length >$3/score.txt\nexit 42\n";

#[test]
fn where_fewer_points_are_better_the_shortest_accepted_answer_is_first() {
    let yaml = "name: Tour\ntype: scoring\nvalidation: custom score\ngrading: {objective: min}\nlimits: {time_limit: 1}\n";
    let judge = package(yaml, &[("output_validators/length.sh", LENGTH)]);
    for (name, length) in [
        ("alpha/twice@1.sh", 9),
        ("beta/twice@1.sh", 4),
        ("beta/twice@2.sh", 12),
        ("gamma/twice@3.sh", 0),
    ] {
        judge.put(format!("c/{name}"), format!("echo {length}\n"));
    }
    judge.put("judge.toml", "problems = \"pkg\"\n");
    let ran = judge.run(&["grade", "c", "--by", "points", "--log", "log.jsonl"]);
    let table = "rank  team   points   fewest  twice\n   1  beta        0  20 in 1     20\n   2  alpha       0  45 in 1     45\n   3  gamma       0        .      .\n";
    assert!(ran.stdout.contains(table), "{}{}", ran.stdout, ran.stderr);
    for (target, said) in [
        ("kattis-legacy", false),
        ("domjudge", true),
        ("kattis-2025-09", true),
    ] {
        let exported = judge
            .command(&["export", "pkg/twice", "--to", target, target])
            .output()
            .unwrap();
        let notes = String::from_utf8(exported.stderr).unwrap();
        assert_eq!(notes.contains("fewer points are better"), said, "{notes}");
    }
    assert!(
        judge
            .read("kattis-legacy/problem.yaml")
            .contains("objective: min")
    );
}

#[test]
fn points_beyond_the_range_of_a_group_count_and_are_an_error_of_the_package() {
    let yaml =
        "name: S\ntype: scoring\nvalidation: custom score\nlimits: {time_limit: 1}\n";
    let check = "read points\nprintf %s $points >$3/score.txt\nexit 42\n";
    let files = [
        ("output_validators/v.sh", check),
        (
            "data/secret/a/testdata.yaml",
            "range: 0 10\ngrader_flags: max\n",
        ),
    ];
    let judge = package(yaml, &files);
    for (points, code, said) in [
        ("10", 0, ""),
        (
            "11",
            1,
            "s.sh: the points of the group `secret/a` come to 11, and its `range` is from 0 to 10",
        ),
        (
            "-3",
            1,
            "s.sh: the points of the group `secret/a` come to -3, and its `range` is from 0 to 10",
        ),
    ] {
        judge.put(
            "pkg/twice/submissions/accepted/s.sh",
            format!("echo {points}\n"),
        );
        let graded = judge.run(&[
            "grade",
            "-p",
            "pkg/twice",
            "pkg/twice/submissions/accepted/s.sh",
        ]);
        assert_eq!(
            graded.code,
            Some(0),
            "{points}: {}{}",
            graded.stdout,
            graded.stderr
        );
        let verified = judge.run(&["verify", "pkg/twice"]);
        assert_eq!(
            verified.code,
            Some(code),
            "{points}: {}{}",
            verified.stdout,
            verified.stderr
        );
        assert!(
            verified.stdout.contains(said),
            "{points}: {}",
            verified.stdout
        );
    }
}

#[test]
fn groups_decide_the_verdict_of_an_older_package_without_points() {
    let yaml = "name: Twice\nlimits: {time_limit: 1}\n";
    let small_then_crash =
        "read n\n[ $n -le 10 ] || exit 3\n[ $n -lt 10 ] || n=0\necho $((2 * n))\n";
    for (settings, verdict) in [
        ("", "WA"),
        ("on_reject: continue\n", "RE"),
        ("on_reject: continue\ngrader_flags: first_error\n", "WA"),
        (
            "on_reject: continue\ngrader_flags: accept_if_any_accepted\n",
            "AC",
        ),
        ("grader_flags: always_accept\n", "AC"),
    ] {
        let judge = package(yaml, &[("data/testdata.yaml", settings)]);
        judge.put("s.sh", small_then_crash);
        let ran = judge.run(&[
            "grade",
            "-p",
            "pkg/twice",
            "s.sh",
            "--log",
            "log.jsonl",
            "-j1",
        ]);
        let log = judge.read("log.jsonl");
        let last = log
            .lines()
            .find(|line| line.contains("\"submission_finished\""))
            .unwrap();
        assert!(
            last.contains(&format!("\"verdict\":\"{verdict}\"")),
            "{settings}: {last} {}",
            ran.stdout
        );
        assert!(!last.contains("\"score\""), "{last}");
        for target in ["kattis-legacy", "domjudge", "kattis-2025-09"] {
            let exported = judge
                .command(&["export", "pkg/twice", "--to", target, target])
                .output()
                .unwrap();
            let notes = String::from_utf8(exported.stderr).unwrap();
            let is_lost = target != "kattis-legacy" && !settings.is_empty();
            assert_eq!(
                notes.contains("groups of cases decide the verdict"),
                is_lost,
                "{settings}: {notes}"
            );
        }
    }
}
