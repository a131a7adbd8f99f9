//! `gridjudge verify`: proves problems.

use clap::Args;

use crate::cli::session::time_limits::suggest_limits;
use crate::cli::{
    CancelToken, CommandError, CommandOutcome, CommandResult, FailureHistory, GlobalOptions,
    KnownProofs, LimitMeasurement, PackageChecks, PackageChoice, ProblemCases, ProblemNames,
    ProvenProblems, RunOptions, SessionRequest, WatchRequest, judging, package_notes, screen,
    signals, watch,
};
use crate::model::Task;
use crate::spec::{JudgeFolder, Mistakes};

#[derive(Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    problems: ProblemNames,
    #[command(flatten)]
    format: PackageChoice,
    /// Prove again whenever a problem changes, starting with what failed last; Ctrl-C ends this
    #[arg(long, conflicts_with = "github")]
    watch: bool,
    /// Time the examples and show which time limits leave room: at least twice the slowest accepted
    /// one, and at most two thirds of the fastest one that must be too slow
    #[arg(long, conflicts_with_all = ["watch", "repeat", "log", "all"])]
    suggest_limits: bool,
    #[command(flatten)]
    judging: RunOptions,
}

pub(crate) fn run(verify: &VerifyArgs, common: &GlobalOptions) -> CommandResult {
    if !verify.watch {
        return once(
            verify,
            common,
            &signals::cancel_token(),
            &FailureHistory::default(),
        );
    }
    let named = WatchRequest {
        problems: verify.problems.named(),
        format: verify.format.clone(),
        ..WatchRequest::default()
    };
    watch::run(common, &named, |cancel, history| {
        once(verify, common, cancel, history)
    })
}

fn once(
    verify: &VerifyArgs,
    common: &GlobalOptions,
    cancel: &CancelToken,
    history: &FailureHistory,
) -> CommandResult {
    let folder = verify.folder(common)?;
    verify.judging.check(&[])?;
    let startup = verify.judging.start_sandbox(folder.config.jobs);
    let proofs = verify.judging.known_proofs(&startup, &folder);
    let mut proven = verify.proven(&folder, &proofs)?;
    proofs.close();
    history.put_first(&mut proven.plan);
    let plan = &proven.plan;
    let checks = PackageChecks::of(&proven);
    let notes = verify.notes(&folder, &proven, checks.have_packages());
    if plan.entries.is_empty() && checks.is_empty() && !verify.judging.writes_reports() {
        notes.iter().for_each(screen::notice);
        return Ok(CommandOutcome::AsExpected);
    }
    screen::result_unless_quiet("")?;
    let untimed = LimitMeasurement::of(&folder, plan)?;
    if verify.suggest_limits {
        return suggest_limits::run(&folder, plan, startup, cancel);
    }
    screen::take_stdout(verify.judging.takes_stdout());
    let (outcome, _) = judging::judge(SessionRequest {
        plan,
        untimed,
        checks,
        startup,
        options: &verify.judging,
        folder: &folder,
        cancel,
        notes,
        sinks: vec![history.sink()],
    })?;
    Ok(outcome)
}

impl VerifyArgs {
    /// The judge's folder. To suggest limits, everything must be in order.
    fn folder(&self, common: &GlobalOptions) -> Result<JudgeFolder, Mistakes> {
        let folder = common.folder_with(&self.problems.named(), &self.format)?;
        Ok(if self.suggest_limits {
            folder
        } else {
            folder.reading_past_mistakes()
        })
    }

    /// Reads and proves the problems. If any of them is refused, the reports say why.
    fn proven(
        &self,
        folder: &JudgeFolder,
        proofs: &KnownProofs<'_>,
    ) -> Result<ProvenProblems, CommandError> {
        let proven = ProvenProblems::of(folder, &self.problems.ids(folder), proofs)?;
        let refusal = proven.require_none_refused();
        if refusal.is_err() {
            self.judging.report_refusal(proven.refusal_records(folder));
        }
        refusal.map(|()| proven).map_err(CommandError::from)
    }

    /// Notes on the packages among the problems, and one if there is nothing to judge.
    fn notes(
        &self,
        folder: &JudgeFolder,
        proven: &ProvenProblems,
        have_packages: bool,
    ) -> Vec<String> {
        let ids = self.problems.ids(folder);
        let left_out = package_notes::of_left_out(&folder.known(&ids));
        let is_unjudged = proven.plan.entries.is_empty() && !have_packages;
        let nothing = Vec::from_iter(is_unjudged.then(|| without_examples(&proven.subjects)));
        let usual =
            package_notes::of_usual_limits(&package_notes::problems_of(folder, &proven.plan));
        let mut notes = [left_out, usual, proven.notes.clone(), nothing].concat();
        if self.problems.named().is_empty() {
            notes.extend(package_notes::of_unrecognised(folder));
        }
        notes
    }
}

/// The note that there is nothing to judge.
fn without_examples(subjects: &[ProblemCases]) -> String {
    let have_programs = subjects
        .iter()
        .any(|subject| matches!(subject.problem.task, Task::Checker(_)));
    let programs = if have_programs {
        ", and no checker or interactor is tried"
    } else {
        ""
    };
    format!("no example submissions, so no verdicts are proven{programs}")
}
