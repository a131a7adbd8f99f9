//! Reads the keys that may be set at the root, in a batch and in a case, and are inherited inwards:
//! points, files, the checker. Start at [`CaseScope::within`].

use std::rc::Rc;
use std::sync::Arc;

use crate::keys::KeyTable;
use crate::mistake::quoted;
use crate::model::{PointValue, Task};
use crate::package::dmoj::{CaseGenerator, checkers, generator};
use crate::package::{PackageTree, ReadingNotes};

/// Keys that may change a verdict and are not supported, with words for what the package needs.
const REFUSED: [(&str, &str); 4] = [
    ("custom_judge", "a grader in Python (`custom_judge`)"),
    (
        "signature_grader",
        "submissions without a main program (`signature_grader`)",
    ),
    ("symlinks", "files beside the submission (`symlinks`)"),
    (
        "io_redirects",
        "submissions that read or write files (`io_redirects`)",
    ),
];

/// Keys on which no verdict depends, or for which gridjudge has settings of its own.
const IGNORED: [&str; 5] = [
    "output_prefix_length",
    "wall_time_factor",
    "short_circuit",
    "hints",
    "meta",
];

/// Keys of the root that are not about cases.
const OF_ROOT: [&str; 6] = [
    "archive",
    "test_cases",
    "pretest_test_cases",
    "interactive",
    "unbuffered",
    "output_limit_length",
];

/// The name of a file, and the line that names it.
#[derive(Clone)]
pub(super) struct NamedFile {
    pub(super) name: String,
    pub(super) line: u64,
}

/// The settings of a case, or of all cases in a batch or problem.
#[derive(Clone)]
pub(super) struct CaseScope {
    pub(super) points: PointValue,
    /// The name of the input, as written in the file.
    pub(super) input: Option<NamedFile>,
    /// The name of the answer.
    pub(super) answer: Option<NamedFile>,
    /// What makes the input and the answer, if they are not named.
    pub(super) generator: Option<Arc<CaseGenerator>>,
    /// The arguments of the generator, and the name of its standard input.
    pub(super) arguments: Vec<String>,
    pub(super) stdin: Option<NamedFile>,
    pub(super) task: Rc<Task>,
    /// Whether the checker gives points in per cent of those of the case.
    pub(super) gives_percentages: bool,
    /// Whether line breaks are left unchanged.
    pub(super) is_binary: bool,
}

/// The context for reading a scope, beside its map.
pub(super) struct ScopeReader<'a> {
    pub(super) tree: &'a PackageTree,
    /// Whether a program interacts with submissions, so that no checker is used.
    pub(super) is_interactive: bool,
}

impl CaseScope {
    /// The default settings.
    pub(super) fn usual() -> Self {
        Self {
            points: 1.into(),
            input: None,
            answer: None,
            generator: None,
            arguments: Vec::new(),
            stdin: None,
            task: Rc::new(Task::Text(checkers::STANDARD)),
            gives_percentages: false,
            is_binary: false,
        }
    }

    /// Reads the settings in a map, which inherit these.
    pub(super) fn within(
        &self,
        map: &KeyTable,
        reader: &ScopeReader<'_>,
        notes: &mut ReadingNotes,
    ) -> Self {
        for (key, what) in REFUSED {
            if let Some(place) = map.mark_read(key) {
                notes.need(map, place, what);
            }
        }
        for key in IGNORED
            .into_iter()
            .filter(|key| map.mark_read(key).is_some())
        {
            notes.ignore(format!("`{key}`: no verdict here depends on it"));
        }
        let points = map
            .number_from("points", 0.0)
            .and_then(|found| PointValue::new(found.value));
        let task = if reader.is_interactive {
            if map.mark_read("checker").is_some() {
                notes.ignore("`checker`: the interactor has the last word");
            }
            None
        } else {
            checkers::task(map, reader.tree, notes).map(Rc::new)
        };
        let gives_percentages = task.as_ref().and_then(|_| checkers::gives_percentages(map));
        Self {
            points: points.unwrap_or(self.points),
            input: file_of(map, "in").or_else(|| self.input.clone()),
            answer: file_of(map, "out").or_else(|| self.answer.clone()),
            generator: generator::read(map, reader.tree, notes)
                .map(Arc::new)
                .or_else(|| self.generator.clone()),
            arguments: map
                .python_texts("generator_args")
                .map_or_else(|| self.arguments.clone(), |found| found.value),
            stdin: file_of(map, "generator_in").or_else(|| self.stdin.clone()),
            task: task.unwrap_or_else(|| Rc::clone(&self.task)),
            gives_percentages: gives_percentages.unwrap_or(self.gives_percentages),
            is_binary: map
                .flag("binary_data")
                .map_or(self.is_binary, |found| found.value),
        }
    }
}

fn file_of(map: &KeyTable, key: &'static str) -> Option<NamedFile> {
    let found = map.text(key)?;
    Some(NamedFile {
        name: found.value,
        line: map.document.line(found.place),
    })
}

/// Notes each key that was not read: Python code is not supported, and other keys are ignored, as
/// in DMOJ.
pub(super) fn close(map: &KeyTable, notes: &mut ReadingNotes) {
    for key in map.unread_keys() {
        if key.value.ends_with('+') {
            notes.need(
                map,
                key.place,
                &format!("values that Python code makes ({})", quoted(key.value)),
            );
        } else if OF_ROOT.contains(&key.value) {
            let message = format!("{} is in a case or a batch", quoted(key.value));
            map.document
                .slip(key.place, message, "write it at the root of the file");
        } else if !map.note_misspelt(&key) {
            notes.ignore(format!("{}: DMOJ knows no such key", quoted(key.value)));
        }
    }
}
