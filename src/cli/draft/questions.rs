//! Collects the settings of a new problem: from flags, from questions, or from
//! defaults.

use std::collections::BTreeMap;
use std::io::{self, BufRead, IsTerminal, Write};

use clap::{Args, Command};
use gridjudge_sandbox::Fault;
use serde::Serialize;
use serde_json::Value;

use crate::cli::screen;
use crate::spec::{Mistake, Mistakes};

/// The settings that flags give. Each is written into the spec unchanged; the rules of
/// the spec apply to it.
#[derive(Args, Serialize)]
pub(crate) struct ProblemOptions {
    /// The title [default: the id]
    #[arg(long)]
    #[serde(rename = "name")]
    title: Option<String>,
    /// Where the problem comes from
    #[arg(long, value_name = "TEXT")]
    source: Option<String>,
    /// Rows, columns and symbols of a grid [default: 9]
    #[arg(long, value_name = "N")]
    order: Option<u8>,
    /// Rows x columns of one box, `square`, or `none`
    #[arg(long, value_name = "RxC")]
    boxes: Option<String>,
    /// Both diagonals hold each symbol once too
    #[arg(long)]
    diagonals: bool,
    /// A character for each symbol, for example `1-9` or `A-P`, or `numbers`
    #[arg(long, value_name = "TEXT")]
    symbols: Option<String>,
    /// Characters for a blank cell [default: 0, or `.` if that is a symbol]
    #[arg(long, value_name = "TEXT")]
    blanks: Option<String>,
    /// How many grids an input holds: `one`, `count` (a number first), `eof`, or
    /// `until` (a line that ends them)
    #[arg(long, value_name = "HOW")]
    cases: Option<String>,
    /// The largest number of grids in an input [default: 100, if there may be several]
    #[arg(long, value_name = "N")]
    most: Option<u64>,
    /// The line after the last grid [default: end]
    #[arg(long, value_name = "LINE")]
    until: Option<String>,
    /// What is between cells: nothing (`joined`) or a space (`spaced`)
    #[arg(long, value_name = "HOW")]
    cells: Option<String>,
    /// Which answers count: `unique`, `any`, `first`, `all`, `count`, or `word`
    #[arg(long, value_name = "HOW")]
    accept: Option<String>,
    /// The answer if there is no solution
    #[arg(long, value_name = "LINE")]
    none: Option<String>,
    /// The answer if there are several solutions
    #[arg(long, value_name = "LINE")]
    several: Option<String>,
    /// CPU time of a run [default: 1s]
    #[arg(long)]
    time: Option<String>,
    /// Memory of a run [default: 256MiB]
    #[arg(long, value_name = "SIZE")]
    memory: Option<String>,
}

/// The settings that a spec is made from, by their keys in it.
pub(crate) type ProblemSettings = BTreeMap<String, String>;

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
    /// The settings that are given.
    pub(crate) fn settings(&self) -> ProblemSettings {
        let flags = serde_json::to_value(self).expect("flags are plain data");
        flags
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(key, value)| match value {
                Value::Null | Value::Bool(false) => None,
                Value::String(text) => Some((key.clone(), text.clone())),
                value => Some((key.clone(), value.to_string())),
            })
            .collect()
    }

    /// The flags that are given and mean something for grids only.
    pub(crate) fn flags_about_grids(&self) -> Vec<String> {
        let given = self.settings();
        let mut flags = keys_of_flags();
        flags.retain(|key| given.contains_key(key) && !ABOUT_ALL.contains(&&**key));
        flags.iter().map(|key| format!("--{key}")).collect()
    }
}

/// The keys that flags of their names set, in the order of the help.
fn keys_of_flags() -> Vec<String> {
    ProblemOptions::augment_args(Command::new(""))
        .get_arguments()
        .map(|flag| flag.get_id().to_string())
        .collect()
}

/// The flags that mean something for every problem.
const ABOUT_ALL: [&str; 4] = ["title", "source", "time", "memory"];

/// The settings without those that have a question.
pub(crate) fn without_answers(settings: &ProblemSettings) -> ProblemSettings {
    let mut rest = settings.clone();
    rest.retain(|key, _| question(key).is_empty());
    rest
}

/// The rows, columns and symbols of a grid, if they are set.
pub(super) fn order_of(settings: &ProblemSettings) -> Option<u8> {
    settings.get("order")?.parse().ok()
}

/// The settings that are given. The rest is asked for if `ask`, with replies from
/// `input`, and otherwise set to the earlier answers or to defaults.
///
/// # Errors
/// A [`Fault`] if there is no answer to a question.
pub(crate) fn answered(
    given: &ProblemSettings,
    before: Option<&ProblemSettings>,
    ask: bool,
    input: impl BufRead,
) -> Result<ProblemSettings, Fault> {
    let mut prompter = Prompter { ask, input };
    let mut settings = given.clone();
    let order = match order_of(given) {
        Some(order) => order,
        None => prompter
            .number(question("order"), before.and_then(order_of).unwrap_or(9))?,
    };
    settings.insert("order".to_owned(), order.to_string());
    // Earlier answers about grids of another order do not fit.
    let before = before.filter(|before| order_of(before) == Some(order));
    let mut ask = |key: &str, default: &str| {
        let default = before
            .and_then(|before| before.get(key))
            .map_or(default, String::as_str);
        let text = prompter.text(given.get(key), question(key), default)?;
        settings.insert(key.to_owned(), text.clone());
        Ok::<_, Fault>(text)
    };
    ask("boxes", &default_boxes(order))?;
    let symbols = ask("symbols", &default_symbols(order))?;
    ask("blanks", if symbols.contains('0') { "." } else { "0" })?;
    let cases = ask("cases", "one")?;
    if cases == "until" {
        ask("until", "end")?;
    }
    let spacing = if symbols == "numbers" {
        "spaced"
    } else {
        "joined"
    };
    ask("cells", spacing)?;
    ask("accept", "unique")?;
    if cases != "one" {
        settings
            .entry("most".to_owned())
            .or_insert("100".to_owned());
    }
    Ok(settings)
}

/// The most nearly square boxes of an order.
fn default_boxes(order: u8) -> String {
    let rows = (2..=order)
        .take_while(|rows| rows * rows <= order)
        .filter(|rows| order.is_multiple_of(*rows))
        .last();
    rows.map_or("none".to_owned(), |rows| format!("{rows}x{}", order / rows))
}

fn default_symbols(order: u8) -> String {
    match order {
        0..=1 => "1".to_owned(),
        2..=9 => format!("1-{order}"),
        10..=16 => {
            format!("1-9A-{}", char::from(b'A' + order - 10)).replace("A-A", "A")
        }
        17.. => "numbers".to_owned(),
    }
}

// Asks the questions of a draft one by one at a terminal.

/// Asks questions on standard error, and reads the replies.
pub(super) struct Prompter<R> {
    /// Whether questions are asked at all; otherwise the usual values are used.
    pub(super) ask: bool,
    pub(super) input: R,
}

impl<R: BufRead> Prompter<R> {
    /// What is given, otherwise the reply to the question, otherwise the usual value.
    pub(super) fn text(
        &mut self,
        given: Option<&String>,
        question: &str,
        default: &str,
    ) -> Result<String, Fault> {
        match given {
            Some(given) => Ok(given.clone()),
            None if !self.ask => Ok(default.to_owned()),
            None => self.reply(question, default),
        }
    }

    fn number(&mut self, question: &str, default: u8) -> Result<u8, Fault> {
        while self.ask {
            if let Ok(number) = self.reply(question, &default.to_string())?.parse() {
                return Ok(number);
            }
            screen::notice("it must be a whole number, as in `9`");
        }
        Ok(default)
    }

    fn reply(&mut self, question: &str, default: &str) -> Result<String, Fault> {
        let doing = &format!("asking for {question}");
        let failed = Fault::during(doing);
        let mut terminal = anstream::stderr();
        write!(terminal, "{question} [{default}]: ").map_err(failed)?;
        let mut line = String::new();
        let bytes = self.input.read_line(&mut line).map_err(failed)?;
        match line.trim() {
            _ if bytes == 0 => {
                // The question is still without an end of its line.
                writeln!(terminal).map_err(failed)?;
                let why = "the input ended before an answer, so nothing was written";
                let remedy = "answer all questions, or use the defaults with `--yes`";
                Err(Fault::because(doing, why).with_remedy(remedy))
            }
            "" => Ok(default.to_owned()),
            reply => Ok(reply.to_owned()),
        }
    }
}

// Says what is wrong in the draft of a spec by the flags and questions that it was made
// from: no file with those lines exists.

/// A draft with mistakes.
pub(crate) struct RefusedDraft<'a> {
    /// The id of the problem.
    pub(crate) id: &'a str,
    /// The text that has mistakes.
    pub(crate) spec: &'a str,
    /// The settings that flags gave.
    pub(crate) given: &'a ProblemSettings,
    /// Whether questions were asked for what no flag said.
    pub(crate) asked: bool,
}

impl RefusedDraft<'_> {
    /// The mistakes, each at its flag or question. One that two lines repeat is named
    /// once.
    pub(crate) fn placed(&self, Mistakes(found): Mistakes) -> Mistakes {
        let mut placed: Vec<Mistake> = vec![];
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
        let key = line
            .and_then(|line| {
                self.spec
                    .lines()
                    .nth(usize::try_from(line).ok()?.checked_sub(1)?)
            })
            .and_then(|line| line.split_once(" = "))
            .map_or("", |(key, _)| key);
        if self.asked && !question(key).is_empty() && !self.given.contains_key(key) {
            return question(key).to_owned();
        }
        if key == "name" {
            "--title".to_owned()
        } else if keys_of_flags().iter().any(|known| known == key) {
            format!("--{key}")
        } else {
            format!("the spec of `{}`", self.id)
        }
    }
}

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
            assert_eq!(default_boxes(order), boxes, "{order}");
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
            assert_eq!(default_symbols(order), symbols, "{order}");
        }
    }

    #[test]
    fn questions_that_are_asked_again_offer_the_earlier_answers() {
        let given = ProblemSettings::from([("boxes".to_owned(), "7x7".to_owned())]);
        let rest = without_answers(&given);
        let ask = |given: &ProblemSettings,
                   before: Option<&ProblemSettings>,
                   replies: &str| {
            answered(given, before, true, replies.as_bytes()).unwrap()
        };
        let before = ask(&given, None, "\nabcdefghi\n.\neof\nspaced\nany\n");
        assert_eq!([&*before["boxes"], &*before["accept"]], ["7x7", "any"]);
        let again = ask(&rest, Some(&before), "\n3x3\n\n\n\n\n\n");
        let mut expected = before.clone();
        expected.insert("boxes".to_owned(), "3x3".to_owned());
        assert_eq!(again, expected);
        let smaller = ask(&rest, Some(&before), "four\n4\n\n\n\n\n\n\n");
        assert_eq!([&*smaller["boxes"], &*smaller["symbols"]], ["2x2", "1-4"]);
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
        assert_eq!(prompter.text(None, "q", "joined").unwrap(), "joined");
        assert_eq!(prompter.text(None, "q", "joined").unwrap(), "spaced");
        let ended = prompter.text(None, "q", "joined").unwrap_err();
        let said =
            "asking for q: the input ended before an answer, so nothing was written";
        assert_eq!(ended.to_string(), said);
        assert_eq!(
            prompter.text(Some(&"x".into()), "q", "joined").unwrap(),
            "x"
        );
    }
}

#[cfg(test)]
mod mistakes_tests {
    use super::*;

    fn places(given: &ProblemSettings, asked: bool, lines: &[u64]) -> Vec<String> {
        let spec = "name = \"\"\n[grid]\norder = 7    # a comment\nboxes = \"2x3\"\n";
        let draft = RefusedDraft {
            id: "bad",
            spec,
            given,
            asked,
        };
        let mistakes = lines.iter().map(|line| {
            Mistake::about_file("problem.toml", "is wrong").on_line(*line)
        });
        draft
            .placed(Mistakes(mistakes.collect()))
            .0
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn a_mistake_is_told_at_the_flag_or_the_question_that_it_came_from_and_only_once()
    {
        let given = ProblemSettings::from([("order".to_owned(), "7".to_owned())]);
        let told = places(&given, false, &[1, 2, 3, 4, 4]);
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
        let told = places(&given, true, &[1, 3, 4]);
        let asked = "boxes (rows x columns, `square`, `none`): is wrong";
        assert_eq!(told, ["--title: is wrong", "--order: is wrong", asked]);
    }
}
