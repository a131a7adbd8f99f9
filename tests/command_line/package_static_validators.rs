//! Judges packages with a static validator, which judges the source of a submission and
//! not a run of it (`static_validator/` of 2025-09).

use crate::judge::share::at_any_number_of_jobs;
use crate::judge::{Judge, needs_cc};
use serde_json::Value;

const YAML: &str = "problem_format_version: 2025-09\nname: Twice\nuuid: 3b5f\nlimits: {time_limit: 5}\n";
const SCORING: &str = "problem_format_version: 2025-09\nname: Twice\nuuid: 3b5f\nlimits: {time_limit: 5}\ntype: scoring\n";

/// A static validator that rejects sources with one of its arguments; with `=parts`, it
/// gives half of the points for a `lambda`.
const CHECK: &str = r#"language=$1 start=$2 feedback=$3
shift 3
for word; do
    if grep -qrIF -e $word .; then
        echo "$language in $start has \`$word\`" >$feedback/judgemessage.txt
        exit 43
    fi
    if [ $word = =parts ] && grep -qrI lambda .; then
        printf 0.5 >$feedback/score_multiplier.txt
    fi
done
exit 42
"#;

const RIGHT: &str = "read n\necho $((2 * n))\n";
const WITH_LOOP: &str = "while read n; do\n  echo $((2 * n))\n  break\ndone\n";

const NO_LOOPS: &str =
    "static_validation_score: pass-fail\nstatic_validator_args: [while, for]\n";

/// A package with the cases `sample/1`, `secret/a/1` and `secret/a/2`, and these
/// additional files.
fn package(yaml: &str, files: &[(&str, &str)]) -> Judge {
    let judge = Judge::new();
    judge.put("pkg/problem.yaml", yaml);
    for (name, number) in [("sample/1", 1), ("secret/a/1", 2), ("secret/a/2", 3)] {
        judge.put(format!("pkg/data/{name}.in"), format!("{number}\n"));
        judge.put(format!("pkg/data/{name}.ans"), format!("{}\n", 2 * number));
    }
    for (name, text) in files {
        judge.put(format!("pkg/{name}"), text);
    }
    judge
}

/// A package whose group `secret/a` forbids loops, with this static validator, and
/// submissions with and without a loop.
fn without_loops(validator: (&str, &str)) -> Judge {
    let group_a = ("data/secret/a/test_group.yaml", NO_LOOPS);
    let submissions = [
        ("submissions/accepted/right.sh", RIGHT),
        ("submissions/wrong_answer/looping.sh", WITH_LOOP),
        (
            "submissions/accepted/right.c",
            "#include <stdio.h>\nint main(void) { int n; scanf(\"%d\", &n); printf(\"%d\", 2 * n); }\n",
        ),
    ];
    package(YAML, &[&[group_a, validator][..], &submissions].concat())
}

fn events(judge: &Judge, kind: &str) -> Vec<Value> {
    let log = judge.read("log.jsonl");
    let events = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    events.filter(|event| event["event"] == kind).collect()
}

/// The exit code and the verdict on each case of each submission, which must be the
/// same at any number of jobs.
#[track_caller]
fn judged(judge: &Judge, arguments: &[&str]) -> (Option<i32>, Vec<String>) {
    at_any_number_of_jobs(|jobs| {
        judge.forget();
        let ran =
            judge.run(&[arguments, &["-q", "--log", "log.jsonl", jobs]].concat());
        assert_eq!(ran.stderr, "");
        let results = events(judge, "trial_finished").into_iter();
        let results = results.map(|trial| {
            ["submission", "case", "verdict"]
                .map(|key| (&trial)[key].as_str().unwrap().to_owned())
                .join(" ")
        });
        (ran.code, results.collect::<Vec<_>>())
    })
}

/// The points of each submission.
fn points(judge: &Judge) -> Vec<String> {
    let ran = judge.run(&["grade", "-p", "./pkg", "-q", "--log", "log.jsonl"]);
    assert_ne!(ran.code, Some(3), "{}{}", ran.stdout, ran.stderr);
    events(judge, "submission_finished")
        .iter()
        .map(|finished| {
            let name = finished["submission"]
                .as_str()
                .unwrap()
                .rsplit('/')
                .next()
                .unwrap()
                .to_owned();
            format!(
                "{name} {}/{}",
                finished["score"]["earned"], finished["score"]["of"]
            )
        })
        .collect()
}

#[test]
fn the_source_is_judged_first_and_the_rest_of_its_group_is_skipped_if_it_is_wrong() {
    needs_cc();
    let judge = without_loops(("static_validator/check.sh", CHECK));
    let (code, results) = judged(&judge, &["verify", "./pkg"]);
    assert_eq!(code, Some(0), "{results:?}");
    let right = |name: &str| {
        [
            "sample/1",
            "secret/a/static_validation",
            "secret/a/1",
            "secret/a/2",
        ]
        .map(|case| format!("{name} {case} AC"))
    };
    assert_eq!(results[..4], right("accepted/right.c"));
    assert_eq!(results[4..8], right("accepted/right.sh"));
    let (code, results) = judged(
        &judge,
        &[
            "grade",
            "-p",
            "./pkg",
            "pkg/submissions/wrong_answer/looping.sh",
        ],
    );
    assert_eq!(code, Some(0));
    let of = |verdicts: [&str; 4]| {
        let cases = [
            "sample/1",
            "secret/a/static_validation",
            "secret/a/1",
            "secret/a/2",
        ];
        cases
            .iter()
            .zip(verdicts)
            .map(|(case, verdict)| {
                format!("wrong_answer/looping.sh {case} {verdict}")
            })
            .collect::<Vec<_>>()
    };
    // All cases are judged for a submission in this folder, because each one counts.
    assert_eq!(results, of(["AC", "WA", "AC", "AC"]));
    judge.put("looping.sh", WITH_LOOP);
    let (code, results) = judged(&judge, &["grade", "-p", "./pkg", "looping.sh"]);
    assert_eq!(code, Some(1));
    let verdicts: Vec<_> = results
        .iter()
        .map(|line| line.rsplit(' ').next().unwrap())
        .collect();
    assert_eq!(verdicts, ["AC", "WA", "SK", "SK"]);
}

#[test]
fn the_result_of_a_static_validator_has_no_measurements() {
    let judge = without_loops(("static_validator/check.sh", CHECK));
    judge.put("looping.sh", WITH_LOOP);
    judged(&judge, &["grade", "-p", "./pkg", "looping.sh"]);
    let trials = events(&judge, "trial_finished");
    assert!(trials[0]["cpu_us"].is_number());
    let trial = &trials[1];
    for key in ["cpu_us", "wall_us", "peak_memory_bytes", "exit", "stderr"] {
        assert!(trial[key].is_null(), "{trial}");
    }
    assert_eq!(
        trial["finding"]["message"],
        "static validator: bash in looping.sh has `while`"
    );
}

#[test]
fn a_static_validator_may_have_several_sources_or_be_a_script() {
    needs_cc();
    let main = "#include \"words.h\"\n#include <cstdio>\n\
        int main(int count, char **words) {\n  static char text[4096];\n  \
        std::fread(text, 1, 4095, std::fopen(words[2], \"r\"));\n  \
        for (int place = 4; place < count; ++place) if (has(text, words[place])) return 43;\n  return 42;\n}\n";
    let judge = without_loops(("static_validator/main.cpp", main));
    judge.put(
        "pkg/static_validator/words.h",
        "bool has(const char *, const char *);\n",
    );
    let words = "#include \"../words.h\"\n#include <cstring>\nbool has(const char *text, const char *word) {\n  \
        return std::strstr(text, word);\n}\n";
    judge.put("pkg/static_validator/lib/words.cpp", words);
    let (code, results) = judged(&judge, &["verify", "./pkg"]);
    assert_eq!(code, Some(0), "{results:?}");
    judge.remove("pkg/static_validator/main.cpp");
    judge.script(
        "pkg/static_validator/run",
        "#!/bin/sh\ngrep -q while \"$2\" && exit 43\nexit 42\n",
    );
    let (code, results) = judged(&judge, &["verify", "./pkg"]);
    assert_eq!(code, Some(0), "{results:?}");
}

#[test]
fn all_files_of_a_submission_and_included_files_are_checked() {
    let judge = without_loops(("static_validator/check.sh", CHECK));
    judge.put(
        "pkg/submissions/wrong_answer/two/__main__.py",
        "from lib.twice import twice\nprint(twice(int(input())))\n",
    );
    judge.put(
        "pkg/submissions/wrong_answer/two/lib/twice.py",
        "def twice(n):\n  for _ in [0]: return 2 * n\n",
    );
    judge.put(
        "pkg/submissions/accepted/two/__main__.py",
        "from lib.twice import twice\nprint(twice(int(input())))\n",
    );
    judge.put(
        "pkg/submissions/accepted/two/lib/twice.py",
        "def twice(n): return 2 * n\n",
    );
    let (code, results) = judged(&judge, &["verify", "./pkg"]);
    assert_eq!(code, Some(0), "{results:?}");
    let log = judge.read("log.jsonl");
    assert!(
        log.contains("static validator: python3 in __main__.py has `for`"),
        "{log}"
    );
    judge.put("pkg/include/python3/given.py", "for _ in []: pass\n");
    let (code, _) = judged(&judge, &["verify", "./pkg"]);
    assert_eq!(code, Some(1));
}

#[test]
fn a_static_validator_runs_in_the_folder_of_the_sources_and_cannot_change_them() {
    let change =
        "[ \"$(ls -A)\" = right.sh ] || exit 1\necho crash >>right.sh\nexit 42\n";
    let judge = package(
        YAML,
        &[
            ("data/secret/a/test_group.yaml", NO_LOOPS),
            ("static_validator/check.sh", change),
            ("submissions/accepted/right.sh", RIGHT),
        ],
    );
    let (code, results) = judged(&judge, &["verify", "./pkg"]);
    assert_eq!(code, Some(0), "{results:?}");
}

#[test]
fn a_submission_that_does_not_compile_is_not_given_to_the_static_validator() {
    needs_cc();
    let judge = without_loops(("static_validator/check.sh", "exit 1\n"));
    judge.put("broken.c", "int main( {\n");
    let (code, results) = judged(&judge, &["grade", "-p", "./pkg", "broken.c"]);
    assert_eq!((code, results[0].rsplit(' ').next()), (Some(1), Some("CE")));
}

#[test]
fn an_executable_has_no_source_and_cannot_be_judged() {
    let judge = without_loops(("static_validator/check.sh", CHECK));
    judge.script("mine", "#!/bin/sh\nread n\necho $((2 * n))\n");
    let ran = judge.run(&["grade", "-p", "./pkg", "mine"]);
    assert_eq!(ran.code, Some(3), "{}{}", ran.stdout, ran.stderr);
    let output = format!("{}{}", ran.stdout, ran.stderr);
    assert!(
        output.contains("the package judges sources, and this is an executable"),
        "{output}"
    );
    // It can be judged on cases without a static validator.
    let (code, results) = judged(
        &judge,
        &["grade", "-p", "./pkg", "mine", "--case", "sample/*"],
    );
    assert_eq!(
        (code, &results[..]),
        (Some(0), &["mine sample/1 AC".to_owned()][..])
    );
}

#[test]
fn a_static_validator_that_gives_no_valid_answer_is_a_fault() {
    for (source, cause) in [
        (
            "exit 1\n",
            "it ended with exit code 1, and a static validator ends with 42 or 43",
        ),
        (
            "exit 0\n",
            "it ended with exit code 0, and a static validator ends with 42 or 43",
        ),
        ("while :; do :; done\n", "it broke its own time limit"),
        (
            "printf 1 >$3/score.txt\nexit 42\n",
            "which a problem without points has no use for",
        ),
        (": >$3/nextpass.in\nexit 42\n", "it wrote `nextpass.in`"),
    ] {
        let yaml = YAML.replace("time_limit: 5", "time_limit: 5, validation_time: 1");
        let judge = package(
            &yaml,
            &[
                ("data/secret/a/test_group.yaml", NO_LOOPS),
                ("static_validator/check.sh", source),
                ("submissions/accepted/right.sh", RIGHT),
            ],
        );
        let ran = judge.run(&["verify", "./pkg", "-q", "--log", "log.jsonl"]);
        assert_eq!(ran.code, Some(3), "{}{}", ran.stdout, ran.stderr);
        let faults = events(&judge, "trial_faulted");
        assert_eq!(faults.len(), 1);
        assert_eq!(faults[0]["case"], "secret/a/static_validation");
        let message = faults[0]["cause"].as_str().unwrap();
        assert!(message.contains(cause), "{message}");
        let doing = faults[0]["doing"].as_str().unwrap();
        assert!(
            doing.starts_with("running the static validator "),
            "{doing}"
        );
        let remedy = faults[0]["remedy"].as_str().unwrap();
        assert!(
            remedy.contains(
                "check.sh LANGUAGE ENTRY_POINT FEEDBACK/ while for`, in a folder with"
            ),
            "{remedy}"
        );
    }
}

#[test]
fn a_static_validator_that_does_not_compile_is_told_and_nothing_is_run() {
    needs_cc();
    let judge = without_loops(("static_validator/check.c", "int main( {\n"));
    let ran = judge.run(&["verify", "./pkg", "-q", "--log", "log.jsonl"]);
    assert_eq!(ran.code, Some(3), "{}{}", ran.stdout, ran.stderr);
    let faults = events(&judge, "trial_faulted");
    assert!(
        faults[0]["doing"]
            .as_str()
            .unwrap()
            .starts_with("compiling the static validator")
    );
    let trials = events(&judge, "trial_finished");
    assert!(trials.iter().all(|trial| trial["verdict"] == "SK"));
    // Cases that do without it are judged.
    judge.put("mine.sh", RIGHT);
    let (code, results) = judged(
        &judge,
        &["grade", "-p", "./pkg", "mine.sh", "--case", "sample/*"],
    );
    assert_eq!(
        (code, &results[..]),
        (Some(0), &["mine.sh sample/1 AC".to_owned()][..])
    );
}

#[test]
fn the_source_gets_points_in_groups_with_points_for_it() {
    let package_with = |aggregation: &str, score: &str| {
        let text = format!(
            "max_score: 100\nscore_aggregation: {aggregation}\nstatic_validation_score: {score}\nstatic_validator_args: [while, =parts]\n"
        );
        package(
            SCORING,
            &[
                ("data/secret/a/test_group.yaml", &text),
                ("static_validator/check.sh", CHECK),
                ("submissions/accepted/1.sh", RIGHT),
                (
                    "submissions/accepted/2.sh",
                    "lambda() { echo $((2 * $1)); }\nread n\nlambda $n\n",
                ),
                ("submissions/rejected/3.sh", WITH_LOOP),
                (
                    "submissions/rejected/4.sh",
                    "read n\n[ $n -lt 3 ] || n=0\necho $((2 * n))\n",
                ),
            ],
        )
    };
    assert_eq!(
        points(&package_with("sum", "40")),
        ["1.sh 100/100", "2.sh 80/100", "3.sh 60/100", "4.sh 70/100"]
    );
    assert_eq!(
        points(&package_with("min", "100")),
        ["1.sh 100/100", "2.sh 50/100", "3.sh 0/100", "4.sh 0/100"]
    );
}

#[test]
fn a_pass_fail_source_decides_about_all_points_of_its_group_and_partial_points_are_a_fault()
 {
    let files = |check: &str| {
        package(
            SCORING,
            &[
                (
                    "data/secret/a/test_group.yaml",
                    &format!("max_score: 100\n{NO_LOOPS}"),
                ),
                ("static_validator/check.sh", check),
                ("submissions/accepted/1.sh", RIGHT),
                ("submissions/rejected/2.sh", WITH_LOOP),
            ],
        )
    };
    assert_eq!(points(&files(CHECK)), ["1.sh 100/100", "2.sh 0/100"]);
    let judge = files("printf 1 >$3/score.txt\nexit 42\n");
    let ran = judge.run(&["verify", "./pkg", "-q", "--log", "log.jsonl"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stdout);
    let fault = &events(&judge, "trial_faulted")[0];
    assert_eq!(
        fault["cause"],
        "it gives points, and cases of this group have none to give"
    );
}

#[test]
fn a_group_may_require_that_a_group_for_the_source_is_passed() {
    let style = (
        "data/secret/style/test_group.yaml",
        format!("max_score: 0\n{NO_LOOPS}"),
    );
    let judge = package(
        SCORING,
        &[
            ("data/secret/a/test_group.yaml", "max_score: 0\n"),
            (style.0, &style.1),
            (
                "data/secret/z/test_group.yaml",
                "max_score: 100\nrequire_pass: secret/style\n",
            ),
            ("data/secret/z/1.in", "4\n"),
            ("data/secret/z/1.ans", "8\n"),
            ("static_validator/check.sh", CHECK),
            ("submissions/accepted/1.sh", RIGHT),
            ("submissions/rejected/2.sh", WITH_LOOP),
        ],
    );
    assert_eq!(points(&judge), ["1.sh 100/100", "2.sh 0/100"]);
}

#[test]
fn results_for_a_source_are_cached_until_the_source_the_validator_or_its_arguments_change()
 {
    let judge = package(
        YAML,
        &[
            (
                "data/secret/test_group.yaml",
                "static_validation_score: pass-fail\nstatic_validator_args: [echo]\n",
            ),
            ("data/secret/a/test_group.yaml", NO_LOOPS),
            ("static_validator/check.sh", CHECK),
            ("submissions/rejected/right.sh", RIGHT),
        ],
    );
    let results_and_cache_marks = || {
        let ran =
            judge.run(&["verify", "./pkg", "-q", "--all", "--log", "log.jsonl"]);
        let results = events(&judge, "trial_finished").into_iter();
        let of_source = results.filter(|trial| {
            trial["case"]
                .as_str()
                .unwrap()
                .ends_with("static_validation")
        });
        let results = of_source.map(|trial| {
            format!(
                "{} {}",
                trial["verdict"].as_str().unwrap(),
                trial["cached"] == true
            )
        });
        (ran.code, results.collect::<Vec<_>>().join(", "))
    };
    assert_eq!(
        results_and_cache_marks(),
        (Some(0), "WA false, AC false".to_owned())
    );
    assert_eq!(
        results_and_cache_marks(),
        (Some(0), "WA true, AC true".to_owned())
    );
    judge.put(
        "pkg/data/secret/test_group.yaml",
        "static_validation_score: pass-fail\nstatic_validator_args: [goto]\n",
    );
    assert_eq!(
        results_and_cache_marks(),
        (Some(1), "AC false, AC false".to_owned())
    );
    judge.put("pkg/static_validator/check.sh", "exit 43\n");
    assert_eq!(
        results_and_cache_marks(),
        (Some(0), "WA false, WA false".to_owned())
    );
    judge.put(
        "pkg/submissions/rejected/right.sh",
        "read n\necho $((2 * n)) \n",
    );
    assert_eq!(
        results_and_cache_marks(),
        (Some(0), "WA false, WA false".to_owned())
    );
    assert_eq!(
        results_and_cache_marks(),
        (Some(0), "WA true, WA true".to_owned())
    );
}

#[test]
fn cases_that_differ_only_in_their_flags_have_separate_results() {
    let judge = package(YAML, &[("submissions/rejected/right.sh", "echo NO\n")]);
    for (case, flags) in [("b/1", "[]"), ("c/1", "[case_sensitive]")] {
        judge
            .put(format!("pkg/data/secret/{case}.in"), "7\n")
            .put(format!("pkg/data/secret/{case}.ans"), "no\n");
        judge.put(
            format!("pkg/data/secret/{case}.yaml"),
            format!("output_validator_args: {flags}\n"),
        );
    }
    for _ in 0..2 {
        judge.run(&[
            "verify",
            "./pkg",
            "-q",
            "--all",
            "-j1",
            "--log",
            "log.jsonl",
        ]);
        let results = events(&judge, "trial_finished");
        let verdicts: Vec<_> = results[3..]
            .iter()
            .map(|trial| trial["verdict"].as_str().unwrap())
            .collect();
        assert_eq!(verdicts, ["AC", "WA"]);
    }
}

#[test]
fn rules_and_patterns_can_name_the_case_of_the_static_validator() {
    let judge = without_loops(("static_validator/check.sh", CHECK));
    judge.put(
        "pkg/submissions/submissions.yaml",
        "wrong_answer/looping.sh:\n  secret/a/static_validation: {permitted: [WA]}\n",
    );
    assert_eq!(judged(&judge, &["verify", "./pkg"]).0, Some(0));
    judge.put(
        "pkg/submissions/submissions.yaml",
        "wrong_answer/looping.sh:\n  secret/a/static_validation: {permitted: [AC]}\n",
    );
    assert_eq!(judged(&judge, &["verify", "./pkg"]).0, Some(1));
    judge.put("looping.sh", WITH_LOOP);
    let (code, results) = judged(
        &judge,
        &["grade", "-p", "./pkg", "looping.sh", "--case", "*static*"],
    );
    assert_eq!(
        (code, results),
        (
            Some(1),
            vec!["looping.sh secret/a/static_validation WA".to_owned()]
        )
    );
}

#[test]
fn doctor_describes_the_static_validator_and_verify_does_not_treat_it_as_a_case_with_input()
 {
    let judge = without_loops(("static_validator/check.sh", CHECK));
    judge.put(
        "pkg/input_validators/v.sh",
        "read n\n[ $n -ge 0 ] && exit 42\n",
    );
    let ran = judge.run(&["doctor", "./pkg"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    assert!(
        ran.stdout.contains(
            "sources       by the program static_validator/check.sh on 1 case\n"
        ),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("comparing     token by token\n"),
        "{}",
        ran.stdout
    );
    let ran = judge.run(&["verify", "./pkg"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains(
            "pkg: 3 cases, each with an input and an answer that can be compared\n"
        ),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout
            .contains("ok       3 inputs valid, by 1 input validator"),
        "{}",
        ran.stdout
    );
    assert_eq!(judge.run(&["answers", "./pkg", "--check"]).code, Some(0));
}

#[test]
fn an_export_to_a_format_without_static_validators_reports_the_loss() {
    let judge = without_loops(("static_validator/check.sh", CHECK));
    judge.put("pkg/statement/problem.en.tex", "Twice\n");
    // `Judge::run` leaves out notes.
    let exported = |target: &str, place: &str| {
        let output = judge
            .command(&["export", "./pkg", "--to", target, place])
            .output()
            .unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(!exported("kattis-2025-09", "new").contains("static_validator"));
    assert!(judge.path("new/static_validator/check.sh").exists());
    let message = exported("kattis-legacy", "old");
    let lost = "static_validator/check.sh is left out, and what it alone rejects is accepted: kattis-legacy judges no sources";
    assert!(message.contains(lost), "{message}");
    assert_eq!(message.matches("static_validator").count(), 1, "{message}");
    assert!(
        !judge
            .path("old/data/secret/a/static_validation.in")
            .exists()
    );
    let text = format!("max_score: 100\n{NO_LOOPS}");
    judge
        .put("pkg/problem.yaml", SCORING)
        .put("pkg/data/secret/a/test_group.yaml", text);
    let ran = judge.run(&["export", "./pkg", "--to", "kattis-legacy", "points"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.contains(
            "affects the points of sources, and kattis-legacy has no place for it"
        ),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_static_validator_judges_in_a_contest_too() {
    let judge = without_loops(("static_validator/check.sh", CHECK));
    judge.put("problems/README", "");
    std::fs::rename(judge.path("pkg"), judge.path("problems/pkg")).unwrap();
    judge
        .put("contest/red/pkg.sh", RIGHT)
        .put("contest/blue/pkg.sh", WITH_LOOP);
    judge.run(&["grade", "contest", "-q", "--log", "log.jsonl"]);
    let finished = events(&judge, "submission_finished");
    let mut results: Vec<_> = finished
        .iter()
        .map(|event| {
            format!(
                "{} {}",
                event["submission"].as_str().unwrap(),
                event["verdict"].as_str().unwrap()
            )
        })
        .collect();
    results.sort();
    assert_eq!(results, ["blue/pkg.sh WA", "red/pkg.sh AC"]);
}
