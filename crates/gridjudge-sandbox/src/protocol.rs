//! The protocol between the judge and its launchers: one datagram per message, JSON,
//! with descriptors beside it. Knows the messages and the socket; knows nothing of
//! processes.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::PathBuf;

use rustix::io::{Errno, retry_on_intr};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags,
    SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::cgroup::CgroupPath;
use crate::limits::Guarantees;
use crate::{Exit, Fault, IsolationLevel, Limits, MissingOutput, Role, Usage};

/// The longest message, in bytes. Arguments and environment of a sane launch take a few
/// KiB; the kernel's own bound for one datagram is about 200 KiB.
pub(super) const LONGEST: usize = 128 << 10;

/// The first argument that turns a program into a launcher if its `main` begins with
/// [`become_launcher_if_asked`](crate::become_launcher_if_asked).
pub(super) const LAUNCHER_ARGUMENT: &str = "__launcher";

/// The sub-folder of the judge's private folder that holds compiled programs.
pub(super) const PROGRAMS_FOLDER: &str = "programs";

/// The prefix of scratch folder names; the number of the slot follows.
pub(super) const SCRATCH_PREFIX: &str = "scratch-";

/// Standard input, output and error.
pub(super) const STREAMS: usize = 3;

/// The largest number of descriptors in a message.
const MOST_DESCRIPTORS: usize = STREAMS + 2;

/// The judge's first message, which describes the slot that this launcher serves.
#[derive(Serialize, Deserialize)]
pub(super) struct SetupRequest {
    /// Where to create the scratch folder; its parent is the judge's private folder.
    pub(super) scratch: PathBuf,
    /// The level to set up; the launcher fails rather than set up a lower one.
    pub(super) level: IsolationLevel,
    /// The control group to join.
    pub(super) group: Option<CgroupPath>,
    /// The number of slots.
    pub(super) slots: usize,
    /// Whether this launcher must probe what works on this machine. One launcher probes
    /// for all.
    pub(super) probes: bool,
    /// The newest version of Landlock to use.
    pub(super) landlock: u32,
}

/// The answer to [`SetupRequest`], or why the launcher could not be set up.
pub(super) type SetupResult = Result<SetupReply, Fault>;

/// The reply of a launcher that is set up.
#[derive(Serialize, Deserialize)]
pub(super) struct SetupReply {
    pub(super) guarantees: Guarantees,
    /// The user that submissions run as, if not the judge's own. No other process on
    /// the machine has this user.
    pub(super) user: Option<u32>,
}

/// A message to a launcher that is set up.
#[derive(Serialize, Deserialize)]
#[expect(clippy::large_enum_variant, reason = "there is one of it at a time")]
pub(super) enum JudgeMessage {
    /// Start a run.
    Run(RunRequest),
    /// End the run in progress, and report its figures. Ignored if the run has already
    /// ended.
    Stop,
}

/// A request for one run. The three [`STREAMS`] are sent beside it as descriptors; then
/// one file that holds all files given to the run, if there are any; then the file to
/// which its output is copied, if the run writes that to a file.
#[derive(Serialize, Deserialize)]
pub(super) struct RunRequest {
    pub(super) command: Vec<String>,
    pub(super) environment: Vec<(String, String)>,
    pub(super) readable: Vec<PathBuf>,
    pub(super) role: Role,
    pub(super) limits: Limits,
    /// Whether standard input and output are pipes to another run. The launcher closes
    /// its own copies once the run has begun.
    pub(super) wired: bool,
    /// The files to put into its scratch folder.
    pub(super) given: Vec<GivenEntry>,
    /// The name of the file there that it writes its output to.
    pub(super) output: Option<String>,
}

/// A file that is given to a run: `bytes` bytes of the bundle, directly after those of
/// the entry before.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct GivenEntry {
    pub(super) name: String,
    pub(super) bytes: u64,
}

/// A command as faults show it; a long one is cut, since its start identifies it.
pub(super) fn shown_command(command: &[String]) -> String {
    const LONGEST_SHOWN: usize = 200;
    let text = command.join(" ");
    match text.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// The answer to [`RunRequest`].
#[derive(Serialize, Deserialize)]
pub(super) struct RunReply {
    /// The result of the run.
    pub(super) outcome: Result<RunReport, Fault>,
    /// Whether the launcher can take another run.
    pub(super) fit: bool,
}

/// A run as the launcher saw it, without its output.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct RunReport {
    pub(super) exit: Exit,
    pub(super) usage: Usage,
    /// Whether the kernel killed a process of the run for memory.
    pub(super) out_of_memory: bool,
    /// Whether memory from before the run left its control group meanwhile, which makes
    /// the measured peak uncertain.
    pub(super) disturbed: bool,
    /// Why its output file cannot be read, if it was to write one.
    pub(super) missing_output: Option<MissingOutput>,
}

impl RunReport {
    /// The report on a run about which nothing else is to be said.
    pub(super) fn of_usage(exit: Exit, usage: Usage) -> Self {
        Self {
            exit,
            usage,
            out_of_memory: false,
            disturbed: false,
            missing_output: None,
        }
    }
}

/// Sends one message.
///
/// # Errors
/// Returns [`io::ErrorKind::InvalidInput`] if the message is longer than [`LONGEST`] or
/// cannot be written as JSON (a path that is not Unicode). Any other error means that
/// the other side is gone.
pub(super) fn send(
    socket: &OwnedFd,
    message: &impl Serialize,
    streams: &[BorrowedFd],
) -> io::Result<()> {
    let body = serde_json::to_vec(message)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    if body.len() > LONGEST {
        let text = format!(
            "arguments, environment and names of files take {} bytes, more than {LONGEST}",
            body.len()
        );
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    let mut space =
        [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !streams.is_empty() {
        control.push(SendAncillaryMessage::ScmRights(streams));
    }
    let body = [IoSlice::new(&body)];
    retry_on_intr(|| {
        rustix::net::sendmsg(socket, &body, &mut control, SendFlags::NOSIGNAL)
    })?;
    Ok(())
}

/// Waits for one message; returns `None` if the other side is gone. `buffer` is a work
/// space for the message.
///
/// # Errors
/// Returns an error if the message is not of this type, or the socket is broken.
pub(super) fn receive<T: DeserializeOwned>(
    socket: &OwnedFd,
    buffer: &mut [u8],
) -> io::Result<Option<(T, Vec<OwnedFd>)>> {
    let mut space =
        [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let received = retry_on_intr(|| {
        let mut buffers = [IoSliceMut::new(buffer)];
        let flags = RecvFlags::CMSG_CLOEXEC;
        rustix::net::recvmsg(socket, &mut buffers, &mut control, flags)
    });
    let got = match received {
        // The other side died with a message of ours unread.
        Err(Errno::CONNRESET) => return Ok(None),
        received => received?,
    };
    let streams: Vec<OwnedFd> = control
        .drain()
        .flat_map(|message| match message {
            RecvAncillaryMessage::ScmRights(streams) => streams.collect(),
            _ => vec![],
        })
        .collect();
    if got.bytes == 0 {
        return Ok(None);
    }
    if got.flags.contains(ReturnFlags::TRUNC) {
        return Err(io::Error::other("a message was cut short"));
    }
    let message = serde_json::from_slice(&buffer[..got.bytes])?;
    Ok(Some((message, streams)))
}
