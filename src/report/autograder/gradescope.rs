//! `results.json` of Gradescope. Source: gradescope-autograders.readthedocs.io, specifications.
//!
//! There must be a score. After a failure of the judge it is what is known, and `output` says first
//! that it is not a result.

use serde::Serialize;

use crate::model::PointValue;
use crate::report::autograder::{AutograderResult, json};

/// By this a file is recognised as such a report of ours.
pub const MARK: &str = "\"gridjudge\": \"gradescope\"";

#[derive(Serialize)]
struct Results<'r> {
    extra_data: ExtraData,
    score: PointValue,
    /// In seconds.
    execution_time: f64,
    output: String,
    output_format: &'static str,
    visibility: &'static str,
    /// What `grade` prints may quote secret cases.
    stdout_visibility: &'static str,
    tests: Vec<Test<'r>>,
}

#[derive(Serialize)]
struct ExtraData {
    gridjudge: &'static str,
    is_final: bool,
}

#[derive(Serialize)]
struct Test<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<PointValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_score: Option<PointValue>,
    status: &'static str,
    name: &'r str,
    number: String,
    output: &'r str,
    output_format: &'static str,
    visibility: &'static str,
}

pub(super) fn render(result: &AutograderResult) -> String {
    let tests = result.tests().map(|(number, test)| Test {
        score: test.points.map(|(earned, _)| earned),
        max_score: test.points.map(|(_, of)| of),
        status: if test.has_passed { "passed" } else { "failed" },
        name: &test.name,
        number,
        output: &test.text,
        output_format: "text",
        visibility: if test.is_open {
            "visible"
        } else {
            "after_published"
        },
    });
    let results = Results {
        extra_data: ExtraData {
            gridjudge: "gradescope",
            is_final: result.worth.is_final,
        },
        score: result.worth.earned,
        #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
        execution_time: result.cpu_us as f64 / 1e6,
        output: result.text(),
        output_format: "text",
        visibility: "visible",
        stdout_visibility: "hidden",
        tests: tests.collect(),
    };
    json(&results)
}
