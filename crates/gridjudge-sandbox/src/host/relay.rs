//! One direction of a talk that somebody listens to: takes what one side writes, tells it, and hands it on. Knows two pipes; knows
//! nothing of the runs at their ends. Start at [`Relay::carry`].
//!
//! ```text
//! writer --- source ---> judge --- target ---> reader
//! ```

use std::os::fd::AsFd;
use std::os::fd::BorrowedFd;
use std::os::fd::OwnedFd;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::time::Instant;

use rustix::event::PollFd;
use rustix::event::PollFlags;
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::time::Timespec;

use crate::Side;
use crate::TalkListener;

/// What is taken at once.
const PIECE_BYTES: usize = 64 << 10;

/// Pieces that are told after the end: a pipe's worth.
const MOST_PIECES_LEFT: usize = 16;

/// Between looks at whether the talk is over: 20 milliseconds.
const BETWEEN_LOOKS: Timespec = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };

/// What is written on one side, on its way to the other.
pub(super) struct Relay {
    source: OwnedFd,
    /// Bytes that have been taken and not yet been handed on. Locked while any change pipes.
    carried: Mutex<u64>,
    is_over: AtomicBool,
}

impl Relay {
    /// For what comes out of this pipe.
    pub(super) fn of(source: OwnedFd) -> Self {
        Self { source, carried: Mutex::new(0), is_over: AtomicBool::new(false) }
    }

    /// Bytes that were written and that the reader has not taken out of its own pipe, which is given.
    pub(super) fn unread(&self, pipe_of_reader: BorrowedFd<'_>) -> u64 {
        let carried = self.lock_carried();
        let waiting = |pipe: BorrowedFd<'_>| rustix::io::ioctl_fionread(pipe).unwrap_or(0);
        waiting(self.source.as_fd()) + *carried + waiting(pipe_of_reader)
    }

    /// Lets [`carry`](Self::carry) return, whoever still holds an end of either pipe: both runs have ended.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
    }

    /// Carries on until the writer has closed its end, and then closes the reader's.
    pub(super) fn carry(&self, target: OwnedFd, by: Side, start: Instant, listener: &dyn TalkListener) {
        // Neither description is shared with a program.
        let _ = rustix::fs::fcntl_setfl(&self.source, OFlags::NONBLOCK);
        let _ = rustix::fs::fcntl_setfl(&target, OFlags::NONBLOCK);
        let mut piece = vec![0; PIECE_BYTES];
        while self.wait(self.source.as_fd(), PollFlags::IN) {
            match self.take(&mut piece) {
                Ok(0) => break,
                Ok(bytes) => {
                    listener.hear(by, start.elapsed(), &piece[..bytes]);
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
        self.hear_the_rest(&mut piece, |piece| listener.hear(by, start.elapsed(), piece));
    }

    /// Tells what was written and has not been taken: at most what a pipe holds, but for a writer that cannot be killed.
    fn hear_the_rest(&self, piece: &mut [u8], hear: impl Fn(&[u8])) {
        for _ in 0..MOST_PIECES_LEFT {
            match rustix::io::read(&self.source, &mut *piece) {
                Ok(bytes @ 1..) => hear(&piece[..bytes]),
                _ => return,
            }
        }
    }

    /// Returns whether there may be more to hand on.
    fn hand_on(&self, target: &OwnedFd, mut piece: &[u8]) -> bool {
        while !piece.is_empty() {
            match self.give(target, piece) {
                Ok(bytes) => piece = &piece[bytes..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) if self.wait(target.as_fd(), PollFlags::OUT) => {}
                Err(_) => return false,
            }
        }
        true
    }

    fn take(&self, piece: &mut [u8]) -> Result<usize, Errno> {
        let mut carried = self.lock_carried();
        let bytes = rustix::io::read(&self.source, piece)?;
        *carried = bytes as u64;
        Ok(bytes)
    }

    fn give(&self, target: &OwnedFd, piece: &[u8]) -> Result<usize, Errno> {
        let mut carried = self.lock_carried();
        let bytes = rustix::io::write(target, piece)?;
        *carried -= bytes as u64;
        Ok(bytes)
    }

    fn lock_carried(&self) -> MutexGuard<'_, u64> {
        // Nothing panics while it holds the lock.
        self.carried.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a pipe is ready; `false` if it is over before.
    fn wait(&self, pipe: BorrowedFd<'_>, what: PollFlags) -> bool {
        while !self.is_over.load(Ordering::SeqCst) {
            let mut files = [PollFd::from_borrowed_fd(pipe, what)];
            let ready = rustix::event::poll(&mut files, Some(&BETWEEN_LOOKS));
            if ready.is_ok_and(|ready| ready > 0) {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use rustix::pipe::PipeFlags;

    use super::*;

    #[derive(Default)]
    struct Heard(Mutex<Vec<u8>>);

    impl TalkListener for Heard {
        fn begin(&self) {}

        fn hear(&self, by: Side, _: std::time::Duration, bytes: &[u8]) {
            assert_eq!(by, Side::Interactor);
            self.0.lock().unwrap().extend(bytes);
        }
    }

    fn pipe() -> (OwnedFd, OwnedFd) {
        rustix::pipe::pipe_with(PipeFlags::CLOEXEC).unwrap()
    }

    #[test]
    fn all_is_handed_on_in_order_and_told_and_the_end_follows() {
        let ((source, writer), (reader, target)) = (pipe(), pipe());
        // More than a pipe holds, so that the reader is waited for.
        let words: Vec<u8> = (0..1_000_000u32).map(|number| number as u8).collect();
        let (relay, heard) = (Relay::of(source), Heard::default());
        std::thread::scope(|scope| {
            scope.spawn(|| relay.carry(target, Side::Interactor, Instant::now(), &heard));
            scope.spawn(|| std::io::Write::write_all(&mut std::fs::File::from(writer), &words).unwrap());
            let mut read = Vec::new();
            std::io::Read::read_to_end(&mut std::fs::File::from(reader), &mut read).unwrap();
            assert!(read == words);
        });
        assert!(*heard.0.lock().unwrap() == words);
    }

    #[test]
    fn it_ends_though_nobody_reads_and_the_writer_stays() {
        let ((source, writer), (reader, target)) = (pipe(), pipe());
        let (relay, heard) = (Relay::of(source), Heard::default());
        std::thread::scope(|scope| {
            scope.spawn(|| relay.carry(target, Side::Interactor, Instant::now(), &heard));
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
