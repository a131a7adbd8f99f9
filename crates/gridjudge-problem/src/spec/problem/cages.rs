//! Reads the cages of `[grid]`: a map of letters, and a table with the target of each,
//! as a sum or with the sign of an operation.

use std::collections::BTreeSet;

use gridjudge_grid::CageOperation::{Difference, Product, Quotient, Sum};
use gridjudge_grid::{Cage, CageOperation, LARGEST_ORDER, Shape};
use indexmap::{IndexMap, IndexSet};

use crate::keys::KeyTable;
use crate::mistake::quoted;
use crate::text::{are_digits, counted};

/// The character of a cell without a cage in the map.
const NO_CAGE: char = '.';

/// The largest sum that is accepted: that of a grid full of the largest value.
const LARGEST_SUM: u64 = (LARGEST_ORDER as u64).pow(3);

/// The keys of `[grid]` for cages, before the order of the grids is known.
pub(super) struct CageKeys {
    map: Option<Vec<String>>,
    targets: Option<TargetTable>,
    may_repeat: bool,
}

/// The table `sums` or `targets`.
struct TargetTable {
    are_sums: bool,
    table: KeyTable,
    /// The targets with valid values.
    by_name: IndexMap<String, CageTarget>,
}

impl CageKeys {
    pub(super) fn read(table: &KeyTable) -> Self {
        let map = table.list("cages");
        let sums = TargetTable::read(table, "sums");
        let targets = TargetTable::read(table, "targets");
        if let (Some(_), Some(targets)) = (&sums, &targets) {
            let remedy =
                "delete one of the two; a sum among `targets` is written as \"15+\"";
            targets
                .table
                .refuse_table("`sums` and `targets` contradict each other", remedy);
        }
        // In a KenKen, a value may repeat in a cage and only houses forbid it; in a
        // killer sudoku, cages forbid it too.
        let may_repeat = table.flag("cage_repeats").unwrap_or(targets.is_some());
        table.refuse_without(
            "cages",
            &["sums", "targets", "cage_repeats"],
            "add the map of cages, one string for each row, or delete it",
        );
        if map.is_some() && !table.has("sums") && !table.has("targets") {
            let remedy = "add a line `[grid.sums]`, and below it a sum for each \
                          letter of the map, for example `a = 15`; or \
                          `[grid.targets]`, for example `a = \"15x\"`";
            table.refuse_value(
                "cages",
                "`cages` has neither `sums` nor `targets`",
                remedy,
            );
        }
        Self {
            map,
            targets: targets.or(sums),
            may_repeat,
        }
    }

    /// Whether the spec has cages.
    pub(super) fn are_there(&self) -> bool {
        self.map.is_some()
    }

    /// The valid cages of a grid of this order. Notes the others.
    pub(super) fn of_order(&self, table: &KeyTable, order: usize) -> Vec<Cage> {
        let targets = self.targets.as_ref();
        let Some((map, targets)) = self.map.as_ref().zip(targets) else {
            return vec![];
        };
        let mistakes = size_mistakes(order, map);
        for mistake in &mistakes {
            let remedy = "write one string for each row, one character for each cell, \
                          `.` for a cell of no cage";
            table.refuse_value("cages", mistake, remedy);
        }
        if !mistakes.is_empty() {
            return vec![];
        }
        let letters: Vec<char> = map.iter().flat_map(|row| row.chars()).collect();
        let names = letters.iter().copied().filter(|letter| *letter != NO_CAGE);
        let names: IndexSet<char> = names.collect();
        for name in targets.by_name.keys() {
            if !names.iter().any(|known| known.to_string() == *name) {
                targets.table.refuse_value(
                    name,
                    format!("there is no cage {} in the map", quoted(name)),
                    format!(
                        "write the letter of a cage of `cages`, or delete the {}",
                        targets.noun()
                    ),
                );
            }
        }
        names
            .into_iter()
            .filter_map(|name| {
                let cells = (0..letters.len())
                    .filter(|&cell| letters[cell] == name)
                    .collect();
                let target = targets.of_cage(name)?;
                self.cage(table, order, name, cells, target)
            })
            .collect()
    }

    /// Builds a cage. Notes it if it cannot reach its target.
    fn cage(
        &self,
        table: &KeyTable,
        order: usize,
        name: char,
        cells: Vec<usize>,
        target: &CageTarget,
    ) -> Option<Cage> {
        // What a row or a column forbids, no target can need.
        let may_repeat = self.may_repeat && !is_in_one_line(&cells, order);
        let size = CageSize {
            cells: cells.len() as u64,
            order: order as u64,
            may_repeat,
        };
        let described = format!("cage `{name}` of {}", counted(size.cells, "cell"));
        if size.cells > size.order && !may_repeat {
            let count = size.cells;
            let message = format!(
                "{described} has no {count} different values, a grid of order {order} \
                 has {order}"
            );
            table.refuse_value(
                "cages",
                message,
                "make it smaller, or let values repeat in cages: `cage_repeats = true`",
            );
            return None;
        }
        match operation_of(&described, cells.len(), target.operation).and_then(
            |operation| number_of(&described, size, operation, target.number),
        ) {
            Ok((operation, target)) => Some(Cage {
                cells,
                operation,
                target,
                may_repeat: self.may_repeat,
            }),
            Err((message, remedy)) => {
                let targets = self.targets.as_ref()?;
                targets
                    .table
                    .refuse_value(&name.to_string(), message, remedy);
                None
            }
        }
    }

    /// Notes houses that cannot have the sum of the cages inside them. The cages may
    /// fill a house or a part of it.
    pub(super) fn agree_with_houses(&self, shape: &Shape) {
        let Some((arithmetic, targets)) =
            shape.arithmetic().zip(self.targets.as_ref())
        else {
            return;
        };
        if shape.is_magic() {
            return;
        }
        let whole = (1..=shape.order() as u64).sum::<u64>();
        for house in shape.houses() {
            let inside: Vec<_> = arithmetic
                .cages
                .iter()
                .filter(|cage| {
                    cage.operation == Sum
                        && cage.cells.iter().all(|cell| house.cells.contains(cell))
                })
                .collect();
            let cells: usize = inside.iter().map(|cage| cage.cells.len()).sum();
            let sum: u64 = inside.iter().map(|cage| cage.target).sum();
            let is_sound = if cells == house.cells.len() {
                sum == whole
            } else {
                sum < whole
            };
            if !is_sound {
                let name = house.kind.name(house.number);
                let which = if targets.are_sums {
                    "the cages"
                } else {
                    "the cages with sums"
                };
                let message = format!(
                    "{which} inside {name} add up to {sum}, all its cells to {whole}"
                );
                targets
                    .table
                    .refuse_table(message, "correct one of their sums, or the map");
            }
        }
    }
}

impl TargetTable {
    fn read(table: &KeyTable, key: &'static str) -> Option<Self> {
        let inner = table.table(key)?;
        let are_sums = key == "sums";
        let by_name = if are_sums {
            let sums = inner.wholes_by_key(LARGEST_SUM).into_iter();
            sums.map(|(name, number)| {
                let target = CageTarget {
                    operation: Some(Sum),
                    number,
                };
                (name.to_owned(), target)
            })
            .collect()
        } else {
            let targets = inner.texts_by_key().into_iter();
            targets
                .filter_map(|(name, text)| {
                    let target = CageTarget::read(&text);
                    if target.is_none() {
                        let remedy = "write a number and what makes it: \"7+\", \
                                      \"12x\", \"3-\" or \"2/\"; a number alone for \
                                      one cell";
                        let message =
                            format!("{} is not a target of a cage", quoted(&text));
                        inner.refuse_value(name, message, remedy);
                    }
                    Some((name.to_owned(), target?))
                })
                .collect()
        };
        Some(Self {
            are_sums,
            by_name,
            table: inner,
        })
    }

    /// The word for one value of this table.
    fn noun(&self) -> &'static str {
        if self.are_sums { "sum" } else { "target" }
    }

    fn of_cage(&self, name: char) -> Option<&CageTarget> {
        // A target with an invalid value has been noted already.
        if !self.table.has(&name.to_string()) {
            let example = if self.are_sums { "15" } else { "\"15x\"" };
            let quote = if name.is_ascii_alphanumeric() {
                ""
            } else {
                "\""
            };
            self.table.refuse_table(
                format!("cage `{name}` has no {}", self.noun()),
                format!("add it, for example `{quote}{name}{quote} = {example}`"),
            );
        }
        self.by_name.get(&name.to_string())
    }
}

/// A message and its remedy.
type Refusal = (String, String);

/// The operation of a cage with this many cells, if it can have it.
fn operation_of(
    described: &str,
    cells: usize,
    operation: Option<CageOperation>,
) -> Result<CageOperation, Refusal> {
    let (message, remedy) = match operation {
        None if cells == 1 => return Ok(Sum),
        None => (
            format!("the target of {described} has no sign of an operation"),
            "write it after the number: \"7+\", \"12x\", \"3-\" or \"2/\"",
        ),
        Some(operation) if operation.is_of_two() && cells != 2 => {
            let done = if operation == Quotient {
                "divided"
            } else {
                "subtracted"
            };
            (
                format!("{described} cannot be {done}"),
                "two cells can; write \"+\" or \"x\", or correct the map",
            )
        }
        Some(Product) if cells > MOST_FACTORS => (
            format!("{described} has too many to be multiplied"),
            "make it smaller: 13 cells can be",
        ),
        Some(operation) => return Ok(operation),
    };
    Err((message, remedy.to_owned()))
}

/// The operation of a cage with its target, if the cage can reach it.
fn number_of(
    described: &str,
    size: CageSize,
    operation: CageOperation,
    number: u64,
) -> Result<(CageOperation, u64), Refusal> {
    let (least, most) = size.bounds(operation);
    let is_between = (least..=most).contains(&number);
    // Within its bounds, a cage can reach any number but some products.
    let is_product = operation == Product;
    if is_between && (!is_product || size.can_multiply_to(number)) {
        return Ok((operation, number));
    }
    let done = match operation {
        _ if size.cells == 1 => "be",
        Sum => "add up to",
        Product => "multiply to",
        Difference => "differ by",
        Quotient => "divide to",
    };
    let remedy = match operation {
        _ if is_between => "correct the number, or the map".to_owned(),
        _ if least == most => format!("write {least}, or correct the map"),
        Sum => {
            format!("write a sum from {least} to {most}, or correct the map")
        }
        _ => format!("write a number from {least} to {most}, or correct the map"),
    };
    Err((format!("{described} cannot {done} {number}"), remedy))
}

/// Whether all cells of a cage are in one row, or all in one column.
fn is_in_one_line(cells: &[usize], order: usize) -> bool {
    let first = cells[0];
    cells.iter().all(|cell| cell / order == first / order)
        || cells.iter().all(|cell| cell % order == first % order)
}

/// Describes a wrong number of rows in a map, and each row of a wrong length.
fn size_mistakes(order: usize, map: &[String]) -> Vec<String> {
    let needed = format!("a grid of order {order} needs {order}");
    let rows = (map.len() != order).then(|| {
        format!(
            "the map of cages has {}, {needed}",
            counted(map.len(), "row")
        )
    });
    let lengths = map.iter().map(|row| row.chars().count()).zip(1..);
    let of_rows = lengths
        .filter(|(found, _)| *found != order)
        .map(|(found, row)| {
            format!(
                "row {row} of the map of cages has {}, {needed}",
                counted(found, "character")
            )
        });
    rows.into_iter().chain(of_rows).collect()
}

// Parses the target of a cage, as `12x`, and decides whether a cage of a given size can
// reach it.

/// The most cells of a cage with a product. The product of more cells of the largest
/// value would not fit a `u64`.
const MOST_FACTORS: usize = 13;

/// The number that a cage must reach, and the operation. A cage of one cell needs no
/// operation.
struct CageTarget {
    operation: Option<CageOperation>,
    number: u64,
}

impl CageTarget {
    /// Parses a number with an optional `+`, `x`, `-` or `/` after it.
    fn read(text: &str) -> Option<Self> {
        let mut operations = CageOperation::ALL.into_iter();
        let signed = operations.find_map(|operation| {
            let number = text.strip_suffix(sign(operation))?;
            Some((Some(operation), number))
        });
        let (operation, number) = signed.unwrap_or((None, text));
        let digits = number.trim_end();
        // No cage can reach a number that does not fit.
        are_digits(digits).then(|| Self {
            operation,
            number: digits.parse().unwrap_or(u64::MAX),
        })
    }
}

/// The sign of an operation, written after the number.
fn sign(operation: CageOperation) -> char {
    match operation {
        Sum => '+',
        Product => 'x',
        Difference => '-',
        Quotient => '/',
    }
}

/// The properties of a cage that decide which targets it can reach.
#[derive(Clone, Copy, Debug)]
struct CageSize {
    cells: u64,
    /// The largest value.
    order: u64,
    may_repeat: bool,
}

impl CageSize {
    /// The smallest and the largest number that the cage can reach. Differences and
    /// quotients have two cells.
    fn bounds(self, operation: CageOperation) -> (u64, u64) {
        let Self {
            cells,
            order,
            may_repeat,
        } = self;
        match operation {
            Sum if may_repeat => (cells, cells * order),
            Sum => (cells * (cells + 1) / 2, cells * (2 * order + 1 - cells) / 2),
            Product if may_repeat => (1, order.saturating_pow(cells as u32)),
            Product => ((1..=cells).product(), (order + 1 - cells..=order).product()),
            Difference => (u64::from(!may_repeat), order - 1),
            Quotient => (if may_repeat { 1 } else { 2 }, order),
        }
    }

    fn can_multiply_to(self, target: u64) -> bool {
        let cells = self.cells as usize;
        // `products[n]`: the products of `n` values so far that divide the target.
        let mut products: Vec<BTreeSet<u64>> = vec![BTreeSet::new(); cells + 1];
        products[0].insert(1);
        for value in 1..=self.order {
            for step in 0..cells {
                // In ascending order, a value is used any number of times; in
                // descending order, at most once.
                let count = if self.may_repeat {
                    step
                } else {
                    cells - 1 - step
                };
                let larger: Vec<_> = products[count]
                    .iter()
                    .filter_map(|product| product.checked_mul(value))
                    .filter(|&product| target.is_multiple_of(product))
                    .collect();
                products[count + 1].extend(larger);
            }
        }
        products[cells].contains(&target)
    }
}

#[cfg(test)]
mod cage_target_tests {
    use super::*;

    #[test]
    fn a_target_is_a_number_and_a_sign() {
        let read = |text| {
            CageTarget::read(text).map(|target| (target.operation, target.number))
        };
        assert_eq!(read("12x"), Some((Some(CageOperation::Product), 12)));
        assert_eq!(read("3-"), Some((Some(CageOperation::Difference), 3)));
        assert_eq!(read("2 /"), Some((Some(CageOperation::Quotient), 2)));
        assert_eq!(read("7+"), Some((Some(CageOperation::Sum), 7)));
        assert_eq!(read("4"), Some((None, 4)));
        for text in [
            "", "x", "x12", "12*", "12xx", "-3", "3.5+", "1 2x", " 3", "3\u{d7}",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_cage_can_reach_a_product_if_some_values_have_it() {
        for order in 1u64..=6 {
            for (cells, may_repeat) in
                (1..=3u64).flat_map(|cells| [(cells, false), (cells, true)])
            {
                let size = CageSize {
                    cells,
                    order,
                    may_repeat,
                };
                if cells > order && !may_repeat {
                    continue;
                }
                let all: Vec<_> = values(size)
                    .iter()
                    .map(|values| values.iter().product::<u64>())
                    .collect();
                let (least, most) = size.bounds(CageOperation::Product);
                assert_eq!(
                    (all.iter().min(), all.iter().max()),
                    (Some(&least), Some(&most)),
                    "{size:?}"
                );
                for target in least..=most {
                    let expected = all.contains(&target);
                    assert_eq!(
                        size.can_multiply_to(target),
                        expected,
                        "{size:?} {target}"
                    );
                }
            }
        }
    }

    fn values(size: CageSize) -> Vec<Vec<u64>> {
        (0..size.cells).fold(vec![vec![]], |known, _| {
            known
                .iter()
                .flat_map(|values: &Vec<u64>| {
                    let next: Vec<_> = (1..=size.order)
                        .filter(|value| size.may_repeat || !values.contains(value))
                        .collect();
                    next.into_iter()
                        .map(|value| [&values[..], &[value]].concat())
                })
                .collect()
        })
    }
}
