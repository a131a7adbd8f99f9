//! The result of an interaction. Knows how either run can end; starts nothing.

use crate::confine::inherited;
use crate::host::seat::SeatEnd;
use crate::{Fault, Interaction, InteractionRequest};

/// Returns the interaction unless a resource limit of the judge itself cut one of its runs short.
///
/// # Errors
/// Returns a [`Fault`] if one was cut short.
pub(super) fn whole(
    request: &InteractionRequest,
    found: Interaction,
) -> Result<Interaction, Fault> {
    let submission = inherited::fault_if_cut_short(found.submission, request.submission.limits)?;
    let interactor = inherited::fault_if_cut_short(found.interactor, request.interactor.limits)?;
    Ok(Interaction {
        submission,
        interactor,
        ..found
    })
}

/// The result of one attempt at an interaction.
pub(super) enum PairOutcome {
    Finished(Box<Interaction>),
    Failed(Fault),
    /// A launcher died when the interactor may have started.
    Lost(Fault),
    /// The interactor was not started.
    NotRun,
}

/// Finds out why an interaction did not produce two runs.
pub(super) fn failure(ends: [Option<SeatEnd>; 2]) -> PairOutcome {
    let mut worst = match &ends[1] {
        Some(SeatEnd::NotTaken) => PairOutcome::NotRun,
        _ => PairOutcome::Lost(Fault::because(
            "running a submission",
            "its launcher ended before it began",
        )),
    };
    for end in ends.into_iter().flatten() {
        match end {
            SeatEnd::Died(fault) => return PairOutcome::Lost(fault),
            SeatEnd::Failed(fault) | SeatEnd::Unfit(fault) => worst = PairOutcome::Failed(fault),
            SeatEnd::Reported(_) | SeatEnd::NotTaken => {}
        }
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interaction_is_repeated_only_if_its_interactor_was_not_started() {
        let fault = || Fault::because("running", "died");
        let outcome = |ends| match failure(ends) {
            PairOutcome::NotRun => "not run",
            PairOutcome::Lost(_) => "lost",
            PairOutcome::Failed(_) => "failed",
            PairOutcome::Finished(_) => "finished",
        };
        assert_eq!(
            outcome([Some(SeatEnd::NotTaken), Some(SeatEnd::NotTaken)]),
            "not run"
        );
        assert_eq!(outcome([Some(SeatEnd::NotTaken), None]), "lost");
        assert_eq!(
            outcome([Some(SeatEnd::Died(fault())), Some(SeatEnd::NotTaken)]),
            "lost"
        );
        assert_eq!(
            outcome([Some(SeatEnd::Failed(fault())), Some(SeatEnd::NotTaken)]),
            "failed"
        );
    }
}
