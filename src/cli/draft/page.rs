//! Makes the texts of the files of a new problem.

use std::fmt::Write;
use std::path::Path;

use gridjudge_sandbox::Fault;

use crate::cli::draft::ProblemAnswers;
use crate::cli::{ProblemOptions, questions};
use crate::model::Problem;
use crate::spec;

/// The spec of the problem that `init` creates: inputs of 4x4 grids that begin with their number.
pub(crate) fn first_spec(id: &str, title: &str) -> Result<String, Fault> {
    let options = ProblemOptions {
        title: Some(title.to_owned()),
        order: Some(4),
        cases: Some("count".to_owned()),
        most: Some(20),
        ..ProblemOptions::default()
    };
    Ok(spec(id, &questions::answered(&options, None, false)?))
}

/// The text of `problem.toml`: commented lines for the keys that are set, and commented-out lines
/// for others.
pub(crate) fn spec(id: &str, answers: &ProblemAnswers) -> String {
    let mut lines = SpecLines::begin(id, answers.title.as_deref(), answers.source.as_deref());
    add_grid(&mut lines, answers);
    add_input(&mut lines, answers);
    add_output(&mut lines, answers);
    add_answer(&mut lines, answers);
    lines.end(&answers.time, &answers.memory) + &recipe(answers)
}

fn add_grid(lines: &mut SpecLines, answers: &ProblemAnswers) {
    lines.add("\n[grid]", "");
    lines.add(
        &format!("order = {}", answers.order),
        "rows, columns and symbols",
    );
    lines.add(
        &set("boxes", &answers.boxes),
        "rows x columns of one box; \"square\"; \"none\" for a Latin square",
    );
    lines.add(
        &format!(
            "{}diagonals = true",
            if answers.diagonals { "" } else { "# " }
        ),
        "both hold each symbol once",
    );
    lines.add(
        &set("symbols", &answers.symbols),
        "a character for each; \"numbers\" for 1, 2, ..., 10, ...",
    );
    lines.add(
        &set("blanks", &answers.blanks),
        "characters for a blank cell; the first is written",
    );
}

fn add_input(lines: &mut SpecLines, answers: &ProblemAnswers) {
    lines.add("\n[input]", "");
    lines.add(
        &set("cases", &answers.cases),
        "\"one\", \"count\", \"eof\" or \"until\"",
    );
    if let Some(most) = answers.most {
        lines.add(&format!("most = {most}"), "grids in an input");
    }
    if let Some(until) = &answers.until {
        lines.add(&set("until", until), "the line after the last grid");
    }
    lines.add(&set("cells", &answers.cells), "\"joined\" or \"spaced\"");
    lines.add("# rows = \"one-line\"", "all rows of a grid on one line");
    lines.add(
        "# blank_lines = \"between\"",
        "or \"before\" or \"after\" each grid",
    );
    lines.add("# banner = \"Grid {n:02}\"", "a line before each grid");
}

fn add_output(lines: &mut SpecLines, answers: &ProblemAnswers) {
    if !["count", "word"].contains(&answers.accept.as_str()) {
        lines.add("\n[output]", "");
        lines.add(&set("cells", &answers.cells), "\"joined\" or \"spaced\"");
        lines.add("# banner = \"Case #{n}:\"", "a line before each answer");
        lines.add(
            "# white_space = \"strict\"",
            "every space and empty line counts",
        );
    }
}

fn add_answer(lines: &mut SpecLines, answers: &ProblemAnswers) {
    lines.add("\n[answer]", "");
    lines.add(
        &set("accept", &answers.accept),
        "\"unique\", \"any\", \"first\", \"all\", \"count\" or \"word\"",
    );
    if ["all", "count"].contains(&answers.accept.as_str()) {
        lines.add("most = 1000", "solutions of one grid");
    }
    if answers.accept == "count" {
        lines.add(
            &set("count", "{count}"),
            "the line with the number of solutions",
        );
    }
    if answers.accept == "word" {
        lines.add(&set("solvable", "YES"), "the answer if there is a solution");
        lines.add(
            &set("none", answers.none.as_deref().unwrap_or("NO")),
            "the answer if there is none",
        );
        return lines.add("# invalid = \"INVALID\"", "the answer if clues clash");
    }
    lines.add(
        &maybe("none", answers.none.as_deref(), "NO SOLUTION"),
        "the answer if there is none",
    );
    // A combination that makes no sense is written as requested: the rules of the spec will refuse
    // it.
    if answers.accept == "unique" || answers.several.is_some() {
        lines.add(
            &maybe("several", answers.several.as_deref(), "NOT UNIQUE"),
            "the answer if there are several",
        );
    }
}

/// The recipe of the sample case, and where to read about other kinds.
fn recipe(answers: &ProblemAnswers) -> String {
    let cells = u32::from(answers.order) * u32::from(answers.order);
    // Reducing large grids to the fewest clues takes too long.
    let kind = if answers.order <= 9 {
        "kind = \"minimal\"".to_owned()
    } else {
        format!("kind = \"clues\"\nclues = {}", cells * 3 / 5)
    };
    let grids = if answers.cases == "one" {
        ""
    } else {
        "grids = 2\n"
    };
    format!(
        "\n# Cases that `gridjudge generate` makes; docs/generate.md has more kinds.\n[[generate]]\ngroup = \"sample\"\n\
         name = \"1\"\n{kind}\n{grids}seed = 1\n"
    )
}

/// The draft of a statement.
pub(crate) fn statement(problem: &Problem) -> String {
    format!(
        "# {}\n\n{}",
        problem.name,
        spec::statement_of(&problem.task)
    )
}

/// What the user should do next. `cases` is the folder for cases, if they are written by hand.
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

/// The text of a spec under construction.
pub(super) struct SpecLines(String);

impl SpecLines {
    /// What every spec begins with.
    pub(super) fn begin(id: &str, title: Option<&str>, source: Option<&str>) -> Self {
        let mut lines = Self(format!(
            "# Every key is explained in docs/spec.md. `gridjudge verify {id}` proves what this \
             file says.\n"
        ));
        lines.add(&set("name", title.unwrap_or(id)), "its title");
        lines.add(&maybe("source", source, "a contest"), "where it comes from");
        lines
    }

    /// The whole text, with the limits at its end.
    pub(super) fn end(mut self, time: &str, memory: &str) -> String {
        self.add("\n[limits]", "");
        self.add(&set("time", time), "CPU time");
        self.add(&set("memory", memory), "");
        self.0
    }

    pub(super) fn add(&mut self, line: &str, comment: &str) {
        let _ = match comment {
            "" => writeln!(self.0, "{line}"),
            comment => writeln!(self.0, "{line:<28} # {comment}"),
        };
    }
}

/// A line that sets a key.
pub(super) fn set(key: &str, value: &str) -> String {
    format!("{key} = {}", toml::Value::from(value))
}

/// A line that sets a key to `value`; without one, a commented-out line with an example.
fn maybe(key: &str, value: Option<&str>, example: &str) -> String {
    value.map_or_else(
        || format!("# {}", set(key, example)),
        |value| set(key, value),
    )
}
