//! Runs a language's compiler and linker on one submission, in the sandbox, and says why there is no program if there is
//! none. Knows nothing of how the program will be run. Start at [`Attempt::compile`].

use std::fs;
use std::io::Read;
use std::path::Path;
use std::slice;

use crate::compile::Made;
use crate::compile::missing;
use crate::compile::text;
use crate::compile::toolchain::Toolchain;
use crate::compile::without_folder;
use crate::compile::words::Words;
use crate::model::Fault;
use crate::model::Input;
use crate::model::Language;
use crate::model::Launch;
use crate::model::Limits;
use crate::model::Role;
use crate::model::Run;
use crate::model::Verdict;
use crate::sandbox::Sandbox;
use crate::sandbox::executable;

/// Bytes of a compiler's output that are kept.
const MOST_OUTPUT: u64 = 64 * 1024;

/// One submission at its compiler.
pub(crate) struct Attempt<'a> {
    toolchain: &'a Toolchain,
    language: &'a Language,
    words: &'a Words<'a>,
    sandbox: &'a dyn Sandbox,
    /// What is left of the limits: they hold for all commands together.
    left: Limits,
}

/// What came of a command.
enum Step {
    /// It ended well.
    Done,
    /// It ended with an error; another command may do better.
    Failed(Made),
    /// No other command is worth a try.
    Settled(Made),
}

impl<'a> Attempt<'a> {
    pub(crate) fn new(
        toolchain: &'a Toolchain,
        language: &'a Language,
        words: &'a Words<'a>,
        sandbox: &'a dyn Sandbox,
    ) -> Self {
        Self { toolchain, language, words, sandbox, left: language.compile_limits.clone() }
    }

    /// Compiles and links; what became of the submission if it is not a program.
    ///
    /// # Errors
    /// A [`Fault`] if the sandbox failed.
    pub(crate) fn compile(mut self) -> Result<Option<Made>, Fault> {
        let language = self.language;
        for commands in [slice::from_ref(&language.compile), &language.link] {
            if let Some(failed) = self.first_that_works(commands)? {
                return Ok(Some(failed));
            }
        }
        let lack = self.lack();
        Ok(lack.map(|reason| Made::Refused { reason: reason.to_owned(), output: String::new() }))
    }

    /// What is wrong with what the compiler has made, though it is content itself.
    fn lack(&self) -> Option<&'static str> {
        let program = self.words.program();
        let program = Path::new(&program);
        let is_program = self.language.run.first().is_some_and(|first| first == "{program}");
        let is_made = match is_program {
            true => program.symlink_metadata().is_ok(),
            false => holds_more_than_the_source(self.words.folder),
        };
        match is_made {
            false => Some("the compiler made no program"),
            true if is_program && !executable::can_start(program) => {
                Some("what the compiler made cannot be started")
            }
            true => None,
        }
    }

    /// Runs commands until one works. If none does, it is the last whose message is shown: the others are better ways
    /// that not every program can go.
    fn first_that_works(&mut self, commands: &[Vec<String>]) -> Result<Option<Made>, Fault> {
        let mut failed = None;
        for command in commands {
            match self.run(command)? {
                Step::Done => return Ok(None),
                Step::Failed(made) => failed = Some(made),
                Step::Settled(made) => return Ok(Some(made)),
            }
        }
        Ok(failed)
    }

    fn run(&mut self, command: &[String]) -> Result<Step, Fault> {
        let command = self.words.fill(command);
        let Some(compiler) = self.toolchain.find(&command[0]) else {
            return Ok(Step::Settled(missing(self.language, &command[0])));
        };
        let run = self.sandbox.run(&self.launch(&compiler, &command[1..]), &self.left)?;
        let breach = run.breach(&self.left);
        let exit = run.exit;
        self.left.cpu = self.left.cpu.saturating_sub(run.usage.cpu);
        self.left.wall = self.left.wall.saturating_sub(run.usage.wall.saturating_sub(run.usage.starved));
        Ok(match breach {
            None => Step::Done,
            Some(Verdict::RuntimeError) => {
                Step::Failed(self.refused(format!("the compiler ended with {exit}"), run)?)
            }
            // Other commands would run into the same limit, at the same cost.
            Some(breach) => Step::Settled(self.refused(format!("compiling: {}", breach.meaning()), run)?),
        })
    }

    fn launch(&self, compiler: &Path, arguments: &[String]) -> Launch {
        let own = self.language.compile_environment.iter();
        let own = own.map(|(name, value)| (name.clone(), self.words.fill_one(value)));
        Launch {
            readable: self.toolchain.readable_for(compiler, &self.language.toolchain),
            command: [&[text(compiler)], arguments].concat(),
            environment: self.toolchain.environment().into_iter().chain(own).collect(),
            input: Input::Empty,
            role: Role::Tool { folder: self.words.folder.to_owned() },
        }
    }

    fn refused(&self, reason: String, run: Run) -> Result<Made, Fault> {
        let mut output = Vec::new();
        run.stdout
            .take(MOST_OUTPUT)
            .read_to_end(&mut output)
            .map_err(|error| Fault::new("reading what the compiler said", error))?;
        Ok(Made::Refused { reason, output: without_folder(self.words.folder, &output) })
    }
}

fn holds_more_than_the_source(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|entries| entries.count() > 1)
}
