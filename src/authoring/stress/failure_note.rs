//! What is to be known of an input that fails, as a page beside it, to be understood months later.

use std::fmt::Write;

use crate::authoring::stress::draft::DraftGrid;
use crate::authoring::stress::failing_input::FailingInput;
use crate::run;
use crate::text::plural;
use gridjudge_sandbox::Limits;

/// Everything that the page says.
pub struct FailureNote<'a> {
    /// The problem.
    pub problem: &'a str,
    /// What reports call the submission.
    pub submission: &'a str,
    /// The same of the program that it was compared with.
    pub against: Option<&'a str>,
    /// Where the input comes from, in words.
    pub origin: &'a str,
    /// The input as it was found.
    pub found: &'a [DraftGrid],
    /// The input as it is now.
    pub failure: &'a FailingInput,
    /// Runs that shrinking took.
    pub runs: u64,
    /// What else is to be said, a sentence each.
    pub remarks: &'a [String],
    /// What a run of the submission may use.
    pub limits: &'a Limits,
    /// The command that repeats the failure.
    pub command: &'a str,
    /// The command that finds it again.
    pub search: &'a str,
}

impl FailureNote<'_> {
    /// The finding, in a line.
    pub fn finding(&self) -> String {
        let trial = &self.failure.outcome.trial;
        let why = run::reason(trial, self.limits);
        let why = if why.is_empty() { String::new() } else { format!(": {why}") };
        let other = self.failure.outcome.against.as_ref().zip(self.against);
        let other = other.map_or_else(String::new, |(other, name)| {
            format!("; {name}: {} ({})", other.verdict, other.verdict.meaning())
        });
        format!("{} ({}){why}{other}", trial.verdict, trial.verdict.meaning())
    }

    /// What shrinking came to, in a line.
    pub fn shrinking(&self) -> String {
        let (found, left) = (sizes(self.found), sizes(&self.failure.draft.grids));
        let runs = format!("{} {}", self.runs, plural(self.runs, "run"));
        match (self.runs, self.found == self.failure.draft.grids) {
            (0, _) => format!("as it was found: {left}"),
            (_, true) => format!("not made smaller by {runs}: {left}"),
            (_, false) => format!("shrunk from {found} to {left}, in {runs}"),
        }
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
        self.against.into_iter().for_each(|other| row("compared with", other));
        row("finding", &self.finding());
        row("found", self.origin);
        row("size", &self.shrinking());
        self.remarks.iter().for_each(|remark| row("note", remark));
        let Self { command, search, problem, .. } = self;
        let _ = write!(
            page,
            "\nThe failure again:\n\n    {command}\n\nThe search again:\n\n    {search}\n\n\
             To keep it as a case, copy the files `.in` and `.ans` into a group of the cases of {problem}.\n"
        );
        page
    }
}

/// How large an input is, in words.
fn sizes(grids: &[DraftGrid]) -> String {
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
