//! Decides which generators and model solutions to run on which cases, runs them and
//! collects the results. All files that it writes are temporary.

use std::fs::File;
use std::io;
use std::path::Path;

use gridjudge_sandbox::{Fault, LevelChoice};

use crate::authoring::ModelAnswerError;
use crate::cli::commands::answers::made_inputs::{InputMaker, NewCaseFile, NewFiles};
use crate::cli::{
    CancelToken, CommandError, CriticalSection, JudgeSession, PreparedProgram,
    SandboxStartup, StatusLine, planning, signals,
};
use crate::compile::SubmissionRefusal;
use crate::model::{Case, Problem};
use crate::proof::SolveError;
use crate::run::PlanEntry;
use crate::spec::{JudgeFolder, Mistake, Mistakes, ProblemFolder};
use crate::text::counted;
use crate::{authoring, check, proof};

/// The inputs and answers made for problems without a reference solver.
#[derive(Default)]
pub(super) struct ModelAnswers {
    /// New inputs, which were missing.
    pub(super) inputs: Vec<NewCaseFile>,
    /// New answers, which were missing.
    pub(super) written: Vec<NewCaseFile>,
    /// How many stored answers were compared with the model solution's.
    pub(super) proven: u64,
    /// While this is held, signals wait until all new files have their final names, or
    /// none has.
    pub(super) critical_section: Option<CriticalSection>,
}

/// A problem with inputs or answers to make or prove.
struct ModelWork<'a> {
    found: &'a ProblemFolder,
    problem: &'a Problem,
    /// Cases that have an input and need their answer made or proven.
    cases: Vec<Case>,
    /// Cases without an input. They may have an answer.
    missing: Vec<Case>,
}

/// How to make answers.
pub(super) struct ModelOptions<'a> {
    /// The program that writes the answers in place of the model solutions.
    pub(super) solution: Option<&'a Path>,
    /// Whether the model solutions also prove stored answers.
    pub(super) proves_all: bool,
    pub(super) jobs: Option<usize>,
}

/// Makes missing inputs with the generators of packages, and missing answers with model
/// solutions.
pub(super) fn answers(
    folder: &JudgeFolder,
    work: &[(&ProblemFolder, Problem, Vec<Case>)],
    options: ModelOptions<'_>,
    cancel: &CancelToken,
    new_files: &NewFiles,
) -> Result<ModelAnswers, CommandError> {
    let work = work.iter().map(|(found, problem, cases)| {
        ModelWork::for_cases(found, problem, cases, options.proves_all)
    });
    let work: Vec<_> = work
        .filter(|work| !work.cases.is_empty() || !work.missing.is_empty())
        .collect();
    let mistakes = work.iter().filter_map(ModelWork::refused);
    Mistakes::or(mistakes, ())?;
    let mut made = ModelAnswers::default();
    if work.is_empty() {
        return Ok(made);
    }
    // Model solutions run one at a time, like submissions whose time counts; only
    // generators run in parallel.
    let has_inputs = work.iter().any(|work| !work.missing.is_empty());
    let jobs = if has_inputs { options.jobs } else { Some(1) };
    let startup = SandboxStartup::begin(jobs, LevelChoice::Best);
    let session = JudgeSession::open_silently(startup, &folder.config, cancel)?;
    let running = session.close_on_cancel();
    let status = StatusLine::start("running model solutions");
    let maker = InputMaker {
        folder,
        solution: options.solution,
        session: &session,
        status: &status,
        new_files,
    };
    let mut mistakes = Vec::new();
    for work in work {
        mistakes.extend(made.add(work, &maker)?);
    }
    drop(running);
    session.close_silently();
    made.critical_section = Some(signals::enter_critical_section());
    Ok(Mistakes::or(mistakes, made)?)
}

impl ModelAnswers {
    /// Makes the missing inputs and answers of a problem. Returns the mistakes in its
    /// stored answers, and in those that no program can write.
    fn add(
        &mut self,
        work: ModelWork<'_>,
        maker: &InputMaker<'_>,
    ) -> Result<Vec<Mistake>, CommandError> {
        let ModelWork {
            found,
            mut cases,
            missing,
            ..
        } = work;
        let wants_answers = cases
            .iter()
            .chain(&missing)
            .any(|case| !case.answer.exists());
        // A model solution that does not compile is reported before any input is made
        // for it.
        let model = if wants_answers || !cases.is_empty() {
            ModelSolution::find(found, maker)?
        } else {
            None
        };
        if !missing.is_empty()
            && let Some(package) = found.package()
        {
            let inputs = maker.make(found, &*package?)?;
            let unanswered = inputs.iter().filter(|input| !input.case.answer.exists());
            cases.extend(unanswered.map(NewCaseFile::case_now));
            self.inputs.extend(inputs);
        }
        let mut mistakes = Vec::new();
        let Some(model) = model else {
            return Ok(unknown(&cases, found.submissions_are_answers()));
        };
        for answer in model.answers(&cases, maker)? {
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

impl<'a> ModelWork<'a> {
    fn for_cases(
        found: &'a ProblemFolder,
        problem: &'a Problem,
        cases: &[Case],
        proves_all: bool,
    ) -> Self {
        let proves_all = proves_all && proof::can_compare_answers(problem);
        let missing = found
            .readable_package()
            .into_iter()
            .flat_map(|package| package.missing_tests.clone());
        Self {
            found,
            problem,
            cases: cases
                .iter()
                .filter(|case| {
                    !problem.is_static(&case.name)
                        && (proves_all || !case.answer.exists())
                })
                .cloned()
                .collect(),
            missing: missing.map(|test| test.case).collect(),
        }
    }

    /// The reason why no answers can be written for the problem, whatever its programs
    /// do: it is in an archive, or answers to an interactive problem are missing.
    fn refused(&self) -> Option<Mistake> {
        let unanswered: Vec<_> = self
            .cases
            .iter()
            .chain(&self.missing)
            .filter(|case| !case.answer.exists())
            .collect();
        if let Some(archive) = self.found.archive()
            && !unanswered.is_empty()
        {
            return Some(Mistake::new(
                archive,
                "is an archive, into which no answers are written",
                "unpack it, and name its folder",
            ));
        }
        self.problem
            .task
            .is_interactive()
            .then(|| missing_interactive_answers(&unanswered))
            .flatten()
    }
}

/// The mistake for missing answers of an interactive problem, if there are any. No
/// submission can write them: what it prints to the interactor is no answer, and
/// without the interactor it prints nothing.
fn missing_interactive_answers(cases: &[&Case]) -> Option<Mistake> {
    let first = cases.first()?;
    let message = match cases.len() - 1 {
        0 => "is missing, and no submission writes it".to_owned(),
        others => {
            let verb = if others == 1 { "is" } else { "are" };
            let others = counted(others, "other answer");
            format!("is missing, as {verb} {others}, and no submission writes them")
        }
    };
    let remedy = "write what the interactor wants to read there, or nothing; the full package of \
                  a problem of Polygon has it";
    let message = format!("{message}: they talk to the interactor of this problem");
    Some(Mistake::new(&first.answer, message, remedy))
}

/// The mistakes for missing answers that no program can write.
fn unknown(cases: &[Case], submissions_are_answers: bool) -> Vec<Mistake> {
    cases
        .iter()
        .filter(|case| !case.answer.exists())
        .map(|case| {
            if submissions_are_answers {
                Mistake::new(
                    &case.answer,
                    "no program knows it: submissions to this problem are answers",
                    "write it by hand",
                )
            } else {
                proof::mistake_of_solve_error(case, &SolveError::NoSolver)
            }
        })
        .collect()
}

// Runs model solutions, for problems without a reference solver. A problem names a
// submission that is right; it is compiled and run on cases whose answer is missing or
// must be proven.

/// The compiled submission that writes the answers of a problem.
struct ModelSolution(PreparedProgram);

impl ModelSolution {
    /// Compiles the chosen program or the model solution of a problem; `None` if the
    /// problem names none.
    fn find(
        found: &ProblemFolder,
        maker: &InputMaker<'_>,
    ) -> Result<Option<Self>, CommandError> {
        let path = match maker.solution {
            Some(path) => Some(path.to_owned()),
            None => found.model_solution()?.map(|submission| submission.path),
        };
        let Some(path) = path else {
            return Ok(None);
        };
        let (entry, _) =
            planning::submission_alone(maker.folder, &path, Some(&found.id))?;
        match maker.session.prepare(entry)? {
            Ok(program) => Ok(Some(Self(program))),
            Err(SubmissionRefusal { reason, .. }) => {
                let remedy = "correct it, or name another as `solution` in [task]";
                Mistake::refuse(&path, format!("does not compile: {reason}"), remedy)
            }
        }
    }

    /// Runs the solution on all of these cases.
    ///
    /// # Errors
    /// If it has no answer to one of them; the other answers are discarded then.
    fn answers(
        &self,
        cases: &[Case],
        maker: &InputMaker<'_>,
    ) -> Result<Vec<NewCaseFile>, CommandError> {
        let mut answers = Vec::new();
        let mut mistakes = Vec::new();
        let PreparedProgram { entry, program, .. } = &self.0;
        let name = &entry.submission.name;
        for case in cases {
            maker
                .status
                .say(|| format!("running {name}: {}", case.name));
            let mut file = maker.new_files.create(&case.answer)?;
            match authoring::write_answer(
                entry,
                program,
                case,
                maker.session.sandbox(),
                &mut file,
            ) {
                Ok(()) => answers.push(NewCaseFile::answer(case, file)?),
                Err(ModelAnswerError::Judge(fault)) => return Err(fault.into()),
                Err(error) => mistakes.push(Mistake::new(
                    &entry.submission.path,
                    format!("the model solution has no answer to {}: {error}", case.name),
                    "correct it, or the case; no answer of this problem has been written",
                )),
            }
        }
        Ok(Mistakes::or(mistakes, answers)?)
    }

    /// The mistakes in a stored answer, taking the solution's to be right.
    fn mistakes_of(&self, answer: &NewCaseFile) -> Result<Vec<Mistake>, CommandError> {
        let NewCaseFile { case, file, .. } = answer;
        let fault = |error: io::Error| {
            Fault::new(format!("reading the answers to {}", case.name), error)
        };
        let PlanEntry {
            problem,
            submission,
            ..
        } = &self.0.entry;
        let input = File::open(&case.input).map_err(fault)?;
        let own = File::open(file).map_err(fault)?;
        let stored = File::open(&case.answer).map_err(fault)?;
        let task = problem.task_on(&case.name);
        let findings = check::output(task, input, own, Some(stored))
            .map_err(|error| Mistake::about_file(&case.answer, error.to_string()))?;
        let Some(finding) = findings.listed.first() else {
            return Ok(Vec::new());
        };
        let name = &submission.name;
        let message = format!("`{name}` answers otherwise: {}", finding.message);
        let remedy =
            "correct one of the two, or delete the answer and have it written again";
        Ok(vec![Mistake::new(&case.answer, message, remedy)])
    }
}
