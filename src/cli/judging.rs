//! Judging for `grade` and `verify`: the options, and the steps from a plan to the
//! outcome of the command. Start at [`judge`].

pub(crate) mod judge_session;
pub(crate) mod proven_problems;
pub(crate) mod proving;
pub(crate) mod startup;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use gridjudge_sandbox::{IsolationLevel, LevelChoice};

use crate::cli::{
    BaselineCheck, BaselineOptions, CancelToken, CheckedTimes, CommandError,
    CommandOutcome, JudgeSession, KnownProofs, LimitMeasurement, NamedSink,
    PackageChecks, ReportOptions, ReportTarget, RunCount, SandboxStartup,
    ShardOptions, SinkSet, SubmissionChoice, TimeRules, log_file, screen,
};
use crate::model::{
    Activity, Event, InteractionDisplay, MistakeRecord, SubmissionSkip, Tally,
};
use crate::report::LiveTranscripts;
use crate::run::{JudgingOptions, Plan};
use crate::spec::{JudgeFolder, Mistake, Mistakes, parse_duration};
use crate::text::{JoinedTexts, counted};

#[derive(Args)]
pub(crate) struct RunOptions {
    #[command(flatten)]
    jobs: RunCount,
    /// Write every event to FILE as JSON Lines; `-` for standard output
    #[arg(long, value_name = "FILE", group = "shard_log")]
    log: Option<PathBuf>,
    /// Judge every case of every submission
    #[arg(long, conflicts_with = "first_failure")]
    all: bool,
    /// Stop judging a submission at its first case that is not accepted (the default)
    #[arg(long)]
    first_failure: bool,
    /// Judge each case N times, 1000 at most, to see how steady verdicts are and how
    /// much times vary
    #[arg(
        long,
        value_name = "N",
        default_value = "1",
        value_parser = clap::value_parser!(u16).range(1..=1000),
        hide_default_value = true
    )]
    repeat: u16,
    #[command(flatten)]
    baseline: BaselineOptions,
    /// Start no run after this time, for example `9m`: what is not judged by then is
    /// reported as `SK`, and the exit code is 3
    #[arg(
        long,
        value_name = "TIME",
        value_parser = parse_duration,
        conflicts_with = "watch"
    )]
    deadline: Option<Duration>,
    /// Judge with this time limit, whatever the problem says, and measure none
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    time_limit: Option<Duration>,
    /// How strictly submissions are isolated from the machine
    #[arg(long, value_name = "LEVEL", default_value = "auto")]
    sandbox: SandboxChoice,
    /// Run everything, even what is cached, and add nothing to the cache
    #[arg(long)]
    no_cache: bool,
    /// Show the transcript of each interaction, live, and keep it in log and reports;
    /// no cached trials are used then
    #[arg(long)]
    transcript: bool,
    #[command(flatten)]
    pub(crate) reports: ReportOptions,
    #[command(flatten)]
    pub(crate) shards: ShardOptions,
}

/// The levels of the sandbox, as the command line names them.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum SandboxChoice {
    /// The best that works on this machine
    Auto,
    /// Namespaces, control groups and a user of its own; needs root
    Full,
    /// Namespaces, by a user namespace; no rights needed
    User,
    /// Limits, a filter of system calls, and Landlock where the kernel has it
    Basic,
}

impl SandboxChoice {
    pub(crate) fn choice(self) -> LevelChoice {
        match self {
            Self::Auto => LevelChoice::Best,
            Self::Full => LevelChoice::Only(IsolationLevel::Full),
            Self::User => LevelChoice::Only(IsolationLevel::User),
            Self::Basic => LevelChoice::Only(IsolationLevel::Basic),
        }
    }
}

impl RunOptions {
    /// Starts setting up the sandbox.
    pub(crate) fn start_sandbox(&self, configured: Option<usize>) -> SandboxStartup {
        let jobs = self.jobs.or(configured);
        let mut startup = SandboxStartup::begin(jobs, self.sandbox.choice());
        startup.deadline = self.deadline;
        startup
    }

    /// What earlier judges have proven, as far as the cache is used.
    pub(crate) fn known_proofs<'a>(
        &self,
        startup: &'a SandboxStartup,
        folder: &JudgeFolder,
    ) -> KnownProofs<'a> {
        let cache_bytes = if self.no_cache {
            0
        } else {
            folder.config.cache_bytes
        };
        KnownProofs::in_cache(startup, cache_bytes)
    }

    /// The requested log and reports.
    pub(crate) fn targets(&self) -> Vec<ReportTarget> {
        ReportTarget::log(&self.log)
            .chain(self.reports.targets())
            .collect()
    }

    /// Checks that the log and the reports overwrite neither each other nor these
    /// files.
    ///
    /// # Errors
    /// As [`ReportTarget::check`].
    pub(crate) fn check(&self, others: &[&Path]) -> Result<(), Mistakes> {
        self.reports.check(&self.targets(), others)
    }

    /// Opens the screen, the log and the reports. Returns the display for live
    /// interactions as well, if they are shown.
    fn sinks(
        &self,
        plan: &Plan,
        activity: &Arc<Activity>,
    ) -> (SinkSet, Option<Arc<LiveTranscripts>>) {
        let mut sinks = SinkSet::default();
        sinks.add_progress(plan, activity);
        sinks.add_all(&self.targets());
        let display = self.transcript.then(|| sinks.add_transcripts(plan));
        sinks.add_results(&self.reports);
        // Of several attempts at a case, only the one that is reported is shown, so
        // none is shown live.
        (sinks, display.filter(|_| self.repeat == 1))
    }

    /// Writes reports of mistakes because of which nothing is judged.
    pub(crate) fn report_refusal(&self, mistakes: Vec<MistakeRecord>) {
        let mut sinks = SinkSet::of_reports(&self.targets());
        sinks.add_annotations(self.reports.github);
        sinks.send(&judge_session::unjudged_suite());
        sinks.send_mistakes(mistakes);
        sinks.send(&Event::SuiteFinished(Tally::default()));
    }

    /// Writes the requested reports for autograders, which must say something even if
    /// the submissions cannot be judged because of these mistakes.
    pub(crate) fn report_unplanned(
        &self,
        chosen: &SubmissionChoice,
        folder: &JudgeFolder,
        mistakes: &[Mistake],
    ) {
        let endings = folder
            .config
            .languages()
            .flat_map(|language| &language.extensions)
            .map(|ending| format!(".{ending}"))
            .joined(" ");
        let targets: Vec<_> = self.reports.autograder_targets().collect();
        let mut sinks = SinkSet::of_reports(&targets);
        sinks.send(&judge_session::unjudged_suite());
        for path in &chosen.submissions {
            let mistake = mistakes.iter().find(|mistake| mistake.path == *path);
            // A mistake in a problem may quote what is secret, and a remedy is for
            // whoever judges.
            let cause = match mistake {
                None => "there is a mistake in the problem, or in how it is judged"
                    .to_owned(),
                Some(mistake) => {
                    let message = if path.exists() {
                        &mistake.message
                    } else {
                        "is missing"
                    };
                    format!(
                        "{message}; hand in programs whose names end in {endings}"
                    )
                }
            };
            sinks.send(&Event::SubmissionSkipped(Box::new(SubmissionSkip {
                problem: chosen.only_problem().unwrap_or_default().into(),
                submission: path.to_string_lossy().into(),
                cause,
                ..SubmissionSkip::default()
            })));
        }
        sinks.send(&Event::SuiteFinished(Tally::default()));
    }

    /// How thoroughly a plan is judged, with interactions shown on this display.
    fn judging<'d>(
        &self,
        display: Option<&'d LiveTranscripts>,
    ) -> JudgingOptions<'d> {
        let repeat = usize::from(self.repeat);
        JudgingOptions {
            repeat,
            stop_at_first: !self.all,
            // Repeated attempts must really run to see whether they differ, and cached
            // trials have no transcript.
            recalls: repeat == 1 && !self.transcript && !self.no_cache,
            keeps_transcripts: self.transcript,
            interaction_display: display
                .map(|display| display as &dyn InteractionDisplay),
        }
    }

    /// The part of a plan that is to be judged; `None` if all of it is.
    ///
    /// # Errors
    /// As [`ShardOptions::cut`], if a time limit must be measured, and if students are
    /// to be told of a part.
    fn shard_of(
        &self,
        plan: &Plan,
        untimed: &LimitMeasurement,
    ) -> Result<Option<Plan>, CommandError> {
        if self.shards.are_given() && self.time_limit.is_none() {
            untimed.refuse_in_shard()?;
        }
        if let Some(folder) = &self.reports.feedback
            && (plan.is_part || self.shards.are_given())
        {
            let remedy =
                "judge all cases; of shards, `gridjudge merge` writes the pages";
            return Mistake::refuse(
                folder,
                "students get pages only when everything is judged",
                remedy,
            );
        }
        if self.shards.are_given()
            && let Some(path) = self.reports.whole_result()
        {
            let remedy = "`gridjudge merge` writes it of all shards";
            return Mistake::refuse(
                path,
                "there is no whole result of a shard",
                remedy,
            );
        }
        // Those that change results, as they are written.
        let options = [
            self.all.then(|| "--all".to_owned()),
            (self.repeat > 1).then(|| format!("--repeat {}", self.repeat)),
            self.time_limit
                .map(|limit| format!("--time-limit {limit:?}")),
            self.transcript.then(|| "--transcript".to_owned()),
        ]
        .into_iter()
        .flatten()
        .joined(" ");
        self.shards.cut(plan, options, !self.all)
    }

    /// A note if `--transcript` has no effect on this plan.
    fn notice(&self, plan: &Plan) -> Option<&'static str> {
        let is_interactive = plan
            .entries
            .iter()
            .any(|entry| entry.problem.task.is_interactive());
        (self.transcript && !is_interactive).then_some(
            "--transcript: no problem here is interactive, so there is nothing to show",
        )
    }

    /// Whether a report goes to standard output.
    pub(crate) fn takes_stdout(&self) -> bool {
        self.targets().iter().any(ReportTarget::is_stdout)
    }
}

/// A plan to judge, with everything that `grade` and `verify` prepare.
pub(crate) struct SessionRequest<'a> {
    pub(crate) plan: &'a Plan,
    /// The problems without a time limit, which are timed before judging.
    pub(crate) untimed: LimitMeasurement,
    /// The packages that are checked before judging.
    pub(crate) checks: PackageChecks<'a>,
    pub(crate) startup: SandboxStartup,
    pub(crate) options: &'a RunOptions,
    pub(crate) folder: &'a JudgeFolder,
    pub(crate) cancel: &'a CancelToken,
    /// Notes on the problems that are shown before the results, a sentence each.
    pub(crate) notes: Vec<String>,
    /// Sinks in addition to the screen and the reports.
    pub(crate) sinks: Vec<NamedSink>,
}

/// Judges a plan and reports on it. Returns the outcome of the command and the tally of
/// the plan.
pub(crate) fn judge(
    request: SessionRequest<'_>,
) -> Result<(CommandOutcome, Tally), CommandError> {
    let options = request.options;
    let baseline = options.baseline.begin(request.plan)?;
    let shard = options.shard_of(request.plan, &request.untimed)?;
    let mut plan = shard.unwrap_or_else(|| request.plan.clone());
    let mut notes = request.notes;
    notes.extend(plan.shard.iter().map(|shard| shard.describe()));
    let config = &request.folder.config;
    let mut session = JudgeSession::open(request.startup, config, request.cancel)?;
    session.compiler.keeps_builds &= !options.no_cache;
    // These are shown even with `--quiet`: parts that are missing from the results are
    // a surprise.
    notes.iter().for_each(screen::notice);
    options.notice(&plan).iter().for_each(screen::notice);
    let (checked, mistakes) = request.checks.run(&session, request.folder)?;
    let given = options.time_limit;
    let of_limits = request.untimed.settle(&mut plan, &session, given)?;
    if let Some(shard) = &mut plan.shard {
        shard.tools = session.tool_versions(&plan.entries);
    }
    session.notes.extend(notes.into_iter().chain(of_limits));
    let (mut sinks, display) = options.sinks(&plan, &session.activity);
    sinks.extend(request.sinks);
    sinks.extend(options.shards.sinks(&plan)?);
    let mut reports = SuiteReports {
        sinks,
        baseline,
        time_rules: TimeRules::for_plan(&plan, &request.checks),
        mistakes,
        last: None,
        unjudged: 0,
    };
    let judging = options.judging(display.as_deref());
    let tally =
        session.judge(&plan, judging, &mut |event| reports.take_event(event))?;
    let checked_times = reports.finish(&session, request.folder)?.show()?;
    session.close();
    if request.cancel.is_cancelled() {
        if !reports.time_rules.rules.is_empty() {
            screen::notice(
                "the time limits are not checked: that comes last, and was interrupted",
            );
        }
        return Ok((CommandOutcome::Interrupted, tally));
    }
    let has_failed = reports.show_unjudged() || reports.sinks.failed;
    let judged = outcome_of(&tally, has_failed, plan.contest.is_some());
    let outcome = judged.max(checked).max(checked_times);
    let outcome = of_part_or_whole(outcome, &plan, &tally);
    let github = options.reports.github;
    let outcome = log_file::combined_outcome(outcome, reports.baseline, github)?;
    Ok((outcome, tally))
}

/// The outcome of judging a plan, which may be a shard of a larger one.
fn of_part_or_whole(
    outcome: CommandOutcome,
    plan: &Plan,
    tally: &Tally,
) -> CommandOutcome {
    match (outcome, &plan.shard) {
        // Whether all is as expected, only all shards together show.
        (CommandOutcome::Surprising, Some(_)) => CommandOutcome::AsExpected,
        // A machine on which no language works must let nothing pass.
        (CommandOutcome::AsExpected, None)
            if tally.skipped > 0 && tally.judged() == 0 =>
        {
            CommandOutcome::Failed
        }
        _ => outcome,
    }
}

/// The outcome of a suite with this tally; `has_failed` if a report or the judge failed
/// elsewhere.
pub(crate) fn outcome_of(
    tally: &Tally,
    has_failed: bool,
    is_contest: bool,
) -> CommandOutcome {
    match (tally.faults > 0 || has_failed, tally.surprising) {
        (true, _) => CommandOutcome::Failed,
        // In a contest nothing is expected of a submission, so a rejected one is no
        // surprise.
        (_, 1..) if !is_contest => CommandOutcome::Surprising,
        _ => CommandOutcome::AsExpected,
    }
}

// Passes the events of judging on to everything that reports them, with the mistakes in
// problems among them.

/// Everything that gets the events of judging.
struct SuiteReports<'a> {
    sinks: SinkSet,
    baseline: Option<BaselineCheck<'a>>,
    time_rules: TimeRules<'a>,
    /// The mistakes found before judging, until they are reported.
    mistakes: Vec<MistakeRecord>,
    /// The last event, until it is reported: the mistakes that only the times show come
    /// before it.
    last: Option<Event>,
    /// The submissions without a verdict because the deadline came first.
    unjudged: usize,
}

impl SuiteReports<'_> {
    fn take_event(&mut self, event: Event) {
        self.time_rules.take_event(&event);
        if let Some(baseline) = &mut self.baseline {
            baseline.take_event(&event);
        }
        if let Event::SubmissionFinished(summary) = &event {
            self.unjudged += usize::from(summary.is_unjudged());
        }
        if event.is_ending() {
            self.last = Some(event);
            return;
        }
        self.sinks.send(&event);
        // The mistakes found before judging follow the first event.
        self.sinks.send_mistakes(self.mistakes.drain(..));
    }

    /// Says how many submissions the deadline left without a verdict. Returns whether
    /// there are any.
    fn show_unjudged(&self) -> bool {
        if self.unjudged > 0 {
            screen::notice(format_args!(
                "without a verdict, because the deadline came first: {}",
                counted(self.unjudged, "submission"),
            ));
        }
        self.unjudged > 0
    }

    /// Checks the time limits, and reports the rest.
    ///
    /// # Errors
    /// If the judge itself failed at that check.
    fn finish(
        &mut self,
        session: &JudgeSession,
        folder: &JudgeFolder,
    ) -> Result<CheckedTimes, CommandError> {
        if let Some(last) = &self.last {
            self.sinks.end_progress(last);
        }
        let checked = self.time_rules.check(session);
        if let Ok(checked) = &checked {
            self.sinks.send_mistakes(checked.records(folder));
        }
        if let Some(last) = self.last.take() {
            self.sinks.send(&last);
        }
        checked
    }
}
