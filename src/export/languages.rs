//! The languages that the formats know, by the endings of sources, and how comments are written in them.

/// Endings that all three formats know. Source: the appendix on languages of the Kattis problem package format.
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
    // Prolog to Kattis, and Perl to DOMjudge, which alone has something written into sources.
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

/// What begins a comment that ends with its line in the language of a source, if the formats know that; empty where it has none such.
pub(super) fn comment_in(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    ENDINGS.iter().find(|row| row.0 == ending).map(|row| row.1)
}
