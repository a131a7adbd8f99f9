//! Searches for a failing input of grids, shrinks it, and shows it.

use std::path::Path;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use crate::authoring;
use crate::authoring::stress::Draft;
use crate::authoring::stress::DraftGrid;
use crate::authoring::stress::FailingInput;
use crate::authoring::stress::FuzzResult;
use crate::authoring::stress::FuzzTarget;
use crate::authoring::stress::FuzzTargets;
use crate::authoring::stress::Fuzzer;
use crate::authoring::stress::GridHarness;
use crate::authoring::stress::InputRunner;
use crate::authoring::stress::InputSource;
use crate::authoring::stress::ShrinkBudget;
use crate::authoring::stress::ShrinkResult;
use crate::authoring::stress::Shrinker;
use crate::authoring::stress::size_of_shrunk;
use crate::check::InputError;
use crate::cli::args::GlobalOptions;
use crate::cli::cancel::CancelToken;
use crate::cli::commands::stress::args::StressArgs;
use crate::cli::commands::stress::counted::CountingSandbox;
use crate::cli::commands::stress::found;
use crate::cli::commands::stress::found::FoundFailure;
use crate::cli::commands::stress::found::SearchExtent;
use crate::cli::commands::stress::request::StressRequest;
use crate::cli::commands::stress::show;
use crate::cli::commands::stress::words::remarks;
use crate::cli::commands::stress::words::search_status;
use crate::cli::commands::stress::words::shrink_status;
use crate::cli::exit::CommandError;
use crate::cli::exit::CommandOutcome;
use crate::cli::screen;
use crate::cli::session::prepare::PrepareError;
use crate::cli::session::prepare::PreparedProgram;
use crate::cli::session::prepare::prepare;
use crate::cli::status_line::StatusLine;
use crate::compile::Compiler;
use crate::model::Case;
use crate::model::Recipe;
use crate::proof;
use crate::proof::SolveError;
use crate::spec::Mistake;
use crate::spec::Mistakes;
use crate::text::printable;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::LinuxSandbox;

/// One call of `stress` for a problem of grids.
pub(super) struct GridSession<'a> {
    pub(super) stress: &'a StressArgs,
    pub(super) common: &'a GlobalOptions,
    pub(super) request: &'a StressRequest,
    pub(super) recipes: &'a [Recipe],
    pub(super) stored: &'a [Case],
    pub(super) sandbox: &'a LinuxSandbox,
    pub(super) cancel: &'a CancelToken,
    pub(super) jobs: usize,
}

impl GridSession<'_> {
    pub(super) fn run(&self) -> Result<CommandOutcome, CommandError> {
        let StressRequest { entry, against, seed, .. } = self.request;
        let compiler = Compiler::new(self.sandbox.programs());
        let status = StatusLine::start(self.common, &format!("compiling {}", entry.submission.name));
        let program = match prepare(entry, &compiler, self.sandbox) {
            Ok(program) => program,
            Err(PrepareError::Refused { reason, output }) => {
                drop(status);
                screen::sentence(format_args!("CE (compile error): {}", printable(&reason)))?;
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
        let runner = InputRunner {
            targets: FuzzTargets {
                submission: FuzzTarget { entry, program: &program.program },
                against: against.map(|(entry, program)| FuzzTarget { entry, program: &program.program }),
            },
            sandbox: &counted,
        };
        let task = authoring::grids_of_one_map(&entry.problem, "stress")?;
        let source = InputSource::new(task, self.recipes, *seed).with_stored(self.stored);
        self.find_and_report(&source, &runner, &program, &counted)
    }

    fn find_and_report(
        &self,
        source: &InputSource<'_>,
        runner: &InputRunner<'_>,
        program: &PreparedProgram,
        counted: &CountingSandbox<'_>,
    ) -> Result<CommandOutcome, CommandError> {
        let (failure, result) = {
            let _status = self.status(counted, search_status);
            match &self.request.given_input {
                Some(input) => (self.run_given(source, runner, input)?, None),
                None => {
                    let result = self.search(source, runner)?;
                    (result.failure.clone(), Some(result))
                }
            }
        };
        let Some(failure) = failure else {
            if !self.common.quiet {
                let extent = result.map(|result| SearchExtent { inputs: result.inputs, alike: result.alike });
                found::report_nothing(extent, self.request, self.cancel.is_cancelled())?;
            }
            return Ok(CommandOutcome::AsExpected);
        };
        let grids = failure.draft.grids.clone();
        let shrunk = if self.stress.no_shrink {
            ShrinkResult { failure, runs: 0, is_done: true, is_reproducible: true }
        } else {
            let _status = self.status(counted, shrink_status);
            let StressArgs { shrink_runs, shrink_time, .. } = *self.stress;
            let budget = ShrinkBudget { runs: shrink_runs, time: Some(shrink_time) };
            Shrinker::new(source, runner, self.cancel.flag(), budget, failure).shrink()?
        };
        self.report(&shrunk, &grids, program)?;
        Ok(CommandOutcome::Surprising)
    }

    fn report(
        &self,
        shrunk: &ShrinkResult,
        grids: &[DraftGrid],
        program: &PreparedProgram,
    ) -> Result<(), CommandError> {
        let ShrinkResult { failure: FailingInput { number, draft, outcome }, runs, .. } = shrunk;
        let failure = FoundFailure {
            number: *number,
            input: &draft.input,
            answer: &draft.answer,
            outcome,
            size: &size_of_shrunk(grids, &draft.grids, *runs),
            remarks: &remarks(shrunk, self.cancel.is_cancelled()),
            program_folder: program.folder.path(),
            is_written: self.request.given_input.is_none() || !self.stress.no_shrink,
        };
        found::report(&failure, self.request, self.stress, self.common)
    }

    /// Starts a status line that shows the number of runs since its start.
    fn status(&self, counted: &CountingSandbox<'_>, words: fn(u64, &StressArgs) -> String) -> StatusLine {
        let (runs, stress) = (counted.runs(), self.stress.clone());
        let before = runs.load(Ordering::Relaxed);
        StatusLine::watching(self.common, move |_| words(runs.load(Ordering::Relaxed) - before, &stress))
    }

    fn search(&self, source: &InputSource<'_>, runner: &InputRunner<'_>) -> Result<FuzzResult<Draft>, Fault> {
        let StressArgs { time, runs, .. } = *self.stress;
        let interrupted = self.cancel.flag();
        Fuzzer {
            harness: &GridHarness { source, runner },
            jobs: self.jobs,
            inputs: runs,
            time: Some(time),
            interrupted,
        }
        .run()
    }

    /// Runs the input of `--case`.
    fn run_given(
        &self,
        source: &InputSource<'_>,
        runner: &InputRunner<'_>,
        input: &[u8],
    ) -> Result<Option<FailingInput>, CommandError> {
        let task = source.task();
        let path = self.stress.case.as_deref().unwrap_or(Path::new(""));
        let mut answer = Vec::new();
        proof::solve_grids(task, input, &mut answer).map_err(|error| mistake(path, &error))?;
        let grids = Draft::grids_of(task, input).map_err(|error| mistake(path, &error.into()))?;
        let draft = Draft { grids, input: input.to_vec(), answer };
        let first = runner.judge(&draft)?;
        let outcome = runner.judge_again(&draft, first)?;
        Ok(outcome.symptom().is_failure().then_some(FailingInput { number: None, draft, outcome }))
    }
}

/// The mistake for an input of `--case` that cannot be solved.
fn mistake(path: &Path, error: &SolveError) -> Mistakes {
    match error {
        SolveError::Input(InputError::Text(mistake)) => proof::mistake_in_input(path, mistake).into(),
        _ => Mistake::of(PathBuf::from(path), error.to_string()).into(),
    }
}
