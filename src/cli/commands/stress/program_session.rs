//! Searches for a failing input of a problem whose inputs a generator program writes, and shows it.

use std::sync::atomic::Ordering;

use crate::authoring::stress::FailingInput;
use crate::authoring::stress::FuzzHarness;
use crate::authoring::stress::FuzzResult;
use crate::authoring::stress::FuzzTarget;
use crate::authoring::stress::FuzzTargets;
use crate::authoring::stress::Fuzzer;
use crate::authoring::stress::GeneratedHarness;
use crate::authoring::stress::GeneratedInput;
use crate::authoring::stress::size_of_text;
use crate::cli::args::GlobalOptions;
use crate::cli::cancel::CancelToken;
use crate::cli::commands::stress::args::StressArgs;
use crate::cli::commands::stress::counted::CountingSandbox;
use crate::cli::commands::stress::found;
use crate::cli::commands::stress::found::FoundFailure;
use crate::cli::commands::stress::found::SearchExtent;
use crate::cli::commands::stress::made_programs::MadePrograms;
use crate::cli::commands::stress::made_programs::MadeSubmission;
use crate::cli::commands::stress::made_programs::Uncompiled;
use crate::cli::commands::stress::program_inputs::ProgramInputs;
use crate::cli::commands::stress::request::StressRequest;
use crate::cli::commands::stress::show;
use crate::cli::commands::stress::words::search_status;
use crate::cli::exit::CommandError;
use crate::cli::exit::CommandOutcome;
use crate::cli::screen;
use crate::cli::session::judge_session::JudgeSession;
use crate::cli::status_line::StatusLine;
use crate::run::PlanEntry;
use crate::text::printable;
use gridjudge_sandbox::Fault;

/// One call of `stress` for a problem that is not of grids.
pub(super) struct ProgramSession<'a> {
    pub(super) stress: &'a StressArgs,
    pub(super) common: &'a GlobalOptions,
    pub(super) request: &'a StressRequest,
    pub(super) inputs: &'a ProgramInputs,
    pub(super) session: &'a JudgeSession,
    pub(super) cancel: &'a CancelToken,
}

impl ProgramSession<'_> {
    pub(super) fn run(&self) -> Result<CommandOutcome, CommandError> {
        let StressRequest { entry, against, folder, .. } = self.request;
        let entry = self.timed(entry)?;
        let status = StatusLine::start(self.common, &format!("compiling {}", entry.submission.name));
        let submission = match MadeSubmission::of(entry, self.session)? {
            Ok(submission) => submission,
            Err(Uncompiled { reason, output }) => {
                drop(status);
                screen::sentence(format_args!("CE (compile error): {}", printable(&reason)))?;
                show::text("    | ", &output)?;
                return Ok(CommandOutcome::Surprising);
            }
        };
        let made = |entry: &PlanEntry| {
            let problem = submission.entry.problem.clone();
            MadeSubmission::of_necessity(PlanEntry { problem, ..entry.clone() }, self.session)
        };
        let against = against.as_ref().map(made).transpose()?;
        let solution = self.inputs.solution.as_ref().map(made).transpose()?;
        let made = MadePrograms::of(self.inputs, &submission.entry, folder, self.session)?;
        drop(status);
        made.notes.iter().for_each(screen::notice);
        let counted = CountingSandbox::new(self.session.sandbox());
        let harness = GeneratedHarness {
            programs: &made.programs,
            solution: solution.as_ref().map(target),
            targets: FuzzTargets { submission: target(&submission), against: against.as_ref().map(target) },
            sandbox: &counted,
            scratch: &self.session.sandbox().programs(),
        };
        self.find_and_report(&harness, &submission, &counted)
    }

    /// The submission with the time limit of its problem, which is measured if the problem gives none.
    fn timed(&self, entry: &PlanEntry) -> Result<PlanEntry, CommandError> {
        let Some((measurement, plan)) = &self.inputs.untimed else { return Ok(entry.clone()) };
        let timed = measurement.settle(plan, self.session, self.common, self.cancel)?;
        timed.notes.iter().filter(|_| !self.common.quiet).for_each(screen::notice);
        let problem = timed.plan.entries.first().map_or(&entry.problem, |entry| &entry.problem).clone();
        Ok(PlanEntry { problem, ..entry.clone() })
    }

    fn find_and_report(
        &self,
        harness: &GeneratedHarness<'_>,
        submission: &MadeSubmission,
        counted: &CountingSandbox<'_>,
    ) -> Result<CommandOutcome, CommandError> {
        let (failure, extent) = {
            let (runs, stress) = (counted.runs(), self.stress.clone());
            let words = move |_| search_status(runs.load(Ordering::Relaxed), &stress);
            let _status = StatusLine::watching(self.common, words);
            match &self.request.given_input {
                Some(input) => (self.run_given(harness, input)?, None),
                None => {
                    let FuzzResult { failure, inputs, alike } = self.search(harness)?;
                    (failure, Some(SearchExtent { inputs, alike }))
                }
            }
        };
        let Some(failure) = failure else {
            if !self.common.quiet {
                found::report_nothing(extent, self.request, self.cancel.is_cancelled())?;
            }
            return Ok(CommandOutcome::AsExpected);
        };
        self.report(&failure, submission)?;
        Ok(CommandOutcome::Surprising)
    }

    fn search(&self, harness: &GeneratedHarness<'_>) -> Result<FuzzResult<GeneratedInput>, Fault> {
        let StressArgs { time, runs, .. } = *self.stress;
        let (jobs, interrupted) = (self.session.jobs(), self.cancel.flag());
        Fuzzer { harness, jobs, inputs: runs, time: Some(time), interrupted }.run()
    }

    /// Runs the input of `--case`.
    fn run_given(
        &self,
        harness: &GeneratedHarness<'_>,
        input: &[u8],
    ) -> Result<Option<FailingInput<GeneratedInput>>, Fault> {
        let name = self.stress.case.as_deref().unwrap_or("".as_ref()).to_string_lossy();
        let draft = harness.brought(&name, input)?;
        let first = harness.judge(&draft)?;
        let outcome = harness.judge_again(&draft, first)?;
        Ok(outcome.symptom().is_failure().then_some(FailingInput { number: None, draft, outcome }))
    }

    fn report(
        &self,
        failure: &FailingInput<GeneratedInput>,
        submission: &MadeSubmission,
    ) -> Result<(), CommandError> {
        let FailingInput { number, draft, outcome } = failure;
        let read =
            |path| std::fs::read(path).map_err(|error| Fault::new("reading the input that fails", error));
        let (input, answer) = (read(&draft.case.input)?, read(&draft.case.answer)?);
        let by = number.map(|_| format!("written by `{}`", draft.case.name));
        let found = FoundFailure {
            number: *number,
            input: &input,
            answer: &answer,
            outcome,
            size: &size_of_text(&input),
            remarks: &by.into_iter().collect::<Vec<_>>(),
            program_folder: submission.folder.path(),
            is_written: number.is_some(),
        };
        found::report(&found, self.request, self.stress, self.common)
    }
}

fn target(made: &MadeSubmission) -> FuzzTarget<'_> {
    FuzzTarget { entry: &made.entry, program: &made.program }
}
