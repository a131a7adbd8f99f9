//! Decides whether a line with a number could also be a line of cells, for any of its possible
//! numbers.

use std::ops::RangeInclusive;

use gridjudge_grid::format::GridReader;
use gridjudge_grid::{MOST_DIGITS, Template};

/// All numbers up to this one are tried.
const SHORT: u64 = 99;

/// Finds a line that a reader takes for cells. The line is made of the templates in order, all with
/// the same number.
pub(super) fn line_of_cells(
    templates: &[&Template],
    numbers: &RangeInclusive<u64>,
    readers: &[GridReader],
) -> Option<String> {
    let first = *numbers.start();
    let last = *numbers.end();
    let is_cells = |line: &String| {
        readers
            .iter()
            .any(|reader| reader.is_cells(line.as_bytes()))
    };
    let line = |number| {
        templates
            .iter()
            .map(|template| template.line(number))
            .collect::<String>()
    };
    let Some(least) = templates
        .iter()
        .filter_map(|template| template.digits)
        .min()
    else {
        return Some(line(first)).filter(is_cells);
    };
    let short = first..=SHORT.min(last);
    // A row of joined cells has a fixed number of digits, each of them a symbol. If any number of
    // that length is a row, the smallest one is.
    let long = readers.iter().flat_map(|reader| {
        let digits: Vec<u8> = (b'0'..=b'9')
            .filter(|digit| reader.reads(&[*digit]))
            .collect();
        (least..=MOST_DIGITS)
            .filter_map(move |length| smallest(length, length == least, first, &digits))
    });
    let lines = short.chain(long.filter(|number| *number <= last)).map(line);
    { lines }.find(is_cells)
}

/// The smallest number, not below `first`, that is written with `length` of the given digits (in
/// ascending order). It begins with 0 only if `may_begin_with_0`.
fn smallest(length: usize, may_begin_with_0: bool, first: u64, digits: &[u8]) -> Option<u64> {
    let bound = format!("{first:0length$}").into_bytes();
    if bound.len() > length {
        return None;
    }
    let fits = |at: usize, digit: u8| {
        digits.contains(&digit) && (at > 0 || may_begin_with_0 || digit != b'0')
    };
    // The first `kept` digits of the bound, then a larger digit, then the smallest digits. The
    // longest possible prefix gives the smallest number.
    (0..=length).rev().find_map(|kept| {
        let mut number = bound[..kept].to_vec();
        if !number
            .iter()
            .enumerate()
            .all(|(at, digit)| fits(at, *digit))
        {
            return None;
        }
        if kept < length {
            number.push(
                *digits
                    .iter()
                    .find(|digit| **digit > bound[kept] && fits(kept, **digit))?,
            );
            number.resize(length, *digits.first()?);
        }
        String::from_utf8(number).ok()?.parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_number_of_given_digits_is_found() {
        for (length, zero, first, digits, number) in [
            (4, false, 1, "1234", Some(1111)),
            (4, false, 1112, "1234", Some(1112)),
            (4, false, 1115, "1234", Some(1121)),
            (4, false, 4445, "1234", None),
            (4, false, 1, "0123", Some(1000)),
            (4, true, 1, "0123", Some(1)),
            (2, false, 100, "12", None),
            (1, false, 0, "0", None),
            (1, true, 0, "0", Some(0)),
            (3, false, 1, "", None),
            (20, false, 1, "9", None),
        ] {
            assert_eq!(
                smallest(length, zero, first, digits.as_bytes()),
                number,
                "{length} {first} {digits}"
            );
        }
    }
}
