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
use crate::cli::session::Sitting;
use crate::cli::status::Status;
use crate::cli::suggest;
use crate::cli::watching;
use crate::cli::watching::Named;
use crate::cli::watching::Round;
use crate::model::Accept;
use crate::model::Case;
use crate::model::Problem;
use crate::proof;
use crate::spec::Mistake;
use crate::spec::Mistakes;
use crate::suite::Plan;
use gridjudge_grid::flaw::plural;

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// Problems [default: all]
    #[arg(value_name = "PROBLEM")]
    problems: Vec<String>,
    /// The same, as other commands have it
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
    judging: Judging,
}

pub(crate) fn run(verify: &Verify, common: &Common) -> Result<Ending, Stop> {
    if !verify.watch {
        return once(verify, common, None);
    }
    let problems = verify.problem.iter().chain(&verify.problems).cloned().collect();
    let named = Named { problems, ..Named::default() };
    watching::run(common, &named, |round| once(verify, common, Some(round)))
}

fn once(verify: &Verify, common: &Common, round: Option<&Round>) -> Result<Ending, Stop> {
    let folder = common.folder()?;
    verify.judging.check(&[])?;
    let ids = selection::ids(&folder, verify.problem.as_slice(), &verify.problems);
    let status = Status::start(common, "reading the cases");
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
        return Ok(Ending::AsExpected);
    }
    if !common.quiet {
        screen::result("")?;
    }
    let opening = verify.judging.open(folder.config.jobs);
    round.into_iter().for_each(|round| round.order(&mut plan));
    if verify.suggest_limits {
        return suggest::run(&plan, opening, common);
    }
    let (ending, _) = session::judge(Sitting {
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
fn prove(subject: &Subject, status: &Status) -> Result<u64, Mistakes> {
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
    let solved = solved.map_err(|refusal| proof::mistake_of_refusal(case, &refusal))?;
    let wrong = if case.answer.exists() { proof::wrong_answers(problem, case) } else { Vec::new() };
    if wrong.is_empty() { Ok(solved) } else { Err(Mistakes(wrong)) }
}

fn proven(subject: &Subject, grids: u64) -> String {
    let replies = &subject.problem.format.replies;
    let promise = match subject.problem.accept {
        Accept::Unique if replies.none.is_some() || replies.several.is_some() => {
            "each answer its one solution, or the line that says why there is none such"
        }
        Accept::First if replies.none.is_some() => {
            "each answer the first of its solutions, or the line that says that there is none"
        }
        Accept::Any if replies.none.is_some() => {
            "each answer one of its solutions, or the line that says that there is none"
        }
        Accept::Unique => "each with the one solution that its answer gives",
        Accept::Any => "each answer one of its solutions",
        Accept::First => "each answer the first of its solutions",
        Accept::All { .. } => "each answer all of its solutions",
        Accept::Count { .. } => "each answer the number of its solutions",
    };
    let cases = subject.cases.len() as u64;
    let counts = format!("{cases} {} in format, {grids} {}", plural(cases, "case"), plural(grids, "grid"));
    format!("{}: {counts}, {promise}", subject.problem.id)
}
