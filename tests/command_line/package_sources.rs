//! Judges packages with submissions of several files, with files that are included in
//! every submission, and with constants.

use std::fs;

use crate::judge::{Judge, needs_cc};

/// A `problem.yaml` of the newest format.
const NEW: &str = "problem_format_version: 2025-09\nname: Twice\nuuid: 3b5f\nlimits: {time_limit: 10}\n";

/// A package that asks for twice a number, with these additional files.
fn package(yaml: &str, files: &[(&str, &str)]) -> Judge {
    let judge = Judge::new();
    judge.put("pkg/problem.yaml", yaml);
    for (name, input, answer) in
        [("sample/1", "1\n", "2\n"), ("secret/2", "5\n", "10\n")]
    {
        judge
            .put(format!("pkg/data/{name}.in"), input)
            .put(format!("pkg/data/{name}.ans"), answer);
    }
    for (name, text) in files {
        judge.put(format!("pkg/{name}"), text);
    }
    judge
}

/// Checks that `verify` judges this many submissions, skips none, and finds all as
/// expected.
#[track_caller]
fn verified(judge: &Judge, submissions: usize) {
    let output = judge
        .command(&["verify", "./pkg", "--log", "log.jsonl"])
        .output()
        .unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{stdout}{stderr}");
    assert!(!stderr.contains("not judged"), "{stderr}");
    let log = judge.read("log.jsonl");
    let finished = log
        .lines()
        .filter(|line| line.contains("\"event\":\"submission_finished\""));
    assert_eq!(finished.count(), submissions, "{log}");
}

#[test]
fn the_c_sources_of_a_folder_are_built_into_one_program() {
    needs_cc();
    let main = "#include <stdio.h>\n#include \"lib/twice.h\"\nint main(void) { int n; scanf(\"%d\", &n); printf(\"%d\\n\", twice(n)); }\n";
    let wrong = main.replace("twice(n))", "twice(n) + (n > 1))");
    let files = [
        ("submissions/accepted/parts/zmain.c", main),
        (
            "submissions/accepted/parts/twice.c",
            "int twice(int n) { return 2 * n; }\n",
        ),
        (
            "submissions/accepted/parts/lib/twice.h",
            "int twice(int n);\n",
        ),
        ("submissions/wrong_answer/parts/main.c", &wrong),
        (
            "submissions/wrong_answer/parts/twice.c",
            "int twice(int n) { return 2 * n; }\n",
        ),
        (
            "submissions/wrong_answer/parts/lib/twice.h",
            "int twice(int n);\n",
        ),
    ];
    let judge = package(NEW, &files);
    verified(&judge, 2);
    // Results come from the cache until one of the files changes.
    verified(&judge, 2);
    assert_eq!(
        judge.read("log.jsonl").matches("\"cached\":true").count(),
        4
    );
    judge.put(
        "pkg/submissions/accepted/parts/twice.c",
        "int twice(int n) { return 3 * n; }\n",
    );
    assert_eq!(judge.run(&["verify", "./pkg"]).code, Some(1));
}

#[test]
fn a_program_in_python_starts_in_its_main_file_or_entrypoint() {
    let module = "def twice(n): return 2 * n\n";
    let main = "from lib import twice\nprint(twice(int(input())))\n";
    let files = [
        ("submissions/accepted/dunder/__main__.py", main),
        ("submissions/accepted/dunder/lib.py", module),
        ("submissions/accepted/named/main.py", main),
        ("submissions/accepted/named/lib.py", module),
        ("submissions/accepted/entry/solve.py", main),
        ("submissions/accepted/entry/lib.py", module),
        (
            "submissions/accepted/alone/sol.py",
            "print(2 * int(input()))\n",
        ),
        ("submissions/accepted/alone/README.txt", "notes\n"),
        (
            "submissions/submissions.yaml",
            "accepted/entry:\n  entrypoint: solve.py\n",
        ),
    ];
    verified(&package(NEW, &files), 4);
}

#[test]
fn programs_of_one_or_several_files_may_be_in_bash_or_have_an_ending_in_upper_case() {
    let shell = "#!/bin/bash\nread -r number\n((number > 0)) && exit 42\n";
    let twice = "#!/bin/bash\nread -r number\necho $((2 * number))\n";
    let files = [
        ("input_validators/positive.sh", shell),
        ("input_validators/folder/positive.sh", shell),
        ("input_validators/folder/notes.txt", "positive numbers\n"),
        ("submissions/accepted/twice/main.sh", twice),
        ("submissions/accepted/twice/notes.txt", "twice\n"),
        ("submissions/wrong_answer/two/one.sh", twice),
        ("submissions/wrong_answer/two/other.sh", twice),
        ("submissions/accepted/TWICE.PY", "print(2 * int(input()))\n"),
        (
            "submissions/accepted/folder/TWICE.PY",
            "print(2 * int(input()))\n",
        ),
        ("submissions/accepted/folder/notes.txt", "twice\n"),
    ];
    let judge = package(NEW, &files);
    let ran = judge.run(&["verify", "./pkg"]);
    for expected in [
        "2 inputs valid, by 2 input validators",
        "accepted/TWICE.PY  Python    AC       yes",
        "accepted/folder    Python    AC       yes",
        "accepted/twice     Bash      AC       yes",
    ] {
        assert!(ran.stdout.contains(expected), "{expected}: {ran:?}");
    }
    let doctor = judge.run(&["doctor", "./pkg"]).stdout;
    let left_out =
        "wrong_answer/two: it is unclear which of its 2 files it starts in\n";
    assert!(doctor.contains(left_out), "{doctor}");
}

#[test]
fn a_submission_without_a_clear_start_or_language_is_left_out_with_the_reason() {
    let files = [
        ("submissions/accepted/a.py", "print(2 * int(input()))\n"),
        ("submissions/accepted/two/a.py", ""),
        ("submissions/accepted/two/b.py", ""),
        ("submissions/accepted/mixed/a.py", ""),
        ("submissions/accepted/mixed/b.cpp", ""),
        (
            "submissions/accepted/old.py",
            "#!/usr/bin/env python2\nprint 2\n",
        ),
        ("submissions/accepted/odd/program", ""),
        ("submissions/accepted/odd/a.c", ""),
    ];
    let judge = package(NEW, &files);
    let page = judge.run(&["doctor", "./pkg"]).stdout;
    for line in [
        "accepted/two: it is unclear which of its 2 files it starts in: none is called __main__.py or main.py",
        "accepted/mixed: its files are of several languages: Python, C++",
        "accepted/old.py: its first line asks for Python 2, which is not a language of this judge",
        "accepted/odd: its file `program` has the name of what compilers make",
    ] {
        assert!(page.contains(line), "{line}: {page}");
    }
    assert_eq!(judge.run(&["verify", "./pkg"]).code, Some(0));
}

#[test]
fn a_submission_in_a_language_of_the_format_that_this_judge_lacks_is_left_out_by_its_name()
 {
    let files = [
        ("submissions/accepted/a.py3", "print(2 * int(input()))\n"),
        ("submissions/accepted/b.scala", "object Main\n"),
        ("submissions/accepted/c.py2", "print 2\n"),
        (
            "submissions/accepted/d.pl",
            "main :- read(N), M is 2 * N, write(M).\n:- initialization(main).\n",
        ),
        ("submissions/accepted/e/main.zig", ""),
        ("submissions/accepted/e/notes.txt", ""),
        ("submissions/accepted/f.cpp", ""),
        ("submissions/accepted/g.xyz", ""),
        (
            "submissions/submissions.yaml",
            "accepted/f.cpp: {language: cppgmp}\n",
        ),
    ];
    let judge = package(NEW, &files);
    let page = judge
        .run(&["doctor", "./pkg"])
        .stdout
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    for told in [
        "accepted/b.scala: it is in Scala, which is not a language of this judge",
        "accepted/c.py2: it is in Python 2, which is not a language of this judge",
        "accepted/d.pl: its directives (`:-`) are Prolog, which is not a language of this judge",
        "accepted/e: it is in Zig, which is not a language of this judge",
        "accepted/f.cpp: the package says that its language is `cppgmp`, which is not a language of this judge",
        "accepted/g.xyz: its ending belongs to no language of this judge",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    let output = judge.command(&["verify", "./pkg"]).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(
        stderr.contains("6 submissions are not judged") && stderr.contains("1/1"),
        "{stderr}"
    );
}

#[test]
fn a_language_that_the_package_names_counts_whatever_the_ending() {
    needs_cc();
    let cpp = "#include <cstdio>\nint main() { int n; std::scanf(\"%d\", &n); std::printf(\"%d\", 2 * n); }\n";
    let files = [
        ("submissions/accepted/a.txt", "print(2 * int(input()))\n"),
        ("submissions/accepted/b", cpp),
        ("submissions/accepted/c.c", cpp),
        ("submissions/accepted/d.py", "print 2\n"),
        (
            "submissions/submissions.yaml",
            "accepted/a.txt: {language: python3}\naccepted/{b,c.c}: {language: cpp}\naccepted/d.py: {language: python2}\n",
        ),
    ];
    let judge = package(NEW, &files);
    let told = "accepted/d.py: the package says that its language is `python2`, which is not a language of this judge";
    let page = judge.run(&["doctor", "./pkg"]).stdout;
    assert!(page.replace("\n    ", " ").contains(told), "{page}");
    judge.remove("pkg/submissions/accepted/d.py").edit(
        "pkg/submissions/submissions.yaml",
        "accepted/d.py: {language: python2}\n",
        "",
    );
    verified(&judge, 3);
    assert_eq!(
        judge
            .run(&["grade", "-p", "./pkg", "pkg/submissions/accepted/a.txt"])
            .code,
        Some(0)
    );
}

#[test]
fn a_class_in_java_may_have_the_name_of_its_file() {
    let class =
        |name: &str, body: &str| format!("public class {name} {{ {body} }}\n");
    let main = |value: &str| {
        format!(
            "public static void main(String[] w) {{ System.out.println({value}); }} static int n() {{ return new java.util.Scanner(System.in).nextInt(); }}"
        )
    };
    let files = [
        (
            "submissions/accepted/Twice.java",
            class("Twice", &main("2 * n()")),
        ),
        (
            "submissions/accepted/other.java",
            class("Main", &main("2 * n()")),
        ),
        (
            "submissions/accepted/two/Main.java",
            class("Main", &main("Helper.twice(n())")),
        ),
        (
            "submissions/accepted/two/Helper.java",
            class("Helper", "static int twice(int n) { return 2 * n; }"),
        ),
    ];
    let files: Vec<_> = files
        .iter()
        .map(|(name, text)| (*name, text.as_str()))
        .collect();
    verified(&package(NEW, &files), 3);
}

#[test]
fn several_java_classes_without_a_main_java_start_in_the_only_one_with_a_main_method()
{
    let start = "class Start { public static void main(String[] w) { \
                 System.out.println(Help.twice(new java.util.Scanner(System.in).nextInt())); } }\n";
    let help = "class Help { static int twice(int n) { return 2 * n; } }\n";
    let files = [
        ("submissions/accepted/two/Start.java", start),
        ("submissions/accepted/two/Help.java", help),
    ];
    verified(&package(NEW, &files), 1);
    let both = [
        files[0],
        (
            "submissions/accepted/two/Again.java",
            &start.replace("Start", "Again"),
        ),
    ];
    let expected = "accepted/two: it is unclear which of its 2 files it starts in: none is called Main.java";
    let doctor = package(NEW, &both).run(&["doctor", "./pkg"]);
    assert!(doctor.stdout.contains(expected), "{}", doctor.stdout);
}

#[test]
fn included_files_are_part_of_every_submission() {
    needs_cc();
    let files = [
        (
            "include/cpp/grader.cpp",
            "#include <cstdio>\n#include \"twice.h\"\nint main() { int n; if (scanf(\"%d\", &n) == 1) printf(\"%d\\n\", twice(n)); }\n",
        ),
        ("include/cpp/twice.h", "int twice(int n);\n"),
        (
            "include/python3/main.py",
            "from solution import twice\nprint(twice(int(input())))\n",
        ),
        ("include/default/nothing.txt", ""),
        (
            "submissions/accepted/a.cpp",
            "#include \"twice.h\"\nint twice(int n) { return 2 * n; }\n",
        ),
        (
            "submissions/wrong_answer/a.cpp",
            "#include \"twice.h\"\nint twice(int n) { return 2; }\n",
        ),
        (
            "submissions/accepted/solution.py",
            "def twice(n): return 2 * n\n",
        ),
    ];
    for yaml in ["limits: {time_limit: 10}\n", NEW] {
        let judge = package(yaml, &files);
        verified(&judge, 3);
        judge.put("mine.cpp", "int twice(int n) { return n + n; }\n");
        assert_eq!(
            judge.run(&["grade", "-p", "./pkg", "mine.cpp"]).code,
            Some(0)
        );
    }
}

#[test]
fn constants_are_filled_into_submissions_and_validators() {
    let yaml = format!("{NEW}constants:\n  factor: 2\n  word: x\n");
    let files = [
        (
            "submissions/accepted/c.py",
            "print({{factor}} * int(input()))\n",
        ),
        (
            "submissions/accepted/d/main.py",
            "import k\nprint(k.k * int(input()))\n",
        ),
        ("submissions/accepted/d/k.py", "k = {{factor.value}}\n"),
        (
            "output_validator/v.py",
            "import sys\nn = int(open(sys.argv[1]).read())\nsys.exit(42 if int(input()) == n * {{factor}} else 43)\n",
        ),
        (
            "input_validators/i.py",
            "import sys\nsys.exit(42 if int(input()) >= {{factor}} / 4 else 43)\n",
        ),
        (
            "input_validators/rules.ctd",
            "INT(-9, {{factor}} * 1000) NEWLINE EOF\n",
        ),
    ];
    let judge = package(&yaml, &files);
    verified(&judge, 2);
    judge
        .edit("pkg/problem.yaml", "factor: 2", "factor: 3")
        .put("pkg/data/sample/1.ans", "3\n");
    verified(&judge, 2);
    fs::remove_dir_all(judge.path("pkg/output_validator")).unwrap();
    assert_eq!(judge.run(&["verify", "./pkg"]).code, Some(1));
}

#[test]
fn a_submission_in_a_language_that_the_package_does_not_allow_is_skipped_with_the_reason()
 {
    needs_cc();
    let c = "#include <stdio.h>\nint main(void) { int n; scanf(\"%d\", &n); printf(\"%d\\n\", 2 * n); }\n";
    let files = [
        ("submissions/accepted/a.c", c),
        ("submissions/accepted/b.py", "print(2 * int(input()))\n"),
    ];
    let judge = package(&format!("{NEW}languages: [c, java]\n"), &files);
    // It is skipped even if a result is cached.
    judge
        .put("mine.py", "print(2 * int(input()))\n")
        .put("mine.c", c);
    let ran = judge.run(&["verify", "./pkg"]);
    assert!(
        ran.stdout.contains("1 as expected, 1 skipped"),
        "{}",
        ran.stdout
    );
    let reason =
        "the package takes no submissions in Python: its `languages` are c, java";
    assert!(ran.stdout.contains(reason), "{}{}", ran.stdout, ran.stderr);
    let graded = |file: &str| judge.run(&["grade", "-p", "./pkg", file]);
    assert_eq!(
        (graded("mine.c").code, graded("mine.py").code),
        (Some(0), Some(3))
    );
    assert!(
        graded("mine.py").stdout.contains(reason),
        "{}",
        graded("mine.py").stdout
    );
    for all in ["languages: all\n", "languages: [python3, c]\n", ""] {
        judge.put("pkg/problem.yaml", format!("{NEW}{all}"));
        assert_eq!(graded("mine.py").code, Some(0), "{all}");
    }
}

/// Otherwise all submissions could be left out without a word.
#[test]
fn each_language_code_that_the_format_does_not_know_is_an_error() {
    let judge = package(
        &format!("{NEW}languages: [python, c++, cobol, intercal]\n"),
        &[],
    );
    let ran = judge.run(&["grade", "-p", "./pkg"]);
    assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
    for (code, remedy) in [
        ("python", "did you mean `python3`?"),
        (
            "c++",
            "use the codes of the format, for example `cpp` or `python3`, or `all`",
        ),
        (
            "intercal",
            "use the codes of the format, for example `cpp` or `python3`, or `all`",
        ),
    ] {
        let expected =
            format!("`{code}` in `languages` is not a language of the format");
        assert!(
            ran.stderr.contains(&expected) && ran.stderr.contains(remedy),
            "{}",
            ran.stderr
        );
    }
    assert!(!ran.stderr.contains("cobol` in"), "{}", ran.stderr);
}

#[test]
fn in_a_contest_a_submission_in_a_language_that_is_not_allowed_is_a_compile_error() {
    let judge = package(&format!("{NEW}languages: [c]\n"), &[]);
    fs::rename(judge.path("pkg"), judge.path("problems/twice")).unwrap();
    judge.put("finals/red/twice@10.py", "print(2 * int(input()))\n");
    let ran = judge.run(&["grade", "finals", "--log", "log.jsonl"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let log = judge.read("log.jsonl");
    assert!(
        log.contains("\"verdict\":\"CE\"") && !log.contains("submission_skipped"),
        "{log}"
    );
    assert!(
        ran.stdout
            .contains("the package takes no submissions in Python"),
        "{}",
        ran.stdout
    );
    judge.put(
        "problems/twice/problem.yaml",
        format!("{NEW}languages: []\n"),
    );
    assert!(
        judge
            .run(&["list"])
            .stderr
            .contains("`languages` names none")
    );
}
