//! Tests which bytes are left out and which never are, and that the pieces in which a
//! text arrives do not matter.

use super::*;
use crate::{CellSpacing, Replies, Shape, Symbols};

fn format() -> Format {
    let shape = Shape::new(4, 2, 2).unwrap();
    let bare =
        Format::bare(shape, Symbols::characters("1234", "*"), CellSpacing::Spaced);
    Format {
        input: Layout {
            comment: Some("//".into()),
            ..bare.input
        },
        output: Layout {
            ignored: "|-".into(),
            ..bare.output
        },
        ..bare
    }
}

/// The text that is kept if it arrives in pieces of `piece` bytes, and the number of
/// bytes and lines left out.
fn squeezed(padding: &Padding, text: &str, piece: usize) -> (String, u64, u64) {
    let mut progress = SqueezeProgress::default();
    let mut kept = vec![];
    let mut ahead = vec![];
    let mut bytes = 0;
    let mut lines = 0;
    let pieces = text.as_bytes().chunks(piece).map(|piece| (piece, false));
    for (piece, ends) in pieces.chain([(&b""[..], true)]) {
        ahead.extend_from_slice(piece);
        let (read, stays) =
            padding.squeeze(&mut progress, &mut ahead, ends, |_, byte| {
                bytes += 1;
                lines += u64::from(byte == b'\n');
            });
        kept.extend_from_slice(&ahead[..stays]);
        ahead.drain(..read);
    }
    assert_eq!(ahead, b"");
    (String::from_utf8(kept).unwrap(), bytes, lines)
}

#[test]
fn a_text_without_excess_padding_is_kept_unchanged() {
    let padding = Padding::for_layout(&format(), &format().input);
    let text = "  1 2  3 4\r\n\n\n// a comment\n2 1";
    for piece in 1..8 {
        assert_eq!(squeezed(&padding, text, piece), (text.to_owned(), 0, 0));
    }
}

#[test]
fn a_run_of_fill_is_shortened_and_lines_stay_separate() {
    let padding = Padding::for_layout(&format(), &format().output);
    let run = padding.longest_run;
    for (fill, kept) in [
        (" ".repeat(9000), " ".repeat(run)),
        ("\r".repeat(9000) + "\n", "\r".repeat(run) + "\n"),
        (
            " ".repeat(9000) + "\n" + &" ".repeat(9000),
            " ".repeat(run) + "\n",
        ),
        ("\n".repeat(9000), "\n".repeat(run)),
        (
            " ".repeat(100) + &"\n".repeat(9000),
            " ".repeat(run) + "\n\n",
        ),
        ("|---|".repeat(9000), "|---|".repeat(run)[..run].to_owned()),
    ] {
        for piece in [1, 1000, 100_000] {
            let (found, bytes, _) =
                squeezed(&padding, &format!("1 2{fill}3 4"), piece);
            assert_eq!(found, format!("1 2{kept}3 4"));
            assert_eq!(bytes as usize, fill.len() - kept.len());
        }
    }
    assert_eq!(
        squeezed(&padding, &"\n".repeat(9000), 7).2 as usize,
        9000 - run
    );
}

#[test]
fn the_rest_of_a_shortened_comment_is_still_a_comment() {
    let padding = Padding::for_layout(&format(), &format().input);
    for blanks in padding.longest_run - 4..padding.longest_run + 4 {
        let text = format!("{}//{}\n1 2 3 4", " ".repeat(blanks), "x".repeat(9000));
        for piece in [1, 3, 100_000] {
            let (found, ..) = squeezed(&padding, &text, piece);
            let comment = found.strip_suffix("\n1 2 3 4").unwrap().trim_start();
            assert!(comment.is_empty() || comment.starts_with("//"), "{found}");
        }
    }
}

#[test]
fn the_kept_start_of_a_line_that_is_too_long_is_still_too_long() {
    let padding = Padding::for_layout(&format(), &format().output);
    let text = "12 ".repeat(9000) + "\n1 2 3 4\n";
    let (found, ..) = squeezed(&padding, &text, 1000);
    let lines: Vec<_> = found.lines().collect();
    assert_eq!(
        (lines[0].len(), lines[1]),
        (padding.longest_line + 1, "1 2 3 4")
    );
}

#[test]
fn white_space_in_the_texts_of_a_problem_is_never_left_out() {
    let wide = format!("NO{}WAY", " ".repeat(500));
    let replies = Replies {
        none: Some(wide.as_str().into()),
        ..Replies::default()
    };
    let format = Format {
        replies,
        ..format()
    };
    let padding = Padding::for_layout(&format, &format.output);
    assert_eq!(squeezed(&padding, &wide, 7).0, wide);
    assert!(padding.reach() > 16 * 500);
}
