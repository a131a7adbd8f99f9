//! Adds the statements: those of a package, under the format's names; that of a problem of ours,
//! converted from Markdown to TeX.

use std::collections::BTreeSet;
use std::path::Path;

use crate::export::export_files::ExportFiles;
use crate::export::material::ExportMaterial;
use crate::export::target::ExportTarget;
use crate::export::{polygon_statement, tex};
use crate::mistake;
use crate::mistake::Mistakes;
use crate::package::PackageFormat;

/// The folders of statements in packages.
const FOLDERS: [&str; 2] = ["problem_statement", "statement"];

/// The language of a statement whose name has none.
const USUAL_LANGUAGE: &str = "en";

/// Adds the statements. Returns their languages.
///
/// # Errors
/// Reports a statement that cannot be read.
pub(super) fn add(
    material: &ExportMaterial,
    target: ExportTarget,
    files: &mut ExportFiles,
    notes: &mut Vec<String>,
) -> Result<Vec<String>, Mistakes> {
    let mut languages = BTreeSet::new();
    if let Some(path) = &material.statement {
        add_markdown(material, target, USUAL_LANGUAGE, path, files)?;
        languages.insert(USUAL_LANGUAGE.to_owned());
    }
    for (name, path) in FOLDERS
        .iter()
        .flat_map(|folder| material.files_below(folder))
    {
        let Some((language, ending)) = language_of(name) else {
            files.copy(format!("{}/{name}", target.statement_folder()), path);
            continue;
        };
        if ending == "md" {
            add_markdown(material, target, language, path, files)?
        } else {
            files.copy(
                format!("{}/problem.{language}.{ending}", target.statement_folder()),
                path,
            )
        }
        languages.insert(language.to_owned());
    }
    if material
        .package
        .as_ref()
        .is_some_and(|package| package.format == PackageFormat::Polygon)
    {
        polygon_statement::add(material, target, files, &mut languages, notes)?;
    }
    if languages.is_empty() {
        notes.push("there is no statement, which problemtools and BAPCtools want".to_owned());
    } else {
        note_tex(material, notes);
    }
    Ok(languages.into_iter().collect())
}

fn note_tex(material: &ExportMaterial, notes: &mut Vec<String>) {
    let is_made = material.statement.is_some()
        || material
            .files_below("statement")
            .any(|(name, _)| name.ends_with(".md"));
    if is_made {
        notes.push("the statement is converted from Markdown to TeX: proofread it".to_owned());
    }
}

/// Adds a statement in Markdown. Its first heading, the title, is dropped: packages have the title
/// elsewhere.
fn add_markdown(
    material: &ExportMaterial,
    target: ExportTarget,
    language: &str,
    path: &Path,
    files: &mut ExportFiles,
) -> Result<(), Mistakes> {
    let text = mistake::read(path)?;
    let body = match text.split_once('\n') {
        Some((first, rest)) if first.starts_with("# ") => rest.trim_start_matches('\n'),
        _ => &text,
    };
    let folder = target.statement_folder();
    // 2025-09 allows Markdown, but BAPCtools reads only TeX.
    files.put(
        format!("{folder}/problem.{language}.tex"),
        tex::of_markdown(&material.problem.name, body),
    );
    // DOMjudge shows a text file if there is no PDF.
    if target == ExportTarget::DomJudge && language == USUAL_LANGUAGE {
        files.put("problem.txt", text);
    }
    Ok(())
}

/// The language and the ending of a statement's name. `None` if it is no name of a statement.
fn language_of(name: &str) -> Option<(&str, &str)> {
    let (stem, ending) = name
        .rsplit_once('.')
        .filter(|(_, ending)| ["tex", "pdf", "md"].contains(ending))?;
    let language = match stem.strip_prefix("problem")? {
        "" => USUAL_LANGUAGE,
        rest => rest.strip_prefix('.')?,
    };
    Some((language, ending))
}
