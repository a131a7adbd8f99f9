//! Tests of what is said about the differences between judges.

use super::*;

const POINTS: &str = "validation: custom\ntype: scoring\n";
const CHECKER: (&str, &str) = ("output_validators/one/a.py", "");

/// Checks what is said of a package of this `problem.yaml` and these files.
#[track_caller]
fn says(yaml: &str, files: &[(&str, &str)], expected: &[&str]) {
    assert_eq!(read(&with(yaml, files)).disagreements(), expected);
}

#[test]
fn a_usual_package_is_read_alike_by_all() {
    says(
        "",
        &[("data/secret/2-b.in", ""), ("data/secret/2-b.ans", "")],
        &[],
    );
    says("validation: custom\n", &[CHECKER], &[]);
    let group = (
        "data/secret/testdata.yaml",
        "grader_flags: min\naccept_score: 10\n",
    );
    says(
        POINTS,
        &[
            CHECKER,
            group,
            ("data/secret/3.in", ""),
            ("data/secret/3.ans", ""),
        ],
        &[],
    );
}

#[test]
fn programs_that_other_judges_do_not_run_are_named() {
    let several = "`output_validators/` has 2 programs: here each must accept an output, problemtools runs only the \
                   first, and DOMjudge does not import the package";
    says(
        "validation: custom\n",
        &[CHECKER, ("output_validators/two/a.py", "")],
        &[several],
    );
    let elsewhere = [("output_validator/a.py", "")];
    let folder = "`output_validator/` is run here, as in DOMjudge; problemtools reads only `output_validators/` in this format";
    says("validation: custom\n", &elsewhere, &[folder]);
    says(
        "validation: custom\n",
        &[elsewhere[0], ("domjudge-problem.ini", "timelimit = 1\n")],
        &[],
    );
    let passes = "the problem is interactive and of several passes: DOMjudge knows that only as `type: interactive \
                  multi-pass`, and problemtools not at all";
    says(
        "validation: custom interactive multi-pass\n",
        &[CHECKER],
        &[passes],
    );
    let typed = "type: interactive multi-pass\n";
    let other = "the problem is interactive and of several passes, which problemtools does not know";
    says(typed, &[CHECKER], &[other]);
    let ini = ("domjudge-problem.ini", "timelimit = 1\n");
    says(typed, &[CHECKER, ini], &[]);
}

#[test]
fn settings_of_groups_that_other_judges_read_differently_are_named() {
    let empty = "`data/sample/testdata.yaml` sets nothing: here it counts as absent, and DOMjudge does not import the package";
    says("", &[("data/sample/testdata.yaml", "# none\n\n")], &[empty]);
    let group = (
        "data/secret/testdata.yaml",
        "on_reject: continue\naccept_score: 10\n",
    );
    let more = [("data/secret/2-b.in", ""), ("data/secret/2-b.ans", "")];
    let each = "`data/secret/testdata.yaml`: `accept_score: 10` is for each of 2 cases here, as in problemtools, and \
                for all of them together in DOMjudge";
    says(POINTS, &[CHECKER, group, more[0], more[1]], &[each]);
    says(POINTS, &[CHECKER, group], &[]);
    says(
        POINTS,
        &[
            CHECKER,
            group,
            more[0],
            more[1],
            ("domjudge-problem.ini", "timelimit = 1\n"),
        ],
        &[],
    );
    let order = "`data/secret/2.in` is run before `data/secret/2-b.in` here, and after it in problemtools: with \
                 `on_reject: break` a rejected submission gets other points";
    says(POINTS, &[CHECKER, more[0], more[1]], &[order]);
}
