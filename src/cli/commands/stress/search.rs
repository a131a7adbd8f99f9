//! Searches for a failing input with any harness, and says if there is none. Knows nothing of what
//! an input is, nor how it is shown.

use std::sync::atomic::Ordering;

use crate::authoring::stress::{FailingInput, FuzzHarness, FuzzResult, Fuzzer};
use crate::cli::args::GlobalOptions;
use crate::cli::cancel::CancelToken;
use crate::cli::commands::stress::args::StressArgs;
use crate::cli::commands::stress::found::SearchExtent;
use crate::cli::commands::stress::request::StressRequest;
use crate::cli::commands::stress::search_sandbox::SearchSandbox;
use crate::cli::commands::stress::words::search_status;
use crate::cli::commands::stress::{found, show};
use crate::cli::exit::{CommandError, CommandOutcome};
use crate::cli::screen;
use crate::cli::status_line::StatusLine;
use crate::text::printable;
use gridjudge_sandbox::Fault;

/// One call of `stress`.
pub(super) struct InputSearch<'a> {
    pub(super) stress: &'a StressArgs,
    pub(super) common: &'a GlobalOptions,
    pub(super) request: &'a StressRequest,
    pub(super) cancel: &'a CancelToken,
    /// Inputs that are run at the same time.
    pub(super) jobs: usize,
}

impl InputSearch<'_> {
    /// Searches among random inputs, or runs the input of `--input`, which `given` makes of its
    /// text. Reports if there is no failure.
    pub(super) fn find<H: FuzzHarness>(
        &self,
        harness: &H,
        counted: &SearchSandbox<'_>,
        given: impl FnOnce(&[u8]) -> Result<H::Input, CommandError>,
    ) -> Result<Option<FailingInput<H::Input>>, CommandError> {
        let (failure, extent) = {
            let _status = self.status(counted, search_status);
            match &self.request.given_input {
                Some(input) => (run_given(harness, given(input)?)?, None),
                None => {
                    let FuzzResult {
                        failure,
                        inputs,
                        alike,
                    } = self.run_random(harness, counted)?;
                    (failure, Some(SearchExtent { inputs, alike }))
                }
            }
        };
        if failure.is_none() && !self.common.quiet {
            found::report_nothing(extent, self.request, self.cancel.is_cancelled())?;
        }
        Ok(failure)
    }

    fn run_random<H: FuzzHarness>(
        &self,
        harness: &H,
        counted: &SearchSandbox<'_>,
    ) -> Result<FuzzResult<H::Input>, Fault> {
        let StressArgs { time, runs, .. } = *self.stress;
        counted.begin(time);
        let jobs = self.jobs;
        let interrupted = self.cancel.flag();
        Fuzzer {
            harness,
            jobs,
            inputs: runs,
            time: Some(time),
            interrupted,
        }
        .run()
    }

    /// Starts a status line that shows the number of runs since its start.
    pub(super) fn status(
        &self,
        counted: &SearchSandbox<'_>,
        words: fn(u64, &StressArgs) -> String,
    ) -> StatusLine {
        let runs = counted.runs();
        let stress = self.stress.clone();
        let before = runs.load(Ordering::Relaxed);
        StatusLine::watching(self.common, move |_| {
            words(runs.load(Ordering::Relaxed) - before, &stress)
        })
    }

    /// The status line while the submission is compiled.
    pub(super) fn compiling(&self) -> StatusLine {
        let name = &self.request.entry.submission.name;
        StatusLine::start(self.common, &format!("compiling {name}"))
    }
}

fn run_given<H: FuzzHarness>(
    harness: &H,
    draft: H::Input,
) -> Result<Option<FailingInput<H::Input>>, Fault> {
    let first = harness.judge(&draft)?;
    let outcome = harness.judge_again(&draft, first)?;
    Ok(outcome.symptom().is_failure().then_some(FailingInput {
        number: None,
        draft,
        outcome,
    }))
}

/// Reports that the submission does not compile.
pub(super) fn report_refusal(reason: &str, output: &str) -> Result<CommandOutcome, CommandError> {
    screen::sentence(format_args!("CE (compile error): {}", printable(reason)))?;
    show::text("    | ", output)?;
    Ok(CommandOutcome::Surprising)
}
