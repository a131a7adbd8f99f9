//! Distributes blocks of lines over several threads and returns the answers in order. Only a few
//! blocks are in flight at any time.

use std::io::Read;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, SyncSender};
use std::sync::{Arc, Mutex, mpsc};
use std::{io, thread};

use crate::batch::answers::{BlockAnswers, BlockSolver, SolveMode};
use crate::batch::blocks::BlockReader;

/// A block, and the channel for its answers.
type BlockRequest = (Vec<u8>, SyncSender<BlockAnswers>);

/// The channel on which the answers to a block arrive. These are queued in the order of the text.
type PendingAnswers = io::Result<Receiver<BlockAnswers>>;

/// Answers every puzzle of a text on `threads` threads in addition to this one. Calls `take` on
/// this thread with the answers, in the order of the text and as soon as they are available. `take`
/// may stop the stream.
///
/// # Errors
/// Returns the error of a failed read, after the answers to everything read before.
pub fn stream<B>(
    text: impl Read + Send + 'static,
    task: SolveMode,
    threads: usize,
    mut take: impl FnMut(BlockAnswers) -> ControlFlow<B>,
) -> io::Result<ControlFlow<B>> {
    let threads = threads.max(1);
    let (orders, waiting) = mpsc::sync_channel(threads);
    let (queue, coming) = mpsc::sync_channel(2 * threads);
    let waiting = Arc::new(Mutex::new(waiting));
    // These threads are not joined: a caller that stops must not wait for a read that may return
    // only at the next key press.
    for _ in 0..threads {
        let waiting = Arc::clone(&waiting);
        thread::Builder::new().spawn(move || serve(&waiting, task))?;
    }
    thread::Builder::new().spawn(move || read(BlockReader::new(text), &orders, &queue))?;
    let mut lines = 0;
    for answers in coming {
        let mut answers = answers?
            .recv()
            .map_err(|_| io::Error::other("a solving thread broke down"))?;
        for mistake in &mut answers.mistakes {
            mistake.line += lines;
        }
        lines += answers.lines;
        if let ControlFlow::Break(reason) = take(answers) {
            return Ok(ControlFlow::Break(reason));
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// Reads blocks and sends them to the solving threads, until there are no more or no one receives
/// the answers.
fn read(
    mut blocks: BlockReader<impl Read>,
    orders: &SyncSender<BlockRequest>,
    queue: &SyncSender<PendingAnswers>,
) {
    loop {
        let block = match blocks.next() {
            Ok(Some(block)) => block,
            Ok(None) => return,
            Err(error) => {
                let _ = queue.send(Err(error));
                return;
            }
        };
        let (answers, coming) = mpsc::sync_channel(1);
        if orders.send((block, answers)).is_err() || queue.send(Ok(coming)).is_err() {
            return;
        }
    }
}

/// Answers blocks until there are no more.
fn serve(waiting: &Mutex<Receiver<BlockRequest>>, task: SolveMode) {
    let mut answerer = BlockSolver::new(task);
    loop {
        let order = waiting.lock().map(|waiting| waiting.recv());
        let Ok(Ok((block, answers))) = order else {
            return;
        };
        // Sending fails if the caller has stopped.
        let _ = answers.send(answerer.answer(&block));
    }
}

#[cfg(test)]
mod tests;
