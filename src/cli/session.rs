//! What `grade` and `verify` share: the options of judging, and who hears of it. Where it is done is [`Court`]'s affair.

use std::path::Path;
use std::path::PathBuf;

use clap::Args;
use clap::ValueEnum;

use crate::cli::Common;
use crate::cli::Ending;
use crate::cli::Stop;
use crate::cli::audience::Audience;
use crate::cli::audience::Consolation;
use crate::cli::audience::Listener;
use crate::cli::court::Court;
use crate::cli::court::Pace;
use crate::cli::holding::Holding;
use crate::cli::opening::Opening;
use crate::cli::opening::jobs;
use crate::cli::reports::Format;
use crate::cli::reports::Reports;
use crate::cli::reports::Target;
use crate::cli::repository;
use crate::cli::watching::Round;
use crate::model::Tally;
use crate::spec::Config;
use crate::spec::Mistakes;
use crate::suite::Plan;
use gridjudge_sandbox::Choice;
use gridjudge_sandbox::Level;

#[derive(Debug, Args)]
pub(crate) struct Judging {
    /// Runs at once; 0 for one on each core [default: one on each physical core]
    #[arg(short, long, value_name = "N", value_parser = jobs())]
    jobs: Option<usize>,
    /// Write every event to FILE as JSON Lines; `-` for standard output
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    #[command(flatten)]
    reports: Reports,
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
    holding: Holding,
    /// How submissions are kept apart from the machine
    #[arg(long, value_name = "LEVEL", default_value = "auto")]
    sandbox: Wanted,
    /// Run everything, also what is known from an earlier time, and keep nothing
    #[arg(long)]
    no_cache: bool,
}

/// The levels there are, as the command line names them.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Wanted {
    /// The best that this machine gives
    Auto,
    /// Namespaces, control groups and a user of its own; needs root
    Full,
    /// Namespaces, by a user namespace; no rights needed
    User,
    /// Limits, a filter of system calls, and Landlock where the kernel has it
    Basic,
}

impl Wanted {
    pub(crate) fn choice(self) -> Choice {
        match self {
            Self::Auto => Choice::Best,
            Self::Full => Choice::Only(Level::Full),
            Self::User => Choice::Only(Level::User),
            Self::Basic => Choice::Only(Level::Basic),
        }
    }
}

impl Judging {
    /// Begins to set up what runs are to be in.
    pub(crate) fn open(&self, configured: Option<usize>) -> Opening {
        Opening::begin(self.jobs.or(configured), self.sandbox.choice())
    }

    /// The log and the reports that are asked for.
    fn targets(&self) -> Vec<Target> {
        let log = self.log.iter().map(|path| Target::new(Format::Log, path));
        log.chain(self.reports.targets()).collect()
    }

    /// Whether the log and the reports can be written without harm, beside other files that are.
    ///
    /// # Errors
    /// As [`Target::check`].
    pub(crate) fn check(&self, others: &[&Path]) -> Result<(), Mistakes> {
        self.reports.check(&self.targets(), others)
    }

    /// Whether a report goes to standard output.
    pub(crate) fn takes_stdout(&self) -> bool {
        self.targets().iter().any(Target::is_stdout)
    }
}

/// What is judged beside a plan's own business: with what, and who hears of it.
pub(crate) struct Sitting<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) opening: Opening,
    pub(crate) judging: &'a Judging,
    pub(crate) common: &'a Common,
    pub(crate) config: &'a Config,
    /// The round of watching that it is; it hears what fails, and stops the judging when a file changes.
    pub(crate) round: Option<&'a Round>,
    /// Who listens beside the screen and the reports.
    pub(crate) further: Vec<Listener>,
    /// Whether one of those, or a report, has taken standard output, so that results go elsewhere.
    pub(crate) stdout_is_taken: bool,
}

/// Judges a plan and reports on it; also says what it came to.
pub(crate) fn judge(sitting: Sitting<'_>) -> Result<(Ending, Tally), Stop> {
    let Sitting { plan, opening, judging, common, config, round, further, stdout_is_taken } = sitting;
    let targets = judging.targets();
    let mut held = judging.holding.begin(plan)?;
    let cache_bytes = if judging.no_cache { 0 } else { config.cache_bytes };
    // Several attempts are made to see whether they differ.
    let court = Court::open(opening, common, cache_bytes, judging.repeat == 1)?;
    let mut audience = Audience::new(Consolation::OfJudging);
    let repository = repository::of_judge(common);
    audience.add_all(&targets, &repository);
    audience.add_screen(common, stdout_is_taken);
    audience.add_annotations(judging.reports.github, &repository);
    audience.add_progress(plan, &court, common);
    audience.add_listeners(further);
    round.into_iter().for_each(|round| audience.add("the memory of what failed", round.failures.clone()));
    let pace = Pace { repeat: usize::from(judging.repeat), stop_at_first: !judging.all };
    let (tally, interrupted) = court.judge(plan, pace, round, &mut |event| {
        audience.tell(&event);
        held.iter_mut().for_each(|held| held.take(&event));
    })?;
    court.close(common);
    let ending = match (interrupted, tally.faults > 0 || audience.failed, tally.surprising) {
        (true, ..) => Ending::Interrupted,
        (_, true, _) => Ending::Failed,
        // A contest expects nothing of those who take part: to reject some is what it is for.
        (_, _, 1..) if plan.contest.is_none() => Ending::Surprising,
        _ => Ending::AsExpected,
    };
    match held {
        Some(held) if ending != Ending::Interrupted => {
            let against = held.tell(common, stdout_is_taken)?;
            Ok((if ending == Ending::AsExpected { against } else { ending }, tally))
        }
        _ => Ok((ending, tally)),
    }
}
