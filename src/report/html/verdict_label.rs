//! Verdicts as labels: the code in a frame, filled where it is not what was expected.

use maud::Markup;
use maud::html;

use crate::model::Expected;
use crate::model::ExpectedScore;
use crate::model::Verdict;

/// A verdict's code.
pub(super) fn label(verdict: Verdict, is_surprising: bool) -> Markup {
    word(verdict.code(), is_surprising)
}

/// A word that stands where a verdict would.
pub(super) fn word(word: &str, is_surprising: bool) -> Markup {
    html! { @if is_surprising { b class="no" { (word) } } @else { b { (word) } } }
}

/// What was expected; several verdicts with `or` between them, and the points.
pub(super) fn expected(expected: &Expected) -> Markup {
    // Which verdict goes with a part of the points is not said.
    if expected.score() == Some(ExpectedScore::Partial) {
        return html! { (ExpectedScore::Partial) };
    }
    html! {
        @for (number, verdict) in expected.verdicts().iter().enumerate() {
            @if number > 0 { " or " }
            (label(*verdict, false))
        }
        @if let Some(score) = expected.score() { " and " (score) }
    }
}
