//! Says what is wrong in the draft of a spec by the flags and questions that it was made from: no
//! file with those lines exists.

use crate::cli::draft::questions::{ProblemOptions, question};
use crate::spec::{Mistake, Mistakes};

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
