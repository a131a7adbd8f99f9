//! What Autolab reads from standard output: text for the student, and in the last line the points of
//! each problem as JSON. Source: github.com/autolab/Autolab, `docs/lab.md`.
//!
//! A problem at which the judge failed has no points, as one that is graded by hand.

use crate::sorted::SortedMap;

use serde::Serialize;

use crate::model::PointValue;
use crate::report::autograder::AutograderResult;

/// The first bytes of such a report.
pub const START: &str = "gridjudge, for Autolab\n";

/// The last line.
#[derive(Serialize)]
struct Scores<'r> {
    /// Points, by the id of the problem.
    scores: SortedMap<&'r str, PointValue>,
}

/// The tests for people to read, and after them the line that Autolab reads. A problem whose points
/// are not known has no score in it.
pub(super) fn render(result: &AutograderResult) -> String {
    let mut text = format!("{START}{}\n", result.text());
    for (number, test) in result.tests() {
        text += &format!("\n{}\n", test.head(&number));
        for line in test.text.lines() {
            text += &format!("    {line}\n");
        }
    }
    let known = result.problems.iter().filter(|one| !one.is_unknown);
    let scores = known.map(|one| (one.name.as_str(), one.worth.earned));
    let scores = Scores {
        scores: scores.collect(),
    };
    let last = serde_json::to_string(&scores).expect("texts and numbers");
    format!("{text}\n{last}\n")
}
