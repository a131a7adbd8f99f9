//! `gridjudge grade`: judges programs.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::args::{GlobalOptions, PackageChoice};
use crate::cli::cancel::CancelToken;
use crate::cli::exit::{CommandError, CommandOutcome};
use crate::cli::session::judging::proving::KnownProofs;
use crate::cli::session::judging::{RunOptions, SessionRequest};
use crate::cli::session::packages::package_checks::PackageChecks;
use crate::cli::session::packages::package_notes;
use crate::cli::session::planning::case_filter::CaseFilter;
use crate::cli::session::planning::contest;
use crate::cli::session::planning::contest::{RankingOptions, StandingsFiles};
use crate::cli::session::time_limits::LimitMeasurement;
use crate::cli::session::{judging, planning};
use crate::cli::status_line::StatusLine;
use crate::cli::watch::{FailureHistory, WatchRequest};
use crate::cli::{signals, watch};
use crate::package;
use crate::package::WantedPackage;
use crate::run::Plan;
use crate::spec::{JudgeFolder, Mistake, Mistakes};

#[derive(Debug, Args)]
pub(crate) struct GradeArgs {
    /// Programs: sources, or executables; or the folder of a contest,
    /// `<team>/<problem>@<minute>.<ext>`. Without any, every example submission
    #[arg(value_name = "SUBMISSION")]
    submissions: Vec<PathBuf>,
    /// The problem [default: the one in whose folder a submission is, or that it is named after]
    #[arg(short, long)]
    problem: Option<String>,
    #[command(flatten)]
    format: PackageChoice,
    #[command(flatten)]
    chosen: CaseFilter,
    /// Judge again whenever a submission, its problem or its cases change, starting with what
    /// failed last; Ctrl-C ends this
    // The annotations of `--github` stay, and each round would add them again.
    #[arg(long, conflicts_with = "github")]
    watch: bool,
    #[command(flatten)]
    judging: RunOptions,
    /// Judge nothing of a contest if any file in it cannot be judged, such as one for an unknown
    /// problem
    #[arg(long, help_heading = contest::HEADING)]
    strict: bool,
    #[command(flatten)]
    ranking: RankingOptions,
    /// Write the standings of a contest to FILE, as a page
    #[arg(long, value_name = "FILE", help_heading = contest::HEADING)]
    standings_html: Option<PathBuf>,
    /// Write the standings of a contest to FILE, as comma-separated values
    #[arg(long, value_name = "FILE", help_heading = contest::HEADING)]
    standings_csv: Option<PathBuf>,
}

pub(crate) fn run(
    grade: &GradeArgs,
    common: &GlobalOptions,
) -> Result<CommandOutcome, CommandError> {
    if !grade.watch {
        return once(
            grade,
            common,
            &signals::cancel_token(),
            &FailureHistory::default(),
        );
    }
    let named = WatchRequest {
        problems: grade.problem.iter().cloned().collect(),
        format: grade.format.clone(),
        submissions: grade.submissions.clone(),
    };
    watch::run(common, &named, |cancel, history| {
        once(grade, common, cancel, history)
    })
}

fn once(
    grade: &GradeArgs,
    common: &GlobalOptions,
    cancel: &CancelToken,
    history: &FailureHistory,
) -> Result<CommandOutcome, CommandError> {
    // A contest is of several problems, and a hint about a missing file may be of any.
    let folder = if grade.submissions.iter().all(|path| path.is_file()) {
        common.folder_with(&grade.problem, &grade.format)?
    } else {
        common.whole_folder_with(&grade.problem, &grade.format)?
    };
    let files = grade.standings_files();
    grade.judging.check(&files.paths())?;
    let startup = grade.judging.start_sandbox(folder.config.jobs);
    let proofs = grade.judging.known_proofs(&startup, &folder);
    let mut plan = grade.plan(&folder, &proofs, common)?;
    proofs.close();
    let notes = grade.notes(&folder, &plan);
    // The limits are measured on the whole package, before the chosen cases are filtered.
    let untimed = LimitMeasurement::of(&folder, &plan)?;
    grade.chosen.keep(&mut plan, &folder)?;
    history.put_first(&mut plan);
    let stdout_is_taken = grade.judging.takes_stdout() || files.take_stdout();
    let mut sinks = match plan.contest {
        Some(_) => contest::sinks(stdout_is_taken, grade.ranking, files)?,
        None => files.refuse()?,
    };
    sinks.push(history.sink());
    let (outcome, tally) = judging::judge(SessionRequest {
        plan: &plan,
        untimed,
        checks: PackageChecks::default(),
        startup,
        options: &grade.judging,
        common,
        folder: &folder,
        cancel,
        notes,
        sinks,
        stdout_is_taken,
    })?;
    // An example that cannot be judged here is skipped; for a program that the user named, this is
    // a failure.
    let is_unjudged = !grade.submissions.is_empty()
        && tally.skipped > 0
        && outcome != CommandOutcome::Interrupted;
    Ok(if is_unjudged {
        CommandOutcome::Failed
    } else {
        outcome
    })
}

impl GradeArgs {
    fn standings_files(&self) -> StandingsFiles<'_> {
        StandingsFiles {
            html: self.standings_html.as_deref(),
            csv: self.standings_csv.as_deref(),
        }
    }

    /// Notes on packages. Examples that are left out are noted only if no submission was named.
    fn notes(&self, folder: &JudgeFolder, plan: &Plan) -> Vec<String> {
        let problems = package_notes::problems_of(folder, plan);
        let mut notes = package_notes::of_usual_limits(&problems);
        notes.extend(package_notes::of_paired_cases(&problems));
        notes.extend(package_notes::of_slips(&problems));
        if self.submissions.is_empty() {
            notes.extend(package_notes::of_left_out(&problems));
            if self.problem.is_none() {
                notes.extend(package_notes::of_unrecognised(folder));
            }
        }
        notes
    }

    /// A plan of the named submissions, or of all examples if none was named.
    fn plan(
        &self,
        folder: &JudgeFolder,
        proofs: &KnownProofs<'_>,
        common: &GlobalOptions,
    ) -> Result<Plan, Mistakes> {
        let status = StatusLine::start(common, "reading the cases");
        match &self.submissions[..] {
            [] => {
                let ids = match &self.problem {
                    Some(id) => vec![id.clone()],
                    None => folder.ids().map(str::to_owned).collect(),
                };
                let plan = planning::examples(&planning::subjects(folder, &ids, proofs, &status)?)?;
                if plan.entries.is_empty() {
                    Err(nothing_to_grade(folder))
                } else {
                    Ok(plan)
                }
            }
            [path] if planning::answers_to(folder, path, self.problem.as_deref()).is_some() => {
                planning::submissions(folder, &self.submissions, self.problem.as_deref(), proofs)
            }
            [path] if self.problem.is_none() && is_package(path) => {
                Err(package_for_submission(path).into())
            }
            [path] if path.is_dir() => {
                let only = self.problem.as_deref().map(|named| folder.id_of(named));
                contest::plan(folder, path, only, self.strict, proofs, common)
            }
            paths => planning::submissions(folder, paths, self.problem.as_deref(), proofs),
        }
    }
}

/// Whether a path is that of a package. Users easily name one in place of a submission. Cases in
/// the folder itself make it none here: teams may hand in theirs.
fn is_package(path: &Path) -> bool {
    package::is_archive(path)
        || package::found_package_file(path, &WantedPackage::default())
            .is_some_and(|file| file.parent() == Some(path) && !package::is_of_cases(&file))
}

fn package_for_submission(path: &Path) -> Mistake {
    let remedy = format!(
        "to judge its own submissions, write `-p {0}`; for one of yours, `-p {0} FILE`",
        path.display()
    );
    Mistake::of(path, "is the package of a problem, and no submission").with_remedy(remedy)
}

fn nothing_to_grade(folder: &JudgeFolder) -> Mistakes {
    let remedy =
        "name a program to grade, or put examples into `submissions/accepted/` of a problem";
    Mistake::of(&folder.config.problems, "there are no example submissions")
        .with_remedy(remedy)
        .into()
}
