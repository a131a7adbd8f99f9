//! Reads `inequalities` in `[grid]`: which of two neighbours is less, as
//! `"r1c1 < r1c2"`.

use gridjudge_grid::Inequality;

use crate::keys::{FoundValue, KeyTable};
use crate::mistake::quoted;
use crate::text::{JoinedTexts, are_digits};

/// The remedy for an entry that is not an inequality.
const REMEDY: &str = "write two neighbours by row and column and which is less, for \
                      example \"r1c1 < r1c2\" or \"r1c1 > r2c1\"";

/// The valid inequalities of a grid of this order. Notes the others.
pub(super) fn read_inequalities(
    table: &KeyTable,
    order: usize,
    listed: &[FoundValue<String>],
) -> Vec<Inequality> {
    let mut sound: Vec<Inequality> = vec![];
    for entry in listed {
        match inequality(order, &entry.value)
            .and_then(|found| fits(order, &sound, found))
        {
            Ok(found) => sound.push(found),
            Err((message, remedy)) => {
                table.note_mistake(entry.place, message, remedy)
            }
        }
    }
    // Each value in a chain is larger than the one before, so a chain cannot be longer
    // than the number of values.
    let chain = longest_chain(order, &sound);
    if let (true, Some(last)) = (chain.len() > order, listed.last()) {
        let place = listed[0].place.to(last.place);
        let cells = chain.len();
        let path = path(order, &chain);
        table.note_mistake(
            place,
            format!("{path}: {cells} values, a grid of order {order} has {order}"),
            "take away one of these inequalities, or turn one round",
        );
    }
    sound
}

type Refusal = (String, &'static str);

/// Parses an entry.
fn inequality(order: usize, text: &str) -> Result<Inequality, Refusal> {
    let unread = || (format!("{} is not an inequality", quoted(text)), REMEDY);
    let (one, other) = text.split_once(['<', '>']).ok_or_else(unread)?;
    let one = place(one).ok_or_else(unread)?;
    let other = place(other).ok_or_else(unread)?;
    let inside = 1..=order;
    if let Some((row, column)) = [one, other]
        .into_iter()
        .find(|(row, column)| !(inside.contains(row) && inside.contains(column)))
    {
        return Err((
            format!("{} names row {row}, column {column}", quoted(text)),
            "name cells of the grid: rows and columns count from 1 up to the order",
        ));
    }
    let apart = one.0.abs_diff(other.0) + one.1.abs_diff(other.1);
    let [one, other] =
        [one, other].map(|(row, column)| (row - 1) * order + column - 1);
    if apart != 1 {
        return Err((
            format!(
                "{} and {} are not neighbours",
                name(order, one),
                name(order, other)
            ),
            "an inequality is between two cells side by side, or one above the other",
        ));
    }
    let [less, greater] = if text.contains('<') {
        [one, other]
    } else {
        [other, one]
    };
    Ok(Inequality { less, greater })
}

/// Returns the inequality, unless it repeats an earlier one or closes a circle with
/// them.
fn fits(
    order: usize,
    before: &[Inequality],
    found: Inequality,
) -> Result<Inequality, Refusal> {
    if before.contains(&found) {
        let cells = path(order, &[found.less, found.greater]);
        return Err((
            format!("`inequalities` says twice that {cells}"),
            "delete one of the two",
        ));
    }
    match chain_between(before, found.greater, found.less) {
        None => Ok(found),
        Some(mut circle) => {
            circle.push(found.greater);
            Err((
                format!(
                    "inequalities go round in a circle: {}",
                    path(order, &circle)
                ),
                "no grid keeps all of them; turn one round, or delete it",
            ))
        }
    }
}

/// Parses a cell, as `r1c2`. Returns its row and column, from 1.
fn place(text: &str) -> Option<(usize, usize)> {
    let lower = text.trim().to_ascii_lowercase();
    let (row, column) = lower.strip_prefix('r')?.split_once('c')?;
    let number = |digits: &str| {
        are_digits(digits).then(|| digits.parse().unwrap_or(usize::from(u16::MAX)))
    };
    Some((number(row)?, number(column)?))
}

fn name(order: usize, cell: usize) -> String {
    format!("row {}, column {}", cell / order + 1, cell % order + 1)
}

/// Writes a chain of cells, each less than the next: `r1c1 < r1c2 < r2c2`.
fn path(order: usize, cells: &[usize]) -> String {
    cells
        .iter()
        .map(|cell| format!("r{}c{}", cell / order + 1, cell % order + 1))
        .joined(" < ")
}

/// A chain of cells from one cell to another, each less than the next. `None` if the
/// inequalities imply no such chain.
fn chain_between(
    inequalities: &[Inequality],
    from: usize,
    to: usize,
) -> Option<Vec<usize>> {
    let mut chains = vec![vec![from]];
    let mut seen = vec![from];
    while let Some(chain) = chains.pop() {
        let last = chain[chain.len() - 1];
        if last == to {
            return Some(chain);
        }
        for next in inequalities
            .iter()
            .filter(|pair| pair.less == last)
            .map(|pair| pair.greater)
        {
            if !seen.contains(&next) {
                seen.push(next);
                chains.push([&chain[..], &[next]].concat());
            }
        }
    }
    None
}

/// The longest chain of cells, each less than the next. The inequalities must not form
/// a circle.
fn longest_chain(order: usize, inequalities: &[Inequality]) -> Vec<usize> {
    // The longest chain found so far that ends in each cell. At most as many rounds as
    // there are cells find them all.
    let mut chains: Vec<Vec<usize>> =
        (0..order * order).map(|cell| vec![cell]).collect();
    let mut has_moved = true;
    while std::mem::take(&mut has_moved) {
        for pair in inequalities {
            if chains[pair.less].len() >= chains[pair.greater].len() {
                chains[pair.greater] =
                    [&chains[pair.less][..], &[pair.greater]].concat();
                has_moved = true;
            }
        }
    }
    chains.into_iter().max_by_key(Vec::len).unwrap_or_default()
}
