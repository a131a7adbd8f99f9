//! Has a program of the problem, or of its author, write an input. It runs in the sandbox as checkers do: whatever it does but
//! end with 0 is a fault that names its command.

use std::fs::File;
use std::io;
use std::io::Read;
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

/// Writes what a generator prints to a new file.
///
/// # Errors
/// A [`Fault`] if it does not end with 0, or the judge itself failed. `command` is what it is called there.
pub fn generate_input(
    program: &CheckerProgram,
    arguments: &[String],
    limits: &Limits,
    command: &str,
    input: &Path,
    sandbox: &dyn Sandbox,
) -> Result<(), Fault> {
    let failed = |error| Fault::new(format!("generating an input by `{command}`"), error);
    let folder = CallFolder::claim(&program.scratch).map_err(failed)?;
    let launch = Launch {
        command: [&program.program.command, arguments].concat(),
        environment: program.program.environment.clone(),
        input: Input::Empty,
        readable: program.program.readable.clone(),
        role: Role::Checker { folder: folder.path().to_owned() },
    };
    let mut run = sandbox.run(&launch, limits)?;
    if let Some(cause) = failure(&run, limits) {
        let remedy = "run it by hand with these arguments, and mend it, or the arguments";
        return Err(Fault::because(format!("generating an input by `{command}`"), cause).with_remedy(remedy));
    }
    let mut file = File::create_new(input).map_err(failed)?;
    io::copy(&mut run.stdout.by_ref(), &mut file).map(drop).map_err(failed)
}

/// How a run has failed, in words; nothing if it has not.
fn failure(run: &Run, limits: &Limits) -> Option<String> {
    let verdict = model::breach(run, limits)?;
    let said = last_words(&[], &run.stderr_tail);
    Some(match (verdict, &run.exit) {
        (Verdict::RuntimeError, Exit::Code(code)) => format!("it ended with exit code {code}{said}"),
        (Verdict::RuntimeError, exit) => format!("it ended with {exit}{said}"),
        (limit, _) => format!("it broke its own limit: {} ({}){said}", limit.code(), limit.meaning()),
    })
}
