//! Recognizes that a Python program has ended by an exception that it did not catch: its exit code
//! is then 1, which in some protocols is an answer. Knows what Python writes in that case.
//!
//! A message that quotes the output of a submission may look the same. So the traceback must begin
//! in a file of the program itself, whose path a submission does not know.

use crate::checker::call::CheckerCall;

/// The line above a traceback, and what precedes it for several exceptions at once.
const TRACEBACK: &str = "Traceback (most recent call last):";
const OF_GROUP: &str = "  + Exception Group ";

/// The part of standard error after the start of the last traceback of this call's program; `None`
/// if there is no such traceback.
///
/// ```text
/// Traceback (most recent call last):
///   File "/folder/check.py", line 3, in <module>
///     n = int(input())
/// ValueError: invalid literal for int() with base 10: 'x'
/// ```
pub(super) fn after_traceback<'e>(call: &CheckerCall, errors: &'e str) -> Option<&'e str> {
    let starts = errors.match_indices(TRACEBACK).filter_map(|(at, _)| {
        let line_start = errors[..at].rfind('\n').map_or(0, |end| end + 1);
        matches!(&errors[line_start..at], "" | OF_GROUP).then_some(&errors[at + TRACEBACK.len()..])
    });
    starts
        .filter(|after| {
            let first = after
                .trim_start_matches(['\n', ' ', '|'])
                .strip_prefix("File \"");
            let file = first.and_then(|rest| rest.split('"').next());
            file.is_some_and(|file| call.is_of_program(file))
        })
        .last()
}
