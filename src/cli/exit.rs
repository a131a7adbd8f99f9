//! The results and errors of commands, and their exit codes. Uses no other file of the command
//! line, so that all of them can use this one.

use gridjudge_sandbox::Fault;

use crate::spec::{Mistake, Mistakes};

/// The exit code of a process that a signal interrupted, as shells report it.
pub(crate) const INTERRUPTED: u8 = 130;

/// The result of a command that ran to its end. Of several results, the last in this order counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CommandOutcome {
    AsExpected,
    Surprising,
    /// There are mistakes in files, beside which everything else was done.
    Mistaken,
    Failed,
    Interrupted,
}

impl CommandOutcome {
    /// This outcome if it applies, otherwise [`Self::AsExpected`].
    pub(crate) fn when(self, applies: bool) -> Self {
        if applies { self } else { Self::AsExpected }
    }

    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Self::AsExpected => 0,
            Self::Surprising => 1,
            Self::Mistaken => 2,
            Self::Failed => 3,
            Self::Interrupted => INTERRUPTED,
        }
    }
}

/// The reason why a command did not run to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    #[error(transparent)]
    Mistakes(#[from] Mistakes),
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// How a command ends.
pub(crate) type CommandResult = Result<CommandOutcome, CommandError>;

impl From<Mistake> for CommandError {
    fn from(mistake: Mistake) -> Self {
        Self::Mistakes(mistake.into())
    }
}

impl CommandError {
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Mistakes(_) => 2,
            Self::Fault(_) => 3,
        }
    }
}
