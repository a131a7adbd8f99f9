//! Checks what an output claims about the solutions of a grid against the right answer: their
//! number, or a text in place of them.

use gridjudge_grid::Template;
use gridjudge_grid::format::ReplyKind;

use crate::check::ExpectedAnswer;
use crate::check::grid::expected_answer;
use crate::check::list::SolutionSet;
use crate::check::list::solution_set::distinguishing_row;
use crate::model::{Accept, FindingRule};

impl SolutionSet<'_> {
    /// What is wrong with a number of solutions.
    pub(super) fn wrong_number(&self, number: Option<u64>) -> Option<String> {
        // Where a text is expected instead, that is reported at the end of the case.
        let expected = self.truth.as_ref()?.number()?;
        let found = number.map_or("too large for any grid".to_owned(), |number| {
            number.to_string()
        });
        (number != Some(expected))
            .then(|| format!("the number of solutions is {found}, expected {expected}"))
    }

    /// What is wrong with a text in place of the solutions of grid `number`, and why.
    pub(super) fn wrong_claim(&self, reply: ReplyKind, number: u64) -> Option<String> {
        let words = self.format.replies.text(reply)?;
        if self.text_expected() == Some(words) {
            return None;
        }
        if self.accept == Accept::Word {
            return self.wrong_word(words, number);
        }
        let text = self.line_of(words, number);
        let why = match (reply, self.truth.as_ref()?) {
            (_, ExpectedAnswer::Reply(ReplyKind::Invalid)) => {
                let clash = expected_answer::clash(self.format, &self.context, &self.clues);
                format!(
                    "but {}",
                    clash.unwrap_or_else(|| "two of its clues clash".to_owned())
                )
            }
            (ReplyKind::Invalid, _) => "but no two of its clues clash".to_owned(),
            (
                ReplyKind::None,
                ExpectedAnswer::All(all) | ExpectedAnswer::Counted { shown: all, .. },
            ) if !all.is_empty() => {
                let number = self.truth.as_ref()?.number()?;
                let row = expected_answer::row_text(
                    self.format,
                    &self.context.shape,
                    &all[0],
                    distinguishing_row(all, 0, &self.context),
                );
                format!("but there {}; the first has {row}", number_of(number))
            }
            (_, ExpectedAnswer::All(all)) => format!("but there {}", number_of(all.len() as u64)),
            (_, ExpectedAnswer::Count(number) | ExpectedAnswer::Counted { count: number, .. }) => {
                format!("but there {}", number_of(*number))
            }
            (_, ExpectedAnswer::Reply(ReplyKind::None)) => {
                format!("but there is no solution: {}", self.no_solution())
            }
            (_, ExpectedAnswer::Reply(_) | ExpectedAnswer::One(_)) => self.many_solutions(),
        };
        Some(format!("`{text}`, {why}"))
    }

    /// What is wrong with a word, and why, where another is expected.
    fn wrong_word(&self, words: &Template, number: u64) -> Option<String> {
        let expected = self.text_expected()?;
        let why = expected_answer::proof(
            self.format,
            &self.context,
            &self.clues,
            Some(words),
            expected,
        );
        let [text, expected] = [words, expected].map(|words| self.line_of(words, number));
        Some(match why {
            Some(why) => format!("`{text}`, but {why}; expected `{expected}`"),
            None => format!("`{text}`, expected `{expected}`"),
        })
    }

    fn many_solutions(&self) -> String {
        match self.context.solver().solutions(&self.clues, 1) {
            Ok(found) if !found.is_empty() => {
                let row = expected_answer::row_text(self.format, &self.context.shape, &found[0], 0);
                format!("but there are many solutions; one has {row}")
            }
            _ => "but there are many solutions".to_owned(),
        }
    }

    /// Why this text is expected, for an output that has none.
    pub(super) fn missing_text(&self, words: &Template, number: u64) -> String {
        let text = self.line_of(words, number);
        let why = match self.truth {
            _ if self.accept == Accept::Word => {
                let why =
                    expected_answer::proof(self.format, &self.context, &self.clues, None, words);
                Some(why.map_or("the word is missing".to_owned(), |why| {
                    format!("the word is missing: {why}")
                }))
            }
            Some(ExpectedAnswer::Reply(ReplyKind::Invalid)) => {
                expected_answer::clash(self.format, &self.context, &self.clues)
            }
            Some(ExpectedAnswer::Reply(ReplyKind::None)) => {
                Some(format!("there is no solution: {}", self.no_solution()))
            }
            _ => Some("there are more solutions than may be shown or counted".to_owned()),
        };
        why.map_or_else(
            || format!("expected `{text}`"),
            |why| format!("{why}; expected `{text}`"),
        )
    }

    /// What is wrong with a line in place of grid `number` that is neither a number nor a word of
    /// the problem.
    pub(super) fn strange_line(
        &self,
        found: &str,
        number: u64,
        count: Option<&Template>,
    ) -> (FindingRule, String) {
        if let Some(count) = count {
            let expected = count.line(12);
            let message =
                format!("expected the number of solutions, as `{expected}`, found `{found}`");
            return (FindingRule::Count, message);
        }
        let line_of = |words| self.line_of(words, number);
        let mut words: Vec<_> = self
            .format
            .replies
            .texts()
            .map(|(_, text)| line_of(text))
            .collect();
        words.sort_unstable();
        words.dedup();
        let message = match self.text_expected().map(line_of) {
            Some(expected) => format!("the word is `{found}`, expected `{expected}`"),
            None => format!(
                "the word is `{found}`, expected one of `{}`",
                words.join("`, `")
            ),
        };
        (FindingRule::Claim, message)
    }

    /// The text that should stand in place of a number or of solutions.
    pub(super) fn text_expected(&self) -> Option<&Template> {
        match self.truth.as_ref()? {
            ExpectedAnswer::Reply(reply) => self.format.replies.text(*reply),
            _ => None,
        }
    }

    fn line_of(&self, words: &Template, number: u64) -> String {
        words.line(self.format.output.case_number(number))
    }

    fn no_solution(&self) -> String {
        expected_answer::contradiction(
            self.format,
            &self.context.shape,
            &self.context.rules,
            &self.clues,
        )
    }
}

fn number_of(solutions: u64) -> String {
    match solutions {
        0 => "is no solution".to_owned(),
        1 => "is a solution".to_owned(),
        many => format!("are {many} solutions"),
    }
}
