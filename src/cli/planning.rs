//! Makes a plan from the command line: selects submissions, problems and cases. Cases
//! are checked before anything runs, so that a broken case is a mistake in a file and
//! not a fault in a report.

pub(crate) mod contest;
pub(crate) mod plan_entry;
pub(crate) mod planned_checker;
pub(crate) mod submission_choice;

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexSet;

use crate::cli::{KnownProofs, ProblemCases, StatusLine, input_file};
use crate::files;
use crate::model::{Case, CaseExpectations, Problem, Submission};
use crate::proof;
use crate::run::{JudgingPrograms, Plan, PlanEntry};
use crate::spec::{
    AnswerRequirement, COURSE_SETTINGS, ExampleSubmission, JudgeFolder, Mistake,
    Mistakes, ProblemFolder,
};
use crate::text::JoinedTexts;

use plan_entry::{entry, with_unknown_languages};
use planned_checker::{planned_checker, planned_programs};

/// Reads problems with their cases, and checks every case.
///
/// # Errors
/// Every mistake in every spec, input and answer.
pub(crate) fn subjects(
    folder: &JudgeFolder,
    ids: &[String],
    proofs: &KnownProofs<'_>,
    status: &StatusLine,
) -> Result<Vec<ProblemCases>, Mistakes> {
    Mistakes::of_all(ids.iter().map(|id| {
        status.say(format_args!("reading the cases of {id}"));
        subject(folder.find(id)?, proofs)
    }))
}

/// Reads a problem with its cases, and checks every case.
///
/// # Errors
/// Every mistake in its spec, inputs and answers.
fn subject(
    found: &Arc<ProblemFolder>,
    proofs: &KnownProofs<'_>,
) -> Result<ProblemCases, Mistakes> {
    let (subject, mistakes) = subject_with_mistakes(found, proofs)?;
    Mistakes::or(mistakes, subject)
}

/// As [`subject`], but also returns a problem with mistakes in its cases or programs,
/// and these mistakes.
///
/// # Errors
/// Every mistake in its spec and in the names of its cases.
pub(crate) fn subject_with_mistakes(
    found: &Arc<ProblemFolder>,
    proofs: &KnownProofs<'_>,
) -> Result<(ProblemCases, Vec<Mistake>), Mistakes> {
    let (problem, cases) = problem_and_cases(found, AnswerRequirement::Required)
        .map_err(|Mistakes(mut mistakes)| {
            if !found.is_package()
                && let Ok(cases) = found.cases(AnswerRequirement::Required)
            {
                mistakes.extend(found.groups_without_cases(&cases));
            }
            Mistakes(mistakes)
        })?;
    let proven = proofs.of_problem(&problem);
    let mut mistakes = proof::mistakes_of_all(&cases, |case| {
        proven.mistakes_or(case, || proof::mistakes_of(&problem, case, true))
    });
    mistakes.extend(found.groups_without_cases(&cases));
    let programs = planned_programs(found, &problem, &mut mistakes);
    Ok((
        ProblemCases {
            found: Arc::clone(found),
            problem: Arc::new(problem),
            cases: cases.into(),
            programs,
        },
        mistakes,
    ))
}

/// Reads a problem and lists its cases, without checking them.
///
/// # Errors
/// Every mistake in the spec and in the names of the cases.
pub(crate) fn problem_and_cases(
    found: &ProblemFolder,
    answers: AnswerRequirement,
) -> Result<(Problem, Vec<Case>), Mistakes> {
    match (found.problem(), found.cases(answers)) {
        (Ok(problem), Ok(cases)) => Ok((problem, cases)),
        (problem, cases) => {
            // A mistake in a package is reported for both the problem and its cases.
            let found: IndexSet<_> = problem
                .err()
                .into_iter()
                .chain(cases.err())
                .flat_map(|Mistakes(found)| found)
                .collect();
            Err(Mistakes(found.into_iter().collect()))
        }
    }
}

/// The plan entries of the example submissions of a problem, and the mistakes in others
/// of them.
pub(crate) fn examples_with_mistakes(
    subject: &ProblemCases,
) -> (Vec<PlanEntry>, Vec<Mistake>) {
    let mut draft = PlanDraft::default();
    draft.add_examples(subject);
    (draft.entries, draft.mistakes)
}

/// A plan of the submissions at these paths, to the problem that is named alone, or
/// else to those that the paths determine.
///
/// # Errors
/// Every mistake in the paths and in the problems.
pub(crate) fn submissions(
    folder: &JudgeFolder,
    paths: &[PathBuf],
    problems: &[String],
    proofs: &KnownProofs<'_>,
) -> Result<Plan, Mistakes> {
    let only = match problems {
        [only] => Some(only.as_str()),
        _ => None,
    };
    let mut draft = PlanDraft::default();
    for path in paths {
        let id = problem_of(folder, path, only);
        let id = if is_answer(folder, path, only) {
            id
        } else {
            require_file(folder, path).and(id)
        };
        let id = id.and_then(|id| {
            let is_named = problems.iter().any(|named| folder.id_of(named) == id);
            if is_named || problems.is_empty() {
                return Ok(id);
            }
            let message = format!(
                "is for problem `{id}`, which is not among those named with `-p`"
            );
            let remedy = format!("add `-p {id}`, or leave the file out");
            Mistake::refuse(path, message, remedy)
        });
        let Some(id) = draft.checked(id) else {
            continue;
        };
        if let Some(subject) = draft.subject(folder, &id, proofs) {
            draft.add(&subject, submission(&subject.found, path));
        }
    }
    draft.finish()
}

/// The plan entry of the submission at a path, for the named problem or else the one
/// that the path determines. It has no cases, but the program that judges outputs.
///
/// # Errors
/// Every mistake in the path and in the problem.
pub(crate) fn submission_alone(
    folder: &JudgeFolder,
    path: &Path,
    problem: Option<&str>,
) -> Result<PlanEntry, Mistakes> {
    let id = require_file(folder, path)
        .and_then(|()| problem_of(folder, path, problem))?;
    let found = folder.find(&id)?;
    let problem = found.problem()?;
    if found.submissions_are_answers() {
        let message =
            "is for a problem whose submissions are answers, and no program is run";
        return Mistake::refuse(path, message, "`gridjudge grade` judges answers");
    }
    let programs = JudgingPrograms {
        checker: problem
            .program()
            .map(|task| planned_checker(found, task).map(Arc::new))
            .transpose()?,
        ..JudgingPrograms::default()
    };
    let subject = ProblemCases {
        found: Arc::clone(found),
        problem: Arc::new(problem),
        cases: Arc::new([]),
        programs,
    };
    // Expectations for single cases are dropped, since the entry has no cases.
    let submission = submission(found, path).submission;
    let entry = entry(&subject, submission, CaseExpectations::default(), None)?;
    match entry.refusal {
        Some(refusal) => Err(Mistake::about_file(path, &*refusal.reason).into()),
        None => Ok(entry),
    }
}

/// Whether a file, a folder or an archive is submitted to a problem whose submissions
/// are answers, and neither a program nor a course.
fn is_answer(folder: &JudgeFolder, path: &Path, problem: Option<&str>) -> bool {
    let found = problem_of(folder, path, problem)
        .map_err(Mistakes::from)
        .and_then(|id| folder.find(&id));
    (path.is_file() || path.is_dir() && !path.join(COURSE_SETTINGS).exists())
        && found.is_ok_and(|problem| problem.submissions_are_answers())
}

/// The problem that a submission is for: the named one, the one in whose folder it is,
/// or the one it is named after.
pub(crate) fn problem_of(
    folder: &JudgeFolder,
    path: &Path,
    named: Option<&str>,
) -> Result<String, Mistake> {
    if let Some(named) = named {
        return Ok(folder.id_of(named).to_owned());
    }
    if let Some(around) = folder.problem_around(path) {
        return Ok(around.id.clone());
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    folder
        .ids()
        .find(|id| *id == stem)
        .map(str::to_owned)
        .ok_or_else(|| {
            let known = folder.ids().joined(", ");
            Mistake::new(
                path,
                "does not tell which problem it is for",
                format!("name the problem with `-p`; known: {known}"),
            )
        })
}

/// The submission at a path, with its expected verdicts if it is one of the problem's
/// examples.
fn submission(found: &ProblemFolder, path: &Path) -> ExampleSubmission {
    // A link is identified by its own folder, not by its target: otherwise a link to a
    // wrong example would be expected to be wrong.
    let place = |path: &Path| {
        let folder = files::folder_of(path);
        Some((folder.canonicalize().ok()?, path.file_name()?.to_owned()))
    };
    let own = place(path);
    found
        .examples()
        .unwrap_or_default()
        .into_iter()
        .find(|example| own.is_some() && own == place(&example.submission.path))
        .unwrap_or_else(|| {
            let submission = Submission::at(path.to_owned());
            let expectations = CaseExpectations::default();
            ExampleSubmission::with_expectations(submission, expectations)
        })
}

/// The value, or `None` after adding its mistakes to `mistakes`.
pub(crate) fn checked<T>(
    found: Result<T, impl Into<Mistakes>>,
    mistakes: &mut Vec<Mistake>,
) -> Option<T> {
    found.map_err(|error| mistakes.extend(error.into().0)).ok()
}

/// A plan under construction, and the mistakes found so far.
#[derive(Default)]
pub(crate) struct PlanDraft {
    entries: Vec<PlanEntry>,
    mistakes: Vec<Mistake>,
    /// The problems that were read; `None` for a problem with mistakes.
    subjects: BTreeMap<String, Option<ProblemCases>>,
}

impl PlanDraft {
    /// The value, or `None` after recording its mistakes.
    fn checked<T>(&mut self, found: Result<T, impl Into<Mistakes>>) -> Option<T> {
        checked(found, &mut self.mistakes)
    }

    /// A problem with its cases. It is read only once, so its mistakes are reported
    /// once.
    fn subject(
        &mut self,
        folder: &JudgeFolder,
        id: &str,
        proofs: &KnownProofs<'_>,
    ) -> Option<ProblemCases> {
        if !self.subjects.contains_key(id) {
            let found = folder.find(id).and_then(|found| subject(found, proofs));
            let found = self.checked(found);
            self.subjects.insert(id.to_owned(), found);
        }
        self.subjects[id].clone()
    }

    fn add_examples(&mut self, subject: &ProblemCases) {
        let examples = subject
            .found
            .examples()
            .map_err(|mistakes| with_unknown_languages(&subject.found, mistakes));
        for example in self.checked(examples).unwrap_or_default() {
            self.add(subject, example);
        }
    }

    fn add(&mut self, subject: &ProblemCases, example: ExampleSubmission) {
        let expectations = self
            .checked(example.expectations_for(&subject.cases))
            .unwrap_or_default();
        let entry =
            self.checked(entry(subject, example.submission, expectations, None));
        self.entries.extend(entry);
    }

    fn finish(self) -> Result<Plan, Mistakes> {
        Mistakes::or(
            self.mistakes,
            Plan {
                entries: self.entries,
                ..Plan::default()
            },
        )
    }
}

// Checks that a path can be that of a submitted program. Knows neither the problem nor
// the language.

/// Refuses a path that is not that of a regular file.
///
/// # Errors
/// A mistake that says what the path is instead.
fn require_file(folder: &JudgeFolder, path: &Path) -> Result<(), Mistake> {
    match path.metadata() {
        Ok(found) if found.is_file() => Ok(()),
        Ok(found) if found.is_dir() => Mistake::refuse(
            path,
            "is a folder, not a submission",
            "name the files in it; a contest's folder is graded alone",
        ),
        Ok(_) => Err(Mistake::about_file(path, "is not a regular file")),
        Err(_) if path == Path::new("-") => Mistake::refuse(
            path,
            "a submission cannot be standard input",
            "save it in a file with the ending of its language, and name that, with `-p PROBLEM`",
        ),
        Err(error) => {
            let name = path.to_str();
            let remedy = match name.filter(|name| folder.ids().any(|id| id == *name))
            {
                _ if error.kind() != ErrorKind::NotFound => None,
                Some(id) => Some(format!(
                    "to judge the example submissions of the problem `{id}`, write `-p {id}`"
                )),
                None => input_file::remedy(path, folder),
            };
            Err(Mistake {
                remedy,
                ..Mistake::unreadable(path, &error)
            })
        }
    }
}
