//! The arithmetic of `[grid]`: cages with their sums, as a map of letters and a table. What stands between two neighbours is
//! read next door.

use std::ops::Range;

use crate::mistake::quoted;
use crate::spec::problem::inequalities;
use crate::spec::table::SpannedValue;
use crate::spec::table::TomlTable;
use crate::text::counted;
use gridjudge_grid::Arithmetic;
use gridjudge_grid::Cage;
use gridjudge_grid::LARGEST_ORDER;
use gridjudge_grid::Shape;

/// What a cell of no cage has in the map.
const NO_CAGE: char = '.';

/// The largest sum that is read: of a grid full of the largest value.
const LARGEST_SUM: u64 = (LARGEST_ORDER as u64).pow(3);

/// The keys as they stand there.
pub(super) struct ArithmeticKeys<'d> {
    cages: Option<SpannedValue<Vec<String>>>,
    sums: Option<CageSums<'d>>,
    may_repeat: bool,
    inequalities: Option<Vec<SpannedValue<String>>>,
}

/// The table `sums`.
struct CageSums<'d> {
    /// Where its key stands.
    place: Range<usize>,
    by_name: Vec<(&'d str, SpannedValue<u64>)>,
}

impl<'d> ArithmeticKeys<'d> {
    pub(super) fn read(table: &TomlTable<'d>) -> Self {
        let cages = table.placed_list("cages");
        let sums = table
            .table("sums")
            .map(|sums| CageSums { place: sums.span().clone(), by_name: sums.numbers_by_name(LARGEST_SUM) });
        let may_repeat = table.flag("cage_repeats").is_some_and(|found| found.value);
        for key in ["sums", "cage_repeats"] {
            if let (false, Some(place)) = (table.has("cages"), table.place(key)) {
                let remedy = "add the map of cages, one string for each row, or delete it";
                table.note(&place, format!("`{key}` has no meaning without `cages`"), remedy);
            }
        }
        if let (Some(cages), false) = (&cages, table.has("sums")) {
            let remedy =
                "add a line `[grid.sums]`, and below it a sum for each letter of the map, as `a = 15`";
            table.note(&cages.span, "`cages` has no `sums`", remedy);
        }
        let inequalities = table.placed_strings("inequalities");
        Self { cages, sums, may_repeat, inequalities }
    }

    /// What they demand of grids of these orders, of which there must be one; what is sound of it.
    pub(super) fn demands(&self, table: &TomlTable<'_>, orders: &SpannedValue<Vec<u64>>) -> Arithmetic {
        let [order] = orders.value[..] else {
            let keys = [("cages", self.cages.is_some()), ("inequalities", self.inequalities.is_some())];
            for (key, _) in keys.into_iter().filter(|(_, is_there)| *is_there) {
                let remedy = "it tells cells of one order; give one";
                table.note(&orders.span, format!("`{key}` has no meaning for several orders"), remedy);
            }
            return Arithmetic::default();
        };
        let order = order as usize;
        let cages = self.cages.as_ref().and_then(|map| self.cages(table, order, map)).unwrap_or_default();
        let listed = self.inequalities.as_deref().unwrap_or_default();
        Arithmetic { cages, inequalities: inequalities::read(table, order, listed) }
    }

    /// Whether the symbols stand for the numbers that cages add up.
    pub(super) fn agree_with(&self, table: &TomlTable<'_>, symbols: &[String], at: &Range<usize>) {
        let is_number = |(symbol, value): (&String, u32)| match symbol.len() {
            1 => symbol.chars().next().and_then(|letter| letter.to_digit(36)) == Some(value),
            _ => symbol.parse() == Ok(value),
        };
        if self.cages.is_some() && !symbols.iter().zip(1..).all(is_number) {
            let remedy = "write the symbols as \"1-9\" or \"1-9A-G\", where A is 10, or \"numbers\"";
            table.note(at, "`cages` add up numbers from 1 on, and these symbols are others", remedy);
        }
    }

    fn cages(
        &self,
        table: &TomlTable<'_>,
        order: usize,
        map: &SpannedValue<Vec<String>>,
    ) -> Option<Vec<Cage>> {
        if let Some(flaw) = flaw_of_size(order, &map.value) {
            let remedy =
                "write one string for each row, one character for each cell, `.` for a cell of no cage";
            table.note(&map.span, flaw, remedy);
            return None;
        }
        let letters: Vec<char> = map.value.iter().flat_map(|row| row.chars()).collect();
        let mut names: Vec<char> = Vec::new();
        for &letter in letters.iter().filter(|letter| **letter != NO_CAGE) {
            if !names.contains(&letter) {
                names.push(letter);
            }
        }
        let CageSums { place, by_name: sums } = self.sums.as_ref()?;
        for (name, sum) in sums {
            if !names.iter().any(|known| known.to_string() == *name) {
                let message = format!("there is no cage {} in the map", quoted(name));
                table.note(&sum.span, message, "write the letter of a cage of `cages`, or delete the sum");
            }
        }
        let cages = names.into_iter().filter_map(|name| {
            let cells = (0..letters.len()).filter(|&cell| letters[cell] == name).collect();
            let Some((_, sum)) = sums.iter().find(|(known, _)| *known == name.to_string()) else {
                let remedy = format!("add it, as `{} = 15`", as_key(name));
                table.note(place, format!("cage `{name}` has no sum"), remedy);
                return None;
            };
            self.cage(table, order, (name, &map.span), cells, sum)
        });
        Some(cages.collect())
    }

    /// A cage that can have its sum.
    fn cage(
        &self,
        table: &TomlTable<'_>,
        order: usize,
        (name, map): (char, &Range<usize>),
        cells: Vec<usize>,
        sum: &SpannedValue<u64>,
    ) -> Option<Cage> {
        let (size, order) = (cells.len() as u64, order as u64);
        let told = format!("cage `{name}` of {}", counted(size, "cell"));
        if size > order && !self.may_repeat {
            let message =
                format!("{told} has no {size} different values, a grid of order {order} has {order}");
            table.note(map, message, "make it smaller, or let values repeat in cages: `cage_repeats = true`");
            return None;
        }
        let (least, most) = match self.may_repeat {
            true => (size, size * order),
            false => (size * (size + 1) / 2, size * (2 * order + 1 - size) / 2),
        };
        if !(least..=most).contains(&sum.value) {
            let message = format!("{told} cannot add up to {}", sum.value);
            let remedy = match least == most {
                true => format!("write {least}, or correct the map"),
                false => format!("write a sum from {least} to {most}, or correct the map"),
            };
            table.note(&sum.span, message, remedy);
            return None;
        }
        Some(Cage { cells, sum: sum.value as u32, may_repeat: self.may_repeat })
    }

    /// Whether the houses that cages fill, or fill in part, can have the sum that these add up to.
    pub(super) fn agree_with_houses(&self, table: &TomlTable<'_>, shape: &Shape) {
        let (Some(arithmetic), Some(CageSums { place, .. })) = (shape.arithmetic(), &self.sums) else {
            return;
        };
        let whole = (1..=shape.order() as u32).sum::<u32>();
        for house in shape.houses() {
            let is_inside = |cage: &&Cage| cage.cells.iter().all(|cell| house.cells.contains(cell));
            let inside: Vec<_> = arithmetic.cages.iter().filter(is_inside).collect();
            let cells: usize = inside.iter().map(|cage| cage.cells.len()).sum();
            let sum: u32 = inside.iter().map(|cage| cage.sum).sum();
            let is_sound = if cells == house.cells.len() { sum == whole } else { sum < whole };
            if !is_sound {
                let name = house.kind.name(house.number);
                let message = format!("the cages inside {name} add up to {sum}, all its cells to {whole}");
                table.note(place, message, "correct one of their sums, or the map");
            }
        }
    }
}

/// What is wrong with the rows and columns of a map.
fn flaw_of_size(order: usize, map: &[String]) -> Option<String> {
    if map.len() != order {
        let rows = counted(map.len() as u64, "row");
        return Some(format!("the map of cages has {rows}, a grid of order {order} needs {order}"));
    }
    let lengths = map.iter().map(|row| row.chars().count()).zip(1..);
    let (found, row) = lengths.into_iter().find(|(found, _)| *found != order)?;
    let found = counted(found as u64, "character");
    Some(format!("row {row} of the map of cages has {found}, a grid of order {order} needs {order}"))
}

/// A letter as a key of TOML.
fn as_key(name: char) -> String {
    if name.is_ascii_alphanumeric() { name.to_string() } else { format!("\"{name}\"") }
}
