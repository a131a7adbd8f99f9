//! Tests of reading Polygon packages, and of what is refused.

use std::fs;
use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;

use crate::mistake::Mistake;
use crate::model::{
    CheckerProtocol, CheckerTask, FileStreams, JudgingProgramKind, Task,
};
use crate::package::{Package, PackageFormat};

pub(in crate::package) const SPEC: &str = r#"<?xml version="1.0" encoding="utf-8" standalone="no"?>
<problem revision="3" short-name="twice" url="https://example.org/p/twice">
  <names><name language="russian" value="Два"/><name language="english" value="Twice"/></names>
  <judging cpu-name="x" input-file="" output-file="" run-count="1">
    <testset name="pretests"><test-count>1</test-count></testset>
    <testset name="tests">
      <time-limit>1500</time-limit>
      <memory-limit>268435456</memory-limit>
      <test-count>2</test-count>
      <input-path-pattern>tests/%02d</input-path-pattern>
      <answer-path-pattern>tests/%02d.a</answer-path-pattern>
      <tests>
        <test method="manual" sample="true"/>
        <test cmd="gen 10 20" method="generated"/>
      </tests>
    </testset>
  </judging>
  <assets>
    <checker name="std::ncmp.cpp" type="testlib">
      <source path="files/check.cpp" type="cpp.g++17"/>
      <binary path="check.exe" type="exe.win32"/>
    </checker>
    <validators><validator/></validators>
    <solutions>
      <solution tag="main"><source path="solutions/right.py" type="python.3"/></solution>
      <solution tag="time-limit-exceeded-or-accepted"><source path="solutions/slow.py" type="python.3"/></solution>
      <solution tag="do-not-run"><source path="solutions/never.py" type="python.3"/></solution>
    </solutions>
  </assets>
</problem>
"#;

pub(in crate::package) const FILES: [(&str, &str); 8] = [
    ("tests/01", "1\n"),
    ("tests/01.a", "2\n"),
    ("tests/02", "4\n"),
    ("tests/02.a", "8\n"),
    ("files/check.cpp", "int main() {}\n"),
    ("solutions/right.py", ""),
    ("solutions/slow.py", ""),
    ("solutions/never.py", ""),
];

pub(super) fn package(spec: &str, files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("problem.xml", spec)].iter().chain(files) {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

pub(super) fn shown(folder: &Path, mistakes: &[Mistake]) -> Vec<String> {
    mistakes
        .iter()
        .map(ToString::to_string)
        .map(|text| text.replace(&format!("{}/", folder.display()), ""))
        .collect()
}

/// Returns the mistakes of a package of this `problem.xml`.
pub(super) fn refused(spec: &str) -> Vec<String> {
    let folder = package(spec, &FILES);
    shown(folder.path(), &Package::read(folder.path()).unwrap_err().0)
}

/// Returns the unsupported features that a package of this `problem.xml` needs.
pub(super) fn needs(spec: &str) -> Vec<String> {
    let folder = package(spec, &FILES);
    shown(
        folder.path(),
        Package::read(folder.path()).unwrap().unsupported(),
    )
    .iter()
    .map(|need| need.replace(", which gridjudge does not judge yet", ""))
    .collect()
}

#[test]
fn a_package_is_read_with_its_limits_cases_and_solutions() {
    let folder = package(SPEC, &FILES);
    let package = Package::read(folder.path()).unwrap();
    assert_eq!(package.format, PackageFormat::Polygon);
    assert_eq!(package.name.as_deref(), Some("Twice"));
    assert_eq!(package.time_limit(), Duration::from_millis(1500));
    assert_eq!(
        (package.limits.memory_bytes, package.time_rule()),
        (256 << 20, None)
    );
    let Task::Checker(checker) = &package.task else {
        panic!("{:?}", package.task)
    };
    assert_eq!(checker.source, folder.path().join("files/check.cpp"));
    assert_eq!(checker.protocol, CheckerProtocol::Testlib);
    let cases: Vec<_> = package
        .cases
        .iter()
        .map(|case| case.name.as_str())
        .collect();
    assert_eq!(cases, ["tests/01", "tests/02"]);
    assert_eq!(package.cases[1].answer, folder.path().join("tests/02.a"));
    let submissions = package
        .submissions
        .iter()
        .map(|one| format!("{} {}", one.name, one.expected));
    assert_eq!(
        submissions.collect::<Vec<_>>(),
        ["right.py AC", "slow.py TLE or ILE or AC"]
    );
    assert_eq!(
        package.left_out[0].reason,
        "its tag `do-not-run` says nothing of what is expected of it"
    );
    assert_eq!(
        package.ignored(),
        ["the tests of `pretests`: only one set judges"]
    );
    let not_run = (
        "of the package".to_owned(),
        "`<validator>` names no source".to_owned(),
    );
    assert_eq!(package.validation.not_run, [not_run]);
    assert_eq!(package.unsupported(), []);
    assert_eq!(package.missing_answers(), []);
}

#[test]
fn missing_tests_without_a_generator_and_missing_answers_are_reported() {
    let spec = SPEC.replace("<test-count>2<", "<test-count>4<");
    assert_eq!(
        refused(&spec),
        [
            "problem.xml:6: 2 of 4 tests are not in the package, the first is `tests/03`"
        ]
    );
    let files: Vec<_> = FILES
        .into_iter()
        .filter(|file| file.0 != "tests/02.a")
        .collect();
    let folder = package(SPEC, &files);
    let package = Package::read(folder.path()).unwrap();
    assert_eq!(
        shown(folder.path(), package.missing_answers()),
        ["tests/02: the test has no answer next to it"]
    );
}

#[test]
fn all_mistakes_are_reported_at_once_with_their_line() {
    let spec = SPEC
        .replace(
            "<time-limit>1500</time-limit>",
            "<time-limit>1.5s</time-limit>",
        )
        .replace("<memory-limit>268435456</memory-limit>", "")
        .replace("tests/%02d.a", "tests/%s.a")
        .replace("files/check.cpp", "files/other.cpp")
        .replace("solutions/slow.py", "../../etc/passwd");
    assert_eq!(
        refused(&spec),
        [
            "problem.xml:7: `<time-limit>` must be milliseconds, found `1.5s`",
            "problem.xml:6: `<testset>` lacks `<memory-limit>`",
            "problem.xml:6: `<answer-path-pattern>` must be a name with `%d` or `%02d` in it, found `tests/%s.a`",
            "problem.xml:19: `files/other.cpp` of `<checker>` is not in the package",
            "problem.xml:26: `../../etc/passwd` of `<solution>` is not in the package",
        ]
    );
    let twice = SPEC.replace("solutions/slow.py", "solutions/right.py");
    assert_eq!(
        refused(&twice),
        ["problem.xml:18: two solutions are the file `right.py`"]
    );
    let none = SPEC
        .replace("<checker ", "<x ")
        .replace("</checker>", "</x>");
    assert_eq!(
        refused(&none),
        ["problem.xml:2: the package names no checker (`<checker>` in `<assets>`)"]
    );
}

#[test]
fn unsupported_features_are_reported_with_their_line() {
    let spec = SPEC
        .replace("run-count=\"1\"", "run-count=\"2\"")
        .replace("sample=\"true\"", "sample=\"true\" points=\"5.0\"")
        .replace("<assets>", "<assets><interactor type=\"other\"/>");
    assert_eq!(
        needs(&spec),
        [
            "problem.xml:4: the package needs several runs on each test (`run-count=\"2\"`)",
            "problem.xml:18: the package needs an interactor of type `other`",
        ]
    );
    let other = SPEC.replace("type=\"testlib\"", "type=\"other\"");
    assert_eq!(
        needs(&other),
        ["problem.xml:19: the package needs a checker of type `other`"]
    );
}

#[test]
fn programs_may_read_and_write_files_whose_names_have_no_folders() {
    let streams = |input: &str, output: &str| {
        SPEC.replace(
            "input-file=\"\" output-file=\"\"",
            &format!("input-file=\"{input}\" output-file=\"{output}\""),
        )
    };
    let read = |input: &str, output: &str| {
        let package =
            Package::read(package(&streams(input, output), &FILES).path()).unwrap();
        (package.file_streams.input, package.file_streams.output)
    };
    assert_eq!(read("in.txt", "stdout"), (Some("in.txt".into()), None));
    assert_eq!(read("stdin", "sum.out"), (None, Some("sum.out".into())));
    assert_eq!(
        refused(&streams("../in.txt", "a\\b")),
        [
            "problem.xml:4: `input-file` is `../in.txt`, which is not a valid file name",
            "problem.xml:4: `output-file` is `a\\b`, which is not a valid file name",
        ]
    );
    assert_eq!(
        refused(&streams("a", "a")),
        ["problem.xml:4: programs are to read and to write the same file"]
    );
    // Programs use the standard streams with an interactor.
    let talks =
        talking("files/talk.cpp").replace("input-file=\"\"", "input-file=\"in.txt\"");
    let folder = package(
        &talks,
        &[&FILES[..], &[("files/talk.cpp", "int main() {}\n")]].concat(),
    );
    assert_eq!(
        Package::read(folder.path()).unwrap().file_streams,
        FileStreams::default()
    );
}

/// Returns the `problem.xml` of a package with an interactor of this source.
fn talking(source: &str) -> String {
    SPEC.replace(
        "<assets>",
        &format!("<assets><interactor><source path=\"{source}\"/></interactor>"),
    )
}

#[test]
fn the_checker_judges_what_the_interactor_has_written() {
    let folder = package(
        &talking("files/talk.cpp"),
        &[&FILES[..], &[("files/talk.cpp", "int main() {}\n")]].concat(),
    );
    let package = Package::read(folder.path()).unwrap();
    assert_eq!(package.unsupported(), []);
    let Task::Checker(interactor) = &package.task else {
        panic!("{:?}", package.task)
    };
    let Some(checker) = &interactor.final_checker else {
        panic!("{interactor:?}")
    };
    let shown = |task: &CheckerTask| {
        (
            task.kind,
            task.source.clone(),
            task.protocol,
            task.limits.clone(),
        )
    };
    let expected = |kind, name| {
        (
            kind,
            folder.path().join(name),
            CheckerProtocol::Testlib,
            interactor.limits.clone(),
        )
    };
    assert_eq!(
        shown(interactor),
        expected(JudgingProgramKind::Interactor, "files/talk.cpp")
    );
    assert_eq!(
        shown(checker),
        expected(JudgingProgramKind::FinalChecker, "files/check.cpp")
    );
    assert_eq!(
        refused(&talking("files/other.cpp")),
        ["problem.xml:18: `files/other.cpp` of `<interactor>` is not in the package"]
    );
}

#[test]
fn shared_headers_are_those_directly_in_the_folder_files() {
    let more = [
        ("files/testlib.h", ""),
        ("files/deep/other.h", ""),
        ("solutions/own.h", ""),
        ("grid.h", ""),
    ];
    let folder = package(SPEC, &[&FILES[..], &more].concat());
    let headers = Package::read(folder.path()).unwrap().shared_headers();
    assert_eq!(headers, [folder.path().join("files/testlib.h")]);
}

#[test]
fn problems_of_two_runs_are_unsupported_in_each_notation() {
    let twice = "problem.xml:4: the package needs several runs on each test (`run-count=\"2\"`)";
    let count = |spec: &str, count: &str| spec.replace(" run-count=\"1\"", count);
    assert_eq!(needs(&count(SPEC, " run-count=\"2\"")), [twice]);
    let tagged = SPEC.replace(
        "</problem>",
        "<tags><tag value=\"run-twice\"/></tags></problem>",
    );
    assert_eq!(
        needs(&count(&tagged, "")),
        [
            "problem.xml:30: the package needs several runs on each test (`<tag value=\"run-twice\">`)"
        ]
    );
    // `run-count` is newer than the tag and takes precedence.
    assert_eq!(needs(&tagged), [] as [&str; 0]);
    let runs = |runs: &str| {
        talking("files/check.cpp")
            .replace("</interactor>", &format!("{runs}</interactor>"))
    };
    assert_eq!(
        needs(&runs("<runs><run>1</run><run>2</run></runs>")),
        ["problem.xml:18: the package needs several runs on each test (`<runs>`)"]
    );
    assert_eq!(needs(&runs("<runs><run>1</run></runs>")), [] as [&str; 0]);
}

#[test]
fn hostile_xml_is_refused() {
    let entities = "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">]><problem>&b;</problem>";
    let file = "<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><problem>&a;</problem>";
    for text in [entities, file] {
        assert!(
            refused(text)[0].starts_with("problem.xml:1: is not XML: "),
            "{:?}",
            refused(text)
        );
    }
    let deep = format!("{}{}", "<a>".repeat(200_000), "</a>".repeat(200_000));
    assert_eq!(refused(&deep).len(), 1);
    let many = format!("<problem>{}</problem>", "<a/>".repeat(1_000_001));
    assert_eq!(refused(&many).len(), 1);
    assert_eq!(
        refused("<contest/>"),
        [
            "problem.xml:1: is not a problem of Polygon: `<contest>` holds no `<judging>`"
        ]
    );
    assert_eq!(refused("").len(), 1);
}

#[test]
fn solutions_in_python_2_are_left_out_by_their_type() {
    let spec = SPEC
        .replace("slow.py\" type=\"python.3\"", "slow.py\" type=\"python.2\"")
        .replace(
            "right.py\" type=\"python.3\"",
            "right.py\" type=\"python.pypy3\"",
        );
    let package = Package::read(package(&spec, &FILES).path()).unwrap();
    assert_eq!(
        package
            .submissions
            .iter()
            .map(|one| one.name.as_str())
            .collect::<Vec<_>>(),
        ["right.py"]
    );
    let left_out = package
        .left_out
        .iter()
        .map(|one| format!("{}: {}", one.name, one.reason));
    assert_eq!(
        left_out.collect::<Vec<_>>()[0],
        "slow.py: it is in Python 2, which is not a language of this judge"
    );
}

#[test]
fn a_file_that_problem_xml_names_and_that_leads_out_is_reported_once() {
    for name in ["files/check.cpp", "solutions/right.py", "tests/01"] {
        let folder = package(SPEC, &FILES);
        fs::remove_file(folder.path().join(name)).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join(name)).unwrap();
        let mistakes = Package::read(folder.path()).unwrap_err().0;
        let expected = format!("{name}: is a link that leads out of the package");
        assert_eq!(shown(folder.path(), &mistakes), [expected]);
    }
}
