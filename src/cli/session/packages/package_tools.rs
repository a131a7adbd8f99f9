//! Compiles the programs of a package that are no submissions: input validators, and the program
//! that judges outputs.

use std::path::Path;
use std::sync::Arc;

use gridjudge_sandbox::Fault;

use crate::checktestdata::CtdProgram;
use crate::cli::JudgeSession;
use crate::cli::session::program_needs;
use crate::compile::{BuildFolder, BuildResult, ProgramSource, ToolFinder};
use crate::mistake::Mistake;
use crate::model::{CheckerProgram, SourceFile, Submission};
use crate::package::{Package, PackageProgram};
use crate::run::JudgingProgram;
use crate::spec::ProblemFolder;
use crate::{compile, files};

/// Compiles programs of one package.
pub(crate) struct ToolMaker<'a> {
    pub(crate) found: &'a ProblemFolder,
    pub(crate) package: &'a Arc<Package>,
    pub(crate) session: &'a JudgeSession,
}

/// The most bytes of a file of rules.
const MOST_RULES: u64 = 1 << 20;

/// A program or rules that decide whether an input is valid.
pub(crate) enum InputValidator {
    Program(MadeTool),
    Rules(CtdProgram),
}

/// Input validators of a package, by their names.
#[derive(Default)]
pub(crate) struct InputValidators {
    pub(crate) usable: Vec<(String, InputValidator)>,
    /// Those that cannot be used, each with the reason, in words that follow its name.
    pub(crate) unusable: Vec<(String, Mistake)>,
    /// Files in no language, which judges pass over, likewise.
    pub(crate) passed_over: Vec<(String, Mistake)>,
}

impl InputValidators {
    pub(crate) fn and(mut self, others: Self) -> Self {
        self.usable.extend(others.usable);
        self.unusable.extend(others.unusable);
        self.passed_over.extend(others.passed_over);
        self
    }
}

/// The input validators that are rules. Nothing needs to be run for them.
pub(crate) fn input_rules(package: &Package) -> InputValidators {
    let mut found = InputValidators::default();
    for rules in &package.validation.input_rules {
        let name = rules.name.clone();
        let read = files::read(&rules.path, MOST_RULES).map_err(|error| error.to_string());
        let parsed =
            read.and_then(|text| CtdProgram::parse(&text).map_err(|error| error.to_string()));
        match parsed {
            Ok(program) => found.usable.push((name, InputValidator::Rules(program))),
            Err(why) => {
                let mistake = Mistake::of(&rules.path, format!("cannot be read: {why}"));
                found.unusable.push((name, mistake));
            }
        }
    }
    found
}

/// A program that can be run. Dropping it removes its folder.
pub(crate) struct MadeTool {
    pub(crate) program: CheckerProgram,
    /// The files that it works among, if it is an input validator.
    pub(crate) files: Vec<SourceFile>,
    folder: BuildFolder,
}

/// The reason why a program cannot be run.
pub(crate) enum ToolProblem {
    /// Its sources are wrong.
    Wrong(String),
    /// This judge or this machine lacks something that it needs.
    Missing(String),
}

impl ToolMaker<'_> {
    /// Compiles the input validators that are programs.
    ///
    /// # Errors
    /// A [`Fault`] if the judge itself failed.
    pub(crate) fn input_programs(&self) -> Result<InputValidators, Fault> {
        let mut found = InputValidators::default();
        let finder = ToolFinder::of_this_process();
        for program in &self.package.validation.input_validators {
            let name = || program.name.clone();
            let file = program.files.first();
            let file = file.map_or(&self.package.file, |file| &file.path);
            if !self.is_in_a_language(program) {
                let message = "is not run: its ending belongs to no language of this judge";
                found.passed_over.push((name(), Mistake::of(file, message)));
                continue;
            }
            let why = match self.validator(program)? {
                Ok(tool) => {
                    found.usable.push((name(), InputValidator::Program(tool)));
                    continue;
                }
                Err(ToolProblem::Wrong(why) | ToolProblem::Missing(why)) => why,
            };
            // What is missing says more than the words of a compiler that misses it.
            let mut lacking = match self.found.program_of(program) {
                Some(Ok(tool)) => program_needs::lacking_of_tool(&tool, &finder),
                _ => Vec::new(),
            };
            if lacking.is_empty() {
                lacking.push(Mistake::of(file, why));
            }
            found.unusable.extend(lacking.into_iter().map(|lacking| {
                let message = format!("cannot be made: {}", lacking.message);
                (name(), Mistake { message, ..lacking })
            }));
        }
        Ok(found)
    }

    /// Whether a program may be one at all: it has scripts of its own, or a source in a language.
    fn is_in_a_language(&self, program: &PackageProgram) -> bool {
        program.files.iter().any(|file| {
            PackageProgram::is_script(file) || self.found.config.language_of(&file.path).is_some()
        })
    }

    /// Compiles an input validator.
    pub(crate) fn validator(
        &self,
        program: &PackageProgram,
    ) -> Result<Result<MadeTool, ToolProblem>, Fault> {
        let found = match self.found.program_of(program) {
            None => {
                return Ok(Err(ToolProblem::Missing(
                    "its package is not there".to_owned(),
                )));
            }
            Some(Err(reason)) => return Ok(Err(ToolProblem::Missing(reason))),
            Some(Ok(found)) => found,
        };
        let source = Submission::at(found.path);
        let sources = ProgramSource {
            source: &source,
            additional_sources: &found.additional_sources,
            language: Some(&found.language),
            memory_bytes: self.package.limits.checker.memory_bytes,
            is_submission: false,
            keeps_name: true,
        };
        Ok(usable(self.session.compile(sources)?).map(|tool| {
            let files = files_beside(program, tool.folder.path());
            MadeTool { files, ..tool }
        }))
    }

    /// Compiles the program that judges outputs.
    pub(crate) fn checker(
        &self,
        checker: &JudgingProgram,
    ) -> Result<Result<MadeTool, ToolProblem>, Fault> {
        self.session.compile(checker.program_source()).map(usable)
    }
}

/// The files that an input validator works among: its own, with constants filled in. If scripts
/// represent it, also what they have made, as those files are where `build` ran; links are left
/// out, because they may lead to files that only the judge may read.
fn files_beside(program: &PackageProgram, built: &Path) -> Vec<SourceFile> {
    if !program.files.iter().any(PackageProgram::is_script) {
        return program
            .files
            .iter()
            .map(|file| {
                let path = Some(built.join(&file.name)).filter(|copy| copy.is_file());
                SourceFile {
                    name: file.name.clone(),
                    path: path.unwrap_or_else(|| file.path.clone()),
                }
            })
            .collect();
    }
    let entries = walkdir::WalkDir::new(built).into_iter().flatten();
    entries
        .filter(|entry| entry.file_type().is_file())
        .filter_map(|entry| {
            let name = entry.path().strip_prefix(built).ok()?.to_str()?.to_owned();
            Some(SourceFile {
                name,
                path: entry.into_path(),
            })
        })
        .collect()
}

/// Converts the result of a build to a tool.
pub(crate) fn usable(made: BuildResult) -> Result<MadeTool, ToolProblem> {
    match made {
        BuildResult::Ready { program, folder } => {
            let scratch = folder.path().parent().unwrap_or(folder.path()).to_owned();
            Ok(MadeTool {
                program: CheckerProgram {
                    program,
                    scratch,
                    final_checker: None,
                },
                files: Vec::new(),
                folder,
            })
        }
        BuildResult::Refused { reason, output, .. } => {
            Err(ToolProblem::Wrong(compile::with_words(&reason, &output)))
        }
        BuildResult::Unavailable(unusable) => Err(ToolProblem::Missing(unusable.cause)),
    }
}
