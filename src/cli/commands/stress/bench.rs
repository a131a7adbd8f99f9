//! Looks for an input that fails, shrinks it, and shows it.

use std::path::Path;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use crate::authoring;
use crate::authoring::stress::Draft;
use crate::authoring::stress::DraftGrid;
use crate::authoring::stress::FailingInput;
use crate::authoring::stress::FailureNote;
use crate::authoring::stress::FuzzResult;
use crate::authoring::stress::FuzzTarget;
use crate::authoring::stress::Fuzzer;
use crate::authoring::stress::InputRunner;
use crate::authoring::stress::InputSource;
use crate::authoring::stress::ShrinkBudget;
use crate::authoring::stress::ShrinkResult;
use crate::authoring::stress::Shrinker;
use crate::check::InputError;
use crate::cli::args::GlobalOptions;
use crate::cli::cancel::CancelToken;
use crate::cli::commands::stress::args::StressArgs;
use crate::cli::commands::stress::args::StressRequest;
use crate::cli::commands::stress::counted::CountingSandbox;
use crate::cli::commands::stress::show;
use crate::cli::commands::stress::words::CommandWords;
use crate::cli::commands::stress::words::looking;
use crate::cli::commands::stress::words::remarks;
use crate::cli::commands::stress::words::shrinking;
use crate::cli::exit::CommandError;
use crate::cli::exit::CommandOutcome;
use crate::cli::screen;
use crate::cli::session::prepare::PrepareError;
use crate::cli::session::prepare::PreparedProgram;
use crate::cli::session::prepare::prepare;
use crate::cli::status_line::StatusLine;
use crate::compile::Compiler;
use crate::proof;
use crate::proof::SolveError;
use crate::spec::Mistake;
use crate::spec::Mistakes;
use crate::text::counted;
use crate::text::printable;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::LinuxSandbox;

/// One call of the command.
pub(super) struct StressSession<'a> {
    pub(super) stress: &'a StressArgs,
    pub(super) common: &'a GlobalOptions,
    pub(super) request: &'a StressRequest,
    pub(super) sandbox: &'a LinuxSandbox,
    pub(super) cancel: &'a CancelToken,
    pub(super) jobs: usize,
}

impl StressSession<'_> {
    pub(super) fn run(&self) -> Result<CommandOutcome, CommandError> {
        match self.judge() {
            // What fails after a cancellation may well fail because of it.
            Err(CommandError::Fault(_)) if self.cancel.is_cancelled() => Ok(CommandOutcome::Interrupted),
            Ok(_) if self.cancel.is_cancelled() => Ok(CommandOutcome::Interrupted),
            ending => ending,
        }
    }

    fn judge(&self) -> Result<CommandOutcome, CommandError> {
        let StressRequest { entry, against, seed, .. } = self.request;
        let compiler = Compiler::new(self.sandbox.programs());
        let status = StatusLine::start(self.common, &format!("compiling {}", entry.submission.name));
        let program = match prepare(entry, &compiler, self.sandbox) {
            Ok(program) => program,
            Err(PrepareError::Refused { reason, output }) => {
                drop(status);
                screen::result(format_args!("CE (compile error): {}", printable(&reason)))?;
                show::text("    | ", &output)?;
                return Ok(CommandOutcome::Surprising);
            }
            Err(PrepareError::Failed(fault)) => return Err(fault.into()),
        };
        let other = match against.as_ref().map(|entry| prepare(entry, &compiler, self.sandbox)).transpose() {
            Ok(other) => other,
            Err(PrepareError::Refused { reason, .. }) => {
                let path = self.stress.against.as_deref().unwrap_or(Path::new(""));
                return Err(Mistakes::from(Mistake::of(path, format!("does not compile: {reason}"))).into());
            }
            Err(PrepareError::Failed(fault)) => return Err(fault.into()),
        };
        drop(status);
        let against = against.as_ref().zip(other.as_ref());
        let counted = CountingSandbox::new(self.sandbox);
        let rig = InputRunner {
            submission: FuzzTarget { entry, program: &program.program },
            against: against.map(|(entry, ready)| FuzzTarget { entry, program: &ready.program }),
            sandbox: &counted,
        };
        let StressRequest { recipes, stored, .. } = self.request;
        let task = authoring::grids_of(&entry.problem, "stress")?;
        let source = InputSource::new(task, recipes, *seed).with_stored(stored);
        self.look(&source, &rig, &program, &counted)
    }

    fn look(
        &self,
        source: &InputSource<'_>,
        rig: &InputRunner<'_>,
        program: &PreparedProgram,
        counted: &CountingSandbox<'_>,
    ) -> Result<CommandOutcome, CommandError> {
        let (failure, result) = {
            let _status = self.status(counted, looking);
            match &self.request.brought {
                Some(input) => (self.run_brought(source, rig, input)?, None),
                None => {
                    let result = self.search(source, rig)?;
                    (result.failure.clone(), Some(result))
                }
            }
        };
        let Some(failure) = failure else {
            if !self.common.quiet {
                self.tell_nothing(result.as_ref())?;
            }
            return Ok(CommandOutcome::AsExpected);
        };
        let found = failure.draft.grids.clone();
        let shrunk = if self.stress.no_shrink {
            ShrinkResult { failure, runs: 0, is_done: true, is_steady: true }
        } else {
            let _status = self.status(counted, shrinking);
            let StressArgs { shrink_runs, shrink_time, .. } = *self.stress;
            let budget = ShrinkBudget { runs: shrink_runs, time: Some(shrink_time) };
            Shrinker::new(source, rig, self.cancel.flag(), budget, failure).shrink()?
        };
        self.tell(&shrunk, &found, program)?;
        Ok(CommandOutcome::Surprising)
    }

    /// Says how many runs were made since now.
    fn status(&self, counted: &CountingSandbox<'_>, words: fn(u64, &StressArgs) -> String) -> StatusLine {
        let (runs, stress) = (counted.runs(), self.stress.clone());
        let before = runs.load(Ordering::Relaxed);
        StatusLine::watching(self.common, move |_| words(runs.load(Ordering::Relaxed) - before, &stress))
    }

    fn search(&self, source: &InputSource<'_>, rig: &InputRunner<'_>) -> Result<FuzzResult, Fault> {
        let StressArgs { time, runs, .. } = *self.stress;
        let interrupted = self.cancel.flag();
        Fuzzer { source, rig, jobs: self.jobs, inputs: runs, time: Some(time), interrupted }.go()
    }

    /// Runs the input of `--case`.
    fn run_brought(
        &self,
        source: &InputSource<'_>,
        rig: &InputRunner<'_>,
        input: &[u8],
    ) -> Result<Option<FailingInput>, CommandError> {
        let task = source.task();
        let path = self.stress.case.as_deref().unwrap_or(Path::new(""));
        let mut answer = Vec::new();
        proof::solve_grids(task, input, &mut answer).map_err(|error| mistake(path, &error))?;
        let grids = Draft::grids_of(task, input).map_err(|error| mistake(path, &error.into()))?;
        let draft = Draft { grids, input: input.to_vec(), answer };
        let first = rig.hold(&draft)?;
        let outcome = rig.hold_again(&draft, first)?;
        Ok(outcome.symptom().is_failure().then_some(FailingInput { number: None, draft, outcome }))
    }

    fn tell_nothing(&self, result: Option<&FuzzResult>) -> Result<(), Fault> {
        let what = if self.request.against.is_some() { "difference" } else { "failure" };
        let Some(FuzzResult { inputs, alike, .. }) = result else {
            return screen::result(format_args!("no {what} on this input"));
        };
        let seed = self.request.seed;
        screen::result(format_args!("no {what} in {} of seed {seed}", counted(*inputs, "input")))?;
        if *alike > 0 {
            screen::result(format_args!("on {alike} of them both programs fail alike"))?;
        }
        Ok(())
    }

    /// Shows a failing input, and writes it to its folder.
    fn tell(
        &self,
        shrunk: &ShrinkResult,
        found: &[DraftGrid],
        program: &PreparedProgram,
    ) -> Result<(), CommandError> {
        let StressRequest { entry, against, place, brought, .. } = self.request;
        let failure = &shrunk.failure;
        let other = against.as_ref().map(|other| printable(&other.submission.name));
        let words = CommandWords { stress: self.stress, common: self.common, request: self.request };
        let note = FailureNote {
            problem: &entry.problem.id,
            submission: &printable(&entry.submission.name),
            against: other.as_deref(),
            origin: &printable(&words.origin(failure.number)),
            found,
            failure,
            runs: shrunk.runs,
            remarks: &remarks(shrunk, self.cancel.is_cancelled()),
            limits: &entry.limits(),
            command: "",
            search: &words.search(failure.number),
        };
        show::failure(&note, program)?;
        if brought.is_some() && self.stress.no_shrink {
            return Ok(());
        }
        let page = |case: &Path| show::page(&FailureNote { command: &words.repeat(case), ..note });
        let folder = place.fill(&failure.draft.input, &failure.draft.answer, page)?;
        Ok(screen::result(format_args!("\nwritten to {}", printable(&folder.to_string_lossy())))?)
    }
}

/// The mistake of an input that is not the problem's.
fn mistake(path: &Path, error: &SolveError) -> Mistakes {
    match error {
        SolveError::Input(InputError::Text(mistake)) => proof::mistake_in_input(path, mistake).into(),
        _ => Mistake::of(PathBuf::from(path), error.to_string()).into(),
    }
}
