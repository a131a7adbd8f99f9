//! Adds the cases with their names, order and groups, and the arguments that programs
//! get on each: in the settings of folders whose cases agree, and in 2025-09 otherwise
//! in those of single cases. Start at [`add_cases`] and [`add_arguments`].

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::mem;

use indexmap::IndexSet;

use crate::export::ExportTarget;
use crate::export::export_files::{list, quoted_in_yaml, yaml_line};
use crate::export::material::ExportMaterial;
use crate::mistake::{Mistake, Mistakes};
use crate::model::{
    ScoredLineRules, Task, TextTask, TokenRules, UnorderedPiece, file_name,
};
use crate::package::{CASE_TEXTS, CaseArguments, is_odd, is_plain, last_part};
use crate::text::{JoinedTexts, first_few};

impl CaseArguments {
    fn is_empty(&self) -> bool {
        match self {
            Self::All(words) => words.is_empty(),
            Self::Each(words) => words.values().all(Vec::is_empty),
        }
    }

    /// The value of the key in 2025-09, which is a list or a map of lists.
    fn value(&self) -> String {
        match self {
            Self::All(words) => list(words),
            Self::Each(words) => {
                let words = words.iter().map(|(name, words)| {
                    format!("{}: {}", quoted_in_yaml(name), list(words))
                });
                format!("{{{}}}", words.joined(", "))
            }
        }
    }

    /// The value of the key in the older formats, which is one text that is split at
    /// blanks.
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
            None => Ok(quoted_in_yaml(&words.join(" "))),
        }
    }
}

/// In words: `none`, or the arguments in backticks.
impl fmt::Display for CaseArguments {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            _ if self.is_empty() => out.write_str("none"),
            Self::All(words) => write!(out, "`{}`", words.join(" ")),
            Self::Each(_) => write!(out, "`{}`", self.value()),
        }
    }
}

/// Writes the arguments of all cases, given with the cases' names relative to `data`, for
/// `input_validator` or `output_validator`: the key of these ends in `_args` in 2025-09,
/// and in `_flags` in the older formats.
///
/// # Errors
/// Says in words what the format cannot express; nothing is written then.
pub(super) fn add_arguments(
    cases: &BTreeMap<&str, CaseArguments>,
    programs: &str,
    material: &ExportMaterial,
) -> Result<(), String> {
    let target = material.target;
    let mut folders: BTreeMap<&str, Vec<(&str, &CaseArguments)>> = BTreeMap::new();
    for (name, arguments) in cases {
        let own = folders.entry(folder_of_case(name)).or_default();
        own.push((name, arguments));
    }
    let mut settings: Vec<(String, &CaseArguments)> = vec![];
    for (folder, own) in folders {
        let first = own[0].1;
        if own.iter().all(|(_, arguments)| *arguments == first) {
            settings.push((format!("{folder}/{}", target.group_file()), first));
        } else if target.uses_legacy_layout() {
            return Err(format!(
                "{} sets them by folder, and in `{folder}` they are {}",
                target.name(),
                listed(own, ToString::to_string)
            ));
        } else {
            let own = own.into_iter();
            settings.extend(
                own.map(|(name, arguments)| (format!("{name}.yaml"), arguments)),
            );
        }
    }
    // Without arguments of its own, a folder has those of the folders around it.
    if cases.values().all(CaseArguments::is_empty) {
        return Ok(());
    }
    let lines = settings.into_iter().map(|(file, arguments)| {
        let line = if target.uses_legacy_layout() {
            format!("{programs}_flags: {}\n", arguments.flags(target)?)
        } else {
            format!("{programs}_args: {}\n", arguments.value())
        };
        Ok((file, line))
    });
    for (file, line) in lines.collect::<Result<Vec<_>, String>>()? {
        material.append(&format!("data/{file}"), &line);
    }
    Ok(())
}

/// The most cases that are named for each value.
const MOST_NAMED: usize = 3;

/// Lists values with the cases that have them: `` `4` on secret/1, none on secret/2 ``.
fn listed<V: Ord>(
    cases: impl IntoIterator<Item = (impl fmt::Display, V)>,
    shown: impl Fn(&V) -> String,
) -> String {
    let mut by_value: BTreeMap<V, Vec<String>> = BTreeMap::new();
    for (name, value) in cases {
        by_value.entry(value).or_default().push(name.to_string());
    }
    by_value
        .into_iter()
        .map(|(value, names)| {
            let names = first_few(names.into_iter(), MOST_NAMED);
            format!("{} on {names}", shown(&value))
        })
        .joined("; ")
}

pub(super) fn folder_of_case(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

// Exports cases that are judged by other rules than the others: with flags by folder or
// by case where the format has these. All other such problems are refused.

/// Writes the flags of each case, if they differ. Returns whether the flags were written,
/// so that the problem has none for all cases.
///
/// # Errors
/// Reports which cases are judged differently, if the format cannot express that.
pub(super) fn add_case_flags(material: &ExportMaterial) -> Result<bool, Mistakes> {
    let problem = &material.problem;
    if problem.case_tasks.is_empty() {
        return Ok(false);
    }
    let tasks = || {
        material
            .cases
            .iter()
            .map(|case| problem.task_on(&case.name))
    };
    let differ_in_flags =
        tasks().all(|task| without_flags(task).0 == without_flags(&problem.task).0);
    let rules = tasks().map(|task| {
        let (_, flags) = without_flags(task);
        flags
            .filter(|_| differ_in_flags)
            .ok_or_else(|| rule_in_words(task))
    });
    let rules: Vec<_> = rules.collect();
    let flags: Result<Vec<_>, String> = rules.iter().cloned().collect();
    let target = material.target;
    let (why, remedy) = match flags {
        Err(_) => (
            format!("{} judges all of them by one rule", target.name()),
            "give all cases the same rule, or judge it as it is",
        ),
        // Its development version reads the flags of groups, and the versions in use do
        // not.
        Ok(_) if target == ExportTarget::DomJudge => (
            "domjudge takes one set of flags for all of them".to_owned(),
            "export it to kattis-2025-09, or give all cases the same flags",
        ),
        Ok(flags) => {
            let names = material.case_names.iter().map(String::as_str);
            let cases = names.zip(flags).collect();
            let Err(why) = add_arguments(&cases, "output_validator", material) else {
                return Ok(true);
            };
            let remedy = "export it to kattis-2025-09, or give all cases of a folder the same \
                          flags";
            (why, remedy)
        }
    };
    let names = material.cases.iter().map(|case| &case.name);
    let found = listed(names.zip(&rules), |rule| match rule {
        Ok(flags) if flags.is_empty() => "no flags".to_owned(),
        Ok(flags) => format!("flags {flags}"),
        Err(rule) => rule.clone(),
    });
    Mistake::refuse(
        &material.file,
        format!("not all cases are judged alike: {found}; {why}"),
        remedy,
    )
}

/// What judges a case, in words.
fn rule_in_words(task: &Task) -> String {
    match task {
        Task::Text(task) => words_of(task).to_owned(),
        Task::Checker(task) => format!("the program {}", file_name(&task.source)),
        Task::Grid(_) => "the rules of grids".to_owned(),
    }
}

/// A task with the usual flags, to see whether two tasks differ in anything else, and its
/// own flags for the format's own validator, or for the problem's program, if one of
/// them judges.
fn without_flags(task: &Task) -> (Task, Option<CaseArguments>) {
    let mut plain = task.clone();
    let flags = match &mut plain {
        Task::Text(TextTask::Tokens(rules)) => flags(&mem::take(rules)),
        Task::Checker(task) => mem::take(&mut task.arguments),
        Task::Text(_) | Task::Grid(_) => return (plain, None),
    };
    (plain, Some(CaseArguments::All(flags)))
}

/// The rule of a text task, as a spec of ours or DMOJ names it.
pub(super) fn words_of(task: &TextTask) -> &'static str {
    use TextTask::*;

    match task {
        Tokens(_) => "`tokens`",
        Lines => "`lines`",
        Exact => "`exact`",
        CrlfInsensitive => "the exact comparison of online-judge-tools",
        TokenLines => "DMOJ's `standard`",
        StrippedLines => "DMOJ's `rstripped`",
        StrippedFilledLines => "DMOJ's `rstripped` with `filter_new_line`",
        NumberLines(_) => "DMOJ's `floats`",
        Unordered(UnorderedPiece::Lines) => "DMOJ's `sorted`",
        Unordered(UnorderedPiece::Tokens) => "DMOJ's `unordered`",
        Unordered(UnorderedPiece::Bytes) => "DMOJ's `easy`",
        ScoredLines(ScoredLineRules::Equal) => "DMOJ's `linecount`",
        ScoredLines(ScoredLineRules::Weighted { .. }) => "DMOJ's `linematches`",
    }
}

// Writes the rules of comparing tokens as flags of the formats' default validator.

/// The flags for the format's default validator.
pub(super) fn flags(rules: &TokenRules) -> Vec<String> {
    let mut flags = vec![];
    if rules.case_sensitive {
        flags.push("case_sensitive".to_owned());
    }
    if rules.space_change_sensitive {
        flags.push("space_change_sensitive".to_owned());
    }
    let absolute = rules.absolute_tolerance;
    let relative = rules.relative_tolerance;
    let tolerances = if absolute == relative {
        vec![("float_tolerance", absolute)]
    } else {
        vec![
            ("float_absolute_tolerance", absolute),
            ("float_relative_tolerance", relative),
        ]
    };
    for (flag, tolerance) in tolerances {
        if let Some(tolerance) = tolerance {
            flags.push(flag.to_owned());
            flags.push(tolerance.to_string());
        }
    }
    flags
}

// Adds the cases with their names, order and groups: samples first, the rest below
// `secret`.

/// Endings of files beside a case that do not affect verdicts and that both the older
/// formats and 2025-09 have.
const BESIDE: [&str; 5] = ["png", "jpg", "jpeg", "svg", "interaction"];

/// Endings of files whose content is exported in other ways.
const CONVERTED: [&str; 5] = ["in", "ans", "hint", "desc", "yaml"];

/// The longest name of a file, in characters.
const LONGEST_NAME: usize = 200;

/// Adds the cases under their names, with what belongs to them.
pub(super) fn add_cases(material: &ExportMaterial) {
    for (case, name) in material.cases.iter().zip(&material.case_names) {
        material.copy(format!("data/{name}.in"), &case.input);
        material.copy(format!("data/{name}.ans"), &case.answer);
        let Some(package) = material.package_of_kattis() else {
            continue;
        };
        for ending in BESIDE {
            let path = package.files.get(&format!("data/{}.{ending}", case.name));
            if let Some(path) = path {
                material.copy(format!("data/{name}.{ending}"), path);
            }
        }
        let texts = match package.texts_of(&case.name) {
            Ok(texts) => texts,
            Err(mistake) => {
                material.note_loss(format!(
                    "hint and description of {} are left out: {}",
                    case.name, mistake.message
                ));
                continue;
            }
        };
        for ((key, ending), text) in CASE_TEXTS.iter().zip(texts) {
            match text {
                Some(text) if material.target.uses_legacy_layout() => {
                    material.put(format!("data/{name}.{ending}"), text)
                }
                Some(text) => {
                    let line = yaml_line(key, &text);
                    material.append(&format!("data/{name}.yaml"), &line);
                }
                None => {}
            }
        }
    }
    note_left_out(material);
}

/// Notes the files and settings of cases that are not exported.
fn note_left_out(material: &ExportMaterial) {
    let Some(package) = material.package_of_kattis() else {
        return;
    };
    let of_cases = ["data/sample", "data/secret"]
        .into_iter()
        .flat_map(|section| material.files_below(section));
    let endings =
        of_cases.filter_map(|(name, _)| Some(last_part(name).rsplit_once('.')?.1));
    let target = material.target.name();
    for ending in endings
        .filter(|ending| !(BESIDE.contains(ending) || CONVERTED.contains(ending)))
        .collect::<BTreeSet<_>>()
    {
        material.note_loss(format!(
            "files `.{ending}` in `data/` are left out: {target} has no such files"
        ));
    }
    let keys: Vec<_> = package
        .display_keys()
        .into_iter()
        .map(|key| format!("`{key}`"))
        .collect();
    material.note_losses(
        format!("settings in `data/` are left out, which {target} has no words for"),
        &keys,
    );
}

/// The names of all cases, relative to `data`, in their order.
pub(super) fn case_names(material: &ExportMaterial) -> Vec<String> {
    let is_in_sections = material.cases.iter().all(|case| {
        case.name.starts_with("sample/") || case.name.starts_with("secret/")
    });
    // With their sections, and with their groups if the problem has groups.
    let plain = material.cases.iter().map(|case| {
        let name = &case.name;
        if material.package.samples.contains(name) {
            format!("sample/{}", last_part(name))
        } else if is_in_sections || name.starts_with("sample/") {
            name.clone()
        } else if name.contains('/') {
            format!("secret/{name}")
        } else {
            format!("secret/others/{name}")
        }
    });
    names_in_order(plain.collect(), false, material)
}

/// These names of cases, or numbered ones if the format would not have the cases in their
/// order under these: in the folders of groups, which are numbered too, or directly in
/// `sample` and `secret`.
pub(super) fn names_in_order(
    plain: Vec<String>,
    has_groups: bool,
    material: &ExportMaterial,
) -> Vec<String> {
    if is_fit(&plain, material.target) {
        return plain;
    }
    let what = if has_groups {
        "cases and groups"
    } else {
        "cases"
    };
    material.note_loss(format!(
        "{what} are numbered: under their own names the format would not have them in their order"
    ));
    let mut folders = IndexSet::new();
    let numbered = plain.iter().zip(1..).map(|(name, number)| {
        let parts = if has_groups {
            name.rsplit_once('/')
        } else {
            name.split_once('/')
        };
        let (folder, name) = parts.unwrap_or(("secret", name));
        let (place, _) = folders.insert_full(folder);
        let folder = match folder.split_once('/') {
            Some((section, group)) => {
                format!("{section}/{:02}-{}", place + 1, fit_name(group))
            }
            None => folder.to_owned(),
        };
        format!("{folder}/{number:04}-{}", fit_name(name))
    });
    numbered.collect()
}

/// A name shortened, and with other characters replaced, so that every format accepts
/// it.
pub(super) fn fit_name(name: &str) -> String {
    name.chars()
        .map(|letter| if is_plain(letter) { letter } else { '-' })
        .take(LONGEST_NAME)
        .collect()
}

/// Whether the format accepts these names and orders the cases by them as they are
/// ordered here.
fn is_fit(names: &[String], target: ExportTarget) -> bool {
    let depths = |section: &str| {
        let own = names.iter().filter(|name| name.starts_with(section));
        own.map(|name| name.split('/').count())
            .collect::<BTreeSet<_>>()
    };
    let of_secret = depths("secret/");
    // In 2025-09, `secret` has either cases or groups, and no groups in groups;
    // `sample` has no groups at all.
    let is_flat = of_secret.len() <= 1
        && of_secret.iter().all(|depth| *depth <= 3)
        && depths("sample/").iter().all(|depth| *depth == 2);
    (target.uses_legacy_layout() || is_flat)
        && names
            .windows(2)
            .all(|pair| pair[0].split('/').lt(pair[1].split('/')))
        && names.iter().all(|name| name.split('/').all(is_name))
}

/// Whether every format accepts a name.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= LONGEST_NAME && !is_odd(name)
}
