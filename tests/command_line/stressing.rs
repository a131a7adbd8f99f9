//! `gridjudge stress` on the command line, with real programs in the real sandbox.

use std::process::Stdio;

use crate::judge::{self, Judge, Ran, SPEC, command_lines, needs_cc};
use rustix::process::{Pid, Signal};

/// A backtracking solver of `mini` in C. The statement `BUG` runs before each grid is
/// solved.
const SOLVER: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static char g[4][5];
static int fits(int r, int c, char v) {
    for (int i = 0; i < 4; i++)
        if (g[r][i] == v || g[i][c] == v || g[r / 2 * 2 + i / 2][c / 2 * 2 + i % 2] == v) return 0;
    return 1;
}
static int solve(int k) {
    if (k == 16) return 1;
    int r = k / 4, c = k % 4;
    if (g[r][c] != '.') return solve(k + 1);
    for (char v = '1'; v <= '4'; v++)
        if (fits(r, c, v)) {
            g[r][c] = v;
            if (solve(k + 1)) return 1;
            g[r][c] = '.';
        }
    return 0;
}
static int blanks(void) {
    int n = 0;
    for (int k = 0; k < 16; k++) n += g[k / 4][k % 4] == '.';
    return n;
}
static int has_empty_row(void) {
    for (int r = 0; r < 4; r++)
        if (g[r][0] == '.' && g[r][1] == '.' && g[r][2] == '.' && g[r][3] == '.') return 1;
    return 0;
}
int main(void) {
    int n;
    scanf("%d", &n);
    while (n--) {
        for (int r = 0; r < 4; r++) scanf("%4s", g[r]);
        BUG;
        solve(0);
        for (int r = 0; r < 4; r++) puts(g[r]);
    }
}
"#;

/// A judge's folder with a program that has this bug.
fn judge_with(bug: &str) -> Judge {
    needs_cc();
    let judge = Judge::new();
    judge.put("s.c", SOLVER.replace("BUG", bug));
    judge
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

#[test]
fn a_wrong_program_gets_a_case_a_note_and_a_command_that_repeats_it() {
    let judge = judge_with("if (has_empty_row()) g[0][0] = '9'");
    let ran = judge.run(&["stress", "-p", "mini", "s.c", "--seed", "1"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    let output_lines = lines(&ran.stdout);
    assert!(
        output_lines[0].starts_with("input ")
            && output_lines[0].contains(" of seed 1: WA (wrong answer): "),
        "{output_lines:?}"
    );
    assert!(
        output_lines[1].starts_with("shrunk from "),
        "{output_lines:?}"
    );
    assert_eq!(
        output_lines[output_lines.len() - 1],
        "written to stress/mini/s-1"
    );
    // One grid, with an empty row and no other blank.
    let input = judge.read("stress/mini/s-1/s-1.in");
    assert_eq!(
        (input.lines().next(), input.matches('.').count()),
        (Some("1"), 4)
    );
    assert!(input.contains("....\n"), "{input}");

    let note = judge.read("stress/mini/s-1/s-1.md");
    let repeat =
        "    gridjudge stress -p mini s.c --input stress/mini/s-1/s-1.in --no-shrink";
    assert!(lines(&note).contains(&repeat), "{note}");
    let words: Vec<_> = repeat.trim().split(' ').skip(1).collect();
    let again = judge.run(&words);
    assert_eq!(again.code, Some(1));
    let finding = |line: &str| line.split_once(": ").unwrap().1.to_owned();
    assert_eq!(finding(lines(&again.stdout)[0]), finding(output_lines[0]));

    // The case can be added to the problem.
    judge.put("cases/mini/secret/found.in", input);
    judge.put(
        "cases/mini/secret/found.ans",
        judge.read("stress/mini/s-1/s-1.ans"),
    );
    assert_eq!(judge.run(&["answers", "--check"]).code, Some(0));
    let graded = judge.run(&["grade", "-p", "mini", "s.c"]);
    assert_eq!(graded.code, Some(1));

    // The same search finds the same case and does not write it again.
    let search = note
        .lines()
        .find(|line| line.contains("--seed"))
        .unwrap()
        .trim()
        .to_owned();
    let files = judge.names().len();
    let words: Vec<_> = search.split(' ').skip(1).collect();
    assert_eq!(judge.run(&words).stdout, ran.stdout);
    assert_eq!(judge.names().len(), files);
}

#[test]
fn inputs_that_cause_crashes_and_timeouts_are_shrunk_too() {
    let crash = judge_with("if (blanks() >= 5) abort()");
    let ran = crash.run(&["stress", "-p", "mini", "s.c", "--seed", "1", "-o", "out"]);
    assert!(
        ran.stdout
            .contains(": RE (runtime error): ended with SIGABRT"),
        "{}",
        ran.stdout
    );
    assert_eq!(crash.read("out/s-1.in").matches('.').count(), 5);

    let slow = judge_with("while (blanks() >= 5)");
    slow.edit("problems/mini/problem.toml", "\"10s\"", "\"50ms\"");
    let ran = slow.run(&["stress", "-p", "mini", "s.c", "--seed", "1", "-o", "out"]);
    assert!(
        ran.stdout.contains(": TLE (time limit exceeded): "),
        "{}",
        ran.stdout
    );
    assert_eq!(slow.read("out/s-1.in").matches('.').count(), 5);
}

#[test]
fn an_input_is_shrunk_to_the_smallest_order_that_fails() {
    let judge = Judge::new();
    judge.put(
        "problems/orders/problem.toml",
        "name = \"Orders\"\n[grid]\norder = [1, 4, 9]\nboxes = \"square\"\nsymbols = \"1-9\"\nblanks = \"0\"\n\
         [input]\ncases = \"eof\"\norder_line = \"case\"\ncells = \"spaced\"\n\
         [output]\ncells = \"spaced\"\n[answer]\naccept = \"first\"\nnone = \"NO SOLUTION\"\n\
         [[generate]]\ngroup = \"sample\"\nname = \"1\"\nkind = \"minimal\"\nseed = 1\ngrids = 3\norder = 4\n",
    );
    judge.put("silent.py", "");
    for seed in ["1", "2", "3", "4"] {
        let ran = judge.run(&[
            "stress",
            "-p",
            "orders",
            "silent.py",
            "--seed",
            seed,
            "--runs",
            "50",
            "-o",
            seed,
        ]);
        let input = judge.read(&format!("{seed}/silent-{seed}.in"));
        assert_eq!(
            input.lines().next(),
            Some("1"),
            "{}{}",
            ran.stdout,
            ran.stderr
        );
    }
}

#[test]
fn a_right_program_fails_on_no_input() {
    let judge = judge_with("");
    let ran =
        judge.run(&["stress", "-p", "mini", "s.c", "--seed", "1", "--runs", "50"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), "no failure in 50 inputs of seed 1\n")
    );
    assert!(!judge.path("stress").exists());
    let ran = judge.run(&["stress", "-p", "mini", "s.c", "--time", "300ms"]);
    assert_eq!(ran.code, Some(0));
    let sample = "cases/mini/sample/001-one.in";
    let ran = judge.run(&["stress", "-p", "mini", "s.c", "--input", sample]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), "no failure on this input\n")
    );
}

#[test]
fn a_failing_case_given_by_the_user_is_shrunk() {
    let judge = judge_with("if (blanks() == 1) g[0][0] = '9'");
    let ran = judge.run(&[
        "stress",
        "-p",
        "mini",
        "s.c",
        "--input",
        "cases/mini/secret/002-two.in",
    ]);
    assert!(
        ran.stdout.starts_with("cases/mini/secret/002-two.in: WA"),
        "{}",
        ran.stdout
    );
    assert_eq!(
        judge
            .read("stress/mini/s-002-two/s-002-two.in")
            .lines()
            .next(),
        Some("1")
    );
}

#[test]
fn compared_with_another_program_only_differences_count() {
    let judge = judge_with("if (has_empty_row()) abort()");
    judge.put("old.c", judge.read("s.c"));
    let arguments = [
        "stress",
        "-p",
        "mini",
        "s.c",
        "--against",
        "old.c",
        "--seed",
        "1",
        "--runs",
        "40",
    ];
    let ran = judge.run(&arguments);
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.stdout
            .starts_with("no difference in 40 inputs of seed 1\non "),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.ends_with(" of them both programs fail alike\n"),
        "{}",
        ran.stdout
    );
    judge.put("old.c", SOLVER.replace("BUG", ""));
    let ran = judge.run(&arguments);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stdout.contains("; old.c: AC (accepted)"),
        "{}",
        ran.stdout
    );
}

/// Stresses a script that prints nothing, for each kind of accepted answer.
#[test]
fn every_kind_of_answer_can_be_stressed() {
    for answer in [
        "accept = \"any\"",
        "accept = \"first\"",
        "accept = \"any\"\nnone = \"NONE\"",
        "accept = \"unique\"\nnone = \"NONE\"\nseveral = \"MANY\"",
        "accept = \"all\"\nmost = 20\ncount = \"{count} solutions\"",
        "accept = \"count\"\nmost = 20\ncount = \"{count}\"",
    ] {
        let judge = Judge::new();
        let spec = SPEC.replace("accept = \"unique\"", answer);
        // A count is printed without cells.
        let output = "[output]\ncells = \"joined\"\n";
        let spec = if answer.contains("= \"count\"") {
            spec.replace(output, "")
        } else {
            spec
        };
        judge.put("problems/mini/problem.toml", spec);
        judge.script("mute", "#!/bin/sh\ncat > /dev/null\n");
        let ran = judge.run(&["stress", "-p", "mini", "mute", "--seed", "2"]);
        assert_eq!(ran.code, Some(1), "{answer}: {}{}", ran.stdout, ran.stderr);
        let input = judge.read("stress/mini/mute-2/mute-2.in");
        assert_eq!(input.lines().next(), Some("1"), "{answer}: {input}");
    }
}

#[test]
fn zero_runs_are_refused() {
    let ran = judge_with("").run(&["stress", "-p", "mini", "mini.c", "--runs", "0"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(
        ran.stderr.contains("invalid value '0' for '--runs <N>'"),
        "{}",
        ran.stderr
    );
}

#[test]
fn mistakes_are_reported_before_anything_runs() {
    let judge = judge_with("");
    judge.refuses(
        &["stress", "-p", "mini", "s.c", "-o", "cases"],
        "error: cases: is there, and nothing is overwritten\n\
         hint: name a folder that is empty or does not exist yet",
    );
    judge.put("bad.in", "1\n1234\n3412\n");
    let ran = judge.run(&["stress", "-p", "mini", "s.c", "--input", "bad.in"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.starts_with("error: bad.in:"), "{}", ran.stderr);
    judge.put("bad.c", "int main(void) { return x; }");
    let ran = judge.run(&["stress", "-p", "mini", "bad.c"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stdout.starts_with("CE (compile error): "),
        "{}",
        ran.stdout
    );
}

/// Interrupts a command once a program sleeps for this duration, which no other process
/// does.
fn interrupted(judge: &Judge, arguments: &[&str], duration: &str) -> Ran {
    let mut command = judge.command(arguments);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !command_lines().any(|line| line.contains(duration)) {
        assert!(
            child.try_wait().unwrap().is_none(),
            "the command ended before the interrupt"
        );
        judge::pause();
    }
    rustix::process::kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let ran = judge.ran(child.wait_with_output().unwrap());
    assert!(
        !command_lines().any(|line| line.contains(duration)),
        "the program is still running"
    );
    ran
}

#[test]
fn an_interrupt_ends_the_search_and_during_shrinking_keeps_the_smallest_input_so_far()
{
    let judge = Judge::new();
    judge.edit(
        "problems/mini/problem.toml",
        "time = \"10s\"",
        "time = \"600s\"",
    );
    let duration = format!("{}.25", 600 + u64::from(std::process::id()));
    judge.script(
        "waits",
        &format!("#!/bin/sh\nread n\n[ $n = 2 ] && exit 3\nexec sleep {duration}\n"),
    );
    judge.script("sleeps", &format!("#!/bin/sh\nexec sleep {duration}\n"));
    let ran = interrupted(
        &judge,
        &["stress", "-p", "mini", "sleeps", "--seed", "1", "-j1"],
        &duration,
    );
    let expected = "no failure in 0 inputs of seed 1; interrupted\n";
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(130), expected),
        "{}",
        ran.stderr
    );
    let case = "cases/mini/secret/002-two.in";
    let ran = interrupted(
        &judge,
        &["stress", "-p", "mini", "waits", "--input", case],
        &duration,
    );
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    assert!(
        ran.stdout
            .contains("RE (runtime error): ended with exit code 3"),
        "{}",
        ran.stdout
    );
    assert_eq!(
        judge.read("stress/mini/waits-002-two/waits-002-two.in"),
        judge::TWO
    );
}
