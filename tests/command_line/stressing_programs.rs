//! `gridjudge stress` with inputs from a generator program: for texts, checkers,
//! interactors and packages of other judges.

use crate::judge::{self, Judge, needs_cc};

const SPEC: &str = "name = \"Twice\"\n[task]\nkind = \"tokens\"\nsolution = \"accepted/right.sh\"\n\
                    [limits]\ntime = \"10s\"\nmemory = \"64MiB\"\n";

/// A generator that writes its first argument to standard output, and something else to
/// standard error.
const GENERATOR: &str = "#!/bin/sh\necho no part of it >&2\necho $1\n";

const RIGHT: &str = "#!/bin/sh\nread n\necho $((2 * n))\n";

/// A submission that is wrong for numbers from 3 on.
const WRONG: &str = "#!/bin/sh\nread n\n[ $n -lt 3 ] || n=0\necho $((2 * n))\n";

/// A problem that asks for twice a number, with a generator and a wrong program.
fn judge() -> Judge {
    let judge = Judge::new();
    judge.put("problems/twice/problem.toml", SPEC);
    judge.script("problems/twice/submissions/accepted/right.sh", RIGHT);
    judge
        .put("cases/twice/sample/1.in", "1\n")
        .put("cases/twice/sample/1.ans", "2\n");
    judge.script("gen.sh", GENERATOR);
    judge.script("wrong.sh", WRONG);
    judge
}

const STRESS: [&str; 6] =
    ["stress", "-p", "twice", "wrong.sh", "--generator", "gen.sh"];

#[test]
fn the_first_input_that_fails_is_written_as_a_case_with_commands_that_repeat_it() {
    let judge = judge();
    let with_size = [
        &STRESS[..],
        &["--arguments", "{size} {seed}", "--seed", "5"],
    ]
    .concat();
    let ran = judge.run(&[&with_size[..], &["-j1"]].concat());
    let message = "input 21 of seed 5: WA (wrong answer): line 1, token 1: found `0`, expected `6`\n1 line, 2 bytes\n\
                written by `gen.sh 3 25`\n\n    3\n\nwritten to stress/twice/wrong-5\n";
    assert_eq!(
        (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
        (Some(1), message, "")
    );
    assert_eq!(judge.read("stress/twice/wrong-5/wrong-5.in"), "3\n");
    assert_eq!(judge.read("stress/twice/wrong-5/wrong-5.ans"), "6\n");
    assert_eq!(
        judge.run(&[&with_size[..], &["-j4"]].concat()).stdout,
        message
    );

    let note = judge.read("stress/twice/wrong-5/wrong-5.md");
    let commands: Vec<_> = note
        .lines()
        .filter_map(|line| line.strip_prefix("    gridjudge "))
        .collect();
    let [repeat, search] = commands[..] else {
        panic!("{note}")
    };
    let again = judge.run(&repeat.split(' ').collect::<Vec<_>>());
    assert_eq!(again.code, Some(1), "{}", again.stderr);
    assert!(
        again
            .stdout
            .contains("WA (wrong answer): line 1, token 1: found `0`, expected `6`")
    );
    assert!(
        search.ends_with(
            "--generator gen.sh --arguments '{size} {seed}' --seed 5 --runs 21"
        ),
        "{search}"
    );
}

#[test]
fn without_arguments_a_generator_gets_only_the_seed() {
    let judge = judge();
    let ran = judge.run(&[&STRESS[..], &["--seed", "2", "-j1"]].concat());
    assert!(
        ran.stdout.starts_with("input 2 of seed 2: WA"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("written by `gen.sh 3`"),
        "{}",
        ran.stdout
    );
    let right = [
        "stress",
        "problems/twice/submissions/accepted/right.sh",
        "--generator",
        "gen.sh",
    ];
    let ran = judge.run(&[&right[..], &["--runs", "7", "--seed", "1"]].concat());
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), "no failure in 7 inputs of seed 1\n")
    );
    for option in ["--input", "--case"] {
        let ran = judge.run(&[
            "stress",
            "-p",
            "twice",
            "wrong.sh",
            option,
            "cases/twice/sample/1.in",
        ]);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(0), "no failure on this input\n")
        );
    }
}

#[test]
fn another_solution_may_be_named_and_another_program_compared() {
    let judge = judge();
    judge.script(
        "five.sh",
        "#!/bin/sh\nread n\n[ $n -lt 5 ] || n=0\necho $((2 * n))\n",
    );
    // Both programs are wrong from 5 on, so the first difference is at 3.
    let against =
        [&STRESS[..], &["--against", "five.sh", "--seed", "3", "-j1"]].concat();
    let ran = judge.run(&against);
    assert!(
        ran.stdout
            .starts_with("input 1 of seed 3: WA (wrong answer)"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("; five.sh: AC (accepted)"),
        "{}",
        ran.stdout
    );
    let ran = judge.run(
        &[
            &STRESS[..],
            &["--solution", "wrong.sh", "--runs", "9", "--seed", "1"],
        ]
        .concat(),
    );
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let same_failures = [
        &STRESS[..],
        &["--against", "five.sh", "--seed", "5", "--runs", "4"],
    ]
    .concat();
    let ran = judge.run(&same_failures);
    let expected = "no difference in 4 inputs of seed 5\non 4 of them both programs fail alike\n";
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), expected));
}

#[test]
fn all_missing_options_are_reported_at_once() {
    let judge = judge();
    judge.edit(
        "problems/twice/problem.toml",
        "solution = \"accepted/right.sh\"\n",
        "",
    );
    judge.refuses(
        &["stress", "-p", "twice", "wrong.sh"],
        "error: twice: is not a problem of grids, so gridjudge cannot write inputs for it\n\
         hint: name a program that writes one to its standard output, with `--generator`, or an input with `--input`\n\
         error: twice: names no program that is right, so the answers to random inputs are unknown\n\
         hint: name one with `--solution`",
    );
    judge.refuses(
        &[
            &STRESS[..],
            &["--solution", "wrong.sh", "--arguments", "{sed}"],
        ]
        .concat(),
        "error: --arguments: `{sed}` means nothing\nhint: did you mean `{seed}`?",
    );
    judge.refuses(
        &["stress", "-p", "mini", "wrong.sh", "--generator", "gen.sh"],
        "error: mini: `--generator` is for other problems: inputs and answers of grids are made here\n\
         hint: leave `--generator` out",
    );
    judge.refuses(
        &["stress", "-p", "twice", "wrong.sh", "--generator", "gne.sh"],
        "error: gne.sh: cannot be read: No such file or directory (os error 2)\n\
         hint: did you mean `gen.sh`?\n\
         error: twice: names no program that is right, so the answers to random inputs are unknown\n\
         hint: name one with `--solution`",
    );
}

#[test]
fn a_program_of_the_author_that_fails_is_named_with_its_command() {
    let judge = judge();
    let fails = |expected: &str| {
        // One input only, because it is random which of several fails first.
        let ran = judge.run(&[&STRESS[..], &["--seed", "1", "--runs", "1"]].concat());
        assert_eq!(ran.code, Some(3), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.starts_with(expected), "{}", ran.stderr);
    };
    judge.script("gen.sh", "#!/bin/sh\necho no number >&2\nexit 7\n");
    fails(
        "error: generating an input by `gen.sh 1`: it ended with exit code 7: no number\n",
    );
    judge.script("gen.sh", GENERATOR);
    judge.script(
        "problems/twice/submissions/accepted/right.sh",
        "#!/bin/sh\nexit 9\n",
    );
    fails(
        "error: running the solution accepted/right.sh on the input of `gen.sh 1`: RE (runtime error)\n",
    );
}

#[test]
fn stress_works_with_checkers_and_interactors() {
    let judge = judge();
    let checked = "kind = \"program\"\nchecker = \"check.sh\"\n";
    judge.edit(
        "problems/twice/problem.toml",
        "kind = \"tokens\"\n",
        checked,
    );
    let check = "#!/bin/sh\nread n < $1\nread expected < $2\nread found\n[ $found = $expected ] && exit 42\n\
                 echo $n is wrong > $3/judgemessage.txt\nexit 43\n";
    judge.script("problems/twice/check.sh", check);
    let result = |ran: judge::Ran| {
        (
            ran.code,
            ran.stdout.lines().next().unwrap_or_default().to_owned(),
        )
    };
    let with_seed = [&STRESS[..], &["--seed", "1", "-j1"]].concat();
    let wrong = "input 3 of seed 1: WA (wrong answer): checker: 3 is wrong";
    assert_eq!(result(judge.run(&with_seed)), (Some(1), wrong.to_owned()));

    // The message about a failing checker does not name the files of the input, which
    // are deleted by then.
    judge.script("problems/twice/check.sh", "#!/bin/sh\nexit 1\n");
    let ran = judge.run(&with_seed);
    assert_eq!(ran.code, Some(3));
    let repeat = "run `problems/twice/check.sh INPUT ANSWER FEEDBACK/";
    assert!(
        ran.stderr.contains(repeat) && ran.stderr.contains("INPUT is what `gen.sh "),
        "{}",
        ran.stderr
    );

    let talk = "kind = \"interactive\"\ninteractor = \"check.sh\"\n";
    judge.edit("problems/twice/problem.toml", checked, talk);
    judge.edit(
        "problems/twice/problem.toml",
        "solution = \"accepted/right.sh\"\n",
        "",
    );
    let interact = "#!/bin/sh\nread n < $1\necho $n\nread found\n[ $found = $((2 * n)) ] && exit 42\n\
                    echo $n is wrong > $3/judgemessage.txt\nexit 43\n";
    judge.script("problems/twice/check.sh", interact);
    let wrong = "input 3 of seed 1: WA (wrong answer): interactor: 3 is wrong";
    assert_eq!(result(judge.run(&with_seed)), (Some(1), wrong.to_owned()));
}

#[test]
fn stress_uses_the_solution_the_validators_and_the_time_limit_of_a_package() {
    needs_cc();
    let judge = Judge::new();
    judge.put("pkg/problem.yaml", "name: Twice\n");
    judge
        .put("pkg/data/sample/1.in", "1\n")
        .put("pkg/data/sample/1.ans", "2\n");
    let program = |number| {
        format!(
            "#include <stdio.h>\nint main(void) {{ int n; scanf(\"%d\", &n); printf(\"%d\\n\", {number}); }}\n"
        )
    };
    judge.put("pkg/submissions/accepted/right.c", program("2 * n"));
    judge.put("wrong.c", program("n < 3 ? 2 * n : 0"));
    judge.script(
        "pkg/input_validators/check.py",
        "import sys\nsys.exit(42 if int(input()) < 9 else 'too large')\n",
    );
    judge.script("gen.sh", GENERATOR);
    let stress = |seed| {
        judge.run(&[
            "stress",
            "-p",
            "./pkg",
            "wrong.c",
            "--generator",
            "gen.sh",
            "--seed",
            seed,
            "-j1",
        ])
    };
    let ran = stress("1");
    assert!(
        ran.stdout
            .starts_with("input 3 of seed 1: WA (wrong answer)"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    let note = judge.read("stress/pkg/wrong-1/wrong-1.md");
    assert!(
        note.contains("    gridjudge stress -p ./pkg wrong.c --input "),
        "{note}"
    );
    let ran = stress("9");
    assert_eq!(ran.code, Some(3), "{}", ran.stdout);
    let expected = "error: asking the input validator check.py about the input of `gen.sh 9`: it refuses it: exit code 1: too large\n";
    assert!(ran.stderr.starts_with(expected), "{}", ran.stderr);
}

#[test]
fn the_time_of_a_search_ends_a_generator_that_sleeps_and_all_that_wait_for_it() {
    let judge = judge();
    judge.script("gen.sh", "#!/bin/sh\nexec sleep 50\n");
    let ran = judge.run(&[&STRESS[..], &["--seed", "5", "--time", "300ms"]].concat());
    // The limits of a generator would let it sleep to its end.
    let message = "no failure in 0 inputs of seed 5\n";
    assert_eq!(
        (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
        (Some(0), message, "")
    );
}
