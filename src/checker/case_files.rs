//! Makes the files of a case readable for a checker, in its folder: as copies, or as links if they
//! are large. Knows no protocol.

use std::fs::{File, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::model::{CallArgument, Case, CheckerTask, JudgingProgramKind};
use crate::text::shell_word;

/// The names of the files in the folder of a call. They are the same for all cases: a checker that
/// is given the name of a case may answer by it, and a cached answer would outlive that name.
const INPUT: &str = ".input";
const ANSWER: &str = ".answer";

/// The most bytes of a file that is copied: copying this much takes about as long as making the
/// file itself visible in the sandbox.
const LARGEST_COPY: u64 = 2 << 20;

/// Paths of a case's input and answer that a checker can read; both empty if it needs neither.
#[derive(Default)]
pub(super) struct CaseFiles {
    pub(super) input: PathBuf,
    pub(super) answer: PathBuf,
    /// The files that links in the folder lead to, which the checker must be able to read too.
    pub(super) linked: Vec<PathBuf>,
    /// The path of each file in the folder, and that of its original.
    originals: Vec<(String, String)>,
}

impl CaseFiles {
    /// Makes the two readable for a program that works in a folder.
    ///
    /// # Errors
    /// Fails if one of them cannot be read, copied or linked.
    pub(super) fn show(input: &Path, answer: &Path, folder: &Path) -> io::Result<Self> {
        let mut files = Self::default();
        files.input = files.put(input, folder.join(INPUT))?;
        files.answer = files.put(answer, folder.join(ANSWER))?;
        Ok(files)
    }

    /// Makes a file readable under a path, unless it is in the same folder already, as the input of
    /// a later pass is. Returns the path at which the checker can read it.
    ///
    /// Usually it is copied, because making a file elsewhere visible in the sandbox takes longer.
    /// It is linked if it is large and every user may read it: the checker may run as another user.
    fn put(&mut self, file: &Path, shown: PathBuf) -> io::Result<PathBuf> {
        let path = std::path::absolute(file)?;
        let found = path.metadata()?;
        let is_for_all = found.permissions().mode() & 0o004 != 0;
        if is_for_all && path.parent() == shown.parent() {
            return Ok(path);
        }
        // The checker may have left anything there in an earlier pass.
        if shown.symlink_metadata().is_ok() {
            fs::remove_file(&shown)?;
        }
        self.originals.push((text(&shown), text(file)));
        if is_for_all && found.len() > LARGEST_COPY {
            symlink(&path, &shown)?;
            self.linked.push(path);
            return Ok(shown);
        }
        io::copy(&mut File::open(&path)?, &mut File::create_new(&shown)?)?;
        fs::set_permissions(&shown, Permissions::from_mode(0o644))?;
        Ok(shown)
    }

    /// Replaces the paths of files in the folder in a text by those of their originals.
    pub(super) fn named_in(&self, said: &str) -> String {
        self.originals
            .iter()
            .fold(said.to_owned(), |said, (shown, file)| {
                said.replace(shown, file)
            })
    }
}

// The arguments of a checker or interactor, and the command that repeats a call. Pure.

/// The arguments of a program: its own, or those of the protocol, in its order.
pub(super) fn arguments(task: &CheckerTask, word: impl Fn(CallArgument) -> String) -> Vec<String> {
    if let Some(words) = &task.call {
        let paths = [
            ("{input_file}", word(CallArgument::Input)),
            ("{output_file}", word(CallArgument::Output)),
            ("{answer_file}", word(CallArgument::Answer)),
        ];
        let words = words.iter();
        let filled = words.map(|word| {
            let mut word = word.clone();
            for (name, path) in &paths {
                word = word.replace(name, path);
            }
            word
        });
        return filled.collect();
    }
    let arguments = task.protocol.rules().arguments(task.kind);
    arguments
        .unwrap_or_default()
        .iter()
        .copied()
        .map(word)
        .collect()
}

/// The command that repeats a call, with the source instead of the compiled program, and
/// placeholders for temporary files.
pub(super) fn shown(task: &CheckerTask, case: &Case) -> String {
    let is_static = task.kind == JudgingProgramKind::StaticValidator;
    let usual = if is_static {
        ["LANGUAGE", "ENTRY_POINT", "FEEDBACK/"]
            .map(str::to_owned)
            .to_vec()
    } else {
        arguments(task, |argument| match argument {
            CallArgument::Input => text(&case.input),
            CallArgument::Answer => text(&case.answer),
            CallArgument::Output => "OUTPUT".to_owned(),
            CallArgument::FeedbackFolder => "FEEDBACK/".to_owned(),
            CallArgument::ReportFile => "REPORT".to_owned(),
            CallArgument::Word(word) => word.to_owned(),
        })
    };
    let words: Vec<_> = [text(&task.source)]
        .iter()
        .chain(&usual)
        .chain(&task.arguments)
        .map(|word| shell_word(word))
        .collect();
    let reads_output = task.protocol.rules().reads_standard_input()
        && task.kind != JudgingProgramKind::Interactor
        && !is_static;
    let from = if reads_output { " < OUTPUT" } else { "" };
    format!("{}{from}", words.join(" "))
}

/// A path as an argument.
pub(super) fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
