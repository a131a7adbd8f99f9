//! Packages of Kattis' `legacy` format with their own grader (`grading: custom`),
//! judged by the real program.

use std::fs;

use crate::judge::Judge;
use crate::judge::share::at_any_number_of_jobs;
use serde_json::Value;

const YAML: &str = "type: scoring\nlimits: {time_limit: 10, validation_time: 1}\n";

/// A grader that accepts if half of the cases are right. Each right one is worth as
/// much as the first argument says, and twice as much if all are right. If it gets a
/// single result, it fails with a message that contains its input.
const HALF: &str = "\
import sys
results = [line.split() for line in sys.stdin]
right = sum(code == 'AC' for code, score in results)
if len(results) == 1:
    sys.exit(f'one: {results}')
each = float((sys.argv + ['1'])[1])
both = 2 if right == len(results) else 1
print('AC' if 2 * right >= len(results) else 'WA', right * each * both)
";

/// A program that is right for numbers up to `most`.
fn right_up_to(most: u32) -> String {
    format!("read n\n[ $n -le {most} ] || n=0\necho $((2 * n))\n")
}

/// A package that asks for the double of a number: a sample, four cases in a group that
/// the grader grades, and one in a group that is all or nothing.
fn package(grader: &str, files: &[(&str, &str)]) -> Judge {
    let judge = Judge::new();
    judge.put("twice/problem.yaml", YAML);
    judge.put(
        "twice/data/testdata.yaml",
        "on_reject: continue\nrange: 0 1000\n",
    );
    judge.put("twice/data/sample/testdata.yaml", "accept_score: 0\n");
    judge.put("twice/data/secret/testdata.yaml", "on_reject: continue\n");
    judge.put(
        "twice/data/secret/a/testdata.yaml",
        "grading: custom\ngrader_flags: 5 unknown\nrange: 0 100\n",
    );
    judge.put(
        "twice/data/secret/b/testdata.yaml",
        "grader_flags: min\naccept_score: 60\nrange: 0 60\n",
    );
    for (place, number) in [
        ("sample/1", 1),
        ("secret/a/1", 2),
        ("secret/a/2", 3),
        ("secret/a/3", 4),
        ("secret/a/4", 5),
        ("secret/b/1", 6),
    ] {
        judge.put(format!("twice/data/{place}.in"), format!("{number}\n"));
        judge.put(
            format!("twice/data/{place}.ans"),
            format!("{}\n", 2 * number),
        );
    }
    judge.put("twice/graders/half.py", grader);
    for (name, text) in files {
        judge.put(format!("twice/{name}"), text);
    }
    judge
}

/// The points of a program and of its groups, and the exit code of grading it. Asserts
/// that the number of jobs makes no difference.
#[track_caller]
fn points(judge: &Judge, program: &str) -> String {
    judge.put("mine.sh", program);
    at_any_number_of_jobs(|jobs| {
        let ran = judge.run(&[
            "grade",
            "-p",
            "./twice",
            "mine.sh",
            "-q",
            "--log",
            "log.jsonl",
            jobs,
        ]);
        let log = judge.read("log.jsonl");
        let mut events = log
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let finished = events
            .find(|event| event["event"] == "submission_finished")
            .unwrap();
        let score = &finished["score"];
        let groups = score["groups"].as_array().unwrap().iter();
        let groups: String = groups
            .map(|group| format!(" {}", group["earned"]))
            .collect();
        let accepted = if score["accepted"] == true {
            "accepted"
        } else {
            "rejected"
        };
        format!(
            "{accepted} {}:{groups}, code {}",
            score["earned"],
            ran.code.unwrap()
        )
    })
}

/// The case that ended in a fault, and the message of the fault. Asserts that the
/// number of jobs makes no difference.
#[track_caller]
fn fault(judge: &Judge) -> String {
    judge.put("mine.sh", right_up_to(9));
    at_any_number_of_jobs(|jobs| {
        let ran = judge.run(&[
            "grade",
            "-p",
            "./twice",
            "mine.sh",
            "-q",
            "--log",
            "log.jsonl",
            jobs,
        ]);
        assert_eq!(ran.code, Some(3), "{}{}", ran.stdout, ran.stderr);
        let log = judge.read("log.jsonl");
        let mut events = log
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let faulted = events
            .find(|event| event["event"] == "trial_faulted")
            .unwrap();
        format!(
            "{} {}: {}",
            faulted["case"], faulted["doing"], faulted["cause"]
        )
        .replace('"', "")
    })
}

#[test]
fn a_grader_computes_the_result_of_its_group_from_the_results_of_all_its_cases() {
    let judge = package(HALF, &[]);
    // In the group of four, 5 points for each, and twice that if all are right; the
    // other group is worth 60.
    assert_eq!(
        points(&judge, &right_up_to(9)),
        "accepted 100: 0 40 60, code 0"
    );
    assert_eq!(
        points(&judge, &right_up_to(4)),
        "rejected 0: 0 15 0, code 1"
    );
    judge.put(
        "twice/data/testdata.yaml",
        "grader_flags: accept_if_any_accepted\non_reject: continue\n",
    );
    judge.put(
        "twice/data/secret/testdata.yaml",
        "grader_flags: accept_if_any_accepted\non_reject: continue\n",
    );
    assert_eq!(
        points(&judge, &right_up_to(4)),
        "accepted 15: 0 15 0, code 1"
    );
    assert_eq!(
        points(&judge, &right_up_to(3)),
        "accepted 10: 0 10 0, code 1"
    );
    assert_eq!(points(&judge, &right_up_to(2)), "accepted 5: 0 5 0, code 1");
}

#[test]
fn after_a_rejection_with_on_reject_break_a_grader_gets_no_further_results() {
    let judge = package(HALF, &[]);
    judge.put(
        "twice/data/secret/a/testdata.yaml",
        "grading: custom\ngrader_flags: 5\non_reject: break\n",
    );
    judge.put(
        "twice/data/testdata.yaml",
        "grader_flags: accept_if_any_accepted\non_reject: continue\n",
    );
    judge.put(
        "twice/data/secret/testdata.yaml",
        "grader_flags: accept_if_any_accepted\non_reject: continue\n",
    );
    // Of two results, one is right: that is half.
    assert_eq!(points(&judge, &right_up_to(2)), "accepted 5: 0 5 0, code 0");
    let log = judge.read("log.jsonl");
    assert!(!log.contains("secret/a/4\",\"verdict\":\"WA"), "{log}");
}

#[test]
fn a_grader_of_the_whole_package_gets_the_codes_and_points_of_groups() {
    // It fails with a message that repeats its input.
    let told = "import sys\nsys.exit(' '.join(sys.stdin.read().split()))\n";
    let judge = package(
        told,
        &[(
            "data/testdata.yaml",
            "grading: custom\non_reject: continue\n",
        )],
    );
    judge.put(
        "twice/data/sample/testdata.yaml",
        "grading: default\naccept_score: 0\n",
    );
    judge.put(
        "twice/data/secret/testdata.yaml",
        "grading: default\non_reject: continue\ngrader_flags: first_error\n",
    );
    judge.put("twice/data/secret/a/testdata.yaml", "on_reject: continue\n");
    assert!(
        fault(&judge).ends_with("it ended with exit code 1: AC 0 AC 64"),
        "{}",
        fault(&judge)
    );
    judge.put("twice/graders/half.py", "print('AC 12.5')\n");
    assert_eq!(
        points(&judge, &right_up_to(3)),
        "accepted 12.5: 0 2 0, code 0"
    );
    judge.put("twice/graders/half.py", "print('WA 12.5')\n");
    assert_eq!(
        points(&judge, &right_up_to(9)),
        "rejected 0: 0 4 60, code 1"
    );
    // A crash, then wrong answers: with `first_error` the crash counts.
    judge.put(
        "twice/graders/half.py",
        "import sys\nassert sys.stdin.read().split() == ['AC', '0', 'RTE', '0']\nprint('AC 1')\n",
    );
    assert_eq!(
        points(
            &judge,
            "read n\n[ $n != 2 ] || exit 1\n[ $n = 1 ] || n=0\necho $((2 * n))\n"
        ),
        "accepted 1: 0 0 0, code 0"
    );
}

#[test]
fn a_grader_that_gives_no_valid_result_is_a_fault_that_says_how_to_repeat_it() {
    let of = |grader: &str| fault(&package(grader, &[]));
    let start = "secret/b/1 grading secret/a by ./twice/graders/half.py 5 unknown: ";
    for (grader, cause) in [
        (
            "import sys\nsys.exit('no idea')\n",
            "it ended with exit code 1: no idea",
        ),
        (
            "import os\nos.kill(os.getpid(), 11)\n",
            "it ended with SIGSEGV",
        ),
        (
            "while True: pass\n",
            "it broke its own limit (TLE, `validation_*`)",
        ),
        (
            "import time\ntime.sleep(60)\n",
            "it broke its own limit (ILE, `validation_*`)",
        ),
        (
            "",
            "it printed nothing, where a code and points are due, for example `AC 40`",
        ),
        (
            "print('AC')\n",
            "it printed `AC`, where a code and points are due, for example `AC 40`",
        ),
        (
            "print('OK 3')\n",
            "it printed `OK 3`, where a code and points are due, for example `AC 40`",
        ),
        (
            "print('AC 1\\nAC 2')\n",
            "it printed `AC 1\\\\nAC 2`, where a code and points are due, for example `AC 40`",
        ),
        (
            "while True: print('A' * 100000)\n",
            "it broke its own limit (OLE, `validation_*`): OSError: [Errno 27] File too large",
        ),
    ] {
        assert_eq!(of(grader), format!("{start}{cause}"), "{grader}");
    }
    let judge = package("import sys\nsys.exit('no idea')\n", &[]);
    judge.put("mine.sh", right_up_to(4));
    let ran = judge.run(&["grade", "-p", "./twice", "mine.sh"]);
    let remedy = "fix it; to repeat it, give it these lines on standard input: AC 1, AC 1, AC 1, WA 0";
    assert!(
        format!("{}{}", ran.stdout, ran.stderr).contains(remedy),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
}

#[test]
fn a_judging_program_that_does_not_compile_is_told_once_and_nothing_is_run() {
    for (file, source, kind, why, hint) in [
        (
            "graders/half.py",
            "print 'AC 1'\n",
            "grader",
            "SyntaxError: Missing parentheses in call to 'print'",
            "fix the grader of the problem, which is in Python 2: this judge runs programs in \
             Python with Python 3",
        ),
        (
            "output_validators/check.py",
            "if\n",
            "checker",
            "SyntaxError: invalid syntax",
            "fix the checker of the problem",
        ),
        (
            "output_validators/check.c",
            "#include \"away.h\"\n",
            "checker",
            "away.h: No such file or directory",
            "fix the checker of the problem; headers that it includes, for example `testlib.h`, belong \
             next to it",
        ),
    ] {
        let yaml = format!("{YAML}validation: custom\n");
        let judge = package(
            HALF,
            &[
                ("problem.yaml", &yaml),
                ("output_validators/check.sh", "exit 42\n"),
                ("submissions/accepted/right.sh", &right_up_to(9)),
                ("submissions/wrong_answer/four.sh", &right_up_to(4)),
            ],
        );
        // The results of all cases are in the cache before a program is broken.
        let ran = judge.run(&["verify", "./twice"]);
        assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
        if file.starts_with("output_validators") {
            judge.remove("twice/output_validators/check.sh");
        }
        judge.put(format!("twice/{file}"), source);
        let ran = judge.run(&["verify", "./twice", "--log", "log.jsonl", "--all"]);
        assert_eq!(ran.code, Some(3), "{}{}", ran.stdout, ran.stderr);
        let start = format!("compiling the {kind} ./twice/{file}: ");
        let output = format!("{}{}", ran.stdout, ran.stderr);
        let told: Vec<_> = output
            .lines()
            .filter_map(|line| line.split_once(&start))
            .collect();
        assert_eq!(told.len(), 2, "{output}");
        assert!(told[0].1.contains(why), "{output}");
        assert_eq!(told[1].1, "failed, see accepted/right.sh", "{output}");
        assert_eq!(output.matches(why).count(), 1, "{output}");
        let hint = format!("  hint: {hint}\n");
        assert!(output.contains(&hint), "{output}");
        let log = judge.read("log.jsonl");
        assert_eq!(log.matches("trial_faulted").count(), 2, "{log}");
        assert!(!log.contains("\"cpu_us\":0,"), "{log}");
    }
}

#[test]
fn verify_doctor_and_export_support_graders() {
    let judge = package(
        HALF,
        &[
            ("submissions/accepted/right.sh", &right_up_to(9)),
            ("submissions/wrong_answer/four.sh", &right_up_to(4)),
        ],
    );
    let verified = judge.run(&["verify", "./twice"]);
    assert_eq!(
        verified.code,
        Some(0),
        "{}{}",
        verified.stdout,
        verified.stderr
    );
    assert!(verified.stdout.contains("100/1000"), "{}", verified.stdout);
    let page = judge.run(&["doctor", "./twice"]).stdout;
    assert!(
        page.contains("secret/a: the grader says how many"),
        "{page}"
    );
    assert_eq!(
        judge
            .run(&["export", "./twice", "--to", "kattis-legacy", "same"])
            .code,
        Some(0)
    );
    for target in ["kattis-2025-09", "domjudge"] {
        let refused = judge.run(&["export", "./twice", "--to", target, "other"]);
        let told = format!(
            "half.py: computes the points of groups, and {target} has no place for it"
        );
        assert!(
            refused.code == Some(2) && refused.stderr.contains(&told),
            "{}",
            refused.stderr
        );
    }
}

#[test]
fn mistakes_about_graders_are_reported_with_their_place() {
    let judge = package(HALF, &[]);
    let refused = |told: &str| {
        let ran = judge.run(&["grade", "-p", "./twice", "mine.sh"]);
        assert!(
            ran.code == Some(2) && ran.stderr.contains(told),
            "{}",
            ran.stderr
        );
    };
    judge.put("mine.sh", "");
    // Both inner groups inherit the flags meant for the grader, for the default grader,
    // which is reported once.
    for inner in ["x", "y"] {
        judge.put(
            format!("twice/data/secret/a/{inner}/testdata.yaml"),
            "grading: default\n",
        );
        judge.put(format!("twice/data/secret/a/{inner}/1.in"), "1\n");
        judge.put(format!("twice/data/secret/a/{inner}/1.ans"), "2\n");
    }
    let told = "data/secret/a/testdata.yaml:2: `unknown` is not a flag of the default grader, which passes it over";
    let ran = judge.run(&["verify", "./twice"]);
    assert_eq!(ran.stdout.matches(told).count(), 1, "{}", ran.stdout);
    for inner in ["x", "y"] {
        fs::remove_dir_all(judge.path(format!("twice/data/secret/a/{inner}")))
            .unwrap();
    }
    judge.put("twice/graders/other.py", HALF);
    refused("twice/graders: holds several graders, and the format has room for one");
    judge
        .remove("twice/graders/other.py")
        .remove("twice/graders/half.py");
    refused("twice/graders: the grader (`grading: custom`) is not there");
    judge
        .put("twice/graders/half.py", HALF)
        .put("twice/domjudge-problem.ini", "");
    refused(
        "twice/data/secret/a/testdata.yaml:1: the package needs a grader of its own, as DOMjudge has none",
    );
    judge
        .remove("twice/domjudge-problem.ini")
        .put("twice/problem.yaml", "limits: {time_limit: 10}\n");
    refused(
        "twice/data/secret/a/testdata.yaml:1: the package needs a grader of its own (`grading: custom`) that gives no points",
    );
    judge.put("twice/problem.yaml", YAML).put(
        "twice/data/secret/a/testdata.yaml",
        "grading: mine\ngrader_flags: 5\n",
    );
    refused("twice/data/secret/a/testdata.yaml:1: unknown grading `mine`");
}
