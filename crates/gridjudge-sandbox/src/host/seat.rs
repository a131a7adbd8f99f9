//! One side of an interaction: its launcher, its streams, and how it ended. Knows one
//! launcher; knows nothing of the other side. Start at [`Seat::begin`].

use std::io;
use std::time::Duration;

use crate::confine::inherited;
use crate::host::launcher_handle::{LauncherHandle, SILENCE_TIMEOUT};
use crate::host::relay::Relay;
use crate::host::std_streams::StdStreams;
use crate::machine::run_look::{PipeNumbers, RunLook};
use crate::protocol::{RunReply, RunReport};
use crate::{Fault, Interaction, InteractionRequest, Limits, Party, protocol};

/// The launcher's wall limit for either run, as a multiple of the sum of both wall
/// limits. The judge normally ends the runs long before that.
const BACKSTOP_FACTOR: u32 = 20;

/// One side of an interaction.
pub(super) struct Seat<'a> {
    pub(super) handle: &'a mut LauncherHandle,
    pub(super) party: Party<'a>,
    pub(super) streams: StdStreams,
    /// `None` while it lasts.
    pub(super) end: Option<SeatEnd>,
    pipes: PipeNumbers,
    /// The relay that brings the other side's output; `None` if a pipe connects the two
    /// directly.
    relay: Option<&'a Relay>,
}

/// How one side ended.
pub(super) enum SeatEnd {
    Reported(RunReport),
    /// There was no run; the launcher can take another.
    Failed(Fault),
    /// The launcher must be replaced.
    Unfit(Fault),
    /// The launcher died in the middle of the run.
    Died(Fault),
    /// The launcher had died before it took the request.
    NotTaken,
}

impl<'a> Seat<'a> {
    /// Asks the launcher for the run. If the request fails, the seat ends at once with
    /// the reason. The judge enforces the wall limit; the launcher gets a multiple of
    /// `backstop` instead.
    pub(super) fn begin(
        handle: &'a mut LauncherHandle,
        party: Party<'a>,
        streams: StdStreams,
        pipes: PipeNumbers,
        backstop: Duration,
    ) -> Self {
        let limits = Limits {
            wall: backstop.saturating_mul(BACKSTOP_FACTOR),
            ..party.limits.clone()
        };
        let end = match handle.send(party.launch, &limits, &streams, true) {
            Ok(()) => None,
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                Some(SeatEnd::Failed(Fault::new(doing(party), error)))
            }
            Err(_) => Some(SeatEnd::NotTaken),
        };
        Self {
            handle,
            party,
            streams,
            end,
            pipes,
            relay: None,
        }
    }

    /// Sets the relay that brings the other side's output.
    pub(super) fn fed_by(self, relay: Option<&'a Relay>) -> Self {
        Self { relay, ..self }
    }

    /// Reads the launcher's answer, which has arrived.
    pub(super) fn receive(&mut self) {
        let doing = doing(self.party);
        let end = match self.handle.reply(SILENCE_TIMEOUT) {
            Ok(Some(RunReply { outcome, fit: true })) => match outcome {
                Ok(mut report) => {
                    // It may have waited for the other side.
                    report.usage.idled_by_itself = false;
                    SeatEnd::Reported(report)
                }
                Err(fault) => SeatEnd::Failed(fault),
            },
            Ok(Some(RunReply { outcome, .. })) => {
                let gave_up = Fault::because(doing, "the launcher gave up after it");
                SeatEnd::Unfit(outcome.err().unwrap_or(gave_up))
            }
            Ok(None) => SeatEnd::Died(Fault::because(doing, self.handle.ending())),
            Err(error) => SeatEnd::Unfit(Fault::new(doing, error)),
        };
        self.end = Some(end);
    }

    /// Ends a seat whose launcher does not answer.
    pub(super) fn give_up(&mut self) {
        if self.end.is_none() {
            let fault =
                Fault::because(doing(self.party), "the launcher does not answer");
            self.end = Some(SeatEnd::Unfit(fault));
        }
    }

    /// Samples what its processes do; `None` if it has ended.
    pub(super) fn look(&self) -> Option<RunLook> {
        self.end
            .is_none()
            .then(|| RunLook::at(self.handle.process_id(), self.pipes))
    }

    /// Bytes that the other side has written and that this side has not read yet.
    pub(super) fn unread(&self) -> u64 {
        let pipe = self.streams.input();
        match self.relay {
            Some(relay) => relay.unread(pipe),
            None => rustix::io::ioctl_fionread(pipe).unwrap_or(0),
        }
    }

    /// Whether its launcher can take another run.
    pub(super) fn is_fit(&self) -> bool {
        matches!(self.end, Some(SeatEnd::Reported(_) | SeatEnd::Failed(_)))
    }

    /// The launcher's report, if there was a run and it has ended.
    pub(super) fn report(&self) -> Option<RunReport> {
        match self.end {
            Some(SeatEnd::Reported(report)) => Some(report),
            _ => None,
        }
    }

    /// Whether it exited with code 0 and within its limits, as far as the launcher can
    /// tell.
    pub(super) fn ended_well(&self) -> bool {
        self.report().is_some_and(|report| report.exit.is_clean()) && self.kept_limits()
    }

    /// Whether it ended within its limits, as far as the launcher can tell.
    pub(super) fn kept_limits(&self) -> bool {
        let limits = self.party.limits;
        self.report().is_some_and(
            |RunReport {
                 usage,
                 out_of_memory,
                 ..
             }| {
                !out_of_memory
                    && usage.cpu <= limits.cpu
                    && usage.peak_memory_bytes <= limits.memory_bytes
            },
        )
    }
}

fn doing(party: Party<'_>) -> String {
    format!(
        "running `{}`",
        protocol::shown_command(&party.launch.command)
    )
}

// The result of an interaction. Knows how either run can end; starts nothing.

/// Returns the interaction unless a resource limit of the judge itself cut one of its
/// runs short.
///
/// # Errors
/// Returns a [`Fault`] if one was cut short.
pub(super) fn whole(
    request: &InteractionRequest,
    found: Interaction,
) -> Result<Interaction, Fault> {
    let submission =
        inherited::fault_if_cut_short(found.submission, request.submission.limits)?;
    let interactor =
        inherited::fault_if_cut_short(found.interactor, request.interactor.limits)?;
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
            SeatEnd::Failed(fault) | SeatEnd::Unfit(fault) => {
                worst = PairOutcome::Failed(fault)
            }
            SeatEnd::Reported(_) | SeatEnd::NotTaken => {}
        }
    }
    worst
}

#[cfg(test)]
mod pair_outcome_tests {
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
