//! Multi-pass problems: a submission is run on a case as often as the checker requests,
//! each time with the input that the checker wrote.

use crate::judge::Judge;
use serde_json::Value;

const NEW: &str = "problem_format_version: 2025-09\nname: Half\nuuid: 3b5f\ntype: multi-pass\nlimits: {time_limit: 0.2, validation_passes: 3}\n";
const OLD: &str = "name: Half\nvalidation: custom multi-pass\nlimits: {time_limit: 0.2, validation_passes: 3}\n";

/// A checker that expects half of a number, requests a pass with that half, and stops
/// at one. It keeps a file with the numbers that it has seen.
const CHECK: &str = "import sys\nnumber, feedback = int(open(sys.argv[1]).read()), sys.argv[3]\nfound = sys.stdin.read().strip()\n\
                     seen = open(feedback + 'seen', 'a+')\nseen.seek(0)\nbefore = seen.read().split()\nseen.write(f'{number} ')\n\
                     if before and int(before[-1]) != 2 * number: sys.exit(1)\n\
                     if found != str(number // 2):\n  print(f'half of {number} is not {found}')\n  sys.exit(43)\n\
                     if number > 2: open(feedback + 'nextpass.in', 'w').write(f'{number // 2}\\n')\nsys.exit(42)\n";

/// A judge's folder with a package that has this checker and these numbers as cases.
fn package(yaml: &str, check: &str, numbers: &[u32]) -> Judge {
    let judge = Judge::new();
    let folder = if yaml == OLD {
        "output_validators"
    } else {
        "output_validator"
    };
    judge
        .put("pkg/problem.yaml", yaml)
        .put(format!("pkg/{folder}/check.py"), check);
    for (place, number) in numbers.iter().enumerate() {
        let name = format!("pkg/data/secret/{}", place + 1);
        judge
            .put(format!("{name}.in"), format!("{number}\n"))
            .put(format!("{name}.ans"), "");
    }
    judge
}

/// The exit code, and the result of a program on each case, as `CASE VERDICT message`.
fn earned(
    judge: &Judge,
    program: &str,
    options: &[&str],
) -> (Option<i32>, Vec<String>) {
    judge.put("mine.py", program).forget();
    let ran = judge.run(
        &[
            &[
                "grade",
                "-p",
                "./pkg",
                "mine.py",
                "--log",
                "log.jsonl",
                "-q",
                "--all",
            ],
            options,
        ]
        .concat(),
    );
    let log = judge.read("log.jsonl");
    let events = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    (
        ran.code,
        events
            .filter_map(|event| {
                let text =
                    |value: &Value| value.as_str().unwrap_or_default().to_owned();
                match event["event"].as_str() {
                    Some("trial_finished") => {
                        let case = text(&event["case"]);
                        let verdict = text(&event["verdict"]);
                        let why = text(&event["finding"]["message"]);
                        Some(format!("{case} {verdict} {why}").trim_end().to_owned())
                    }
                    Some("trial_faulted") => Some(format!(
                        "{} fault {}",
                        text(&event["case"]),
                        text(&event["cause"])
                    )),
                    _ => None,
                }
            })
            .collect(),
    )
}

/// The reason for the result of the submission that was judged last.
fn reason(judge: &Judge) -> String {
    let log = judge.read("log.jsonl");
    let line = log
        .lines()
        .find(|line| line.contains("submission_finished"));
    let event: Value = serde_json::from_str(line.unwrap()).unwrap();
    event["reason"].as_str().unwrap().to_owned()
}

const HALF: &str = "print(int(input()) // 2)\n";

#[test]
fn a_submission_is_run_until_the_checker_requests_no_further_pass() {
    for (yaml, jobs) in [(NEW, "-j4"), (OLD, "-j1")] {
        let judge = package(yaml, CHECK, &[2, 4, 8]);
        let right = ["secret/1 AC", "secret/2 AC", "secret/3 AC"]
            .map(str::to_owned)
            .to_vec();
        assert_eq!(earned(&judge, HALF, &[jobs]), (Some(0), right));
        let second = [
            "secret/1 AC",
            "secret/2 AC",
            "secret/3 WA pass 2: checker: half of 4 is not 7",
        ];
        let program = "n = int(input())\nprint(7 if n == 4 else n // 2)\n";
        let found = earned(&judge, program, &[jobs]).1;
        assert_eq!(found[1], "secret/2 WA checker: half of 4 is not 7");
        assert_eq!(found[2], second[2]);
    }
}

#[test]
fn limits_apply_to_each_pass_and_a_failure_in_one_pass_ends_the_case() {
    let judge = package(NEW, CHECK, &[8]);
    let slow = "n = int(input())\nwhile n == 2: pass\nprint(n // 2)\n";
    assert_eq!(earned(&judge, slow, &[]).1, ["secret/1 TLE"]);
    let found = reason(&judge);
    assert!(found.starts_with("pass 3: stopped at "), "{found}");
    let crash = "n = int(input())\nif n == 4: raise SystemExit(3)\nprint(n // 2)\n";
    assert_eq!(earned(&judge, crash, &[]).1, ["secret/1 RE"]);
    assert_eq!(reason(&judge), "pass 2: ended with exit code 3");
    let first = "n = int(input())\nif n == 8: raise SystemExit(3)\nprint(n // 2)\n";
    assert_eq!(earned(&judge, first, &[]).1, ["secret/1 RE"]);
    assert_eq!(reason(&judge), "ended with exit code 3");
    // 0.1 s in each of three passes is within the limit, which applies to each pass.
    let thrice = "import time\nend = time.process_time() + 0.1\nwhile time.process_time() < end: pass\nprint(int(input()) // 2)\n";
    assert_eq!(earned(&judge, thrice, &[]).1, ["secret/1 AC"]);
}

#[test]
fn the_messages_of_earlier_passes_are_no_reason() {
    let check = CHECK
        .replace(
            "if found",
            "open(feedback + 'judgemessage.txt', 'a').write(f'{number} is even\\n')\nif found",
        )
        .replace("  print(f'half", "  open(feedback + 'teammessage.txt', 'w').write(f'half");
    let judge = package(NEW, &check, &[8]);
    let program = "n = int(input())\nprint(7 if n == 4 else n // 2)\n";
    assert_eq!(
        earned(&judge, program, &[]).1,
        ["secret/1 WA pass 2: checker: 4 is even"]
    );
    let log = judge.read("log.jsonl");
    assert!(log.contains("pass 2: checker: half of 4 is not 7"), "{log}");
    assert!(!log.contains("8 is even"), "{log}");
}

#[test]
fn a_fault_of_a_checker_in_a_later_pass_says_how_to_repeat_that_pass() {
    let check = CHECK.replace("if found", "if number == 4: sys.exit(9)\nif found");
    let judge = package(NEW, &check, &[8]);
    judge.put("mine.py", HALF);
    let ran = judge.run(&["grade", "-p", "./pkg", "mine.py"]);
    assert_eq!(ran.code, Some(3));
    let said = ran.stdout + &ran.stderr;
    for part in [
        "check.py on secret/1, in pass 2",
        "check.py INPUT ",
        "with what pass 1 writes to `nextpass.in` for INPUT, and what it leaves in FEEDBACK/",
    ] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn no_file_of_a_submission_is_left_for_the_next_pass() {
    let judge = package(NEW, CHECK, &[8]);
    let program = "import os\nif os.path.exists('left'): print('seen')\nelse:\n  open('left', 'w').write('x')\n  print(int(input()) // 2)\n";
    assert_eq!(earned(&judge, program, &[]).1, ["secret/1 AC"]);
}

#[test]
fn a_checker_that_requests_a_forbidden_pass_is_a_fault() {
    let judge = package(NEW, CHECK, &[16]);
    let (code, found) = earned(&judge, HALF, &[]);
    assert_eq!((code, found.len()), (Some(3), 1));
    assert!(
        found[0].contains("it asks for another pass after 3 (`validation_passes`)"),
        "{found:?}"
    );
    for (check, cause) in [
        (
            "open(f + 'nextpass.in', 'w')\nsys.exit(43)",
            "it rejects the output, and asks for another pass (`nextpass.in`)",
        ),
        (
            "import os\nos.symlink('/etc/passwd', f + 'nextpass.in')\nsys.exit(42)",
            "its `nextpass.in` is not a file of at most 256 MiB",
        ),
        (
            "import os\nos.mkdir(f + 'nextpass.in')\nsys.exit(42)",
            "its `nextpass.in` is not a file of at most 256 MiB",
        ),
        (
            "import os\nos.mkdir(f + 'pass-input')\nopen(f + 'nextpass.in', 'w')\nsys.exit(42)",
            "its `nextpass.in` cannot be read",
        ),
    ] {
        let judge = package(
            NEW,
            &format!("import sys\nf = sys.argv[3]\n{check}\n"),
            &[2],
        );
        let (code, found) = earned(&judge, HALF, &[]);
        assert_eq!(code, Some(3), "{found:?}");
        assert!(found[0].contains(cause), "{found:?}");
    }
    let once = NEW.replace("type: multi-pass\n", "");
    let judge = package(&once, CHECK, &[4]);
    let (code, found) = earned(&judge, HALF, &[]);
    assert_eq!(code, Some(3));
    assert!(
        found[0].contains("a problem of one pass has no use for"),
        "{found:?}"
    );
}

#[test]
fn an_interactor_may_request_another_pass() {
    let both = NEW.replace("multi-pass", "[interactive, multi-pass]");
    let interact = "import sys\nnumber, feedback = int(open(sys.argv[1]).read()), sys.argv[3]\nprint(number, flush=True)\n\
                    found = sys.stdin.readline().strip()\nif found != str(number // 2): sys.exit(43)\n\
                    if number > 2: open(feedback + 'nextpass.in', 'w').write(f'{number // 2}\\n')\nsys.exit(42)\n";
    let judge = package(&both, interact, &[8]);
    assert_eq!(
        earned(&judge, HALF, &[]),
        (Some(0), vec!["secret/1 AC".to_owned()])
    );
    let second = "n = int(input())\nprint(0 if n == 4 else n // 2)\n";
    let found = earned(&judge, second, &[]).1;
    assert!(found[0].starts_with("secret/1 WA pass 2: "), "{found:?}");
}

/// Otherwise a part of the input of the next pass, or its absence, would decide the
/// verdict.
#[test]
fn a_disk_that_a_checker_has_found_full_is_a_fault() {
    let check = "import os, sys\nfeedback = sys.argv[3]\nif os.path.exists(feedback + 'seen'): sys.exit(43)\n\
                 open(feedback + 'seen', 'w').close()\n\
                 next = os.open(feedback + 'nextpass.in', os.O_CREAT | os.O_WRONLY)\n\
                 try:\n  while os.write(next, b'12\\n' * 100000): pass\nexcept OSError: sys.exit(42)\n";
    let judge = package(NEW, check, &[2]);
    judge.put("mine.py", HALF);
    for level in ["full", "user", "basic"] {
        let Some(ran) =
            judge.on_a_disk_of("4m", "grade --no-cache -p ./pkg mine.py", level)
        else {
            continue;
        };
        assert_eq!(ran.code, Some(3), "{level}: {ran:?}");
        assert!(
            (ran.stdout + &ran.stderr).contains("where it writes its files, is full"),
            "{level}"
        );
    }
}

#[test]
fn the_output_of_one_pass_is_not_judged_alone() {
    let judge = package(NEW, CHECK, &[8]);
    judge.put("o", "4\n");
    let ran = judge.run(&["check", "-p", "./pkg", "pkg/data/secret/1.in", "o"]);
    let error = "error: o: is the output of one pass, and the problem has several\n";
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.starts_with(error), "{}", ran.stderr);
}
