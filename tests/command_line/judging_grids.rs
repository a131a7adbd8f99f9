//! Features of grids that no shipped problem uses: maps of regions beside a grid,
//! separators in inputs, any solution with the number of all. Problems in the formats
//! of `tests/formats` are verified with right and wrong programs.

use std::fs;
use std::path::Path;

use crate::judge::Judge;

/// A piece of the answer, the text that a program prints in its place, and the expected
/// first finding; empty if the output is right.
struct Change {
    from: &'static str,
    to: &'static str,
    finding: &'static str,
}

const fn change(
    from: &'static str,
    to: &'static str,
    finding: &'static str,
) -> Change {
    Change { from, to, finding }
}

/// Verifies a problem in a format, with submissions that print its answer and the
/// answer with each of these changes.
#[track_caller]
fn judges(format: &str, changes: &[Change]) {
    let judge = Judge::new();
    let of = |name: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/formats")
            .join(format);
        fs::read_to_string(folder.join(name)).unwrap()
    };
    judge.put("problems/p/problem.toml", of("problem.toml"));
    judge
        .put("cases/p/sample/1.in", of("one.in"))
        .put("cases/p/sample/1.ans", of("one.ans"));
    let submit = |name: &str, output: &str| {
        let script = format!("#!/bin/sh\ncat <<'END'\n{output}END\n");
        judge.script(format!("problems/p/submissions/{name}.sh"), &script);
    };
    submit("accepted/answer", &of("one.ans"));
    for (number, Change { from, to, finding }) in changes.iter().enumerate() {
        assert_eq!(of("one.ans").matches(from).count(), 1, "{from}");
        let folder = if finding.is_empty() {
            "accepted"
        } else {
            "wrong"
        };
        submit(
            &format!("{folder}/{number}"),
            &of("one.ans").replace(from, to),
        );
    }
    let ran = judge.run(&["verify", "p", "--log", "log.jsonl"]);
    assert_eq!(ran.code, Some(0), "{format}: {}{}", ran.stdout, ran.stderr);
    let log = judge.read("log.jsonl");
    for (number, Change { finding, .. }) in changes.iter().enumerate() {
        let name = format!("\"wrong/{number}.sh\"");
        let trial = log
            .lines()
            .find(|line| line.contains("trial_finished") && line.contains(&name));
        assert!(
            finding.is_empty() || trial.is_some_and(|trial| trial.contains(finding)),
            "{trial:?}"
        );
    }
}

#[test]
fn grids_with_a_map_before_each_are_judged_by_its_regions() {
    judges(
        "map-before-each-grid",
        &[
            // Without the regions this would be right.
            change(
                "abcd\ncdab",
                "abcd\nbadc",
                "grid 1: region 1 has two as, at row 1 column 1 and row 2 column 2",
            ),
            change(
                "cdab\ndcba",
                "dcab\ncdba",
                "grid 1: diagonal 2 (from the top right) has two ds",
            ),
            change(
                "none",
                "abcd\ncdab\ndcba\nbadc",
                "grid 2: row 1, column 4 is d, but its clue is a",
            ),
        ],
    );
}

#[test]
fn grids_with_a_map_after_each_are_judged_by_its_regions() {
    judges(
        "map-after-on-one-line",
        &[
            change(
                "2 1\n1 2",
                "1 2\n2 1",
                "grid 1: row 2, column 2 is 1, but its clue is 2",
            ),
            change(
                "many\n\nmany",
                "many\n\n1 2 3 4\n3 4 2 1\n2 1 4 3\n4 3 1 2",
                "grid 3: region 1 has two 1s, at row 1 column 1 and row 3 column 2",
            ),
        ],
    );
}

#[test]
fn grids_with_separators_between_them_are_judged_each_by_its_own_clues() {
    judges(
        "separators-in-inputs",
        &[
            change(
                "1432\n2341",
                "1432\n1432",
                "grid 3: row 2, column 1 is 1, but its clue is 2",
            ),
            change(
                "no way",
                "1432\n2341\n4123\n3214",
                "grid 2: there is no solution: row 1 has two 1s",
            ),
            change(
                "-----\nno way",
                "=== next ===\nno way",
                "expected the separator `-----` between grid 1 and grid 2",
            ),
        ],
    );
}

#[test]
fn separators_after_the_grids_of_an_input_do_not_belong_into_the_output() {
    judges(
        "separators-after-each",
        &[
            change(
                "1432\n2341",
                "2341\n1432",
                "grid 1: row 1, column 1 is 2, but its clue is 1",
            ),
            change(
                "no way",
                "****\nno way",
                "grid 2: `****` before `no way`, which was expected",
            ),
            change(
                "3214\nno way",
                "no way\nno way",
                "grid 1: the grid has 3 rows, expected 4",
            ),
        ],
    );
}

#[test]
fn any_solution_is_right_only_with_the_right_number_of_solutions() {
    judges(
        "number-and-any",
        &[
            change("1234\n3412\n2143\n4321", "1243\n3421\n2134\n4312", ""),
            change(
                "2143\n4321",
                "4321\n2143",
                "grid 1, solution 1: row 3, column 1 is 4, but its clue is 2",
            ),
            change(
                "2143\n4321",
                "2143\n4312",
                "grid 1, solution 1: column 3 has two 1s, at rows 2 and 4",
            ),
            change(
                "4 ways",
                "3 ways",
                "grid 1: the number of solutions is 3, expected 4",
            ),
            change("4 ways\n", "", "grid 1: the line `4 ways` is missing"),
            change(
                "no way",
                "4 ways",
                "grid 2: there is no solution: row 1 has two 1s, at columns 1 and 2 in its clues",
            ),
            change(
                "too many",
                "1234\n3412\n2143\n4321\n288 ways",
                "grid 3: there are more solutions than may be shown or counted",
            ),
        ],
    );
}

#[test]
fn a_row_too_many_is_wrong_though_the_numbers_of_another_are_right_but_for_a_space() {
    let judge = Judge::new();
    judge.put(
        "problems/p/problem.toml",
        "name = \"p\"\n[grid]\norder = 10\nboxes = \"none\"\nsymbols = \"numbers\"\nblanks = \"0\"\n\
         [input]\ncases = \"count\"\nmost = 9\ncells = \"spaced\"\n\
         [output]\ncells = \"spaced\"\nbanner = \"Case {n}:\"\nwhite_space = \"strict\"\n\
         [answer]\naccept = \"unique\"\n[limits]\ntime = \"1s\"\nmemory = \"64MiB\"\n",
    );
    let row = |first: usize| {
        let cells = (0..10).map(|column| ((first + column) % 10 + 1).to_string());
        cells.collect::<Vec<_>>().join(" ") + "\n"
    };
    let grid: String = (0..10).map(row).collect();
    let answer = format!("Case 1:\n{grid}");
    judge
        .put("in", format!("1\n{}", grid.replacen("1 2 3", "0 2 3", 1)))
        .put("answer", &answer);
    let respaced = answer.replacen("3 4 5", "34 5", 1);
    let longer = respaced.replacen("Case 1:\n", "Case 1:\n1 1 1 1 1 1 1 1 1 1\n", 1);
    for (output, verdict) in [(answer, "AC"), (respaced, "PE"), (longer, "WA")] {
        judge.put("out", &output);
        let ran = judge.run(&["check", "-p", "p", "in", "out", "answer"]);
        assert!(
            ran.stdout
                .lines()
                .last()
                .is_some_and(|line| line.starts_with(verdict)),
            "{verdict}: {ran:?}"
        );
    }
}
