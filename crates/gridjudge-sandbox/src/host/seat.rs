//! One side of an interaction: its launcher, its streams, and how it ended. Knows one
//! launcher; knows nothing of the other side. Start at [`Seat::begin`].

use std::time::Duration;

use crate::host::launcher_handle::{
    Attempt, LauncherAnswer, LauncherHandle, SILENCE_TIMEOUT,
};
use crate::host::relay::Relay;
use crate::host::std_streams::StdStreams;
use crate::machine::run_look::{PipeNumbers, RunLook};
use crate::protocol::RunReport;
use crate::{Fault, Interaction, Limits, Party};

/// The launcher's wall limit for either run, as a multiple of the sum of both wall
/// limits. The judge normally ends the runs long before that.
const BACKSTOP_FACTOR: u32 = 20;

/// One side of an interaction.
pub(super) struct Seat<'a> {
    pub(super) handle: &'a mut LauncherHandle,
    pub(super) party: Party<'a>,
    pub(super) streams: StdStreams,
    /// `None` while it lasts.
    pub(super) end: Option<LauncherAnswer>,
    pipes: PipeNumbers,
    /// The relay that brings the other side's output; `None` if a pipe connects the two
    /// directly.
    relay: Option<&'a Relay>,
}

impl<'a> Seat<'a> {
    /// Asks the launcher for the run. If the request fails, the seat ends at once with
    /// the reason. `relay` brings the other side's output. The judge enforces the wall
    /// limit; the launcher gets a multiple of `backstop` instead.
    pub(super) fn begin(
        handle: &'a mut LauncherHandle,
        party: Party<'a>,
        streams: StdStreams,
        relay: Option<&'a Relay>,
        backstop: Duration,
    ) -> Self {
        let limits = Limits {
            wall: backstop.saturating_mul(BACKSTOP_FACTOR),
            ..party.limits.clone()
        };
        Self {
            end: handle.send(party.launch, &limits, &streams, true),
            pipes: streams.pipe_numbers(),
            handle,
            party,
            streams,
            relay,
        }
    }

    /// Reads the launcher's answer, which has arrived.
    pub(super) fn receive(&mut self) {
        let mut end = self.handle.answer(self.party.launch, SILENCE_TIMEOUT);
        if let Ok(Attempt::Finished(report)) = &mut end {
            // It may have waited for the other side.
            report.usage.idled_by_itself = false;
        }
        self.end = Some(end);
    }

    /// Ends a seat whose launcher does not answer.
    pub(super) fn give_up(&mut self) {
        if self.end.is_none() {
            self.end = Some(Err(self.handle.give_up(self.party.launch)));
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

    /// The launcher's report, if there was a run and it has ended.
    pub(super) fn report(&self) -> Option<RunReport> {
        match self.end {
            Some(Ok(Attempt::Finished(report))) => Some(report),
            _ => None,
        }
    }

    /// Whether it exited with code 0 and within its limits, as far as the launcher can
    /// tell.
    pub(super) fn ended_well(&self) -> bool {
        self.report().is_some_and(|report| report.exit.is_clean())
            && self.kept_limits()
    }

    /// Whether it ended within its limits, as far as the launcher can tell.
    pub(super) fn kept_limits(&self) -> bool {
        let limits = self.party.limits;
        self.report().is_some_and(|report| {
            !report.out_of_memory
                && report.usage.cpu <= limits.cpu
                && report.usage.peak_memory_bytes <= limits.memory_bytes
        })
    }
}

// The result of an interaction. Knows how either run can end; starts nothing.

/// Finds out why an interaction did not produce two runs. It is lost if a launcher died
/// when the interactor may have started.
pub(super) fn failure(
    ends: [Option<LauncherAnswer>; 2],
) -> Result<Attempt<Interaction>, Fault> {
    let mut worst = Ok(match &ends[1] {
        Some(Ok(Attempt::NotRun)) => Attempt::NotRun,
        _ => Attempt::Lost(Fault::because(
            "running a submission",
            "its launcher ended before it began",
        )),
    });
    for end in ends.into_iter().flatten() {
        match end {
            Ok(Attempt::Lost(fault)) => return Ok(Attempt::Lost(fault)),
            Err(fault) => worst = Err(fault),
            Ok(Attempt::Finished(_) | Attempt::Doubtful(_) | Attempt::NotRun) => {}
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
            Ok(Attempt::NotRun) => "not run",
            Ok(Attempt::Lost(_)) => "lost",
            Err(_) => "failed",
            Ok(Attempt::Finished(_) | Attempt::Doubtful(_)) => "finished",
        };
        assert_eq!(
            outcome([Some(Ok(Attempt::NotRun)), Some(Ok(Attempt::NotRun))]),
            "not run"
        );
        assert_eq!(outcome([Some(Ok(Attempt::NotRun)), None]), "lost");
        assert_eq!(
            outcome([Some(Ok(Attempt::Lost(fault()))), Some(Ok(Attempt::NotRun))]),
            "lost"
        );
        assert_eq!(
            outcome([Some(Err(fault())), Some(Ok(Attempt::NotRun))]),
            "failed"
        );
    }
}
