//! Runs a language's compiler and linker on one submission, in the sandbox, and
//! explains why there is no program if they fail. Knows nothing of how the program will
//! be run. Start at [`Build::compile`].

use std::fs;
use std::io;
use std::io::ErrorKind::NotFound;
use std::path::{Path, PathBuf};
use std::slice;

use gridjudge_sandbox::{
    Exit, Fault, Launch, Limits, Role, Run, Sandbox, executable, set_mode,
};

use crate::compile::build_result::{self, may_be_of_machine, reason};
use crate::compile::{
    Blame, BuildFolder, PlaceholderValues, PrepareFailure, SubmissionRefusal,
    Toolchain, missing_command, without_folder,
};
use crate::model::{self, Language, Submission, Verdict};
use crate::text::{lines_with_text, path_text};

/// The most bytes of a compiler's output that are read.
const MOST_OUTPUT: u64 = 64 * 1024;

/// The arguments with which tools tell their versions, the usual one first.
const VERSION_ARGUMENTS: [&str; 4] = ["--version", "-version", "version", "-v"];

/// The most letters of a version that are kept.
const LONGEST_VERSION: usize = 120;

/// The compilation of one submission.
pub(crate) struct Build<'a> {
    toolchain: &'a Toolchain,
    language: &'a Language,
    words: &'a PlaceholderValues<'a>,
    sandbox: &'a dyn Sandbox,
    /// The remaining limits, which apply to all commands together.
    left: Limits,
    /// Decides whether the disk of a folder may be to blame for a failure, given the
    /// compiler's output and the most bytes of its files.
    disk: fn(&Path, &str, u64) -> Option<Blame>,
    /// Whether the source is known to be correct, so that a compiler that blames the
    /// disk is believed.
    is_known_good: bool,
}

/// Why a command, or all of them, made no program.
pub(crate) struct BuildFailure {
    pub(super) failure: PrepareFailure,
    /// Whether only the source can be to blame, and so would be the next time.
    pub(super) is_certain: bool,
    /// Whether trying another command is pointless.
    is_final: bool,
}

impl<F: Into<PrepareFailure>> From<F> for BuildFailure {
    fn from(failure: F) -> Self {
        Self {
            failure: failure.into(),
            is_certain: false,
            is_final: true,
        }
    }
}

impl<'a> Build<'a> {
    pub(crate) fn new(
        toolchain: &'a Toolchain,
        words: &'a PlaceholderValues<'a>,
        sandbox: &'a dyn Sandbox,
    ) -> Self {
        let language = words.language;
        Self {
            toolchain,
            language,
            words,
            sandbox,
            left: language.compile_limits.clone(),
            disk: build_result::disk_problem,
            is_known_good: false,
        }
    }

    /// Compiles and links.
    ///
    /// # Errors
    /// Returns why there is no program: a [`Fault`] if the sandbox failed, or if the
    /// disk is to blame for a failure.
    pub(crate) fn compile(&mut self) -> Result<(), BuildFailure> {
        let language = self.language;
        let entries = entries_of(self.words.folder);
        let compile = if language.link.is_empty() {
            vec![self.words.fill(&language.compile)]
        } else {
            self.words
                .pieces()
                .iter()
                .map(|piece| piece.fill(&language.compile))
                .collect()
        };
        for command in &compile {
            self.run(command)?;
        }
        // If no linking command succeeds, the failure of the last counts: the others
        // are better ways that do not work for every program.
        let mut linked = Ok(());
        for command in &language.link {
            linked = self.run(&self.words.fill_link(command));
            match &linked {
                Err(failed) if !failed.is_final => {}
                _ => break,
            }
        }
        linked?;
        self.let_made_programs_start();
        let Some(reason) = self.missing_program(entries) else {
            return Ok(());
        };
        self.fault_of_machine("")?;
        Err(PrepareFailure::Refused(SubmissionRefusal {
            reason: reason.into(),
            output: "".into(),
        })
        .into())
    }

    /// Checks sources of a language that is not compiled, one by one, if it has a
    /// check.
    ///
    /// # Errors
    /// Returns why the first wrong one is refused, or a fault as
    /// [`compile`](Self::compile).
    pub(crate) fn check(mut self, sources: &[PathBuf]) -> Result<(), BuildFailure> {
        if self.language.check.is_empty() {
            return Ok(());
        }
        for source in sources {
            let words = PlaceholderValues {
                source,
                others: &[],
                ..*self.words
            };
            let command = words.fill(&self.language.check);
            self.run(&command).map_err(|mut failed| {
                if let PrepareFailure::Refused(refusal) = &mut failed.failure
                    && !failed.is_final
                {
                    refusal.reason = "it cannot be parsed".into();
                }
                failed
            })?;
        }
        Ok(())
    }

    /// What the compiler or interpreter says of its version, in a line; `None` if
    /// nothing.
    pub(crate) fn version(&self) -> Option<String> {
        let language = self.language;
        let name = [&language.compile, &language.check, &language.run]
            .into_iter()
            .find_map(|command| command.first())?;
        let found = self.toolchain.find_compiler(language, name)?;
        let tool = self
            .toolchain
            .resolve(language, found, slice::from_ref(name));
        VERSION_ARGUMENTS.into_iter().find_map(|argument| {
            let launch = self.launch(&tool, &[argument.to_owned()]);
            let mut run = self.sandbox.run(&launch, &self.left).ok()?;
            let said = run.printed(MOST_OUTPUT).ok()?;
            let said = String::from_utf8_lossy(&said);
            let line = lines_with_text(&said).next()?;
            (run.exit == Exit::Code(0))
                .then(|| line.chars().take(LONGEST_VERSION).collect())
        })
    }

    /// Whether the compiler compiles the language's known-good source with a version of
    /// the language. `false` if anything fails.
    pub(crate) fn knows_standard(&self, standard: &str) -> bool {
        self.with_known_good(Some(standard), |attempt| {
            attempt.run(&attempt.words.fill(&attempt.language.compile))
        })
    }

    /// Makes the programs executable that a program's own scripts have made for each
    /// other. At the level `basic` no process may change permissions, so a linker
    /// cannot.
    fn let_made_programs_start(&self) {
        if let Some(first) = self
            .language
            .run
            .first()
            .filter(|first| first.starts_with("{folder}/"))
        {
            self.put_file_in_place_of_link(Path::new(&self.words.fill_one(first)));
            let entries = walkdir::WalkDir::new(self.words.folder)
                .into_iter()
                .filter_map(Result::ok);
            for entry in entries.filter(|entry| entry.file_type().is_file()) {
                executable::let_start(entry.path());
            }
        }
    }

    /// Replaces a program that is a link to another file in the folder by a copy of it:
    /// programs are started by their own names.
    fn put_file_in_place_of_link(&self, program: &Path) {
        let folder = self.words.folder.canonicalize();
        let target = program.canonicalize().ok().filter(|_| program.is_symlink());
        if let (Ok(folder), Some(target)) = (folder, target)
            && target.starts_with(folder)
            && target.is_file()
            && fs::remove_file(program).is_ok()
        {
            // A program that is missing afterwards is noticed.
            let _ = fs::copy(target, program);
        }
    }

    /// Explains what is wrong with the result of a compiler that has succeeded; `None`
    /// if there is a program. `entries` is the number of entries below the folder
    /// before it ran.
    fn missing_program(&self, entries: usize) -> Option<&'static str> {
        let first = self.language.run.first().map_or("", String::as_str);
        let is_program = first == "{program}" || first.starts_with("{folder}/");
        let program = self.words.fill_one(first);
        let program = Path::new(&program);
        let is_made = if is_program {
            program.symlink_metadata().is_ok()
        } else {
            entries_of(self.words.folder) > entries
        };
        if !is_made {
            Some("the compiler made no program")
        } else if is_program && !executable::can_be_made_to_start(program) {
            Some("what the compiler made cannot be started")
        } else {
            None
        }
    }

    fn run(&mut self, command: &[String]) -> Result<(), BuildFailure> {
        let Some(found) = self.toolchain.find_compiler(self.language, &command[0])
        else {
            return Err(missing_command(self.language, &command[0]).into());
        };
        let compiler = self.toolchain.resolve(self.language, found, command);
        let run = self
            .sandbox
            .run(&self.launch(&compiler, &command[1..]), &self.left)?;
        let breach = model::verdict_of_breach(&run, &self.left);
        self.left.cpu = self.left.cpu.saturating_sub(run.usage.cpu);
        self.left.wall = self
            .left
            .wall
            .saturating_sub(run.usage.wall.saturating_sub(run.usage.starved));
        match breach {
            Some(breach) => Err(self.refused(breach, run)?),
            None => Ok(()),
        }
    }

    fn launch(&self, compiler: &Path, arguments: &[String]) -> Launch {
        let own = self
            .language
            .compile_environment
            .iter()
            .map(|(name, value)| (name.clone(), self.words.fill_one(value)));
        Launch {
            readable: self.toolchain.readable_for(compiler, self.language),
            command: [&[path_text(compiler)], arguments].concat(),
            environment: self
                .toolchain
                .environment(self.language)
                .into_iter()
                .chain(own)
                .collect(),
            role: Role::Tool {
                folder: self.words.folder.to_owned(),
            },
            ..Launch::default()
        }
    }

    fn refused(&self, breach: Verdict, mut run: Run) -> Result<BuildFailure, Fault> {
        let output = run
            .printed(MOST_OUTPUT)
            .map_err(Fault::during("reading what the compiler said"))?;
        let output = String::from_utf8_lossy(&output);
        let output = without_folder(self.words.folder, &output);
        self.fault_of_machine(&output)?;
        let reason = reason(breach, &run, &self.language.compile_limits, &output);
        let sources = self.words.sources();
        let names_a_source = sources
            .filter_map(|source| source.file_name()?.to_str())
            .any(|name| output.contains(name));
        // Other commands would break the same limit, after the same time.
        let is_final = breach != Verdict::RuntimeError;
        Ok(BuildFailure {
            is_certain: !is_final
                && matches!(run.exit, Exit::Code(_))
                && names_a_source
                && !may_be_of_machine(&output),
            is_final,
            failure: PrepareFailure::Refused(SubmissionRefusal {
                reason: reason.into(),
                output: output.into(),
            }),
        })
    }

    /// Returns a fault if the compiler, with the output `said`, may have failed because
    /// something has removed its files, or because the disk is full.
    fn fault_of_machine(&self, said: &str) -> Result<(), Fault> {
        let folder = self.words.folder;
        let doing = format!("compiling in {}", folder.display());
        // Not its files: a compiler that runs code of the source may remove those,
        // which must not hide that the source does not compile.
        if folder
            .symlink_metadata()
            .is_err_and(|error| error.kind() == NotFound)
        {
            let cause = "the folder of the program was removed while it was compiled";
            return Err(Fault::because(doing, cause).with_remedy(
                "let nothing else remove files there, or set TMPDIR to a folder where nothing \
                 does",
            ));
        }
        let cause = match (self.disk)(
            folder,
            said,
            self.language.compile_limits.output_bytes,
        ) {
            None => return Ok(()),
            Some(Blame::Doubtful(_))
                if !self.is_known_good && self.known_good_compiles() =>
            {
                return Ok(());
            }
            Some(Blame::Sure(cause) | Blame::Doubtful(cause)) => cause,
        };
        Err(Fault::because(doing, cause).with_remedy(
            "make room there, or set TMPDIR to a folder on another disk",
        ))
    }

    /// Whether the language's known-good source compiles on the same disk at this
    /// moment. `false` if there is no such source, or if anything fails.
    pub(crate) fn known_good_compiles(&self) -> bool {
        self.with_known_good(self.words.standard, |attempt| attempt.compile())
    }

    /// Whether an attempt with the language's known-good source succeeds. `false` if
    /// there is no such source, or if anything fails.
    fn with_known_good(
        &self,
        standard: Option<&str>,
        try_out: impl FnOnce(&mut Build<'_>) -> Result<(), BuildFailure>,
    ) -> bool {
        let made = self.words.folder.parent().and_then(|beside| {
            let folder = BuildFolder::make(beside).ok()?;
            // Under the name that the compiler expects.
            let name = self.language.source.clone();
            let name =
                name.unwrap_or_else(|| known_good_submission(self.language).name);
            let source = folder.path().join(name);
            write_readable(&source, self.language.known_good.as_ref()?).ok()?;
            Some((folder, source))
        });
        let Some((folder, source)) = made else {
            return false;
        };
        let words = PlaceholderValues {
            source: &source,
            start_class: None,
            others: &[],
            piece: 0,
            folder: folder.path(),
            standard,
            ..*self.words
        };
        let attempt = Build::new(self.toolchain, &words, self.sandbox);
        try_out(&mut Build {
            disk: self.disk,
            is_known_good: true,
            ..attempt
        })
        .is_ok()
    }
}

/// The number of files and folders below a folder, by which new files of a compiler are
/// noticed.
fn entries_of(folder: &Path) -> usize {
    walkdir::WalkDir::new(folder).into_iter().count()
}

// The known-good source of a language: its name, and how it is written to the folder in
// which it is compiled.

/// The known-good source as a submission whose path is just its name.
pub(super) fn known_good_submission(language: &Language) -> Submission {
    let ending = language
        .extensions
        .first()
        .map_or("txt", |ending| ending.as_str());
    let name = format!("known-good.{ending}");
    Submission {
        path: name.as_str().into(),
        name,
        real: None,
        expected: None,
    }
}

/// Writes a file that every user may read, whatever the judge's umask is.
pub(super) fn write_readable(path: &Path, text: &str) -> io::Result<()> {
    fs::write(path, text)?;
    set_mode(path, 0o644)
}

#[cfg(test)]
mod tests;
