//! Formats a comparison for people: a row for each change, the worst first, and a
//! summary line.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use crate::compare::{Change, ChangeKind, Comparison};
use crate::report::{self, BAD, GOOD, Narrowing, PLAIN, Verbosity, mebibytes, time};
use crate::text::{JoinedTexts, counted, printable, wrapped};

/// The most rows of one kind, unless all are requested.
const MOST_ROWS: usize = 20;

/// The steps that make the table fit the terminal, in order: names of cases and
/// submissions are squeezed, then the certainty of changes is cut.
const NARROWINGS: [Narrowing; 5] = [
    Narrowing::Squeeze(3, 14),
    Narrowing::Squeeze(2, 14),
    Narrowing::Cut(6, 8),
    Narrowing::Squeeze(1, 8),
    Narrowing::Drop(1),
];

const HEADER: [&str; 7] = [
    "what",
    "problem",
    "submission",
    "case",
    "was",
    "now",
    "change",
];

/// The text of a comparison, made to fit a terminal of `room` columns if it is written
/// to one. Colours are included as codes. In quiet mode, only changes for which
/// `is_failure` holds are listed, in verbose mode all, and otherwise the first of each
/// kind.
pub fn comparison_table(
    found: &Comparison,
    verbosity: Verbosity,
    room: Option<usize>,
    is_failure: impl Fn(&Change) -> bool,
) -> String {
    let changes: Vec<_> = found
        .changes
        .iter()
        .filter(|change| verbosity != Verbosity::Quiet || is_failure(change))
        .collect();
    let most = match verbosity {
        Verbosity::Normal => MOST_ROWS,
        Verbosity::Quiet | Verbosity::Verbose => usize::MAX,
    };
    // The number of further changes, by kind.
    let mut more = BTreeMap::new();
    let mut rows = vec![];
    // The changes of a kind follow each other.
    for alike in changes.chunk_by(|one, other| one.kind.word() == other.kind.word()) {
        rows.extend_from_slice(&alike[..alike.len().min(most)]);
        if alike.len() > most {
            more.insert(alike[0].kind.word(), alike.len() - most);
        }
    }
    let mut text = String::new();
    if !rows.is_empty() {
        let cells = rows.iter().map(|row| {
            let style = match &row.kind {
                ChangeKind::New { .. }
                | ChangeKind::Time { chance: None, .. }
                | ChangeKind::Memory { chance: None, .. } => PLAIN,
                kind if kind.is_bad() => BAD,
                _ => GOOD,
            };
            (cells(row), style)
        });
        text += &report::text_table(&HEADER, &[], cells, (room, &NARROWINGS));
    }
    for (word, count) in more {
        text += &format!("and {count} more: {word}; `-v` lists them\n");
    }
    if !rows.is_empty() {
        text.push('\n');
    }
    if verbosity != Verbosity::Quiet {
        for remark in &found.remarks() {
            text += &format!("{}\n", wrapped(&printable(remark), room, 2));
        }
    }
    text + &wrapped(&found.sum(), room, 2) + "\n"
}

/// The cells of a change, in the columns of [`HEADER`].
pub(super) fn cells(change: &Change) -> [String; 7] {
    use ChangeKind::*;

    let subject = &change.subject;
    let kind = &change.kind;
    let case = match (&subject.case, kind) {
        (Some(case), _) => case.to_string(),
        (
            None,
            Time { cases, .. }
            | Memory { cases, .. }
            | Gone { cases }
            | New { cases, .. },
        ) => counted(*cases, "case"),
        (None, Verdict { .. } | Flaky { .. }) => "altogether".to_owned(),
    };
    let [was, now, size] = figures(kind);
    [
        kind.word().to_owned(),
        subject.owner.problem.to_string(),
        subject.owner.submission.to_string(),
        case,
        was,
        now,
        size,
    ]
}

/// A change in a line of its own, as `mini a.c, 2 cases: slower, 50.0 ms, now 56.0 ms,
/// +12.0 % (...)`.
pub fn change_in_words(change: &Change) -> String {
    let [what, problem, submission, case, was, now, size] = cells(change);
    let now = if now.is_empty() {
        now
    } else {
        format!("now {now}")
    };
    let figures = [what, was, now, size].into_iter();
    let figures = figures.filter(|figure| !figure.is_empty()).joined(", ");
    format!("{problem} {submission}, {case}: {figures}")
}

const TOO_FEW: &str = "too few attempts to tell";

fn figures(kind: &ChangeKind) -> [String; 3] {
    use ChangeKind::*;

    match kind {
        Verdict { was, now, .. } => [was.clone(), now.clone(), String::new()],
        Flaky {
            was, now, chance, ..
        } => [
            was.clone(),
            now.clone(),
            format!("({})", by_chance(*chance)),
        ],
        Time {
            was_us,
            now_us,
            factor,
            low,
            high,
            chance,
            ..
        } => {
            let sure = chance.map_or(TOO_FEW.to_owned(), |chance| {
                format!(
                    "{} to {}, {}",
                    percent(*low),
                    percent(*high),
                    by_chance(chance)
                )
            });
            [
                time(*was_us),
                time(*now_us),
                format!("{} ({sure})", percent(*factor)),
            ]
        }
        Memory {
            was_bytes,
            now_bytes,
            chance,
            ..
        } => {
            let sure = chance.map_or(TOO_FEW.to_owned(), by_chance);
            let size = format!("{} ({sure})", percent(kind.factor()));
            [mebibytes(*was_bytes), mebibytes(*now_bytes), size]
        }
        New { earned, .. } => [
            String::new(),
            earned.clone().unwrap_or_default(),
            String::new(),
        ],
        Gone { .. } => Default::default(),
    }
}

/// `+10.3 %`.
fn percent(factor: f64) -> String {
    format!("{:+.1} %", 100.0 * (factor - 1.0))
}

fn by_chance(chance: f64) -> String {
    if chance < 0.0001 {
        "p < 0.0001".to_owned()
    } else {
        format!("p = {chance:.4}")
    }
}

impl Comparison {
    /// Remarks on the comparison itself, in sentences.
    pub(super) fn remarks(&self) -> Vec<String> {
        self.common_factor.map(|factor| {
            format!(
                "nearly all of {} submissions have moved alike, by {} in the median: perhaps it \
                 is the machine",
                self.submissions,
                percent(factor)
            )
        })
            .into_iter()
            .chain(self.notes.iter().cloned())
            .collect()
    }

    /// The summary line.
    pub(super) fn sum(&self) -> String {
        // How many cases, and how many whole submissions, changed in each way.
        let mut counts: IndexMap<&str, [usize; 2]> = IndexMap::new();
        for change in &self.changes {
            let whole = usize::from(change.subject.case.is_none());
            counts.entry(change.kind.word()).or_default()[whole] += 1;
        }
        let mut parts: Vec<_> = counts
            .into_iter()
            .map(|(word, of)| match of {
                [cases, 0] => format!("{cases} {word}"),
                [0, whole] => format!("{} {word}", counted(whole, "submission")),
                [cases, whole] => {
                    let submissions = counted(whole, "submission");
                    format!("{cases} {word}, and {submissions} altogether")
                }
            })
            .collect();
        if parts.is_empty() {
            // If changes may have gone unnoticed, the line says so, because some
            // readers see only this line.
            let is_known = self.doubt.is_none() && self.unjudged == 0;
            parts.push(
                if is_known {
                    "nothing has changed"
                } else {
                    "no change found"
                }
                .to_owned(),
            );
        }
        if self.unjudged > 0 {
            parts.push(format!("{} not judged this time", self.unjudged));
        }
        parts.extend(self.doubt.clone());
        let submissions = counted(self.submissions, "submission");
        let cases = counted(self.cases, "case");
        format!("{submissions}, {cases} compared: {}", parts.join(", "))
    }
}

// Formats a comparison as Markdown, for the comment on a pull request.

/// The most rows, because the size of a comment is limited.
const MOST_MARKDOWN_ROWS: usize = 100;

/// The text of a comparison. Changes for which `is_failure` holds are bold.
pub fn markdown(found: &Comparison, is_failure: impl Fn(&Change) -> bool) -> String {
    let mut text = format!("**gridjudge**: {}\n\n", escaped(&found.sum()));
    if !found.changes.is_empty() {
        let line = "|---".repeat(HEADER.len());
        text += &format!("| {} |\n{line}|\n", HEADER.join(" | "));
    }
    for change in found.changes.iter().take(MOST_MARKDOWN_ROWS) {
        let mut cells = cells(change).map(|cell| escaped(&cell));
        if is_failure(change) {
            cells[0] = format!("**{}**", cells[0]);
        }
        text += &format!("| {} |\n", cells.join(" | "));
    }
    match found.changes.len().saturating_sub(MOST_MARKDOWN_ROWS) {
        0 => {}
        more => text += &format!("\nand {more} more\n"),
    }
    for remark in found.remarks() {
        text += &format!("\n{}\n", escaped(&remark));
    }
    text
}

/// Escapes text so that it has no effect in Markdown, including in tables.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in printable(text).chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            // `@name` would notify that user.
            '@' => escaped.push_str("@\u{200b}"),
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '~' | '!' => {
                escaped.extend(['\\', letter])
            }
            letter => escaped.push(letter),
        }
    }
    escaped
}
