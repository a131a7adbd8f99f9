//! What a new problem asks for: grids, or one of the kinds of `[task]`.

use std::io;
use std::io::BufRead;

use clap::ValueEnum;

use crate::cli::draft::prompter::Prompter;
use crate::cli::screen;
use gridjudge_sandbox::Fault;

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
mod tests {
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
