//! Wraps the registers of particular processors in safe functions. The only unsafe code of the
//! solver.
//!
//! A register can be made only with a token of its kind, and a token only by detecting the
//! processor's features. A register thus proves that its instructions exist. The token does not
//! enable the features in a function, though: only code that is inlined into `run` is compiled to
//! these instructions, so everything on the way is `#[inline(always)]`.

#![expect(unsafe_code, reason = "the one module of the solver that may use it")]
#![expect(
    clippy::multiple_unsafe_ops_per_block,
    reason = "one argument holds for all instructions of an expression"
)]

pub(super) mod avx2;
pub(super) mod avx512;
mod register;
pub(super) mod sse2;
