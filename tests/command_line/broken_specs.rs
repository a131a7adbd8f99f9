//! Broken specs: each `tests/broken_specs/NAME.toml` has its messages in `NAME.txt`, as the command prints them.
//! `BLESS=1 cargo test --test broken_specs` rewrites them; read the changes before you commit them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::judge::Judge;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken_specs")
}

fn broken() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut specs: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    specs.sort();
    specs
}

#[test]
fn every_broken_spec_has_its_expected_messages() {
    let judge = Judge::new();
    let mut different = Vec::new();
    for path in broken() {
        judge.put("problems/mini/problem.toml", fs::read(&path).unwrap());
        let ran = judge.run(&["verify"]);
        assert_eq!(ran.code, Some(2), "{}: {}", path.display(), ran.stderr);
        let expected = path.with_extension("txt");
        if std::env::var_os("BLESS").is_some() {
            fs::write(&expected, &ran.stderr).unwrap();
        }
        if fs::read_to_string(&expected).unwrap_or_default() != ran.stderr {
            different.push(format!("{}:\n{}", path.display(), ran.stderr));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// A spec with this many unknown keys in one line, twice.
fn unknown_keys(count: usize) -> String {
    let keys: Vec<_> = (0..count).map(|number| format!("k{number} = 1")).collect();
    format!("nothing = {{ {} }}\n[grid]\nextra = {{ {} }}\n", keys.join(", "), keys.join(", "))
}

#[test]
fn a_line_of_thousands_of_mistakes_is_reported_in_little_memory() {
    for count in [8_000, 40_000, 70_000] {
        let judge = Judge::new();
        let mistakes = unknown_keys(count);
        judge.put("problems/mini/problem.toml", &mistakes);
        judge.put("other/judge.toml", &mistakes).put("other/problems/p/problem.toml", "");
        let case = ["cases/mini/sample/001-one.in", "cases/mini/sample/001-one.ans"];
        for arguments in [
            &["check", "-p", "mini", case[0], case[1]][..],
            &["list"],
            &["verify"],
            &["grade"],
            &["doctor", "-C", "other"],
            &["list", "-C", "other"],
        ] {
            // Address space in bytes; the program itself and its threads need some of it.
            let limit = ["--as=300000000:300000000", env!("CARGO_BIN_EXE_gridjudge")];
            let output = judge.command_of("prlimit", &[&limit, arguments].concat()).output().unwrap();
            let ran = judge.ran(output);
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments:?}: {}", ran.stderr);
            assert!(ran.stderr.starts_with("error: ") && ran.stderr.len() < 100_000, "{}", ran.stderr.len());
        }
    }
}

#[test]
fn every_message_names_a_line_and_marks_the_place_in_it() {
    let specs = broken();
    assert!(specs.len() >= 30);
    for path in specs {
        let text = fs::read_to_string(path.with_extension("txt")).unwrap();
        for error in text.split("error: ").skip(1) {
            assert!(error.starts_with("problems/mini/problem.toml:"), "{}: {error}", path.display());
            let is_of_all = error.contains("more mistakes, which are not listed");
            assert!(is_of_all || error.contains('^'), "{}: {error}", path.display());
        }
        // A hint that several messages in a row share is printed once, after the last of them.
        let last = text.trim_end().lines().last().unwrap();
        assert!(last.starts_with("hint: "), "{}: {last}", path.display());
        assert!(text.lines().all(|line| line.len() < 1000), "{}", path.display());
    }
}
