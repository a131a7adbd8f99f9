//! Runs model solutions, for problems without a reference solver. A problem names a submission that
//! is right; it is compiled and run on cases whose answer is missing or must be proven.

use std::fs::File;
use std::io;

use tempfile::{NamedTempFile, TempPath};

use crate::authoring::ModelAnswerError;
use crate::cache::Cache;
use crate::cli::commands::answers::new_files::NewFiles;
use crate::cli::exit::CommandError;
use crate::cli::session::prepare::{PrepareError, PreparedProgram, prepare};
use crate::cli::session::selection;
use crate::cli::session::startup::SandboxHandle;
use crate::cli::status_line::StatusLine;
use crate::compile::Compiler;
use crate::model::{Case, Problem};
use crate::run::PlanEntry;
use crate::spec::{JudgeFolder, Mistake, Mistakes};
use crate::{authoring, check};
use gridjudge_sandbox::Fault;

/// A new answer in a temporary file.
pub(super) struct ModelAnswer {
    pub(super) case: Case,
    pub(super) file: TempPath,
}

impl ModelAnswer {
    /// Closes the file, after giving it the permissions of the input.
    fn of(case: &Case, file: NamedTempFile) -> Result<Self, Fault> {
        let fault =
            |error: io::Error| Fault::new(format!("writing {}", case.answer.display()), error);
        let permissions = case.input.metadata().map_err(fault)?.permissions();
        file.as_file().set_permissions(permissions).map_err(fault)?;
        Ok(Self {
            case: case.clone(),
            file: file.into_temp_path(),
        })
    }
}

/// The compiled submission that writes the answers of a problem.
pub(super) struct ModelSolution {
    entry: PlanEntry,
    program: PreparedProgram,
}

impl ModelSolution {
    /// Compiles the model solution of a problem; `None` if the problem names none.
    pub(super) fn of(
        folder: &JudgeFolder,
        problem: &Problem,
        compiler: &Compiler,
        cache: Option<&Cache>,
        sandbox: &SandboxHandle,
    ) -> Result<Option<Self>, CommandError> {
        let Some(submission) = folder.model_solution(&problem.id)? else {
            return Ok(None);
        };
        let (entry, _) = selection::submission_alone(folder, &submission.path, Some(&problem.id))?;
        match prepare(&entry, compiler, cache, sandbox) {
            Ok(program) => Ok(Some(Self { entry, program })),
            Err(PrepareError::Failed(fault)) => Err(fault.into()),
            Err(PrepareError::Refused { reason, .. }) => {
                let mistake = Mistake::of(&submission.path, format!("does not compile: {reason}"));
                let remedy = "correct it, or name another as `solution` in [task]";
                Err(Mistakes::from(mistake.with_remedy(remedy)).into())
            }
        }
    }

    /// Runs the solution on all of these cases.
    ///
    /// # Errors
    /// If it has no answer to one of them; the other answers are discarded then.
    pub(super) fn answers(
        &self,
        cases: &[Case],
        sandbox: &SandboxHandle,
        status: &StatusLine,
        new_files: &NewFiles,
    ) -> Result<Vec<ModelAnswer>, CommandError> {
        let mut answers = Vec::new();
        let mut mistakes = Vec::new();
        for case in cases {
            status.say(|| format!("running {}: {}", self.entry.submission.name, case.name));
            let mut file = new_files.create(&case.answer)?;
            match authoring::write_answer(
                &self.entry,
                &self.program.program,
                case,
                &**sandbox,
                &mut file,
            ) {
                Ok(()) => answers.push(ModelAnswer::of(case, file)?),
                Err(ModelAnswerError::Judge(fault)) => return Err(fault.into()),
                Err(error) => mistakes.push(self.mistake_of_failure(case, &error)),
            }
        }
        if mistakes.is_empty() {
            Ok(answers)
        } else {
            Err(Mistakes(mistakes).into())
        }
    }

    fn mistake_of_failure(&self, case: &Case, error: &ModelAnswerError) -> Mistake {
        let message = format!("the model solution has no answer to {}: {error}", case.name);
        Mistake::of(&self.entry.submission.path, message)
            .with_remedy("correct it, or the case; no answer of this problem has been written")
    }

    /// The mistakes in a stored answer, taking the solution's to be right.
    pub(super) fn mistakes_of(&self, answer: &ModelAnswer) -> Result<Vec<Mistake>, CommandError> {
        let ModelAnswer { case, file } = answer;
        let fault =
            |error: io::Error| Fault::new(format!("reading the answers to {}", case.name), error);
        let files = (
            File::open(&case.input),
            File::open(file),
            File::open(&case.answer),
        );
        let input = files.0.map_err(fault)?;
        let own = files.1.map_err(fault)?;
        let stored = files.2.map_err(fault)?;
        let findings = check::output(
            self.entry.problem.task_on(&case.name),
            input,
            own,
            Some(stored),
        )
        .map_err(|error| Mistakes::from(Mistake::of(&case.answer, error.to_string())))?;
        let Some(finding) = findings.listed.first() else {
            return Ok(Vec::new());
        };
        let name = &self.entry.submission.name;
        let message = format!("`{name}` answers otherwise: {}", finding.message);
        let remedy = "correct one of the two, or delete the answer and have it written anew";
        Ok(vec![Mistake::of(&case.answer, message).with_remedy(remedy)])
    }
}
