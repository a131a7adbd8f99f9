//! What the Virtual Programming Lab of Moodle reads from standard output: lines that begin with
//! `Comment :=>>` for the student, and one with `Grade :=>>`. Source:
//! github.com/jcrodriguez-dis/moodle-mod_vpl.
//!
//! If the judge failed there is no grade, and the teacher decides.

use crate::report::Worth;
use crate::report::autograder::AutograderResult;

/// The first bytes of such a report.
pub const START: &str = "Comment :=>>";

/// What begins the line of the grade.
const GRADE: &str = "Grade :=>>";

/// The least and the best grade.
#[derive(Clone, Copy, Debug, PartialEq)]
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

pub(super) fn render(result: &AutograderResult, grades: VplGrades) -> String {
    let mut text = String::new();
    // A line that begins with `-` is a heading, one that begins with `>` is shown as it is.
    let mut say = |sign: &str, line: &str| {
        // Each line has its own beginning, so that none can be taken for another; and VPL would see
        // none in the middle of a line either.
        let line = line.replace(":=>>", ":= >>");
        text += &format!("{START}{sign}{line}\n");
    };
    let Worth { earned, of, .. } = result.worth;
    say("-", &format!("{earned} of {of} points"));
    result.text().lines().for_each(|line| say(">", line));
    for (number, test) in result.tests() {
        say("-", &test.head(&number));
        test.text.lines().for_each(|line| say(">", line));
    }
    if !result.is_unknown {
        let VplGrades { least, best } = grades;
        let share = earned.get() / of.get().max(f64::MIN_POSITIVE);
        let grade = format!("{:.5}", least + share * (best - least));
        let grade = grade.trim_end_matches('0').trim_end_matches('.');
        text += &format!("{GRADE} {grade}\n");
    }
    text
}
