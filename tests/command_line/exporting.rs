//! Exporting problems as packages of other judges: an exported package is judged like
//! the problem, everything that the format cannot express is reported, and no
//! half-written package is left. The kinds of judging take turns at the formats; with
//! `GRIDJUDGE_EXHAUSTIVE=1` each is exported to each.

mod domjudge;
mod grids;
mod input_validators;
mod left_out;
mod points;
mod polygon;
mod round_trips;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::judge::share::Turn;
use crate::judge::{Judge, needs_cc};

const TARGETS: [&str; 3] = ["kattis-2025-09", "kattis-legacy", "domjudge"];

/// Submissions for a problem that asks for the double of a number.
const RIGHT: &str = "print(2 * int(input()))\n";
const WRONG: &str = "n = int(input())\nprint(2 * n if n < 3 else 7)\n";

/// A program in C that reads a number and then does this.
fn in_c(then: &str) -> String {
    format!(
        "#include <stdio.h>\nint main(void) {{ int n; scanf(\"%d\", &n); {then} }}\n"
    )
}

/// A checker in the protocol of Kattis. Its argument is the greatest difference that it
/// accepts.
const CHECKER: &str = "import sys\nwant, got = open(sys.argv[2]).read(), sys.stdin.read()\n\
    try: off = abs(int(want) - int(got))\nexcept ValueError: sys.exit(43)\n\
    open(sys.argv[3] + 'judgemessage.txt', 'w').write('off by %d' % off)\nsys.exit(42 if off <= int(sys.argv[4]) else 43)\n";

/// A checker in the protocol of online-judge-tools: the same words are right.
const OJ_CHECKER: &str = "import sys\nwant, got = open(sys.argv[3]).read(), open(sys.argv[2]).read()\nsys.exit(want.split() != got.split())\n";

/// A checker in C++ with testlib's arguments: the same first word is right.
const TESTLIB_CHECKER: &str = "#include \"words.h\"\nint main(int, char **argv) {\n\
    bool same = Word(argv[2]) == Word(argv[3]);\n    fputs(same ? \"fine\" : \"other words\", fopen(argv[4], \"w\"));\n    return same ? 0 : 1;\n}\n";
const WORDS: &str = "#include <cstdio>\n#include <cstring>\nstruct Word {\n    char text[100] = \"\";\n\
    Word(const char *name) { fscanf(fopen(name, \"r\"), \"%99s\", text); }\n\
    bool operator==(const Word &other) const { return !strcmp(text, other.text); }\n};\n";

/// An interactor that sends a number and expects its double.
const INTERACTOR: &str = "import sys\nn = int(open(sys.argv[1]).read())\nprint(n, flush=True)\nsys.exit(42 if sys.stdin.read().split() == [str(2 * n)] else 43)\n";

/// The same in the protocol of testlib.
const TESTLIB_INTERACTOR: &str = "import sys\n_, given, output, answer = sys.argv\nn = int(open(given).read())\n\
    print(n, flush=True)\nsys.exit(0 if sys.stdin.read().split() == open(answer).read().split() else 1)\n";

/// One that leaves the verdict to a checker, which gets what the submission says.
const TESTLIB_WRITER: &str = "import sys\n_, given, output, answer = sys.argv\nprint(open(given).read(), flush=True)\n\
    said = sys.stdin.read()\nopen(output, 'w').write(said)\n";

/// A command that runs Python, in which exported programs are written. A shim in the
/// `PATH` would look for the real one each time, which takes longer than most programs.
fn python() -> Command {
    Command::new(found_python().unwrap())
}

fn has_python() -> bool {
    found_python().is_some()
}

fn found_python() -> Option<&'static Path> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let find = || {
        let asked = Command::new("python3")
            .args(["-c", "import sys; print(sys.executable, end='')"])
            .output()
            .ok()?;
        let path = PathBuf::from(String::from_utf8(asked.stdout).ok()?);
        path.is_file().then_some(path)
    };
    FOUND.get_or_init(find).as_deref()
}

/// A judge's folder with the problem `twice` of this `[task]`.
fn twice(task: &str, files: &[(&str, &str)]) -> Judge {
    let judge = Judge::new();
    let limits = "[limits]\ntime = \"1500ms\"\nmemory = \"64MiB\"\n";
    judge.put(
        "problems/twice/problem.toml",
        format!("name = \"Twice \\\"it\\\"\"\n\n[task]\n{task}\n{limits}"),
    );
    judge.put(
        "problems/twice/statement.md",
        "# Twice\n\nGive *twice* the number.\n",
    );
    for (name, input, answer) in
        [("sample/1", "1\n", "2\n"), ("secret/2", "5\n", "10\n")]
    {
        judge
            .put(format!("cases/twice/{name}.in"), input)
            .put(format!("cases/twice/{name}.ans"), answer);
    }
    for (name, then) in [
        ("accepted/right.c", r#"printf("%d\n", 2 * n);"#),
        ("wrong/wrong.c", r#"printf("%d\n", n < 3 ? 2 * n : 7);"#),
        ("crash/crash.c", "return 3;"),
    ] {
        judge.put(format!("problems/twice/submissions/{name}"), in_c(then));
    }
    for (name, text) in files {
        judge.put(format!("problems/twice/{name}"), text);
    }
    judge.put("mine/loud.c", in_c(r#"printf("%d  \n\n", 2 * n);"#));
    judge
}

/// Exports a problem; returns the notes about what the format cannot express.
#[track_caller]
fn export(judge: &Judge, problem: &str, target: &str, place: &str) -> Vec<String> {
    let output = judge
        .command(&["export", problem, "--to", target, place])
        .output()
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{target}: {told}");
    told.lines()
        .map(|line| line.strip_prefix("note: ").unwrap_or(line).to_owned())
        .collect()
}

/// The verdicts of four programs on each case.
fn verdicts(judge: &Judge, problem: &str) -> Vec<String> {
    let of = |name: &str| format!("problems/twice/submissions/{name}");
    let programs = [
        of("accepted/right.c"),
        of("wrong/wrong.c"),
        of("crash/crash.c"),
        "mine/loud.c".into(),
    ];
    let mut words = vec!["grade", "-p", problem, "--all", "-q", "--log", "log.jsonl"];
    words.extend(programs.iter().map(String::as_str));
    judge.run(&words);
    let log = judge.read("log.jsonl");
    let events = log
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let trials = events.filter(|event| event["event"] == "trial_finished");
    // Examples of a problem of the judge's folder are called by their paths in it; only
    // the file name is compared.
    let text = |trial: &serde_json::Value, key: &str| {
        trial[key].as_str().unwrap_or_default().to_owned()
    };
    let told = |trial: serde_json::Value| {
        let name = text(&trial, "submission");
        let short = name.rsplit('/').next().unwrap_or(&name);
        // Other judges have no verdict for wrong white space.
        let verdict = text(&trial, "verdict").replace("PE", "WA");
        format!("{short} {} {verdict}", text(&trial, "case"))
    };
    trials.map(told).collect()
}

#[test]
fn every_kind_of_judging_gives_the_same_verdicts_after_export() {
    needs_cc();
    let checker = "kind = \"program\"\nchecker = \"check.py\"";
    let interactive = "kind = \"interactive\"\nprotocol = \"testlib\"";
    let kinds = [
        (
            "kind = \"tokens\"\nfloat_tolerance = 1e-6".to_owned(),
            vec![],
        ),
        (
            "kind = \"tokens\"\nspace_change_sensitive = true\nfloat_relative_tolerance = 0.1"
                .to_owned(),
            vec![],
        ),
        ("kind = \"lines\"".to_owned(), vec![]),
        ("kind = \"exact\"".to_owned(), vec![]),
        (
            format!("{checker}\narguments = [\"2\"]"),
            vec![("check.py", CHECKER)],
        ),
        (
            format!("{checker}\nprotocol = \"oj\""),
            vec![("check.py", OJ_CHECKER)],
        ),
        (
            "kind = \"program\"\nchecker = \"check.cpp\"\nprotocol = \"testlib\"".to_owned(),
            vec![("check.cpp", TESTLIB_CHECKER), ("words.h", WORDS)],
        ),
        (
            "kind = \"interactive\"\ninteractor = \"talk.py\"".to_owned(),
            vec![("talk.py", INTERACTOR)],
        ),
        (
            format!("{interactive}\ninteractor = \"talk.py\""),
            vec![("talk.py", TESTLIB_INTERACTOR)],
        ),
        (
            format!("{interactive}\ninteractor = \"talk.py\"\nchecker = \"check.cpp\""),
            vec![
                ("talk.py", TESTLIB_WRITER),
                ("check.cpp", TESTLIB_CHECKER),
                ("words.h", WORDS),
            ],
        ),
    ];
    for (row, (task, files)) in kinds.iter().enumerate() {
        let judge = twice(task, files);
        let own = verdicts(&judge, "twice");
        assert_eq!(own.len(), 8, "{task}: {own:?}");
        let due = Turn::of_each(&TARGETS).filter(|(turn, _)| turn.has(row));
        for (_, target) in due {
            export(&judge, "twice", target, target);
            assert_eq!(
                verdicts(&judge, &format!("./{target}")),
                own,
                "{task}: {target}"
            );
            let ran = judge.run(&["verify", &format!("./{target}")]);
            assert_eq!(
                ran.code,
                Some(0),
                "{task}: {target}: {}{}",
                ran.stdout,
                ran.stderr
            );
        }
    }
}

#[test]
fn limits_and_flags_are_written_in_the_words_of_each_format() {
    let judge = twice(
        "kind = \"tokens\"\ncase_sensitive = true\nfloat_absolute_tolerance = 1e-9",
        &[("submissions/accepted/right.py", RIGHT)],
    );
    for target in TARGETS {
        export(&judge, "twice", target, target);
    }
    let new = judge.read("kattis-2025-09/problem.yaml");
    assert!(
        new.contains("name:\n  en: \"Twice \\\"it\\\"\"\n")
            && new.contains("type: pass-fail\n"),
        "{new}"
    );
    assert!(
        new.contains(
            "  time_limit: 1.5\n  time_resolution: 0.1\n  memory: 96\n  output: 64\n"
        ),
        "{new}"
    );
    let flags = "output_validator_args: [\"case_sensitive\", \"float_absolute_tolerance\", \"1e-9\"]\n";
    assert_eq!(
        judge.read("kattis-2025-09/data/secret/test_group.yaml"),
        flags
    );
    for target in ["kattis-legacy", "domjudge"] {
        let old = judge.read(&format!("{target}/problem.yaml"));
        let flags = "validation: default\nvalidator_flags: \"case_sensitive float_absolute_tolerance 1e-9\"\n";
        assert!(old.contains(flags), "{old}");
        assert_eq!(judge.read(&format!("{target}/.timelimit")), "1.5\n");
    }
    assert_eq!(
        judge.read("domjudge/domjudge-problem.ini"),
        "name = \"Twice  it \"\ntimelimit = 1.5\n"
    );
}

#[test]
fn what_a_format_cannot_express_is_reported_and_refused_if_verdicts_depend_on_it() {
    let judge = twice(
        "kind = \"lines\"",
        &[
            ("submissions/compile/broken.c", "int\n"),
            ("submissions/output/floods.py", RIGHT),
            ("submissions/accepted/right.py", RIGHT),
        ],
    );
    judge
        .put("problems/twice/submissions/memory/hoards.py", RIGHT)
        .put("problems/twice/submissions/idle/right.py", RIGHT);
    judge
        .put("problems/twice/submissions/slow/right.py", RIGHT)
        .put("problems/twice/submissions/accepted/odd.xyz", "");
    let told = export(&judge, "twice", "kattis-legacy", "old");
    for expected in [
        "submission compile/broken.c is left out: the format knows no submissions that do not compile",
        "submission output/floods.py is left out: the format cannot express too much output",
        "submission idle/right.py is left out: problemtools would wait for ever for a program that only sleeps",
        "submission accepted/odd.xyz is left out: the format has no such language",
        "the format has one time limit for all languages; left out: Python x 5",
        "accepted here with more time than others, and perhaps too slow there: accepted/right.py",
    ] {
        assert!(
            told.iter().any(|line| line == expected),
            "{expected}: {told:#?}"
        );
    }
    export(&judge, "twice", "kattis-2025-09", "new");
    export(&judge, "twice", "domjudge", "dj");
    for name in [
        "old/submissions/time_limit_exceeded/right.py",
        "dj/submissions/time_limit_exceeded/slow-right/right.py",
        "old/submissions/run_time_error/hoards.py",
        "new/submissions/rejected/floods.py",
        "dj/submissions/output_limit/floods.py",
        "dj/submissions/compiler_error/broken.c",
    ] {
        assert!(judge.path(name).is_file(), "{name}");
    }
    let tagged = judge.read("dj/submissions/mixed/hoards.py");
    assert_eq!(
        tagged,
        format!("{RIGHT}\n# @EXPECTED_RESULTS@: MEMORY-LIMIT, RUN-ERROR\n")
    );
    let judge = twice(
        "kind = \"program\"\nchecker = \"check.rs\"\nprotocol = \"oj\"",
        &[("check.rs", "fn main() {}\n")],
    );
    judge.refuses(
        &["export", "twice", "--to", "domjudge", "dj"],
        "error: problems/twice/check.rs: speaks `oj`, and domjudge wants `kattis`; no wrapper can be put around a program in `.rs`\n\
         hint: write it in C++ or Python, or in that protocol: docs/checkers.md",
    );
}

#[test]
fn a_package_is_written_completely_or_not_at_all_and_nothing_is_overwritten() {
    let judge = twice("kind = \"lines\"", &[]);
    judge.put("full/file", "").put("there.zip", "");
    for (place, message) in [
        (
            "full",
            "full: is there already, and is not empty\nhint: name another one, or move it away",
        ),
        (
            "full/file",
            "full/file: is there already, and is not a folder\nhint: name another one, or move it away",
        ),
        (
            "there.zip",
            "there.zip: is there already\nhint: name another one, or move it away",
        ),
        (
            "x.tar.gz",
            "x.tar.gz: is named as an archive of a kind that is not written\nhint: name a `.zip`, a `.kpp` or a folder",
        ),
        (
            "no/such/place",
            "no/such/place: cannot be written: No such file or directory (os error 2)\n\
             hint: create the folder above it, or correct the name",
        ),
    ] {
        let ran = judge.run(&(["export", "twice", "--to", "kattis-2025-09", place]));
        assert_eq!(ran.code, Some(2), "{place}");
        let start = message.split(" (os").next().unwrap();
        assert!(
            ran.stderr.starts_with(&format!("error: {start}")),
            "{place}: {}",
            ran.stderr
        );
    }
    // The names that `--format` has for the same formats.
    export(&judge, "twice", "2025-09", "named");
    assert!(
        judge
            .read("named/problem.yaml")
            .contains("problem_format_version: 2025-09")
    );
    export(&judge, "twice", "legacy", "named.zip");
    fs::create_dir(judge.path("empty")).unwrap();
    export(&judge, "twice", "kattis-2025-09", "empty");
    assert!(judge.path("empty/problem.yaml").is_file());
    let hidden = fs::read_dir(judge.path("")).unwrap().flatten();
    let hidden: Vec<_> = hidden
        .filter(|entry| entry.file_name().as_encoded_bytes().starts_with(b"."))
        .collect();
    assert!(hidden.is_empty(), "{hidden:?}");
}

#[test]
fn a_folder_of_cases_is_exported_with_its_comparison() {
    let judge = Judge::new();
    judge
        .put("abc/test/1.in", "5\n")
        .put("abc/test/1.out", "10\n");
    for (name, end, accepted) in [
        ("plain", "\\n", true),
        ("crlf", "\\r\\n", true),
        ("space", " \\n", false),
    ] {
        let program = format!("{name}.py");
        judge.put(
            &program,
            format!("import sys\nsys.stdout.write('10{end}')\n"),
        );
        for target in TARGETS {
            if !judge.path(target).exists() {
                export(&judge, "./abc", target, target);
            }
            let ran =
                judge.run(&["grade", "-q", "-p", &format!("./{target}"), &program]);
            assert_eq!(
                ran.code == Some(0),
                accepted,
                "{target}, {name}: {}{}",
                ran.stdout,
                ran.stderr
            );
        }
    }
}

#[test]
fn archives_have_the_same_bytes_each_time_and_can_be_verified() {
    let judge = twice("kind = \"exact\"", &[]);
    for target in TARGETS {
        fs::create_dir(judge.path(target)).unwrap();
        let [one, other] =
            ["packed.zip", "packed.kpp"].map(|name| format!("{target}/{name}"));
        export(&judge, "twice", target, &one);
        export(&judge, "twice", target, &other);
        assert!(
            fs::read(judge.path(&one)).unwrap()
                == fs::read(judge.path(&other)).unwrap(),
            "{target}"
        );
        let ran = judge.run(&["verify", &one]);
        assert_eq!(ran.code, Some(0), "{target}: {}{}", ran.stdout, ran.stderr);
        let bytes = fs::read(judge.path(&one)).unwrap();
        let has = |name: &str| {
            bytes
                .windows(name.len())
                .any(|window| window == name.as_bytes())
        };
        // DOMjudge looks for problem.yaml at the root, Kattis in one folder.
        assert_eq!(has("packed/problem.yaml"), target != "domjudge", "{target}");
        assert!(has("submissions/accepted/"));
    }
}
