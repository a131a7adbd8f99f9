//! Makes the inputs of tests that a package leaves out: runs the generator of each and proves the
//! result with the package's validators. Every program runs in the sandbox, and all files that are
//! written here are temporary.

use crate::sorted::SortedMap;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use gridjudge_sandbox::{Fault, Limits};
use tempfile::{NamedTempFile, TempPath};

use crate::cache::Cache;
use crate::checker::{GeneratorCall, InputOpinion, WantedInput};
use crate::cli::commands::answers::NewFiles;
use crate::cli::{
    CancelToken, CommandError, MadeTool, SandboxHandle, StatusLine, ToolProblem, in_parallel,
    planned_checker, tool_source, usable,
};
use crate::compile::{BuildResult, Compiler};
use crate::model::Case;
use crate::package::{GeneratorCommand, MissingTest, Package, PackageProgram, PackageValidation};
use crate::spec::{JudgeFolder, ProblemFolder};
use crate::{checker, run};

/// The most bytes of all inputs of a package together; the same limit holds for the files of an
/// archive.
const MOST_BYTES: u64 = 4 << 30;

/// A new input in a temporary file.
pub(super) struct MadeInput {
    /// The case, with the final path of the input.
    pub(super) case: Case,
    pub(super) file: TempPath,
}

impl MadeInput {
    /// The case, with the temporary path of the input.
    pub(super) fn case_now(&self) -> Case {
        Case {
            input: self.file.to_path_buf(),
            ..self.case.clone()
        }
    }
}

/// What is needed to make inputs: the sandbox, the compiler and the judge's folder.
pub(super) struct InputMaker<'a> {
    pub(super) folder: &'a JudgeFolder,
    /// The program of `--solution`.
    pub(super) solution: Option<&'a Path>,
    pub(super) sandbox: &'a SandboxHandle,
    pub(super) compiler: &'a Compiler,
    pub(super) cache: Option<&'a Cache>,
    pub(super) jobs: usize,
    pub(super) cancel: &'a CancelToken,
    pub(super) status: &'a StatusLine,
    pub(super) new_files: &'a NewFiles,
}

impl InputMaker<'_> {
    /// Makes all inputs that the package of a problem leaves out, in the order of its tests.
    ///
    /// # Errors
    /// If a program cannot be compiled; or the [`Fault`] of the first call, in the order of the
    /// tests, that fails.
    pub(super) fn make(
        &self,
        found: &ProblemFolder,
        package: &Package,
    ) -> Result<Vec<MadeInput>, CommandError> {
        let calls = calls(&package.missing_tests);
        let programs = self.programs(found, package)?;
        let limits = planned_checker::limits();
        let permissions = permissions(&package.file)?;
        let made = in_parallel(&calls, self.jobs, self.cancel, &|call| {
            programs.inputs_of(call, &limits, &permissions, self)
        })?;
        if self.cancel.is_cancelled() {
            return Err(Fault::because("making inputs", "it was interrupted").into());
        }
        let mut by_name: SortedMap<_, _> = made
            .into_iter()
            .flatten()
            .map(|input| (input.case.name.clone(), input))
            .collect();
        let in_order = package.missing_tests.iter();
        Ok(in_order
            .filter_map(|test| by_name.remove(&test.case.name))
            .collect())
    }

    /// Compiles the generators and validators of a package.
    fn programs<'p>(
        &self,
        found: &ProblemFolder,
        package: &'p Package,
    ) -> Result<InputPrograms<'p>, CommandError> {
        let mut generators = SortedMap::new();
        for MissingTest { command, .. } in &package.missing_tests {
            if !generators.contains_key(&command.source) {
                let tool = self.tool("generator", &command.source, found, package)?;
                generators.insert(command.source.clone(), tool);
            }
        }
        let mut validators = Vec::new();
        for program in &package.validation.input_validators {
            let Some(source) = program.files.first() else {
                continue;
            };
            validators.push((
                program,
                self.tool("validator", &source.path, found, package)?,
            ));
        }
        Ok(InputPrograms {
            generators,
            validators,
            validation: &package.validation,
            bytes: AtomicU64::new(0),
        })
    }

    fn tool(
        &self,
        kind: &str,
        path: &Path,
        found: &ProblemFolder,
        package: &Package,
    ) -> Result<MadeTool, CommandError> {
        self.status.say(|| format!("compiling {}", path.display()));
        let source = tool_source(found, path, &package.shared_headers());
        let source = source?;
        let compiler = self.compiler;
        let sandbox = &**self.sandbox;
        let doing = || format!("making the {kind} {}", path.display());
        let made = run::compile_program(source.program_source(), compiler, self.cache, sandbox)?;
        if let BuildResult::Unavailable(unusable) = made {
            return Err(unusable.into_fault(doing()).into());
        }
        Ok(usable(made).map_err(|problem| {
            let (ToolProblem::Wrong(why) | ToolProblem::Missing(why)) = problem;
            Fault::because(doing(), why)
                .with_remedy("fix it; headers that it includes belong next to it or in `files/`")
        })?)
    }
}

/// Groups tests by the generator call that makes them: a generator that writes several files is
/// called once for all of them.
fn calls(tests: &[MissingTest]) -> Vec<Vec<&MissingTest>> {
    let mut calls: Vec<Vec<&MissingTest>> = Vec::new();
    let mut of_files = SortedMap::new();
    for test in tests {
        let GeneratorCommand {
            source,
            arguments,
            output_file,
            ..
        } = &test.command;
        let known = output_file
            .as_ref()
            .map(|_| *of_files.entry((source, arguments)).or_insert(calls.len()));
        match known.and_then(|place| calls.get_mut(place)) {
            Some(call) => call.push(test),
            None => calls.push(vec![test]),
        }
    }
    calls
}

/// The permissions of new files: those of the package's file, without execution, and writable by
/// the owner.
fn permissions(file: &Path) -> Result<Permissions, Fault> {
    let found = file.metadata().map_err(Fault::at("reading", file))?;
    Ok(Permissions::from_mode(
        found.permissions().mode() & 0o666 | 0o600,
    ))
}

/// The programs of a package that make inputs, ready to run.
struct InputPrograms<'p> {
    /// By their sources.
    generators: SortedMap<PathBuf, MadeTool>,
    validators: Vec<(&'p PackageProgram, MadeTool)>,
    validation: &'p PackageValidation,
    /// Bytes of all inputs so far.
    bytes: AtomicU64,
}

impl InputPrograms<'_> {
    /// Runs one generator call and validates the inputs that it makes.
    fn inputs_of(
        &self,
        call: &[&MissingTest],
        limits: &Limits,
        permissions: &Permissions,
        maker: &InputMaker<'_>,
    ) -> Result<Vec<MadeInput>, Fault> {
        let Some(first) = call.first() else {
            return Ok(Vec::new());
        };
        let Some(generator) = self.generators.get(&first.command.source) else {
            return Ok(Vec::new());
        };
        maker.status.say(|| format!("making {}", first.case.name));
        let mut files = Vec::new();
        for test in call {
            files.push(maker.new_files.create(&test.case.input)?);
        }
        let made = GeneratorCall {
            program: &generator.program,
            arguments: &first.command.arguments,
            stdin: None,
            stderr_as: None,
            limits,
            doing: doing(call),
        };
        let wanted = call.iter().zip(&mut files).map(|(test, file)| WantedInput {
            left_as: test.command.output_file.as_deref(),
            file: file.as_file_mut(),
        });
        made.write(&mut wanted.collect::<Vec<_>>(), &**maker.sandbox)?;
        self.count(&files)
            .map_err(|cause| Fault::because(doing(call), cause))?;
        let inputs = call
            .iter()
            .zip(files)
            .map(|(test, file)| finished(test, file, permissions));
        let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
        call.iter()
            .zip(&inputs)
            .try_for_each(|(test, input)| self.validate(test, &input.file, maker))?;
        Ok(inputs)
    }

    /// Adds the sizes of new inputs to the total.
    ///
    /// # Errors
    /// Returns a message if the total exceeds [`MOST_BYTES`].
    fn count(&self, files: &[NamedTempFile]) -> Result<(), String> {
        let sizes = files
            .iter()
            .map(|file| file.as_file().metadata().map_or(0, |found| found.len()));
        let bytes: u64 = sizes.sum();
        let before = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        let is_too_much = before.saturating_add(bytes) > MOST_BYTES;
        if is_too_much {
            Err("all inputs together have more than 4 GiB".to_owned())
        } else {
            Ok(())
        }
    }

    /// Runs all validators on an input, as Polygon's own scripts do.
    fn validate(
        &self,
        test: &MissingTest,
        input: &Path,
        maker: &InputMaker<'_>,
    ) -> Result<(), Fault> {
        for (validator, tool) in &self.validators {
            let limits = planned_checker::limits();
            let asked = checker::validate_input(
                &tool.program,
                self.validation.arguments(&validator.name, &test.case.name),
                self.validation.protocol,
                &limits,
                input,
                &[],
                &**maker.sandbox,
            );
            let cause = match asked? {
                InputOpinion::Valid => continue,
                InputOpinion::Refused(said) => format!("it refuses it: {said}"),
                InputOpinion::Failed(cause) => cause,
            };
            let case = &test.case.name;
            let text = &test.command.text;
            let source = validator
                .files
                .first()
                .map_or(Path::new(&validator.name), |file| &file.path);
            let doing = format!(
                "asking the validator {} about {case}, made by `{text}`",
                source.display()
            );
            return Err(Fault::because(doing, cause)
                .with_remedy("correct the generator, its arguments, or the validator"));
        }
        Ok(())
    }
}

/// What a generator call was doing, for the text of a fault.
fn doing(call: &[&MissingTest]) -> String {
    let Some(first) = call.first() else {
        return String::new();
    };
    let GeneratorCommand { text, source, .. } = &first.command;
    let others = match call.len() {
        1 => String::new(),
        tests => format!(" and {} more", tests - 1),
    };
    format!(
        "making {}{others} by `{text}` ({})",
        first.case.name,
        source.display()
    )
}

/// A finished input. Its file is closed, so that any number of them can exist.
fn finished(
    test: &MissingTest,
    file: NamedTempFile,
    permissions: &Permissions,
) -> Result<MadeInput, Fault> {
    file.as_file()
        .set_permissions(permissions.clone())
        .map_err(Fault::at("writing", &test.case.input))?;
    Ok(MadeInput {
        case: test.case.clone(),
        file: file.into_temp_path(),
    })
}
