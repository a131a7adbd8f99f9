//! The rules by which two texts are compared, whatever the kind of task: for letters,
//! for numbers, and for the white space between tokens.

use crate::check::text::long_double::{LongDouble, LongDoubleBounds};
use crate::check::text::numeral::number_of_python;
use crate::check::text::parse_number;
use crate::model::{ErrorMeasure, FindingKind, TextTask, TokenRules, Tolerance};

use NumberArithmetic::{Dmoj, DomJudge, Kattis};

/// How a text is compared.
pub(super) struct ComparisonRules {
    pub(super) is_case_sensitive: bool,
    pub(super) tolerance: Option<NumberTolerance>,
    pub(super) gaps: GapRule,
    /// The kind of finding for a gap that breaks the rule.
    pub(super) gap_kind: FindingKind,
}

/// Which properties of the white space between tokens count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum GapRule {
    /// Nothing.
    #[default]
    Ignored,
    /// Whether a line ends there.
    LineEnds,
    /// The number of line ends, and the white space after the last one; nothing at the
    /// end of the text.
    Lines,
    /// Each byte.
    Exact,
    /// Each byte, except carriage returns before line feeds.
    CrlfInsensitive,
    /// Whether a line ends there, where carriage returns end lines too; nothing at the
    /// start and at the end of the text.
    TokenLines,
    /// Like `TokenLines`, with the number of lines that hold only white space; those at
    /// the start and at the end of the text count.
    FilledLines,
    /// The number of line ends, where carriage returns end lines too, and the white
    /// space after the last one, unless the text ends there.
    StrippedLines,
    /// Like `FilledLines`, with the white space after the last line end, unless the
    /// text ends there.
    StrippedFilledLines,
}

/// By how much a number may differ from the answer's. One of the two bounds suffices.
#[derive(Clone, Copy)]
pub(super) struct NumberTolerance {
    pub(super) absolute: Option<Tolerance>,
    pub(super) relative: Option<Tolerance>,
    pub(super) arithmetic: NumberArithmetic,
}

/// How numbers are parsed, and how the bounds are calculated: near a bound, the results
/// differ.
#[derive(Clone, Copy)]
pub(super) enum NumberArithmetic {
    /// As the default validator of Kattis does it.
    Kattis,
    /// As the checkers of DMOJ do it.
    Dmoj,
    /// As the validator of DOMjudge does it, with these bounds.
    DomJudge(LongDoubleBounds),
}

impl GapRule {
    /// Whether a byte ends a line, as far as lines count.
    pub(super) fn ends_line(self, byte: u8) -> bool {
        match self {
            Self::Ignored | Self::Exact | Self::CrlfInsensitive => false,
            Self::LineEnds | Self::Lines => byte == b'\n',
            Self::TokenLines
            | Self::FilledLines
            | Self::StrippedLines
            | Self::StrippedFilledLines => matches!(byte, b'\n' | b'\r'),
        }
    }

    /// Whether white space before the first token is compared differently from that
    /// between two tokens.
    pub(super) fn has_own_start(self) -> bool {
        matches!(
            self,
            Self::TokenLines | Self::FilledLines | Self::StrippedFilledLines
        )
    }
}

impl ComparisonRules {
    pub(super) fn for_task(task: &TextTask) -> Self {
        use TextTask::*;

        let strictly = |gaps| Self {
            is_case_sensitive: true,
            tolerance: None,
            gaps,
            gap_kind: FindingKind::Presentation,
        };
        let wrongly = |gaps| Self {
            gap_kind: FindingKind::Wrong,
            ..strictly(gaps)
        };
        match task {
            Tokens(rules) => Self::of_tokens(rules),
            Lines => strictly(GapRule::Lines),
            Exact => strictly(GapRule::Exact),
            CrlfInsensitive => wrongly(GapRule::CrlfInsensitive),
            TokenLines => wrongly(GapRule::TokenLines),
            StrippedLines => wrongly(GapRule::StrippedLines),
            StrippedFilledLines => wrongly(GapRule::StrippedFilledLines),
            // Compared without these rules, see `unordered`.
            Unordered(_) | ScoredLines(_) => wrongly(GapRule::Ignored),
            NumberLines(rules) => {
                let unless =
                    |other| (rules.measure != other).then_some(rules.tolerance);
                let tolerance = NumberTolerance {
                    absolute: unless(ErrorMeasure::Relative),
                    relative: unless(ErrorMeasure::Absolute),
                    arithmetic: Dmoj,
                };
                Self {
                    tolerance: Some(tolerance),
                    ..wrongly(GapRule::FilledLines)
                }
            }
        }
    }

    fn of_tokens(rules: &TokenRules) -> Self {
        let absolute = rules.absolute_tolerance;
        let relative = rules.relative_tolerance;
        let has_tolerance = absolute.is_some() || relative.is_some();
        let tolerance = NumberTolerance {
            absolute,
            relative,
            arithmetic: if rules.for_domjudge {
                DomJudge(LongDoubleBounds::new(absolute, relative))
            } else {
                Kattis
            },
        };
        Self {
            is_case_sensitive: rules.case_sensitive,
            tolerance: has_tolerance.then_some(tolerance),
            gaps: if rules.space_change_sensitive {
                GapRule::Exact
            } else {
                GapRule::Ignored
            },
            gap_kind: FindingKind::Wrong,
        }
    }

    /// Whether a token is accepted for the answer's.
    #[inline]
    pub(super) fn accept(&self, found: &[u8], expected: &[u8]) -> bool {
        found == expected
            || self
                .accept_number([found, expected], LongDouble::parse, |token| {
                    self.tolerance?.number(token)
                })
                .unwrap_or_else(|| self.same_letters(found, expected))
    }

    /// Whether the first of two tokens, by its number, is accepted for that of the
    /// answer; `None` if that is compared as text. A number that is too large for a
    /// float is.
    #[inline]
    pub(super) fn accept_number<T: Copy>(
        &self,
        [found, expected]: [T; 2],
        long_double: impl Fn(T) -> Option<LongDouble>,
        number: impl Fn(T) -> Option<f64>,
    ) -> Option<bool> {
        let tolerance = self.tolerance?;
        if let DomJudge(bounds) = tolerance.arithmetic
            && let Some(expected) = long_double(expected)
        {
            let found = long_double(found);
            return Some(found.is_some_and(|found| bounds.accept(found, expected)));
        }
        let expected = number(expected).filter(|number| number.is_finite())?;
        let found = number(found);
        Some(found.is_some_and(|found| tolerance.accepts(found, expected)))
    }

    /// Whether two texts of the same length are equal as texts, with or without regard
    /// to case.
    #[inline]
    pub(super) fn same_letters(&self, found: &[u8], expected: &[u8]) -> bool {
        found == expected
            || !self.is_case_sensitive && found.eq_ignore_ascii_case(expected)
    }
}

impl NumberTolerance {
    /// The value of a token, if it is a number.
    #[inline]
    pub(super) fn number(&self, token: &[u8]) -> Option<f64> {
        match self.arithmetic {
            Kattis | DomJudge(_) => parse_number(token),
            Dmoj => number_of_python(token),
        }
    }

    /// Whether a number is near enough to that of the answer. A number too large for a
    /// float, which is infinite, never is.
    #[inline]
    pub(super) fn accepts(&self, found: f64, expected: f64) -> bool {
        let error = (found - expected).abs();
        let is_near = self.absolute.is_some_and(|most| error <= most.value());
        found.is_finite()
            && (is_near
                || self.relative.is_some_and(|most| {
                    match (self.arithmetic, self.absolute) {
                        (Kattis | DomJudge(_), _) => {
                            error <= most.value() * expected.abs()
                        }
                        (Dmoj, Some(_)) => {
                            expected.abs() >= most.value()
                                && (1.0 - found / expected).abs() <= most.value()
                        }
                        (Dmoj, None) => {
                            let ends = [
                                expected * (1.0 - most.value()),
                                expected * (1.0 + most.value()),
                            ];
                            ends[0].min(ends[1]) <= found
                                && found <= ends[0].max(ends[1])
                        }
                    }
                }))
    }
}
