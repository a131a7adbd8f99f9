//! The languages of the formats, by the endings of sources, with their comment signs.

/// The endings that all three formats know, each with the sign that begins a line comment; empty if the
/// language has none. Source: the appendix on languages of the Kattis problem package format.
const ENDINGS: [(&str, &str); 45] = [
    ("ada", "--"),
    ("adb", "--"),
    ("bas", "'"),
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
    // Prolog to Kattis and Perl to DOMjudge. Only exports to DOMjudge write comments into sources, so Perl's
    // sign is used.
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

/// The sign that begins a line comment in the language of a source; empty if the language has none. `None` if
/// the formats do not know the language.
pub(super) fn comment_in(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    ENDINGS.iter().find(|row| row.0 == ending).map(|row| row.1)
}
