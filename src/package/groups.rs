//! What groups of cases, and single cases, set for themselves: `testdata.yaml` of the older formats, `test_group.yaml` and the
//! `.yaml` of a case in 2025-09: flags of validators, and what stands there about points. Start at [`GroupSettings::read`].

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;

use crate::mistake::Mistake;
use crate::model::Case;
use crate::model::TokenRules;
use crate::package::format::GROUP_FILE;
use crate::package::format::LEGACY_GROUP_FILE;
use crate::package::format::PackageFormat;
use crate::package::metadata::PackageMetadata;
use crate::package::reading::ReadingNotes;
use crate::package::scoring::GradingByFolder;
use crate::package::scoring::GroupGrading;
use crate::package::static_cases::StaticCases;
use crate::package::token_flags::token_flags;
use crate::package::tree::PackageTree;
use crate::package::validation;
use crate::package::yaml::YamlMap;

/// The flags that groups and cases set, by their folders and names below `data`.
#[derive(Debug, Default)]
pub(super) struct GroupSettings {
    flags: BTreeMap<String, FlagSetting>,
    /// Arguments of submissions.
    arguments: BTreeMap<String, Vec<String>>,
    /// What groups say about points.
    pub(super) grading: GradingByFolder,
    /// The cases that they ask for on which sources are judged.
    pub(super) static_cases: StaticCases,
}

#[derive(Debug)]
struct FlagSetting {
    file: PathBuf,
    words: Vec<String>,
}

/// What holds for most cases, and for others by their names.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PerCase<T> {
    pub(super) usual: T,
    pub(super) others: BTreeMap<String, T>,
}

impl<T: PartialEq> PerCase<T> {
    /// What each case has of its own, where it has something. What all cases have is the usual.
    fn of(cases: &[Case], usual: T, mut own: impl FnMut(&Case) -> Option<T>) -> Self {
        let others = cases.iter().filter_map(|case| Some((case.name.clone(), own(case)?)));
        let mut others: BTreeMap<_, _> = others.filter(|(_, own)| *own != usual).collect();
        let are_alike = others.values().zip(others.values().skip(1)).all(|(one, next)| one == next);
        if are_alike
            && others.len() == cases.len()
            && let Some((_, usual)) = others.pop_first()
        {
            return Self::all(usual);
        }
        Self { usual, others }
    }
}

impl<T> PerCase<T> {
    /// What holds for all cases.
    pub(super) fn all(usual: T) -> Self {
        Self { usual, others: BTreeMap::new() }
    }

    /// The same made into something else.
    pub(super) fn map<U>(self, make: impl Fn(T) -> U) -> PerCase<U> {
        let others = self.others.into_iter().map(|(case, other)| (case, make(other))).collect();
        PerCase { usual: make(self.usual), others }
    }
}

impl GroupSettings {
    /// Reads every such file of a package.
    pub(super) fn read(tree: &PackageTree, metadata: &PackageMetadata, notes: &mut ReadingNotes) -> Self {
        let format = metadata.format_of_groups;
        let mut settings = Self::default();
        for (name, path) in tree.below("data") {
            let below = name.strip_prefix("data/").unwrap_or(name);
            let (folder, file) = below.rsplit_once('/').unwrap_or(("", below));
            let section = below.split('/').next().unwrap_or(below);
            let section = if folder.is_empty() { "" } else { section };
            let is_judged = ["", "sample", "secret"].contains(&section);
            let counts = is_judged || !format.is_legacy() && validation::SECTIONS.contains(&section);
            let of = match file {
                LEGACY_GROUP_FILE => Some(folder),
                GROUP_FILE if !format.is_legacy() => Some(folder),
                _ => below.strip_suffix(".yaml").filter(|_| !format.is_legacy() && !folder.is_empty()),
            };
            let Some(of) = of.filter(|_| counts && !below.contains(".files/")) else { continue };
            if file == LEGACY_GROUP_FILE && !format.is_legacy() {
                notes.mistakes.push(older_name(path));
                continue;
            }
            let Some(document) = notes.take(metadata.settings(path)) else { continue };
            let map = YamlMap::root(&document);
            let words = settings.read_file(&map, of, path, format);
            drop(map);
            notes.close(document);
            let setting = words.map(|words| FlagSetting { file: path.to_owned(), words });
            settings.flags.extend(setting.map(|setting| (of.to_owned(), setting)));
        }
        settings
    }

    /// Reads the file of a group or a case; returns the flags that it sets for the program that judges outputs.
    fn read_file(
        &mut self,
        map: &YamlMap<'_>,
        of: &str,
        path: &Path,
        format: PackageFormat,
    ) -> Option<Vec<String>> {
        let file = path.to_owned();
        if format.is_legacy() {
            self.grading.insert(of.to_owned(), GroupGrading::read_legacy(map, file));
            return read_legacy(map);
        }
        let is_group = path.file_name().is_some_and(|name| name == GROUP_FILE);
        if is_group {
            let grading = GroupGrading::read_2025(map, file);
            // No points are earned among the others.
            if !validation::is_among_them(of) {
                self.grading.insert(of.to_owned(), grading);
            }
            self.static_cases.read(map, of, path);
        }
        let arguments = submission_arguments(map);
        self.arguments.extend(arguments.map(|words| (of.to_owned(), words)));
        read_2025(map, is_group)
    }

    /// The rules by which outputs are compared: the flags of the package, and those of the case or of the nearest group around it
    /// that sets some.
    pub(super) fn rules(
        &self,
        of_package: &[String],
        spec: &Path,
        cases: &[Case],
        notes: &mut ReadingNotes,
    ) -> PerCase<TokenRules> {
        let mut by_flags: BTreeMap<Vec<String>, TokenRules> = BTreeMap::new();
        let known = notes.mistakes.len();
        let usual = checked(of_package, spec, notes);
        // With other flags behind them they are no better.
        if notes.mistakes.len() > known {
            return PerCase::all(usual);
        }
        PerCase::of(cases, usual, |case| {
            let own = self.around(&case.name)?;
            let words = [of_package, &own.words].concat();
            Some(by_flags.entry(words).or_insert_with_key(|words| checked(words, &own.file, notes)).clone())
        })
    }

    /// The arguments of the program that checks outputs: those of the package, then those of the case or of the nearest group
    /// around it that sets some.
    pub(super) fn arguments(&self, of_package: &[String], cases: &[Case]) -> PerCase<Vec<String>> {
        PerCase::of(cases, of_package.to_vec(), |case| {
            self.around(&case.name).map(|own| [of_package, &own.words].concat())
        })
    }

    /// The arguments that a submission is called with on a case: what the case sets, or else the nearest group around it.
    pub(super) fn submission_arguments(&self, case: &str) -> &[String] {
        from_nearest(case, &self.arguments).map_or(&[], Vec::as_slice)
    }

    fn around(&self, case: &str) -> Option<&FlagSetting> {
        from_nearest(case, &self.flags)
    }
}

/// What a case, or the nearest group around it, sets.
fn from_nearest<'a, T>(case: &str, settings: &'a BTreeMap<String, T>) -> Option<&'a T> {
    let folders = case.rmatch_indices('/').map(|(end, _)| &case[..end]);
    std::iter::once(case).chain(folders).chain([""]).find_map(|name| settings.get(name))
}

/// The rules that words stand for; what is wrong with them is noted.
fn checked(words: &[String], file: &Path, notes: &mut ReadingNotes) -> TokenRules {
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    token_flags(&words).unwrap_or_else(|wrong| {
        notes.mistakes.push(Mistake::of(file, wrong.message).with_remedy(wrong.remedy));
        TokenRules::default()
    })
}

/// A file of older formats and of drafts, whose keys are others.
fn older_name(path: &Path) -> Mistake {
    let remedy =
        "bring it to `test_group.yaml` with the keys of `2025-09`, as `bt upgrade` of BAPCtools does";
    Mistake::of(path, "`testdata.yaml` is of older formats, and of drafts").with_remedy(remedy)
}

/// What a `testdata.yaml` sets.
fn read_legacy(map: &YamlMap<'_>) -> Option<Vec<String>> {
    let flags = map.text("output_validator_flags");
    map.pass_over(&["input_validator_flags"]);
    map.refuse_the_rest();
    flags.map(|found| found.value.split_whitespace().map(str::to_owned).collect())
}

/// The arguments that such a file sets for submissions.
fn submission_arguments(map: &YamlMap<'_>) -> Option<Vec<String>> {
    let found = map.list("args")?;
    if found.value.iter().any(|word| word.contains('\0')) {
        map.note(
            found.place,
            "an argument in `args` holds a zero byte, which no program can be given",
            "delete it",
        );
    }
    Some(found.value)
}

/// What a `test_group.yaml`, or the `.yaml` of a case, sets.
fn read_2025(map: &YamlMap<'_>, is_group: bool) -> Option<Vec<String>> {
    let flags = map.list("output_validator_args");
    map.flag("full_feedback");
    map.pass_over(&["input_validator_args", "input_visualizer_args", "output_visualizer_args"]);
    if !is_group {
        map.pass_over(&["hint", "description"]);
    }
    map.refuse_the_rest();
    flags.map(|found| found.value)
}
