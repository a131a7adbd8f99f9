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
mod register;
pub(super) mod sse2;
