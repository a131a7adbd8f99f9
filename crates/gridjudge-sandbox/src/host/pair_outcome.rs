//! What came of two runs that talk to each other. Knows how either can end; starts nothing.

use crate::Fault;
use crate::Interaction;
use crate::InteractionRequest;
use crate::confine::inherited;
use crate::host::seat::SeatEnd;

/// Two runs, unless a limit of the judge itself has cut one short.
///
/// # Errors
/// A [`Fault`] if it has.
pub(super) fn whole(request: &InteractionRequest, found: Interaction) -> Result<Interaction, Fault> {
    let submission = inherited::fault_if_cut_short(found.submission, request.submission.limits)?;
    let interactor = inherited::fault_if_cut_short(found.interactor, request.interactor.limits)?;
    Ok(Interaction { submission, interactor, ..found })
}

/// What came of two runs.
pub(super) enum PairOutcome {
    Finished(Box<Interaction>),
    /// The submission is to be measured again.
    Doubtful(Box<Interaction>),
    Failed(Fault),
    /// A launcher died.
    Lost(Fault),
    /// One had died before.
    NotRun,
}

/// Why there are no two runs.
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
