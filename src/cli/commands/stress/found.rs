//! Tells of an input that fails, and writes it to its folder. Runs nothing.

use std::path::Path;

use crate::authoring::stress::FailureNote;
use crate::authoring::stress::InputOutcome;
use crate::cli::args::GlobalOptions;
use crate::cli::commands::stress::args::StressArgs;
use crate::cli::commands::stress::request::StressRequest;
use crate::cli::commands::stress::show;
use crate::cli::commands::stress::words::CommandWords;
use crate::cli::exit::CommandError;
use crate::cli::screen;
use crate::text::counted;
use crate::text::printable;
use gridjudge_sandbox::Fault;

/// An input that fails, with all that is told of it.
pub(super) struct FoundFailure<'a> {
    /// Its number among the random ones; none for one that was brought.
    pub(super) number: Option<u64>,
    pub(super) input: &'a [u8],
    pub(super) answer: &'a [u8],
    pub(super) outcome: &'a InputOutcome,
    /// How large it is, in words.
    pub(super) size: &'a str,
    /// What else is to be said, a sentence each.
    pub(super) remarks: &'a [String],
    /// The folder that the submission was made in.
    pub(super) program_folder: &'a Path,
    /// Whether it is worth a folder: not if it is there already.
    pub(super) is_kept: bool,
}

/// Shows a failing input, and writes it to its folder.
pub(super) fn tell(
    found: &FoundFailure<'_>,
    request: &StressRequest,
    stress: &StressArgs,
    common: &GlobalOptions,
) -> Result<(), CommandError> {
    let StressRequest { entry, against, place, .. } = request;
    let other = against.as_ref().map(|other| printable(&other.submission.name));
    let words = CommandWords { stress, common, request };
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
    show::failure(&note, found.input, found.program_folder)?;
    if !found.is_kept {
        return Ok(());
    }
    let page = |case: &Path| show::page(&FailureNote { command: &words.repeat(case), ..note });
    let folder = place.fill(found.input, found.answer, page)?;
    Ok(screen::result(format_args!("\nwritten to {}", printable(&folder.to_string_lossy())))?)
}

/// How many random inputs were run, and on how many of them two programs fail alike.
pub(super) struct SearchExtent {
    pub(super) inputs: u64,
    pub(super) alike: u64,
}

/// Says that nothing was found; without an extent, on the input that was brought.
pub(super) fn tell_nothing(extent: Option<SearchExtent>, request: &StressRequest) -> Result<(), Fault> {
    let what = if request.against.is_some() { "difference" } else { "failure" };
    let Some(SearchExtent { inputs, alike }) = extent else {
        return screen::sentence(format_args!("no {what} on this input"));
    };
    let seed = request.seed;
    screen::sentence(format_args!("no {what} in {} of seed {seed}", counted(inputs, "input")))?;
    if alike > 0 {
        screen::sentence(format_args!("on {alike} of them both programs fail alike"))?;
    }
    Ok(())
}
