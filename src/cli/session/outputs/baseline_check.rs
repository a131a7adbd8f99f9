//! Compares the results of `grade` and `verify` with a baseline: the options for it, and a
//! collector of results.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use gridjudge_sandbox::Fault;

use crate::cli::{CommandOutcome, CommandResult, StatusLine, log_file, screen};
use crate::compare::{
    Baseline, BaselineCollector, Change, Comparison, FailurePolicy, ListedChanges, table,
};
use crate::model::Event;
use crate::report::Sink;
use crate::run::Plan;
use crate::spec::{Mistake, Mistakes};

#[derive(Args)]
pub(crate) struct BaselineOptions {
    /// Compare the results with a baseline or an older log
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    #[command(flatten)]
    terms: ComparePolicy,
}

/// How to compare, and which changes count as failures.
#[derive(Args)]
pub(crate) struct ComparePolicy {
    /// Changes that end in exit code 1: a comma-separated list of `verdict`, `gone`, `time`,
    /// `memory`, or `none`; `time=20%` is a growth by 20 % at least, and beyond noise [default:
    /// verdict]
    #[arg(long, value_name = "WHAT")]
    fail_on: Option<FailurePolicy>,
    /// Compare times even if they were measured on another machine
    #[arg(long)]
    any_machine: bool,
}

/// Collects results to compare them with a baseline.
pub(crate) struct BaselineCheck<'a> {
    path: &'a Path,
    known: Baseline,
    collector: BaselineCollector,
    terms: &'a ComparePolicy,
}

impl BaselineOptions {
    /// Reads the baseline that is named, if any, and checks that it has some of the plan's
    /// submissions.
    ///
    /// # Errors
    /// Every mistake in the file, or in the options.
    pub(crate) fn begin(&self, plan: &Plan) -> Result<Option<BaselineCheck<'_>>, Mistakes> {
        let Some(check) = self.open()? else {
            return Ok(None);
        };
        let known = &check.known;
        if known.submissions().any(|(problem, submission)| {
            let mut entries = plan.entries.iter();
            entries.any(|entry| entry.problem.id == problem && entry.submission.name == submission)
        }) {
            return Ok(Some(check));
        }
        let first = known.submissions().next().map_or_else(
            || "it is empty".to_owned(),
            |(problem, submission)| format!("its first line is of {problem} {submission}"),
        );
        let message = "knows none of the submissions that are to be judged";
        Err(Mistake::of(check.path, message).with_remedy(first).into())
    }

    /// Reads the baseline that is named, if any.
    ///
    /// # Errors
    /// Every mistake in the file, or in the options.
    pub(crate) fn open(&self) -> Result<Option<BaselineCheck<'_>>, Mistakes> {
        let Some(path) = self.baseline.as_deref() else {
            let is_idle = self.terms.fail_on.is_none() && !self.terms.any_machine;
            return if is_idle {
                Ok(None)
            } else {
                Err(Mistake::of(
                    "--fail-on, --any-machine",
                    "there is nothing to compare with",
                )
                .with_remedy("add `--baseline FILE`")
                .into())
            };
        };
        Ok(Some(BaselineCheck {
            path,
            known: log_file::read(path)?,
            collector: BaselineCollector::default(),
            terms: &self.terms,
        }))
    }
}

impl BaselineCheck<'_> {
    pub(crate) fn take(&mut self, event: &Event) {
        // The collector only stores in memory, which cannot fail.
        let _ = self.collector.take(event);
    }

    /// Shows what has changed for the submissions that were judged.
    ///
    /// # Errors
    /// If the baseline has none of their cases, or the comparison cannot be written.
    fn show(self) -> CommandResult {
        let (now, _) = self.collector.finish();
        if now.is_empty() {
            // Nothing could be judged, which was already reported.
            return Ok(CommandOutcome::AsExpected);
        }
        let found = self
            .terms
            .compare(&self.known.only_what_is_in(&now), &now, self.path)?;
        Ok(self.terms.show(&found)?)
    }
}

/// The outcome of a command that compares its results with a baseline, if one is named. Only what is
/// otherwise as expected can be worse than the baseline.
///
/// # Errors
/// As [`BaselineCheck::show`].
pub(crate) fn combined(
    outcome: CommandOutcome,
    baseline: Option<BaselineCheck<'_>>,
) -> CommandResult {
    let Some(baseline) = baseline else {
        return Ok(outcome);
    };
    let compared = baseline.show()?;
    Ok(if outcome == CommandOutcome::AsExpected {
        compared
    } else {
        outcome
    })
}

impl ComparePolicy {
    /// Whether a change counts as a failure.
    pub(crate) fn is_failure(&self, change: &Change) -> bool {
        self.fail_on.unwrap_or_default().is_failure(change)
    }

    /// Compares results with a baseline.
    ///
    /// # Errors
    /// If they have no cases in common.
    pub(crate) fn compare(
        &self,
        was: &Baseline,
        now: &Baseline,
        path: &Path,
    ) -> Result<Comparison, Mistakes> {
        let _status = StatusLine::start("comparing");
        Comparison::between(was, now, self.any_machine).map_err(|error| {
            Mistake::of(path, error.to_string())
                .with_remedy(error.remedy)
                .into()
        })
    }

    /// Shows a comparison. Returns [`CommandOutcome::Surprising`] if a change counts as a failure.
    pub(crate) fn show(&self, found: &Comparison) -> Result<CommandOutcome, Fault> {
        let listed = match (screen::is_quiet(), screen::is_verbose()) {
            (true, _) => ListedChanges::Failing,
            (_, true) => ListedChanges::All,
            _ => ListedChanges::First,
        };
        let text = table(found, listed, screen::width_of_results(), |change| {
            self.is_failure(change)
        });
        let written = screen::results().write_all(text.as_bytes());
        screen::unless_closed(written, "writing the comparison")?;
        let is_failure = found.changes.iter().any(|change| self.is_failure(change));
        Ok(CommandOutcome::Surprising.when(is_failure))
    }
}
