//! What counts as a problem in the folder of problems: folders, archives and folders of
//! cases; and what is said of the rest.

use std::io::Write;

use crate::judge::Judge;

const RIGHT: &str = "print(2 * int(input()))\n";
const WRONG: &str = "n = int(input())\nprint(2 * n if n < 3 else 7)\n";

/// The name of each problem that `list` shows, with its format and its number of cases.
fn listed(judge: &Judge) -> Vec<String> {
    let ran = judge.run(&["list", "--json", "-q"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let problems: Vec<serde_json::Value> = serde_json::from_str(&ran.stdout).unwrap();
    let shown = |problem: &serde_json::Value| {
        [&problem["id"], &problem["format"]]
            .map(|value| value.as_str().unwrap_or("ours").to_owned())
            .join(" ")
            + &format!(" {}", problem["cases"])
    };
    problems
        .iter()
        .map(shown)
        .filter(|shown| !shown.contains("ours"))
        .collect()
}

/// The notes of a command about what is no problem.
fn notes(judge: &Judge, arguments: &[&str]) -> Vec<String> {
    let output = judge.command(arguments).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    let notes = stderr
        .lines()
        .filter_map(|line| line.strip_prefix("note: "));
    notes
        .filter(|note| note.contains(": is not a problem: "))
        .map(str::to_owned)
        .collect()
}

/// An archive of these files.
fn packed(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = rawzip::ZipArchiveWriter::new(vec![]);
    for (name, text) in files {
        let (mut file, config) = archive.new_file(name).start().unwrap();
        let mut data = config.wrap(&mut file);
        data.write_all(text.as_bytes()).unwrap();
        let (_, descriptor) = data.finish().unwrap();
        file.finish(descriptor).unwrap();
    }
    archive.finish().unwrap()
}

const YAML: &str = "problem_format_version: 2025-09\nname: Twice\nuuid: 3b5f\nlimits: {time_limit: 10}\n";

/// A package whose only right answer is `answer`.
fn package(answer: &str) -> Vec<u8> {
    packed(&[
        ("problem.yaml", YAML),
        ("data/secret/1.in", "3\n"),
        ("data/secret/1.ans", answer),
        ("submissions/accepted/right.py", RIGHT),
        ("submissions/wrong_answer/wrong.py", WRONG),
    ])
}

#[test]
fn an_archive_among_the_problems_is_a_problem() {
    let judge = Judge::new();
    judge
        .put("problems/twice.zip", package("6\n"))
        .put("problems/double.kpp", package("6\n"));
    judge.put(
        "problems/mini/tests.zip",
        "no package, but a part of the problem",
    );
    assert_eq!(listed(&judge), ["double 2025-09 1", "twice 2025-09 1"]);
    let ran = judge.run(&["verify", "twice", "-q", "--log", "log"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    // Not the temporary folder into which it is unpacked.
    let log = judge.read("log");
    assert!(
        log.contains("\"path\":\"problems/twice.zip/submissions/accepted/right.py\""),
        "{log}"
    );
    let ran = judge.run(&["answers", "twice", "double", "--check"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let ran = judge.run(&["grade", "-p", "twice", "rihgt.py"]);
    assert!(
        ran.code == Some(2) && !ran.stderr.contains("did you mean"),
        "{}",
        ran.stderr
    );
    judge.put("twice.py", RIGHT);
    assert_eq!(judge.run(&["grade", "twice.py"]).code, Some(0));
    let page = judge.run(&["doctor", "twice"]).stdout;
    assert!(page.contains("problems/twice.zip/problem.yaml"), "{page}");
    // Its path names the same problem.
    assert_eq!(
        judge
            .run(&["grade", "-p", "problems/twice.zip", "twice.py"])
            .code,
        Some(0)
    );
    assert_eq!(notes(&judge, &["list"]), [""; 0]);
}

#[test]
fn a_broken_archive_is_a_mistake_of_its_own_problem_alone() {
    let judge = Judge::new();
    judge
        .put("problems/twice.zip", package("6\n"))
        .put("problems/bad.zip", "text");
    judge
        .put("problems/other.zip", packed(&[("notes.txt", "")]))
        .put("twice.py", RIGHT);
    assert_eq!(judge.run(&["grade", "twice.py"]).code, Some(0));
    let ran = judge.run(&["list"]);
    assert!(
        ran.stdout.contains("twice") && ran.code == Some(2),
        "{}",
        ran.stdout
    );
    for said in [
        "error: problems/bad.zip: ",
        "error: problems/other.zip: holds no package: it has no `problem.yaml`",
    ] {
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
}

#[test]
fn a_folder_and_an_archive_of_the_same_name_are_a_mistake() {
    let judge = Judge::new();
    judge.put("problems/mini.zip", package("6\n"));
    let refused = "error: problems/mini.zip: problem `mini` is also in problems/mini\nhint: rename one of the two\n";
    judge.refuses(&["list"], refused);
}

#[test]
fn folders_of_cases_among_the_problems_are_problems() {
    let judge = Judge::new();
    judge
        .put("problems/abc/test/sample-1.in", "3\n")
        .put("problems/abc/test/sample-1.out", "6\n");
    judge
        .put("problems/bare/1.in", "3\n")
        .put("problems/bare/1.ans", "6\n")
        .put("problems/bare/right.py", RIGHT);
    judge.put(
        "problems/packed.zip",
        packed(&[("p/1.in", "3\n"), ("p/1.out", "6\n")]),
    );
    assert_eq!(listed(&judge), ["abc oj 1", "bare oj 1", "packed oj 1"]);
    for problem in ["abc", "bare", "packed", "./problems/bare"] {
        judge.put("right.py", RIGHT).put("wrong.py", WRONG);
        assert_eq!(
            judge.run(&["grade", "-p", problem, "right.py"]).code,
            Some(0),
            "{problem}"
        );
        assert_eq!(
            judge.run(&["grade", "-p", problem, "wrong.py"]).code,
            Some(1),
            "{problem}"
        );
    }
    // A submission in the folder is for that problem.
    assert_eq!(
        judge.run(&["grade", "problems/bare/right.py"]).code,
        Some(0)
    );
}

#[test]
fn what_looks_like_a_problem_and_is_none_is_named() {
    let judge = Judge::new();
    for (name, text) in [
        ("problems/archive.tar.gz", ""),
        ("problems/BIG.ZIP", ""),
        ("problems/day1/a.zip", ""),
        ("problems/draft/data/secret/1.in", ""),
        ("problems/typo/problem.yml", ""),
        ("problems/pairs/01", "3\n"),
        ("problems/pairs/01.a", "6\n"),
        ("problems/contest/olympiad/task.yaml", ""),
        ("problems/contest/olympiad/gen/GEN", ""),
        ("problems/unanswered/1.in", ""),
        // Not meant as problems.
        ("problems/README.md", ""),
        ("problems/shared/testlib.h", ""),
        ("problems/mini/problem.yml", ""),
        ("problems/.hidden/1.in", ""),
    ] {
        judge.put(name, text);
    }
    judge.put("problems/twice.zip", package("6\n"));
    let found = notes(&judge, &["list"]);
    let no_problem = |rest: &str| format!("is not a problem: {rest}");
    let archives = no_problem(
        "only archives are read whose names end with `.zip` or `.kpp`; unpack it, or pack it as one of them",
    );
    let nothing = "is in it, but it has no `problem.toml`, and it has no `problem.yaml`, `problem.xml`, \
                   `domjudge-problem.ini` or `init.yml`, and no cases (`NAME.in`) in it or in `test/`; \
                   docs/packages.md lists what makes a folder a problem";
    let expected = [
        format!("problems/BIG.ZIP: {archives}"),
        format!("problems/archive.tar.gz: {archives}"),
        format!(
            "problems/contest: {}",
            no_problem(
                "`task.yaml` is of CMS, whose problems are not read; if it has cases, `-p` with the path of the folder judges these"
            )
        ),
        format!(
            "problems/day1/a.zip: {}",
            no_problem(
                "an archive is one only directly in the folder of problems; move it there"
            )
        ),
        format!(
            "problems/draft: {}",
            no_problem(&format!("data/secret/1.in {nothing}"))
        ),
        format!(
            "problems/pairs: {}",
            no_problem(
                "`01` and `01.a` may be a case, but no cases are named `NAME.in`; if they are cases, `-p` with the path of the folder judges these"
            )
        ),
        format!(
            "problems/typo: {}",
            no_problem(&format!("problem.yml {nothing}"))
        ),
        format!(
            "problems/unanswered: {}",
            no_problem(
                "1.in is in it, and no case has an answer (`NAME.out` or `NAME.ans`); write the answers next to the cases"
            )
        ),
    ];
    assert_eq!(found, expected);
    for all in [&["verify"][..], &["grade"]] {
        assert_eq!(notes(&judge, all).len(), expected.len(), "{all:?}");
    }
    for some in [&["list", "mini"][..], &["list", "-q"], &["verify", "mini"]] {
        assert_eq!(notes(&judge, some), [""; 0], "{some:?}");
    }
}

#[test]
fn the_folder_of_a_problem_for_cms_without_cases_is_named() {
    let judge = Judge::new();
    judge.remove("judge.toml");
    judge
        .put("easy/task.yaml", "name: easy\n")
        .put("easy/gen/GEN", "#ST: 10\n1 2\n")
        .put("easy/sol/sol.py", RIGHT);
    let refused = "error: ./easy: is a problem of CMS by its `task.yaml`, which is not read, and has no cases\nhint: have its own tools write its cases, inputs and answers: these are judged, within `--time-limit`\n";
    judge.refuses(&["grade", "-p", "./easy", "easy/sol/sol.py"], refused);
    judge
        .put("easy/input/input0.txt", "3\n")
        .put("easy/output/output0.txt", "6\n");
    assert_eq!(
        judge
            .run(&["grade", "-p", "./easy", "easy/sol/sol.py"])
            .code,
        Some(0)
    );
}

#[test]
fn cases_are_named_by_patterns_for_every_command() {
    let judge = Judge::new();
    judge.remove("judge.toml");
    judge
        .put("abc/gen/1", "3\n")
        .put("abc/sol/1", "6\n")
        .put("wrong", "7\n");
    let cases = ["--cases", "gen/*,sol/*"];
    let ran = |arguments: &[&str]| judge.run(&[arguments, &cases].concat());
    let page = ran(&["doctor", "abc"]);
    assert_eq!(page.code, Some(0), "{page:?}");
    assert!(
        page.stdout
            .contains("1 pair of files, such as `gen/1` and `sol/1`"),
        "{}",
        page.stdout
    );
    assert!(ran(&["list", "./abc"]).stdout.contains("abc"));
    let checked = ran(&["check", "-p", "./abc", "abc/gen/1", "wrong", "abc/sol/1"]);
    assert!(
        checked.stdout.contains("found `7`, expected `6`"),
        "{checked:?}"
    );
    assert_eq!(ran(&["verify", "./abc"]).code, Some(0));
    for (command, message) in [
        (
            vec!["verify"],
            "--cases: no folder is named whose cases these are",
        ),
        (
            vec!["verify", "./abc", "./abc"],
            "--cases: several problems are named",
        ),
        (
            vec!["doctor", "./abc", "--format", "oj"],
            "cannot be used with",
        ),
        (
            vec!["doctor", "./none"],
            "./none: there is no such file or folder",
        ),
    ] {
        let refused = ran(&command);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.stderr.contains(message), "{}", refused.stderr);
    }
    judge.refuses(
        &["grade", "-p", "./abc", "wrong", "--cases", "no/*,sol/*"],
        "error: ./abc: holds no case: no file in it matches `no/*`\nhint: correct the patterns, which are relative to that folder\n",
    );
    let hostile = judge.run(&["list", "./abc", "--cases", "../*,sol/*"]);
    assert!(
        hostile
            .stderr
            .contains("does not name files below the folder"),
        "{}",
        hostile.stderr
    );
}

#[test]
fn a_case_of_a_folder_of_cases_without_an_answer_is_named() {
    let judge = Judge::new();
    judge.remove("judge.toml");
    judge
        .put("abc/test/a.in", "3\n")
        .put("bare/1.in", "3\n")
        .put("right.py", RIGHT);
    for (place, case, answer) in [
        ("./abc", "./abc/test/a.in", "a.out"),
        ("./bare", "./bare/1.in", "1.out"),
    ] {
        judge.refuses(
            &["grade", "-p", place, "right.py"],
            &format!(
                "error: {case}: the case has no answer next to it\nhint: write it into {answer}, or delete the case\n"
            ),
        );
        let page = judge.run(&["doctor", place]).stdout;
        assert!(page.contains("answers are missing"), "{page}");
        let ran = judge.run(&["answers", place]);
        assert!(
            ran.stderr
                .contains("a folder of cases holds no submissions"),
            "{}",
            ran.stderr
        );
    }
    for (place, answer) in [("./abc", "abc/test/a.out"), ("./bare", "bare/1.out")] {
        let ran = judge.run(&["answers", place, "--solution", "right.py"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(
            judge.read(answer).as_str() == "6\n" && ran.stdout.contains(answer),
            "{}",
            ran.stdout
        );
        judge.put("wrong.py", WRONG);
        let ran = judge.run(&["answers", place, "--check", "--solution", "wrong.py"]);
        assert!(
            ran.stderr.contains("`wrong.py` answers otherwise"),
            "{}",
            ran.stderr
        );
    }
    judge.refuses(
        &["answers", "./abc", "./bare", "--solution", "right.py"],
        "error: --solution: one program cannot answer 2 problems\nhint: name one problem\n",
    );
}
