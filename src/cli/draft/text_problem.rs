//! The files of a new problem that does not ask for grids: small, but complete, so that `verify`
//! passes at once.

use std::io;
use std::io::BufRead;

use clap::ValueEnum;
use gridjudge_sandbox::Fault;

use crate::cli::draft::page::set;
use crate::cli::draft::{Prompter, SpecLines};
use crate::cli::{ProblemOptions, screen};

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
pub(crate) fn spec(id: &str, task: TaskChoice, options: &ProblemOptions) -> String {
    let mut lines = SpecLines::begin(id, options.title.as_deref(), options.source.as_deref());
    lines.add("\n[task]", "");
    let kind = set("kind", task.word());
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
            lines.add(&kind, "a program of the problem talks to the submission");
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
    lines.end(options.time(), options.memory())
}

/// The files beside the spec, by their paths in the problem's folder.
pub(crate) fn files(name: &str, task: TaskChoice) -> Vec<(String, String)> {
    let SampleProblem {
        statement,
        accepted,
        judging,
        ..
    } = sample(task);
    let statement =
        format!("# {name}\n\n{statement}\n## Example\n\nSee the cases of the group `sample`.\n");
    let judging = judging.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let accepted = (
        format!("submissions/accepted/{}", accepted.0),
        accepted.1.to_owned(),
    );
    [("statement.md".to_owned(), statement)]
        .into_iter()
        .chain(judging)
        .chain([accepted])
        .collect()
}

/// The files of the sample case, by their paths in the folder of the cases.
pub(crate) fn case_files(task: TaskChoice) -> [(&'static str, &'static str); 2] {
    let SampleProblem { input, answer, .. } = sample(task);
    // The answer comes first: a case without its answer is a mistake to every other command.
    [("sample/1.ans", answer), ("sample/1.in", input)]
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
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Grid => "grid",
            Self::Tokens => "tokens",
            Self::Lines => "lines",
            Self::Exact => "exact",
            Self::Program => "program",
            Self::Interactive => "interactive",
        }
    }
}

/// The task that a flag names. Otherwise it is asked for if `ask`, and is grids if not.
///
/// # Errors
/// A [`Fault`] if there is no answer to the question.
pub(crate) fn chosen(given: Option<TaskChoice>, ask: bool) -> Result<TaskChoice, Fault> {
    chosen_from(given, ask, io::stdin().lock())
}

fn chosen_from(
    given: Option<TaskChoice>,
    ask: bool,
    input: impl BufRead,
) -> Result<TaskChoice, Fault> {
    if let Some(task) = given {
        return Ok(task);
    }
    let words: Vec<_> = TaskChoice::value_variants()
        .iter()
        .map(|task| task.word())
        .collect();
    let question = format!("task ({})", words.join(", "));
    let mut prompter = Prompter { ask, input };
    loop {
        let reply = prompter.text(&None, &question, TaskChoice::Grid.word())?;
        if let Some(task) = TaskChoice::value_variants()
            .iter()
            .find(|task| task.word() == reply)
        {
            return Ok(*task);
        }
        screen::notice("it must be one of these words, as in `tokens`");
    }
}

#[cfg(test)]
mod task_tests {
    use super::*;

    #[test]
    fn the_words_are_those_of_the_flag() {
        for task in TaskChoice::value_variants() {
            assert_eq!(task.to_possible_value().unwrap().get_name(), task.word());
        }
    }

    #[test]
    fn the_task_is_asked_for_until_it_is_known_and_is_grids_if_nothing_is_said() {
        let asked =
            |given, ask, replies: &str| chosen_from(given, ask, replies.as_bytes()).unwrap();
        assert_eq!(asked(None, true, "\n"), TaskChoice::Grid);
        assert_eq!(asked(None, true, "words\nlines\n"), TaskChoice::Lines);
        assert_eq!(asked(None, false, ""), TaskChoice::Grid);
        assert_eq!(asked(Some(TaskChoice::Exact), true, ""), TaskChoice::Exact);
    }
}
