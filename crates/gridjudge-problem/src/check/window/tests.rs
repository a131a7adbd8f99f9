//! A window shows the bytes that were asked for, and places count the padding that was
//! left out.

use gridjudge_grid::{
    CellSpacing, Format, GridCount, Layout, Replies, Shape, Symbols,
};

use super::*;

/// A reader that gives its bytes one at a time, as a pipe may.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(&mut into[..1])
    }
}

fn offset(lines: u64, bytes: usize) -> TextOffset {
    TextOffset { lines, bytes }
}

fn window(source: &mut dyn Read) -> Window<'_> {
    let layout = Layout::bare(GridCount::One, CellSpacing::Joined);
    let format = Format {
        shapes: vec![Shape::new(4, 2, 2).unwrap()],
        symbols: Symbols::characters("1234", "*"),
        input: layout.clone(),
        output: layout.clone(),
        replies: Replies::default(),
    };
    Window::new(source, Padding::for_layout(&format, &layout))
}

#[test]
fn a_window_shows_the_bytes_asked_for_in_whatever_pieces_the_stream_comes() {
    let mut text = Trickle(b"12345");
    let mut window = window(&mut text);
    assert_eq!(window.peek(3).unwrap(), b"123");
    window.pass(offset(0, 2));
    assert_eq!(window.peek(2).unwrap(), b"34");
    assert_eq!(window.peek(9).unwrap(), b"345");
    window.pass(offset(0, 3));
    assert_eq!(window.peek(1).unwrap(), b"");
    assert_eq!(window.place.bytes, 5);
}

#[test]
fn a_line_longer_than_the_buffer_is_passed_whole() {
    let text = "x".repeat(1_000_000) + "\nnext\n";
    let mut bytes = text.as_bytes();
    let mut window = window(&mut bytes);
    window.skip_line().unwrap();
    assert_eq!(window.place.lines, 1);
    assert_eq!(window.peek(5).unwrap(), b"next\n");
}

#[test]
fn places_count_the_padding_that_was_left_out() {
    for fill in ["\n", " \n", "\r\n\n", " "] {
        let before = fill.repeat(1_000_000);
        let text = format!("12{before}34{before}5");
        let lines = before.bytes().filter(|&byte| byte == b'\n').count() as u64;
        let mut bytes = text.as_bytes();
        let mut window = window(&mut bytes);
        let place = |view: &WindowView<'_>, found: u8| {
            let byte = view.text.iter().position(|&byte| byte == found).unwrap();
            let inside = end_of(&view.text[..byte]);
            (view.origin.place(inside), inside)
        };
        let view = window.view().unwrap();
        assert!(view.text.len() < 1000);
        assert_eq!(place(&view, b'3').0, offset(lines, 2 + before.len()));
        let (at, inside) = place(&view, b'5');
        assert_eq!(at, offset(2 * lines, 4 + 2 * before.len()));
        let (_, passed) = place(&view, b'4');
        let rest = view.origin.rest(passed);
        let lines_left = inside.lines - passed.lines;
        let left = offset(lines_left, inside.bytes - passed.bytes);
        assert_eq!(rest.place(left), at);
        window.pass(passed);
        assert_eq!(window.place, offset(lines, 3 + before.len()));
        let view = window.view().unwrap();
        assert_eq!(place(&view, b'5').0, at);
        let last = view.text.len();
        window.advance_lines(offset(1 + lines_left, last)).unwrap();
        assert_eq!(window.place, offset(2 * lines, text.len()));
    }
}

#[test]
fn a_view_after_text_that_was_passed_unseen_begins_anew() {
    let text = "12\n".repeat(200_000) + &" ".repeat(500_000) + "3";
    let mut bytes = text.as_bytes();
    let mut window = window(&mut bytes);
    window.view().unwrap();
    while window.peek(3).unwrap().starts_with(b"12\n") {
        window.pass(offset(1, 3));
    }
    let view = window.view().unwrap();
    assert_eq!(view.text.trim_ascii(), b"3");
    let last = offset(0, view.text.len() - 1);
    assert_eq!(view.origin.line(last), 200_001);
    assert_eq!(view.origin.place(last).bytes, text.len() - 1);
}
