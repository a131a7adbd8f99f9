//! Adds the cases with their names, order and groups: samples first, the rest below `secret`.

use crate::sorted::SortedSet;

use crate::export::export_files::ExportFiles;
use crate::export::material::ExportMaterial;
use crate::export::{ExportTarget, export_files};
use crate::model::Case;
use crate::package::{CASE_TEXTS, Package};

/// Endings of files beside a case that do not affect verdicts and that both the older formats and
/// 2025-09 have.
const BESIDE: [&str; 5] = ["png", "jpg", "jpeg", "svg", "interaction"];

/// Endings of files whose content is exported in other ways.
const CONVERTED: [&str; 5] = ["in", "ans", "hint", "desc", "yaml"];

/// The longest name of a file, in characters.
const LONGEST_NAME: usize = 200;

/// Adds the cases under these names, with what belongs to them.
pub(super) fn add(
    material: &ExportMaterial,
    target: ExportTarget,
    names: &[String],
    files: &mut ExportFiles,
    notes: &mut Vec<String>,
) {
    for (case, name) in material.cases.iter().zip(names) {
        files.copy(format!("data/{name}.in"), &case.input);
        files.copy(format!("data/{name}.ans"), &case.answer);
        let Some(package) = material
            .package
            .as_ref()
            .filter(|package| package.format.has_kattis_layout())
        else {
            continue;
        };
        for ending in BESIDE {
            if let Some(path) = package.files.get(&format!("data/{}.{ending}", case.name)) {
                files.copy(format!("data/{name}.{ending}"), path);
            }
        }
        add_texts(package, case, target, name, files, notes);
    }
    note_left_out(material, target, notes);
}

/// Adds the hint and the description of a case in the form of the format.
fn add_texts(
    package: &Package,
    case: &Case,
    target: ExportTarget,
    name: &str,
    files: &mut ExportFiles,
    notes: &mut Vec<String>,
) {
    let texts = match package.texts_of(&case.name) {
        Ok(texts) => texts,
        Err(mistake) => {
            let problem = format!(
                "hint and description of {} are left out: {}",
                case.name, mistake.message
            );
            return notes.push(problem);
        }
    };
    for ((key, ending), text) in CASE_TEXTS.iter().zip(texts) {
        match text {
            Some(text) if target.uses_legacy_layout() => {
                files.put(format!("data/{name}.{ending}"), text)
            }
            Some(text) => {
                files.append(
                    &format!("data/{name}.yaml"),
                    &format!("{key}: {}\n", export_files::quoted(&text)),
                );
            }
            None => {}
        }
    }
}

/// Notes the files and settings of cases that are not exported.
fn note_left_out(material: &ExportMaterial, target: ExportTarget, notes: &mut Vec<String>) {
    let Some(package) = material
        .package
        .as_ref()
        .filter(|package| package.format.has_kattis_layout())
    else {
        return;
    };
    let of_cases = ["data/sample", "data/secret"]
        .into_iter()
        .flat_map(|section| material.files_below(section));
    let endings = of_cases.filter_map(|(name, _)| name.rsplit_once('.').map(|(_, ending)| ending));
    for ending in endings
        .filter(|ending| !(BESIDE.contains(ending) || CONVERTED.contains(ending)))
        .collect::<SortedSet<_>>()
    {
        notes.push(format!(
            "files `.{ending}` in `data/` are left out: {} has no such files",
            target.name()
        ));
    }
    let keys: Vec<_> = package
        .display_keys()
        .into_iter()
        .map(|key| format!("`{key}`"))
        .collect();
    if !keys.is_empty() {
        notes.push(format!(
            "settings in `data/` are left out, which {} has no words for: {}",
            target.name(),
            keys.join(", ")
        ));
    }
}

/// The names of all cases, relative to `data`, in their order.
pub(super) fn case_names(
    material: &ExportMaterial,
    target: ExportTarget,
    notes: &mut Vec<String>,
) -> Vec<String> {
    let plain: Vec<_> = material
        .cases
        .iter()
        .map(|case| plain_name(material, case))
        .collect();
    if is_fit(&plain, target) {
        return plain;
    }
    // Numbers keep the order of the cases, whatever their names.
    let numbered = plain.iter().zip(1..).map(|(name, number)| {
        let (section, rest) = name.split_once('/').unwrap_or(("secret", name));
        format!("{section}/{number:04}-{}", fit_name(rest))
    });
    notes.push(
        "cases are numbered: under their own names the format would not have them in their order"
            .to_owned(),
    );
    numbered.collect()
}

/// The name of a case with its section, and with its group if the problem has groups.
fn plain_name(material: &ExportMaterial, case: &Case) -> String {
    if material.is_shown(case) {
        let name = case.name.rsplit('/').next().unwrap_or(&case.name);
        return format!("sample/{name}");
    }
    let name = &case.name;
    let is_in_sections = material
        .cases
        .iter()
        .all(|case| case.name.starts_with("sample/") || case.name.starts_with("secret/"));
    if is_in_sections || name.starts_with("sample/") {
        name.clone()
    } else if name.contains('/') {
        format!("secret/{name}")
    } else {
        format!("secret/others/{name}")
    }
}

/// A name shortened, and with other characters replaced, so that every format accepts it.
pub(super) fn fit_name(name: &str) -> String {
    name.chars()
        .map(|letter| if is_letter(letter) { letter } else { '-' })
        .take(LONGEST_NAME)
        .collect()
}

/// Whether the format accepts these names and orders the cases by them as they are ordered here.
pub(super) fn is_fit(names: &[String], target: ExportTarget) -> bool {
    let parts = |name: &String| name.split('/').map(str::to_owned).collect::<Vec<_>>();
    let depths: SortedSet<_> = names
        .iter()
        .filter(|name| name.starts_with("secret/"))
        .map(|name| parts(name).len())
        .collect();
    // In 2025-09, `secret` has either cases or groups, and no groups in groups; `sample` has no
    // groups at all.
    let is_flat =
        target.uses_legacy_layout() || depths.len() <= 1 && depths.iter().all(|depth| *depth <= 3);
    let samples_are_flat = names
        .iter()
        .all(|name| !name.starts_with("sample/") || parts(name).len() == 2);
    is_flat
        && (target.uses_legacy_layout() || samples_are_flat)
        && names
            .windows(2)
            .all(|pair| parts(&pair[0]) < parts(&pair[1]))
        && names.iter().all(|name| name.split('/').all(is_name))
}

/// Whether every format accepts a name.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= LONGEST_NAME
        && !name.starts_with(['.', '-'])
        && name.chars().all(is_letter)
}

fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "_.-".contains(letter)
}
