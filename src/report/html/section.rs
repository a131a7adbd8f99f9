//! The section of one submission: its data, its result, its trials in a table, and the
//! explanations of some cases. A row of the table is stored as text at once and kept
//! short, because a page may have a hundred thousand of them.

use gridjudge_sandbox::Fault;
use maud::{Markup, PreEscaped, Render, html};

use crate::model::{SubmissionStart, SubmissionSummary, TrialRecord, Verdict};
use crate::report::{
    CaseExplanation, GradedOutcome, cut_sentence, cut_text, expected_label,
    html_line, isolated_line, line_weight, verdict_label, word_label,
};
use crate::text::{counted, mebibytes, round_size, round_time, time};

/// The most cases of a submission that are explained.
const MOST_EXPLAINED: usize = 3;

/// The most characters of the reason for a submission's verdict.
const WIDEST_REASON: usize = 120;

/// The most characters of why a submission was not judged, and of what to do about it.
const WIDEST_CAUSE: usize = 200;

/// A submission, as far as it has been judged.
#[derive(Default)]
pub(super) struct SubmissionSection {
    /// Its place among all submissions, from 1. Used for anchors, because names from a
    /// log may be unsuitable.
    number: usize,
    pub(super) start: SubmissionStart,
    pub(super) end: GradedOutcome,
    /// Cases by verdict, in the order of [`Verdict::all`].
    pub(super) counts: [usize; Verdict::COUNT],
    /// The rows of its table.
    rows: String,
    /// Number of cases in the rows, without those of the pending range.
    rows_count: usize,
    /// Number of rows with a remark.
    remarks: usize,
    /// Number of cases for whose rows there was no room.
    left_out: usize,
    /// The pending range of cases that were not judged.
    unjudged: Option<SkippedRange>,
    explanations: Vec<CaseExplanation>,
    /// Number of cases whose results came from the cache.
    cached: usize,
    /// Number of cases that deserve an explanation but do not get one.
    unexplained: usize,
}

/// The overall result of a submission.
pub(super) fn earned(summary: &SubmissionSummary) -> Markup {
    match summary.verdict.filter(|_| summary.faults == 0) {
        Some(verdict) => html! {
            (verdict_label(verdict, summary.is_surprising()))
            @if let Some(score) = &summary.score {
                " " span.points { (score) " points" }
            }
        },
        None => word_label("fault", true),
    }
}

impl SubmissionSection {
    /// The minute of the contest, if known.
    pub(super) fn minute(&self) -> Option<u64> {
        self.start.entrant.as_ref()?.minute
    }

    pub(super) fn new(
        number: usize,
        start: SubmissionStart,
        end: GradedOutcome,
    ) -> Self {
        Self {
            number,
            start,
            end,
            ..Self::default()
        }
    }

    /// Adds a trial. It is explained if it is remarkable, with all details if there is
    /// room.
    pub(super) fn judged(&mut self, record: &TrialRecord, has_room: bool) {
        self.counts[record.verdict as usize] += 1;
        self.cached += usize::from(record.cached);
        let is_unremarkable =
            matches!(record.verdict, Verdict::Accepted | Verdict::Skipped)
                && record.is_as_expected()
                && !record.is_flaky();
        let anchor = if is_unremarkable { None } else { self.anchor() };
        self.add_row(record, anchor.as_deref(), is_unremarkable);
        if let Some(anchor) = anchor {
            self.explanations.push(CaseExplanation::from_record(
                record,
                self.start.limits,
                anchor,
                has_room,
            ));
        }
    }

    /// Adds a case at which the judge failed.
    pub(super) fn faulted(&mut self, case: &str, fault: &Fault) {
        let anchor = self.anchor();
        if self.has_room(false) {
            self.push_row(&html! {
                tr {
                    (name(case, anchor.as_deref(), ""))
                    td { (word_label("fault", true)) }
                    td {}
                    td {}
                    td {}
                }
            });
        }
        if let Some(anchor) = anchor {
            self.explanations
                .push(CaseExplanation::of_fault(case, fault, anchor));
        }
    }

    pub(super) fn finished(&mut self, summary: &SubmissionSummary) {
        self.close();
        self.end = GradedOutcome::Judged(Box::new(summary.clone()));
    }

    /// Ends the section: no more trials will follow.
    pub(super) fn close(&mut self) {
        self.flush();
        self.rows.shrink_to_fit();
        self.explanations.shrink_to_fit();
    }

    pub(super) fn is_surprising(&self) -> bool {
        let summary = self.end.summary();
        summary.is_some_and(SubmissionSummary::is_surprising)
    }

    /// Approximate number of bytes that are always written for it.
    pub(super) fn weight(&self) -> usize {
        let reason = match &self.end {
            GradedOutcome::Judged(summary) => {
                summary.reason.len().min(4 * WIDEST_REASON)
            }
            GradedOutcome::Skipped(skip) => {
                line_weight(&skip.cause) + line_weight(&skip.remedy)
            }
            GradedOutcome::Interrupted => 0,
        };
        // The name is in the matrix, in two headings and in the path.
        let names = line_weight(&self.start.problem)
            + 3 * line_weight(&self.start.submission)
            + line_weight(&self.start.path);
        let heads: usize = self
            .explanations
            .iter()
            .map(|explanation| explanation.head.0.len())
            .sum();
        1400 + names + reason + self.rows.len() + heads
    }

    /// Drops explanations that do not fit into `room`, and deducts the others from it.
    pub(super) fn fit(&mut self, room: &mut usize) {
        for explanation in &mut self.explanations {
            let weight = explanation.body.as_ref().map_or(0, |body| body.0.len());
            match room.checked_sub(weight) {
                Some(rest) => *room = rest,
                None => explanation.body = None,
            }
        }
    }

    /// The anchor for the explanation of the next case, if one may be added.
    fn anchor(&mut self) -> Option<String> {
        if self.explanations.len() == MOST_EXPLAINED {
            self.unexplained += 1;
            return None;
        }
        Some(format!("s{}-{}", self.number, self.explanations.len() + 1))
    }

    /// The anchor of the section.
    pub(super) fn id(&self) -> String {
        format!("s{}", self.number)
    }

    /// Renders the whole section.
    pub(super) fn render(&self) -> Markup {
        html! {
            details open=[self.is_surprising().then_some("open")] {
                summary {
                    h4 { (isolated_line(&self.start.submission)) }
                    @match &self.end {
                        GradedOutcome::Interrupted => (word_label("unfinished", false)),
                        GradedOutcome::Skipped(_) => {
                            (word_label("skipped", false))
                            span.soft { "not judged here" }
                        }
                        GradedOutcome::Judged(summary) => {
                            (earned(summary))
                            @match &self.start.expected {
                                Some(expected) if summary.is_surprising() => span {
                                    "not as expected, which is " (expected_label(expected))
                                },
                                Some(_) if summary.is_as_expected() => {
                                    span.soft { "as expected" }
                                }
                                _ => {}
                            }
                            @if !summary.reason.is_empty() {
                                span.soft { (cut_sentence(&summary.reason, WIDEST_REASON)) }
                            }
                        }
                    }
                }
                div.inside id=(self.id()) {
                    (self.facts())
                    @for explanation in &self.explanations { (explanation.render()) }
                    @if self.unexplained > 0 {
                        p.soft {
                            (self.unexplained)
                            " more such cases are only in the table; the log has their findings."
                        }
                    }
                    (self.table())
                    @if self.left_out > 0 {
                        p.soft {
                            (counted(self.left_out, "more case"))
                            " not listed here, because there would be too many rows; the log has all."
                        }
                    }
                }
            }
        }
    }

    fn facts(&self) -> Markup {
        html! {
            @match &self.end {
                GradedOutcome::Skipped(skip) => p {
                    (cut_sentence(&skip.cause, WIDEST_CAUSE))
                    ". What to do: "
                    (cut_sentence(&skip.remedy, WIDEST_CAUSE))
                    "."
                },
                GradedOutcome::Interrupted => p {
                    "The judge stopped before all its cases were judged."
                },
                GradedOutcome::Judged(_) => {}
            }
            dl {
                @if !self.start.language.is_empty() {
                    dt { "Language" }
                    dd { (html_line(&self.start.language)) }
                }
                @if !self.start.path.is_empty() {
                    dt { "File" }
                    dd { bdi.file { (html_line(&self.start.path)) } }
                }
                @if let Some(limits) = &self.start.limits {
                    dt { "Limits" }
                    dd {
                        (round_time(limits.cpu_us)) " of CPU time, "
                        (round_time(limits.wall_us)) " of wall time, "
                        (round_size(limits.memory_bytes)) " of memory, "
                        (round_size(limits.output_bytes)) " of output, "
                        (limits.processes) " processes"
                    }
                }
                @if let Some(summary) = self.end.summary() {
                    dt { "Accepted" }
                    dd { (summary.passed) " of " (counted(summary.cases, "case")) }
                    @if let Some(groups) = summary.points_by_group() {
                        dt { "Points" }
                        dd { (html_line(&groups)) }
                    }
                    @if self.cached > 0 {
                        dt { "From the cache" }
                        dd { (self.cached) " not run now; judged earlier under the same conditions" }
                    }
                }
            }
        }
    }

    fn table(&self) -> Markup {
        let count = self.rows_count;
        html! {
            @if count > 0 {
                table.cases {
                    caption {
                        (counted(count, "case")) " of "
                        (isolated_line(&self.start.submission))
                        "; the bars show each figure as a part of its limit"
                    }
                    thead { tr {
                        th scope="col" { "Case" }
                        th scope="col" { "Verdict" }
                        th scope="col" {
                            "CPU time"
                            @if let Some(limits) = &self.start.limits {
                                " of " (round_time(limits.cpu_us))
                            }
                        }
                        th scope="col" {
                            "Memory"
                            @if let Some(limits) = &self.start.limits {
                                " of " (round_size(limits.memory_bytes))
                            }
                        }
                        th scope="col" { "Wall time" }
                    } }
                    tbody { (PreEscaped(&self.rows)) }
                }
            }
        }
    }
}

/// The most characters of the remark in a row.
const WIDEST_REMARK: usize = 80;

/// The most rows of a submission with a remark: why a case was not accepted, or the
/// checker's message.
const MOST_REMARKS: usize = 5;

/// The most bytes of rows of a submission, and of those that are not plain.
const ROOM: usize = 1_000_000;
const ROOM_OF_REMARKABLE: usize = 2_000_000;

/// A range of consecutive cases that were not judged.
struct SkippedRange {
    first: String,
    last: String,
    count: usize,
}

// The rows of the table.

impl SubmissionSection {
    /// Adds a trial. `anchor` is the anchor of its explanation, if it has one. Of a
    /// plain one there is nothing to say but its figures.
    fn add_row(
        &mut self,
        record: &TrialRecord,
        anchor: Option<&str>,
        is_plain: bool,
    ) {
        if record.verdict == Verdict::Skipped && record.is_as_expected() {
            let case = &record.case;
            let range = self.unjudged.get_or_insert_with(|| SkippedRange {
                first: case.clone(),
                last: String::new(),
                count: 0,
            });
            range.count += 1;
            range.last.clone_from(case);
            return;
        }
        if !self.has_room(is_plain) {
            return;
        }
        let finding = record.finding.as_ref().map(|finding| &finding.message);
        let remark = match (finding.or(record.checker_message.as_ref()), anchor) {
            (Some(message), None) if self.remarks < MOST_REMARKS => {
                self.remarks += 1;
                cut_text(message, WIDEST_REMARK)
            }
            _ => String::new(),
        };
        let limits = self.start.limits;
        let cpu = limits.map(|limits| limits.cpu_us);
        let memory = limits.map(|limits| limits.memory_bytes);
        self.push_row(&html! {
            tr {
                (name(&record.case, anchor, &remark))
                td {
                    @match (record.is_as_expected(), record.verdict) {
                        // Most are expected to be accepted and are, so these have no frame.
                        (true, Verdict::Accepted) => "AC",
                        (is_expected, verdict) => (verdict_label(verdict, !is_expected)),
                    }
                    // The verdicts of its attempts if there were several, or whether it
                    // was run again or came from the cache.
                    @if !record.attempts.is_empty() {
                        span {
                            @if record.is_flaky() { "flaky: " }
                            @else { (record.attempts.len()) " attempts: " }
                            @for attempt in record.attempts.iter().take(12) {
                                (attempt.verdict.code()) " "
                            }
                            @if record.attempts.len() > 12 { "..." }
                        }
                    } @else if record.rerun { span { "run again" } }
                    @if record.cached { span { "cached" } }
                }
                (bar(record.cpu_us, cpu, time))
                (bar(record.peak_memory_bytes, memory, mebibytes))
                td { @if let Some(wall) = record.wall_us { (time(wall)) } }
            }
        });
    }

    /// Whether there is room for a row. If not, its case is counted.
    fn has_room(&mut self, is_plain: bool) -> bool {
        self.flush();
        let has_room =
            self.rows.len() < if is_plain { ROOM } else { ROOM_OF_REMARKABLE };
        self.rows_count += usize::from(!has_room);
        self.left_out += usize::from(!has_room);
        has_room
    }

    fn push_row(&mut self, row: &Markup) {
        self.rows_count += 1;
        self.rows.push_str(&row.0);
        self.rows.push('\n');
    }

    /// Writes the pending range as one row.
    fn flush(&mut self) {
        let Some(SkippedRange { first, last, count }) = self.unjudged.take() else {
            return;
        };
        self.rows_count += count;
        if self.rows.len() >= ROOM {
            self.left_out += count;
            return;
        }
        let first = html_line(&first);
        let last = html_line(&last);
        let row = html! {
            tr {
                th scope="row" {
                    bdi { (first) }
                    @if count > 1 {
                        " to " bdi { (last) }
                        span { (count) " cases" }
                    }
                }
                td { (verdict_label(Verdict::Skipped, false)) }
                td {}
                td {}
                td {}
            }
        };
        row.render_to(&mut self.rows);
        self.rows.push('\n');
    }
}

fn name(case: &str, anchor: Option<&str>, remark: &str) -> Markup {
    let case = html_line(case);
    html! {
        th scope="row" {
            @match anchor {
                Some(anchor) => a href={ "#" (anchor) } { (case) },
                None => (case),
            }
            @if !remark.is_empty() {
                span { (remark) }
            }
        }
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
            // No bar for less than one percent, which is the case for most programs, to
            // keep rows short.
            match u128::from(used) * 100 / u128::from(limit) {
                0 => html! { td { (write(used)) } },
                percent => html! { td class={ "u" (percent) } { (write(used)) } },
            }
        }
        (Some(used), _) => html! { td { (write(used)) } },
    }
}
