//! Blocks of lines to many threads, and answers back in order. There are never more than a few blocks on their way.

use std::io;
use std::io::Read;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::mpsc;
use std::sync::mpsc::Receiver;
use std::sync::mpsc::SyncSender;
use std::thread;

use crate::batch::answers::BlockAnswers;
use crate::batch::answers::BlockSolver;
use crate::batch::answers::SolveMode;
use crate::batch::blocks::BlockReader;

/// A block, and where its answers go.
type BlockRequest = (Vec<u8>, SyncSender<BlockAnswers>);

/// Where the answers to each block come, in the order of the text.
type PendingAnswers = io::Result<Receiver<BlockAnswers>>;

/// Answers every puzzle of a text on `threads` threads beside this one. `take` gets the answers in the order of the text, on
/// this thread, as soon as they are there, and may break off.
///
/// # Errors
/// What reading fails with, after the answers to all that was read.
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
    // These threads are not joined: a caller that breaks off must not wait for a text that may go on only at the next key.
    for _ in 0..threads {
        let waiting = Arc::clone(&waiting);
        thread::Builder::new().spawn(move || serve(&waiting, task))?;
    }
    thread::Builder::new().spawn(move || read(BlockReader::new(text), &orders, &queue))?;
    let mut lines = 0;
    for answers in coming {
        let mut answers = answers?.recv().map_err(|_| io::Error::other("a solving thread broke down"))?;
        for complaint in &mut answers.complaints {
            complaint.line += lines;
        }
        lines += answers.lines;
        if let ControlFlow::Break(reason) = take(answers) {
            return Ok(ControlFlow::Break(reason));
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// Reads blocks and hands them out, until there are no more or their answers are no longer wanted.
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
        let Ok(Ok((block, answers))) = order else { return };
        // A caller that broke off no longer receives.
        let _ = answers.send(answerer.answer(&block));
    }
}

#[cfg(test)]
mod tests;
