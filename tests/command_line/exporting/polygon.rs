//! Exports of Polygon packages: samples, statements, and validators that speak
//! testlib's protocol. The validators take turns at the formats; with
//! `GRIDJUDGE_EXHAUSTIVE=1` each is exported to each.

use std::fs;

use super::{TARGETS, Turn, export};
use crate::judge::{Judge, needs_cc};

const VALIDATOR: &str = "import sys\nwords = dict(zip(sys.argv[1::2], sys.argv[2::2]))\n\
    sys.exit(0 if int(sys.stdin.read()) <= (9 if words.get('--group') == 'small' else 99) else 3)\n";
const CPP_VALIDATOR: &str = "#include \"limits.h\"\n#include <cstdio>\n\
    int main() { int n; return scanf(\"%d\", &n) == 1 && n <= MOST ? 0 : 3; }\n";

/// The validators by their names.
const VALIDATORS: [(&str, &str); 2] = [
    ("check_input.py", VALIDATOR),
    ("check_input.cpp", CPP_VALIDATOR),
];

/// The formats whose turn it is with one of these.
fn due(row: usize) -> impl Iterator<Item = &'static str> {
    Turn::of_each(&TARGETS)
        .filter(move |(turn, _)| turn.has(row) || turn.has(row + 2))
        .map(|(_, target)| *target)
}

/// A package whose second test is a sample, with a validator of this name.
fn package(validator: &str, source: &str) -> Judge {
    let judge = Judge::new();
    judge.put(
        "one/problem.xml",
        format!(
            "<problem short-name=\"twice\"><names><name language=\"english\" value=\"Twice\"/></names><judging><testset name=\"tests\">\
             <time-limit>1500</time-limit><memory-limit>268435456</memory-limit><test-count>2</test-count>\
             <input-path-pattern>tests/%02d</input-path-pattern><answer-path-pattern>tests/%02d.a</answer-path-pattern>\
             <tests><test group=\"big\"/><test group=\"small\" sample=\"true\"/></tests></testset></judging><assets>\
             <checker type=\"testlib\"><source path=\"files/check.py\"/></checker>\
             <validators><validator><source path=\"files/{validator}\"/></validator></validators><solutions>\
             <solution tag=\"main\"><source path=\"solutions/right.py\" type=\"python.3\"/></solution></solutions></assets></problem>\n"
        ),
    );
    let check = "import sys\nsys.exit(open(sys.argv[2]).read().split() != open(sys.argv[3]).read().split())\n";
    judge
        .put("one/tests/01", "50\n")
        .put("one/tests/01.a", "100\n");
    judge
        .put("one/tests/02", "5\n")
        .put("one/tests/02.a", "10\n");
    judge
        .put("one/files/check.py", check)
        .put(format!("one/files/{validator}"), source);
    judge.put("one/files/limits.h", "#define MOST 99\n");
    judge.put("one/solutions/right.py", super::RIGHT);
    judge.put(
        "one/statement-sections/english/name.tex",
        "Twice \\& more\n",
    );
    judge.put("one/statement-sections/english/legend.tex", "Double $n$.\n");
    judge.put(
        "one/statement-sections/english/input.tex",
        "The number $n$.\n",
    );
    judge.put("one/statement-sections/english/notes.tex", "\n");
    judge.put("one/statement-sections/english/picture.png", "PNG");
    judge.put("one/statement-sections/klingon/legend.tex", "?\n");
    judge
}

#[test]
fn samples_statements_and_validators_of_polygon_are_carried() {
    needs_cc();
    for (row, (validator, source)) in VALIDATORS.into_iter().enumerate() {
        let judge = package(validator, source);
        for target in due(row) {
            let notes = export(&judge, "./one", target, target);
            let wrapped = format!(
                "the input validator {validator} speaks `testlib`: a program around it turns its answers into 42 and 43"
            );
            assert!(
                notes.iter().any(|note| note.contains(&wrapped)),
                "{notes:?}"
            );
            assert!(
                notes
                    .iter()
                    .any(|note| note.contains("the statement in klingon is left out")),
                "{notes:?}"
            );
            assert_eq!(
                fs::read(judge.path(format!("{target}/data/sample/02.in"))).unwrap(),
                b"5\n"
            );
            let folder = if target == "kattis-2025-09" {
                "statement"
            } else {
                "problem_statement"
            };
            let statement = fs::read_to_string(
                judge.path(format!("{target}/{folder}/problem.en.tex")),
            )
            .unwrap();
            let expected = "\\problemname{Twice \\& more}\n\nDouble $n$.\n\n\\section*{Input}\n\nThe number $n$.\n";
            assert_eq!(statement, expected);
            assert!(
                judge
                    .path(format!("{target}/{folder}/picture.png"))
                    .is_file()
            );
            let ran = judge.run(&["verify", &format!("./{target}")]);
            assert_eq!(ran.code, Some(0), "{target}: {ran:?}");
            assert!(
                ran.stdout.contains("2 inputs valid, by 1 input validator"),
                "{ran:?}"
            );
        }
    }
}

#[test]
fn samples_of_polygon_are_samples_where_points_are_left_out() {
    let judge = package(VALIDATORS[0].0, VALIDATORS[0].1);
    judge
        .edit("one/problem.xml", "<test group", "<test points=\"4\" group")
        .edit("one/problem.xml", "<test group", "<test points=\"6\" group");
    let notes = export(&judge, "./one", "kattis-2025-09", "new");
    let is_lost = notes
        .iter()
        .any(|note| note.starts_with("points are left out"));
    assert!(is_lost, "{notes:?}");
    assert_eq!(judge.read("new/data/sample/02.in"), "5\n");
}

#[test]
fn an_input_that_a_carried_validator_refuses_is_invalid_after_export() {
    needs_cc();
    for (row, (validator, source)) in VALIDATORS.into_iter().enumerate() {
        let judge = package(validator, source);
        judge
            .put("one/tests/01", "100\n")
            .put("one/tests/01.a", "200\n");
        for target in due(row) {
            export(&judge, "./one", target, target);
            let ran = judge.run(&["verify", &format!("./{target}")]);
            assert_eq!(ran.code, Some(1), "{target}: {ran:?}");
            assert!(
                ran.stdout.contains(
                    "01.in: the input validator check_input refuses it: exit code 43"
                ),
                "{ran:?}"
            );
        }
    }
}
