//! Reads and proves the problems of `verify`, and plans to judge their examples.
//! Mistakes in a package do not end this: they are kept beside everything that can be
//! checked in spite of them.

use std::mem;

use crate::cli::{
    CheckFinding, CommandError, KnownProofs, ProblemCases, StatusLine, planning,
    proving, screen,
};
use crate::model::ProblemCheck;
use crate::package::Package;
use crate::proof;
use crate::run::{Plan, PlanEntry};
use crate::spec::{JudgeFolder, Mistake, Mistakes};
use crate::text::{counted, printable};

/// Problems that were read and proven, and what is to be judged of them.
#[derive(Default)]
pub(crate) struct ProvenProblems {
    /// Each with its mistakes, if it is a package.
    pub(crate) subjects: Vec<(ProblemCases, Vec<CheckFinding>)>,
    /// The plan to judge their examples.
    pub(crate) plan: Plan,
    /// The mistakes because of which nothing is judged, with their problems: all of
    /// those in problems that are no packages, and in packages that are refused as a
    /// whole.
    pub(crate) refused: Vec<(String, CheckFinding)>,
    /// Which examples are not judged because of mistakes, and why, a sentence each.
    pub(crate) notes: Vec<String>,
}

impl ProvenProblems {
    /// Reads and proves problems, and shows what was proven. Problems are proven only
    /// if none is refused when it is read.
    ///
    /// # Errors
    /// If what was proven cannot be shown.
    pub(crate) fn prove(
        folder: &JudgeFolder,
        ids: &[String],
        proofs: &KnownProofs<'_>,
    ) -> Result<Self, CommandError> {
        let status = StatusLine::start("reading the cases");
        let mut found = Self::default();
        let mut read = vec![];
        for id in ids {
            status.say(format_args!("reading the cases of {id}"));
            let found_cases = folder
                .find(id)
                .and_then(|problem| planning::subject_with_mistakes(problem, proofs));
            match found_cases {
                Ok((subject, mistakes))
                    if mistakes.is_empty() || subject.found.is_package() =>
                {
                    read.push((subject, mistakes));
                }
                Ok((_, mistakes)) | Err(Mistakes(mistakes)) => {
                    found.refuse(id, findings_of(ProblemCheck::Files, mistakes))
                }
            }
        }
        if !found.refused.is_empty() {
            return Ok(found);
        }
        for (subject, mistakes) in read {
            found.add(subject, mistakes, proofs, &status)?;
        }
        Ok(found)
    }

    fn refuse(&mut self, id: &str, mistakes: Vec<CheckFinding>) {
        for mistake in mistakes {
            self.refused.push((id.to_owned(), mistake));
        }
    }

    /// Proves a problem that was read with these mistakes, and plans to judge its
    /// examples.
    fn add(
        &mut self,
        subject: ProblemCases,
        mut mistakes: Vec<Mistake>,
        proofs: &KnownProofs<'_>,
        status: &StatusLine,
    ) -> Result<(), CommandError> {
        let package = subject.found.readable_package();
        let judged = package.as_ref().map_or(JudgedExamples::All, |package| {
            JudgedExamples::in_package(package, &subject)
        });
        self.notes
            .extend(judged.remark_on(&subject.problem.id, package.as_deref()));
        // A case that cannot be read is not proven either.
        let proof = if mistakes.is_empty() {
            let proven = proofs.of_problem(&subject.problem);
            proving::prove_cases(&subject.problem, &subject.cases, status, |case| {
                proven.found_or("solved", case, || {
                    proving::solutions_of(&subject.problem, case)
                })
            })
        } else {
            Ok(0)
        };
        if let Some(package) = &package {
            mistakes.splice(
                0..0,
                package
                    .all_mistakes()
                    .into_iter()
                    .chain(package.missing_answers().to_vec()),
            );
        }
        let (entries, of_examples) = match judged {
            JudgedExamples::None(_) => Default::default(),
            _ => planning::examples_with_mistakes(&subject),
        };
        let mut mistakes = findings_of(ProblemCheck::Files, mistakes);
        match proof {
            Ok(grids) if mistakes.is_empty() && !screen::is_quiet() => {
                status.suspend(|| screen::sentence(proven(&subject, grids)))?;
            }
            Ok(_) => {}
            Err(Mistakes(found)) => {
                mistakes.extend(findings_of(ProblemCheck::Proof, found));
            }
        }
        mistakes.extend(findings_of(ProblemCheck::Files, of_examples));
        self.plan.is_part |= !matches!(judged, JudgedExamples::All);
        self.plan
            .entries
            .extend(entries.into_iter().filter(|entry| judged.includes(entry)));
        if !subject.found.is_package() {
            self.refuse(&subject.found.id, mem::take(&mut mistakes));
        }
        self.subjects.push((subject, mistakes));
        Ok(())
    }
}

fn findings_of(check: ProblemCheck, mistakes: Vec<Mistake>) -> Vec<CheckFinding> {
    mistakes
        .into_iter()
        .map(|mistake| CheckFinding::from_mistake(check, mistake))
        .collect()
}

/// Which examples of a problem can be judged.
enum JudgedExamples {
    All,
    /// Only those that must be accepted: a wrong one may fail only on a case that lacks
    /// its answer.
    Accepted,
    /// None, for this reason.
    None(&'static str),
}

impl JudgedExamples {
    fn in_package(package: &Package, subject: &ProblemCases) -> Self {
        if !package.mistakes().is_empty() {
            Self::None("verdicts may depend on mistakes in its files")
        } else if subject.lacks_program() {
            Self::None("a program that judges them cannot be made")
        } else if package.missing_answers().is_empty() {
            Self::All
        } else {
            Self::Accepted
        }
    }

    fn includes(&self, entry: &PlanEntry) -> bool {
        match self {
            Self::All => true,
            Self::Accepted => entry.submission.must_be_accepted(),
            Self::None(_) => false,
        }
    }

    /// The sentence on what is not judged; `None` if everything is.
    fn remark_on(&self, id: &str, package: Option<&Package>) -> Option<String> {
        let package = package.filter(|package| {
            !package.submissions.is_empty()
                || package
                    .files
                    .keys()
                    .any(|name| name.starts_with("submissions/"))
        })?;
        match self {
            Self::All => None,
            Self::Accepted => {
                let cases = package.missing_answers().len();
                let have = if cases == 1 { "has" } else { "have" };
                let cases = counted(cases, "case");
                Some(format!(
                    "{id}: {cases} {have} no answer, so only submissions that must be accepted are \
                     judged, on the other cases"
                ))
            }
            Self::None(reason) => {
                Some(format!("{id}: submissions are not judged: {reason}"))
            }
        }
    }
}

fn proven(subject: &ProblemCases, grids: u64) -> String {
    let cases = subject
        .cases
        .iter()
        .filter(|case| !subject.problem.is_static(&case.name))
        .count() as u64;
    format!(
        "{}: {}",
        printable(&subject.problem.id),
        proof::promise(&subject.problem, cases, grids)
    )
}
