//! Problems whose submissions are answers instead of programs.

use std::path::Path;

use crate::mistake::{Mistake, Mistakes, nearest};
use crate::model::{Case, Submission};
use crate::package::{Package, PackageFormat};
use crate::spec::folder::ProblemFolder;
use crate::spec::{AnswerFiles, AnswersError, UnpackedAnswers, answer_files, package_problem};

impl ProblemFolder {
    /// Whether submissions to the problem are answers to its cases instead of programs.
    pub fn submissions_are_answers(&self) -> bool {
        self.readable_package()
            .is_some_and(|package| package.submissions_are_answers)
    }

    /// Reads a submission of answers, and matches its files to the cases.
    ///
    /// # Errors
    /// Reports a program; every file that is refused, answers no case, or answers a case that
    /// another file answers; and files that cannot be read.
    pub fn submitted_answers(
        &self,
        submission: &Path,
        cases: &[Case],
    ) -> Result<UnpackedAnswers, AnswersError> {
        if answer_files::is_packed(submission) {
            return answer_files::unpack_answers(submission, None, cases);
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
            .package()
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

// The submission that computes the missing answers of a problem.

impl ProblemFolder {
    /// The submission that computes missing answers, if the problem names one.
    ///
    /// # Errors
    /// As [`ProblemFolder::problem`]; a submission that does not exist; a package without an accepted
    /// one.
    pub fn model_solution(&self) -> Result<Option<Submission>, Mistakes> {
        // Such a problem has no program as a solution: its answers were found by other means.
        if self.submissions_are_answers() {
            return Ok(None);
        }
        if let Some(package) = self.package() {
            return self.model_of_package(&*package?).map(Some);
        }
        let Some(name) = self.spec()?.solution else {
            return Ok(None);
        };
        let examples = self.examples()?;
        let names = examples
            .iter()
            .map(|example| example.submission.name.as_str());
        if let Some(found) = examples
            .iter()
            .find(|example| example.submission.name == name)
        {
            return Ok(Some(found.submission.clone()));
        }
        let message = format!("`solution = {name:?}` is none of the submissions of this problem");
        let mistake = Mistake::of(self.file(), message);
        Err(Mistakes::from(mistake.with_remedy(
            match nearest(&name, names) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("put it into the folder, as submissions/{name}"),
            },
        )))
    }

    /// The submission that computes the answers of a package.
    fn model_of_package(&self, package: &Package) -> Result<Submission, Mistakes> {
        let model = package.model_solution().map(|model| model.name.clone());
        let known = self
            .examples()?
            .into_iter()
            .map(|example| example.submission);
        let found = model.and_then(|model| { known }.find(|submission| submission.name == model));
        found.ok_or_else(|| {
            if package.format == PackageFormat::Dmoj {
                let message =
                    "a problem of DMOJ holds no submissions that could write the missing answers";
                let remedy = "name a program that is right with `--solution`, or write them by \
                              hand, into the files that `out` names";
                return Mistake::of(&package.file, message)
                    .with_remedy(remedy)
                    .into();
            }
            if package.format == PackageFormat::Oj {
                let message =
                    "a folder of cases holds no submissions that could write the missing answers";
                let remedy =
                    "name a program that is right with `--solution`, or write them by hand";
                return Mistake::of(&package.file, message)
                    .with_remedy(remedy)
                    .into();
            }
            let message = "no submission of one file is known to be right, so none can write the \
                           missing answers";
            let remedy = "write them by hand, or add a program that is right";
            Mistake::of(&package.file, message)
                .with_remedy(remedy)
                .into()
        })
    }
}
