//! `gridjudge stress`: runs a program on random inputs until it fails, and shrinks a failing input
//! of grids. Start at [`run`].

mod found;
pub(super) mod request;
mod search;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gridjudge_sandbox::Fault;

use crate::authoring::stress::{
    Draft, DraftGrid, FailingInput, FuzzTargets, GeneratedHarness, GeneratedInput, GridHarness,
    InputPrograms, InputRunner, InputSource, InputValidatorProgram, ShrinkBudget, ShrinkResult,
    Shrinker, size_of_shrunk, size_of_text,
};
use crate::check::InputError;
use crate::cli::commands::stress::found::{remarks, shrink_status};
use crate::cli::{
    CancelToken, CommandError, CommandOutcome, CommandResult, GlobalOptions, JudgeSession,
    MadeTool, PrepareError, PreparedProgram, SandboxStartup, ToolMaker, ToolProblem,
    planned_checker, screen, signals, usable,
};
use crate::compile::BuildFolder;
use crate::model::{Case, Recipe};
use crate::package::Package;
use crate::proof::SolveError;
use crate::run::PlanEntry;
use crate::spec::{Mistake, Mistakes, ProblemFolder};
use crate::{authoring, proof};

use found::FoundFailure;
use request::{InputMakers, ProgramInputs, StressArgs, StressRequest};
use search::{InputSearch, SearchSandbox};

pub(crate) fn run(stress: &StressArgs, common: &GlobalOptions) -> CommandResult {
    let request = StressRequest::of(stress, common)?;
    let cancel = signals::cancel_token();
    let config = &request.folder.config;
    let startup = SandboxStartup::begin(stress.jobs.or(config.jobs), stress.sandbox.choice());
    let session = JudgeSession::open(startup, config, &cancel)?;
    let running = session.close_on_cancel();
    let search = InputSearch {
        stress,
        common,
        request: &request,
        session: &session,
    };
    let ending = match &request.inputs {
        InputMakers::Grids { recipes, stored } => GridSession {
            search,
            recipes,
            stored,
        }
        .run(),
        InputMakers::Programs(inputs) => ProgramSession { search, inputs }.run(),
    };
    drop(running);
    session.close();
    unless_cancelled(ending, &cancel)
}

/// Reports an interruption instead of a fault after a cancellation: the fault is probably caused by
/// it. A failure that was found before was shown already.
fn unless_cancelled(ending: CommandResult, cancel: &CancelToken) -> CommandResult {
    match ending {
        Err(CommandError::Fault(_)) | Ok(_) if cancel.is_cancelled() => {
            Ok(CommandOutcome::Interrupted)
        }
        ending => ending,
    }
}

// Searches for a failing input of grids, shrinks it, and shows it.

/// One call of `stress` for a problem of grids.
struct GridSession<'a> {
    search: InputSearch<'a>,
    pub(super) recipes: &'a [Recipe],
    pub(super) stored: &'a [Case],
}

impl GridSession<'_> {
    pub(super) fn run(&self) -> CommandResult {
        let StressRequest {
            entry,
            against,
            seed,
            ..
        } = self.search.request;
        let status = self.search.compiling();
        let session = self.search.session;
        let program = match session.prepare(entry.clone()) {
            Ok(program) => program,
            Err(PrepareError::Refused { reason, output }) => {
                drop(status);
                return search::report_refusal(&reason, &output);
            }
            Err(PrepareError::Failed(fault)) => return Err(fault.into()),
        };
        let other = against.as_ref().zip(self.search.stress.against.as_deref());
        let other = other
            .map(|(entry, path)| {
                let prepared = session.prepare(entry.clone());
                prepared.map_err(|error| error.of_necessity(path))
            })
            .transpose()?;
        drop(status);
        let counted = SearchSandbox::new(session.sandbox(), session.jobs());
        let runner = InputRunner {
            targets: FuzzTargets {
                submission: search::target(&program),
                against: other.as_ref().map(search::target),
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
        counted: &SearchSandbox<'_>,
    ) -> CommandResult {
        let search = &self.search;
        let failure = search.find(&GridHarness { source, runner }, counted, |input| {
            self.given_input(source, input)
        })?;
        let Some(failure) = failure else {
            return Ok(CommandOutcome::AsExpected);
        };
        let grids = failure.draft.grids.clone();
        let shrunk = if search.stress.no_shrink {
            ShrinkResult {
                failure,
                runs: 0,
                is_done: true,
                is_reproducible: true,
            }
        } else {
            let _status = search.status(counted, shrink_status);
            let StressArgs {
                shrink_runs,
                shrink_time,
                ..
            } = *search.stress;
            counted.begin(shrink_time);
            let budget = ShrinkBudget {
                runs: shrink_runs,
                time: Some(shrink_time),
            };
            Shrinker::new(
                source,
                runner,
                search.session.cancel.flag(),
                budget,
                failure,
            )
            .shrink()?
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
        let InputSearch {
            stress,
            common,
            request,
            session,
            ..
        } = self.search;
        let ShrinkResult {
            failure:
                FailingInput {
                    number,
                    draft,
                    outcome,
                },
            runs,
            ..
        } = shrunk;
        let failure = FoundFailure {
            number: *number,
            input: &draft.input,
            answer: &draft.answer,
            outcome,
            size: &size_of_shrunk(grids, &draft.grids, *runs),
            remarks: &remarks(shrunk, session.cancel.is_cancelled()),
            program_folder: program.folder.path(),
            is_written: request.given_input.is_none() || !stress.no_shrink,
        };
        found::report(&failure, request, stress, common)
    }

    /// The input of `--input`, with its answer.
    fn given_input(&self, source: &InputSource<'_>, input: &[u8]) -> Result<Draft, CommandError> {
        let task = source.task();
        let path = self.search.stress.input.as_deref().unwrap_or(Path::new(""));
        let mut answer = Vec::new();
        proof::solve_grids(task, input, &mut answer).map_err(|error| mistake(path, &error))?;
        let grids = Draft::grids_of(task, input).map_err(|error| mistake(path, &error.into()))?;
        Ok(Draft {
            grids,
            input: input.to_vec(),
            answer,
        })
    }
}

/// The mistake for an input of `--input` that cannot be solved.
fn mistake(path: &Path, error: &SolveError) -> Mistakes {
    match error {
        SolveError::Input(InputError::Text(mistake)) => {
            proof::mistake_in_input(path, mistake).into()
        }
        _ => Mistake::of(PathBuf::from(path), error.to_string()).into(),
    }
}

// Searches for a failing input of a problem whose inputs a generator program writes, and shows it.

/// One call of `stress` for a problem that is not of grids.
struct ProgramSession<'a> {
    search: InputSearch<'a>,
    pub(super) inputs: &'a ProgramInputs,
}

impl ProgramSession<'_> {
    pub(super) fn run(&self) -> CommandResult {
        let StressRequest {
            entry,
            against,
            folder,
            ..
        } = self.search.request;
        let entry = self.timed(entry)?;
        let status = self.search.compiling();
        let submission = match self.search.session.prepare(entry) {
            Ok(submission) => submission,
            Err(PrepareError::Refused { reason, output }) => {
                drop(status);
                return search::report_refusal(&reason, &output);
            }
            Err(PrepareError::Failed(fault)) => return Err(fault.into()),
        };
        let made = |entry: &PlanEntry| {
            let problem = submission.entry.problem.clone();
            let prepared = self.search.session.prepare(PlanEntry {
                problem,
                ..entry.clone()
            });
            prepared.map_err(|error| error.of_necessity(&entry.submission.path))
        };
        let against = against.as_ref().map(made).transpose()?;
        let solution = self.inputs.solution.as_ref().map(made).transpose()?;
        let entry = &submission.entry;
        let found = folder.find(&entry.problem.id)?;
        let made = MadePrograms::of(self.inputs, entry, found, self.search.session)?;
        drop(status);
        made.notes.iter().for_each(screen::notice);
        let counted = SearchSandbox::new(self.search.session.sandbox(), self.search.session.jobs());
        let harness = GeneratedHarness {
            programs: &made.programs,
            solution: solution.as_ref().map(search::target),
            targets: FuzzTargets {
                submission: search::target(&submission),
                against: against.as_ref().map(search::target),
            },
            sandbox: &counted,
            scratch: &self.search.session.sandbox().programs(),
        };
        match self.search.find(&harness, &counted, |input| {
            Ok(harness.brought(&self.given_name(), input)?)
        })? {
            None => Ok(CommandOutcome::AsExpected),
            Some(failure) => self.report(&failure, &submission),
        }
    }

    /// The name of the input of `--input`.
    fn given_name(&self) -> String {
        self.search
            .stress
            .input
            .as_deref()
            .unwrap_or("".as_ref())
            .to_string_lossy()
            .into_owned()
    }

    /// The submission with the time limit of its problem, which is measured if the problem gives
    /// none.
    fn timed(&self, entry: &PlanEntry) -> Result<PlanEntry, CommandError> {
        let Some((measurement, plan)) = &self.inputs.untimed else {
            return Ok(entry.clone());
        };
        let timed = measurement.settle(plan, self.search.session)?;
        timed.notes.iter().for_each(screen::notice_unless_quiet);
        let problem = timed
            .plan
            .entries
            .first()
            .map_or(&entry.problem, |entry| &entry.problem)
            .clone();
        Ok(PlanEntry {
            problem,
            ..entry.clone()
        })
    }

    fn report(
        &self,
        failure: &FailingInput<GeneratedInput>,
        submission: &PreparedProgram,
    ) -> CommandResult {
        let InputSearch {
            stress,
            common,
            request,
            ..
        } = self.search;
        let FailingInput {
            number,
            draft,
            outcome,
        } = failure;
        let read =
            |path| std::fs::read(path).map_err(Fault::during("reading the input that fails"));
        let input = read(&draft.case.input)?;
        let answer = read(&draft.case.answer)?;
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
        found::report(&found, request, stress, common)?;
        Ok(CommandOutcome::Surprising)
    }
}

// Compiles the programs that a search for a failing input runs beside the submission: generator,
// input validators, solution and checker. Runs none of them.

/// The name of random inputs, by which validators get the arguments of a group.
const CASE: &str = "secret/random";

/// Compiled programs, and the folders that they were compiled in.
struct MadePrograms {
    programs: InputPrograms,
    /// Notes on programs that cannot run here, a sentence each.
    notes: Vec<String>,
    _tools: Vec<MadeTool>,
    _folders: Vec<BuildFolder>,
}

impl MadePrograms {
    /// Compiles the programs.
    fn of(
        inputs: &ProgramInputs,
        entry: &PlanEntry,
        found: &ProblemFolder,
        session: &JudgeSession,
    ) -> Result<Self, Fault> {
        let mut tools = Vec::new();
        let mut validators = Vec::new();
        let mut notes = Vec::new();
        let mut generator = None;
        if let Some(source) = &inputs.generator {
            let name = source.source.path.file_name().unwrap_or_default();
            let name = name.to_string_lossy().into_owned();
            let compiled = session.compile(source.program_source())?;
            let tool = made("generator", &name, usable(compiled))?;
            generator = Some((tool.program.clone(), name));
            tools.push(tool);
        }
        if let Some(package) = found.readable_package() {
            for (name, tool) in validators_of(&package, found, session, &mut notes)? {
                validators.push(InputValidatorProgram {
                    program: tool.program.clone(),
                    protocol: package.validation.protocol,
                    arguments: package.validation.arguments(&name, CASE).to_vec(),
                    files: tool.files.clone(),
                    name,
                });
                tools.push(tool);
            }
        }
        let checker = entry
            .programs
            .checker
            .as_deref()
            .map(|checker| session.checker_program(checker))
            .transpose()?;
        let (checker, folders) = checker.map_or((None, Vec::new()), |(program, folders)| {
            (Some(Arc::new(program)), folders)
        });
        let programs = InputPrograms {
            generator,
            arguments: inputs.arguments.clone(),
            validators,
            limits: planned_checker::limits(),
            checker,
        };
        Ok(Self {
            programs,
            notes,
            _tools: tools,
            _folders: folders,
        })
    }
}

/// The input validators of a package that can run here, with their names. Adds a note for each that
/// cannot.
fn validators_of(
    package: &Arc<Package>,
    found: &ProblemFolder,
    session: &JudgeSession,
    notes: &mut Vec<String>,
) -> Result<Vec<(String, MadeTool)>, Fault> {
    let maker = ToolMaker {
        found,
        package,
        session,
    };
    let mut validators = Vec::new();
    let mut not_run = package.validation.not_run.clone();
    for program in &package.validation.input_validators {
        match maker.validator(program)? {
            Err(ToolProblem::Missing(why)) => not_run.push((program.name.clone(), why)),
            found => validators.push((
                program.name.clone(),
                made("input validator", &program.name, found)?,
            )),
        }
    }
    notes.extend(not_run.into_iter().map(|(name, why)| {
        format!("random inputs are not shown to the input validator {name}: {why}")
    }));
    Ok(validators)
}

/// The tool, or the fault that it cannot be compiled.
fn made(kind: &str, name: &str, tool: Result<MadeTool, ToolProblem>) -> Result<MadeTool, Fault> {
    tool.map_err(|problem| {
        let (ToolProblem::Wrong(why) | ToolProblem::Missing(why)) = problem;
        let remedy = "fix it; headers that it includes, as `testlib.h`, belong next to it";
        Fault::because(format!("making the {kind} {name}"), why).with_remedy(remedy)
    })
}
