//! Two runs that talk to each other: what is asked for, and what was seen. Figures without an opinion.

use std::time::Duration;

use crate::Launch;
use crate::Limits;
use crate::Run;

/// One of two programs that are to talk to each other. What its launch says of standard input means nothing.
#[derive(Clone, Copy, Debug)]
pub struct Party<'a> {
    /// What to start.
    pub launch: &'a Launch,
    /// What it may use.
    pub limits: &'a Limits,
}

/// Two runs that are asked for.
#[derive(Clone, Copy)]
pub struct InteractionRequest<'a> {
    /// The program under test.
    pub submission: Party<'a>,
    /// The program which it talks to.
    pub interactor: Party<'a>,
    /// The code with which the interactor lets the submission go on.
    pub goes_on: i32,
    /// Who is to hear what they say, if anybody: then all goes through the judge, and takes several times as long.
    pub listener: Option<&'a dyn TalkListener>,
}

/// Hears what two runs say to each other. It is told by two threads.
pub trait TalkListener: Sync {
    /// A talk begins. What was heard before was of one that does not count.
    fn begin(&self);

    /// One side has written these bytes, so long after the start.
    fn hear(&self, by: Side, at: Duration, bytes: &[u8]);
}

/// Whose run it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// That of the program under test.
    Submission,
    /// That of the program which it talks to.
    Interactor,
}

/// Why two runs were ended, though each had kept its own limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stall {
    /// Each waited for words of the other, and nothing was on its way.
    BothWait,
    /// The submission was past its wall limit, and it was its turn.
    SubmissionOwes,
    /// It was the interactor's turn, and it was past its wall limit and the submission's together.
    InteractorOwes,
}

/// Two finished runs, standard output of each having been the other's standard input.
#[derive(Debug)]
pub struct Interaction {
    /// Its standard output has gone to the interactor; what is counted of it is what came after that had ended. Its wall time is
    /// that of both.
    pub submission: Run,
    /// Its standard output has gone to the submission.
    pub interactor: Run,
    /// Which ended first: the interactor, if it did so without having seen the end of what the submission wrote. Beside a
    /// submission that ended well and within its limits, it may be either: then neither has failed the other.
    pub first: Side,
    /// Why they were ended, if they did not end by themselves and each kept its own limits.
    pub stall: Option<Stall>,
    /// Bytes that the submission was seen to have written, to the interactor and elsewhere, at one of a few looks: it may
    /// have written more.
    pub written: u64,
}
