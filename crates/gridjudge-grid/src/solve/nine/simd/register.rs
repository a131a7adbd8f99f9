//! Contains the code common to registers of all widths; the file of each width names its
//! instructions.

/// Defines a token that proves that the processor has some features, and a register of lanes whose
/// operations need them.
macro_rules! register {
    (
        $name:ident($inner:ty) of $count:literal lanes, $has:literal, $list:literal, [$($feature:tt),*];
        splat: $splat:ident, load: $load:ident, store: $store:ident,
        and: $and:ident, or: $or:ident, xor: $xor:ident, and_not: $and_not:ident,
        shl: $shl:ident, shl_by: $shl_by:ident, shr: $shr:ident, subtract: $subtract:ident;
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

            /// Runs some work in a function that may use all these features, into which the
            /// compiler can inline it.
            #[inline(always)]
            pub(crate) fn run<T>(self, work: impl FnOnce() -> T) -> T {
                #[target_feature(enable = $list)]
                fn with_features<T>(work: impl FnOnce() -> T) -> T {
                    work()
                }
                // SAFETY: the only condition is that the processor has these features, and `self`
                // exists only if they were detected.
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
                // SAFETY: accesses no memory, and the token proves that the features are available.
                Self(unsafe { $splat(word as i32) })
            }

            #[inline(always)]
            fn load(_: Processor, row: &LaneRow, part: usize) -> Self {
                let lanes = &row.0.as_chunks::<$count>().0[part];
                // SAFETY: the token proves that the features are available. `lanes` may be read, at
                // any alignment.
                Self(unsafe { $load(lanes.as_ptr().cast()) })
            }

            #[inline(always)]
            fn store(self, row: &mut LaneRow, part: usize) {
                let lanes = &mut row.0.as_chunks_mut::<$count>().0[part];
                // SAFETY: `self` was made with a token. `lanes` may be written, at any alignment.
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

pub(super) use register;
