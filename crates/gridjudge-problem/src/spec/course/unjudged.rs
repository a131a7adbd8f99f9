//! What a student has handed in and nobody judges: for which problem it is, and why. It
//! is no zero, since there may be a solution in it.

use std::path::Path;

use crate::model::{StudentDetails, file_name};
use crate::spec::handed_in::{ContestAttempt, OtherEntries};

/// What is not judged of a student's work.
#[derive(Default)]
pub(super) struct UnjudgedWork {
    refused: Vec<UnjudgedEntry>,
    left_out: Vec<UnjudgedEntry>,
}

/// An entry that is not judged: its problem, if that is known, and why.
struct UnjudgedEntry {
    problem: Option<String>,
    why: String,
}

impl UnjudgedWork {
    /// Adds entries, each for the problem that `problem_of` gives for its path.
    pub(super) fn add(
        &mut self,
        others: &OtherEntries,
        problem_of: impl Fn(&Path) -> Option<String>,
    ) {
        for found in &others.refused {
            self.refused.push(UnjudgedEntry {
                problem: problem_of(&found.path),
                why: format!("{}: {}", file_name(&found.path), found.message),
            });
        }
        for path in &others.left_out {
            let file = file_name(path);
            // Systems leave hidden files even in a folder that is only looked at.
            if !file.starts_with('.') {
                self.left_out.push(UnjudgedEntry {
                    problem: problem_of(path),
                    why: format!("{file} is not taken for a program"),
                });
            }
        }
    }

    /// Notes the first entry for each problem among what is known of the student, who
    /// has these attempts: something that was refused or, if nothing else is there that
    /// it could be a report on, something that was left out.
    pub(super) fn record_in(
        self,
        details: &mut StudentDetails,
        attempts: &[ContestAttempt],
    ) {
        let left_out = self.left_out.into_iter().filter(|entry| {
            let problem = entry.problem.as_ref();
            !attempts
                .iter()
                .any(|attempt| problem.is_none_or(|id| *id == attempt.problem))
        });
        for UnjudgedEntry { problem, why } in self.refused.into_iter().chain(left_out)
        {
            match problem {
                Some(id) => {
                    details.unjudged_for.entry(id.into()).or_insert(why);
                }
                None => {
                    details.unjudged.get_or_insert(why);
                }
            }
        }
    }
}

#[cfg(test)]
mod unjudged_work_tests {
    use super::*;
    use crate::model::Entrant;

    /// What is known of a student who has handed in these files, each with whether it
    /// is refused, and has been judged on a problem.
    fn details(files: &[(&str, bool)], judged: Option<&str>) -> StudentDetails {
        let attempts: Vec<_> = judged
            .into_iter()
            .map(|problem| ContestAttempt {
                problem: problem.to_owned(),
                entrant: Entrant {
                    team: "anna".into(),
                    minute: None,
                    submitted: None,
                },
                name: String::new(),
                path: "a.py".into(),
                real: "a.py".into(),
                number: 0,
            })
            .collect();
        let mut others = OtherEntries::default();
        for (file, is_refused) in files {
            if *is_refused {
                others.refuse(*file, "is an archive", "");
            } else {
                others.left_out.push(file.into());
            }
        }
        let mut unjudged = UnjudgedWork::default();
        unjudged.add(&others, |path| {
            let folder = path.parent()?.to_str()?;
            (!folder.is_empty()).then(|| folder.to_owned())
        });
        let mut details = StudentDetails::default();
        unjudged.record_in(&mut details, &attempts);
        details
    }

    #[test]
    fn what_is_not_judged_is_noted_for_its_problem_alone() {
        let files = [("evens/report.docx", false), ("odds/hw.zip", true)];
        let details = details(&files, Some("primes"));
        assert_eq!(
            details.why_unjudged("evens"),
            Some("report.docx is not taken for a program")
        );
        assert_eq!(details.why_unjudged("odds"), Some("hw.zip: is an archive"));
        assert_eq!(details.why_unjudged("primes"), None);
    }

    #[test]
    fn a_report_beside_an_attempt_is_no_work_and_an_archive_is() {
        let found = |files: &[(&str, bool)], judged| {
            details(files, judged)
                .why_unjudged("evens")
                .map(str::to_owned)
        };
        let said = |text: &str| Some(text.to_owned());
        let report = said("report.pdf is not taken for a program");
        let archive = said("hw.zip: is an archive");
        for (files, judged, expected) in [
            (&[("report.pdf", false)][..], None, &report),
            (&[("report.pdf", false)], Some("odds"), &None),
            (&[("evens/report.pdf", false)], Some("odds"), &report),
            (&[("evens/report.pdf", false)], Some("evens"), &None),
            (&[(".DS_Store", false)], None, &None),
            (&[("hw.zip", true)], Some("evens"), &archive),
            (&[("report.pdf", false), ("hw.zip", true)], None, &archive),
        ] {
            assert_eq!(found(files, judged), *expected, "{files:?}, {judged:?}");
        }
    }
}
