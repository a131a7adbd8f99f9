//! Adds the cases on which a program of the package judges the source of a submission
//! and not a run of it (`static_validator/`). Each group that asks for static
//! validation has one, which comes before its other cases. Start at
//! [`StaticCases::read`].
//!
//! Source: the Kattis problem package format 2025-09, "Static validator".

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::keys::KeyTable;
use crate::mistake::Mistake;
use crate::model::{
    Case, CheckerProtocol, CheckerTask, JudgingProgramKind, PointValue, Task,
};
use crate::package::kattis::group_grading::whole_points;
use crate::package::{PackageMetadata, PackageTree};

/// The name of a static case in its group. The format has none.
const NAME: &str = "static_validation";

/// The keys that ask for static validation.
const SCORE: &str = "static_validation_score";
const ARGUMENTS: &str = "static_validator_args";

/// The word for a static case without points of its own.
const PASS_FAIL: &str = "pass-fail";

/// Static cases, by name.
#[derive(Default)]
pub(crate) struct StaticCases(pub(super) BTreeMap<String, StaticCase>);

/// A case on which the source is judged.
pub(crate) struct StaticCase {
    /// The most points that it gives, if it has points of its own.
    pub(crate) most: Option<PointValue>,
    /// The file that asks for it, and the line.
    file: PathBuf,
    line: u64,
    arguments: Vec<String>,
}

impl StaticCases {
    /// Reads the static case that the file of a group asks for, if it does.
    pub(crate) fn read(&mut self, map: &KeyTable, group: &str) {
        let arguments = program_arguments(map, ARGUMENTS);
        if map.text(SCORE).is_none() {
            if arguments.is_some() {
                map.refuse_value(
                    ARGUMENTS,
                    format!("`{ARGUMENTS}` have no effect without `{SCORE}`"),
                    format!("add `{SCORE}: {PASS_FAIL}`, or delete them"),
                );
            }
            return;
        }

        let Some(most) = whole_points(map, SCORE, PASS_FAIL) else {
            return;
        };
        let is_inner = group
            .strip_prefix("secret/")
            .is_some_and(|rest| !rest.is_empty() && !rest.contains('/'));
        if !["sample", "secret"].contains(&group) && !is_inner {
            let remedy = "move it into the `test_group.yaml` of `sample`, of `secret` or of a \
                          folder in `secret`";
            map.refuse_value(
                SCORE,
                format!("`{SCORE}` is in a folder that is not a group"),
                remedy,
            );
        }
        self.0.insert(
            format!("{group}/{NAME}"),
            StaticCase {
                most,
                file: map.document.path.clone(),
                line: map.document.line(map.value_place(SCORE)),
                arguments: arguments.unwrap_or_default(),
            },
        );
    }

    /// The case of a group.
    pub(super) fn of_group(&self, group: &str) -> Option<&StaticCase> {
        self.0.get(&format!("{group}/{NAME}"))
    }

    /// Adds them to the other cases, each before the others of its group, and returns
    /// their tasks by case name.
    pub(crate) fn add_to(
        &self,
        cases: &mut Vec<Case>,
        metadata: &PackageMetadata,
        tree: &PackageTree,
    ) -> BTreeMap<String, Task> {
        // A group of the same name is refused too: its path would be that of the static
        // case.
        for case in cases.iter().filter(|case| {
            let around = case.name.rsplit_once('/');
            self.0.contains_key(&case.name)
                || around.is_some_and(|(group, _)| self.0.contains_key(group))
        }) {
            let message = format!(
                "`{NAME}` is the name of the case on which sources are judged (`{SCORE}`)"
            );
            tree.refuse(&case.input, message, "rename this one, or its group");
        }
        cases.extend(self.0.iter().map(|(name, StaticCase { file, .. })| Case {
            name: name.clone(),
            input: file.clone(),
            answer: file.clone(),
        }));
        cases.sort_by_cached_key(|case| {
            let group = case.name.strip_suffix(NAME);
            let group = group.filter(|_| self.0.contains_key(&case.name));
            // No file name is empty, so what ends in a slash sorts first.
            let parts = group.unwrap_or(&case.name).split('/');
            parts.map(str::to_owned).collect::<Vec<_>>()
        });
        self.refuse_incomplete(metadata, tree);
        let Some(validator) = &metadata.static_validator else {
            return BTreeMap::new();
        };
        let tasks = self.0.iter().map(|(name, case)| {
            let task = CheckerTask {
                arguments: case.arguments.clone(),
                sees_submission: true,
                ..CheckerTask::new(
                    JudgingProgramKind::StaticValidator,
                    validator.clone(),
                    CheckerProtocol::Kattis,
                    metadata.limits.checker.clone(),
                )
            };
            (name.clone(), Task::Checker(task))
        });
        tasks.collect()
    }

    /// Notes static cases without a program, points in a problem without them, and a
    /// program that no case uses.
    fn refuse_incomplete(&self, metadata: &PackageMetadata, tree: &PackageTree) {
        let has_validator = metadata.static_validator.is_some();
        for case in self.0.values() {
            let refuse = |message: &str, remedy: &str| {
                tree.mistake(case.mistake(message, remedy));
            };
            if metadata.submissions_are_answers {
                refuse(
                    "sources are to be judged, and submissions are answers",
                    &format!("delete `{SCORE}`"),
                );
            } else if !has_validator {
                refuse(
                    "sources are to be judged, and there is no program for it in \
                     `static_validator`",
                    &format!("put its source there, or delete `{SCORE}`"),
                );
            }
            if case.most.is_some() && !metadata.is_scoring {
                let remedy = format!(
                    "write `{SCORE}: {PASS_FAIL}`, or `type: scoring` into `problem.yaml`"
                );
                let message =
                    "the source is worth points, and the problem gives none";
                refuse(message, &remedy);
            }
        }
        if self.0.is_empty() && has_validator {
            tree.ignore(format!(
                "`static_validator/`: no group asks for it (`{SCORE}` in its `test_group.yaml`)"
            ));
        }
    }
}

impl StaticCase {
    /// A mistake in a group's settings of its static case.
    pub(crate) fn mistake(&self, message: &str, remedy: &str) -> Mistake {
        Mistake::new(&self.file, message, remedy).on_line(self.line)
    }
}

/// Returns the arguments for programs in a file of 2025-09.
pub(super) fn program_arguments(
    map: &KeyTable,
    key: &'static str,
) -> Option<Vec<String>> {
    let found = map.list(key)?;
    if found.iter().any(|word| word.contains('\0')) {
        let message = format!(
            "an argument in `{key}` holds a zero byte, which no program can be given"
        );
        map.refuse_value(key, message, "delete it");
    }
    Some(found)
}

#[cfg(test)]
mod tests;
