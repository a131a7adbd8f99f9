//! Writes the first draft of a problem's statement from its spec.

use gridjudge_grid::{CageOperation, Shape};

use crate::model::{Accept, GridTask, Task};
use crate::text::JoinedTexts;

/// The draft of a statement's body, for the setter to complete: what is asked, and the
/// headings.
pub fn statement_of(task: &Task) -> String {
    match task {
        Task::Grid(task) => grid_statement(task),
        Task::Text(_) | Task::Checker(_) => HEADINGS.to_owned(),
    }
}

/// The headings in the statement of every problem.
const HEADINGS: &str =
    "## Input\n\n## Output\n\n## Example\n\nSee the cases of the group `sample`.\n";

fn grid_statement(task: &GridTask) -> String {
    let shape = task.format.shape();
    let order = shape.order();
    let asked = match task.accept {
        Accept::Unique => "Complete it. There is just one way.",
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
