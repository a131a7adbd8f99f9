//! Four lanes: SSE2, of every x86-64 processor.

use std::arch::x86_64::*;

use crate::solve::nine::lanes::{LaneRow, Lanes};
use crate::solve::nine::simd::register::register;

register! {
    Sse2(__m128i) of 4 lanes, "SSE2", "sse2", ["sse2"];
    splat: _mm_set1_epi32, load: _mm_loadu_si128, store: _mm_storeu_si128,
    and: _mm_and_si128, or: _mm_or_si128, xor: _mm_xor_si128, and_not: _mm_andnot_si128,
    shl: _mm_sll_epi32, shl_by: _mm_slli_epi32, shr: _mm_srl_epi32, subtract: _mm_sub_epi32;

    #[inline(always)]
    fn differing(self, other: Self) -> u16 {
        // SAFETY: accesses no memory, and `self` was made with a token.
        let equal = unsafe { _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(self.0, other.0))) };
        !equal as u16 & 0xf
    }
}
