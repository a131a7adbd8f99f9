//! Reads the beginnings of sources, and recognises languages that endings do not tell.
//! Knows no package.

use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::files;

/// The most bytes of a source that are read, and of its first line.
const LONGEST_SOURCE: u64 = 1 << 20;
const LONGEST_FIRST_LINE: u64 = 200;

/// A source as text, up to 1 MiB of it. Empty if it cannot be read; compiling it will
/// report that.
pub(crate) fn read_source(source: &Path) -> String {
    start_of(source, LONGEST_SOURCE)
}

/// What in a source shows that it is in another language than its ending says: in
/// Python 2, which the package formats distinguish from Python 3 by the first line, or
/// in Prolog, which shares its ending with Perl.
pub(crate) fn sign_of_another_language(source: &Path) -> Option<&'static str> {
    let start = start_of(source, LONGEST_FIRST_LINE);
    let first = start.split('\n').next().unwrap_or_default();
    if first.starts_with("#!") && first.contains("python2") {
        return Some("its first line asks for Python 2");
    }
    // A line of Perl does not begin like a directive.
    let is_prolog = source.extension().is_some_and(|ending| ending == "pl")
        && read_source(source)
            .lines()
            .any(|line| line.starts_with(":-"));
    is_prolog.then_some("its directives (`:-`) are Prolog")
}

/// The name of the program that the first line of a script asks for, as `bash`. `None`
/// if there is no such line.
pub(crate) fn interpreter(script: &Path) -> Option<String> {
    let start = start_of(script, LONGEST_FIRST_LINE);
    let line = start.lines().next()?.strip_prefix("#!")?;
    let mut words = line
        .split_whitespace()
        .filter(|word| !word.starts_with('-'));
    let mut name = || {
        words
            .next()
            .map(|word| word.rsplit('/').next().unwrap_or(word).to_owned())
    };
    let first = name()?;
    if first == "env" { name() } else { Some(first) }
}

/// Whether a script is executable and names its interpreter.
pub(crate) fn starts_alone(script: &Path) -> bool {
    let mode = script
        .metadata()
        .map_or(0, |found| found.permissions().mode());
    mode & 0o111 != 0 && interpreter(script).is_some()
}

/// The first bytes of a source as text.
fn start_of(source: &Path, bytes: u64) -> String {
    let mut start = Vec::new();
    let read =
        files::open_file(source).map(|file| file.take(bytes).read_to_end(&mut start));
    read.map_or_else(
        |_| String::new(),
        |_| String::from_utf8_lossy(&start).into_owned(),
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_script_names_its_interpreter_in_its_first_line() {
        let place = tempfile::tempdir().unwrap();
        let script = place.path().join("a.sh");
        for (text, expected) in [
            ("#!/bin/bash\necho\n", Some("bash")),
            ("#! /usr/bin/env bash\n", Some("bash")),
            ("#!/usr/bin/env -S bash -e\r\n", Some("bash")),
            ("#!/bin/sh -e", Some("sh")),
            ("#!/usr/bin/python3\n", Some("python3")),
            ("#!\n", None),
            ("\n#!/bin/bash\n", None),
            ("", None),
        ] {
            fs::write(&script, text).unwrap();
            assert_eq!(interpreter(&script).as_deref(), expected, "{text}");
        }
        assert_eq!(interpreter(Path::new("no/such/file")), None);
    }

    #[test]
    fn a_script_starts_alone_if_it_is_executable_and_names_its_interpreter() {
        let place = tempfile::tempdir().unwrap();
        let script = place.path().join("a.sh");
        for (text, mode, expected) in [
            ("#!/bin/sh\n", 0o755, true),
            ("#!/bin/sh\n", 0o644, false),
            ("echo\n", 0o755, false),
        ] {
            fs::write(&script, text).unwrap();
            fs::set_permissions(&script, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(starts_alone(&script), expected, "{text} {mode:o}");
        }
    }
}
