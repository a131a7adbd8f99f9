//! The trials of a submission as rows of its table. A row is stored as text at once and kept short,
//! because a page may have a hundred thousand of them.

use maud::{Markup, Render, html};

use crate::model::{LoggedLimits, TrialRecord, Verdict};
use crate::report::html_text;
use crate::text::{mebibytes, time};

/// The most characters of the remark in a row.
const WIDEST_REMARK: usize = 80;

/// The most rows of a submission with a remark: why a case was not accepted, or the checker's
/// message.
const MOST_REMARKS: usize = 5;

/// The most bytes of rows of a submission, and of those that are not plain.
const ROOM: usize = 1_000_000;
const ROOM_OF_REMARKABLE: usize = 2_000_000;

/// The rows so far, and a pending range of cases that were not judged.
#[derive(Default)]
pub(super) struct TrialRows {
    html: String,
    count: usize,
    remarks: usize,
    /// Number of cases for whose rows there was no room.
    left_out: usize,
    unjudged: Option<SkippedRange>,
}

/// A range of consecutive cases that were not judged.
struct SkippedRange {
    first: String,
    last: String,
    count: usize,
}

impl TrialRows {
    /// Adds a trial. `anchor` is the anchor of its explanation, if it has one.
    pub(super) fn add(
        &mut self,
        record: &TrialRecord,
        limits: Option<&LoggedLimits>,
        anchor: Option<&str>,
    ) {
        if record.verdict == Verdict::Skipped && record.is_as_expected() {
            self.postpone(&record.case);
            return;
        }
        let is_plain =
            record.verdict == Verdict::Accepted && record.is_as_expected() && !record.is_flaky();
        if !self.has_room(is_plain) {
            return;
        }
        let finding = record.finding.as_ref().map(|finding| &finding.message);
        let remark = match (finding.or(record.checker_message.as_ref()), anchor) {
            (Some(message), None) if self.remarks < MOST_REMARKS => {
                self.remarks += 1;
                html_text::cut(message, WIDEST_REMARK)
            }
            _ => String::new(),
        };
        let cpu = limits.map(|limits| limits.cpu_us);
        let memory = limits.map(|limits| limits.memory_bytes);
        self.push(&html! {
            tr {
                (name(&record.case, anchor, &remark))
                td { (earned(record)) (attempts(record)) }
                (bar(record.cpu_us, cpu, time))
                (bar(record.peak_memory_bytes, memory, mebibytes))
                td { @if let Some(wall) = record.wall_us { (time(wall)) } }
            }
        });
    }

    /// Adds a case at which the judge failed.
    pub(super) fn add_fault(&mut self, case: &str, anchor: Option<&str>) {
        if !self.has_room(false) {
            return;
        }
        self.push(&html! {
            tr {
                (name(case, anchor, ""))
                td { (html_text::word("fault", true)) }
                td {}
                td {}
                td {}
            }
        });
    }

    /// Size of the rows so far, in bytes.
    pub(super) fn weight(&self) -> usize {
        self.html.len()
    }

    /// Number of cases in all rows.
    pub(super) fn count(&self) -> usize {
        self.count + self.unjudged.as_ref().map_or(0, |range| range.count)
    }

    /// Ends the table: no more rows will follow.
    pub(super) fn close(&mut self) {
        self.flush();
        self.html.shrink_to_fit();
    }

    pub(super) fn html(&self) -> &str {
        &self.html
    }

    /// Number of cases for whose rows there was no room.
    pub(super) fn left_out(&self) -> usize {
        self.left_out
    }

    /// Whether there is room for a row. If not, its case is counted.
    fn has_room(&mut self, is_plain: bool) -> bool {
        self.flush();
        let has_room = self.html.len() < if is_plain { ROOM } else { ROOM_OF_REMARKABLE };
        self.count += usize::from(!has_room);
        self.left_out += usize::from(!has_room);
        has_room
    }

    fn push(&mut self, row: &Markup) {
        self.count += 1;
        self.html.push_str(&row.0);
        self.html.push('\n');
    }

    fn postpone(&mut self, case: &str) {
        match &mut self.unjudged {
            Some(range) => {
                range.count += 1;
                case.clone_into(&mut range.last);
            }
            None => {
                self.unjudged = Some(SkippedRange {
                    first: case.to_owned(),
                    last: case.to_owned(),
                    count: 1,
                });
            }
        }
    }

    /// Writes the pending range as one row.
    fn flush(&mut self) {
        let Some(SkippedRange { first, last, count }) = self.unjudged.take() else {
            return;
        };
        self.count += count;
        if self.html.len() >= ROOM {
            self.left_out += count;
            return;
        }
        let first = html_text::line(&first);
        let last = html_text::line(&last);
        let row = html! {
            tr {
                th scope="row" {
                    bdi { (first) }
                    @if count > 1 { " to " bdi { (last) } span { (count) " cases" } }
                }
                td { (html_text::label(Verdict::Skipped, false)) }
                td {}
                td {}
                td {}
            }
        };
        row.render_to(&mut self.html);
        self.html.push('\n');
    }
}

fn name(case: &str, anchor: Option<&str>, remark: &str) -> Markup {
    let case = html_text::line(case);
    html! {
        th scope="row" {
            @match anchor {
                Some(anchor) => a href={ "#" (anchor) } { (case) },
                None => (case),
            }
            @if !remark.is_empty() { span { (remark) } }
        }
    }
}

/// The verdict of a trial; without a frame for an expected `AC`.
fn earned(record: &TrialRecord) -> Markup {
    match (record.is_as_expected(), record.verdict) {
        (true, Verdict::Accepted) => html! { "AC" },
        (is_expected, verdict) => html_text::label(verdict, !is_expected),
    }
}

/// The verdicts of its attempts if there were several, or whether it was run again or came from the
/// cache.
fn attempts(record: &TrialRecord) -> Markup {
    html! {
        @if !record.attempts.is_empty() {
            span {
                @if record.is_flaky() { "flaky: " } @else { (record.attempts.len()) " attempts: " }
                @for attempt in record.attempts.iter().take(12) { (attempt.verdict.code()) " " }
                @if record.attempts.len() > 12 { "..." }
            }
        } @else if record.rerun { span { "run again" } }
        @if record.cached { span { "cached" } }
    }
}

/// A figure, with a bar for the part of its limit that it takes.
fn bar(used: Option<u64>, limit: Option<u64>, write: fn(u64) -> String) -> Markup {
    match (used, limit) {
        (None, _) => html! { td {} },
        (Some(used), Some(limit)) if used > limit => html! {
            td class="over" { (write(used)) ", over" }
        },
        (Some(used), Some(limit)) if limit > 0 => {
            // No bar for less than one percent, which is the case for most programs, to keep rows
            // short.
            match u128::from(used) * 100 / u128::from(limit) {
                0 => html! { td { (write(used)) } },
                percent => html! { td class={ "u" (percent) } { (write(used)) } },
            }
        }
        (Some(used), _) => html! { td { (write(used)) } },
    }
}
