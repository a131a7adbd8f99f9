//! Finds the first error in a compiler's output, and its line in the source. Knows
//! common formats of compilers, but not which compiler wrote the output; unrecognised
//! output is quoted unchanged.

use std::fmt;
use std::sync::LazyLock;

use regex_lite::Regex;

use crate::text::shortened;

/// The first error of a compiler.
#[derive(Debug, PartialEq, Eq)]
pub struct CompilerDiagnostic {
    /// The message, without its place.
    pub message: String,
    /// The line of the source, from 1.
    pub line: Option<u64>,
}

impl CompilerDiagnostic {
    /// Finds the first error in what a compiler wrote about a submission of this name;
    /// `None` if the output is blank. If no line of the source is named by its file's
    /// name, one named by a file of the same ending counts.
    pub fn about(output: &str, submission: &str) -> Option<Self> {
        let name = submission.rsplit('/').next().unwrap_or_default();
        let ending = name.rfind('.').map_or("", |dot| &name[dot..]);
        let found = first_diagnostic(output, name)?;
        if found.line.is_some() {
            Some(found)
        } else {
            first_diagnostic(output, ending)
        }
    }
}

/// For example `line 2: error: 'y' was not declared in this scope`.
impl fmt::Display for CompilerDiagnostic {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(out, "line {line}: ")?;
        }
        out.write_str(&self.message)
    }
}

/// Bytes of output that are searched: as many as the judge stores of a compiler's
/// output.
const LOOKED_AT: usize = 64 << 10;

/// The most letters of a message, which may quote a source.
const LONGEST_MESSAGE: usize = 500;

/// The longest file name on Linux, in bytes.
const LONGEST_NAME: usize = 255;

/// Lines after an error that may contain its place, as with `rustc`.
const BELOW: usize = 3;

/// Lines before an error that may contain its place, as with interpreters.
const ABOVE: usize = 8;

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is valid")
}

/// A place before a message: `source.c:3:5: `, `source.sh: line 3: ` or
/// `source.cs(3,5)`.
static PLACE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x)^(?:
            \s* [^:\ ]* [./] [^:\ ]* \s*
                : (?: \ line\ | \  )? [0-9] [0-9:]*
            | [^(\ ]* \. [^(\ ]*
                \( [0-9,]+ \)
        )",
    )
});

/// An error message, such as an interpreter's last line, `SyntaxError: invalid syntax`.
static ERROR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x)^(?:
            (?: error | Error | ERROR | Fatal | fatal ) [:\[]
            | [A-Za-z0-9.]+ Error:
            | error\ .*:
            | fatal\ error
        )",
    )
});

/// A summary of errors.
static SUMMARY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x)^error:\ (?:
            aborting\ due\ to
            | could\ not\ compile
            | linker
            | linking\ with
            | compilation
        )",
    )
});

/// A warning, or part of another message.
static REMARK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x)^(?:
            [Ww]arning
            | [Nn]ote
            | In\ file\ included
            | from[\ ]
            | \#
            | In\ (?: member\ )? function
            | hint
            | help
        )
        | :\ (?: In\ (?: member\ )? function | warning | note )",
    )
});

/// Finds the first error in a compiler's output, for a source of this name; `None` if
/// the output is blank.
fn first_diagnostic(output: &str, source: &str) -> Option<CompilerDiagnostic> {
    let mut ends = (0..=output.len().min(LOOKED_AT)).rev();
    let output =
        &output[..ends.find(|end| output.is_char_boundary(*end)).unwrap_or(0)];
    let lines: Vec<_> = output
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.trim().is_empty())
        .collect();
    let places = places(source);
    let place_of = |line: &str| {
        places.as_ref()?.captures_iter(line).find_map(|found| {
            let line: Option<u64> = found.get(1)?.as_str().parse().ok();
            line.filter(|line| *line > 0)
        })
    };
    let first = |is_wanted: &dyn Fn(&str) -> bool| {
        lines.iter().position(|line| is_wanted(line))
    };
    let found = first(&is_error)
        .or_else(|| {
            first(&|line| {
                line.contains("undefined reference")
                    || line.contains("undefined symbol")
            })
        })
        .or_else(|| first(&|line| place_of(line).is_some() && !is_remark(line)))
        .or_else(|| first(&|line| !is_remark(line)))
        .or(if lines.is_empty() { None } else { Some(0) })?;
    let near = lines[found..]
        .iter()
        .take(1 + BELOW)
        .chain(lines[..found].iter().rev().take(ABOVE));
    // The error's own line is searched first, then those after it, then those before it
    // from the nearest on.
    Some(CompilerDiagnostic {
        message: shortened(without_place(lines[found]), LONGEST_MESSAGE),
        line: near.copied().find_map(place_of),
    })
}

/// The lines of the source that a text names, as `source:LINE`, `source(LINE`,
/// `source", line LINE` or `source on line LINE`; `None` if the source has no name.
fn places(source: &str) -> Option<Regex> {
    let is_name = !source.is_empty() && source.len() <= LONGEST_NAME;
    let name = regex_lite::escape(source);
    let between = ":|\\(|: |: line | line | on line |, line ";
    is_name.then(|| pattern(&format!("{name}[\"']*(?:{between})([0-9]+)")))
}

/// Whether a line is an error message, and not a summary of errors.
fn is_error(line: &str) -> bool {
    let text = without_place(line).trim_start();
    ERROR.is_match(text) && !SUMMARY.is_match(text)
}

/// Whether a line is less than an error.
fn is_remark(line: &str) -> bool {
    REMARK.is_match(without_place(line).trim_start())
}

/// A line without the place before its message.
fn without_place(line: &str) -> &str {
    let place = PLACE.find(line).map_or(0, |found| found.end());
    line[place..].trim_start_matches([':', ' '])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn says(output: &str, source: &str, line: Option<u64>, message: &str) {
        let expected = CompilerDiagnostic {
            message: message.to_owned(),
            line,
        };
        assert_eq!(first_diagnostic(output, source), Some(expected), "{output}");
    }

    #[test]
    fn a_message_with_a_long_piece_of_the_source_is_cut() {
        let output = format!("x.c:1:5: error: '{}'\n", "a".repeat(1000));
        let message = format!("error: '{} ... (509 bytes more)", "a".repeat(492));
        says(&output, "x.c", Some(1), &message);
    }

    #[test]
    fn the_first_error_is_reported_and_no_warning_before_it() {
        says(
            "x.c: In function 'main':\nx.c:2:9: warning: unused variable 'a' \
             [-Wunused-variable]\n    2 |     int a;\nx.c:4:14: error: expected ';' before \
             'return'\n    4 |     int b = 3\nx.c:9:1: error: another\n",
            "x.c",
            Some(4),
            "error: expected ';' before 'return'",
        );
        says(
            "In file included from x.cpp:1:\n/usr/include/c++/13/vector:3:2: error: \
             inner\nx.cpp:7:1: note: from here\n",
            "x.cpp",
            Some(7),
            "error: inner",
        );
        says(
            "x.c:1:10: fatal error: no.h: No such file or directory\ncompilation terminated.\n",
            "x.c",
            Some(1),
            "fatal error: no.h: No such file or directory",
        );
        says(
            "warning: unused variable: `a`\n --> x.rs:1:9\n\nerror[E0308]: mismatched types\n --> \
             x.rs:3:22\n  |\n\nerror: aborting due to 1 previous error\n",
            "x.rs",
            Some(3),
            "error[E0308]: mismatched types",
        );
        says(
            "Main.java:3: error: ';' expected\n  int a = 3\n           ^\n1 error\n",
            "Main.java",
            Some(3),
            "error: ';' expected",
        );
        says(
            "# command-line-arguments\n./x.go:5:2: undefined: y\n",
            "x.go",
            Some(5),
            "undefined: y",
        );
        says(
            "x.cs(3,5): error CS1002: ; expected\n",
            "x.cs",
            Some(3),
            "error CS1002: ; expected",
        );
        says(
            "File \"x.ml\", line 3, characters 4-5:\nError: Unbound value y\n",
            "x.ml",
            Some(3),
            "Error: Unbound value y",
        );
    }

    #[test]
    fn an_interpreter_prints_the_place_before_the_error() {
        says(
            "  File \"x.py\", line 3\n    print(\n         ^\nSyntaxError: '(' was never closed\n",
            "x.py",
            Some(3),
            "SyntaxError: '(' was never closed",
        );
        says(
            "/box/x.js:2\nlet a = ;\n        ^\n\nSyntaxError: Unexpected token ';'\n    at \
             wrapSafe (node:internal)\n",
            "x.js",
            Some(2),
            "SyntaxError: Unexpected token ';'",
        );
    }

    #[test]
    fn shells_and_other_interpreters_word_the_place_in_their_own_ways() {
        for (output, source, message) in [
            (
                "x.sh: 3: Syntax error: end of file unexpected (expecting \")\")\n",
                "x.sh",
                "Syntax error: end of file unexpected (expecting \")\")",
            ),
            (
                "/box/x.bash: line 3: syntax error near `('\n",
                "x.bash",
                "syntax error near `('",
            ),
            (
                "Parse error: syntax error in x.php on line 3\n",
                "x.php",
                "Parse error: syntax error in x.php on line 3",
            ),
            (
                "syntax error at x.pl line 3, near \"n\"\n",
                "x.pl",
                "syntax error at x.pl line 3, near \"n\"",
            ),
            (
                "x.lua:3: ')' expected near 'n'\n",
                "x.lua",
                "')' expected near 'n'",
            ),
        ] {
            says(output, source, Some(3), message);
        }
    }

    #[test]
    fn a_linker_error_is_its_undefined_symbol() {
        says(
            "/usr/bin/ld: /tmp/cc.o: in function `main':\nx.c:(.text+0x5): undefined reference to \
             `foo'\ncollect2: error: ld returned 1 exit status\n",
            "x.c",
            None,
            "x.c:(.text+0x5): undefined reference to `foo'",
        );
    }

    #[test]
    fn unrecognised_output_is_quoted_unchanged() {
        says("\n  something odd\nmore\n", "x.q", None, "something odd");
        says("warning: only this\n", "x.c", None, "warning: only this");
        assert_eq!(first_diagnostic("\n \n", "x.c"), None);
        says(
            "x.c:0:99999999999999999999999: error: \u{fffd}",
            "x.c",
            None,
            "error: \u{fffd}",
        );
        says(":::(1):(((", "", None, "(1):(((");
        // A log from elsewhere may contain output of any length.
        let lines = "y\n".repeat(1 << 20);
        let name = "x".repeat(1 << 20);
        says(&lines, &name, None, "y");
    }
}
