//! Makes a submission ready to run: finds what its language needs, compiles it once, in the sandbox, in a folder of
//! its own. Knows no problem beyond the memory a run may use, and no case. Start at [`Workshop::make`].

mod survey;
mod toolchain;

use std::fs;
use std::fs::File;
use std::fs::Permissions;
use std::io;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;

use tempfile::TempDir;

use crate::model::Fault;
use crate::model::Input;
use crate::model::Language;
use crate::model::Launch;
use crate::model::Limits;
use crate::model::Program;
use crate::model::Role;
use crate::model::Run;
use crate::model::Submission;
use crate::sandbox::Sandbox;
pub use survey::Found;
pub use survey::Survey;
pub use survey::Tool;
use toolchain::Toolchain;

/// Bytes of a compiler's output that are kept.
const MOST_OUTPUT: u64 = 64 * 1024;

/// Name of the executable that a compiler is asked for.
const PROGRAM: &str = "program";

/// Makes submissions ready, each in a folder of its own.
pub struct Workshop {
    folder: PathBuf,
    toolchain: Toolchain,
}

/// A submission and what became of it.
pub enum Made {
    /// It can be run. The folder lives as long as this does.
    Ready {
        /// What to start.
        program: Program,
        /// Where its files are.
        folder: TempDir,
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

impl Workshop {
    /// A workshop whose products go into sub-folders of `folder`.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, toolchain: Toolchain::of_this_process() }
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
    ) -> Result<Made, Fault> {
        let doing = || format!("preparing {}", submission.path.display());
        let folder = self.new_folder().map_err(|error| Fault::new(doing(), error))?;
        let name = language.and_then(|language| language.source.clone());
        let name = name.unwrap_or_else(|| file_name(&submission.path));
        let source = folder.path().join(name);
        copy(&submission.path, &source).map_err(|error| Fault::new(doing(), error))?;
        let Some(language) = language else {
            let program = Program { command: vec![text(&source)], ..bare(&folder) };
            return Ok(Made::Ready { program, folder });
        };
        let words = Words { source: &source, folder: folder.path(), memory_bytes };
        if !language.compile.is_empty()
            && let Some(failed) = self.compile(language, &words, sandbox)?
        {
            return Ok(failed);
        }
        Ok(match self.program(language, &words) {
            Ok(program) => Made::Ready { program, folder },
            Err(missing) => missing,
        })
    }

    /// Runs the compiler; what it makes of the submission if it is not a program.
    fn compile(
        &self,
        language: &Language,
        words: &Words<'_>,
        sandbox: &dyn Sandbox,
    ) -> Result<Option<Made>, Fault> {
        let command = words.fill(&language.compile);
        let Some(compiler) = self.toolchain.find(&command[0]) else {
            return Ok(Some(missing(language, &command[0])));
        };
        let environment =
            language.compile_environment.iter().map(|(name, value)| (name.clone(), words.fill_one(value)));
        let launch = Launch {
            readable: self.toolchain.readable_for(&compiler, &language.toolchain),
            command: [vec![text(&compiler)], command[1..].to_vec()].concat(),
            environment: self.toolchain.environment().into_iter().chain(environment).collect(),
            input: Input::Empty,
            role: Role::Tool { folder: words.folder.to_owned() },
        };
        let run = sandbox.run(&launch, &language.compile_limits)?;
        let reason = refusal(&run, &language.compile_limits, words);
        let Some(reason) = reason else { return Ok(None) };
        let mut output = Vec::new();
        run.stdout
            .take(MOST_OUTPUT)
            .read_to_end(&mut output)
            .map_err(|error| Fault::new("reading what the compiler said", error))?;
        let output = without_folder(words.folder, &output);
        Ok(Some(Made::Refused { reason, output }))
    }

    /// The program, or what is missing to run it.
    fn program(&self, language: &Language, words: &Words<'_>) -> Result<Program, Made> {
        let mut command = words.fill(&language.run);
        let mut readable = vec![words.folder.to_owned()];
        if !command[0].starts_with('/') {
            let Some(runtime) = self.toolchain.find_for_submissions(&command[0]) else {
                return Err(missing(language, &command[0]));
            };
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

    fn new_folder(&self) -> io::Result<TempDir> {
        let folder = tempfile::Builder::new().prefix("made-").tempdir_in(&self.folder)?;
        // Submissions may run as another user, who must get at the program.
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755))?;
        Ok(folder)
    }
}

/// What a compiler or a program wrote, without the name of the folder that it was made in: that name means nothing to
/// its author and is another one each time.
pub fn without_folder(folder: &Path, written: &[u8]) -> String {
    String::from_utf8_lossy(written).replace(&format!("{}/", text(folder)), "")
}

/// What the placeholders of a command stand for.
struct Words<'a> {
    source: &'a Path,
    folder: &'a Path,
    memory_bytes: u64,
}

impl Words<'_> {
    fn fill(&self, command: &[String]) -> Vec<String> {
        command.iter().map(|word| self.fill_one(word)).collect()
    }

    fn fill_one(&self, word: &str) -> String {
        let memory_mib = (self.memory_bytes >> 20).max(1).to_string();
        word.replace("{source}", &text(self.source))
            .replace("{program}", &text(&self.folder.join(PROGRAM)))
            .replace("{folder}", &text(self.folder))
            .replace("{memory_mib}", &memory_mib)
    }
}

/// Why a compiler's run did not give a program, if it did not.
fn refusal(run: &Run, limits: &Limits, words: &Words<'_>) -> Option<String> {
    match run.breach(limits) {
        Some(breach) if run.exit.is_clean() || breach != crate::model::Verdict::RuntimeError => {
            Some(format!("compiling: {}", breach.meaning()))
        }
        Some(_) => Some(format!("the compiler ended with {}", run.exit)),
        None if made_something(words) => None,
        None => Some("the compiler made no program".to_owned()),
    }
}

/// Whether the folder holds more than the source.
fn made_something(words: &Words<'_>) -> bool {
    fs::read_dir(words.folder).is_ok_and(|entries| entries.count() > 1)
}

fn missing(language: &Language, command: &str) -> Made {
    let package = language.package.as_ref();
    Made::Unavailable {
        cause: format!("`{command}` is not installed"),
        remedy: match package {
            Some(package) => format!("install it, on Debian with `apt-get install {package}`"),
            None => format!("install what brings `{command}`"),
        },
    }
}

/// A program that is started as it is.
fn bare(folder: &TempDir) -> Program {
    Program {
        command: Vec::new(),
        environment: toolchain::usual_environment(),
        readable: vec![folder.path().to_owned()],
    }
}

/// Copies a file with its permission to be executed, readable by all.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    let executable = source.metadata()?.permissions().mode() & 0o111 != 0;
    let mut copied = File::create_new(to)?;
    io::copy(&mut source, &mut copied)?;
    copied.set_permissions(Permissions::from_mode(if executable { 0o755 } else { 0o644 }))
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| "submission".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests;
