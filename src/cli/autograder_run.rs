//! What learning systems say of a run of their autograder in environment variables. Knows no
//! report, only what each needs.

use std::env;

use crate::report::{ClassroomRun, VplGrades};
use crate::spec::{Mistake, Mistakes};

/// What Classroom 50 says of the run.
///
/// # Errors
/// A mistake that names all variables that are missing.
pub(crate) fn classroom_run() -> Result<ClassroomRun, Mistake> {
    let mut missing = Vec::new();
    let mut value = |names: &[&'static str]| {
        let found = names.iter().find_map(|name| variable(name));
        found.unwrap_or_else(|| {
            missing.push(names[0]);
            String::new()
        })
    };
    let run = ClassroomRun {
        classroom: value(&["CLASSROOM"]),
        assignment: value(&["ASSIGNMENT"]),
        assignment_type: value(&["ASSIGNMENT_TYPE"]),
        owner: value(&["OWNER", "USERNAME"]),
        submission: value(&["SUBMISSION_TAG"]),
        commit: value(&["COMMIT_URL"]),
        release: value(&["RELEASE_URL"]),
        // As their own template has it.
        review: value(&["REVIEW_URL", "COMMIT_URL"]),
    };
    if missing.is_empty() {
        return Ok(run);
    }
    let missing = missing.join(", ");
    let message = format!("needs environment variables that are not set: {missing}");
    Err(Mistake::of("--classroom50", message)
        .with_remedy("run it from an `autograder.py` of Classroom 50, which has them, or set them"))
}

/// The least and the best grade of a task in VPL, or 0 and 100.
///
/// # Errors
/// A mistake for each variable that holds no number.
pub(crate) fn vpl_grades() -> Result<VplGrades, Mistakes> {
    let mut mistakes = Vec::new();
    let mut number = |name: &str, default: f64| {
        let Some(text) = variable(name) else {
            return default;
        };
        // Moodle may write it as its language does.
        let number = text.replace(',', ".").parse::<f64>();
        number
            .ok()
            .filter(|number| number.is_finite())
            .unwrap_or_else(|| {
                mistakes.push(Mistake::of(
                    "--vpl",
                    format!("the environment variable {name} is no number: `{text}`"),
                ));
                default
            })
    };
    let usual = VplGrades::default();
    let grades = VplGrades {
        least: number("VPL_GRADEMIN", usual.least),
        best: number("VPL_GRADEMAX", usual.best),
    };
    Mistakes::or(mistakes, grades)
}

/// The value of a variable that is set and not empty.
fn variable(name: &str) -> Option<String> {
    let value = env::var_os(name)?.to_string_lossy().into_owned();
    (!value.is_empty()).then_some(value)
}
