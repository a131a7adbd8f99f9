//! What became of a search for a model. Data only.

/// What became of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SatResult {
    /// There is a model: [`CdclSolver::is_true`](super::CdclSolver::is_true) tells it until the next call.
    Model,
    /// There is none under the assumptions.
    Nothing,
    /// The allowance was used up.
    GaveUp,
}
