//! What `grade` and `verify` share: the options of judging, and who hears of it. Where it is done is [`JudgeSession`]'s affair.

use std::path::Path;
use std::path::PathBuf;

use clap::Args;
use clap::ValueEnum;

use crate::cli::CommandError;
use crate::cli::CommandOutcome;
use crate::cli::GlobalOptions;
use crate::cli::report_options::ReportFormat;
use crate::cli::report_options::ReportOptions;
use crate::cli::report_options::ReportTarget;
use crate::cli::repository;
use crate::cli::session::JudgeExtent;
use crate::cli::session::JudgeSession;
use crate::cli::session::baseline_check::BaselineOptions;
use crate::cli::session::sinks::Consolation;
use crate::cli::session::sinks::NamedSink;
use crate::cli::session::sinks::SinkSet;
use crate::cli::session::startup::SandboxStartup;
use crate::cli::session::startup::jobs;
use crate::cli::watch::WatchIteration;
use crate::model::Tally;
use crate::run::Plan;
use crate::spec::Config;
use crate::spec::Mistakes;
use gridjudge_sandbox::IsolationLevel;
use gridjudge_sandbox::LevelChoice;

#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    /// Runs at once; 0 for one on each core [default: one on each physical core]
    #[arg(short, long, value_name = "N", value_parser = jobs())]
    jobs: Option<usize>,
    /// Write every event to FILE as JSON Lines; `-` for standard output
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    #[command(flatten)]
    reports: ReportOptions,
    /// Judge every case of every submission
    #[arg(long, conflicts_with = "first_failure")]
    all: bool,
    /// Stop judging a submission at its first case that is not accepted (the default)
    #[arg(long)]
    first_failure: bool,
    /// Judge each case N times, 1000 at most: tells how steady verdicts are, and how much times vary
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1000), hide_default_value = true)]
    repeat: u16,
    #[command(flatten)]
    holding: BaselineOptions,
    /// How submissions are kept apart from the machine
    #[arg(long, value_name = "LEVEL", default_value = "auto")]
    sandbox: SandboxChoice,
    /// Run everything, also what is known from an earlier time, and keep nothing
    #[arg(long)]
    no_cache: bool,
}

/// The levels there are, as the command line names them.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SandboxChoice {
    /// The best that this machine gives
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
    /// Begins to set up what runs are to be in.
    pub(crate) fn open(&self, configured: Option<usize>) -> SandboxStartup {
        SandboxStartup::begin(self.jobs.or(configured), self.sandbox.choice())
    }

    /// The log and the reports that are asked for.
    fn targets(&self) -> Vec<ReportTarget> {
        let log = self.log.iter().map(|path| ReportTarget::new(ReportFormat::Log, path));
        log.chain(self.reports.targets()).collect()
    }

    /// Whether the log and the reports can be written without harm, beside other files that are.
    ///
    /// # Errors
    /// As [`ReportTarget::check`].
    pub(crate) fn check(&self, others: &[&Path]) -> Result<(), Mistakes> {
        self.reports.check(&self.targets(), others)
    }

    /// Whether a report goes to standard output.
    pub(crate) fn takes_stdout(&self) -> bool {
        self.targets().iter().any(ReportTarget::is_stdout)
    }
}

/// What is judged beside a plan's own business: with what, and who hears of it.
pub(crate) struct SessionRequest<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) opening: SandboxStartup,
    pub(crate) judging: &'a RunOptions,
    pub(crate) common: &'a GlobalOptions,
    pub(crate) config: &'a Config,
    /// The round of watching that it is; it hears what fails, and stops the judging when a file changes.
    pub(crate) round: Option<&'a WatchIteration>,
    /// Who listens beside the screen and the reports.
    pub(crate) further: Vec<NamedSink>,
    /// Whether one of those, or a report, has taken standard output, so that results go elsewhere.
    pub(crate) stdout_is_taken: bool,
}

/// Judges a plan and reports on it; also says what it came to.
pub(crate) fn judge(request: SessionRequest<'_>) -> Result<(CommandOutcome, Tally), CommandError> {
    let SessionRequest { plan, opening, judging, common, config, round, further, stdout_is_taken } = request;
    let targets = judging.targets();
    let mut held = judging.holding.begin(plan)?;
    let cache_bytes = if judging.no_cache { 0 } else { config.cache_bytes };
    // Several attempts are made to see whether they differ.
    let session = JudgeSession::open(opening, common, cache_bytes, judging.repeat == 1)?;
    let mut sinks = SinkSet::new(Consolation::OfJudging);
    let repository = repository::of_judge(common);
    sinks.add_all(&targets, &repository);
    sinks.add_screen(common, stdout_is_taken);
    sinks.add_annotations(judging.reports.github, &repository);
    sinks.add_progress(plan, &session, common);
    sinks.add_listeners(further);
    round.into_iter().for_each(|round| sinks.add("the memory of what failed", round.failures.clone()));
    let pace = JudgeExtent { repeat: usize::from(judging.repeat), stop_at_first: !judging.all };
    let (tally, interrupted) = session.judge(plan, pace, round, &mut |event| {
        sinks.tell(&event);
        held.iter_mut().for_each(|held| held.take(&event));
    })?;
    session.close(common);
    let ending = match (interrupted, tally.faults > 0 || sinks.failed, tally.surprising) {
        (true, ..) => CommandOutcome::Interrupted,
        (_, true, _) => CommandOutcome::Failed,
        // A contest expects nothing of those who take part: to reject some is what it is for.
        (_, _, 1..) if plan.contest.is_none() => CommandOutcome::Surprising,
        _ => CommandOutcome::AsExpected,
    };
    match held {
        Some(held) if ending != CommandOutcome::Interrupted => {
            let against = held.tell(common, stdout_is_taken)?;
            Ok((if ending == CommandOutcome::AsExpected { against } else { ending }, tally))
        }
        _ => Ok((ending, tally)),
    }
}
