//! Writes a page about a failing input, to be stored beside it and understood months later.

use std::fmt::Write;

use gridjudge_sandbox::Limits;

use crate::authoring::stress::{DraftGrid, InputOutcome};
use crate::run;
use crate::text::{counted, plural};

/// The contents of the page.
pub struct FailureNote<'a> {
    /// The id of the problem.
    pub problem: &'a str,
    /// The name of the submission in reports.
    pub submission: &'a str,
    /// The name of the program that it was compared with, if any.
    pub against: Option<&'a str>,
    /// Where the input comes from, in words.
    pub origin: &'a str,
    /// The size of the input, and its size before it was shrunk, in words.
    pub size: &'a str,
    /// The outcome of the input.
    pub outcome: &'a InputOutcome,
    /// Further remarks, one sentence each.
    pub remarks: &'a [String],
    /// The limits of the submission's run.
    pub limits: &'a Limits,
    /// The command that repeats the failure.
    pub command: &'a str,
    /// The command that finds the failure again.
    pub search: &'a str,
}

impl FailureNote<'_> {
    /// The finding, in one line.
    pub fn finding(&self) -> String {
        let trial = &self.outcome.trial;
        let why = run::reason_of_trial(trial, self.limits);
        let why = if why.is_empty() {
            String::new()
        } else {
            format!(": {why}")
        };
        let other = self.outcome.against.as_ref().zip(self.against);
        let other = other.map_or_else(String::new, |(other, name)| {
            format!("; {name}: {} ({})", other.verdict, other.verdict.meaning())
        });
        format!(
            "{} ({}){why}{other}",
            trial.verdict,
            trial.verdict.meaning()
        )
    }

    /// The page, in Markdown.
    pub fn text(&self) -> String {
        let mut page = format!("# {} fails on this input\n\n", self.submission);
        let mut row = |name: &str, value: &str| {
            // Writing to a string cannot fail.
            let _ = writeln!(page, "- {name}: {value}");
        };
        row("problem", self.problem);
        row("submission", self.submission);
        self.against
            .into_iter()
            .for_each(|other| row("compared with", other));
        row("finding", &self.finding());
        row("found", self.origin);
        row("size", self.size);
        self.remarks.iter().for_each(|remark| row("note", remark));
        let Self {
            command,
            search,
            problem,
            ..
        } = self;
        let _ = write!(
            page,
            "\nThe failure again:\n\n    {command}\n\nThe search again:\n\n    {search}\n\n\
             To keep it as a case, copy the files `.in` and `.ans` into a group of the cases of {problem}.\n"
        );
        page
    }
}

/// The result of shrinking an input of grids, in words.
pub fn size_of_shrunk(found: &[DraftGrid], left: &[DraftGrid], runs: u64) -> String {
    let sizes = (grids(found), grids(left));
    match (runs, found == left) {
        (0, _) => format!("as it was found: {}", sizes.1),
        (_, true) => format!("not made smaller by {}: {}", counted(runs, "run"), sizes.1),
        (_, false) => format!(
            "shrunk from {} to {}, in {}",
            sizes.0,
            sizes.1,
            counted(runs, "run")
        ),
    }
}

/// The size of a text input, in words.
pub fn size_of_text(input: &[u8]) -> String {
    let lines = input.split_inclusive(|byte| *byte == b'\n').count();
    format!(
        "{}, {}",
        counted(lines, "line"),
        counted(input.len(), "byte")
    )
}

/// The size of an input of grids, in words.
fn grids(grids: &[DraftGrid]) -> String {
    let count = grids.len() as u64;
    let blanks: usize = grids.iter().map(DraftGrid::blanks).sum();
    let blanks = format!("{blanks} {}", plural(blanks as u64, "blank"));
    match grids {
        [] => "no grid".to_owned(),
        [grid] => {
            let order = grid.cells.len().isqrt();
            format!("1 grid of order {order} with {blanks}")
        }
        _ => format!("{count} {} with {blanks}", plural(count, "grid")),
    }
}
