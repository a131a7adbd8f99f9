//! Searches one hard puzzle in all lanes: every lane follows another branch of the search.

use crate::solve::TooHard;
use crate::solve::nine::NinePuzzle;
use crate::solve::nine::digit_board::DigitBoard;
use crate::solve::nine::lane_group::LaneGroup;
use crate::solve::nine::lanes::Lanes;
use crate::solve::nine::sweep::{LaneState, sweep};

/// Searches all boards for solutions and passes each to `enough`, which returns true when no more
/// are wanted. Boards are taken from the end. The same boards give the same solutions in the same
/// order, whatever the registers. Adds the dead ends to `spent`.
///
/// # Errors
/// Returns [`TooHard`] after more dead ends than allowed without a solution between them.
#[inline(always)]
pub(super) fn spread<V: Lanes>(
    processor: V::Processor,
    group: &mut LaneGroup,
    boards: &mut Vec<DigitBoard>,
    most_dead_ends: u64,
    spent: &mut u64,
    mut enough: impl FnMut(&NinePuzzle) -> bool,
) -> Result<(), TooHard> {
    let mut busy = 0_u16;
    let mut dead_ends = 0;
    loop {
        while busy != u16::MAX
            && let Some(board) = boards.pop()
        {
            let lane = busy.trailing_ones() as usize;
            group.put(lane, &board);
            busy |= 1 << lane;
        }
        if busy == 0 {
            return Ok(());
        }
        let swept = sweep::<V>(processor, group);
        let mut halted = swept.halted() & busy;
        while halted != 0 {
            let lane = halted.trailing_zeros() as usize;
            halted &= halted - 1;
            match swept.of(lane) {
                LaneState::Open => {
                    branch(group, lane, boards);
                    continue;
                }
                LaneState::Solved if enough(&V::solution(processor, group.words(lane))) => {
                    return Ok(());
                }
                LaneState::Solved => dead_ends = 0,
                LaneState::Failed if dead_ends == most_dead_ends => {
                    return Err(TooHard { dead_ends });
                }
                LaneState::Failed => {
                    dead_ends += 1;
                    *spent += 1;
                }
            }
            busy &= !(1 << lane);
        }
    }
}

/// Makes a guess in a lane, and adds a board for each other guess to `boards`.
#[inline(always)]
fn branch(group: &mut LaneGroup, lane: usize, boards: &mut Vec<DigitBoard>) {
    let mut choice = group.choice(lane);
    let first = choice.next().expect("an open board has something to guess");
    while let Some(other) = choice.next() {
        let mut board = group.board(lane);
        for (word, cells) in board[3 * other.digit()..].iter_mut().zip(other.cells()) {
            *word &= cells;
        }
        boards.push(board);
    }
    group.restrict(lane, first);
}
