//! `gridjudge verify`: proves problems.

use clap::Args;

use crate::cli::args::FormatChoice;
use crate::cli::args::GlobalOptions;
use crate::cli::args::ProblemNames;
use crate::cli::cancel::CancelToken;
use crate::cli::exit::CommandError;
use crate::cli::exit::CommandOutcome;
use crate::cli::screen;
use crate::cli::session::measured_limits::LimitMeasurement;
use crate::cli::session::package_checks::PackageChecks;
use crate::cli::session::package_notes;
use crate::cli::session::plan_entry::ProblemCases;
use crate::cli::session::proving;
use crate::cli::session::request;
use crate::cli::session::request::RunOptions;
use crate::cli::session::request::SessionRequest;
use crate::cli::session::selection;
use crate::cli::session::suggest_limits;
use crate::cli::signals;
use crate::cli::status_line::StatusLine;
use crate::cli::watch;
use crate::cli::watch::FailureHistory;
use crate::cli::watch::WatchRequest;
use crate::model::Task;
use crate::proof;
use crate::run::Plan;
use crate::spec::JudgeFolder;
use crate::spec::Mistakes;

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    problems: ProblemNames,
    #[command(flatten)]
    format: FormatChoice,
    /// Prove again whenever a problem changes, starting with what failed last; Ctrl-C ends this
    #[arg(long, conflicts_with = "github")]
    watch: bool,
    /// Time the examples and show which time limits leave room: at least twice the slowest accepted one, and
    /// at most two thirds of the fastest one that must be too slow
    #[arg(long, conflicts_with_all = ["watch", "repeat", "log", "all"])]
    suggest_limits: bool,
    #[command(flatten)]
    judging: RunOptions,
}

pub(crate) fn run(verify: &VerifyArgs, common: &GlobalOptions) -> Result<CommandOutcome, CommandError> {
    if !verify.watch {
        return once(verify, common, &signals::cancel_token(), &FailureHistory::default());
    }
    let named =
        WatchRequest { problems: verify.problems.named(), format: verify.format, ..WatchRequest::default() };
    watch::run(common, &named, |cancel, history| once(verify, common, cancel, history))
}

fn once(
    verify: &VerifyArgs,
    common: &GlobalOptions,
    cancel: &CancelToken,
    history: &FailureHistory,
) -> Result<CommandOutcome, CommandError> {
    let folder = common.folder_with(&verify.problems.named(), verify.format)?;
    verify.judging.check(&[])?;
    let (mut plan, subjects) = verify.proven_examples(&folder, common)?;
    let checks = PackageChecks::of(&folder, &subjects);
    let is_empty = plan.entries.is_empty() && checks.is_empty();
    let notes = verify.notes(&folder, &plan, is_empty.then_some(&subjects));
    if is_empty && !verify.judging.writes_reports() {
        notes.iter().for_each(screen::notice);
        return Ok(CommandOutcome::AsExpected);
    }
    if !common.quiet {
        screen::result("")?;
    }
    let startup = verify.judging.start_sandbox(folder.config.jobs);
    let untimed = LimitMeasurement::of(&folder, &plan)?;
    history.put_first(&mut plan);
    if verify.suggest_limits {
        return suggest_limits::run(&folder, &plan, startup, common, cancel);
    }
    let (outcome, _) = request::judge(SessionRequest {
        plan: &plan,
        untimed,
        checks,
        startup,
        options: &verify.judging,
        common,
        config: &folder.config,
        cancel,
        notes,
        sinks: vec![history.sink()],
        stdout_is_taken: verify.judging.takes_stdout(),
    })?;
    Ok(outcome)
}

impl VerifyArgs {
    /// Notes on the packages among the problems, and one if there is nothing to judge.
    fn notes(&self, folder: &JudgeFolder, plan: &Plan, unjudged: Option<&[ProblemCases]>) -> Vec<String> {
        let ids = self.problems.ids(folder);
        let left_out = package_notes::of_left_out(folder, ids.iter().map(String::as_str));
        let nothing = Vec::from_iter(unjudged.map(without_examples));
        let mut notes = [left_out, package_notes::of_usual_limits(folder, plan), nothing].concat();
        if self.problems.named().is_empty() {
            notes.extend(package_notes::of_unrecognised(folder));
        }
        notes
    }

    /// Proves the cases of every problem. Returns the plan to judge the examples, and the problems with their
    /// cases.
    fn proven_examples(
        &self,
        folder: &JudgeFolder,
        common: &GlobalOptions,
    ) -> Result<(Plan, Vec<ProblemCases>), CommandError> {
        let ids = self.problems.ids(folder);
        let status = StatusLine::start(common, "reading the cases");
        let subjects = selection::subjects(folder, &ids, &status)?;
        let mut mistakes = Vec::new();
        for subject in &subjects {
            match proving::prove(subject, &status) {
                Ok(grids) if !common.quiet => status.suspend(|| screen::sentence(proven(subject, grids)))?,
                Ok(_) => {}
                Err(Mistakes(found)) => mistakes.extend(found),
            }
        }
        drop(status);
        let plan = selection::examples(folder, &subjects).unwrap_or_else(|Mistakes(found)| {
            mistakes.extend(found);
            Plan::default()
        });
        if mistakes.is_empty() { Ok((plan, subjects)) } else { Err(Mistakes(mistakes).into()) }
    }
}

/// The note that there is nothing to judge.
fn without_examples(subjects: &[ProblemCases]) -> String {
    let have_programs = subjects.iter().any(|subject| matches!(subject.problem.task, Task::Checker(_)));
    let programs = if have_programs { ", and no checker or interactor is compiled or tried" } else { "" };
    format!("no example submissions, so no verdicts are proven{programs}")
}

fn proven(subject: &ProblemCases, grids: u64) -> String {
    let cases = subject.cases.iter().filter(|case| !subject.problem.is_static(&case.name)).count() as u64;
    format!("{}: {}", subject.problem.id, proof::promise(&subject.problem, cases, grids))
}
