//! Every mistake that a setter can make in an input, with its line.

use gridjudge_grid::{
    Banner, BlankLines, CellSpacing, GridCount, Layout, LineEnd, OrderLine,
    OrderNumber, OrderPlace, RegionMap, Replies, Separator, Shape, Symbols, Template,
    WhiteSpace,
};

use super::*;

fn layout(count: GridCount, blank_lines: BlankLines) -> Layout {
    Layout {
        blank_lines,
        ..Layout::bare(count, CellSpacing::Joined)
    }
}

fn format(count: GridCount) -> Format {
    Format {
        shapes: vec![Shape::new(4, 2, 2).unwrap()],
        symbols: Symbols::characters("1234", "*"),
        input: layout(count, BlankLines::Before),
        output: Layout {
            banner: Some(Banner::own(Template::parse("Case #{n}:", "n").unwrap())),
            ..layout(GridCount::AsInput, BlankLines::None)
        },
        replies: Replies::default(),
    }
}

fn mistakes(count: GridCount, text: &[u8]) -> Vec<String> {
    let format = format(count);
    all_input_mistakes(&format, text)
        .unwrap()
        .iter()
        .map(|mistake| format!("{}: {}", mistake.line, mistake.message))
        .collect()
}

const MANY: GridCount = GridCount::First { most: 100 };

#[test]
fn a_sound_input_has_no_mistakes() {
    assert_eq!(
        mistakes(
            MANY,
            b"2\n\n1***\n****\n****\n****\n\n****\n****\n****\n***4\n"
        ),
        [""; 0]
    );
    assert_eq!(mistakes(MANY, b"1\n1***\n****\n\n****\n****"), [""; 0]);
    assert_eq!(
        mistakes(GridCount::One, b"\n1***\n****\n****\n****\n"),
        [""; 0]
    );
}

#[test]
fn white_space_must_be_exact_where_the_problem_is_strict_about_it() {
    let mut format = format(MANY);
    format.input.white_space = WhiteSpace::Strict;
    let mistakes = |text: &str| {
        all_input_mistakes(&format, text.as_bytes())
            .unwrap()
            .iter()
            .map(|mistake| format!("{}: {}", mistake.line, mistake.message))
            .collect::<Vec<_>>()
    };
    let sound = "2\n\n1***\n****\n****\n****\n\n****\n****\n****\n***4\n";
    assert_eq!(mistakes(sound), [""; 0]);
    assert_eq!(
        mistakes(&sound.replace("2\n", "2 \n")),
        ["1: expected `2` alone on the first line"]
    );
    assert_eq!(
        mistakes(&sound.replacen("\n\n1", "\n1", 1)),
        ["2: grid 1: expected an empty line, found `1***`"]
    );
    assert_eq!(
        mistakes(&sound.replace("1***", "1*** ")),
        ["3: grid 1: expected `1***`, found `1*** `"]
    );
    assert_eq!(
        mistakes(sound.trim_end()),
        ["11: grid 2: the line does not end in a newline"]
    );
    assert_eq!(
        mistakes(&format!("{sound}\n")),
        ["12: an empty line follows the last grid"]
    );
}

#[test]
fn the_count_must_be_a_number_that_the_problem_allows() {
    assert_eq!(mistakes(MANY, b""), ["1: the file is empty"]);
    assert_eq!(
        mistakes(MANY, b"****\n"),
        ["1: expected the number of grids, found `****`"]
    );
    assert_eq!(mistakes(MANY, b"0\n"), ["1: the number of grids is 0"]);
    assert_eq!(
        mistakes(MANY, b"101\n"),
        ["1: the number of grids is 101, the problem allows 100 at most"]
    );
}

#[test]
fn fewer_grids_than_the_count_and_truncated_ones_are_named() {
    assert_eq!(
        mistakes(MANY, b"3\n\n1***\n****\n****\n****\n"),
        ["7: the file says it holds 3 grids and ends after 1"]
    );
    assert_eq!(
        mistakes(MANY, b"3\n"),
        ["2: the file says it holds 3 grids and ends after 0"]
    );
    assert_eq!(
        mistakes(MANY, b"3\n\n\n"),
        ["2: the file says it holds 3 grids and ends after 0"]
    );
    assert_eq!(
        mistakes(MANY, b"2\n\n1***\n****\n****\n****\n\n1***\n****\n"),
        ["9: grid 2: the grid has 2 rows, expected 4"]
    );
    assert_eq!(
        mistakes(MANY, b"1\n\n1***\n****\n****\n****\n\n1***\n"),
        ["8: `1***` follows the last grid"]
    );
}

#[test]
fn a_mistake_is_on_a_line_of_the_file_however_the_file_ends() {
    assert_eq!(mistakes(MANY, b"1"), ["1: the file holds no grid"]);
    assert_eq!(
        mistakes(MANY, b"2\n\n1***\n****\n****\n***"),
        [
            "6: grid 1: row 4 has 3 cells, expected 4",
            "6: the file says it holds 2 grids and ends after 1"
        ]
    );
}

#[test]
fn a_line_that_never_seems_to_end_is_one_line() {
    let long = "1".repeat(1 << 20);
    let found = mistakes(MANY, format!("1\n\n1***\n****\n****\n{long}\n").as_bytes());
    assert!(
        found.len() == 1 && found[0].starts_with("6: row 4 has "),
        "{found:?}"
    );
}

#[test]
fn all_mistakes_are_listed_at_once() {
    assert_eq!(
        mistakes(
            MANY,
            b"3\n\n1***\n**x*\n****\n***\n\n12**\n*2**\n****\n****\n"
        ),
        [
            "4: grid 1: row 2, column 3 is `x`, which is not a symbol of this problem",
            "6: grid 1: row 4 has 3 cells, expected 4",
            "7: grid 2: the clues contradict each other: column 2 has two 2s, at rows 1 and 2",
            "12: the file says it holds 3 grids and ends after 2",
        ]
    );
}

#[test]
fn bytes_that_break_some_programs_and_not_others_are_mistakes() {
    let sound = "1\n\n1***\n****\n****\n****\n";
    let marked = [b"\xef\xbb\xbf", sound.as_bytes()].concat();
    assert_eq!(
        mistakes(MANY, &marked)[0],
        "1: the file begins with a byte order mark"
    );
    assert_eq!(
        mistakes(MANY, sound.replace('\n', "\r\n").as_bytes()),
        ["1: the line ends in a carriage return, or holds one"]
    );
    assert_eq!(
        mistakes(MANY, sound.replace("1***", "1*\0*").as_bytes())[0],
        "3: the line holds a NUL byte"
    );
    assert_eq!(
        mistakes(MANY, sound.replace('\n', "\r").as_bytes()),
        ["1: the lines end with a carriage return alone"]
    );
}

/// The mistakes of grids of order 4 with their own maps.
fn mistakes_of_maps(map: RegionMap, cells: CellSpacing, text: &str) -> Vec<String> {
    let input = Layout {
        region_map: Some(map),
        ..Layout::bare(MANY, cells)
    };
    let format = Format {
        shapes: vec![Shape::latin(4).unwrap()],
        input,
        ..format(MANY)
    };
    all_input_mistakes(&format, text.as_bytes())
        .unwrap()
        .iter()
        .map(|mistake| format!("{}: {}", mistake.line, mistake.message))
        .collect()
}

#[test]
fn a_broken_map_is_reported_with_its_grid_its_line_and_every_uneven_region() {
    let mistakes =
        |text: &str| mistakes_of_maps(RegionMap::Before, CellSpacing::Joined, text);
    let grid = "AABB\nAABB\nCCDD\nCCDD\n1***\n*2**\n****\n****\n";
    assert_eq!(mistakes(&format!("2\n{grid}{grid}")), [""; 0]);
    assert_eq!(
        mistakes(&format!(
            "2\n{grid}{}",
            grid.replacen("AABB\nCC", "AAAA\nCC", 1)
        )),
        [
            "10: grid 2: the region of row 1, column 1 has 6 cells, a grid of order 4 needs 4",
            "10: grid 2: the region of row 1, column 3 has 2 cells, a grid of order 4 needs 4",
        ]
    );
    assert_eq!(
        mistakes(&format!(
            "2\n{grid}{}",
            grid.replacen("CCDD\n1", "CCD\n1", 1)
                .replacen("AB", "A\u{1}", 1)
        )),
        [
            "10: grid 2: in the map, row 1, column 3 is `\\x01`, which names no region",
            "13: grid 2: in the map, row 4 has 3 cells, expected 4",
        ]
    );
    assert_eq!(
        mistakes(&format!("1\n{}", grid.replace("*2", "*1"))),
        [
            "2: the clues contradict each other: region 1 has two 1s, at row 1 column 1 and row 2 column 2"
        ]
    );
    assert_eq!(
        mistakes(&format!("1\n{}", &grid[..grid.len() - 5])),
        ["8: the grid has 7 lines, expected 8"]
    );
}

#[test]
fn walls_that_do_not_meet_or_enclose_too_much_are_reported() {
    let mistakes =
        |text: &str| mistakes_of_maps(RegionMap::Walls, CellSpacing::Spaced, text);
    let grid = "145 48 144 48\n192 96 192 96\n144 48 144 48\n192 96 192 98\n";
    assert_eq!(mistakes(&format!("1\n{grid}")), [""; 0]);
    assert_eq!(
        mistakes(&format!(
            "1\n{}",
            grid.replacen("144", "16", 1).replacen("98", "34", 1)
        )),
        [
            "2: row 1, column 2 has a wall towards row 1, column 3, which has none",
            "5: row 4, column 4 has no wall below, where the grid ends",
        ]
    );
    assert_eq!(
        mistakes(&format!("1\n{}", grid.replacen("48 144", "16 16", 1))),
        ["2: the region of row 1, column 1 has 8 cells, a grid of order 4 needs 4"]
    );
    assert_eq!(
        mistakes(&format!("1\n{}", grid.replacen("145", "149", 1))),
        ["2: row 1, column 1 is `149`, which is not a value with its walls"]
    );
}

/// The mistakes of grids with dashes between them.
fn mistakes_of_separators(
    count: GridCount,
    closes: bool,
    white_space: WhiteSpace,
    text: &str,
) -> Vec<String> {
    let separator = Some(Separator {
        line: "-----".into(),
        closes,
    });
    let input = Layout {
        separator,
        white_space,
        ..layout(count.clone(), BlankLines::None)
    };
    all_input_mistakes(
        &Format {
            input,
            ..format(count)
        },
        text.as_bytes(),
    )
    .unwrap()
    .iter()
    .map(|mistake| format!("{}: {}", mistake.line, mistake.message))
    .collect()
}

#[test]
fn separators_of_an_input_must_stand_where_they_belong_and_nowhere_else() {
    const GRID: &str = "1***\n****\n****\n****\n";
    let end = || GridCount::UntilEnd { most: 9 };
    let until = || GridCount::Until {
        line: "end".into(),
        most: 9,
    };
    let two = format!("{GRID}-----\n{GRID}");
    for (count, head, foot) in
        [(MANY, "2\n", ""), (end(), "", ""), (until(), "", "end\n")]
    {
        let mistakes = |closes, text: &str| {
            let text = format!("{head}{text}{foot}");
            let mistakes = mistakes_of_separators(
                count.clone(),
                closes,
                WhiteSpace::Strict,
                &text,
            );
            assert!(mistakes.is_empty() || mistakes.len() == 1, "{mistakes:?}");
            mistakes
                .into_iter()
                .next()
                .map_or(String::new(), |mistake| {
                    mistake[mistake.find(' ').unwrap() + 1..].to_owned()
                })
        };
        assert_eq!(mistakes(false, &two), "");
        assert_eq!(mistakes(true, &format!("{two}-----\n")), "");
        assert_eq!(
            mistakes(true, &two),
            "expected the separator `-----` after grid 2"
        );
        assert_eq!(
            mistakes(false, &two.replace("-----\n", "")),
            "expected the separator `-----` between grid 1 and grid 2"
        );
        assert_eq!(
            mistakes(false, &two.replace("-----", "----")),
            "expected the separator `-----` between grid 1 and grid 2, found `----`"
        );
        assert_eq!(
            mistakes(false, &two.replace("-----", "----- ")),
            "expected `-----` alone between grid 1 and grid 2"
        );
        assert_eq!(
            mistakes(false, &two.replace("-----\n", "****\n-----\n")),
            "1 row too many before the separator `-----` between grid 1 and grid 2"
        );
    }
    let stray = "there is a separator after the last grid; it belongs between two";
    let mistakes = |count, foot: &str| {
        mistakes_of_separators(
            count,
            false,
            WhiteSpace::Lenient,
            &format!("{two} -----\n{foot}"),
        )
    };
    assert_eq!(mistakes(end(), ""), [format!("10: {stray}")]);
    assert_eq!(mistakes(until(), "end\n"), [format!("10: {stray}")]);
}

#[test]
fn a_text_that_ends_before_its_last_grid_lacks_grids_rather_than_an_order() {
    let order_line = Some(OrderLine {
        number: OrderNumber::Order,
        place: OrderPlace::Case,
    });
    let input = Layout {
        order_line,
        ..layout(MANY, BlankLines::None)
    };
    let shapes = [2, 4].map(|order| Shape::latin(order).unwrap());
    let format = Format {
        shapes: shapes.into(),
        input,
        ..format(MANY)
    };
    for text in ["2\n2\n1*\n**\n", "2\n2\n1*\n**\n\n\n"] {
        let found = all_input_mistakes(&format, text.as_bytes()).unwrap();
        let [mistake] = &found[..] else {
            panic!("{found:?}")
        };
        assert_eq!(
            (mistake.line, mistake.message.as_str()),
            (5, "the file says it holds 2 grids and ends after 1")
        );
    }
}

#[test]
fn a_byte_order_mark_causes_no_other_mistake_however_it_is_read() {
    let text = [b"\xef\xbb\xbf", &b"1\n1***\n****\n****\n****\n"[..]];
    let mark = ["1: the file begins with a byte order mark"];
    assert_eq!(mistakes(MANY, &text.concat()), mark);
    let in_pieces =
        all_input_mistakes(&format(MANY), text[0].chain(text[1])).unwrap();
    assert_eq!(
        in_pieces
            .iter()
            .map(|mistake| format!("{}: {}", mistake.line, mistake.message))
            .collect::<Vec<_>>(),
        mark
    );
}

#[test]
fn lines_of_ignored_characters_count_nowhere() {
    const GRID: &str = "1***\n****\n****\n****\n";
    let separator = |closes| {
        Some(Separator {
            line: "next".into(),
            closes,
        })
    };
    let end = GridCount::UntilEnd { most: 9 };
    let until = GridCount::Until {
        line: "0".into(),
        most: 9,
    };
    let bare = |count: &GridCount| Layout::bare(count.clone(), CellSpacing::Joined);
    let with_order = |count, place| Layout {
        order_line: Some(OrderLine {
            number: OrderNumber::Order,
            place,
        }),
        ..bare(count)
    };
    let parted = |count, closes| Layout {
        separator: separator(closes),
        ..bare(count)
    };
    for (input, text) in [
        (bare(&GridCount::One), GRID.to_owned()),
        (bare(&MANY), format!("2\n{GRID}{GRID}")),
        (bare(&end), format!("{GRID}{GRID}")),
        (bare(&until), format!("{GRID}{GRID}0\n")),
        (
            with_order(&MANY, OrderPlace::File),
            format!("2\n4\n{GRID}{GRID}"),
        ),
        (
            with_order(&end, OrderPlace::Case),
            format!("4\n{GRID}4\n{GRID}"),
        ),
        (parted(&end, false), format!("{GRID}next\n{GRID}")),
        (parted(&until, true), format!("{GRID}next\n{GRID}next\n0\n")),
    ] {
        let format = Format {
            input: Layout {
                ignored: "|+-".into(),
                ..input
            },
            ..format(MANY)
        };
        let decorated = format!("+--+\n{}", text.replace('\n', "\n\n| |\n"));
        for text in [text, decorated] {
            assert_eq!(
                all_input_mistakes(&format, text.as_bytes()).unwrap(),
                [],
                "{text}"
            );
        }
    }
}

#[test]
fn strict_grids_with_maps_may_have_any_blank_and_the_optional_space() {
    let input = Layout {
        region_map: Some(RegionMap::After),
        line_end: LineEnd::MayHaveSpace,
        white_space: WhiteSpace::Strict,
        ..Layout::bare(GridCount::One, CellSpacing::Spaced)
    };
    let symbols = Symbols::characters("1234", "*-");
    let shapes = vec![Shape::latin(4).unwrap()];
    let format = Format {
        shapes,
        symbols,
        input,
        ..format(MANY)
    };
    let mistakes = |text: &str| {
        all_input_mistakes(&format, text.as_bytes())
            .unwrap()
            .iter()
            .map(|mistake| format!("{}: {}", mistake.line, mistake.message))
            .collect::<Vec<_>>()
    };
    let sound =
        "1 - * -\n- - - - \n* * * *\n- - - -\nA A B B\nA A B B \nC C D D\nC C D D\n";
    assert_eq!(mistakes(sound), [""; 0]);
    assert_eq!(
        mistakes(&sound.replace("* * * *", "* * * *  ")),
        ["3: expected `* * * *`, found `* * * * `"]
    );
}
