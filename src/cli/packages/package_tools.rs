//! The programs of a package that are no submissions: compiles its input validators and
//! the program that judges outputs, says what they need and lack, and runs the
//! generators of its cases. Start at [`ToolMaker`].

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gridjudge_sandbox::{Fault, LevelChoice, LinuxSandbox};

use crate::checker::{GeneratorCall, WantedInput};
use crate::checktestdata::CtdProgram;
use crate::cli::{CancelToken, JudgeSession, MadeTool, SandboxStartup};
use crate::compile::{LanguageTool, PrepareFailure, ToolLocation, Toolchain};
use crate::files;
use crate::mistake::{Mistake, Mistakes};
use crate::model::{
    AdditionalSources, CheckerProgram, Language, SourceFile, Submission, ToolSource,
    UnusableLanguage,
};
use crate::package::{
    CaseGenerator, GeneratedCase, LineBreaks, Package, PackageProgram,
};
use crate::spec::{Config, ProblemFolder};

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

/// The input validators that are rules. Nothing needs to be run for them.
pub(crate) fn input_rules(package: &Package) -> InputValidators {
    let mut found = InputValidators::default();
    for rules in &package.validation.input_rules {
        let name = rules.name.clone();
        let parsed = files::read_bounded(&rules.path, MOST_RULES)
            .map_err(|error| error.to_string())
            .and_then(|text| {
                let filled = package.constants.filled_in(&text, MOST_RULES);
                filled.ok_or_else(|| "its constants make it too long".to_owned())
            })
            .and_then(|text| {
                CtdProgram::parse(&text).map_err(|error| error.to_string())
            });
        match parsed {
            Ok(program) => found.usable.push((name, InputValidator::Rules(program))),
            Err(why) => {
                let mistake = Mistake::unreadable(&rules.path, why);
                found.unusable.push((name, mistake));
            }
        }
    }
    found
}

impl ToolMaker<'_> {
    /// Compiles the input validators that are programs, and adds them to others.
    ///
    /// # Errors
    /// A [`Fault`] if the judge itself failed.
    pub(crate) fn add_input_programs(
        &self,
        found: &mut InputValidators,
    ) -> Result<(), Fault> {
        let finder = Toolchain::of_this_process();
        for program in &self.package.validation.input_validators {
            let name = || program.name.clone();
            let file = program
                .files
                .first()
                .map_or(&self.package.file, |file| &file.path);
            // It has scripts of its own or a source in a language, or is executable.
            let planned = self.found.program_of(program);
            let may_be_one = matches!(planned, Some(Ok(_)))
                || program.files.iter().any(|file| {
                    PackageProgram::is_script(file)
                        || self.found.config.language_of(&file.path).is_some()
                });
            if !may_be_one {
                let message =
                    "is not run: its ending belongs to no language of this judge";
                found
                    .passed_over
                    .push((name(), Mistake::about_file(file, message)));
                continue;
            }
            let why = match self.validator(program) {
                Ok(tool) => {
                    found.usable.push((name(), InputValidator::Program(tool)));
                    continue;
                }
                Err(failure) => failure.why()?,
            };
            // What is missing says more than the words of a compiler that misses it.
            let mut lacking = match planned {
                Some(Ok(tool)) => lacking(&tool, &finder),
                _ => vec![],
            };
            if lacking.is_empty() {
                lacking.push(Mistake::about_file(file, why));
            }
            found.unusable.extend(lacking.into_iter().map(|lacking| {
                let message = format!("cannot be made: {}", lacking.message);
                (name(), Mistake { message, ..lacking })
            }));
        }
        Ok(())
    }

    /// Compiles an input validator.
    pub(crate) fn validator(
        &self,
        program: &PackageProgram,
    ) -> Result<MadeTool, PrepareFailure> {
        let found = self
            .found
            .program_of(program)
            .unwrap_or(Err("its package is not there".to_owned()))
            .map_err(|cause| {
                PrepareFailure::Unavailable(UnusableLanguage {
                    cause,
                    remedy: String::new(),
                    package: None,
                })
            })?;
        let mut tool = self.session.compile_tool(&found)?;
        tool.files = files_beside(program, tool.folder.path());
        Ok(tool)
    }
}

/// The files that an input validator works among: its own, with constants filled in. If
/// scripts represent it, also what they have made, as those files are where `build`
/// ran; links are left out, because they may lead to files that only the judge may
/// read.
fn files_beside(program: &PackageProgram, built: &Path) -> Vec<SourceFile> {
    if !program.files.iter().any(PackageProgram::is_script) {
        return program
            .files
            .iter()
            .map(|file| {
                let copy = built.join(&file.name);
                let path = if copy.is_file() { &copy } else { &file.path };
                SourceFile::new(&file.name, path)
            })
            .collect();
    }
    walkdir::WalkDir::new(built)
        .into_iter()
        .flatten()
        .filter(|entry| entry.file_type().is_file())
        .filter_map(|entry| {
            let path = entry.path();
            let name = path.strip_prefix(built).ok()?.to_str()?;
            Some(SourceFile::new(name, path))
        })
        .collect()
}

// Lists what a program of a package needs and this machine or its package lacks:
// compilers, runtimes, and headers such as `testlib.h`. Starts nothing.

/// The most bytes of a source that are read.
const LONGEST_SOURCE: u64 = 1 << 20;

/// Folders in which compilers find the headers of the system.
const SYSTEM_HEADERS: [&str; 2] = ["/usr/include", "/usr/local/include"];

/// The languages whose sources include headers.
const WITH_HEADERS: [&str; 2] = ["c", "cpp"];

/// The compiler or runtime and the headers that a program needs and that are missing.
pub(crate) fn lacking(tool: &ToolSource, finder: &Toolchain) -> Vec<Mistake> {
    let Some(language) = &tool.language else {
        return vec![];
    };
    let source = &tool.source.path;
    let tools = finder.tools(language);
    let mut lacking = vec![];
    for tool in tools.iter().filter(|tool| !tool.is_found()) {
        let message = format!("needs {}: {}", language.name, tool_text(tool));
        lacking.push(Mistake {
            remedy: install_remedy(language, &tools),
            ..Mistake::about_file(source, message)
        });
    }
    if !WITH_HEADERS.contains(&language.id.as_str()) {
        return lacking;
    }
    let folder = source.parent().unwrap_or(Path::new(""));
    // One that cannot be read is reported elsewhere.
    let text = files::start_of(source, LONGEST_SOURCE);
    for header in included(&text) {
        let is_given = tool
            .additional_sources
            .files
            .iter()
            .any(|file| file.name == header || file.path.ends_with(header));
        let is_there = is_given || folder.join(header).exists();
        if !is_there && !is_system_header(header) {
            lacking.push(Mistake::new(
                source,
                format!("includes `{header}`, which is not there"),
                format!("put `{header}` next to it"),
            ));
        }
    }
    lacking
}

/// Whether a header is one of the compiler's library or of the system, which quotes
/// name as well. The folder of the former depends on the compiler: `"cstring"`,
/// `"bits/stdc++.h"`.
fn is_system_header(name: &str) -> bool {
    !name.contains('.')
        || name.starts_with("bits/")
        || name.starts_with("ext/")
        || SYSTEM_HEADERS
            .iter()
            .any(|folder| Path::new(folder).join(name).exists())
}

/// The headers that a source includes and that do not belong to its compiler: those in
/// quotes, and `testlib.h`.
fn included(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| {
        let named = line
            .trim_start()
            .strip_prefix('#')?
            .trim_start()
            .strip_prefix("include")?
            .trim_start();
        match named.strip_prefix('"') {
            Some(named) => named.split_once('"').map(|(name, _)| name),
            None => named.starts_with("<testlib.h>").then_some("testlib.h"),
        }
    })
}

pub(crate) fn tool_text(tool: &LanguageTool) -> String {
    match &tool.found {
        ToolLocation::At(path) => format!("{}", path.display()),
        ToolLocation::Closed(path) => {
            format!(
                "{}, which the user that submissions run as cannot start",
                path.display()
            )
        }
        ToolLocation::Nowhere => format!("`{}` is not installed", tool.name),
    }
}

pub(crate) fn install_remedy(
    language: &Language,
    tools: &[LanguageTool],
) -> Option<String> {
    if tools.iter().all(LanguageTool::is_found) {
        return None;
    }
    let is_missing = tools.iter().any(|tool| tool.found == ToolLocation::Nowhere);
    Some(match &language.package {
        Some(package) => format!("on Debian, apt-get install {package}"),
        None if is_missing => {
            "install it, or name where it is in judge.toml".to_owned()
        }
        None => {
            "install it where every user may start it, as in /usr/local".to_owned()
        }
    })
}

// Makes the cases that packages have generated, whenever such a package is read:
// compiles their generators and runs them, in a sandbox of its own. Start at
// [`make_generated_cases`].

/// The file in the working folder of a generator that gets its standard error.
const ANSWER: &str = "standard-error";

/// The most bytes of all files that generators of a package make; the same limit holds
/// for the files of an archive.
const MOST_BYTES: u64 = 4 << 30;

/// Makes cases in the best sandbox of this machine.
pub(crate) fn make_generated_cases(
    package: &Package,
    config: &Config,
) -> Result<(), Mistakes> {
    let startup = SandboxStartup::begin(Some(1), LevelChoice::Best);
    let session =
        JudgeSession::open_silently(startup, config, &CancelToken::default())
            .map_err(|fault| mistake(&package.file, fault))?;
    let made = make_all(package, config, &session);
    session.close_silently();
    made
}

fn make_all(
    package: &Package,
    config: &Config,
    session: &JudgeSession,
) -> Result<(), Mistakes> {
    let mut programs = BTreeMap::new();
    let mut bytes = 0;
    for case in &package.generated {
        let source = &case.generator.source;
        let tool = match programs.entry(source) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                new.insert(compiled(&case.generator, config, session)?)
            }
        };
        make(case, &tool.program, session.sandbox())
            .map_err(|fault| mistake(source, fault))?;
        for path in case.input.iter().chain(&case.answer) {
            bytes += path.metadata().map_or(0, |found| found.len());
        }
        if bytes > MOST_BYTES {
            let message = "the cases that it makes have more than 4 GiB together";
            return Err(Mistake::about_file(source, message).into());
        }
    }
    Ok(())
}

fn compiled(
    generator: &CaseGenerator,
    config: &Config,
    session: &JudgeSession,
) -> Result<MadeTool, Mistake> {
    let path = &generator.source;
    let build = &generator.build;
    let Some(language) = config.language_of(path) else {
        return Err(Mistake::about_file(
            path,
            "its ending belongs to no language of this judge",
        ));
    };
    let made = session.compile_tool(&ToolSource {
        source: Submission::at(path.clone()),
        language: Some(Arc::new(language.with_flags(&build.flags))),
        additional_sources: AdditionalSources {
            files: build.files.clone(),
            ..AdditionalSources::default()
        },
        memory_bytes: generator.limits.memory_bytes,
    });
    made.map_err(|failure| match failure {
        PrepareFailure::Refused(refusal) => {
            let why = refusal.in_words();
            Mistake::about_file(path, format!("does not compile: {why}"))
        }
        PrepareFailure::Unavailable(unusable) => {
            Mistake::about_file(path, unusable.cause)
        }
        PrepareFailure::Faulted(fault) => mistake(path, fault),
    })
}

/// Makes the files of a case.
fn make(
    case: &GeneratedCase,
    program: &CheckerProgram,
    sandbox: &LinuxSandbox,
) -> Result<(), Fault> {
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
    GeneratorCall {
        program,
        arguments: &case.arguments,
        stdin: case.stdin.as_deref(),
        stderr_as: Some(ANSWER),
        limits: &case.generator.limits,
        doing: doing(),
    }
    .write(&mut wanted, sandbox)?;
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

/// The mistake in a file because of which something has failed.
fn mistake(path: &Path, fault: Fault) -> Mistake {
    let mistake = Mistake::about_file(path, fault.to_string());
    Mistake {
        remedy: fault.remedy,
        ..mistake
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_the_compiler_are_not_missing_in_quotes() {
        for (header, is_known) in [
            ("cstring", true),
            ("bits/stdc++.h", true),
            ("ext/pb_ds/assoc_container.hpp", true),
            ("no_such_header.h", false),
            ("bits.h", false),
        ] {
            assert_eq!(is_system_header(header), is_known, "{header}");
        }
    }

    #[test]
    fn headers_in_quotes_and_testlib_are_those_that_may_be_missing() {
        let source = "#include <cstdio>\n # include \"lib/queue.h\" // x\n#include \
                      <testlib.h>\n// #include \"no.h\"\n";
        assert_eq!(
            included(source).collect::<Vec<_>>(),
            ["lib/queue.h", "testlib.h"]
        );
    }
}
