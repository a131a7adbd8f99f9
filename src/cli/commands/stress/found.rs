//! Shows a failing input, and writes it to its folder. Runs nothing.

use std::path::Path;

use crate::authoring::stress::{FailureNote, InputOutcome};
use crate::cli::args::GlobalOptions;
use crate::cli::commands::stress::args::StressArgs;
use crate::cli::commands::stress::request::StressRequest;
use crate::cli::commands::stress::show;
use crate::cli::commands::stress::words::CommandWords;
use crate::cli::exit::CommandError;
use crate::cli::screen;
use crate::compile;
use crate::text::{counted, printable};
use gridjudge_sandbox::Fault;

/// A failing input, with everything that is shown about it.
pub(super) struct FoundFailure<'a> {
    /// Its number among the random inputs; `None` for the input of `--input`.
    pub(super) number: Option<u64>,
    pub(super) input: &'a [u8],
    pub(super) answer: &'a [u8],
    pub(super) outcome: &'a InputOutcome,
    /// The size of the input, in words.
    pub(super) size: &'a str,
    /// Further remarks, a sentence each.
    pub(super) remarks: &'a [String],
    /// The folder that the submission was compiled in.
    pub(super) program_folder: &'a Path,
    /// Whether the input is written to a folder: not if it is just the file of `--input`.
    pub(super) is_written: bool,
}

/// Shows a failing input, and writes it to its folder.
pub(super) fn report(
    found: &FoundFailure<'_>,
    request: &StressRequest,
    stress: &StressArgs,
    common: &GlobalOptions,
) -> Result<(), CommandError> {
    let StressRequest {
        entry,
        against,
        place,
        ..
    } = request;
    let other = against
        .as_ref()
        .map(|other| printable(&other.submission.name));
    let words = CommandWords {
        stress,
        common,
        request,
    };
    let note = FailureNote {
        problem: &entry.problem.id,
        submission: &printable(&entry.submission.name),
        against: other.as_deref(),
        origin: &printable(&words.origin(found.number)),
        size: found.size,
        outcome: found.outcome,
        remarks: found.remarks,
        limits: &entry.limits(),
        command: "",
        search: &words.search(found.number),
    };
    let stderr = compile::without_folder(found.program_folder, &found.outcome.trial.stderr_tail);
    show::failure(
        &note,
        found.input,
        &entry.program_source().with_own_name(&stderr),
    )?;
    if !found.is_written {
        return Ok(());
    }
    let folder = place.fill(found.input, found.answer, |case| {
        show::page(&FailureNote {
            command: &words.repeat(case),
            ..note
        })
    })?;
    Ok(screen::result(format_args!(
        "\nwritten to {}",
        printable(&folder.to_string_lossy())
    ))?)
}

/// How many random inputs were run, and on how many of them both programs fail alike.
pub(super) struct SearchExtent {
    pub(super) inputs: u64,
    pub(super) alike: u64,
}

/// Reports that no failure was found: on the random inputs of `extent` or, if `None`, on the input
/// of `--input`.
pub(super) fn report_nothing(
    extent: Option<SearchExtent>,
    request: &StressRequest,
    was_interrupted: bool,
) -> Result<(), Fault> {
    let what = if request.against.is_some() {
        "difference"
    } else {
        "failure"
    };
    let end = if was_interrupted { "; interrupted" } else { "" };
    let Some(SearchExtent { inputs, alike }) = extent else {
        return screen::sentence(format_args!("no {what} on this input{end}"));
    };
    let seed = request.seed;
    screen::sentence(format_args!(
        "no {what} in {} of seed {seed}{end}",
        counted(inputs, "input")
    ))?;
    if alike > 0 {
        screen::sentence(format_args!("on {alike} of them both programs fail alike"))?;
    }
    Ok(())
}
