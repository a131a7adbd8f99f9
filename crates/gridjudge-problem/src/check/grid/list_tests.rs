//! Lists of solutions and their number: the findings for what is missing, repeated, out
//! of order or miscounted.

use gridjudge_grid::{
    Banner, BannerPlace, BlankLines, CellSpacing, CountLine, Format, GridCount,
    Layout, LineEnd, Replies, Shape, Symbols, Template, WhiteSpace,
};

use crate::check::grid::grid_output;
use crate::check::soundness;
use crate::model::{Accept, FindingKind, Findings, GridTask, Task};

const ALL: Accept = Accept::All { most: 10 };
const COUNT: Accept = Accept::Count { most: 100 };

const ONE: &str = "....\n2341\n4123\n3214\n";
const ONE_SOLVED: &str = "1432\n2341\n4123\n3214\n";
const FOUR: &str = "12..\n34..\n21..\n43..\n";
const SOLUTIONS: [&str; 4] = [
    "1234\n3412\n2143\n4321\n",
    "1234\n3421\n2143\n4312\n",
    "1243\n3412\n2134\n4321\n",
    "1243\n3421\n2134\n4312\n",
];
const NONE: &str = "123.\n...4\n....\n....\n";

fn format(count: Option<bool>, banner: bool) -> Format {
    let layout = Layout::bare(GridCount::UntilEnd { most: 9 }, CellSpacing::Joined);
    let template = |text, name| Template::parse(text, name).unwrap();
    Format {
        shapes: vec![Shape::new(4, 2, 2).unwrap()],
        symbols: Symbols::characters("1234", "."),
        output: Layout {
            count: GridCount::AsInput,
            banner: banner.then(|| Banner::own(template("Case {n}", "n"))),
            ..layout.clone()
        },
        input: layout,
        replies: Replies {
            none: Some("NO".into()),
            several: Some("MANY".into()),
            count: count.map(|follows_solutions| CountLine {
                template: template("{count} in all", "count"),
                follows_solutions,
                has_blank_line: false,
            }),
            ..Replies::default()
        },
    }
}

fn described(findings: &Findings) -> Vec<String> {
    findings
        .listed
        .iter()
        .map(|finding| {
            format!(
                "{} {}: {}",
                finding.line.unwrap(),
                finding.rule.unwrap(),
                finding.message
            )
        })
        .collect()
}

/// Findings of an output, which must be the same with the stored answer and without.
#[track_caller]
fn finds(
    format: &Format,
    accept: Accept,
    input: &str,
    answer: &str,
    out: &str,
    expected: &[&str],
) {
    for answer in [Some(answer.as_bytes()), None] {
        let findings =
            grid_output(format, accept, input.as_bytes(), out.as_bytes(), answer)
                .unwrap();
        assert_eq!(described(&findings), expected, "{answer:?}");
        assert_eq!(findings.grids, if input.contains(NONE) { 3 } else { 1 });
    }
}

#[track_caller]
fn lists(solutions: &[&str], expected: &[&str]) {
    finds(
        &format(None, false),
        ALL,
        FOUR,
        &SOLUTIONS.concat(),
        &solutions.concat(),
        expected,
    );
}

#[test]
fn all_solutions_in_order_are_right() {
    lists(&SOLUTIONS, &[]);
}

#[test]
fn missing_repeated_and_misordered_solutions_are_each_reported() {
    let [a, b, c, d] = SOLUTIONS;
    lists(
        &[a, c, d],
        &["13 missing: solution 2 of 4 is missing (its row 2 is `3421`)"],
    );
    lists(
        &[d],
        &[
            "5 missing: solution 1 of 4 is missing (its row 2 is `3412`), and 2 more solutions too",
        ],
    );
    lists(
        &[a, b, b, c, d],
        &["9 repeated: solution 3: the same as solution 2"],
    );
    lists(
        &[a, c, b, d],
        &[
            "9 order: solution 3: belongs before solution 2: compare the cells row by row",
        ],
    );
    lists(
        &[a, "1234\n3421\n2143\n4311\n", c, d],
        &[
            "8 row: solution 2: row 4 has two 1s, at columns 3 and 4",
            "8 column: solution 2: column 4 has two 1s, at rows 2 and 4",
            "17 missing: solution 2 of 4 is missing (its row 2 is `3421`)",
        ],
    );
}

#[test]
fn cases_without_banners_are_told_apart_by_their_clues() {
    let input = [FOUR, NONE, ONE].concat();
    let answer = [&SOLUTIONS.concat(), "NO\n", ONE_SOLVED].concat();
    let format = format(None, false);
    finds(&format, ALL, &input, &answer, &answer, &[]);
    let short = [SOLUTIONS[0], "NO\n", ONE_SOLVED].concat();
    let message = "5 missing: grid 1: solution 2 of 4 is missing (its row 2 is `3421`), and 2 more solutions too";
    finds(&format, ALL, &input, &answer, &short, &[message]);
    let claim = "but there are 4 solutions; in the first, row 2 is `3412`";
    let claim = format!("1 claim: grid 1: `NO`, {claim}");
    finds(
        &format,
        ALL,
        &input,
        &answer,
        &["NO\nNO\n", ONE_SOLVED].concat(),
        &[&claim],
    );
}

#[test]
fn the_number_of_solutions_must_be_given_and_right() {
    for (follows_solutions, banner) in
        [(false, false), (true, false), (false, true), (true, true)]
    {
        let format = format(Some(follows_solutions), banner);
        let written = |number: &str, solutions: &[&str]| {
            let banner = if banner { "Case 1\n" } else { "" };
            let all = solutions.concat();
            if follows_solutions {
                format!("{banner}{all}{number} in all\n")
            } else {
                format!("{banner}{number} in all\n{all}")
            }
        };
        let answer = written("4", &SOLUTIONS);
        let line = if follows_solutions { 17 } else { 1 } + u64::from(banner);
        finds(&format, ALL, FOUR, &answer, &answer, &[]);
        let message =
            format!("{line} count: the number of solutions is 3, expected 4");
        finds(
            &format,
            ALL,
            FOUR,
            &answer,
            &written("3", &SOLUTIONS),
            &[&message],
        );
        let message = format!(
            "{line} count: the number of solutions is too large for any grid, expected 4"
        );
        finds(
            &format,
            ALL,
            FOUR,
            &answer,
            &written("99999999999999999999", &SOLUTIONS),
            &[&message],
        );
        let misspelt = answer.replace("in all", "in al");
        let message =
            format!("{line} count: the line is `4 in al`, expected `4 in all`");
        finds(&format, ALL, FOUR, &answer, &misspelt, &[&message]);
        let message = format!(
            "{} count: the line `4 in all` is missing",
            17 + u64::from(banner)
        );
        let without = answer.replace("4 in all\n", "");
        finds(&format, ALL, FOUR, &answer, &without, &[&message]);
        // Nobody has counted the solutions.
        let task = Task::Grid(GridTask {
            format,
            accept: ALL,
        });
        let found = soundness(&task, FOUR.as_bytes(), without.as_bytes()).unwrap();
        assert_eq!(
            found.listed[0].message,
            "the line with the number of solutions is missing"
        );
    }
}

#[test]
fn where_only_the_number_counts_a_wrong_one_is_reported_with_the_right_one() {
    let format = format(Some(false), false);
    let input = [FOUR, NONE, ONE].concat();
    let answer = "4 in all\nNO\n1 in all\n";
    finds(&format, COUNT, &input, answer, answer, &[]);
    finds(
        &format,
        COUNT,
        &input,
        answer,
        "5 in all\n0 in all\nMANY\n",
        &[
            "1 count: grid 1: the number of solutions is 5, expected 4",
            "2 claim: grid 2: there is no solution: its clues leave no symbol for row 1, column 4; expected `NO`",
            "3 claim: grid 3: `MANY`, but there is a solution",
        ],
    );
    finds(
        &format,
        COUNT,
        &input,
        answer,
        "four\nNO\n",
        &[
            "1 count: grid 1: expected the number of solutions, for example `12 in all`, found `four`",
            "3 grids: the output ends after 2 of 3 grids",
        ],
    );
    finds(
        &format,
        COUNT,
        &input,
        answer,
        &format!("{answer}7\n"),
        &["4 trailing: `7` is trailing output after the last grid"],
    );
}

#[test]
fn more_solutions_than_may_be_shown_have_a_text_of_their_own() {
    let format = format(None, false);
    let few = Accept::All { most: 3 };
    finds(&format, few, FOUR, "MANY\n", "MANY\n", &[]);
    let message = "1 claim: there are more solutions than may be shown or counted; expected `MANY`";
    let found = grid_output(
        &format,
        few,
        FOUR.as_bytes(),
        SOLUTIONS[0].as_bytes(),
        Some(&b"MANY\n"[..]),
    )
    .unwrap();
    assert_eq!(described(&found), [message]);
    let found = grid_output(
        &format,
        few,
        FOUR.as_bytes(),
        &b"NO\n"[..],
        Some(&b"MANY\n"[..]),
    )
    .unwrap();
    assert_eq!(
        described(&found),
        ["1 claim: `NO`, but there are many solutions; in one, row 1 is `1234`"]
    );
}

#[test]
fn white_space_between_solutions_is_exact_where_it_is_strict() {
    let mut format = format(Some(true), true);
    format.output.white_space = WhiteSpace::Strict;
    format.output.blank_lines = BlankLines::After;
    format.replies.blank_line_between_solutions = true;
    let right = format!("Case 1\n{}4 in all\n\n", SOLUTIONS.join("\n"));
    for (out, expected) in [
        (right.clone(), "AC"),
        (right.trim_end().to_owned() + "\n", "AC"),
        (right.replace("\n\n", "\n"), "PE"),
        (right.replace("4 in", "04 in"), "WA"),
        (right.replace("4 in", "4  in"), "PE"),
        (right.replace("Case 1", "Case  1"), "PE"),
        (right.replace("4 in", " 4 in"), "PE"),
        (right.replacen("1234", "1 2 3 4", 1), "PE"),
        (right.replacen("\n\n", "\n \n", 1), "PE"),
        (format!("{right}\n"), "PE"),
        (right.replace("Case 1\n", "Case 1\n\n"), "PE"),
        (right.replace("Case 1\n", "Case 2\n"), "WA"),
    ] {
        let findings = grid_output(
            &format,
            ALL,
            FOUR.as_bytes(),
            out.as_bytes(),
            Some(right.as_bytes()),
        )
        .unwrap();
        assert_eq!(
            findings.verdict().code(),
            expected,
            "{out:?}: {:?}",
            findings.listed.first()
        );
    }
}

#[test]
fn an_empty_line_before_a_solution_is_no_row_which_may_end_with_a_space() {
    let format_of = |banner: bool| {
        let mut format = format(Some(true), banner);
        format.output.white_space = WhiteSpace::Strict;
        format.output.line_end = LineEnd::MayHaveSpace;
        format.output.blank_lines = BlankLines::Before;
        format
    };
    for banner in [true, false] {
        let before = format_of(banner);
        let right = format!(
            "\n{}{}4 in all\n",
            if banner { "Case 1\n" } else { "" },
            SOLUTIONS.join("")
        );
        for (out, expected) in [
            (right.clone(), "AC"),
            (right.replace("1234\n", "1234 \n"), "AC"),
            (right.replace("1234\n", "1234  \n"), "PE"),
            (format!(" {right}"), "PE"),
        ] {
            let found = grid_output(
                &before,
                ALL,
                FOUR.as_bytes(),
                out.as_bytes(),
                Some(right.as_bytes()),
            )
            .unwrap();
            assert_eq!(
                found.verdict().code(),
                expected,
                "{out:?}: {:?}",
                found.listed.first()
            );
        }
    }
}

#[test]
fn an_endless_list_gets_a_bounded_number_of_findings() {
    let format = format(None, true);
    let out = format!("Case 1\n{}", SOLUTIONS[0].repeat(1000));
    let found =
        grid_output(&format, ALL, FOUR.as_bytes(), out.as_bytes(), None::<&[u8]>)
            .unwrap();
    assert_eq!((found.listed.len(), found.unlisted), (20, 999 + 1 - 20));
}

/// A 9x9 grid with at least twelve solutions: its format, its clues, its solutions in
/// order, and its answer.
fn nine_by_nine(follows_solutions: bool) -> (Format, String, Vec<String>, String) {
    let format = Format {
        shapes: vec![Shape::new(9, 3, 3).unwrap()],
        symbols: Symbols::characters("123456789", "."),
        ..format(Some(follows_solutions), false)
    };
    let solver = gridjudge_grid::solve::Solver::new(&format.shapes[0]);
    let solution = solver.first(&[0; 81]).unwrap().unwrap();
    let mut order: Vec<usize> = (0..81).rev().collect();
    let mut clues = solution.clone();
    while solver.solutions(&clues, 12).unwrap().len() < 12 {
        clues[order.pop().unwrap()] = 0;
    }
    let all = solver.all_in_order(&clues, 1000).unwrap().unwrap();
    let written = |cells: &[u8]| {
        gridjudge_grid::format::write::rows(
            &format.shapes[0],
            &format.symbols,
            &format.output,
            cells,
        )
    };
    let solutions: Vec<_> = all.iter().map(|cells| written(cells)).collect();
    let answer = with_count(&solutions.concat(), solutions.len(), follows_solutions);
    (format.clone(), written(&clues), solutions, answer)
}

fn with_count(solutions: &str, number: usize, follows_solutions: bool) -> String {
    let count = format!("{number} in all\n");
    if follows_solutions {
        solutions.to_owned() + &count
    } else {
        count + solutions
    }
}

/// The findings about a list after its lines were changed, and the number of its
/// solutions.
fn after(
    follows_solutions: bool,
    change: impl FnOnce(&mut Vec<&str>),
) -> (Vec<String>, usize) {
    let (format, input, solutions, answer) = nine_by_nine(follows_solutions);
    let mut lines: Vec<_> = answer.lines().collect();
    change(&mut lines);
    let text = lines.join("\n") + "\n";
    let found = grid_output(
        &format,
        Accept::All { most: 1000 },
        input.as_bytes(),
        text.as_bytes(),
        Some(answer.as_bytes()),
    );
    let found = found.unwrap();
    assert_eq!(found.unlisted, 0);
    (described(&found), solutions.len())
}

#[test]
fn a_lost_or_doubled_row_is_reported_for_its_solution_and_spoils_no_other() {
    for follows_solutions in [false, true] {
        let before = if follows_solutions { 0 } else { 1 };
        for solution in [0, 1, 5] {
            for row in [0, 1, 4, 8] {
                let place = before + 9 * solution + row;
                let (found, total) =
                    after(follows_solutions, |lines| _ = lines.remove(place));
                let number = solution + 1;
                let message =
                    format!("solution {number}: the grid has 8 rows, expected 9");
                assert!(found[0].ends_with(&message), "{row} {found:?}");
                let missing =
                    format!("missing: solution {number} of {total} is missing");
                assert!(found.len() == 2 && found[1].contains(&missing), "{found:?}");
                // The last row may as well be the first of the next solution.
                let number = if row == 8 { number + 1 } else { number };
                let (found, _) = after(follows_solutions, |lines| {
                    lines.insert(place, lines[place])
                });
                let message =
                    format!("solution {number}: the grid has 10 rows, expected 9");
                assert!(
                    found[0].ends_with(&message) && found.len() == 2,
                    "{found:?}"
                );
            }
        }
        let (found, total) = after(follows_solutions, |lines| {
            _ = lines.remove(before + 9 * 11 + 3)
        });
        assert!(
            found[0].contains("solution 12: the grid has 8 rows, expected 9"),
            "{total} {found:?}"
        );
        let (found, total) =
            after(follows_solutions, |lines| _ = lines.remove(lines.len() - 2));
        let message = format!("solution {total}: the grid has 8 rows, expected 9");
        assert!(found[0].contains(&message) && found.len() == 2, "{found:?}");
    }
}

#[test]
fn two_broken_solutions_in_a_row_are_both_reported() {
    let (found, _) = after(true, |lines| {
        lines.remove(13);
        lines.remove(4);
    });
    let expected = [
        "solution 1: the grid has 8 rows",
        "solution 2: the grid has 8 rows",
        "and 1 more solution",
    ];
    assert!(
        found.len() == 3
            && found
                .iter()
                .zip(expected)
                .all(|(found, expected)| found.contains(expected)),
        "{found:?}"
    );
}

#[test]
fn a_number_may_be_written_in_one_way_only() {
    let format = format(Some(false), false);
    let input = [FOUR, NONE, ONE].concat();
    let answer = "4 in all\nNO\n1 in all\n";
    for (written, message) in [
        (
            "04 in all",
            "1 count: grid 1: the line is `04 in all`, expected `4 in all`",
        ),
        (
            "4  in all",
            "1 spacing: grid 1: the line is `4  in all`, expected `4 in all`: the white space differs",
        ),
    ] {
        let out = answer.replacen("4 in all", written, 1);
        finds(&format, COUNT, &input, answer, &out, &[message]);
    }
    let format = Format {
        replies: Replies {
            none: None,
            ..format.replies.clone()
        },
        ..format
    };
    let (answer, out) = (
        answer.replace("NO", "0 in all"),
        answer.replace("NO", "00 in all"),
    );
    let message = "2 count: grid 2: the line is `00 in all`, expected `0 in all`";
    finds(&format, COUNT, &input, &answer, &out, &[message]);
}

#[test]
fn a_row_that_lacks_its_spaces_is_no_banner_of_a_bare_number() {
    for (place, banner) in [(BannerPlace::Own, "1\n"), (BannerPlace::Same, "1 ")] {
        let mut format = format(Some(false), false);
        let template = Template::parse("{n} ", "n").unwrap();
        format.output.banner = Some(Banner {
            template,
            first: 1,
            place,
        });
        format.output.cells = CellSpacing::Spaced;
        format.output.white_space = WhiteSpace::Strict;
        let spaced = ["1 4 3 2", "2 3 4 1", "4 1 2 3", "3 2 1 4"];
        let right = format!("{banner}1 in all\n{}\n", spaced.join("\n"))
            .replace("1\n1 in", "1 \n1 in");
        let found = |out: &str| {
            let findings = grid_output(
                &format,
                ALL,
                ONE.as_bytes(),
                out.as_bytes(),
                Some(right.as_bytes()),
            )
            .unwrap();
            findings
                .listed
                .iter()
                .map(|finding| finding.kind)
                .collect::<Vec<_>>()
        };
        assert_eq!(found(&right), []);
        for row in spaced {
            let torn = right.replace(row, &row.replace(' ', ""));
            assert_eq!(found(&torn), [FindingKind::Presentation], "{torn}");
        }
    }
}
