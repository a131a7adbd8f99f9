//! The files of a new problem, as texts.

use std::fmt::Write;
use std::path::Path;

use super::questions::ProblemAnswers;
use crate::model::Problem;
use crate::spec;

/// `problem.toml`, with a word on every key that is set and the line for every key that is not.
pub(super) fn spec(id: &str, answers: &ProblemAnswers) -> String {
    let mut text = format!(
        "# Every key is explained in docs/spec.md. `gridjudge verify {id}` proves what stands here.\n"
    );
    let mut line = |line: String, comment: &str| {
        let _ = match comment {
            "" => writeln!(text, "{line}"),
            comment => writeln!(text, "{line:<28} # {comment}"),
        };
    };
    line(set("name", answers.title.as_deref().unwrap_or(id)), "its title");
    line(maybe("source", answers.source.as_deref(), "a contest"), "where it comes from");
    line("\n[grid]".to_owned(), "");
    line(format!("order = {}", answers.order), "rows, columns and symbols");
    line(set("boxes", &answers.boxes), "rows x columns of one box; \"square\"; \"none\" for a Latin square");
    line(
        format!("{}diagonals = true", if answers.diagonals { "" } else { "# " }),
        "both hold each symbol once",
    );
    line(set("symbols", &answers.symbols), "a character for each; \"numbers\" for 1, 2, ..., 10, ...");
    line(set("blanks", &answers.blanks), "characters for a blank cell; the first is written");
    line("\n[input]".to_owned(), "");
    line(set("cases", &answers.cases), "\"one\", \"count\", \"eof\" or \"until\"");
    if let Some(most) = answers.most {
        line(format!("most = {most}"), "grids in an input");
    }
    if let Some(until) = &answers.until {
        line(set("until", until), "the line behind the last grid");
    }
    line(set("cells", &answers.cells), "\"joined\" or \"spaced\"");
    line("# rows = \"one-line\"".to_owned(), "all rows of a grid on one line");
    line("# blank_lines = \"between\"".to_owned(), "or \"before\" or \"after\" each grid");
    line("# banner = \"Grid {n:02}\"".to_owned(), "a line before each grid");
    if answers.accept != "count" {
        line("\n[output]".to_owned(), "");
        line(set("cells", &answers.cells), "\"joined\" or \"spaced\"");
        line("# banner = \"Case #{n}:\"".to_owned(), "a line before each answer");
        line("# white_space = \"strict\"".to_owned(), "every space and empty line counts");
    }
    line("\n[answer]".to_owned(), "");
    line(set("accept", &answers.accept), "\"unique\", \"any\", \"first\", \"all\" or \"count\"");
    if ["all", "count"].contains(&answers.accept.as_str()) {
        line("most = 1000".to_owned(), "solutions of one grid");
    }
    if answers.accept == "count" {
        line(set("count", "{count}"), "the line with the number of solutions");
    }
    line(maybe("none", answers.none.as_deref(), "NO SOLUTION"), "what is answered where there is none");
    // What makes no sense is written as it was wished: the spec's own rules say so then.
    if answers.accept == "unique" || answers.several.is_some() {
        line(
            maybe("several", answers.several.as_deref(), "NOT UNIQUE"),
            "what is answered where there are several",
        );
    }
    line("\n[limits]".to_owned(), "");
    line(set("time", &answers.time), "CPU time");
    line(set("memory", &answers.memory), "");
    text + &recipe(answers)
}

/// The sample case, and where to read about more.
fn recipe(answers: &ProblemAnswers) -> String {
    let cells = u32::from(answers.order) * u32::from(answers.order);
    // Small grids may be as sparse as can be; large ones take too long to make so.
    let kind = if answers.order <= 9 {
        "kind = \"minimal\"".to_owned()
    } else {
        format!("kind = \"clues\"\nclues = {}", cells * 3 / 5)
    };
    let grids = if answers.cases == "one" { "" } else { "grids = 2\n" };
    format!(
        "\n# Cases that `gridjudge generate` makes; docs/generate.md has more kinds.\n[[generate]]\ngroup = \"sample\"\n\
         name = \"1\"\n{kind}\n{grids}seed = 1\n"
    )
}

fn set(key: &str, value: &str) -> String {
    format!("{key} = {}", toml::Value::from(value))
}

fn maybe(key: &str, value: Option<&str>, example: &str) -> String {
    value.map_or_else(|| format!("# {}", set(key, example)), |value| set(key, value))
}

/// A statement to be completed.
pub(super) fn statement(problem: &Problem) -> String {
    format!("# {}\n\n{}", problem.name, spec::statement_of(&problem.task))
}

/// What to do with it.
pub(super) fn next_steps(id: &str, place: &Path) -> String {
    format!(
        "Next:\n  edit {0}/problem.toml and {0}/statement.md\n  put programs into {0}/submissions/accepted, .../wrong, \
         .../slow\n  gridjudge generate {id}\n  gridjudge verify {id}",
        place.display()
    )
}
