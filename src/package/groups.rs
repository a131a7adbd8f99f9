//! What groups of cases, and single cases, set for themselves: `testdata.yaml` of the older formats, `test_group.yaml` and the
//! `.yaml` of a case in 2025-09: flags of validators, and what stands there about points. Start at [`GroupSettings::read`].

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;

use crate::mistake::Mistake;
use crate::model::Case;
use crate::model::TokenRules;
use crate::package::format::PackageFormat;
use crate::package::reading::ReadingNotes;
use crate::package::scoring::GradingByFolder;
use crate::package::scoring::GroupGrading;
use crate::package::token_flags::token_flags;
use crate::package::tree::PackageTree;
use crate::package::yaml::YamlDocument;
use crate::package::yaml::YamlMap;

/// Settings of a group in the older formats, and in 2025-09.
const LEGACY_FILE: &str = "testdata.yaml";
const FILE_2025: &str = "test_group.yaml";

/// The flags that groups and cases set, by their folders and names below `data`.
#[derive(Debug, Default)]
pub(super) struct GroupSettings {
    flags: BTreeMap<String, FlagSetting>,
    /// What groups say about points.
    pub(super) grading: GradingByFolder,
}

#[derive(Debug)]
struct FlagSetting {
    file: PathBuf,
    words: Vec<String>,
}

impl GroupSettings {
    /// Reads every such file of a package.
    pub(super) fn read(tree: &PackageTree, format: PackageFormat, notes: &mut ReadingNotes) -> Self {
        let mut settings = Self::default();
        for (name, path) in tree.below("data") {
            let below = name.strip_prefix("data/").unwrap_or(name);
            let (folder, file) = below.rsplit_once('/').unwrap_or(("", below));
            let section = below.split('/').next().unwrap_or(below);
            let counts = ["", "sample", "secret"].contains(&if folder.is_empty() { "" } else { section });
            let of = match file {
                LEGACY_FILE if format.is_legacy() => Some(folder),
                FILE_2025 if !format.is_legacy() => Some(folder),
                _ => below.strip_suffix(".yaml").filter(|_| !format.is_legacy() && !folder.is_empty()),
            };
            let Some(of) = of.filter(|_| counts && !below.contains(".files/")) else { continue };
            let Some(document) = notes.take(YamlDocument::read(path)) else { continue };
            let map = YamlMap::root(&document);
            let is_group = file == FILE_2025;
            let grading = match format.is_legacy() {
                true => Some(GroupGrading::read_legacy(&map, path.to_owned())),
                false => is_group.then(|| GroupGrading::read_2025(&map, path.to_owned(), notes)),
            };
            settings.grading.extend(grading.map(|grading| (of.to_owned(), grading)));
            let words = match format.is_legacy() {
                true => read_legacy(&map, notes),
                false => read_2025(&map, is_group, notes),
            };
            drop(map);
            notes.close(document);
            let setting = words.map(|words| FlagSetting { file: path.to_owned(), words });
            settings.flags.extend(setting.map(|setting| (of.to_owned(), setting)));
        }
        settings
    }

    /// The rules by which the outputs of all cases are compared: the flags of the package, and those of the case or of the
    /// nearest group around it that sets some.
    pub(super) fn rules(
        &self,
        of_package: &[String],
        spec: &Path,
        cases: &[Case],
        notes: &mut ReadingNotes,
    ) -> TokenRules {
        let mut by_flags: BTreeMap<Vec<String>, TokenRules> = BTreeMap::new();
        let mut first: Option<TokenRules> = None;
        for case in cases {
            let own = self.around(&case.name);
            let words = [of_package, own.map_or(&[], |own| &own.words)].concat();
            let known = by_flags.contains_key(&words);
            let rules = by_flags.entry(words).or_insert_with_key(|words| {
                let file = own.map_or(spec, |own| &own.file);
                checked(words, file, notes)
            });
            let is_other = *first.get_or_insert_with(|| rules.clone()) != *rules;
            if is_other && !known {
                let file = own.map_or(spec, |own| own.file.as_path());
                notes.need_of(file, "other rules of comparing in some groups than in others");
            }
        }
        match first {
            Some(rules) => rules,
            None => checked(of_package, spec, notes),
        }
    }

    /// The arguments of the program that checks the outputs of all cases: those of the package, then those of the case or of
    /// the nearest group around it that sets some.
    pub(super) fn arguments(
        &self,
        of_package: &[String],
        cases: &[Case],
        notes: &mut ReadingNotes,
    ) -> Vec<String> {
        let own = |case: &Case| self.around(&case.name).map_or(&[][..], |own| &own.words);
        let first = cases.first().map_or(&[][..], own);
        if let Some(other) = cases.iter().find(|case| own(case) != first) {
            let setting = self.around(&other.name).or_else(|| self.around(&cases[0].name));
            setting.into_iter().for_each(|setting| {
                notes.need_of(
                    &setting.file,
                    "other arguments of the program that checks outputs in some groups",
                );
            });
        }
        [of_package, first].concat()
    }

    /// What a case, or the nearest group around it, sets.
    fn around(&self, case: &str) -> Option<&FlagSetting> {
        let folders = case.rmatch_indices('/').map(|(end, _)| &case[..end]);
        std::iter::once(case).chain(folders).chain([""]).find_map(|name| self.flags.get(name))
    }
}

/// The rules that words stand for; what is wrong with them is noted.
fn checked(words: &[String], file: &Path, notes: &mut ReadingNotes) -> TokenRules {
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    token_flags(&words).unwrap_or_else(|wrong| {
        notes.mistakes.push(Mistake::of(file, wrong.message).with_remedy(wrong.remedy));
        TokenRules::default()
    })
}

/// What a `testdata.yaml` sets.
fn read_legacy(map: &YamlMap<'_>, notes: &mut ReadingNotes) -> Option<Vec<String>> {
    let flags = map.text("output_validator_flags");
    if let Some(grading) = map.text("grading").filter(|found| found.value == "custom") {
        notes.need(map.document, grading.place, "a grader of its own (`grading: custom`)");
    }
    map.pass_over(&["input_validator_flags"]);
    map.refuse_the_rest();
    flags.map(|found| found.value.split_whitespace().map(str::to_owned).collect())
}

/// What a `test_group.yaml`, or the `.yaml` of a case, sets.
fn read_2025(map: &YamlMap<'_>, is_group: bool, notes: &mut ReadingNotes) -> Option<Vec<String>> {
    let flags = map.list("output_validator_args");
    if let Some(words) = map.list("args").filter(|found| !found.value.is_empty()) {
        notes.need(map.document, words.place, "arguments for submissions (`args`)");
    }
    map.flag("full_feedback");
    map.pass_over(&["input_validator_args", "input_visualizer_args", "output_visualizer_args"]);
    if is_group {
        map.pass_over(&["static_validator_args"]);
    } else {
        map.pass_over(&["hint", "description"]);
    }
    map.refuse_the_rest();
    flags.map(|found| found.value)
}
