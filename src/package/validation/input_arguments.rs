//! Reads the arguments of input validators from the settings of groups and cases.

use std::collections::BTreeMap;

use crate::keys::KeyTable;
use crate::package::metadata::PackageMetadata;
use crate::package::tree::PackageTree;

/// Arguments by the folders and cases that set them, relative to `data`.
#[derive(Clone, Debug, Default)]
pub(super) struct InputArguments {
    settings: BTreeMap<String, ArgumentSetting>,
}

#[derive(Clone, Debug)]
enum ArgumentSetting {
    /// For all validators.
    All(Vec<String>),
    /// For each validator, by name.
    Each(BTreeMap<String, Vec<String>>),
}

impl InputArguments {
    /// The arguments on each case, for all validators.
    pub(super) fn of_cases(arguments: BTreeMap<String, Vec<String>>) -> Self {
        let each = arguments
            .into_iter()
            .map(|(case, words)| (case, ArgumentSetting::All(words)));
        Self {
            settings: each.collect(),
        }
    }

    /// Reads the arguments in all files of settings. Mistakes in these files are reported where
    /// their other settings are read.
    pub(super) fn read(tree: &PackageTree, metadata: &PackageMetadata) -> Self {
        let format = metadata.format_of_groups;
        let mut settings = BTreeMap::new();
        for (name, path) in tree.below("data") {
            let Some(below) = name
                .strip_prefix("data/")
                .and_then(|below| below.strip_suffix(".yaml"))
            else {
                continue;
            };
            let (folder, file) = below.rsplit_once('/').unwrap_or(("", below));
            let of = match file {
                "testdata" if format.has_legacy_layout() => folder,
                "test_group" if !format.has_legacy_layout() => folder,
                _ if format.has_legacy_layout() => continue,
                _ => below,
            };
            let Ok(document) = metadata.settings(path) else {
                continue;
            };
            let map = KeyTable::root(&document);
            let found = if format.has_legacy_layout() {
                legacy(&map)
            } else {
                of_2025(&map)
            };
            settings.extend(found.map(|found| (of.to_owned(), found)));
        }
        Self { settings }
    }

    /// Returns the arguments of a validator on a case: those that the case sets, or else the
    /// nearest group around it that sets any.
    pub(super) fn of(&self, validator: &str, case: &str) -> &[String] {
        let folders = case.rmatch_indices('/').map(|(end, _)| &case[..end]);
        let mut around = std::iter::once(case).chain(folders).chain([""]);
        match around.find_map(|name| self.settings.get(name)) {
            Some(ArgumentSetting::All(words)) => words,
            Some(ArgumentSetting::Each(words)) => words.get(validator).map_or(&[], Vec::as_slice),
            None => &[],
        }
    }
}

fn legacy(map: &KeyTable<'_>) -> Option<ArgumentSetting> {
    let flags = map.text("input_validator_flags")?.value;
    Some(ArgumentSetting::All(
        flags.split_whitespace().map(str::to_owned).collect(),
    ))
}

fn of_2025(map: &KeyTable<'_>) -> Option<ArgumentSetting> {
    let key = "input_validator_args";
    if let Some(words) = map.lists_by_key(key) {
        return Some(ArgumentSetting::Each(words));
    }
    map.list(key).map(|found| ArgumentSetting::All(found.value))
}
