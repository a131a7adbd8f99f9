//! Sixteen lanes: AVX-512 of Intel's servers since 2019 (Ice Lake) and AMD's processors since 2022
//! (Zen 4).

use std::arch::x86_64::*;

use crate::solve::nine::NinePuzzle;
use crate::solve::nine::digit_board::ClueMasks;
use crate::solve::nine::lanes::{LaneRow, Lanes};
use crate::solve::nine::simd::register::register;

register! {
    Avx512(__m512i) of 16 lanes, "AVX-512 F, BW and VL", "avx512f,avx512bw,avx512vl,popcnt,bmi1,bmi2",
    ["avx512f", "avx512bw", "avx512vl", "popcnt", "bmi1", "bmi2"];
    splat: _mm512_set1_epi32, load: _mm512_loadu_si512, store: _mm512_storeu_si512,
    and: _mm512_and_si512, or: _mm512_or_si512, xor: _mm512_xor_si512, and_not: _mm512_andnot_si512,
    shl: _mm512_sll_epi32, shl_by: _mm512_slli_epi32, shr: _mm512_srl_epi32, subtract: _mm512_sub_epi32;

    #[inline(always)]
    fn differing(self, other: Self) -> u16 {
        // SAFETY: accesses no memory, and `self` was made with a token.
        unsafe { _mm512_cmpneq_epi32_mask(self.0, other.0) }
    }

    #[inline(always)]
    fn or3(self, other: Self, third: Self) -> Self {
        // SAFETY: accesses no memory, and `self` was made with a token.
        Self(unsafe { _mm512_ternarylogic_epi32::<0xfe>(self.0, other.0, third.0) })
    }

    #[inline(always)]
    fn select(self, yes: Self, no: Self) -> Self {
        // SAFETY: accesses no memory, and `self` was made with a token.
        Self(unsafe { _mm512_ternarylogic_epi32::<0xca>(self.0, yes.0, no.0) })
    }

    #[inline(always)]
    fn clues(_: Processor, puzzle: &NinePuzzle) -> ClueMasks {
        // SAFETY: the token proves that AVX-512 is available. Both loads stay in the 81 bytes: 0 to
        // 63, 49 to 80.
        let (low, high) = unsafe {
            (_mm512_loadu_si512(puzzle.as_ptr().cast()), _mm256_loadu_si256(puzzle.as_ptr().add(49).cast()))
        };
        ClueMasks::from_sets(
            #[inline(always)]
            |value| {
                let value = value as i8;
                // SAFETY: as above.
                unsafe {
                    let high = _mm256_cmpeq_epi8_mask(high, _mm256_set1_epi8(value));
                    (_mm512_cmpeq_epi8_mask(low, _mm512_set1_epi8(value)), high >> 15)
                }
            },
        )
    }

    #[inline(always)]
    fn solution(_: Processor, word: impl Fn(usize) -> u32) -> NinePuzzle {
        let mut solution = [0; 81];
        // SAFETY: the token proves that AVX-512 is available. Both stores stay in the 81 bytes: the
        // first writes 0 to 63, and the mask limits the second to 64 to 80.
        unsafe {
            let (mut low, mut high) = (_mm512_setzero_si512(), _mm256_setzero_si256());
            for digit in 0..9 {
                let (top, middle) = (u64::from(word(3 * digit)), u64::from(word(3 * digit + 1)));
                let bottom = u64::from(word(3 * digit + 2));
                let value = digit as i8 + 1;
                low = _mm512_mask_mov_epi8(low, top | middle << 27 | bottom << 54, _mm512_set1_epi8(value));
                high = _mm256_mask_mov_epi8(high, (bottom >> 10) as u32, _mm256_set1_epi8(value));
            }
            _mm512_storeu_si512(solution.as_mut_ptr().cast(), low);
            _mm256_mask_storeu_epi8(solution.as_mut_ptr().add(64).cast(), 0x1ffff, high);
        }
        solution
    }
}
