//! The arguments of a checker or interactor in the order of each protocol, and the command that
//! repeats a call. Pure.

use std::path::Path;

use crate::model::{Case, CheckerKind, CheckerProtocol, CheckerTask};

/// The paths that the arguments of a call name.
pub(super) struct CallNames {
    pub(super) input: String,
    pub(super) answer: String,
    /// The output of the submission or, for an interactor, the file that it writes for the checker
    /// after it.
    pub(super) output: String,
    pub(super) feedback: String,
    pub(super) report: String,
}

impl CallNames {
    /// The arguments of a protocol, in its order.
    pub(super) fn arguments(self, task: &CheckerTask) -> Vec<String> {
        let Self {
            input,
            answer,
            output,
            feedback,
            report,
        } = self;
        match (task.protocol, task.kind) {
            (CheckerProtocol::Kattis, _) => vec![input, answer, feedback],
            (
                CheckerProtocol::Testlib,
                CheckerKind::Checker
                | CheckerKind::FinalChecker
                | CheckerKind::Grader
                | CheckerKind::StaticValidator,
            ) => {
                vec![input, output, answer, report, "-appes".to_owned()]
            }
            (CheckerProtocol::Dmoj, CheckerKind::Interactor) => vec![input, answer],
            (CheckerProtocol::Testlib, CheckerKind::Interactor)
            | (CheckerProtocol::Oj | CheckerProtocol::Dmoj, _) => {
                vec![input, output, answer]
            }
        }
    }
}

/// The command that repeats a call, with the source instead of the compiled program, and
/// placeholders for temporary files.
pub(super) fn shown(task: &CheckerTask, case: &Case) -> String {
    let named = |name: &str| name.to_owned();
    let names = CallNames {
        input: text(&case.input),
        answer: text(&case.answer),
        output: named("OUTPUT"),
        feedback: named("FEEDBACK/"),
        report: named("REPORT"),
    };
    let is_static = task.kind == CheckerKind::StaticValidator;
    let usual = if is_static {
        ["LANGUAGE", "ENTRY_POINT", "FEEDBACK/"].map(named).to_vec()
    } else {
        names.arguments(task)
    };
    let words: Vec<_> = [text(&task.source)]
        .iter()
        .chain(&usual)
        .chain(&task.arguments)
        .map(|word| quoted_for_shell(word))
        .collect();
    let reads_output = task.protocol == CheckerProtocol::Kattis
        && task.kind != CheckerKind::Interactor
        && !is_static;
    let from = if reads_output { " < OUTPUT" } else { "" };
    format!("{}{from}", words.join(" "))
}

/// A word of a command line, in quotes if a shell would read more in it.
fn quoted_for_shell(word: &str) -> String {
    let is_plain = word
        .chars()
        .all(|letter| letter.is_ascii_alphanumeric() || "/._-+=,:".contains(letter));
    if is_plain && !word.is_empty() {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A path as an argument.
pub(super) fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
