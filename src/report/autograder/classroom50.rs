//! `result.json` of Classroom 50, with the keys of its schema and no others, since it refuses
//! others. Source: the wiki of github.com/foundation50/classroom50, `Advanced Autograding`.
//!
//! The points are whole numbers. They are those of the problems, times the power of ten that makes
//! all points that can be had whole; what was earned is rounded down.

use serde::Serialize;

use crate::model::PointValue;
use crate::report::autograder::{AutograderResult, AutograderTest, json};

/// The name of the schema.
pub const SCHEMA: &str = "classroom50/result/v1";

/// The most points, and the most that they are multiplied by.
const MOST: f64 = 1e12;
const LARGEST_FACTOR: f64 = 1e6;

/// What the runner of Classroom 50 says of the run in environment variables.
#[derive(Clone, Debug, Default)]
pub struct ClassroomRun {
    /// `CLASSROOM`.
    pub classroom: String,
    /// `ASSIGNMENT`.
    pub assignment: String,
    /// `ASSIGNMENT_TYPE`.
    pub assignment_type: String,
    /// `OWNER`.
    pub owner: String,
    /// `SUBMISSION_TAG`.
    pub submission: String,
    /// `COMMIT_URL`.
    pub commit: String,
    /// `RELEASE_URL`.
    pub release: String,
    /// `REVIEW_URL`.
    pub review: String,
}

#[derive(Serialize)]
struct Result<'r> {
    schema: &'static str,
    classroom: &'r str,
    assignment: &'r str,
    assignment_type: &'r str,
    owner: &'r str,
    submission: &'r str,
    commit: &'r str,
    release: &'r str,
    review: &'r str,
    datetime: &'r str,
    score: i64,
    #[serde(rename = "max-score")]
    max_score: i64,
    tests: Vec<Test>,
}

#[derive(Serialize)]
struct Test {
    #[serde(rename = "test-name")]
    name: String,
    passed: bool,
    score: i64,
    #[serde(rename = "max-score")]
    max_score: i64,
}

pub(super) fn render(result: &AutograderResult, run: &ClassroomRun) -> String {
    let all = result.problems.iter().flat_map(|one| &one.tests);
    let most = all.clone().filter_map(|test| Some(test.points?.1.get()));
    let factor = factor(&most.collect::<Vec<_>>());
    let mut tests: Vec<_> = all.map(|test| test_of(test, factor)).collect();
    if !result.worth.is_final {
        // The schema has no other place for words.
        tests.push(Test {
            name: if result.is_unknown {
                "the judge could judge all of it (if not, this is no result)".to_owned()
            } else {
                "everything was judged in time".to_owned()
            },
            passed: false,
            score: 0,
            max_score: 0,
        });
    }
    json(&Result {
        schema: SCHEMA,
        classroom: &run.classroom,
        assignment: &run.assignment,
        assignment_type: &run.assignment_type,
        owner: &run.owner,
        submission: &run.submission,
        commit: &run.commit,
        release: &run.release,
        review: &run.review,
        datetime: match &*result.started {
            "" => "1970-01-01T00:00:00Z",
            started => started,
        },
        score: tests.iter().map(|test| test.score).sum(),
        max_score: tests.iter().map(|test| test.max_score).sum(),
        tests,
    })
}

fn test_of(test: &AutograderTest, factor: f64) -> Test {
    let (earned, of) = test.points.unwrap_or_default();
    Test {
        name: test.name.clone(),
        passed: test.has_passed,
        score: whole(earned, factor),
        max_score: whole(of, factor),
    }
}

/// The smallest power of ten that makes all of these whole, within bounds.
fn factor(points: &[f64]) -> f64 {
    let mut factor = 1.0;
    while factor < LARGEST_FACTOR
        && points
            .iter()
            .any(|points| (points * factor - (points * factor).round()).abs() > 1e-6)
    {
        factor *= 10.0;
    }
    factor
}

#[expect(clippy::cast_possible_truncation, reason = "it is in range")]
fn whole(points: PointValue, factor: f64) -> i64 {
    // A little more, because a number of points is rounded to nine decimals.
    (points.get() * factor + 1e-6).clamp(0.0, MOST).floor() as i64
}
