//! Selects the registers for the engines: by default the widest that the processor has,
//! detected at run time.

use std::fmt;

use crate::solve::nine::lanes::{Lanes, PortableLanes};
#[cfg(target_arch = "x86_64")]
use crate::solve::nine::simd::{avx2, avx512, sse2};

/// A kind of registers that this processor has. Outcomes are the same in all kinds.
#[derive(Clone, Copy, Debug)]
pub struct Registers(RegisterKind);

#[derive(Clone, Copy, Debug)]
enum RegisterKind {
    #[cfg(target_arch = "x86_64")]
    Avx512(avx512::Processor),
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Processor),
    #[cfg(target_arch = "x86_64")]
    Sse2(sse2::Processor),
    Portable,
}

/// Work that can be done in registers of any kind.
pub(super) trait RegisterTask {
    type Output;

    /// Does the work. This and everything it calls must be `#[inline(always)]`, or the
    /// code is not compiled for these registers.
    fn within<V: Lanes>(self, processor: V::Processor) -> Self::Output;
}

impl Registers {
    /// All kinds that this processor has, the widest first.
    pub fn all() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        let special = [
            avx512::Processor::detect().map(RegisterKind::Avx512),
            avx2::Processor::detect().map(RegisterKind::Avx2),
            sse2::Processor::detect().map(RegisterKind::Sse2),
        ];
        #[cfg(not(target_arch = "x86_64"))]
        let special = [None];
        special
            .into_iter()
            .flatten()
            .chain([RegisterKind::Portable])
            .map(Self)
            .collect()
    }

    /// The widest kind that this processor has.
    pub fn widest() -> Self {
        Self::all()[0]
    }

    pub(super) fn run<W: RegisterTask>(self, work: W) -> W::Output {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            RegisterKind::Avx512(processor) => processor.run(
                #[inline(always)]
                || work.within::<avx512::Avx512>(processor),
            ),
            #[cfg(target_arch = "x86_64")]
            RegisterKind::Avx2(processor) => processor.run(
                #[inline(always)]
                || work.within::<avx2::Avx2>(processor),
            ),
            #[cfg(target_arch = "x86_64")]
            RegisterKind::Sse2(processor) => processor.run(
                #[inline(always)]
                || work.within::<sse2::Sse2>(processor),
            ),
            RegisterKind::Portable => work.within::<PortableLanes>(()),
        }
    }
}

impl fmt::Display for Registers {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self.0 {
            #[cfg(target_arch = "x86_64")]
            RegisterKind::Avx512(_) => "AVX-512",
            #[cfg(target_arch = "x86_64")]
            RegisterKind::Avx2(_) => "AVX2",
            #[cfg(target_arch = "x86_64")]
            RegisterKind::Sse2(_) => "SSE2",
            RegisterKind::Portable => "portable",
        })
    }
}
