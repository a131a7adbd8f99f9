//! `gridjudge grade`: judge programs.

use std::path::PathBuf;

use clap::Args;

use crate::cli::Common;
use crate::cli::Ending;
use crate::cli::Stop;
use crate::cli::chosen::Chosen;
use crate::cli::contest;
use crate::cli::contest::Ranking;
use crate::cli::selection;
use crate::cli::session;
use crate::cli::session::Judging;
use crate::cli::session::Sitting;
use crate::cli::status::Status;
use crate::cli::watching;
use crate::cli::watching::Named;
use crate::cli::watching::Round;
use crate::spec::Folder;
use crate::spec::Mistake;
use crate::spec::Mistakes;

#[derive(Debug, Args)]
pub(crate) struct Grade {
    /// Programs: sources, or executables; or the folder of a contest, `<team>/<problem>@<minute>.<ext>`. Without any,
    /// every example submission
    #[arg(value_name = "SUBMISSION")]
    submissions: Vec<PathBuf>,
    /// The problem [default: the one in whose folder a submission lies, or that it is named after]
    #[arg(short, long, value_name = "PROBLEM")]
    problem: Option<String>,
    #[command(flatten)]
    chosen: Chosen,
    /// Judge again whenever a submission, its problem or its cases change, first what failed last; Ctrl-C ends this
    // What `--github` writes stays, and would be written in each round.
    #[arg(long, conflicts_with = "github")]
    watch: bool,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    ranking: Ranking,
    /// Write the standings of a contest to FILE, as a page
    #[arg(long, value_name = "FILE", help_heading = contest::HEADING)]
    standings_html: Option<PathBuf>,
    /// Write the standings of a contest to FILE, as comma-separated values
    #[arg(long, value_name = "FILE", help_heading = contest::HEADING)]
    standings_csv: Option<PathBuf>,
}

pub(crate) fn run(grade: &Grade, common: &Common) -> Result<Ending, Stop> {
    if !grade.watch {
        return once(grade, common, None);
    }
    let problems = grade.problem.iter().cloned().collect();
    let named = Named { problems, submissions: grade.submissions.clone() };
    watching::run(common, &named, |round| once(grade, common, Some(round)))
}

fn once(grade: &Grade, common: &Common, round: Option<&Round>) -> Result<Ending, Stop> {
    let folder = common.folder()?;
    let files = contest::Files { html: grade.standings_html.as_deref(), csv: grade.standings_csv.as_deref() };
    grade.judging.check(&files.paths())?;
    let opening = grade.judging.open(folder.config.jobs);
    let status = Status::start(common, "reading the cases");
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
    let (ending, tally) = session::judge(Sitting {
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
    let unjudged = !grade.submissions.is_empty() && tally.skipped > 0 && ending != Ending::Interrupted;
    Ok(if unjudged { Ending::Failed } else { ending })
}

fn nothing_to_grade(folder: &Folder) -> Mistakes {
    let remedy = "name a program to grade, or put examples into `submissions/accepted/` of a problem";
    Mistake::of(&folder.config.problems, "there are no example submissions").with_remedy(remedy).into()
}
