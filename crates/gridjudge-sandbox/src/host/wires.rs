//! The pipes between two runs that talk to each other. Knows streams; knows nothing of what becomes of them. Start at [`wire`].

use rustix::pipe::PipeFlags;

use crate::Fault;
use crate::host::launcher_handle::LauncherHandle;
use crate::host::std_streams::StdStreams;
use crate::machine::run_look::PipeNumbers;

/// What a pipe is to hold: the most that ordinary users get.
const PIPE_BYTES: usize = 1 << 20;

/// The streams of a run, and the numbers of its pipes.
pub(super) type PipedStreams = (StdStreams, PipeNumbers);

/// The streams of two runs, wired: the submission's, then the interactor's.
///
/// # Errors
/// A [`Fault`] if the machine is out of memory or descriptors.
pub(super) fn wire(one: &mut LauncherHandle, other: &mut LauncherHandle) -> Result<[PipedStreams; 2], Fault> {
    let failed = |error: rustix::io::Errno| Fault::new("making the pipes of an interaction", error);
    let pipe = || {
        let ends = rustix::pipe::pipe_with(PipeFlags::CLOEXEC).map_err(failed)?;
        // Where that is refused, there is less room.
        let _ = rustix::pipe::fcntl_setpipe_size(&ends.0, PIPE_BYTES);
        let number = rustix::fs::fstat(&ends.0).map_err(failed)?.st_ino;
        Ok((ends, number))
    };
    let ((words, of_words), (replies, of_replies)) = (pipe()?, pipe()?);
    let of_submission = PipeNumbers { input: of_replies, output: of_words };
    let of_interactor = PipeNumbers { input: of_words, output: of_replies };
    Ok([
        (StdStreams::piped(replies.0, words.1, one.outputs())?, of_submission),
        (StdStreams::piped(words.0, replies.1, other.outputs())?, of_interactor),
    ])
}
