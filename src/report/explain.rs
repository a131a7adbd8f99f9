//! Explains a trial in words, the reason for its verdict and all its details, and a
//! mistake in a problem. Foreign text in the result is printable and of bounded length.

use crate::model::{
    CompilerDiagnostic, LoggedLimits, MistakeRecord, Speaker, SubmissionSummary,
    Transcript, TranscriptLine, TrialRecord, Verdict,
};
use crate::text::{
    JoinedTexts, counted, mebibytes, one_line, printable, shortened, time,
};

/// The most characters of a trial's details.
const EXCERPT: usize = 8_000;

/// The reason for a trial's verdict, in one line.
pub(crate) fn why(record: &TrialRecord, limits: Option<LoggedLimits>) -> String {
    if let Some(finding) = &record.finding {
        return one_line(&finding.message);
    }
    let reason = match compiler_error(record) {
        Some(error) => Some(one_line(&error.to_string())),
        None => record.breach(limits),
    };
    reason.unwrap_or_else(|| record.verdict.meaning().to_owned())
}

/// The verdicts of its attempts, as `flaky: AC 7, WA 3`; `None` if they agree.
pub(crate) fn flakiness(record: &TrialRecord) -> Option<String> {
    if !record.is_flaky() {
        return None;
    }
    let each = Verdict::all().filter_map(|verdict| {
        let count = record
            .attempts
            .iter()
            .filter(|attempt| attempt.verdict == verdict)
            .count();
        (count > 0).then(|| format!("{verdict} {count}"))
    });
    Some(format!("flaky: {}", each.joined(", ")))
}

/// All details of a trial, in lines: every finding, the diff, the transcript, the end
/// of standard error.
pub(crate) fn details_of_trial(record: &TrialRecord) -> String {
    let mut text = String::new();
    for finding in record.findings() {
        let place = finding
            .unnamed_line()
            .map_or_else(String::new, |line| format!("line {line}: "));
        text += &format!("{place}{}\n", one_line(&finding.message));
    }
    if record.unlisted_findings > 0 {
        text += &format!("and {} more\n", record.unlisted_findings);
    }
    if let Some(grids) = right_grids(record) {
        text += &format!("{grids} right\n");
    }
    if let Some(flaky) = &flakiness(record) {
        text += &format!("{flaky}\n");
    }
    if record.rerun {
        text += "run again, alone; this is the run that counts\n";
    }
    push_block(
        &mut text,
        "diff (- expected, + found)",
        record.diff.as_deref().unwrap_or(""),
    );
    if let Some(transcript) = &record.transcript {
        push_block(
            &mut text,
            "transcript (> submission, < interactor)",
            &transcript_lines(transcript).join("\n"),
        );
    }
    push_block(&mut text, name_of_stderr(record), &record.stderr);
    shortened(text.trim_end(), EXCERPT)
}

/// How many grids are right, as `1 of 3 grids`; `None` unless there are several.
pub(crate) fn right_grids(record: &TrialRecord) -> Option<String> {
    let grids = record.grids.filter(|grids| *grids > 1)?;
    Some(format!("{} of {grids} grids", record.parts_right?))
}

/// The name of the text that [`TrialRecord::stderr`] holds.
pub(crate) fn name_of_stderr(record: &TrialRecord) -> &'static str {
    if record.verdict == Verdict::CompileError {
        "compiler"
    } else {
        "standard error"
    }
}

/// A transcript, one line each: the time, `>` for the submission or `<` for the
/// interactor, and the text.
pub(crate) fn transcript_lines(transcript: &Transcript) -> Vec<String> {
    let Transcript {
        lines,
        left_out,
        last_lines,
    } = transcript;
    if lines.is_empty() {
        return vec!["neither said anything".to_owned()];
    }
    let mut talk: Vec<_> = lines.iter().map(talk_line).collect();
    if *left_out > 0 {
        talk.push(format!("{} left out", counted(*left_out, "line")));
    }
    talk.extend(last_lines.iter().map(talk_line));
    talk
}

/// One line of a transcript.
pub(crate) fn talk_line(line: &TranscriptLine) -> String {
    let TranscriptLine {
        at_us,
        by,
        text,
        left_out_bytes,
        unfinished,
    } = line;
    let by = match by {
        Speaker::Submission => '>',
        Speaker::Interactor => '<',
    };
    let rest = match (left_out_bytes, unfinished) {
        (0, false) => String::new(),
        (0, true) => "  (without the end of a line)".to_owned(),
        (bytes, _) => format!(".. ({} more)", counted(*bytes, "byte")),
    };
    // Seconds and milliseconds.
    format!(
        "{:>4}.{:03} s {by} {}{rest}",
        at_us / 1_000_000,
        at_us / 1_000 % 1_000,
        printable(text)
    )
}

fn push_block(text: &mut String, name: &str, block: &str) {
    if block.trim().is_empty() {
        return;
    }
    *text += &format!("{name}:\n");
    for row in shortened(block, EXCERPT).lines() {
        *text += &format!("| {}\n", printable(row));
    }
}

/// The name of a trial in reports that list it without its submission's other cases: a
/// compile error belongs to no case in particular.
pub(crate) fn place(record: &TrialRecord) -> &str {
    if record.verdict == Verdict::CompileError {
        "compilation"
    } else {
        &record.case
    }
}

/// The case as ` on CASE`; empty for a compile error.
pub(crate) fn on_case(record: &TrialRecord) -> String {
    if record.verdict == Verdict::CompileError {
        String::new()
    } else {
        format!(" on {}", record.case)
    }
}

/// The most CPU time and memory of the cases of a submission; empty if nothing of it was
/// run.
pub(crate) fn most_used(summary: &SubmissionSummary) -> [String; 2] {
    if summary.is_measured() {
        [
            time(summary.slowest_cpu_us),
            mebibytes(summary.peak_memory_bytes),
        ]
    } else {
        Default::default()
    }
}

/// The line of the source with the compiler's first error.
pub(crate) fn compiler_line(record: &TrialRecord) -> Option<u64> {
    compiler_error(record)?.line
}

/// The compiler's first error, if the verdict is a compile error. The source may be
/// compiled under another name, so its ending is tried if its name is not found.
fn compiler_error(record: &TrialRecord) -> Option<CompilerDiagnostic> {
    if record.verdict != Verdict::CompileError {
        return None;
    }
    CompilerDiagnostic::about(&record.stderr, &record.submission)
}

// Words for the mistakes in problems, and lists of what is told of them.

/// The most characters of what is told of a mistake in several lines.
const MOST_TEXT: usize = 8_000;

/// The first things of a kind, up to a limit, and the number of all.
#[derive(Default)]
pub(crate) struct FirstItems<T> {
    pub(crate) kept: Vec<T>,
    pub(crate) in_all: usize,
}

impl<T> FirstItems<T> {
    /// Counts a thing, and keeps it unless there are `most` already.
    pub(crate) fn add(&mut self, most: usize, item: impl FnOnce() -> T) {
        self.in_all += 1;
        if self.kept.len() < most {
            self.kept.push(item());
        }
    }

    /// The number of those that are not kept.
    pub(crate) fn left_out(&self) -> usize {
        self.in_all - self.kept.len()
    }
}

/// What a report tells of mistakes and of warnings.
#[derive(Default)]
pub(crate) struct MistakeList<T> {
    pub(crate) mistakes: FirstItems<T>,
    pub(crate) warnings: FirstItems<T>,
}

impl<T> MistakeList<T> {
    /// Those that a record belongs to.
    pub(crate) fn like(&mut self, record: &MistakeRecord) -> &mut FirstItems<T> {
        if record.is_error() {
            &mut self.mistakes
        } else {
            &mut self.warnings
        }
    }

    /// The number of mistakes, as `2 mistakes in problems`; `None` if there are none.
    pub(crate) fn in_words(&self) -> Option<String> {
        let mistakes = self.mistakes.in_all;
        let place = if mistakes == 1 {
            "a problem"
        } else {
            "problems"
        };
        (mistakes > 0).then(|| format!("{} in {place}", counted(mistakes, "mistake")))
    }
}

/// The place and the mistake, in one line.
pub(crate) fn told(record: &MistakeRecord) -> String {
    one_line(&format!("{}: {}", record.place(), record.message))
}

/// The mistake and what to do about it, a line or more each.
pub(crate) fn details_of_mistake(record: &MistakeRecord) -> String {
    let text = shortened(&record.message, MOST_TEXT);
    let lines = text.lines().map(printable);
    let remedy = record
        .remedy
        .as_deref()
        .map(|remedy| format!("remedy: {}", one_line(remedy)));
    lines.chain(remedy).joined("\n")
}
