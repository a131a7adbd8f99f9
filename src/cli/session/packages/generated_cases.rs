//! Makes the cases that packages have generated, whenever such a package is read: compiles their
//! generators and runs them, in a sandbox of its own. Start at [`SandboxedCaseMaker`].

use crate::sorted::SortedMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use gridjudge_sandbox::{Fault, LevelChoice};

use crate::cache::Cache;
use crate::checker::{GeneratorCall, WantedInput};
use crate::cli::{MadeTool, SandboxHandle, ToolProblem, caching, usable};
use crate::compile::{Compiler, ProgramSource};
use crate::mistake::{Mistake, Mistakes};
use crate::model::{AdditionalSources, CheckerProgram, Submission};
use crate::package::{CaseGenerator, GeneratedCase, LineBreaks, Package};
use crate::run;
use crate::spec::{CaseMaker, Config};

/// The file in the working folder of a generator that gets its standard error.
const ANSWER: &str = "standard-error";

/// The most bytes of all files that generators of a package make; the same limit holds for the files
/// of an archive.
const MOST_BYTES: u64 = 4 << 30;

/// Makes cases in the best sandbox of this machine.
#[derive(Debug)]
pub(crate) struct SandboxedCaseMaker;

impl CaseMaker for SandboxedCaseMaker {
    fn make(&self, package: &Package, config: &Config) -> Result<(), Mistakes> {
        let sandbox = SandboxHandle::start(1, LevelChoice::Best)
            .map_err(|fault| mistake(&package.file, fault))?;
        let cache = caching::open(&sandbox, config.cache_bytes).ok();
        let runs = GeneratorRuns {
            compiler: Compiler::new(sandbox.programs()),
            sandbox: &sandbox,
            cache: cache.as_ref(),
            config,
        };
        let made = runs.make_all(package);
        drop(runs);
        cache.map(Cache::close);
        made
    }
}

/// What it takes to run generators.
struct GeneratorRuns<'a> {
    sandbox: &'a SandboxHandle,
    compiler: Compiler,
    cache: Option<&'a Cache>,
    config: &'a Config,
}

impl GeneratorRuns<'_> {
    fn make_all(&self, package: &Package) -> Result<(), Mistakes> {
        let mut programs = SortedMap::new();
        let mut bytes = 0;
        for case in &package.generated {
            let source: &PathBuf = &case.generator.source;
            if !programs.contains_key(source) {
                programs.insert(source.clone(), self.compiled(&case.generator)?);
            }
            let Some(tool) = programs.get(source) else {
                continue;
            };
            self.make(case, &tool.program)
                .map_err(|fault| mistake(source, fault))?;
            let files = case.input.iter().chain(&case.answer);
            let sizes = files.map(|path| path.metadata().map_or(0, |found| found.len()));
            bytes += sizes.sum::<u64>();
            if bytes > MOST_BYTES {
                let message = "the cases that it makes have more than 4 GiB together";
                return Err(Mistake::of(source, message).into());
            }
        }
        Ok(())
    }

    fn compiled(&self, generator: &CaseGenerator) -> Result<MadeTool, Mistake> {
        let path = &generator.source;
        let build = &generator.build;
        let Some(language) = self.config.language_of(path) else {
            return Err(Mistake::of(
                path,
                "its ending belongs to no language of this judge",
            ));
        };
        let language = language.with_flags(&build.flags);
        let source = Submission::at(path.clone());
        let source = ProgramSource {
            source: &source,
            additional_sources: &AdditionalSources {
                files: build.files.clone(),
                ..AdditionalSources::default()
            },
            language: Some(&language),
            memory_bytes: generator.limits.memory_bytes,
            is_submission: false,
            keeps_name: true,
        };
        let made = run::compile_program(source, &self.compiler, self.cache, &**self.sandbox);
        usable(made.map_err(|fault| mistake(path, fault))?).map_err(|problem| match problem {
            ToolProblem::Wrong(why) => Mistake::of(path, format!("does not compile: {why}")),
            ToolProblem::Missing(why) => Mistake::of(path, why),
        })
    }

    /// Makes the files of a case.
    fn make(&self, case: &GeneratedCase, program: &CheckerProgram) -> Result<(), Fault> {
        let doing = || format!("making the case {}", case.name);
        let failed = |error: io::Error| Fault::new(doing(), error);
        let created = |path: &PathBuf| File::create_new(path).map_err(failed);
        let mut input = case.input.as_ref().map(created).transpose()?;
        let mut answer = tempfile::NamedTempFile::new().map_err(failed)?;
        let mut wanted: Vec<_> = input
            .iter_mut()
            .map(|file| WantedInput {
                left_as: None,
                file,
            })
            .collect();
        wanted.push(WantedInput {
            left_as: Some(ANSWER),
            file: answer.as_file_mut(),
        });
        let call = GeneratorCall {
            program,
            arguments: &case.arguments,
            stdin: case.stdin.as_deref(),
            stderr_as: Some(ANSWER),
            limits: &case.generator.limits.of_a_run(),
            doing: doing(),
        };
        call.write(&mut wanted, &**self.sandbox)?;
        let Some(place) = &case.answer else {
            return Ok(());
        };
        let form = if case.is_binary {
            LineBreaks::AsTheyAre
        } else {
            LineBreaks::LineFeedsOnly
        };
        let made = File::open(answer.path()).map_err(failed)?;
        form.give(made, &mut created(place)?).map_err(failed)
    }
}

/// The mistake in a file because of which something has failed.
fn mistake(path: &Path, fault: Fault) -> Mistake {
    let mistake = Mistake::of(path, fault.to_string());
    fault.remedy.into_iter().fold(mistake, Mistake::with_remedy)
}
