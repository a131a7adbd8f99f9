//! Which model solutions are run on which cases, and what came of it. Writes nothing that stays.

use crate::cli::args::GlobalOptions;
use crate::cli::cancel::CancelToken;
use crate::cli::commands::answers::model::ModelAnswer;
use crate::cli::commands::answers::model::ModelSolution;
use crate::cli::exit::CommandError;
use crate::cli::session::startup::SandboxHandle;
use crate::cli::session::startup::SandboxStartup;
use crate::cli::status_line::StatusLine;
use crate::model::Case;
use crate::model::Problem;
use crate::proof;
use crate::proof::SolveError;
use crate::spec::JudgeFolder;
use crate::spec::Mistake;
use crate::spec::Mistakes;
use gridjudge_sandbox::LevelChoice;

/// What came of the problems that have model solutions.
#[derive(Default)]
pub(super) struct ModelAnswers {
    /// Answers that were missing.
    pub(super) written: Vec<ModelAnswer>,
    /// How many stored ones are as good as the solution's.
    pub(super) proven: u64,
}

/// Runs the model solutions of problems where answers are missing, or where all are to be proven.
pub(super) fn answers(
    folder: &JudgeFolder,
    work: &[(Problem, Vec<Case>)],
    proves_all: bool,
    common: &GlobalOptions,
    cancel: &CancelToken,
) -> Result<ModelAnswers, CommandError> {
    let wanted = work.iter().map(|(problem, cases)| {
        let proves_all = proves_all && proof::can_compare_answers(problem);
        let is_wanted = |case: &&Case| proves_all || !case.answer.exists();
        let cases: Vec<_> = cases.iter().filter(is_wanted).cloned().collect();
        (problem, cases)
    });
    let work: Vec<_> = wanted.filter(|(_, cases)| !cases.is_empty()).collect();
    let mut made = ModelAnswers::default();
    let in_talks: Vec<_> = work.iter().filter(|(problem, _)| problem.task.is_interactive()).collect();
    if !in_talks.is_empty() {
        return Err(Mistakes(in_talks.iter().flat_map(|(_, cases)| of_talks(cases)).collect()).into());
    }
    if work.is_empty() {
        return Ok(made);
    }
    let sandbox = SandboxStartup::begin(Some(1), LevelChoice::Best).finish()?;
    let _running = sandbox.close_on_cancel(cancel);
    let status = StatusLine::start(common, "running model solutions");
    let mut mistakes = Vec::new();
    for (problem, cases) in work {
        match ModelSolution::of(folder, problem, &sandbox)? {
            Some(model) => mistakes.extend(made.add(&model, &cases, &sandbox, &status)?),
            None => mistakes.extend(unknown(&cases)),
        }
    }
    if mistakes.is_empty() { Ok(made) } else { Err(Mistakes(mistakes).into()) }
}

impl ModelAnswers {
    /// Runs a solution on these cases; what is wrong with the answers that they have.
    fn add(
        &mut self,
        model: &ModelSolution,
        cases: &[Case],
        sandbox: &SandboxHandle,
        status: &StatusLine,
    ) -> Result<Vec<Mistake>, CommandError> {
        let mut mistakes = Vec::new();
        for answer in model.answers(cases, sandbox, status)? {
            if answer.case.answer.exists() {
                mistakes.extend(model.mistakes_of(&answer)?);
                self.proven += 1;
            } else {
                self.written.push(answer);
            }
        }
        Ok(mistakes)
    }
}

/// The mistakes of answers that are missing where submissions talk to an interactor: what one says in a talk is none, and without
/// the other side it says nothing.
fn of_talks(cases: &[Case]) -> impl Iterator<Item = Mistake> {
    cases.iter().map(|case| {
        let message = "is missing, and no submission writes it: they talk to the interactor of this problem";
        let remedy = "write what the interactor wants to read there, or nothing; the full package of a problem of Polygon has it";
        Mistake::of(&case.answer, message).with_remedy(remedy)
    })
}

/// The mistakes of answers that are missing, and that nobody knows.
fn unknown(cases: &[Case]) -> Vec<Mistake> {
    let missing = cases.iter().filter(|case| !case.answer.exists());
    missing.map(|case| proof::mistake_of_solve_error(case, &SolveError::NoSolver)).collect()
}
