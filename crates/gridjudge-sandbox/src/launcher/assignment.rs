//! One run as a launcher has to make it, and how it ended. Knows the request and its
//! streams; starts nothing.

use std::cell::RefCell;
use std::fs::File;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::protocol::{RunReport, RunRequest};
use crate::rootfs::scratch_folder;
use crate::{Fault, protocol};

/// If a process still lives after being killed for this long, it cannot be killed. A
/// killed thread needs a processor to end; one that has lowered its own priority may wait
/// many seconds for it on a busy machine. Less than the judge's `SILENCE_TIMEOUT`.
pub(super) const KILLING_TIMEOUT: Duration = Duration::from_secs(30);

/// The size of a page, or of several; a multiple of every page size.
const PAGE_BYTES: u64 = 64 << 10;

/// What all runs of one launcher share.
pub(super) struct LauncherSlot {
    pub(super) judge: OwnedFd,
    /// A folder in the private folder, which the last launcher removes if the judge is
    /// gone.
    pub(super) scratch: PathBuf,
    /// How many processors a run may use at once.
    pub(super) processors: u32,
}

/// One run, as a launcher has to make it.
pub(super) struct Assignment<'a> {
    pub(super) slot: &'a LauncherSlot,
    pub(super) request: &'a RunRequest,
    /// Standard input, output and error; once a wired run has begun, only the last.
    pub(super) streams: RefCell<Vec<OwnedFd>>,
    /// The files given to it in its scratch folder.
    given: Option<File>,
    /// The file that its output file is copied to.
    output: Option<File>,
}

impl<'a> Assignment<'a> {
    /// Divides the descriptors that came with a request: after the streams come those
    /// by which the scratch folder is filled and the output file returned.
    pub(super) fn new(
        slot: &'a LauncherSlot,
        request: &'a RunRequest,
        mut streams: Vec<OwnedFd>,
    ) -> Self {
        let more = streams.split_off(protocol::STREAMS.min(streams.len()));
        let mut more = more.into_iter().map(File::from);
        Self {
            slot,
            request,
            streams: RefCell::new(streams),
            given: request.given.first().and_then(|_| more.next()),
            output: request.output.as_ref().and_then(|_| more.next()),
        }
    }
    /// The program to start.
    pub(super) fn program(&self) -> &Path {
        Path::new(&self.request.command[0])
    }

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
            return Err(self.refused("only a submission has a scratch folder"));
        }
        let Some(bundle) = &self.given else {
            return Ok(());
        };
        let put = scratch_folder::put(scratch, bundle, &request.given, owner);
        put.map_err(Fault::during("putting files into the folder of a run"))
    }

    /// Returns the same report, after copying the run's output file from its scratch
    /// folder, if it was to write one.
    pub(super) fn with_output(
        &self,
        report: RunReport,
        scratch: BorrowedFd,
    ) -> Result<RunReport, Fault> {
        let asked = self.request.output.as_ref();
        let Some((output, copy)) = asked.zip(self.output.as_ref()) else {
            return Ok(report);
        };
        let most_bytes = self.request.limits.output_bytes;
        let taken = scratch_folder::take_output(scratch, output, most_bytes, copy);
        let missing_output = taken.map_err(|error| {
            Fault::new(format!("taking `{output}` from the folder of a run"), error)
        })?;
        Ok(RunReport {
            missing_output,
            ..report
        })
    }

    /// A fault for a launch that cannot be carried out.
    pub(super) fn refused(&self, cause: impl Into<String>) -> Fault {
        Fault::because(
            format!(
                "starting `{}`",
                protocol::shown_command(&self.request.command)
            ),
            cause,
        )
    }

    /// The size of the program's own file; 0 if the judge has not compiled it from a
    /// submission, because it belongs to the machine, like a runtime.
    pub(super) fn own_file_bytes(&self) -> u64 {
        let program = self.program();
        let is_own = self.slot.scratch.parent().is_some_and(|private| {
            program.starts_with(private.join(protocol::PROGRAMS_FOLDER))
        });
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

/// The way runs are isolated.
pub(super) trait Isolation {
    /// Starts a run and watches it until none of its processes lives.
    fn run(&mut self, assignment: &Assignment) -> Result<RunReport, RunFailure>;

    /// Prepares for the next run, after the reply has been sent.
    ///
    /// # Errors
    /// Returns an error if what the last run has left cannot be removed, or replaced.
    fn clear(&mut self) -> io::Result<()>;
}

/// Why there is no report on a run. In all cases except the last, none of its processes
/// lives.
pub(super) enum RunFailure {
    /// It could not be made.
    NotMade(Fault),
    /// The judge is gone.
    Abandoned,
    /// A process could not be killed.
    Unkillable,
}

impl From<Fault> for RunFailure {
    fn from(fault: Fault) -> Self {
        Self::NotMade(fault)
    }
}
