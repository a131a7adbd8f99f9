//! Interprets the run of a checker or interactor by the rules of its protocol, from its
//! exit code and files: its answer, or a fault that names limit, case and command.
//! Knows the forms of feedback; starts nothing.

use std::path::Path;

use gridjudge_sandbox::{DiskSpace, Exit, Fault, Limits, Run};
use rustix::process::Signal;

use crate::checker::call::JUDGE_MESSAGE;
use crate::checker::{CheckerCall, CheckerSetup, call_folder, points};
use crate::model::{
    self, CheckerPoints, ExitAnswer, Feedback, Finding, FindingKind, FindingRule,
    Findings, JudgingProgramKind, ProtocolRules, Verdict, file_name,
};
use crate::text::{JoinedTexts, counted, lines_with_text};

/// The most lines of a message that are shown, and the most letters of each.
const MOST_LINES: usize = 20;
const LONGEST_LINE: usize = 500;

/// Whether a submission may continue to its own end after an interactor with this exit
/// code and this standard error: by these, the interactor has neither rejected nor
/// failed, so how the submission ends still matters.
pub(super) fn lets_finish(
    rules: &ProtocolRules,
    exit_code: i32,
    errors: &[u8],
) -> bool {
    let parts =
        || points::parts_in(Exit::Code(exit_code), &String::from_utf8_lossy(errors));
    matches!(
        (rules.answer)(exit_code),
        Some(ExitAnswer::Right | ExitAnswer::Points)
    ) || rules.feedback == Feedback::Report && parts().is_some_and(|parts| parts > 0)
}

impl CheckerCall<'_> {
    /// The answer of a checker that ran with these limits, or in words why there is
    /// none.
    pub(super) fn answer_of(
        &self,
        run: &Run,
        limits: &Limits,
        printed: &str,
    ) -> Result<Findings, String> {
        let errors = String::from_utf8_lossy(&run.stderr_tail);
        match broken_limit(run, limits) {
            Some(limit) => Err(format!("it broke its own {limit} ({LIMITS_PLACE})")),
            None if self.is_exception(run.exit, &errors) => Err(format!(
                "it ended with {}, by an exception that it did not expect",
                run.exit
            )),
            None => self.findings_of(run.exit, printed),
        }
    }

    /// The findings of a checker, or in words why its run is no valid answer.
    fn findings_of(&self, exit: Exit, printed: &str) -> Result<Findings, String> {
        let rules = self.setup.task.protocol.rules();
        if rules.feedback == Feedback::Report
            && let Some(parts) = self.parts_right(exit, printed)?
        {
            return self.partly_right(parts);
        }
        let answer = self.exit_answer(exit)?;
        let has_files = rules.feedback == Feedback::Files;
        let points = if has_files {
            self.points_of_files(answer == ExitAnswer::Right)?
        } else if answer == ExitAnswer::Points {
            self.points_of_report(printed)?
        } else {
            None
        };
        let words = self.message_of_checker(printed);
        let mut findings = match answer {
            ExitAnswer::Right | ExitAnswer::Points => acceptance(points, &words),
            ExitAnswer::Rejected(kind) => Findings {
                points,
                ..self.rejection(kind, &words)
            },
        };
        if has_files {
            findings.judge_message = self.message(JUDGE_MESSAGE);
            if answer != ExitAnswer::Right {
                findings.checker_images = self.images();
            }
        }
        Ok(findings)
    }

    /// The answer by the exit code, if the files of the call agree with it.
    fn exit_answer(&self, exit: Exit) -> Result<ExitAnswer, String> {
        let task = self.setup.task;
        let rules = task.protocol.rules();
        if rules.feedback == Feedback::Report
            && let (Some((outcome, codes)), Exit::Code(code)) =
                (outcome_in(&self.report()?), exit)
            && !codes.contains(&code)
        {
            return Err(format!(
                "its report says `{outcome}`, and it ended with {exit}"
            ));
        }
        let answer = match exit {
            Exit::Code(code) => (rules.answer)(code),
            Exit::Signal(_) => None,
        };
        let answer = answer.ok_or_else(|| (rules.failure)(task.kind, exit))?;
        if rules.feedback == Feedback::Files && self.asks_for_pass()? {
            if task.passes == 1 {
                return Err(
                    "it wrote `nextpass.in`, which a problem of one pass has no use for"
                        .to_owned(),
                );
            }
            if answer != ExitAnswer::Right {
                return Err(
                    "it rejects the output, and asks for another pass (`nextpass.in`)"
                        .to_owned(),
                );
            }
        }
        Ok(answer)
    }

    /// The checker's message about an output, from where its protocol puts it.
    pub(super) fn message_of_checker(&self, printed: &str) -> String {
        match self.setup.task.protocol.rules().feedback {
            // The messages, then the printed output, then the pictures that it drew.
            Feedback::Files => {
                let mut said = format!("{}\n{printed}", self.messages_of_pass());
                for (name, bytes) in &self.pictures() {
                    said += &format!("\nit drew {name} ({})", counted(*bytes, "byte"))
                }
                said
            }
            Feedback::Report => message_of_report(&self.report().unwrap_or_default())
                .unwrap_or_else(|| printed.to_owned()),
            Feedback::Printed => printed.to_owned(),
        }
    }

    /// The findings about an output of which `parts` of 200 parts are right. If the
    /// case gives no partial points, all parts must be right.
    fn partly_right(&self, parts: u32) -> Result<Findings, String> {
        let points = self.points_of_parts(parts)?;
        let message = message_of_report(&self.report()?).unwrap_or_default();
        if parts == 0 || points.is_none() && parts < points::ALL_PARTS {
            let said = format!(
                "{parts} of {} parts are right: {message}",
                points::ALL_PARTS
            );
            let said = said.trim_end_matches([':', ' ']);
            return Ok(self.rejection(FindingKind::Wrong, said));
        }
        Ok(acceptance(points, &message))
    }

    /// Converts the lines of a message into findings; without any, the finding says
    /// that there is no reason. The first has the place in the output, if the checker
    /// has left it.
    fn rejection(&self, kind: FindingKind, said: &str) -> Findings {
        let by = self.setup.task.kind.name();
        let mut findings = Findings::default();
        let mut byte = self.output_position();
        let mut note = |message: String| {
            let byte = byte.take();
            let placed = byte.map_or_else(String::new, |byte| {
                format!(", at byte {byte} of the output")
            });
            findings.note_finding(Finding {
                byte,
                ..checker_finding(kind, message + &placed)
            });
        };
        let mut lines = lines_with_text(said).peekable();
        if lines.peek().is_none() {
            note(format!("the {by} says that it is wrong, and not why"));
        }
        for line in lines.by_ref().take(MOST_LINES) {
            note(format!("{by}: {}", cut(line)));
        }
        findings.unlisted += lines.count() as u64;
        findings
    }

    /// Returns a fault if the disk with the folder of a call is full, or if the folder
    /// is gone: the files that the checker left there may be incomplete or missing, so
    /// its answer does not count, whatever it is.
    pub(super) fn fault_if_disk_is_full(&self) -> Result<(), Fault> {
        let doing = self.setup.doing();
        let place = &self.folder.path;
        let left =
            DiskSpace::measure(place).map_err(|error| Fault::new(&doing, error))?;
        if !left.is_full() {
            return Ok(());
        }
        let place = place.parent().unwrap_or(place).display();
        Err(Fault::because(
            doing,
            format!("the disk of {place}, where it writes its files, is full"),
        )
        .with_remedy("make room there, or set TMPDIR to a folder on another disk"))
    }
}

/// The outcomes in testlib's reports, with the exit codes that belong to them.
const OUTCOMES: [(&str, &[i32]); 6] = [
    ("accepted", &[0]),
    ("wrong-answer", &[1]),
    ("presentation-error", &[2, 4]),
    ("fail", &[3]),
    ("points", &[7]),
    ("unexpected-eof", &[2, 8]),
];

/// The outcome that a report names, if testlib knows it.
fn outcome_in(report: &str) -> Option<&'static (&'static str, &'static [i32])> {
    let outcome = points::attribute_of_result(report, "outcome")?;
    OUTCOMES.iter().find(|row| row.0 == outcome)
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
    let message = lines_with_text(said).take(MOST_LINES).map(cut).joined("; ");
    Findings {
        parts_right: 1,
        points,
        checker_message: Some(message).filter(|message| !message.is_empty()),
        ..Findings::default()
    }
}

fn cut(line: &str) -> String {
    line.chars().take(LONGEST_LINE).collect()
}

pub(super) fn checker_finding(kind: FindingKind, message: String) -> Finding {
    Finding {
        kind,
        ..Finding::unplaced(FindingRule::Checker, message)
    }
}

// Recognizes that a Python program has ended by an exception that it did not catch: its
// exit code is then 1, which in some protocols is an answer. Knows what Python writes
// in that case.
//
// A message that quotes the output of a submission may look the same. So the traceback
// must begin in a file of the program itself, whose path a submission does not know.

/// The exit code of Python after such an exception.
const CODE_OF_EXCEPTION: i32 = 1;

/// The line above a traceback, and what precedes it for several exceptions at once.
const TRACEBACK: &str = "Traceback (most recent call last):";
const OF_GROUP: &str = "  + Exception Group ";

impl CheckerCall<'_> {
    /// Whether a program has ended by an exception of Python, by its standard error,
    /// although its exit code may look like an answer. A program that still makes a
    /// report of testlib has caught its exception.
    fn is_exception(&self, exit: Exit, errors: &str) -> bool {
        let rules = self.setup.task.protocol.rules();
        if (rules.answer)(CODE_OF_EXCEPTION).is_none() || exit == Exit::Code(0) {
            return false;
        }
        let Some(after) = self.after_traceback(errors) else {
            return false;
        };
        let reports = rules.feedback == Feedback::Report
            && (points::outcome_line(after).is_some()
                || outcome_in(&self.report().unwrap_or_default()).is_some());
        !reports
    }

    /// The part of standard error after the start of the last traceback of this call's
    /// program; `None` if there is no such traceback.
    ///
    /// ```text
    /// Traceback (most recent call last):
    ///   File "/folder/check.py", line 3, in <module>
    ///     n = int(input())
    /// ValueError: invalid literal for int() with base 10: 'x'
    /// ```
    fn after_traceback<'e>(&self, standard_error: &'e str) -> Option<&'e str> {
        standard_error
            .match_indices(TRACEBACK)
            .filter_map(|(at, _)| {
                let line_start =
                    standard_error[..at].rfind('\n').map_or(0, |end| end + 1);
                matches!(&standard_error[line_start..at], "" | OF_GROUP)
                    .then_some(&standard_error[at + TRACEBACK.len()..])
            })
            .filter(|after| {
                let first = after
                    .trim_start_matches(['\n', ' ', '|'])
                    .strip_prefix("File \"");
                let file = first.and_then(|rest| rest.split('"').next());
                file.is_some_and(|file| self.is_of_program(file))
            })
            .last()
    }
}

/// Where the limits of a checker are set, for messages.
pub(super) const LIMITS_PLACE: &str = "[task.limits], or `validation_*` of a package";

/// The limit that a checker broke, in words. A bad exit breaks no limit, unless the
/// signal says that a file grew too large.
fn broken_limit(run: &Run, limits: &Limits) -> Option<&'static str> {
    use Verdict::*;

    match model::verdict_of_breach(run, limits)? {
        RuntimeError if run.exit == Exit::Signal(Signal::XFSZ.as_raw()) => {
            Some("output limit")
        }
        TimeLimit => Some("time limit"),
        IdleLimit => Some("wall limit"),
        MemoryLimit => Some("memory limit"),
        OutputLimit => Some("output limit"),
        RuntimeError | Accepted | WrongAnswer | PresentationError | CompileError
        | Skipped => None,
    }
}

impl CheckerSetup<'_> {
    /// Describes the call, for faults.
    pub(super) fn doing(&self) -> String {
        let Self {
            task, case, pass, ..
        } = self;
        let pass = match pass {
            1 => String::new(),
            pass => format!(", in pass {pass}"),
        };
        format!(
            "running the {} {} on {}{pass}",
            task.kind.name(),
            task.source.display(),
            case.name
        )
    }

    /// The fault of a checker that gave no valid answer, with its last line of output
    /// and the command to repeat it.
    pub(super) fn fault(&self, cause: &str, printed: &str) -> Fault {
        let task = self.task;
        let cause = lines_with_text(printed).next_back().map_or_else(
            || cause.to_owned(),
            |last| format!("{cause}; it said: {}", cut(last)),
        );
        let kind = task.kind.name();
        let command = call_folder::shown_call(task, self.case, self.pass);
        let input = match self.pass {
            1 => String::new(),
            pass => format!(
                ", with what pass {} writes to `nextpass.in` for INPUT, and what it leaves in \
                 FEEDBACK/",
                pass - 1
            ),
        };
        let with = match task.kind {
            JudgingProgramKind::Checker | JudgingProgramKind::Grader => {
                ", with what the submission prints for OUTPUT"
            }
            JudgingProgramKind::FinalChecker => {
                ", with what the interactor writes to its output file for OUTPUT"
            }
            JudgingProgramKind::StaticValidator => "",
            JudgingProgramKind::Interactor => {
                ", with its standard input and output joined to those of the submission"
            }
        };
        let place = if task.sees_submission {
            ", in a folder with the files of the submission, where it must not write; FEEDBACK/ \
             is for that"
        } else {
            ""
        };
        let source = task.source.file_name();
        let command = match &self.program.program.command[..] {
            [interpreter, words @ ..]
                if words
                    .iter()
                    .any(|word| Path::new(word).file_name() == source) =>
            {
                format!("run `{} {command}`", file_name(Path::new(interpreter)))
            }
            _ => format!("compile it and run `{command}`"),
        };
        Fault::because(self.doing(), cause).with_remedy(format!(
            "fix the {kind}; to repeat it, {command}{with}{input}{place}"
        ))
    }
}
