//! Interprets the exit code and the files of a checker. Knows the exit codes of each protocol;
//! starts nothing.
//!
//! Sources: the Kattis problem package format, sections on output validators; testlib.h,
//! `resultExitCode`.

use gridjudge_sandbox::Exit;

use crate::checker::call::CheckerCall;
use crate::checker::points;
use crate::model::{
    CheckerKind, CheckerPoints, CheckerProtocol, CheckerTask, Finding, FindingKind, FindingRule,
    Findings,
};

/// Exit codes of the Kattis format.
pub(super) const ACCEPTED: i32 = 42;
const REJECTED: i32 = 43;

/// The exit code of testlib for an output that gets points.
const POINTS: i32 = 7;

/// The most lines of a message that are shown, and the most letters of each.
const MOST_LINES: usize = 20;
pub(super) const LONGEST_LINE: usize = 500;

/// The exit code of a program that accepts.
pub(super) const fn code_for_right(protocol: CheckerProtocol) -> i32 {
    match protocol {
        CheckerProtocol::Kattis => ACCEPTED,
        CheckerProtocol::Testlib | CheckerProtocol::Dmoj | CheckerProtocol::Oj => 0,
    }
}

/// Whether a submission may continue to its own end after an interactor with this exit code and
/// this standard error: by these, the interactor has neither rejected nor failed, so how the
/// submission ends still matters.
pub(super) fn lets_finish(protocol: CheckerProtocol, code: i32, errors: &[u8]) -> bool {
    let parts = || points::parts_in(Exit::Code(code), &String::from_utf8_lossy(errors));
    code == code_for_right(protocol)
        || protocol == CheckerProtocol::Testlib
            && (code == POINTS || parts().is_some_and(|parts| parts > 0))
}

/// The findings of a checker, or in words why its run is no valid answer.
pub(super) fn findings_of(
    task: &CheckerTask,
    exit: Exit,
    call: &CheckerCall,
    printed: &str,
) -> Result<Findings, String> {
    let protocol = task.protocol;
    if protocol == CheckerProtocol::Testlib
        && let Some(parts) = points::parts_right(call, exit, printed)?
    {
        return partly_right(task.kind, call, parts);
    }
    let answer = match protocol {
        CheckerProtocol::Kattis => kattis(task, exit, call)?,
        CheckerProtocol::Testlib => testlib(exit, call)?,
        CheckerProtocol::Dmoj => dmoj(exit)?,
        CheckerProtocol::Oj => oj(exit)?,
    };
    let points = match (protocol, exit) {
        (CheckerProtocol::Kattis, _) => points::of_files(call, answer.is_none())?,
        (CheckerProtocol::Testlib, Exit::Code(POINTS)) => points::of_report(call, printed)?,
        _ => None,
    };
    let words = words_of(protocol, call, printed);
    let is_kattis = protocol == CheckerProtocol::Kattis;
    let findings = match answer {
        None => acceptance(points, &words),
        Some(kind) => {
            let checker_images = if is_kattis { call.images() } else { Vec::new() };
            Findings {
                points,
                checker_images,
                ..rejection(task.kind, kind, call, &words)
            }
        }
    };
    let judge_message = if is_kattis {
        call.message(JUDGE_MESSAGE)
    } else {
        None
    };
    Ok(Findings {
        judge_message,
        ..findings
    })
}

/// The checker's message about an output, from where its protocol puts it.
pub(super) fn words_of(protocol: CheckerProtocol, call: &CheckerCall, printed: &str) -> String {
    match protocol {
        CheckerProtocol::Kattis => kattis_message(call, printed),
        // An interactor is given no report file, and writes its message to standard error instead.
        CheckerProtocol::Testlib => message_of_report(&call.report().unwrap_or_default())
            .unwrap_or_else(|| printed.to_owned()),
        CheckerProtocol::Dmoj | CheckerProtocol::Oj => printed.to_owned(),
    }
}

/// `None` if the output is right.
type CheckerAnswer = Option<FindingKind>;

/// Whether a program has ended by an exception of Python, by its standard error, although its exit
/// code may look like an answer. A program that still makes a report of testlib has caught its
/// exception.
pub(super) fn is_exception(
    protocol: CheckerProtocol,
    exit: Exit,
    call: &CheckerCall,
    errors: &str,
) -> bool {
    if protocol == CheckerProtocol::Kattis || exit == Exit::Code(0) {
        return false;
    }
    let Some(after) = after_traceback(call, errors) else {
        return false;
    };
    let reports = protocol == CheckerProtocol::Testlib
        && (points::outcome_line(after).is_some()
            || outcome_in(&call.report().unwrap_or_default()).is_some());
    !reports
}

/// A clause that says how a process ended.
pub(super) fn ending(exit: Exit) -> String {
    format!("it ended with {exit}")
}

fn kattis(task: &CheckerTask, exit: Exit, call: &CheckerCall) -> Result<CheckerAnswer, String> {
    let kind = task.kind;
    let role = match kind {
        CheckerKind::Checker | CheckerKind::FinalChecker | CheckerKind::Grader => {
            "an output validator"
        }
        CheckerKind::Interactor => "an interactor",
        CheckerKind::StaticValidator => "a static validator",
    };
    let answer = match exit {
        Exit::Code(ACCEPTED) => None,
        Exit::Code(REJECTED) => Some(FindingKind::Wrong),
        // A program is a static validator only by its folder, so another protocol cannot be meant.
        Exit::Code(0 | 1) if kind != CheckerKind::StaticValidator => {
            return Err(format!(
                "{}, and {role} ends with 42 or 43 (`protocol` names the other kinds of {}s)",
                ending(exit),
                kind.name()
            ));
        }
        other => return Err(format!("{}, and {role} ends with 42 or 43", ending(other))),
    };
    match (call.asks_for_pass()?, task.passes) {
        (true, 1) => {
            Err("it wrote `nextpass.in`, which a problem of one pass has no use for".to_owned())
        }
        (true, _) if answer.is_some() => {
            Err("it rejects the output, and asks for another pass (`nextpass.in`)".to_owned())
        }
        _ => Ok(answer),
    }
}

/// The outcomes in testlib's reports, with the exit codes that belong to them.
const OUTCOMES: [(&str, &[i32]); 6] = [
    ("accepted", &[0]),
    ("wrong-answer", &[1]),
    ("presentation-error", &[2, 4]),
    ("fail", &[3]),
    ("points", &[POINTS]),
    ("unexpected-eof", &[2, 8]),
];

/// The outcome that a report names, if testlib knows it.
fn outcome_in(report: &str) -> Option<&'static (&'static str, &'static [i32])> {
    let outcome = points::attribute_of(report, "outcome")?;
    OUTCOMES.iter().find(|row| row.0 == outcome)
}

fn testlib(exit: Exit, call: &CheckerCall) -> Result<CheckerAnswer, String> {
    let report = call.report()?;
    if let (Some((outcome, codes)), Exit::Code(code)) = (outcome_in(&report), exit)
        && !codes.contains(&code)
    {
        return Err(format!("its report says `{outcome}`, and {}", ending(exit)));
    }
    match exit {
        Exit::Code(0 | POINTS) => Ok(None),
        Exit::Code(1) => Ok(Some(FindingKind::Wrong)),
        Exit::Code(2 | 4 | 8) => Ok(Some(FindingKind::Presentation)),
        Exit::Code(3) => {
            Err("it failed itself (`_fail`): mostly the input or the answer is wrong".to_owned())
        }
        other => Err(format!("{}, which testlib does not know", ending(other))),
    }
}

/// The findings about an output of which `parts` of 200 parts are right. If the case gives no
/// partial points, all parts must be right.
fn partly_right(by: CheckerKind, call: &CheckerCall, parts: u32) -> Result<Findings, String> {
    let points = points::of_parts(call, parts)?;
    let message = message_of_report(&call.report()?).unwrap_or_default();
    if parts == 0 || points.is_none() && parts < points::ALL_PARTS {
        let said = format!(
            "{parts} of {} parts are right: {message}",
            points::ALL_PARTS
        );
        return Ok(rejection(
            by,
            FindingKind::Wrong,
            call,
            said.trim_end_matches([':', ' ']),
        ));
    }
    Ok(acceptance(points, &message))
}

fn dmoj(exit: Exit) -> Result<CheckerAnswer, String> {
    match exit {
        Exit::Code(0) => Ok(None),
        Exit::Code(1) => Ok(Some(FindingKind::Wrong)),
        other => Err(format!(
            "{}, and a checker of DMOJ ends with 0 or 1",
            ending(other)
        )),
    }
}

fn oj(exit: Exit) -> Result<CheckerAnswer, String> {
    match exit {
        Exit::Code(126 | 127) => Err(format!(
            "{}, as a program that cannot be started does",
            ending(exit)
        )),
        Exit::Code(code) => Ok((code != 0).then_some(FindingKind::Wrong)),
        Exit::Signal(_) => Err(ending(exit)),
    }
}

/// The file of the Kattis format in which a checker leaves its message for judges.
const JUDGE_MESSAGE: &str = "judgemessage.txt";

/// The files of the Kattis format, and of DOMjudge, in which a checker leaves messages.
const MESSAGE_FILES: [&str; 3] = [JUDGE_MESSAGE, "teammessage.txt", "judgeerror.txt"];

/// The messages of a checker in this order, then the printed output, then the pictures that it
/// drew.
fn kattis_message(call: &CheckerCall, printed: &str) -> String {
    let mut said = MESSAGE_FILES
        .map(|name| call.message(name).unwrap_or_default())
        .join("\n");
    said += &format!("\n{printed}");
    call.pictures()
        .iter()
        .for_each(|(name, bytes)| said += &format!("\nit drew {name} ({bytes} bytes)"));
    said
}

/// The text of a report: between its tags, if it has any; `None` if it is empty.
fn message_of_report(report: &str) -> Option<String> {
    let inner = match report.split_once("<result") {
        Some((_, tagged)) => tagged.split_once('>')?.1.rsplit_once("</result>")?.0,
        None => report,
    };
    let plain = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&amp;", "&"),
    ]
    .iter()
    .fold(inner.trim().to_owned(), |text, (entity, letter)| {
        text.replace(entity, letter)
    });
    (!plain.is_empty()).then_some(plain)
}

/// The findings about an output that is right, with the checker's message.
fn acceptance(points: Option<CheckerPoints>, said: &str) -> Findings {
    let message = lines_of(said)
        .take(MOST_LINES)
        .map(cut)
        .collect::<Vec<_>>()
        .join("; ");
    let checker_message = Some(message).filter(|message| !message.is_empty());
    Findings {
        parts_right: 1,
        points,
        checker_message,
        ..Findings::default()
    }
}

/// Converts the lines of a message into findings; without any, the finding says that there is no
/// reason. The first has the place in the output, if the checker has left it.
fn rejection(by: CheckerKind, kind: FindingKind, call: &CheckerCall, said: &str) -> Findings {
    let mut findings = Findings::default();
    let mut byte = call.output_position();
    let mut note = |message: String| {
        let byte = byte.take();
        let placed = byte.map_or_else(String::new, |byte| {
            format!(", at byte {byte} of the output")
        });
        findings.note(Finding {
            byte,
            ..finding(kind, message + &placed)
        });
    };
    let mut lines = lines_of(said).peekable();
    if lines.peek().is_none() {
        note(format!(
            "the {} says that it is wrong, and not why",
            by.name()
        ));
    }
    lines
        .by_ref()
        .take(MOST_LINES)
        .for_each(|line| note(format!("{}: {}", by.name(), cut(line))));
    findings.unlisted += lines.count() as u64;
    findings
}

fn lines_of(said: &str) -> impl Iterator<Item = &str> {
    said.lines().map(str::trim).filter(|line| !line.is_empty())
}

fn cut(line: &str) -> String {
    line.chars().take(LONGEST_LINE).collect()
}

pub(super) fn finding(kind: FindingKind, message: String) -> Finding {
    Finding {
        kind,
        ..Finding::unplaced(FindingRule::Checker, message)
    }
}

// Recognizes that a Python program has ended by an exception that it did not catch: its exit code
// is then 1, which in some protocols is an answer. Knows what Python writes in that case.
//
// A message that quotes the output of a submission may look the same. So the traceback must begin
// in a file of the program itself, whose path a submission does not know.

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
