//! Packages of Polygon: their tests, checkers in the style of testlib, and solutions.

use super::{CLASSES, CRASH, RIGHT, SLOW, WRONG, good, package, verdicts};
use crate::judge::Judge;

/// A `problem.xml` of Polygon for a problem that asks for twice a number.
const POLYGON: &str = r#"<problem short-name="twice">
  <names><name language="english" value="Twice"/></names>
  <judging input-file="" output-file="" run-count="1">
    <testset name="tests">
      <time-limit>400</time-limit>
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
      <solution tag="failed"><source path="solutions/crash.py" type="python.3"/></solution>
      <solution tag="time-limit-exceeded"><source path="solutions/slow.py" type="python.3"/></solution>
      <solution tag="rejected"><source path="solutions/format.py" type="python.3"/></solution>
    </solutions>
  </assets>
</problem>
"#;

/// A checker that exits like those that use testlib.
const TESTLIB_CHECKER: &str = r#"import sys
def end(code, outcome, message):
    print('<?xml version="1.0" encoding="windows-1251"?><result outcome = "%s">%s</result>' % (outcome, message), file=open(sys.argv[4], "w"))
    sys.exit(code)
assert sys.argv[5] == "-appes"
found, right = (open(sys.argv[place]).read().split() for place in (2, 3))
if not all(word.isdigit() for word in found):
    end(2, "presentation-error", "Expected integer, but &quot;%s&quot; found" % found[0])
if found != right:
    end(1, "wrong-answer", "expected %s, found %s" % (right, found))
end(0, "accepted", "1 number")
"#;

fn polygon(place: &str) -> Judge {
    let judge = Judge::new();
    let files = [
        ("problem.xml", POLYGON),
        ("files/check.py", TESTLIB_CHECKER),
        ("tests/01", "1\n"),
        ("tests/01.a", "2\n"),
        ("tests/02", "5\n"),
        ("tests/02.a", "10\n"),
        ("solutions/right.py", RIGHT),
        ("solutions/wrong.py", WRONG),
        ("solutions/crash.py", CRASH),
        ("solutions/slow.py", SLOW),
        ("solutions/format.py", "print('no')\n"),
    ];
    files
        .iter()
        .for_each(|(name, text)| _ = judge.put(format!("{place}/{name}"), text));
    judge
}

#[test]
fn a_package_of_polygon_is_judged_by_its_checker() {
    let judge = polygon("problems/twice");
    good(&judge, &["verify", "twice"]);
    assert_eq!(
        verdicts(&judge, &["grade", "-p", "twice"]),
        [
            "right.py tests/01 AC",
            "right.py tests/02 AC",
            "wrong.py tests/01 AC",
            "wrong.py tests/02 WA",
            "crash.py tests/01 RE",
            "crash.py tests/02 RE",
            "slow.py tests/01 TLE",
            "slow.py tests/02 TLE",
            "format.py tests/01 PE",
            "format.py tests/02 PE",
        ]
    );
    judge.put("mine.py", WRONG);
    let ran = judge.run(&["grade", "-p", "twice", "mine.py"]);
    assert!(
        ran.stdout.contains("checker: expected ['10'], found ['7']"),
        "{}",
        ran.stdout
    );
    let page = good(&judge, &["doctor", "./problems/twice"]);
    assert!(
        page.contains("twice is a Polygon package, and can be judged."),
        "{page}"
    );
    assert!(page.contains("400 ms, as the package says\n"), "{page}");
    let elsewhere = polygon("other/twice");
    elsewhere.remove("judge.toml");
    good(&elsewhere, &["verify", "./other/twice"]);
}

#[test]
fn missing_tests_of_a_package_of_polygon_are_reported_before_anything_runs() {
    let judge = polygon("problems/twice");
    judge.remove("problems/twice/tests/02");
    let ran = judge.run(&["verify", "twice"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    let what = "1 of 2 tests is not in the package, the first is `tests/02`";
    assert!(
        ran.stdout.contains(what) && ran.stdout.contains("full package"),
        "{}",
        ran.stdout
    );
    let graded = judge.run(&["grade", "-p", "twice"]);
    assert_eq!(graded.code, Some(2), "{}", graded.stdout);
    assert!(
        graded.stderr.contains(what) && graded.stdout.is_empty(),
        "{}",
        graded.stderr
    );
}

#[test]
fn missing_answers_of_a_package_are_written_by_its_model_solution() {
    let judge = polygon("problems/twice");
    judge.remove("problems/twice/tests/02.a");
    let asked = judge.run(&["verify", "twice"]);
    assert_eq!(asked.code, Some(2), "{}", asked.stdout);
    assert_eq!(
        good(&judge, &["answers", "twice"]),
        "wrote problems/twice/tests/02.a\n2 cases: 0 answers proven, 1 written, 1 kept as they are\n"
    );
    assert_eq!(judge.read("problems/twice/tests/02.a"), "10\n");
    good(&judge, &["verify", "twice"]);

    let judge = package(
        "other/twice",
        "problem.yaml",
        "limits: {time_limit: 10}\n",
        &CLASSES,
    );
    judge.remove("other/twice/data/secret/2.ans");
    good(&judge, &["answers", "./other/twice"]);
    assert_eq!(judge.read("other/twice/data/secret/2.ans"), "10\n");
    judge
        .remove("other/twice/data/secret/2.ans")
        .remove("other/twice/submissions/accepted/right.py");
    let ran = judge.run(&["answers", "./other/twice"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.starts_with(
            "error: ./other/twice/problem.yaml: no submission of one file is known to be right"
        ),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_a_mistake_left_unread_is_unknown_and_no_submission_is_judged() {
    let judge = polygon("problems/twice");
    judge.edit(
        "problems/twice/problem.xml",
        "268435456</memory-limit>",
        "abc</memory-limit>",
    );
    let verified = judge.command(&["verify", "twice"]).output().unwrap();
    let told = String::from_utf8(verified.stderr).unwrap();
    let note =
        "note: twice: submissions are not judged: verdicts may depend on mistakes in its files\n";
    assert!(
        verified.status.code() == Some(2) && told.contains(note),
        "{told}"
    );
    let page = judge.run(&["doctor", "twice"]).stdout;
    assert!(
        page.contains("  memory        unknown, output 64 MiB\n"),
        "{page}"
    );
}
