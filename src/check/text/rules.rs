//! What counts when two texts are compared, whatever kind of task it is: letters, numbers, and what stands between
//! tokens.

use crate::check::text::numeral::number;
use crate::model::FindingKind;
use crate::model::TextTask;
use crate::model::TokenRules;
use crate::model::Tolerance;

/// How a text is compared.
#[derive(Clone, Debug)]
pub(super) struct ComparisonRules {
    pub(super) is_case_sensitive: bool,
    pub(super) tolerance: Option<NumberTolerance>,
    pub(super) gaps: GapRule,
    /// What a gap that breaks the rule means for the verdict.
    pub(super) gap_kind: FindingKind,
}

/// What of the white space between tokens counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GapRule {
    /// Nothing.
    Ignored,
    /// Whether a line ends there.
    LineEnds,
    /// How many lines end there, and what the last of them begins with; nothing at the end of the text.
    Lines,
    /// Each byte.
    Exact,
}

/// By how much a number may differ from the answer's; either suffices.
#[derive(Clone, Copy, Debug)]
pub(super) struct NumberTolerance {
    pub(super) absolute: Option<Tolerance>,
    pub(super) relative: Option<Tolerance>,
}

impl ComparisonRules {
    pub(super) fn of(task: &TextTask) -> Self {
        let strictly = |gaps| Self {
            is_case_sensitive: true,
            tolerance: None,
            gaps,
            gap_kind: FindingKind::Presentation,
        };
        match task {
            TextTask::Tokens(rules) => Self::of_tokens(rules),
            TextTask::Lines => strictly(GapRule::Lines),
            TextTask::Exact => strictly(GapRule::Exact),
        }
    }

    fn of_tokens(rules: &TokenRules) -> Self {
        let (absolute, relative) = (rules.absolute_tolerance, rules.relative_tolerance);
        let has_tolerance = absolute.is_some() || relative.is_some();
        Self {
            is_case_sensitive: rules.case_sensitive,
            tolerance: has_tolerance.then_some(NumberTolerance { absolute, relative }),
            gaps: if rules.space_change_sensitive { GapRule::Exact } else { GapRule::Ignored },
            gap_kind: FindingKind::Wrong,
        }
    }

    /// Whether a token is as good as the answer's.
    pub(super) fn accept(&self, found: &[u8], expected: &[u8]) -> bool {
        if found == expected {
            return true;
        }
        match self.tolerance.and_then(|tolerance| Some((tolerance, number_of_answer(expected)?))) {
            Some((tolerance, expected)) => {
                number(found).is_some_and(|found| tolerance.accepts(found, expected))
            }
            None => self.same_letters(found, expected),
        }
    }

    /// Whether two texts of the same length are the same, as text.
    pub(super) fn same_letters(&self, found: &[u8], expected: &[u8]) -> bool {
        if self.is_case_sensitive { found == expected } else { found.eq_ignore_ascii_case(expected) }
    }
}

impl NumberTolerance {
    /// Whether a number is near enough to that of the answer. Infinite is what is too large for a float.
    pub(super) fn accepts(&self, found: f64, expected: f64) -> bool {
        let error = (found - expected).abs();
        found.is_finite()
            && (self.absolute.is_some_and(|most| error <= most.value())
                || self.relative.is_some_and(|most| error <= most.value() * expected.abs()))
    }
}

/// The number that a token of the answer is. One that is too large for a float is compared as a text.
pub(super) fn number_of_answer(token: &[u8]) -> Option<f64> {
    number(token).filter(|number| number.is_finite())
}
