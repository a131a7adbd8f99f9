//! Checks the verdicts of a submission's cases, one after the other in the order of the
//! plan, against the expected ones. Knows when no further case can change the result,
//! but not which cases are judged anyway.

use std::collections::BTreeSet;

use crate::model::{
    AllowedVerdicts, Case, CaseExpectations, CaseRequirement, Expected, Requirement,
    Score, Verdict,
};

/// The expectations of a submission, and which of them have been kept or broken so far.
pub(crate) struct ExpectationCheck<'a> {
    allowed: &'a AllowedVerdicts,
    /// The required verdicts and messages that have not occurred yet.
    open: Vec<&'a CaseRequirement>,
    /// The required points of groups, which are known only after the last case.
    scores: Vec<&'a CaseRequirement>,
    /// The last case whose verdicts are restricted and that has not been recorded.
    last_restricted: Option<usize>,
    /// Whether no more cases need be judged as soon as the expectations are settled.
    pub(super) stops_when_settled: bool,
    /// Also if a case has no verdict: the submission then cannot be as expected.
    pub(super) is_broken: bool,
}

impl<'a> ExpectationCheck<'a> {
    /// The expectations for these cases. Leaves out requirements on sets that contain
    /// any other case: these cases alone cannot decide them.
    pub(crate) fn for_cases(
        expectations: &'a CaseExpectations,
        cases: &[Case],
    ) -> Self {
        let names: BTreeSet<_> = if expectations.required.is_empty() {
            BTreeSet::new()
        } else {
            cases.iter().map(|case| case.name.as_str()).collect()
        };
        let (scores, open) = expectations
            .required
            .iter()
            .filter(|wanted| wanted.cases.iter().all(|case| names.contains(case)))
            .partition(|wanted| wanted.requirement.expected.score().is_some());
        Self {
            allowed: &expectations.allowed,
            open,
            scores,
            last_restricted: cases
                .iter()
                .rposition(|case| expectations.allowed.get(&case.name).is_some()),
            stops_when_settled: expectations.stops_when_settled,
            is_broken: false,
        }
    }

    /// The verdicts allowed on a case; `None` if all are.
    pub(crate) fn allowed_on(&self, case: &str) -> Option<&'a Expected> {
        self.allowed.get(case)
    }

    /// Records the verdict of a case and the checker's message for judges. Must be
    /// called in the order of the cases.
    pub(crate) fn record(
        &mut self,
        case: usize,
        name: &str,
        verdict: Verdict,
        said: Option<&str>,
    ) {
        self.is_broken |= self.breaks(name, verdict);
        self.open.retain(|wanted| {
            !((match &wanted.requirement.message {
                Some(message) => said.is_some_and(|said| said.contains(message)),
                None => wanted.requirement.expected.allows(verdict),
            }) && wanted.cases.contains(name))
        });
        self.last_restricted.take_if(|last| *last <= case);
    }

    /// Records a case that is not judged because of its group, and so counts as not
    /// accepted. Returns whether that breaks an expectation. Must be called in the
    /// order of the cases.
    pub(crate) fn leave_out(&mut self, case: usize, name: &str) -> bool {
        let allowed = self.allowed_on(name).map(Expected::verdicts);
        let breaks = allowed == Some(&[Verdict::Accepted]);
        self.is_broken |= breaks;
        self.last_restricted.take_if(|last| *last <= case);
        breaks
    }

    /// Whether this verdict on a case breaks an expectation.
    pub(crate) fn breaks(&self, case: &str, verdict: Verdict) -> bool {
        self.allowed_on(case)
            .is_some_and(|allowed| !allowed.allows(verdict))
    }

    /// Whether no further case can change whether the expectations are kept. Without
    /// `stops_when_settled`, expectations for single cases are never settled, so that
    /// all cases are judged.
    pub(crate) fn are_settled(&self) -> bool {
        let is_known = self.last_restricted.is_none() && self.open.is_empty();
        if self.stops_when_settled {
            self.is_broken || is_known
        } else {
            self.allowed.is_empty() && is_known
        }
    }

    /// The requirements that are not met, after all cases have been recorded. Leaves
    /// out required verdicts if an expectation is broken, because then not all cases
    /// need have been judged.
    pub(crate) fn unmet(self, score: Option<&Score>) -> Vec<Requirement> {
        let open = self.open.iter().filter(|_| !self.is_broken);
        let missed = self.scores.iter().filter(|wanted| {
            let wanted = &wanted.requirement;
            let allowed = wanted.expected.score();
            !allowed.zip(score).is_some_and(|(allowed, score)| {
                // The score of the group with this name; the whole score if there is
                // none.
                let mut groups = score.groups.iter();
                let group = groups.find(|group| *group.name == *wanted.cases);
                let (earned, of) = group.map_or((score.earned, score.of), |group| {
                    (group.earned, group.of)
                });
                allowed.allows(&Score {
                    earned,
                    of,
                    ..score.clone()
                })
            })
        });
        open.chain(missed)
            .map(|wanted| wanted.requirement.clone())
            .collect()
    }
}
