//! Has a program of the problem, or of its author, write inputs. It runs in the sandbox as checkers do: whatever it does but end with
//! 0 and leave what is wanted is a fault that names its command.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::checker::call_folder::CallFolder;
use crate::checker::last_words::last_words;
use crate::model;
use crate::model::CheckerProgram;
use crate::model::Verdict;
use gridjudge_sandbox::Exit;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Input;
use gridjudge_sandbox::Launch;
use gridjudge_sandbox::Limits;
use gridjudge_sandbox::Role;
use gridjudge_sandbox::Run;
use gridjudge_sandbox::Sandbox;
use gridjudge_sandbox::ScratchFiles;

/// One call of a generator.
pub struct GeneratorCall<'a> {
    /// The generator.
    pub program: &'a CheckerProgram,
    /// What it is given.
    pub arguments: &'a [String],
    /// What it may use.
    pub limits: &'a Limits,
    /// What is being done, as a fault tells it.
    pub doing: String,
}

/// An input that a call makes.
pub struct WantedInput<'a> {
    /// The file that the generator leaves it in, in the folder that it works in; none for what it prints.
    pub left_as: Option<&'a str>,
    /// Where it is kept.
    pub file: &'a mut File,
}

impl GeneratorCall<'_> {
    /// Writes what the generator prints to a new file.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn write_to(&self, input: &Path, sandbox: &dyn Sandbox) -> Result<(), Fault> {
        let mut file = File::create_new(input).map_err(|error| Fault::new(&self.doing, error))?;
        self.write(&mut [WantedInput { left_as: None, file: &mut file }], sandbox)
    }

    /// Runs the generator once, and writes all that is wanted of it.
    ///
    /// # Errors
    /// A [`Fault`] if it does not end with 0, leaves less or more than is wanted, or the judge itself failed.
    pub fn write(&self, wanted: &mut [WantedInput<'_>], sandbox: &dyn Sandbox) -> Result<(), Fault> {
        let failed = |error| Fault::new(&self.doing, error);
        let folder = CallFolder::claim(&self.program.scratch).map_err(failed)?;
        let launch = Launch {
            command: [&self.program.program.command, self.arguments].concat(),
            environment: self.program.program.environment.clone(),
            input: Input::Empty,
            readable: self.program.program.readable.clone(),
            role: Role::Checker { folder: folder.path().to_owned() },
            scratch: ScratchFiles::default(),
        };
        let mut run = sandbox.run(&launch, self.limits)?;
        if let Some(cause) = failure(&run, self.limits) {
            return Err(self.fault(cause));
        }
        let mut most = self.limits.output_bytes;
        for WantedInput { left_as, file } in wanted {
            match left_as {
                None => _ = io::copy(&mut run.stdout, file).map_err(failed)?,
                Some(name) => {
                    let mut left = left_file(&folder, name, &mut most).map_err(|cause| self.fault(cause))?;
                    io::copy(&mut left, file).map_err(failed)?;
                }
            }
        }
        Ok(())
    }

    fn fault(&self, cause: String) -> Fault {
        let remedy = "run it by hand with these arguments, and mend it, or the arguments";
        Fault::because(&self.doing, cause).with_remedy(remedy)
    }
}

/// How a run has failed, in words; nothing if it has not.
fn failure(run: &Run, limits: &Limits) -> Option<String> {
    let verdict = model::breach(run, limits)?;
    let said = last_words(&[], &run.stderr_tail);
    Some(match (verdict, &run.exit) {
        (Verdict::RuntimeError, _) if run.usage.wall > limits.wall => {
            let (wall, cpu) = (limits.wall.as_secs(), run.usage.cpu.as_secs());
            format!("it was stopped after {wall} s, of which a busy machine had let it run for {cpu} s{said}")
        }
        (Verdict::RuntimeError, Exit::Code(code)) => format!("it ended with exit code {code}{said}"),
        (Verdict::RuntimeError, exit) => format!("it ended with {exit}{said}"),
        (limit, _) => format!("it broke its own limit: {} ({}){said}", limit.code(), limit.meaning()),
    })
}

/// The file that a generator has left under a name, if it has at most so many bytes, of which fewer are left for the next then.
fn left_file(folder: &CallFolder, name: &str, most: &mut u64) -> Result<File, String> {
    let unreadable = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => format!("it wrote no file `{name}`"),
        _ => format!("the file `{name}` that it wrote cannot be read: {error}"),
    };
    let file = folder.open(name).map_err(unreadable)?;
    let found = file.metadata().map_err(unreadable)?;
    if !found.is_file() {
        return Err(format!("what it left as `{name}` is no regular file"));
    }
    *most =
        most.checked_sub(found.len()).ok_or("the files that it wrote have more bytes than it may print")?;
    Ok(file)
}
