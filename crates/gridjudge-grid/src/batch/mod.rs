//! Solves lists of plain 9x9 puzzles, one per line, on several threads. Memory does not
//! grow with the list, and answers come in its order. Knows no terminal and no file
//! names. Start at [`stream()`].

mod collection;
mod text_lines;

use std::io::{ErrorKind, Read};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, SyncSender};
use std::sync::{Arc, Mutex, mpsc};
use std::{io, thread};

use crate::solve::nine::{BatchSolver, NinePuzzle, PuzzleOutcome};
use crate::{Clash, GridRules, Shape};
pub use collection::{LineError, PuzzleText, puzzle_of};
use text_lines::within_a_line;

// Distributes blocks of lines over several threads and returns the answers in order.
// Only a few blocks are in flight at any time.

/// A block, and the channel for its answers.
type BlockRequest = (Vec<u8>, SyncSender<BlockAnswers>);

/// The channel on which the answers to a block arrive. These are queued in the order of
/// the text.
type PendingAnswers = io::Result<Receiver<BlockAnswers>>;

/// Answers every puzzle of a text on `threads` threads in addition to this one. Calls
/// `take` on this thread with the answers, in the order of the text and as soon as they
/// are available. `take` may stop the stream.
///
/// # Errors
/// Returns the error of a failed read, after the answers to everything read before; of
/// the kind [`ErrorKind::InvalidData`] if what is read is no text.
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
    // These threads are not joined: a caller that stops must not wait for a read that
    // may return only at the next key press.
    for _ in 0..threads {
        let waiting = Arc::clone(&waiting);
        thread::Builder::new().spawn(move || serve(&waiting, task))?;
    }
    thread::Builder::new()
        .spawn(move || read(BlockReader::new(text), &orders, &queue))?;
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

/// Reads blocks and sends them to the solving threads, until there are no more or no
/// one receives the answers.
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
        let Ok(Ok((block, answers))) = waiting.lock().map(|waiting| waiting.recv())
        else {
            return;
        };
        // Sending fails if the caller has stopped.
        let _ = answers.send(answerer.answer(&block));
    }
}

// Splits a text into blocks of whole lines, however the bytes arrive.

/// The most bytes of a block: about 1,500 puzzles, which keep the lanes of the solver
/// busy.
const BLOCK: usize = 1 << 17;

/// Reads blocks of whole lines. The last one may lack its line break.
struct BlockReader<R> {
    input: R,
    /// The start of a line that did not fit into the last block.
    rest: Vec<u8>,
    is_at_end: bool,
    /// How many bytes of the current line are left out so far; `None` unless it is
    /// longer than a block.
    left_out: Option<usize>,
}

impl<R: Read> BlockReader<R> {
    fn new(input: R) -> Self {
        Self {
            input,
            rest: vec![],
            is_at_end: false,
            left_out: None,
        }
    }

    /// The next block; `None` at the end. A line longer than a block is cut off.
    ///
    /// # Errors
    /// Returns the error of the input, and one for a line that no text has.
    fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut block = Vec::with_capacity(BLOCK);
        block.append(&mut self.rest);
        while !self.is_at_end {
            let from = block.len();
            self.fill(&mut block)?;
            // Removes the bytes that still belong to a line that was cut off. The line
            // break is removed too, since the part before the cut already counts as a
            // line.
            if let Some(left_out) = self.left_out {
                let end = block[from..].iter().position(|&byte| byte == b'\n');
                let until = end.map_or(block.len(), |end| from + end + 1);
                block.drain(from..until);
                let left_out = left_out + until - from;
                self.left_out = end.is_none().then_some(left_out);
                within_a_line(left_out)?;
            }
            if let Some(end) = block.iter().rposition(|&byte| byte == b'\n') {
                self.rest.extend_from_slice(&block[end + 1..]);
                block.truncate(end + 1);
                return Ok(Some(block));
            }
            if block.len() == BLOCK {
                self.left_out = Some(0);
                return Ok(Some(block));
            }
        }
        Ok((!block.is_empty()).then_some(block))
    }

    /// Reads until the block is full or the input ends. Stops after a read that
    /// completes a line, so that single lines that are typed or piped are answered at
    /// once.
    fn fill(&mut self, block: &mut Vec<u8>) -> io::Result<()> {
        let from = block.len();
        block.resize(BLOCK, 0);
        let mut end = from;
        while end < BLOCK {
            match self.input.read(&mut block[end..]) {
                Ok(0) => {
                    self.is_at_end = true;
                    break;
                }
                Ok(count) => {
                    end += count;
                    if block[end - count..end].contains(&b'\n') {
                        break;
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        block.truncate(end);
        Ok(())
    }
}

// Answers the lines of a block, and reports mistakes in them.

/// What each puzzle is solved for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveMode {
    /// A solution.
    Any,
    /// The only solution.
    Unique,
    /// The number of solutions, counted up to this limit.
    Count(usize),
}

impl SolveMode {
    fn limit(self) -> usize {
        match self {
            Self::Any => 1,
            Self::Unique => 2,
            Self::Count(most) => most,
        }
    }
}

/// A mistake in a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PuzzleError {
    /// The line is not a puzzle.
    #[error("{0}")]
    Unreadable(LineError),
    /// Two clues contradict each other.
    #[error(
        "the clues contradict each other: {} has two {}s",
        .0.kind.name(.0.number),
        .0.value
    )]
    Clash(Clash),
    /// There is no solution, though no two clues clash.
    #[error("no completion of these clues keeps the rules")]
    NoSolution,
    /// There are several solutions, but only one was wanted.
    #[error("more than one solution")]
    Several,
}

/// A line without the wanted answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleMistake {
    /// The line, from 1.
    pub line: u64,
    /// The mistake in it.
    pub problem: PuzzleError,
}

impl PuzzleError {
    /// A hint at how to fix it.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Unreadable(LineError::Cells(_)) => {
                "write the 81 cells of a puzzle in one line without spaces; begin a comment with \
                 `#`"
            }
            Self::Unreadable(LineError::Symbol { .. }) => {
                "use 1 to 9, and `.`, `0`, `*`, `_`, `?` or `-` for a blank"
            }
            Self::Clash(_) => "correct one of the two cells",
            Self::NoSolution => "remove or correct a clue",
            Self::Several => {
                "add a clue, or take any solution (leave out `--unique`)"
            }
        }
    }
}

/// The answers to some lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockAnswers {
    /// One line for each line that is or should be a puzzle: a solution, or a number of
    /// solutions. If there is no answer, 81 dots in place of a solution, `?` in place
    /// of a number.
    pub text: Vec<u8>,
    /// The mistakes, in the order of the lines.
    pub mistakes: Vec<PuzzleMistake>,
    /// The number of lines that were answered.
    pub puzzles: u64,
    /// The number of all lines.
    lines: u64,
}

/// Answers blocks of lines. Reuses its buffers.
struct BlockSolver {
    task: SolveMode,
    batch: BatchSolver,
    rules: GridRules,
    entries: Vec<LineEntry>,
    puzzles: Vec<NinePuzzle>,
    outcomes: Vec<PuzzleOutcome>,
}

/// A line to be answered.
struct LineEntry {
    line: u64,
    /// The index of its puzzle.
    puzzle: Result<usize, LineError>,
}

impl BlockSolver {
    fn new(task: SolveMode) -> Self {
        Self {
            task,
            batch: BatchSolver::default(),
            rules: GridRules::new(
                &Shape::new(9, 3, 3).expect("3x3 boxes make order 9"),
            ),
            entries: vec![],
            puzzles: vec![],
            outcomes: vec![],
        }
    }

    /// Answers a block of lines, which are numbered from 1.
    fn answer(&mut self, block: &[u8]) -> BlockAnswers {
        let lines = self.read(block);
        self.batch
            .solve(&self.puzzles, self.task.limit(), &mut self.outcomes);
        let mut answers = BlockAnswers {
            text: Vec::with_capacity(82 * self.entries.len()),
            mistakes: vec![],
            puzzles: self.entries.len() as u64,
            lines,
        };
        let text = &mut answers.text;
        for LineEntry { line, puzzle } in &self.entries {
            let solved = puzzle.map(|place| (&self.outcomes[place], place));
            let problem = match (self.task, solved) {
                (SolveMode::Count(_), Ok((outcome, _))) => {
                    text.extend_from_slice(outcome.count.to_string().as_bytes());
                    None
                }
                (SolveMode::Any, Ok((PuzzleOutcome { count: 1.., first }, _)))
                | (SolveMode::Unique, Ok((PuzzleOutcome { count: 1, first }, _))) => {
                    text.extend_from_slice(&first.map(|value| b'0' + value));
                    None
                }
                (_, Err(unreadable)) => Some(PuzzleError::Unreadable(unreadable)),
                (_, Ok((PuzzleOutcome { count: 0, .. }, place))) => {
                    let clash = self.rules.clashes(&self.puzzles[place]).next();
                    Some(clash.map_or(PuzzleError::NoSolution, PuzzleError::Clash))
                }
                (_, Ok(_)) => Some(PuzzleError::Several),
            };
            if let Some(problem) = problem {
                text.extend_from_slice(match self.task {
                    SolveMode::Count(_) => b"?",
                    SolveMode::Any | SolveMode::Unique => &[b'.'; 81],
                });
                answers.mistakes.push(PuzzleMistake {
                    line: *line,
                    problem,
                });
            }
            text.push(b'\n');
        }
        answers
    }

    /// Reads the lines of a block, and returns their number.
    fn read(&mut self, block: &[u8]) -> u64 {
        self.entries.clear();
        self.puzzles.clear();
        let mut count = 0;
        let mut rest = block;
        while !rest.is_empty() {
            let line;
            (line, rest) = first_line(rest);
            count += 1;
            let puzzle = match puzzle_of(line) {
                None => continue,
                Some(Ok(puzzle)) => {
                    self.puzzles.push(puzzle);
                    Ok(self.puzzles.len() - 1)
                }
                Some(Err(unreadable)) => Err(unreadable),
            };
            self.entries.push(LineEntry {
                line: count,
                puzzle,
            });
        }
        count
    }
}

/// The first line of a text without its line break, and the rest.
fn first_line(text: &[u8]) -> (&[u8], &[u8]) {
    // Nearly every line ends after 81 bytes.
    let end = match text.get(81) {
        Some(b'\n') if !text[..81].contains(&b'\n') => Some(81),
        // A carriage return alone ends a line, too.
        Some(b'\r')
            if text.get(82).is_some_and(|&byte| byte != b'\n')
                && !text[..81].contains(&b'\n') =>
        {
            Some(81)
        }
        _ => text.iter().position(|&byte| byte == b'\n'),
    };
    end.map_or((text, &[]), |end| (&text[..end], &text[end + 1..]))
}

#[cfg(test)]
mod stream_tests;

#[cfg(test)]
mod blocks_tests {
    use super::*;

    /// A reader that returns its bytes a few at a time.
    struct TrickleReader<'a>(&'a [u8], usize);

    impl Read for TrickleReader<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            let (now, later) = self.0.split_at(count);
            buffer[..count].copy_from_slice(now);
            self.0 = later;
            Ok(count)
        }
    }

    fn blocks(text: &[u8], drop: usize) -> Vec<Vec<u8>> {
        let mut blocks = BlockReader::new(TrickleReader(text, drop));
        std::iter::from_fn(|| blocks.next().unwrap()).collect()
    }

    #[test]
    fn blocks_hold_whole_lines_however_the_bytes_arrive() {
        let text = "12\n\n345\r\n6\n7".repeat(30);
        for drop in [1, 2, 7, 1000] {
            let blocks = blocks(text.as_bytes(), drop);
            assert_eq!(blocks.concat(), text.as_bytes());
            assert!(
                blocks[..blocks.len() - 1]
                    .iter()
                    .all(|block| block.ends_with(b"\n"))
            );
        }
        assert!(blocks(b"", 1).is_empty());
    }

    #[test]
    fn a_line_longer_than_a_block_is_cut_off_and_the_next_is_whole() {
        let text = [
            "1".repeat(3 * BLOCK),
            "23".to_owned(),
            "4".repeat(BLOCK),
            "5".to_owned(),
        ]
        .join("\n");
        for drop in [1000, BLOCK, 4 * BLOCK] {
            let blocks = blocks(text.as_bytes(), drop);
            let lines: Vec<_> = blocks
                .iter()
                .flat_map(|block| block.split_inclusive(|&byte| byte == b'\n'))
                .collect();
            let lengths: Vec<_> = lines.iter().map(|line| line.len()).collect();
            assert_eq!(lengths, [BLOCK, 3, BLOCK, 1], "{drop}");
        }
    }
}
