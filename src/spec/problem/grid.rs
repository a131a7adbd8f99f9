//! Reads `[grid]`: the shapes that grids may have, and the symbols for their values.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::mistake::shortened;
use crate::spec::problem::arithmetic::ArithmeticKeys;
use crate::spec::table::SpannedValue;
use crate::spec::table::TomlTable;
use crate::text::plural;
use gridjudge_grid::LARGEST_ORDER;
use gridjudge_grid::Shape;
use gridjudge_grid::ShapeError;
use gridjudge_grid::Symbols;

/// The most unprintable characters of one key that are reported.
const MOST_UNPRINTABLE: usize = 3;

/// The contents of `[grid]`.
pub(super) struct GridSpec {
    /// Smallest order first.
    pub(super) shapes: Vec<Shape>,
    pub(super) symbols: Option<Symbols>,
    /// Whether all shapes have square boxes.
    pub(super) is_square: bool,
    /// The span of the order.
    pub(super) order_span: Range<usize>,
    /// The span of `regions = "input"`: each grid of an input has a map of its regions. `None` if the spec
    /// does not say so.
    pub(super) regions_in_input: Option<Range<usize>>,
}

/// The value of the key `regions`.
enum RegionKey {
    /// A map for all grids.
    Map(SpannedValue<Vec<String>>),
    /// Each grid of an input has its own map.
    InInput(Range<usize>),
}

/// Reads `[grid]`; `None` if there is no shape.
pub(super) fn read(table: &TomlTable<'_>) -> Option<GridSpec> {
    let orders = table.required("order", "`order = 9`", orders);
    let regions = regions(table);
    let boxes = match table.has("regions") {
        true => table.string("boxes"),
        false => table.required("boxes", "`boxes = \"3x3\"`", TomlTable::string),
    };
    let diagonals = table.flag("diagonals").is_some_and(|found| found.value);
    let symbols = table.required("symbols", "`symbols = \"1-9\"`", TomlTable::string);
    let blanks = table.required("blanks", "`blanks = \"0\"`", TomlTable::string);
    let arithmetic = ArithmeticKeys::read(table);
    table.refuse_the_rest();
    let orders = orders?;
    let demands = arithmetic.demands(table, &orders);
    let shapes = divided(table, &orders, regions.as_ref(), boxes.as_ref())?;
    let shape_of = |shape: Shape| if diagonals { shape.with_diagonals() } else { shape };
    let shapes: Vec<_> =
        shapes.into_iter().map(|shape| shape_of(shape).with_arithmetic(demands.clone())).collect();
    shapes.iter().for_each(|shape| arithmetic.agree_with_houses(table, shape));
    let largest = shapes.last()?.order();
    let is_square = boxes.is_some_and(|boxes| boxes.value == "square");
    let place = symbols.as_ref().map(|symbols| symbols.span.clone());
    let symbols =
        symbols.zip(blanks).and_then(|(symbols, blanks)| self::symbols(table, largest, symbols, blanks));
    if let (Some(symbols), Some(place)) = (&symbols, place) {
        arithmetic.agree_with(table, symbols.texts(), &place);
    }
    Some(GridSpec {
        shapes,
        symbols,
        is_square,
        order_span: orders.span,
        regions_in_input: match regions {
            Some(RegionKey::InInput(at)) => Some(at),
            Some(RegionKey::Map(_)) | None => None,
        },
    })
}

/// Reads the key `regions`.
fn regions(table: &TomlTable<'_>) -> Option<RegionKey> {
    if table.is_string("regions") {
        return table.choice("regions", &[("input", ())]).map(|found| RegionKey::InInput(found.span));
    }
    table.placed_list("regions").map(RegionKey::Map)
}

/// The shapes without diagonals and arithmetic, and without regions if those are in the input.
fn divided(
    table: &TomlTable<'_>,
    orders: &SpannedValue<Vec<u64>>,
    regions: Option<&RegionKey>,
    boxes: Option<&SpannedValue<String>>,
) -> Option<Vec<Shape>> {
    match (regions, boxes) {
        (Some(RegionKey::Map(map)), None) => jigsaw(table, orders, map),
        (Some(RegionKey::InInput(_)), None) => {
            orders.value.iter().map(|&order| Shape::latin(order).ok()).collect()
        }
        (Some(_), Some(boxes)) => {
            let remedy = "delete one of the two: a grid is divided into boxes or by a map";
            table.note(&boxes.span, "`boxes` and `regions` contradict each other", remedy);
            None
        }
        (None, boxes) => shapes(table, orders, boxes?),
    }
}

/// Reads one order, or several in ascending order.
fn orders(table: &TomlTable<'_>, key: &'static str) -> Option<SpannedValue<Vec<u64>>> {
    let found = table.numbers(key, 1, u64::from(LARGEST_ORDER))?;
    let is_sound = !found.value.is_empty() && found.value.is_sorted_by(|one, other| one < other);
    if !is_sound {
        let message = "`order` must be a list of different orders, the smallest first";
        table.note(&found.span, message, "write one number, or several as `order = [4, 9]`");
    }
    is_sound.then_some(found)
}

fn shapes(
    table: &TomlTable<'_>,
    orders: &SpannedValue<Vec<u64>>,
    boxes: &SpannedValue<String>,
) -> Option<Vec<Shape>> {
    let sides = boxes.value.split_once('x');
    let sides =
        sides.and_then(|(rows, columns)| Some((rows.trim().parse().ok()?, columns.trim().parse().ok()?)));
    let shape_of = |order: u64| -> Result<Shape, ShapeError> {
        match (boxes.value.as_str(), sides) {
            ("none", _) => Shape::latin(order),
            ("square", _) => Shape::square(order),
            (_, Some((rows, columns))) => Shape::new(order, rows, columns),
            (_, None) => Err(ShapeError::Order(order)),
        }
    };
    if !["none", "square"].contains(&boxes.value.as_str()) && sides.is_none() {
        let message =
            format!("`boxes = \"{}\"` is not a number of rows and of columns", shortened(&boxes.value, 40));
        let remedy = "write rows x columns of one box, as \"3x3\" or \"2x3\"; else \"square\" or \"none\"";
        table.note(&boxes.span, message, remedy);
        return None;
    }
    let shapes: Result<Vec<_>, _> = orders.value.iter().map(|&order| shape_of(order)).collect();
    let remedy = match (sides, orders.value.len()) {
        (Some(_), 1) => "rows times columns of a box make the order",
        (Some(_), _) => "where orders vary, write \"square\" or \"none\"",
        (None, _) => "leave out that order, or write rows x columns of one box",
    };
    shapes.map_err(|why| table.note(&boxes.span, why.to_string(), remedy)).ok()
}

fn jigsaw(
    table: &TomlTable<'_>,
    orders: &SpannedValue<Vec<u64>>,
    map: &SpannedValue<Vec<String>>,
) -> Option<Vec<Shape>> {
    let [order] = orders.value[..] else {
        let remedy = "a map is of one order; give one";
        table.note(&orders.span, "`regions` has no meaning for several orders", remedy);
        return None;
    };
    let remedy =
        "write one string for each row, one character for each cell, the same for all cells of a region";
    let shape = Shape::jigsaw(order, &map.value);
    Some(vec![shape.map_err(|why| table.note(&map.span, why.to_string(), remedy)).ok()?])
}

/// Checks the symbols: there must be as many as the largest order, and each character must have one meaning.
fn symbols(
    table: &TomlTable<'_>,
    order: usize,
    symbols: SpannedValue<String>,
    blanks: SpannedValue<String>,
) -> Option<Symbols> {
    let mut sound = true;
    let mut refuse = |at: &Range<usize>, message: String, remedy: &str| {
        sound = false;
        table.note(at, message, remedy);
    };
    let are_numbers = symbols.value == "numbers";
    let expanded = if are_numbers { String::new() } else { expanded(&symbols.value) };
    for (key, text, at) in [("symbols", &expanded, &symbols.span), ("blanks", &blanks.value, &blanks.span)] {
        let strange: BTreeSet<_> = text.chars().filter(|letter| !letter.is_ascii_graphic()).collect();
        for letter in strange.into_iter().take(MOST_UNPRINTABLE) {
            refuse(at, format!("`{key}` holds {letter:?}"), "use printable ASCII characters, and no space");
        }
    }
    let count = expanded.chars().count();
    // Unprintable characters have been noted; the count would be a second message about them.
    if !are_numbers && count != order && expanded.chars().all(|letter| letter.is_ascii_graphic()) {
        let characters = plural(count as u64, "character");
        let message = format!("`symbols` has {count} {characters}, a grid of order {order} needs {order}");
        let remedy = match order {
            1..=9 => format!("write one for each value, as \"1-{order}\""),
            10..=35 => format!(
                "write one for each value, as \"1-9A-{}\", or \"numbers\"",
                char::from(b'A' + order as u8 - 10)
            ),
            _ => "write one for each value, or \"numbers\"".to_owned(),
        };
        refuse(&symbols.span, message, &remedy);
    }
    if blanks.value.is_empty() {
        let remedy = "name the character that stands for a blank cell, as `blanks = \"0\"`";
        refuse(&blanks.span, "`blanks` is empty".to_owned(), remedy);
    }
    let taken = if are_numbers { "123456789"[..order.min(9)].to_owned() } else { expanded.clone() };
    if let Some(letter) = repeated(&(taken + &blanks.value)) {
        let remedy = "let each character mean one thing";
        refuse(&symbols.span, format!("`{letter}` appears twice among symbols and blanks"), remedy);
    }
    sound.then(|| match are_numbers {
        true => Symbols::numbers(&blanks.value),
        false => Symbols::characters(&expanded, &blanks.value),
    })
}

/// Expands ranges in a text: `A-P` stands for all letters from `A` to `P`, likewise for digits. A `-`
/// elsewhere stands for itself.
fn expanded(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut all = String::new();
    let mut rest = &letters[..];
    while let [first, others @ ..] = rest {
        rest = match others {
            ['-', last, others @ ..] if is_range(*first, *last) => {
                all.extend(*first..=*last);
                others
            }
            _ => {
                all.push(*first);
                others
            }
        };
    }
    all
}

fn is_range(first: char, last: char) -> bool {
    let kinds: [fn(&char) -> bool; 3] =
        [char::is_ascii_digit, char::is_ascii_uppercase, char::is_ascii_lowercase];
    first < last && kinds.iter().any(|kind| kind(&first) && kind(&last))
}

/// The first visible character that appears a second time in a text.
fn repeated(text: &str) -> Option<char> {
    text.char_indices()
        .find(|(place, letter)| letter.is_ascii_graphic() && text[..*place].contains(*letter))
        .map(|(_, letter)| letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_expanded_and_any_other_dash_stands_for_itself() {
        for (text, expected) in [
            ("1-9", "123456789"),
            ("0-9A-F", "0123456789ABCDEF"),
            ("a-c", "abc"),
            ("-12", "-12"),
            ("12-", "12-"),
            ("9-1", "9-1"),
            ("1-a", "1-a"),
        ] {
            assert_eq!(expanded(text), expected, "{text}");
        }
    }
}
