//! The readers of packages, in each of which one file is mutated and the others are as
//! they should be.

use std::fs;
use std::path::Path;

use gridjudge::export::{Export, ExportTarget, write_export};
use gridjudge::package::Package;
use gridjudge::spec::JudgeFolder;
use tempfile::TempDir;

use crate::fuzzed::{Reader, seeds};

/// A file, and what is in it.
type File = (&'static str, &'static str);

const CASES: [File; 5] = [
    ("data/sample/1.in", "1\n"),
    ("data/sample/1.ans", "1\n"),
    ("data/secret/a/2.in", "2\n"),
    ("data/secret/a/2.ans", "2\n"),
    ("submissions/accepted/a.py", "print(input())\n"),
];

const LEGACY: File = ("problem.yaml", "name: A\nlicense: unknown\ntype: scoring\n");
const NEW: File = (
    "problem.yaml",
    "problem_format_version: 2025-09\nname: New\nuuid: 1\ntype: scoring\n",
);

const LEGACY_YAML: &str = "problem_format_version: legacy\nname: {en: A, de: B}\nauthor: X, Y\nsource: S\n\
source_url: http://x\nlicense: cc by-sa\nrights_owner: Z\ntype: pass-fail scoring\nlimits:\n  time_multiplier: 2\n  \
time_safety_margin: 1.5\n  memory: 1024\n  output: 8\n  validation_time: 60\n  time_limit: 3\nvalidation: custom \
interactive\nvalidator_flags: float_tolerance 1e-6 case_sensitive\nkeywords: a b c\ngrading: {on_reject: break, \
accept_score: 1.5, range: 0 100, objective: max, show_test_data_groups: true}\n";

const NEW_YAML: &str = "problem_format_version: 2025-09\nname:\n  en: A\n  sv: B\nuuid: 1c5a\nversion: 2\ntype: \
[scoring, multi-pass]\ncredits: {authors: [A <a@x>, {name: B, orcid: 1}], testers: C}\nsource: [{name: S, url: \
http://x}]\nlicense: cc0\nlimits: {time_limit: 1.5, time_multipliers: {ac_to_time_limit: 2, time_limit_to_tle: 1.5}, \
validation_passes: 3, memory: 512, code: 100, output: 8}\nkeywords: [a, b]\nlanguages: [cpp, python3]\n\
allow_file_writing: false\nconstants: {max_n: 100000, name: x, forms: {value: 1, latex: \"10^5\"}}\n";

const ALIASES: &str = "name: &a [x, x, x]\nlimits: &l {time_limit: 1}\nmore: {<<: *l, b: *a, c: [*a, *a]}\n? k\n: v\n\
text: |\n  a\n  b\nfolded: >-\n  c\n  d\nquoted: \"\\u00e9\\n\"\nnumber: 0x1F\nold: 0o17\nsex: 1:30:00\n...\n";

const GROUP: &str = "on_reject: continue\ngrading: custom\ngrader_flags: min ignore_sample \
accept_if_any_accepted\naccept_score: 10\nreject_score: 0\nrange: -5 100.5\ninput_validator_flags: a=1\n\
output_validator_flags: float_tolerance 1e-9\n";

const NEW_GROUP: &str = "scoring: {score: 30, aggregation: min, require_pass: [sample, 'secret/a']}\nmax_score: 30\n\
score_aggregation: pass-fail\nstatic_validation_score: 10\nargs: [a, b]\nfull_feedback: false\nhint: x\n\
output_validator_args: [float_tolerance, 1e-6]\ninput_validator_args: {number: [--max, '10']}\n";

const SUBMISSIONS: &str = "accepted/*.py: {language: python3, model_solution: true}\naccepted/a.py:\n  authors: X\n  \
permitted: [AC, TLE]\n  required: AC\n  score: [0, 30]\n  message: '.*'\n  use_for_time_limit: upper\n  secret/a:\n    \
score: 30\n'**': {entrypoint: main}\n";

const DETAILS: &str = "filename: a.py\n'@EXPECTED_RESULTS@': CORRECT, TIMELIMIT\n";

const INI: &str = "; a comment\nname = \"A \\\"b\\\"\"\ntimelimit='1.5'\ncolor=#ff0000\nexternalid = x\nshort-name = a | b & \
c\nspecial_run = run\nspecial_compare = cmp\npoints = (1 + 2)\n[section]\nkey[] = 1\nkey[a] = ${PATH}\nx = yes\n";

const POLYGON: &str = r#"<?xml version="1.0" encoding="utf-8" standalone="no"?>
<problem revision="3" short-name="twice" url="https://example.org/p/twice">
  <names><name language="russian" value="Два"/><name language="english" value="Twice &amp; &#x41;"/></names>
  <judging cpu-name="x" input-file="a.in" output-file="a.out" run-count="1">
    <testset name="pretests"><test-count>1</test-count></testset>
    <testset name="tests">
      <time-limit>1500</time-limit><memory-limit>268435456</memory-limit><test-count>2</test-count>
      <input-path-pattern>tests/%02d</input-path-pattern><answer-path-pattern>tests/%02d.a</answer-path-pattern>
      <tests><test method="manual" sample="true" points="10.0" group="1"/>
      <test cmd="gen 10 &lt;20&gt; 'a b'" method="generated" points="5" group="2"/></tests>
      <groups><group name="1" points="10" points-policy="complete-group" feedback-policy="complete"/>
      <group name="2" points-policy="each-test"><dependencies><dependency group="1"/></dependencies></group></groups>
    </testset>
  </judging>
  <files><resources><file path="files/olymp.sty"/><file path="files/grader.cpp" type="cpp.g++17" for-types="cpp.*">
  <stages><stage name="COMPILE"/></stages><assets><asset name="SOLUTION"/></assets></file></resources>
  <executables><executable><source path="files/gen.cpp" type="cpp.g++17"/></executable></executables></files>
  <assets>
    <checker name="std::ncmp.cpp" type="testlib"><source path="files/check.cpp" type="cpp.g++17"/>
      <copy path="check.cpp"/><testset><test-count>1</test-count></testset></checker>
    <interactor><source path="files/gen.cpp" type="cpp.g++17"/><runs><run>1</run></runs></interactor>
    <validators><validator><source path="files/check.cpp" type="cpp.g++17"/></validator></validators>
    <solutions><solution tag="main"><source path="solutions/right.py" type="python.3"/></solution>
      <solution tag="time-limit-exceeded-or-accepted"><source path="solutions/slow.py" type="python.3"/>
      <extra-tags><extra-tag group="2" tag="wrong-answer"/></extra-tags></solution></solutions>
  </assets>
</problem>
"#;

const POLYGON_FILES: [File; 8] = [
    ("tests/01", "1\n"),
    ("tests/01.a", "2\n"),
    ("tests/02", "4\n"),
    ("tests/02.a", "8\n"),
    ("files/check.cpp", "int main() {}\n"),
    ("files/gen.cpp", "int main() {}\n"),
    ("solutions/right.py", ""),
    ("solutions/slow.py", ""),
];

const DMOJ: [&str; 3] = [
    "pretest_test_cases:\n- {in: 1.in, out: 1.out}\ntest_cases:\n- {in: 1.in, out: 1.out, points: 5}\n- points: 20\n  \
    out: 2.out\n  batched:\n  - {in: 2.in}\n  - {in: 1.in}\n- points: 30\n  dependencies: [1]\n  batched: [{in: 2.in, \
    out: 2.out}]\nchecker: {name: floats, args: {precision: 6, error_mode: relative}}\nhints: [unicode]\n",
    "test_cases:\n  input_format: '^(?P<case>\\d+)\\.in$'\n  output_format: '^(?P<case>\\d+)\\.out$'\n  case_points: [1, \
    2]\n  batch: '(?:(\\d))?'\noutput_limit_length: 100\noutput_prefix_length: 0\n",
    "checker:\n  name: bridged\n  args: {files: check.cpp, lang: CPP17, type: testlib, time_limit: 5, memory_limit: \
    65536}\nunbuffered: true\npoints: 7\nfile_io: {input: a.in, output: a.out}\nwall_time_factor: 3\n\
    binary_data: false\nsymlinks: {a: b}\ninteractive: {files: check.cpp, feedback: true}\ntest_cases: [{in: 1.in, out: \
    1.out, generator: {source: check.cpp, flags: [-O2]}, generator_args: [1, 2]}]\n",
];

const DMOJ_FILES: [File; 5] = [
    ("1.in", "1\n"),
    ("1.out", "1\n"),
    ("2.in", "2\n"),
    ("2.out", "2\n"),
    ("check.cpp", "int main() {}\n"),
];

/// The readers of packages.
pub(super) fn readers() -> Vec<Reader> {
    let with = |file: File| [&CASES[..], &[file]].concat();
    vec![
        of_file(
            "problem.yaml of the old format",
            &CASES,
            "problem.yaml",
            &[LEGACY_YAML, LEGACY.1, ALIASES],
        ),
        of_file(
            "problem.yaml of 2025-09",
            &CASES,
            "problem.yaml",
            &[NEW_YAML, NEW.1, ALIASES],
        ),
        of_file(
            "testdata.yaml",
            &with(LEGACY),
            "data/secret/a/testdata.yaml",
            &[GROUP, ALIASES],
        ),
        of_file(
            "test_group.yaml",
            &with(NEW),
            "data/secret/a/test_group.yaml",
            &[NEW_GROUP, ALIASES],
        ),
        of_file(
            "submissions.yaml",
            &with(NEW),
            "submissions/submissions.yaml",
            &[SUBMISSIONS, ALIASES],
        ),
        of_file(
            "submissions.yaml of DOMjudge",
            &with(LEGACY),
            "submissions/submissions.json",
            &[DETAILS],
        ),
        of_file(
            "a source with results",
            &with(LEGACY),
            "submissions/accepted/a.py",
            &["# @EXPECTED_RESULTS@: AC\n"],
        ),
        of_file(
            "domjudge-problem.ini",
            &with(LEGACY),
            "domjudge-problem.ini",
            &[INI],
        ),
        of_file(".timelimit", &with(LEGACY), ".timelimit", &["1.5\n", "3\n"]),
        of_file("problem.xml", &POLYGON_FILES, "problem.xml", &[POLYGON]),
        of_file("init.yml", &DMOJ_FILES, "init.yml", &DMOJ),
        of_archive(),
    ]
}

/// A reader of packages in which one file is mutated.
fn of_file(
    name: &'static str,
    others: &[File],
    file: &'static str,
    texts: &[&str],
) -> Reader {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("pkg");
    for (other, text) in others.iter().filter(|(other, _)| *other != file) {
        put(&root, other, text);
    }
    let read = move |input: &[u8]| {
        // The folder lives as long as the reader.
        let root = folder.path().join("pkg");
        put(&root, file, input);
        match Package::read(&root) {
            Ok(package) => drop((package.time_rule(), package.time_limit())),
            Err(mistakes) => drop(mistakes.to_string()),
        }
    };
    Reader {
        name,
        seeds: seeds::texts(texts),
        read: Box::new(read),
    }
}

fn put(root: &Path, name: &str, text: impl AsRef<[u8]>) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

/// A reader of packages in archives.
fn of_archive() -> Reader {
    let room = tempfile::tempdir().expect("a folder");
    let judge = JudgeFolder::open(seeds::repository()).expect("our own folder");
    let own = judge.find("ride-speeds").expect("our own problem");
    let seeds = ExportTarget::ALL
        .map(|target| {
            let place = room.path().join(format!("{}.zip", target.name()));
            let export = Export::prepare(own, target).expect("an export");
            write_export(&export, &place).expect("an archive");
            fs::read(place).expect("an archive")
        })
        .to_vec();
    let folder: TempDir = tempfile::tempdir().expect("a folder");
    put(folder.path(), "judge.toml", "");
    let read = move |input: &[u8]| {
        put(folder.path(), "problems/p.zip", input);
        drop(
            JudgeFolder::open(folder.path())
                .and_then(|judge| judge.find("p")?.problem()),
        );
    };
    Reader {
        name: "a package in an archive",
        seeds,
        read: Box::new(read),
    }
}
