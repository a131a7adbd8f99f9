//! `problem.toml` to [`Problem`]. The keys are listed in `docs/spec.md`.

use std::path::Path;

use crate::grid::Banner;
use crate::grid::BlankLines;
use crate::grid::Cells;
use crate::grid::Count;
use crate::grid::Format;
use crate::grid::LARGEST_ORDER;
use crate::grid::Layout;
use crate::grid::Shape;
use crate::grid::Symbols;
use crate::grid::WhiteSpace;
use crate::model::Accept;
use crate::model::Limits;
use crate::model::Problem;
use crate::spec::limits::SomeLimits;
use crate::spec::mistake::Mistakes;
use crate::spec::mistake::read;
use crate::spec::table::Document;
use crate::spec::table::Placed;
use crate::spec::table::Table;

const CELLS: [(&str, Cells); 2] = [("joined", Cells::Joined), ("spaced", Cells::Spaced)];
const BLANK_LINES: [(&str, BlankLines); 2] = [("none", BlankLines::None), ("before", BlankLines::Before)];
const WHITE_SPACE: [(&str, WhiteSpace); 2] =
    [("lenient", WhiteSpace::Lenient), ("strict", WhiteSpace::Strict)];
const ACCEPT: [(&str, Accept); 2] = [("unique", Accept::Unique), ("any", Accept::Any)];

/// Bytes of a banner. It is read together with its grid, through a window of bounded size.
const LONGEST_BANNER: usize = 1000;

/// How an input's number of grids is told.
#[derive(Clone, Copy, PartialEq)]
enum Counted {
    One,
    First,
}

const COUNTED: [(&str, Counted); 2] = [("one", Counted::One), ("count", Counted::First)];

/// Reads the problem of a `problem.toml`. `defaults` are the limits it need not set.
///
/// # Errors
/// Every mistake in the file.
pub(crate) fn load(path: &Path, id: &str, defaults: &Limits) -> Result<Problem, Mistakes> {
    let text = read(path)?;
    parse(path, &text, id, defaults)
}

fn parse(path: &Path, text: &str, id: &str, defaults: &Limits) -> Result<Problem, Mistakes> {
    let document = Document::parse(path, text);
    let problem = problem(&document.root(), id, defaults);
    match (problem, document.into_mistakes()) {
        (Some(problem), mistakes) => Mistakes::or(mistakes, problem),
        // Whatever made the problem impossible has been noted.
        (None, mistakes) => Err(Mistakes(mistakes)),
    }
}

fn problem(root: &Table<'_>, id: &str, defaults: &Limits) -> Option<Problem> {
    let name = root.required("name", Table::string);
    let source = root.string("source");
    let grid = root.required("grid", Table::table).and_then(|table| grid(&table));
    let input = root.required("input", Table::table).and_then(|table| input(&table));
    let output = root.required("output", Table::table).and_then(|table| output(&table));
    let answer = root.required("answer", Table::table).and_then(|table| {
        let accept = table.required("accept", |table, key| table.choice(key, &ACCEPT));
        table.refuse_the_rest();
        accept
    });
    let limits = root.table("limits").map(|table| SomeLimits::read(&table)).unwrap_or_default();
    root.refuse_the_rest();
    let (shape, symbols) = grid?;
    Some(Problem {
        id: id.to_owned(),
        name: name?.value,
        source: source.map(|source| source.value),
        format: Format { shape, symbols, input: input?, output: output? },
        accept: answer?.value,
        limits: limits.or(defaults),
    })
}

fn grid(table: &Table<'_>) -> Option<(Shape, Symbols)> {
    let order = table.required("order", |table, key| table.number(key, 1, u64::from(LARGEST_ORDER)));
    let boxes = table.required("boxes", Table::string);
    let symbols = table.required("symbols", Table::string);
    let blanks = table.required("blanks", Table::string);
    table.refuse_the_rest();
    let shape = shape(table, order?.value, &boxes?)?;
    let symbols = self::symbols(table, shape, symbols?, blanks?)?;
    Some((shape, symbols))
}

/// The shape of this order whose boxes have `boxes`, rows x columns.
fn shape(table: &Table<'_>, order: u64, boxes: &Placed<String>) -> Option<Shape> {
    let sides = boxes.value.split_once('x');
    let sides =
        sides.and_then(|(rows, columns)| Some((rows.trim().parse().ok()?, columns.trim().parse().ok()?)));
    let Some((rows, columns)) = sides else {
        let message = format!("`boxes = \"{}\"` is not a number of rows and of columns", boxes.value);
        table.note(boxes.line, message, Some("write rows x columns of one box, as \"3x3\" or \"2x3\""));
        return None;
    };
    let remedy = Some("rows times columns of a box make the order");
    Shape::new(order, rows, columns).map_err(|why| table.note(boxes.line, why.to_string(), remedy)).ok()
}

/// The symbols, if there are as many as the shape needs and each character means one thing.
fn symbols(
    table: &Table<'_>,
    shape: Shape,
    symbols: Placed<String>,
    blanks: Placed<String>,
) -> Option<Symbols> {
    let mut sound = true;
    let mut refuse = |line, message: String, remedy| {
        sound = false;
        table.note(line, message, remedy);
    };
    for (key, text) in [("symbols", &symbols), ("blanks", &blanks)] {
        for letter in text.value.chars().filter(|letter| !letter.is_ascii_graphic()) {
            refuse(text.line, format!("`{key}` holds {letter:?}"), Some("use printable ASCII characters"));
        }
    }
    let (count, order) = (symbols.value.chars().count(), shape.order());
    if count != order {
        let message = format!("`symbols` has {count} characters, a grid of order {order} needs {order}");
        refuse(symbols.line, message, None);
    }
    if blanks.value.is_empty() {
        let remedy = Some("name the character that stands for a blank cell");
        refuse(blanks.line, "`blanks` is empty".to_owned(), remedy);
    }
    if let Some(letter) = repeated(&(symbols.value.clone() + &blanks.value)) {
        refuse(symbols.line, format!("`{letter}` stands twice among symbols and blanks"), None);
    }
    sound.then_some(Symbols { symbols: symbols.value, blanks: blanks.value })
}

/// A letter that a text holds twice.
fn repeated(text: &str) -> Option<char> {
    text.char_indices().find(|(place, letter)| text[..*place].contains(*letter)).map(|(_, letter)| letter)
}

fn input(table: &Table<'_>) -> Option<Layout> {
    let counted = table.required("cases", |table, key| table.choice(key, &COUNTED));
    let most = table.number("most", 1, u64::MAX);
    let cells = table.required("cells", |table, key| table.choice(key, &CELLS));
    let blank_lines = table.choice("blank_lines", &BLANK_LINES);
    let white_space = table.choice("white_space", &WHITE_SPACE);
    table.refuse_the_rest();
    let counted = counted?.value;
    if counted == Counted::One && table.has("most") {
        table.note(
            most.as_ref()?.line,
            "`most` has no meaning with `cases = \"one\"`",
            Some("delete `most`"),
        );
    }
    if counted == Counted::First && !table.has("most") {
        table.note(table.line(), "[input] has no `most`", Some("say how many grids an input may hold"));
    }
    let count = match counted {
        Counted::One => Count::One,
        Counted::First => Count::First { most: most?.value },
    };
    Some(Layout {
        count,
        cells: cells?.value,
        blank_lines: blank_lines.map_or(BlankLines::None, |found| found.value),
        banner: None,
        // Programs that read whole lines stumble over stray spaces, so inputs have none unless the problem says so.
        white_space: white_space.map_or(WhiteSpace::Strict, |found| found.value),
    })
}

fn output(table: &Table<'_>) -> Option<Layout> {
    let cells = table.required("cells", |table, key| table.choice(key, &CELLS));
    let banner = table.string("banner");
    let white_space = table.choice("white_space", &WHITE_SPACE);
    table.refuse_the_rest();
    if let Some(banner) =
        banner.as_ref().filter(|banner| banner.value.trim().is_empty() || banner.value.contains('\n'))
    {
        table.note(
            banner.line,
            "`banner` must be one line that is not empty",
            Some("leave it out if there is none"),
        );
    }
    if let Some(banner) = banner.as_ref().filter(|banner| banner.value.len() > LONGEST_BANNER) {
        let bytes = banner.value.len();
        let message = format!("`banner` has {bytes} bytes, {LONGEST_BANNER} at most are allowed");
        table.note(banner.line, message, Some("write a shorter one"));
    }
    Some(Layout {
        count: Count::AsInput,
        cells: cells?.value,
        blank_lines: BlankLines::None,
        banner: banner.map(|banner| Banner::from_template(&banner.value)),
        white_space: white_space.map_or(WhiteSpace::Lenient, |found| found.value),
    })
}

#[cfg(test)]
mod tests;
