//! Answers the lines of a block, and reports mistakes in them.

use std::fmt;

use crate::batch::line::{LineError, puzzle_of};
use crate::solve::nine::{BatchSolver, NinePuzzle, PuzzleOutcome};
use crate::{Clash, GridRules, Shape};

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PuzzleError {
    /// The line is not a puzzle.
    Unreadable(LineError),
    /// Two clues contradict each other.
    Clash(Clash),
    /// There is no solution, though no two clues clash.
    NoSolution,
    /// There are several solutions, but only one was wanted.
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

impl fmt::Display for PuzzleError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(LineError::Cells(found)) => {
                write!(out, "expected 81 cells, found {found}")
            }
            Self::Unreadable(LineError::Symbol { byte, cell }) => {
                let row = cell / 9 + 1;
                let column = cell % 9 + 1;
                write!(
                    out,
                    "unexpected `{}` at row {row}, column {column}",
                    byte.escape_ascii()
                )
            }
            Self::Clash(clash) => {
                let house = clash.kind.name(clash.number);
                write!(
                    out,
                    "the clues contradict each other: {house} has two {}s",
                    clash.value
                )
            }
            Self::NoSolution => write!(out, "no completion of these clues keeps the rules"),
            Self::Several => write!(out, "more than one solution"),
        }
    }
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
            Self::Several => "add a clue, or take any solution (leave out `--unique`)",
        }
    }
}

/// The answers to some lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockAnswers {
    /// One line for each line that is or should be a puzzle: a solution, or a number of solutions.
    /// If there is no answer, 81 dots in place of a solution, `?` in place of a number.
    pub text: Vec<u8>,
    /// The mistakes, in the order of the lines.
    pub mistakes: Vec<PuzzleMistake>,
    /// The number of lines that were answered.
    pub puzzles: u64,
    /// The number of all lines.
    pub(super) lines: u64,
}

/// Answers blocks of lines. Reuses its buffers.
pub(super) struct BlockSolver {
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
    pub(super) fn new(task: SolveMode) -> Self {
        let rules = GridRules::new(&Shape::new(9, 3, 3).expect("3x3 boxes make order 9"));
        let entries = Vec::new();
        let puzzles = Vec::new();
        let outcomes = Vec::new();
        Self {
            task,
            batch: BatchSolver::default(),
            rules,
            entries,
            puzzles,
            outcomes,
        }
    }

    /// Answers a block of lines, which are numbered from 1.
    pub(super) fn answer(&mut self, block: &[u8]) -> BlockAnswers {
        let lines = self.read(block);
        self.batch
            .solve(&self.puzzles, self.task.limit(), &mut self.outcomes);
        let text = Vec::with_capacity(82 * self.entries.len());
        let mut answers = BlockAnswers {
            text,
            mistakes: Vec::new(),
            puzzles: self.entries.len() as u64,
            lines,
        };
        for entry in &self.entries {
            let solved = entry.puzzle.map(|place| &self.outcomes[place]);
            self.write(solved, &mut answers.text);
            if let Some(problem) = self.problem(entry) {
                answers.mistakes.push(PuzzleMistake {
                    line: entry.line,
                    problem,
                });
            }
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

    fn write(&self, solved: Result<&PuzzleOutcome, LineError>, text: &mut Vec<u8>) {
        match (self.task, solved) {
            (SolveMode::Count(_), Ok(outcome)) => {
                text.extend_from_slice(outcome.count.to_string().as_bytes())
            }
            (SolveMode::Count(_), Err(_)) => text.push(b'?'),
            (SolveMode::Any, Ok(outcome)) if outcome.count > 0 => {
                text.extend_from_slice(&symbols(&outcome.first))
            }
            (SolveMode::Unique, Ok(outcome)) if outcome.count == 1 => {
                text.extend_from_slice(&symbols(&outcome.first))
            }
            _ => text.extend_from_slice(&[b'.'; 81]),
        }
        text.push(b'\n');
    }

    fn problem(&self, entry: &LineEntry) -> Option<PuzzleError> {
        let place = match entry.puzzle {
            Ok(place) => place,
            Err(unreadable) => return Some(PuzzleError::Unreadable(unreadable)),
        };
        match (self.task, self.outcomes[place].count) {
            (SolveMode::Count(_), _) => None,
            (_, 0) => Some(
                self.rules
                    .clashes(&self.puzzles[place])
                    .next()
                    .map_or(PuzzleError::NoSolution, PuzzleError::Clash),
            ),
            (SolveMode::Unique, 2..) => Some(PuzzleError::Several),
            _ => None,
        }
    }
}

/// The first line of a text without its line break, and the rest.
fn first_line(text: &[u8]) -> (&[u8], &[u8]) {
    // Nearly every line ends after 81 bytes.
    let end = match text.get(81) {
        Some(b'\n') if !text[..81].contains(&b'\n') => Some(81),
        // A carriage return alone ends a line, too.
        Some(b'\r')
            if text.get(82).is_some_and(|&byte| byte != b'\n') && !text[..81].contains(&b'\n') =>
        {
            Some(81)
        }
        _ => text.iter().position(|&byte| byte == b'\n'),
    };
    end.map_or((text, &[]), |end| (&text[..end], &text[end + 1..]))
}

fn symbols(solution: &NinePuzzle) -> [u8; 81] {
    solution.map(|value| b'0' + value)
}
