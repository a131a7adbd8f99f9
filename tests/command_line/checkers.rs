//! Problems with a checker program on the command line: its messages, its failures and
//! changes to it.

use crate::judge::Judge;

const SPEC: &str =
    "name = \"Twice\"\n\n[task]\nkind = \"program\"\nchecker = \"check.sh\"\n";

/// Accepts every output whose last digit is that of the answer.
const CHECKER: &str = r#"#!/bin/sh
read -r expected < "$2"
read -r found
[ "$((found % 10))" = "$((expected % 10))" ] && exit 42
echo "$found does not end as $expected does" > "$3/judgemessage.txt"
exit 43
"#;

/// A judge's folder with that problem, a checker of this text, and two cases.
fn judge(checker: &str) -> Judge {
    let judge = Judge::new();
    judge.put("problems/twice/problem.toml", SPEC);
    judge.script("problems/twice/check.sh", checker);
    for (name, input, answer) in [("1", "4\n", "8\n"), ("2", "9\n", "18\n")] {
        judge.put(format!("cases/twice/sample/{name}.in"), input);
        judge.put(format!("cases/twice/sample/{name}.ans"), answer);
    }
    judge.script(
        "right.sh",
        "#!/bin/sh\nread -r n\necho \"$((n * 2 + 10))\"\n",
    );
    judge.script("wrong.sh", "#!/bin/sh\nread -r n\necho \"$((n + 4))\"\n");
    judge
}

#[test]
fn the_message_of_the_checker_is_shown_with_a_wrong_answer() {
    let judge = judge(CHECKER);
    let ran = judge.run(&["grade", "-p", "twice", "right.sh"]);
    assert!(
        ran.stdout
            .ends_with("\n1 submission, 2 trials: 1 accepted\n"),
        "{}",
        ran.stdout
    );
    let ran = judge.run(&["grade", "-p", "twice", "wrong.sh"]);
    assert!(
        ran.stdout.contains("13 does not end as 18 does"),
        "{}",
        ran.stdout
    );
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
}

#[test]
fn the_message_about_an_accepted_output_is_in_the_log_and_in_reports() {
    let judge = judge(
        "#!/bin/sh\necho 'for the judge <1>' > $3/judgemessage.txt\necho 'for the team' > $3/teammessage.txt\nexit 42\n",
    );
    let reports = [
        "--log",
        "log.jsonl",
        "--junit",
        "junit.xml",
        "--csv",
        "table.csv",
        "--tap",
        "out.tap",
        "--html",
        "page.html",
    ];
    let ran =
        judge.run(&[&["grade", "-p", "twice", "right.sh"], &reports[..]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        judge
            .read("log.jsonl")
            .contains(r#""checker_message":"for the judge <1>; for the team""#)
    );
    assert!(
        judge
            .read("junit.xml")
            .contains("checker: for the judge &lt;1&gt;; for the team"),
        "{}",
        judge.read("junit.xml")
    );
    for report in ["table.csv", "out.tap"] {
        assert!(
            judge
                .read(report)
                .contains("for the judge <1>; for the team"),
            "{}",
            judge.read(report)
        );
    }
    assert!(judge.read("page.html").contains("for the judge &lt;1&gt;"));
    // From the cache as well.
    judge.run(&[&["grade", "-p", "twice", "right.sh"], &reports[..]].concat());
    let log = judge.read("log.jsonl");
    assert!(
        log.contains(r#""cached":true"#) && log.contains("for the team"),
        "{log}"
    );
}

#[test]
fn pictures_errors_and_the_place_of_a_difference_are_reported() {
    let judge = judge(
        "#!/bin/sh\necho no > $3/judgemessage.txt\necho '0 2' > $3/diffposition.txt\necho 1234 > $3/judgeimage.png\nln -s /etc/passwd $3/teamimage.png\necho 'a judge error' > $3/judgeerror.txt\nexit 43\n",
    );
    let ran = judge.run(&["grade", "-p", "twice", "right.sh", "--log", "log.jsonl"]);
    for expected in [
        "checker: no, at byte 2 of the output",
        "checker: a judge error",
        "checker: it drew judgeimage.png (5 bytes)",
    ] {
        assert!(ran.stdout.contains(expected), "{expected}: {}", ran.stdout);
    }
    assert!(
        !ran.stdout.contains("teamimage"),
        "a link is no picture: {}",
        ran.stdout
    );
    let log = judge.read("log.jsonl");
    assert!(log.contains(r#""byte":2"#), "{log}");
    assert!(
        log.contains(r#"[{"name":"judgeimage.png","bytes":5,"data":"MTIzNAo="}]"#),
        "{log}"
    );
}

#[test]
fn the_log_has_no_room_for_large_pictures_nor_for_many_of_a_submission() {
    let judge = judge(
        "#!/bin/sh\nfor name in judgeimage.jpg judgeimage.png teamimage.jpg; do head -c 60000 /dev/zero > $3/$name; done\nhead -c 70000 /dev/zero > $3/teamimage.png\nexit 43\n",
    );
    let ran = judge.run(&[
        "grade",
        "-p",
        "twice",
        "right.sh",
        "--all",
        "--log",
        "log.jsonl",
    ]);
    assert!(
        ran.stdout
            .contains("checker: it drew teamimage.png (70000 bytes)"),
        "{}",
        ran.stdout
    );
    let log = judge.read("log.jsonl");
    assert_eq!(
        log.matches(r#""bytes":60000,"data":"AAAA"#).count(),
        4,
        "of 256 KiB"
    );
    assert_eq!(log.matches(r#""bytes":60000}"#).count(), 2);
    assert_eq!(
        log.matches(r#""name":"teamimage.png","bytes":70000}"#)
            .count(),
        2
    );
    // An accepted output has pictures in words only.
    judge.script(
        "problems/twice/check.sh",
        "#!/bin/sh\necho 1234 > $3/judgeimage.png\nexit 42\n",
    );
    judge.run(&["grade", "-p", "twice", "right.sh", "--log", "log.jsonl"]);
    let log = judge.read("log.jsonl");
    assert!(
        log.contains("it drew judgeimage.png (5 bytes)")
            && !log.contains("checker_images"),
        "{log}"
    );
}

#[test]
fn a_checker_that_ends_without_a_verdict_is_a_fault_with_the_command_to_repeat_it() {
    let judge = judge("#!/bin/sh\necho out of luck >&2\nexit 7\n");
    let ran = judge.run(&["grade", "-p", "twice", "right.sh"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    let text = ran.stdout + &ran.stderr;
    let cause = "running the checker problems/twice/check.sh on sample/1: it ended with exit code 7, and an output \
                 validator ends with 42 or 43; it said: out of luck";
    assert!(text.contains(cause), "{text}");
    let command = "compile it and run `problems/twice/check.sh cases/twice/sample/1.in cases/twice/sample/1.ans FEEDBACK/ < OUTPUT`";
    assert!(text.contains(command), "{text}");
}

#[test]
fn check_judges_an_existing_output_with_the_checker() {
    let judge = judge(CHECKER);
    judge
        .put("right.txt", "28\n")
        .put("wrong.txt", "13\n")
        .put("other.in", "")
        .put("other.ans", "3\n");
    let input = "cases/twice/sample/2.in";
    let check =
        |files: &[&str]| judge.run(&[&["check", "-p", "twice"], files].concat());
    let ran = check(&[input, "right.txt", "cases/twice/sample/2.ans"]);
    assert_eq!(
        (ran.stdout.as_str(), ran.code),
        ("AC (accepted)\n", Some(0)),
        "{}",
        ran.stderr
    );
    // The answer need not be named for a case of the problem.
    let ran = check(&[input, "wrong.txt"]);
    let expected =
        "wrong.txt: checker: 13 does not end as 18 does\nWA (wrong answer)\n";
    assert_eq!(
        (ran.stdout.as_str(), ran.code),
        (expected, Some(1)),
        "{}",
        ran.stderr
    );
    assert_eq!(check(&["other.in", "wrong.txt", "other.ans"]).code, Some(0));
    let error = "error: other.in: the checker needs the answer to it as well\n\
                 hint: give the answer file after the output file";
    judge.refuses(&["check", "-p", "twice", "other.in", "wrong.txt"], error);
    let error = "error: /dev/null: is not a regular file, and the checker opens it by its name\nhint: copy it to one";
    judge.refuses(
        &[
            "check",
            "-p",
            "twice",
            "/dev/null",
            "wrong.txt",
            "other.ans",
        ],
        error,
    );
}

#[test]
fn a_checker_that_fails_at_an_output_is_a_fault() {
    let judge = judge("#!/bin/sh\nexit 7\n");
    judge.put("out", "");
    let ran = judge.run(&["check", "-p", "twice", "cases/twice/sample/2.in", "out"]);
    let expected = "running the checker problems/twice/check.sh on sample/2: it ended with exit code 7";
    assert!(
        ran.code == Some(3) && ran.stderr.contains(expected),
        "{ran:?}"
    );
}

#[test]
fn a_submission_that_crashes_is_not_checked() {
    let judge = judge("#!/bin/sh\nexit 7\n");
    judge.script("crash.sh", "#!/bin/sh\nexit 1\n");
    let ran = judge.run(&["grade", "-p", "twice", "crash.sh"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout + &ran.stderr);
}

#[test]
fn a_changed_checker_judges_again() {
    let judge = judge(CHECKER);
    let trials =
        |judge: &Judge| judge.run(&["grade", "-p", "twice", "right.sh"]).stdout;
    assert!(!trials(&judge).contains("cache"));
    assert!(
        trials(&judge).contains("from the cache"),
        "{}",
        trials(&judge)
    );
    judge.script("problems/twice/check.sh", "#!/bin/sh\nexit 43\n");
    let anew = trials(&judge);
    assert!(
        anew.contains("WA") && !anew.contains("from the cache"),
        "{anew}"
    );
}

#[test]
fn a_missing_checker_is_a_mistake_in_the_spec() {
    let judge = judge(CHECKER);
    std::fs::remove_file(judge.path("problems/twice/check.sh")).unwrap();
    judge.refuses(
        &["grade", "-p", "twice", "right.sh"],
        "error: problems/twice/problem.toml:5: the checker `check.sh` cannot be read: No such file or directory (os error 2)\n\
         hint: put it next to problem.toml, and name it as `checker = \"check.cpp\"`",
    );
}

#[test]
fn a_checker_sees_neither_hidden_files_nor_linked_files_of_its_folder() {
    let judge = judge("");
    judge
        .put("secret.py", "SECRET = 1\n")
        .remove("problems/twice/check.sh");
    judge.edit("problems/twice/problem.toml", "check.sh", "check.py");
    let seen = "import os, sys\nseen = sorted(os.listdir(os.path.dirname(sys.argv[0])))\n\
                open(sys.argv[3] + 'judgemessage.txt', 'w').write(' '.join(seen))\nsys.exit(43)\n";
    judge
        .put("problems/twice/check.py", seen)
        .put("problems/twice/lib.py", "")
        .put("problems/twice/.own.py", "");
    judge.link("problems/twice/leak.py", "../../secret.py");
    let ran = judge.run(&["grade", "-p", "twice", "right.sh"]);
    let output = ran.stdout + &ran.stderr;
    assert!(output.contains("checker: check.py lib.py"), "{output}");
}

#[test]
fn a_checker_can_read_files_of_a_case_that_only_their_owner_may_read() {
    let judge = judge(CHECKER);
    for name in ["1.in", "1.ans", "2.ans"] {
        let path = judge.path(format!("cases/twice/sample/{name}"));
        std::fs::set_permissions(
            path,
            std::os::unix::fs::PermissionsExt::from_mode(0o600),
        )
        .unwrap();
    }
    let ran = judge.run(&["grade", "-p", "twice", "right.sh"]);
    assert!(
        ran.stdout
            .ends_with("\n1 submission, 2 trials: 1 accepted\n"),
        "{}",
        ran.stdout + &ran.stderr
    );
}

#[test]
fn renaming_a_header_invalidates_cached_results_of_the_checker() {
    let judge = judge(CHECKER);
    judge
        .put("problems/twice/a.h", "1")
        .put("problems/twice/b.h", "2");
    judge.run(&["grade", "-p", "twice", "right.sh"]);
    let rename = |from: &str, to: &str| {
        std::fs::rename(
            judge.path(format!("problems/twice/{from}")),
            judge.path(format!("problems/twice/{to}")),
        )
        .unwrap();
    };
    rename("b.h", "c.h");
    let ran = judge.run(&["grade", "-p", "twice", "right.sh"]);
    assert!(!ran.stdout.contains("from the cache"), "{}", ran.stdout);
}

#[test]
fn an_exception_in_a_python_checker_is_a_fault_however_long_its_message() {
    let judge = judge(CHECKER);
    judge.put(
        "problems/twice/problem.toml",
        SPEC.replace("check.sh\"", "check.py\"\nprotocol = \"oj\""),
    );
    judge.put(
        "problems/twice/check.py",
        "raise ValueError('7 ' * 40000)\n",
    );
    let ran = judge.run(&["grade", "-p", "twice", "right.sh"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stdout);
    let text = ran.stdout + &ran.stderr;
    let command =
        "to repeat it, run `python3 problems/twice/check.py cases/twice/sample/1.in ";
    assert!(text.contains(command), "{text}");
}
