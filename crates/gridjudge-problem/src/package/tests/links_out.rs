//! Tests that a file which is refused for what it is (a link that leads out of the
//! package) is reported once, and not also as missing.

use std::os::unix::fs::symlink;

use super::*;

/// Replaces a file by a link that leads out, and returns the mistakes of the package.
fn refused_with_link(folder: &TempDir, name: &str) -> Vec<String> {
    let path = folder.path().join("pkg").join(name);
    let _ = fs::remove_file(&path);
    symlink("/etc/passwd", &path).unwrap();
    refused(folder)
}

fn one_mistake(folder: &TempDir, name: &str) {
    let expected = format!("{name}: is a link that leads out of the package");
    assert_eq!(refused_with_link(folder, name), [expected]);
}

#[test]
fn a_file_of_a_case_that_leads_out_is_reported_once() {
    one_mistake(&with("", &[]), "data/secret/2.in");
    one_mistake(&with("", &[]), "data/secret/2.ans");
    one_mistake(
        &folder(&[("test/1.in", ""), ("test/1.out", "")]),
        "test/1.in",
    );
    let of_case = "accepted/a.py: {secret/2: {permitted: [AC]}}\n";
    let rules = [
        ("submissions/submissions.yaml", of_case),
        ("data/secret/2.files/a", ""),
    ];
    one_mistake(&with(NEW, &rules), "data/secret/2.in");
    let examples = [("data/invalid_input/1.files/a", "")];
    one_mistake(&with(NEW, &examples), "data/invalid_input/1.in");
}

#[test]
fn a_folder_that_leads_out_is_reported_once_with_all_that_would_be_in_it() {
    let pack = with(
        NEW,
        &[(
            "submissions/submissions.yaml",
            "accepted/a.py: {secret/a/*: {permitted: [AC]}}\n",
        )],
    );
    fs::remove_file(pack.path().join("pkg/data/secret/2.in")).unwrap();
    fs::remove_file(pack.path().join("pkg/data/secret/2.ans")).unwrap();
    symlink("/etc", pack.path().join("pkg/data/secret/a")).unwrap();
    assert_eq!(
        refused(&pack),
        ["data/secret/a: is a link that leads out of the package"]
    );
}

#[test]
fn what_is_hidden_is_passed_over_even_if_it_cannot_be_read() {
    let pack = with("", &[]);
    for name in [".git", "__MACOSX"] {
        // It leads to itself.
        symlink(name, pack.path().join("pkg/data").join(name)).unwrap();
    }
    assert_eq!(read(&pack).all_mistakes(), []);
}

#[test]
fn a_file_that_leads_nowhere_is_reported_once() {
    let pack = with("", &[]);
    let path = pack.path().join("pkg/data/secret/2.in");
    fs::remove_file(&path).unwrap();
    symlink("nothing", &path).unwrap();
    assert_eq!(
        refused(&pack),
        ["data/secret/2.in: is a link that leads nowhere"]
    );
}

#[test]
fn a_file_that_init_yml_names_is_reported_once() {
    let dmoj =
        |yaml: &str| folder(&[("init.yml", yaml), ("1.out", ""), ("check.cpp", "")]);
    one_mistake(
        &dmoj("test_cases:\n- {in: 1.in, out: 1.out, points: 5}\n"),
        "1.in",
    );
    one_mistake(
        &dmoj(
            "archive: data.zip\ntest_cases:\n- {in: 1.in, out: 1.out, points: 5}\n",
        ),
        "data.zip",
    );
    let bridged = "test_cases:\n- {out: 1.out, points: 5}\n\
                   checker: {name: bridged, args: {files: check.cpp, type: testlib, lang: CPP17}}\n";
    one_mistake(&dmoj(bridged), "check.cpp");
}

/// Packages of every format, without links.
fn of_every_format() -> [TempDir; 6] {
    let polygon = [("problem.xml", crate::package::polygon::tests::SPEC)];
    let dmoj = "test_cases:\n- {in: 1.in, out: 1.out, points: 5}\n";
    [
        with("", &[]),
        with(NEW, &[]),
        folder(&[&polygon[..], &crate::package::polygon::tests::FILES].concat()),
        folder(&[("init.yml", dmoj), ("1.in", "1\n"), ("1.out", "1\n")]),
        folder(&[
            ("test/1.in", ""),
            ("test/1.out", ""),
            ("test/2.in", ""),
            ("test/2.out", ""),
        ]),
        folder(&[("1.in", ""), ("1.ans", ""), ("2.in", ""), ("2.ans", "")]),
    ]
}

#[test]
fn links_that_nothing_reads_are_ignored_in_every_format() {
    let names = ["problem.pdf", "statements/english/problem.pdf", "doc", "e"];
    for pack in of_every_format() {
        let before = read(&pack);
        for (number, name) in names.into_iter().enumerate() {
            let target = if number % 2 == 0 {
                "nothing"
            } else {
                "/etc/passwd"
            };
            let path = pack.path().join("pkg").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            symlink(target, path).unwrap();
        }
        let package = read(&pack);
        assert_eq!(
            (&package.cases, &package.files),
            (&before.cases, &before.files),
            "{}",
            package.format
        );
        for name in names {
            let has = package
                .ignored()
                .iter()
                .any(|said| said.starts_with(&format!("`{name}`: is a link that")));
            assert!(has, "{} {name}: {:?}", package.format, package.ignored());
        }
    }
}

#[test]
fn links_that_matter_are_refused_in_every_format() {
    let files = [
        "data/secret/2.in",
        "submissions/accepted/a.py",
        "tests/01",
        "1.in",
        "test/1.in",
        "1.ans",
    ];
    for (pack, name) in of_every_format().into_iter().zip(files) {
        for target in ["nothing", "/etc/passwd"] {
            let path = pack.path().join("pkg").join(name);
            fs::remove_file(&path).unwrap();
            symlink(target, &path).unwrap();
            assert!(
                refused(&pack)[0]
                    .starts_with(&format!("{name}: is a link that leads ")),
                "{name}"
            );
        }
    }
}
