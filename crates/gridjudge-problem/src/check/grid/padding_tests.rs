//! White space and lines of any length: right output stays right, and findings have the
//! right place.

use std::io;
use std::io::Read;

use gridjudge_grid::{
    CellSpacing, Format, GridCount, Layout, Replies, Shape, Symbols, WhiteSpace,
};

use crate::check::grid::grid_output;
use crate::model::{Accept, Findings};

const PUZZLES: &str = "2\n****\n2341\n4123\n3214\n*243\n*312\n*421\n*134\n";
const ANSWERS: &str = "1432\n2341\n4123\n3214\n1243\n4312\n3421\n2134\n";

fn format(cells: CellSpacing, white_space: WhiteSpace) -> Format {
    let layout = |count, cells| Layout::bare(count, cells);
    Format {
        shapes: vec![Shape::new(4, 2, 2).unwrap()],
        symbols: Symbols::characters("1234", "*"),
        input: layout(GridCount::First { most: 100_000 }, CellSpacing::Joined),
        output: Layout {
            white_space,
            ..layout(GridCount::AsInput, cells)
        },
        replies: Replies::default(),
    }
}

fn checked(white_space: WhiteSpace, text: &str) -> Findings {
    let format = format(CellSpacing::Joined, white_space);
    grid_output(
        &format,
        Accept::Unique,
        PUZZLES.as_bytes(),
        text.as_bytes(),
        Some(ANSWERS.as_bytes()),
    )
    .unwrap()
}

fn messages(findings: &Findings) -> Vec<String> {
    findings
        .listed
        .iter()
        .map(|finding| format!("{}: {}", finding.line.unwrap(), finding.message))
        .collect()
}

#[test]
fn white_space_may_have_any_length_wherever_it_is_allowed_at_all() {
    // Whatever has gone through the buffer goes through it anywhere, so fewer places do
    // for those that are longer than it.
    for (length, step) in [
        (300, 1),
        (5_000, 1),
        (70_000, 4),
        (262_130, 2),
        (1_000_000, 4),
    ] {
        for padding in [" ", "\t", "\r", "\n", " \n", "\x0c"] {
            let padding = padding.repeat(length);
            for line in (0..=8).step_by(step) {
                let lines: Vec<_> = ANSWERS.split_inclusive('\n').collect();
                let before = [
                    &lines[..line].concat(),
                    &padding[..],
                    &lines[line..].concat(),
                ]
                .concat();
                assert_eq!(
                    messages(&checked(WhiteSpace::Lenient, &before)),
                    [""; 0],
                    "{length} {line}"
                );
                let code = checked(WhiteSpace::Strict, &before).verdict().code();
                assert_eq!(code, "PE", "{length} {line}");
            }
            let ends = ANSWERS.replacen('\n', &(padding.clone() + "\n"), 3);
            assert_eq!(
                messages(&checked(WhiteSpace::Lenient, &ends)),
                [""; 0],
                "{length}"
            );
        }
    }
}

#[test]
fn a_mistake_after_much_white_space_has_the_right_line_and_byte() {
    for padding in ["\n", " ", " \r\n"] {
        let padding = padding.repeat(300_000);
        let lines = padding.matches('\n').count() as u64;
        let text = ANSWERS
            .replacen("2341", &format!("{padding}2341"), 1)
            .replace("2134", "2143");
        let findings = checked(WhiteSpace::Lenient, &text);
        let first = &findings.listed[0];
        assert_eq!(
            first.message,
            "grid 2: row 4, column 3 is 4, but its clue is 3"
        );
        assert_eq!(
            (first.line, first.byte),
            (Some(8 + lines), Some(37 + padding.len() as u64))
        );
    }
}

#[test]
fn a_row_of_any_length_is_one_row_and_hides_no_other() {
    for (cells, message) in [
        (999, "999 cells"),
        (1000, "more than 1000 cells"),
        (300_000, "more than 1000 cells"),
    ] {
        let text = ANSWERS.replacen("2341", &"2".repeat(cells), 1);
        let message = format!("2: grid 1: row 2 has {message}, expected 4");
        assert_eq!(messages(&checked(WhiteSpace::Lenient, &text)), [message]);
    }
    let torn = ANSWERS.replacen("2341", &"2 ".repeat(300_000), 1);
    let message = "2: grid 1: row 2 has more than 1000 cells, expected 4";
    assert_eq!(messages(&checked(WhiteSpace::Lenient, &torn)), [message]);
    let noise = ANSWERS.replacen("2341", &"x".repeat(300_000), 1);
    let message =
        "2: grid 1: row 2, column 1 is `x`, which is not a symbol of this problem";
    assert_eq!(messages(&checked(WhiteSpace::Lenient, &noise)), [message]);
}

#[test]
fn cells_may_stand_far_apart_where_spaces_between_them_do_not_count() {
    let format = format(CellSpacing::Spaced, WhiteSpace::Lenient);
    let answer: String = ANSWERS.chars().flat_map(|letter| [letter, ' ']).collect();
    let text = answer.replace(' ', &" ".repeat(50_000));
    let findings = grid_output(
        &format,
        Accept::Unique,
        PUZZLES.as_bytes(),
        text.as_bytes(),
        Some(answer.as_bytes()),
    )
    .unwrap();
    assert_eq!(messages(&findings), [""; 0]);
}

#[test]
fn a_file_of_many_grids_may_have_white_space_before_each() {
    let grids = 14_000;
    let times = 5;
    let input = format!("{grids}\n{}", "****\n2341\n4123\n3214\n".repeat(grids));
    let mut text = String::new();
    for grid in 0..grids {
        let padding = if grid % (grids / times) == 0 {
            70_000
        } else {
            0
        };
        text.push_str(&format!("1432{}\n2341\n4123\n3214\n", " ".repeat(padding)));
    }
    let format = format(CellSpacing::Joined, WhiteSpace::Lenient);
    let findings = grid_output(
        &format,
        Accept::Any,
        input.as_bytes(),
        text.as_bytes(),
        None::<&[u8]>,
    )
    .unwrap();
    assert_eq!(
        (messages(&findings).len(), findings.parts_right),
        (0, grids as u64)
    );
}

#[test]
fn inputs_and_answers_may_hold_white_space_and_comments_of_any_length() {
    let mut format = format(CellSpacing::Joined, WhiteSpace::Lenient);
    format.input.comment = Some("#".into());
    let comment = format!("# {}\n", "words ".repeat(50_000)).repeat(3);
    let padding = " \n".repeat(200_000);
    let input = PUZZLES.replace("4123\n", &format!("{padding}4123\n{comment}"));
    let input = format!("{comment}{padding}{input}{padding}{comment}");
    assert_eq!(
        crate::check::input::input_mistakes::all_input_mistakes(
            &format,
            input.as_bytes()
        )
        .unwrap(),
        []
    );
    let answer = ANSWERS.replace(
        "4123\n",
        &format!("{padding}4123 {}\n", " ".repeat(300_000)),
    );
    let findings = grid_output(
        &format,
        Accept::Unique,
        input.as_bytes(),
        ANSWERS.as_bytes(),
        Some(answer.as_bytes()),
    )
    .unwrap();
    assert_eq!(messages(&findings), [""; 0]);
}

#[test]
fn the_line_that_ends_an_input_is_read_to_its_end() {
    let format = Format {
        input: Layout {
            count: GridCount::Until {
                line: "0".into(),
                most: 9,
            },
            ..format(CellSpacing::Joined, WhiteSpace::Lenient).input
        },
        ..format(CellSpacing::Joined, WhiteSpace::Lenient)
    };
    let grids = PUZZLES.strip_prefix("2\n").unwrap();
    let end = format!("{grids}0{}", " ".repeat(300_000));
    assert_eq!(
        crate::check::input::input_mistakes::all_input_mistakes(
            &format,
            end.as_bytes()
        )
        .unwrap(),
        []
    );
    assert_ne!(
        crate::check::input::input_mistakes::all_input_mistakes(
            &format,
            format!("{end}x\n").as_bytes()
        )
        .unwrap(),
        []
    );
}

/// A stream of this many spaces.
struct Blanks(usize);

impl Read for Blanks {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = into.len().min(self.0);
        into[..read].fill(b' ');
        self.0 -= read;
        Ok(read)
    }
}

#[test]
fn ten_million_blanks_are_left_out_and_counted() {
    let format = format(CellSpacing::Joined, WhiteSpace::Lenient);
    let blanks = 10_000_000;
    let text = Blanks(blanks)
        .chain(ANSWERS.as_bytes())
        .chain(Blanks(blanks))
        .chain(&b"x"[..]);
    let findings = grid_output(
        &format,
        Accept::Unique,
        PUZZLES.as_bytes(),
        text,
        Some(ANSWERS.as_bytes()),
    )
    .unwrap();
    assert_eq!(
        messages(&findings),
        ["9: `x` is trailing output after the last grid"]
    );
    assert_eq!(
        findings.listed[0].byte,
        Some((blanks + ANSWERS.len()) as u64)
    );
}
