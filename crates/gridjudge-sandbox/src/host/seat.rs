//! One side of two runs that talk to each other: its launcher, its streams, and how it ended. Knows one launcher; knows nothing
//! of the other side. Start at [`Seat::begin`].

use std::io;
use std::time::Duration;

use crate::Fault;
use crate::Limits;
use crate::Party;
use crate::host::launcher_handle::LauncherHandle;
use crate::host::launcher_handle::SILENCE_TIMEOUT;
use crate::host::relay::Relay;
use crate::host::std_streams::StdStreams;
use crate::machine::run_look::PipeNumbers;
use crate::machine::run_look::RunLook;
use crate::protocol;
use crate::protocol::RunReply;
use crate::protocol::RunReport;

/// The most that two runs may take together, in what both may by the wall clock. It is the judge that ends them before.
const BACKSTOP_FACTOR: u32 = 20;

/// One side.
pub(super) struct Seat<'a> {
    pub(super) handle: &'a mut LauncherHandle,
    pub(super) party: Party<'a>,
    pub(super) streams: StdStreams,
    /// None while it lasts.
    pub(super) end: Option<SeatEnd>,
    pipes: PipeNumbers,
    /// What brings the other side's words, if anything stands between.
    relay: Option<&'a Relay>,
}

/// How one side ended.
pub(super) enum SeatEnd {
    Reported(RunReport),
    /// There was no run; the launcher is fit for another.
    Failed(Fault),
    /// The launcher is to be replaced.
    Unfit(Fault),
    /// The launcher died in the middle of the run.
    Died(Fault),
    /// It had died before that.
    NotTaken,
}

impl<'a> Seat<'a> {
    /// Asks for the run. What keeps it from being made is its end. Its wall limit is not the launcher's affair, which has a
    /// multiple of `backstop` for one.
    pub(super) fn begin(
        handle: &'a mut LauncherHandle,
        party: Party<'a>,
        streams: StdStreams,
        pipes: PipeNumbers,
        backstop: Duration,
    ) -> Self {
        let limits = Limits { wall: backstop.saturating_mul(BACKSTOP_FACTOR), ..party.limits.clone() };
        let end = match handle.send(party.launch, &limits, &streams, true) {
            Ok(()) => None,
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                Some(SeatEnd::Failed(Fault::new(doing(party), error)))
            }
            Err(_) => Some(SeatEnd::NotTaken),
        };
        Self { handle, party, streams, end, pipes, relay: None }
    }

    /// The same where a relay brings what the other side writes.
    pub(super) fn fed_by(self, relay: Option<&'a Relay>) -> Self {
        Self { relay, ..self }
    }

    /// Takes the launcher's answer, which is there.
    pub(super) fn receive(&mut self) {
        let doing = doing(self.party);
        let end = match self.handle.reply(SILENCE_TIMEOUT) {
            Ok(Some(RunReply { outcome, fit: true })) => match outcome {
                Ok(report) => SeatEnd::Reported(report),
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

    /// Gives up a launcher that does not answer.
    pub(super) fn give_up(&mut self) {
        if self.end.is_none() {
            let fault = Fault::because(doing(self.party), "the launcher does not answer");
            self.end = Some(SeatEnd::Unfit(fault));
        }
    }

    /// What its processes do, unless it has ended.
    pub(super) fn look(&self) -> Option<RunLook> {
        self.end.is_none().then(|| RunLook::at(self.handle.process_id(), self.pipes))
    }

    /// Bytes that were written for it and that nobody has read yet.
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

    /// What it came to, if that was a run.
    pub(super) fn report(&self) -> Option<RunReport> {
        match self.end {
            Some(SeatEnd::Reported(report)) => Some(report),
            _ => None,
        }
    }

    /// Whether it ended well and within its limits, as far as the launcher can tell.
    pub(super) fn ended_well(&self) -> bool {
        let limits = self.party.limits;
        self.report().is_some_and(|RunReport { exit, usage, out_of_memory, .. }| {
            exit.is_clean()
                && !out_of_memory
                && usage.cpu <= limits.cpu
                && usage.peak_memory_bytes <= limits.memory_bytes
        })
    }
}

fn doing(party: Party<'_>) -> String {
    format!("running `{}`", protocol::shown(&party.launch.command))
}
