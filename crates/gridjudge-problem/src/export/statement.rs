//! Adds the statements: those of a package, under the format's names; that of a problem
//! of ours, converted from Markdown to TeX.

use std::collections::BTreeSet;
use std::path::Path;

use crate::export::ExportTarget;
use crate::export::material::ExportMaterial;
use crate::mistake::{Mistakes, read_text};
use crate::model::ending;
use crate::package::domjudge::STATEMENTS_AT_ROOT;
use crate::package::{PackageFormat, statement_name};
use crate::text::JoinedTexts;

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
        let Some((language, ending)) = statement_name(name, Some(DEFAULT_LANGUAGE))
        else {
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
    let package = &material.package;
    // The only form of DOMjudge's at the root that the others have.
    if package.is_for_domjudge
        && !languages.contains(DEFAULT_LANGUAGE)
        && let Some(path) = package.files.get(STATEMENTS_AT_ROOT[0])
    {
        material.copy(format!("{folder}/problem.{DEFAULT_LANGUAGE}.pdf"), path);
        languages.insert(DEFAULT_LANGUAGE.to_owned());
    }
    if package.format == PackageFormat::Polygon {
        add_polygon_statement(material, &mut languages)?;
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
            if IMAGES.contains(&ending(name)) {
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
    let files = &material.package.files;
    let path = files.get(&format!("{within}/{name}.tex"));
    Ok(path.map(|path| read_text(path)).transpose()?)
}

// Converts statements from Markdown to TeX as in Kattis' format: headings, paragraphs,
// lists, tables, code, formulas, links, emphasis. Everything else is kept as text, line
// by line.

/// The longest line, in bytes, in which marks are looked for. The time for that grows
/// with the square of its length.
const LONGEST_LINE: usize = 10_000;

/// The lines between which lines are kept as they are, and what these become in TeX.
const FENCES: [(&str, &str, &str); 2] = [
    ("```", "\\begin{verbatim}", "\\end{verbatim}"),
    ("$$", "\\[", "\\]"),
];

/// The environments of lists and of tables.
const LIST: &str = "itemize";
const TABLE: &str = "tabular";

/// Converts a statement to TeX.
fn of_markdown(title: &str, text: &str) -> String {
    let mut tex = format!("\\problemname{{{}}}\n\n", escaped(title));
    let mut fence = None;
    let mut around = "";
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some((mark, _, end)) = fence {
            let is_end = line.starts_with(mark);
            tex += &format!("{}\n", if is_end { end } else { line });
            fence = fence.filter(|_| !is_end);
            continue;
        }
        let is_code = line.starts_with("```");
        let mark = if is_code { "```" } else { line.trim_end() };
        fence = FENCES.into_iter().find(|row| row.0 == mark);
        if let Some((_, begin, _)) = fence {
            tex += &format!("{begin}\n");
            continue;
        }
        let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
        let is_row = line.starts_with('|')
            && (around == TABLE || lines.peek().is_some_and(|next| is_rule(next)));
        let environment = if is_row {
            TABLE
        } else if item.is_some() || around == LIST && line.starts_with("  ") {
            LIST
        } else {
            ""
        };
        if around != environment {
            tex += &closed(around);
            around = environment;
            tex += &match around {
                "" => String::new(),
                TABLE => {
                    let columns = "l".repeat(cells(line).count());
                    format!("\\begin{{{TABLE}}}{{{columns}}}\n")
                }
                list => format!("\\begin{{{list}}}\n"),
            };
        }
        tex += &match (item, heading(line)) {
            _ if is_row && is_rule(line) => "\\hline\n".to_owned(),
            _ if is_row => {
                format!("{} \\\\\n", cells(line).map(inline).joined(" & "))
            }
            (Some(item), _) => format!("\\item {}\n", inline(item)),
            (None, Some(heading)) => format!("\\section*{{{}}}\n", inline(heading)),
            (None, None) => format!("{}\n", inline(line)),
        };
    }
    tex + &closed(around)
}

/// The end of an environment, if there is one.
fn closed(environment: &str) -> String {
    if environment.is_empty() {
        return String::new();
    }
    format!("\\end{{{environment}}}\n")
}

/// Whether a line is the one below the head of a table, as `|---|:-:|`.
fn is_rule(line: &str) -> bool {
    let is_row = line.starts_with('|') && line.contains('-');
    is_row && line.trim_matches(['|', '-', ':', ' ']).is_empty()
}

/// The cells of a row of a table.
fn cells(line: &str) -> impl Iterator<Item = &str> {
    line.trim().trim_matches('|').split('|').map(str::trim)
}

fn heading(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('#')?.trim_start_matches('#');
    rest.strip_prefix(' ')
}

/// Converts code, formulas, links, strong text and emphasis in a line.
fn inline(line: &str) -> String {
    if line.len() > LONGEST_LINE {
        return escaped(line);
    }
    let mut tex = String::new();
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        let (piece, after) = marked(rest).unwrap_or_else(|| {
            let (letter, after) = rest.split_at(letter.len_utf8());
            (escaped(letter), after)
        });
        tex += &piece;
        rest = after;
    }
    tex
}

/// Converts the marked piece that a text begins with, if it does, and returns the rest
/// after it.
fn marked(text: &str) -> Option<(String, &str)> {
    let between = |mark: &str| {
        let (piece, rest) = text.strip_prefix(mark)?.split_once(mark)?;
        Some((piece, rest)).filter(|_| !piece.is_empty())
    };
    // A lone sign among blanks is no mark.
    let tight = |mark| between(mark).filter(|(piece, _)| piece.trim() == *piece);
    if let Some((code, rest)) = between("`") {
        return Some((format!("\\texttt{{{}}}", escaped(code)), rest));
    }
    for mark in ["$$", "$"] {
        // Amounts of money are no formulas: `$5 or $6`.
        if let Some((formula, rest)) = tight(mark)
            .filter(|(_, rest)| !rest.starts_with(|one: char| one.is_ascii_digit()))
        {
            return Some((format!("{mark}{formula}{mark}"), rest));
        }
    }
    for (mark, command) in [("**", "textbf"), ("*", "emph")] {
        if let Some((piece, rest)) = tight(mark) {
            return Some((format!("\\{command}{{{}}}", inline(piece)), rest));
        }
    }
    let (shown, rest) = text.strip_prefix('[')?.split_once("](")?;
    let (address, rest) = rest.split_once(')')?;
    if shown.contains(['[', ']']) {
        return None;
    }
    let shown = inline(shown);
    Some((format!("{shown} (\\texttt{{{}}})", escaped(address)), rest))
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

    #[test]
    fn formulas_tables_and_links_are_carried_over() {
        for (line, tex) in [
            (
                "**The $a_1 * 2$ of $$b^2$$**, `$c`",
                "\\textbf{The $a_1 * 2$ of $$b^2$$}, \\texttt{\\$c}",
            ),
            ("$5 or $6, $ x", "\\$5 or \\$6, \\$ x"),
            (
                "See [*the* rules](https://a.b/c_d), [1] (2).",
                "See \\emph{the} rules (\\texttt{https://a.b/c\\_d}), [1] (2).",
            ),
            ("$$\n\\sum_1^n\n$$\n50%", "\\[\n\\sum_1^n\n\\]\n50\\%"),
            (
                "| a | b |\n|---|:-:|\n| `1` | $n$ |\n\nx",
                "\\begin{tabular}{ll}\na & b \\\\\n\\hline\n\\texttt{1} & $n$ \\\\\n\\end{tabular}\n\nx",
            ),
            ("|x| <= 1", "$|$x$|$ $<$= 1"),
        ] {
            assert_eq!(
                of_markdown("", line),
                format!("\\problemname{{}}\n\n{tex}\n")
            );
        }
    }
}
