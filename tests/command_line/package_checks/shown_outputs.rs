//! Checks of outputs and answers that a statement shows.

use super::*;

#[test]
fn an_output_that_the_statement_shows_must_be_right() {
    let files = [
        ("input_validators/check.sh", VALIDATOR),
        ("data/sample/1.out", "2.0\n"),
    ];
    let judge = package(NEW, &files);
    let (code, lines) = checked(&judge, &[]);
    let expected = "error    data/sample/1.out: must be accepted, and is wrong: line 1, token 1: found `2.0`, expected `2`";
    assert_eq!((code, lines[0].as_str()), (Some(1), expected), "{lines:#?}");
    // Its own arguments hold for it as for the case.
    judge.put(
        "pkg/data/sample/1.yaml",
        "output_validator_args: [float_tolerance, '0.1']\n",
    );
    assert_eq!(checked(&judge, &[]).0, Some(0));
}

#[test]
fn an_answer_that_the_statement_shows_must_be_right_for_the_program_that_judges() {
    // Accepts outputs that begin with a plus sign, which the answer of the sample
    // lacks.
    let validator = "read found\ncase $found in +*) exit 42 ;; esac\nexit 43\n";
    let files = [
        ("input_validators/check.sh", VALIDATOR),
        ("output_validator/v.sh", validator),
        ("submissions/accepted/right.sh", "read n\necho + $n\n"),
    ];
    let judge = package(NEW, &files);
    let (code, lines) = checked(&judge, &[]);
    let told = "warning  data/sample/1.ans: must be accepted, and is wrong: ";
    assert!(code == Some(0) && lines[0].starts_with(told), "{lines:#?}");
    judge.put("pkg/data/sample/1.ans.statement", "2\n");
    let (code, lines) = checked(&judge, &[]);
    assert!(
        code == Some(0) && !lines.join(" ").contains("1.ans"),
        "{lines:#?}"
    );
    judge
        .remove("pkg/data/sample/1.ans.statement")
        .put("pkg/data/sample/1.ans", "+2\n");
    let (code, lines) = checked(&judge, &[]);
    let good = "ok       1 output judged as the package says".to_owned();
    assert!(code == Some(0) && lines.contains(&good), "{lines:#?}");
}

#[test]
fn an_output_is_checked_with_the_flags_of_the_case_that_has_this_input() {
    let tolerance = "output_validator_args: [float_tolerance, '0.1']\n";
    let judge = package(
        NEW,
        &[
            ("data/secret/2.yaml", tolerance),
            ("near", "10.05\n"),
            ("near.1", "2.05\n"),
        ],
    );
    judge.put("copy.in", "5\n");
    let check = |input: &str, more: &[&str]| {
        let ran = judge.run(&[&["check", "-p", "./pkg", input], more].concat());
        assert_eq!(ran.stderr, "", "{input}");
        ran.code
    };
    assert_eq!(check("pkg/data/secret/2.in", &["pkg/near"]), Some(0));
    assert_eq!(check("pkg/data/sample/1.in", &["pkg/near.1"]), Some(1));
    // The answer may be named, and the flags of the case hold all the same; an input of
    // no case has none.
    assert_eq!(
        check(
            "pkg/data/secret/2.in",
            &["pkg/near.1", "pkg/data/sample/1.ans"]
        ),
        Some(0)
    );
    assert_eq!(
        check("copy.in", &["pkg/near", "pkg/data/secret/2.ans"]),
        Some(1)
    );
}
