//! Decides the verdict of a submission whose groups of cases decide it: their result as a whole,
//! and not the first case that is not accepted. Knows the rejected cases and the result of the
//! groups, but not how it follows from them.

use std::collections::BTreeMap;

use crate::model::{Case, ResultCode, SubmissionSummary, Verdict};
use crate::run::group_scores::RootResult;

/// The rejected cases of a submission by number, each with its verdict and the reason.
#[derive(Default)]
pub(super) struct Rejections {
    by_case: BTreeMap<usize, (Verdict, String)>,
}

impl Rejections {
    /// Records a case that is not accepted.
    pub(super) fn record(&mut self, case: usize, verdict: Verdict, reason: String) {
        self.by_case.insert(case, (verdict, reason));
    }

    /// Sets the verdict of the submission to that of its groups. If it is accepted, but rejected
    /// cases cost points, the first of them is the reason; otherwise the slowest case is named, as
    /// for every accepted submission.
    pub(super) fn decide(
        mut self,
        result: RootResult,
        slowest: Option<String>,
        cases: &[Case],
        summary: &mut SubmissionSummary,
    ) {
        let decisive = result
            .case
            .and_then(|case| Some((case, self.by_case.remove(&case)?)));
        if result.code == ResultCode::Accepted {
            summary.verdict = Some(Verdict::Accepted);
            let costly = decisive.filter(|_| summary.has_lost_points());
            (summary.worst_case, summary.reason) = match costly {
                Some((case, (_, reason))) => (Some(cases[case].name.clone()), reason),
                None => (slowest, String::new()),
            };
            return;
        }
        (summary.verdict, summary.worst_case, summary.reason) = match decisive {
            Some((case, (verdict, reason))) => {
                (Some(verdict), Some(cases[case].name.clone()), reason)
            }
            None => (
                Some(result.code.verdict()),
                None,
                "the grader of the problem rejects it".to_owned(),
            ),
        };
    }
}
