//! Bad input: each mistake has a clear message with its place and remedy and ends in
//! exit code 2, and no file is touched.

use std::os::unix::ffi::OsStrExt;

use crate::judge::{Judge, ONE, RIGHT, SOLVED, SPEC};

/// Asserts the message for a judge's folder after one change.
#[track_caller]
fn refused(change: impl FnOnce(&Judge), message: &str) {
    let judge = Judge::new();
    change(&judge);
    judge.refuses(&["grade"], message);
}

/// Asserts the message for a `judge.toml` of this text.
#[track_caller]
fn config(text: &str, message: &str) {
    refused(|judge| _ = judge.put("judge.toml", text), message);
}

/// Asserts the message for the problem's spec with one piece of text replaced.
#[track_caller]
fn spec(from: &str, to: &str, message: &str) {
    let message = message.replace("SPEC", "problems/mini/problem.toml");
    refused(
        |judge| _ = judge.edit("problems/mini/problem.toml", from, to),
        &message,
    );
}

/// Asserts the message for a first case of these bytes.
#[track_caller]
fn case(bytes: &[u8], message: &str) {
    let message = message.replace("CASE", "cases/mini/sample/001-one.in");
    refused(
        |judge| _ = judge.put("cases/mini/sample/001-one.in", bytes),
        &message,
    );
}

#[test]
fn a_mistake_in_judge_toml_is_named_with_its_line() {
    for (text, message) in [
        (
            "job = 1\n",
            "error: judge.toml:1: unknown key `job`\nhint: did you mean `jobs`?",
        ),
        (
            "jobs = \"2\"\n",
            "error: judge.toml:1: `jobs` must be a whole number from 0 to 256, found a text\nhint: leave the quotes out: `jobs = 2`",
        ),
        (
            "jobs = \n",
            "error: judge.toml:1: the value is missing\nhint: write it after the `=`, or delete the line",
        ),
        (
            "\n[limits]\ntime = \"0s\"\n",
            "error: judge.toml:3: `time = \"0s\"` must be greater than zero\nhint: write a number and a unit, for example `time = \"1s\"`",
        ),
        (
            "[limits]\nmemory = 64\n",
            "error: judge.toml:2: `memory` in [limits] must be a size in quotes, for example \"64MiB\", found `64`\nhint: write it as `memory = \"64MiB\"`",
        ),
        (
            "[limits]\nprocesses = 0\n",
            "error: judge.toml:2: `processes` in [limits] must be a whole number from 1 to 100000, found `0`\nhint: write such a number, for example `processes = 1`",
        ),
        (
            "problems = \"nowhere\"\n",
            "error: nowhere: there is no such folder\n\
             hint: make it, name another one in judge.toml, or name the folder of another judge.toml with `-C`",
        ),
        (
            "[case_folders]\nmin = \"x\"\n",
            "error: judge.toml: [case_folders] names an unknown problem `min`\nhint: did you mean `mini`?",
        ),
        (
            "[languages.pas]\nextensions = [\"pas\"]\nrun = []\n",
            "error: judge.toml:3: `run` of [languages.pas] is empty\n\
             hint: name the command, for example `run = [\"{program}\"]`",
        ),
    ] {
        config(text, message);
    }
    refused(
        |judge| _ = judge.put("judge.toml", b"jobs = 1\n\xff"),
        "error: judge.toml:2: is not UTF-8 text\nhint: save the file as UTF-8",
    );
}

#[test]
fn a_mistake_in_a_spec_is_named_with_its_line() {
    for (from, to, message) in [
        (
            "order",
            "ordr",
            "error: SPEC:3: [grid] has no `order`\nhint: add it, for example `order = 9`\nerror: SPEC:4: unknown key `ordr` in [grid]\n\
             hint: did you mean `order`?",
        ),
        (
            "\"Mini\"",
            "4",
            "error: SPEC:1: `name` must be a text, found `4`\nhint: put it in quotes: `name = \"4\"`",
        ),
        (
            "= 4",
            "= 26",
            "error: SPEC:4: `order` in [grid] must be a whole number from 1 to 25, found `26`\nhint: write such a number, for example `order = 25`",
        ),
        (
            "2x2",
            "2x3",
            "error: SPEC:5: boxes of 2x3 have 6 cells, a grid of order 4 needs 4\n\
             hint: rows times columns of a box make the order",
        ),
        (
            "2x2",
            "4",
            "error: SPEC:5: `boxes = \"4\"` is not a number of rows and of columns\n\
             hint: write rows x columns of one box, for example \"3x3\" or \"2x3\"; else \"square\" or \"none\"",
        ),
        (
            "1234",
            "123",
            "error: SPEC:6: `symbols` has 3 characters, a grid of order 4 needs 4\nhint: write one for each value, for example \"1-4\"",
        ),
        (
            "\".\"",
            "\"1\"",
            "error: SPEC:6: `1` appears twice among symbols and blanks\nhint: let each character mean one thing",
        ),
        (
            "count",
            "some",
            "error: SPEC:10: unknown cases `some`\nhint: use `one` or `count` or `eof` or `until`",
        ),
        (
            "10s",
            "0s",
            "error: SPEC:21: `time = \"0s\"` must be greater than zero\nhint: write a number and a unit, for example `time = \"1s\"`",
        ),
        (
            "64MiB",
            "64",
            "error: SPEC:22: `memory = \"64\"` is not a size such as `64MiB` or `512KiB`\nhint: write a number and a unit, for example `memory = \"64MiB\"`",
        ),
        (
            "order =",
            "order = =",
            "error: SPEC:4: one `=` too many\nhint: delete it",
        ),
    ] {
        spec(from, to, message);
    }
}

#[test]
fn all_mistakes_of_all_files_are_reported_at_once() {
    let message = "\
error: problems/mini/problem.toml:1: `name` must be a text, found `4`
hint: put it in quotes: `name = \"4\"`
error: problems/mini/problem.toml:21: `time = \"0s\"` must be greater than zero
hint: write a number and a unit, for example `time = \"1s\"`
error: cases/mini/sample/001-one.in: the case has no answer next to it
hint: write it with `gridjudge answers mini`
error: problems/other/problem.toml:3: [grid] has no `blanks`
hint: add it, for example `blanks = \"0\"`
";
    refused(
        |judge| {
            judge.put(
                "problems/mini/problem.toml",
                SPEC.replace("\"Mini\"", "4").replace("10s", "0s"),
            );
            judge.remove("cases/mini/sample/001-one.ans");
            judge.put(
                "problems/other/problem.toml",
                SPEC.replace("blanks = \".\"\n", ""),
            );
            judge
                .put("cases/other/1.in", ONE)
                .put("cases/other/1.ans", SOLVED);
        },
        message,
    );
}

#[test]
fn two_problems_with_the_same_name_are_both_reported() {
    let message = "error: problems/other/mini: problem `mini` is also in problems/mini\n\
                   hint: rename one of the two";
    refused(
        |judge| _ = judge.put("problems/other/mini/problem.toml", SPEC),
        message,
    );
}

#[test]
fn cases_and_answers_come_in_pairs() {
    let answer = "error: cases/mini/secret/002-two.ans: the answer has no case (`.in`) next to it\n\
                  hint: write the case, or delete the answer";
    let change = |judge: &Judge| {
        judge
            .remove("cases/mini/sample/001-one.ans")
            .remove("cases/mini/secret/002-two.in");
    };
    let case = "error: cases/mini/sample/001-one.in: the case has no answer next to it\n\
                hint: write it with `gridjudge answers mini`\n";
    refused(change, &format!("{case}{answer}"));
    let judge = Judge::new();
    change(&judge);
    judge.refuses(&["answers"], answer);
    let message = "error: cases/mini/sample/001-one.txt: is not a file of a case\n\
                   hint: cases are `.in` and `.ans`, notes are `.md`";
    refused(
        |judge| _ = judge.put("cases/mini/sample/001-one.txt", ""),
        message,
    );
}

#[test]
fn a_problem_without_cases_gets_a_message_with_the_path_for_the_first() {
    let message = "error: cases/mini: problem `mini` has no cases\n\
                   hint: put the first one into `sample/001-first.in`";
    refused(
        |judge| {
            for case in ["sample/001-one", "secret/002-two"] {
                judge
                    .remove(&format!("cases/mini/{case}.in"))
                    .remove(&format!("cases/mini/{case}.ans"));
            }
        },
        message,
    );
    refused(
        |judge| std::fs::remove_dir_all(judge.path("cases")).unwrap(),
        message,
    );
}

#[test]
fn a_mistake_in_a_case_is_named_with_its_line() {
    const COUNT: &str = "hint: the first line says how many grids follow";
    for (bytes, message) in [
        (
            "",
            "error: CASE:1: the file is empty\nhint: write the case, or delete the file",
        ),
        (
            " \n\n",
            &format!(
                "error: CASE:1: the file holds nothing but white space\n{COUNT}"
            ),
        ),
        (
            "1.34\n3412\n",
            &format!(
                "error: CASE:1: expected the number of grids, found `1.34`\n{COUNT}"
            ),
        ),
        (
            "0\n",
            &format!("error: CASE:1: the number of grids is 0\n{COUNT}"),
        ),
        (
            "6\n",
            &format!(
                "error: CASE:1: the number of grids is 6, the problem allows 5 at most\n{COUNT}"
            ),
        ),
        (
            "99999999999999999999999\n",
            &format!(
                "error: CASE:1: the number of grids is 99999999999999999999999, the problem allows 5 at most\n{COUNT}"
            ),
        ),
        (
            "3\n1.34\n3412\n2143\n4321\n",
            "error: CASE:6: the file says it holds 3 grids and ends after 1\n\
             hint: add the missing grids, or correct the number",
        ),
        (
            "1\n1.34\n3412\n2143\n4321\n1234\n",
            "error: CASE:6: `1234` follows the last grid\nhint: delete it, or correct the number of grids",
        ),
        (
            "1\n1.34\n3412\n2143\n",
            "error: CASE:4: the grid has 3 rows, expected 4",
        ),
        (
            "2\n1.34\n3412\n2143\n4321\n1.34\n34",
            "error: CASE:7: grid 2: row 2 has 2 cells, expected 4\n\
             error: CASE:7: grid 2: the grid has 2 rows, expected 4",
        ),
        (
            "1\n1.34\n3x12\n2143\n4321\n",
            "error: CASE:3: row 2, column 2 is `x`, which is not a symbol of this problem",
        ),
        (
            "1\r\n1.34\r\n3412\r\n2143\r\n4321\r\n",
            "error: CASE:1: the line ends in a carriage return, or holds one\n\
             hint: convert the line ends, as with `sed -i 's/\\r$//' FILE`",
        ),
        (
            "1\n1.34\n3412\n2143\n43\x0021\n",
            "error: CASE:5: the line holds a NUL byte\nhint: delete it, as with `tr -d '\\0'`\n\
             error: CASE:5: row 4, column 3 is `\\x00`, which is not a symbol of this problem",
        ),
        (
            "\u{feff}1\n1.34\n3412\n2143\n4321\n",
            "error: CASE:1: the file begins with a byte order mark\n\
             hint: save the file without it, as with `sed -i '1s/^\\xEF\\xBB\\xBF//' FILE`",
        ),
    ] {
        case(bytes.as_bytes(), message);
    }
}

#[test]
fn no_hint_mentions_a_number_of_grids_if_cases_do_not_begin_with_one() {
    for (text, message) in [
        (
            " \n",
            "CASE:1: the file holds no grid\nhint: add what is missing",
        ),
        (
            "1.34\n3412\n2143\n4321\n1234\n",
            "CASE:5: `1234` follows the last grid\nhint: delete it",
        ),
    ] {
        refused(
            |judge| {
                judge.edit(
                    "problems/mini/problem.toml",
                    "cases = \"count\"\nmost = 5",
                    "cases = \"one\"",
                );
                judge
                    .put("cases/mini/secret/002-two.in", &ONE[2..])
                    .put("cases/mini/secret/002-two.ans", SOLVED);
                judge.put("cases/mini/sample/001-one.in", text);
            },
            &format!(
                "error: {}",
                message.replace("CASE", "cases/mini/sample/001-one.in")
            ),
        );
    }
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let input = "cases/mini/sample/001-one.in";
    for (target, why) in [
        ("nowhere", "No such file or directory (os error 2)"),
        (
            "001-one.in",
            "Too many levels of symbolic links (os error 40)",
        ),
    ] {
        let change = |judge: &Judge| _ = judge.remove(input).link(input, target);
        let alone = format!("error: {input}: cannot be read: {why}");
        let link = "hint: delete the link, or put the file itself in its place";
        let orphan = "error: cases/mini/sample/001-one.ans: the answer has no case (`.in`) next to it\n\
                      hint: write the case, or delete the answer";
        refused(change, &format!("{alone}\n{link}\n{orphan}"));
    }
    refused(
        |judge| {
            _ = std::os::unix::net::UnixListener::bind(judge.path("cases/mini/3.in"))
                .unwrap()
        },
        "error: cases/mini/3.in: is neither a file nor a folder\nhint: delete it, or move it away",
    );
}

#[test]
fn a_pipe_or_an_endless_file_in_place_of_a_configuration_file_is_refused() {
    let spec = "problems/mini/problem.toml";
    let pipe = |path: &std::path::Path| {
        let made = std::process::Command::new("mkfifo")
            .arg(path)
            .status()
            .unwrap();
        assert!(made.success());
    };
    for file in [
        "judge.toml",
        spec,
        "problems/mini/submissions/submissions.toml",
    ] {
        let message = match file {
            "judge.toml" => {
                "error: judge.toml: is a pipe, where a file should be\nhint: replace it with a regular file"
            }
            _ => "is neither a file nor a folder\nhint: delete it, or move it away",
        };
        let judge = Judge::new();
        judge.put(file, "");
        judge.remove(file);
        pipe(&judge.path(file));
        let ran = judge.run(&["grade"]);
        assert_eq!(ran.code, Some(2), "{file}");
        assert!(ran.stderr.contains(message), "{file}: {}", ran.stderr);
    }
    let judge = Judge::new();
    judge.put("c/team/mini.c", "");
    pipe(&judge.path("c/contest.toml"));
    let ran = judge.run(&["grade", "c"]);
    let message = "error: c/contest.toml: is neither a file nor a folder\nhint: delete it, or move it away\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), message));
    let long = "#".repeat((1 << 20) + 1);
    let message = |file| {
        format!(
            "error: {file}: is larger than 1 MiB\nhint: 1 MiB is the most that is read"
        )
    };
    refused(
        |judge| _ = judge.put("judge.toml", &long),
        &message("judge.toml"),
    );
    refused(|judge| _ = judge.put(spec, &long), &message(spec));
    judge.remove("c/contest.toml").put("c/contest.toml", &long);
    let ran = judge.run(&["grade", "c"]);
    assert!(
        ran.stderr.starts_with(&message("c/contest.toml")),
        "{}",
        ran.stderr
    );
    judge
        .remove("c/contest.toml")
        .link("c/contest.toml", "/dev/zero");
    let ran = judge.run(&["grade", "c"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.starts_with("error: c/contest.toml: is "),
        "{}",
        ran.stderr
    );
    refused(
        |judge| _ = judge.remove("judge.toml").link("judge.toml", "/dev/zero"),
        "error: judge.toml: is a link that leads out of its folder\nhint: put the file itself in its place",
    );
}

#[test]
fn a_case_of_a_terabyte_is_refused_unread() {
    let judge = Judge::new();
    let input = judge.path("cases/mini/sample/001-one.in");
    std::fs::OpenOptions::new()
        .write(true)
        .open(input)
        .unwrap()
        .set_len(1 << 40)
        .unwrap();
    let ran = judge.run(&["verify"]);
    let message = "error: cases/mini/sample/001-one.in: has 1099511627776 bytes, and a file of a case may have 1073741824 (1 GiB)\n\
                   hint: cut it into several cases\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), message));
}

#[test]
fn links_out_of_the_judges_folder_are_refused() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("1.in"), ONE).unwrap();
    std::fs::write(outside.path().join("1.ans"), SOLVED).unwrap();
    let target = outside.path().to_str().unwrap();
    let hint = "is a link that leads out of the judge's folder\n\
                hint: put the files themselves in its place, or name the other folder in judge.toml (`problems`, `cases` or [case_folders])";
    for (link, target) in [
        ("problems/other", "/"),
        ("problems/mini/statement", "/etc/passwd"),
        ("cases/mini/sample/secret.in", "/etc/passwd"),
        ("cases/mini/more", target),
    ] {
        refused(
            |judge| _ = judge.link(link, target),
            &format!("error: {link}: {hint}"),
        );
    }
    let spec = "problems/mini/problem.toml";
    refused(
        |judge| _ = judge.remove(spec).link(spec, "/proc/self/mem"),
        &format!("error: {spec}: {hint}"),
    );

    // A folder that the judge's user allows and judge.toml names is allowed, and so is
    // a link to a place inside the judge's folder.
    let judge = Judge::new();
    judge
        .script("submissions/right", RIGHT)
        .put("problems/mini/submissions/accepted/note.md", "");
    judge.link(
        "problems/mini/submissions/accepted/right",
        "../../../../submissions/right",
    );
    judge.link("cases/mini/more", target);
    judge.put("judge.toml", format!("[case_folders]\nmini = {target:?}\n"));
    judge.configure(format!("folders = [{target:?}]\n"));
    assert_eq!(
        judge
            .run(&[
                "check",
                "-p",
                "mini",
                &format!("{target}/1.in"),
                &format!("{target}/1.ans")
            ])
            .code,
        Some(0)
    );
    let ran = judge.run(&["answers", "--check"]);
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (Some(0), ""),
        "{}",
        ran.stdout
    );
}

#[test]
fn too_many_links_to_folders_are_refused() {
    let judge = Judge::new();
    for depth in 0..24 {
        judge.put(format!("problems/deep/{depth}/note.md"), "");
        if depth > 0 {
            for name in ["a", "b"] {
                judge.link(
                    &format!("problems/deep/{}/{name}", depth - 1),
                    &format!("../{depth}"),
                );
            }
        }
    }
    let ran = judge.run(&["grade"]);
    let message = "error: problems: more than 1000 links below it lead to folders\n\
                   hint: name a folder in judge.toml that holds nothing else, and delete links from folder to folder\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), message));
}

#[test]
fn a_circular_link_is_reported() {
    for (link, target, back) in [
        ("problems/mini/loop", "..", "problems"),
        ("cases/mini/sample/loop", "..", "cases/mini"),
    ] {
        let message = format!(
            "error: {link}: the link leads in a circle, back to {back}\nhint: delete the link"
        );
        refused(|judge| _ = judge.link(link, target), &message);
    }
}

#[test]
fn bytes_of_a_name_that_are_not_utf_8_are_shown_as_replacement_characters() {
    let name = std::ffi::OsStr::from_bytes(b"cases/mini/\xff.in");
    let message = "error: cases/mini/\u{fffd}.in: the case has no answer next to it\n\
                   hint: write it with `gridjudge answers mini`";
    refused(|judge| _ = judge.put(name, ONE), message);
}

#[test]
fn links_in_a_package_concern_that_package_only() {
    let judge = Judge::new();
    let package = "problems/pack";
    judge.put(format!("{package}/problem.yaml"), "name: Pack\n");
    judge
        .put(format!("{package}/data/secret/1.in"), "1\n")
        .put(format!("{package}/data/secret/1.ans"), "1\n");
    judge
        .link(&format!("{package}/problem.pdf"), "nothing")
        .link("problems/mini/problem.pdf", "nothing");
    judge
        .script("mini.sh", RIGHT)
        .script("right.sh", "#!/bin/sh\necho 1\n");
    for arguments in [
        &["grade", "-q", "mini.sh"][..],
        &["grade", "-q", "-p", "pack", "right.sh"],
        &["list"],
    ] {
        let ran = judge.run(arguments);
        assert_eq!(
            (ran.code, ran.stderr.as_str()),
            (Some(0), ""),
            "{arguments:?}"
        );
    }
    judge.link(&format!("{package}/data/secret/2.in"), "nothing");
    assert_eq!(judge.run(&["grade", "-q", "mini.sh"]).code, Some(0));
    let ran = judge.run(&["grade", "-q", "-p", "pack", "right.sh"]);
    let message = "error: problems/pack/data/secret/2.in: is a link that leads nowhere\n\
                   hint: delete the link, or put the file itself in its place\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), message));
}
