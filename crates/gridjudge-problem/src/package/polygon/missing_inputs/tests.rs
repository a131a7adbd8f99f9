//! Tests of finding the generators of tests that are not in a Polygon package, and of
//! tests without one.

use std::path::Path;

use crate::package::polygon::tests::{FILES, SPEC, package, shown};
use crate::package::{Package, RemarkKind};

/// The element of the second test of the package, which is generated.
const GENERATED: &str = r#"<test cmd="gen 10 20" method="generated"/>"#;

/// Reads the package as a standard one: without the generated test, with these tests in
/// its place, these executables, and more files. The paths of its missing tests are
/// relative to its root.
fn standard(
    tests: &str,
    files: &str,
    more: &[(&str, &str)],
) -> Result<Package, Vec<String>> {
    let count = 1 + tests.matches("<test ").count();
    let spec = SPEC
        .replace(GENERATED, tests)
        .replace("<test-count>2<", &format!("<test-count>{count}<"))
        .replace(
            "<assets>",
            &format!("<files><executables>{files}</executables></files><assets>"),
        )
        .replace("<validators><validator/></validators>", "");
    let kept = FILES
        .into_iter()
        .filter(|file| !file.0.starts_with("tests/02"));
    let folder =
        package(&spec, &kept.chain(more.iter().copied()).collect::<Vec<_>>());
    let read = Package::read(folder.path());
    let mut package = read.map_err(|mistakes| shown(folder.path(), &mistakes.0))?;
    for test in &mut package.missing_tests {
        let paths = [
            &mut test.case.input,
            &mut test.case.answer,
            &mut test.command.source,
        ];
        for path in paths {
            *path = path.strip_prefix(folder.path()).unwrap().to_owned()
        }
    }
    Ok(package)
}

const GENERATOR: &str =
    r#"<executable><source path="files/gen.cpp" type="cpp.g++17"/></executable>"#;
const SOURCE: (&str, &str) = ("files/gen.cpp", "int main() {}\n");

#[test]
fn a_generated_test_is_found_with_its_generator_and_arguments() {
    let package = standard(GENERATED, GENERATOR, &[SOURCE]).unwrap();
    assert_eq!(package.cases.len(), 1);
    assert_eq!(package.cases[0].name, "tests/01");
    let [test] = &package.missing_tests[..] else {
        panic!("{:?}", package.missing_tests)
    };
    assert_eq!(test.case.name, "tests/02");
    assert_eq!(
        [&test.case.input, &test.case.answer],
        [Path::new("tests/02"), Path::new("tests/02.a")]
    );
    assert_eq!(
        (test.command.text.as_str(), test.command.source.to_str()),
        ("gen 10 20", Some("files/gen.cpp"))
    );
    assert_eq!(
        (&test.command.arguments[..], &test.command.output_file),
        (&["10".to_owned(), "20".to_owned()][..], &None)
    );
    let mistake = &package.remarks.of_kind(RemarkKind::MissingTests)[0];
    assert_eq!(
        (mistake.line, mistake.message.as_str()),
        (
            Some(14),
            "1 of 2 tests is not in the package, the first is `tests/02`, which `gen 10 20` makes"
        )
    );
}

#[test]
fn tests_of_one_command_differ_by_the_files_that_it_writes() {
    let tests = r#"<test cmd="gen.cpp 'a b'" from-file="3" group="big" method="generated"/>
        <test cmd="gen 'a b'" from-file="x.in" method="generated"/>"#;
    let missing = standard(tests, GENERATOR, &[SOURCE]).unwrap().missing_tests;
    let files: Vec<_> = missing
        .iter()
        .map(|test| test.command.output_file.as_deref())
        .collect();
    assert_eq!(files, [Some("3"), Some("x.in")]);
    assert!(missing.iter().all(|test| test.command.arguments == ["a b"]));
    for name in ["../x", "/etc/passwd", "..", "a/b"] {
        let wrong = tests.replace("x.in", name);
        assert_eq!(
            standard(&wrong, GENERATOR, &[SOURCE]).unwrap_err(),
            [format!(
                "problem.xml:15: `from-file` of `tests/03` must be the name of a file, found `{name}`"
            )]
        );
    }
}

#[test]
fn a_test_without_a_generator_is_a_mistake_reported_once_for_each_generator() {
    let lost = r#"<test method="manual"/>"#;
    assert_eq!(
        standard(lost, GENERATOR, &[SOURCE]).unwrap_err(),
        [
            "problem.xml:14: 1 of 2 tests is not in the package, the first is `tests/02`"
        ]
    );
    let tests = r#"<test cmd="other 1" method="generated"/><test cmd="other 2"/>
        <test cmd="gen 1"/><test cmd="gen 2"/><test method="manual"/><test cmd="gen &gt; 5"/>"#;
    assert_eq!(
        standard(tests, GENERATOR, &[]).unwrap_err(),
        [
            "problem.xml:15: 1 of 7 tests is not in the package, the first is `tests/06`",
            "problem.xml:14: `tests/02` is made by `other`, of which `<executables>` names no source",
            "problem.xml:19: `files/gen.cpp` of `<executable>` is not in the package",
            "problem.xml:15: the command `gen > 5` of `tests/07` redirects what it prints, as scripts of tests do and single tests do not",
        ]
    );
}

#[test]
fn validators_are_required_only_if_tests_are_generated() {
    let folder = package(SPEC, &FILES);
    assert_eq!(Package::read(folder.path()).unwrap().missing_tests, []);
    let kept: Vec<_> = FILES
        .into_iter()
        .filter(|file| file.0 != "tests/02")
        .chain([SOURCE])
        .collect();
    let spec = SPEC.replace(
        "<assets>",
        &format!("<files><executables>{GENERATOR}</executables></files><assets>"),
    );
    let folder = package(&spec, &kept);
    let refused = Package::read(folder.path()).unwrap_err().0;
    assert_eq!(
        shown(folder.path(), &refused),
        ["problem.xml:23: `<validator>` names no source"]
    );
    let spec = spec.replace(
        "<validator/>",
        "<validator><source path=\"files/gen.cpp\"/></validator>",
    );
    let folder = package(&spec, &kept);
    let Package {
        missing_tests: missing,
        validation,
        ..
    } = Package::read(folder.path()).unwrap();
    assert_eq!(
        validation.input_validators[0].files[0].path,
        folder.path().join("files/gen.cpp")
    );
    assert_eq!(
        validation.arguments("gen.cpp", "tests/02"),
        ["--testset", "tests", "--group", ""]
    );
    // The answer of a test without an input is not an error, and no answer is reported
    // missing before there is an input.
    assert_eq!(missing.len(), 1);
}

#[test]
fn points_stay_with_their_tests_if_others_are_missing() {
    let tests = r#"<test cmd="gen 1" points="30"/><test cmd="gen 2" points="70"/>"#;
    let count = SPEC
        .replace(GENERATED, tests)
        .replace("<test-count>2<", "<test-count>3<");
    let spec = count
        .replace(
            "<assets>",
            &format!("<files><executables>{GENERATOR}</executables></files><assets>"),
        )
        .replace("<validators><validator/></validators>", "");
    let files: Vec<_> = FILES
        .into_iter()
        .filter(|file| file.0 != "tests/02")
        .chain([SOURCE, ("tests/03", "7\n"), ("tests/03.a", "14\n")])
        .collect();
    let package = Package::read(package(&spec, &files).path()).unwrap();
    let worth: Vec<_> = package
        .scoring
        .groups
        .iter()
        .map(|group| group.case.accepted.to_string())
        .collect();
    assert_eq!(worth, ["0", "0", "30", "70"]);
    assert_eq!(package.scoring.members["tests/03"], 3);
}
