//! `gridjudge verify`: prove problems.

use std::io;

use clap::Args;

use crate::cli::CommandError;
use crate::cli::CommandOutcome;
use crate::cli::GlobalOptions;
use crate::cli::screen;
use crate::cli::session::request;
use crate::cli::session::request::RunOptions;
use crate::cli::session::request::SessionRequest;
use crate::cli::session::selection;
use crate::cli::session::selection::ProblemCases;
use crate::cli::session::suggest_limits;
use crate::cli::status_line::StatusLine;
use crate::cli::watch;
use crate::cli::watch::WatchIteration;
use crate::cli::watch::WatchRequest;
use crate::model::Case;
use crate::model::Problem;
use crate::proof;
use crate::run::Plan;
use crate::spec::Mistake;
use crate::spec::Mistakes;
use gridjudge_grid::format::parse_error::plural;

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Problems [default: all]
    #[arg(value_name = "PROBLEM")]
    problems: Vec<String>,
    /// Same as the positional argument
    #[arg(short, long = "problem", value_name = "PROBLEM", conflicts_with = "problems")]
    problem: Option<String>,
    /// Prove it again whenever something of it changes, first what failed last; Ctrl-C ends this
    #[arg(long, conflicts_with = "github")]
    watch: bool,
    /// Time the examples and tell which time limits leave room: half of it for what must be accepted, half as much again
    /// for what must be too slow
    #[arg(long, conflicts_with_all = ["watch", "repeat", "log", "all"])]
    suggest_limits: bool,
    #[command(flatten)]
    judging: RunOptions,
}

pub(crate) fn run(verify: &VerifyArgs, common: &GlobalOptions) -> Result<CommandOutcome, CommandError> {
    if !verify.watch {
        return once(verify, common, None);
    }
    let problems = verify.problem.iter().chain(&verify.problems).cloned().collect();
    let named = WatchRequest { problems, ..WatchRequest::default() };
    watch::run(common, &named, |round| once(verify, common, Some(round)))
}

fn once(
    verify: &VerifyArgs,
    common: &GlobalOptions,
    round: Option<&WatchIteration>,
) -> Result<CommandOutcome, CommandError> {
    let folder = common.folder()?;
    verify.judging.check(&[])?;
    let ids = selection::ids(&folder, verify.problem.as_slice(), &verify.problems);
    let status = StatusLine::start(common, "reading the cases");
    let subjects = selection::subjects(&folder, &ids, &status)?;
    let mut mistakes = Vec::new();
    for subject in &subjects {
        match prove(subject, &status) {
            Ok(grids) if !common.quiet => status.suspend(|| screen::result(proven(subject, grids)))?,
            Ok(_) => {}
            Err(Mistakes(found)) => mistakes.extend(found),
        }
    }
    drop(status);
    let mut plan = selection::examples(&folder, &subjects).unwrap_or_else(|Mistakes(found)| {
        mistakes.extend(found);
        Plan::default()
    });
    if !mistakes.is_empty() {
        return Err(Mistakes(mistakes).into());
    }
    if plan.entries.is_empty() {
        screen::notice("no example submissions, so no verdicts are proven");
        return Ok(CommandOutcome::AsExpected);
    }
    if !common.quiet {
        screen::result("")?;
    }
    let opening = verify.judging.open(folder.config.jobs);
    round.into_iter().for_each(|round| round.order(&mut plan));
    if verify.suggest_limits {
        return suggest_limits::run(&plan, opening, common);
    }
    let (ending, _) = request::judge(SessionRequest {
        plan: &plan,
        opening,
        judging: &verify.judging,
        common,
        config: &folder.config,
        round,
        further: Vec::new(),
        stdout_is_taken: verify.judging.takes_stdout(),
    })?;
    Ok(ending)
}

/// Solves every grid of every case; how many there are.
fn prove(subject: &ProblemCases, status: &StatusLine) -> Result<u64, Mistakes> {
    let mut grids = 0;
    let mut mistakes = Vec::new();
    for (case, number) in subject.cases.iter().zip(1..) {
        let (id, all) = (&subject.problem.id, subject.cases.len());
        status.say(|| format!("proving {id}: case {number} of {all}, {}", case.name));
        match solutions_of(&subject.problem, case) {
            Ok(solved) => grids += solved,
            Err(Mistakes(found)) => mistakes.extend(found),
        }
    }
    if mistakes.is_empty() { Ok(grids) } else { Err(Mistakes(mistakes)) }
}

/// Proves that the grids of a case have the solutions that the problem promises, and that the stored answer, if there is
/// one, is the right one.
pub(crate) fn solutions_of(problem: &Problem, case: &Case) -> Result<u64, Mistakes> {
    let input = std::fs::File::open(&case.input);
    let input = input.map_err(|error| Mistake::of(&case.input, format!("cannot be read: {error}")))?;
    let solved = proof::solve(problem, input, io::sink());
    let solved = solved.map_err(|refusal| proof::mistake_of_solve_error(case, &refusal))?;
    let wrong = if case.answer.exists() { proof::wrong_answers(problem, case) } else { Vec::new() };
    if wrong.is_empty() { Ok(solved) } else { Err(Mistakes(wrong)) }
}

fn proven(subject: &ProblemCases, grids: u64) -> String {
    let promise = proof::promise(&subject.problem);
    let cases = subject.cases.len() as u64;
    let counts = format!("{cases} {} in format, {grids} {}", plural(cases, "case"), plural(grids, "grid"));
    format!("{}: {counts}, {promise}", subject.problem.id)
}
