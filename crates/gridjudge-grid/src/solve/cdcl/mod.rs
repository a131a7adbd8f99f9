//! Search that learns from its mistakes: finds out whether clauses can all be true, and how. Knows literals, not grids.
//!
//! Decides variables until a clause breaks, derives from that clause and the reasons of its literals a new one that
//! forbids the cause, takes back as many decisions as that makes obsolete, and goes on. This is conflict-driven clause
//! learning (Marques-Silva and Sakallah 1996) with watched literals, decisions by recent activity, saved phases,
//! minimised clauses and restarts by glue (Audemard and Simon 2009, 2012). It uses no clock and no random numbers: the same clauses,
//! added in the same order, give the same models.

mod activity_heap;
mod analysis_scratch;
mod analyze;
mod clauses;
mod literal;
mod propagate;
mod reason;
mod restarts;
mod result;
mod search;
mod solver;
mod trail;

pub(super) use literal::Literal;
pub(super) use result::SatResult;
pub(super) use solver::CdclSolver;

#[cfg(test)]
mod tests;
