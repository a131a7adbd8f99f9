//! Four lanes: SSE2, of every x86-64 processor.

use std::arch::x86_64::*;

use crate::solve::nine::lanes::LaneRow;
use crate::solve::nine::lanes::Lanes;
use crate::solve::nine::simd::processor::processor;

processor!("SSE2", "sse2", ["sse2"]);

/// A register of four lanes.
#[derive(Clone, Copy)]
pub(crate) struct Sse2(__m128i);

impl Lanes for Sse2 {
    type Processor = Processor;
    const COUNT: usize = 4;

    #[inline(always)]
    fn splat(_: Processor, word: u32) -> Self {
        // SAFETY: touches no memory, and without SSE2 there were no token.
        Self(unsafe { _mm_set1_epi32(word as i32) })
    }

    #[inline(always)]
    fn load(_: Processor, row: &LaneRow, part: usize) -> Self {
        let lanes = &row.0.as_chunks::<4>().0[part];
        // SAFETY: without SSE2 there were no token; the four words are ours to read, at any alignment.
        Self(unsafe { _mm_loadu_si128(lanes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, row: &mut LaneRow, part: usize) {
        let lanes = &mut row.0.as_chunks_mut::<4>().0[part];
        // SAFETY: `self` was made with a token; the four words are ours to write, at any alignment.
        unsafe { _mm_storeu_si128(lanes.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: touches no memory, and `self` was made with a token.
        Self(unsafe { _mm_and_si128(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: touches no memory, and `self` was made with a token.
        Self(unsafe { _mm_or_si128(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: touches no memory, and `self` was made with a token.
        Self(unsafe { _mm_xor_si128(self.0, other.0) })
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: touches no memory, and `self` was made with a token.
        Self(unsafe { _mm_andnot_si128(other.0, self.0) })
    }

    #[inline(always)]
    fn times_seven(self) -> Self {
        // SAFETY: touches no memory, and `self` was made with a token.
        Self(unsafe { _mm_sub_epi32(_mm_slli_epi32::<3>(self.0), self.0) })
    }

    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        // SAFETY: touches no memory, and `self` was made with a token. The count is known where this is inlined.
        Self(unsafe { _mm_sll_epi32(self.0, _mm_cvtsi32_si128(bits as i32)) })
    }

    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        // SAFETY: as for `shl`.
        Self(unsafe { _mm_srl_epi32(self.0, _mm_cvtsi32_si128(bits as i32)) })
    }

    #[inline(always)]
    fn differing(self, other: Self) -> u16 {
        // SAFETY: touches no memory, and `self` was made with a token.
        let equal = unsafe { _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(self.0, other.0))) };
        !equal as u16 & 0xf
    }
}
