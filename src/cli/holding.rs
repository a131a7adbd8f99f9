//! Results held against what was known before: on what terms, and, for `grade` and `verify`, while they come.

use std::io::ErrorKind;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;

use clap::Args;

use crate::baseline::Baseline;
use crate::baseline::Change;
use crate::baseline::Collector;
use crate::baseline::Comparison;
use crate::baseline::Listed;
use crate::baseline::Policy;
use crate::baseline::table;
use crate::cli::Common;
use crate::cli::Ending;
use crate::cli::Stop;
use crate::cli::known;
use crate::model::Event;
use crate::report::Sink;
use crate::spec::Mistake;
use crate::spec::Mistakes;
use crate::suite::Plan;
use gridjudge_sandbox::Fault;

/// What `grade` and `verify` ask for.
#[derive(Debug, Args)]
pub(crate) struct Holding {
    /// Hold the results against a baseline or an older log
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    #[command(flatten)]
    terms: Terms,
}

/// On what terms things are compared.
#[derive(Debug, Args)]
pub(crate) struct Terms {
    /// What ends in exit code 1: some of verdict, gone, time, memory, or none; `time=20%` is a growth by 20 % at least, and
    /// beyond noise [default: verdict]
    #[arg(long, value_name = "WHAT")]
    fail_on: Option<Policy>,
    /// Compare times even if they are of another machine
    #[arg(long)]
    any_machine: bool,
}

/// Results on their way to be held against a baseline.
pub(crate) struct Held<'a> {
    path: &'a Path,
    known: Baseline,
    collector: Collector,
    terms: &'a Terms,
}

impl Holding {
    /// Reads what a plan's results are to be held against, if anything, and looks whether it knows any of them.
    ///
    /// # Errors
    /// Everything that is wrong with the file.
    pub(crate) fn begin(&self, plan: &Plan) -> Result<Option<Held<'_>>, Mistakes> {
        let Some(path) = self.baseline.as_deref() else {
            let is_idle = self.terms.fail_on.is_none() && !self.terms.any_machine;
            let mistake = || Mistake::of("--fail-on, --any-machine", "there is nothing to compare with");
            return if is_idle {
                Ok(None)
            } else {
                Err(mistake().with_remedy("add `--baseline FILE`").into())
            };
        };
        let known = known::read(path)?;
        let planned = |(problem, submission): (&str, &str)| {
            let mut entries = plan.entries.iter();
            entries.any(|entry| entry.problem.id == problem && entry.submission.name == submission)
        };
        if known.submissions().any(planned) {
            return Ok(Some(Held { path, known, collector: Collector::default(), terms: &self.terms }));
        }
        let first = known.submissions().next().map_or_else(
            || "it is empty".to_owned(),
            |(problem, submission)| format!("its first line is of {problem} {submission}"),
        );
        let mistake = Mistake::of(path, "knows none of the submissions that are to be judged");
        Err(mistake.with_remedy(first).into())
    }
}

impl Held<'_> {
    pub(crate) fn take(&mut self, event: &Event) {
        // It keeps all in memory, where nothing fails.
        let _ = self.collector.take(event);
    }

    /// Tells what is not as it was known to be, of the submissions that were judged.
    ///
    /// # Errors
    /// If nothing is known of their cases, or it cannot be written.
    pub(crate) fn tell(self, common: &Common, on_stderr: bool) -> Result<Ending, Stop> {
        let (now, _) = self.collector.finish();
        if now.is_empty() {
            // Nothing could be judged, and that was told.
            return Ok(Ending::AsExpected);
        }
        let found = self.terms.compare(&self.known.only_what_is_in(&now), &now, self.path)?;
        Ok(self.terms.tell(&found, common, on_stderr)?)
    }
}

impl Terms {
    /// Whether a change is bad.
    pub(crate) fn strike(&self, change: &Change) -> bool {
        self.fail_on.unwrap_or_default().strikes(change)
    }

    /// What a run came to, held against what is known.
    ///
    /// # Errors
    /// If they have nothing in common.
    pub(crate) fn compare(
        &self,
        was: &Baseline,
        now: &Baseline,
        path: &Path,
    ) -> Result<Comparison, Mistakes> {
        Comparison::between(was, now, self.any_machine)
            .map_err(|error| Mistake::of(path, error.to_string()).with_remedy(error.remedy).into())
    }

    /// Shows a comparison, and says whether it is bad.
    pub(crate) fn tell(&self, found: &Comparison, common: &Common, on_stderr: bool) -> Result<Ending, Fault> {
        let listed = match (common.quiet, common.verbose) {
            (true, _) => Listed::Struck,
            (_, true) => Listed::All,
            _ => Listed::First,
        };
        let text = table(found, listed, |change| self.strike(change));
        let written = match on_stderr {
            true => anstream::stderr().write_all(text.as_bytes()),
            false => anstream::stdout().write_all(text.as_bytes()),
        };
        match written {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                return Err(Fault::new("writing the comparison", error));
            }
            _ => {}
        }
        let is_struck = found.changes.iter().any(|change| self.strike(change));
        Ok(if is_struck { Ending::Surprising } else { Ending::AsExpected })
    }
}
