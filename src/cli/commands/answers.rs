//! `gridjudge answers`: writes missing answers with the reference solver and proves
//! stored ones. For problems without a reference solver, the model solution does this.
//! Inputs that a package leaves out are made first, by its generators.

mod by_models;
mod made_inputs;

use std::fs::File;
use std::path::{Path, PathBuf};

use clap::Args;
use gridjudge_sandbox::Fault;

use crate::cli::{
    CommandError, CommandOutcome, CommandResult, GlobalOptions, PackageChoice,
    ProblemNames, RunCount, StatusLine, input_file, planning, proving, screen, signals,
};
use crate::model::{Case, Problem};
use crate::spec::{AnswerRequirement, JudgeFolder, Mistake, Mistakes, ProblemFolder};
use crate::text::counted;
use crate::{files, proof};

use by_models::{ModelAnswers, ModelOptions};
use made_inputs::{NewCaseFile, NewFiles, persist_all};

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
    remove_abandoned(&work);
    let cases = count(&work);
    let (solved, unsolved): (AnswerWork<'_>, AnswerWork<'_>) =
        work.into_iter().partition(|(_, problem, _)| {
            answers.solution.is_none() && proof::has_solver(problem)
        });
    let cancel = signals::cancel_token();
    let options = ModelOptions {
        solution: answers.solution.as_deref(),
        proves_all: answers.check,
        jobs: answers.jobs.or(folder.config.jobs),
    };
    let new_files = NewFiles::default();
    let made = by_models::answers(&folder, &unsolved, options, &cancel, &new_files);
    if cancel.is_cancelled() {
        // An error was probably caused by it; new files have temporary names so far,
        // and are deleted.
        return Ok(CommandOutcome::Interrupted);
    }
    let ModelAnswers {
        inputs,
        written,
        proven,
        critical_section,
    } = made?;
    let mut counts = AnswerCounts {
        cases: cases + inputs.len() as u64,
        inputs: inputs.len() as u64,
        proven,
        written: written.len() as u64,
    };
    // Inputs come before answers, so that no answer is ever without its input.
    let paths = persist_all(inputs.into_iter().chain(written))?;
    // Only now may a signal end the process.
    drop(critical_section);
    let status = StatusLine::start("writing answers");
    let solved_now = write_solved(&solved, &new_files, &status)?;
    paths
        .iter()
        .try_for_each(|path| status.suspend(|| screen::wrote(path)))?;
    counts.proven += count(&solved) - solved_now;
    counts.written += solved_now;
    drop(status);
    screen::sentence_unless_quiet(counts.summary())?;
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
    work: &AnswerWork<'_>,
    new_files: &NewFiles,
    status: &StatusLine,
) -> Result<u64, CommandError> {
    let mut written = 0;
    for (_, problem, cases) in work {
        for case in cases.iter().filter(|case| !case.answer.exists()) {
            status.say(|| format!("solving {}: {}", problem.id, case.name));
            write(problem, case, new_files)?;
            written += 1;
            status.suspend(|| screen::wrote(&case.answer))?;
        }
    }
    Ok(written)
}

/// Removes what a killed run has left among the cases.
fn remove_abandoned(work: &AnswerWork<'_>) {
    let folders = work
        .iter()
        .flat_map(|(.., cases)| cases)
        .filter_map(|case| case.answer.parent());
    folders.for_each(files::remove_abandoned);
}

/// Reads problems and their cases, and refuses groups without cases.
fn problems_with_cases<'a>(
    folder: &'a JudgeFolder,
    ids: &[String],
    needs_answers: bool,
) -> Result<AnswerWork<'a>, Mistakes> {
    let required = if needs_answers {
        AnswerRequirement::Required
    } else {
        AnswerRequirement::Optional
    };
    let work = Mistakes::of_all(ids.iter().map(|id| {
        let found = &**folder.find(id)?;
        let (problem, cases) = planning::problem_and_cases(found, required)?;
        Ok((found, problem, cases))
    }))?;
    let without_cases = work
        .iter()
        .flat_map(|(found, _, cases)| found.groups_without_cases(cases));
    Mistakes::or(without_cases, ())?;
    Ok(work)
}

/// Counts the cases that have or need an answer: all except those on which sources are
/// judged.
fn count(work: &AnswerWork<'_>) -> u64 {
    let cases = work.iter().flat_map(|(_, problem, cases)| {
        let cases = cases.iter();
        cases.filter(|case| !problem.is_static(&case.name))
    });
    cases.count() as u64
}

/// The counts of the closing summary.
struct AnswerCounts {
    cases: u64,
    /// Inputs that generators made.
    inputs: u64,
    proven: u64,
    written: u64,
}

impl AnswerCounts {
    fn summary(&self) -> String {
        let Self {
            cases,
            inputs,
            proven,
            written,
        } = *self;
        let inputs = if inputs == 0 {
            String::new()
        } else {
            format!("{} made, ", counted(inputs, "input"))
        };
        let case_count = counted(cases, "case");
        let proven_count = counted(proven, "answer");
        let counts =
            format!("{case_count}: {inputs}{proven_count} proven, {written} written");
        match cases - proven - written {
            0 => counts,
            // Answers that only a model solution could prove, and did not have to.
            unproven => format!("{counts}, {unproven} kept as they are"),
        }
    }
}

type AnswerWork<'a> = Vec<(&'a ProblemFolder, Problem, Vec<Case>)>;

fn prove(work: &AnswerWork<'_>, status: &StatusLine) -> Result<(), Mistakes> {
    let mut mistakes = Vec::new();
    for (_, problem, cases) in work {
        for (case, number) in cases.iter().zip(1..) {
            let id = &problem.id;
            let all = cases.len();
            status
                .say(|| format!("proving {id}: case {number} of {all}, {}", case.name));
            let found = proof::mistakes_of(problem, case, case.answer.exists());
            let proven = Mistakes::or(found, ())
                .and_then(|()| proving::solutions_of(problem, case));
            planning::checked(proven, &mut mistakes);
        }
    }
    Mistakes::or(mistakes, ())
}

fn write(
    problem: &Problem,
    case: &Case,
    new_files: &NewFiles,
) -> Result<(), CommandError> {
    let mut file = new_files.create(&case.answer)?;
    let input = File::open(&case.input).map_err(Fault::at("writing", &case.answer))?;
    proof::solve(problem, input, &mut file).map_err(|refusal| {
        Mistakes(vec![proof::mistake_of_solve_error(case, &refusal)])
    })?;
    persist_all([NewCaseFile::answer(case, file)?])?;
    Ok(())
}
