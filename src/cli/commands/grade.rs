//! `gridjudge grade`: judges programs.

use std::io;

use clap::Args;

use crate::cli::{
    CancelToken, CommandOutcome, CommandResult, FailureHistory, GlobalOptions,
    LimitMeasurement, PackageChecks, RunOptions, SandboxStartup, SessionRequest,
    StandingsOptions, SubmissionChoice, WatchRequest, contest, judging, screen,
    signals, watch,
};
use crate::model::Event;
use crate::report::Sink;
use crate::run::Plan;
use crate::spec::{JudgeFolder, Mistake, Mistakes};
use crate::text::counted;

#[derive(Args)]
pub(crate) struct GradeArgs {
    #[command(flatten)]
    chosen: SubmissionChoice,
    /// Judge again whenever a submission, its problem or its cases change, starting
    /// with what failed last; Ctrl-C ends this
    // The annotations of `--github` stay, and each round would add them again.
    #[arg(long, conflicts_with = "github")]
    watch: bool,
    /// Stop judging after N submissions that are not as expected; what is being
    /// judged then may be reported too
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u64).range(1..),
        conflicts_with_all = ["watch", "shard"]
    )]
    stop_after: Option<u64>,
    #[command(flatten)]
    judging: RunOptions,
    #[command(flatten)]
    standings: StandingsOptions,
}

pub(crate) fn run(grade: &GradeArgs, common: &GlobalOptions) -> CommandResult {
    // Where an older log says which attempts are judged, the best may be another.
    let marks = grade.judging.reports.marks();
    if let Some(path) = marks.filter(|_| grade.chosen.has_older_log()) {
        let remedy = "judge all of them: what was judged before comes from the cache";
        return Mistake::refuse(
            path,
            "there are no marks of a part of the attempts",
            remedy,
        );
    }
    let named = WatchRequest {
        problems: grade.chosen.problems.clone(),
        format: grade.chosen.format.clone(),
        submissions: grade.chosen.submissions.clone(),
    };
    watch::run_watch(common, grade.watch.then_some(&named), |cancel, history| {
        once(grade, common, cancel, history)
    })
}

fn once(
    grade: &GradeArgs,
    common: &GlobalOptions,
    cancel: &CancelToken,
    history: &FailureHistory,
) -> CommandResult {
    let folder = grade.chosen.folder(common)?;
    let files = grade.standings.files();
    grade.judging.check(&files.paths())?;
    let startup = grade.judging.start_sandbox(folder.config.jobs);
    let mut plan = grade.plan(&folder, &startup)?;
    let notes = grade.chosen.notes(&folder, &plan);
    // Limits are measured on the whole package, before the chosen cases are filtered.
    let untimed = LimitMeasurement::for_plan(&folder, &plan)?;
    grade.chosen.keep(&mut plan, &folder)?;
    history.put_first(&mut plan);
    let files = files.or_default(&plan);
    screen::take_stdout(grade.judging.takes_stdout() || files.take_stdout());
    let is_shard = grade.judging.shards.are_given();
    let ranking = grade.standings.ranking;
    let mut sinks = contest::sinks(ranking, files, plan.contest.as_ref(), is_shard)?;
    sinks.push(history.sink());
    if let Some(left) = grade.stop_after {
        let cancel = cancel.clone();
        let stop = FailureStop { left, cancel };
        sinks.push(("the count of failures".to_owned(), Box::new(stop)));
    }
    let reports = &grade.judging;
    let (outcome, tally) = judging::judge(SessionRequest {
        plan: &plan,
        untimed,
        checks: PackageChecks::default(),
        startup,
        options: reports,
        folder: &folder,
        cancel,
        notes,
        sinks,
    })
    .inspect_err(|_| reports.report_unplanned(&grade.chosen, &folder, &[]))?;
    let is_whole = !is_shard && !cancel.is_cancelled();
    if is_whole && !screen::stdout_is_taken() && !screen::is_quiet() {
        files.say_page()?;
    }
    if let Some(most) = grade.stop_after
        && cancel.is_cancelled()
        && !signals::has_come()
    {
        let failures = counted(most, "failure");
        let judged = tally.submissions();
        let all = counted(plan.entries.len(), "submission");
        screen::notice(format_args!(
            "stopped after {failures}: {judged} of {all} judged"
        ));
        return Ok(CommandOutcome::Surprising);
    }
    // An example that cannot be judged is skipped; for a named program, it is a failure.
    let is_unjudged = tally.skipped > 0 && !grade.chosen.submissions.is_empty();
    Ok(outcome.max(CommandOutcome::Failed.when(is_unjudged)))
}

impl GradeArgs {
    /// The plan of what was chosen. If it has mistakes, reports for autograders say so.
    fn plan(
        &self,
        folder: &JudgeFolder,
        startup: &SandboxStartup,
    ) -> Result<Plan, Mistakes> {
        let proofs = self.judging.known_proofs(startup, folder);
        let planned = self.chosen.plan(folder, &proofs);
        let mut plan = planned.inspect_err(|mistakes| {
            self.judging
                .report_unplanned(&self.chosen, folder, &mistakes.0)
        })?;
        proofs.close();
        self.standings.ranking.record_in(&mut plan);
        Ok(plan)
    }
}

/// Counts failures, and cancels the token at the last one that is allowed.
struct FailureStop {
    left: u64,
    cancel: CancelToken,
}

impl Sink for FailureStop {
    fn take_event(&mut self, event: &Event) -> io::Result<()> {
        if let Event::SubmissionFinished(summary) = event
            && summary.is_surprising()
        {
            self.left = self.left.saturating_sub(1);
            if self.left == 0 && !self.cancel.is_cancelled() {
                self.cancel.cancel();
            }
        }
        Ok(())
    }
}
