//! Eight lanes: AVX2, of nearly every x86-64 processor since 2013.

use std::arch::x86_64::*;

use crate::solve::nine::lanes::LaneRow;
use crate::solve::nine::lanes::Lanes;
use crate::solve::nine::simd::processor::processor;

processor!("AVX2", "avx2,popcnt,bmi1,bmi2", ["avx2", "popcnt", "bmi1", "bmi2"]);

/// A register of eight lanes.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(__m256i);

impl Lanes for Avx2 {
    type Processor = Processor;
    const COUNT: usize = 8;

    #[inline(always)]
    fn splat(_: Processor, word: u32) -> Self {
        // SAFETY: touches no memory, and without AVX2 there were no token.
        Self(unsafe { _mm256_set1_epi32(word as i32) })
    }

    #[inline(always)]
    fn load(_: Processor, row: &LaneRow, part: usize) -> Self {
        let lanes = &row.0.as_chunks::<8>().0[part];
        // SAFETY: without AVX2 there were no token; the eight words are ours to read, at any alignment.
        Self(unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, row: &mut LaneRow, part: usize) {
        let lanes = &mut row.0.as_chunks_mut::<8>().0[part];
        // SAFETY: `self` was made with a token; the eight words are ours to write, at any alignment.
        unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: touches no memory, and `self` was made with a token.
        Self(unsafe { _mm256_and_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: touches no memory, and `self` was made with a token.
        Self(unsafe { _mm256_or_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: touches no memory, and `self` was made with a token.
        Self(unsafe { _mm256_xor_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: touches no memory, and `self` was made with a token.
        Self(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }

    #[inline(always)]
    fn times_seven(self) -> Self {
        // SAFETY: touches no memory, and `self` was made with a token.
        Self(unsafe { _mm256_sub_epi32(_mm256_slli_epi32::<3>(self.0), self.0) })
    }

    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        // SAFETY: touches no memory, and `self` was made with a token. The count is known where this is inlined.
        Self(unsafe { _mm256_sll_epi32(self.0, _mm_cvtsi32_si128(bits as i32)) })
    }

    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        // SAFETY: as for `shl`.
        Self(unsafe { _mm256_srl_epi32(self.0, _mm_cvtsi32_si128(bits as i32)) })
    }

    #[inline(always)]
    fn differing(self, other: Self) -> u16 {
        // SAFETY: touches no memory, and `self` was made with a token.
        let equal = unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(self.0, other.0))) };
        !equal as u16 & 0xff
    }
}
