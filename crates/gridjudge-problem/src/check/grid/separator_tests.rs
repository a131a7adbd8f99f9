//! Separators between answers: the findings for one that is missing, wrong or
//! misplaced, and that no later grid is lost by it.

use gridjudge_grid::{
    Banner, BlankLines, CellSpacing, CountLine, GridCount, Layout, Replies,
    Separator, Shape, Symbols, Template, WhiteSpace,
};

use super::*;

const INPUT: &str =
    "1432\n....\n4123\n3214\n123.\n...4\n....\n....\n2143\n....\n1234\n3412\n";
const ONE: &str = "1432\n2341\n4123\n3214\n";
const LAST: &str = "2143\n4321\n1234\n3412\n";

fn format(closes: bool) -> Format {
    let layout = Layout::bare(GridCount::UntilEnd { most: 9 }, CellSpacing::Joined);
    let separator = Some(Separator {
        line: "-----".into(),
        closes,
    });
    Format {
        shapes: vec![Shape::new(4, 2, 2).unwrap()],
        symbols: Symbols::characters("1234", "."),
        output: Layout {
            count: GridCount::AsInput,
            separator,
            ..layout.clone()
        },
        input: layout,
        replies: Replies {
            none: Some("NO".into()),
            ..Replies::default()
        },
    }
}

fn right() -> String {
    format!("{ONE}-----\nNO\n-----\n{LAST}")
}

#[track_caller]
fn finds(format: &Format, accept: Accept, right: &str, out: &str, expected: &[&str]) {
    for answer in [None, Some(right.as_bytes())] {
        let found =
            grid_output(format, accept, INPUT.as_bytes(), out.as_bytes(), answer)
                .unwrap();
        let messages: Vec<_> = found
            .listed
            .iter()
            .map(|found| format!("{}: {}", found.line.unwrap(), found.message))
            .collect();
        assert_eq!(messages, expected, "{out}");
        assert_eq!(found.grids, 3);
    }
}

#[track_caller]
fn finds_in(out: &str, expected: &[&str]) {
    finds(&format(false), Accept::Unique, &right(), out, expected);
}

#[test]
fn a_separator_that_is_missing_or_wrong_is_reported_once_and_no_grid_is_lost() {
    finds_in(&right(), &[]);
    finds_in(&right().replace("-----", "\n  ----- \n"), &[]);
    let right = right();
    for (from, to, message) in [
        (
            "-----\nNO",
            "NO",
            "5: expected the separator `-----` between grid 1 and grid 2",
        ),
        (
            "NO\n-----\n",
            "NO\n",
            "7: expected the separator `-----` between grid 2 and grid 3",
        ),
        (
            "-----\nNO",
            "----\nNO",
            "5: the separator between grid 1 and grid 2 is `----`, expected `-----`",
        ),
        (
            "-----\nNO",
            "=====\nNO",
            "5: the separator between grid 1 and grid 2 is `=====`, expected `-----`",
        ),
        (
            "-----\nNO",
            "-- ---\nNO",
            "5: the separator between grid 1 and grid 2 is `-- ---`, expected `-----`: the white space differs",
        ),
        (
            "1432",
            "-----\n1432",
            "1: there is a separator before the first grid; it belongs between two",
        ),
        (
            "NO\n",
            "",
            "6: grid 2: its answer is missing: a separator is in its place",
        ),
        ("3214\n", "", "3: grid 1: the grid has 3 rows, expected 4"),
        (
            "4123\n3214\n",
            "",
            "2: grid 1: the grid has 2 rows, expected 4",
        ),
        (
            "3214\n",
            "3214\n3214\n1111\n",
            "5: 2 rows too many before the separator `-----` between grid 1 and grid 2",
        ),
    ] {
        let out = right.replacen(from, to, 1);
        let found = grid_output(
            &format(false),
            Accept::Unique,
            INPUT.as_bytes(),
            out.as_bytes(),
            Some(right.as_bytes()),
        );
        let listed = found.unwrap().listed;
        let first = listed
            .iter()
            .find(|finding| !finding.message.contains("two "))
            .unwrap();
        assert_eq!(
            format!("{}: {}", first.line.unwrap(), first.message),
            message,
            "{to}"
        );
        let others = listed
            .iter()
            .filter(|finding| finding.grid.is_some_and(|grid| grid != 1));
        assert!(others.count() <= usize::from(from == "NO\n"), "{listed:?}");
    }
    finds_in(
        &format!("{right}-----\n"),
        &[
            "12: `-----` is trailing output after the last grid, and belongs between two grids only",
        ],
    );
}

#[test]
fn a_missing_separator_after_the_last_grid_is_reported_where_one_belongs() {
    let all = right() + "-----\n";
    let format = format(true);
    finds(&format, Accept::Unique, &all, &all, &[]);
    finds(
        &format,
        Accept::Unique,
        &all,
        &right(),
        &["12: expected the separator `-----` after the last grid"],
    );
    let twice = format!("{all}-----\n");
    finds(
        &format,
        Accept::Unique,
        &all,
        &twice,
        &["13: `-----` is trailing output after the last grid"],
    );
}

#[test]
fn white_space_around_a_separator_is_exact_where_it_is_strict() {
    let mut format = format(true);
    format.output.white_space = WhiteSpace::Strict;
    let all = right() + "-----\n";
    finds(&format, Accept::Unique, &all, all.trim_end(), &[]);
    let message = "5: the separator between grid 1 and grid 2 is right but for white space, which must be exact here";
    finds(
        &format,
        Accept::Unique,
        &all,
        &all.replacen("-----\n", "----- \n", 1),
        &[message],
    );
    let message = &message.replace("5:", "6:");
    finds(
        &format,
        Accept::Unique,
        &all,
        &all.replacen("-----\n", "\n-----\n", 1),
        &[message],
    );
    format.output.blank_lines = BlankLines::After;
    let all = all.replace("-----\n", "\n-----\n");
    let short = format!("{}-----\n", all.strip_suffix("\n-----\n").unwrap());
    let message = "14: grid 3: right but for white space, which must be exact here";
    finds(&format, Accept::Unique, &all, &short, &[message]);
}

#[test]
fn lists_banners_and_numbers_may_stand_between_separators() {
    let mut format = format(false);
    format.output.banner =
        Some(Banner::own(Template::parse("Case {n}:", "n").unwrap()));
    let template = Template::parse("{count}", "count").unwrap();
    format.replies.count = Some(CountLine {
        template,
        follows_solutions: true,
        has_blank_line: false,
    });
    let all =
        format!("Case 1:\n{ONE}1\n-----\nCase 2:\nNO\n-----\nCase 3:\n{LAST}1\n");
    let accept = Accept::All { most: 9 };
    finds(&format, accept, &all, &all, &[]);
    let message = "7: expected the separator `-----` between grid 1 and grid 2";
    finds(
        &format,
        accept,
        &all,
        &all.replacen("-----\n", "", 1),
        &[message],
    );
    let message = "7: grid 1: the line `1` is missing";
    finds(
        &format,
        accept,
        &all,
        &all.replacen("1\n-----\n", "-----\n", 1),
        &[&message.replace("7:", "6:")],
    );
}

#[test]
fn a_stored_answer_without_a_separator_is_the_setters_mistake() {
    let answer = right().replacen("-----\n", "", 1);
    let found = grid_output(
        &format(false),
        Accept::Unique,
        INPUT.as_bytes(),
        right().as_bytes(),
        Some(answer.as_bytes()),
    );
    let error = found.unwrap_err().to_string();
    assert!(
        error.contains("line 5: grid 2: expected the separator `-----` before it"),
        "{error}"
    );
}

#[test]
fn a_text_and_a_grid_before_a_separator_spoil_no_other_grid() {
    finds_in(
        &format!("NO\n{}", right()),
        &["1: grid 1: `NO`, but there is a solution: its row 2 is `2341`"],
    );
}
