//! Tests each kind of error, and that both ways of reading agree on the texts that both
//! accept.

use super::*;
use crate::{Shape, Symbols};

fn layout(cells: CellSpacing, banner: Option<&str>) -> Layout {
    let banner =
        banner.map(|banner| Banner::own(Template::parse(banner, "n").unwrap()));
    Layout {
        banner,
        ..Layout::bare(GridCount::AsInput, cells)
    }
}

fn reader(cells: CellSpacing, banner: Option<&str>) -> GridReader {
    let shape = Shape::new(4, 2, 2).unwrap();
    let bare = Format::bare(shape.clone(), Symbols::characters("1234", "*"), cells);
    let format = Format {
        output: layout(cells, banner),
        ..bare
    };
    GridReader::of_outputs(&shape, &format)
}

/// The errors of grid 1 of a text, as messages with line and byte.
fn errors(cells: CellSpacing, banner: Option<&str>, text: &str) -> Vec<String> {
    let block = reader(cells, banner).tolerant(1, text.as_bytes());
    block
        .errors
        .iter()
        .map(|error| format!("{}:{}: {error}", error.place.lines, error.place.bytes))
        .collect()
}

const JOINED: &str = "1234\n3412\n2143\n4321\n";
const SPACED: &str = "1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1\n";

#[test]
fn a_plain_text_is_read_the_same_in_both_ways() {
    for (layout, banner, text) in [
        (CellSpacing::Joined, None, JOINED.to_owned()),
        (CellSpacing::Spaced, None, SPACED.to_owned()),
        (
            CellSpacing::Joined,
            Some("Case #{n}:"),
            format!("Case #1:\n{JOINED}"),
        ),
    ] {
        let reader = reader(layout, banner);
        let mut cells = vec![0; 16];
        let more = format!("{text}1234\n");
        let end = reader.plain(1, more.as_bytes(), &mut cells).unwrap();
        assert_eq!(end.bytes, text.len());
        let block = reader.tolerant(1, text.as_bytes());
        assert_eq!((block.cells, block.end), (cells, end));
        assert_eq!(block.errors, []);
    }
}

/// Whether the fast reader accepts a text.
fn is_plain(reader: &GridReader, text: &str) -> bool {
    reader.plain(1, text.as_bytes(), &mut [0; 16]).is_some()
}

#[test]
fn the_fast_reader_accepts_extra_white_space_only_if_it_is_lenient() {
    let banner = Some("Case #{n}:");
    let lenient = reader(CellSpacing::Joined, banner);
    let mut strict = lenient.clone();
    strict.layout.white_space = WhiteSpace::Strict;
    let right = format!("Case #1:\n{JOINED}");
    assert!(is_plain(&lenient, &right) && is_plain(&strict, &right));
    for text in [
        format!("\n \n{right}"),
        right.replace('\n', "\r\n"),
        right.replace('\n', " \t\n"),
        format!("Case #1: \n{JOINED}"),
    ] {
        assert!(
            is_plain(&lenient, &text) && !is_plain(&strict, &text),
            "{text:?}"
        );
        let extent = lenient.plain(1, text.as_bytes(), &mut [0; 16]).unwrap();
        assert_eq!(
            (extent.bytes, extent.lines),
            (text.len(), text.matches('\n').count() as u64)
        );
    }
}

#[test]
fn the_fast_reader_refuses_every_text_with_an_error() {
    let joined = reader(CellSpacing::Joined, Some("Case #{n}:"));
    for text in [
        format!("Case #2:\n{JOINED}"),
        format!("Case #01:\n{JOINED}"),
        format!("Case #99999999999999999999999:\n{JOINED}"),
        JOINED.to_owned(),
        format!("Case #1:\n{}", &JOINED[..19]),
        format!("Case #1:\n{}", JOINED.replace('2', "x")),
        format!("Case #1:\n{}", JOINED.replace("12", "1\n2")),
        format!(" Case #1:\n{JOINED}"),
    ] {
        assert!(!is_plain(&joined, &text), "{text:?}");
    }
    let spaced = reader(CellSpacing::Spaced, None);
    assert!(is_plain(&spaced, SPACED));
    for text in [
        SPACED.replace(' ', "\t"),
        SPACED.replace(' ', "  "),
        JOINED.to_owned(),
        format!(" {SPACED}"),
    ] {
        assert!(!is_plain(&spaced, &text), "{text:?}");
    }
}

#[test]
fn white_space_at_the_ends_of_lines_and_empty_lines_are_no_errors() {
    assert_eq!(
        errors(
            CellSpacing::Joined,
            None,
            "\n 1234 \r\n\n3412\n2143\t\n4321"
        ),
        [""; 0]
    );
    assert_eq!(
        errors(
            CellSpacing::Spaced,
            None,
            "1  2 3 4 \n3 4 1 2\n2 1 4 3\n4 3 2 1\n"
        ),
        [""; 0]
    );
}

#[test]
fn an_error_names_row_column_line_and_byte() {
    let joined = |text| errors(CellSpacing::Joined, None, text);
    assert_eq!(
        joined("1234\n34x2\n2143\n4321\n"),
        ["1:7: row 2, column 3 is `x`, which is not a symbol of this problem"]
    );
    assert_eq!(
        joined("1234\n3412\n2143\n43*1\n"),
        ["3:17: row 4, column 3 is still blank (`*`)"]
    );
    assert_eq!(
        joined("1234\n341\n2143\n4321\n"),
        ["1:8: row 2 has 3 cells, expected 4"]
    );
    assert_eq!(
        joined("1234\n34122\n2143\n4321\n"),
        ["1:10: row 2 has 5 cells, expected 4"]
    );
    assert_eq!(
        joined("1234\n3412\n2143\n"),
        ["2:15: the grid has 3 rows, expected 4"]
    );
    assert_eq!(
        joined("1234\n3412\n2 1 4 3\n4321\n"),
        ["2:10: row 3 has spaces between its cells, expected none"]
    );
    assert_eq!(
        joined("1234\n\u{e9}412\n2143\n4321\n"),
        [
            "1:5: row 2, column 1 is `\u{e9}` (U+00E9), which is not a symbol of this problem"
        ]
    );
    assert_eq!(
        joined("\u{feff}1234\n3412\n2143\n4321\n"),
        [
            "0:0: row 1, column 1 is a byte order mark, which is not a symbol of this problem"
        ]
    );
    assert_eq!(
        joined("1234\n3412\n2143\n4321\u{a0}\n"),
        ["3:19: row 4 holds `\\u{a0}`"]
    );
}

#[test]
fn a_line_with_a_cell_too_many_is_reported_for_its_length_whatever_the_cell_is() {
    assert_eq!(
        errors(CellSpacing::Joined, None, "1234=\n3412\n2143\n4321\n"),
        ["0:5: row 1 has 5 cells, expected 4"]
    );
    let mut one_line = reader(CellSpacing::Joined, None);
    one_line.height = 1;
    one_line.width = 16;
    let block = one_line.tolerant(1, b"1234341221434321=\n");
    let messages: Vec<_> = block.errors.iter().map(ToString::to_string).collect();
    assert_eq!(messages, ["the line has 17 cells, expected 16"]);
}

#[test]
fn missing_spaces_between_cells_are_distinguished_from_missing_cells() {
    let spaced = |row: &str| {
        errors(
            CellSpacing::Spaced,
            None,
            &format!("{row}\n3 4 1 2\n2 1 4 3\n4 3 2 1\n"),
        )
    };
    assert_eq!(
        spaced("1234"),
        ["0:0: row 1 has no spaces between its cells, expected one"]
    );
    for (row, spaces) in [
        ("12 3 4", "no space between columns 1 and 2"),
        ("1 234", "no spaces between columns 2 to 4"),
        (
            "12 34",
            "no space between columns 1 and 2 and no space between columns 3 and 4",
        ),
    ] {
        assert_eq!(spaced(row), [format!("0:0: row 1 has {spaces}")]);
    }
    assert_eq!(spaced("1 2 3"), ["0:5: row 1 has 3 cells, expected 4"]);
    assert_eq!(
        spaced("1 2 3 14"),
        ["0:6: row 1, column 4 is `14`, which is not a symbol of this problem"]
    );
}

#[test]
fn a_banner_may_be_missing_or_wrong_and_the_grid_is_still_read() {
    let banner = Some("Case #{n}:");
    assert_eq!(
        errors(CellSpacing::Joined, banner, JOINED),
        ["0:0: the banner `Case #1:` is missing"]
    );
    assert_eq!(
        errors(CellSpacing::Joined, banner, &format!("Case #0:\n{JOINED}")),
        ["0:0: the banner is `Case #0:`, expected `Case #1:`"]
    );
    assert_eq!(
        errors(CellSpacing::Joined, banner, &format!("case 1\n{JOINED}")),
        ["0:0: the banner is `case 1`, expected `Case #1:`"]
    );
}

#[test]
fn a_banner_with_extra_spaces_is_not_a_row_though_it_has_as_many_words() {
    assert_eq!(
        errors(
            CellSpacing::Spaced,
            Some("No{n}:"),
            &format!("N o1:\n{SPACED}")
        ),
        ["0:0: the banner is `N o1:`, expected `No1:`: the white space differs"]
    );
    assert_eq!(
        errors(
            CellSpacing::Spaced,
            Some("Grid {n:02}"),
            &format!("Grid 0 1\n{SPACED}")
        ),
        [
            "0:0: the banner is `Grid 0 1`, expected `Grid 01`: the white space differs"
        ]
    );
}

#[test]
fn banners_and_rows_that_look_alike_are_distinguished() {
    for banner in ["No{n}:", "{n}", "12 {n}", " Case {n} "] {
        for (cells, rows) in
            [(CellSpacing::Joined, JOINED), (CellSpacing::Spaced, SPACED)]
        {
            let line = Template::parse(banner, "n").unwrap().line(1);
            assert_eq!(
                errors(cells, Some(banner), &format!("{line} \n{rows}")),
                [""; 0],
                "{banner}"
            );
            let missing = format!("0:0: the banner `{}` is missing", line.trim());
            assert_eq!(errors(cells, Some(banner), rows), [missing], "{banner}");
        }
    }
}

#[test]
fn a_banner_ends_a_grid_that_is_too_short_or_too_long() {
    let banner = Some("Case #{n}:");
    let short = format!("Case #1:\n1234\n3412\nCase #2:\n{JOINED}");
    let block = reader(CellSpacing::Joined, banner).tolerant(1, short.as_bytes());
    assert_eq!(
        block.errors[0].to_string(),
        "the grid has 2 rows, expected 4"
    );
    assert!(short[block.end.bytes..].starts_with("Case #2:"));

    let long = format!("Case #1:\n{JOINED}1234\nCase #2:\n{JOINED}");
    let block = reader(CellSpacing::Joined, banner).tolerant(1, long.as_bytes());
    assert_eq!(
        block.errors[0].to_string(),
        "the grid has 5 rows, expected 4"
    );
    assert!(long[block.end.bytes..].starts_with("Case #2:"));
}

#[test]
fn a_quotation_is_short_and_printable() {
    assert_eq!(quoted_bytes(b" a\x1b[31m\xff "), "a\\x1b[31m\\xff");
    let letters = "Keine  L\u{f6}sung \u{2116} 1: \u{ff11}";
    assert_eq!(quoted_bytes(letters.as_bytes()), letters);
    let hidden = [
        '\u{a0}', '\u{3000}', '\u{202e}', '\u{200b}', '\u{feff}', '\u{9b}',
        '\u{2028}', '\u{fe0f}', '\u{3164}',
    ];
    for letter in hidden.into_iter().chain([
        '\u{301}',
        '\u{e0041}',
        '\u{e000}',
        '\u{ad}',
        '\u{2800}',
    ]) {
        assert_eq!(
            quoted_bytes(format!("a{letter}b").as_bytes()),
            format!("a{}b", letter.escape_unicode())
        );
    }
    assert_eq!(
        quoted_bytes(b"\xc3\xc3\xb6\xe2\x82"),
        "\\xc3\u{f6}\\xe2\\x82"
    );
    assert_eq!(
        quoted_bytes("\u{f6}".repeat(41).as_bytes()),
        "\u{f6}".repeat(40) + "..."
    );
    assert_eq!(
        quoted_bytes(&[b'x'; 1000]),
        format!("{}...", "x".repeat(40))
    );
}

#[test]
fn the_leading_count_is_a_number_alone_on_its_line() {
    let end = |lines, bytes| TextOffset { lines, bytes };
    assert_eq!(leading_count(b"12\n1234\n"), Ok((12, end(1, 3))));
    assert_eq!(leading_count(b"\n 7 \r\n"), Ok((7, end(2, 6))));
    assert_eq!(leading_count(b"1234 5\n"), Err("1234 5".into()));
    assert_eq!(leading_count(b"-1\n"), Err("-1".into()));
    assert_eq!(
        leading_count(b"99999999999999999999\n"),
        Err("99999999999999999999".into())
    );
    assert_eq!(leading_count(b" \n"), Err(String::new()));
}
