//! What submissions to packages get besides standard input, tested with the real
//! program: arguments and files of cases in the format 2025-09, and files in place of
//! standard input and output in packages of Polygon.

use crate::judge::{Judge, Ran};

const NEW: &str = "problem_format_version: 2025-09\nname: Words\nuuid: 3b5f\nlimits: {time_limit: 5}\n";

/// Prints its input, its arguments, and the words of two files if they exist;
/// overwrites those files.
const ALL_WORDS: &str = "import os, sys\nout = [input()] + sys.argv[1:]\nfor name in 'a.txt', 'deep/b.txt':\n    \
    if os.path.exists(name):\n        out.append(open(name).read().strip())\n        open(name, 'w').write('spoilt')\nprint(*out)\n";

/// A package with arguments for a sample and for a group, and files for a case of the
/// group.
fn words() -> Judge {
    let judge = Judge::new();
    let files = [
        ("problem.yaml", NEW),
        ("data/sample/1.in", "3\n"),
        ("data/sample/1.ans", "3 x y z\n"),
        ("data/sample/1.yaml", "args: [x, y z]\n"),
        ("data/secret/test_group.yaml", "args: [g]\n"),
        ("data/secret/2.in", "4\n"),
        ("data/secret/2.ans", "4 g hello deep\n"),
        ("data/secret/2.files/a.txt", "hello\n"),
        ("data/secret/2.files/deep/b.txt", "deep\n"),
        ("data/secret/3.in", "5\n"),
        ("data/secret/3.ans", "5\n"),
        ("data/secret/3.yaml", "args: []\n"),
        ("submissions/accepted/words.py", ALL_WORDS),
        ("submissions/wrong_answer/input.py", "print(input())\n"),
    ];
    for (name, text) in files {
        judge.put(format!("pkg/{name}"), text);
    }
    judge
}

#[track_caller]
fn ran(judge: &Judge, arguments: &[&str], code: i32) -> Ran {
    let ran = judge.run(arguments);
    assert_eq!(ran.code, Some(code), "{}{}", ran.stdout, ran.stderr);
    ran
}

#[track_caller]
fn refused(judge: &Judge, arguments: &[&str], message: &str) {
    let text = ran(judge, arguments, 2).stderr;
    assert!(text.contains("error: ") && text.contains(message), "{text}");
}

#[test]
fn submissions_get_the_arguments_and_files_of_their_case_or_of_its_group() {
    let judge = words();
    let verified = ran(&judge, &["verify", "./pkg"], 0);
    assert!(
        verified.stdout.contains(" 2 as expected"),
        "{}",
        verified.stdout
    );
    let output = ran(&judge, &["doctor", "./pkg"], 0).stdout;
    assert!(
        output.contains("given         arguments on 2 cases, files on 1 case\n"),
        "{output}"
    );
}

#[test]
fn input_validators_get_the_same_arguments_after_their_own_and_the_same_files() {
    let judge = words();
    judge.edit(
        "pkg/data/secret/test_group.yaml",
        "args: [g]\n",
        "args: [g]\ninput_validator_args: [own]\n",
    );
    let check = "import os, sys\nwords = sys.argv[1:]\nfiles = [name for name in ('a.txt', 'deep/b.txt') if os.path.exists(name)]\n\
        expected = {'3': (['x', 'y z'], []), '4': (['own', 'g'], ['a.txt', 'deep/b.txt']), '5': (['own'], [])}\n\
        open('own', 'w')\nsys.exit(42 if expected[input()] == (words, files) else 43)\n";
    judge.put("pkg/input_validators/check.py", check);
    let verified = ran(&judge, &["verify", "./pkg"], 0);
    assert!(
        verified
            .stdout
            .contains("3 inputs valid, by 1 input validator"),
        "{}",
        verified.stdout
    );
}

#[test]
fn input_validators_get_the_files_of_cases_that_judge_no_submission() {
    let judge = words();
    let check = "import os, sys\nsys.exit(42 if os.path.exists('a.txt') == (input() == '4') else 43)\n";
    judge.put("pkg/input_validators/check.py", check);
    for (name, text) in [
        // An `.in` file among the files of a case is no case.
        ("invalid_input/1.in", "5\n"),
        ("invalid_input/1.files/a.txt", ""),
        ("invalid_input/1.files/no.in", "4\n"),
        ("invalid_output/2.in", "4\n"),
        ("invalid_output/2.ans", "4\n"),
        ("invalid_output/2.out", "5\n"),
        ("invalid_output/2.files/a.txt", ""),
        ("valid_output/3.in", "4\n"),
        ("valid_output/3.ans", "4\n"),
        ("valid_output/3.out", "4\n"),
        ("valid_output/3.files/a.txt", ""),
    ] {
        judge.put(format!("pkg/data/{name}"), text);
    }
    let verified = ran(&judge, &["verify", "./pkg"], 0).stdout;
    assert!(
        verified.contains("5 inputs valid, by 1 input validator"),
        "{verified}"
    );
    assert!(
        verified.contains("1 input refused that must be"),
        "{verified}"
    );
    judge.remove("pkg/data/valid_output/3.files/a.txt");
    let place = "data/valid_output/3.in: the input validator check.py refuses it";
    assert!(ran(&judge, &["verify", "./pkg"], 1).stdout.contains(place));
    judge.put("pkg/data/invalid_output/4.files/a", "");
    let message =
        "data/invalid_output/4.files: the files have no case (`.in`) next to them";
    refused(&judge, &["doctor", "./pkg"], message);
}

#[test]
fn cases_with_the_same_input_but_other_arguments_or_files_are_not_duplicates() {
    let judge = words();
    for name in ["2", "3"] {
        judge.put(format!("pkg/data/secret/{name}.in"), "");
    }
    let output = judge.run(&["verify", "./pkg"]).stdout;
    assert!(!output.contains("the same input as"), "{output}");
    assert!(
        output.contains("1 file of cases is empty: ./pkg/data/secret/3.in"),
        "{output}"
    );
    judge
        .remove("pkg/data/secret/3.yaml")
        .put("pkg/data/secret/4.in", "")
        .put("pkg/data/secret/4.ans", "");
    let output = judge.run(&["verify", "./pkg"]).stdout;
    assert!(
        output.contains("data/secret/4.in: the same input as data/secret/3.in"),
        "{output}"
    );
    assert!(!output.contains("data/secret/2.in"), "{output}");
}

#[test]
fn arguments_and_files_of_a_case_are_part_of_its_cache_key() {
    let judge = words();
    let run = || {
        ran(
            &judge,
            &[
                "grade",
                "-p",
                "./pkg",
                "pkg/submissions/accepted/words.py",
                "-q",
                "--all",
            ],
            0,
        )
    };
    run();
    let again = run().stdout;
    assert!(again.contains("3 trials (3 from the cache)"), "{again}");
    judge.edit("pkg/data/secret/2.files/a.txt", "hello", "hullo");
    judge.edit("pkg/data/sample/1.yaml", "x", "w");
    let changed = judge.run(&[
        "grade",
        "-p",
        "./pkg",
        "pkg/submissions/accepted/words.py",
        "-q",
        "--all",
    ]);
    assert!(
        changed.code == Some(1)
            && changed.stdout.contains("3 trials (1 from the cache)"),
        "{}",
        changed.stdout
    );
}

#[test]
fn answers_are_written_with_arguments_and_files() {
    let judge = words();
    judge
        .remove("pkg/data/secret/2.ans")
        .remove("pkg/data/sample/1.ans");
    ran(&judge, &["answers", "./pkg"], 0);
    assert_eq!(judge.read("pkg/data/secret/2.ans"), "4 g hello deep\n");
    assert_eq!(judge.read("pkg/data/sample/1.ans"), "3 x y z\n");
}

#[test]
fn files_without_a_case_are_a_mistake_and_other_formats_ignore_files() {
    let judge = words();
    judge
        .put("pkg/data/secret/4.files/a", "")
        .put("pkg/data/secret/4.files/b", "");
    refused(
        &judge,
        &["doctor", "./pkg"],
        "data/secret/4.files: the files have no case (`.in`) next to them",
    );
    let judge = words();
    judge
        .put("pkg/problem.yaml", "name: Words\n")
        .remove("pkg/data/secret/3.yaml");
    let output = judge.run(&["doctor", "./pkg"]).stdout;
    assert!(
        output.contains(
            "`data/secret/2.files/`: only 2025-09 gives files to submissions"
        ),
        "{output}"
    );
}

#[test]
fn arguments_that_are_no_list_of_texts_or_hold_a_zero_byte_are_mistakes() {
    let judge = words();
    judge.put("pkg/data/sample/1.yaml", "args: twice\n");
    judge.put("pkg/data/secret/3.yaml", "hint: none\nargs: [\"a\\0b\"]\n");
    let message = ran(
        &judge,
        &["grade", "-p", "./pkg", "pkg/submissions/accepted/words.py"],
        2,
    )
    .stderr;
    for expected in [
        "sample/1.yaml:1: `args` must be a list of texts",
        "secret/3.yaml:2: an argument in `args` holds a zero byte",
    ] {
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn an_export_keeps_arguments_and_files_or_is_refused() {
    let judge = words();
    ran(
        &judge,
        &["export", "./pkg", "--to", "kattis-2025-09", "new"],
        0,
    );
    let verified = ran(&judge, &["verify", "./new"], 0);
    assert!(
        verified.stdout.contains(" 2 as expected"),
        "{}",
        verified.stdout
    );
    for target in ["kattis-legacy", "domjudge"] {
        let expected = format!(
            "sample/1 gives submissions arguments or files, which {target} cannot express"
        );
        refused(
            &judge,
            &["export", "./pkg", "--to", target, "old"],
            &expected,
        );
        assert!(!judge.path("old").exists());
    }
}

#[test]
fn random_inputs_are_refused_if_submissions_also_get_arguments_or_files() {
    let judge = words();
    judge.put("random.py", "print(1)\n");
    let submission = "pkg/submissions/accepted/words.py";
    refused(
        &judge,
        &[
            "stress",
            "-p",
            "./pkg",
            submission,
            "--generator",
            "random.py",
        ],
        "gives submissions arguments or files (sample/1), and a generator writes inputs only",
    );
}

/// A package of Polygon that asks for the double of a number and uses files in place of
/// standard input and output.
const POLYGON: &str = r#"<problem short-name="twice">
  <names><name language="english" value="Twice"/></names>
  <judging input-file="twice.in" output-file="twice.out" run-count="1">
    <testset name="tests">
      <time-limit>2000</time-limit>
      <memory-limit>268435456</memory-limit>
      <test-count>2</test-count>
      <input-path-pattern>tests/%02d</input-path-pattern>
      <answer-path-pattern>tests/%02d.a</answer-path-pattern>
      <tests><test method="manual" sample="true"/><test method="manual"/></tests>
    </testset>
  </judging>
  <assets>
    <checker type="testlib"><source path="files/check.py" type="python.3"/></checker>
    <solutions>
      <solution tag="main"><source path="solutions/right.py" type="python.3"/></solution>
      <solution tag="wrong-answer"><source path="solutions/wrong.py" type="python.3"/></solution>
      <solution tag="presentation-error"><source path="solutions/prints.py" type="python.3"/></solution>
      <solution tag="presentation-error"><source path="solutions/links.py" type="python.3"/></solution>
    </solutions>
  </assets>
</problem>
"#;

const CHECK: &str = "import sys\nfound, right = (open(sys.argv[place]).read().split() for place in (2, 3))\n\
    sys.exit(0 if found == right else 1)\n";
const RIGHT: &str = "n = int(open('twice.in').read())\nprint('noise')\nopen('twice.out', 'w').write(f'{2 * n}\\n')\n";

fn polygon() -> Judge {
    let judge = Judge::new();
    let files = [
        ("problem.xml", POLYGON),
        ("files/check.py", CHECK),
        ("tests/01", "1\n"),
        ("tests/01.a", "2\n"),
        ("tests/02", "5\n"),
        ("tests/02.a", "10\n"),
        ("solutions/right.py", RIGHT),
        (
            "solutions/wrong.py",
            "import sys\nassert sys.stdin.read() == ''\nopen('twice.out', 'w').write('2\\n')\n",
        ),
        (
            "solutions/prints.py",
            "print(2 * int(open('twice.in').read()))\n",
        ),
        (
            "solutions/links.py",
            "import os\nos.symlink('twice.in', 'twice.out')\n",
        ),
    ];
    for (name, text) in &files {
        judge.put(format!("pkg/{name}"), text);
    }
    judge
}

#[test]
fn submissions_to_a_package_of_polygon_read_and_write_its_files() {
    let judge = polygon();
    let verified = ran(&judge, &["verify", "./pkg"], 0);
    assert!(
        verified.stdout.contains(" 4 as expected"),
        "{}",
        verified.stdout
    );
    for name in ["prints.py", "links.py"] {
        judge.put(name, judge.read(&format!("pkg/solutions/{name}")));
    }
    let graded = ran(
        &judge,
        &["grade", "-p", "./pkg", "prints.py", "links.py"],
        1,
    );
    let text = format!("{}{}", graded.stdout, graded.stderr);
    assert!(
        text.contains(
            "the output belongs in the file `twice.out`, which does not exist"
        ),
        "{text}"
    );
    assert!(
        text.contains(
            "the output belongs in `twice.out`, which is not a readable file"
        ),
        "{text}"
    );
    let output = ran(&judge, &["doctor", "./pkg"], 0).stdout;
    assert!(
        output.contains(
            "input is in the file twice.in, output is left in the file twice.out"
        ),
        "{output}"
    );
    refused(
        &judge,
        &["export", "./pkg", "--to", "kattis-2025-09", "new"],
        "submissions read or write the file `twice.in`, which kattis-2025-09 cannot express",
    );
}

#[test]
fn the_names_of_input_and_output_files_are_part_of_the_cache_key() {
    let judge = polygon();
    let grade = ["grade", "-p", "./pkg", "pkg/solutions/right.py", "-q"];
    ran(&judge, &grade, 0);
    judge.edit("pkg/problem.xml", "twice.out", "other.out");
    ran(&judge, &grade, 1);
}

#[test]
fn answers_and_random_inputs_use_the_files_as_well() {
    let judge = polygon();
    judge.remove("pkg/tests/02.a");
    ran(&judge, &["answers", "./pkg"], 0);
    assert_eq!(judge.read("pkg/tests/02.a"), "10\n");
    judge.put("random.py", "import sys\nprint(len(sys.argv))\n");
    let stress = [
        "stress",
        "-p",
        "./pkg",
        "--generator",
        "random.py",
        "--runs",
        "3",
    ];
    ran(
        &judge,
        &[&stress[..], &["pkg/solutions/right.py"]].concat(),
        0,
    );
    judge.edit("pkg/solutions/wrong.py", "2", "7");
    ran(
        &judge,
        &[&stress[..], &["pkg/solutions/wrong.py"]].concat(),
        1,
    );
    // A model solution that prints its answers leaves no output file.
    judge.remove("pkg/tests/02.a");
    judge
        .edit(
            "pkg/problem.xml",
            "solutions/right.py",
            "solutions/prints.py",
        )
        .edit(
            "pkg/problem.xml",
            "\"presentation-error\"><source path=\"solutions/prints.py\"",
            "\"rejected\"><source path=\"solutions/right.py\"",
        );
    refused(
        &judge,
        &["answers", "./pkg"],
        "it leaves no file `twice.out` with its output",
    );
}
