//! `gridjudge strength` on the command line.

use crate::judge::Judge;

#[test]
fn every_mutant_is_in_the_documentation() {
    let page = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/docs/strength.md"
    ))
    .unwrap();
    for mutant in gridjudge::authoring::strength::mutants() {
        let row = format!("| `{}` | it {} |", mutant.name, mutant.fault);
        assert!(
            page.lines().any(|line| line == row),
            "docs/strength.md lacks {row}"
        );
    }
}

/// The text after the table for the two cases of `mini`.
const FOOTER: &str = "
the fewest cases that do the same:
  secret/002-two, the only one to kill only-first-grid, no-first-symbol, no-last-symbol, empty-row, row-clues-left-over, \
column-clues-left-over, box-clues-left-over, tables-left-over, found-flag-left-over
cases that kill nothing beyond:
  sample/001-one, kills 12 mutants
mini: 51 mutants, 21 killed by 2 cases (1 would do), 30 survive; 75 do not fit
";

#[test]
fn survivors_are_listed_first_and_the_fewest_sufficient_cases_last() {
    let ran = Judge::new().run(&["strength"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    let lines: Vec<_> = ran.stdout.lines().collect();
    assert_eq!(
        lines[0],
        "mutant                     killed by  first case      because"
    );
    let reads = "no case detects that it reads the first row as blank";
    assert_eq!(
        lines[1],
        format!("misses-first-row                 0/2  survives        {reads}")
    );
    assert_eq!(
        lines[31],
        "only-first-grid                  1/2  secret/002-two  the output ends after 1 of 2 grids"
    );
    assert!(ran.stdout.ends_with(FOOTER), "{}", ran.stdout);
}

#[test]
fn the_output_does_not_depend_on_the_number_of_threads() {
    let judge = Judge::new();
    assert_eq!(
        judge.run(&["strength", "-j1", "mini"]),
        judge.run(&["strength", "-j3", "-p", "mini"])
    );
}

#[test]
fn a_quiet_run_names_only_survivors() {
    let ran = Judge::new().run(&["strength", "-q"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.stdout.lines().count(), 30);
    assert!(ran.stdout.starts_with(
        "mini: misses-first-row survives: it reads the first row as blank\n"
    ));
}

#[test]
fn a_case_without_an_answer_is_a_mistake() {
    let judge = Judge::new();
    judge.remove("cases/mini/secret/002-two.ans");
    let ran = judge.run(&["strength"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(
        ran.stderr
            .contains("002-two.in: the case has no answer next to it"),
        "{}",
        ran.stderr
    );
}
