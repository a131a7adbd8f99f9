//! Runs the programs of a problem that concern its inputs, in the sandbox as checkers
//! run. A generator writes inputs; unless it ends with 0 and leaves the wanted inputs,
//! the result is a fault that names its command. An input validator reads an input on
//! standard input, and ends with 42 (0 with testlib) if it is valid; a crash or a
//! broken limit is reported as such, not as a fault, because no submission depends on
//! it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use gridjudge_sandbox::{
    Exit, Fault, Input, Limits, Run, Sandbox, again_if_lost, make_folders_above,
    set_mode,
};

use crate::checker::{CallFolder, last_words};
use crate::model::{
    self, CheckerProgram, CheckerProtocol, ExitAnswer, SourceFile, Verdict,
};

/// The most bytes of a standard error that are read to quote its end.
const MOST_QUOTED: u64 = 1 << 12;

/// One call of a generator.
pub struct GeneratorCall<'a> {
    /// The generator.
    pub program: &'a CheckerProgram,
    /// Its arguments.
    pub arguments: &'a [String],
    /// Its standard input; `None` for an empty one.
    pub stdin: Option<&'a Path>,
    /// The file in its working folder that gets its standard error, which is otherwise
    /// only quoted; `None` for none.
    pub stderr_as: Option<&'a str>,
    /// The limits of its run.
    pub limits: &'a Limits,
    /// A description of the call, for faults.
    pub doing: String,
}

/// An input that a call must produce.
pub struct WantedInput<'a> {
    /// The name of the file that the generator writes it to, in its working folder;
    /// `None` for its standard output.
    pub left_as: Option<&'a str>,
    /// The file to copy it to.
    pub file: &'a mut File,
}

impl GeneratorCall<'_> {
    /// Writes what the generator prints to a new file.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn write_to(&self, input: &Path, sandbox: &dyn Sandbox) -> Result<(), Fault> {
        let mut file = File::create_new(input)
            .map_err(|error| Fault::new(&self.doing, error))?;
        self.write(
            &mut [WantedInput {
                left_as: None,
                file: &mut file,
            }],
            sandbox,
        )
    }

    /// Runs the generator once, and copies all wanted inputs.
    ///
    /// # Errors
    /// Returns a [`Fault`] if it does not end with 0, does not write a wanted file, or
    /// writes too many bytes, or if the judge itself failed.
    pub fn write(
        &self,
        wanted: &mut [WantedInput<'_>],
        sandbox: &dyn Sandbox,
    ) -> Result<(), Fault> {
        let failed = |error| Fault::new(&self.doing, error);
        let (folder, mut run) = again_if_lost(|| self.run(sandbox))?;
        if let Some(cause) = failure(&run, &self.said(&folder, &run), self.limits) {
            return Err(self.fault(cause));
        }
        // All files together may have as many bytes as it may print.
        let mut most = self.limits.output_bytes;
        for WantedInput { left_as, file } in wanted {
            match left_as {
                None => _ = io::copy(&mut run.stdout, file).map_err(failed)?,
                Some(name) => {
                    let left = folder.left(name).and_then(|left| {
                        let (file, bytes) = left
                            .ok_or_else(|| format!("it wrote no file `{name}`"))?;
                        most = most.checked_sub(bytes).ok_or(
                            "the files that it wrote have more bytes than it may print",
                        )?;
                        Ok(file)
                    });
                    let mut left = left.map_err(|cause| self.fault(cause))?;
                    io::copy(&mut left, file).map_err(failed)?;
                }
            }
        }
        Ok(())
    }

    /// Runs the generator in a folder of its own.
    fn run(&self, sandbox: &dyn Sandbox) -> Result<(CallFolder, Run), Fault> {
        let folder = CallFolder::claim(&self.program.scratch)
            .map_err(|error| Fault::new(&self.doing, error))?;
        let input = self
            .stdin
            .map_or(Input::Empty, |file| Input::CopyOf(file.to_owned()));
        let mut launch = folder.launch(&self.program.program, self.arguments, input);
        if let Some(name) = self.stderr_as {
            let script = format!("exec \"$@\" 2>{name}");
            let shell = ["/bin/sh", "-c", &script, "sh"].map(str::to_owned);
            launch.command.splice(0..0, shell);
        }
        let run = sandbox.run(&launch, self.limits)?;
        Ok((folder, run))
    }

    /// The end of what it wrote to its standard error.
    fn said(&self, folder: &CallFolder, run: &Run) -> Vec<u8> {
        let Some(name) = self.stderr_as else {
            return run.stderr_tail.clone();
        };
        let mut said = vec![];
        // What cannot be read is not quoted.
        if let Ok(Some((mut file, bytes))) = folder.left(name) {
            let start = SeekFrom::Start(bytes.saturating_sub(MOST_QUOTED));
            if file.seek(start).is_ok() {
                let _ = file.take(MOST_QUOTED).read_to_end(&mut said);
            }
        }
        said
    }

    fn fault(&self, cause: String) -> Fault {
        let remedy =
            "run it by hand with these arguments, and fix it, or the arguments";
        Fault::because(&self.doing, cause).with_remedy(remedy)
    }
}

/// Describes how a run has failed; `None` if it has not.
fn failure(run: &Run, said: &[u8], limits: &Limits) -> Option<String> {
    let verdict = model::verdict_of_breach(run, limits)?;
    let said = last_words(&[], said);
    Some(match verdict {
        Verdict::RuntimeError if run.usage.wall > limits.wall => {
            let wall = limits.wall.as_secs();
            let cpu = run.usage.cpu.as_secs();
            format!(
                "it was stopped after {wall} s, of which a busy machine had let it run for {cpu} \
                 s{said}"
            )
        }
        Verdict::RuntimeError => format!("it ended with {}{said}", run.exit),
        limit => format!(
            "it broke its own limit: {} ({}){said}",
            limit.code(),
            limit.meaning()
        ),
    })
}

/// The most bytes of a program's output that are read.
const MOST_PRINTED: u64 = 64 * 1024;

/// The opinion of a program about an input.
#[derive(Debug)]
pub enum InputOpinion {
    /// The input is valid.
    Valid,
    /// The input is invalid: how the program ended, and its last line of output.
    Refused(String),
    /// The program crashed or broke a limit.
    Failed(String),
}

/// Asks a program about an input. The files in `beside`, its own and those of the case,
/// are copied to its working folder. They must not collide.
///
/// # Errors
/// Returns a [`Fault`] if the judge itself failed.
pub fn validate_input(
    program: &CheckerProgram,
    arguments: &[String],
    protocol: CheckerProtocol,
    limits: &Limits,
    input: &Path,
    beside: &[SourceFile],
    sandbox: &dyn Sandbox,
) -> Result<InputOpinion, Fault> {
    let failed = Fault::at("validating", input);
    let mut run = again_if_lost(|| {
        let folder = CallFolder::claim(&program.scratch).map_err(failed)?;
        beside
            .iter()
            .try_for_each(|file| put(file, &folder.path))
            .map_err(failed)?;
        let input = Input::CopyOf(input.to_owned());
        let launch = folder.launch(&program.program, arguments, input);
        sandbox.run(&launch, limits)
    })?;
    let printed = run.printed(MOST_PRINTED).map_err(failed)?;
    let said = last_words(&printed, &run.stderr_tail);
    let rules = protocol.rules();
    let broken_limit = model::verdict_of_breach(&run, limits)
        .filter(|breach| *breach != Verdict::RuntimeError);
    if let Some(limit) = broken_limit {
        // Only in the Kattis format can a package set these limits.
        let key = if rules.is_of_packages {
            ", `validation_*`"
        } else {
            ""
        };
        let code = limit.code();
        let cause = format!("it broke its own limit ({code}{key}){said}");
        return Ok(InputOpinion::Failed(cause));
    }
    let exit = run.exit;
    Ok(match exit {
        Exit::Code(code) if (rules.answer)(code) == Some(ExitAnswer::Right) => {
            InputOpinion::Valid
        }
        Exit::Code(_) => InputOpinion::Refused(format!("{exit}{said}")),
        Exit::Signal(_) => {
            InputOpinion::Failed(format!("it ended with {exit}{said}"))
        }
    })
}

/// Copies a file to a program's working folder, with its permission to be executed,
/// readable by every user: the program may run as any of them.
fn put(file: &SourceFile, folder: &Path) -> io::Result<()> {
    let copy = folder.join(&file.name);
    make_folders_above(&copy, folder)?;
    let mut original = File::open(&file.path)?;
    let is_executable = original.metadata()?.mode() & 0o111 != 0;
    io::copy(&mut original, &mut File::create_new(&copy)?)?;
    set_mode(&copy, if is_executable { 0o755 } else { 0o644 })
}
