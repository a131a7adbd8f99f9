//! Prepares a submission for its runs: finds the tools of its language, copies its
//! sources, compiles them once, in the sandbox, in their own folder, and returns what
//! to start. Of the problem it knows only how much memory a run may use. Start at
//! [`CachedCompiler::compile`].

mod build;
mod build_result;
mod fingerprint;
mod kept_build;
mod language_check;
mod machine_facts;
mod source_file;
mod tool_finder;
mod toolchain;

use std::collections::BTreeMap;
use std::os::unix::fs::{MetadataExt, lchown};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{io, iter};

use gridjudge_sandbox::{Fault, Sandbox, again_if_lost, set_mode};
use parking_lot::Mutex;

use crate::cache::Cache;
use crate::files::FileError;
use crate::model::{AdditionalSources, Language, Program, UnusableLanguage};
use crate::text::path_text;

use build::{Build, BuildFailure};
use build_result::{Blame, missing_command, out_of_reach};
use kept_build::{FirstBuilds, Kept, KeptBuild};
use machine_facts::MachineFacts;
use source_file::{copy_below, is_source, start_class};
use toolchain::{NAME, PlaceholderValues, STANDARD};

pub use build_result::{
    BuildFolder, BuiltProgram, PrepareFailure, ProgramSource, SubmissionRefusal,
};
pub use source_file::{LARGEST_SUBMISSION, included_by, open_source, without_folder};
pub use tool_finder::{LanguageTool, ToolLocation};
pub use toolchain::Toolchain;

/// Compiles submissions, each in its own folder.
pub struct Compiler {
    folder: PathBuf,
    toolchain: Toolchain,
    /// What is known about the tools of this machine. See `machine_facts.rs`.
    machine: MachineFacts,
    /// The results of checked languages, by language id, versions and options. See
    /// `language_check.rs`.
    tried: Mutex<BTreeMap<String, LanguageCheck>>,
    /// The versions of languages that compilers were found to know, by the id of the
    /// language and the versions in question.
    standards: Mutex<BTreeMap<(String, Vec<String>), String>>,
    /// The programs that were compiled first. See `kept_build.rs`.
    first_builds: FirstBuilds,
    /// Whether what was compiled earlier is used, and what is compiled now is kept.
    pub keeps_builds: bool,
}

/// A compiler with the cache and the sandbox.
#[derive(Clone, Copy)]
pub struct CachedCompiler<'a> {
    /// The compiler.
    pub compiler: &'a Compiler,
    /// The cache, if there is one: of trials, of what was compiled, and of the languages
    /// that work on this machine.
    pub cache: Option<&'a Cache>,
    /// The sandbox.
    pub sandbox: &'a dyn Sandbox,
}

/// The result of checking a language: `None` until it has been checked, then
/// `Some(None)` if it works.
type LanguageCheck = Arc<Mutex<Option<Option<UnusableLanguage>>>>;

impl Compiler {
    /// Creates a compiler that compiles in sub-folders of `folder`.
    pub fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            toolchain: Toolchain::of_this_process(),
            machine: MachineFacts::default(),
            tried: Mutex::default(),
            standards: Mutex::default(),
            first_builds: FirstBuilds::default(),
            keeps_builds: true,
        }
    }
}

impl CachedCompiler<'_> {
    /// Compiles a program, unless its language does not work here.
    ///
    /// # Errors
    /// As [`check_language`](Self::check_language) and [`compile`](Self::compile).
    pub fn compile_program(
        &self,
        program: ProgramSource<'_>,
    ) -> Result<BuiltProgram, PrepareFailure> {
        if let Some(language) = program.language
            && let Some(unusable) = self.check_language(language)?
        {
            return Err(PrepareFailure::Unavailable(unusable));
        }
        self.compile(program)
    }

    /// Compiles a program, unless the cache contains what its compiler has made before;
    /// without a language, its file is run as an executable.
    ///
    /// # Errors
    /// Returns why there is no program: a [`Fault`] if the judge itself failed, for
    /// example because of a full disk, missing permissions or a broken sandbox.
    pub fn compile(
        &self,
        program: ProgramSource<'_>,
    ) -> Result<BuiltProgram, PrepareFailure> {
        let compiler = self.compiler;
        let cache = self.cache.filter(|_| {
            compiler.keeps_builds
                && program.language.is_some_and(|language| {
                    language.keeps_builds
                        && (!language.compile.is_empty()
                            || !language.check.is_empty())
                })
        });
        let kept = cache.and_then(|cache| {
            let key = compiler.program_key(program, cache)?.key;
            Some(KeptBuild::new(cache, key))
        });
        let compile = || {
            again_if_lost(|| match self.compile_once(program, kept.as_ref()) {
                Err(PrepareFailure::Faulted(fault)) => Err(fault),
                made => Ok(made),
            })
        };
        let mut made = match &kept {
            Some(kept) => compiler.first_builds.after_first(kept.program, compile)?,
            None => compile()?,
        };
        if let Err(PrepareFailure::Refused(refusal)) = &mut made {
            refusal.output = program.with_own_name(&refusal.output).into();
        }
        made
    }

    /// Compiles a program in a new folder.
    fn compile_once(
        &self,
        program: ProgramSource<'_>,
        kept: Option<&KeptBuild<'_>>,
    ) -> Result<BuiltProgram, PrepareFailure> {
        let compiler = self.compiler;
        let ProgramSource {
            source: submission,
            language,
            ..
        } = program;
        let fault = Fault::at("preparing", &submission.path);
        let (folder, recalled) = compiler.recall(kept).map_err(fault)?;
        let (start, names) = program_files(program);
        if let Some(Kept::Refused(refusal)) = recalled {
            return Err(PrepareFailure::Refused(refusal));
        }
        if recalled.is_none()
            && let Some(reason) =
                copy_sources(program, &names, folder.path()).map_err(fault)?
        {
            return Err(PrepareFailure::Refused(SubmissionRefusal {
                reason: reason.into(),
                output: "".into(),
            }));
        }
        let source = folder.path().join(&start);
        let Some(language) = language else {
            let program = Program {
                command: vec![path_text(&source)],
                environment: toolchain::default_environment(),
                readable: vec![folder.path().to_owned()],
                entry_point: start,
            };
            return Ok(BuiltProgram { program, folder });
        };
        let others: Vec<_> = names
            .keys()
            .filter(|name| {
                **name != start && language.together && is_source(name, language)
            })
            .map(|name| folder.path().join(name))
            .collect();
        let start_class = iter::once(&source)
            .chain(&others)
            .find_map(|file| start_class(file, language));
        let words = PlaceholderValues {
            source: &source,
            start_class: start_class.as_deref(),
            others: &others,
            piece: 0,
            folder: folder.path(),
            memory_bytes: program.memory_bytes,
            standard: language.standards.first().map(String::as_str),
            language,
        };
        if recalled.is_none() {
            let sources: Vec<_> = names
                .keys()
                .filter(|name| {
                    **name == start
                        || program.is_submission && is_source(name, language)
                })
                .map(|name| folder.path().join(name))
                .collect();
            let built = if language.compile.is_empty() {
                Build::new(&compiler.toolchain, &words, self.sandbox).check(&sources)
            } else {
                self.build(&words)
            };
            let refusal = match built {
                Ok(()) => None,
                Err(BuildFailure {
                    failure: PrepareFailure::Refused(refusal),
                    is_certain: true,
                    ..
                }) => Some(refusal),
                Err(failed) => return Err(failed.failure),
            };
            settle(&words).map_err(fault)?;
            if let Some(kept) = kept {
                self.keep(kept, program, refusal.as_ref(), &words);
            }
            if let Some(refusal) = refusal {
                return Err(PrepareFailure::Refused(refusal));
            }
        }
        let program = compiler.program(&words)?;
        Ok(BuiltProgram { program, folder })
    }

    /// Keeps what was built, or why it was refused, if nothing changed meanwhile and
    /// the language still works.
    fn keep(
        &self,
        kept: &KeptBuild<'_>,
        program: ProgramSource<'_>,
        refusal: Option<&SubmissionRefusal>,
        words: &PlaceholderValues<'_>,
    ) {
        let language = words.language;
        let toolchain = &self.compiler.toolchain;
        // Found out with nothing that is remembered of the machine.
        let machine = MachineFacts::default();
        let now = self.compiler.program_key_on(&machine, program, kept.cache);
        if now.is_some_and(|now| now.key == kept.program)
            && (refusal.is_none()
                // If it does not compile, the machine may be to blame for a failure.
                || language.compile.is_empty()
                || language.known_good.is_none()
                || Build::new(toolchain, words, self.sandbox).known_good_compiles())
        {
            kept.keep(refusal, words.folder);
        }
    }

    /// What the compiler or interpreter of a language says of its version, in a line;
    /// `None` if it says nothing. `cache` remembers it as long as the language is
    /// unchanged.
    pub fn version(&self, language: &Language) -> Option<String> {
        let compiler = self.compiler;
        let known = self.key_of_fact("version", language);
        if let Some(stored) = known
            .as_ref()
            .and_then(|(cache, key)| cache.stored_build(key))
        {
            return String::from_utf8(stored).ok();
        }
        let folder = BuildFolder::make(&compiler.folder).ok()?;
        let words = PlaceholderValues {
            source: folder.path(),
            start_class: None,
            others: &[],
            piece: 0,
            folder: folder.path(),
            memory_bytes: language.compile_limits.memory_bytes,
            standard: None,
            language,
        };
        let version =
            Build::new(&compiler.toolchain, &words, self.sandbox).version()?;
        if let Some((cache, key)) = &known {
            cache.store_build(key, version.as_bytes());
        }
        Some(version)
    }

    /// Compiles in the first version of the language that the compiler knows. Which one
    /// that is, is only found out when a source fails to compile in the first.
    ///
    /// # Errors
    /// Returns why there is no program.
    fn build(&self, words: &PlaceholderValues<'_>) -> Result<(), BuildFailure> {
        let Compiler {
            toolchain,
            standards,
            ..
        } = self.compiler;
        let language = words.language;
        let build = |standard: Option<&str>| {
            let words = PlaceholderValues { standard, ..*words };
            Build::new(toolchain, &words, self.sandbox).compile()
        };
        let versions = (language.id.clone(), language.standards.clone());
        let known = standards.lock().get(&versions).cloned();
        let built = build(known.as_deref().or(words.standard));
        let is_certain = known.is_some()
            || language.standards.len() < 2
            || !language.compile.iter().any(|word| word.contains(STANDARD));
        let is_refused = built.as_ref().is_err_and(|failed| {
            matches!(failed.failure, PrepareFailure::Refused(_))
        });
        if is_certain || !is_refused {
            return built;
        }
        let attempt = Build::new(toolchain, words, self.sandbox);
        let Some(found) = language
            .standards
            .iter()
            .find(|standard| attempt.knows_standard(standard))
        else {
            return built;
        };
        standards.lock().insert(versions, found.clone());
        if words.standard == Some(found.as_str()) {
            built
        } else {
            build(Some(found))
        }
    }
}

impl Compiler {
    /// A new build folder, with what was kept of an earlier build, if anything was.
    fn recall(
        &self,
        kept: Option<&KeptBuild<'_>>,
    ) -> io::Result<(BuildFolder, Option<Kept>)> {
        let folder = BuildFolder::make(&self.folder)?;
        match kept.map_or(Ok(None), |kept| kept.unpack(folder.path())) {
            Ok(recalled) => Ok((folder, recalled)),
            // Whatever it is, compiling shows whether it is the machine's fault.
            Err(_) => Ok((BuildFolder::make(&self.folder)?, None)),
        }
    }

    /// Returns the program, or what is missing to run it.
    fn program(
        &self,
        words: &PlaceholderValues<'_>,
    ) -> Result<Program, PrepareFailure> {
        let language = words.language;
        let mut command = words.fill(&language.run);
        let mut readable = vec![words.folder.to_owned()];
        if !command[0].starts_with('/') {
            let Some(runtime) = self.toolchain.find_for_submissions(&command[0])
            else {
                let closed = self.toolchain.find(&command[0]);
                return Err(closed.map_or_else(
                    || missing_command(language, &command[0]),
                    |path| out_of_reach(&path),
                ));
            };
            let runtime = self.toolchain.resolve(language, runtime, &command);
            command[0] = path_text(&runtime);
            readable.extend(self.toolchain.readable_for(&runtime, language));
        }
        let environment = language
            .environment
            .iter()
            .map(|(name, value)| (name.clone(), words.fill_one(value)));
        Ok(Program {
            command,
            environment: toolchain::default_environment()
                .into_iter()
                .chain(environment)
                .collect(),
            readable,
            // In the sense of package formats: the class if the command that runs it
            // names one, else the file.
            entry_point: if language.run.iter().any(|word| word == NAME) {
                words.fill_one(NAME)
            } else {
                path_text(
                    words
                        .source
                        .strip_prefix(words.folder)
                        .unwrap_or(words.source),
                )
            },
        })
    }
}

/// Removes what a known compiler keeps for itself, and makes all files the judge's if
/// it is root, as they are in a folder that was unpacked: a program sees no difference.
/// Files with another name elsewhere, which may be somebody's, keep their owner.
fn settle(words: &PlaceholderValues<'_>) -> io::Result<()> {
    let folders = words
        .language
        .compile_environment
        .iter()
        .filter(|_| words.language.keeps_builds);
    for (_, value) in folders.filter(|(_, value)| value.starts_with("{folder}/.")) {
        let own = PathBuf::from(words.fill_one(value));
        if own.symlink_metadata().is_ok_and(|found| found.is_dir()) {
            gridjudge_sandbox::remove_tree(&own)?;
        }
    }
    let user = rustix::process::geteuid();
    let group = rustix::process::getegid();
    if !user.is_root() {
        return Ok(());
    }
    for found in walkdir::WalkDir::new(words.folder) {
        let found = found?;
        let metadata = found.metadata()?;
        let is_judges =
            (metadata.uid(), metadata.gid()) == (user.as_raw(), group.as_raw());
        if !is_judges && (metadata.is_dir() || metadata.nlink() == 1) {
            lchown(found.path(), Some(user.as_raw()), Some(group.as_raw()))?;
        }
    }
    Ok(())
}

/// The name of the file in which a program starts, and all its files by their names in
/// the build folder. If an additional file has the same name as the submission's own, it
/// replaces it.
fn program_files(program: ProgramSource<'_>) -> (String, BTreeMap<String, PathBuf>) {
    let AdditionalSources {
        files: additional,
        start,
        ..
    } = program.additional_sources;
    let own = program.name_in_folder();
    let source = program.source;
    let first = (own.clone(), source.place().clone());
    let rest = additional
        .iter()
        .map(|file| (file.name.clone(), file.path.clone()));
    (
        start.clone().unwrap_or(own),
        [first].into_iter().chain(rest).collect(),
    )
}

/// Copies the sources into the build folder under their names, where their language can
/// be compiled. Returns the reason for a refusal if one is too large, or has become a
/// link.
fn copy_sources(
    program: ProgramSource<'_>,
    files: &BTreeMap<String, PathBuf>,
    folder: &Path,
) -> io::Result<Option<String>> {
    let constants = &program.additional_sources.constants;
    for (name, path) in files {
        let is_real = program.source.real.as_ref() == Some(path);
        let why = match copy_below(path, is_real, folder, name, constants) {
            Ok(true) => continue,
            Ok(false) => format!("has more than {} MiB", LARGEST_SUBMISSION >> 20),
            Err(FileError::Link) => FileError::Link.to_string(),
            Err(error) => return Err(error.into()),
        };
        let file = if files.len() == 1 {
            "the file".to_owned()
        } else {
            path.display().to_string()
        };
        return Ok(Some(format!("{file} {why}")));
    }
    // The program's own scripts that its language starts are made executable. Archives
    // made on Windows have no such permissions; DOMjudge sets them too.
    let commands = program
        .language
        .into_iter()
        .flat_map(|language| [&language.compile, &language.run]);
    for script in commands
        .filter_map(|command| command.first()?.strip_prefix("{folder}/"))
        .map(|name| folder.join(name))
    {
        if script.symlink_metadata().is_ok_and(|found| found.is_file()) {
            set_mode(script, 0o755)?;
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests;
