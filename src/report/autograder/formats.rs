//! The formats of autograders: each is a small mapping from an [`AutograderResult`].
//!
//! A report is always whole and valid: an autograder that fails at the end loses
//! everything. What could not be judged is said in it.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};

use data_encoding::BASE64;
use serde::Serialize;
use serde_json::{Value, json};

use crate::model::{Event, PointValue, Tally};
use crate::report::autograder::{
    AutograderResult, AutograderTest, CountingSubmissions,
};
use crate::report::{GradedSubmissions, SuiteReport};
use crate::text::shortened;

/// A format of an autograder, with what its system says of the run.
#[derive(Clone)]
pub enum AutograderFormat {
    /// `results.json` of Gradescope.
    Gradescope,
    /// `result.json` of Classroom 50.
    Classroom50(Box<ClassroomRun>),
    /// `results.json` of PrairieLearn.
    PrairieLearn,
    /// What Autolab reads from standard output.
    Autolab,
    /// What the Virtual Programming Lab of Moodle reads from standard output.
    Vpl(VplGrades),
}

/// Collects the submissions that count.
pub struct Autograder {
    format: AutograderFormat,
    graded: GradedSubmissions,
    counting: CountingSubmissions,
}

impl Autograder {
    /// A report in this format, with what is secret only if `reveals`.
    pub fn new(format: AutograderFormat, reveals: bool) -> Self {
        Self {
            format,
            graded: GradedSubmissions::new(reveals),
            counting: CountingSubmissions::default(),
        }
    }
}

impl SuiteReport for Autograder {
    fn take_event(&mut self, event: &Event) -> io::Result<String> {
        for graded in self.graded.take_event(event) {
            self.counting.add(graded);
        }
        match event {
            Event::SuiteStarted(start) => {
                self.counting.started.clone_from(&start.started)
            }
            Event::MistakeFound(mistake) => {
                self.counting.mistakes += usize::from(mistake.is_error());
            }
            Event::SuiteFinished(_) | Event::SuiteInterrupted(_) => {
                if let Some(mistake) = self.counting.several_students() {
                    return Err(io::Error::new(ErrorKind::InvalidInput, mistake));
                }
            }
            _ => {}
        }
        Ok(String::new())
    }

    fn text(&mut self, _: &Tally, is_interrupted: bool) -> String {
        use AutograderFormat::*;

        let result = &self.counting.result(is_interrupted);
        match &self.format {
            Gradescope => gradescope_text(result),
            Classroom50(run) => classroom50_text(result, run),
            PrairieLearn => prairielearn_text(result),
            Autolab => autolab_text(result),
            Vpl(grades) => vpl_text(result, *grades),
        }
    }
}

/// By this a file is recognised as our report for Gradescope.
pub const GRADESCOPE_MARK: &str = "\"gridjudge\": \"gradescope\"";

/// `results.json` of Gradescope. Source: gradescope-autograders.readthedocs.io,
/// specifications.
///
/// There must be a score. After a failure of the judge it is what is known, and
/// `output` says first that it is not a result.
fn gradescope_text(result: &AutograderResult) -> String {
    let tests = result.tests().map(|(number, test)| {
        let mut shown = json!({
            "status": if test.has_passed { "passed" } else { "failed" },
            "name": test.name,
            "number": number,
            "output": test.text,
            "output_format": "text",
            "visibility": if test.is_open { "visible" } else { "after_published" },
        });
        if let Some((earned, of)) = test.points {
            shown["score"] = json!(earned);
            shown["max_score"] = json!(of);
        }
        shown
    });
    pretty_json(&json!({
        "extra_data": {
            "gridjudge": "gradescope",
            "is_final": result.worth.is_final,
        },
        "score": result.worth.earned,
        // In seconds.
        "execution_time": result.cpu_us as f64 / 1e6,
        "output": result.text,
        "output_format": "text",
        "visibility": "visible",
        // What `grade` prints may quote secret cases.
        "stdout_visibility": "hidden",
        "tests": tests.collect::<Vec<_>>(),
    }))
}

/// The name of the schema of Classroom 50.
pub const CLASSROOM50_SCHEMA: &str = "classroom50/result/v1";

/// The most points for Classroom 50, and the most that they are multiplied by.
const MOST: f64 = 1e12;
const LARGEST_FACTOR: f64 = 1e6;

/// What the runner of Classroom 50 says of the run in environment variables.
#[derive(Clone, Default, Serialize)]
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
struct ClassroomResult<'r> {
    schema: &'static str,
    #[serde(flatten)]
    run: &'r ClassroomRun,
    datetime: &'r str,
    score: i64,
    #[serde(rename = "max-score")]
    max_score: i64,
    tests: Vec<ClassroomTest>,
}

#[derive(Serialize)]
struct ClassroomTest {
    #[serde(rename = "test-name")]
    name: String,
    passed: bool,
    score: i64,
    #[serde(rename = "max-score")]
    max_score: i64,
}

/// `result.json` of Classroom 50, with the keys of its schema and no others, since it
/// refuses others. Source: the wiki of github.com/foundation50/classroom50,
/// `Advanced Autograding`.
///
/// The points are whole numbers. They are those of the problems, times the power of ten
/// that makes all points that can be had whole; what was earned is rounded down.
fn classroom50_text(result: &AutograderResult, run: &ClassroomRun) -> String {
    let all = result.problems.iter().flat_map(|one| &one.tests);
    let most = all.clone().filter_map(|test| Some(test.points?.1.get()));
    let factor = factor(&most.collect::<Vec<_>>());
    let mut tests: Vec<_> = all
        .map(|test| {
            let (earned, of) = test.points.unwrap_or_default();
            ClassroomTest {
                name: test.name.clone(),
                passed: test.has_passed,
                score: whole(earned, factor),
                max_score: whole(of, factor),
            }
        })
        .collect();
    if !result.worth.is_final {
        // The schema has no other place for words.
        tests.push(ClassroomTest {
            name: if result.worth.is_known {
                "everything was judged in time".to_owned()
            } else {
                "the judge could judge all of it (if not, this is no result)"
                    .to_owned()
            },
            passed: false,
            score: 0,
            max_score: 0,
        });
    }
    pretty_json(&ClassroomResult {
        schema: CLASSROOM50_SCHEMA,
        run,
        datetime: match &*result.started {
            "" => "1970-01-01T00:00:00Z",
            started => started,
        },
        score: tests.iter().map(|test| test.score).sum(),
        max_score: tests.iter().map(|test| test.max_score).sum(),
        tests,
    })
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

fn whole(points: PointValue, factor: f64) -> i64 {
    // A little more, because a number of points is rounded to nine decimals.
    (points.get() * factor + 1e-6).clamp(0.0, MOST).floor() as i64
}

/// The first bytes of a report for PrairieLearn.
pub const PRAIRIELEARN_START: &str = "{\n  \"gradable\": ";

/// The most bytes of a report for PrairieLearn, less than it takes.
const LARGEST: usize = 1_000_000;

/// The most characters of the text about the whole where there is little room.
const SHORT_TEXT: usize = 20_000;

/// The most drawings for PrairieLearn.
const MOST_DRAWINGS: usize = 5;

/// How much of a report for PrairieLearn is written.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Extent {
    Nothing,
    Points,
    Texts,
    Drawings,
}

/// `results.json` of PrairieLearn, which takes 1 MB at most: what there is no room for
/// is left out. Source: github.com/PrairieLearn/PrairieLearn,
/// `docs/externalGrading.md`.
///
/// A submission that no compiler accepts, and one at which the judge failed, is *not
/// gradable*: neither costs the student an attempt.
fn prairielearn_text(result: &AutograderResult) -> String {
    let mut text = String::new();
    for extent in [
        Extent::Drawings,
        Extent::Texts,
        Extent::Points,
        Extent::Nothing,
    ] {
        text = pretty_json(&prairielearn_results(result, extent));
        if text.len() <= LARGEST {
            break;
        }
    }
    text
}

fn prairielearn_results(result: &AutograderResult, extent: Extent) -> Value {
    let text = &result.text;
    let output = if extent >= Extent::Texts {
        text.clone()
    } else {
        format!(
            "{}\nThe rest is left out, because the report would be too large.",
            shortened(text, SHORT_TEXT)
        )
    };
    let worth = result.worth;
    let gradable = worth.is_known && !result.is_refused;
    let mut drawings = 0;
    let tests = result
        .tests()
        .filter(|_| extent > Extent::Nothing)
        .map(|(_, found)| prairielearn_test(found, extent, &mut drawings));
    let mut results = json!({
        "gradable": gradable,
        "message": if gradable {
            worth.in_words()
        } else if worth.is_known {
            "This does not compile, and counts as no attempt.".to_owned()
        } else {
            "This could not be judged, and counts as no attempt.".to_owned()
        },
        "output": output,
        "tests": tests.collect::<Vec<_>>(),
    });
    if gradable {
        results["score"] = json!(worth.share());
    } else {
        results["format_errors"] = json!([shortened(&output, SHORT_TEXT)]);
    }
    results
}

fn prairielearn_test(
    found: &AutograderTest,
    extent: Extent,
    drawings: &mut usize,
) -> Value {
    let is_drawn =
        extent == Extent::Drawings && found.is_open && *drawings < MOST_DRAWINGS;
    let text = if extent >= Extent::Texts {
        &found.text
    } else {
        ""
    };
    let mut test = json!({
        "name": found.name,
        "message": found.outcome(),
        "output": text,
    });
    if let Some((earned, of)) = found.points {
        test["points"] = json!(earned);
        test["max_points"] = json!(of);
    }
    if let Some(svg) = found.drawing.as_ref().filter(|_| is_drawn) {
        *drawings += 1;
        let data = BASE64.encode(svg.as_bytes());
        test["images"] = json!([{
            "label": format!("The grid of {}", found.name),
            "url": format!("data:image/svg+xml;base64,{data}"),
        }]);
    }
    test
}

/// The first bytes of a report for Autolab.
pub const AUTOLAB_START: &str = "gridjudge, for Autolab\n";

/// What Autolab reads from standard output: text for the student, and in the last line
/// the points of each problem as JSON. Source: github.com/autolab/Autolab,
/// `docs/lab.md`.
///
/// A problem at which the judge failed has no points, as one that is graded by hand.
fn autolab_text(result: &AutograderResult) -> String {
    let mut text = format!("{AUTOLAB_START}{}\n", result.text);
    for (number, test) in result.tests() {
        text += &format!("\n{}\n", test.head(&number));
        for line in test.text.lines() {
            text += &format!("    {line}\n");
        }
    }
    let known = result.problems.iter().filter(|one| one.worth.is_known);
    let scores: BTreeMap<_, _> =
        known.map(|one| (&one.name, one.worth.earned)).collect();
    format!("{text}\n{}\n", json!({ "scores": scores }))
}

/// The first bytes of a report for VPL.
pub const VPL_START: &str = "Comment :=>>";

/// What begins the line of the grade for VPL.
const GRADE: &str = "Grade :=>>";

/// The least and the best grade.
#[derive(Clone, Copy)]
pub struct VplGrades {
    /// `VPL_GRADEMIN`.
    pub least: f64,
    /// `VPL_GRADEMAX`.
    pub best: f64,
}

impl Default for VplGrades {
    fn default() -> Self {
        Self {
            least: 0.0,
            best: 100.0,
        }
    }
}

/// What the Virtual Programming Lab of Moodle reads from standard output: lines that
/// begin with `Comment :=>>` for the student, and one with `Grade :=>>`. Source:
/// github.com/jcrodriguez-dis/moodle-mod_vpl.
///
/// If the judge failed there is no grade, and the teacher decides.
fn vpl_text(result: &AutograderResult, grades: VplGrades) -> String {
    let mut text = String::new();
    // A line that begins with `-` is a heading, one that begins with `>` is shown as it
    // is.
    let mut say = |sign: &str, line: &str| {
        // Each line has its own beginning, so that none can be taken for another; and
        // VPL would see none in the middle of a line either.
        let line = line.replace(":=>>", ":= >>");
        text += &format!("{VPL_START}{sign}{line}\n");
    };
    say("-", &result.worth.in_words());
    for line in result.text.lines() {
        say(">", line);
    }
    for (number, test) in result.tests() {
        say("-", &test.head(&number));
        for line in test.text.lines() {
            say(">", line);
        }
    }
    if result.worth.is_known {
        let VplGrades { least, best } = grades;
        let share = result.worth.share();
        let grade = format!("{:.5}", least + share * (best - least));
        let grade = grade.trim_end_matches('0').trim_end_matches('.');
        text += &format!("{GRADE} {grade}\n");
    }
    text
}

/// A value as JSON, of which a key begins a line.
fn pretty_json(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).expect("texts and numbers");
    text + "\n"
}

#[cfg(test)]
mod tests;
