//! One run as a launcher has to make it, and how it ended. Knows the request and its
//! streams; starts nothing.

use std::cell::RefCell;
use std::fs::File;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;
use std::time::Instant;

use crate::launcher::run_watch::RunWatch;
use crate::protocol::{RunReport, RunRequest};
use crate::rootfs::scratch_folder;
use crate::{Fault, protocol};

/// The size of a page, or of several; a multiple of every page size.
const PAGE_BYTES: u64 = 64 << 10;

/// One run, as a launcher has to make it.
pub(super) struct Assignment<'a> {
    pub(super) request: &'a RunRequest<'a>,
    /// Standard input, output and error; once a wired run has begun, only the last.
    pub(super) streams: RefCell<Vec<OwnedFd>>,
    /// The files given to it in its scratch folder, and the file that its output file
    /// is copied to.
    pub(super) scratch: ScratchTransfer,
    pub(super) judge: &'a OwnedFd,
    /// The folder of the programs that the judge has compiled from submissions.
    pub(super) programs: &'a Path,
    /// How many processors it may use at once.
    pub(super) processors: u32,
}

/// The descriptors through which a run's scratch folder is filled and its output file
/// returned.
#[derive(Default)]
pub(super) struct ScratchTransfer {
    given: Option<File>,
    output: Option<File>,
}

impl ScratchTransfer {
    /// Takes them from the end of the descriptors that came with a request, after the
    /// streams.
    pub(super) fn split_from(streams: &mut Vec<OwnedFd>, request: &RunRequest) -> Self {
        let mut more = streams
            .drain(protocol::STREAMS.min(streams.len())..)
            .map(File::from);
        let given = if request.given.is_empty() {
            None
        } else {
            more.next()
        };
        Self {
            given,
            output: if request.output.is_some() {
                more.next()
            } else {
                None
            },
        }
    }
}

impl Assignment<'_> {
    /// The bytes that given files take up in its scratch folder, in whole pages.
    pub(super) fn given_bytes(&self) -> u64 {
        self.request
            .given
            .iter()
            .map(|file| file.bytes.next_multiple_of(PAGE_BYTES))
            .sum()
    }

    /// Puts the given files into its scratch folder, which belongs to this user
    /// (`None`: our own).
    pub(super) fn fill(
        &self,
        scratch: BorrowedFd,
        owner: Option<u32>,
    ) -> Result<(), Fault> {
        let request = self.request;
        if request.role.folder().is_some()
            && (!request.given.is_empty() || request.output.is_some())
        {
            return Err(
                self.refused("only a submission has a scratch folder".to_owned())
            );
        }
        let Some(bundle) = &self.scratch.given else {
            return Ok(());
        };
        let put = scratch_folder::put(scratch, bundle, &request.given, owner);
        put.map_err(Fault::during("putting files into the folder of a run"))
    }

    /// Returns the same end, after copying the run's output file from its scratch
    /// folder, if it was to write one.
    pub(super) fn with_output(
        &self,
        end: RunEnd,
        scratch: BorrowedFd,
    ) -> Result<RunEnd, Fault> {
        let RunEnd::Reported(report) = &end else {
            return Ok(end);
        };
        let Some(output) = &self.request.output else {
            return Ok(end);
        };
        let Some(mut copy) = self.scratch.output.as_ref() else {
            return Ok(end);
        };
        let taken = scratch_folder::take_output(
            scratch,
            output,
            self.request.limits.output_bytes,
            &mut copy,
        );
        let missing_output = taken.map_err(|error| {
            Fault::new(format!("taking `{output}` from the folder of a run"), error)
        })?;
        Ok(RunEnd::Reported(RunReport {
            missing_output,
            ..*report
        }))
    }

    /// The watch over this run.
    pub(super) fn watch<'a>(
        &'a self,
        ended: BorrowedFd<'a>,
        start: Instant,
    ) -> RunWatch<'a> {
        let judge = self.judge;
        let limits = &*self.request.limits;
        let processors = self.processors;
        RunWatch {
            ended,
            judge,
            limits,
            start,
            processors,
        }
    }

    /// A fault for a launch that cannot be carried out.
    pub(super) fn refused(&self, cause: String) -> Fault {
        Fault::because(
            format!(
                "starting `{}`",
                protocol::shown_command(&self.request.command)
            ),
            cause,
        )
    }

    /// The size of the program's own file; 0 if that belongs to the machine, like a
    /// runtime.
    pub(super) fn own_file_bytes(&self) -> u64 {
        let program = Path::new(&self.request.command[0]);
        let is_own = program.starts_with(self.programs);
        if is_own {
            program.metadata().map_or(0, |file| file.len())
        } else {
            0
        }
    }

    /// Closes this process's copies of pipes to another run, now that the run has its
    /// own: the reader of a pipe must see its end as soon as the run has closed it.
    pub(super) fn leave_pipes_to_run(&self) {
        if self.request.wired {
            self.streams.borrow_mut().drain(..protocol::STREAMS - 1);
        }
    }

    /// The memory that the run's output takes.
    pub(super) fn output_bytes(&self) -> u64 {
        let streams = self.streams.borrow();
        let ([_, output, errors] | [output @ errors]) = &streams[..] else {
            return 0;
        };
        let found = (rustix::fs::fstat(output), rustix::fs::fstat(errors));
        let (Ok(output), Ok(errors)) = found else {
            return 0;
        };
        // A tool's standard error goes to its standard output.
        let is_one = (output.st_dev, output.st_ino) == (errors.st_dev, errors.st_ino);
        let blocks = output.st_blocks + if is_one { 0 } else { errors.st_blocks };
        blocks as u64 * 512
    }
}

/// How a run ended. In all cases except the last, none of its processes lives.
pub(super) enum RunEnd {
    Reported(RunReport),
    /// The judge is gone.
    Abandoned,
    /// A process could not be killed.
    Unkillable,
}
