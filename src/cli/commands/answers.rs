//! `gridjudge answers`: writes missing answers with the reference solver and proves
//! stored ones. For problems without a reference solver, the model solution does this.
//! Inputs that a package leaves out are made first, by its generators. All files get
//! their final names at the end.

mod made_inputs;

use std::fs::File;
use std::path::{Path, PathBuf};

use clap::Args;
use gridjudge_sandbox::{Fault, LevelChoice};

use crate::cli::{
    CancelToken, CommandError, CommandOutcome, CommandResult, CriticalSection,
    GlobalOptions, JudgeSession, PackageChoice, PreparedProgram, ProblemNames,
    RunCount, SandboxStartup, StatusLine, input_file, planning, proving, screen,
    signals,
};
use crate::compile::SubmissionRefusal;
use crate::model::{Case, Problem};
use crate::proof::SolveError;
use crate::run::PlanEntry;
use crate::spec::{AnswerRequirement, JudgeFolder, Mistake, Mistakes, ProblemFolder};
use crate::text::counted;
use crate::{authoring, check, files, proof};

use made_inputs::{InputMaker, NewCaseFile, NewFiles, persist_all};

#[derive(Args)]
pub(crate) struct AnswersArgs {
    #[command(flatten)]
    problems: ProblemNames,
    #[command(flatten)]
    format: PackageChoice,
    /// Write nothing; prove every stored answer
    #[arg(long)]
    check: bool,
    /// Program that writes the answers of the named problem, in place of its model
    /// solution
    #[arg(long, value_name = "FILE")]
    solution: Option<PathBuf>,
    #[command(flatten)]
    jobs: RunCount,
}

/// A problem whose answers are to be written or proven.
struct AnswerWork<'a> {
    found: &'a ProblemFolder,
    problem: Problem,
    /// Its cases. At a problem without a reference solver, those whose answer is made or
    /// proven.
    cases: Vec<Case>,
    /// Cases of a package without an input. They may have an answer.
    missing: Vec<Case>,
}

pub(crate) fn run(answers: &AnswersArgs, common: &GlobalOptions) -> CommandResult {
    let folder = common.folder_with(&answers.problems.named(), &answers.format)?;
    let ids = answers.problems.ids(&folder);
    if let Some(solution) = &answers.solution {
        require_fit(&folder, &ids, solution)?;
    }
    let work = problems_with_cases(&folder, &ids, answers.check)?;
    // Everything is proven before anything is written, so that a refusal leaves no
    // half-written set.
    prove(&work, &StatusLine::start("proving answers"))?;
    // A killed run has left files among the cases.
    work.iter()
        .flat_map(|work| &work.cases)
        .filter_map(|case| case.answer.parent())
        .for_each(files::remove_abandoned);
    let cases = count(&work);
    let (solved, unsolved): (Vec<_>, Vec<_>) = work.into_iter().partition(|work| {
        answers.solution.is_none() && work.problem.task.as_grid().is_some()
    });
    let new_files = NewFiles::default();
    let cancel = signals::cancel_token();
    let made = model_answers(answers, &folder, unsolved, &cancel, &new_files);
    if cancel.is_cancelled() {
        // An error was probably caused by it; new files have temporary names so far,
        // and are deleted.
        return Ok(CommandOutcome::Interrupted);
    }
    let made = made?;
    let inputs_made = made.inputs.len();
    let answers_made = made.written.len();
    // Inputs come before answers, so that no answer is ever without its input.
    let paths = persist_all(made.inputs.into_iter().chain(made.written))?;
    // Only now may a signal end the process.
    drop(made.critical_section);
    let status = StatusLine::start("writing answers");
    let solved_now = write_solved(&solved, &new_files, &status)?;
    paths
        .iter()
        .try_for_each(|path| status.suspend(|| screen::wrote(path)))?;
    drop(status);
    let cases = cases + inputs_made;
    let proven = made.proven + count(&solved) - solved_now;
    let written = answers_made + solved_now;
    let inputs = match inputs_made {
        0 => String::new(),
        made => format!("{} made, ", counted(made, "input")),
    };
    // Answers that only a model solution could prove, and did not have to.
    let kept = match cases - proven - written {
        0 => String::new(),
        kept => format!(", {kept} kept as they are"),
    };
    let cases = counted(cases, "case");
    let proven = counted(proven, "answer");
    screen::sentence_unless_quiet(format_args!(
        "{cases}: {inputs}{proven} proven, {written} written{kept}"
    ))?;
    Ok(CommandOutcome::AsExpected)
}

/// Refuses one program for several problems, a program that is not there, and one where
/// answers are not computed.
fn require_fit(
    folder: &JudgeFolder,
    ids: &[String],
    solution: &Path,
) -> Result<(), Mistakes> {
    let [id] = ids else {
        let message = format!(
            "one program cannot answer {}",
            counted(ids.len(), "problem")
        );
        return Mistake::refuse("--solution", message, "name one problem");
    };
    if !solution.is_file() {
        return Err(Mistake {
            remedy: input_file::remedy(solution, folder),
            ..Mistake::about_file(solution, "there is no such file")
        }
        .into());
    }
    if folder
        .find(id)
        .is_ok_and(|found| found.submissions_are_answers())
    {
        let message = format!(
            "the answers to `{id}` are submitted, and no program computes them"
        );
        return Mistake::refuse("--solution", message, "write them by hand");
    }
    Ok(())
}

/// Writes the missing answers that the reference solver can find. Returns how many.
fn write_solved(
    work: &[AnswerWork<'_>],
    new_files: &NewFiles,
    status: &StatusLine,
) -> Result<usize, CommandError> {
    let mut written = 0;
    for AnswerWork { problem, cases, .. } in work {
        for case in cases.iter().filter(|case| !case.answer.exists()) {
            status.say(format_args!("solving {}: {}", problem.id, case.name));
            let mut file = new_files.create(&case.answer)?;
            let input = File::open(&case.input)
                .map_err(Fault::at("writing", &case.answer))?;
            proof::solve(problem, input, &mut file)
                .map_err(|refusal| proof::mistake_of_solve_error(case, &refusal))?;
            persist_all([NewCaseFile::answer(case, file)?])?;
            written += 1;
            status.suspend(|| screen::wrote(&case.answer))?;
        }
    }
    Ok(written)
}

/// Reads problems and their cases, and refuses groups without cases.
fn problems_with_cases<'a>(
    folder: &'a JudgeFolder,
    ids: &[String],
    needs_answers: bool,
) -> Result<Vec<AnswerWork<'a>>, Mistakes> {
    let required = if needs_answers {
        AnswerRequirement::Required
    } else {
        AnswerRequirement::Optional
    };
    let work = Mistakes::of_all(ids.iter().map(|id| {
        let found = &**folder.find(id)?;
        let (problem, cases) = planning::problem_and_cases(found, required)?;
        Ok(AnswerWork {
            found,
            problem,
            cases,
            missing: found
                .readable_package()
                .iter()
                .flat_map(|package| &package.missing_tests)
                .map(|test| test.case.clone())
                .collect(),
        })
    }))?;
    let without_cases = work
        .iter()
        .flat_map(|work| work.found.groups_without_cases(&work.cases));
    Mistakes::refuse(without_cases)?;
    Ok(work)
}

/// Counts the cases that have or need an answer: all except those on which sources are
/// judged.
fn count(work: &[AnswerWork<'_>]) -> usize {
    work.iter()
        .flat_map(|AnswerWork { problem, cases, .. }| {
            cases.iter().filter(|case| !problem.is_static(&case.name))
        })
        .count()
}

fn prove(work: &[AnswerWork<'_>], status: &StatusLine) -> Result<(), Mistakes> {
    let proven = work.iter().map(|AnswerWork { problem, cases, .. }| {
        proving::prove_cases(problem, cases, status, |case| {
            let found = proof::mistakes_of(problem, case, case.answer.exists());
            Mistakes::refuse(found)?;
            proving::solutions_of(problem, case)
        })
    });
    Mistakes::of_all(proven).map(drop)
}

// Decides which generators and model solutions to run on which cases, runs them and
// collects the results. All files that this writes are temporary.

/// The inputs and answers made for problems without a reference solver.
#[derive(Default)]
struct ModelAnswers {
    /// New inputs, which were missing.
    inputs: Vec<NewCaseFile>,
    /// New answers, which were missing.
    written: Vec<NewCaseFile>,
    /// How many stored answers were compared with the model solution's.
    proven: usize,
    /// While this is held, signals wait until all new files have their final names, or
    /// none has.
    critical_section: Option<CriticalSection>,
}

/// Makes missing inputs with the generators of packages, and missing answers with model
/// solutions.
fn model_answers(
    answers: &AnswersArgs,
    folder: &JudgeFolder,
    mut work: Vec<AnswerWork<'_>>,
    cancel: &CancelToken,
    new_files: &NewFiles,
) -> Result<ModelAnswers, CommandError> {
    for AnswerWork { problem, cases, .. } in &mut work {
        // A checker may accept several answers, so that one does not prove another.
        let proves_all = answers.check && problem.task.program().is_none();
        cases.retain(|case| {
            !problem.is_static(&case.name) && (proves_all || !case.answer.exists())
        });
    }
    work.retain(|work| !work.cases.is_empty() || !work.missing.is_empty());
    Mistakes::refuse(work.iter().filter_map(AnswerWork::refused))?;
    let mut made = ModelAnswers::default();
    if work.is_empty() {
        return Ok(made);
    }
    // Model solutions run one at a time, like submissions whose time counts; only
    // generators run in parallel.
    let jobs = if work.iter().any(|work| !work.missing.is_empty()) {
        answers.jobs.or(folder.config.jobs)
    } else {
        Some(1)
    };
    let startup = SandboxStartup::begin(jobs, LevelChoice::Best);
    let session = JudgeSession::open_silently(startup, &folder.config, cancel)?;
    let running = session.close_on_cancel();
    let status = StatusLine::start("running model solutions");
    let maker = InputMaker {
        folder,
        solution: answers.solution.as_deref(),
        session: &session,
        status: &status,
        new_files,
    };
    let mut mistakes = vec![];
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
        work: AnswerWork<'_>,
        maker: &InputMaker<'_>,
    ) -> Result<Vec<Mistake>, CommandError> {
        let wants_answers = work.unanswered().next().is_some();
        let AnswerWork {
            found,
            mut cases,
            missing,
            ..
        } = work;
        // A model solution that does not compile is reported before any input is made
        // for it.
        let model = if wants_answers || !cases.is_empty() {
            maker.model_solution(found)?
        } else {
            None
        };
        if !missing.is_empty()
            && let Some(package) = found.package()
        {
            let inputs = maker.make(found, &*package?)?;
            let unanswered =
                inputs.iter().filter(|input| !input.case.answer.exists());
            // The inputs have temporary paths so far.
            cases.extend(unanswered.map(|made| Case {
                input: made.file.to_path_buf(),
                ..made.case.clone()
            }));
            self.inputs.extend(inputs);
        }
        let mut mistakes = vec![];
        let Some(model) = model else {
            return Ok(unknown(&cases, found.submissions_are_answers()));
        };
        for answer in maker.answers(&model, &cases)? {
            if answer.case.answer.exists() {
                mistakes.extend(mistake_in(&model.entry, &answer)?);
                self.proven += 1;
            } else {
                self.written.push(answer);
            }
        }
        Ok(mistakes)
    }
}

impl AnswerWork<'_> {
    /// The cases without an answer.
    fn unanswered(&self) -> impl Iterator<Item = &Case> {
        self.cases
            .iter()
            .chain(&self.missing)
            .filter(|case| !case.answer.exists())
    }

    /// The reason why no answers can be written for the problem, whatever its programs
    /// do: it is in an archive, or answers to an interactive problem are missing.
    fn refused(&self) -> Option<Mistake> {
        let unanswered: Vec<_> = self.unanswered().collect();
        if let Some(archive) = self.found.archive()
            && !unanswered.is_empty()
        {
            return Some(Mistake::new(
                archive,
                "is an archive, into which no answers are written",
                "unpack it, and name its folder",
            ));
        }
        // What a submission prints to the interactor is no answer, and without the
        // interactor it prints nothing.
        let first = unanswered
            .first()
            .filter(|_| self.problem.task.is_interactive())?;
        let message = match unanswered.len() - 1 {
            0 => "is missing, and no submission writes it".to_owned(),
            others => {
                let verb = if others == 1 { "is" } else { "are" };
                let others = counted(others, "other answer");
                format!(
                    "is missing, as {verb} {others}, and no submission writes them"
                )
            }
        };
        let remedy = "write what the interactor wants to read there, or nothing; the full package of \
                      a problem of Polygon has it";
        let message =
            format!("{message}: they talk to the interactor of this problem");
        Some(Mistake::new(&first.answer, message, remedy))
    }
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

impl InputMaker<'_> {
    /// Compiles the chosen program or the model solution of a problem; `None` if the
    /// problem names none.
    fn model_solution(
        &self,
        found: &ProblemFolder,
    ) -> Result<Option<PreparedProgram>, CommandError> {
        let path = match self.solution {
            Some(path) => Some(path.to_owned()),
            None => found.model_solution()?.map(|submission| submission.path),
        };
        let Some(path) = path else {
            return Ok(None);
        };
        let entry = planning::submission_alone(self.folder, &path, Some(&found.id))?;
        match self.session.prepare(entry)? {
            Ok(model) => Ok(Some(model)),
            Err(SubmissionRefusal { reason, .. }) => {
                let remedy = "correct it, or name another as `solution` in [task]";
                Mistake::refuse(&path, format!("does not compile: {reason}"), remedy)
            }
        }
    }

    /// Runs a model solution on all of these cases.
    ///
    /// # Errors
    /// If it has no answer to one of them; the other answers are discarded then.
    fn answers(
        &self,
        model: &PreparedProgram,
        cases: &[Case],
    ) -> Result<Vec<NewCaseFile>, CommandError> {
        let mut answers = vec![];
        let mut mistakes = vec![];
        let PreparedProgram { entry, program, .. } = model;
        let name = &entry.submission.name;
        let sandbox = self.session.sandbox();
        for case in cases {
            self.status
                .say(format_args!("running {name}: {}", case.name));
            let mut file = self.new_files.create(&case.answer)?;
            match authoring::write_answer(entry, program, case, sandbox, &mut file)? {
                None => answers.push(NewCaseFile::answer(case, file)?),
                Some(why) => mistakes.push(Mistake::new(
                    &entry.submission.path,
                    format!("the model solution has no answer to {}: {why}", case.name),
                    "correct it, or the case; no answer of this problem has been written",
                )),
            }
        }
        Ok(Mistakes::or(mistakes, answers)?)
    }
}

/// The mistake in a stored answer, taking that of the model solution to be right.
fn mistake_in(
    model: &PlanEntry,
    answer: &NewCaseFile,
) -> Result<Option<Mistake>, CommandError> {
    let NewCaseFile { case, file, .. } = answer;
    let doing = format!("reading the answers to {}", case.name);
    let fault = Fault::during(&doing);
    let input = File::open(&case.input).map_err(fault)?;
    let own = File::open(file).map_err(fault)?;
    let stored = File::open(&case.answer).map_err(fault)?;
    let task = model.problem.task_on(&case.name);
    let findings = check::output(task, input, own, Some(stored))
        .map_err(|error| Mistake::about_file(&case.answer, error.to_string()))?;
    let name = &model.submission.name;
    Ok(findings.listed.first().map(|finding| {
        let message = format!("`{name}` answers otherwise: {}", finding.message);
        let remedy =
            "correct one of the two, or delete the answer and have it written again";
        Mistake::new(&case.answer, message, remedy)
    }))
}
