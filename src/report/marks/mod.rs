//! The marks of students: what each has in each problem, by the rules of the course.
//! Start at
//! [`CourseResults`], which collects what was graded, and [`MarkTable`], which gives the marks; the
//! other files only write them.

mod csv;
mod feedback;
mod results;
mod table;
mod text;

use std::io::{self, Write};

use crate::model::Event;
use crate::report::team_pages::page_file_name;
use crate::report::{PageWriter, Sink};

use feedback::FeedbackPage;
use results::{Attempt, AttemptPart};
use table::{Mark, MarkColumn, StudentRow, length};

pub use csv::{START as CSV_START, marks_csv};
pub use feedback::MARKDOWN_START;
pub use results::CourseResults;
pub use table::MarkTable;
pub use text::marks_text;

/// A function that formats marks.
pub type MarksFormat = Box<dyn Fn(&MarkTable<'_>) -> String>;

/// Writes the marks when the suite is over.
pub struct Marks<W> {
    target: W,
    form: MarksFormat,
    results: CourseResults,
}

impl<W: Write> Marks<W> {
    /// Marks written to `target` in this form. They are for teachers, so nothing is
    /// secret.
    pub fn new(target: W, form: MarksFormat) -> Self {
        Self {
            target,
            form,
            results: CourseResults::new(true),
        }
    }
}

impl<W: Write> Sink for Marks<W> {
    fn take_event(&mut self, event: &Event) -> io::Result<()> {
        self.results.take_event(event, false)?;
        if event.is_ending() {
            let marks = (self.form)(&MarkTable::from_results(&self.results));
            self.target.write_all(marks.as_bytes())?;
            self.target.flush()?;
        }
        Ok(())
    }
}

/// Writes a page for each student when the suite is over, as Markdown and as HTML.
pub struct FeedbackPages {
    write: PageWriter,
    results: CourseResults,
}

impl FeedbackPages {
    /// Pages that are passed to `write`, with what is secret only if `reveals`.
    pub fn new(write: PageWriter, reveals: bool) -> Self {
        Self {
            write,
            results: CourseResults::new(reveals),
        }
    }
}

impl Sink for FeedbackPages {
    fn take_event(&mut self, event: &Event) -> io::Result<()> {
        self.results.take_event(event, true)?;
        if event.is_ending() {
            let marks = MarkTable::from_results(&self.results);
            if self.results.is_partial {
                return Err(io::Error::other(
                    "students are told nothing, since not everything was judged",
                ));
            }
            for row in &marks.rows {
                let counting = row.marks.iter().map(Option::as_ref);
                let explained = counting
                    .map(|mark| match mark {
                        Some(mark) => self.results.explanation_of(mark.attempt),
                        None => Ok(None),
                    })
                    .collect::<io::Result<Vec<_>>>()?;
                let page = FeedbackPage {
                    marks: &marks,
                    row,
                    explained,
                };
                let name = page_file_name(&row.student);
                (self.write)(&format!("{name}.md"), page.markdown().as_bytes())?;
                (self.write)(&format!("{name}.html"), page.html().0.as_bytes())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
