//! `gridjudge answers`: the reference solver writes what is missing, or proves what is there.

use std::fs::File;
use std::io;
use std::path::Path;

use clap::Args;
use tempfile::NamedTempFile;

use crate::cli::args::GlobalOptions;
use crate::cli::args::ProblemNames;
use crate::cli::exit::CommandError;
use crate::cli::exit::CommandOutcome;
use crate::cli::screen;
use crate::cli::session::proving;
use crate::cli::session::selection;
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
    let folder = common.folder()?;
    let required =
        if answers.check { spec::AnswerRequirement::Required } else { spec::AnswerRequirement::Optional };
    let ids = answers.problems.ids(&folder);
    let work = Mistakes::of_all(ids.iter().map(|id| selection::problem_and_cases(&folder, id, required)))?;
    // Everything is proven before anything is written, so that a refusal leaves no half of a set behind.
    prove(&work, &StatusLine::start(common, "proving answers"))?;
    let status = StatusLine::start(common, "writing answers");
    let mut written = 0;
    for (problem, cases) in &work {
        for case in cases.iter().filter(|case| !case.answer.exists()) {
            status.say(|| format!("solving {}: {}", problem.id, case.name));
            write(problem, case)?;
            written += 1;
            if !common.quiet {
                status.suspend(|| screen::result(format_args!("wrote {}", case.answer.display())))?;
            }
        }
    }
    drop(status);
    let cases: u64 = work.iter().map(|(_, cases)| cases.len() as u64).sum();
    if !common.quiet {
        let (proven, cases) = (counted(cases - written, "answer"), counted(cases, "case"));
        screen::result(format_args!("{cases}: {proven} proven, {written} written"))?;
    }
    Ok(CommandOutcome::AsExpected)
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

/// Writes an answer under another name and then gives it its own: a reader finds all of it or nothing.
fn write(problem: &Problem, case: &Case) -> Result<(), CommandError> {
    let fault = |error: io::Error| Fault::new(format!("writing {}", case.answer.display()), error);
    let folder = case.answer.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut file = NamedTempFile::new_in(folder.unwrap_or(Path::new("."))).map_err(fault)?;
    let input = File::open(&case.input).map_err(fault)?;
    proof::solve(problem, input, &mut file)
        .map_err(|refusal| Mistakes(vec![proof::mistake_of_solve_error(case, &refusal)]))?;
    let permissions = case.input.metadata().map_err(fault)?.permissions();
    file.as_file().set_permissions(permissions).map_err(fault)?;
    file.persist_noclobber(&case.answer).map_err(|error| fault(error.error))?;
    Ok(())
}
