//! Collects the settings of a new problem: from flags, from questions, or from defaults.

use std::io;
use std::io::BufRead;
use std::io::IsTerminal;
use std::io::Write;

use clap::Args;

use crate::cli::screen;
use gridjudge_sandbox::Fault;

/// The settings that flags give. Each is written into the spec unchanged; the rules of the spec apply to it.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ProblemOptions {
    /// Its title [default: the id]
    #[arg(long, value_name = "TITLE")]
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
    /// How many grids an input holds: `one`, `count` (a number first), `eof`, or `until` (a line that ends
    /// them)
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
    #[arg(long, value_name = "TIME")]
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

/// Whether questions can be asked: standard input and standard error are terminals.
pub(crate) fn can_be_asked() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

impl ProblemOptions {
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

/// The settings from the options. The rest is asked for if `ask`, and otherwise set to the earlier answers or
/// to defaults.
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

fn answered_from(
    options: &ProblemOptions,
    before: Option<&ProblemAnswers>,
    ask: bool,
    input: impl BufRead,
) -> Result<ProblemAnswers, Fault> {
    let mut prompter = Prompter { ask, input };
    let order = match options.order {
        Some(order) => order,
        None => {
            prompter.number("rows, columns and symbols of a grid", before.map_or(9, |before| before.order))?
        }
    };
    // Earlier answers about grids of another order do not fit.
    let before = before.filter(|before| before.order == order);
    let mut ask = |option: &Option<String>, of: fn(&ProblemAnswers) -> &str, question: &str, usual: &str| {
        prompter.text(option, question, before.map_or(usual, of))
    };
    let question = "boxes (rows x columns, `square`, `none`)";
    let boxes = ask(&options.boxes, |before| &before.boxes, question, &usual_boxes(order))?;
    let question = "symbols, or `numbers`";
    let symbols = ask(&options.symbols, |before| &before.symbols, question, &usual_symbols(order))?;
    let question = "characters for a blank cell";
    let blanks = ask(&options.blanks, |before| &before.blanks, question, usual_blanks(&symbols))?;
    let question = "grids in an input (one, count, eof, until)";
    let cases = ask(&options.cases, |before| &before.cases, question, "one")?;
    let until = match cases.as_str() {
        "until" => Some(ask(&options.until, |_| "end", "the line after the last grid", "end")?),
        _ => options.until.clone(),
    };
    let usual = if symbols == "numbers" { "spaced" } else { "joined" };
    let question = "between cells: nothing or a space (joined, spaced)";
    let cells = ask(&options.cells, |before| &before.cells, question, usual)?;
    let question = "answers that count (unique, any, first, all, count, word)";
    let accept = ask(&options.accept, |before| &before.accept, question, "unique")?;
    let most = options.most.or((cases != "one").then_some(100));
    let rest = without_questions(options);
    Ok(ProblemAnswers { order, boxes, symbols, blanks, cases, most, until, cells, accept, ..rest })
}

/// The settings that have no question: from the options, or defaults.
fn without_questions(options: &ProblemOptions) -> ProblemAnswers {
    ProblemAnswers {
        title: options.title.clone(),
        source: options.source.clone(),
        diagonals: options.diagonals,
        none: options.none.clone(),
        several: options.several.clone(),
        time: options.time.clone().unwrap_or("1s".to_owned()),
        memory: options.memory.clone().unwrap_or("256MiB".to_owned()),
        ..ProblemAnswers::default()
    }
}

/// The most nearly square boxes of an order.
fn usual_boxes(order: u8) -> String {
    let rows =
        (2..=order).take_while(|rows| rows * rows <= order).filter(|rows| order.is_multiple_of(*rows)).last();
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

struct Prompter<R> {
    ask: bool,
    input: R,
}

impl<R: BufRead> Prompter<R> {
    /// The option if given, otherwise the reply to the question, otherwise the usual value.
    fn text(&mut self, option: &Option<String>, question: &str, usual: &str) -> Result<String, Fault> {
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
        let bytes = self.input.read_line(&mut line).map_err(|error| Fault::new(doing(), error))?;
        match line.trim() {
            _ if bytes == 0 => Err(Fault::because(doing(), "there is no answer").with_remedy("say `--yes`")),
            "" => Ok(usual.to_owned()),
            reply => Ok(reply.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_boxes_are_as_square_as_the_order_allows() {
        for (order, boxes) in [(4, "2x2"), (6, "2x3"), (9, "3x3"), (12, "3x4"), (5, "none"), (1, "none")] {
            assert_eq!(usual_boxes(order), boxes, "{order}");
        }
    }

    #[test]
    fn the_usual_symbols_are_digits_then_letters_then_numbers() {
        for (order, symbols) in
            [(1, "1"), (4, "1-4"), (9, "1-9"), (10, "1-9A"), (16, "1-9A-G"), (17, "numbers"), (25, "numbers")]
        {
            assert_eq!(usual_symbols(order), symbols, "{order}");
        }
    }

    #[test]
    fn questions_that_are_asked_again_offer_the_earlier_answers() {
        let options = ProblemOptions { boxes: Some("7x7".to_owned()), ..ProblemOptions::default() };
        let ask = |options: &ProblemOptions, before: Option<&ProblemAnswers>, replies: &str| {
            answered_from(options, before, true, replies.as_bytes()).unwrap()
        };
        let before = ask(&options, None, "\nabcdefghi\n.\neof\nspaced\nany\n");
        assert_eq!((before.boxes.as_str(), before.accept.as_str()), ("7x7", "any"));
        let again = ask(&options.without_answers(), Some(&before), "\n3x3\n\n\n\n\n\n");
        assert_eq!(again, ProblemAnswers { boxes: "3x3".to_owned(), ..before.clone() });
        let smaller = ask(&options.without_answers(), Some(&before), "four\n4\n\n\n\n\n\n\n");
        assert_eq!((smaller.boxes.as_str(), smaller.symbols.as_str()), ("2x2", "1-4"));
    }

    #[test]
    fn an_empty_reply_means_the_usual_and_no_reply_is_a_fault() {
        let mut prompter = Prompter { ask: true, input: &b"\nspaced\n"[..] };
        assert_eq!(prompter.text(&None, "q", "joined").unwrap(), "joined");
        assert_eq!(prompter.text(&None, "q", "joined").unwrap(), "spaced");
        assert!(prompter.text(&None, "q", "joined").is_err());
        assert_eq!(prompter.text(&Some("x".into()), "q", "joined").unwrap(), "x");
    }
}
