//! Proof that this processor has some features, and a function that may use them: the same code for each kind.

/// Makes a token of proof that the processor has some features.
macro_rules! processor {
    ($name:literal, $list:literal, [$($feature:tt),*]) => {
        #[doc = concat!("Proof that this processor has ", $name, ".")]
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct Processor(());

        impl Processor {
            /// Asks the processor.
            pub(crate) fn detect() -> Option<Self> {
                let has_all = true $(&& is_x86_feature_detected!($feature))*;
                has_all.then_some(Self(()))
            }

            /// Does some work in a function that may use all that was asked for, so that the compiler makes one piece
            /// of it.
            #[inline(always)]
            pub(crate) fn run<T>(self, work: impl FnOnce() -> T) -> T {
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

pub(super) use processor;
