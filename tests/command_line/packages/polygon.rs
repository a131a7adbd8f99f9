//! Packages of Polygon: their tests, checkers in the style of testlib, and solutions.

use super::{CLASSES, CRASH, RIGHT, SLOW, WRONG, good, package, verdicts};
use crate::judge::Judge;

/// A `problem.xml` of Polygon for a problem that asks for twice a number.
const POLYGON: &str = r#"<problem short-name="twice">
  <names><name language="english" value="Twice"/></names>
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
    <checker type="testlib"><source path="files/check.sh" type="shell"/></checker>
    <solutions>
      <solution tag="main"><source path="solutions/right.sh" type="shell"/></solution>
      <solution tag="wrong-answer"><source path="solutions/wrong.sh" type="shell"/></solution>
      <solution tag="failed"><source path="solutions/crash.sh" type="shell"/></solution>
      <solution tag="time-limit-exceeded"><source path="solutions/slow.sh" type="shell"/></solution>
      <solution tag="rejected"><source path="solutions/format.sh" type="shell"/></solution>
    </solutions>
  </assets>
</problem>
"#;

/// A checker that exits like those that use testlib.
const TESTLIB_CHECKER: &str = r#"report=$4
end() {
    printf '<?xml version="1.0" encoding="windows-1251"?><result outcome = "%s">%s</result>' $2 "$3" >$report
    exit $1
}
[ $5 = -appes ] || exit 9
read found <$2
read right <$3
case $found in *[!0-9]*) end 2 presentation-error "Expected integer, but &quot;$found&quot; found" ;; esac
[ $found = $right ] || end 1 wrong-answer "expected $right, found $found"
end 0 accepted "1 number"
"#;

fn polygon(place: &str) -> Judge {
    let judge = Judge::new();
    let files = [
        ("problem.xml", POLYGON),
        ("files/check.sh", TESTLIB_CHECKER),
        ("tests/01", "1\n"),
        ("tests/01.a", "2\n"),
        ("tests/02", "5\n"),
        ("tests/02.a", "10\n"),
        ("solutions/right.sh", RIGHT),
        ("solutions/wrong.sh", WRONG),
        ("solutions/crash.sh", CRASH),
        ("solutions/slow.sh", SLOW),
        ("solutions/format.sh", "echo no\n"),
    ];
    for (name, text) in &files {
        judge.put(format!("{place}/{name}"), text);
    }
    judge
}

#[test]
fn a_package_of_polygon_is_judged_by_its_checker() {
    let judge = polygon("problems/twice");
    good(&judge, &["verify", "twice"]);
    assert_eq!(
        verdicts(&judge, &["grade", "-p", "twice"]),
        [
            "right.sh tests/01 AC",
            "right.sh tests/02 AC",
            "wrong.sh tests/01 AC",
            "wrong.sh tests/02 WA",
            "crash.sh tests/01 RE",
            "crash.sh tests/02 RE",
            "slow.sh tests/01 TLE",
            "slow.sh tests/02 TLE",
            "format.sh tests/01 PE",
            "format.sh tests/02 PE",
        ]
    );
    judge.put("mine.sh", WRONG);
    let ran = judge.run(&["grade", "-p", "twice", "mine.sh"]);
    assert!(
        ran.stdout.contains("checker: expected 10, found 7"),
        "{}",
        ran.stdout
    );
    let page = good(&judge, &["doctor", "./problems/twice"]);
    assert!(
        page.contains("twice is a Polygon package, and can be judged."),
        "{page}"
    );
    assert!(page.contains("100 ms, as the package says\n"), "{page}");
    std::fs::rename(judge.path("problems"), judge.path("other")).unwrap();
    judge.remove("judge.toml");
    good(&judge, &["verify", "./other/twice"]);
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
        .remove("other/twice/submissions/accepted/right.sh");
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
    let note = "note: twice: submissions are not judged: verdicts may depend on mistakes in its files\n";
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
