//! A trial in words, for reports that show one to a person: why, and all there is to say of it. Foreign text in it is
//! printable already and of bounded length.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::model::LoggedLimits;
use crate::model::TrialRecord;
use crate::model::Verdict;
use crate::report::compiler_diagnostic;
use crate::report::compiler_diagnostic::CompilerDiagnostic;
use crate::report::mebibytes;
use crate::report::time;
use crate::text::printable;

/// Letters of a text that is to fit in a line.
pub(crate) const LINE: usize = 300;

/// Letters of all that is said of one trial.
pub(crate) const EXCERPT: usize = 8_000;

/// Text cut to so many letters, with a word on what is left out.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{} ... ({} bytes more)", &text[..end], text.len() - end),
    }
}

/// Foreign text made fit for a line.
pub(crate) fn line(text: &str) -> String {
    // Cut first: nobody waits for a megabyte to be escaped.
    printable(&shortened(text, LINE))
}

/// Why a trial came to its verdict, in a line.
pub(crate) fn why(record: &TrialRecord, limits: Option<&LoggedLimits>) -> String {
    if let Some(finding) = &record.finding {
        return line(&finding.message);
    }
    let figures = match (record.verdict, limits) {
        (Verdict::TimeLimit, Some(limits)) => {
            record.cpu_us.map(|cpu| format!("{} of CPU time, {} allowed", time(cpu), time(limits.cpu_us)))
        }
        (Verdict::IdleLimit, Some(limits)) => record
            .wall_us
            .map(|wall| format!("{} of wall time, {} allowed", time(wall), time(limits.wall_us))),
        (Verdict::MemoryLimit, Some(limits)) => {
            let allowed = mebibytes(limits.memory_bytes);
            record.peak_memory_bytes.map(|peak| format!("{} of memory, {allowed} allowed", mebibytes(peak)))
        }
        (Verdict::OutputLimit, Some(limits)) => {
            Some(format!("more than {} of output", mebibytes(limits.output_bytes)))
        }
        (Verdict::RuntimeError, _) => record.exit.map(|exit| format!("ended with {exit}")),
        (Verdict::CompileError, _) => refusal(record).map(|CompilerDiagnostic { message, line: place }| {
            let place = place.map_or_else(String::new, |number| format!("line {number}: "));
            line(&format!("{place}{message}"))
        }),
        _ => None,
    };
    figures.unwrap_or_else(|| record.verdict.meaning().to_owned())
}

/// What its attempts earned, as `flaky: AC 7, WA 3`; none where they agree.
pub(crate) fn flakiness(record: &TrialRecord) -> Option<String> {
    if !record.is_flaky() {
        return None;
    }
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for attempt in &record.attempts {
        *counts.entry(attempt.verdict as usize).or_default() += 1;
    }
    let each = Verdict::all()
        .enumerate()
        .filter_map(|(place, verdict)| counts.get(&place).map(|count| format!("{verdict} {count}")));
    Some(format!("flaky: {}", each.collect::<Vec<_>>().join(", ")))
}

/// All there is to say of a trial, in lines: every finding, the diff, the end of standard error.
pub(crate) fn details(record: &TrialRecord) -> String {
    let mut text = String::new();
    for finding in record.finding.iter().chain(&record.further_findings) {
        let place = finding.line.map_or_else(String::new, |line| format!("line {line}: "));
        push(&mut text, &format!("{place}{}", line(&finding.message)));
    }
    if record.unlisted_findings > 0 {
        push(&mut text, &format!("and {} more", record.unlisted_findings));
    }
    if let (Some(right), Some(grids)) = (record.parts_right, record.grids)
        && grids > 1
    {
        push(&mut text, &format!("{right} of {grids} grids right"));
    }
    flakiness(record).iter().for_each(|flaky| push(&mut text, flaky));
    if record.rerun {
        push(&mut text, "run again, alone; this is the run that counts");
    }
    push_block(&mut text, "diff (- expected, + found)", record.diff.as_deref().unwrap_or(""));
    let source = if record.verdict == Verdict::CompileError { "compiler" } else { "standard error" };
    push_block(&mut text, source, &record.stderr);
    shortened(text.trim_end(), EXCERPT)
}

fn push(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a string takes everything");
}

fn push_block(text: &mut String, name: &str, block: &str) {
    if block.trim().is_empty() {
        return;
    }
    push(text, &format!("{name}:"));
    for row in shortened(block, EXCERPT).lines() {
        push(text, &format!("| {}", printable(row)));
    }
}

/// What a trial is called where it is told by itself: a submission that does not compile does so on no case in particular.
pub(crate) fn place(record: &TrialRecord) -> &str {
    if record.verdict == Verdict::CompileError { COMPILATION } else { &record.case }
}

/// What the making of a program is called, among its cases.
pub(crate) const COMPILATION: &str = "compilation";

/// Why a case was not judged.
pub(crate) fn why_not_judged(decisive: Option<&TrialRecord>) -> &'static str {
    match decisive.map(|record| record.verdict) {
        Some(Verdict::CompileError) => "it does not compile",
        _ => "an earlier case had settled it",
    }
}

/// The line of the source in which a compiler found the first error.
pub(crate) fn compiler_line(record: &TrialRecord) -> Option<u64> {
    refusal(record)?.line
}

/// The first error of the compiler that refused it. A source may be compiled under another name; its ending stays.
fn refusal(record: &TrialRecord) -> Option<CompilerDiagnostic> {
    if record.verdict != Verdict::CompileError {
        return None;
    }
    let name = record.submission.rsplit('/').next().unwrap_or_default();
    let ending = name.rfind('.').map_or("", |dot| &name[dot..]);
    let found = compiler_diagnostic::of(&record.stderr, name)?;
    match found.line {
        Some(_) => Some(found),
        None => compiler_diagnostic::of(&record.stderr, ending),
    }
}
