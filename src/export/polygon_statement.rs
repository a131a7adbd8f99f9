//! Makes the statements of a Polygon package into those of the formats: puts the sections, which
//! are TeX already, one after the other. Images go beside them.

use std::collections::BTreeSet;

use crate::export::export_files::ExportFiles;
use crate::export::material::ExportMaterial;
use crate::export::target::ExportTarget;
use crate::export::tex;
use crate::mistake;
use crate::mistake::Mistakes;

/// The folder with a folder for each language.
const SECTIONS: &str = "statement-sections";

/// The sections in their order, with the headings that Polygon gives them.
const HEADINGS: [(&str, &str); 6] = [
    ("legend", ""),
    ("input", "Input"),
    ("output", "Output"),
    ("interaction", "Interaction"),
    ("scoring", "Scoring"),
    ("notes", "Note"),
];

/// The endings of images.
const IMAGES: [&str; 5] = ["eps", "jpeg", "jpg", "pdf", "png"];

/// Codes of languages by Polygon's names.
const LANGUAGES: [(&str, &str); 30] = [
    ("arabic", "ar"),
    ("armenian", "hy"),
    ("azerbaijani", "az"),
    ("belarusian", "be"),
    ("bulgarian", "bg"),
    ("chinese", "zh"),
    ("croatian", "hr"),
    ("czech", "cs"),
    ("english", "en"),
    ("estonian", "et"),
    ("french", "fr"),
    ("georgian", "ka"),
    ("german", "de"),
    ("hungarian", "hu"),
    ("italian", "it"),
    ("japanese", "ja"),
    ("kazakh", "kk"),
    ("korean", "ko"),
    ("latvian", "lv"),
    ("lithuanian", "lt"),
    ("persian", "fa"),
    ("polish", "pl"),
    ("portuguese", "pt"),
    ("romanian", "ro"),
    ("russian", "ru"),
    ("serbian", "sr"),
    ("slovak", "sk"),
    ("spanish", "es"),
    ("turkish", "tr"),
    ("ukrainian", "uk"),
];

/// Adds the statements, and their languages to `languages`.
///
/// # Errors
/// Reports a section that cannot be read.
pub(super) fn add(
    material: &ExportMaterial,
    target: ExportTarget,
    files: &mut ExportFiles,
    languages: &mut BTreeSet<String>,
    notes: &mut Vec<String>,
) -> Result<(), Mistakes> {
    let folders: BTreeSet<_> = material
        .files_below(SECTIONS)
        .filter_map(|(name, _)| name.split_once('/'))
        .map(|(name, _)| name)
        .collect();
    for folder in folders {
        let Some((_, code)) = LANGUAGES.iter().find(|(name, _)| *name == folder) else {
            notes.push(format!(
                "the statement in {folder} is left out: its language has no known code"
            ));
            continue;
        };
        add_one(
            material,
            &format!("{SECTIONS}/{folder}"),
            code,
            target.statement_folder(),
            files,
        )?;
        languages.insert((*code).to_owned());
    }
    if !languages.is_empty() {
        notes.push("the statement is put together from its sections, whose TeX may need Polygon's own commands: proofread it".to_owned());
    }
    Ok(())
}

/// Adds the statement whose sections are in a folder, and its images.
fn add_one(
    material: &ExportMaterial,
    within: &str,
    code: &str,
    place: &str,
    files: &mut ExportFiles,
) -> Result<(), Mistakes> {
    let title =
        section(material, within, "name")?.unwrap_or_else(|| tex::escaped(&material.problem.name));
    let mut text = format!("\\problemname{{{}}}\n", title.trim());
    for (name, heading) in HEADINGS {
        let found = section(material, within, name)?.unwrap_or_default();
        if !found.trim().is_empty() && !heading.is_empty() {
            text += &format!("\n\\section*{{{heading}}}\n");
        }
        if !found.trim().is_empty() {
            text += &format!("\n{}\n", found.trim());
        }
    }
    files.put(format!("{place}/problem.{code}.tex"), text);
    for (name, path) in material.files_below(within) {
        if name
            .rsplit_once('.')
            .is_some_and(|(_, ending)| IMAGES.contains(&ending))
        {
            files.copy(format!("{place}/{name}"), path);
        }
    }
    Ok(())
}

/// The text of a section; `None` if the statement has none of this name.
fn section(
    material: &ExportMaterial,
    within: &str,
    name: &str,
) -> Result<Option<String>, Mistakes> {
    let wanted = format!("{name}.tex");
    let found = material
        .files_below(within)
        .find(|(file, _)| *file == wanted);
    Ok(found.map(|(_, path)| mistake::read(path)).transpose()?)
}
