//! One direction of an interaction with a listener: reads what one side writes, reports
//! it, and passes it on. Knows two pipes; knows nothing of the runs at their ends.
//! Start at [`Relay::carry`].
//!
//! ```text
//! writer --- source ---> judge --- target ---> reader
//! ```

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::pipe::PipeFlags;

use crate::{Fault, InteractionListener, Side, sys};

/// How many bytes are read at once.
const PIECE_BYTES: usize = 64 << 10;

/// How many pieces are still read and reported after the end: a full pipe.
const MOST_PIECES_LEFT: usize = 16;

/// How often to check whether the interaction is over.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Carries what one side writes to the other.
pub(super) struct Relay {
    source: OwnedFd,
    /// Bytes that have been read and not yet been passed on. Locked while bytes move
    /// from or to a pipe.
    carried: Mutex<u64>,
    is_over: AtomicBool,
}

impl Relay {
    /// Bytes that were written and that the reader has not yet read from its own pipe,
    /// which is given.
    pub(super) fn unread(&self, pipe_of_reader: BorrowedFd<'_>) -> u64 {
        let carried = self.lock_carried();
        let waiting =
            |pipe: BorrowedFd<'_>| rustix::io::ioctl_fionread(pipe).unwrap_or(0);
        waiting(self.source.as_fd()) + *carried + waiting(pipe_of_reader)
    }

    /// Makes [`carry`](Self::carry) return even if some process still holds an end of
    /// either pipe: both runs have ended.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
    }

    /// Passes on until the writer has closed its end, then closes the reader's.
    pub(super) fn carry(
        &self,
        target: OwnedFd,
        by: Side,
        start: Instant,
        listener: &dyn InteractionListener,
    ) {
        // Neither open file description is shared with a program.
        let _ = rustix::fs::fcntl_setfl(&self.source, OFlags::NONBLOCK);
        let _ = rustix::fs::fcntl_setfl(&target, OFlags::NONBLOCK);
        let mut piece = vec![0; PIECE_BYTES];
        while self.wait(self.source.as_fd(), PollFlags::IN) {
            let mut carried = self.lock_carried();
            let taken = rustix::io::read(&self.source, &mut piece);
            *carried = taken.map_or(*carried, |bytes| bytes as u64);
            drop(carried);
            match taken {
                Ok(0) => break,
                Ok(bytes) => {
                    listener.receive(by, start.elapsed(), &piece[..bytes]);
                    if !self.hand_on(&target, &piece[..bytes]) {
                        break;
                    }
                }
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(_) => break,
            }
        }
        drop(target);
        *self.lock_carried() = 0;
        // What was written and has not been read is reported: at most what a pipe
        // holds, even if a writer that cannot be killed goes on.
        for _ in 0..MOST_PIECES_LEFT {
            match rustix::io::read(&self.source, &mut piece) {
                Ok(bytes @ 1..) => {
                    listener.receive(by, start.elapsed(), &piece[..bytes]);
                }
                _ => return,
            }
        }
    }

    /// Passes on a piece; returns whether there may be more to pass on.
    fn hand_on(&self, target: &OwnedFd, mut piece: &[u8]) -> bool {
        while !piece.is_empty() {
            let mut carried = self.lock_carried();
            let given = rustix::io::write(target, piece);
            *carried -= given.map_or(0, |bytes| bytes as u64);
            drop(carried);
            match given {
                Ok(bytes) => piece = &piece[bytes..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) if self.wait(target.as_fd(), PollFlags::OUT) => {}
                Err(_) => return false,
            }
        }
        true
    }

    fn lock_carried(&self) -> MutexGuard<'_, u64> {
        // No code that holds the lock panics.
        self.carried.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a pipe is ready; `false` if the interaction is over before.
    fn wait(&self, pipe: BorrowedFd<'_>, what: PollFlags) -> bool {
        while !self.is_over.load(Ordering::SeqCst) {
            let mut files = [PollFd::from_borrowed_fd(pipe, what)];
            if sys::poll(&mut files, BETWEEN_LOOKS).is_ok_and(|ready| ready > 0) {
                return true;
            }
        }
        false
    }
}

// Makes the pipes between the two runs of an interaction, with or without the judge
// between them. Knows nothing of how they are used. Start at [`Wire::new`].

/// The capacity of a pipe: the most that ordinary users get.
const PIPE_BYTES: usize = 1 << 20;

/// One direction: the end that the writer writes to, the end that the reader reads
/// from, and the relay between them with the pipe that it writes to, if any.
pub(super) struct Wire {
    pub(super) writer: OwnedFd,
    pub(super) reader: OwnedFd,
    pub(super) relay: Option<(Relay, OwnedFd)>,
}

impl Wire {
    /// Makes it, with a relay if there is a listener.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the machine is out of memory or descriptors.
    pub(super) fn new(has_listener: bool) -> Result<Self, Fault> {
        let (mut reader, writer) = pipe()?;
        let mut relay = None;
        if has_listener {
            let (end, target) = pipe()?;
            let carrying = Relay {
                source: std::mem::replace(&mut reader, end),
                carried: Mutex::new(0),
                is_over: AtomicBool::new(false),
            };
            relay = Some((carrying, target));
        }
        Ok(Self {
            writer,
            reader,
            relay,
        })
    }
}

/// Makes a pipe; returns its ends, the reading one first.
fn pipe() -> Result<(OwnedFd, OwnedFd), Fault> {
    let ends = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)
        .map_err(Fault::during("making the pipes of an interaction"))?;
    // If that is refused, the pipe holds less.
    let _ = rustix::pipe::fcntl_setpipe_size(&ends.0, PIPE_BYTES);
    Ok(ends)
}

#[cfg(test)]
mod tests {
    use rustix::pipe::PipeFlags;

    use super::*;

    #[derive(Default)]
    struct Heard(Mutex<Vec<u8>>);

    impl InteractionListener for Heard {
        fn begin(&self) {}

        fn receive(&self, by: Side, _: Duration, bytes: &[u8]) {
            assert_eq!(by, Side::Interactor);
            self.0.lock().unwrap().extend(bytes);
        }
    }

    fn relay_of(source: OwnedFd) -> Relay {
        Relay {
            source,
            carried: Mutex::new(0),
            is_over: AtomicBool::new(false),
        }
    }

    fn small_pipe() -> (OwnedFd, OwnedFd) {
        rustix::pipe::pipe_with(PipeFlags::CLOEXEC).unwrap()
    }

    #[test]
    fn all_bytes_are_passed_on_in_order_and_reported_before_the_end() {
        let (source, writer) = small_pipe();
        let (reader, target) = small_pipe();
        // More than a pipe holds, so that the relay must wait for the reader.
        let words: Vec<u8> = (0..1_000_000u32).map(|number| number as u8).collect();
        let relay = relay_of(source);
        let heard = Heard::default();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                relay.carry(target, Side::Interactor, Instant::now(), &heard)
            });
            scope.spawn(|| {
                std::io::Write::write_all(&mut std::fs::File::from(writer), &words)
                    .unwrap()
            });
            let mut read = vec![];
            std::io::Read::read_to_end(&mut std::fs::File::from(reader), &mut read)
                .unwrap();
            assert!(read == words);
        });
        assert!(*heard.0.lock().unwrap() == words);
    }

    #[test]
    fn it_ends_although_no_process_reads_and_the_writer_stays_open() {
        let (source, writer) = small_pipe();
        let (reader, target) = small_pipe();
        let relay = relay_of(source);
        let heard = Heard::default();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                relay.carry(target, Side::Interactor, Instant::now(), &heard)
            });
            for _ in 0..4 {
                rustix::io::write(&writer, &[0; 30 << 10]).unwrap();
            }
            while heard.0.lock().unwrap().len() < 70 << 10 {
                std::thread::yield_now();
            }
            assert_eq!(relay.unread(reader.as_fd()), 120 << 10);
            relay.end();
        });
    }
}
