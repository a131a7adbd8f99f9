//! Interactive packages of Polygon on the command line: an interactor talks to a
//! submission, and a checker judges the file that the interactor writes. Both are C++
//! programs that follow the protocol of testlib without using it.

use crate::judge::{Judge, needs_cc};

const PROBLEM: &str = r#"<problem short-name="guess">
  <names><name language="english" value="Guess"/></names>
  <judging input-file="" output-file="" run-count="1">
    <testset name="tests">
      <time-limit>100</time-limit>
      <memory-limit>268435456</memory-limit>
      <test-count>2</test-count>
      <input-path-pattern>tests/%02d</input-path-pattern>
      <answer-path-pattern>tests/%02d.a</answer-path-pattern>
      <tests><test method="manual" sample="true"/><test method="manual"/></tests>
    </testset>
  </judging>
  <assets>
    <checker type="testlib"><source path="files/check.cpp" type="cpp.g++17"/></checker>
    <interactor><source path="files/talk.cpp" type="cpp.g++17"/></interactor>
    <solutions>
      <solution tag="main"><source path="solutions/right.sh" type="shell"/></solution>
      <solution tag="wrong-answer"><source path="solutions/beyond.sh" type="shell"/></solution>
      <solution tag="wrong-answer"><source path="solutions/by_ones.sh" type="shell"/></solution>
      <solution tag="presentation-error"><source path="solutions/words.sh" type="shell"/></solution>
      <solution tag="failed"><source path="solutions/crash.sh" type="shell"/></solution>
      <solution tag="time-limit-exceeded"><source path="solutions/slow.sh" type="shell"/></solution>
      <solution tag="time-limit-exceeded"><source path="solutions/silent.sh" type="shell"/></solution>
    </solutions>
  </assets>
</problem>
"#;

/// A header with a function that ends a program as testlib does.
const ENDING: &str = "#include <cstdio>\n#include <cstdlib>\n\
    [[noreturn]] inline void quit(int code, const char *message) { fprintf(stderr, \"%s\\n\", message); exit(code); }\n";

/// Lets the submission guess a number from 1 to 100, and writes the number of guesses.
const INTERACTOR: &str = r#"#include "ending.h"
int main(int count, char **words) {
    if (count != 4) quit(3, "FAIL three arguments are wanted");
    FILE *input = fopen(words[1], "r"), *output = fopen(words[2], "w");
    int hidden, guess;
    if (!output || fscanf(input, "%d", &hidden) != 1) quit(3, "FAIL no number");
    for (int guesses = 1;; guesses++) {
        if (scanf("%d", &guess) != 1) quit(2, "wrong output format Expected integer");
        if (guess < 1 || guess > 100) quit(1, "wrong answer a guess beyond 100");
        if (guess == hidden) {
            fprintf(output, "%d\n", guesses);
            fclose(output);
            puts("correct");
            quit(0, "ok guessed");
        }
        puts(guess < hidden ? "higher" : "lower");
        fflush(stdout);
    }
}
"#;

/// Accepts as many guesses as the answer allows.
const CHECKER: &str = r#"#include "ending.h"
int main(int count, char **words) {
    if (count != 6) quit(3, "FAIL five arguments are wanted");
    FILE *output = fopen(words[2], "r"), *answer = fopen(words[3], "r"), *report = fopen(words[4], "w");
    int guesses, most;
    if (fscanf(answer, "%d", &most) != 1) quit(3, "FAIL no answer");
    if (fscanf(output, "%d", &guesses) != 1) quit(2, "wrong output format nothing is written");
    fprintf(report, "<result outcome = \"x\">%d guesses of %d</result>", guesses, most);
    fclose(report);
    return guesses > most;
}
"#;

/// Guesses by bisection.
const RIGHT: &str = r#"low=1 high=100
while :; do
    middle=$(((low + high) / 2))
    echo $middle
    read said
    case $said in
    correct) break ;;
    higher) low=$((middle + 1)) ;;
    *) high=$((middle - 1)) ;;
    esac
done
"#;

/// The programs of the package, in the order of `problem.xml`.
const SOLUTIONS: [(&str, &str); 7] = [
    ("right.sh", RIGHT),
    ("beyond.sh", "echo 101\nread said\n"),
    (
        "by_ones.sh",
        "guess=1\necho 1\nwhile read said && [ $said != correct ]; do\n  guess=$((guess + 1))\n  echo $guess\ndone\n",
    ),
    ("words.sh", "echo seven\nread said\n"),
    ("crash.sh", "echo 1\nread said\nexit 3\n"),
    ("slow.sh", "echo 1\nread said\nwhile :; do :; done\n"),
    ("silent.sh", "read said\n"),
];

/// A package in `problems`, with the hidden numbers 50 and 77. Bisection guesses 50 at
/// once.
fn package() -> Judge {
    needs_cc();
    let judge = Judge::new();
    let files = [
        ("problem.xml", PROBLEM),
        ("files/ending.h", ENDING),
        ("files/talk.cpp", INTERACTOR),
        ("files/check.cpp", CHECKER),
        ("tests/01", "50\n"),
        ("tests/01.a", "7\n"),
        ("tests/02", "77\n"),
        ("tests/02.a", "7\n"),
    ];
    for (name, text) in &files {
        judge.put(format!("problems/guess/{name}"), text);
    }
    for (name, text) in &SOLUTIONS {
        _ = judge.put(format!("problems/guess/solutions/{name}"), text)
    }
    judge
}

/// The exit code of grading some programs, and a line for the outcome of each case.
fn outcomes(judge: &Judge, arguments: &[&str]) -> (Option<i32>, Vec<String>) {
    judge.forget();
    let ran = judge.run(
        &[
            &["grade", "-p", "guess", "--all", "-q", "--log", "log.jsonl"],
            arguments,
        ]
        .concat(),
    );
    let log = judge.read("log.jsonl");
    let events = log
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    (
        ran.code,
        events
            .filter_map(|event| {
                let text = |value: &serde_json::Value| {
                    value.as_str().unwrap_or_default().to_owned()
                };
                let place = format!(
                    "{} {}",
                    text(&event["submission"]),
                    text(&event["case"])
                );
                match event["event"].as_str() {
                    Some("trial_finished") => {
                        let why = text(&event["finding"]["message"]);
                        Some(
                            format!("{place} {} {why}", text(&event["verdict"]))
                                .trim_end()
                                .to_owned(),
                        )
                    }
                    Some("trial_faulted") => Some(format!(
                        "{place} fault {}: {}",
                        text(&event["doing"]),
                        text(&event["cause"])
                    )),
                    _ => None,
                }
            })
            .collect(),
    )
}

#[test]
fn the_interactor_judges_first_and_then_the_checker_at_any_number_of_jobs() {
    let judge = package();
    let waits = "it waits for input while the interactor waits for what it says: it has not flushed its output, or reads more \
                 than it is told";
    let expected = [
        "right.sh tests/01 AC",
        "right.sh tests/02 AC",
        "beyond.sh tests/01 WA interactor: wrong answer a guess beyond 100",
        "beyond.sh tests/02 WA interactor: wrong answer a guess beyond 100",
        "by_ones.sh tests/01 WA checker: 50 guesses of 7",
        "by_ones.sh tests/02 WA checker: 77 guesses of 7",
        "words.sh tests/01 PE interactor: wrong output format Expected integer",
        "words.sh tests/02 PE interactor: wrong output format Expected integer",
        "crash.sh tests/01 RE",
        "crash.sh tests/02 RE",
        "slow.sh tests/01 TLE",
        "slow.sh tests/02 TLE",
        &format!("silent.sh tests/01 ILE {waits}"),
        &format!("silent.sh tests/02 ILE {waits}"),
    ];
    for jobs in ["-j1", "-j4"] {
        let (code, found) = outcomes(&judge, &[jobs]);
        assert_eq!(found, expected, "{jobs}");
        assert_eq!(code, Some(0), "{jobs}");
    }
}

#[test]
fn doctor_names_the_judging_programs_and_verify_checks_the_tags_of_solutions() {
    let judge = package();
    let page = judge.run(&["doctor", "./problems/guess"]).stdout;
    assert!(
        page.contains("guess is a Polygon package, and can be judged."),
        "{page}"
    );
    assert!(
        page.contains(
            "by an interaction with the program files/talk.cpp, and what that has written by the program\n"
        ),
        "{page}"
    );
    let ran = judge.run(&["verify", "guess"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn an_interactor_or_checker_that_ends_without_a_verdict_is_a_fault_that_names_it() {
    let judge = package();
    let right = "problems/guess/solutions/right.sh";
    let running = |kind, file| {
        format!(
            "right.sh tests/01 fault running the {kind} problems/guess/files/{file} on tests/01: "
        )
    };
    for (file, from, to, kind, cause) in [
        (
            "talk.cpp",
            "fprintf(output",
            "abort(); fprintf(output",
            "interactor",
            "it ended with SIGABRT, which testlib does not know",
        ),
        (
            "talk.cpp",
            "quit(0, \"ok guessed\")",
            "quit(3, \"FAIL lost\")",
            "interactor",
            "it failed itself (`_fail`): mostly the input or the answer is wrong; it said: FAIL lost",
        ),
        (
            "talk.cpp",
            "fclose(output)",
            "for (int most = 3 << 20; most--;) fputs(\"123\", output)",
            "interactor",
            "it broke its own output limit ([task.limits], or `validation_*` of a package)",
        ),
        (
            "check.cpp",
            "return guesses > most",
            "return 7",
            "checker",
            "it gives points, and this problem has none to give; it said: 6 guesses of 7",
        ),
        (
            "check.cpp",
            "fprintf(report",
            "quit(3, \"FAIL lost\"); fprintf(report",
            "checker",
            "it failed itself (`_fail`): mostly the input or the answer is wrong; it said: FAIL lost",
        ),
    ] {
        let judge = package();
        let whole = format!("problems/guess/files/{file}");
        judge.edit(&whole, from, to);
        judge.put("problems/guess/tests/01", "44\n");
        let (code, found) = outcomes(&judge, &[right]);
        assert_eq!(
            (code, &found[0]),
            (Some(3), &(running(kind, file) + cause)),
            "{to}"
        );
    }
    judge.edit("problems/guess/files/check.cpp", "ending.h", "testlib.h");
    let ran = judge.run(&["grade", "-p", "guess", right]);
    let output = ran.stdout + &ran.stderr;
    assert!(
        output.contains("compiling the checker problems/guess/files/check.cpp: ")
            && ran.code == Some(3),
        "{output}"
    );
}

#[test]
fn programs_outside_of_files_find_the_headers_in_it() {
    let judge = package();
    for name in ["talk.cpp", "check.cpp"] {
        let text = judge.read(&format!("problems/guess/files/{name}"));
        judge
            .put(format!("problems/guess/{name}"), text)
            .remove(&format!("problems/guess/files/{name}"));
        judge.edit("problems/guess/problem.xml", &format!("files/{name}"), name);
    }
    let (_, found) = outcomes(&judge, &["problems/guess/solutions/right.sh"]);
    assert_eq!(found, ["right.sh tests/01 AC", "right.sh tests/02 AC"]);
}

#[test]
fn an_interactor_that_writes_nothing_gives_the_checker_an_empty_file() {
    let judge = package();
    judge.edit(
        "problems/guess/files/talk.cpp",
        "fopen(words[2], \"w\")",
        "stderr",
    );
    judge.edit("problems/guess/files/talk.cpp", "fclose(output);", "");
    let (_, found) = outcomes(&judge, &["problems/guess/solutions/right.sh"]);
    assert_eq!(
        found[0],
        "right.sh tests/01 PE checker: wrong output format nothing is written"
    );
}

#[test]
fn answers_refuses_to_write_missing_answers_of_an_interactive_package() {
    let judge = package();
    judge.remove("problems/guess/tests/02.a");
    judge.refuses(
        &["answers", "guess"],
        "error: problems/guess/tests/02.a: is missing, and no submission writes it: they talk to the interactor of this problem\n\
         hint: write what the interactor wants to read there, or nothing; the full package of a problem of Polygon has it",
    );
}

#[test]
fn a_changed_interactor_checker_or_header_judges_again() {
    let judge = package();
    let grade = || {
        judge
            .run(&["grade", "-p", "guess", "problems/guess/solutions/right.sh"])
            .stdout
    };
    assert!(!grade().contains("from the cache"));
    assert!(grade().contains("from the cache"));
    for (file, from, to) in [
        ("talk.cpp", "ok guessed", "ok found"),
        ("check.cpp", "guesses > most", "guesses > 1"),
        ("ending.h", "#include <cstdio>", "#include <stdio.h>"),
    ] {
        judge.edit(&format!("problems/guess/files/{file}"), from, to);
        assert!(!grade().contains("from the cache"), "{file}");
        assert!(grade().contains("from the cache"), "{file}");
    }
    assert!(grade().contains("checker: 7 guesses of 7"), "{}", grade());
}

/// An interactor that logs what it reads and gives five points, or of a submission that
/// says `part` the first of 200 parts.
const POINTS_INTERACTOR: &str = r#"#include <cstdio>
#include <cstdlib>
#include <cstring>
int main() {
    char line[100];
    if (!fgets(line, sizeof line, stdin)) exit(1);
    fprintf(stderr, "got: %s%s", line, line);
    if (strcmp(line, "part\n") == 0) { fprintf(stderr, "partially correct (1) a part\n"); exit(1); }
    if (strcmp(line, "none\n") == 0) { fprintf(stderr, "partially correct (0) nothing\n"); exit(0); }
    fprintf(stderr, "points 5.0 few queries are left\n");
    exit(7);
}
"#;

#[test]
fn points_of_an_interactor_leave_the_submission_time_to_end_and_cannot_be_forged() {
    let judge = package();
    let (before, tests) = PROBLEM.split_once("<tests>").unwrap();
    let after = tests.split_once("</tests>").unwrap().1;
    let tests = "<tests><test method=\"manual\" points=\"50.0\"/><test method=\"manual\" points=\"50.0\"/></tests>";
    judge.put(
        "problems/guess/problem.xml",
        format!("{before}{tests}{after}"),
    );
    judge.put("problems/guess/files/talk.cpp", POINTS_INTERACTOR);
    let submissions = ["hello", "points 50", "part", "none"].map(|word| {
        let name = format!("{}.sh", word.replace(' ', "_"));
        judge.put(&name, format!("echo {word}\nsleep 0.2\n"));
        name
    });
    judge.put("crash.sh", "echo hello\nsleep 0.2\nexit 1\n");
    let arguments = [
        "grade",
        "-p",
        "guess",
        "--all",
        "-q",
        "--log",
        "log.jsonl",
        "crash.sh",
    ];
    judge
        .run(&[&arguments[..], &submissions.each_ref().map(String::as_str)].concat());
    let log = judge.read("log.jsonl");
    let events = log
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let events = events.filter(|event| event["event"] == "submission_finished");
    let mut found: Vec<_> = events
        .map(|event| {
            format!(
                "{} {} {}",
                event["submission"], event["verdict"], event["score"]["earned"]
            )
        })
        .collect();
    found.sort();
    let expected = [
        "\"crash.sh\" \"RE\" 0",
        "\"hello.sh\" \"AC\" 10",
        "\"none.sh\" \"WA\" 0",
        "\"part.sh\" \"AC\" 0.5",
        "\"points_50.sh\" \"AC\" 10",
    ];
    assert_eq!(found, expected, "{log}");
}
