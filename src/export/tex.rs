//! Converts statements from Markdown to TeX as in Kattis' format: headings, paragraphs, lists,
//! code, emphasis. Everything else is kept as text, line by line.

/// Converts a statement to TeX.
pub(super) fn of_markdown(title: &str, text: &str) -> String {
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
    let rest = line.trim_start_matches('#');
    (rest.len() < line.len())
        .then(|| rest.strip_prefix(' '))
        .flatten()
}

/// Converts the code, strong text and emphasis in a line.
fn inline(line: &str) -> String {
    let mut tex = String::new();
    for (number, piece) in line.split('`').enumerate() {
        match number % 2 {
            0 => tex += &emphasised(piece),
            _ => tex += &format!("\\texttt{{{}}}", escaped(piece)),
        }
    }
    tex
}

fn emphasised(text: &str) -> String {
    let strong = text.split("**").enumerate();
    let strong = strong.map(|(number, piece)| {
        let pieces: Vec<_> = piece.split('*').collect();
        // An unpaired asterisk is a literal one.
        let plain = match pieces.len() % 2 {
            0 => escaped(piece),
            _ => pieces
                .iter()
                .enumerate()
                .map(|(number, piece)| match number % 2 {
                    0 => escaped(piece),
                    _ => format!("\\emph{{{}}}", escaped(piece)),
                })
                .collect(),
        };
        if number % 2 == 0 {
            plain
        } else {
            format!("\\textbf{{{plain}}}")
        }
    });
    strong.collect()
}

/// Escapes the characters that have a meaning in TeX.
pub(super) fn escaped(text: &str) -> String {
    let mut tex = String::new();
    for letter in text.chars() {
        match letter {
            '\\' => tex.push_str("\\textbackslash{}"),
            '~' => tex.push_str("\\textasciitilde{}"),
            '^' => tex.push_str("\\textasciicircum{}"),
            '<' => tex.push_str("$<$"),
            '>' => tex.push_str("$>$"),
            '|' => tex.push_str("$|$"),
            '≤' => tex.push_str("$\\le$"),
            '≥' => tex.push_str("$\\ge$"),
            '×' => tex.push_str("$\\times$"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                tex.push('\\');
                tex.push(letter);
            }
            letter => tex.push(letter),
        }
    }
    tex
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_lists_code_and_emphasis_are_converted_to_tex() {
        let text =
            "One *n* of 50%,\n**bold** `a_b`.\n\n## Input\n\n- one\n- two\n\n```text\na_b %\n```\n";
        assert_eq!(
            of_markdown("A & B", text),
            "\\problemname{A \\& B}\n\nOne \\emph{n} of 50\\%,\n\\textbf{bold} \\texttt{a\\_b}.\n\n\\section*{Input}\n\n\
             \\begin{itemize}\n\\item one\n\\item two\n\\end{itemize}\n\n\\begin{verbatim}\na_b %\n\\end{verbatim}\n"
        );
        assert_eq!(of_markdown("", "2 * 3"), "\\problemname{}\n\n2 * 3\n");
    }
}
