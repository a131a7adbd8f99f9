//! `gridjudge grade`: judge programs.

use std::path::PathBuf;

use clap::Args;

use crate::cli::CommandError;
use crate::cli::CommandOutcome;
use crate::cli::GlobalOptions;
use crate::cli::session::case_filter::CaseFilter;
use crate::cli::session::contest;
use crate::cli::session::contest::RankingOptions;
use crate::cli::session::request;
use crate::cli::session::request::RunOptions;
use crate::cli::session::request::SessionRequest;
use crate::cli::session::selection;
use crate::cli::status_line::StatusLine;
use crate::cli::watch;
use crate::cli::watch::WatchIteration;
use crate::cli::watch::WatchRequest;
use crate::spec::JudgeFolder;
use crate::spec::Mistake;
use crate::spec::Mistakes;

#[derive(Debug, Args)]
pub(crate) struct GradeArgs {
    /// Programs: sources, or executables; or the folder of a contest, `<team>/<problem>@<minute>.<ext>`. Without any,
    /// every example submission
    #[arg(value_name = "SUBMISSION")]
    submissions: Vec<PathBuf>,
    /// The problem [default: the one in whose folder a submission lies, or that it is named after]
    #[arg(short, long, value_name = "PROBLEM")]
    problem: Option<String>,
    #[command(flatten)]
    chosen: CaseFilter,
    /// Judge again whenever a submission, its problem or its cases change, first what failed last; Ctrl-C ends this
    // What `--github` writes stays, and would be written in each round.
    #[arg(long, conflicts_with = "github")]
    watch: bool,
    #[command(flatten)]
    judging: RunOptions,
    #[command(flatten)]
    ranking: RankingOptions,
    /// Write the standings of a contest to FILE, as a page
    #[arg(long, value_name = "FILE", help_heading = contest::HEADING)]
    standings_html: Option<PathBuf>,
    /// Write the standings of a contest to FILE, as comma-separated values
    #[arg(long, value_name = "FILE", help_heading = contest::HEADING)]
    standings_csv: Option<PathBuf>,
}

pub(crate) fn run(grade: &GradeArgs, common: &GlobalOptions) -> Result<CommandOutcome, CommandError> {
    if !grade.watch {
        return once(grade, common, None);
    }
    let problems = grade.problem.iter().cloned().collect();
    let named = WatchRequest { problems, submissions: grade.submissions.clone() };
    watch::run(common, &named, |round| once(grade, common, Some(round)))
}

fn once(
    grade: &GradeArgs,
    common: &GlobalOptions,
    round: Option<&WatchIteration>,
) -> Result<CommandOutcome, CommandError> {
    let folder = common.folder()?;
    let files = contest::StandingsFiles {
        html: grade.standings_html.as_deref(),
        csv: grade.standings_csv.as_deref(),
    };
    grade.judging.check(&files.paths())?;
    let opening = grade.judging.open(folder.config.jobs);
    let status = StatusLine::start(common, "reading the cases");
    let mut plan = if grade.submissions.is_empty() {
        let ids = selection::ids(&folder, grade.problem.as_slice(), &[]);
        let plan = selection::examples(&folder, &selection::subjects(&folder, &ids, &status)?)?;
        if plan.entries.is_empty() {
            return Err(nothing_to_grade(&folder).into());
        }
        plan
    } else if let [path] = &grade.submissions[..]
        && path.is_dir()
    {
        contest::plan(&folder, path, grade.problem.as_deref(), common)?
    } else {
        selection::submissions(&folder, &grade.submissions, grade.problem.as_deref())?
    };
    drop(status);
    grade.chosen.keep(&mut plan, &folder)?;
    round.into_iter().for_each(|round| round.order(&mut plan));
    let stdout_is_taken = grade.judging.takes_stdout() || files.take_stdout();
    let standings = match plan.contest {
        Some(_) => contest::listeners(stdout_is_taken, grade.ranking, files)?,
        None => files.refuse()?,
    };
    let (ending, tally) = request::judge(SessionRequest {
        plan: &plan,
        opening,
        judging: &grade.judging,
        common,
        config: &folder.config,
        round,
        further: standings,
        stdout_is_taken,
    })?;
    // An example that cannot be judged here is one of many. Who named a program wants to know about that program.
    let unjudged =
        !grade.submissions.is_empty() && tally.skipped > 0 && ending != CommandOutcome::Interrupted;
    Ok(if unjudged { CommandOutcome::Failed } else { ending })
}

fn nothing_to_grade(folder: &JudgeFolder) -> Mistakes {
    let remedy = "name a program to grade, or put examples into `submissions/accepted/` of a problem";
    Mistake::of(&folder.config.problems, "there are no example submissions").with_remedy(remedy).into()
}
