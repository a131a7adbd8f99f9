//! Notices that a program was removed while it was judged, as by a job that cleans the folder for
//! temporary files. Knows nothing of what a run means.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::model::{CheckerProgram, Program, Trial, Verdict};
use gridjudge_sandbox::Fault;

/// The command of a program, and what it must be able to read: first of all its own folder.
pub(super) type ProgramFiles<'a> = (&'a [String], &'a [PathBuf]);

/// Returns a trial, unless it is not accepted and one of the programs is gone: a program that is
/// missing, or misses some of its files, fails for a reason that is not its own.
///
/// # Errors
/// Returns a [`Fault`] if a program is gone.
pub(super) fn unless_removed(
    trial: Trial,
    submission: Option<ProgramFiles<'_>>,
    checker: Option<&CheckerProgram>,
) -> Result<Trial, Fault> {
    if trial.verdict == Verdict::Accepted {
        return Ok(trial);
    }
    let all_checkers = std::iter::successors(checker, |checker| checker.final_checker.as_deref());
    let of_checkers = all_checkers.map(
        |CheckerProgram {
             program: Program {
                 command, readable, ..
             },
             ..
         }| { (command.as_slice(), readable.as_slice()) },
    );
    match submission.into_iter().chain(of_checkers).find_map(missing) {
        Some(path) => Err(Fault::because(
            format!("running a program in {}", path.display()),
            "the folder of the program, or a file in it, was removed while it was judged",
        )
        .with_remedy(
            "let nothing else remove files there, or set TMPDIR to a folder where nothing does",
        )),
        None => Ok(trial),
    }
}

/// The folder of a program, or a file in it that its command names, if it is gone.
fn missing<'a>((command, readable): ProgramFiles<'a>) -> Option<&'a Path> {
    let folder = readable.first()?;
    // Words with these characters are lists or patterns, as in a path of classes.
    let named = command
        .iter()
        .filter(|word| !word.contains(['*', ':']))
        .map(Path::new)
        .filter(|word| word.starts_with(folder));
    [folder.as_path()].into_iter().chain(named).find(|path| {
        path.symlink_metadata()
            .is_err_and(|error| error.kind() == ErrorKind::NotFound)
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use gridjudge_sandbox::{Exit, Usage};

    #[test]
    fn a_trial_that_is_not_accepted_is_a_fault_if_its_program_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let main = folder.path().join("main.py");
        fs::write(&main, "").unwrap();
        let command = ["/runtime".to_owned(), main.display().to_string()];
        let readable = [folder.path().to_owned()];
        let judged = |verdict| {
            let trial = Trial::new(verdict, Exit::Code(1), Usage::default());
            unless_removed(trial, Some((&command, &readable)), None)
        };
        assert_eq!(
            judged(Verdict::RuntimeError).unwrap().verdict,
            Verdict::RuntimeError
        );
        fs::remove_file(&main).unwrap();
        assert_eq!(
            judged(Verdict::Accepted).unwrap().verdict,
            Verdict::Accepted
        );
        for verdict in [Verdict::RuntimeError, Verdict::WrongAnswer] {
            assert!(
                judged(verdict)
                    .unwrap_err()
                    .cause
                    .contains("was removed while it was judged")
            );
        }
    }
}
