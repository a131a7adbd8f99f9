//! Eight lanes: AVX2, of nearly every x86-64 processor since 2013.

use std::arch::x86_64::*;

use crate::solve::nine::lanes::{LaneRow, Lanes};
use crate::solve::nine::simd::register::register;

register! {
    Avx2(__m256i) of 8 lanes, "AVX2", "avx2,popcnt,bmi1,bmi2", ["avx2", "popcnt", "bmi1", "bmi2"];
    splat: _mm256_set1_epi32, load: _mm256_loadu_si256, store: _mm256_storeu_si256,
    and: _mm256_and_si256, or: _mm256_or_si256, xor: _mm256_xor_si256, and_not: _mm256_andnot_si256,
    shl: _mm256_sll_epi32, shl_by: _mm256_slli_epi32, shr: _mm256_srl_epi32, subtract: _mm256_sub_epi32;

    #[inline(always)]
    fn differing(self, other: Self) -> u16 {
        // SAFETY: accesses no memory, and `self` was made with a token.
        let equal = unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(self.0, other.0))) };
        !equal as u16 & 0xff
    }
}
