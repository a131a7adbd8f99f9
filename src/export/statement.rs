//! Statements: those of a package under the names of the format; that of a problem of ours, which is Markdown, in TeX.

use std::collections::BTreeSet;
use std::path::Path;

use crate::export::export_files::ExportFiles;
use crate::export::material::ExportMaterial;
use crate::export::target::ExportTarget;
use crate::export::tex;
use crate::mistake;
use crate::mistake::Mistakes;

/// The folders that packages have statements in.
const FOLDERS: [&str; 2] = ["problem_statement", "statement"];

/// The language of a statement that says none.
const USUAL_LANGUAGE: &str = "en";

/// Adds the statements; returns the languages that there are some in.
///
/// # Errors
/// A statement that cannot be read.
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
    for (name, path) in FOLDERS.iter().flat_map(|folder| material.files_below(folder)) {
        let Some((language, ending)) = language_of(name) else {
            files.copy(format!("{}/{name}", target.statement_folder()), path);
            continue;
        };
        match ending == "md" {
            true => add_markdown(material, target, language, path, files)?,
            false => files.copy(format!("{}/problem.{language}.{ending}", target.statement_folder()), path),
        }
        languages.insert(language.to_owned());
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
        || material.files_below("statement").any(|(name, _)| name.ends_with(".md"));
    if is_made {
        notes.push("the statement is brought from Markdown to TeX: read it through".to_owned());
    }
}

/// Adds a statement in Markdown, whose first heading is the title that stands elsewhere in packages.
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
    // Of 2025-09, Markdown is a part; BAPCtools reads TeX and nothing else.
    files.put(format!("{folder}/problem.{language}.tex"), tex::of_markdown(&material.problem.name, body));
    // DOMjudge shows a text where there is no PDF.
    if target == ExportTarget::DomJudge && language == USUAL_LANGUAGE {
        files.put("problem.txt", text);
    }
    Ok(())
}

/// The language and the ending of a statement's name, if it is one.
fn language_of(name: &str) -> Option<(&str, &str)> {
    let (stem, ending) = name.rsplit_once('.').filter(|(_, ending)| ["tex", "pdf", "md"].contains(ending))?;
    let language = match stem.strip_prefix("problem")? {
        "" => USUAL_LANGUAGE,
        rest => rest.strip_prefix('.')?,
    };
    Some((language, ending))
}
