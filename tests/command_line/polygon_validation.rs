//! What `verify` checks of a Polygon package beside its solutions: every test by the
//! validators, and the tests of validators and checker. The programs are in Python, and
//! follow the protocol of testlib without using it.

use crate::judge::Judge;

/// Accepts numbers up to 20, and up to 9 in the group `small`.
const VALIDATOR: &str = "import sys
words = dict(zip(sys.argv[1::2], sys.argv[2::2]))
assert words.get('--testset', 'tests') == 'tests'
most = 9 if words.get('--group') == 'small' else 20
given = int(sys.stdin.read())
if given > most:
    print('FAIL', given, 'is more than', most, file=sys.stderr)
    sys.exit(3)
";

const CHECKER: &str = "import sys
found, wanted = open(sys.argv[2]).read(), open(sys.argv[3]).read()
sys.exit(0 if found.split() == wanted.split() else 1)
";

/// A package with two tests, of which the first is in the group `small`, and tests of
/// its programs.
fn package(tests_of_validator: &str, tests_of_checker: &str) -> Judge {
    let set = |patterns: &str, tests: &str| {
        format!("<testset>{patterns}<tests>{tests}</tests></testset>")
    };
    let pattern = |name: &str, path: &str| {
        format!("<{name}-path-pattern>{path}</{name}-path-pattern>")
    };
    let input = pattern("input", "tests/%02d");
    let answer = pattern("answer", "tests/%02d.a");
    let of_validator = set(&pattern("input", "files/v/%02d"), tests_of_validator);
    let patterns = [
        ("input", "files/c/%02d"),
        ("output", "files/c/%02d.o"),
        ("answer", "files/c/%02d.a"),
    ];
    let of_checker = set(
        &patterns.map(|(name, path)| pattern(name, path)).concat(),
        tests_of_checker,
    );
    let judge = Judge::new();
    judge.put(
        "pkg/problem.xml",
        format!(
            "<problem short-name=\"twice\"><judging input-file=\"\" output-file=\"\"><testset name=\"tests\">\
             <time-limit>2000</time-limit><memory-limit>268435456</memory-limit><test-count>2</test-count>{input}{answer}\
             <tests><test group=\"small\"/><test group=\"big\"/></tests></testset></judging><assets>\
             <checker type=\"testlib\"><source path=\"files/check.py\"/>{of_checker}</checker>\
             <validators><validator><source path=\"files/valid.py\"/>{of_validator}</validator></validators><solutions>\
             <solution tag=\"main\"><source path=\"solutions/right.py\" type=\"python.3\"/></solution></solutions>\
             </assets></problem>\n"
        ),
    );
    let files = [
        ("tests/01", "7\n"),
        ("tests/01.a", "14\n"),
        ("tests/02", "15\n"),
        ("tests/02.a", "30\n"),
        ("files/valid.py", VALIDATOR),
        ("files/check.py", CHECKER),
        ("solutions/right.py", "print(2 * int(input()))\n"),
        ("files/v/01", "20\n"),
        ("files/v/02", "21\n"),
        ("files/c/01", "99\n"),
        ("files/c/01.o", "8\n"),
        ("files/c/01.a", "8\n"),
        ("files/c/02", "99\n"),
        ("files/c/02.o", "9\n"),
        ("files/c/02.a", "8\n"),
    ];
    for (name, text) in files {
        judge.put(format!("pkg/{name}"), text);
    }
    judge
}

const RIGHT: [&str; 2] = [
    "<test verdict=\"VALID\"/><test verdict=\"INVALID\"/>",
    "<test verdict=\"OK\"/><test verdict=\"WRONG_ANSWER\"/>",
];

/// Runs a command on the package; the exit code, and each of these texts in the output.
fn assert_said(judge: &Judge, command: &str, code: i32, texts: &[&str]) {
    let ran = judge.run(&[command, "./pkg"]);
    assert_eq!(ran.code, Some(code), "{ran:?}");
    for text in texts {
        assert!(ran.stdout.contains(text), "{text}: {ran:?}");
    }
}

#[test]
fn every_test_and_the_tests_of_its_programs_are_checked() {
    let [of_validator, of_checker] = RIGHT;
    assert_said(
        &package(of_validator, of_checker),
        "verify",
        0,
        &[
            "3 inputs valid, by 1 input validator",
            "1 input refused that must be",
            "2 outputs judged as the package says",
        ],
    );
}

#[test]
fn an_input_that_the_validator_of_its_group_refuses_is_an_error() {
    let [of_validator, of_checker] = RIGHT;
    let judge = package(of_validator, of_checker);
    judge
        .put("pkg/tests/01", "10\n")
        .put("pkg/tests/01.a", "20\n");
    let refused = "tests/01: the input validator valid.py refuses it: exit code 3: FAIL 10 is more than 9";
    assert_said(&judge, "verify", 1, &[refused]);
}

#[test]
fn a_test_of_a_program_with_another_result_is_an_error() {
    let judge = package(
        "<test verdict=\"invalid\"/><test verdict=\"valid\"/>",
        "<test verdict=\"presentation-error\"/><test verdict=\"WRONG_ANSWER\"/>",
    );
    assert_said(
        &judge,
        "verify",
        1,
        &[
            "files/v/01: must be invalid, and every input validator accepts it",
            "files/v/02: the input validator valid.py refuses it: exit code 3: FAIL 21 is more than 20",
            "files/c/01.o: must be wrong, and is accepted",
        ],
    );
}

#[test]
fn tests_of_programs_whose_result_is_unknown_are_listed_as_ignored() {
    let judge = package(RIGHT[0], "<test verdict=\"CRASHED\"/>");
    assert_said(
        &judge,
        "doctor",
        0,
        &["files/c/01, a test of the checker with the verdict `crashed`"],
    );
}

/// Polygon runs on Windows; programs get the line breaks of Linux, whatever reads them.
#[test]
fn every_program_of_a_package_gets_texts_without_the_line_breaks_of_windows() {
    let strict = "import sys\ndata = sys.stdin.buffer.read()\nsys.exit(3 if b'\\r' in data or not data.endswith(b'\\n') else 0)\n";
    let judge = package(
        "<test verdict=\"valid\"/><test verdict=\"invalid\"/>",
        "<test verdict=\"ok\"/>",
    );
    judge.put("pkg/files/valid.py", strict);
    judge.put(
        "pkg/files/check.py",
        "import sys\ntexts = [open(name, 'rb').read() for name in sys.argv[1:4]]\nsys.exit(3 if any(b'\\r' in text for text in texts) else texts[1] != texts[2])\n",
    );
    let solution = "import sys\ndata = sys.stdin.buffer.read()\nassert b'\\r' not in data\nprint(2 * int(data))\n";
    judge.put("pkg/solutions/right.py", solution);
    for (name, text) in [
        ("tests/01", "7\r\n"),
        ("tests/01.a", "14\r\n"),
        ("tests/02", "15\r\n"),
        ("tests/02.a", "30\r\n"),
        ("files/v/01", "7\r\n"),
        ("files/v/02", "7"),
        ("files/c/01", "7\r\n"),
        ("files/c/01.o", "14\r\n"),
        ("files/c/01.a", "14\n"),
    ] {
        judge.put(format!("pkg/{name}"), text);
    }
    let ran = judge.run(&["verify", "./pkg"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let files = [
        "check",
        "-p",
        "./pkg",
        "pkg/tests/01",
        "pkg/tests/01.a",
        "pkg/tests/01.a",
    ];
    // The output is a program's, and so stays as it is.
    assert_eq!(judge.run(&files).code, Some(3));
    judge.put("out", "14\n");
    assert_eq!(
        judge
            .run(&[
                "check",
                "-p",
                "./pkg",
                "pkg/tests/01",
                "out",
                "pkg/tests/01.a"
            ])
            .code,
        Some(0)
    );
}

/// Its tests have the line breaks of Windows, so that the checker gets copies.
#[test]
fn a_command_that_repeats_a_checker_names_no_file_that_is_gone() {
    let judge = package("", "");
    judge
        .put("pkg/tests/01", "7\r\n")
        .put("pkg/files/check.py", "raise SystemExit(3)\n");
    let ran = judge.run(&["grade", "-p", "./pkg", "pkg/solutions/right.py"]);
    let command = "run `python3 ./pkg/files/check.py INPUT OUTPUT ./pkg/tests/01.a REPORT -appes`";
    assert!(ran.stdout.contains(command), "{}", ran.stdout);
}
