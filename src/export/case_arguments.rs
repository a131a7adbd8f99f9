//! Writes the arguments that programs get on each case: into the settings of folders whose cases
//! agree, and in 2025-09 otherwise into those of single cases. Start at [`add`].

use std::collections::{BTreeMap, BTreeSet};

use crate::export::export_files::ExportFiles;
use crate::export::target::ExportTarget;
use crate::export::yaml_text;

/// The key of arguments in 2025-09, and in the older formats.
pub(super) struct ArgumentKey {
    new: &'static str,
    old: &'static str,
}

impl ArgumentKey {
    pub(super) const INPUT_VALIDATORS: Self = Self {
        new: "input_validator_args",
        old: "input_validator_flags",
    };
    pub(super) const OUTPUT_VALIDATOR: Self = Self {
        new: "output_validator_args",
        old: "output_validator_flags",
    };

    fn line(&self, arguments: &CaseArguments, target: ExportTarget) -> Result<String, String> {
        Ok(if target.uses_legacy_layout() {
            format!("{}: {}\n", self.old, arguments.flags(target)?)
        } else {
            format!("{}: {}\n", self.new, arguments.value())
        })
    }
}

/// The arguments on a case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CaseArguments {
    /// For all programs of the kind.
    All(Vec<String>),
    /// For each program, by name.
    Each(BTreeMap<String, Vec<String>>),
}

impl CaseArguments {
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::All(words) => words.is_empty(),
            Self::Each(words) => words.values().all(Vec::is_empty),
        }
    }

    /// The value of the key in 2025-09, which is a list or a map of lists.
    fn value(&self) -> String {
        match self {
            Self::All(words) => yaml_text::list(words),
            Self::Each(words) => {
                let words: Vec<_> = words
                    .iter()
                    .map(|(name, words)| {
                        format!("{}: {}", yaml_text::quoted(name), yaml_text::list(words))
                    })
                    .collect();
                format!("{{{}}}", words.join(", "))
            }
        }
    }

    /// The value of the key in the older formats, which is one text that is split at blanks.
    fn flags(&self, target: ExportTarget) -> Result<String, String> {
        let target = target.name();
        let Self::All(words) = self else {
            return Err(format!(
                "{target} has the same ones for all programs, and here they differ"
            ));
        };
        match words
            .iter()
            .find(|word| word.is_empty() || word.contains(char::is_whitespace))
        {
            Some(odd) if odd.is_empty() => {
                Err(format!("one is empty, which {target} cannot write"))
            }
            Some(odd) => Err(format!(
                "`{odd}` holds a blank, at which {target} splits them"
            )),
            None => Ok(yaml_text::quoted(&words.join(" "))),
        }
    }
}

/// In words: `none`, or the arguments in backticks.
impl std::fmt::Display for CaseArguments {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            _ if self.is_empty() => out.write_str("none"),
            Self::All(words) => write!(out, "`{}`", words.join(" ")),
            Self::Each(_) => write!(out, "`{}`", self.value()),
        }
    }
}

/// Writes the arguments of all cases, given with the cases' names relative to `data`.
///
/// # Errors
/// Says in words what the format cannot express; nothing is written then.
pub(super) fn add(
    cases: &BTreeMap<&str, CaseArguments>,
    key: &ArgumentKey,
    target: ExportTarget,
    files: &mut ExportFiles,
) -> Result<(), String> {
    let mut folders: BTreeMap<&str, BTreeSet<&CaseArguments>> = BTreeMap::new();
    for (name, arguments) in cases {
        folders
            .entry(folder_of(name))
            .or_default()
            .insert(arguments);
    }
    let mut settings: Vec<(String, &CaseArguments)> = Vec::new();
    for (folder, found) in &folders {
        let mut found = found.iter();
        match (found.next(), found.next()) {
            (Some(all), None) => settings.push((format!("{folder}/{}", target.group_file()), all)),
            _ if target.uses_legacy_layout() => return Err(several_in(folder, cases, target)),
            _ => {
                let own = cases.iter().filter(|(name, _)| folder_of(name) == *folder);
                settings.extend(own.map(|(name, arguments)| (format!("{name}.yaml"), arguments)));
            }
        }
    }
    // Without arguments of its own, a folder has those of the folders around it.
    if cases.values().all(CaseArguments::is_empty) {
        return Ok(());
    }
    let lines = settings
        .into_iter()
        .map(|(file, arguments)| Ok((file, key.line(arguments, target)?)));
    for (file, line) in lines.collect::<Result<Vec<_>, String>>()? {
        files.append(&format!("data/{file}"), &line);
    }
    Ok(())
}

/// The reason why the arguments in a folder cannot be written into its settings.
fn several_in(folder: &str, cases: &BTreeMap<&str, CaseArguments>, target: ExportTarget) -> String {
    let inside: BTreeMap<_, _> = cases
        .iter()
        .filter(|(name, _)| folder_of(name) == folder)
        .collect();
    format!(
        "{} sets them by folder, and in `{folder}` they are {}",
        target.name(),
        listed(inside)
    )
}

/// The most cases that are named for each value.
const MOST_NAMED: usize = 3;

/// Lists values with the cases that have them: `` `4` on secret/1, none on secret/2 ``.
pub(super) fn listed<V: Ord + std::fmt::Display>(
    cases: impl IntoIterator<Item = (impl std::fmt::Display, V)>,
) -> String {
    let mut by_value: BTreeMap<V, Vec<String>> = BTreeMap::new();
    for (name, value) in cases {
        by_value.entry(value).or_default().push(name.to_string());
    }
    let parts = by_value.iter().map(|(value, names)| {
        let more = names.len().saturating_sub(MOST_NAMED);
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        format!(
            "{value} on {}{more}",
            names[..names.len().min(MOST_NAMED)].join(", ")
        )
    });
    parts.collect::<Vec<_>>().join("; ")
}

fn folder_of(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}
