//! Drafts the files of a new problem: for grids from the settings that [`questions`]
//! collects, for every other task from a sample problem. Writes no file.

pub(crate) mod questions;

use std::io::{self, BufRead};
use std::iter;
use std::path::Path;

use clap::ValueEnum;
use gridjudge_grid::{CageOperation, Replies, Shape};
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
    .map(|(key, text)| (key.to_owned(), text.to_owned()))
    .into();
    Ok(grid_spec(
        id,
        &questions::answered(&given, None, false, io::empty())?,
    ))
}

/// The text of `problem.toml`: commented lines for the keys that are set, and
/// commented-out lines for others.
pub(crate) fn grid_spec(id: &str, settings: &ProblemSettings) -> String {
    let accept = &*settings["accept"];
    let output = if ["count", "word"].contains(&accept) {
        ""
    } else {
        include_str!("samples/output.toml")
    };
    // A combination that makes no sense is written as requested: the rules of the spec
    // will refuse it.
    let answer = match accept {
        "word" => include_str!("samples/answer_word.toml"),
        "count" => include_str!("samples/answer_count.toml"),
        "all" => include_str!("samples/answer_all.toml"),
        "unique" => include_str!("samples/answer_unique.toml"),
        _ => include_str!("samples/answer_other.toml"),
    };
    let task = [include_str!("samples/grid.toml"), output, answer].concat();
    filled_spec(id, &task, settings) + &recipe(settings)
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

/// The files of a new problem: their names below its folder, or below that of its
/// cases, and their contents.
pub(crate) struct NewProblem {
    pub(crate) problem: DraftFiles,
    pub(crate) cases: DraftFiles,
}

/// The files of a draft: their names in a folder, and their contents.
pub(crate) type DraftFiles = Vec<(String, Vec<u8>)>;

/// The spec and the statement of a problem of grids.
pub(crate) fn grid_files(problem: &Problem, spec: String) -> DraftFiles {
    let statement = problem
        .task
        .as_grid()
        .map_or_else(|| HEADINGS.to_owned(), grid_statement);
    spec_and_statement(spec, &problem.name, &statement)
}

fn spec_and_statement(spec: String, title: &str, statement: &str) -> DraftFiles {
    let statement = format!("# {title}\n\n{statement}");
    vec![
        (SPEC.to_owned(), spec.into()),
        ("statement.md".to_owned(), statement.into()),
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

/// The template of a spec with this task, and with the settings put in. A line sets a
/// key to an example: to its own setting, if there is one. Otherwise the line stays as
/// it is, but is left out if the example is a question mark. A line that begins with a
/// space has no setting.
fn filled_spec(id: &str, task: &str, settings: &ProblemSettings) -> String {
    let template = include_str!("samples/spec.toml")
        .replace("{id}", id)
        .replace("{task}", task);
    let mut spec = String::new();
    for line in template.lines() {
        let (code, comment) = line.split_once(" # ").unwrap_or((line, ""));
        let (key, example) = code.split_once(" = ").unwrap_or((code, ""));
        let key = key.trim_start_matches("# ");
        let filled = match settings.get(key) {
            None if ["?", "\"?\""].contains(&example.trim_end()) => continue,
            None => line.trim_start().to_owned(),
            Some(text) => {
                let value = if example.starts_with('"') {
                    toml::Value::from(&**text).to_string()
                } else {
                    text.clone()
                };
                let set = format!("{key} = {value}");
                format!("{set:<28} # {comment}")
            }
        };
        spec += filled.trim_end_matches([' ', '#']);
        spec.push('\n');
    }
    spec
}

// The files of a new problem that does not ask for grids: small, but complete, so that
// `verify` passes at once.

/// A small problem to begin with.
struct SampleProblem {
    /// The section of the spec about the task.
    task: &'static str,
    statement: &'static str,
    input: &'static str,
    answer: &'static str,
    /// The programs: a right submission, and the one that judges submissions, if there
    /// is one. Their names below the problem's folder, and their texts.
    programs: &'static [(&'static str, &'static str)],
}

const TWICE: SampleProblem = SampleProblem {
    task: include_str!("samples/tokens.toml"),
    statement: include_str!("samples/twice.md"),
    input: "21\n",
    answer: "42\n",
    programs: &[(
        "submissions/accepted/twice.py",
        include_str!("samples/twice.py"),
    )],
};

/// The problem to begin with for a task that is not about grids.
fn sample(task: TaskChoice) -> SampleProblem {
    use TaskChoice::*;
    match task {
        Grid | Tokens => TWICE,
        Lines => SampleProblem {
            task: include_str!("samples/lines.toml"),
            ..TWICE
        },
        Exact => SampleProblem {
            task: include_str!("samples/exact.toml"),
            ..TWICE
        },
        Program => SampleProblem {
            task: include_str!("samples/program.toml"),
            statement: include_str!("samples/two_numbers.md"),
            input: "10\n",
            answer: "1 9\n",
            programs: &[
                ("check.py", include_str!("samples/check.py")),
                (
                    "submissions/accepted/two_numbers.py",
                    include_str!("samples/two_numbers.py"),
                ),
            ],
        },
        Interactive => SampleProblem {
            task: include_str!("samples/interactive.toml"),
            statement: include_str!("samples/guess.md"),
            input: "100\n",
            answer: "37\n",
            programs: &[
                ("interact.py", include_str!("samples/interact.py")),
                (
                    "submissions/accepted/halving.py",
                    include_str!("samples/halving.py"),
                ),
            ],
        },
    }
}

/// The text of `problem.toml`.
pub(crate) fn text_spec(
    id: &str,
    task: TaskChoice,
    settings: &ProblemSettings,
) -> String {
    filled_spec(id, sample(task).task, settings)
}

/// The files of a problem with this title and spec, and its sample case.
pub(crate) fn text_files(title: &str, spec: String, task: TaskChoice) -> NewProblem {
    let sample = sample(task);
    let mut problem = spec_and_statement(spec, title, sample.statement);
    for (name, text) in sample.programs {
        problem.push(((*name).to_owned(), (*text).into()));
    }
    // The answer comes first: a case without its answer is a mistake to every other
    // command.
    let cases = vec![
        ("sample/1.ans".to_owned(), sample.answer.into()),
        ("sample/1.in".to_owned(), sample.input.into()),
    ];
    NewProblem { problem, cases }
}

// What a new problem asks for: grids, or one of the kinds of `[task]`.

/// What the submissions to a new problem have to write.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
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
    use Accept::*;
    let shape = task.format.shape();
    let order = shape.order();
    let replies = &task.format.replies;
    let asked = match task.accept {
        Unique if replies.none.is_some() || replies.several.is_some() => {
            "Complete it."
        }
        Unique => "Complete it. There is exactly one way.",
        Any => "Complete it. If there are several ways, any will do.",
        First => {
            "Complete it. If there are several ways, give the first, read row by row."
        }
        All { .. } => "Give every way to complete it, in order, read row by row.",
        FirstCounted { .. } => {
            "Say in how many ways it can be completed, and give the first, read row by row."
        }
        AnyCounted { .. } => {
            "Say in how many ways it can be completed, and give one of them."
        }
        Word => "Print what describes it.",
        Count { .. } => "Say in how many ways it can be completed.",
    };
    let rules = if shape.is_magic() {
        let diagonals = if shape.has_diagonals() {
            " and both diagonals"
        } else {
            ""
        };
        format!(
            "A complete grid is a magic square: it holds each number from 1 to {} once, and all \
             rows, all columns{diagonals} have the same sum.",
            shape.values()
        )
    } else {
        let mut houses: Vec<_> = shape
            .houses()
            .iter()
            .map(|house| format!("each {}", house.kind))
            .collect();
        houses.dedup();
        format!(
            "In a complete grid, {} holds each symbol once.{}",
            houses.join(", "),
            arithmetic(shape)
        )
    };
    let texts = texts_in_words(replies);
    let asked = iter::once(asked.to_owned()).chain(texts).joined(" ");
    format!(
        "A grid of {order} rows and {order} columns is given, some of its cells blank. \
         {asked}\n\n{rules}\n\n{HEADINGS}"
    )
}

/// When each text is the answer in place of a grid, a sentence each.
fn texts_in_words(replies: &Replies) -> impl Iterator<Item = String> {
    let texts = [
        (&replies.invalid, "two clues contradict each other"),
        (&replies.solvable, "it can be completed"),
        (&replies.one, "there is exactly one way"),
        (&replies.none, "it cannot be completed"),
        (&replies.several, "there are several ways"),
    ];
    texts.into_iter().filter_map(|(text, when)| {
        let text = text.as_ref()?.spelling("n");
        Some(format!("If {when}, print `{text}`."))
    })
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
