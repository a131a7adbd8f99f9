//! Standard packages of Polygon, on the command line: they do not contain the tests
//! that their generators write, so `answers` runs the generators. The programs follow
//! the protocol of testlib without using it.

use std::collections::BTreeMap;
use std::fs;
use std::process::Stdio;

use rustix::process::{Pid, Signal};

use crate::judge::{self, Judge, needs_cc};

const PROBLEM: &str = r#"<problem short-name="sum">
  <names><name language="english" value="Sum"/></names>
  <judging input-file="" output-file="" run-count="1">
    <testset name="tests">
      <time-limit>2000</time-limit>
      <memory-limit>268435456</memory-limit>
      <test-count>6</test-count>
      <input-path-pattern>tests/%02d</input-path-pattern>
      <answer-path-pattern>tests/%02d.a</answer-path-pattern>
      <tests>
        <test method="manual" sample="true"/>
        <test cmd="gen 10 5" group="small" method="generated"/>
        <test cmd="gen 20 '7 8'" group="large" method="generated"/>
        <test cmd="many 3" from-file="3" method="generated"/>
        <test cmd="many 3" from-file="last.in" method="generated"/>
        <test cmd="script 7" method="generated"/>
      </tests>
    </testset>
  </judging>
  <files><executables>
    <executable><source path="files/gen.cpp" type="cpp.g++17"/></executable>
    <executable><source path="files/many.cpp" type="cpp.g++17"/></executable>
    <executable><source path="files/script.py" type="python.3"/></executable>
    <executable><source path="valid.cpp" type="cpp.g++17"/></executable>
  </executables></files>
  <assets>
    <checker type="testlib"><source path="files/check.py" type="python.3"/></checker>
    <validators><validator><source path="valid.cpp" type="cpp.g++17"/></validator></validators>
    <solutions>
      <solution tag="accepted"><source path="solutions/other.py" type="python.3"/></solution>
      <solution tag="main"><source path="solutions/right.py" type="python.3"/></solution>
    </solutions>
  </assets>
</problem>
"#;

/// A generator that prints its arguments.
const GENERATOR: &str = "#include \"printing.h\"\nint main(int count, char **words) {\n\
    for (int word = 1; word < count; word++) print(words[word]);\n\
    puts(\"\");\nfputs(\"made\\n\", stderr);\n}\n";

const HEADER: &str = "#include <cstdio>\ninline void print(const char *word) { printf(\"%s \", word); }\n";

/// A generator that writes a random number into two files, followed by another number.
const MANY: &str = "#include <cstdio>\n#include <unistd.h>\nint main() {\n\
    unsigned drawn;\ngetentropy(&drawn, sizeof drawn);\ndrawn %= 1000000;\nconst char *names[] = {\"3\", \"last.in\"};\n\
    for (const char *name : names) {\n\
    FILE *file = fopen(name, \"w\");\nfprintf(file, \"%u %d\\n\", drawn, name[0]);\nfclose(file);\n}\n\
    puts(\"this is no input\");\n}\n";

/// A validator that refuses what the group does not allow, and inputs that do not end
/// with a line feed.
const VALIDATOR: &str = r#"#include "printing.h"
#include <cstring>
int main(int count, char **words) {
    if (count != 5 || strcmp(words[1], "--testset") || strcmp(words[2], "tests") || strcmp(words[3], "--group")) return 4;
    int first, last = 0;
    if (scanf("%d", &first) != 1) return 3;
    for (int letter; (letter = getchar()) != EOF; last = letter) if (letter == '\r') return 3;
    if (last == '\n' && (strcmp(words[4], "small") || first <= 10)) return 0;
    fprintf(stderr, "FAIL %d is too large for %s\n", first, words[4]);
    return 3;
}
"#;

const CHECKER: &str = "import sys\nfound, right = (open(sys.argv[place]).read().split() for place in (2, 3))\nsys.exit(found != right)\n";

const RIGHT: &str = "print(sum(map(int, input().split())))\n";

const FILES: [(&str, &str); 9] = [
    ("problem.xml", PROBLEM),
    ("tests/01", "3 4\n"),
    ("files/printing.h", HEADER),
    ("files/gen.cpp", GENERATOR),
    ("files/many.cpp", MANY),
    ("files/script.py", "import sys\nprint(sys.argv[1], 1)\n"),
    ("valid.cpp", VALIDATOR),
    ("files/check.py", CHECKER),
    ("solutions/right.py", RIGHT),
];

/// A package in `problems`. Its first solution is not the main solution.
fn package() -> Judge {
    needs_cc();
    let judge = Judge::new();
    for (name, text) in &FILES {
        judge.put(format!("problems/sum/{name}"), text);
    }
    judge.put("problems/sum/solutions/other.py", "raise SystemExit(1)\n");
    judge
}

/// The same with two tests, the second of which is missing and written by this command.
fn package_of_one(command: &str) -> Judge {
    let judge = package();
    let tests = judge.read("problems/sum/problem.xml");
    let start = tests.find("<tests>").unwrap();
    let end = tests.find("</tests>").unwrap();
    let one = format!(
        "{}<tests><test method=\"manual\"/>{command}{}",
        &tests[..start],
        &tests[end..]
    );
    judge.put(
        "problems/sum/problem.xml",
        one.replace("<test-count>6<", "<test-count>2<"),
    );
    judge
}

/// The test files by name.
fn tests(judge: &Judge) -> BTreeMap<String, String> {
    let entries = fs::read_dir(judge.path("problems/sum/tests"))
        .unwrap()
        .map(Result::unwrap);
    entries
        .map(|entry| {
            (
                entry
                    .path()
                    .file_name()
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned(),
                fs::read_to_string(entry.path()).unwrap(),
            )
        })
        .collect()
}

/// Runs a command that must end in a fault and change no file. Returns its message.
#[track_caller]
fn fault(judge: &Judge, arguments: &[&str]) -> String {
    let before = judge.files_but_cache();
    let ran = judge.run(arguments);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(3), ""),
        "{}",
        ran.stderr
    );
    assert!(
        judge.files_but_cache() == before,
        "{arguments:?} touched a file"
    );
    ran.stderr
}

#[test]
fn inputs_of_generators_are_written_with_the_answers_of_the_main_solution() {
    let judge = package();
    let ran = judge.run(&["answers", "sum"]);
    let wrote = |name: &str| format!("wrote problems/sum/tests/{name}\n");
    let inputs = ["02", "03", "04", "05", "06"].map(wrote).concat();
    let answers = ["01.a", "02.a", "03.a", "04.a", "05.a", "06.a"]
        .map(wrote)
        .concat();
    let expected = format!(
        "{inputs}{answers}6 cases: 5 inputs made, 0 answers proven, 6 written\n"
    );
    assert_eq!(
        (ran.code, ran.stdout, ran.stderr.as_str()),
        (Some(0), expected, "")
    );
    let found = tests(&judge);
    assert_eq!(found.len(), 12, "{found:?}");
    assert_eq!(
        [&found["02"], &found["03"], &found["06"]],
        ["10 5 \n", "20 7 8 \n", "7 1\n"]
    );
    assert_eq!(
        [
            &found["01.a"],
            &found["02.a"],
            &found["03.a"],
            &found["06.a"]
        ],
        ["7\n", "15\n", "35\n", "8\n"]
    );
    // Existing files are kept and used for judging.
    let again = judge.run(&["answers", "sum"]);
    assert_eq!(
        again.stdout,
        "6 cases: 0 answers proven, 0 written, 6 kept as they are\n"
    );
    judge.run(&[
        "grade",
        "-p",
        "sum",
        "problems/sum/solutions/right.py",
        "--log",
        "log.jsonl",
    ]);
    assert_eq!(
        judge
            .read("log.jsonl")
            .matches("\"verdict\":\"AC\"")
            .count(),
        7,
        "{}",
        judge.read("log.jsonl")
    );
}

#[test]
fn a_generator_of_several_tests_runs_once_and_files_do_not_depend_on_the_number_of_jobs()
 {
    let judge = package();
    assert_eq!(judge.run(&["answers", "-q", "sum", "-j1"]).code, Some(0));
    let mut sequential = tests(&judge);
    let first_word = |text: &str| text.split(' ').next().unwrap().to_owned();
    assert_eq!(first_word(&sequential["04"]), first_word(&sequential["05"]));
    assert!(
        sequential["04"].ends_with(" 51\n") && sequential["05"].ends_with(" 108\n"),
        "{sequential:?}"
    );
    // The random number differs in each run, so only one of its two tests is removed
    // and compared without it.
    for name in ["04", "02", "03", "06", "02.a"] {
        judge.remove(&format!("problems/sum/tests/{name}"));
    }
    assert_eq!(judge.run(&["answers", "-q", "sum", "-j4"]).code, Some(0));
    let mut parallel = tests(&judge);
    for tests in [&mut sequential, &mut parallel] {
        tests.remove("04");
    }
    assert_eq!(sequential, parallel);
}

#[test]
fn commands_that_judge_generate_nothing_and_report_missing_tests() {
    let judge = package();
    // A generator that does not compile shows that none is run.
    judge.put("problems/sum/files/gen.cpp", "no program\n");
    let missing = "5 of 6 tests are not in the package, the first is `tests/02`, which `gen 10 5` makes";
    let remedy = "have its generators make them, and missing answers as well: `gridjudge answers problems/sum`";
    let refused =
        format!("error: problems/sum/problem.xml:12: {missing}\nhint: {remedy}\n");
    judge.refuses(&["verify", "sum"], &refused);
    judge.refuses(&["grade", "-p", "sum"], &refused);
    judge.refuses(
        &[
            "grade",
            "-p",
            "problems/sum",
            "problems/sum/solutions/right.py",
        ],
        &refused,
    );
    judge.refuses(&["answers", "--check", "sum"], &refused);
    let page = judge.run(&["doctor", "sum"]);
    assert_eq!(page.code, Some(1));
    let start = "sum is a Polygon package, and tests are missing.\n\nTests that are not there\n  problems/sum/problem.xml:12: ";
    assert!(page.stdout.starts_with(start), "{}", page.stdout);
    let text = page.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(missing) && text.contains(remedy), "{text}");
    let listed = judge.command(&["list", "sum"]).output().unwrap();
    let notes = String::from_utf8(listed.stderr).unwrap();
    assert_eq!(
        (listed.status.code(), notes),
        (Some(0), format!("note: sum: {missing}; {remedy}\n"))
    );
}

#[test]
fn a_failing_generator_is_reported_with_its_command_and_test_and_nothing_is_written()
{
    let doing =
        "error: making tests/02 by `script x` (problems/sum/files/script.py): ";
    let command = r#"<test cmd="script x"/>"#;
    for (program, cause) in [
        (
            "import sys\nprint('lost', file=sys.stderr)\nsys.exit(5)\n",
            "it ended with exit code 5: lost\n",
        ),
        (
            "import os\nprint(1, flush=True)\nos.abort()\n",
            "it ended with SIGABRT\n",
        ),
        (
            "while True: print('x' * (1 << 20))\n",
            "it broke its own limit: OLE (output limit exceeded)",
        ),
        // The message about memory depends on the level: some count it, and others
        // refuse the allocation.
        ("x = bytearray(3 << 30)\n", "it "),
    ] {
        let judge = package_of_one(command);
        judge.put("problems/sum/files/script.py", program);
        let text = fault(&judge, &["answers", "sum"]);
        assert!(text.starts_with(&format!("{doing}{cause}")), "{text}");
        assert!(
            text.contains("hint: run it by hand with these arguments, and fix it"),
            "{text}"
        );
    }
    let judge = package_of_one(command);
    judge.put(
        "problems/sum/files/script.py",
        "exec(open('/etc/shadow').read())\n",
    );
    assert!(fault(&judge, &["answers", "sum"]).starts_with(doing));
}

#[test]
fn a_file_of_a_generator_must_be_a_regular_file_that_it_wrote() {
    for (program, cause) in [
        ("print(1)\n", "it wrote no file `7`"),
        (
            "import os\nos.mkdir('7')\n",
            "what it left as `7` is not a regular file",
        ),
        (
            "import os\nos.mkfifo('7')\n",
            "what it left as `7` is not a regular file",
        ),
        (
            "import os\nos.symlink('/etc/passwd', '7')\n",
            "the file `7` that it wrote cannot be read: ",
        ),
    ] {
        let judge = package_of_one(r#"<test cmd="script" from-file="7"/>"#);
        judge.put("problems/sum/files/script.py", program);
        let message = fault(&judge, &["answers", "sum"]);
        assert!(
            message.starts_with(&format!(
                "error: making tests/02 by `script` (problems/sum/files/script.py): {cause}"
            )),
            "{message}"
        );
    }
}

#[test]
fn the_failure_of_the_first_test_is_reported_at_any_number_of_jobs() {
    let judge = package();
    judge.put("problems/sum/files/script.py", "raise SystemExit(9)\n");
    judge.edit(
        "problems/sum/files/gen.cpp",
        "words) {",
        "words) { if (words[1][0] == '2') return 6;",
    );
    for jobs in ["-j1", "-j4"] {
        let message = fault(&judge, &["answers", "sum", jobs]);
        assert!(
            message.starts_with("error: making tests/03 by `gen 20 '7 8'` ("),
            "{jobs}: {message}"
        );
    }
}

#[test]
fn an_input_that_the_validator_refuses_is_not_written() {
    let judge = package();
    judge.edit("problems/sum/problem.xml", "gen 10 5", "gen 11 5");
    let doing = "asking the validator problems/sum/valid.cpp about tests/02, made by `gen 11 5`";
    let message = fault(&judge, &["answers", "sum"]);
    let cause = "it refuses it: exit code 3: FAIL 11 is too large for small";
    assert!(
        message.starts_with(&format!("error: {doing}: {cause}\n")),
        "{message}"
    );
    judge.edit(
        "problems/sum/valid.cpp",
        "return 3;\n}",
        "return *(volatile int *)0;\n}",
    );
    let message = fault(&judge, &["answers", "sum"]);
    assert!(
        message.starts_with(&format!("error: {doing}: it ended with SIG")),
        "{message}"
    );
    judge.put("problems/sum/valid.cpp", "#include \"testlib.h\"\n");
    let message = fault(&judge, &["answers", "sum"]);
    assert!(
        message.starts_with("error: making the validator problems/sum/valid.cpp: "),
        "{message}"
    );
    assert!(message.contains("testlib.h"), "{message}");
    // Without a validator the input is accepted.
    judge
        .edit("problems/sum/problem.xml", "<validators>", "<!--")
        .edit("problems/sum/problem.xml", "</validators>", "-->");
    assert_eq!(judge.run(&["answers", "-q", "sum"]).code, Some(0));
}

#[test]
fn a_command_that_cannot_be_run_is_a_mistake_before_anything_runs() {
    let line = "error: problems/sum/problem.xml:10: ";
    let remedy = "hint: download the full package, or export it again\n";
    for (test, expected) in [
        (
            "<test cmd=\"lost 1\"/>",
            format!(
                "{line}`tests/02` is made by `lost`, of which `<executables>` names no source\n{remedy}"
            ),
        ),
        (
            "<test method=\"manual\"/>",
            format!(
                "{line}1 of 2 tests is not in the package, the first is `tests/02`\n{remedy}"
            ),
        ),
        (
            "<test cmd=\"script 1 &gt; {2-5}\"/>",
            format!(
                "{line}the command `script 1 > {{2-5}}` of `tests/02` redirects what it prints, as scripts of tests do and single tests \
                 do not\nhint: leave `>` and what follows out; a file that the generator writes is named by `from-file`\n"
            ),
        ),
    ] {
        let judge = package_of_one(test);
        judge.refuses(&["answers", "sum"], &expected);
        let verified = judge.run(&["verify", "sum"]);
        let told = format!("{}{}", verified.stdout, verified.stderr)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let what = expected
            .lines()
            .next()
            .unwrap()
            .rsplit_once("problem.xml:")
            .unwrap()
            .1;
        assert!(verified.code == Some(2) && told.contains(what), "{told}");
    }
    let judge = package_of_one("<test cmd=\"script 1\"/>");
    judge
        .edit(
            "problems/sum/problem.xml",
            "files/script.py",
            "files/script.dpr",
        )
        .put("problems/sum/files/script.dpr", "");
    let ran = judge.run(&["answers", "sum"]);
    assert!(
        ran.code == Some(2)
            && ran
                .stderr
                .starts_with("error: problems/sum/files/script.dpr: "),
        "{}",
        ran.stderr
    );
}

#[test]
fn without_the_answer_of_a_main_solution_no_input_is_written() {
    let judge = package_of_one("<test cmd=\"script 7\"/>");
    judge.put(
        "problems/sum/solutions/right.py",
        "n = input()\nassert '7' not in n\nprint(n)\n",
    );
    judge.refuses(
        &["answers", "sum"],
        "error: problems/sum/solutions/right.py: the model solution has no answer to tests/02: RE (runtime error)\n\
         hint: correct it, or the case; no answer of this problem has been written",
    );
    judge.edit(
        "problems/sum/problem.xml",
        "<assets>",
        "<assets><interactor><source path=\"valid.cpp\"/></interactor>",
    );
    judge.refuses(
        &["answers", "sum"],
        "error: problems/sum/tests/01.a: is missing, as is 1 other answer, and no submission writes them: they talk to the \
         interactor of this problem\n\
         hint: write what the interactor wants to read there, or nothing; the full package of a problem of Polygon has it",
    );
    // If the answers exist, only inputs are missing.
    judge
        .put("problems/sum/tests/01.a", "")
        .put("problems/sum/tests/02.a", "");
    let ran = judge.run(&["answers", "sum"]);
    let expected = "wrote problems/sum/tests/02\n2 cases: 1 input made, 0 answers proven, 0 written, 2 kept as they are\n";
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), expected),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_missing_folder_of_tests_is_created() {
    let judge = package_of_one("");
    judge.edit(
        "problems/sum/problem.xml",
        "<test method=\"manual\"/>",
        "<test cmd=\"gen 1\"/><test cmd=\"gen 2\"/>",
    );
    fs::remove_dir_all(judge.path("problems/sum/tests")).unwrap();
    judge.remove("judge.toml");
    assert_eq!(
        judge.run(&["answers", "-q", "./problems/sum"]).code,
        Some(0)
    );
    let found = tests(&judge);
    assert_eq!(
        found.into_values().collect::<Vec<_>>(),
        ["1 \n", "1\n", "2 \n", "2\n"]
    );
}

#[test]
fn a_signal_during_generation_leaves_no_files() {
    let judge = package_of_one("<test cmd=\"script 7\"/>");
    judge.put(
        "problems/sum/files/script.py",
        "import time\ntime.sleep(600)\n",
    );
    let before = judge.files_but_cache();
    for signal in [Signal::INT, Signal::TERM] {
        let mut command = judge.command(&["answers", "sum"]);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let has_started = || {
            fs::read_dir(judge.path("problems/sum/tests"))
                .unwrap()
                .map(Result::unwrap)
                .any(|entry| {
                    entry
                        .file_name()
                        .to_string_lossy()
                        .starts_with(".gridjudge-unfinished")
                })
        };
        while !has_started() {
            assert!(
                child.try_wait().unwrap().is_none(),
                "it has ended too early"
            );
            judge::pause();
        }
        rustix::process::kill_process(Pid::from_child(&child), signal).unwrap();
        let ran = judge.ran(child.wait_with_output().unwrap());
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(130), ""),
            "{}",
            ran.stderr
        );
        assert!(judge.files_but_cache() == before);
    }
}

/// Packs a folder.
fn packed(judge: &Judge, folder: &str) -> Vec<u8> {
    let mut archive = rawzip::ZipArchiveWriter::new(vec![]);
    let root = judge.path(folder);
    for (path, bytes) in judge
        .files_below(folder)
        .into_iter()
        .filter(|(path, _)| path.is_file())
    {
        let (mut entry, config) = archive
            .new_file(path.strip_prefix(&root).unwrap().to_str().unwrap())
            .start()
            .unwrap();
        let mut writer = config.wrap(&mut entry);
        std::io::Write::write_all(&mut writer, &bytes).unwrap();
        let (_, descriptor) = writer.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap()
}

#[test]
fn an_archive_must_be_unpacked_first() {
    let judge = package();
    judge.put("std.zip", packed(&judge, "problems/sum"));
    judge.refuses(
        &["grade", "-p", "std.zip"],
        "error: std.zip/problem.xml:12: 5 of 6 tests are not in the package, the first is `tests/02`, which `gen 10 5` makes\n\
         hint: unpack it, and have its generators make them, and missing answers as well: `gridjudge answers FOLDER`",
    );
    judge.refuses(
        &["answers", "std.zip"],
        "error: std.zip: is an archive, into which no answers are written\nhint: unpack it, and name its folder",
    );
}
