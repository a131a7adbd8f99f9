//! One run as a launcher has to make it, and how it was brought to its end. Knows the request and its streams; starts
//! nothing.

use std::cell::RefCell;
use std::os::fd::BorrowedFd;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::Instant;

use crate::Fault;
use crate::launcher::run_watch::RunWatch;
use crate::protocol;
use crate::protocol::RunReport;
use crate::protocol::RunRequest;

/// One run, as a launcher has to make it.
pub(super) struct Assignment<'a> {
    pub(super) request: &'a RunRequest<'a>,
    /// Standard input, output and error; of a wired run that has begun, the last.
    pub(super) streams: RefCell<Vec<OwnedFd>>,
    pub(super) judge: &'a OwnedFd,
    /// Where programs are that the judge has made of submissions.
    pub(super) programs: &'a Path,
    /// How many processors it may use at once.
    pub(super) processors: u32,
}

impl Assignment<'_> {
    /// A watch over it.
    pub(super) fn watch<'a>(&'a self, ended: BorrowedFd<'a>, start: Instant) -> RunWatch<'a> {
        let (judge, limits, processors) = (self.judge, &*self.request.limits, self.processors);
        RunWatch { ended, judge, limits, start, processors }
    }

    /// A launch that makes no sense.
    pub(super) fn refused(&self, cause: String) -> Fault {
        Fault::because(format!("starting `{}`", protocol::shown(&self.request.command)), cause)
    }

    /// How large the program's own file is, unless that belongs to the machine, as a runtime does.
    pub(super) fn own_file_bytes(&self) -> u64 {
        let program = Path::new(&self.request.command[0]);
        let is_own = program.starts_with(self.programs);
        if is_own { program.metadata().map_or(0, |file| file.len()) } else { 0 }
    }

    /// Closes this process's copies of pipes to another run, now that the run has its own: who reads from one is to meet its end
    /// as soon as the run has closed it.
    pub(super) fn leave_pipes_to_run(&self) {
        if self.request.wired {
            self.streams.borrow_mut().drain(..protocol::STREAMS - 1);
        }
    }

    /// Memory that the run's output takes.
    pub(super) fn output_bytes(&self) -> u64 {
        let streams = self.streams.borrow();
        let ([_, output, errors] | [output @ errors]) = &streams[..] else { return 0 };
        let found = (rustix::fs::fstat(output), rustix::fs::fstat(errors));
        let (Ok(output), Ok(errors)) = found else { return 0 };
        // A tool's errors go where its output goes.
        let is_one = (output.st_dev, output.st_ino) == (errors.st_dev, errors.st_ino);
        let blocks = output.st_blocks + if is_one { 0 } else { errors.st_blocks };
        blocks as u64 * 512
    }
}

/// How a run was brought to its end. In all cases but the last nothing of it lives.
pub(super) enum RunEnd {
    Reported(RunReport),
    /// The judge is gone, or wants the run to be over.
    Abandoned,
    /// Something could not be killed.
    Unkillable,
}
