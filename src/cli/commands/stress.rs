//! `gridjudge stress`: runs a program on random inputs until it fails, and shrinks a
//! failing input of grids. Start at [`run`].

mod found;
pub(super) mod request;
mod search_sandbox;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use gridjudge_sandbox::Fault;

use crate::authoring::stress::{
    Draft, FailingInput, FuzzHarness, FuzzResult, FuzzTarget, FuzzTargets, Fuzzer,
    GeneratedHarness, GeneratedInput, GridHarness, InputPrograms, InputSource,
    InputValidatorProgram, ShrinkBudget, ShrinkResult, Shrinker, size_of_shrunk,
    size_of_text,
};
use crate::check::InputError;
use crate::cli::{
    CommandError, CommandOutcome, CommandResult, GlobalOptions, JudgeSession,
    MadeTool, PreparedProgram, SandboxStartup, StatusLine, ToolMaker,
    planned_checker, screen, signals,
};
use crate::compile::{BuildFolder, PrepareFailure};
use crate::model::file_name;
use crate::proof::SolveError;
use crate::report::clock;
use crate::run::PlanEntry;
use crate::spec::Mistake;
use crate::text::{counted, printable};
use crate::{authoring, proof};

use found::{FoundFailure, print_text, remarks, report_nothing};
use request::{InputMakers, ProgramInputs, StressArgs, StressRequest};
use search_sandbox::SearchSandbox;

pub(crate) fn run(stress: &StressArgs, common: &GlobalOptions) -> CommandResult {
    let request = StressRequest::from_args(stress, common)?;
    let cancel = signals::cancel_token();
    let config = &request.folder.config;
    let startup =
        SandboxStartup::begin(stress.jobs.or(config.jobs), stress.sandbox.choice());
    let session = JudgeSession::open(startup, config, &cancel)?;
    let running = session.close_on_cancel();
    let search = InputSearch {
        request: &request,
        session: &session,
        counted: SearchSandbox::new(session.sandbox(), session.jobs()),
    };
    let ending = search.report();
    drop(running);
    session.close();
    ending
}

/// One call of `stress`.
struct InputSearch<'a> {
    request: &'a StressRequest<'a>,
    session: &'a JudgeSession,
    counted: SearchSandbox<'a>,
}

impl InputSearch<'_> {
    /// Compiles the submissions, searches for a failing input, and shows it.
    fn report(&self) -> CommandResult {
        let request = self.request;
        let entry = self.timed_entry()?;
        let name = &entry.submission.name;
        let status = StatusLine::start(&format!("compiling {name}"));
        let submission = match self.session.prepare(entry)? {
            Ok(submission) => submission,
            Err(refusal) => {
                drop(status);
                let reason = printable(&refusal.reason);
                screen::sentence(format_args!("CE (compile error): {reason}"))?;
                print_text("    | ", &refusal.output)?;
                return Ok(CommandOutcome::Surprising);
            }
        };
        let prepared = |other| self.prepared_beside(&submission, other);
        let against = request.against.as_ref().map(prepared).transpose()?;
        let targets = FuzzTargets {
            submission: target(&submission),
            against: against.as_ref().map(target),
        };
        match &request.inputs {
            InputMakers::Grids { recipes, stored } => {
                drop(status);
                let task =
                    authoring::grids_of_one_map(&submission.entry.problem, "stress")?;
                let harness = GridHarness {
                    source: &InputSource::new(task, recipes, stored, request.seed),
                    targets,
                    sandbox: &self.counted,
                };
                self.search_grids(harness, &submission)
            }
            InputMakers::Programs(inputs) => {
                let solution = inputs.solution.as_ref().map(prepared).transpose()?;
                let made = MadePrograms::compile(inputs, &submission.entry, self)?;
                drop(status);
                made.notes.iter().for_each(screen::notice);
                let harness = GeneratedHarness {
                    programs: &made.programs,
                    solution: solution.as_ref().map(target),
                    targets,
                    sandbox: &self.counted,
                    scratch: &self.session.sandbox().programs(),
                };
                let failure = self.find(&harness, |input| {
                    Ok(harness
                        .brought(&request.given_path().to_string_lossy(), input)?)
                })?;
                failure.map_or(Ok(CommandOutcome::AsExpected), |failure| {
                    self.report_generated(&failure, &submission)
                })
            }
        }
    }

    /// Another program for the same problem, compiled. Its time limit is that of the
    /// submission.
    fn prepared_beside(
        &self,
        submission: &PreparedProgram,
        other: &PlanEntry,
    ) -> Result<PreparedProgram, CommandError> {
        let timed = PlanEntry {
            problem: submission.entry.problem.clone(),
            ..other.clone()
        };
        Ok(self.session.prepare(timed)?.map_err(|refusal| {
            let message = format!("does not compile: {}", refusal.reason);
            Mistake::about_file(&other.submission.path, message)
        })?)
    }

    /// The submission with the time limit of its problem, which is measured if the
    /// problem gives none.
    fn timed_entry(&self) -> Result<PlanEntry, CommandError> {
        let mut entry = self.request.entry.clone();
        if let InputMakers::Programs(inputs) = &self.request.inputs
            && let Some((measurement, plan)) = &inputs.untimed
        {
            let mut plan = plan.clone();
            measurement.settle(&mut plan, self.session, None)?;
            if let Some(timed) = plan.entries.into_iter().next() {
                entry.problem = timed.problem;
            }
        }
        Ok(entry)
    }

    /// Searches for a failing input of a problem of grids, shrinks it, and shows it.
    fn search_grids(
        &self,
        harness: GridHarness<'_>,
        submission: &PreparedProgram,
    ) -> CommandResult {
        let request = self.request;
        let stress = request.stress;
        let task = harness.source.task;
        let found = self.find(&harness, |input| {
            let mut answer = vec![];
            proof::solve_grids(task, input, &mut answer)
                .map_err(|error| mistake(request.given_path(), &error))?;
            let grids = Draft::grids_of(task, input)
                .map_err(|error| mistake(request.given_path(), &error.into()))?;
            Ok(Draft {
                grids,
                input: input.to_vec(),
                answer,
            })
        })?;
        let Some(failure) = found else {
            return Ok(CommandOutcome::AsExpected);
        };
        let grids = failure.draft.grids.clone();
        let interrupted = &self.session.cancel;
        let shrunk = if stress.no_shrink {
            ShrinkResult {
                failure,
                runs: 0,
                is_done: true,
                is_reproducible: true,
            }
        } else {
            let runs = stress.shrink_runs;
            let time = stress.shrink_time;
            let _status = self.begin("shrinking it", format!("{runs} or "), time);
            let budget = ShrinkBudget {
                runs,
                time: Some(time),
            };
            Shrinker::new(harness, interrupted.flag(), budget, failure).shrink()?
        };
        let FailingInput {
            number,
            draft,
            outcome,
        } = &shrunk.failure;
        FoundFailure {
            number: *number,
            input: &draft.input,
            answer: &draft.answer,
            outcome,
            size: &size_of_shrunk(&grids, &draft.grids, shrunk.runs),
            remarks: &remarks(&shrunk, interrupted.is_cancelled()),
            program_folder: submission.folder.path(),
            is_written: number.is_some() || !stress.no_shrink,
        }
        .report(request)?;
        Ok(CommandOutcome::Surprising)
    }

    /// Shows a failing input that a generator has written, or that was given.
    fn report_generated(
        &self,
        failure: &FailingInput<GeneratedInput>,
        submission: &PreparedProgram,
    ) -> CommandResult {
        let FailingInput {
            number,
            draft,
            outcome,
        } = failure;
        let read = |path| {
            fs::read(path).map_err(Fault::during("reading the input that fails"))
        };
        let input = read(&draft.case.input)?;
        let answer = read(&draft.case.answer)?;
        let by = number.map(|_| format!("written by `{}`", draft.case.name));
        FoundFailure {
            number: *number,
            input: &input,
            answer: &answer,
            outcome,
            size: &size_of_text(&input),
            remarks: by.as_slice(),
            program_folder: submission.folder.path(),
            is_written: number.is_some(),
        }
        .report(self.request)?;
        Ok(CommandOutcome::Surprising)
    }

    /// Searches among random inputs, or runs the input of `--input`, which `given`
    /// makes of its text. Reports if there is no failure.
    fn find<H: FuzzHarness>(
        &self,
        harness: &H,
        given: impl FnOnce(&[u8]) -> Result<H::Input, CommandError>,
    ) -> Result<Option<FailingInput<H::Input>>, CommandError> {
        let cancel = &self.session.cancel;
        let result = if let Some(input) = &self.request.given_input {
            let _status = self.status("running the input", String::new());
            let draft = given(input)?;
            let first = harness.judge(&draft)?;
            let outcome = harness.judge_again(&draft, first)?;
            let is_failure = outcome.is_failure();
            FuzzResult {
                failure: is_failure.then_some(FailingInput {
                    number: None,
                    draft,
                    outcome,
                }),
                inputs: 1,
                alike: 0,
            }
        } else {
            let StressArgs { time, runs, .. } = *self.request.stress;
            let inputs =
                runs.map_or_else(String::new, |most| counted(most, "input") + " or ");
            let _status = self.begin("looking for an input that fails", inputs, time);
            Fuzzer {
                harness,
                jobs: self.session.jobs(),
                inputs: runs,
                time: Some(time),
                interrupted: cancel.flag(),
            }
            .run()?
        };
        if result.failure.is_none() && !screen::is_quiet() {
            report_nothing(&result, self.request, cancel.is_cancelled())?;
        }
        Ok(result.failure)
    }

    /// Begins to search for at most this time, or for the other bound before it. Starts
    /// the status line.
    fn begin(&self, doing: &'static str, most: String, time: Duration) -> StatusLine {
        self.counted.begin(time);
        self.status(doing, format!(", at most {most}{}", clock(time)))
    }

    /// Starts a status line that shows what is done, the number of runs since its
    /// start, and a bound of them.
    fn status(&self, doing: &'static str, bound: String) -> StatusLine {
        let runs = Arc::clone(&self.counted.runs);
        let before = runs.load(Ordering::Relaxed);
        StatusLine::watching(move || {
            let runs = counted(runs.load(Ordering::Relaxed) - before, "run");
            format!("{doing}: {runs}{bound}")
        })
    }
}

fn target(made: &PreparedProgram) -> FuzzTarget<'_> {
    FuzzTarget {
        entry: &made.entry,
        program: &made.program,
    }
}

/// The mistake for an input of `--input` that cannot be solved.
fn mistake(path: &Path, error: &SolveError) -> Mistake {
    match error {
        SolveError::Input(InputError::Text(mistake)) => {
            proof::mistake_in_input_file(path, mistake)
        }
        _ => Mistake::about_file(path, error.to_string()),
    }
}

// Compiles the programs that a search for a failing input runs beside the submission:
// generator, input validators, solution and checker. Runs none of them.

/// The name of random inputs, by which validators get the arguments of a group.
const CASE: &str = "secret/random";

/// Compiled programs, and the folders that they were compiled in.
struct MadePrograms {
    programs: InputPrograms,
    /// Notes on programs that cannot run here, a sentence each.
    notes: Vec<String>,
    folders: Vec<BuildFolder>,
}

impl MadePrograms {
    /// Compiles the programs.
    fn compile(
        inputs: &ProgramInputs,
        entry: &PlanEntry,
        search: &InputSearch<'_>,
    ) -> Result<Self, CommandError> {
        let session = search.session;
        let found = search.request.folder.find(&entry.problem.id)?;
        let mut made = Self {
            programs: InputPrograms {
                generator: None,
                arguments: inputs.arguments.clone(),
                validators: vec![],
                limits: planned_checker::limits(),
                checker: None,
            },
            notes: vec![],
            folders: vec![],
        };
        if let Some(source) = &inputs.generator {
            let name = file_name(&source.source.path).into_owned();
            let compiled = session.compile_tool(source);
            let tool = made_tool("generator", &name, compiled)?;
            made.programs.generator = Some((tool.program, name));
            made.folders.push(tool.folder);
        }
        if let Some(package) = &found.readable_package() {
            made.add_validators(&ToolMaker {
                found,
                package,
                session,
            })?;
        }
        if let Some(planned) = &entry.programs.checker {
            let (program, of_checkers) = session.checker_program(planned)?;
            made.programs.checker = Some(Arc::new(program));
            made.folders.extend(of_checkers);
        }
        Ok(made)
    }

    /// Adds the input validators of a package that can run here, and a note for each
    /// that cannot.
    fn add_validators(&mut self, maker: &ToolMaker<'_>) -> Result<(), Fault> {
        let validation = &maker.package.validation;
        let mut not_run = validation.not_run.clone();
        for program in &validation.input_validators {
            let name = program.name.clone();
            let tool = match maker.validator(program) {
                Err(PrepareFailure::Unavailable(unusable)) => {
                    not_run.push((name, unusable.cause));
                    continue;
                }
                found => made_tool("input validator", &name, found)?,
            };
            self.programs.validators.push(InputValidatorProgram {
                program: tool.program,
                protocol: validation.protocol,
                arguments: validation.arguments(&name, CASE).to_vec(),
                files: tool.files,
                name,
            });
            self.folders.push(tool.folder);
        }
        self.notes.extend(not_run.into_iter().map(|(name, why)| {
            format!(
                "random inputs are not shown to the input validator {name}: {why}"
            )
        }));
        Ok(())
    }
}

/// The tool, or the fault that it cannot be compiled.
fn made_tool(
    kind: &str,
    name: &str,
    tool: Result<MadeTool, PrepareFailure>,
) -> Result<MadeTool, Fault> {
    tool.or_else(|failure| {
        let remedy =
            "fix it; headers that it includes, for example `testlib.h`, belong next to it";
        let doing = format!("making the {kind} {name}");
        Err(Fault::because(doing, failure.why()?).with_remedy(remedy))
    })
}
