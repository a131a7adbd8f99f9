//! Makes submissions ready to run: copies the source, compiles it, and says what to start. Start at [`Compiler::make`].

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::OnceLock;
use std::sync::PoisonError;

use crate::compile::build::Build;
use crate::compile::build_folder::BuildFolder;
use crate::compile::build_result::BuildResult;
use crate::compile::build_result::missing;
use crate::compile::build_result::out_of_reach;
use crate::compile::placeholders::PlaceholderValues;
use crate::compile::source_file::LARGEST_SUBMISSION;
use crate::compile::source_file::copy;
use crate::compile::source_file::file_name;
use crate::compile::source_file::text;
use crate::compile::toolchain;
use crate::compile::toolchain::Toolchain;
use crate::compile::unusable_language::UnusableLanguage;
use crate::model::Language;
use crate::model::Program;
use crate::model::Submission;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Sandbox;

/// Makes submissions ready, each in a folder of its own.
pub struct Compiler {
    pub(super) folder: PathBuf,
    pub(super) toolchain: Toolchain,
    /// What all programs of this machine depend on, once it was looked at. See `fingerprint.rs`.
    pub(super) machine: OnceLock<Option<Vec<String>>>,
    /// What is known of languages, by their keys. See `language_check.rs`.
    pub(super) tried: Mutex<BTreeMap<String, LanguageCheck>>,
}

/// Whether a language works here: `None` until it was tried.
pub(super) type LanguageCheck = Arc<Mutex<Option<Option<UnusableLanguage>>>>;

impl Compiler {
    /// A compiler whose results go into sub-folders of `folder`.
    pub fn new(folder: PathBuf) -> Self {
        let (toolchain, machine) = (Toolchain::of_this_process(), OnceLock::new());
        Self { folder, toolchain, machine, tried: Mutex::default() }
    }

    /// Makes a submission ready. A file of no known language is taken as an executable. `memory_bytes` is what a
    /// run may use, for languages whose runtime must be told.
    ///
    /// # Errors
    /// A [`Fault`] if the judge itself failed: no room, no permission, a broken sandbox.
    pub fn make(
        &self,
        submission: &Submission,
        language: Option<&Language>,
        memory_bytes: u64,
        sandbox: &dyn Sandbox,
    ) -> Result<BuildResult, Fault> {
        self.make_beside(submission, &[], language, memory_bytes, sandbox)
    }

    /// The same for a source that includes other files: these are copied to where it is made.
    ///
    /// # Errors
    /// As [`make`](Self::make).
    pub fn make_beside(
        &self,
        submission: &Submission,
        included: &[PathBuf],
        language: Option<&Language>,
        memory_bytes: u64,
        sandbox: &dyn Sandbox,
    ) -> Result<BuildResult, Fault> {
        let doing = || format!("preparing {}", submission.path.display());
        let folder = BuildFolder::make(&self.folder).map_err(|error| Fault::new(doing(), error))?;
        let name = language.and_then(|language| language.source.clone());
        let name = name.unwrap_or_else(|| file_name(&submission.path));
        let source = folder.path().join(name);
        if !copy(&submission.path, &source).map_err(|error| Fault::new(doing(), error))? {
            let reason = format!("the file has more than {} MiB", LARGEST_SUBMISSION >> 20);
            return Ok(BuildResult::Refused { reason, output: String::new() });
        }
        for file in included {
            let name = file.file_name().unwrap_or_default();
            if !copy(file, &folder.path().join(name)).map_err(|error| Fault::new(doing(), error))? {
                let reason = format!("{} has more than {} MiB", file.display(), LARGEST_SUBMISSION >> 20);
                return Ok(BuildResult::Refused { reason, output: String::new() });
            }
        }
        let Some(language) = language else {
            let program = Program { command: vec![text(&source)], ..bare(&folder) };
            return Ok(BuildResult::Ready { program, folder });
        };
        let words = PlaceholderValues { source: &source, folder: folder.path(), memory_bytes };
        if !language.compile.is_empty()
            && let Some(failed) = Build::new(&self.toolchain, language, &words, sandbox).compile()?
        {
            return Ok(failed);
        }
        Ok(match self.program(language, &words) {
            Ok(program) => BuildResult::Ready { program, folder },
            Err(missing) => missing,
        })
    }

    /// What is known of a language; the first caller to lock it finds it out.
    pub(super) fn tried(&self, language: &str) -> LanguageCheck {
        let mut tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(tried.entry(language.to_owned()).or_default())
    }

    /// The program, or what is missing to run it.
    fn program(&self, language: &Language, words: &PlaceholderValues<'_>) -> Result<Program, BuildResult> {
        let mut command = words.fill(&language.run);
        let mut readable = vec![words.folder.to_owned()];
        if !command[0].starts_with('/') {
            let Some(runtime) = self.toolchain.find_for_submissions(&command[0]) else {
                let closed = self.toolchain.find(&command[0]);
                return Err(closed.map_or_else(|| missing(language, &command[0]), |path| out_of_reach(&path)));
            };
            let runtime = self.toolchain.resolve(language, runtime, &command);
            command[0] = text(&runtime);
            readable.extend(self.toolchain.readable_for(&runtime, &language.toolchain));
        }
        let environment =
            language.environment.iter().map(|(name, value)| (name.clone(), words.fill_one(value)));
        Ok(Program {
            command,
            environment: toolchain::usual_environment().into_iter().chain(environment).collect(),
            readable,
        })
    }
}

/// A program without a command yet: its environment and what it may read.
fn bare(folder: &BuildFolder) -> Program {
    Program {
        command: Vec::new(),
        environment: toolchain::usual_environment(),
        readable: vec![folder.path().to_owned()],
    }
}
