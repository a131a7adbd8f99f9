//! Collects the settings of a new problem: from flags, from questions, or from defaults.

use std::io;
use std::io::{BufRead, IsTerminal, Write};

use clap::Args;
use gridjudge_sandbox::Fault;

use crate::cli::screen;
use crate::spec::{Mistake, Mistakes};

/// The settings that flags give. Each is written into the spec unchanged; the rules of the spec
/// apply to it.
#[derive(Clone, Default, Args)]
pub(crate) struct ProblemOptions {
    /// Its title [default: the id]
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// Where it comes from
    #[arg(long, value_name = "TEXT")]
    pub(crate) source: Option<String>,
    /// Rows, columns and symbols of a grid [default: 9]
    #[arg(long, value_name = "N")]
    pub(crate) order: Option<u8>,
    /// Rows x columns of one box, `square`, or `none`
    #[arg(long, value_name = "RxC")]
    pub(crate) boxes: Option<String>,
    /// Both diagonals hold each symbol once, too
    #[arg(long)]
    pub(crate) diagonals: bool,
    /// A character for each symbol, as `1-9` or `A-P`, or `numbers`
    #[arg(long, value_name = "TEXT")]
    pub(crate) symbols: Option<String>,
    /// Characters for a blank cell [default: 0, or `.` if that is a symbol]
    #[arg(long, value_name = "TEXT")]
    pub(crate) blanks: Option<String>,
    /// How many grids an input holds: `one`, `count` (a number first), `eof`, or `until` (a line
    /// that ends them)
    #[arg(long, value_name = "HOW")]
    pub(crate) cases: Option<String>,
    /// The largest number of grids in an input [default: 100, if there may be several]
    #[arg(long, value_name = "N")]
    pub(crate) most: Option<u64>,
    /// The line after the last grid [default: end]
    #[arg(long, value_name = "LINE")]
    pub(crate) until: Option<String>,
    /// What is between cells: nothing (`joined`) or a space (`spaced`)
    #[arg(long, value_name = "HOW")]
    pub(crate) cells: Option<String>,
    /// Which answers count: `unique`, `any`, `first`, `all`, `count`, or `word`
    #[arg(long, value_name = "HOW")]
    pub(crate) accept: Option<String>,
    /// The answer if there is no solution
    #[arg(long, value_name = "LINE")]
    pub(crate) none: Option<String>,
    /// The answer if there are several solutions
    #[arg(long, value_name = "LINE")]
    pub(crate) several: Option<String>,
    /// CPU time of a run [default: 1s]
    #[arg(long)]
    pub(crate) time: Option<String>,
    /// Memory of a run [default: 256MiB]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<String>,
}

/// The settings that the spec is made from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ProblemAnswers {
    pub(crate) title: Option<String>,
    pub(crate) source: Option<String>,
    pub(crate) order: u8,
    pub(crate) boxes: String,
    pub(crate) diagonals: bool,
    pub(crate) symbols: String,
    pub(crate) blanks: String,
    pub(crate) cases: String,
    /// The largest number of grids in an input. By default `None` if there is always one.
    pub(crate) most: Option<u64>,
    /// The line after the last grid. By default `None` if no line ends the grids.
    pub(crate) until: Option<String>,
    pub(crate) cells: String,
    pub(crate) accept: String,
    pub(crate) none: Option<String>,
    pub(crate) several: Option<String>,
    pub(crate) time: String,
    pub(crate) memory: String,
}

/// The keys of a spec that are asked for, with their questions.
const QUESTIONS: [(&str, &str); 8] = [
    ("order", "rows, columns and symbols of a grid"),
    ("boxes", "boxes (rows x columns, `square`, `none`)"),
    ("symbols", "symbols, or `numbers`"),
    ("blanks", "characters for a blank cell"),
    ("cases", "grids in an input (one, count, eof, until)"),
    ("until", "the line after the last grid"),
    (
        "cells",
        "between cells: nothing or a space (joined, spaced)",
    ),
    (
        "accept",
        "answers that count (unique, any, first, all, count, word)",
    ),
];

/// The question about a key, or nothing if there is none.
fn question(key: &str) -> &'static str {
    QUESTIONS
        .iter()
        .find(|(known, _)| *known == key)
        .map_or("", |(_, question)| question)
}

/// Whether questions can be asked: standard input and standard error are terminals.
pub(crate) fn can_be_asked() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

impl ProblemOptions {
    pub(super) fn time(&self) -> &str {
        self.time.as_deref().unwrap_or("1s")
    }

    pub(super) fn memory(&self) -> &str {
        self.memory.as_deref().unwrap_or("256MiB")
    }

    /// The flags that are given and mean something for grids only.
    pub(crate) fn flags_about_grids(&self) -> impl Iterator<Item = &'static str> {
        let flags = [
            ("--order", self.order.is_some()),
            ("--boxes", self.boxes.is_some()),
            ("--diagonals", self.diagonals),
            ("--symbols", self.symbols.is_some()),
            ("--blanks", self.blanks.is_some()),
            ("--cases", self.cases.is_some()),
            ("--most", self.most.is_some()),
            ("--until", self.until.is_some()),
            ("--cells", self.cells.is_some()),
            ("--accept", self.accept.is_some()),
            ("--none", self.none.is_some()),
            ("--several", self.several.is_some()),
        ];
        flags
            .into_iter()
            .filter(|(_, is_given)| *is_given)
            .map(|(flag, _)| flag)
    }

    /// The options without those that have a question.
    pub(crate) fn without_answers(&self) -> Self {
        Self {
            order: None,
            boxes: None,
            symbols: None,
            blanks: None,
            cases: None,
            until: None,
            cells: None,
            accept: None,
            ..self.clone()
        }
    }
}

/// The settings from the options. The rest is asked for if `ask`, and otherwise set to the earlier
/// answers or to defaults.
///
/// # Errors
/// A [`Fault`] if there is no answer to a question.
pub(crate) fn answered(
    options: &ProblemOptions,
    before: Option<&ProblemAnswers>,
    ask: bool,
) -> Result<ProblemAnswers, Fault> {
    answered_from(options, before, ask, io::stdin().lock())
}

fn usual_cell_spacing(symbols: &str) -> &'static str {
    if symbols == "numbers" {
        "spaced"
    } else {
        "joined"
    }
}

fn answered_from(
    options: &ProblemOptions,
    before: Option<&ProblemAnswers>,
    ask: bool,
    input: impl BufRead,
) -> Result<ProblemAnswers, Fault> {
    let mut prompter = Prompter { ask, input };
    let order = match options.order {
        Some(order) => order,
        None => prompter.number(question("order"), before.map_or(9, |before| before.order))?,
    };
    // Earlier answers about grids of another order do not fit.
    let before = before.filter(|before| before.order == order);
    let mut ask =
        |option: &Option<String>, of: fn(&ProblemAnswers) -> &str, key: &str, usual: &str| {
            prompter.text(option, question(key), before.map_or(usual, of))
        };
    let boxes = ask(
        &options.boxes,
        |before| &before.boxes,
        "boxes",
        &usual_boxes(order),
    )?;
    let symbols = ask(
        &options.symbols,
        |before| &before.symbols,
        "symbols",
        &usual_symbols(order),
    )?;
    let blanks = ask(
        &options.blanks,
        |before| &before.blanks,
        "blanks",
        usual_blanks(&symbols),
    )?;
    let cases = ask(&options.cases, |before| &before.cases, "cases", "one")?;
    let until = match cases.as_str() {
        "until" => Some(ask(&options.until, |_| "end", "until", "end")?),
        _ => options.until.clone(),
    };
    let spacing = usual_cell_spacing(&symbols);
    let cells = ask(&options.cells, |before| &before.cells, "cells", spacing)?;
    let accept = ask(&options.accept, |before| &before.accept, "accept", "unique")?;
    let most = options.most.or((cases != "one").then_some(100));
    Ok(ProblemAnswers {
        order,
        boxes,
        symbols,
        blanks,
        cases,
        most,
        until,
        cells,
        accept,
        ..without_questions(options)
    })
}

/// The settings that have no question: from the options, or defaults.
fn without_questions(options: &ProblemOptions) -> ProblemAnswers {
    ProblemAnswers {
        title: options.title.clone(),
        source: options.source.clone(),
        diagonals: options.diagonals,
        none: options.none.clone(),
        several: options.several.clone(),
        time: options.time().to_owned(),
        memory: options.memory().to_owned(),
        ..ProblemAnswers::default()
    }
}

/// The most nearly square boxes of an order.
fn usual_boxes(order: u8) -> String {
    let rows = (2..=order)
        .take_while(|rows| rows * rows <= order)
        .filter(|rows| order.is_multiple_of(*rows))
        .last();
    rows.map_or("none".to_owned(), |rows| format!("{rows}x{}", order / rows))
}

fn usual_symbols(order: u8) -> String {
    match order {
        0..=1 => "1".to_owned(),
        2..=9 => format!("1-{order}"),
        10..=16 => format!("1-9A-{}", char::from(b'A' + order - 10)).replace("A-A", "A"),
        17.. => "numbers".to_owned(),
    }
}

fn usual_blanks(symbols: &str) -> &'static str {
    if symbols.contains('0') { "." } else { "0" }
}

// Asks the questions of a draft one by one at a terminal.

/// Asks questions on standard error, and reads the replies.
pub(super) struct Prompter<R> {
    /// Whether questions are asked at all; otherwise the usual values are used.
    pub(super) ask: bool,
    pub(super) input: R,
}

impl<R: BufRead> Prompter<R> {
    /// The option if given, otherwise the reply to the question, otherwise the usual value.
    pub(super) fn text(
        &mut self,
        option: &Option<String>,
        question: &str,
        usual: &str,
    ) -> Result<String, Fault> {
        match option {
            Some(given) => Ok(given.clone()),
            None if !self.ask => Ok(usual.to_owned()),
            None => self.reply(question, usual),
        }
    }

    fn number(&mut self, question: &str, usual: u8) -> Result<u8, Fault> {
        while self.ask {
            if let Ok(number) = self.reply(question, &usual.to_string())?.parse() {
                return Ok(number);
            }
            screen::notice("it must be a whole number, as in `9`");
        }
        Ok(usual)
    }

    fn reply(&mut self, question: &str, usual: &str) -> Result<String, Fault> {
        let doing = || format!("asking for {question}");
        let mut terminal = anstream::stderr();
        write!(terminal, "{question} [{usual}]: ").map_err(|error| Fault::new(doing(), error))?;
        let mut line = String::new();
        let bytes = self
            .input
            .read_line(&mut line)
            .map_err(|error| Fault::new(doing(), error))?;
        match line.trim() {
            _ if bytes == 0 => {
                // The question is still without an end of its line.
                writeln!(terminal).map_err(|error| Fault::new(doing(), error))?;
                let why = "the input ended before an answer, so nothing was written";
                let remedy = "answer all questions, or use the defaults with `--yes`";
                Err(Fault::because(doing(), why).with_remedy(remedy))
            }
            "" => Ok(usual.to_owned()),
            reply => Ok(reply.to_owned()),
        }
    }
}

// Says what is wrong in the draft of a spec by the flags and questions that it was made from: no
// file with those lines exists.

/// A draft with mistakes.
pub(crate) struct RefusedDraft<'a> {
    /// The id of the problem.
    pub(crate) id: &'a str,
    /// The text that has mistakes.
    pub(crate) spec: &'a str,
    pub(crate) options: &'a ProblemOptions,
    /// Whether questions were asked for what no flag said.
    pub(crate) asked: bool,
}

impl RefusedDraft<'_> {
    /// The mistakes, each at its flag or question. One that two lines repeat is named once.
    pub(crate) fn placed(&self, Mistakes(found): Mistakes) -> Mistakes {
        let mut placed: Vec<Mistake> = Vec::new();
        for mistake in found {
            let mistake = Mistake {
                path: self.place(mistake.line).into(),
                line: None,
                excerpt: None,
                ..mistake
            };
            if !placed.contains(&mistake) {
                placed.push(mistake);
            }
        }
        Mistakes(placed)
    }

    /// The flag or the question that a line of the spec was made from.
    fn place(&self, line: Option<u64>) -> String {
        let line = line.and_then(|line| {
            self.spec
                .lines()
                .nth(usize::try_from(line).ok()?.checked_sub(1)?)
        });
        let key = line
            .and_then(|line| line.split_once(" = "))
            .map_or("", |(key, _)| key);
        let flag = match key {
            "name" => "--title".to_owned(),
            key => format!("--{key}"),
        };
        if self.asked
            && !question(key).is_empty()
            && !self.options.flags_about_grids().any(|given| given == flag)
        {
            return question(key).to_owned();
        }
        if KEYS.contains(&key) {
            flag
        } else {
            format!("the spec of `{}`", self.id)
        }
    }
}

/// The keys of a spec that are set by flags.
const KEYS: [&str; 16] = [
    "name",
    "source",
    "order",
    "boxes",
    "diagonals",
    "symbols",
    "blanks",
    "cases",
    "most",
    "until",
    "cells",
    "accept",
    "none",
    "several",
    "time",
    "memory",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_boxes_are_as_square_as_the_order_allows() {
        for (order, boxes) in [
            (4, "2x2"),
            (6, "2x3"),
            (9, "3x3"),
            (12, "3x4"),
            (5, "none"),
            (1, "none"),
        ] {
            assert_eq!(usual_boxes(order), boxes, "{order}");
        }
    }

    #[test]
    fn the_usual_symbols_are_digits_then_letters_then_numbers() {
        for (order, symbols) in [
            (1, "1"),
            (4, "1-4"),
            (9, "1-9"),
            (10, "1-9A"),
            (16, "1-9A-G"),
            (17, "numbers"),
            (25, "numbers"),
        ] {
            assert_eq!(usual_symbols(order), symbols, "{order}");
        }
    }

    #[test]
    fn questions_that_are_asked_again_offer_the_earlier_answers() {
        let options = ProblemOptions {
            boxes: Some("7x7".to_owned()),
            ..ProblemOptions::default()
        };
        let ask = |options: &ProblemOptions, before: Option<&ProblemAnswers>, replies: &str| {
            answered_from(options, before, true, replies.as_bytes()).unwrap()
        };
        let before = ask(&options, None, "\nabcdefghi\n.\neof\nspaced\nany\n");
        assert_eq!(
            (before.boxes.as_str(), before.accept.as_str()),
            ("7x7", "any")
        );
        let again = ask(
            &options.without_answers(),
            Some(&before),
            "\n3x3\n\n\n\n\n\n",
        );
        assert_eq!(
            again,
            ProblemAnswers {
                boxes: "3x3".to_owned(),
                ..before.clone()
            }
        );
        let smaller = ask(
            &options.without_answers(),
            Some(&before),
            "four\n4\n\n\n\n\n\n\n",
        );
        assert_eq!(
            (smaller.boxes.as_str(), smaller.symbols.as_str()),
            ("2x2", "1-4")
        );
    }
}

#[cfg(test)]
mod prompter_tests {
    use super::*;

    #[test]
    fn an_empty_reply_means_the_usual_and_no_reply_is_a_fault() {
        let mut prompter = Prompter {
            ask: true,
            input: &b"\nspaced\n"[..],
        };
        assert_eq!(prompter.text(&None, "q", "joined").unwrap(), "joined");
        assert_eq!(prompter.text(&None, "q", "joined").unwrap(), "spaced");
        let ended = prompter.text(&None, "q", "joined").unwrap_err();
        let said = "asking for q: the input ended before an answer, so nothing was written";
        assert_eq!(ended.to_string(), said);
        assert_eq!(
            prompter.text(&Some("x".into()), "q", "joined").unwrap(),
            "x"
        );
    }
}

#[cfg(test)]
mod mistakes_tests {
    use super::*;

    fn places(options: &ProblemOptions, asked: bool, lines: &[u64]) -> Vec<String> {
        let spec = "name = \"\"\n[grid]\norder = 7    # a comment\nboxes = \"2x3\"\n";
        let draft = RefusedDraft {
            id: "bad",
            spec,
            options,
            asked,
        };
        let mistakes = lines
            .iter()
            .map(|line| Mistake::of("problem.toml", "is wrong").on_line(*line));
        draft
            .placed(Mistakes(mistakes.collect()))
            .0
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn a_mistake_is_told_at_the_flag_or_the_question_that_it_came_from_and_only_once() {
        let options = ProblemOptions {
            order: Some(7),
            ..ProblemOptions::default()
        };
        let told = places(&options, false, &[1, 2, 3, 4, 4]);
        let spec = "the spec of `bad`: is wrong";
        assert_eq!(
            told,
            [
                "--title: is wrong",
                spec,
                "--order: is wrong",
                "--boxes: is wrong"
            ]
        );
        let told = places(&options, true, &[1, 3, 4]);
        let asked = "boxes (rows x columns, `square`, `none`): is wrong";
        assert_eq!(told, ["--title: is wrong", "--order: is wrong", asked]);
    }
}
