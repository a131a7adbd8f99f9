//! Makes the programs ready, has inputs run and shrunk, and tells what came of it.

use std::path::Path;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
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
use crate::cli::CommandError;
use crate::cli::CommandOutcome;
use crate::cli::GlobalOptions;
use crate::cli::commands::stress::StressArgs;
use crate::cli::commands::stress::StressRequest;
use crate::cli::commands::stress::counted::CountingSandbox;
use crate::cli::commands::stress::words::looking;
use crate::cli::commands::stress::words::remarks;
use crate::cli::commands::stress::words::shrinking;
use crate::cli::screen;
use crate::cli::status_line::StatusLine;
use crate::compile;
use crate::compile::BuildResult;
use crate::compile::Compiler;
use crate::compile::UnusableLanguage;
use crate::model::Program;
use crate::proof;
use crate::proof::SolveError;
use crate::run::PlanEntry;
use crate::spec::Mistake;
use crate::spec::Mistakes;
use crate::text::printable;
use gridjudge_grid::format::parse_error::plural;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::LinuxSandbox;

/// Lines of an input, or of what a program wrote, that are shown.
const MOST_LINES: usize = 60;

/// One call of the command.
pub(super) struct StressSession<'a> {
    pub(super) stress: &'a StressArgs,
    pub(super) common: &'a GlobalOptions,
    pub(super) order: &'a StressRequest,
    pub(super) sandbox: &'a LinuxSandbox,
    pub(super) interrupted: &'a AtomicBool,
    pub(super) jobs: usize,
}

/// A program that can be run, as long as its folder lives.
struct PreparedProgram {
    program: Program,
    folder: compile::BuildFolder,
}

/// Why there is none.
enum PrepareError {
    Refused { reason: String, output: String },
    Failed(Fault),
}

impl StressSession<'_> {
    pub(super) fn run(&self) -> Result<CommandOutcome, CommandError> {
        match self.judge() {
            // What fails while the judge is told to stop may well fail for that reason.
            Err(CommandError::Fault(_)) if self.interrupted.load(Ordering::Relaxed) => {
                Ok(CommandOutcome::Interrupted)
            }
            Ok(_) if self.interrupted.load(Ordering::Relaxed) => Ok(CommandOutcome::Interrupted),
            ending => ending,
        }
    }

    fn judge(&self) -> Result<CommandOutcome, CommandError> {
        let StressRequest { entry, against, seed, .. } = self.order;
        let compiler = Compiler::new(self.sandbox.programs());
        let status = StatusLine::start(self.common, &format!("compiling {}", entry.submission.name));
        let ready = match self.make(&compiler, entry) {
            Ok(ready) => ready,
            Err(PrepareError::Refused { reason, output }) => {
                drop(status);
                screen::result(format_args!("CE (compile error): {}", printable(&reason)))?;
                show("    | ", &output)?;
                return Ok(CommandOutcome::Surprising);
            }
            Err(PrepareError::Failed(fault)) => return Err(fault.into()),
        };
        let other = match against.as_ref().map(|entry| self.make(&compiler, entry)).transpose() {
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
            submission: FuzzTarget { entry, program: &ready.program },
            against: against.map(|(entry, ready)| FuzzTarget { entry, program: &ready.program }),
            sandbox: &counted,
        };
        let StressRequest { recipes, stored, .. } = self.order;
        let task = authoring::grids_of(&entry.problem, "stress")?;
        let source = InputSource::new(task, recipes, *seed).with_stored(stored);
        self.look(&source, &rig, &ready, &counted)
    }

    fn make(&self, compiler: &Compiler, entry: &PlanEntry) -> Result<PreparedProgram, PrepareError> {
        let memory = entry.problem.limits.memory_bytes;
        let language = entry.language.as_deref();
        let made = compiler.make(&entry.submission, language, memory, self.sandbox);
        let unavailable = |cause: String, remedy: String| {
            let doing = format!("preparing {}", entry.submission.path.display());
            PrepareError::Failed(Fault::because(doing, cause).with_remedy(remedy))
        };
        let made = made.map_err(PrepareError::Failed)?;
        // What compiles shows that its compiler works; of a runtime only its failures would tell.
        let is_shown = matches!(made, BuildResult::Ready { .. })
            && language.is_none_or(|language| !language.compile.is_empty());
        let unfit =
            language.filter(|_| !is_shown).map(|language| compiler.check_language(language, self.sandbox));
        match (unfit.transpose().map_err(PrepareError::Failed)?.flatten(), made) {
            (Some(UnusableLanguage { cause, remedy }), _)
            | (None, BuildResult::Unavailable { cause, remedy }) => Err(unavailable(cause, remedy)),
            (None, BuildResult::Ready { program, folder }) => Ok(PreparedProgram { program, folder }),
            (None, BuildResult::Refused { reason, output }) => Err(PrepareError::Refused { reason, output }),
        }
    }

    fn look(
        &self,
        source: &InputSource<'_>,
        rig: &InputRunner<'_>,
        ready: &PreparedProgram,
        counted: &CountingSandbox<'_>,
    ) -> Result<CommandOutcome, CommandError> {
        let (failure, bag) = {
            let _status = self.status(counted, looking);
            match &self.order.brought {
                Some(input) => (self.hold_brought(source, rig, input)?, None),
                None => {
                    let bag = self.hunt(source, rig)?;
                    (bag.failure.clone(), Some(bag))
                }
            }
        };
        let Some(failure) = failure else {
            if !self.common.quiet {
                self.tell_nothing(bag.as_ref())?;
            }
            return Ok(CommandOutcome::AsExpected);
        };
        let found = failure.draft.grids.clone();
        let shrunk = if self.stress.no_shrink {
            ShrinkResult { failure, runs: 0, is_done: true, is_steady: true }
        } else {
            let _status = self.status(counted, shrinking);
            let StressArgs { shrink_runs, shrink_time, .. } = *self.stress;
            let allowance = ShrinkBudget { runs: shrink_runs, time: Some(shrink_time) };
            Shrinker::new(source, rig, self.interrupted, allowance, failure).shrink()?
        };
        self.tell(&shrunk, &found, ready)?;
        Ok(CommandOutcome::Surprising)
    }

    /// Says how many runs were made since now.
    fn status(&self, counted: &CountingSandbox<'_>, words: fn(u64, &StressArgs) -> String) -> StatusLine {
        let (runs, stress) = (counted.runs(), self.stress.clone());
        let before = runs.load(Ordering::Relaxed);
        StatusLine::watching(self.common, move |_| words(runs.load(Ordering::Relaxed) - before, &stress))
    }

    fn hunt(&self, source: &InputSource<'_>, rig: &InputRunner<'_>) -> Result<FuzzResult, Fault> {
        let StressArgs { time, runs, .. } = *self.stress;
        let interrupted = self.interrupted;
        Fuzzer { source, rig, jobs: self.jobs, inputs: runs, time: Some(time), interrupted }.go()
    }

    /// Runs the input that somebody brought.
    fn hold_brought(
        &self,
        source: &InputSource<'_>,
        rig: &InputRunner<'_>,
        input: &[u8],
    ) -> Result<Option<FailingInput>, CommandError> {
        let task = source.task();
        let path = self.stress.case.as_deref().unwrap_or(Path::new(""));
        let mut answer = Vec::new();
        proof::solve_grids(task, input, &mut answer).map_err(|refusal| mistake(path, &refusal))?;
        let grids = Draft::grids_of(task, input).map_err(|error| mistake(path, &error.into()))?;
        let draft = Draft { grids, input: input.to_vec(), answer };
        let first = rig.hold(&draft)?;
        let outcome = rig.hold_again(&draft, first)?;
        Ok(outcome.symptom().is_failure().then_some(FailingInput { number: None, draft, outcome }))
    }

    fn tell_nothing(&self, bag: Option<&FuzzResult>) -> Result<(), Fault> {
        let what = if self.order.against.is_some() { "difference" } else { "failure" };
        let Some(FuzzResult { inputs, alike, .. }) = bag else {
            return screen::result(format_args!("no {what} on this input"));
        };
        let seed = self.order.seed;
        screen::result(format_args!("no {what} in {inputs} {} of seed {seed}", plural(*inputs, "input")))?;
        if *alike > 0 {
            screen::result(format_args!("on {alike} of them both programs fail alike"))?;
        }
        Ok(())
    }

    fn tell(
        &self,
        shrunk: &ShrinkResult,
        found: &[DraftGrid],
        ready: &PreparedProgram,
    ) -> Result<(), CommandError> {
        let StressRequest { entry, against, seed, place, brought, .. } = self.order;
        let ShrinkResult { failure, runs, .. } = shrunk;
        let limits = entry.limits();
        let origin = match (failure.number, &self.stress.case) {
            (Some(number), _) => format!("input {} of seed {seed}", number + 1),
            (None, Some(path)) => path.display().to_string(),
            (None, None) => String::new(),
        };
        let origin = printable(&origin);
        let remarks = remarks(shrunk, self.interrupted.load(Ordering::Relaxed));
        let search = self.search(failure.number);
        let name = printable(&entry.submission.name);
        let other = against.as_ref().map(|other| printable(&other.submission.name));
        let note = |command: &str| -> (String, String, String) {
            let note = FailureNote {
                problem: &entry.problem.id,
                submission: &name,
                against: other.as_deref(),
                origin: &origin,
                found,
                failure,
                runs: *runs,
                remarks: &remarks,
                limits: &limits,
                command,
                search: &search,
            };
            (printable(&note.finding()), note.shrinking(), lines_printable(&note.text()))
        };
        let (finding, shrinking, _) = note("");
        screen::result(format_args!("{origin}: {finding}"))?;
        screen::result(shrinking)?;
        remarks.iter().try_for_each(screen::result)?;
        screen::result("")?;
        show("    ", &String::from_utf8_lossy(&failure.draft.input))?;
        let stderr = compile::without_folder(ready.folder.path(), &failure.outcome.trial.stderr_tail);
        if !stderr.trim().is_empty() {
            screen::result("\nstandard error:")?;
            show("    | ", &stderr)?;
        }
        if brought.is_some() && self.stress.no_shrink {
            return Ok(());
        }
        let draft = &failure.draft;
        let folder = place.fill(&draft.input, &draft.answer, |case| note(&self.repeat(case)).2)?;
        Ok(screen::result(format_args!("\nwritten to {}", printable(&folder.to_string_lossy())))?)
    }
}

/// Shows a text, each line of it behind a margin. What a program wrote needs one that is not blank: GitHub takes a line for a
/// command that begins with two colons, whatever blanks stand before them.
fn show(margin: &str, text: &str) -> Result<(), Fault> {
    let lines: Vec<_> = text.lines().collect();
    for line in lines.iter().take(MOST_LINES) {
        screen::result(format_args!("{margin}{}", printable(line)))?;
    }
    match lines.len().saturating_sub(MOST_LINES) {
        0 => Ok(()),
        more => screen::result(format_args!("{margin}... (lines more: {more})")),
    }
}

/// A page without anything that steers a terminal: of what it quotes from the output nobody knows what it is.
fn lines_printable(page: &str) -> String {
    page.lines().map(|line| printable(line) + "\n").collect()
}

/// The mistake of an input that is not the problem's.
fn mistake(path: &Path, refusal: &SolveError) -> Mistakes {
    match refusal {
        SolveError::Input(InputError::Text(mistake)) => {
            let placed = Mistake::of(path, &mistake.message).on_line(mistake.line);
            Mistake { remedy: mistake.remedy.map(str::to_owned), ..placed }.into()
        }
        _ => Mistake::of(PathBuf::from(path), refusal.to_string()).into(),
    }
}
