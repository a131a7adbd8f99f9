//! The languages of the formats, by the endings of sources, with their comment signs, and those
//! that DOMjudge judges without being told to.

use std::collections::BTreeSet;

use crate::export::export_files::ExportFiles;

/// The endings that all three formats know, each with the sign that begins a line comment; empty if
/// the language has none. Source: the appendix on languages of the Kattis problem package format.
const ENDINGS: [(&str, &str); 46] = [
    ("ada", "--"),
    ("adb", "--"),
    ("bas", "'"),
    ("bash", "#"),
    ("c", "//"),
    ("c++", "//"),
    ("C", "//"),
    ("cc", "//"),
    ("cob", "*>"),
    ("cpp", "//"),
    ("cr", "#"),
    ("cs", "//"),
    ("cxx", "//"),
    ("d", "//"),
    ("dart", "//"),
    ("erl", "%"),
    ("ex", "#"),
    ("f90", "!"),
    ("fs", "//"),
    ("go", "//"),
    ("hs", "--"),
    ("hx", "//"),
    ("java", "//"),
    ("jl", "#"),
    ("js", "//"),
    ("kt", "//"),
    ("lisp", ";"),
    ("lua", "--"),
    ("m", "//"),
    ("ml", ""),
    ("nim", "#"),
    ("odin", "//"),
    ("pas", "//"),
    ("php", "//"),
    // Prolog to Kattis and Perl to DOMjudge. Only exports to DOMjudge write comments into sources,
    // so Perl's sign is used.
    ("pl", "#"),
    ("pm", "#"),
    ("py", "#"),
    ("rb", "#"),
    ("rkt", ";"),
    ("rs", "//"),
    ("scala", "//"),
    ("sh", "#"),
    ("swift", "//"),
    ("ts", "//"),
    ("vb", "'"),
    ("zig", "//"),
];

/// The sign that begins a line comment in the language of a source; empty if the language has none.
/// `None` if the formats do not know the language.
pub(super) fn comment_in(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    ENDINGS.iter().find(|row| row.0 == ending).map(|row| row.1)
}

/// Endings of the languages that DOMjudge judges unless they are turned off: C, C++, Java and
/// Python 3. Others must be turned on or added there. Source: DOMjudge's `LanguageFixture`.
const ON_IN_DOMJUDGE: [&str; 8] = ["c", "c++", "cc", "cpp", "cxx", "java", "py", "py3"];

/// Endings of programs that DOMjudge compiles itself, and the names of the scripts by which others
/// are compiled or run. Source: DOMjudge's judgedaemon.
const COMPILED_BY_DOMJUDGE: [&str; 6] = ["C", "c", "cc", "cpp", "java", "py"];
const SCRIPTS: [&str; 2] = ["build", "run"];

/// Notes the submissions that DOMjudge skips as it is installed, and an output validator that it
/// cannot build.
pub(super) fn domjudge_notes(files: &ExportFiles) -> Vec<String> {
    let mut skipped = BTreeSet::new();
    let mut validator = Vec::new();
    for (name, _) in files.iter() {
        if let Some(program) = name.strip_prefix("submissions/")
            && comment_in(name).is_some_and(|_| !ON_IN_DOMJUDGE.contains(&ending_of(name)))
        {
            skipped.insert(program.split('/').take(2).collect::<Vec<_>>().join("/"));
        }
        if name.starts_with("output_validators/") {
            validator.push(name);
        }
    }
    let mut notes = Vec::new();
    if !skipped.is_empty() {
        let names = Vec::from_iter(skipped).join(", ");
        notes.push(format!(
            "DOMjudge judges C, C++, Java and Python, and other languages only if they are turned on or added there; until then it skips: {names}"
        ));
    }
    if !validator.is_empty()
        && !validator.iter().any(|name| {
            let file = name.rsplit('/').next().unwrap_or(name);
            SCRIPTS.contains(&file) || COMPILED_BY_DOMJUDGE.contains(&ending_of(name))
        })
    {
        notes.push(format!(
            "DOMjudge cannot build {}: it takes C, C++, Java, Python, or a script `build` or `run`",
            validator.join(", ")
        ));
    }
    notes
}

fn ending_of(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}
