//! Makes a submission ready to run: finds what its language needs, compiles it once, in the sandbox, in a folder of
//! its own. Knows no problem beyond the memory a run may use, and no case. Start at [`Compiler::make`].

mod build;
mod build_folder;
mod disk_space;
mod failure_reason;
mod fingerprint;
mod installation;
mod language_check;
mod placeholders;
mod tool_finder;
mod toolchain;

use std::collections::BTreeMap;
use std::fs::File;
use std::fs::Permissions;
use std::io;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::OnceLock;
use std::sync::PoisonError;

use rustix::fs::OFlags;

use crate::model::Language;
use crate::model::Program;
use crate::model::Submission;
use build::Build;
pub use build_folder::BuildFolder;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Sandbox;
pub use language_check::UnusableLanguage;
use placeholders::PlaceholderValues;
pub use tool_finder::LanguageTool;
pub use tool_finder::ToolFinder;
pub use tool_finder::ToolLocation;
use toolchain::Toolchain;

/// Bytes of the largest submission, be it source or executable. Without a bound one file that takes no room where it lies,
/// for it is all hole, would fill the disk that the judge copies it to.
pub const LARGEST_SUBMISSION: u64 = 256 << 20;

/// Makes submissions ready, each in a folder of its own.
pub struct Compiler {
    folder: PathBuf,
    toolchain: Toolchain,
    /// What all programs of this machine depend on, once it was looked at. See `trace.rs`.
    machine: OnceLock<Option<Vec<String>>>,
    /// What is known of languages, by their keys. See `fitness.rs`.
    tried: Mutex<BTreeMap<String, LanguageCheck>>,
}

/// Whether a language works here, once somebody has tried it.
type LanguageCheck = Arc<Mutex<Option<Option<UnusableLanguage>>>>;

/// A submission and what became of it.
pub enum BuildResult {
    /// It can be run. The folder lives as long as this does.
    Ready {
        /// What to start.
        program: Program,
        /// Where its files are.
        folder: BuildFolder,
    },
    /// The compiler refused it, or broke a limit on it.
    Refused {
        /// The reason in a few words.
        reason: String,
        /// What the compiler said, at most 64 KiB.
        output: String,
    },
    /// This machine lacks what its language needs.
    Unavailable {
        /// What is missing.
        cause: String,
        /// How to get it.
        remedy: String,
    },
}

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
        let doing = || format!("preparing {}", submission.path.display());
        let folder = BuildFolder::make(&self.folder).map_err(|error| Fault::new(doing(), error))?;
        let name = language.and_then(|language| language.source.clone());
        let name = name.unwrap_or_else(|| file_name(&submission.path));
        let source = folder.path().join(name);
        if !copy(&submission.path, &source).map_err(|error| Fault::new(doing(), error))? {
            let reason = format!("the file has more than {} MiB", LARGEST_SUBMISSION >> 20);
            return Ok(BuildResult::Refused { reason, output: String::new() });
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

    /// What is known of a language, to be found out by who locks it first.
    fn tried(&self, language: &str) -> LanguageCheck {
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

/// What a compiler or a program wrote, without the name of the folder that it was made in: that name means nothing to
/// its author and is another one each time.
pub fn without_folder(folder: &Path, written: &[u8]) -> String {
    String::from_utf8_lossy(written).replace(&format!("{}/", text(folder)), "")
}

fn missing(language: &Language, command: &str) -> BuildResult {
    let package = language.package.as_ref();
    BuildResult::Unavailable {
        cause: format!("`{command}` is not installed"),
        remedy: match package {
            Some(package) => format!("install it, on Debian with `apt-get install {package}`"),
            None => format!("install what brings `{command}`"),
        },
    }
}

/// A runtime that the judge could start, and the user of submissions cannot.
fn out_of_reach(runtime: &Path) -> BuildResult {
    BuildResult::Unavailable {
        cause: format!("the user that submissions run as cannot start {}", runtime.display()),
        remedy: "install it where every user may start it, as in /usr/local, or judge as an ordinary user"
            .to_owned(),
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

/// Copies a file with its permission to be executed, readable by all; whether it was not too large for that. What was a file
/// when it was named may be a pipe by now, whose opening nobody must wait for.
fn copy(from: &Path, to: &Path) -> io::Result<bool> {
    let source = File::options().read(true).custom_flags(OFlags::NONBLOCK.bits().cast_signed()).open(from)?;
    let found = source.metadata()?;
    if !found.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    if found.len() > LARGEST_SUBMISSION {
        return Ok(false);
    }
    let executable = found.permissions().mode() & 0o111 != 0;
    let mut copied = File::create_new(to)?;
    let bytes = io::copy(&mut source.take(LARGEST_SUBMISSION + 1), &mut copied)?;
    copied.set_permissions(Permissions::from_mode(if executable { 0o755 } else { 0o644 }))?;
    Ok(bytes <= LARGEST_SUBMISSION)
}

/// The name of a submission where it is made: its own, without signs that some compilers read a meaning into. `rustc`
/// makes a crate's name of it, and `go` takes what follows an `@` for a version.
fn file_name(path: &Path) -> String {
    let name = path.file_name().map_or_else(|| "submission".into(), |name| name.to_string_lossy());
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '+');
    let plain = |text: &str| text.replace(|letter| !is_plain(letter), "_");
    match name.rsplit_once('.') {
        Some((stem, ending)) => format!("{}.{}", plain(stem), plain(ending)),
        None => plain(&name),
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests;
