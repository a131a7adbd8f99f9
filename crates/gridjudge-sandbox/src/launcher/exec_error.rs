//! Explains why a process could not be started, and whether that is the submission's
//! failure or a fault. Knows the steps of a start and files.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::fs::StatVfsMountFlags;
use rustix::io::Errno;

use crate::launcher::assignment::Assignment;
use crate::protocol::RunReport;
use crate::rootfs::executable::{self, ExecutableKind};
use crate::sys::{StartFailure, StartStep};
use crate::{Exit, Fault, Role, Usage};

/// The longest `#!` line that the kernel reads, in bytes.
const LONGEST_FIRST_LINE: u64 = 256;

/// The exit codes with which shells and `env` report a program that they cannot start:
/// it may not be executed, or it, or its interpreter, does not exist.
const CANNOT_EXECUTE: i32 = 126;
const CANNOT_START: i32 = 127;

/// Explains a first line that ends in a carriage return, where that keeps `env` from
/// finding the interpreter. Written to the run's standard error.
pub(super) fn explain_end(assignment: &Assignment, report: &RunReport) {
    let is_not_started =
        matches!(report.exit, Exit::Code(CANNOT_EXECUTE | CANNOT_START));
    let program = assignment.program();
    let is_submission = assignment.request.role == Role::Submission;
    // Of an interpreter without an argument, the kernel has said so already.
    if !is_not_started
        || !is_submission
        || !ends_in_return(program)
        || !has_argument(program)
    {
        return;
    }
    if let [.., errors] = &assignment.streams.borrow()[..] {
        let _ = rustix::io::write(errors, format!("{RETURN}\n").as_bytes());
    }
}

/// The result of a start that failed: a report if the submission's own file is not a
/// program that this machine can start, else a fault. With a report, the reason is
/// written to the run's standard error, as if the program had printed it.
pub(super) fn report_or_fault(
    (step, errno): StartFailure,
    assignment: &Assignment,
    folder: &Path,
) -> Result<RunReport, Fault> {
    let request = assignment.request;
    let program = assignment.program();
    let is_submission = request.role == Role::Submission;
    let is_own = request
        .readable
        .first()
        .is_some_and(|own| program.starts_with(own))
        && program.exists();
    let is_no_program = step == StartStep::Exec
        && (matches!(
            errno,
            Errno::NOENT | Errno::NOEXEC | Errno::LIBBAD | Errno::INVAL
        ) || is_about_another_file(errno, program));
    let fault = explain((step, errno), program, folder);
    match &assignment.streams.borrow()[..] {
        [.., errors] if is_submission && is_own && is_no_program => {
            let _ = rustix::io::write(
                errors,
                format!("it cannot be started: {}\n", fault.cause).as_bytes(),
            );
            let exit = Exit::Code(CANNOT_START);
            Ok(RunReport::of_usage(exit, Usage::default()))
        }
        _ => Err(fault),
    }
}

/// Whether the kernel refuses not the program, which is fine, but the loader or
/// interpreter that it names.
fn is_about_another_file(errno: Errno, program: &Path) -> bool {
    let is_such = matches!(
        errno,
        Errno::ACCESS
            | Errno::NOTDIR
            | Errno::NAMETOOLONG
            | Errno::LOOP
            | Errno::ISDIR
            | Errno::NXIO
            | Errno::NODEV
            // The loader's file is too short.
            | Errno::IO
    );
    is_such && loader_or_interpreter(program).is_some() && may_be_executed(program)
}

/// Whether a file and its file system allow it to be executed, and it can be read to
/// its end.
fn may_be_executed(program: &Path) -> bool {
    let is_executable = program.metadata().is_ok_and(|found| {
        found.is_file() && found.permissions().mode() & 0o111 != 0
    });
    is_executable
        && !rustix::fs::statvfs(program)
            .is_ok_and(|system| system.f_flag.contains(StatVfsMountFlags::NOEXEC))
        && File::open(program)
            .is_ok_and(|mut program| io::copy(&mut program, &mut io::sink()).is_ok())
}

/// The loader or interpreter that a program names, and which of these it is.
fn loader_or_interpreter(program: &Path) -> Option<(&'static str, String)> {
    match executable::kind_of(program) {
        // An empty name makes the kernel try to execute the working folder.
        ExecutableKind::Script => {
            Some(("interpreter", interpreter(program).unwrap_or_default()))
        }
        ExecutableKind::LoadedBy(loader) => {
            Some(("loader", loader.to_string_lossy().into_owned()))
        }
        ExecutableKind::Static | ExecutableKind::Unknown => None,
    }
}

/// Turns a failed start into a fault that names the file, with a remedy where one is
/// known.
fn explain((step, errno): StartFailure, program: &Path, folder: &Path) -> Fault {
    let program_text = program.display();
    let doing = match step {
        StartStep::Exec => format!("starting `{program_text}`"),
        StartStep::Clone | StartStep::PidNamespace => {
            format!("making a process for `{program_text}`")
        }
        StartStep::Streams => format!("connecting the streams of `{program_text}`"),
        StartStep::Namespaces => format!("moving `{program_text}` into its root"),
        StartStep::Limits => format!("setting the limits of `{program_text}`"),
        StartStep::Folder => {
            format!("entering {} for `{program_text}`", folder.display())
        }
        StartStep::User => format!("changing the user for `{program_text}`"),
        StartStep::Landlock => format!("confining `{program_text}` by Landlock"),
        StartStep::Filter => {
            format!("filtering the system calls of `{program_text}`")
        }
    };
    match (step, errno) {
        (StartStep::Exec, errno) => explain_exec(doing, errno, program),
        (StartStep::User, _) => Fault::new(doing, errno).with_remedy(
            "run the judge as an ordinary user, or give its container CAP_SETUID and CAP_SETGID",
        ),
        (StartStep::Clone, Errno::AGAIN) => Fault::new(doing, errno)
            .with_remedy("raise the limit on processes of the judge's user or container"),
        _ => Fault::new(doing, errno),
    }
}

fn explain_exec(doing: String, errno: Errno, program: &Path) -> Fault {
    match errno {
        Errno::NOENT if !program.exists() => Fault::because(doing, "there is no such file")
            .with_remedy("install it, or correct the path of the command"),
        Errno::NOENT if ends_in_return(program) => Fault::because(doing, RETURN)
            .with_remedy("convert its line ends, as with `sed -i 's/\\r$//' FILE`"),
        Errno::NOENT => match interpreter(program) {
            Some(interpreter) => Fault::because(
                doing,
                format!("its interpreter `{interpreter}` does not exist"),
            )
            .with_remedy("install the interpreter, or correct the script's first line"),
            None => Fault::because(
                doing,
                "the loader or a library it was linked for does not exist",
            )
            .with_remedy("build it on this system, or statically"),
        },
        _ if is_about_another_file(errno, program) => {
            let (kind, name) = loader_or_interpreter(program).unwrap_or_default();
            if name.is_empty() {
                return Fault::because(doing, "its first line names no interpreter");
            }
            Fault::because(
                doing,
                format!("its {kind} `{name}` cannot be used: {errno}"),
            )
        }
        Errno::ACCESS => Fault::because(doing, "permission denied").with_remedy(
            "it must be executable, in folders that every user may pass, and not on a file system \
             mounted `noexec`",
        ),
        Errno::NOEXEC => Fault::because(doing, "it is not an executable of this machine")
            .with_remedy("a script needs a first line like `#!/usr/bin/python3`"),
        _ => Fault::new(doing, errno),
    }
}

/// What is wrong with a script from Windows.
const RETURN: &str = "its first line ends in a carriage return (`\\r`), which would belong to the \
                      name of the interpreter";

/// The interpreter that the `#!` line names, if there is one.
fn interpreter(program: &Path) -> Option<String> {
    interpreter_in(&first_line(program)?)
}

/// Whether a program is a script whose first line ends in a carriage return.
fn ends_in_return(program: &Path) -> bool {
    first_line(program)
        .is_some_and(|line| line.starts_with(b"#!") && line.ends_with(b"\r\n"))
}

/// Whether the first line of a script gives its interpreter an argument.
fn has_argument(program: &Path) -> bool {
    first_line(program).is_some_and(|line| {
        let words = line
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty() && *word != b"#!");
        words.count() > 1
    })
}

fn first_line(program: &Path) -> Option<Vec<u8>> {
    let mut line = vec![];
    let start = executable::open_executable(program)?.take(LONGEST_FIRST_LINE);
    BufReader::new(start).read_until(b'\n', &mut line).ok()?;
    Some(line)
}

fn interpreter_in(line: &[u8]) -> Option<String> {
    let name = line
        .strip_prefix(b"#!")?
        .split(|byte| byte.is_ascii_whitespace() || *byte == 0)
        .find(|word| !word.is_empty())?;
    Some(String::from_utf8_lossy(name).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_line_that_ends_in_a_carriage_return_is_told_from_one_without() {
        let place = tempfile::tempdir().unwrap();
        let program = place.path().join("program");
        for (text, ends) in [
            ("#!/bin/sh\r\n", true),
            ("#!/bin/sh\n", false),
            ("echo\r\n", false),
            ("", false),
        ] {
            std::fs::write(&program, text).unwrap();
            assert_eq!(ends_in_return(&program), ends, "{text:?}");
        }
    }

    #[test]
    fn the_interpreter_is_the_first_word_after_the_mark() {
        assert_eq!(
            interpreter_in(b"#! /bin/no such\n").as_deref(),
            Some("/bin/no")
        );
        assert_eq!(interpreter_in(b"#!/bin/sh").as_deref(), Some("/bin/sh"));
        assert_eq!(interpreter_in(b"#!\n"), None);
        assert_eq!(interpreter_in(b"\x7fELF"), None);
    }
}
