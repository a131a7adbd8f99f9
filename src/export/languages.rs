//! The languages that the formats know, by the endings of sources, and how comments are written in them.

/// Endings that all three formats know. Source: the appendix on languages of the Kattis problem package format.
const ENDINGS: [(&str, &str); 29] = [
    ("ada", "--"),
    ("adb", "--"),
    ("bas", "'"),
    ("c", "//"),
    ("c++", "//"),
    ("C", "//"),
    ("cc", "//"),
    ("cob", "*>"),
    ("cpp", "//"),
    ("cs", "//"),
    ("cxx", "//"),
    ("fs", "//"),
    ("go", "//"),
    ("hs", "--"),
    ("java", "//"),
    ("js", "//"),
    ("jl", "#"),
    ("kt", "//"),
    ("lisp", ";"),
    ("lua", "--"),
    ("m", "//"),
    ("pas", "//"),
    ("php", "//"),
    ("pm", "#"),
    ("py", "#"),
    ("rb", "#"),
    ("rs", "//"),
    ("scala", "//"),
    ("sh", "#"),
];

/// What begins a comment in the language of a source, if the formats know it.
pub(super) fn comment_in(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    ENDINGS.iter().find(|row| row.0 == ending).map(|row| row.1)
}
