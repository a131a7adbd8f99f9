//! Programs in Python that are made of the spec of a grid problem, with nothing but the standard library: one that judges outputs, and
//! one that judges inputs. What a spec may ask for and these do not know is refused.

use std::path::Path;

use crate::export::python_literal::bytes;
use crate::export::python_literal::list;
use crate::export::python_literal::text;
use crate::mistake::Mistake;
use crate::mistake::Mistakes;
use crate::model::Accept;
use crate::model::GridTask;
use gridjudge_grid::BLANK;
use gridjudge_grid::Banner;
use gridjudge_grid::BannerPlace;
use gridjudge_grid::BlankLines;
use gridjudge_grid::Cage;
use gridjudge_grid::CageOperation;
use gridjudge_grid::CellSpacing;
use gridjudge_grid::Format;
use gridjudge_grid::GridCount;
use gridjudge_grid::Inequality;
use gridjudge_grid::Layout;
use gridjudge_grid::LineEnd;
use gridjudge_grid::OrderPlace;
use gridjudge_grid::RowLayout;
use gridjudge_grid::Separator;
use gridjudge_grid::Shape;
use gridjudge_grid::WhiteSpace;
use gridjudge_grid::format::write;

const READING: &str = include_str!("programs/grid_reading.py");
const INPUT: &str = include_str!("programs/grid_input.py");
const ANY: &str = include_str!("programs/grid_any.py");
const ONE_ANSWER: &str = include_str!("programs/grid_one_answer.py");

/// What precedes every program: `ascii` white space, as gridjudge has it.
const OPENING: &str = "import sys\n\nWHITE_SPACE = b\" \\t\\n\\r\\x0c\"\nSPACES = bytes.maketrans(b\"\\t\\n\\r\\x0c\", b\"    \")\n";

/// The program that judges outputs.
///
/// # Errors
/// Every key of the spec that it does not know.
pub(super) fn output_validator(task: &GridTask, spec: &Path) -> Result<String, Mistakes> {
    let unknown = unknown_in_output(task).into_iter().map(|key| refused(spec, key)).collect();
    Mistakes::or(unknown, ())?;
    let what = "\"\"\"Judges an output, as `validate.py INPUT ANSWER FEEDBACK/` with the output on standard input: 42 if it is right, 43 if \
                not.\n\nMade by gridjudge of the spec of the problem.\n\"\"\"\n\n";
    let constants = constants(&task.format);
    let (reading, judging) = match task.accept {
        Accept::Any => (READING, ANY),
        // What the answer says is the only thing that is right.
        _ => ("", ONE_ANSWER),
    };
    Ok([what, OPENING, &constants, reading, judging].concat())
}

/// White space that is odd, as it stands behind a line break that is put before the text. The last
/// two are for the end of a text: `\x01` stands behind one that ends in a line break, and `\0` behind any other.
const ODD: [&str; 10] = ["\r", "\t", "\x0c", " \n", "\n ", "  ", "\n\n\n", "\n\n", "\n\n\x01", "\0"];

/// The program that judges inputs; none if the spec has what it does not know. Where white space is lenient, it refuses what neither
/// `inputs` have of it nor the way in which we write them.
pub(super) fn input_validator(task: &GridTask, inputs: impl IntoIterator<Item = Vec<u8>>) -> Option<String> {
    let what = "\"\"\"Judges an input on standard input: ends with 42 if it is in the format of the problem, with 43 if not.\n\nMade by \
                gridjudge of the spec of the problem.\n\"\"\"\n\n";
    if !unknown_in_input(&task.format.input).is_empty() {
        return None;
    }
    let mut odd = ODD.to_vec();
    for input in inputs.into_iter().chain([written_input(&task.format)]) {
        let end: &[u8] = if input.ends_with(b"\n") { b"\x01" } else { b"\0" };
        let text = [b"\n", &input[..], end].concat();
        odd.retain(|odd| !text.windows(odd.len()).any(|window| window == odd.as_bytes()));
    }
    let odd = format!("NOT_IN_INPUTS = {}\n", list(odd.into_iter().map(bytes)));
    let may_clash = format!("CLUES_MAY_CLASH = {}\n", python_bool(task.format.replies.may_clash()));
    Some([what, OPENING, &constants(&task.format), &may_clash, &odd, READING, INPUT].concat())
}

/// An input as we write it, of two blank grids if there may be so many.
fn written_input(format: &Format) -> Vec<u8> {
    let most = match &format.input.count {
        GridCount::One | GridCount::AsInput => 1,
        GridCount::First { most } | GridCount::UntilEnd { most } | GridCount::Until { most, .. } => *most,
    };
    let shape = &format.shapes[format.shapes.len() - 1];
    let cells = vec![BLANK; shape.cells()];
    write::input(format, &[(shape, &cells[..]), (shape, &cells[..])][..if most > 1 { 2 } else { 1 }])
        .into_bytes()
}

fn refused(spec: &Path, key: &'static str) -> Mistake {
    let message = format!("no program for other judges can be made of {key}");
    let remedy = "write a checker program (docs/checkers.md), or leave the key out";
    Mistake::of(spec, message).with_remedy(remedy)
}

/// The keys that decide over outputs and that no program here knows.
fn unknown_in_output(task: &GridTask) -> Vec<&'static str> {
    let layout = &task.format.output;
    let is_strict = layout.white_space == WhiteSpace::Strict;
    // A line that a banner and a word share is compared as a whole.
    let is_word = task.accept == Accept::Word;
    let mut unknown = vec![
        (!layout.ignored.is_empty(), "`ignored` in [output]"),
        (layout.comment.is_some(), "`comment` in [output]"),
        (is_apart(&layout.banner) && !is_word, "a `banner` in [output] that shares its line"),
        (
            is_strict && (task.accept.is_list() || task.accept == Accept::Any),
            "`white_space = \"strict\"` where several texts are right",
        ),
        (is_strict && layout.line_end == LineEnd::MayHaveSpace, "a space that may end a line in [output]"),
    ];
    let is_counted = matches!(task.accept, Accept::AnyCounted { .. });
    unknown.push((is_counted, "`count` in [answer] where any solution counts"));
    if task.accept == Accept::Any {
        let has_arithmetic = task.format.shapes.iter().any(|shape| shape.arithmetic().is_some());
        unknown.push((has_arithmetic, "`cages` or `inequalities` in [grid] where any solution counts"));
        let mut lines = task.format.replies.texts().map(|(_, text)| text).chain(&layout.lead);
        unknown.push((lines.any(|line| line.digits.is_some()), "a line in [answer] that holds `{n}`"));
        unknown.push((layout.separator.is_some(), "a `separator` in [output]"));
        unknown.extend(unknown_in_input(&task.format.input).into_iter().map(|key| (true, key)));
    }
    unknown.into_iter().filter(|row| row.0).map(|row| row.1).collect()
}

/// The keys that decide over inputs and that no program here knows.
fn unknown_in_input(layout: &Layout) -> Vec<&'static str> {
    let rows = [(is_apart(&layout.banner), "a `banner` in [input] that shares its line")];
    rows.into_iter().filter(|row| row.0).map(|row| row.1).collect()
}

/// Whether a banner stands on a line with something else.
fn is_apart(banner: &Option<Banner>) -> bool {
    banner.as_ref().is_some_and(|banner| banner.place != BannerPlace::Own)
}

/// What the programs know of a format.
fn constants(format: &Format) -> String {
    let symbols = list(format.symbols.texts().iter().map(|symbol| bytes(symbol)));
    let blanks = list(format.symbols.blanks().chars().map(|blank| bytes(&blank.to_string())));
    let shapes = format.shapes.iter().map(|shape| shape_of(shape, format));
    let shapes: String = shapes.map(|shape| format!("    {shape},\n")).collect();
    let widths = format.shapes.iter().map(|shape| match format.output.rows {
        RowLayout::Lines => shape.order().to_string(),
        RowLayout::OneLine => shape.cells().to_string(),
    });
    let replies = &format.replies;
    let texts = list(replies.none.iter().chain(&replies.several).map(|text| bytes(text.line(1).trim())));
    format!(
        "\nSYMBOLS = {symbols}\nBLANKS = {blanks}\n# Orders, and the houses in which each symbol stands once: names and cells, \
         row by row.\nSHAPES = [\n{shapes}]\nWIDTHS = {}\nTEXTS = {texts}\nINPUT = {}\nOUTPUT = {}\n",
        list(widths),
        layout(&format.input),
        layout(&format.output)
    )
}

fn shape_of(shape: &Shape, format: &Format) -> String {
    let told = format.input.order_line.map_or(shape.order(), |line| line.number.of(shape));
    let houses = shape.houses().into_iter().map(|house| {
        let cells = list(house.cells.iter().map(ToString::to_string));
        format!("({}, {cells})", text(&house.kind.name(house.number)))
    });
    let (cages, inequalities) = arithmetic_of(shape);
    format!(
        "{{\"order\": {}, \"told\": {told}, \"houses\": {}, \"cages\": {cages}, \"inequalities\": {inequalities}}}",
        shape.order(),
        list(houses)
    )
}

/// The cages, each with its cells, what is done with them, its target and whether a value may stand in it twice; and the pairs of
/// cells of which the first holds less.
fn arithmetic_of(shape: &Shape) -> (String, String) {
    let arithmetic = shape.arithmetic();
    let cage = |cage: &Cage| {
        let operation = match cage.operation {
            CageOperation::Sum => "sum",
            CageOperation::Product => "product",
            CageOperation::Difference => "difference",
            CageOperation::Quotient => "quotient",
        };
        let cells = list(cage.cells.iter().map(ToString::to_string));
        format!("({cells}, {}, {}, {})", text(operation), cage.target, python_bool(cage.may_repeat))
    };
    let pair = |pair: &Inequality| format!("({}, {})", pair.less, pair.greater);
    let cages = arithmetic.into_iter().flat_map(|arithmetic| &arithmetic.cages).map(cage);
    let pairs = arithmetic.into_iter().flat_map(|arithmetic| &arithmetic.inequalities).map(pair);
    (list(cages), list(pairs))
}

fn layout(layout: &Layout) -> String {
    let (count, most, until) = match &layout.count {
        GridCount::One => ("one", 1, ""),
        // Whatever the input holds.
        GridCount::AsInput => ("one", u64::MAX, ""),
        GridCount::First { most } => ("first", *most, ""),
        GridCount::UntilEnd { most } => ("end", *most, ""),
        GridCount::Until { line, most } => ("until", *most, line.as_str()),
    };
    let order = layout.order_line.map_or("None".to_owned(), |line| match line.place {
        OrderPlace::File => text("file"),
        OrderPlace::Case => text("case"),
    });
    let words = |words: Option<String>| words.map_or("None".to_owned(), |words| bytes(words.trim()));
    let entries = [
        ("count", text(count)),
        ("most", most.to_string()),
        ("until", bytes(until.trim())),
        ("may_be_empty", python_bool(layout.may_be_empty)),
        ("order", order),
        ("map", layout.region_map.map_or("None".to_owned(), |map| text(map.name()))),
        ("banner", layout.banner.as_ref().map_or("None".to_owned(), banner)),
        ("shares_line", python_bool(is_apart(&layout.banner))),
        ("separator", separator(&layout.separator)),
        ("lead", words(layout.lead.as_ref().map(|lead| lead.line(1)))),
        ("joined", python_bool(layout.cells == CellSpacing::Joined)),
        ("one_line", python_bool(layout.rows == RowLayout::OneLine)),
        ("ignored", bytes(&layout.ignored)),
        ("comment", words(layout.comment.clone())),
        ("strict", python_bool(layout.white_space == WhiteSpace::Strict)),
        ("blank_lines", text(blank_lines(layout.blank_lines))),
        ("line_end", text(line_end(layout.line_end))),
    ];
    let entries = entries.iter().map(|(key, value)| format!("{}: {value}", text(key)));
    format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
}

fn blank_lines(lines: BlankLines) -> &'static str {
    match lines {
        BlankLines::None => "none",
        BlankLines::Before => "before",
        BlankLines::Between => "between",
        BlankLines::After => "after",
    }
}

fn line_end(end: LineEnd) -> &'static str {
    match end {
        LineEnd::Bare => "bare",
        LineEnd::MayHaveSpace => "any",
        LineEnd::Space => "space",
    }
}

/// The line between two grids, and whether it follows the last as well.
fn separator(separator: &Option<Separator>) -> String {
    let line = separator.as_ref().map_or("None".to_owned(), |separator| bytes(separator.line.trim()));
    format!("({line}, {})", python_bool(separator.as_ref().is_some_and(|separator| separator.closes)))
}

/// What stands before the number of a banner, its least digits, what stands behind it, and the first number.
fn banner(banner: &Banner) -> String {
    let template = &banner.template;
    let digits = template.digits.map_or("None".to_owned(), |digits| digits.to_string());
    format!("({}, {digits}, {}, {})", bytes(&template.before), bytes(&template.after), banner.first)
}

fn python_bool(value: bool) -> String {
    if value { "True" } else { "False" }.to_owned()
}
