//! The request for an interaction (two runs that are connected to each other) and its results.
//! Plain figures; whether they break a limit is for the caller to decide.

use std::time::Duration;

use crate::{Launch, Limits, Run};

/// One of the two programs of an interaction. The standard input of its launch is ignored.
#[derive(Clone, Copy, Debug)]
pub struct Party<'a> {
    /// The program to start.
    pub launch: &'a Launch,
    /// The limits of its run.
    pub limits: &'a Limits,
}

/// A request for an interaction.
#[derive(Clone, Copy)]
pub struct InteractionRequest<'a> {
    /// The program under test.
    pub submission: Party<'a>,
    /// The program that it is connected to.
    pub interactor: Party<'a>,
    /// Whether the submission may continue to its own end after the interactor has exited with this
    /// code and this end of its standard error, as in [`Run::stderr_tail`].
    pub lets_finish: &'a dyn Fn(i32, &[u8]) -> bool,
    /// Receives all that both sides write. `None` if nothing listens; with a listener all bytes go
    /// through the judge, which takes several times as long.
    pub listener: Option<&'a dyn InteractionListener>,
}

/// Receives the bytes that two runs exchange. Called from two threads.
pub trait InteractionListener: Sync {
    /// An interaction begins. Anything received before belongs to an attempt that does not count.
    fn begin(&self);

    /// One side has written these bytes, at this time after the start.
    fn receive(&self, by: Side, at: Duration, bytes: &[u8]);
}

/// One of the two sides of an interaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The program under test.
    Submission,
    /// The program that it is connected to.
    Interactor,
}

/// Why an interaction was ended although both runs kept their own limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stall {
    /// Each side waited for input from the other, and no bytes were in transit.
    BothWait,
    /// It was the submission's turn, and it was past its wall limit.
    SubmissionsTurn,
    /// It was the interactor's turn, and the sum of both wall limits had passed.
    InteractorsTurn,
}

/// Two finished runs, where the standard output of each was the other's standard input.
#[derive(Debug)]
pub struct Interaction {
    /// The submission's run. Its standard output went to the interactor; `stdout_bytes` counts only
    /// what it wrote after the interactor had ended. Its wall time is that of both.
    pub submission: Run,
    /// The interactor's run. Its standard output went to the submission.
    pub interactor: Run,
    /// The side that ended first: the interactor, if it ended without having seen the end of the
    /// submission's output. If the submission ended well and within its limits, this may be either
    /// side: then neither caused the other to fail.
    pub first: Side,
    /// Why the judge ended the two runs; `None` if they ended by themselves or one broke its own
    /// limits.
    pub stall: Option<Stall>,
    /// The bytes that the submission had written, to the interactor and elsewhere, as seen in one
    /// of a few samples: it may have written more.
    pub written: u64,
}
