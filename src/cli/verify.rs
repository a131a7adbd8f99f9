//! `gridjudge verify`: prove problems.

use std::io;

use clap::Args;

use crate::cli::Common;
use crate::cli::Ending;
use crate::cli::Stop;
use crate::cli::screen;
use crate::cli::selection;
use crate::cli::selection::Subject;
use crate::cli::session;
use crate::cli::session::Judging;
use crate::grid::flaw::plural;
use crate::model::Accept;
use crate::model::Case;
use crate::model::Problem;
use crate::proof;
use crate::spec::Mistake;
use crate::spec::Mistakes;
use crate::suite::Plan;

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// Problems [default: all]
    #[arg(value_name = "PROBLEM")]
    problems: Vec<String>,
    /// The same, as other commands have it
    #[arg(short, long = "problem", value_name = "PROBLEM", conflicts_with = "problems")]
    problem: Option<String>,
    #[command(flatten)]
    judging: Judging,
}

pub(crate) fn run(verify: &Verify, common: &Common) -> Result<Ending, Stop> {
    let folder = common.folder()?;
    let ids = selection::ids(&folder, verify.problem.as_slice(), &verify.problems);
    let subjects = selection::subjects(&folder, &ids)?;
    let mut mistakes = Vec::new();
    for subject in &subjects {
        match prove(subject) {
            Ok(grids) if !common.quiet => screen::result(proven(subject, grids))?,
            Ok(_) => {}
            Err(Mistakes(found)) => mistakes.extend(found),
        }
    }
    let plan = selection::examples(&folder, &subjects).unwrap_or_else(|Mistakes(found)| {
        mistakes.extend(found);
        Plan::default()
    });
    if !mistakes.is_empty() {
        return Err(Mistakes(mistakes).into());
    }
    if plan.entries.is_empty() {
        screen::notice("no example submissions, so no verdicts are proven");
        return Ok(Ending::AsExpected);
    }
    if !common.quiet {
        screen::result("")?;
    }
    let (ending, _) = session::judge(&plan, &verify.judging, common, folder.config.jobs)?;
    Ok(ending)
}

/// Solves every grid of every case; how many there are.
fn prove(subject: &Subject) -> Result<u64, Mistakes> {
    let mut grids = 0;
    let mut mistakes = Vec::new();
    for case in subject.cases.iter() {
        match solutions_of(&subject.problem, case) {
            Ok(solved) => grids += solved,
            Err(mistake) => mistakes.push(mistake),
        }
    }
    if mistakes.is_empty() { Ok(grids) } else { Err(Mistakes(mistakes)) }
}

/// Proves that the grids of a case have the solutions that the problem promises. That the stored answer is one of
/// them has been seen when the case was read.
pub(crate) fn solutions_of(problem: &Problem, case: &Case) -> Result<u64, Mistake> {
    let input = std::fs::File::open(&case.input);
    let input = input.map_err(|error| Mistake::of(&case.input, format!("cannot be read: {error}")))?;
    proof::solve(problem, input, io::sink()).map_err(|refusal| proof::mistake_of_refusal(case, &refusal))
}

fn proven(subject: &Subject, grids: u64) -> String {
    let promise = match subject.problem.accept {
        Accept::Unique => "each with the one solution that its answer gives",
        Accept::Any => "each answer one of its solutions",
    };
    let cases = subject.cases.len() as u64;
    let counts = format!("{cases} {} in format, {grids} {}", plural(cases, "case"), plural(grids, "grid"));
    format!("{}: {counts}, {promise}", subject.problem.id)
}
