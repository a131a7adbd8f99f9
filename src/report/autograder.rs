//! Reports for the autograders of learning systems, which judge one submission of one student at a
//! time. Each format is a small mapping from an [`AutograderResult`].
//!
//! A report is always whole and valid: an autograder that fails at the end loses everything. What
//! could not be judged is said in it.

mod autolab;
mod classroom50;
mod gradescope;
mod prairielearn;
mod result;
mod vpl;

use std::io;
use std::io::{ErrorKind, Write};

use crate::model::Event;
use crate::report::{GradedSubmissions, Sink};

use result::{AutograderResult, AutograderTest, CountingSubmissions, json};

pub use autolab::START as AUTOLAB_START;
pub use classroom50::{ClassroomRun, SCHEMA as CLASSROOM50_SCHEMA};
pub use gradescope::MARK as GRADESCOPE_MARK;
pub use prairielearn::START as PRAIRIELEARN_START;
pub use vpl::{START as VPL_START, VplGrades};

/// A format of an autograder, with what its system says of the run.
#[derive(Clone, Debug)]
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

impl AutograderFormat {
    fn render(&self, result: &AutograderResult) -> String {
        match self {
            Self::Gradescope => gradescope::render(result),
            Self::Classroom50(run) => classroom50::render(result, run),
            Self::PrairieLearn => prairielearn::render(result),
            Self::Autolab => autolab::render(result),
            Self::Vpl(grades) => vpl::render(result, *grades),
        }
    }
}

/// Collects the submissions that count, and writes the report when the suite is over.
pub struct Autograder<W> {
    target: W,
    format: AutograderFormat,
    graded: GradedSubmissions,
    counting: CountingSubmissions,
}

impl<W: Write> Autograder<W> {
    /// A report written to `target`, with what is secret only if `reveals`.
    pub fn new(target: W, format: AutograderFormat, reveals: bool) -> Self {
        Self {
            target,
            format,
            graded: GradedSubmissions::new(reveals),
            counting: CountingSubmissions::new(reveals),
        }
    }
}

impl<W: Write> Sink for Autograder<W> {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        for graded in self.graded.take(event) {
            self.counting.add(graded);
        }
        match event {
            Event::SuiteStarted { started, .. } => self.counting.started.clone_from(started),
            Event::MistakeFound(mistake) => {
                self.counting.mistakes += usize::from(mistake.is_error());
            }
            Event::SuiteFinished(_) | Event::SuiteInterrupted(_) => {
                if let Some(mistake) = self.counting.several_students() {
                    return Err(io::Error::new(ErrorKind::InvalidInput, mistake));
                }
                let is_interrupted = matches!(event, Event::SuiteInterrupted(_));
                let result = self.counting.result(is_interrupted);
                self.target
                    .write_all(self.format.render(&result).as_bytes())?;
                self.target.flush()?;
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
