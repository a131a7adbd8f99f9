//! `gridjudge grade`: judge programs.

use std::path::PathBuf;

use clap::Args;

use crate::cli::Common;
use crate::cli::Ending;
use crate::cli::Stop;
use crate::cli::selection;
use crate::cli::session;
use crate::cli::session::Judging;
use crate::spec::Folder;
use crate::spec::Mistake;
use crate::spec::Mistakes;

#[derive(Debug, Args)]
pub(crate) struct Grade {
    /// Programs: sources, or executables. Without any, every example submission
    #[arg(value_name = "SUBMISSION")]
    submissions: Vec<PathBuf>,
    /// The problem [default: the one in whose folder a submission lies, or that it is named after]
    #[arg(short, long, value_name = "PROBLEM")]
    problem: Option<String>,
    #[command(flatten)]
    judging: Judging,
}

pub(crate) fn run(grade: &Grade, common: &Common) -> Result<Ending, Stop> {
    let folder = common.folder()?;
    let opening = grade.judging.open(folder.config.jobs);
    let plan = if grade.submissions.is_empty() {
        let ids = selection::ids(&folder, grade.problem.as_slice(), &[]);
        let plan = selection::examples(&folder, &selection::subjects(&folder, &ids)?)?;
        if plan.entries.is_empty() {
            return Err(nothing_to_grade(&folder).into());
        }
        plan
    } else {
        selection::submissions(&folder, &grade.submissions, grade.problem.as_deref())?
    };
    let (ending, tally) = session::judge(&plan, opening, &grade.judging, common)?;
    // An example that cannot be judged here is one of many. Who named a program wants to know about that program.
    let unjudged = !grade.submissions.is_empty() && tally.skipped > 0 && ending != Ending::Interrupted;
    Ok(if unjudged { Ending::Failed } else { ending })
}

fn nothing_to_grade(folder: &Folder) -> Mistakes {
    let remedy = "name a program to grade, or put examples into `submissions/accepted/` of a problem";
    Mistake::of(&folder.config.problems, "there are no example submissions").with_remedy(remedy).into()
}
