//! Names the languages of package formats that no built-in language stands for, by the endings of
//! their sources, so that a message can tell a reader what a submission is written in.
//!
//! Source: the Kattis problem package format, appendix "Languages".

/// The endings and the languages. One that `judge.toml` adds has precedence.
#[rustfmt::skip]
const LACKING: [(&str, &str); 34] = [
    ("a68", "Algol 68"), ("apl", "APL"), ("cob", "COBOL"), ("cr", "Crystal"), ("d", "D"),
    ("dart", "Dart"), ("ex", "Elixir"), ("erl", "Erlang"), ("fth", "Forth"), ("4th", "Forth"),
    ("forth", "Forth"), ("frt", "Forth"), ("fs", "F#"), ("ss", "Gerbil"), ("jl", "Julia"), ("mod", "Modula-2"),
    ("def", "Modula-2"), ("nim", "Nim"), ("m", "Objective-C"), ("odin", "Odin"), ("py2", "Python 2"),
    ("rkt", "Racket"), ("scala", "Scala"), ("sim", "Simula"), ("st", "Smalltalk"), ("sno", "Snobol"),
    ("swift", "Swift"), ("ts", "TypeScript"), ("vb", "Visual Basic"), ("zig", "Zig"),
    // Not in the table, but common: DOMjudge, and scripts in languages of the table.
    ("kts", "Kotlin as a script"), ("plg", "Prolog"), ("bas", "Basic"), ("hx", "Haxe"),
];

/// The language of a source by its ending, if no built-in language stands for it.
pub(super) fn language_of(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    LACKING.iter().find(|row| row.0 == ending).map(|row| row.1)
}
