//! Compiles the programs that a search for a failing input runs beside the submission: generator,
//! input validators, solution and checker. Runs none of them.

use std::sync::Arc;

use crate::authoring::stress::{InputPrograms, InputValidatorProgram};
use crate::cli::commands::stress::program_inputs::ProgramInputs;
use crate::cli::exit::CommandError;
use crate::cli::session::judge_session::JudgeSession;
use crate::cli::session::package_tools::{MadeTool, ToolMaker, ToolProblem, usable};
use crate::cli::session::tool_limits;
use crate::compile::{BuildFolder, BuildResult};
use crate::model::Program;
use crate::package::Package;
use crate::run::PlanEntry;
use crate::spec::{JudgeFolder, Mistake, Mistakes};
use gridjudge_sandbox::Fault;

/// The name of random inputs, by which validators get the arguments of a group.
const CASE: &str = "secret/random";

/// Compiled programs, and the folders that they were compiled in.
pub(super) struct MadePrograms {
    pub(super) programs: InputPrograms,
    /// Notes on programs that cannot run here, a sentence each.
    pub(super) notes: Vec<String>,
    _tools: Vec<MadeTool>,
    _folders: Vec<BuildFolder>,
}

impl MadePrograms {
    /// Compiles the programs.
    pub(super) fn of(
        inputs: &ProgramInputs,
        entry: &PlanEntry,
        folder: &JudgeFolder,
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
        if let Some(Ok(package)) = folder.package(&entry.problem.id) {
            for (name, tool) in validators_of(&package, entry, folder, session, &mut notes)? {
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
            limits: tool_limits::limits(),
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
    entry: &PlanEntry,
    folder: &JudgeFolder,
    session: &JudgeSession,
    notes: &mut Vec<String>,
) -> Result<Vec<(String, MadeTool)>, Fault> {
    let maker = ToolMaker {
        folder,
        package,
        session,
    };
    let mut validators = Vec::new();
    let mut not_run = package.validation.not_run.clone();
    for program in &package.validation.input_validators {
        match maker.validator(&entry.problem.id, program)? {
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
        let remedy = "fix it; headers that it includes, as `testlib.h`, belong beside it";
        Fault::because(format!("making the {kind} {name}"), why).with_remedy(remedy)
    })
}

/// A compiled submission or solution. Dropping it removes its folder.
pub(super) struct MadeSubmission {
    pub(super) entry: PlanEntry,
    pub(super) program: Program,
    pub(super) folder: BuildFolder,
}

/// The reason why a program does not compile, and the compiler's output.
pub(super) struct Uncompiled {
    pub(super) reason: String,
    pub(super) output: String,
}

impl MadeSubmission {
    /// Compiles a submission.
    pub(super) fn of(
        entry: PlanEntry,
        session: &JudgeSession,
    ) -> Result<Result<Self, Uncompiled>, Fault> {
        match session.compile(entry.program_source())? {
            BuildResult::Ready { program, folder } => Ok(Ok(Self {
                entry,
                program,
                folder,
            })),
            BuildResult::Refused { reason, output, .. } => Ok(Err(Uncompiled { reason, output })),
            BuildResult::Unavailable { cause, remedy } => {
                let doing = format!("preparing {}", entry.submission.path.display());
                Err(Fault::because(doing, cause).with_remedy(remedy))
            }
        }
    }

    /// Compiles a program without which nothing can be judged; that it does not compile is a
    /// mistake.
    pub(super) fn of_necessity(
        entry: PlanEntry,
        session: &JudgeSession,
    ) -> Result<Self, CommandError> {
        let path = entry.submission.path.clone();
        Self::of(entry, session)?.map_err(|Uncompiled { reason, .. }| {
            Mistakes::from(Mistake::of(path, format!("does not compile: {reason}"))).into()
        })
    }
}
