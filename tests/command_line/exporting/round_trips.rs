//! Round trips: a package that is exported to another format and back has the same
//! content.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use gridjudge::model::{Task, TextTask};
use gridjudge::package::Package;

use super::{CHECKER, INTERACTOR, Judge, RIGHT, TARGETS, WRONG, export};

const CRASH: &str = "raise SystemExit(3)\n";

/// The content of a package, independent of its place and its format.
#[derive(Debug, PartialEq)]
struct Content {
    name: Option<String>,
    source: Option<String>,
    /// How outputs are judged, and the source of the checker, if any.
    task: (Task, Vec<u8>),
    limits: Vec<String>,
    cases: Vec<(String, Vec<u8>, Vec<u8>)>,
    submissions: BTreeMap<String, (String, Vec<Vec<u8>>)>,
    includes: Vec<(String, Vec<u8>)>,
    validators: Vec<String>,
    uuid: Option<String>,
    authors: Vec<String>,
    license: Option<String>,
    keywords: Vec<String>,
}

fn bytes(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap()
}

fn content(judge: &Judge, place: &str) -> Content {
    let package = Package::read(&judge.path(place)).unwrap();
    assert!(
        package.unsupported().is_empty(),
        "{:?}",
        package.unsupported()
    );
    let mut task = package.task.clone();
    let program = match &mut task {
        Task::Checker(checker) => {
            // Where it works depends on the format.
            checker.sees_submission = false;
            bytes(&std::mem::take(&mut checker.source))
        }
        Task::Text(TextTask::Tokens(rules)) => {
            // And so does how exactly numbers are compared.
            let is_for_domjudge =
                judge.path(place).join("domjudge-problem.ini").exists();
            assert_eq!(
                std::mem::take(&mut rules.for_domjudge),
                is_for_domjudge && rules.absolute_tolerance.is_some()
            );
            vec![]
        }
        _ => vec![],
    };
    let limits = &package.limits;
    let submission = |one: &gridjudge::package::PackageSubmission| {
        // The newer format counts too much output as a wrong answer.
        let expected = one.expected.to_string().replace("WA or OLE", "WA");
        (
            one.name.clone(),
            (
                expected,
                one.files.iter().map(|file| bytes(&file.path)).collect(),
            ),
        )
    };
    let included = package.includes.iter().flat_map(|(language, files)| {
        files
            .iter()
            .map(move |file| (format!("{language}/{}", file.name), bytes(&file.path)))
    });
    Content {
        task: (task, program),
        limits: vec![
            format!(
                "{:?} {} {}",
                limits.time, limits.memory_bytes, limits.output_bytes
            ),
            format!(
                "{} {:?} {}",
                limits.code_bytes, limits.compile_time, limits.compile_memory_bytes
            ),
        ],
        cases: package
            .cases
            .iter()
            .map(|one| (one.name.clone(), bytes(&one.input), bytes(&one.answer)))
            .collect(),
        submissions: package.submissions.iter().map(submission).collect(),
        includes: included.collect(),
        validators: package
            .validation
            .input_validators
            .iter()
            .map(|program| program.name.clone())
            .collect(),
        uuid: package.credits.uuid,
        authors: package.credits.authors,
        license: package.credits.license,
        keywords: package.credits.keywords,
        name: package.name,
        source: package.source,
    }
}

const UUID: &str = "8ee7605a-7d66-4a4f-9a5a-0a0e2d3f3b7f";

/// A package of this `problem.yaml`, with these further files.
fn package(yaml: &str, files: &[(&str, &str)]) -> Judge {
    let judge = Judge::new();
    judge.put("one/problem.yaml", yaml);
    for (name, input, answer) in [
        ("sample/1", "1\n", "2\n"),
        ("secret/a/2", "5\n", "10\n"),
        ("secret/b/1", "6\n", "12\n"),
    ] {
        judge
            .put(format!("one/data/{name}.in"), input)
            .put(format!("one/data/{name}.ans"), answer);
    }
    for (name, text) in [
        ("submissions/accepted/right.py", RIGHT),
        ("submissions/wrong_answer/wrong.py", WRONG),
        ("submissions/run_time_error/crash/main.py", CRASH),
        ("submissions/run_time_error/crash/more.py", ""),
        ("include/python3/given.py", "x = 1\n"),
        ("input_validators/check.py", "raise SystemExit(42)\n"),
        ("attachments/given.txt", "given\n"),
    ]
    .iter()
    .chain(files)
    {
        judge.put(format!("one/{name}"), text);
    }
    judge
}

const LEGACY: &str = "name: Twice\nauthor: Ada Lovelace, Alan Turing\nsource: A Contest\nlicense: cc by-sa\nkeywords: easy numbers\n\
    limits:\n  memory: 128\n  output: 3\n  code: 64\n  compilation_time: 20\n  validation_time: 7\n";
const NEW: &str = "problem_format_version: 2025-09\nname: {en: Twice}\ncredits: {authors: [Ada Lovelace, {name: Alan Turing}]}\n\
    source: A Contest\nlicense: cc by-sa\nkeywords: [easy, numbers]\n\
    limits: {time_limit: 1.5, time_resolution: 0.5, memory: 128, output: 3, code: 64, compilation_time: 20, validation_time: 7}\n";

#[test]
fn a_package_is_the_same_in_another_format_and_back_again() {
    let legacy = format!("uuid: {UUID}\n{LEGACY}");
    let new = format!("uuid: {UUID}\n{NEW}");
    for (yaml, files) in [
        (
            format!("{legacy}validator_flags: float_tolerance 1e-4\n"),
            vec![(".timelimit", "1.5\n")],
        ),
        (
            format!("{legacy}validation: custom\nvalidator_flags: '3'\n"),
            vec![
                (".timelimit", "1.5\n"),
                ("output_validators/check/check.py", CHECKER),
            ],
        ),
        (
            format!("{legacy}validation: custom interactive\n"),
            vec![
                (".timelimit", "1.5\n"),
                ("output_validators/check/talk.py", INTERACTOR),
            ],
        ),
        (
            new.clone(),
            vec![
                (
                    "data/secret/test_group.yaml",
                    "output_validator_args: [case_sensitive]\n",
                ),
                (
                    "data/sample/test_group.yaml",
                    "output_validator_args: [case_sensitive]\n",
                ),
            ],
        ),
        (
            format!("{new}type: interactive\n"),
            vec![("output_validator/talk.py", INTERACTOR)],
        ),
    ] {
        let judge = package(&yaml, &files);
        let before = content(&judge, "one");
        for target in TARGETS {
            export(&judge, "./one", target, &format!("to-{target}"));
            assert_eq!(
                content(&judge, &format!("to-{target}")),
                before,
                "{yaml}: {target}"
            );
            assert_eq!(
                judge.read(&format!("to-{target}/attachments/given.txt")),
                "given\n"
            );
            for back in TARGETS {
                let place = format!("{back}-of-{target}");
                export(&judge, &format!("./to-{target}"), back, &place);
                assert_eq!(
                    content(&judge, &place),
                    before,
                    "{yaml}: {target}, {back}"
                );
            }
        }
    }
}

#[test]
fn several_expected_verdicts_are_kept_if_the_format_can_express_them() {
    let files = [
        (
            "submissions/mixed/some.py",
            "pass # @EXPECTED_RESULTS@: TIMELIMIT, WRONG-ANSWER\n",
        ),
        (
            "submissions/mixed/other.py",
            "pass # @EXPECTED_RESULTS@: CORRECT, TIMELIMIT\n",
        ),
    ];
    let judge = package(&format!("uuid: {UUID}\n{LEGACY}"), &files);
    let before = content(&judge, "one");
    let told = export(&judge, "./one", "kattis-2025-09", "new");
    assert!(!told.iter().any(|line| line.contains("mixed/")), "{told:?}");
    assert!(judge.read("new/submissions/submissions.yaml").contains(
        "\"mixed/some.py\": {permitted: [AC, WA, TLE], required: [WA, TLE]}"
    ));
    let expected = |content: &Content, name: &str| {
        let mut words: Vec<_> = content.submissions[name]
            .0
            .split(" or ")
            .map(str::to_owned)
            .collect();
        words.sort();
        words.retain(|word| word != "OLE");
        words
    };
    let after = content(&judge, "new");
    for name in ["mixed/some.py", "mixed/other.py"] {
        assert_eq!(expected(&after, name), expected(&before, name), "{name}");
    }
}

#[test]
fn the_expected_verdicts_of_a_perl_source_are_written_as_a_perl_comment() {
    let files = [
        ("submissions/mixed/odd.pl", "print 2 * <STDIN>;\n"),
        (
            "submissions/submissions.yaml",
            "mixed/odd.pl: {permitted: [AC, TLE]}\n",
        ),
    ];
    let judge = package(&format!("uuid: {UUID}\n{NEW}"), &files);
    export(&judge, "./one", "domjudge", "dj");
    let tagged = judge.read("dj/submissions/mixed/odd.pl");
    assert_eq!(
        tagged,
        "print 2 * <STDIN>;\n\n# @EXPECTED_RESULTS@: CORRECT, TIMELIMIT\n"
    );
}

#[test]
fn domjudge_gets_the_input_validators_of_one_folder_and_the_others_are_reported() {
    let files = [
        ("input_validators/a/check.py", "raise SystemExit(42)\n"),
        ("input_validators/b/check.py", "raise SystemExit(42)\n"),
    ];
    let judge = package(&format!("uuid: {UUID}\n{NEW}"), &files);
    fs::remove_file(judge.path("one/input_validators/check.py")).unwrap();
    let told = export(&judge, "./one", "domjudge", "dj");
    let left_out =
        "DOMjudge takes one input validator: left out: input_validators/b/check.py";
    assert!(told.iter().any(|line| line == left_out), "{told:#?}");
    assert!(judge.path("dj/input_validators/a/check.py").is_file());
    assert!(!judge.path("dj/input_validators/b").exists());
    export(&judge, "./one", "kattis-legacy", "old");
    assert!(judge.path("old/input_validators/b/check.py").is_file());
}

#[test]
fn files_that_another_format_has_no_place_for_are_reported_as_left_out() {
    let files = [
        ("generators/gen.py", ""),
        ("data/secret/a/2.note", "think\n"),
        ("solution/solution.en.md", ""),
    ];
    let judge = package(&format!("uuid: {UUID}\n{LEGACY}"), &files);
    let told = export(&judge, "./one", "kattis-2025-09", "new");
    for expected in [
        "left out: generators/, solution/",
        "files `.note` in `data/` are left out: kattis-2025-09 has no such files",
    ] {
        assert!(told.iter().any(|line| line == expected), "{told:#?}");
    }
    // Nothing is left out of its own format.
    let told = export(&judge, "./one", "kattis-legacy", "old");
    assert!(told.is_empty(), "{told:?}");
    assert_eq!(judge.read("old/data/secret/a/2.note"), "think\n");
}
