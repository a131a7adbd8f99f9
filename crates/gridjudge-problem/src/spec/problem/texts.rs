//! Checks that the lines of a spec cannot be mistaken for one another: cells, texts in
//! place of a grid, the number of solutions, the end.

use std::ops::RangeInclusive;

use gridjudge_grid::format::{GridReader, ReplyKind};
use gridjudge_grid::{
    Banner, FollowingLine, Format, GridCount, LARGEST_ORDER, Layout, MOST_DIGITS,
    OrderPlace, Separator, Template, format,
};

use crate::keys::KeyTable;
use crate::mistake::quoted;
use crate::model::{Accept, GridTask};

/// The size of a large input in bytes. Banners are checked only for as many grids as
/// fit into it.
const LARGE: u64 = 1 << 30;

/// Notes every line of a spec that might be mistaken for another, in its table.
/// `output` is `None` if the outputs have no grids and the spec has no `[output]`.
pub(super) fn note_ambiguous_lines(
    GridTask { format, accept }: &GridTask,
    input: &KeyTable,
    output: Option<&KeyTable>,
    answer: &KeyTable,
) {
    let is_without_grids = matches!(accept, Accept::Count { .. } | Accept::Word);
    // An output of only numbers or words has no lines of cells.
    let shapes = format.shapes.iter().filter(|_| !is_without_grids);
    let outputs = LinesOfSide {
        format,
        layout: &format.output,
        // Without a table, there is neither a banner nor a separator.
        table: output.unwrap_or(answer),
        readers: shapes
            .map(|shape| GridReader::of_outputs(shape, format))
            .collect(),
    };
    let shapes = format.shapes.iter();
    let inputs = LinesOfSide {
        format,
        layout: &format.input,
        table: input,
        readers: shapes
            .map(|shape| GridReader::of_inputs(shape, format))
            .collect(),
    };
    let texts: Vec<_> = format
        .replies
        .texts()
        .map(|(kind, text)| {
            let is_more = accept.is_list() && kind == ReplyKind::Several;
            (if is_more { "more" } else { kind.key() }, text)
        })
        .chain(format.output.lead.as_ref().map(|lead| ("one", lead)))
        .collect();
    outputs.refuse_texts(&texts, answer);
    // Several words may be the same: for example, YES for one solution, and NO for none
    // and for several.
    if *accept != Accept::Word {
        refuse_same_texts(&texts, answer);
    }
    let counted = match *accept {
        Accept::All { most }
        | Accept::FirstCounted { most }
        | Accept::AnyCounted { most } => 0..=most,
        _ => 0..=0,
    };
    outputs.refuse_count(&counted, answer);
    let words: Vec<_> = texts.iter().map(|(_, text)| *text).collect();
    outputs.refuse_output_separator(&words);
    inputs.refuse_input_separator();
    inputs.refuse_banner(&[]);
    outputs.refuse_banner(&words);
    if let Some(comment) = &format.input.comment {
        inputs.refuse_ambiguous_comments(comment);
    }
    inputs.refuse_ends();
    inputs.refuse_decoration();
}

/// The lines of inputs or of outputs.
struct LinesOfSide<'a> {
    format: &'a Format,
    layout: &'a Layout,
    table: &'a KeyTable,
    /// One for each shape, if there are lines of cells.
    readers: Vec<GridReader>,
}

impl LinesOfSide<'_> {
    /// Notes a number of solutions that may be a row, alone or after its banner, or that
    /// may be a banner.
    fn refuse_count(&self, counted: &RangeInclusive<u64>, answer: &KeyTable) {
        let Some(count) = &self.format.replies.count else {
            return;
        };
        let first = if count.follows_solutions && !self.readers.is_empty() {
            FollowingLine::Cells
        } else {
            FollowingLine::Words
        };
        let banner = self.layout.banner.as_ref();
        let shared =
            banner.filter(|banner| !banner.is_alone_before(FollowingLine::Words));
        let numbers = self.numbers().take(LARGEST_ORDER.into());
        let after_banners = numbers.filter_map(|number| {
            Some(Template::from(shared?.template.line(number).as_str()))
        });
        let alone = self.line_of_cells(&[&count.template], counted);
        if let Some(line) = alone.or_else(|| {
            { after_banners }.find_map(|banner| {
                self.line_of_cells(&[&banner, &count.template], counted)
            })
        }) {
            refuse_cells(answer, "count", &line);
        }
        let is_banner = banner.is_some_and(|banner| {
            banner.is_alone_before(first) && banner.template.overlaps(&count.template)
        });
        let spelling = count.template.spelling("count");
        refuse_meanings(answer, "count", &spelling, &[(is_banner, "a banner")]);
    }

    /// Notes a banner that may be a row, either alone or with a word that may follow it on
    /// its line.
    fn refuse_banner(&self, words: &[&Template]) {
        let Some(banner) = &self.layout.banner else {
            return;
        };
        let words = words
            .iter()
            .filter(|_| !banner.is_alone_before(FollowingLine::Words));
        let lines = std::iter::once(vec![&banner.template])
            .chain(words.map(|words| vec![&banner.template, words]));
        let numbers = self.numbers();
        if let Some(line) =
            { lines }.find_map(|line| self.line_of_cells(&line, &numbers))
        {
            refuse_cells(self.table, "banner", &line);
        }
    }

    /// The numbers that may be filled into lines with the number of a grid.
    fn numbers(&self) -> RangeInclusive<u64> {
        let smallest = self.format.shapes.first();
        let bytes = smallest.map_or(1, |shape| shape.cells() as u64 + 1);
        let most_grids = self.format.input.count.most().min(LARGE / bytes);
        self.layout.case_number(1)..=self.layout.case_number(most_grids)
    }

    /// Notes texts in place of a grid, or before one, that may be another line of an
    /// output.
    fn refuse_texts(&self, texts: &[(&str, &Template)], answer: &KeyTable) {
        let banner = self.layout.banner.as_ref();
        let count = self.format.replies.count.as_ref();
        let numbers = self.numbers();
        for (key, text) in texts {
            let meanings = [
                (
                    self.line_of_cells(&[text], &numbers).is_some(),
                    "a line of cells",
                ),
                (
                    banner.is_some_and(|banner| may_be_banner(banner, text)),
                    "a banner",
                ),
                (
                    count.is_some_and(|count| count.template.overlaps(text)),
                    "a number of solutions",
                ),
            ];
            refuse_meanings(answer, key, &text.spelling("n"), &meanings);
        }
    }

    /// Notes a line after the last grid that may be the first line of a grid.
    fn refuse_ends(&self) {
        let GridCount::Until { line, .. } = &self.layout.count else {
            return;
        };
        // If each grid begins with its order, the end is read where an order may stand, and
        // never where a row may.
        let may_be_row = self.layout.order_at(OrderPlace::Case).is_none();
        let meanings = [
            (may_be_row && self.is_row(line), "a line of cells"),
            (self.is_order(line), "an order"),
            (self.is_banner(line), "a banner"),
        ];
        refuse_meanings(self.table, "until", line, &meanings);
    }

    /// Notes a separator that may be another line of an input: one of cells or of a map, a
    /// banner, an order, the end, a comment, or an ignored line.
    fn refuse_input_separator(&self) {
        let layout = self.layout;
        let Some(Separator { line, .. }) = &layout.separator else {
            return;
        };
        let is_end = matches!(
            &layout.count,
            GridCount::Until { line: end, .. } if end.trim() == line.trim()
        );
        let is_comment = layout
            .comment
            .as_ref()
            .is_some_and(|comment| format::is_comment(comment, line.as_bytes()));
        let is_ignored = line
            .chars()
            .all(|letter| letter == ' ' || layout.ignored.contains(letter));
        let meanings = [
            (self.is_row(line), "a line of cells"),
            (self.is_banner(line), "a banner"),
            (self.is_order(line), "an order"),
            (is_end, "the line after the last grid"),
            (is_comment, "a comment"),
            (is_ignored, "ignored"),
        ];
        refuse_meanings(self.table, "separator", line, &meanings);
    }

    /// Notes a separator that may be another line of an output: a row, a banner, a text of
    /// `[answer]`, or a number of solutions.
    fn refuse_output_separator(&self, texts: &[&Template]) {
        let Some(Separator { line, .. }) = &self.layout.separator else {
            return;
        };
        let literal = Template::from(line.as_str());
        let is_row = self
            .readers
            .iter()
            .any(|reader| reader.row_values(line.as_bytes()).is_some());
        let count = self.format.replies.count.as_ref();
        let meanings = [
            (is_row, "a line of cells"),
            (self.is_banner(line), "a banner"),
            (
                texts.iter().any(|text| text.overlaps(&literal)),
                "a text of [answer]",
            ),
            (
                count.is_some_and(|count| count.template.overlaps(&literal)),
                "a number of solutions",
            ),
        ];
        refuse_meanings(self.table, "separator", line, &meanings);
    }

    /// Whether a reader takes a line for cells.
    fn is_row(&self, line: &str) -> bool {
        self.readers
            .iter()
            .any(|reader| reader.is_cells(line.as_bytes()))
    }

    /// Whether a line is a banner.
    fn is_banner(&self, line: &str) -> bool {
        let banner = self.layout.banner.as_ref();
        banner.is_some_and(|banner| banner.is_seen_in(line.as_bytes()))
    }

    /// Whether a line is the order of a grid of an input.
    fn is_order(&self, line: &str) -> bool {
        let shapes = &self.format.shapes;
        self.layout.order_line.is_some_and(|order| {
            shapes
                .iter()
                .any(|shape| order.number.in_shape(shape).to_string() == line)
        })
    }

    /// The lines of an input that are always the same: the key, what the line is, and the
    /// line.
    fn fixed_lines(&self) -> Vec<(&'static str, &'static str, String)> {
        let banner = self.layout.banner.as_ref();
        let banner = banner.map(|banner| ("banner", "a banner", banner.line(1)));
        let end = match &self.layout.count {
            GridCount::Until { line, .. } => {
                Some(("until", "the line after the last grid", line.clone()))
            }
            _ => None,
        };
        banner.into_iter().chain(end).collect()
    }

    /// Notes lines of an input that consist of ignored characters: they would have no
    /// effect.
    fn refuse_decoration(&self) {
        let ignored = &self.layout.ignored;
        let comment = self.layout.comment.clone();
        let comment = comment.map(|comment| ("comment", "a comment", comment));
        for (key, _, line) in self.fixed_lines().into_iter().rev().chain(comment) {
            let is_seen = line
                .chars()
                .any(|letter| !letter.is_whitespace() && !ignored.contains(letter));
            if !is_seen {
                self.table.refuse_key(
                    key,
                    format!("`{key}` holds nothing but characters that are ignored"),
                    "write a letter into it that is not in `ignore`",
                );
            }
        }
    }

    /// Notes a comment prefix with which a line that is no comment may begin.
    fn refuse_ambiguous_comments(&self, comment: &str) {
        let symbols = &self.format.symbols;
        let is_cell = symbols
            .texts()
            .iter()
            .any(|text| comment.starts_with(&**text))
            || comment.starts_with(|letter| symbols.blanks().contains(letter));
        let begun = self
            .fixed_lines()
            .into_iter()
            .find(|(_, _, line)| format::is_comment(comment, line.as_bytes()))
            .map(|(_, what, _)| what);
        if let Some(what) = begun.or(is_cell.then_some("a line of cells")) {
            self.table.refuse_key(
                "comment",
                format!("{what} may begin with `{comment}` as well"),
                "choose another beginning",
            );
        }
    }

    /// Finds a line that a reader takes for cells. The line is made of the templates in
    /// order, all with the same number.
    fn line_of_cells(
        &self,
        templates: &[&Template],
        numbers: &RangeInclusive<u64>,
    ) -> Option<String> {
        let first = *numbers.start();
        let last = *numbers.end();
        let is_cells = |line: &String| self.is_row(line);
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
        // A row of joined cells has a fixed number of digits, each of them a symbol. If any
        // number of that length is a row, the smallest one is.
        let long = self.readers.iter().flat_map(|reader| {
            let digits: Vec<u8> = (b'0'..=b'9')
                .filter(|digit| reader.reads(&[*digit]))
                .collect();
            (least..=MOST_DIGITS).filter_map(move |length| {
                smallest(length, length == least, first, &digits)
            })
        });
        let lines = short.chain(long.filter(|number| *number <= last)).map(line);
        { lines }.find(is_cells)
    }
}

/// Notes texts that are the same but have different meanings.
fn refuse_same_texts(texts: &[(&str, &Template)], answer: &KeyTable) {
    for (place, (other_key, other)) in texts.iter().enumerate() {
        let same = texts[..place].iter().find(|(_, text)| text.overlaps(other));
        if let Some((key, _)) = same {
            let at = answer.place(other_key).unwrap_or_default();
            answer.note_mistake(
                at,
                format!("`{key}` and `{other_key}` are the same"),
                ANOTHER,
            );
        }
    }
}

/// Whether a line could also be a banner, or begin with one, for any numbers in both. A
/// text without a number that follows a mere number on its line stands nowhere else, so
/// it may be a number too.
fn may_be_banner(banner: &Banner, text: &Template) -> bool {
    let stands_alone = banner.is_alone_before(FollowingLine::Words);
    if banner.template.is_bare() && !stands_alone && text.digits.is_none() {
        return false;
    }
    banner.is_seen_in(text.line(1).as_bytes()) || text.overlaps(&banner.template)
}

fn refuse_cells(table: &KeyTable, key: &str, line: &str) {
    table.refuse_key(
        key,
        format!(
            "`{key}` may be a line of cells as well, for example {}",
            quoted(line)
        ),
        "write a word into it that no row can hold, for example `Case {n}:` or \
         `{count} solutions`",
    );
}

/// Notes each meaning that a line has besides that of its key.
fn refuse_meanings(table: &KeyTable, key: &str, line: &str, others: &[(bool, &str)]) {
    let line = quoted(&format!("{key} = \"{line}\""));
    for (_, what) in others.iter().filter(|(is_it, _)| *is_it) {
        table.refuse_key(key, format!("{line} is {what} as well"), ANOTHER);
    }
}

/// The remedy for a line with several meanings.
const ANOTHER: &str = "choose a line that cannot be anything else";

/// All numbers up to this one are tried.
const SHORT: u64 = 99;

/// The smallest number, not below `first`, that is written with `length` of the given
/// digits (in ascending order). It begins with 0 only if `may_begin_with_0`.
fn smallest(
    length: usize,
    may_begin_with_0: bool,
    first: u64,
    digits: &[u8],
) -> Option<u64> {
    let bound = format!("{first:0length$}").into_bytes();
    if bound.len() > length {
        return None;
    }
    let fits = |at: usize, digit: u8| {
        digits.contains(&digit) && (at > 0 || may_begin_with_0 || digit != b'0')
    };
    // The first `kept` digits of the bound, then a larger digit, then the smallest
    // digits. The longest possible prefix gives the smallest number.
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
mod numbered_tests {
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
