//! The registers of particular processors, behind safe functions; the only unsafe code of the solver.
//!
//! A register can be made only with the token of its kind, and a token only by asking the processor. Whoever holds
//! a register thus proves that its instructions exist. A function inherits no features from its token, though: only
//! what is inlined into `run` becomes single instructions, so everything on the way there is `#[inline(always)]`.
#![expect(unsafe_code, reason = "the one module of the solver that may")]
#![expect(
    clippy::multiple_unsafe_ops_per_block,
    reason = "one argument holds for all instructions of an expression"
)]

pub(super) mod avx2;
pub(super) mod avx512;
pub(super) mod sse2;

/// Makes a token of proof that the processor has some features.
macro_rules! processor {
    ($name:literal, $list:literal, [$($feature:tt),*]) => {
        #[doc = concat!("Proof that this processor has ", $name, ".")]
        #[derive(Clone, Copy, Debug)]
        pub(in crate::solve::nine) struct Processor(());

        impl Processor {
            /// Asks the processor.
            pub(in crate::solve::nine) fn detect() -> Option<Self> {
                let has_all = true $(&& is_x86_feature_detected!($feature))*;
                has_all.then_some(Self(()))
            }

            /// Does some work in a function that may use all that was asked for, so that the compiler makes one piece
            /// of it.
            #[inline(always)]
            pub(in crate::solve::nine) fn run<T>(self, work: impl FnOnce() -> T) -> T {
                #[target_feature(enable = $list)]
                fn with_features<T>(work: impl FnOnce() -> T) -> T {
                    work()
                }
                // SAFETY: the one condition is that the processor has these features, and there is a `self` only
                // where it said so.
                unsafe { with_features(work) }
            }
        }
    };
}

use processor;
