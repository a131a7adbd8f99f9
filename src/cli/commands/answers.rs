//! `gridjudge answers`: the reference solver writes what is missing, or proves what is there; of a problem that it does not
//! know, the model solution does.

mod by_models;
mod model;

use std::fs::File;
use std::io;

use clap::Args;
use tempfile::NamedTempFile;

use crate::cli::args::GlobalOptions;
use crate::cli::args::ProblemNames;
use crate::cli::commands::answers::model::new_file;
use crate::cli::exit::CommandError;
use crate::cli::exit::CommandOutcome;
use crate::cli::screen;
use crate::cli::session::proving;
use crate::cli::session::selection;
use crate::cli::signals;
use crate::cli::status_line::StatusLine;
use crate::model::Case;
use crate::model::Problem;
use crate::proof;
use crate::spec;
use crate::spec::Mistakes;
use crate::text::counted;
use gridjudge_sandbox::Fault;

#[derive(Debug, Args)]
pub(crate) struct AnswersArgs {
    #[command(flatten)]
    problems: ProblemNames,
    /// Write nothing; prove every stored answer
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(answers: &AnswersArgs, common: &GlobalOptions) -> Result<CommandOutcome, CommandError> {
    let folder = common.folder_with(&answers.problems.named())?;
    let required =
        if answers.check { spec::AnswerRequirement::Required } else { spec::AnswerRequirement::Optional };
    let ids = answers.problems.ids(&folder);
    let work = Mistakes::of_all(ids.iter().map(|id| selection::problem_and_cases(&folder, id, required)))?;
    // Everything is proven before anything is written, so that a refusal leaves no half of a set behind.
    prove(&work, &StatusLine::start(common, "proving answers"))?;
    let (solved, unsolved): (AnswerWork, AnswerWork) =
        work.into_iter().partition(|(problem, _)| proof::has_solver(problem));
    let cancel = signals::cancel_token();
    let by_models = match by_models::answers(&folder, &unsolved, answers.check, common, &cancel) {
        // What fails after a cancellation may well fail because of it.
        Err(CommandError::Fault(_)) if cancel.is_cancelled() => return Ok(CommandOutcome::Interrupted),
        made => made?,
    };
    let status = StatusLine::start(common, "writing answers");
    let solved_now = write_solved(&solved, common, &status)?;
    let (proven, written) =
        (count(&solved) - solved_now + by_models.proven, solved_now + by_models.written.len() as u64);
    for answer in by_models.written {
        keep(answer.file, &answer.case)?;
        tell_written(&answer.case, common, &status)?;
    }
    drop(status);
    if !common.quiet {
        screen::sentence(summary(count(&solved) + count(&unsolved), proven, written))?;
    }
    Ok(CommandOutcome::AsExpected)
}

/// Writes the answers that are missing and that the reference solver knows; how many there were.
fn write_solved(work: &AnswerWork, common: &GlobalOptions, status: &StatusLine) -> Result<u64, CommandError> {
    let mut written = 0;
    for (problem, cases) in work {
        for case in cases.iter().filter(|case| !case.answer.exists()) {
            status.say(|| format!("solving {}: {}", problem.id, case.name));
            write(problem, case)?;
            written += 1;
            tell_written(case, common, status)?;
        }
    }
    Ok(written)
}

fn count(work: &AnswerWork) -> u64 {
    work.iter().map(|(_, cases)| cases.len() as u64).sum()
}

fn tell_written(case: &Case, common: &GlobalOptions, status: &StatusLine) -> Result<(), Fault> {
    let tell = || screen::result(format_args!("wrote {}", case.answer.display()));
    if common.quiet { Ok(()) } else { status.suspend(tell) }
}

fn summary(cases: u64, proven: u64, written: u64) -> String {
    let counts =
        format!("{}: {} proven, {written} written", counted(cases, "case"), counted(proven, "answer"));
    match cases - proven - written {
        0 => counts,
        // Those of a text, that only its model solution could prove.
        kept => format!("{counts}, {kept} kept as they are"),
    }
}

type AnswerWork = Vec<(Problem, Vec<Case>)>;

fn prove(work: &AnswerWork, status: &StatusLine) -> Result<(), Mistakes> {
    let mut mistakes = Vec::new();
    for (problem, cases) in work {
        for (case, number) in cases.iter().zip(1..) {
            let (id, all) = (&problem.id, cases.len());
            status.say(|| format!("proving {id}: case {number} of {all}, {}", case.name));
            let found = proof::mistakes_of(problem, case, case.answer.exists());
            if found.is_empty() {
                mistakes
                    .extend(proving::solutions_of(problem, case).err().into_iter().flat_map(|found| found.0));
            }
            mistakes.extend(found);
        }
    }
    Mistakes::or(mistakes, ())
}

fn write(problem: &Problem, case: &Case) -> Result<(), CommandError> {
    let fault = |error: io::Error| Fault::new(format!("writing {}", case.answer.display()), error);
    let mut file = new_file(&case.answer)?;
    let input = File::open(&case.input).map_err(fault)?;
    proof::solve(problem, input, &mut file)
        .map_err(|refusal| Mistakes(vec![proof::mistake_of_solve_error(case, &refusal)]))?;
    Ok(keep(file, case)?)
}

/// Gives an answer its name: a reader finds all of it or nothing.
fn keep(file: NamedTempFile, case: &Case) -> Result<(), Fault> {
    let fault = |error: io::Error| Fault::new(format!("writing {}", case.answer.display()), error);
    let permissions = case.input.metadata().map_err(fault)?.permissions();
    file.as_file().set_permissions(permissions).map_err(fault)?;
    file.persist_noclobber(&case.answer).map_err(|error| fault(error.error))?;
    Ok(())
}
