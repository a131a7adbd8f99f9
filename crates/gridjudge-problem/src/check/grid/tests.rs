//! The findings for every kind of wrong output. One wrong grid does not hide the
//! others, and memory stays flat.

use std::io;

use gridjudge_grid::{
    Banner, CellSpacing, GridCount, Layout, Replies, Shape, Symbols, Template,
    WhiteSpace,
};

use super::*;
use crate::model::{FindingRule, MOST_FINDINGS};

/// A 4x4 problem of many cases.
fn format(banner: Option<&str>, white_space: WhiteSpace) -> Format {
    let layout = |count, banner| Layout {
        banner,
        white_space,
        ..Layout::bare(count, CellSpacing::Joined)
    };
    Format {
        shapes: vec![Shape::new(4, 2, 2).unwrap()],
        symbols: Symbols::characters("1234", "*"),
        input: layout(GridCount::First { most: 1_000_000 }, None),
        output: layout(
            GridCount::AsInput,
            banner.map(|banner| Banner::own(Template::parse(banner, "n").unwrap())),
        ),
        replies: Replies::default(),
    }
}

/// Three puzzles and their answers.
const PUZZLES: [&str; 3] = [
    "****\n2341\n4123\n3214\n",
    "*243\n*312\n*421\n*134\n",
    "*41*\n**3*\n2*41\n4*2*\n",
];
const ANSWERS: [&str; 3] = [
    "1432\n2341\n4123\n3214\n",
    "1243\n4312\n3421\n2134\n",
    "3412\n1234\n2341\n4123\n",
];

fn input() -> String {
    format!("3\n{}", PUZZLES.concat())
}

fn checked_as(format: &Format, accept: Accept, output: &str) -> Findings {
    let answers = if format.output.banner.is_some() {
        with_banners(&ANSWERS)
    } else {
        ANSWERS.concat()
    };
    let answer = (accept == Accept::Unique).then_some(answers.as_bytes());
    super::grid_output(
        format,
        accept,
        input().as_bytes(),
        output.as_bytes(),
        answer,
    )
    .unwrap()
}

/// Findings of an output without banners, as `line: message`, with the tally in front.
fn findings(output: &str) -> (String, Vec<String>) {
    described(&checked_as(
        &format(None, WhiteSpace::Lenient),
        Accept::Any,
        output,
    ))
}

fn described(findings: &Findings) -> (String, Vec<String>) {
    let messages = findings
        .listed
        .iter()
        .map(|finding| format!("{}: {}", finding.line.unwrap(), finding.message));
    (
        format!("{}/{}", findings.parts_right, findings.grids),
        messages.collect(),
    )
}

fn with_banners(grids: &[&str]) -> String {
    grids
        .iter()
        .zip(1..)
        .map(|(grid, number)| format!("Case #{number}:\n{grid}"))
        .collect()
}

#[track_caller]
fn finds(output: &str, tally: &str, messages: &[&str]) {
    assert_eq!(
        findings(output),
        (
            tally.to_owned(),
            messages.iter().map(|&text| text.to_owned()).collect()
        )
    );
}

#[test]
fn the_right_output_has_no_findings_whatever_its_white_space() {
    finds(&ANSWERS.concat(), "3/3", &[]);
    finds(&ANSWERS.join("\n\n"), "3/3", &[]);
    finds(&ANSWERS.concat().replace('\n', " \r\n"), "3/3", &[]);
    finds(ANSWERS.concat().trim_end(), "3/3", &[]);
}

#[test]
fn a_duplicate_names_the_rule_and_both_cells() {
    let findings = checked_as(
        &format(None, WhiteSpace::Lenient),
        Accept::Any,
        &ANSWERS.concat().replacen("1432", "1433", 1),
    );
    let first = &findings.listed[0];
    assert_eq!(
        first.message,
        "grid 1: row 1 has two 3s, at columns 3 and 4"
    );
    assert_eq!(
        (first.grid, first.row, first.column),
        (Some(1), Some(1), Some(4))
    );
    assert_eq!(
        (first.line, first.byte, first.rule),
        (Some(1), Some(3), Some(FindingRule::Row))
    );
    assert_eq!(
        first.other.map(|other| (other.row, other.column)),
        Some((1, 3))
    );
    assert_eq!((findings.parts_right, findings.grids), (2, 3));
}

#[test]
fn duplicates_in_columns_and_boxes_are_found() {
    let (_, messages) =
        findings(&ANSWERS.concat().replacen("1432\n2341", "2431\n2341", 1));
    assert_eq!(
        messages,
        [
            "2: grid 1: column 1 has two 2s, at rows 1 and 2",
            "2: grid 1: column 4 has two 1s, at rows 1 and 2",
        ]
    );
    let (_, messages) =
        findings(&ANSWERS.concat().replacen("1432\n2341", "1432\n3124", 1));
    assert!(
        messages
            .iter()
            .any(|message| message.contains("grid 1: box 1 has two")),
        "{messages:?}"
    );
}

#[test]
fn a_changed_clue_is_reported_with_both_values() {
    finds(
        &[ANSWERS[0], ANSWERS[2], ANSWERS[2]].concat(),
        "2/3",
        &[
            "5: grid 2: row 1, column 2 is 4, but its clue is 2",
            "5: grid 2: row 1, column 3 is 1, but its clue is 4",
            "5: grid 2: row 1, column 4 is 2, but its clue is 3",
            "6: grid 2: row 2, column 2 is 2, but its clue is 3",
            "6: grid 2: row 2, column 3 is 3, but its clue is 1",
            "6: grid 2: row 2, column 4 is 4, but its clue is 2",
            "7: grid 2: row 3, column 2 is 3, but its clue is 4",
            "7: grid 2: row 3, column 3 is 4, but its clue is 2",
            "8: grid 2: row 4, column 3 is 2, but its clue is 3",
            "8: grid 2: row 4, column 4 is 3, but its clue is 4",
        ],
    );
}

#[test]
fn the_puzzle_printed_back_is_one_finding_a_grid() {
    finds(
        &PUZZLES.concat(),
        "0/3",
        &[
            "1: grid 1: row 1, column 1 is still blank (`*`), and 3 more cells too",
            "5: grid 2: row 1, column 1 is still blank (`*`), and 3 more cells too",
            "9: grid 3: row 1, column 1 is still blank (`*`), and 7 more cells too",
        ],
    );
}

#[test]
fn too_few_grids_are_counted() {
    finds(
        ANSWERS[0],
        "1/3",
        &["5: the output ends after 1 of 3 grids"],
    );
    finds("", "0/3", &["1: the output is empty, expected 3 grids"]);
    finds(
        " \n\n",
        "0/3",
        &["2: the output is empty, expected 3 grids"],
    );
}

#[test]
fn output_after_the_last_grid_is_quoted() {
    finds(
        &(ANSWERS.concat() + "done\n"),
        "3/3",
        &["13: `done` is trailing output after the last grid"],
    );
    finds(
        &(ANSWERS.concat() + "it's \u{415}ND\n"),
        "3/3",
        &[
            "13: `it's \u{415}ND` (the 6th character is U+0415 (Cyrillic)) is trailing output after the last grid",
        ],
    );
    finds(
        &(ANSWERS.concat() + ANSWERS[0]),
        "3/3",
        &["13: `1432` is trailing output after the last grid"],
    );
}

#[test]
fn a_broken_grid_does_not_hide_the_others() {
    let missing_row = [ANSWERS[0], &ANSWERS[1][5..], ANSWERS[2]].concat();
    finds(
        &missing_row,
        "2/3",
        &["7: grid 2: the grid has 3 rows, expected 4"],
    );
    let extra_rows = [ANSWERS[0], "1111\n2222\n", ANSWERS[1], ANSWERS[2]].concat();
    finds(
        &extra_rows,
        "2/3",
        &["6: grid 1: the grid has 6 rows, expected 4"],
    );
    let missing_grid = [ANSWERS[0], ANSWERS[2]].concat();
    finds(
        &missing_grid,
        "2/3",
        &["5: grid 2: its answer is missing: the answer to grid 3 is here"],
    );
    let short_row = ANSWERS.concat().replacen("4312", "431", 1);
    finds(
        &short_row,
        "2/3",
        &["6: grid 2: row 2 has 3 cells, expected 4"],
    );
    let one_line = [
        ANSWERS[0].to_owned(),
        ANSWERS[1].replace('\n', "") + "\n",
        ANSWERS[2].to_owned(),
    ]
    .concat();
    finds(
        &one_line,
        "2/3",
        &["5: grid 2: row 1 has 16 cells, expected 4"],
    );
    let noise = [ANSWERS[0], "solving...\n", ANSWERS[1], ANSWERS[2]].concat();
    finds(
        &noise,
        "2/3",
        &["5: grid 2: `solving...` before the grid, expected its first row"],
    );
}

#[test]
fn surplus_rows_are_reported_for_their_own_grid_and_spoil_no_other() {
    let format = format(Some("Case #{n}:"), WhiteSpace::Lenient);
    let found =
        |output: &str| described(&checked_as(&format, Accept::Unique, output));
    let said = "6: grid 1: the grid has 5 rows, expected 4".to_owned();
    let right = with_banners(&ANSWERS);
    let surplus = right.replacen("3214\n", "3214\n3214\n", 1);
    assert_eq!(found(&surplus), ("2/3".into(), vec![said.clone()]));
    let misspelt = "7: grid 2: the banner is `Case 2:`, expected `Case #2:`";
    assert_eq!(
        found(&surplus.replace("#2", "2")),
        ("1/3".into(), vec![said, misspelt.into()])
    );
    let before_all = "1: 1 row before the first grid";
    assert_eq!(
        found(&format!("3214\n{right}")),
        ("3/3".into(), vec![before_all.into()])
    );
    let [one, two, three] = ANSWERS;
    finds(
        &[one, "3214\n", two, three].concat(),
        "2/3",
        &["5: grid 1: the grid has 5 rows, expected 4"],
    );
    finds(&["3214\n", one, two, three].concat(), "3/3", &[before_all]);
}

#[test]
fn the_answer_to_an_earlier_grid_again_is_called_that() {
    let [one, two, three] = ANSWERS;
    let again = |line: u64, grid: u64, first: u64| {
        format!("{line}: grid {grid}: the answer to grid {first} again")
    };
    finds(&[one, two, two].concat(), "2/3", &[&again(9, 3, 2)]);
    finds(&one.repeat(3), "1/3", &[&again(5, 2, 1), &again(9, 3, 1)]);
    finds(&[one, one, three].concat(), "2/3", &[&again(5, 2, 1)]);
}

#[test]
fn a_diff_shows_no_grid_that_is_not_known() {
    let format = format(Some("Case #{n}:"), WhiteSpace::Lenient);
    let found = checked_as(&format, Accept::Any, "1432\n");
    assert_eq!(found.listed[0].rule, Some(FindingRule::Banner));
    assert_eq!(found.diff, None);
}

#[test]
fn lines_that_belong_to_no_grid_are_named_and_the_grids_are_judged() {
    let each = ANSWERS
        .map(|answer| format!("Solution:\nof a grid\n{answer}"))
        .concat();
    let said = |line: u64, grid: u64| {
        format!(
            "{line}: grid {grid}: `Solution:` and 1 more line before the grid, expected its first row"
        )
    };
    let [one, two, three] = [said(1, 1), said(7, 2), said(13, 3)];
    finds(&each, "0/3", &[&one, &two, &three]);
    let within = ANSWERS.concat().replacen("4312\n", "4312\nfound 2\n", 1);
    finds(
        &within,
        "2/3",
        &["7: grid 2: `found 2` between row 2 and row 3"],
    );
}

#[test]
fn an_output_in_another_encoding_is_called_that() {
    let wide: String = ANSWERS
        .concat()
        .chars()
        .flat_map(|letter| [letter, '\0'])
        .collect();
    finds(&wide, "0/3", &["1: UTF-16 text, expected ASCII"]);
    let like_minus = ANSWERS.concat().replacen("1432", "\u{ff11}432", 1);
    let said = "1: grid 1: row 1, column 1 is `\u{ff11}` (U+FF11, full-width), which is not a symbol of this problem";
    finds(&like_minus, "2/3", &[said]);
}

#[test]
fn what_explains_an_output_of_which_nothing_is_right_is_named_alone() {
    let traceback = "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nValueError: no\n";
    finds(traceback, "0/3", &["1: a Python traceback, expected grids"]);
    let returns = ANSWERS.concat().replace('\n', "\r");
    finds(
        &returns,
        "0/3",
        &["1: lines that end with a carriage return alone, expected line feeds"],
    );
    let first_right = ANSWERS.concat() + &returns;
    finds(
        &first_right,
        "3/3",
        &[
            "13: `1432\\r2341\\r4123\\r3214\\r1243\\r4312\\r3421\\r2134\\r...` is trailing output after the last grid",
        ],
    );
}

#[test]
fn the_last_grid_is_not_taken_for_a_later_one_with_the_same_clues() {
    let input = format!("2\n{}", PUZZLES[1].repeat(2));
    let output = [ANSWERS[1], PUZZLES[1]].concat();
    let format = format(None, WhiteSpace::Lenient);
    let found = |output: &str| {
        let none = None::<&[u8]>;
        let (input, output) = (input.as_bytes(), output.as_bytes());
        super::grid_output(&format, Accept::Any, input, output, none).unwrap()
    };
    let short = "3: grid 1: the grid has 3 rows, expected 4".to_owned();
    assert_eq!(
        described(&found(&[&ANSWERS[1][..15], ANSWERS[1]].concat())),
        ("1/2".into(), vec![short])
    );
    assert_eq!(
        described(&found(&output)),
        (
            "1/2".into(),
            vec![
                "5: grid 2: row 1, column 1 is still blank (`*`), and 3 more cells too"
                    .into()
            ]
        )
    );
}

#[test]
fn banners_are_checked_and_the_grids_below_them_still_judged() {
    let format = format(Some("Case #{n}:"), WhiteSpace::Lenient);
    let found =
        |output: &str| described(&checked_as(&format, Accept::Unique, output));
    assert_eq!(found(&with_banners(&ANSWERS)), ("3/3".into(), vec![]));
    let from_zero = with_banners(&ANSWERS)
        .replace("#1", "#0")
        .replace("#2", "#1")
        .replace("#3", "#2");
    assert_eq!(
        found(&from_zero).1[2],
        "11: grid 3: the banner is `Case #2:`, expected `Case #3:`"
    );
    let (tally, messages) = found(&ANSWERS.concat());
    assert_eq!((tally.as_str(), messages.len()), ("0/3", 3), "{messages:?}");
    assert_eq!(messages[0], "1: grid 1: the banner `Case #1:` is missing");
    let short = with_banners(&[ANSWERS[0], &ANSWERS[1][..15], ANSWERS[2]]);
    assert_eq!(
        found(&short),
        (
            "2/3".into(),
            vec!["9: grid 2: the grid has 3 rows, expected 4".into()]
        )
    );
}

#[test]
fn a_wrong_banner_is_shown_as_a_diff() {
    let format = format(Some("Case #{n}:"), WhiteSpace::Lenient);
    let findings = checked_as(
        &format,
        Accept::Unique,
        &with_banners(&ANSWERS).replace("Case #1:", "Case 1:"),
    );
    assert_eq!(
        findings.diff.unwrap(),
        "-Case #1:\n+Case 1:\n 1432\n 2341\n 4123\n 3214\n"
    );
}

#[test]
fn strict_white_space_is_a_presentation_error_only_where_all_else_is_right() {
    let format = format(Some("Case #{n}:"), WhiteSpace::Strict);
    let verdict = |output: &str| {
        let findings = checked_as(&format, Accept::Unique, output);
        (
            findings.verdict().code(),
            findings.listed.first().and_then(|finding| finding.line),
        )
    };
    let right = with_banners(&ANSWERS);
    assert_eq!(verdict(&right), ("AC", None));
    assert_eq!(verdict(right.trim_end()), ("AC", None));
    assert_eq!(
        verdict(&right.replace("4123\n3214", "4123 \n3214")),
        ("PE", Some(4))
    );
    assert_eq!(
        verdict(&right.replace("Case #2", "\nCase #2")),
        ("PE", Some(6))
    );
    assert_eq!(
        verdict(&right.replace("4123\n3214", "4 1 2 3\n3214")),
        ("PE", Some(4))
    );
    assert_eq!(verdict(&format!("{right}\n")), ("PE", Some(16)));
    assert_eq!(verdict(&right.replace('\n', "\r\n")), ("PE", Some(1)));
    let wrong_later = right
        .replace("4123\n3214", "4123 \n3214")
        .replace("2134", "2143");
    assert_eq!(verdict(&wrong_later).0, "WA");
}

#[test]
fn a_valid_completion_that_is_not_the_promised_one_is_reported_as_such() {
    let puzzle = "1\n12**\n34**\n21**\n43**\n";
    let answer = "1234\n3412\n2143\n4321\n";
    let other = "1243\n3421\n2134\n4312\n";
    let format = format(None, WhiteSpace::Lenient);
    let findings = |accept| {
        super::grid_output(
            &format,
            accept,
            puzzle.as_bytes(),
            other.as_bytes(),
            Some(answer.as_bytes()),
        )
        .unwrap()
    };
    assert_eq!(findings(Accept::Any).listed, []);
    let finding = findings(Accept::Unique).listed.remove(0);
    assert_eq!(finding.rule, Some(FindingRule::Solution));
    assert!(
        finding.message.contains("row 1, column 3 is 4, expected 3"),
        "{}",
        finding.message
    );
}

#[test]
fn twenty_findings_are_listed_and_the_rest_counted() {
    let many = 30;
    let input = format!("{many}\n{}", PUZZLES[1].repeat(many));
    let output = "1111\n".repeat(4 * many);
    let none = None::<&[u8]>;
    let format = format(None, WhiteSpace::Lenient);
    let findings = super::grid_output(
        &format,
        Accept::Any,
        input.as_bytes(),
        output.as_bytes(),
        none,
    )
    .unwrap();
    assert_eq!(findings.listed.len(), MOST_FINDINGS);
    assert!(findings.unlisted > 100);
    assert_eq!((findings.parts_right, findings.grids), (0, 30));
}

#[test]
fn a_line_without_end_is_one_finding_and_needs_no_memory() {
    struct Endless(u64);
    impl Read for Endless {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let length = into
                .len()
                .min(usize::try_from(self.0).unwrap_or(usize::MAX));
            into[..length].fill(b'1');
            self.0 -= length as u64;
            Ok(length)
        }
    }
    let format = format(None, WhiteSpace::Lenient);
    let findings = super::grid_output(
        &format,
        Accept::Any,
        input().as_bytes(),
        Endless(20_000_000),
        None::<&[u8]>,
    )
    .unwrap();
    assert_eq!(findings.listed[0].rule, Some(FindingRule::Cells));
    assert_eq!(findings.parts_right, 0);
}

#[test]
fn hostile_bytes_in_the_output_come_out_harmless() {
    let (_, messages) = findings("\x1b[2J\x07<script>\u{202e}\n");
    assert!(
        messages
            .iter()
            .all(|message| message.is_ascii() && !message.contains('\x1b')),
        "{messages:?}"
    );
}

#[test]
fn two_swapped_grids_are_reported_as_swapped_and_spoil_no_other() {
    let [one, two, three] = ANSWERS;
    finds(
        &[two, one, three].concat(),
        "1/3",
        &[
            "1: grid 1: the answer to grid 2 is here: the two are swapped",
            "5: grid 2: the answer to grid 1 is here: the two are swapped",
        ],
    );
    let message = "1: grid 1: its answer is missing: the answer to grid 2 is here";
    finds(&[two, three].concat(), "2/3", &[message]);
    let mut format = format(None, WhiteSpace::Lenient);
    format.output.rows = gridjudge_grid::RowLayout::OneLine;
    let lines = ANSWERS.map(|answer| answer.replace('\n', "") + "\n");
    let swapped = [&lines[1][..], &lines[0], &lines[2]].concat();
    let found = grid_output(
        &format,
        Accept::Any,
        input().as_bytes(),
        swapped.as_bytes(),
        None::<&[u8]>,
    )
    .unwrap();
    assert_eq!(
        described(&found).1,
        [
            "1: grid 1: the answer to grid 2 is here: the two are swapped",
            "2: grid 2: the answer to grid 1 is here: the two are swapped",
        ]
    );
}

#[test]
fn wrong_white_space_within_a_banner_is_a_presentation_error_where_it_is_strict() {
    for (wrong, code) in [
        ("Case  #2:", "PE"),
        ("Case#2 :", "PE"),
        ("Case #02:", "WA"),
        ("Case #2", "WA"),
    ] {
        let output = with_banners(&ANSWERS).replace("Case #2:", wrong);
        let strict = checked_as(
            &format(Some("Case #{n}:"), WhiteSpace::Strict),
            Accept::Unique,
            &output,
        );
        assert_eq!(
            (strict.verdict().code(), strict.parts_right),
            (code, 2),
            "{wrong}"
        );
        let lenient = checked_as(
            &format(Some("Case #{n}:"), WhiteSpace::Lenient),
            Accept::Unique,
            &output,
        );
        assert_eq!(lenient.verdict().code(), "WA", "{wrong}");
    }
    let output = with_banners(&ANSWERS).replace("Case #2:", "Case  #2:");
    let found = checked_as(
        &format(Some("Case #{n}:"), WhiteSpace::Lenient),
        Accept::Unique,
        &output,
    );
    let message = "6: grid 2: the banner is `Case  #2:`, expected `Case #2:`: the white space differs";
    assert_eq!(described(&found).1, [message]);
}

/// It is asked before each run, and of a million wrong answers no more than the first
/// are shown.
#[test]
fn soundness_ends_when_the_list_of_findings_is_full() {
    let format = format(None, WhiteSpace::Lenient);
    let input = format!("1000\n{}", PUZZLES[0].repeat(1000));
    let wrong = ANSWERS[1].repeat(1000);
    let sound = super::check(
        &format,
        Accept::Any,
        &mut input.as_bytes(),
        &mut wrong.as_bytes(),
        None,
        false,
    )
    .unwrap();
    assert_eq!(sound.listed.len(), MOST_FINDINGS);
    assert!(sound.grids < 20, "{}", sound.grids);
    let judged = super::grid_output(
        &format,
        Accept::Any,
        input.as_bytes(),
        wrong.as_bytes(),
        None::<&[u8]>,
    )
    .unwrap();
    assert_eq!((judged.grids, &judged.listed), (1000, &sound.listed));
}
