//! Judges packages of other judges, in `problems/` and named by their paths.

mod polygon;
mod time_limits;

use std::fs;
use std::io::Write;

use crate::judge::{self, Judge, needs_cc};

/// A `problem.yaml` of the newest format.
const NEW: &str = "problem_format_version: 2025-09\nname: Twice\nuuid: 3b5f\nlimits: {time_limit: 1}\n";

/// Programs that print twice the number they read, or fail to.
const RIGHT: &str = "read n\necho $((2 * n))\n";
const WRONG: &str = "read n\n[ $n -lt 3 ] && echo $((2 * n)) || echo 7\n";
const CRASH: &str = "exit 3\n";
const SLOW: &str = "while :; do :; done\n";

/// A judge's folder with a package in `place` that asks for twice a number, with two
/// cases and these additional files.
fn package(place: &str, file: &str, text: &str, files: &[(&str, &str)]) -> Judge {
    let judge = Judge::new();
    judge.put(format!("{place}/{file}"), text);
    for (name, input, answer) in
        [("sample/1", "1\n", "2\n"), ("secret/2", "5\n", "10\n")]
    {
        judge
            .put(format!("{place}/data/{name}.in"), input)
            .put(format!("{place}/data/{name}.ans"), answer);
    }
    for (name, text) in files {
        judge.put(format!("{place}/{name}"), text);
    }
    judge
}

/// Submissions of every class.
const CLASSES: [(&str, &str); 4] = [
    ("submissions/accepted/right.sh", RIGHT),
    ("submissions/wrong_answer/wrong.sh", WRONG),
    ("submissions/run_time_error/crash.sh", CRASH),
    ("submissions/time_limit_exceeded/slow.sh", SLOW),
];

/// Runs a command that must succeed. Returns its output.
#[track_caller]
fn good(judge: &Judge, arguments: &[&str]) -> String {
    let ran = judge.run(arguments);
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (Some(0), ""),
        "{}",
        ran.stdout
    );
    ran.stdout
}

/// The verdict on each case of each submission, from a log.
fn verdicts(judge: &Judge, arguments: &[&str]) -> Vec<String> {
    judge.run(&[arguments, &["--log", "log.jsonl", "--all", "-q"]].concat());
    let log = judge.read("log.jsonl");
    let events = log
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let trials = events.filter(|event| event["event"] == "trial_finished");
    trials
        .map(|trial| {
            ["submission", "case", "verdict"]
                .map(|key| (&trial)[key].as_str().unwrap_or_default().to_owned())
                .join(" ")
        })
        .collect()
}

#[test]
fn packages_of_every_format_are_judged_in_place() {
    let legacy = "limits:\n  time_limit: 0.1\n";
    let new = NEW.replace("time_limit: 1", "time_limit: 0.1");
    for (file, text, extra) in [
        ("problem.yaml", legacy, None),
        (
            "problem.yaml",
            "problem_format_version: legacy-icpc\n",
            Some((".timelimit", "0.1\n")),
        ),
        ("problem.yaml", &new, None),
        (
            "domjudge-problem.ini",
            "name = Twice\ntimelimit = 0.1\n",
            None,
        ),
    ] {
        let files: Vec<_> = CLASSES.into_iter().chain(extra).collect();
        let judge = package("problems/twice", file, text, &files);
        let printed = good(&judge, &["verify", "twice"]);
        assert!(printed.contains("twice"), "{printed}");
        // Nothing is judged again.
        fs::rename(judge.path("problems"), judge.path("other")).unwrap();
        judge.remove("judge.toml");
        good(&judge, &["verify", "./other/twice"]);
        assert_eq!(
            verdicts(&judge, &["grade", "-p", "other/twice"]),
            [
                "accepted/right.sh sample/1 AC",
                "accepted/right.sh secret/2 AC",
                "run_time_error/crash.sh sample/1 RE",
                "run_time_error/crash.sh secret/2 RE",
                "time_limit_exceeded/slow.sh sample/1 TLE",
                "time_limit_exceeded/slow.sh secret/2 TLE",
                "wrong_answer/wrong.sh sample/1 AC",
                "wrong_answer/wrong.sh secret/2 WA",
            ]
        );
    }
}

/// Only DOMjudge lets a program reserve more than its memory limit.
#[test]
fn an_allocation_beyond_the_memory_limit_is_refused_where_the_judge_of_the_format_refuses_it()
 {
    let reserves = "import mmap\ntry: mmap.mmap(-1, 1 << 30)\nexcept OSError: print(2 * int(input()))\n";
    let limits = "limits: {memory: 256, time_limit: 5}\n";
    for (ini, verdict) in [(None, "AC"), (Some(("domjudge-problem.ini", "")), "WA")] {
        let files: Vec<_> = [("submissions/accepted/reserves.py", reserves)]
            .into_iter()
            .chain(ini)
            .collect();
        let judge = package("other/twice", "problem.yaml", limits, &files);
        let expected = ["sample/1", "secret/2"]
            .map(|case| format!("accepted/reserves.py {case} {verdict}"));
        assert_eq!(verdicts(&judge, &["grade", "-p", "other/twice"]), expected);
    }
}

#[test]
fn a_submission_with_an_unexpected_verdict_fails() {
    let files = [
        ("submissions/accepted/wrong.sh", WRONG),
        ("submissions/wrong_answer/right.sh", RIGHT),
    ];
    let judge = package("problems/twice", "problem.yaml", NEW, &files);
    let ran = judge.run(&["verify", "twice"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("accepted/wrong.sh")
            && ran.stdout.contains("wrong_answer/right.sh"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_program_is_judged_on_the_cases_of_a_package() {
    needs_cc();
    let judge = package("pkg/twice", "problem.yaml", NEW, &[]);
    judge.put(
        "mine.c",
        "#include <stdio.h>\nint main(void) { int n; scanf(\"%d\", &n); printf(\"%d\", 2 * n); }\n",
    );
    good(&judge, &["grade", "-p", "pkg/twice", "mine.c"]);
    judge.put("mine.c", format!("/*{}*/\n", "x".repeat(128 << 10)));
    judge.put("fine.sh", RIGHT);
    // It is a compile error, and other submissions are judged.
    let ran = judge.run(&[
        "grade",
        "-p",
        "pkg/twice",
        "mine.c",
        "fine.sh",
        "-v",
        "--log",
        "log.jsonl",
    ]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    let told = "has 131077 bytes, and the problem allows 131072 for a source\\nhint: make it smaller\\n";
    let log = judge.read("log.jsonl");
    assert!(
        log.contains(&format!("\"stderr\":\"{told}\"")) && log.contains("\"AC\""),
        "{log}"
    );
    assert!(ran.stdout.contains("has 131077 bytes"), "{}", ran.stdout);
    // The limit on the size of sources does not apply to executables.
    judge.script(
        "made",
        &format!(
            "#!/bin/sh\n# {}\nread n\necho $((2 * n))\n",
            "x".repeat(128 << 10)
        ),
    );
    good(&judge, &["grade", "-p", "pkg/twice", "made"]);
}

#[test]
fn the_flags_of_the_default_validator_apply() {
    let near = (
        "submissions/accepted/near.sh",
        "read n\necho TWICE $((2 * n)).0005\n",
    );
    let far = (
        "submissions/wrong_answer/far.sh",
        "read n\necho TWICE $((2 * n)).005\n",
    );
    let yaml =
        "limits: {time_limit: 2}\nvalidator_flags: float_absolute_tolerance 1e-3\n";
    let answers = [
        ("data/sample/1.ans", "twice 2\n"),
        ("data/secret/2.ans", "twice 10\n"),
    ];
    let judge = package(
        "problems/twice",
        "problem.yaml",
        yaml,
        &[&[near, far], &answers[..]].concat(),
    );
    good(&judge, &["verify", "twice"]);
    let strict = "limits: {time_limit: 2}\nvalidator_flags: case_sensitive float_absolute_tolerance 1e-3\n";
    judge.put("problems/twice/problem.yaml", strict);
    assert_eq!(judge.run(&["verify", "twice"]).code, Some(1));
}

#[test]
fn the_limits_of_memory_and_output_of_a_package_apply() {
    let yaml = "limits: {time_limit: 5, memory: 64, output: 1}\n";
    let files = [
        (
            "submissions/run_time_error/big.py",
            "x = bytearray(200 << 20)\nprint(len(x))\n",
        ),
        (
            "submissions/output_limit/much.sh",
            "line=$(printf %09999d 0)\nwhile :; do echo $line; done\n",
        ),
    ];
    let judge = package("problems/twice", "problem.yaml", yaml, &files);
    good(&judge, &["verify", "twice"]);
    let found = verdicts(&judge, &["grade", "-p", "twice"]);
    assert_eq!(found[0], "output_limit/much.sh sample/1 OLE");
    assert!(
        found[2].ends_with("MLE") || found[2].ends_with("RE"),
        "{found:?}"
    );
}

/// An output validator that compares the last digits of output and answer. Its third
/// argument is the feedback folder.
const VALIDATOR: &str = "read found\nread right <$2\nfound=${found: -$4} right=${right: -$4}\n\
    [ $found = $right ] && exit 42\necho $found is not $right >$3/judgemessage.txt\nexit 43\n";

#[test]
fn an_output_validator_of_a_package_judges_in_both_formats() {
    let tens = "read n\necho $((2 * n + 10))\n";
    let legacy = "name: T\nvalidation: custom\nvalidator_flags: 1\n";
    let args = ("data/test_group.yaml", "output_validator_args: ['1']\n");
    for (yaml, validator, more) in [
        (legacy, "output_validators/v/v.sh", ("README", "")),
        (NEW, "output_validator/v.sh", args),
    ] {
        let files = [
            (validator, VALIDATOR),
            ("submissions/accepted/tens.sh", tens),
            CLASSES[0],
            CLASSES[1],
            more,
        ];
        let judge = package("problems/twice", "problem.yaml", yaml, &files);
        good(&judge, &["verify", "twice"]);
        let found = verdicts(&judge, &["grade", "-p", "twice"]);
        assert_eq!(
            found[..2],
            [
                "accepted/right.sh sample/1 AC",
                "accepted/right.sh secret/2 AC"
            ],
            "{found:?}"
        );
        assert!(
            found.contains(&"accepted/tens.sh secret/2 AC".to_owned()),
            "{found:?}"
        );
        assert!(
            judge.read("log.jsonl").contains("checker: 7 is not 0"),
            "{}",
            judge.read("log.jsonl")
        );
        let page = judge.run(&["doctor", "twice"]).stdout;
        assert!(
            page.contains(&format!("by the program {validator}, with 1")),
            "{page}"
        );
    }
}

/// An interactor that sends a number and expects its double.
const INTERACTOR: &str = "read given <$1\necho $given\nread said\nread right <$2\n\
    [ \"$said\" = $right ] && exit 42\necho not twice the number >$3/judgemessage.txt\nexit 43\n";

#[test]
fn an_interactive_package_is_judged_in_every_format() {
    let legacy = "name: T\nvalidation: custom interactive\n";
    let domjudge = "name: T\ntype: interactive\n";
    let new = format!("{NEW}type: interactive\n");
    let waits = (
        "submissions/time_limit_exceeded/waits.sh",
        "read n\nread more\n",
    );
    for (text, program) in [
        (legacy, "output_validators/v/v.sh"),
        (domjudge, "output_validators/v.sh"),
        (new.as_str(), "output_validator/v.sh"),
    ] {
        let files = [&CLASSES[..3], &[waits, (program, INTERACTOR)]].concat();
        let judge = package("problems/twice", "problem.yaml", text, &files);
        let expected = [
            "accepted/right.sh sample/1 AC",
            "accepted/right.sh secret/2 AC",
            "wrong_answer/wrong.sh sample/1 AC",
            "wrong_answer/wrong.sh secret/2 WA",
        ];
        let found = verdicts(&judge, &["verify", "twice"]);
        for line in expected {
            assert!(found.iter().any(|found| found == line), "{text}: {found:?}");
        }
        good(&judge, &["verify", "twice"]);
    }
}

#[test]
fn unsupported_packages_are_refused_before_anything_runs() {
    let grader = ("data/secret/testdata.yaml", "grading: custom\n");
    let files = [
        ("output_validators/v.sh", ": >/tmp/touched\n"),
        CLASSES[0],
        grader,
    ];
    let judge = package(
        "problems/twice",
        "problem.yaml",
        "name: T\nvalidation: custom\n",
        &files,
    );
    let refused = "error: problems/twice/data/secret/testdata.yaml:1: the package needs a grader of its own \
        (`grading: custom`) that gives no points, which gridjudge does not judge yet\nhint: judge it with the judge that it was made \
        for; docs/packages.md lists what is judged here\n";
    judge.refuses(&["verify", "twice"], refused);
    judge.refuses(&["grade", "-p", "problems/twice"], refused);
    let page = judge.run(&["doctor", "twice"]);
    assert_eq!(page.code, Some(1));
    assert!(
        page.stdout.starts_with(
            "twice is a Kattis package, format legacy, and cannot be judged yet."
        ),
        "{}",
        page.stdout
    );
    // The other packages are judged.
    good(&judge, &["verify", "mini"]);
}

#[test]
fn every_mistake_of_a_package_is_shown_with_its_line() {
    let judge = package(
        "pkg",
        "problem.yaml",
        "nmae: T\nlimits:\n  memory: lots\n",
        &[("data/secret/3.in", "")],
    );
    judge.refuses(
        &["grade", "-p", "./pkg"],
        "error: ./pkg/problem.yaml:1: unknown key `nmae`\nhint: did you mean `name`?\n\
         error: ./pkg/problem.yaml:3: `memory` in `limits` must be a whole number from 1 to 16777216, found `lots`\n\
         hint: write such a number, for example `memory: 1`\n",
    );
    judge.put("pkg/problem.yaml", "");
    let missing = "error: ./pkg/data/secret/3.in: the case has no answer next to it\n\
        hint: write it into a file of the same name with `.ans`, or have `gridjudge answers` write it\n";
    judge.refuses(&["grade", "-p", "./pkg"], missing);
}

#[test]
fn ignored_parts_and_assumptions_are_reported() {
    let files = [
        CLASSES[0],
        ("submissions/accepted/two/a.py", RIGHT),
        ("submissions/accepted/two/b.py", RIGHT),
        ("submissions/accepted/old.bas", ""),
    ];
    let judge = package("problems/twice", "problem.yaml", "", &files);
    let output = judge.command(&["verify", "twice"]).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    let measured = "twice: the package gives no time limit; by the rule of its format it is 1 s: accepted/right.sh takes ";
    assert!(stderr.contains(measured), "{stderr}");
    let left_out = "twice: 2 submissions are not judged: accepted/old.bas (it is in Basic, which is not a language of this judge), \
        accepted/two (it is unclear which of its 2 files it starts in: none is called __main__.py or main.py)";
    assert!(stderr.contains(left_out), "{stderr}");
    let listed = good(&judge, &["list", "--json", "twice"]);
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(
        (&listed[0]["format"], &listed[0]["not_judged"]),
        (&"legacy".into(), &2.into())
    );
    assert_eq!(
        (&listed[0]["limits"]["cpu_us"], &listed[0]["cases"]),
        (&10_000_000.into(), &2.into())
    );
    let page = good(&judge, &["doctor", "problems/twice"]);
    for line in [
        "cases         2 cases: sample 1, secret 1",
        "comparing     token by token",
        "accepted/two: it is unclear which of its 2 files",
    ] {
        assert!(page.contains(line), "{line}: {page}");
    }
}

#[test]
fn a_problem_toml_has_priority_over_a_package_in_the_same_folder() {
    let judge = Judge::new();
    judge
        .put("problems/mini/problem.yaml", "nonsense: 1\n")
        .script("problems/mini/submissions/accepted/a", judge::RIGHT);
    good(&judge, &["verify"]);
    judge.put("problems/mini/data/extra/problem.yaml", "name: inner\n");
    judge.refuses(
        &["verify", "extra2"],
        "error: problems: there is no problem `extra2` in this folder\nhint: did you mean `extra`?\n",
    );
}

#[test]
fn a_folder_inside_a_package_is_not_a_problem_of_its_own() {
    let inner = [
        ("attachments/template/problem.toml", "name = 1\n"),
        ("attachments/copy/problem.yaml", ""),
    ];
    let judge = package(
        "problems/twice",
        "problem.yaml",
        NEW,
        &[&inner[..], &CLASSES[..1]].concat(),
    );
    let listed = good(&judge, &["list", "--json"]);
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let ids: Vec<_> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| problem["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["mini", "twice"]);
}

#[test]
fn hostile_packages_are_refused_safely() {
    let judge = package(
        "pkg/twice",
        "problem.yaml",
        "name: \"\\e[31mred\\nline\"\nlimits: {time_limit: 1}\n",
        &CLASSES[..1],
    );
    let printed = good(&judge, &["list", "pkg/twice"]);
    assert!(
        !printed.contains('\u{1b}') && printed.lines().count() == 2,
        "{printed:?}"
    );
    let page = good(&judge, &["doctor", "pkg/twice"]);
    assert!(!page.contains("\u{1b}[31mred"), "{page:?}");
    judge
        .link("pkg/twice/data/secret/3.in", "/etc/passwd")
        .put("pkg/twice/data/secret/3.ans", "");
    judge.refuses(
        &["grade", "-p", "pkg/twice"],
        "error: pkg/twice/data/secret/3.in: is a link that leads out of the package\nhint: put the file itself in its place, as `cp -rL` does in a copy of the package\n",
    );
    judge
        .remove("pkg/twice/data/secret/3.in")
        .put("pkg/twice/data/secret/3\u{1b}[31m.in", "");
    let ran = judge.run(&["grade", "-p", "pkg/twice"]);
    assert_eq!(ran.code, Some(2));
    assert!(!ran.stderr.contains('\u{1b}'), "{:?}", ran.stderr);
}

#[test]
fn a_path_without_a_package_gets_another_message_than_an_unknown_id() {
    let judge = Judge::new();
    fs::create_dir(judge.path("empty")).unwrap();
    let remedy = "hint: name a problem by its id, or the folder of a package; `--cases` names the cases in any folder\n";
    let what = "is the folder of no problem: it has no `problem.yaml`, `problem.xml`, `domjudge-problem.ini` or `init.yml`, and no cases (`NAME.in`) in it or in `test/`";
    judge.refuses(
        &["verify", "./empty"],
        &format!("error: ./empty: {what}\n{remedy}"),
    );
    judge.put("cases.tgz", "");
    let file = "is a file, and neither a folder with a problem nor a `.zip`";
    judge.refuses(
        &["verify", "./cases.tgz"],
        &format!("error: ./cases.tgz: {file}\n{remedy}"),
    );
    let missing = "there is no such file or folder\nhint: correct the path, or name a problem by its id\n";
    judge.refuses(
        &["verify", "no/where"],
        &format!("error: no/where: {missing}"),
    );
    let twin = package("elsewhere/mini", "problem.yaml", NEW, &[]);
    twin.refuses(
        &["verify", "elsewhere/mini"],
        "error: elsewhere/mini: problem `mini` is also in problems/mini\nhint: rename one of the two\n",
    );
    // A problem of the judge's folder may be named by its path as well.
    judge.script("problems/mini/submissions/accepted/a", judge::RIGHT);
    good(&judge, &["verify", "problems/mini"]);
}

/// An archive of the files of a folder, with this prefix before their names.
fn packed(judge: &Judge, folder: &str, within: &str) -> Vec<u8> {
    let mut archive = rawzip::ZipArchiveWriter::new(vec![]);
    let root = judge.path(folder);
    for (path, bytes) in judge
        .files_below(folder)
        .into_iter()
        .filter(|(path, _)| path.is_file())
    {
        let name = path
            .strip_prefix(&root)
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        let (mut entry, config) =
            archive.new_file(format!("{within}{name}")).start().unwrap();
        let mut writer = config.wrap(&mut entry);
        writer.write_all(&bytes).unwrap();
        let (_, descriptor) = writer.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap()
}

#[test]
fn an_archive_is_judged_like_the_folder_in_it() {
    let judge = package(
        "pkg",
        "problem.yaml",
        &NEW.replace("time_limit: 1", "time_limit: 0.1"),
        &CLASSES,
    );
    for (name, within) in [("twice.zip", "twice/"), ("twice.kpp", "")] {
        judge.put(name, packed(&judge, "pkg", within));
        judge.forget();
        let printed = good(&judge, &["verify", name]);
        assert!(printed.contains("twice"), "{printed}");
    }
    let page = good(&judge, &["doctor", "twice.zip"]);
    assert!(
        page.contains("  file          twice.zip/twice/problem.yaml\n"),
        "{page}"
    );
    judge
        .put("pkg/problem.yaml", "nmae: T\n")
        .put("bad.zip", packed(&judge, "pkg", "x/"));
    let refused = "error: bad.zip/x/problem.yaml:1: unknown key `nmae`\n  1 | nmae: T\n    | ^^^^\nhint: did you mean `name`?\n";
    let page = judge.run(&["doctor", "bad.zip"]);
    assert_eq!(page.code, Some(2));
    assert!(page.stderr.starts_with(refused), "{}", page.stderr);
    judge.put(
        "text.zip",
        packed(&judge, "pkg", "x/").escape_ascii().to_string(),
    );
    assert_eq!(judge.run(&["grade", "-p", "./text.zip"]).code, Some(2));
    judge.put("empty.zip", packed(&judge, "pkg", "x/y/"));
    assert!(
        judge
            .run(&["doctor", "empty.zip"])
            .stderr
            .starts_with("error: empty.zip: holds no package: ")
    );
}

/// DOMjudge compiles submissions as the compiler does by itself, and programs that judge
/// with a standard that it names.
#[test]
fn programs_are_compiled_as_by_domjudge_where_its_ini_file_is_beside_another_format()
{
    needs_cc();
    let version = |version: &str, statements: &str| {
        format!(
            "#include <stdio.h>\n#if __STDC_VERSION__ != {version}\n#error\n#endif\n\
             int main(void) {{ int n; scanf(\"%d\", &n); {statements} }}\n"
        )
    };
    let twice = version("201710L", "printf(\"%d\\n\", 2 * n); return 0;");
    let checker = version("201112L", "return 42;");
    let judge = package(
        "problems/twice",
        "problem.yaml",
        "validation: custom\n",
        &[
            ("domjudge-problem.ini", "timelimit = 5\n"),
            ("output_validators/v.c", &checker),
            ("submissions/accepted/twice.c", &twice),
        ],
    );
    good(&judge, &["verify", "twice"]);
    let page = good(&judge, &["doctor", "twice"]);
    assert!(page.contains("C++ as gnu++17"), "{page}");
}

#[test]
fn an_archive_for_domjudge_with_all_files_in_a_folder_is_one_that_it_refuses() {
    let judge = package(
        "pkg",
        "domjudge-problem.ini",
        "timelimit = 5\n",
        &CLASSES[..1],
    );
    let said = "the archive has all files in one folder: DOMjudge refuses it, since it wants them at the root";
    for (within, is_said) in [("pkg/", true), ("", false)] {
        judge.put("twice.zip", packed(&judge, "pkg", within));
        for command in ["doctor", "verify"] {
            let page = good(&judge, &[command, "twice.zip"]);
            assert_eq!(page.contains(said), is_said, "{command} {page}");
        }
    }
}

#[test]
fn files_of_an_archive_are_named_by_its_path_in_what_verify_says() {
    let odd = ("data/secret/3.in", "3\r\n");
    let unclear = [
        ("output_validators/v/a.py", ""),
        ("output_validators/v/b.py", ""),
    ];
    let files = [
        &CLASSES[..1],
        &[odd, ("data/secret/3.ans", "6\n")],
        &unclear,
    ]
    .concat();
    let judge = package(
        "pkg",
        "problem.yaml",
        "name: Twice\nvalidation: custom\nlimits: {time_limit: 10}\n",
        &files,
    );
    judge.put("twice.zip", packed(&judge, "pkg", "x/"));
    let ran = judge.run(&["verify", "./twice.zip"]);
    let told = format!("{}{}", ran.stdout, ran.stderr);
    assert!(
        told.contains("output_validators/v: its program cannot be made"),
        "{told}"
    );
    assert!(
        told.contains("carriage returns (`\\r`): ./twice.zip/x/data/secret/3.in"),
        "{told}"
    );
    assert!(!told.contains("/content/"), "{told}");
    let ran = judge.run(&["doctor", "./twice.zip"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    let page = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(page.contains("legacy, and cannot be judged. Programs that cannot be made ./twice.zip/x/output_validators/v: its"), "{page}");
}

#[test]
fn ignored_parts_are_reported_in_quiet_runs_and_in_the_log() {
    let judge = package(
        "pkg/twice",
        "problem.yaml",
        NEW,
        &[CLASSES[0], ("submissions/accepted/old.bas", "")],
    );
    let output = judge
        .command(&["verify", "pkg/twice", "-q", "--log", "log.jsonl"])
        .output()
        .unwrap();
    let left_out = "twice: 1 submission is not judged: accepted/old.bas";
    assert!(String::from_utf8(output.stderr).unwrap().contains(left_out));
    assert!(
        judge
            .read("log.jsonl")
            .lines()
            .next()
            .unwrap()
            .contains(left_out)
    );
}

#[test]
fn cases_of_online_judge_tools_are_judged_in_place() {
    let judge = Judge::new();
    judge.remove("judge.toml");
    judge
        .put("abc/test/sample-1.in", "1\n")
        .put("abc/test/sample-1.out", "2\n");
    judge
        .put("abc/test/sample-2.in", "5\n")
        .put("abc/test/sample-2.out", "10\n");
    judge.put("abc/a.sh", RIGHT).put("abc/b.sh", WRONG);
    assert_eq!(
        verdicts(&judge, &["grade", "-p", "./abc", "abc/a.sh", "abc/b.sh"]),
        [
            "abc/a.sh sample-1 AC",
            "abc/a.sh sample-2 AC",
            "abc/b.sh sample-1 AC",
            "abc/b.sh sample-2 WA"
        ]
    );
    let page = good(&judge, &["doctor", "./abc"]);
    assert!(
        page.contains(
            "abc is a folder of cases, as of online-judge-tools, and can be judged."
        ),
        "{page}"
    );
}

#[test]
fn files_that_may_have_been_meant_as_cases_are_named_and_two_answers_that_differ_are_refused()
 {
    let judge = Judge::new();
    judge
        .put("abc/test/1.in", "1\n")
        .put("abc/test/1.out", "2\n");
    judge
        .put("abc/test/notes.txt", "1\n")
        .put("abc/test/output7.txt", "2\n")
        .put("abc/test/01", "1\n");
    judge.put("abc/a.sh", RIGHT);
    for command in ["verify", "doctor"] {
        let ran = judge.command(&[command, "./abc"]).output().unwrap();
        let printed = String::from_utf8(ran.stdout).unwrap();
        assert!(
            printed.contains(
                "test/notes.txt: a case is `NAME.in` with `NAME.out` or `NAME.ans`"
            ),
            "{printed}"
        );
        assert!(printed.contains("test/01: a case is"), "{printed}");
        assert!(printed.contains("test/output7.txt: a case is"), "{printed}");
    }
    let listed = judge.command(&["list", "./abc"]).output().unwrap();
    let notes = String::from_utf8(listed.stderr).unwrap();
    assert!(
        notes.contains(
            "abc: 3 parts of the package are ignored; `gridjudge doctor` names them"
        ),
        "{notes}"
    );
    judge.put("abc/test/1.ans", "2\n");
    assert_eq!(
        judge.run(&["grade", "-p", "./abc", "abc/a.sh"]).code,
        Some(0)
    );
    judge.put("abc/test/1.ans", "3\n");
    let refused = "error: ./abc/test/1.out: differs from 1.ans, another answer of this case\nhint: delete the wrong one\n";
    judge.refuses(&["grade", "-p", "./abc", "abc/a.sh"], refused);
    let new = package("pkg/twice", "problem.yaml", NEW, &CLASSES[..1]);
    new.put("pkg/twice/data/secret/a b.in", "1\n")
        .put("pkg/twice/data/secret/a b.ans", "3\n");
    let printed = good(&new, &["verify", "pkg/twice"]);
    assert!(
        printed.contains("`data/secret/a b.in`: the format takes no such names"),
        "{printed}"
    );
}

#[test]
fn cases_of_a_folder_may_have_the_names_of_polygon_and_of_italian_contests() {
    for (inputs, wanted) in [
        (["01", "02"], ["01", "02"]),
        (["input0.txt", "input1.txt"], ["input0", "input1"]),
    ] {
        let judge = Judge::new();
        for (input, number) in inputs.into_iter().zip([1, 5]) {
            let answer = match input.strip_prefix("input") {
                Some(rest) => format!("output{rest}"),
                None => format!("{input}.a"),
            };
            judge.put(format!("abc/test/{input}"), format!("{number}\n"));
            judge.put(format!("abc/test/{answer}"), format!("{}\n", 2 * number));
        }
        judge
            .put("abc/b.sh", WRONG)
            .put("abc/test/01.in", "1\n")
            .put("abc/test/01.out", "2\n");
        let [first, second] = wanted;
        let mut expected = vec![
            format!("abc/b.sh {first} AC"),
            format!("abc/b.sh {second} WA"),
        ];
        if first != "01" {
            expected.insert(0, "abc/b.sh 01 AC".to_owned());
        }
        assert_eq!(
            verdicts(&judge, &["grade", "-p", "./abc", "abc/b.sh"]),
            expected
        );
        judge.remove("abc/test/01.in");
        judge.remove("abc/test/01.out");
        assert_eq!(
            verdicts(&judge, &["grade", "-p", "./abc", "abc/b.sh"]).len(),
            2
        );
    }
}

#[test]
fn a_package_in_place_of_a_submission_gets_a_message_with_the_right_option() {
    let judge = package("pkg/twice", "problem.yaml", NEW, &CLASSES[..1]);
    judge.put("twice.zip", packed(&judge, "pkg/twice", ""));
    for path in ["pkg/twice", "twice.zip"] {
        let [message, package, homework] = if path == "twice.zip" {
            [
                "is an archive, and no program",
                "if it is the package of a problem, ",
                "; if it is homework, unpack it into a folder and judge that: `gridjudge grade twice -p PROBLEM`",
            ]
        } else {
            ["is the package of a problem, and no submission", "", ""]
        };
        let refused = format!(
            "error: {path}: {message}\n\
             hint: {package}to judge its own submissions, write `-p {path}`; for one of yours, `-p {path} FILE`{homework}\n"
        );
        judge.refuses(&["grade", path], &refused);
    }
}

#[test]
fn each_case_is_judged_by_the_flags_of_its_own_group() {
    let flags = (
        "data/secret/testdata.yaml",
        "output_validator_flags: float_tolerance 1\n",
    );
    let near = (
        "submissions/accepted/near.sh",
        "read n\n[ $n -gt 1 ] && half=.5\necho $((2 * n))$half\n",
    );
    let far = (
        "submissions/wrong_answer/far.sh",
        "read n\necho $((2 * n)).5\n",
    );
    let yaml = "name: Twice\nlimits: {time_limit: 10}\n";
    let judge = package("pkg", "problem.yaml", yaml, &[flags, near, far]);
    let of_tokens = [
        "accepted/near.sh sample/1 AC",
        "accepted/near.sh secret/2 AC",
        "wrong_answer/far.sh sample/1 WA",
        "wrong_answer/far.sh secret/2 AC",
    ];
    assert_eq!(verdicts(&judge, &["grade", "-p", "./pkg"]), of_tokens);
    // The flags are part of the cache key.
    judge.put(
        "pkg/data/secret/testdata.yaml",
        "output_validator_flags: float_tolerance 0.01\n",
    );
    let stricter = verdicts(&judge, &["grade", "-p", "./pkg"]);
    assert_eq!(
        (stricter[1].as_str(), stricter[3].as_str()),
        (
            "accepted/near.sh secret/2 WA",
            "wrong_answer/far.sh secret/2 WA"
        )
    );
    let told = good(&judge, &["doctor", "./pkg"]);
    assert!(
        told.contains("token by token; on 1 case with other flags"),
        "{told}"
    );
    // In tenths.
    let check = "read found\nread right <$2\ncase $found in *.5) found=${found%.5}5 ;; *) found=${found}0 ;; esac\n\
        off=$((found - 10 * right))\n[ ${off#-} -le $((10 * $4)) ] && exit 42\nexit 43\n";
    judge.put(
        "pkg/problem.yaml",
        "name: Twice\nvalidation: custom\nlimits: {time_limit: 10}\n",
    );
    judge.put("pkg/output_validators/check.sh", check);
    judge.put(
        "pkg/data/sample/testdata.yaml",
        "output_validator_flags: 0\n",
    );
    judge.put(
        "pkg/data/secret/testdata.yaml",
        "output_validator_flags: 1\n",
    );
    assert_eq!(verdicts(&judge, &["grade", "-p", "./pkg"]), of_tokens);
}
