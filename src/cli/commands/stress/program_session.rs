//! Searches for a failing input of a problem whose inputs a generator program writes, and shows it.

use std::sync::Arc;

use gridjudge_sandbox::Fault;

use crate::authoring::stress::{
    FailingInput, FuzzTargets, GeneratedHarness, GeneratedInput, InputPrograms,
    InputValidatorProgram, size_of_text,
};
use crate::cli::commands::stress::{
    FoundFailure, InputSearch, ProgramInputs, SearchSandbox, StressRequest, found, search,
};
use crate::cli::{
    CommandError, CommandOutcome, CommandResult, JudgeSession, MadeTool, PrepareError,
    PreparedProgram, ToolMaker, ToolProblem, planned_checker, screen, usable,
};
use crate::compile::BuildFolder;
use crate::package::Package;
use crate::run::PlanEntry;
use crate::spec::ProblemFolder;

/// One call of `stress` for a problem that is not of grids.
pub(super) struct ProgramSession<'a> {
    pub(super) search: InputSearch<'a>,
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
