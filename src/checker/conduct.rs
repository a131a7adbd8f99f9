//! Converts the run of a checker or interactor into its answer, or into a fault that names limit,
//! case and command. Starts nothing.

use gridjudge_sandbox::{DiskSpace, Exit, Fault, Limits, Run};
use rustix::process::Signal;

use crate::checker::{CheckerCall, answer, case_files};
use crate::model;
use crate::model::{Case, CheckerTask, Findings, JudgingProgramKind, Verdict};

/// Where the limits of a checker are set, for messages.
pub(super) const LIMITS_PLACE: &str = "[task.limits], or `validation_*` of a package";

/// The answer of a checker that ran with these limits, or in words why there is none.
pub(super) fn answer_of(
    task: &CheckerTask,
    run: &Run,
    limits: &Limits,
    call: &CheckerCall,
    printed: &str,
) -> Result<Findings, String> {
    let errors = String::from_utf8_lossy(&run.stderr_tail);
    match broken_limit(run, limits) {
        Some(limit) => Err(format!("it broke its own {limit} ({LIMITS_PLACE})")),
        None if answer::is_exception(task.protocol.rules(), run.exit, call, &errors) => {
            Err(format!(
                "{}, by an exception that it did not expect",
                answer::ending(run.exit)
            ))
        }
        None => answer::findings_of(task, run.exit, call, printed),
    }
}

/// The limit that a checker broke, in words. A bad exit breaks no limit, unless the signal says
/// that a file grew too large.
fn broken_limit(run: &Run, limits: &Limits) -> Option<&'static str> {
    match model::verdict_of_breach(run, limits)? {
        Verdict::RuntimeError if run.exit == Exit::Signal(Signal::XFSZ.as_raw()) => {
            Some("output limit")
        }
        Verdict::TimeLimit => Some("time limit"),
        Verdict::IdleLimit => Some("wall limit"),
        Verdict::MemoryLimit => Some("memory limit"),
        Verdict::OutputLimit => Some("output limit"),
        Verdict::RuntimeError
        | Verdict::Accepted
        | Verdict::WrongAnswer
        | Verdict::PresentationError
        | Verdict::CompileError
        | Verdict::Skipped => None,
    }
}

/// Returns a fault if the disk with the folder of a call is full, or if the folder is gone: the
/// files that the checker left there may be incomplete or missing, so its answer does not count,
/// whatever it is.
pub(super) fn fault_if_disk_is_full(
    task: &CheckerTask,
    case: &Case,
    call: &CheckerCall,
) -> Result<(), Fault> {
    let left = DiskSpace::of(call.place()).map_err(|error| Fault::new(doing(task, case), error))?;
    if !left.is_full() {
        return Ok(());
    }
    let place = call.place().parent().unwrap_or(call.place()).display();
    Err(Fault::because(
        doing(task, case),
        format!("the disk of {place}, where it writes its files, is full"),
    )
    .with_remedy("make room there, or set TMPDIR to a folder on another disk"))
}

/// Describes the call, for faults.
pub(super) fn doing(task: &CheckerTask, case: &Case) -> String {
    format!(
        "running the {} {} on {}",
        task.kind.name(),
        task.source.display(),
        case.name
    )
}

/// The fault of a checker that gave no valid answer, with its last line of output and the command
/// to repeat it.
pub(super) fn fault(task: &CheckerTask, case: &Case, cause: &str, printed: &str) -> Fault {
    let last = printed
        .lines()
        .rev()
        .map(str::trim)
        .find(|line| !line.is_empty());
    let last = last.map(|last| last.chars().take(answer::LONGEST_LINE).collect::<String>());
    let cause = last.map_or_else(
        || cause.to_owned(),
        |last| format!("{cause}; it said: {last}"),
    );
    let kind = task.kind.name();
    let command = case_files::shown(task, case);
    let with = match task.kind {
        JudgingProgramKind::Checker | JudgingProgramKind::Grader => {
            ", with what the submission prints for OUTPUT"
        }
        JudgingProgramKind::FinalChecker => {
            ", with what the interactor writes to its output file for OUTPUT"
        }
        JudgingProgramKind::StaticValidator => "",
        JudgingProgramKind::Interactor => {
            ", with its standard input and output joined to those of the submission"
        }
    };
    let place = if task.sees_submission {
        ", in a folder with the files of the submission, where it must not write; FEEDBACK/ is for \
         that"
    } else {
        ""
    };
    Fault::because(doing(task, case), cause).with_remedy(format!(
        "fix the {kind}; to repeat it, compile it and run `{command}`{with}{place}"
    ))
}
