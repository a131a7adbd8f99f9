//! `gridjudge grade`: judge programs.

use std::path::PathBuf;

use clap::Args;

use crate::cli::session::{self, Judging};
use crate::cli::{Common, Ending, Stop, selection};

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
    let plan = if grade.submissions.is_empty() {
        let ids = selection::ids(&folder, grade.problem.as_slice());
        selection::examples(&folder, &selection::subjects(&folder, &ids)?)?
    } else {
        selection::submissions(&folder, &grade.submissions, grade.problem.as_deref())?
    };
    Ok(session::judge(&plan, &grade.judging, common, folder.config.jobs)?)
}
