//! Which submissions `grade` and `plan` are about, as their command lines say: programs, the examples
//! of problems, or a contest's folder; on which cases. Start at [`SubmissionChoice::plan`].

use crate::sorted::SortedSet;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::session::planning::CaseFilter;
use crate::cli::{
    CommandError, GlobalOptions, KnownProofs, LogFile, PackageChoice, StatusLine, contest,
    package_notes, planning, screen,
};
use crate::model::Event;
use crate::package;
use crate::package::WantedPackage;
use crate::run::Plan;
use crate::spec::{ContestEntries, JudgeFolder, Mistake, Mistakes};
use crate::text::counted;

#[derive(Args)]
pub(crate) struct SubmissionChoice {
    /// Programs: sources, or executables; or the folder of a contest,
    /// `<team>/<problem>@<minute>.<ext>`. Without any, every example submission
    #[arg(value_name = "SUBMISSION")]
    pub(crate) submissions: Vec<PathBuf>,
    /// The problem [default: the one in whose folder a submission is, or that it is named after]
    ///
    /// Given several times, all these problems, each with the submissions that are for it.
    #[arg(short, long = "problem", value_name = "PROBLEM")]
    pub(crate) problems: Vec<String>,
    #[command(flatten)]
    pub(crate) format: PackageChoice,
    #[command(flatten)]
    cases: CaseFilter,
    /// Judge only what was not as expected in an older log
    #[arg(long, value_name = "LOG")]
    failed: Option<PathBuf>,
    /// Judge only the submissions in an older log, such as `merge --again` writes
    #[arg(long, value_name = "LOG", conflicts_with = "failed")]
    again: Option<PathBuf>,
    /// Judge nothing of a contest if any file in it cannot be judged, such as one for an unknown
    /// problem
    #[arg(long, help_heading = contest::HEADING)]
    strict: bool,
}

impl SubmissionChoice {
    /// The judge's folder, as far as the submissions need it.
    pub(crate) fn folder(&self, common: &GlobalOptions) -> Result<JudgeFolder, CommandError> {
        // A contest is of several problems, and a hint about a missing file may be of any.
        Ok(if self.submissions.iter().all(|path| path.is_file()) {
            common.folder_with(&self.problems, &self.format)?
        } else {
            common.whole_folder_with(&self.problems, &self.format)?
        })
    }

    /// Leaves out of a plan what the command line does not choose: cases, and submissions by what
    /// became of them in an older log.
    ///
    /// # Errors
    /// If a case is unknown, or a log cannot be read.
    pub(crate) fn keep(&self, plan: &mut Plan, folder: &JudgeFolder) -> Result<(), CommandError> {
        self.cases.keep(plan, folder)?;
        let Some(path) = self.failed.as_ref().or(self.again.as_ref()) else {
            return Ok(());
        };
        let mut wanted = SortedSet::new();
        LogFile::open(path)?.read(|event| match event {
            Event::SubmissionFinished(summary)
                if self.again.is_some() || !summary.is_as_expected() =>
            {
                wanted.insert((summary.problem, summary.submission));
            }
            Event::SubmissionSkipped {
                problem,
                submission,
                ..
            } => _ = wanted.insert((problem, submission)),
            _ => {}
        })?;
        let mut kept = 0;
        plan.entries.retain(|entry| {
            let key = (
                entry.problem.id.as_str().into(),
                entry.submission.name.as_str().into(),
            );
            let is_wanted = wanted.contains(&key);
            kept += usize::from(is_wanted);
            is_wanted
        });
        plan.is_part = true;
        if kept < wanted.len() {
            screen::notice(format_args!(
                "{}: {} of its {} to judge here",
                path.display(),
                kept,
                counted(wanted.len(), "submission"),
            ));
        }
        Ok(())
    }

    /// Notes on packages. Examples that are left out are noted only if no submission was named.
    pub(crate) fn notes(&self, folder: &JudgeFolder, plan: &Plan) -> Vec<String> {
        let problems = package_notes::problems_of(folder, plan);
        let mut notes = package_notes::of_usual_limits(&problems);
        notes.extend(package_notes::of_paired_cases(&problems));
        notes.extend(package_notes::of_slips(&problems));
        if self.submissions.is_empty() {
            notes.extend(package_notes::of_left_out(&problems));
            if self.problems.is_empty() {
                notes.extend(package_notes::of_unrecognised(folder));
            }
        }
        notes
    }

    /// Whether an older log says which submissions to judge.
    pub(crate) fn has_older_log(&self) -> bool {
        self.failed.is_some() || self.again.is_some()
    }

    /// A plan of the named submissions, or of all examples if none was named.
    pub(crate) fn plan(
        &self,
        folder: &JudgeFolder,
        proofs: &KnownProofs<'_>,
    ) -> Result<Plan, Mistakes> {
        let status = StatusLine::start("reading the cases");
        match &self.submissions[..] {
            [] => {
                let ids = match &self.problems[..] {
                    [] => folder.ids().map(str::to_owned).collect(),
                    named => named.to_vec(),
                };
                let plan = planning::examples(&planning::subjects(folder, &ids, proofs, &status)?)?;
                if plan.entries.is_empty() {
                    Err(nothing_to_grade(folder))
                } else {
                    Ok(plan)
                }
            }
            [path] if planning::answers_to(folder, path, self.only_problem()).is_some() => {
                planning::submissions(folder, &self.submissions, &self.problems, proofs)
            }
            [path] if self.problems.is_empty() && is_package(path) => {
                Err(package_for_submission(path).into())
            }
            [path] if path.is_dir() => {
                let only = self.problem_ids(folder);
                let entries = ContestEntries::read(folder, path, &only)?;
                contest::plan(folder, entries, self.strict, proofs)
            }
            paths => {
                let only = self.problem_ids(folder);
                match ContestEntries::of_files(folder, paths, &only)? {
                    Some(entries) => contest::plan(folder, entries, self.strict, proofs),
                    None => planning::submissions(folder, paths, &self.problems, proofs),
                }
            }
        }
    }

    /// The problem of all submissions, if only one is named.
    pub(crate) fn only_problem(&self) -> Option<&str> {
        match &self.problems[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    fn problem_ids(&self, folder: &JudgeFolder) -> Vec<String> {
        let named = self.problems.iter();
        named.map(|named| folder.id_of(named).to_owned()).collect()
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
