//! Adds the cases with their names, order and groups: samples first, the rest below `secret`.

use std::collections::BTreeSet;

use crate::export::export_files::ExportFiles;
use crate::export::material::ExportMaterial;
use crate::export::target::ExportTarget;
use crate::mistake::Mistakes;
use crate::model::Case;

/// Endings of files beside a case that do not affect verdicts and that both the older formats and 2025-09
/// have. `.hint`, `.desc` and `.yaml` are left out with a note.
const BESIDE: [&str; 5] = ["png", "jpg", "jpeg", "svg", "interaction"];

/// The longest name of a file, in characters.
const LONGEST_NAME: usize = 200;

/// Adds the cases, under `names` if given, otherwise under their own names.
///
/// # Errors
/// None so far; cases are exported whatever they contain.
pub(super) fn add(
    material: &ExportMaterial,
    target: ExportTarget,
    names: Option<&[String]>,
    files: &mut ExportFiles,
    notes: &mut Vec<String>,
) -> Result<(), Mistakes> {
    let names = names.map_or_else(|| case_names(material, target, notes), <[String]>::to_vec);
    for (case, name) in material.cases.iter().zip(names) {
        files.copy(format!("data/{name}.in"), &case.input);
        files.copy(format!("data/{name}.ans"), &case.answer);
        add_beside(material, case, &name, files);
    }
    let dropped = ["hint", "desc", "yaml"].into_iter().filter(|ending| {
        let names = material.files_below("data").map(|(name, _)| name);
        names.into_iter().any(|name| name.ends_with(&format!(".{ending}")))
    });
    for ending in dropped {
        notes.push(format!("files `.{ending}` in `data/` are left out: the two formats have other ones"));
    }
    Ok(())
}

/// Adds the pictures and interaction transcripts beside a case.
fn add_beside(material: &ExportMaterial, case: &Case, name: &str, files: &mut ExportFiles) {
    let Some(package) = &material.package else { return };
    for ending in BESIDE {
        if let Some(path) = package.files.get(&format!("data/{}.{ending}", case.name)) {
            files.copy(format!("data/{name}.{ending}"), path);
        }
    }
}

/// The names of all cases, relative to `data`, in their order.
fn case_names(material: &ExportMaterial, target: ExportTarget, notes: &mut Vec<String>) -> Vec<String> {
    let plain: Vec<_> = material.cases.iter().map(|case| plain_name(material, case)).collect();
    if is_fit(&plain, target) {
        return plain;
    }
    // Numbers keep the order of the cases, whatever their names.
    let numbered = plain.iter().zip(1..).map(|(name, number)| {
        let (section, rest) = name.split_once('/').unwrap_or(("secret", name));
        format!("{section}/{number:04}-{}", fit_name(rest))
    });
    notes.push(
        "cases are numbered: under their own names the format would not have them in their order".to_owned(),
    );
    numbered.collect()
}

/// The name of a case with its section, and with its group if the problem has groups.
fn plain_name(material: &ExportMaterial, case: &Case) -> String {
    let is_sample = case.name.starts_with("sample/");
    let is_alone = |name: &str| name.starts_with("sample/") || name.starts_with("secret/");
    match is_sample || material.cases.iter().all(|case| is_alone(&case.name)) {
        true => case.name.clone(),
        false if case.name.contains('/') => format!("secret/{}", case.name),
        false => format!("secret/others/{}", case.name),
    }
}

/// A name shortened, and with other characters replaced, so that every format accepts it.
pub(super) fn fit_name(name: &str) -> String {
    name.chars().map(|letter| if is_letter(letter) { letter } else { '-' }).take(LONGEST_NAME).collect()
}

/// Whether the format accepts these names and orders the cases by them as they are ordered here.
pub(super) fn is_fit(names: &[String], target: ExportTarget) -> bool {
    let parts = |name: &String| name.split('/').map(str::to_owned).collect::<Vec<_>>();
    let depths: BTreeSet<_> =
        names.iter().filter(|name| name.starts_with("secret/")).map(|name| parts(name).len()).collect();
    // In 2025-09, `secret` has either cases or groups, and no groups in groups; `sample` has no groups at
    // all.
    let is_flat = target.is_legacy() || depths.len() <= 1 && depths.iter().all(|depth| *depth <= 3);
    let samples_are_flat = names.iter().all(|name| !name.starts_with("sample/") || parts(name).len() == 2);
    is_flat
        && (target.is_legacy() || samples_are_flat)
        && names.windows(2).all(|pair| parts(&pair[0]) < parts(&pair[1]))
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
