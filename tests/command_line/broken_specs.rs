//! Broken specs: each `tests/broken_specs/NAME.toml` has its messages in `NAME.txt`, as
//! the command prints them. `BLESS=1 cargo test --test command_line broken_specs`
//! rewrites them; read the changes before you commit them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::judge::{Judge, SPEC};
use gridjudge::spec::JudgeFolder;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken_specs")
}

fn broken() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut specs: Vec<_> = entries
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .collect();
    specs.sort();
    specs
}

#[test]
fn every_broken_spec_has_its_expected_messages() {
    let judge = Judge::new();
    let mut different = vec![];
    for path in broken() {
        judge.put("problems/mini/problem.toml", fs::read(&path).unwrap());
        let ran = judge.run(&["list"]);
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
    format!(
        "nothing = {{ {} }}\n[grid]\nextra = {{ {} }}\n",
        keys.join(", "),
        keys.join(", ")
    )
}

#[test]
fn a_line_of_thousands_of_mistakes_is_reported_in_little_memory() {
    for count in [8_000, 70_000] {
        let judge = Judge::new();
        let mistakes = unknown_keys(count);
        judge.put("problems/mini/problem.toml", &mistakes);
        judge
            .put("other/judge.toml", &mistakes)
            .put("other/problems/p/problem.toml", "");
        let case = [
            "cases/mini/sample/001-one.in",
            "cases/mini/sample/001-one.ans",
        ];
        for arguments in [
            &["check", "-p", "mini", case[0], case[1]][..],
            &["list"],
            &["verify"],
            &["grade"],
            &["doctor", "-C", "other"],
            &["list", "-C", "other"],
        ] {
            // Address space in bytes; the program itself and its threads need some of
            // it.
            let limit = ["--as=300000000:300000000", env!("CARGO_BIN_EXE_gridjudge")];
            let output = judge
                .command_of("prlimit", &[&limit, arguments].concat())
                .output()
                .unwrap();
            let ran = judge.ran(output);
            assert_eq!(
                (ran.code, ran.stdout.as_str()),
                (Some(2), ""),
                "{arguments:?}: {}",
                ran.stderr
            );
            assert!(
                ran.stderr.starts_with("error: ") && ran.stderr.len() < 100_000,
                "{}",
                ran.stderr.len()
            );
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
            assert!(
                error.starts_with("problems/mini/problem.toml:"),
                "{}: {error}",
                path.display()
            );
            let is_of_all = error.contains("more mistakes, which are not listed");
            assert!(
                is_of_all || error.contains('^'),
                "{}: {error}",
                path.display()
            );
        }
        // A hint that several messages in a row share is printed once, after the last
        // of them.
        let last = text.trim_end().lines().last().unwrap();
        assert!(last.starts_with("hint: "), "{}: {last}", path.display());
        assert!(
            text.lines().all(|line| line.len() < 1000),
            "{}",
            path.display()
        );
    }
}

/// The hints of all messages, each with the message that it is about, from the golden
/// files.
fn hints() -> Vec<(PathBuf, String, String)> {
    let mut hints = vec![];
    for path in broken() {
        let text = fs::read_to_string(path.with_extension("txt")).unwrap();
        let mut message = "";
        for line in text.lines() {
            message = line.strip_prefix("error: ").unwrap_or(message);
            if let Some(hint) = line.strip_prefix("hint: ") {
                hints.push((path.clone(), message.to_owned(), hint.to_owned()));
            }
        }
    }
    hints
}

/// The fragments of a hint that are TOML: a key with its value, and such keys with the
/// other values that `or` names.
fn assignments(hint: &str) -> Vec<String> {
    let mut key = None;
    let fragments = hint.split('`').skip(1).step_by(2).filter_map(|fragment| {
        if let Some((name, _)) = fragment.split_once(" = ") {
            key = Some(name);
            return Some(fragment.to_owned());
        }
        let other = key.filter(|_| fragment.starts_with('"'))?;
        Some(format!("{other} = {fragment}"))
    });
    fragments.collect()
}

#[test]
fn what_a_hint_says_to_write_is_toml() {
    let mut found = 0;
    for (path, _, hint) in hints() {
        for fragment in assignments(&hint) {
            let parsed = fragment.parse::<toml::Table>();
            assert!(
                parsed.is_ok_and(|table| table.len() == 1),
                "{}: `{fragment}` in: {hint}",
                path.display()
            );
            found += 1;
        }
    }
    assert!(found > 80, "{found}");
    let hint =
        "write `accept = \"any\"` or `\"first\"` in [task], or `i = \"3\"`, not `x`";
    assert_eq!(
        assignments(hint),
        ["accept = \"any\"", "accept = \"first\"", "i = \"3\""]
    );
}

/// The number of the line that a message is about, from 0.
fn line_of(message: &str) -> Option<usize> {
    let number = message
        .strip_prefix("problems/mini/problem.toml:")?
        .split_once(": ")?
        .0;
    number.parse::<usize>().ok()?.checked_sub(1)
}

/// Whether a spec without this line misses the key that is in it.
fn misses_a_key_without(judge: &Judge, spec: &str, number: usize) -> bool {
    let mut lines: Vec<_> = spec.lines().collect();
    let (key, _) = lines.remove(number).split_once(" = ").unwrap();
    judge.put("problems/mini/problem.toml", lines.join("\n") + "\n");
    let folder = JudgeFolder::open(&judge.path("")).unwrap();
    let Err(mistakes) = folder.find("mini").unwrap().problem() else {
        return false;
    };
    mistakes
        .0
        .iter()
        .any(|mistake| mistake.message.ends_with(&format!(" has no `{key}`")))
}

#[test]
fn no_hint_says_to_delete_a_key_that_is_then_missing() {
    let judge = Judge::new();
    let accept = SPEC
        .lines()
        .position(|line| line.starts_with("accept = "))
        .unwrap();
    assert!(misses_a_key_without(&judge, SPEC, accept));
    let mut deleted = 0;
    for (path, message, hint) in hints() {
        let says_so = hint == "delete it"
            || hint.starts_with("delete it, ")
            || hint.ends_with(", or delete it");
        let Some(number) = line_of(&message).filter(|_| says_so) else {
            continue;
        };
        let spec = fs::read_to_string(&path).unwrap();
        let line = spec.lines().nth(number).unwrap();
        // A value of several lines is not deleted with its first one, nor is a table
        // with its heading.
        if line.contains(" = ") && line.parse::<toml::Table>().is_ok() {
            assert!(
                !misses_a_key_without(&judge, &spec, number),
                "{}: {message}: {hint}",
                path.display()
            );
            deleted += 1;
        }
    }
    assert!(deleted > 20, "{deleted}");
}
