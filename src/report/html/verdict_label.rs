//! Verdicts as labels: the code in a frame, which is filled if the verdict was not expected.

use maud::{Markup, html};

use crate::model::{Expected, ExpectedScore, Verdict};

/// A verdict's code.
pub(super) fn label(verdict: Verdict, is_surprising: bool) -> Markup {
    word(verdict.code(), is_surprising)
}

/// A word in place of a verdict.
pub(super) fn word(word: &str, is_surprising: bool) -> Markup {
    html! { @if is_surprising { b class="no" { (word) } } @else { b { (word) } } }
}

/// The expected verdicts with `or` between them, and the points.
pub(super) fn expected(expected: &Expected) -> Markup {
    // A part of the points is shown without verdicts.
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
