//! Verdicts as labels: the code in a frame, filled where it is not what was expected.

use maud::Markup;
use maud::html;

use crate::model::Expected;
use crate::model::Verdict;

/// A verdict's code.
pub(super) fn label(verdict: Verdict, is_surprising: bool) -> Markup {
    word(verdict.code(), is_surprising)
}

/// A word that stands where a verdict would.
pub(super) fn word(word: &str, is_surprising: bool) -> Markup {
    html! { @if is_surprising { b class="no" { (word) } } @else { b { (word) } } }
}

/// What was expected; several verdicts with `or` between them.
pub(super) fn expected(expected: &Expected) -> Markup {
    html! {
        @for (number, verdict) in expected.verdicts().iter().enumerate() {
            @if number > 0 { " or " }
            (label(*verdict, false))
        }
    }
}
