//! Adds the statements: those of a package, under the format's names; that of a problem
//! of ours, converted from Markdown to TeX.

use std::collections::BTreeSet;
use std::path::Path;

use crate::export::ExportTarget;
use crate::export::material::ExportMaterial;
use crate::mistake::{Mistakes, read_text};
use crate::package::PackageFormat;
use crate::package::domjudge::STATEMENTS_AT_ROOT;

/// The folders of statements in packages.
const FOLDERS: [&str; 2] = ["problem_statement", "statement"];

/// The language of a statement whose name has none.
const DEFAULT_LANGUAGE: &str = "en";

/// Adds the statements. Returns their languages.
///
/// # Errors
/// Reports a statement that cannot be read.
pub(super) fn add_statement(
    material: &ExportMaterial,
) -> Result<Vec<String>, Mistakes> {
    let mut languages = BTreeSet::new();
    let folder = material.target.statement_folder();
    if let Some(path) = &material.statement {
        add_markdown(material, DEFAULT_LANGUAGE, path)?;
        languages.insert(DEFAULT_LANGUAGE.to_owned());
    }
    for (name, path) in FOLDERS
        .iter()
        .flat_map(|folder| material.files_below(folder))
    {
        let Some((language, ending)) = language_of(name) else {
            material.copy(format!("{folder}/{name}"), path);
            continue;
        };
        if ending == "md" {
            add_markdown(material, language, path)?
        } else {
            material.copy(format!("{folder}/problem.{language}.{ending}"), path)
        }
        languages.insert(language.to_owned());
    }
    if let Some(package) = &material.package {
        // The only form of DOMjudge's at the root that the others have.
        let at_root = package.files.get(STATEMENTS_AT_ROOT[0]);
        if let Some(path) = at_root.filter(|_| {
            package.is_for_domjudge && !languages.contains(DEFAULT_LANGUAGE)
        }) {
            material.copy(format!("{folder}/problem.{DEFAULT_LANGUAGE}.pdf"), path);
            languages.insert(DEFAULT_LANGUAGE.to_owned());
        }
        if package.format == PackageFormat::Polygon {
            add_polygon_statement(material, &mut languages)?;
        }
    }
    if languages.is_empty() {
        material.note_loss(
            "there is no statement, which problemtools and BAPCtools want",
        );
    } else if material.statement.is_some()
        || material
            .files_below("statement")
            .any(|(name, _)| name.ends_with(".md"))
    {
        material.note_loss(
            "the statement is converted from Markdown to TeX: proofread it",
        );
    }
    Ok(languages.into_iter().collect())
}

/// Adds a statement in Markdown. Its first heading, the title, is dropped: packages
/// have the title elsewhere.
fn add_markdown(
    material: &ExportMaterial,
    language: &str,
    path: &Path,
) -> Result<(), Mistakes> {
    let text = read_text(path)?;
    let body = match text.split_once('\n') {
        Some((first, rest)) if first.starts_with("# ") => {
            rest.trim_start_matches('\n')
        }
        _ => &text,
    };
    let folder = material.target.statement_folder();
    // 2025-09 allows Markdown, but BAPCtools reads only TeX.
    material.put(
        format!("{folder}/problem.{language}.tex"),
        of_markdown(&material.problem.name, body),
    );
    // DOMjudge shows a text file if there is no PDF.
    if material.target == ExportTarget::DomJudge && language == DEFAULT_LANGUAGE {
        material.put("problem.txt", text);
    }
    Ok(())
}

/// The language and the ending of a statement's name. `None` if it is no name of a
/// statement.
fn language_of(name: &str) -> Option<(&str, &str)> {
    let (stem, ending) = name
        .rsplit_once('.')
        .filter(|(_, ending)| ["tex", "pdf", "md"].contains(ending))?;
    let language = match stem.strip_prefix("problem")? {
        "" => DEFAULT_LANGUAGE,
        rest => rest.strip_prefix('.')?,
    };
    Some((language, ending))
}

// Makes the statements of a Polygon package into those of the formats: puts the
// sections, which are TeX already, one after the other. Images go beside them.

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
const LANGUAGES: &str = "\
arabic ar
armenian hy
azerbaijani az
belarusian be
bulgarian bg
chinese zh
croatian hr
czech cs
english en
estonian et
french fr
georgian ka
german de
hungarian hu
italian it
japanese ja
kazakh kk
korean ko
latvian lv
lithuanian lt
persian fa
polish pl
portuguese pt
romanian ro
russian ru
serbian sr
slovak sk
spanish es
turkish tr
ukrainian uk";

/// Adds the statements and their images, and their languages to `languages`.
///
/// # Errors
/// Reports a section that cannot be read.
fn add_polygon_statement(
    material: &ExportMaterial,
    languages: &mut BTreeSet<String>,
) -> Result<(), Mistakes> {
    let folders: BTreeSet<_> = material
        .files_below(SECTIONS)
        .filter_map(|(name, _)| name.split_once('/'))
        .map(|(name, _)| name)
        .collect();
    for folder in folders {
        let mut codes = LANGUAGES.lines().filter_map(|row| row.split_once(' '));
        let Some((_, code)) = codes.find(|(name, _)| *name == folder) else {
            material.note_loss(format!(
                "the statement in {folder} is left out: its language has no known code"
            ));
            continue;
        };
        let within = format!("{SECTIONS}/{folder}");
        let title = section(material, &within, "name")?
            .unwrap_or_else(|| escaped(&material.problem.name));
        let mut text = format!("\\problemname{{{}}}\n", title.trim());
        for (name, heading) in HEADINGS {
            let found = section(material, &within, name)?.unwrap_or_default();
            let found = found.trim();
            if found.is_empty() {
                continue;
            }
            if !heading.is_empty() {
                text += &format!("\n\\section*{{{heading}}}\n");
            }
            text += &format!("\n{found}\n");
        }
        let place = material.target.statement_folder();
        material.put(format!("{place}/problem.{code}.tex"), text);
        for (name, path) in material.files_below(&within) {
            if name
                .rsplit_once('.')
                .is_some_and(|(_, ending)| IMAGES.contains(&ending))
            {
                material.copy(format!("{place}/{name}"), path);
            }
        }
        languages.insert((*code).to_owned());
    }
    if !languages.is_empty() {
        material.note_loss(
            "the statement is put together from its sections, whose TeX may need Polygon's own \
             commands: proofread it",
        );
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
    let mut files = material.files_below(within);
    let found = files.find(|(file, _)| *file == wanted);
    Ok(found.map(|(_, path)| read_text(path)).transpose()?)
}

// Converts statements from Markdown to TeX as in Kattis' format: headings, paragraphs,
// lists, code, emphasis. Everything else is kept as text, line by line.

/// Converts a statement to TeX.
fn of_markdown(title: &str, text: &str) -> String {
    let mut tex = format!("\\problemname{{{}}}\n\n", escaped(title));
    let mut is_code = false;
    let mut is_list = false;
    for line in text.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
            tex += if is_code {
                "\\begin{verbatim}\n"
            } else {
                "\\end{verbatim}\n"
            };
            continue;
        }
        if is_code {
            tex += &format!("{line}\n");
            continue;
        }
        let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
        let continues = is_list && line.starts_with("  ");
        if is_list && item.is_none() && !continues {
            tex += "\\end{itemize}\n";
            is_list = false;
        }
        if item.is_some() && !is_list {
            tex += "\\begin{itemize}\n";
            is_list = true;
        }
        tex += &match (item, heading(line)) {
            (Some(item), _) => format!("\\item {}\n", inline(item)),
            (None, Some(heading)) => format!("\\section*{{{}}}\n", inline(heading)),
            (None, None) => format!("{}\n", inline(line)),
        };
    }
    if is_list {
        tex += "\\end{itemize}\n";
    }
    tex
}

fn heading(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('#')?.trim_start_matches('#');
    rest.strip_prefix(' ')
}

/// Converts the code, strong text and emphasis in a line.
fn inline(line: &str) -> String {
    alternating(line, "`", strong, |code| {
        format!("\\texttt{{{}}}", escaped(code))
    })
}

fn strong(text: &str) -> String {
    alternating(text, "**", emphasised, |piece| {
        format!("\\textbf{{{}}}", emphasised(piece))
    })
}

fn emphasised(text: &str) -> String {
    // An unpaired asterisk is a literal one.
    if text.matches('*').count() % 2 == 1 {
        return escaped(text);
    }
    alternating(text, "*", escaped, |piece| {
        format!("\\emph{{{}}}", escaped(piece))
    })
}

/// Converts what is outside and what is inside of pairs of a mark.
fn alternating(
    text: &str,
    mark: &str,
    outside: fn(&str) -> String,
    inside: fn(&str) -> String,
) -> String {
    text.split(mark)
        .zip([outside, inside].iter().cycle())
        .map(|(piece, convert)| convert(piece))
        .collect()
}

/// Escapes the characters that have a meaning in TeX.
fn escaped(text: &str) -> String {
    let mut tex = String::new();
    for letter in text.chars() {
        let command = match letter {
            '\\' => "\\textbackslash{}",
            '~' => "\\textasciitilde{}",
            '^' => "\\textasciicircum{}",
            '<' => "$<$",
            '>' => "$>$",
            '|' => "$|$",
            '≤' => "$\\le$",
            '≥' => "$\\ge$",
            '×' => "$\\times$",
            _ => "",
        };
        if "&%$#_{}".contains(letter) {
            tex.push('\\');
        }
        if command.is_empty() {
            tex.push(letter);
        }
        tex += command;
    }
    tex
}

#[cfg(test)]
mod tex_tests {
    use super::*;

    #[test]
    fn headings_lists_code_and_emphasis_are_converted_to_tex() {
        let text = "One *n* of 50%,\n**bold** `a_b`.\n\n## Input\n\n- one\n- two\n\n```text\na_b %\n```\n";
        assert_eq!(
            of_markdown("A & B", text),
            "\\problemname{A \\& B}\n\nOne \\emph{n} of 50\\%,\n\\textbf{bold} \\texttt{a\\_b}.\n\n\\section*{Input}\n\n\
             \\begin{itemize}\n\\item one\n\\item two\n\\end{itemize}\n\n\\begin{verbatim}\na_b %\n\\end{verbatim}\n"
        );
        assert_eq!(of_markdown("", "2 * 3"), "\\problemname{}\n\n2 * 3\n");
    }
}
