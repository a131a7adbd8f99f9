//! The table of white space in `docs/spec.md`, over all that a format may ask for:
//! every verdict on a right output with one change is compared with a model that shares
//! no code with the checker.

use std::fmt::Write as _;

use gridjudge_grid::{
    Banner, BannerPlace, BlankLines, CellSpacing, CountLine, GridCount, Layout,
    LineEnd, Replies, RowLayout, Separator, Shape, Symbols, Template, WhiteSpace,
};

use super::*;
use crate::model::Verdict;

/// Formats that are tried, each with every kind of change.
const FORMATS: u64 = 100;

/// Random numbers that are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ mixed >> 31) % bound as u64).unwrap()
    }

    fn one_of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }
}

/// A line of the right output.
#[derive(Clone)]
struct ModelLine {
    /// The banner at its start, if anything follows that.
    banner: String,
    content: String,
    is_row: bool,
    /// Whether an empty line precedes it.
    is_after_gap: bool,
}

impl ModelLine {
    fn words(content: &str) -> Self {
        Self {
            banner: String::new(),
            content: content.to_owned(),
            is_row: false,
            is_after_gap: false,
        }
    }
}

/// A format, an input in it, and the only right output.
struct Model {
    format: Format,
    accept: Accept,
    input: String,
    /// Without empty lines.
    lines: Vec<ModelLine>,
    right: String,
}

impl Model {
    /// The verdict by the table.
    fn verdict(&self, output: &str) -> Verdict {
        let written = |text: &str| -> Vec<String> {
            text.split('\n')
                .filter(|line| !line.trim_matches(is_white).is_empty())
                .map(str::to_owned)
                .collect()
        };
        let squeezed = |line: &str| line.replace(is_white, "");
        let found = written(output);
        let expected = written(&self.right);
        match self.format.output.white_space {
            WhiteSpace::Strict if self.is_exact(output) => Verdict::Accepted,
            WhiteSpace::Strict
                if found
                    .iter()
                    .map(|line| squeezed(line))
                    .eq(expected.iter().map(|line| squeezed(line))) =>
            {
                Verdict::PresentationError
            }
            WhiteSpace::Lenient
                if found.len() == self.lines.len()
                    && found
                        .iter()
                        .zip(&self.lines)
                        .all(|(found, line)| self.is_same(found, line)) =>
            {
                Verdict::Accepted
            }
            _ => Verdict::WrongAnswer,
        }
    }

    /// Whether an output is right byte by byte, where a row may have a space at its end
    /// if the format says so. The last newline may be missing.
    fn is_exact(&self, output: &str) -> bool {
        let may_have_space = self.format.output.line_end == LineEnd::MayHaveSpace;
        let is_right = |output: &str| {
            let mut lines = self.lines.iter();
            output.split('\n').count() == self.right.split('\n').count()
                && output.split('\n').zip(self.right.split('\n')).all(
                    |(found, expected)| {
                        let is_row = !expected.is_empty()
                            && lines.next().is_some_and(|line| line.is_row);
                        found == expected
                            || may_have_space
                                && is_row
                                && found.strip_suffix(' ') == Some(expected)
                    },
                )
        };
        is_right(output) || is_right(&format!("{output}\n"))
    }

    /// Whether a line is the expected one where white space is lenient.
    fn is_same(&self, found: &str, line: &ModelLine) -> bool {
        let found = found.trim_matches(is_white);
        let banner = line.banner.trim();
        let Some(rest) = found.strip_prefix(banner) else {
            return false;
        };
        let is_apart =
            rest.starts_with(is_white) || banner.is_empty() || banner.ends_with(':');
        let rest = rest.trim_matches(is_white);
        let is_spaced =
            line.is_row && self.format.output.cells == CellSpacing::Spaced;
        let content = line.content.trim();
        let is_same = if is_spaced {
            rest.split(is_white)
                .filter(|cell| !cell.is_empty())
                .eq(content.split(' '))
        } else {
            rest == content
        };
        is_apart && is_same
    }

    fn found(
        &self,
        input: &str,
        output: &str,
        is_stored: bool,
    ) -> Result<Verdict, CheckError> {
        let answer = is_stored.then_some(self.right.as_bytes());
        super::grid_output(
            &self.format,
            self.accept,
            input.as_bytes(),
            output.as_bytes(),
            answer,
        )
        .map(|findings| findings.verdict())
    }
}

fn is_white(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\r' | '\x0c' | '\n')
}

/// A grid without blanks: its values from 0, row by row.
type Rows = Vec<Vec<usize>>;

/// A shape and a grid of it.
fn shape(random: &mut Random) -> (Shape, Rows) {
    let boxes = |order: usize, rows: usize, columns: usize| {
        (
            Shape::new(order as u64, rows as u64, columns as u64).unwrap(),
            (0..order)
                .map(|row| {
                    (0..order)
                        .map(|column| (row * columns + row / rows + column) % order)
                        .collect()
                })
                .collect(),
        )
    };
    let magic = |cells: &[&[usize]]| {
        let rows = cells
            .iter()
            .map(|row| row.iter().map(|value| value - 1).collect())
            .collect();
        (Shape::magic(cells.len() as u64, true).unwrap(), rows)
    };
    match random.below(9) {
        0 | 1 => boxes(4, 2, 2),
        2 => boxes(6, 2, 3),
        3 => boxes(9, 3, 3),
        4 => boxes(16, 4, 4),
        5 => boxes(25, 5, 5),
        6 => magic(&[&[8, 1, 6], &[3, 5, 7], &[4, 9, 2]]),
        7 => magic(&[
            &[16, 3, 2, 13],
            &[5, 10, 11, 8],
            &[9, 6, 7, 12],
            &[4, 15, 14, 1],
        ]),
        _ => (
            Shape::jigsaw(4, &["aabb", "aabb", "ccdd", "ccdd"]).unwrap(),
            boxes(4, 2, 2).1,
        ),
    }
}

fn layouts(random: &mut Random, is_short: bool) -> (Layout, Layout) {
    let spacings = [CellSpacing::Spaced, CellSpacing::Joined];
    let cells = random.one_of(&spacings[..1 + usize::from(is_short)]);
    let input = Layout::bare(GridCount::First { most: 9 }, cells);
    let banner = random.one_of(&[
        None,
        None,
        Some(("Case {n}:", BannerPlace::Own)),
        Some(("Case {n}", BannerPlace::Own)),
        Some(("Case {n}: ", BannerPlace::BeforeWords)),
        Some(("Case {n} ", BannerPlace::BeforeWords)),
        Some(("Case {n} ", BannerPlace::Same)),
        Some(("Case {n}: ", BannerPlace::Same)),
        Some(("{n} ", BannerPlace::Same)),
    ]);
    let separator =
        random.one_of(&[None, None, Some("-----"), Some("= = ="), Some("the next")]);
    let output = Layout {
        count: GridCount::AsInput,
        rows: random.one_of(&[
            RowLayout::Lines,
            RowLayout::Lines,
            RowLayout::OneLine,
        ]),
        line_end: random.one_of(&[
            LineEnd::Bare,
            LineEnd::Bare,
            LineEnd::MayHaveSpace,
            LineEnd::Space,
        ]),
        blank_lines: random.one_of(&[
            BlankLines::None,
            BlankLines::Before,
            BlankLines::Between,
            BlankLines::After,
        ]),
        separator: separator.map(|line| Separator {
            line: line.to_owned(),
            closes: random.below(2) == 0,
        }),
        banner: banner.map(|(text, place)| Banner {
            place,
            ..Banner::own(template(text, "n"))
        }),
        white_space: random.one_of(&[
            WhiteSpace::Strict,
            WhiteSpace::Strict,
            WhiteSpace::Lenient,
        ]),
        ..input.clone()
    };
    (input, output)
}

fn template(text: &str, name: &'static str) -> Template {
    Template::parse(text, name).unwrap()
}

fn format(random: &mut Random, shape: Shape) -> (Format, Accept) {
    let values = shape.values();
    let are_numbers = values <= 9 && random.below(2) == 0 || random.below(2) == 0;
    let symbols = match are_numbers {
        true if values > 9 => Symbols::numbers("0"),
        true => Symbols::characters(&"123456789"[..values], "."),
        false => Symbols::characters(&"ABCDEFGHIJKLMNOPQRSTUVWXY"[..values], "."),
    };
    let (input, mut output) = layouts(random, symbols.are_characters());
    let accept = random.one_of(&[
        Accept::Unique,
        Accept::Unique,
        Accept::Any,
        Accept::Any,
        Accept::First,
        Accept::All { most: 4 },
        Accept::All { most: 4 },
        Accept::AnyCounted { most: 4 },
        Accept::Count { most: 4 },
    ]);
    // A number alone might be a row, or a banner.
    let may_be_bare = output.cells == CellSpacing::Spaced
        && output
            .banner
            .as_ref()
            .is_none_or(|banner| !banner.template.before.is_empty());
    let count = if may_be_bare {
        random.one_of(&["{count} in all", "{count}"])
    } else {
        "{count} in all"
    };
    let follows = random.below(2) == 0;
    let is_apart = random.below(4) == 0;
    let count = CountLine {
        template: template(count, "count"),
        follows_solutions: follows && !matches!(accept, Accept::Count { .. }),
        has_blank_line: is_apart && !matches!(accept, Accept::Count { .. }),
    };
    let replies = Replies {
        none: (random.below(2) == 0).then(|| "no way".into()),
        count: accept.most().map(|_| count),
        blank_line_between_solutions: random.below(3) == 0,
        ..Replies::default()
    };
    let has_lead = random.below(4) == 0 && accept.most().is_none();
    output.lead = has_lead.then(|| template("grid {n} is", "n"));
    (
        Format {
            shapes: vec![shape],
            symbols,
            input,
            output,
            replies,
        },
        accept,
    )
}

fn model(random: &mut Random) -> Model {
    let (shape, rows) = shape(random);
    let order = rows.len();
    let values = shape.values();
    let (format, accept) = format(random, shape);
    let total = 1 + random.below(3);
    let mut model = Model {
        format,
        accept,
        input: format!("{total}\n"),
        lines: vec![],
        right: String::new(),
    };
    for case in 1..=total {
        // The next symbol for each is another grid of the same shape, except for magic
        // squares.
        let turn = if values == order {
            random.below(order)
        } else {
            0
        };
        let rows: Rows = rows
            .iter()
            .map(|row| row.iter().map(|value| (value + turn) % values).collect())
            .collect();
        let is_impossible =
            model.format.replies.none.is_some() && random.below(3) == 0;
        let has_two = matches!(accept, Accept::All { .. } | Accept::Count { .. })
            && values == order
            && order <= 6
            && random.below(2) == 0;
        let mut clues: Vec<Vec<_>> = rows
            .iter()
            .map(|row| row.iter().copied().map(Some).collect())
            .collect();
        let mut solutions = vec![rows.clone()];
        if is_impossible {
            (clues[0][0], solutions) = (Some(rows[0][1]), vec![]);
        } else if has_two {
            // Two rows of one box hold the same two values in two columns.
            let other = order / 2;
            let mut swapped = rows.clone();
            for row in &mut swapped[..2] {
                row.swap(0, other);
            }
            for row in &mut clues[..2] {
                (row[0], row[other]) = (None, None);
            }
            solutions.push(swapped);
            solutions.sort();
        } else {
            // Each row lacks one cell, so there is one solution only.
            let column = random.below(order);
            for row in &mut clues {
                row[column] = None;
            }
        }
        model.add_clues(&clues);
        model.add_case(case, &solutions, case == total);
    }
    model
}

impl Model {
    fn add_clues(&mut self, clues: &[Vec<Option<usize>>]) {
        let text = clues
            .iter()
            .map(|row| {
                row.iter()
                    .map(|value| match value {
                        Some(value) => self.symbol(*value),
                        None if self.format.symbols.are_characters() => {
                            ".".to_owned()
                        }
                        None => "0".to_owned(),
                    })
                    .collect::<Vec<_>>()
                    .join(self.gap())
            })
            .fold(String::new(), |text, row| text + &row + "\n");
        self.input.push_str(&text);
    }

    fn symbol(&self, value: usize) -> String {
        if self.format.symbols.are_characters() {
            self.format.symbols.texts()[value].clone()
        } else {
            (value + 1).to_string()
        }
    }

    fn gap(&self) -> &'static str {
        if self.format.output.cells == CellSpacing::Spaced {
            " "
        } else {
            ""
        }
    }

    fn solution(&self, rows: &Rows) -> Vec<ModelLine> {
        let rows: Vec<_> = rows
            .iter()
            .map(|row| {
                row.iter()
                    .map(|value| self.symbol(*value))
                    .collect::<Vec<_>>()
                    .join(self.gap())
            })
            .collect();
        let lines = match self.format.output.rows {
            RowLayout::Lines => rows,
            RowLayout::OneLine => vec![rows.join(self.gap())],
        };
        let end = if self.format.output.line_end == LineEnd::Space {
            " "
        } else {
            ""
        };
        lines
            .into_iter()
            .map(|line| ModelLine {
                is_row: true,
                ..ModelLine::words(&(line + end))
            })
            .collect()
    }

    /// The lines of an answer without its banner.
    fn answer(&self, case: usize, solutions: &[Rows]) -> Vec<ModelLine> {
        if solutions.is_empty() {
            return vec![ModelLine::words("no way")];
        }
        let replies = &self.format.replies;
        let mut listed = vec![];
        for (rows, number) in solutions.iter().zip(0..) {
            let mut lines = self.solution(rows);
            lines[0].is_after_gap =
                number > 0 && replies.blank_line_between_solutions;
            listed.extend(lines);
        }
        let total = solutions.len().to_string();
        let count = replies.count.as_ref().map(|count| {
            let text = if count.template.after.is_empty() {
                total
            } else {
                total + " in all"
            };
            (
                ModelLine::words(&text),
                count.follows_solutions,
                count.has_blank_line,
            )
        });
        match count {
            Some((count, ..)) if matches!(self.accept, Accept::Count { .. }) => {
                vec![count]
            }
            Some((mut count, true, is_apart)) => {
                count.is_after_gap = is_apart;
                listed.push(count);
                listed
            }
            Some((count, false, is_apart)) => {
                listed[0].is_after_gap = is_apart;
                listed.insert(0, count);
                listed
            }
            None if self.format.output.lead.is_some() => {
                listed.insert(0, ModelLine::words(&format!("grid {case} is")));
                listed
            }
            None => listed,
        }
    }

    fn add_case(&mut self, case: usize, solutions: &[Rows], is_last: bool) {
        let mut lines = self.answer(case, solutions);
        let layout = &self.format.output;
        if let Some(Banner {
            template, place, ..
        }) = &layout.banner
        {
            let text = format!("{}{case}{}", template.before, template.after);
            let is_alone = match place {
                BannerPlace::Own => true,
                BannerPlace::BeforeWords => lines[0].is_row,
                BannerPlace::Same => false,
            };
            match is_alone {
                true if *place == BannerPlace::Own => {
                    lines.insert(0, ModelLine::words(&text))
                }
                true => lines.insert(0, ModelLine::words(text.trim_end())),
                false => lines[0].banner = text,
            }
        }
        lines[0].is_after_gap = match layout.blank_lines {
            BlankLines::Before => true,
            BlankLines::Between => case > 1,
            BlankLines::None | BlankLines::After => false,
        };
        let separator = layout
            .separator
            .as_ref()
            .map(|separator| ModelLine::words(&separator.line));
        let closes = is_last
            && layout
                .separator
                .as_ref()
                .is_some_and(|separator| separator.closes);
        let end = if layout.blank_lines == BlankLines::After {
            "\n"
        } else {
            ""
        };
        if let Some(separator) = separator.clone().filter(|_| case > 1) {
            self.add(separator);
        }
        for line in lines {
            self.add(line);
        }
        self.right.push_str(end);
        if let Some(separator) = separator.filter(|_| closes) {
            self.add(separator);
        }
    }

    fn add(&mut self, line: ModelLine) {
        self.right
            .push_str(if line.is_after_gap { "\n" } else { "" });
        let _ = writeln!(self.right, "{}{}", line.banner, line.content);
        self.lines.push(line);
    }
}

/// The ways to change a text.
const CHANGES: usize = 19;

/// A text with one change; `None` if there is nothing to change in this way.
fn changed(random: &mut Random, change: usize, text: &str) -> Option<String> {
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    let at = random.below(lines.len());
    let with_line = |line: &str| {
        let mut lines = lines.clone();
        lines[at] = line;
        Some(lines.concat())
    };
    let anywhere = random.below(text.len());
    let insert = |piece: &str| {
        Some(format!("{}{piece}{}", &text[..anywhere], &text[anywhere..]))
    };
    match change {
        0 => insert(" "),
        1 => insert(random.one_of(&["\t", "\r", "\x0c", "   "])),
        2 => insert("\n"),
        3 => replaced(random, text, |letter| letter == ' ', &[""]),
        4 => replaced(random, text, |letter| letter == ' ', &["\n", "\t", "  "]),
        5 => replaced(random, text, |letter| letter == '\n', &["", " "]),
        6 => replaced(
            random,
            text,
            |letter| letter.is_ascii_digit(),
            &["1", "2", "3", "4", "9", "0", "x"],
        ),
        7 => replaced(
            random,
            text,
            |letter| letter.is_ascii_alphabetic(),
            &["a", "A", "C", "B", "x", ""],
        ),
        8 => with_line(""),
        9 => with_line(&lines[at].repeat(2)),
        10 => with_line(&lines[at].replace([' ', '\n'], "")),
        11 => with_line(&(lines[at].trim_end().replace(' ', "") + "\n")),
        12 => Some(text.replace(' ', "")),
        13 => Some(text.replace('\n', "\r\n")),
        14 => Some(text.trim_end().to_owned()),
        15 => {
            Some(text.to_owned() + random.one_of(&["\n", " ", "\n\n", "x\n", "1\n"]))
        }
        16 => Some(
            lines
                .iter()
                .filter(|line| !line.trim().is_empty())
                .copied()
                .collect(),
        ),
        // A line too many, and a space too few in another: the first decides.
        17 => replaced(
            random,
            &with_line(&lines[at].repeat(2))?,
            |letter| letter == ' ',
            &[""],
        ),
        _ => {
            let letters: Vec<_> =
                lines[at].trim_end().chars().map(String::from).collect();
            with_line(&(letters.join(" ") + "\n"))
        }
    }
}

/// A text in which one of the characters that are `wanted` is replaced by one of these
/// pieces.
fn replaced(
    random: &mut Random,
    text: &str,
    wanted: fn(char) -> bool,
    pieces: &[&str],
) -> Option<String> {
    let places: Vec<_> = text.match_indices(wanted).map(|(place, _)| place).collect();
    if places.is_empty() {
        return None;
    }
    let place = random.one_of(&places);
    Some(format!(
        "{}{}{}",
        &text[..place],
        random.one_of(pieces),
        &text[place + 1..]
    ))
}

#[test]
fn the_verdict_on_a_right_output_with_one_change_is_that_of_the_table() {
    let random = &mut Random(1);
    for number in 0..FORMATS {
        let model = model(random);
        let is_stored = random.below(2) == 0;
        let outputs =
            (0..CHANGES).filter_map(|change| changed(random, change, &model.right));
        for output in [model.right.clone()].into_iter().chain(outputs) {
            let found = model.found(&model.input, &output, is_stored).unwrap();
            let expected = model.verdict(&output);
            let accept = model.accept;
            let layout = &model.format.output;
            let input = &model.input;
            let right = &model.right;
            assert_eq!(
                found, expected,
                "format {number}: {accept:?} {layout:?}\n{input:?}\nright  {right:?}\noutput {output:?}"
            );
        }
    }
}

#[test]
fn an_input_with_other_white_space_is_refused_or_gives_the_same_verdict() {
    let random = &mut Random(2);
    let mut refused = 0;
    for number in 0..FORMATS {
        let mut model = model(random);
        let is_lenient = random.below(2) == 0;
        model.format.input.white_space = if is_lenient {
            WhiteSpace::Lenient
        } else {
            WhiteSpace::Strict
        };
        for change in [1, 13, 14, 15, 16] {
            let Some(input) = changed(random, change, &model.input) else {
                continue;
            };
            let wrong = model.right.replacen(['1', 'A'], "Z", 1);
            for (output, is_stored) in
                [(&model.right, false), (&model.right, true), (&wrong, true)]
            {
                match model.found(&input, output, is_stored) {
                    Ok(found) => assert_eq!(
                        found,
                        model.verdict(output),
                        "format {number}: {:?}\n{input:?}\noutput {output:?}",
                        model.accept
                    ),
                    Err(CheckError::Input(_)) => refused += 1,
                    Err(error) => panic!("{error}: {input:?}"),
                }
            }
        }
    }
    assert!(refused > 0);
}
