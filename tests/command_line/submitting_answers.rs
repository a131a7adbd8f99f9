//! Problems whose submissions are answers instead of programs (`type: submit-answer` of
//! 2025-09).

use std::fs;
use std::io::Write;
use std::process::Command;

use crate::command_line::course::grade_while_linking;
use crate::judge::share::at_any_number_of_jobs;
use crate::judge::{Judge, Ran, needs_cc};
use serde_json::Value;

const YAML: &str = "problem_format_version: 2025-09\nname: Twice\nuuid: 3b5f\n";

const TYPE: &str = "type: submit-answer\n";

/// The cases: one sample and three secret cases, each with a number; the answer is its
/// double.
const CASES: [(&str, u64); 4] = [
    ("sample/1", 1),
    ("secret/a/1", 2),
    ("secret/a/2", 3),
    ("secret/b/3", 10),
];

/// A package with these cases and additional files.
fn package(more: &str, files: &[(&str, &str)]) -> Judge {
    let judge = Judge::new();
    judge.put("twice/problem.yaml", format!("{YAML}{more}"));
    judge.put("twice/statement/problem.en.tex", "Twice\n");
    for (name, number) in CASES {
        let place = format!("twice/data/{name}");
        judge.put(format!("{place}.in"), format!("{number}\n"));
        judge.put(format!("{place}.ans"), format!("{}\n", 2 * number));
    }
    for (name, text) in files {
        judge.put(format!("twice/{name}"), text);
    }
    judge
}

/// Writes the files of a submission, such as `sample/1.out`, to a folder.
fn answers(judge: &Judge, folder: &str, files: &[(&str, &str)]) {
    for (name, text) in files {
        drop(judge.put(format!("{folder}/{name}"), text).path(""))
    }
}

const RIGHT: [(&str, &str); 4] = [
    ("sample/1.out", "2\n"),
    ("secret/a/1.out", "4\n"),
    ("2.ans", "6\n"),
    ("b/3.out", "20\n"),
];

/// The exit code and the verdict on each case of each submission in the order of the
/// log, which must be the same at any number of jobs.
#[track_caller]
fn judged(judge: &Judge, arguments: &[&str]) -> (Option<i32>, Vec<String>) {
    at_any_number_of_jobs(|jobs| {
        let ran = judge
            .run(&[arguments, &["-q", "--all", "--log", "log.jsonl", jobs]].concat());
        assert_eq!(ran.stderr, "");
        let log = judge.read("log.jsonl");
        let events = log
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let trials = events.filter(|event| event["event"] == "trial_finished");
        let results = trials.map(|trial| {
            ["submission", "case", "verdict"]
                .map(|key| (&trial)[key].as_str().unwrap().to_owned())
                .join(" ")
        });
        (ran.code, results.collect::<Vec<_>>())
    })
}

#[track_caller]
fn succeeded(ran: &Ran) -> &str {
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (Some(0), ""),
        "{}",
        ran.stdout
    );
    &ran.stdout
}

/// Judges a submission that must be a compile error. The messages are for its author
/// only, so standard error is empty.
#[track_caller]
fn assert_compile_error(judge: &Judge, arguments: &[&str], expected: &str) {
    let ran =
        judge.run(&[&["grade"], arguments, &["-q", "--log", "log.jsonl"]].concat());
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (Some(1), ""),
        "{}",
        ran.stdout
    );
    let log = judge.read("log.jsonl");
    let finished = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let finished = finished
        .filter(|event| event["event"] == "trial_finished")
        .collect::<Vec<_>>();
    assert_eq!(finished[0]["verdict"], "CE");
    assert_eq!(finished[0]["stderr"].as_str().unwrap(), expected);
    let first = expected.lines().next().unwrap();
    assert!(log.contains(&format!("\"reason\":\"{first}")), "{log}");
}

/// Packs files into an archive.
fn pack(judge: &Judge, archive: &str, files: &[(&str, &str)]) {
    let entries: Vec<_> = files
        .iter()
        .map(|(name, text)| format!("({name:?}, {text:?})"))
        .collect();
    let script = format!(
        "import zipfile\nwith zipfile.ZipFile({:?}, 'w') as made:\n    for name, text in [{}]:\n        made.writestr(name, text)\n",
        judge.path(archive),
        entries.join(", ")
    );
    assert!(
        Command::new("python3")
            .args(["-c", &script])
            .status()
            .unwrap()
            .success()
    );
}

#[test]
fn answers_in_a_folder_or_an_archive_are_judged_case_by_case_without_running_anything()
 {
    let judge = package(TYPE, &[]);
    answers(&judge, "right", &RIGHT);
    let all = |name: &str, verdicts: [&str; 4]| {
        let each = CASES.iter().zip(verdicts);
        each.map(|((case, _), verdict)| format!("{name} {case} {verdict}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        judged(&judge, &["grade", "-p", "./twice", "right"]),
        (Some(0), all("right", ["AC"; 4]))
    );
    // One answer is wrong and one is missing. An executable file is an answer like any
    // other.
    answers(
        &judge,
        "wrong",
        &[
            ("sample/1.out", "2"),
            ("secret/a/1.out", "5"),
            ("3.out", "20"),
        ],
    );
    judge.script("wrong/secret/a/1.out", "#!/bin/sh\necho 4\n");
    let verdicts = ["AC", "WA", "WA", "AC"];
    assert_eq!(
        judged(&judge, &["grade", "-p", "./twice", "wrong"]),
        (Some(1), all("wrong", verdicts))
    );
    let ran = judge.run(&["grade", "-p", "./twice", "wrong", "--all", "-v"]);
    assert!(
        ran.stdout
            .contains("the submission holds no answer to this case"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("answers"), "{}", ran.stdout);
    for around in ["", "mine/"] {
        let files = RIGHT.map(|(name, text)| (format!("{around}{name}"), text));
        let mut files: Vec<_> = files
            .iter()
            .map(|(name, text)| (name.as_str(), *text))
            .collect();
        files.push(("__MACOSX/mine/._1.out", "x"));
        pack(&judge, "right.zip", &files);
        let found = judged(&judge, &["grade", "-p", "./twice", "right.zip"]);
        assert_eq!(found, (Some(0), all("right.zip", ["AC"; 4])), "{around}");
    }
}

#[test]
fn a_single_file_is_the_answer_if_there_is_only_one_case() {
    let judge = Judge::new();
    judge.put("one/problem.yaml", format!("{YAML}{TYPE}"));
    judge
        .put("one/data/secret/1.in", "1\n")
        .put("one/data/secret/1.ans", "2\n");
    judge
        .put("good.txt", "2\n")
        .put("bad.txt", "3\n")
        .put("guess.py", "print(2)\n");
    assert_eq!(
        judge.run(&["grade", "-q", "-p", "./one", "good.txt"]).code,
        Some(0)
    );
    assert_eq!(
        judge.run(&["grade", "-q", "-p", "./one", "bad.txt"]).code,
        Some(1)
    );
    assert_compile_error(
        &judge,
        &["-p", "./one", "guess.py"],
        "is a program, and submissions to this problem are answers\n\
         hint: hand in a file with the answer to each case\n",
    );
    let several = package(TYPE, &[]);
    several.put("good.txt", "2\n");
    assert_compile_error(
        &several,
        &["-p", "./twice", "good.txt"],
        "is one file, and the problem has 4 cases\n\
         hint: hand in a folder or an archive (`.zip`) with a file for each: `sample/1.out`\n",
    );
}

#[test]
fn verify_checks_answers_against_their_folders_and_leaves_programs_out() {
    let judge = package(
        TYPE,
        &[(
            "submissions/accepted/program.py",
            "print(2 * int(input()))\n",
        )],
    );
    answers(&judge, "twice/submissions/accepted/right", &RIGHT);
    answers(&judge, "twice/submissions/wrong_answer/half", &RIGHT[..2]);
    pack(
        &judge,
        "twice/submissions/wrong_answer/packed.zip",
        &[("sample/1.out", "7")],
    );
    let verified = judge.run(&["verify", "./twice"]);
    assert_eq!(
        verified.code,
        Some(0),
        "{}{}",
        verified.stdout,
        verified.stderr
    );
    for expected in [
        "accepted/right",
        "wrong_answer/half",
        "wrong_answer/packed.zip",
    ] {
        assert!(verified.stdout.contains(expected), "{}", verified.stdout);
    }
    let left_out = "twice: 1 submission is not judged: accepted/program.py (it is a program, and submissions are answers (`type: submit-answer`))";
    judge.run(&["verify", "./twice", "--log", "log.jsonl"]);
    let started: Value =
        serde_json::from_str(judge.read("log.jsonl").lines().next().unwrap())
            .unwrap();
    let notes = started["notes"].to_string();
    assert!(
        notes.contains(left_out) && !notes.contains("time limit"),
        "{notes}"
    );
    answers(
        &judge,
        "twice/submissions/accepted/wrong",
        &[("sample/1.out", "3")],
    );
    assert_eq!(judge.run(&["verify", "-q", "./twice"]).code, Some(1));
    let suggested = judge.run(&["verify", "./twice", "--suggest-limits"]);
    let expected = "twice: submissions are answers, which no time limit binds";
    assert!(suggested.stdout.contains(expected), "{}", suggested.stdout);
    let listed = judge.run(&["list", "./twice"]);
    assert!(
        succeeded(&listed).contains("time") && !listed.stdout.contains(" s  "),
        "{}",
        listed.stdout
    );
    assert!(
        succeeded(&judge.run(&["list", "./twice", "--json"]))
            .contains("\"submissions_are_answers\": true")
    );
    let page = judge.run(&["doctor", "./twice"]);
    assert!(
        succeeded(&page).contains("answers to its cases, and no programs"),
        "{}",
        page.stdout
    );
}

#[test]
fn checkers_and_points_work_with_answers_as_with_outputs() {
    needs_cc();
    let checker = "#include <stdio.h>\nint main(int argc, char **argv) {\n  long n, found;\n  FILE *in = fopen(argv[1], \"r\");\n  \
                   if (fscanf(in, \"%ld\", &n) != 1) return 1;\n  \
                   return scanf(\"%ld\", &found) == 1 && found >= 2 * n ? 42 : 43;\n}\n";
    let judge = package(
        "type: [scoring, submit-answer]\n",
        &[
            ("output_validator/check.c", checker),
            (
                "data/secret/a/test_group.yaml",
                "max_score: 40\nscore_aggregation: sum\n",
            ),
            ("data/secret/b/test_group.yaml", "max_score: 60\n"),
        ],
    );
    answers(
        &judge,
        "part",
        &[
            ("sample/1.out", "2"),
            ("secret/a/1.out", "9"),
            ("b/3.out", "20"),
        ],
    );
    judged(&judge, &["grade", "-p", "./twice", "part"]);
    let log = judge.read("log.jsonl");
    let finished = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let finished = finished
        .filter(|event| event["event"] == "submission_finished")
        .collect::<Vec<_>>();
    assert_eq!(
        (&finished[0]["score"]["earned"], &finished[0]["language"]),
        (&80.into(), &"answers".into())
    );
}

#[test]
fn hostile_answers_are_refused_with_their_place_or_bounded_by_the_output_limit() {
    let judge = package(&format!("{TYPE}limits: {{output: 1}}\n"), &[]);
    answers(&judge, "bad", &RIGHT[..2]);
    judge
        .link("bad/2.out", "/etc/passwd")
        .link("bad/loop", "..");
    assert!(
        Command::new("mkfifo")
            .arg(judge.path("bad/3.out"))
            .status()
            .unwrap()
            .success()
    );
    judge
        .put("bad/5.out", "")
        .put("bad/notes.txt", "")
        .put("bad/1.out", "")
        .put("bad/.hidden", "");
    assert_compile_error(
        &judge,
        &["-p", "./twice", "bad"],
        "2.out: is a link\nhint: put the file itself in its place\n\
         3.out: is neither a file nor a folder\nhint: leave it out\n\
         loop: is a link\nhint: put the file itself in its place\n",
    );
    judge
        .remove("bad/2.out")
        .remove("bad/3.out")
        .remove("bad/loop")
        .put("bad/secret/a/1.ans", "");
    assert_compile_error(
        &judge,
        &["-p", "./twice", "bad"],
        "1.out: may be the answer to the case `sample/1` or to `secret/a/1`\nhint: call it as its case: `sample/1.out`\n\
         5.out: is the answer to no case\nhint: call it as its case: `sample/1.out`\n\
         notes.txt: is not an answer: it ends with neither `.out` nor `.ans`\nhint: call it as its case: `sample/1.out`\n\
         secret/a/1.out: is a second answer to the case `secret/a/1`\nhint: leave one of the two out\n",
    );
    fs::create_dir(judge.path("empty")).unwrap();
    assert_compile_error(
        &judge,
        &["-p", "./twice", "empty"],
        "holds no answers\nhint: put answers into it: `sample/1.out`\n",
    );
    // A file of half a terabyte is over the limit and is not read.
    answers(&judge, "huge", &RIGHT[..1]);
    fs::File::create(judge.path("huge/3.out"))
        .unwrap()
        .set_len(1 << 39)
        .unwrap();
    let (code, results) = judged(&judge, &["grade", "-p", "./twice", "huge"]);
    assert_eq!(
        (code, &results[3]),
        (Some(1), &"huge secret/b/3 OLE".to_owned())
    );
    judge.remove("huge/3.out");
    pack(&judge, "slip.zip", &[("../1.out", "2")]);
    assert_compile_error(
        &judge,
        &["-p", "./twice", "slip.zip"],
        "the entry `../1.out` leads out of the archive by `..`\nhint: pack the folder of the package again, with its own files only\n",
    );
    fs::File::create(judge.path("broken.zip"))
        .unwrap()
        .write_all(b"PK")
        .unwrap();
    assert_compile_error(
        &judge,
        &["-p", "./twice", "broken.zip"],
        "is not a readable archive: Missing end of central directory\nhint: pack it again\n",
    );
    // A file that the judge cannot open is a fault of the judge, not a verdict.
    judge.link("gone.zip", "nowhere");
    assert_eq!(
        judge.run(&["grade", "-p", "./twice", "gone.zip"]).code,
        Some(2)
    );
    // The author of the problem can repair its example submissions.
    answers(&judge, "twice/submissions/accepted/none", &[("5.out", "2")]);
    let ran = judge.run(&["verify", "./twice"]);
    let expected = "  error    submissions/accepted/none/5.out: is the answer to no case\n           remedy: call it as its case: `sample/1.out`\n";
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stdout.contains(expected),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
}

#[test]
fn commands_that_need_a_program_refuse_problems_with_submitted_answers() {
    let judge = package(TYPE, &[]);
    answers(&judge, "right", &RIGHT);
    judge
        .put("right.py", "print(2)\n")
        .put("gen.py", "print(1)\n");
    judge.refuses(
        &[
            "stress",
            "-p",
            "./twice",
            "right.py",
            "--generator",
            "gen.py",
            "--solution",
            "right.py",
        ],
        "error: right.py: is for a problem whose submissions are answers, and no program is run\n\
         hint: `gridjudge grade` judges answers\n",
    );
    judge.refuses(
        &["export", "./twice", "--to", "domjudge", "out"],
        "error: ./twice/problem.yaml: takes answers in place of programs, which domjudge cannot express\n\
         hint: judge it as it is, or with a judge that knows `type: submit-answer`\n",
    );
    succeeded(&judge.run(&["export", "./twice", "--to", "kattis-2025-09", "out"]));
    succeeded(&judge.run(&["grade", "-q", "-p", "./out", "right"]));
    judge.remove("twice/data/secret/b/3.ans");
    let refused = judge.run(&["answers", "./twice"]);
    assert!(
        refused.code == Some(2)
            && refused
                .stderr
                .contains("data/secret/b/3.ans: no program knows it"),
        "{}",
        refused.stderr
    );
    for (types, expected) in [
        (
            "[submit-answer, interactive]",
            "`submit-answer` has no program that could be `interactive`",
        ),
        (
            "[multi-pass, submit-answer]",
            "`submit-answer` has no program that could be `multi-pass`",
        ),
    ] {
        judge.put("twice/problem.yaml", format!("{YAML}type: {types}\n"));
        let refused = judge.run(&["doctor", "./twice"]);
        assert!(
            refused
                .stderr
                .contains(&format!("twice/problem.yaml:4: {expected}")),
            "{}",
            refused.stderr
        );
    }
}

#[test]
fn a_folder_of_answers_is_one_submission_of_a_student() {
    let judge = package(TYPE, &[]);
    judge.put("homework/course.toml", "");
    answers(&judge, "homework/Leo/twice", &RIGHT);
    answers(&judge, "homework/Mia", &RIGHT);
    answers(&judge, "homework/Pia/twice", &RIGHT[1..]);
    let of = |submission: &str, first: &str| {
        let cases = [
            ("sample/1", first),
            ("secret/a/1", "AC"),
            ("secret/a/2", "AC"),
            ("secret/b/3", "AC"),
        ];
        cases.map(|(case, verdict)| format!("{submission} {case} {verdict}"))
    };
    let expected = [
        of("Leo/twice", "AC"),
        of("Mia/answers", "AC"),
        of("Pia/twice", "WA"),
    ];
    let arguments = ["grade", "-p", "./twice", "homework"];
    assert_eq!(judged(&judge, &arguments), (Some(0), expected.concat()));
    answers(&judge, "homework/Sly/twice", &RIGHT[..3]);
    judge.link(
        "homework/Sly/twice/3.out",
        "../../../twice/data/secret/b/3.ans",
    );
    let ran = judge.run(&[&arguments[..], &["--log", "log.jsonl"]].concat());
    let out =
        "homework/Sly/twice/3.out: is a link that leads out of the student's folder";
    assert!(ran.stderr.contains(out), "{}", ran.stderr);
    let log = judge.read("log.jsonl");
    let mut of_sly = log.lines().filter(|line| line.contains("Sly/twice"));
    assert!(!of_sly.any(|line| line.contains("secret/b/3") && line.contains("AC")));
}

#[test]
fn teams_can_submit_archives_of_answers_in_a_contest() {
    let judge = package(TYPE, &[]);
    fs::create_dir(judge.path("problems/twice")).unwrap();
    fs::rename(judge.path("twice"), judge.path("problems/twice")).unwrap();
    fs::create_dir_all(judge.path("finals/red")).unwrap();
    fs::create_dir_all(judge.path("finals/blue")).unwrap();
    pack(&judge, "finals/red/twice@10.zip", &RIGHT);
    pack(&judge, "finals/blue/twice@20.zip", &RIGHT[..3]);
    let ran = judge.run(&["grade", "finals"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let (_, results) = judged(&judge, &["grade", "finals"]);
    assert_eq!(
        results.iter().filter(|line| line.ends_with("AC")).count(),
        7,
        "{results:?}"
    );
}

#[test]
fn an_archive_that_becomes_a_link_while_a_contest_is_judged_is_not_read() {
    let judge = package(TYPE, &[]);
    fs::create_dir(judge.path("problems/twice")).unwrap();
    fs::rename(judge.path("twice"), judge.path("problems/twice")).unwrap();
    fs::create_dir_all(judge.path("finals/red")).unwrap();
    fs::create_dir_all(judge.path("finals/blue")).unwrap();
    judge.put(
        "finals/blue/mini@1.sh",
        format!("sleep 2\n{}", crate::judge::RIGHT),
    );
    pack(&judge, "finals/blue/twice@10.zip", &RIGHT);
    pack(&judge, "finals/red/twice@20.zip", &RIGHT[..1]);
    let path = "finals/red/twice@20.zip";
    let target = "../blue/twice@10.zip";
    let ran = grade_while_linking(&judge, &["grade", "finals"], path, target);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let log = judge.read("log.jsonl");
    assert!(
        log.contains("has become a link, or a folder around it has"),
        "{log}"
    );
    let mut ended = log
        .lines()
        .filter(|line| line.contains("submission_finished"));
    assert!(
        ended
            .any(|line| line.contains("red/twice@20.zip") && line.contains("\"CE\"")),
        "{log}"
    );
}

#[test]
fn a_refused_archive_of_one_team_does_not_affect_other_teams() {
    let judge = package(TYPE, &[]);
    fs::create_dir(judge.path("problems/twice")).unwrap();
    fs::rename(judge.path("twice"), judge.path("problems/twice")).unwrap();
    for team in ["red", "blue", "green"] {
        fs::create_dir_all(judge.path(format!("finals/{team}"))).unwrap();
    }
    pack(&judge, "finals/red/twice@10.zip", &RIGHT);
    pack(&judge, "finals/blue/twice@20.zip", &[("../../1.out", "2")]);
    judge.put("finals/blue/twice@30.zip", "no archive");
    judge.put("finals/green/twice@40.py", "print(2)\n");
    let (code, results) = judged(&judge, &["grade", "finals"]);
    assert_eq!(code, Some(0));
    let of = |team: &str| {
        let own = results.iter().filter(|line| line.contains(team));
        own.map(|line| &line[line.len() - 2..]).collect::<Vec<_>>()
    };
    assert_eq!(of("red"), ["AC"; 4]);
    assert_eq!(
        of("blue")
            .iter()
            .filter(|verdict| **verdict == "CE")
            .count(),
        2,
        "{results:?}"
    );
    assert_eq!(
        of("green")
            .iter()
            .filter(|verdict| **verdict == "CE")
            .count(),
        1,
        "{results:?}"
    );
    let ran = judge.run(&["grade", "finals", "--html", "report.html"]);
    assert!(
        judge
            .read("report.html")
            .contains("is a program, and submissions to this problem are answers")
    );
    assert_eq!(ran.stderr, "");
}

/// Files are limited to 32 KiB here, to simulate a full disk.
#[test]
fn an_archive_that_does_not_fit_on_the_disk_is_a_fault_and_other_teams_are_judged() {
    let judge = package(TYPE, &[]);
    fs::create_dir(judge.path("problems/twice")).unwrap();
    fs::rename(judge.path("twice"), judge.path("problems/twice")).unwrap();
    for team in ["red", "blue"] {
        fs::create_dir_all(judge.path(format!("finals/{team}"))).unwrap();
    }
    pack(&judge, "finals/blue/twice@10.zip", &RIGHT);
    pack(
        &judge,
        "finals/red/twice@20.zip",
        &[("3.out", &"20\n".repeat(1 << 14))],
    );
    let script = "trap '' XFSZ; ulimit -f 64; exec \"$@\"";
    let grade = [
        "-c",
        script,
        "sh",
        env!("CARGO_BIN_EXE_gridjudge"),
        "grade",
        "finals",
        "--no-cache",
        "-j1",
    ];
    let ran = judge.ran(
        judge
            .command_of("sh", &[&grade[..], &["--log", "log.jsonl"]].concat())
            .output()
            .unwrap(),
    );
    assert_eq!(ran.code, Some(3), "{}{}", ran.stdout, ran.stderr);
    let log = judge.read("log.jsonl");
    let of = |event: &str, team: &str| {
        let lines = log
            .lines()
            .filter(|line| line.contains(event) && line.contains(team));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let accepted = of("trial_finished", "blue");
    assert!(
        accepted.len() == 4
            && accepted
                .iter()
                .all(|trial| trial.contains("\"verdict\":\"AC\"")),
        "{log}"
    );
    let faulted = of("trial_faulted", "red");
    assert!(
        faulted[0].contains("cannot be unpacked")
            && faulted[0].contains("File too large"),
        "{log}"
    );
    assert!(!log.contains("\"CE\""), "{log}");
}

/// Outputs to a case whose answer is [`ANSWER`]: it in other spellings, and others that
/// look like it.
const OUTPUTS: [&[u8]; 14] = [
    ANSWER.as_bytes(),
    b"Yes 1.5\r\nNo 10\r\n",
    b"Yes 1.5\rNo 10",
    b"  yes\t1.50\n\n\nNO 1e1",
    b"Yes 1.5\nNo 10\nYes 1.5\nNo 10\n",
    b"Yes 1.5\nNo",
    b"\xef\xbb\xbfYes 1.5\nNo 10\n",
    b"Yes\0 1.5\nNo 10\n",
    b"Yes 1.5\nNo 10\n\x1a",
    "Ye\u{455} 1.5\nNo 10\n".as_bytes(),
    b"Yes 1.5000001\nNo 10.\n",
    b"\xff\xfe",
    b"\n \n",
    b"",
];

const ANSWER: &str = "Yes 1.5\nNo 10\n";

#[test]
fn check_says_of_every_output_what_grade_says() {
    let flags = "output_validator_args: [case_sensitive, float_tolerance, 1e-6]\n";
    let judge = package(TYPE, &[("data/secret/a/test_group.yaml", flags)]);
    for number in 0..OUTPUTS.len() {
        // Every other case has the flags of the group `a`.
        let case = format!("secret/{}/d{number}", ["a", "b"][number % 2]);
        judge
            .put(format!("twice/data/{case}.in"), "1\n")
            .put(format!("twice/data/{case}.ans"), ANSWER);
        judge.put(format!("answers/{case}.out"), OUTPUTS[number]);
    }
    judge.run(&[
        "grade",
        "-p",
        "./twice",
        "answers",
        "-q",
        "--all",
        "--log",
        "log.jsonl",
    ]);
    let log = judge.read("log.jsonl");
    for number in 0..OUTPUTS.len() {
        let line = log.lines().find(|line| {
            line.contains(&format!("/d{number}\"")) && line.contains("trial_finished")
        });
        let trial: Value = serde_json::from_str(line.unwrap()).unwrap();
        let case = trial["case"].as_str().unwrap();
        let [input, answer] =
            ["in", "ans"].map(|ending| format!("twice/data/{case}.{ending}"));
        let output = format!("answers/{case}.out");
        let ran = judge.run(&["check", "-p", "./twice", &input, &output, &answer]);
        let verdict = trial["verdict"].as_str().unwrap();
        assert!(
            ran.stdout.lines().any(|line| line.starts_with(verdict)),
            "{case}: {verdict}\n{}",
            ran.stdout
        );
        assert_eq!(ran.code, Some(i32::from(verdict != "AC")), "{case}");
        if let Some(message) = trial["finding"]["message"].as_str() {
            assert!(
                ran.stdout.contains(message),
                "{case}: {message}\n{}",
                ran.stdout
            );
        }
    }
}
