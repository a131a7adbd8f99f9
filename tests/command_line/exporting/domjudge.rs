//! Checks exports of every kind against what DOMjudge refuses to import or imports
//! differently from what was meant. DOMjudge cannot run here: the rules are copied from
//! its `ImportProblemService`, in the development of version 10.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::{
    CHECKER, INTERACTOR, Judge, RIGHT, TESTLIB_CHECKER, WORDS, export, twice,
};

/// The files of an export by their names, with their texts.
fn files(judge: &Judge, place: &str) -> BTreeMap<String, String> {
    fn add(folder: &Path, above: &str, found: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let name = format!("{above}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                add(&entry.path(), &format!("{name}/"), found)
            } else {
                drop(found.insert(
                    name,
                    String::from_utf8(fs::read(entry.path()).unwrap()).unwrap(),
                ))
            }
        }
    }
    let mut found = BTreeMap::new();
    add(&judge.path(place), "", &mut found);
    found
}

/// The value of a key: the rest of the first line that starts with the key and the
/// separator.
fn value_of<'t>(text: &'t str, key: &str, between: &str) -> Option<&'t str> {
    text.lines()
        .find_map(|line| line.strip_prefix(&format!("{key}{between}")))
        .map(str::trim)
}

/// Everything in an export that DOMjudge would refuse or lose.
fn refusals(files: &BTreeMap<String, String>) -> Vec<String> {
    let mut refusals = vec![];
    let yaml = files.get("problem.yaml").map_or("", String::as_str);
    refusals.extend(time_limits(files, yaml));
    let validation = value_of(yaml, "validation", ":").unwrap_or("default");
    if ![
        "default",
        "custom",
        "custom interactive",
        "custom multi-pass",
    ]
    .contains(&validation)
    {
        refusals.push(format!("no way to validate: {validation}"));
    }
    // DOMjudge splits the text at blanks; a list would be an error in PHP.
    let types = value_of(yaml, "type", ":")
        .unwrap_or("pass-fail")
        .split(' ');
    let known = ["pass-fail", "scoring", "interactive", "multi-pass"];
    refusals.extend(
        types
            .filter(|word| !known.contains(word))
            .map(|word| format!("no such type: {word}")),
    );
    let flags = value_of(yaml, "validator_flags", ":").unwrap_or_default();
    if flags.contains("  ") {
        refusals.push(format!("empty arguments: {flags}"));
    }
    for (tag, is_needed) in [("input", false), ("output", validation != "default")] {
        refusals.extend(validators(files, tag, is_needed));
    }
    refusals.extend(files.iter().filter_map(|(name, text)| group(name, text)));
    refusals.extend(
        files
            .keys()
            .filter(|name| {
                name.strip_suffix(".in")
                    .is_some_and(|stem| !files.contains_key(&format!("{stem}.ans")))
            })
            .map(|name| format!("no answer: {name}")),
    );
    refusals.extend(
        files
            .iter()
            .filter_map(|(name, text)| submission(name, text)),
    );
    let mut attached = BTreeSet::new();
    let attachments = files.keys().filter(|name| name.starts_with("attachments/"));
    let lost = attachments
        .filter(|name| !attached.insert(name.rsplit('/').next().unwrap().to_owned()));
    refusals.extend(lost.map(|name| format!("takes the place of another: {name}")));
    refusals
}

/// The time limit must be a number, and the same in all files that have it.
fn time_limits(files: &BTreeMap<String, String>, yaml: &str) -> Option<String> {
    let ini = files
        .get("domjudge-problem.ini")
        .and_then(|ini| value_of(ini, "timelimit", " = "));
    let hidden = files.get(".timelimit").map(|text| text.trim());
    let limit = value_of(yaml, "  time_limit", ":");
    let all: Vec<_> = [ini, hidden, limit].into_iter().flatten().collect();
    let numbers: Vec<Option<f64>> =
        all.iter().map(|text| text.parse().ok()).collect();
    let is_one = numbers
        .iter()
        .all(|number| number.is_some() && *number == numbers[0]);
    (!is_one).then(|| format!("time limits: {all:?}"))
}

/// All files of validators of a kind must be in the folder of the first; only their
/// names without folders are kept.
fn validators(
    files: &BTreeMap<String, String>,
    tag: &str,
    is_needed: bool,
) -> Option<String> {
    let own: Vec<_> = files
        .keys()
        .filter(|name| name.starts_with(&format!("{tag}_validator")))
        .collect();
    let Some(first) = own.first() else {
        return is_needed.then(|| format!("no {tag} validator"));
    };
    let folder = &first[..=first.rfind('/').unwrap()];
    let names: BTreeSet<_> = own
        .iter()
        .map(|name| name.rsplit('/').next().unwrap())
        .collect();
    let is_one =
        own.iter().all(|name| name.starts_with(folder)) && names.len() == own.len();
    (!is_one).then(|| format!("several {tag} validators: {own:?}"))
}

/// The settings of a group must not be empty, and points must be numbers that are not
/// negative.
fn group(name: &str, text: &str) -> Option<String> {
    if !name.ends_with("/testdata.yaml") && !name.ends_with("/test_group.yaml") {
        return None;
    }
    let is_points =
        |text: &str| text.parse::<f64>().is_ok_and(|points| points >= 0.0);
    let ends: Vec<_> = value_of(text, "range", ":")
        .unwrap_or("0 0")
        .split(' ')
        .collect();
    let flags = value_of(text, "grader_flags", ":")
        .unwrap_or("sum")
        .split(' ');
    let is_sound = !text.trim().is_empty()
        && value_of(text, "accept_score", ":").is_none_or(is_points)
        && ends.len() == 2
        && ends.iter().all(|end| is_points(end))
        && flags.into_iter().all(|flag| {
            ["sum", "min", "max", "avg", "ignore_sample"].contains(&flag)
        });
    (!is_sound).then(|| format!("{name}: {text:?}"))
}

/// Submissions must be one or two levels deep, and only those in `mixed` have an
/// `@EXPECTED_RESULTS@` tag, exactly one.
fn submission(name: &str, text: &str) -> Option<String> {
    let parts: Vec<_> = name.strip_prefix("submissions/")?.split('/').collect();
    let verdicts = [
        "accepted",
        "wrong_answer",
        "time_limit_exceeded",
        "run_time_error",
        "output_limit",
        "compiler_error",
    ];
    let tags = text.matches("@EXPECTED_RESULTS@").count();
    let is_sound = match parts[0] {
        "mixed" => tags == 1,
        folder => verdicts.contains(&folder) && tags == 0,
    };
    (!is_sound || !(2..=3).contains(&parts.len()))
        .then(|| format!("{name}, with {tags} tags of expected results"))
}

#[test]
fn domjudge_imports_every_export_without_loss() {
    let program = "kind = \"program\"\nchecker = \"check.py\"";
    for (task, files_of_task) in [
        (
            "kind = \"tokens\"\nfloat_tolerance = 1e-6\ncase_sensitive = true"
                .to_owned(),
            vec![],
        ),
        (
            "kind = \"lines\"\n[points]\nsample = 5\nsecret = 95".to_owned(),
            vec![],
        ),
        (
            format!("{program}\narguments = [\"2\", \"3\"]"),
            vec![("check.py", CHECKER)],
        ),
        (
            "kind = \"program\"\nchecker = \"check.cpp\"\nprotocol = \"testlib\""
                .to_owned(),
            vec![("check.cpp", TESTLIB_CHECKER), ("words.h", WORDS)],
        ),
        (
            "kind = \"interactive\"\ninteractor = \"talk.py\"".to_owned(),
            vec![("talk.py", INTERACTOR)],
        ),
    ] {
        let judge = twice(&task, &files_of_task);
        judge.put("problems/twice/submissions/memory/hoards.py", RIGHT);
        judge.put("problems/twice/submissions/compile/broken.c", "int\n");
        export(&judge, "twice", "domjudge", "dj");
        let found = files(&judge, "dj");
        assert!(found.len() > 10, "{found:?}");
        assert_eq!(refusals(&found), [] as [&str; 0], "{task}");
    }
}

#[test]
fn domjudge_imports_exports_of_packages_in_another_format_without_loss() {
    let yaml = "problem_format_version: 2025-09\nname: {en: Twice}\nuuid: 3b5f\nlimits: {time_limit: 1.5, time_resolution: 0.5}\n";
    for (types, validator) in [
        ("pass-fail", None),
        ("[interactive]", Some(INTERACTOR)),
        ("[multi-pass]", Some(CHECKER)),
        ("[interactive, multi-pass]", Some(INTERACTOR)),
        ("scoring", None),
    ] {
        let judge = Judge::new();
        judge.put("one/problem.yaml", format!("{yaml}type: {types}\n"));
        for (name, points) in [("a", 40), ("b", 60)] {
            judge
                .put(format!("one/data/secret/{name}/1.in"), "1\n")
                .put(format!("one/data/secret/{name}/1.ans"), "2\n");
            if types == "scoring" {
                judge.put(
                    format!("one/data/secret/{name}/test_group.yaml"),
                    format!("max_score: {points}\n"),
                );
            }
            judge.put(
                format!("one/input_validators/{name}/check.py"),
                "raise SystemExit(42)\n",
            );
            judge.put(format!("one/attachments/{name}/given.txt"), name);
        }
        judge
            .put("one/submissions/accepted/right/main.py", RIGHT)
            .put("one/submissions/accepted/right/more.py", "");
        if let Some(validator) = validator {
            judge.put("one/output_validator/check.py", validator);
        }
        let told = export(&judge, "./one", "domjudge", "dj");
        assert_eq!(refusals(&files(&judge, "dj")), [] as [&str; 0], "{types}");
        let lost = "attachment b/given.txt is left out: DOMjudge keeps names without their folders, and has one of that name";
        assert!(told.iter().any(|line| line == lost), "{told:#?}");
    }
}
