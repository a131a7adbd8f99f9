//! Defines the operations that the engines need of a register: several 32-bit lanes that do the
//! same at once. The portable kind is here; the kinds of particular processors are in
//! [`simd`](super::simd).

use crate::solve::nine::digit_board::ClueMasks;
use crate::solve::nine::{NinePuzzle, digit_board};

/// The number of puzzles solved side by side on any processor: the lanes of the widest register.
pub(super) const WIDTH: usize = 16;

/// One word of every puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct LaneRow(pub(super) [u32; WIDTH]);

/// Some lanes of a [`LaneRow`], in a register.
pub(super) trait Lanes: Copy {
    /// Proof that this processor has such registers.
    type Processor: Copy;
    /// The number of lanes; it divides [`WIDTH`].
    const COUNT: usize;

    /// The same word in every lane.
    fn splat(processor: Self::Processor, word: u32) -> Self;
    /// The part of a row that starts with lane `COUNT * part`.
    fn load(processor: Self::Processor, row: &LaneRow, part: usize) -> Self;
    /// The opposite of `load`.
    fn store(self, row: &mut LaneRow, part: usize);

    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// `self & !other`.
    fn without(self, other: Self) -> Self;
    /// Three bits (a minirow) in place of each set bit. Only bits of
    /// [`MINIROWS`](digit_board::MINIROWS) may be set.
    fn times_seven(self) -> Self;
    fn shl(self, bits: u32) -> Self;
    fn shr(self, bits: u32) -> Self;
    /// The lanes that differ, as bit `lane`.
    fn differing(self, other: Self) -> u16;

    /// `self | other | third`.
    #[inline(always)]
    fn or3(self, other: Self, third: Self) -> Self {
        self.or(other).or(third)
    }

    /// The bits of `yes` where `self` has ones, and of `no` where it has zeros.
    #[inline(always)]
    fn select(self, yes: Self, no: Self) -> Self {
        no.xor(self.and(yes.xor(no)))
    }

    /// Reads a puzzle.
    #[inline(always)]
    fn clues(_: Self::Processor, puzzle: &NinePuzzle) -> ClueMasks {
        ClueMasks::of(puzzle)
    }

    /// The solution given by a board on which every cell has one digit left.
    #[inline(always)]
    fn solution(_: Self::Processor, word: impl Fn(usize) -> u32) -> NinePuzzle {
        digit_board::solution(word)
    }
}

/// Two lanes, the halves of a common 64-bit register.
#[derive(Clone, Copy)]
pub(super) struct PortableLanes(u64);

/// The same word in both halves.
const fn twice(word: u32) -> u64 {
    word as u64 | (word as u64) << 32
}

impl Lanes for PortableLanes {
    type Processor = ();
    const COUNT: usize = 2;

    #[inline(always)]
    fn splat((): (), word: u32) -> Self {
        Self(twice(word))
    }

    #[inline(always)]
    fn load((): (), row: &LaneRow, part: usize) -> Self {
        Self(u64::from(row.0[2 * part]) | u64::from(row.0[2 * part + 1]) << 32)
    }

    #[inline(always)]
    fn store(self, row: &mut LaneRow, part: usize) {
        row.0[2 * part] = self.0 as u32;
        row.0[2 * part + 1] = (self.0 >> 32) as u32;
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        Self(self.0 << bits & twice(u32::MAX << bits))
    }

    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        Self(self.0 >> bits & twice(u32::MAX >> bits))
    }

    #[inline(always)]
    fn times_seven(self) -> Self {
        // A lane has at most 27 bits, and set bits are three apart, so there is no borrow or
        // overflow between lanes.
        Self((self.0 << 3) - self.0)
    }

    #[inline(always)]
    fn differing(self, other: Self) -> u16 {
        let unlike = self.0 ^ other.0;
        u16::from(unlike as u32 != 0) | u16::from(unlike >> 32 != 0) << 1
    }
}
