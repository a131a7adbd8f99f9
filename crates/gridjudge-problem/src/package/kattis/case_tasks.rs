//! Decides how the outputs of a Kattis package are judged: by the format's default
//! validator or by a program, with the flags that apply to each case.

use crate::sorted::{SortedMap, SortedSet};
use std::path::{Path, PathBuf};

use crate::keys::{KeyDocument, KeyTable};
use crate::mistake;
use crate::mistake::{Mistake, RemarkKind};
use crate::model::{
    Case, CheckerProtocol, CheckerTask, SourceFile, Task, TextTask, TokenRules,
};
use crate::package::kattis::PerCase;
use crate::package::{
    GroupSettings, Package, PackageFormat, PackageMetadata, PackageTree,
    PackageValidation, ReadingNotes, validation,
};

/// Returns the task of each case, and puts those of the example outputs into
/// `examples`.
pub(crate) fn tasks(
    metadata: &PackageMetadata,
    settings: &GroupSettings,
    file: &Path,
    cases: &[Case],
    examples: &mut PackageValidation,
    notes: &mut ReadingNotes,
) -> PerCase<Task> {
    let of_examples = examples.outputs.iter().map(|output| &output.case);
    let cases: Vec<_> = cases.iter().chain(of_examples).cloned().collect();
    let mut tasks = tasks_on(metadata, settings, file, &cases, notes);
    (examples.tasks, tasks.others) = tasks
        .others
        .into_iter()
        .partition(|(case, _)| validation::is_validation_only(case));
    tasks
}

fn tasks_on(
    metadata: &PackageMetadata,
    settings: &GroupSettings,
    file: &Path,
    cases: &[Case],
    notes: &mut ReadingNotes,
) -> PerCase<Task> {
    let flags = &metadata.validator_flags;
    let Some(source) = metadata.checker.clone() else {
        // If something is unsupported, the flags may be for a program that is not run,
        // and are not checked.
        let is_default = !notes.remarks.has(RemarkKind::Unsupported);
        let rules = is_default.then(|| settings.rules(flags, file, cases, notes));
        let rules = rules.unwrap_or_else(|| PerCase::all(TokenRules::default()));
        return rules.map(|rules| Task::Text(TextTask::Tokens(rules)));
    };
    let limits = metadata.limits.checker.of_a_run();
    settings.arguments(flags, cases).map(|arguments| {
        let task = |source: &PathBuf, next: Option<CheckerTask>| CheckerTask {
            arguments: arguments.clone(),
            passes: if metadata.is_multi_pass {
                metadata.limits.passes
            } else {
                1
            },
            sees_submission: metadata.format == PackageFormat::Kattis2025,
            final_checker: next.map(Box::new),
            ..CheckerTask::new(
                metadata.checker_kind,
                source.clone(),
                CheckerProtocol::Kattis,
                limits.clone(),
            )
        };
        let further = metadata.further_checkers.iter().rev();
        let next = further.fold(None, |next, source| Some(task(source, next)));
        Task::Checker(task(&source, next))
    })
}

// Finds the files in `include/` that are compiled into every submission: a folder for
// each language, named by the format's code. Reads none of them.

/// Returns the files for each language, by their names in its folder.
pub(crate) fn read_case_tasks(
    tree: &PackageTree,
    notes: &mut ReadingNotes,
) -> SortedMap<String, Vec<SourceFile>> {
    let mut includes: SortedMap<String, Vec<SourceFile>> = SortedMap::new();
    for (name, path) in tree.below("include") {
        let below = &name["include/".len()..];
        match below.split_once('/') {
            Some((language, file)) => includes
                .entry(language.to_owned())
                .or_default()
                .push(SourceFile::new(file, path)),
            None => {
                notes.ignore(format!("`{name}`: it lies in no folder of a language"))
            }
        }
    }
    includes
}

// Reads what a package tells people about a case: a hint, and what the case is for. The
// older formats have files for these, 2025-09 has keys in the settings of a case. No
// verdict depends on any of it.

/// The two texts about a case, in the words of both kinds of formats: the key of
/// 2025-09, and the ending of the file in the older ones.
pub(crate) const CASE_TEXTS: [(&str, &str); 2] =
    [("hint", "hint"), ("description", "desc")];

/// Keys of 2025-09 for groups and cases that affect what is shown, and no verdict.
const SHOWN: [&str; 3] = [
    "full_feedback",
    "input_visualizer_args",
    "output_visualizer_args",
];

impl Package {
    /// Reads the texts about a case, in the order of [`CASE_TEXTS`].
    ///
    /// # Errors
    /// Returns a mistake if a file cannot be read, or is no text.
    pub(crate) fn texts_of(&self, case: &str) -> Result<[Option<String>; 2], Mistake> {
        let file = |ending: &str| {
            self.files
                .get(&format!("data/{case}.{ending}"))
                .map(|path| path.as_path())
        };
        if self.format.has_legacy_layout() {
            let text = |ending| file(ending).map(mistake::read_text).transpose();
            return Ok([text(CASE_TEXTS[0].1)?, text(CASE_TEXTS[1].1)?]);
        }
        let Some(document) = file("yaml").map(KeyDocument::read_yaml).transpose()?
        else {
            return Ok([None, None]);
        };
        let map = KeyTable::root(&document);
        Ok(CASE_TEXTS.map(|(key, _)| map.text(key)))
    }

    /// The keys about what is shown of cases that the settings of groups and cases
    /// hold, in 2025-09.
    pub(crate) fn display_keys(&self) -> SortedSet<&'static str> {
        let files = self.files.iter().filter(|(name, _)| {
            !self.format.has_legacy_layout()
                && (name.starts_with("data/") && name.ends_with(".yaml"))
        });
        files.flat_map(|(_, path)| display_keys_in(path)).collect()
    }
}

fn display_keys_in(path: &Path) -> Vec<&'static str> {
    let Ok(document) = KeyDocument::read_yaml(path) else {
        return Vec::new();
    };
    let map = KeyTable::root(&document);
    SHOWN
        .into_iter()
        .filter(|key| map.mark_read(key).is_some())
        .collect()
}
