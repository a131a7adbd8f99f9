//! Words in place of grids: each kind of grid, each wrong word, and its finding.

use gridjudge_grid::format::PuzzleKind;
use gridjudge_grid::{CellSpacing, Format, Replies, Shape, Symbols};

use crate::check::grid::grid_output;
use crate::model::Accept;

const INVALID: &str = "11..\n....\n....\n....\n";
const COMPLETE: &str = "1243\n3421\n4312\n2134\n";
const NONE: &str = "123.\n...4\n....\n....\n";
const ONE: &str = "1...\n..2.\n.3..\n...4\n";
const SEVERAL: &str = "....\n....\n....\n....\n";
const GRIDS: [&str; 5] = [INVALID, COMPLETE, NONE, ONE, SEVERAL];

/// Replies from pairs such as `none=NO`.
fn replies(lines: &str) -> Replies {
    let text = |key: &str| {
        let lines = lines.split(' ').filter_map(|line| line.split_once('='));
        { lines }
            .find(|(found, _)| *found == key)
            .map(|(_, text)| text.into())
    };
    Replies {
        none: text("none"),
        several: text("several"),
        invalid: text("invalid"),
        valid: text("valid"),
        complete: text("complete"),
        solvable: text("solvable"),
        one: text("one"),
        ..Replies::default()
    }
}

fn format(lines: &str) -> Format {
    let shape = Shape::new(4, 2, 2).unwrap();
    let format =
        Format::bare(shape, Symbols::characters("1234", "."), CellSpacing::Joined);
    Format {
        replies: replies(lines),
        ..format
    }
}

/// The first finding, which must be the same by the solver and by the stored answer.
fn found(
    format: &Format,
    accept: Accept,
    grid: &str,
    out: &str,
    answer: &str,
) -> String {
    let [by_solver, by_answer] = [None, Some(answer.as_bytes())].map(|answer| {
        let findings =
            grid_output(format, accept, grid.as_bytes(), out.as_bytes(), answer)
                .unwrap();
        findings
            .listed
            .first()
            .map_or("right".to_owned(), |finding| finding.message.clone())
    });
    assert_eq!(by_solver, by_answer, "{grid}{out}");
    by_solver
}

#[test]
fn of_the_words_that_are_true_of_a_grid_the_most_specific_is_right() {
    for (lines, right) in [
        ("invalid=I complete=C none=N one=O several=S", "I C N O S"),
        ("valid=V invalid=I", "I V V V V"),
        ("valid=V invalid=I complete=C", "I C V V V"),
        ("solvable=Y none=N", "N Y N Y Y"),
        ("solvable=Y none=N invalid=I", "I Y N Y Y"),
        ("one=Y none=N several=N", "N Y N Y N"),
        ("valid=V none=N", "N V N V V"),
    ] {
        let format = format(lines);
        for (grid, right) in GRIDS.iter().zip(right.split(' ')) {
            let right = format!("{right}\n");
            assert_eq!(
                found(&format, Accept::Word, grid, &right, &right),
                "right",
                "{lines}: {grid}"
            );
        }
    }
}

#[test]
fn every_wrong_word_is_answered_with_a_proof() {
    let format = format("invalid=I complete=C none=N one=O several=S");
    let message = |grid, said: &str, answer: &str| {
        found(
            &format,
            Accept::Word,
            grid,
            &format!("{said}\n"),
            &format!("{answer}\n"),
        )
    };
    assert_eq!(
        message(INVALID, "C", "I"),
        "`C`, but row 1 has two 1s, at columns 1 and 2; expected `I`"
    );
    assert_eq!(
        message(COMPLETE, "O", "C"),
        "`O`, but no cell is blank, and no rule is broken; expected `C`"
    );
    assert_eq!(
        message(NONE, "I", "N"),
        "`I`, but there is no solution: its clues leave no symbol for row 1, column 4; expected `N`"
    );
    assert_eq!(
        message(ONE, "S", "O"),
        "`S`, but there is only one solution: its row 1 is `1243`; expected `O`"
    );
    assert_eq!(
        message(ONE, "N", "O"),
        "`N`, but there is a solution: its row 1 is `1243`; expected `O`"
    );
    let several = message(SEVERAL, "O", "S");
    assert!(
        several.starts_with("`O`, but there are several solutions: row "),
        "{several}"
    );
    assert_eq!(message(ONE, "o", "O"), "the word is `o`, expected `O`");
    assert_eq!(
        message(ONE, "1243", "O"),
        "the word is `1243`, expected `O`"
    );
}

#[test]
fn a_wrong_word_about_clues_is_answered_with_the_clues() {
    let format = format("valid=V invalid=I");
    let said = found(&format, Accept::Word, NONE, "I\n", "V\n");
    assert_eq!(said, "`I`, but no two of its clues clash; expected `V`");
}

#[test]
fn the_same_word_for_none_and_several_is_proven_by_what_there_is() {
    let format = format("one=YES none=NO several=NO");
    let message = |grid, said: &str, answer: &str| {
        found(&format, Accept::Word, grid, said, answer)
    };
    assert!(
        message(SEVERAL, "YES\n", "NO\n")
            .starts_with("`YES`, but there are several solutions: ")
    );
    assert!(
        message(NONE, "YES\n", "NO\n")
            .starts_with("`YES`, but there is no solution: ")
    );
    assert!(
        message(INVALID, "YES\n", "NO\n")
            .starts_with("`YES`, but row 1 has two 1s, at columns 1 and 2")
    );
}

#[test]
fn beside_grids_invalid_clues_are_distinguished_from_a_grid_without_a_solution() {
    let format = format("invalid=BAD none=NO several=MANY");
    let message = |grid, said: &str, answer: &str| {
        found(&format, Accept::Unique, grid, said, answer)
    };
    assert_eq!(message(INVALID, "BAD\n", "BAD\n"), "right");
    assert_eq!(
        message(INVALID, "NO\n", "BAD\n"),
        "`NO`, but row 1 has two 1s, at columns 1 and 2"
    );
    assert_eq!(
        message(NONE, "BAD\n", "NO\n"),
        "`BAD`, but no two of its clues clash"
    );
    assert_eq!(
        message(SEVERAL, "BAD\n", "MANY\n"),
        "`BAD`, but no two of its clues clash"
    );
    let solved = "1243\n3421\n4312\n2134\n";
    assert_eq!(
        message(ONE, "BAD\n", solved),
        "`BAD`, but no two of its clues clash"
    );
    assert_eq!(message(ONE, solved, solved), "right");
}

#[test]
fn words_that_do_not_depend_on_solutions_need_no_search() {
    let valid = replies("valid=V invalid=I complete=C");
    assert!(!valid.ask_for_solutions());
    assert_eq!(
        valid.kind_without_solutions(&[0; 16], false),
        Some(PuzzleKind::One)
    );
    for lines in [
        "solvable=Y none=N",
        "one=Y none=N several=N",
        "invalid=I complete=C",
        "valid=V none=N",
    ] {
        assert!(replies(lines).ask_for_solutions(), "{lines}");
    }
}
