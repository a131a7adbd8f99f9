//! Asks an input validator of a package whether an input is valid. It reads the input on standard
//! input, and ends with 42 (0 with testlib) if it is. A crash or a broken limit is reported as
//! such, not as a fault: no submission depends on it.

use std::fs::{File, Permissions};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::{fs, io};

use gridjudge_sandbox::{
    Exit, Fault, Input, Launch, Limits, Role, Sandbox, ScratchFiles, again_if_lost,
};

use crate::checker::{CallFolder, last_words};
use crate::model;
use crate::model::{CheckerProgram, CheckerProtocol, ExitAnswer, SourceFile, Verdict};

/// The most bytes of a program's output that are read.
const MOST_PRINTED: u64 = 64 * 1024;

/// The opinion of a program about an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputOpinion {
    /// The input is valid.
    Valid,
    /// The input is invalid: how the program ended, and its last line of output.
    Refused(String),
    /// The program crashed or broke a limit.
    Failed(String),
}

/// Asks a program about an input. The files in `beside`, its own and those of the case, are copied
/// to its working folder. They must not collide.
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
    let (_folder, mut run) = again_if_lost(|| {
        let folder = CallFolder::claim(&program.scratch).map_err(failed)?;
        beside
            .iter()
            .try_for_each(|file| put(file, folder.path()))
            .map_err(failed)?;
        let launch = Launch {
            command: [&program.program.command, arguments].concat(),
            environment: program.program.environment.clone(),
            input: Input::CopyOf(input.to_owned()),
            readable: program.program.readable.clone(),
            role: Role::Checker {
                folder: folder.path().to_owned(),
            },
            scratch: ScratchFiles::default(),
        };
        let run = sandbox.run(&launch, limits)?;
        Ok((folder, run))
    })?;
    let mut printed = Vec::new();
    run.stdout
        .by_ref()
        .take(MOST_PRINTED)
        .read_to_end(&mut printed)
        .map_err(failed)?;
    let breach = model::verdict_of_breach(&run, limits);
    let said = last_words(&printed, &run.stderr_tail);
    Ok(opinion(run.exit, breach, protocol, &said))
}

/// Interprets how a program ended. `said` is its last line of output, for the message.
fn opinion(
    exit: Exit,
    breach: Option<Verdict>,
    protocol: CheckerProtocol,
    said: &str,
) -> InputOpinion {
    let rules = protocol.rules();
    match (exit, breach) {
        (Exit::Code(code), None | Some(Verdict::RuntimeError))
            if (rules.answer)(code) == Some(ExitAnswer::Right) =>
        {
            InputOpinion::Valid
        }
        (Exit::Code(code), None | Some(Verdict::RuntimeError)) => {
            InputOpinion::Refused(format!("exit code {code}{said}"))
        }
        (exit, None | Some(Verdict::RuntimeError)) => {
            InputOpinion::Failed(format!("it ended with {exit}{said}"))
        }
        (_, Some(limit)) => {
            // Only in the Kattis format can a package set these limits.
            let key = if rules.is_of_packages {
                ", `validation_*`"
            } else {
                ""
            };
            InputOpinion::Failed(format!(
                "it broke its own limit ({}{key}){said}",
                limit.code()
            ))
        }
    }
}

/// Copies a file to a program's working folder, with its permission to be executed, readable by
/// every user: the program may run as any of them.
fn put(file: &SourceFile, folder: &Path) -> io::Result<()> {
    let copy = folder.join(&file.name);
    for parent in copy
        .ancestors()
        .skip(1)
        .take_while(|parent| *parent != folder)
        .collect::<Vec<_>>()
        .iter()
        .rev()
    {
        if !parent.exists() {
            fs::create_dir(parent)?;
            fs::set_permissions(parent, Permissions::from_mode(0o755))?;
        }
    }
    let mut original = File::open(&file.path)?;
    let is_executable = original.metadata()?.permissions().mode() & 0o111 != 0;
    io::copy(&mut original, &mut File::create_new(&copy)?)?;
    fs::set_permissions(
        &copy,
        Permissions::from_mode(if is_executable { 0o755 } else { 0o644 }),
    )
}
