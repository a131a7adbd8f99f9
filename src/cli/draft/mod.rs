//! Drafts the files of a new problem: for grids from the settings that [`questions`]
//! collects, for every other task from a sample problem. Writes no file.

pub(crate) mod questions;

use std::fmt::Write;
use std::io;
use std::io::BufRead;
use std::path::Path;

use clap::ValueEnum;
use gridjudge_grid::{CageOperation, Shape};
use gridjudge_sandbox::Fault;

use crate::cli::screen;
use crate::model::{Accept, GridTask, Problem};
use crate::spec::SPEC;
use crate::text::JoinedTexts;

use questions::{ProblemSettings, Prompter};

/// The spec of the problem that `init` creates: inputs of 4x4 grids that begin with
/// their number.
pub(crate) fn first_spec(id: &str, title: &str) -> Result<String, Fault> {
    let given = [
        ("name", title),
        ("order", "4"),
        ("cases", "count"),
        ("most", "20"),
    ]
    .map(|(key, text)| (key, text.to_owned()))
    .into();
    Ok(grid_spec(
        id,
        &questions::answered(&given, None, false, io::empty())?,
    ))
}

/// The text of `problem.toml`: commented lines for the keys that are set, and
/// commented-out lines for others.
pub(crate) fn grid_spec(id: &str, settings: &ProblemSettings) -> String {
    let mut lines = SpecLines::begin(id, settings);
    add_grid(&mut lines);
    add_input(&mut lines);
    add_output(&mut lines);
    add_answer(&mut lines);
    lines.end() + &recipe(settings)
}

fn add_grid(lines: &mut SpecLines<'_>) {
    lines.add("\n[grid]", "");
    lines.number("order", "rows, columns and symbols");
    lines.setting(
        "boxes",
        "rows x columns of one box; \"square\"; \"none\" for a Latin square",
    );
    let start = if lines.settings.contains_key("diagonals") {
        ""
    } else {
        "# "
    };
    lines.add(
        &format!("{start}diagonals = true"),
        "both diagonals hold each symbol once",
    );
    lines.setting(
        "symbols",
        "a character for each; \"numbers\" for 1, 2, ..., 10, ...",
    );
    lines.setting(
        "blanks",
        "characters for a blank cell; generated inputs use the first",
    );
}

fn add_input(lines: &mut SpecLines<'_>) {
    lines.add("\n[input]", "");
    lines.setting("cases", "\"one\", \"count\", \"eof\" or \"until\"");
    lines.number("most", "grids in an input");
    lines.setting("until", "the line after the last grid");
    lines.setting("cells", "\"joined\" or \"spaced\"");
    lines.add("# rows = \"one-line\"", "all rows of a grid on one line");
    lines.add(
        "# blank_lines = \"between\"",
        "or \"before\" or \"after\" each grid",
    );
    lines.add("# banner = \"Grid {n:02}\"", "a line before each grid");
}

fn add_output(lines: &mut SpecLines<'_>) {
    if !["count", "word"].contains(&lines.accept()) {
        lines.add("\n[output]", "");
        lines.setting("cells", "\"joined\" or \"spaced\"");
        lines.add("# banner = \"Case #{n}:\"", "a line before each answer");
        lines.add(
            "# white_space = \"strict\"",
            "every space and empty line counts",
        );
    }
}

fn add_answer(lines: &mut SpecLines<'_>) {
    lines.add("\n[answer]", "");
    lines.setting(
        "accept",
        "\"unique\", \"any\", \"first\", \"all\", \"count\" or \"word\"",
    );
    let accept = lines.accept();
    if ["all", "count"].contains(&accept) {
        lines.add("most = 1000", "solutions of one grid");
    }
    if accept == "count" {
        lines.add(
            &set("count", "{count}"),
            "the line with the number of solutions",
        );
    }
    if accept == "word" {
        lines.add(&set("solvable", "YES"), "the answer if there is a solution");
        lines.or_default("none", "NO", "the answer if there is none");
        return lines.add("# invalid = \"INVALID\"", "the answer if clues clash");
    }
    lines.or_example("none", "NO SOLUTION", "the answer if there is none");
    // A combination that makes no sense is written as requested: the rules of the spec
    // will refuse it.
    if accept == "unique" || lines.settings.contains_key("several") {
        lines.or_example("several", "NOT UNIQUE", "the answer if there are several");
    }
}

/// The recipe of the sample case, and where to read about other kinds.
fn recipe(settings: &ProblemSettings) -> String {
    let order = u32::from(questions::order_of(settings).unwrap_or_default());
    // Reducing large grids to the fewest clues takes too long.
    let kind = if order <= 9 {
        "kind = \"minimal\"".to_owned()
    } else {
        format!("kind = \"clues\"\nclues = {}", order * order * 3 / 5)
    };
    let grids = if settings["cases"] == "one" {
        ""
    } else {
        "grids = 2\n"
    };
    format!(
        "\n# Cases that `gridjudge generate` makes; docs/generate.md has more kinds.\n[[generate]]\ngroup = \"sample\"\n\
         name = \"1\"\n{kind}\n{grids}seed = 1\n"
    )
}

/// The name of a statement.
const STATEMENT: &str = "statement.md";

/// The files of a problem of grids with this spec, by their paths in the problem's
/// folder.
pub(crate) fn grid_files(problem: &Problem, spec: String) -> DraftFiles {
    let task = problem.task.as_grid();
    let statement = task.map_or_else(|| HEADINGS.to_owned(), grid_statement);
    let statement = format!("# {}\n\n{statement}", problem.name);
    vec![
        (SPEC.to_owned(), spec.into()),
        (STATEMENT.to_owned(), statement.into()),
    ]
}

/// What the user should do next. `cases` is the folder for cases, if they are written
/// by hand.
pub(crate) fn next_steps(id: &str, place: &Path, cases: Option<&Path>) -> String {
    let cases = cases.map_or_else(String::new, |cases| {
        format!(
            "\n  put cases, each with its answer, into {0}/sample and {0}/secret",
            cases.display()
        )
    });
    format!(
        "Next:\n  edit {0}/problem.toml and {0}/statement.md{cases}\n  put programs into \
         {0}/submissions/accepted, .../wrong, .../slow\n  gridjudge verify {id}",
        place.display()
    )
}

// Builds the text of a spec line by line, each with a comment.

/// The text of a spec under construction, and the settings in it.
struct SpecLines<'a> {
    text: String,
    settings: &'a ProblemSettings,
}

impl<'a> SpecLines<'a> {
    /// What every spec begins with.
    fn begin(id: &str, settings: &'a ProblemSettings) -> Self {
        let text = format!(
            "# Every key is explained in docs/spec.md of gridjudge. `gridjudge verify {id}` proves \
             what this file says.\n"
        );
        let mut lines = Self { text, settings };
        lines.or_default("name", id, "its title");
        lines.or_example("source", "a contest", "where it comes from");
        lines
    }

    /// The whole text, with the limits at its end.
    fn end(mut self) -> String {
        self.add("\n[limits]", "");
        self.or_default("time", "1s", "CPU time");
        self.or_default("memory", "256MiB", "");
        self.text
    }

    /// Which answers count.
    fn accept(&self) -> &'a str {
        &self.settings["accept"]
    }

    fn add(&mut self, line: &str, comment: &str) {
        let _ = match comment {
            "" => writeln!(self.text, "{line}"),
            comment => writeln!(self.text, "{line:<28} # {comment}"),
        };
    }

    /// Adds a line that sets a key, if there is a text for it.
    fn setting(&mut self, key: &str, comment: &str) {
        if let Some(text) = self.settings.get(key) {
            self.add(&set(key, text), comment);
        }
    }

    /// The same for a number.
    fn number(&mut self, key: &str, comment: &str) {
        if let Some(number) = self.settings.get(key) {
            self.add(&format!("{key} = {number}"), comment);
        }
    }

    /// Adds a line that sets a key, to this text if there is no other.
    fn or_default(&mut self, key: &str, default: &str, comment: &str) {
        let text = self.settings.get(key).map_or(default, String::as_str);
        self.add(&set(key, text), comment);
    }

    /// Adds a line that sets a key; without a text for it, a commented-out line with
    /// this example.
    fn or_example(&mut self, key: &str, example: &str, comment: &str) {
        let line = match self.settings.get(key) {
            Some(text) => set(key, text),
            None => format!("# {}", set(key, example)),
        };
        self.add(&line, comment);
    }
}

/// A line that sets a key.
fn set(key: &str, value: &str) -> String {
    format!("{key} = {}", toml::Value::from(value))
}

// The files of a new problem that does not ask for grids: small, but complete, so that
// `verify` passes at once.

/// A small problem to begin with.
struct SampleProblem {
    statement: &'static str,
    input: &'static str,
    answer: &'static str,
    /// A right submission: its name and its text.
    accepted: (&'static str, &'static str),
    /// The program that judges submissions, if there is one: its name and its text.
    judging: Option<(&'static str, &'static str)>,
}

const TWICE: SampleProblem = SampleProblem {
    statement: include_str!("samples/twice.md"),
    input: "21\n",
    answer: "42\n",
    accepted: ("twice.py", include_str!("samples/twice.py")),
    judging: None,
};

const TWO_NUMBERS: SampleProblem = SampleProblem {
    statement: include_str!("samples/two_numbers.md"),
    input: "10\n",
    answer: "1 9\n",
    accepted: ("two_numbers.py", include_str!("samples/two_numbers.py")),
    judging: Some(("check.py", include_str!("samples/check.py"))),
};

const GUESS: SampleProblem = SampleProblem {
    statement: include_str!("samples/guess.md"),
    input: "100\n",
    answer: "37\n",
    accepted: ("halving.py", include_str!("samples/halving.py")),
    judging: Some(("interact.py", include_str!("samples/interact.py"))),
};

/// The problem to begin with for a task that is not about grids.
fn sample(task: TaskChoice) -> &'static SampleProblem {
    match task {
        TaskChoice::Program => &TWO_NUMBERS,
        TaskChoice::Interactive => &GUESS,
        _ => &TWICE,
    }
}

/// The text of `problem.toml`.
pub(crate) fn text_spec(
    id: &str,
    task: TaskChoice,
    settings: &ProblemSettings,
) -> String {
    let mut lines = SpecLines::begin(id, settings);
    lines.add("\n[task]", "");
    let kind = set("kind", &task.word());
    match task {
        TaskChoice::Tokens => {
            lines.add(
                &kind,
                "compared word by word; \"lines\" or \"exact\" for stricter rules",
            );
            lines.add("# case_sensitive = true", "upper and lower case differ");
            lines.add("# float_tolerance = 1e-6", "how much numbers may differ");
        }
        TaskChoice::Program => {
            lines.add(&kind, "a checker program judges the output");
            lines.add(&set("checker", "check.py"), "docs/checkers.md explains it");
            lines.add(
                "# protocol = \"testlib\"",
                "or \"dmoj\" or \"oj\"; the default is \"kattis\"",
            );
        }
        TaskChoice::Interactive => {
            lines.add(&kind, "an interactor communicates with the submission");
            lines.add(
                &set("interactor", "interact.py"),
                "docs/interactive.md explains it",
            );
            lines.add(
                "# protocol = \"testlib\"",
                "or \"dmoj\"; the default is \"kattis\"",
            );
        }
        TaskChoice::Lines => lines.add(
            &kind,
            "compared line by line; \"tokens\" or \"exact\" for other rules",
        ),
        _ => lines.add(
            &kind,
            "compared byte by byte; \"tokens\" or \"lines\" for other rules",
        ),
    }
    // What an interactor hides in an answer is nothing that a submission could know.
    if task != TaskChoice::Interactive {
        let solution = format!("accepted/{}", sample(task).accepted.0);
        lines.add(
            &set("solution", &solution),
            "`gridjudge answers` writes missing answers with it",
        );
    }
    lines.end()
}

/// The files of a draft: their names in a folder, and their contents.
pub(crate) type DraftFiles = Vec<(String, Vec<u8>)>;

/// The files of a problem with this title and spec, by their paths in the problem's
/// folder.
pub(crate) fn text_files(title: &str, spec: String, task: TaskChoice) -> DraftFiles {
    let sample = sample(task);
    let statement = sample.statement;
    let statement = format!(
        "# {title}\n\n{statement}\n## Example\n\nSee the cases of the group `sample`.\n"
    );
    let mut files = vec![
        (SPEC.to_owned(), spec.into()),
        (STATEMENT.to_owned(), statement.into()),
    ];
    let judging = sample.judging.iter();
    files.extend(judging.map(|(name, text)| ((*name).to_owned(), (*text).into())));
    let (name, text) = sample.accepted;
    files.push((format!("submissions/accepted/{name}"), text.into()));
    files
}

/// The files of the sample case, by their paths in the folder of the cases.
pub(crate) fn text_case_files(task: TaskChoice) -> DraftFiles {
    let SampleProblem { input, answer, .. } = *sample(task);
    // The answer comes first: a case without its answer is a mistake to every other
    // command.
    vec![
        ("sample/1.ans".to_owned(), answer.into()),
        ("sample/1.in".to_owned(), input.into()),
    ]
}

// What a new problem asks for: grids, or one of the kinds of `[task]`.

/// What the submissions to a new problem have to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TaskChoice {
    /// Completed grids
    Grid,
    /// A text, compared word by word
    Tokens,
    /// A text, compared line by line
    Lines,
    /// A text, compared byte by byte
    Exact,
    /// A text that a checker program judges
    Program,
    /// An interaction with an interactor program
    Interactive,
}

impl TaskChoice {
    /// The word for it, as in `kind = "tokens"`.
    pub(crate) fn word(self) -> String {
        let value = self.to_possible_value().expect("no task is hidden");
        value.get_name().to_owned()
    }
}

/// The task that a flag names. Otherwise it is asked for if `ask`, with replies from
/// `input`, and is grids if not.
///
/// # Errors
/// A [`Fault`] if there is no answer to the question.
pub(crate) fn chosen_task(
    given: Option<TaskChoice>,
    ask: bool,
    input: impl BufRead,
) -> Result<TaskChoice, Fault> {
    if let Some(task) = given {
        return Ok(task);
    }
    let words = TaskChoice::value_variants()
        .iter()
        .map(|task| task.word())
        .joined(", ");
    let question = format!("task ({words})");
    let mut prompter = Prompter { ask, input };
    loop {
        let reply = prompter.text(None, &question, &TaskChoice::Grid.word())?;
        if let Ok(task) = TaskChoice::from_str(&reply, false) {
            return Ok(task);
        }
        screen::notice("it must be one of these words, as in `tokens`");
    }
}

// Writes the first draft of a problem's statement from its spec.

/// The headings in the statement of every problem.
const HEADINGS: &str =
    "## Input\n\n## Output\n\n## Example\n\nSee the cases of the group `sample`.\n";

/// The draft of a statement's body, for the setter to complete: what is asked, and the
/// headings.
fn grid_statement(task: &GridTask) -> String {
    let shape = task.format.shape();
    let order = shape.order();
    let asked = match task.accept {
        Accept::Unique => "Complete it. There is exactly one way.",
        Accept::Any => "Complete it. If there are several ways, any will do.",
        Accept::First => {
            "Complete it. If there are several ways, give the first, read row by row."
        }
        Accept::All { .. } => {
            "Give every way to complete it, in order, read row by row."
        }
        Accept::FirstCounted { .. } => {
            "Say in how many ways it can be completed, and give the first, read row by row."
        }
        Accept::AnyCounted { .. } => {
            "Say in how many ways it can be completed, and give one of them."
        }
        Accept::Word => "Print the word that describes it.",
        Accept::Count { .. } => "Say in how many ways it can be completed.",
    };
    let rules = if shape.is_magic() {
        magic_rules(shape)
    } else {
        house_rules(shape)
    };
    format!(
        "A grid of {order} rows and {order} columns is given, some of its cells blank. \
         {asked}\n\n{rules}\n\n{HEADINGS}"
    )
}

fn house_rules(shape: &Shape) -> String {
    let mut houses: Vec<_> = shape
        .houses()
        .iter()
        .map(|house| house.kind.to_string())
        .collect();
    houses.dedup();
    let houses = houses.iter().map(|kind| format!("each {kind}"));
    format!(
        "In a complete grid, {} holds each symbol once.{}",
        houses.joined(", "),
        arithmetic(shape)
    )
}

fn magic_rules(shape: &Shape) -> String {
    let diagonals = if shape.has_diagonals() {
        " and both diagonals"
    } else {
        ""
    };
    format!(
        "A complete grid is a magic square: it holds each number from 1 to {} once, and all rows, \
         all columns{diagonals} have the same sum.",
        shape.values()
    )
}

/// The rules of cages and inequalities, as sentences that follow the rule of the
/// houses.
fn arithmetic(shape: &Shape) -> String {
    let Some(arithmetic) = shape.arithmetic() else {
        return String::new();
    };
    let mut said = String::new();
    if let Some(cage) = arithmetic.cages.first() {
        let are_sums = arithmetic
            .cages
            .iter()
            .all(|cage| cage.operation == CageOperation::Sum);
        said += if are_sums {
            " The numbers in each cage add up to its sum"
        } else {
            " The numbers in each cage, added, multiplied, subtracted or divided as it says, come \
             to its target"
        };
        said += if cage.may_repeat {
            "."
        } else {
            ", and no number appears in a cage twice."
        };
    }
    if !arithmetic.inequalities.is_empty() {
        said += " Where a sign stands between two cells, it says which holds less.";
    }
    said
}

#[cfg(test)]
mod task_tests {
    use super::*;

    #[test]
    fn every_task_has_a_word() {
        let words = TaskChoice::value_variants().iter().map(|task| task.word());
        assert_eq!(
            words.collect::<Vec<_>>(),
            ["grid", "tokens", "lines", "exact", "program", "interactive"]
        );
    }

    #[test]
    fn the_task_is_asked_for_until_it_is_known_and_is_grids_if_nothing_is_said() {
        let asked = |given, ask, replies: &str| {
            chosen_task(given, ask, replies.as_bytes()).unwrap()
        };
        assert_eq!(asked(None, true, "\n"), TaskChoice::Grid);
        assert_eq!(asked(None, true, "words\nlines\n"), TaskChoice::Lines);
        assert_eq!(asked(None, false, ""), TaskChoice::Grid);
        assert_eq!(asked(Some(TaskChoice::Exact), true, ""), TaskChoice::Exact);
    }
}
