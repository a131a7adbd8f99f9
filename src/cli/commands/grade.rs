//! `gridjudge grade`: judges programs.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;

use crate::cli::{
    CancelToken, CommandOutcome, CommandResult, FailureHistory, GlobalOptions,
    LimitMeasurement, NamedSink, PackageChecks, RunOptions, SessionRequest,
    StandingsOptions, SubmissionChoice, WatchRequest, contest, judging, screen, watch,
};
use crate::model::{Event, Tally};
use crate::report::Sink;
use crate::spec::{Mistake, Mistakes};
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
        conflicts_with = "watch"
    )]
    stop_after: Option<u64>,
    #[command(flatten)]
    judging: RunOptions,
    #[command(flatten)]
    standings: StandingsOptions,
}

pub(crate) fn run(grade: &GradeArgs, common: &GlobalOptions) -> CommandResult {
    grade.refuse_marks_of_a_part()?;
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
    let proofs = grade.judging.known_proofs(&startup, &folder);
    let planned = grade.chosen.plan(&folder, &proofs);
    let mut plan = planned.inspect_err(|mistakes| {
        let problem = grade.chosen.only_problem().unwrap_or_default();
        let chosen = &grade.chosen.submissions;
        grade.judging.report_unplanned(problem, chosen, mistakes);
    })?;
    proofs.close();
    grade.standings.ranking.record_in(&mut plan);
    let notes = grade.chosen.notes(&folder, &plan);
    // The limits are measured on the whole package, before the chosen cases are
    // filtered.
    let untimed = LimitMeasurement::for_plan(&folder, &plan)?;
    grade.chosen.keep(&mut plan, &folder)?;
    history.put_first(&mut plan);
    let files = files.or_default(&plan);
    screen::take_stdout(grade.judging.takes_stdout() || files.take_stdout());
    let has_standings = plan.contest.is_some() && !grade.judging.shards.are_given();
    let mut sinks = if has_standings {
        contest::sinks(grade.standings.ranking, files)?
    } else {
        // Of a part of the submissions, there are no standings.
        files.refuse(plan.contest.is_some())?
    };
    sinks.push(history.sink());
    let stop = grade.stop_after;
    let stop = stop.map(|most| FailureStop::after(most, cancel));
    sinks.extend(stop.as_ref().map(FailureStop::sink));
    let (outcome, tally) = judging::judge(SessionRequest {
        plan: &plan,
        untimed,
        checks: PackageChecks::default(),
        startup,
        options: &grade.judging,
        folder: &folder,
        cancel,
        notes,
        sinks,
    })?;
    if has_standings && !screen::stdout_is_taken() && !screen::is_quiet() {
        files.say_page()?;
    }
    if let Some(stop) = stop
        && stop.has_stopped.load(Ordering::Relaxed)
    {
        stop.show(&tally, plan.entries.len());
        return Ok(CommandOutcome::Surprising);
    }
    Ok(grade.outcome(outcome, &tally))
}

impl GradeArgs {
    /// Refuses marks where an older log says which attempts are judged: the best may be
    /// another.
    ///
    /// # Errors
    /// If a file for marks is named.
    fn refuse_marks_of_a_part(&self) -> Result<(), Mistakes> {
        let marks = self.judging.reports.marks();
        let Some(path) = marks.filter(|_| self.chosen.has_older_log()) else {
            return Ok(());
        };
        let remedy = "judge all of them: what was judged before comes from the cache";
        Mistake::refuse(path, "there are no marks of a part of the attempts", remedy)
    }

    /// The outcome of the command, whose judging ended like this.
    fn outcome(&self, outcome: CommandOutcome, tally: &Tally) -> CommandOutcome {
        // An example that cannot be judged here is skipped; for a program that the user
        // named, this is a failure.
        let is_unjudged = !self.chosen.submissions.is_empty()
            && tally.skipped > 0
            && outcome != CommandOutcome::Interrupted;
        if is_unjudged {
            CommandOutcome::Failed
        } else {
            outcome
        }
    }
}

/// Ends judging after a number of failures.
#[derive(Clone)]
struct FailureStop {
    most: u64,
    left: u64,
    cancel: CancelToken,
    has_stopped: Arc<AtomicBool>,
}

impl FailureStop {
    /// Cancels the token at this failure, counted from 1.
    fn after(most: u64, cancel: &CancelToken) -> Self {
        Self {
            most,
            left: most,
            cancel: cancel.clone(),
            has_stopped: Arc::default(),
        }
    }

    /// The sink that counts failures.
    fn sink(&self) -> NamedSink {
        ("the count of failures".to_owned(), Box::new(self.clone()))
    }

    /// Says how many submissions of the plan were judged.
    fn show(&self, tally: &Tally, submissions: usize) {
        screen::notice(format_args!(
            "stopped after {}: {} of {} judged",
            counted(self.most, "failure"),
            tally.submissions(),
            counted(submissions, "submission"),
        ));
    }
}

impl Sink for FailureStop {
    fn take_event(&mut self, event: &Event) -> io::Result<()> {
        let Event::SubmissionFinished(summary) = event else {
            return Ok(());
        };
        if summary.is_as_expected() {
            return Ok(());
        }
        self.left = self.left.saturating_sub(1);
        if self.left == 0 && !self.cancel.is_cancelled() {
            self.has_stopped.store(true, Ordering::Relaxed);
            self.cancel.cancel();
        }
        Ok(())
    }
}
