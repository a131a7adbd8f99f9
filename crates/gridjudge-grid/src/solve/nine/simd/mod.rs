//! Wraps the registers of particular processors in safe functions. The only unsafe code
//! of the solver.
//!
//! A register can be made only with a token of its kind, and a token only by detecting
//! the processor's features. A register thus proves that its instructions exist. The
//! token does not enable the features in a function, though: only code that is inlined
//! into `run` is compiled to these instructions, so everything on the way is
//! `#[inline(always)]`.

#![expect(unsafe_code, reason = "the one module of the solver that may use it")]
#![expect(
    clippy::multiple_unsafe_ops_per_block,
    reason = "one argument holds for all instructions of an expression"
)]

/// Defines a token that proves that the processor has some features, and a register of
/// lanes whose operations need them.
macro_rules! register {
    (
        $name:ident($inner:ty) of $count:literal lanes,
        $has:literal,
        $list:literal,
        [$($feature:tt),*];
        splat: $splat:ident,
        load: $load:ident,
        store: $store:ident,
        and: $and:ident,
        or: $or:ident,
        xor: $xor:ident,
        and_not: $and_not:ident,
        shl: $shl:ident,
        shl_by: $shl_by:ident,
        shr: $shr:ident,
        subtract: $subtract:ident;
        $($own:item)*
    ) => {
        #[doc = concat!("Proof that this processor has ", $has, ".")]
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct Processor(());

        impl Processor {
            /// A token if this processor has all features.
            pub(crate) fn detect() -> Option<Self> {
                let has_all = true $(&& is_x86_feature_detected!($feature))*;
                has_all.then_some(Self(()))
            }

            /// Runs some work in a function that may use all these features, into which
            /// the compiler can inline it.
            #[inline(always)]
            pub(crate) fn run<T>(self, work: impl FnOnce() -> T) -> T {
                #[target_feature(enable = $list)]
                fn with_features<T>(work: impl FnOnce() -> T) -> T {
                    work()
                }
                // SAFETY: the only condition is that the processor has these features,
                // and `self` exists only if they were detected.
                unsafe { with_features(work) }
            }
        }

        #[doc = concat!("A register of ", stringify!($count), " lanes.")]
        #[derive(Clone, Copy)]
        pub(crate) struct $name($inner);

        impl Lanes for $name {
            type Processor = Processor;
            const COUNT: usize = $count;

            #[inline(always)]
            fn splat(_: Processor, word: u32) -> Self {
                // SAFETY: accesses no memory, and the token proves that the features
                // are available.
                Self(unsafe { $splat(word as i32) })
            }

            #[inline(always)]
            fn load(_: Processor, row: &LaneRow, part: usize) -> Self {
                let lanes = &row.0.as_chunks::<$count>().0[part];
                // SAFETY: the token proves that the features are available. `lanes` may
                // be read, at any alignment.
                Self(unsafe { $load(lanes.as_ptr().cast()) })
            }

            #[inline(always)]
            fn store(self, row: &mut LaneRow, part: usize) {
                let lanes = &mut row.0.as_chunks_mut::<$count>().0[part];
                // SAFETY: `self` was made with a token. `lanes` may be written, at any
                // alignment.
                unsafe { $store(lanes.as_mut_ptr().cast(), self.0) }
            }

            register!(both and, $and);
            register!(both or, $or);
            register!(both xor, $xor);

            #[inline(always)]
            fn without(self, other: Self) -> Self {
                // SAFETY: accesses no memory, and `self` was made with a token.
                Self(unsafe { $and_not(other.0, self.0) })
            }

            register!(shift shl, $shl);
            register!(shift shr, $shr);

            #[inline(always)]
            fn times_seven(self) -> Self {
                // SAFETY: accesses no memory, and `self` was made with a token.
                Self(unsafe { $subtract($shl_by::<3>(self.0), self.0) })
            }

            $($own)*
        }
    };
    (both $name:ident, $instruction:ident) => {
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            // SAFETY: accesses no memory, and `self` was made with a token.
            Self(unsafe { $instruction(self.0, other.0) })
        }
    };
    (shift $name:ident, $instruction:ident) => {
        #[inline(always)]
        fn $name(self, bits: u32) -> Self {
            // SAFETY: accesses no memory, and `self` was made with a token.
            // The count is a constant wherever this is inlined.
            Self(unsafe { $instruction(self.0, _mm_cvtsi32_si128(bits as i32)) })
        }
    };
}

/// Eight lanes: AVX2, of nearly every x86-64 processor since 2013.
pub(super) mod avx2 {
    use std::arch::x86_64::*;

    use crate::solve::nine::lanes::{LaneRow, Lanes};

    register! {
        Avx2(__m256i) of 8 lanes,
        "AVX2",
        "avx2,popcnt,bmi1,bmi2",
        ["avx2", "popcnt", "bmi1", "bmi2"];
        splat: _mm256_set1_epi32,
        load: _mm256_loadu_si256,
        store: _mm256_storeu_si256,
        and: _mm256_and_si256,
        or: _mm256_or_si256,
        xor: _mm256_xor_si256,
        and_not: _mm256_andnot_si256,
        shl: _mm256_sll_epi32,
        shl_by: _mm256_slli_epi32,
        shr: _mm256_srl_epi32,
        subtract: _mm256_sub_epi32;

        #[inline(always)]
        fn differing(self, other: Self) -> u16 {
            // SAFETY: accesses no memory, and `self` was made with a token.
            let equal = unsafe {
                _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(
                    self.0, other.0,
                )))
            };
            !equal as u16 & 0xff
        }
    }
}

/// Four lanes: SSE2, of every x86-64 processor.
pub(super) mod sse2 {
    use std::arch::x86_64::*;

    use crate::solve::nine::lanes::{LaneRow, Lanes};

    register! {
        Sse2(__m128i) of 4 lanes,
        "SSE2",
        "sse2",
        ["sse2"];
        splat: _mm_set1_epi32,
        load: _mm_loadu_si128,
        store: _mm_storeu_si128,
        and: _mm_and_si128,
        or: _mm_or_si128,
        xor: _mm_xor_si128,
        and_not: _mm_andnot_si128,
        shl: _mm_sll_epi32,
        shl_by: _mm_slli_epi32,
        shr: _mm_srl_epi32,
        subtract: _mm_sub_epi32;

        #[inline(always)]
        fn differing(self, other: Self) -> u16 {
            // SAFETY: accesses no memory, and `self` was made with a token.
            let equal = unsafe {
                _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(
                    self.0, other.0,
                )))
            };
            !equal as u16 & 0xf
        }
    }
}

/// Sixteen lanes: AVX-512 of Intel's servers since 2019 (Ice Lake) and AMD's processors
/// since 2022 (Zen 4).
pub(super) mod avx512 {
    use std::arch::x86_64::*;

    use crate::solve::nine::NinePuzzle;
    use crate::solve::nine::digit_board::ClueMasks;
    use crate::solve::nine::lanes::{LaneRow, Lanes};

    register! {
        Avx512(__m512i) of 16 lanes,
        "AVX-512 F, BW and VL",
        "avx512f,avx512bw,avx512vl,popcnt,bmi1,bmi2",
        ["avx512f", "avx512bw", "avx512vl", "popcnt", "bmi1", "bmi2"];
        splat: _mm512_set1_epi32,
        load: _mm512_loadu_si512,
        store: _mm512_storeu_si512,
        and: _mm512_and_si512,
        or: _mm512_or_si512,
        xor: _mm512_xor_si512,
        and_not: _mm512_andnot_si512,
        shl: _mm512_sll_epi32,
        shl_by: _mm512_slli_epi32,
        shr: _mm512_srl_epi32,
        subtract: _mm512_sub_epi32;

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
            // SAFETY: the token proves that AVX-512 is available. Both loads stay in
            // the 81 bytes: 0 to 63, 49 to 80.
            let (low, high) = unsafe {
                (
                    _mm512_loadu_si512(puzzle.as_ptr().cast()),
                    _mm256_loadu_si256(puzzle.as_ptr().add(49).cast()),
                )
            };
            ClueMasks::from_sets(
                #[inline(always)]
                |value| {
                    let value = value as i8;
                    // SAFETY: as above.
                    unsafe {
                        let high = _mm256_cmpeq_epi8_mask(high, _mm256_set1_epi8(value));
                        (
                            _mm512_cmpeq_epi8_mask(low, _mm512_set1_epi8(value)),
                            high >> 15,
                        )
                    }
                },
            )
        }

        #[inline(always)]
        fn solution(_: Processor, word: impl Fn(usize) -> u32) -> NinePuzzle {
            let mut solution = [0; 81];
            // SAFETY: the token proves that AVX-512 is available. Both stores stay in
            // the 81 bytes: the first writes 0 to 63, and the mask limits the second to
            // 64 to 80.
            unsafe {
                let mut low = _mm512_setzero_si512();
                let mut high = _mm256_setzero_si256();
                for digit in 0..9 {
                    let top = u64::from(word(3 * digit));
                    let middle = u64::from(word(3 * digit + 1));
                    let bottom = u64::from(word(3 * digit + 2));
                    let value = digit as i8 + 1;
                    low = _mm512_mask_mov_epi8(
                        low,
                        top | middle << 27 | bottom << 54,
                        _mm512_set1_epi8(value),
                    );
                    high = _mm256_mask_mov_epi8(
                        high,
                        (bottom >> 10) as u32,
                        _mm256_set1_epi8(value),
                    );
                }
                _mm512_storeu_si512(solution.as_mut_ptr().cast(), low);
                _mm256_mask_storeu_epi8(solution.as_mut_ptr().add(64).cast(), 0x1ffff, high);
            }
            solution
        }
    }
}
