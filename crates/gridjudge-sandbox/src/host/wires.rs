//! Makes the pipes between the two runs of an interaction, with or without the judge between them.
//! Knows streams; knows nothing of how they are used. Start at [`wire`].

use std::os::fd::OwnedFd;

use rustix::io::Errno;
use rustix::pipe::PipeFlags;

use crate::Fault;
use crate::host::launcher_handle::LauncherHandle;
use crate::host::relay::Relay;
use crate::host::std_streams::StdStreams;
use crate::machine::run_look::PipeNumbers;

/// The capacity of a pipe: the most that ordinary users get.
const PIPE_BYTES: usize = 1 << 20;

/// The streams of a run, and the numbers of its pipes.
pub(super) type PipedStreams = (StdStreams, PipeNumbers);

/// The streams of two connected runs.
pub(super) struct Wires {
    pub(super) submission: PipedStreams,
    pub(super) interactor: PipedStreams,
    /// With a listener: the relay of the submission's output, then that of the interactor's, each
    /// with the pipe that it writes to.
    pub(super) relays: Option<[(Relay, OwnedFd); 2]>,
}

/// One direction: the end that the writer writes to, the end that the reader reads from, and the
/// relay between them, if any.
struct Wire {
    writer: OwnedFd,
    reader: OwnedFd,
    /// The numbers of the writer's and the reader's pipe.
    numbers: [u64; 2],
    relay: Option<(Relay, OwnedFd)>,
}

/// Wires two runs: `one` is the submission's launcher, `other` the interactor's.
///
/// # Errors
/// Returns a [`Fault`] if the machine is out of memory or descriptors.
pub(super) fn wire(
    one: &mut LauncherHandle,
    other: &mut LauncherHandle,
    has_listener: bool,
) -> Result<Wires, Fault> {
    let direction = if has_listener { relayed } else { direct };
    let failed = |error: Errno| Fault::new("making the pipes of an interaction", error);
    let words = direction().map_err(failed)?;
    let replies = direction().map_err(failed)?;
    let of_submission = PipeNumbers {
        input: replies.numbers[1],
        output: words.numbers[0],
    };
    let of_interactor = PipeNumbers {
        input: words.numbers[1],
        output: replies.numbers[0],
    };
    let interactor =
        StdStreams::piped(words.reader, replies.writer, other.outputs())?.keeping_beginning();
    Ok(Wires {
        submission: (
            StdStreams::piped(replies.reader, words.writer, one.outputs())?,
            of_submission,
        ),
        interactor: (interactor, of_interactor),
        relays: words.relay.zip(replies.relay).map(Into::into),
    })
}

fn direct() -> Result<Wire, Errno> {
    let ((reader, writer), number) = pipe()?;
    Ok(Wire {
        writer,
        reader,
        numbers: [number; 2],
        relay: None,
    })
}

fn relayed() -> Result<Wire, Errno> {
    let ((source, writer), first) = pipe()?;
    let ((reader, target), second) = pipe()?;
    Ok(Wire {
        writer,
        reader,
        numbers: [first, second],
        relay: Some((Relay::of(source), target)),
    })
}

/// Makes a pipe; returns its ends, the reading one first, and its number.
fn pipe() -> Result<((OwnedFd, OwnedFd), u64), Errno> {
    let ends = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
    // If that is refused, the pipe holds less.
    let _ = rustix::pipe::fcntl_setpipe_size(&ends.0, PIPE_BYTES);
    let number = rustix::fs::fstat(&ends.0)?.st_ino;
    Ok((ends, number))
}
