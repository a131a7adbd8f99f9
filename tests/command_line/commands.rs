//! `answers`, `check`, `doctor` and `verify` on the command line.

use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;

use crate::judge::{HALF_RIGHT, Judge, RIGHT, SOLVED, SPEC, TWO};

const INPUT: &str = "cases/mini/secret/002-two.in";
const ANSWER: &str = "cases/mini/secret/002-two.ans";

/// Asserts the exit code and the printed text of `check` for an output to the case of
/// two grids.
#[track_caller]
fn checked(output: &str, code: i32, printed: &str) {
    let judge = Judge::new();
    judge.put("out", output);
    let ran = judge.run(&["check", "-p", "mini", INPUT, "out", ANSWER]);
    assert_eq!(
        (ran.stdout.as_str(), ran.stderr.as_str()),
        (printed, ""),
        "{output:?}"
    );
    assert_eq!(ran.code, Some(code), "{output:?}");
}

/// Asserts the message of `answers` about a case that it must refuse.
#[track_caller]
fn refused_case(text: &str, message: &str) {
    let judge = Judge::new();
    judge
        .put("cases/mini/secret/003-bad.in", text)
        .remove("cases/mini/sample/001-one.ans");
    judge.refuses(
        &["answers"],
        &format!("error: cases/mini/secret/003-bad.in{message}"),
    );
}

#[test]
fn answers_are_written_where_they_are_missing_and_nowhere_else() {
    let judge = Judge::new();
    judge
        .remove("cases/mini/sample/001-one.ans")
        .put(ANSWER, SOLVED.repeat(2).replace('\n', " \n"));
    let before = judge.read(ANSWER);
    let ran = judge.run(&["answers"]);
    let expected =
        "wrote cases/mini/sample/001-one.ans\n2 cases: 1 answer proven, 1 written\n";
    assert_eq!(
        (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
        (Some(0), expected, "")
    );
    assert_eq!(judge.read("cases/mini/sample/001-one.ans"), SOLVED);
    assert_eq!(judge.read(ANSWER), before);
    let again = judge.run(&["answers", "-q", "mini"]);
    assert_eq!((again.code, again.stdout.as_str()), (Some(0), ""));
}

#[test]
fn answers_refuses_contradictory_impossible_and_ambiguous_grids_with_messages_of_their_own()
 {
    refused_case(
        "1\n1..1\n....\n....\n....\n",
        ":2: the clues contradict each other: row 1 has two 1s, at columns 1 and 4\n\
         hint: correct one of the two cells",
    );
    refused_case(
        "1\n123.\n...4\n....\n....\n",
        ": no completion of these clues keeps the rules\n\
         hint: remove or correct a clue; no two of them clash, but together they leave some cell no symbol",
    );
    refused_case(
        "2\n1.34\n3412\n2143\n4321\n12..\n34..\n21..\n43..\n",
        ": grid 2: more than one solution, the problem promises one: row 2, column 3 may be 1 or 2, row 2, column 4 \
         may be 2 or 1\n\
         hint: add a clue in one of these cells, or accept any solution (`accept = \"any\"`)",
    );
}

#[test]
fn answers_check_proves_stored_answers_and_catches_a_changed_one() {
    let judge = Judge::new();
    let ran = judge.run(&["answers", "--check"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), "2 cases: 2 answers proven, 0 written\n")
    );
    judge.edit(ANSWER, "4321\n1234", "4312\n1234");
    let message = format!(
        "error: {ANSWER}:4: the answer is wrong: grid 1: row 4, column 3 is 1, but its clue is 2\n\
         error: {ANSWER}:4: the answer is wrong: grid 1: row 4, column 4 is 2, but its clue is 1\n"
    );
    let ran = judge.run(&["answers", "--check"]);
    assert!(
        ran.code == Some(2) && ran.stderr.starts_with(&message),
        "{ran:?}"
    );
    // A hint that several messages share is printed once.
    assert!(
        ran.stderr.ends_with(
            "hint: delete it and write it again with `gridjudge answers mini`\n"
        ),
        "{ran:?}"
    );
    assert_eq!(ran.stderr.matches("hint: ").count(), 1);
    judge.put(ANSWER, SOLVED.repeat(2)).remove(ANSWER);
    let message = format!(
        "error: {INPUT}: the case has no answer next to it\nhint: write it with `gridjudge answers mini`"
    );
    judge.refuses(&["answers", "--check"], &message);
}

#[test]
fn check_accepts_right_outputs_with_any_line_ends() {
    let right = SOLVED.repeat(2);
    for output in [
        &right,
        right.trim_end(),
        &right.replace('\n', "\r\n"),
        &right.replace('\n', " \n\n"),
    ] {
        checked(output, 0, "AC (accepted): 2 of 2 grids right\n");
    }
}

#[test]
fn check_names_the_place_and_the_rule_of_each_mutation() {
    const ONE_LEFT: &str = "WA (wrong answer): 1 of 2 grids right\n";
    for (from, to, findings) in [
        (
            "1234\n3412\n2143\n4321\n1234\n3412\n2143\n4321",
            "1234\n3412\n2143\n4321",
            "out:5: the output ends after 1 of 2 grids",
        ),
        (
            "1234\n3412",
            "1243\n3412",
            "out:3: grid 1: column 3 has two 4s, at rows 1 and 3\n\
             out:3: grid 1: column 4 has two 3s, at rows 1 and 3",
        ),
        (
            "1234\n3412",
            "1134\n3412",
            "out:1: grid 1: row 1 has two 1s, at columns 1 and 2\n\
             out:3: grid 1: column 2 has two 1s, at rows 1 and 3",
        ),
        (
            "3412\n2143",
            "3x12\n2143",
            "out:2: grid 1: row 2, column 2 is `x`, which is not a symbol of this problem",
        ),
        (
            "3412\n2143",
            "3.12\n2143",
            "out:2: grid 1: row 2, column 2 is still blank (`.`)",
        ),
        (
            "3412\n2143",
            "341\n2143",
            "out:2: grid 1: row 2 has 3 cells, expected 4",
        ),
        (
            "3412\n2143",
            "34121\n2143",
            "out:2: grid 1: row 2 has 5 cells, expected 4",
        ),
        (
            "2143\n4321\n",
            "2143\n",
            "out:3: grid 1: the grid has 3 rows, expected 4",
        ),
        (
            "1234",
            "1 2 3 4",
            "out:1: grid 1: row 1 has spaces between its cells, expected none",
        ),
        (
            "1234\n3412\n2143\n4321\n1234",
            "1234\n3412\n2143\n4321\n2134",
            "out:5: grid 2: row 1, column 1 is 2, but its clue is 1\n\
             out:5: grid 2: row 1, column 2 is 1, but its clue is 2\n\
             out:7: grid 2: column 1 has two 2s, at rows 1 and 3\n\
             out:7: grid 2: column 2 has two 1s, at rows 1 and 3",
        ),
    ] {
        let mutated = SOLVED.repeat(2).replacen(from, to, 1);
        checked(&mutated, 1, &format!("{findings}\n{ONE_LEFT}"));
    }
    checked(
        "",
        1,
        "out:1: the output is empty, expected 2 grids\nWA (wrong answer): 0 of 2 grids right\n",
    );
    let both = "out:9: `done` is trailing output after the last grid\nWA (wrong answer): 2 of 2 grids right\n";
    checked(&(SOLVED.repeat(2) + "done\n"), 1, both);
}

#[test]
fn check_names_missing_banners_and_strict_white_space() {
    let judge = Judge::new();
    let output = "cells = \"joined\"\nbanner = \"Case #{n}:\"\nwhite_space = \"strict\"\n\n[answer]";
    judge.edit(
        "problems/mini/problem.toml",
        "cells = \"joined\"\n\n[answer]",
        output,
    );
    for (text, code, printed) in [
        (
            "Case #1:\n1234\n3412\n2143\n4321\n",
            0,
            "AC (accepted): 1 of 1 grid right\n",
        ),
        (
            "Case #1:\n1234 \n3412\n2143\n4321\n",
            1,
            "out:2: right but for white space, which must be exact here\n\
             \x20 |  Case #1:\n  | -1234\n  | +1234·\n  |  3412\n  |  2143\n  |  4321\n\
             PE (presentation error): 0 of 1 grid right\n",
        ),
        (
            "Case #0:\n1234\n3412\n2143\n4321\n",
            1,
            "out:1: the banner is `Case #0:`, expected `Case #1:`\n\
             \x20 | -Case #1:\n  | +Case #0:\n  |  1234\n  |  3412\n  |  2143\n  |  4321\n\
             WA (wrong answer): 0 of 1 grid right\n",
        ),
    ] {
        judge.put("out", text);
        let ran = judge.run(&[
            "check",
            "-p",
            "mini",
            "cases/mini/sample/001-one.in",
            "out",
        ]);
        assert_eq!((ran.stdout.as_str(), ran.code), (printed, Some(code)));
    }
}

#[test]
fn check_reads_the_output_from_standard_input() {
    let judge = Judge::new();
    let mut command = judge.command(&["check", "-p", "mini", INPUT, "-", ANSWER]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"1234\n").unwrap();
    let ran = judge.ran(child.wait_with_output().unwrap());
    assert_eq!(
        ran.stdout.lines().next(),
        Some("-:1: grid 1: the grid has 1 row, expected 4")
    );
    assert_eq!(ran.code, Some(1));
}

#[test]
fn check_refuses_endless_and_huge_files() {
    let judge = Judge::new();
    judge.put("out", SOLVED);
    std::fs::File::create(judge.path("hole"))
        .unwrap()
        .set_len((1 << 30) + 1)
        .unwrap();
    let device = "is a device, where a file should be\nhint: name a file, or a pipe";
    let large =
        "has more than 1073741824 bytes (1 GiB)\nhint: cut it into several cases";
    for (endless, message) in [
        ("/dev/zero", device),
        ("/dev/urandom", device),
        ("hole", large),
    ] {
        for texts in [
            [INPUT, endless, ANSWER],
            [endless, "out", ANSWER],
            [INPUT, "out", endless],
        ] {
            let arguments = [&["check", "-p", "mini"], &texts[..]].concat();
            let ran = judge.run(&arguments);
            assert_eq!(
                ran.stderr,
                format!("error: {endless}: {message}\n"),
                "{texts:?}"
            );
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{texts:?}");
        }
    }
    judge.script("right", RIGHT);
    for (endless, message) in [("/dev/zero", device), ("hole", large)] {
        let ran = judge.run(&["stress", "-p", "mini", "right", "--input", endless]);
        assert_eq!(
            (ran.code, ran.stderr),
            (Some(2), format!("error: {endless}: {message}\n"))
        );
    }
    let ran = judge.run(&["check", "-p", "mini", INPUT, "/dev/null", ANSWER]);
    assert_eq!(
        ran.code,
        Some(1),
        "an empty file is an output: {}",
        ran.stderr
    );
}

#[test]
fn check_blames_the_input_and_the_answer_for_what_is_wrong_in_them() {
    let judge = Judge::new();
    judge
        .put("out", SOLVED)
        .put("empty", "")
        .put("short", "1234\n")
        .put("bad.in", "1\n12\n");
    for (input, answer, message) in [
        (
            "empty",
            ANSWER,
            "empty:1: the file is empty\nhint: write the case, or delete the file",
        ),
        (
            "bad.in",
            ANSWER,
            "bad.in:2: row 1 has 2 cells, expected 4\nerror: bad.in:2: the grid has 1 row, expected 4",
        ),
        (
            INPUT,
            "empty",
            "empty:1: the answer is wrong: the output is empty, expected 2 grids\nhint: correct it, or leave it out",
        ),
        (
            INPUT,
            "short",
            "short:1: the answer is wrong: grid 1: the grid has 1 row, expected 4\n\
             error: short:2: the answer is wrong: the output ends after 1 of 2 grids\nhint: correct it, or leave it out",
        ),
        (
            INPUT,
            "cases",
            "cases: is a folder\nhint: name a file in it",
        ),
    ] {
        judge.refuses(
            &["check", "-p", "mini", input, "out", answer],
            &format!("error: {message}"),
        );
    }
}

#[test]
fn check_refuses_the_same_files_as_other_commands_with_the_same_messages() {
    let judge = Judge::new();
    let one = judge.read("cases/mini/sample/001-one.in");
    let answer = judge.read("cases/mini/sample/001-one.ans");
    judge.put("out", SOLVED);
    for (input, answer) in [
        (format!("{one}garbage\n"), answer.clone()),
        (format!("{one}1.34\n3412\n2143\n4321\n"), answer.clone()),
        (one.replace('\n', "\r\n"), answer.clone()),
        (format!("\u{feff}{one}"), answer.clone()),
        (one.replace("4321", "4321\0"), answer.clone()),
        (one.replace("1.34", "1.14"), answer.clone()),
        (one.replace("1.34", "1x34"), answer.clone()),
        (one.clone(), format!("{answer}garbage\n")),
        (one.clone(), answer.replace("1234", "1243")),
    ] {
        judge.put("bad.in", &input).put("bad.ans", &answer);
        judge
            .put("cases/mini/sample/001-one.in", &input)
            .put("cases/mini/sample/001-one.ans", &answer);
        let proven = judge.run(&["grade"]).stderr;
        let there = proven.replace(
            "delete it and write it again with `gridjudge answers mini`",
            "correct it, or leave it out",
        );
        assert!(there.contains("error: "), "{proven}");
        judge.refuses(
            &["check", "-p", "mini", "bad.in", "out", "bad.ans"],
            &without_excerpts(&there).replace("cases/mini/sample/001-one.", "bad."),
        );
    }
}

#[test]
fn check_refuses_text_after_the_end_line_of_an_input() {
    let judge = Judge::new();
    judge.edit(
        "problems/mini/problem.toml",
        "cases = \"count\"",
        "cases = \"until\"\nuntil = \"end\"",
    );
    let grids = judge.read(INPUT).split_once('\n').unwrap().1.to_owned() + "end\n";
    judge
        .put("out", judge.read(ANSWER))
        .put("in", &grids)
        .put("more.in", grids + "more\n");
    let check = |input| judge.run(&["check", "-p", "mini", input, "out", ANSWER]);
    assert_eq!(check("in").code, Some(0), "{}", check("in").stderr);
    let ran = check("more.in");
    assert_eq!(
        (ran.code, ran.stderr.starts_with("error: more.in:")),
        (Some(2), true),
        "{}",
        ran.stderr
    );
}

/// The errors and hints of a text, without excerpts of files.
fn without_excerpts(text: &str) -> String {
    let lines = text
        .lines()
        .filter(|line| line.starts_with("error: ") || line.starts_with("hint: "));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn check_reads_inputs_and_answers_from_pipes() {
    let judge = Judge::new();
    judge.put("out", SOLVED.repeat(2));
    for name in ["in", "ans"] {
        let made = std::process::Command::new("mkfifo")
            .arg(judge.path(name))
            .status()
            .unwrap();
        assert!(made.success());
    }
    let writers = [("in", INPUT), ("ans", ANSWER)].map(|(name, from)| {
        let path = judge.path(name);
        let text = judge.read(from);
        std::thread::spawn(move || std::fs::write(path, text).unwrap())
    });
    let ran = judge.run(&["check", "-p", "mini", "in", "out", "ans"]);
    for writer in writers {
        writer.join().unwrap();
    }
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), "AC (accepted): 2 of 2 grids right\n"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_closed_pipe_is_no_error() {
    let judge = Judge::new().with_few_languages(&[]);
    judge.script("problems/mini/submissions/accepted/right.sh", RIGHT);
    judge.script("problems/mini/submissions/wrong/half.sh", HALF_RIGHT);
    judge.put("out", "1234\n");
    for (arguments, code) in [
        (vec!["check", "-p", "mini", INPUT, ANSWER, ANSWER], 0),
        (vec!["check", "-p", "mini", INPUT, "out", ANSWER], 1),
        (vec!["answers"], 0),
        (vec!["verify"], 0),
        (vec!["grade", "--log", "-"], 0),
        (vec!["doctor"], 0),
        (vec!["--help"], 0),
    ] {
        let (reader, closed) = std::io::pipe().unwrap();
        drop(reader);
        let output = judge
            .command(&arguments)
            .stdout(closed)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let ran = judge.ran(output);
        assert_eq!(ran.code, Some(code), "{arguments:?}");
        assert!(
            !ran.stderr.contains("error"),
            "{arguments:?}: {}",
            ran.stderr
        );
    }
}

#[test]
fn verify_proves_a_sound_problem_and_its_examples() {
    let judge = Judge::new();
    judge.script("problems/mini/submissions/accepted/right.sh", RIGHT);
    judge.script("problems/mini/submissions/wrong/half.sh", HALF_RIGHT);
    let ran = judge.run(&["verify"]);
    let proven = "mini: 2 cases in format, 3 grids, each with the one solution that its answer gives\n\n";
    assert!(ran.stdout.starts_with(proven), "{}", ran.stdout);
    assert!(
        ran.stdout
            .ends_with("\n2 submissions, 4 trials: 2 as expected\n"),
        "{}",
        ran.stdout
    );
    assert_eq!(ran.code, Some(0));
}

#[test]
fn verify_catches_each_defect_of_a_problem() {
    for (file, text, message) in [
        (
            INPUT,
            TWO.replace("21.3", "2133"),
            ":6: grid 2: the clues contradict each other: row 3 has two 3s, at columns 3 and 4",
        ),
        (
            INPUT,
            "1\n1.34\n".into(),
            ":2: the grid has 1 row, expected 4",
        ),
        (
            ANSWER,
            SOLVED.into(),
            ":5: the answer is wrong: the output ends after 1 of 2 grids",
        ),
        (
            ANSWER,
            SOLVED.repeat(2).replacen("12", "21", 1),
            ":3: the answer is wrong: grid 1: column 1 has two 2s, at rows 1 and 3",
        ),
    ] {
        let judge = Judge::new();
        judge.put(file, text);
        let ran = judge.run(&["verify", "-q"]);
        assert!(
            ran.stderr.starts_with(&format!("error: {file}{message}\n")),
            "{}",
            ran.stderr
        );
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    }
}

#[test]
fn verify_catches_a_second_solution_that_no_answer_shows() {
    let judge = Judge::new();
    judge.script("problems/mini/submissions/accepted/right.sh", RIGHT);
    judge
        .put("cases/mini/secret/003.in", "1\n12..\n34..\n21..\n43..\n")
        .put("cases/mini/secret/003.ans", SOLVED);
    let message = "error: cases/mini/secret/003.in: more than one solution, the problem promises one: row 2, column 3 \
                   may be 1 or 2, row 2, column 4 may be 2 or 1\n\
                   hint: add a clue in one of these cells, or accept any solution (`accept = \"any\"`)";
    judge.refuses(&["verify"], message);
    judge.put("problems/mini/problem.toml", SPEC.replace("unique", "any"));
    assert_eq!(judge.run(&["verify"]).code, Some(0));
}

#[test]
fn verify_fails_for_examples_that_do_not_get_the_verdict_of_their_folder() {
    let judge = Judge::new();
    judge.script("problems/mini/submissions/accepted/half.sh", HALF_RIGHT);
    judge.script("problems/mini/submissions/wrong/right.sh", RIGHT);
    let ran = judge.run(&["verify", "-q"]);
    let output_lines: Vec<_> = ran.stdout.lines().collect();
    assert_eq!(
        output_lines[0],
        "mini accepted/half.sh: WA (wrong answer) on secret/002-two"
    );
    assert!(
        ran.stdout
            .ends_with("\n2 submissions, 4 trials: 0 as expected, 2 not\n"),
        "{}",
        ran.stdout
    );
    assert_eq!(ran.code, Some(1));
}

/// The part of the doctor's page whose heading starts with this text.
fn part<'a>(page: &'a str, heading: &str) -> &'a str {
    let parts = page.split("\n\n").filter(|part| part.starts_with(heading));
    parts
        .last()
        .unwrap_or_else(|| panic!("no part `{heading}` in\n{page}"))
}

#[test]
fn the_doctor_names_the_level_that_judging_uses_and_describes_the_machine() {
    let judge = Judge::new().with_few_languages(&[]);
    judge.script("mini.sh", RIGHT);
    let log = judge.run(&["grade", "mini.sh", "--log", "-"]).stdout;
    let ran = judge.run(&["doctor"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let first = ran.stdout.lines().next().unwrap();
    let level = first
        .strip_prefix("Judging works here, at level ")
        .and_then(|rest| rest.strip_suffix('.'));
    assert!(
        log.contains(&format!("\"sandbox\":\"{}\"", level.expect(first))),
        "{first}\n{log}"
    );
    let row = format!("\n  yes  {:<5}  in force", level.unwrap());
    assert!(
        part(&ran.stdout, "Levels of the sandbox\n").contains(&row),
        "{}",
        ran.stdout
    );
    assert!(
        part(&ran.stdout, "This machine\n").contains("\n  kernel            Linux "),
        "{}",
        ran.stdout
    );
    let is_debug = part(&ran.stdout, "Noise in timing: ")
        .contains("this gridjudge is a debug build\n");
    assert_eq!(is_debug, cfg!(debug_assertions));
    part(&ran.stdout, "Languages, as in judge.toml\n");
    let quiet = judge.run(&["doctor", "-q", "--sandbox", level.unwrap()]);
    assert_eq!((quiet.code, quiet.stdout), (Some(0), format!("{first}\n")));
}

#[test]
fn the_way_in_which_the_folder_for_temporary_files_is_named_does_not_matter() {
    let judge = Judge::new();
    judge.script("mini.sh", RIGHT).put("deep/file", "");
    judge.link("link", "deep/../tmp");
    let expected = judge.run(&["grade", "mini.sh", "--no-cache", "-q"]);
    assert_eq!(expected.code, Some(0), "{expected:?}");
    for name in ["deep/../tmp", "link", "./tmp/../deep/.././link"] {
        for tmpdir in [PathBuf::from(name), judge.path(name)] {
            let output = judge
                .command(&["grade", "mini.sh", "--no-cache", "-q"])
                .env("TMPDIR", &tmpdir)
                .output();
            let ran = judge.ran(output.unwrap());
            assert_eq!(ran.code, Some(0), "{}: {ran:?}", tmpdir.display());
        }
    }
}

#[test]
fn the_doctor_ends_with_3_if_no_level_or_the_requested_level_is_not_available() {
    let judge = Judge::new();
    for (arguments, expected) in [
        (
            vec!["doctor"],
            "Judging does not work here: no level is available.\n",
        ),
        (
            vec!["doctor", "--sandbox", "basic"],
            "Level basic is not available here.\n",
        ),
        (
            vec!["doctor", "--sandbox", "full"],
            "Level full is not available here.\n",
        ),
    ] {
        // Every level needs a folder for temporary files.
        let output = judge
            .command(&arguments)
            .env("TMPDIR", judge.path("nowhere"))
            .output()
            .unwrap();
        let ran = judge.ran(output);
        assert!(ran.stdout.starts_with(expected), "{}", ran.stdout);
        assert_eq!(
            (ran.code, ran.stderr.as_str()),
            (Some(3), ""),
            "{arguments:?}"
        );
        let levels = part(&ran.stdout, "Levels of the sandbox\n");
        assert!(
            levels.contains("\n  no   basic  making a folder in "),
            "{levels}"
        );
        assert!(
            levels.contains("remedy: set TMPDIR to a folder that"),
            "{levels}"
        );
    }
}

#[test]
fn the_doctor_names_what_a_language_lacks_with_the_package_to_install() {
    let judge = Judge::new().with_few_languages(&[]);
    judge.put(
        "judge.toml",
        "[languages.shell]\nname = \"Shell\"\nextensions = [\"bash\"]\nrun = [\"sh\", \"{source}\"]\n\
         [languages.zig]\nname = \"Zig\"\nextensions = [\"zig\"]\nrun = [\"{program}\"]\n\
         compile = [\"no-such-zig\", \"{source}\"]\npackage = \"zig-tools\"\n",
    );
    let page = judge.run(&["doctor"]).stdout;
    let languages = part(&page, "Languages, as in judge.toml\n");
    let is_found =
        |line: &str| line.starts_with("  yes  Shell ") && line.ends_with("/sh");
    assert!(languages.lines().any(is_found), "{languages}");
    // The width of the columns depends on the longest name.
    let words = languages.split_whitespace().collect::<Vec<_>>().join(" ");
    let missing = "no Zig `no-such-zig` is not installed remedy: on Debian, apt-get install zig-tools";
    assert!(words.contains(missing), "{languages}");
}

#[test]
fn the_doctor_needs_no_judge_toml_but_refuses_a_broken_one() {
    let judge = Judge::new().with_few_languages(&[]);
    judge.put("judge.toml", "job = 2\n");
    judge.refuses(
        &["doctor"],
        "error: judge.toml:1: unknown key `job`\nhint: did you mean `jobs`?",
    );
    judge.remove("judge.toml");
    let ran = judge.run(&["doctor"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    part(&ran.stdout, "Languages, as built in\n");
}

#[test]
fn the_doctor_is_coloured_only_when_asked_or_on_a_terminal() {
    let judge = Judge::new().with_few_languages(&[]);
    assert!(!judge.run(&["doctor"]).stdout.contains('\x1b'));
    assert!(
        judge
            .run(&["doctor", "--color", "always"])
            .stdout
            .contains('\x1b')
    );
}
