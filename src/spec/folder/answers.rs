//! Problems of a judge's folder whose submissions are answers instead of programs.

use std::path::Path;

use crate::mistake::Mistake;
use crate::model::Case;
use crate::spec::answer_files::{AnswerFiles, AnswersError, UnpackedAnswers};
use crate::spec::folder::JudgeFolder;
use crate::spec::{answer_files, package_problem};

impl JudgeFolder {
    /// Whether submissions to a problem are answers to its cases instead of programs.
    pub fn submissions_are_answers(&self, id: &str) -> bool {
        self.package(id)
            .and_then(Result::ok)
            .is_some_and(|package| package.submissions_are_answers)
    }

    /// Reads a submission to a problem that takes answers, and matches its files to the cases.
    ///
    /// # Errors
    /// Reports a program; every file that is refused, answers no case, or answers a case that
    /// another file answers; and files that cannot be read.
    pub fn submitted_answers(
        &self,
        id: &str,
        submission: &Path,
        cases: &[Case],
    ) -> Result<UnpackedAnswers, AnswersError> {
        if answer_files::is_packed(submission) {
            return answer_files::unpack_answers(submission, cases);
        }
        if submission.is_file() && self.config.language_of(submission).is_some() {
            let mistake = Mistake::of(
                submission,
                "is a program, and submissions to this problem are answers",
            );
            return Err(mistake
                .with_remedy("hand in a file with the answer to each case")
                .into());
        }
        let package = self
            .package(id)
            .transpose()
            .map_err(AnswersError::Unreadable)?;
        let own = package.as_ref().and_then(|package| {
            package
                .submissions
                .iter()
                .find(|one| package_problem::place_of_answers(package, one) == submission)
        });
        let files = match own {
            Some(own) => AnswerFiles::in_package(submission, &own.files),
            None => AnswerFiles::of(submission),
        };
        files?.by_case(cases)
    }
}
