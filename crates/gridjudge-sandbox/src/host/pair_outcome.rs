//! The result of an interaction. Knows how either run can end; starts nothing.

use crate::Fault;
use crate::Interaction;
use crate::InteractionRequest;
use crate::confine::inherited;
use crate::host::seat::SeatEnd;

/// Returns the interaction unless a resource limit of the judge itself cut one of its runs short.
///
/// # Errors
/// Returns a [`Fault`] if one was cut short.
pub(super) fn whole(request: &InteractionRequest, found: Interaction) -> Result<Interaction, Fault> {
    let submission = inherited::fault_if_cut_short(found.submission, request.submission.limits)?;
    let interactor = inherited::fault_if_cut_short(found.interactor, request.interactor.limits)?;
    Ok(Interaction { submission, interactor, ..found })
}

/// The result of one attempt at an interaction.
pub(super) enum PairOutcome {
    Finished(Box<Interaction>),
    /// The submission must be measured again.
    Doubtful(Box<Interaction>),
    Failed(Fault),
    /// A launcher died.
    Lost(Fault),
    /// A launcher had died before it took its request.
    NotRun,
}

/// Finds out why an interaction did not produce two runs.
pub(super) fn failure(ends: [Option<SeatEnd>; 2]) -> PairOutcome {
    let mut worst = PairOutcome::NotRun;
    for end in ends.into_iter().flatten() {
        match end {
            SeatEnd::Died(fault) => return PairOutcome::Lost(fault),
            SeatEnd::Failed(fault) | SeatEnd::Unfit(fault) => worst = PairOutcome::Failed(fault),
            SeatEnd::Reported(_) | SeatEnd::NotTaken => {}
        }
    }
    worst
}
