//! Reads what surrounds the grids of an input: their number, the order of the next one, and lines
//! that do not count.

use std::io;
use std::io::Read;

use crate::check::input_mistake::{EXACT, InputMistake, mistake};
use crate::check::window::{Window, WindowView};
use gridjudge_grid::format::GridReader;
use gridjudge_grid::{Format, GridCount, Layout, OrderLine, OrderPlace, WhiteSpace, format};

/// The lines of an input before its first grid.
#[derive(Default)]
pub(super) struct InputHeader {
    /// The number of grids, if it is known in advance.
    pub(super) total: Option<u64>,
    /// The index of their shape in the format, if it is the same for all.
    pub(super) shape: Option<usize>,
    /// Its length in bytes.
    pub(super) bytes: usize,
    /// Its length in lines.
    pub(super) lines: u64,
}

/// Reads the header at the start of the text of an input.
pub(super) fn head(
    format: &Format,
    reader: &GridReader,
    view: &WindowView<'_>,
) -> Result<InputHeader, InputMistake> {
    let start = view.text;
    let number = |lines: u64, bytes: usize| view.origin.line(lines.max(1) - 1, bytes.max(1) - 1);
    let mut head = InputHeader {
        total: Some(1),
        shape: (format.shapes.len() == 1).then_some(0),
        ..InputHeader::default()
    };
    match format.input.count {
        GridCount::One | GridCount::AsInput => {}
        GridCount::UntilEnd { .. } | GridCount::Until { .. } => head.total = None,
        GridCount::First { most } => {
            let (count, bytes, lines) = count_up_to(&format.input, most, start, number(1, 1))?;
            head.total = Some(count);
            head.bytes = bytes;
            head.lines = lines;
            exact(
                format,
                &start[..bytes],
                number(lines, bytes),
                count,
                "on the first line",
            )?;
        }
    }
    if let Some(order) = format
        .input
        .order_line
        .filter(|order| order.place == OrderPlace::File)
    {
        let rest = &start[head.bytes..];
        let line = format::lines(rest).find(|line| !reader.is_void(line.text));
        let (text, bytes, lines) = line.map_or((&b""[..], 0, 0), |line| {
            (line.text, line.end, line.number + 1)
        });
        let line = number(head.lines + lines, head.bytes + bytes);
        let shape =
            shape_on_line(format, order, text).map_err(|message| mistake(line, message, ORDER))?;
        exact(
            format,
            &rest[..bytes],
            line,
            order.number.of(&format.shapes[shape]),
            "on its line",
        )?;
        head.shape = Some(shape);
        head.bytes += bytes;
        head.lines += lines;
    }
    Ok(head)
}

/// The index in the format of the shape whose order a line states.
///
/// # Errors
/// Returns what is wrong with the line.
pub(super) fn shape_on_line(
    format: &Format,
    order: OrderLine,
    line: &[u8],
) -> Result<usize, String> {
    let text = line.trim_ascii();
    let shapes = || format.shapes.iter().map(|shape| order.number.of(shape));
    let place = shapes().position(|number| number.to_string().as_bytes() == text);
    place.ok_or_else(|| {
        let allowed = shapes()
            .map(|number| number.to_string())
            .collect::<Vec<_>>()
            .join(", ");
        let what = match order.number {
            gridjudge_grid::OrderNumber::Order => "the order of the grid",
            gridjudge_grid::OrderNumber::BoxSide => "the rows of a box",
        };
        match text {
            [] => format!("expected {what} (one of {allowed}), found nothing"),
            text => format!(
                "expected {what} (one of {allowed}), found `{}`",
                format::quoted(text)
            ),
        }
    })
}

/// The remedy for a line that states no allowed order.
pub(super) const ORDER: Option<&str> =
    Some("write it, or allow it in the problem's [grid] (`order = [..]`)");

fn exact(
    format: &Format,
    text: &[u8],
    line: u64,
    number: impl ToString,
    place: &str,
) -> Result<(), InputMistake> {
    let number = number.to_string();
    let is_exact = text == format!("{number}\n").as_bytes();
    match format.input.white_space {
        WhiteSpace::Strict if !is_exact => Err(mistake(
            line,
            format!("expected `{number}` alone {place}"),
            Some(EXACT),
        )),
        _ => Ok(()),
    }
}

/// The most grids that an input may hold.
pub(super) fn most(count: &GridCount) -> u64 {
    match count {
        GridCount::One | GridCount::AsInput => 1,
        GridCount::First { most }
        | GridCount::UntilEnd { most }
        | GridCount::Until { most, .. } => *most,
    }
}

fn count_up_to(
    layout: &Layout,
    most: u64,
    start: &[u8],
    line: u64,
) -> Result<(u64, usize, u64), InputMistake> {
    let remedy = Some("the first line says how many grids follow");
    let too_many =
        |count: &str| format!("the number of grids is {count}, the problem allows {most} at most");
    match format::leading_count(start) {
        Ok((0, ..)) if !layout.may_be_empty => {
            Err(mistake(line, "the number of grids is 0", remedy))
        }
        Ok((count, ..)) if count > most => Err(mistake(line, too_many(&count.to_string()), remedy)),
        Ok(found) => Ok(found),
        Err(found) if found.is_empty() => Err(mistake(
            line,
            "the file holds nothing but white space",
            remedy,
        )),
        // `leading_count` refuses digits only if their number is too large for any problem.
        Err(found) if is_number(found.strip_suffix("...").unwrap_or(&found)) => {
            Err(mistake(line, too_many(&found), remedy))
        }
        Err(found) => Err(mistake(
            line,
            format!("expected the number of grids, found `{found}`"),
            remedy,
        )),
    }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Passes lines that hold nothing that counts, of any length, and the empty lines before them:
/// comments and lines of ignored characters.
pub(super) fn skip_void<R: Read>(
    format: &Format,
    reader: &GridReader,
    window: &mut Window<R>,
) -> io::Result<()> {
    if format.input.ignored.is_empty() && format.input.comment.is_none() {
        return Ok(());
    }
    loop {
        let ahead = window.view()?.text;
        let first = format::lines(ahead).find(|line| !line.is_empty());
        let Some(line) = first.filter(|line| reader.is_void(line.text)) else {
            return Ok(());
        };
        let bytes = line.end;
        let lines = line.number + 1;
        window.advance_lines(bytes, lines)?;
    }
}
