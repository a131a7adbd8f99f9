//! What a check of a problem has found: a sentence, the file that it is about, and how both are
//! shown on the screen and in the log.

use std::path::{Path, PathBuf};

use crate::cli::args::GlobalOptions;
use crate::mistake::Mistake;
use crate::model::{MistakeRecord, MistakeSeverity, ProblemCheck};
use crate::run;
use crate::spec::JudgeFolder;

/// Something that a check has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CheckFinding {
    pub(crate) check: ProblemCheck,
    /// The finding and its file.
    pub(crate) mistake: Mistake,
    /// The sentence on the screen.
    pub(crate) shown: String,
}

impl CheckFinding {
    /// A mistake in a file, which is shown with its path.
    pub(crate) fn of(check: ProblemCheck, mistake: Mistake) -> Self {
        Self {
            check,
            shown: mistake.to_string(),
            mistake,
        }
    }

    /// A sentence about a file, which need not name it.
    pub(crate) fn about(check: ProblemCheck, file: &Path, text: String) -> Self {
        Self {
            check,
            mistake: Mistake::of(file, text.clone()),
            shown: text,
        }
    }

    /// A sentence about a file that is shown by this name.
    pub(crate) fn in_file(check: ProblemCheck, file: &Path, name: &str, text: String) -> Self {
        Self {
            check,
            shown: format!("{name}: {text}"),
            mistake: Mistake::of(file, text),
        }
    }

    /// The same, with its path shown relative to a folder if it is inside.
    pub(crate) fn seen_from(&self, root: &Path) -> Self {
        let path = &self.mistake.path;
        let below = path
            .strip_prefix(root)
            .ok()
            .filter(|below| !below.as_os_str().is_empty());
        let shown = Mistake {
            path: below.unwrap_or(path).to_owned(),
            ..self.mistake.clone()
        }
        .to_string();
        Self {
            shown,
            ..self.clone()
        }
    }

    /// The same for the log.
    pub(crate) fn record(
        &self,
        problem: &str,
        severity: MistakeSeverity,
        folder: &JudgeFolder,
        common: &GlobalOptions,
    ) -> MistakeRecord {
        let Mistake {
            path,
            line,
            message,
            remedy,
            ..
        } = &self.mistake;
        // Without a `judge.toml`, packages are named by paths relative to the current folder.
        let root: PathBuf = common.root().unwrap_or_default();
        let file = run::relative_to(&root, &folder.shown_path(problem, path));
        MistakeRecord {
            problem: problem.into(),
            check: self.check,
            severity,
            file: file.to_string_lossy().into_owned(),
            line: *line,
            message: message.clone(),
            remedy: remedy.clone(),
        }
    }
}
